"""How often the learned bot agrees with people, in games that people have played.

    python -m training.people game.tch ...

The bot takes every decision that left a choice again.  Plays are compared by their ranks, not their suits.
"""

import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from tichu.agents.learned.agent import LearnedAgent
from tichu.agents.suggestions import bombs_held
from tichu.core.actions import TAKE, Action, CallGrand, CallTichu, DeclineBomb, Exchange, Pass
from tichu.core.cards import DRAGON, PHOENIX, rank_of
from tichu.core.combos import Combo
from tichu.core.errors import GameError, NotationError
from tichu.core.match import Match
from tichu.core.phases import Phase, partner_of
from tichu.core.record import replay
from tichu.core.view import View
from tichu.encoding import encode, legal_numbers
from tichu.encoding.numbering import CALLING_TICHU
from tichu.formats.reading import read_game

__all__ = ["Comparison", "compare", "decisions", "main"]

_TURNS: Final = ("lead", "on the partner's trick", "on an opponent's trick")
_GIFTS: Final = ("gift to LEFT", "gift to PARTNER", "gift to RIGHT")


class Comparison(NamedTuple):
    """What people did, and what the bot would have done."""

    kind: str
    view: View
    people: Action
    bot: Action
    agree: bool


def decisions(path: Path) -> Iterator[tuple[View, Action]]:
    """What people decided in a game, with what they had seen by then."""
    reading = read_game(path)
    match = Match(reading.rules)
    for one in reading.rounds:
        if isinstance(one, NotationError) or one.score is None:
            continue
        try:
            states = list(replay(one, reading.rules))
        except GameError as error:
            sys.stderr.write(f"{path.name}: a round left out: {error}\n")
            continue
        seen = [(seat, action if isinstance(action, (Combo, Pass)) else TAKE) for seat, action in one.actions]
        for place, (state, (seat, action)) in enumerate(zip(states, one.actions, strict=False)):
            if seat not in state.pending or state.table_may(seat, action) or state.automatic() == (seat, action):
                continue
            score = match.score if seat % 2 == 0 else match.score[::-1]
            yield state.view(seat)._replace(history=tuple(seen[:place]), score=score), action
        match = match._replace(outcomes=(*match.outcomes, states[-1].outcome))


def _kind(view: View, action: Action) -> str:
    match view.phase:
        case Phase.GRAND:
            return "Grand Tichu"
        case Phase.WISH:
            return "wish"
        case Phase.TAKE:
            return "Dragon's gift"
        case _ if isinstance(action, CallTichu):
            return "Tichu, called by people"
        case _ if view.top is None:
            return "lead"
        case _ if view.owner == partner_of(view.seat):
            return "on the partner's trick"
        case _:
            return "on an opponent's trick"


def _rank(card: int) -> int:
    return rank_of(card) if card > DRAGON else -card


def _leaves_a_choice(view: View) -> bool:
    """Whether more than one action is legal, not counting a call of Tichu before it."""
    return len({*legal_numbers(view)} - {CALLING_TICHU}) > 1


def compare(view: View, action: Action, bot: LearnedAgent) -> Iterator[Comparison]:
    """Compare one decision; an exchange is three."""
    if isinstance(action, Exchange):
        answer = bot.act(view, view.legal())
        if isinstance(answer, Exchange):
            for kind, theirs, ours in zip(_GIFTS, action.cards, answer.cards, strict=True):
                yield Comparison(kind, view, action, answer, _rank(theirs) == _rank(ours))
        return
    if isinstance(action, DeclineBomb) or not (_leaves_a_choice(view) or isinstance(action, CallTichu)):
        return
    answer = bot.act(view, view.legal())
    if isinstance(answer, CallTichu) and not isinstance(action, CallTichu):
        yield Comparison("Tichu, called by the bot alone", view, action, answer, False)
        return
    agree = not isinstance(answer, Exchange) and encode(answer, view) == encode(action, view)
    yield Comparison(_kind(view, action), view, action, answer, agree)


def _report(found: dict[str, list[Comparison]]) -> Iterator[str]:
    every = [each for of_kind in found.values() for each in of_kind]
    yield f"{'all decisions with a choice':32} {len(every):7,} {_share(every)}"
    for kind, of_kind in sorted(found.items(), key=lambda each: -len(each[1])):
        yield f"{kind:32} {len(of_kind):7,} {_share(of_kind)}"
    for name, place in (("people", 0), ("the bot", 1)):
        grand = found.get("Grand Tichu", [])
        calls = sum(isinstance((each.people, each.bot)[place], CallGrand) for each in grand)
        yield f"{name}: Grand Tichu in {100 * calls / max(1, len(grand)):.1f} % of hands"
        cards = [(each.people, each.bot)[place] for each in found.get("gift to PARTNER", ())]
        partner = [action.partner for action in cards if isinstance(action, Exchange)]
        shares = {
            "an ace": sum(rank_of(card) == 14 for card in partner if card > 3),
            "the Dragon or the Phoenix": sum(card in (DRAGON, PHOENIX) for card in partner),
            "a card below ten": sum(card > 3 and rank_of(card) < 10 for card in partner),
        }
        words = ", ".join(f"{what} {100 * count / max(1, len(partner)):.1f} %" for what, count in shares.items())
        yield f"{name}: gives the partner {words}"
        for kind in _TURNS[1:]:
            plays = [isinstance((each.people, each.bot)[place], Combo) for each in found.get(kind, ())]
            yield f"{name}: plays {kind} {100 * sum(plays) / max(1, len(plays)):.1f} %"
        held = [each for kind in _TURNS for each in found.get(kind, ()) if bombs_held(each.view)]
        broken = sum(_breaks(each.view, (each.people, each.bot)[place]) for each in held)
        share = 100 * broken / max(1, len(held))
        yield f"{name}: breaks a bomb in {share:.1f} % of {len(held):,} turns with one in the hand"


def _breaks(view: View, action: Action) -> bool:
    """Whether a play that is not a bomb takes cards from a bomb in the hand."""
    if not isinstance(action, Combo) or action.is_bomb:
        return False
    return any(bomb.cards & action.cards for bomb in bombs_held(view))


def _share(of_kind: list[Comparison]) -> str:
    return f"{100 * sum(each.agree for each in of_kind) / max(1, len(of_kind)):5.1f} %"


def main() -> None:
    """Compare all games of the command line."""
    bot = LearnedAgent()
    found: dict[str, list[Comparison]] = defaultdict(list)
    for name in sys.argv[1:]:
        for view, action in decisions(Path(name)):
            for each in compare(view, action, bot):
                found[each.kind].append(each)
    sys.stdout.write("\n".join(_report(found)) + "\n")


if __name__ == "__main__":
    main()
