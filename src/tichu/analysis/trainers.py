"""Trainers: one kind of decision, dealt again and again, with the champion's judgement afterwards.

*Grand* shows the first eight cards, *tichu* the fourteen of the player who leads first, *exchange* fourteen before the
exchange.  Before the exchange the champion does not call Tichu, since whoever waits sees three more cards; so that is
not asked.  On the first lead it is now or never.

Hands are dealt by a seed.  With most of them nobody would think of a call, so mostly one of the few is taken out of
several deals with which the champion would call first.  What led up to the decision was done by it at all four seats.

What is told afterwards are two different things: what the champion does, with the *chance* its network gives that, and
what both answers are *worth*, played on in the same worlds as a review does it (:mod:`tichu.analysis.values`).  They
need not agree: the worlds are few, and errors are told.
"""

from collections.abc import Sequence
from functools import lru_cache
from random import Random
from typing import Final, NamedTuple

from tichu.agents.learned.agent import LearnedAgent
from tichu.analysis.decisions import Decision, Question
from tichu.analysis.drills import TrainerAnswer, TrainerJudgement, TrainerName, TrainerQuestion
from tichu.analysis.precision import Budget
from tichu.analysis.values import values_of
from tichu.core.actions import (
    CALL_GRAND,
    CALL_TICHU,
    DECLINE_GRAND,
    Action,
    CallGrand,
    CallTichu,
    Exchange,
    format_action,
)
from tichu.core.cards import Cards, format_card, format_card_list, format_cards, parse_card_list
from tichu.core.deals import shuffled_deal
from tichu.core.errors import GameError, NotationError
from tichu.core.game import Game
from tichu.core.phases import Call, Phase
from tichu.core.round import Round
from tichu.core.rules import STANDARD
from tichu.core.view import View
from tichu.encoding import encode_exchange

__all__ = ["WORLDS", "ask", "decision", "judge"]

#: Worlds in which answers are compared, unless somebody says otherwise.
WORLDS: Final = 200

#: Deals to choose from, how many of them are worth asking, and the share of questions that are chosen like that.
_DEALS: Final[dict[TrainerName, int]] = {"grand": 20, "tichu": 8, "exchange": 1}
_BEST: Final = 3
_CHOSEN: Final = 0.75
#: The match stands at nothing in most questions; otherwise one of these, the own team first.
_AT_START: Final = 0.6
_SCORES: Final = ((300, 0), (0, 300), (500, 500), (700, 300), (300, 700), (900, 600), (600, 900), (900, 900))


class _Drill(NamedTuple):
    """A decision that is asked."""

    view: View
    eight: Cards
    #: With all that is hidden.
    state: Round

    @property
    def hands(self) -> tuple[Cards, ...]:
        """What all four hold, with the cards that are not dealt yet."""
        return tuple(hand | later for hand, later in zip(self.state.hands, self.state.later, strict=True))


def decision(trainer: TrainerName, seed: int) -> tuple[View, Round]:
    """What the seat sees that is asked, and the round with all that is hidden."""
    drill = _drill(trainer, seed)
    return drill.view, drill.state


def ask(trainer: TrainerName, seed: int) -> TrainerQuestion:
    """The question with this number: the same seed deals the same hand."""
    view = _drill(trainer, seed).view
    return TrainerQuestion(
        trainer=trainer,
        seed=seed,
        seat=view.seat,
        score=view.score,
        hand=format_cards(view.hand),
        calls="".join(call.value for call in _shown_calls(view)),
        received=tuple((giver, format_card(card)) for giver, card in view.received()),
        given=format_card_list(view.given[view.seat]),
        view=str(view),
        history=tuple(format_action(*event) for event in view.history),
    )


def judge(trainer: TrainerName, seed: int, answer: str, worlds: int = WORLDS) -> TrainerJudgement:
    """What the champion does with this hand, and what it is worth beside another answer.

    The answer to a call is ``call`` or ``no``; to an exchange the cards for the left, the partner and the right, as
    ``2rJr3b``.  Whoever answers as the champion does hears what the other call is worth, or nothing of an exchange.

    :raises NotationError: that is no answer
    """
    drill = _drill(trainer, seed)
    bot = LearnedAgent()
    view = drill.view
    choice = bot.explain(view, view.legal())
    given = _parse_answer(trainer, answer, view)
    other: Action
    if isinstance(given, Exchange) and isinstance(choice.action, Exchange):
        other = given
        is_agreed = encode_exchange(given) == encode_exchange(choice.action)
    else:
        is_agreed = _is_call(given) == _is_call(choice.action)
        other = _other_call(view, choice.action, bot)
    number = len(view.history)
    is_compared = trainer != "exchange" or not is_agreed
    question = Question(
        Decision(number, view, drill.eight, other), trainer, (other, choice.action) if is_compared else (other,)
    )
    budget = Budget(pilot=2, fewest=worlds, most=worlds)
    [found] = values_of([question], seed, budget)
    difference = found.lost()
    answers = []
    for place, action in ((1, choice.action), (0, other)) if is_compared else ():
        points, win = found.of(place)
        text = _format_answer(trainer, action)
        answers.append(
            TrainerAnswer(
                text, round(points.mean, 1), round(points.error, 1), None if win is None else round(win.mean, 4)
            )
        )
    return TrainerJudgement(
        trainer=trainer,
        seed=seed,
        answer=_format_answer(trainer, given),
        choice=_format_answer(trainer, choice.action),
        chance=int(str(choice.arguments.get("percent", 100))) / 100,
        is_agreed=is_agreed,
        difference=round(difference.mean, 1),
        difference_error=round(difference.error, 1),
        worlds=found.worlds,
        answers=tuple(answers),
        hands=tuple(map(format_cards, drill.hands)),
    )


def _shown_calls(view: View) -> Sequence[Call]:
    # Grand calls are made at the same time: nobody has shown theirs.
    return [Call.NONE if call is None or view.phase is Phase.GRAND else call for call in view.calls]


def _is_call(action: Action) -> bool:
    return isinstance(action, (CallGrand, CallTichu))


def _parse_answer(trainer: TrainerName, text: str, view: View) -> Action:
    if trainer != "exchange":
        if text not in ("call", "no"):
            raise NotationError(f"the answer is call or no, not {text!r}")
        call, no = _calls(view)
        return call if text == "call" else no
    cards = parse_card_list(text)
    if len(cards) != 3:
        raise NotationError(f"three cards are given, as 2rJr3b, not {text!r}")
    action = Exchange(*cards)
    if action not in view.legal():
        raise NotationError(f"{text} cannot be given: they must be three cards of {format_cards(view.hand)}")
    return action


def _calls(view: View) -> tuple[Action, Action]:
    """To call and not to; which card is led without a call does not matter here."""
    if view.phase is Phase.GRAND:
        return CALL_GRAND, DECLINE_GRAND
    return CALL_TICHU, next(action for action in view.legal() if not _is_call(action))


def _other_call(view: View, choice: Action, bot: LearnedAgent) -> Action:
    """What the champion does if it must do the other thing."""
    [ranked] = bot.rank_batch([view])
    return next(action for action, _ in ranked if _is_call(action) != _is_call(choice))


def _format_answer(trainer: TrainerName, action: Action) -> str:
    if isinstance(action, Exchange):
        return format_card_list(action.cards)
    assert trainer != "exchange"
    return "call" if _is_call(action) else "no"


@lru_cache(maxsize=64)
def _drill(trainer: TrainerName, seed: int) -> _Drill:
    rng = Random(f"{trainer} {seed}")
    score = (0, 0) if rng.random() < _AT_START else rng.choice(_SCORES)
    deals = _DEALS[trainer] if rng.random() < _CHOSEN else 1
    bot = LearnedAgent()
    drills: list[_Drill] = []
    while len(drills) < deals:
        found = _deal(trainer, rng, score, bot)
        if found is not None:
            drills.append(found)
    if deals == 1:
        return drills[0]
    ranked = zip(bot.rank_batch([drill.view for drill in drills]), drills, strict=True)
    return rng.choice([drill for _, drill in sorted(ranked, key=_call_chance, reverse=True)[:_BEST]])


def _call_chance(asked: tuple[list[tuple[Action, float]], _Drill]) -> float:
    return sum(chance for action, chance in asked[0] if _is_call(action))


def _deal(trainer: TrainerName, rng: Random, score: tuple[int, int], bot: LearnedAgent) -> _Drill | None:
    """A decision of this kind; None if the deal has none."""
    game = Game.start(shuffled_deal(rng), STANDARD)
    wanted = {"grand": Phase.GRAND, "exchange": Phase.EXCHANGE, "tichu": Phase.PLAY}[trainer]
    while game.round.phase is not wanted:
        if game.round.phase not in (Phase.GRAND, Phase.EXCHANGE):
            raise GameError(f"no decision of the kind {trainer}")
        # Both are decided by all four at the same time: each view is without what the others do.
        seats = game.round.pending
        views = [game.view(seat)._replace(score=score if seat % 2 == 0 else score[::-1]) for seat in seats]
        for seat, [(action, _), *_] in zip(seats, bot.rank_batch(views), strict=True):
            game = game.after(seat, action)
    seat = game.round.pending[0]
    view = game.view(seat)._replace(score=score)
    if trainer == "tichu" and CALL_TICHU not in view.legal():
        return None
    return _Drill(view, game.deal[seat][0], game.round)
