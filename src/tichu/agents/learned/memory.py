"""What a player keeps in mind beyond the observation: who played what, who let what pass, and how far the match is.

Nothing of it is secret, so it is made from what the seat has seen (``view.history``).  A view that comes without its
whole history, such as a position that was typed in, is one whose player has forgotten; the network has met that too.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from tichu.core.actions import Pass
from tichu.core.cards import PHOENIX, Cards
from tichu.core.combos import Combo, Kind
from tichu.core.view import View
from tichu.kernel.packing import pack_goal

__all__ = ["LAYOUT", "MEMORY_SIZE", "write_memory"]

#: Of each other seat, LEFT, PARTNER, RIGHT: the special cards it played, how many of each rank, and for every kind of
#: combination 16 less the lowest rank that it did not beat when an opponent played it.  Then the match: what our
#: team and the opponents lack of the goal.  Bytes of each part, and the highest value of one.
_OF_A_SEAT: Final = ((4, 1), (13, 4), (6, 15))
LAYOUT: Final = (*_OF_A_SEAT * 3, (2, 60))
#: Bytes in all.
MEMORY_SIZE: Final = sum(size for size, _ in LAYOUT)

_SEAT: Final = sum(size for size, _ in _OF_A_SEAT)
# Where what a seat let pass begins.
_PASSED: Final = 4 + 13
# A step of what is lacking, in points.
_LACKING: Final = 25
# Without a match it stands as at the beginning of one.
_USUAL_GOAL: Final = 1000
_KINDS: Final = {kind: min(kind, Kind.STAIRS) - 1 for kind in Kind if Kind.DOG < kind < Kind.FOUR}


def write_memory(view: View, into: NDArray[np.uint8]) -> None:
    """Write what the seat remembers."""
    into[:] = 0
    played = [0, 0, 0, 0]
    top: Combo | None = None
    owner = -1
    for seat, action in view.history:
        distance = (seat - view.seat) & 3
        if isinstance(action, Combo):
            played[distance] |= action.cards
            top, owner = action, seat
        elif isinstance(action, Pass) and top is not None and distance and (seat ^ owner) & 1 and _tells(top):
            place = _SEAT * (distance - 1) + _PASSED + _KINDS[top.kind]
            into[place] = max(int(into[place]), 16 - top.rank)
    if played[0] | played[1] | played[2] | played[3] == view.played:
        for distance in (1, 2, 3):
            _write_played(played[distance], into[_SEAT * (distance - 1) :])
    else:
        # Half a past would tell of players who have played nothing.
        into[:] = 0
    goal = pack_goal(view.rules.goal)
    for place, score in enumerate(view.score):
        lacking = goal - score if goal else _USUAL_GOAL
        into[3 * _SEAT + place] = min(max(lacking, 0) // _LACKING, 60)


def _tells(top: Combo) -> bool:
    # What a lone Phoenix was worth depends on what it lay on.
    return top.kind in _KINDS and top.cards != 1 << PHOENIX


def _write_played(cards: Cards, into: NDArray[np.uint8]) -> None:
    for special in range(4):
        into[special] = cards >> special & 1
    cards >>= 4
    for rank in range(13):
        into[4 + rank] = (cards >> 4 * rank & 15).bit_count()
