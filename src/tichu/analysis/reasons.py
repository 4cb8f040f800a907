"""Why one line is better than another: what happens more often in it.

Both lines are played to the end in a few worlds, and how rounds go is counted: who goes out first, double victories,
who plays the Dragon, bombs.  What differs most, beyond what chance does, is told from the seat's side; after it the
card points, which are what is left where little else differs.  Which bomb of its own the seat keeps or breaks up takes
no worlds to say.
"""

from collections.abc import Iterator
from math import sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tichu.agents.learned.network import Network
from tichu.analysis.beliefs import belief_about
from tichu.analysis.decisions import Question
from tichu.analysis.precision import Others
from tichu.analysis.rollouts import Ends, play_on
from tichu.analysis.values import starts_in
from tichu.analysis.verdicts import Reason, ReasonKind
from tichu.analysis.worlds import Worlds
from tichu.core.actions import Action, Exchange
from tichu.core.cards import Cards, format_cards
from tichu.core.combos import Combo
from tichu.core.phases import Call
from tichu.core.plays import bombs
from tichu.core.view import View

__all__ = ["reasons_of"]

#: Worlds that both lines are played in, if nothing else is said.
_WORLDS: Final = 48
#: How many standard errors apart shares must be to be told, and how many of them are.
_CLEAR: Final = 2.0
_MOST: Final = 2
#: Fewer card points are not told; and one more world is taken to differ by so many.
_FEW: Final = 3.0
_FAR: Final = 50.0


#: In which worlds something happened.
Happened = dict[ReasonKind, NDArray[np.bool_]]


def reasons_of(
    question: Question,
    better: int,
    seed: int,
    network: Network | None = None,
    worlds: int = _WORLDS,
    others: Others = "learned",
) -> list[Reason]:
    """What differs between what was played and a better candidate, the clearest first."""
    decision = question.decision
    possible = Worlds(decision.view, decision.eight, belief_about(others))
    pair = question.candidates[0], question.candidates[better]
    ends = play_on(starts_in(decision, possible, possible.sample(worlds, seed), pair), network)
    played, other = (Ends(ends.points[place::2], ends.outcomes[place::2]) for place in range(2))
    known = _bombs(decision.view, *pair)
    shares = _clearest(_shares(played, decision.view.seat), _shares(other, decision.view.seat))
    return [*known, *shares, *_card_points(decision.view, played, other)][:_MOST]


def _card_points(view: View, played: Ends, better: Ends) -> Iterator[Reason]:
    """What the seat's team takes, in worlds without double victories and without calls that are still to come."""
    before, after = (_points_of_cards(view, ends) for ends in (played, better))
    is_known = ~np.isnan(before) & ~np.isnan(after)
    before, after = before[is_known], after[is_known]
    if 2 * len(before) < len(is_known):
        return
    changes = after - before
    error = sqrt(float(((changes - changes.mean()) ** 2).sum()) + _FAR**2) / len(changes)
    if abs(changes.mean()) >= max(_CLEAR * error, _FEW):
        yield Reason("card_points", round(float(before.mean()) / 100, 4), round(float(after.mean()) / 100, 4))


def _points_of_cards(view: View, ends: Ends) -> NDArray[np.float64]:
    """By the calls that are known; not a number where that does not come to a hundred."""
    scores = ends.scores.astype(float)
    for seat, call in enumerate(each or Call.NONE for each in view.calls):
        scores[:, seat % 2] -= np.where(ends.first == seat, call.stake, -call.stake)
    own = scores[:, view.seat % 2]
    return np.where((scores.sum(1) == 100) & (abs(own - 50) <= 75), own, np.nan)


def _bombs(view: View, played: Action, better: Action) -> Iterator[Reason]:
    """The bomb in the hand that one of both actions keeps and the other does not: the largest, if there are several."""
    before, after = _kept_bombs(view, played), _kept_bombs(view, better)
    if after - before:
        yield Reason("bomb_stays", 0.0, 1.0, _largest(after - before))
    # That a bomb is thrown can be seen.
    elif before - after and not (isinstance(better, Combo) and better.is_bomb):
        yield Reason("bomb_broken", 0.0, 1.0, _largest(before - after))


def _largest(found: set[Cards]) -> str:
    return format_cards(max(found, key=lambda each: (each.bit_count(), each)))


def _kept_bombs(view: View, action: Action) -> set[Cards]:
    match action:
        case Combo():
            gone = action.cards
        case Exchange():
            gone = sum(1 << card for card in action.cards)
        case _:
            gone = 0
    return {each.cards for each in bombs(view.hand, rules=view.rules) if not each.cards & gone}


def _shares(ends: Ends, seat: int) -> Happened:
    """What happened in which worlds."""
    team = seat % 2
    return {
        "self_first": ends.first == seat,
        "partner_first": ends.first == (seat ^ 2),
        "opponent_first": ends.first % 2 != team,
        "double_won": ends.double == team,
        "double_lost": ends.double == 1 - team,
        "self_dragon": ends.dragon == seat,
        "partner_dragon": ends.dragon == (seat ^ 2),
        "opponent_dragon": (ends.dragon >= 0) & (ends.dragon % 2 != team),
        "own_bomb": ends.bombs[:, team] > 0,
        "opponents_bomb": ends.bombs[:, 1 - team] > 0,
    }


def _clearest(played: Happened, better: Happened) -> list[Reason]:
    found = sorted(_compare(played, better), key=lambda each: -each[0])
    return [reason for clear, reason in found if clear >= _CLEAR][:_MOST]


def _compare(played: Happened, better: Happened) -> Iterator[tuple[float, Reason]]:
    for what, before in played.items():
        after = better[what]
        changes = after.astype(float) - before
        # As if one more world had changed: a few worlds prove little.
        error = sqrt(float(((changes - changes.mean()) ** 2).sum()) + 1) / len(changes)
        yield (
            abs(float(changes.mean())) / error,
            Reason(what, round(float(before.mean()), 4), round(float(after.mean()), 4)),
        )
