"""The decisions of a recorded round, each with all that its seat knew, and what the learned bot would have done."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from tichu.agents.learned.agent import LearnedAgent
from tichu.analysis.verdicts import KINDS, Kind
from tichu.core.actions import Action, CallTichu, Exchange, Pass
from tichu.core.cards import Cards
from tichu.core.errors import GameError, IllegalAction
from tichu.core.game import Game
from tichu.core.phases import Phase
from tichu.core.record import RoundRecord
from tichu.core.rules import Rules
from tichu.core.view import View
from tichu.encoding import encode, encode_exchange, legal_numbers
from tichu.encoding.numbering import CALLING_TICHU

__all__ = ["KINDS", "Decision", "Kind", "Question", "decisions_of", "questions_of"]

#: An alternative that the bot gives less than this is not looked at.
_LEAST_CHANCE: Final = 0.1
#: How many of the bot's alternatives are looked at.
_MOST_ALTERNATIVES: Final = 1


class Decision(NamedTuple):
    """A seat that was to decide, with a choice, and what it did."""

    #: The number of the action in the round.
    number: int
    #: With the history as the seat saw it, and the match so far.
    view: View
    #: The seat's first eight cards.
    eight: Cards
    played: Action


class Question(NamedTuple):
    """A decision with the actions that are to be compared, what was played first, then what the bot would have done.

    There is only one if both are the same but for suits.
    """

    decision: Decision
    kind: Kind
    candidates: tuple[Action, ...]


def decisions_of(one: RoundRecord, rules: Rules, score: tuple[int, int] = (0, 0)) -> Iterator[Decision]:
    """The decisions of a round that left a choice, the match standing at ``score`` before it.

    Only seats whose turn it was are asked: a bomb or a call out of turn (§2.2, §7.1) is left out.

    :raises GameError: the round is not legal; with the action
    """
    game = Game.start(one.deal, rules)
    for number, (seat, action) in enumerate(one.actions):
        if number < len(game.actions):
            # The table has already done it.
            if game.actions[number] != (seat, action):
                raise GameError(f"action {number}: the table does something else")
            continue
        if seat in game.round.pending:
            own, other = score if seat % 2 == 0 else score[::-1]
            view = game.view(seat)._replace(score=(own, other))
            if _is_choice(view, action):
                yield Decision(number, view, one.deal[seat][0], action)
        try:
            game = game.after_recorded(seat, action)
        except IllegalAction as error:
            raise GameError(f"action {number}: {error.reason.value}") from None


def _is_choice(view: View, action: Action) -> bool:
    if view.phase is Phase.EXCHANGE or isinstance(action, CallTichu):
        return True
    return len(legal_numbers(view) - {CALLING_TICHU}) > 1


def questions_of(decisions: Sequence[Decision], bot: LearnedAgent) -> list[Question]:
    """What is to be compared at each decision."""
    views = [sequential_view(decision.view) for decision in decisions]
    return [
        _question(decision, view, ranked)
        for decision, view, ranked in zip(decisions, views, bot.rank_batch(views), strict=True)
    ]


def sequential_view(view: View) -> View:
    """The view in the form of the rules that bots play (§7.2)."""
    return view._replace(rules=view.rules.sequential())


def _question(decision: Decision, view: View, ranked: list[tuple[Action, float]]) -> Question:
    played, choice = decision.played, ranked[0][0]
    kind = _kind(view, played, choice)
    if _is_same(played, choice, view):
        return Question(decision, kind, (played,))
    candidates = [played, choice]
    likely = [action for action, chance in ranked[1:] if chance >= _LEAST_CHANCE][:_MOST_ALTERNATIVES]
    passes = [action for action, _ in ranked[1:] if isinstance(action, Pass)]
    for action in (*likely, *passes):
        if not any(_is_same(action, other, view) for other in candidates):
            candidates.append(action)
    return Question(decision, kind, tuple(candidates))


def _is_same(one: Action, two: Action, view: View) -> bool:
    """Whether two actions differ in suits at most."""
    if isinstance(one, Exchange) or isinstance(two, Exchange):
        both = isinstance(one, Exchange) and isinstance(two, Exchange)
        return both and encode_exchange(one) == encode_exchange(two)  # type: ignore[arg-type]
    return encode(one, view) == encode(two, view)


def _kind(view: View, played: Action, choice: Action) -> Kind:
    if isinstance(played, CallTichu) or isinstance(choice, CallTichu):
        return "tichu"
    match view.phase:
        case Phase.GRAND:
            return "grand"
        case Phase.EXCHANGE:
            return "exchange"
        case Phase.WISH:
            return "wish"
        case Phase.TAKE:
            return "gift"
        case Phase.BOMB:
            return "bomb"
        case _:
            return "lead" if view.top is None else "follow"
