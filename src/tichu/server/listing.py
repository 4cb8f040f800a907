"""Which public tables the start page offers."""

import asyncio
from collections import Counter
from collections.abc import Collection, Sequence
from typing import Final

from tichu.server.resting import RestingTable
from tichu.server.room import Room
from tichu.server.wire import TableState

__all__ = ["LISTED", "offered_states", "states_of"]

LISTED: Final = 100
#: Tables looked at in one go, and states made in one go.
_SLICE: Final = 100
_STATES: Final = 20
#: Later than every time: tables without a free seat come last.
_FULL: Final = 1e12


async def offered_states(
    tables: Sequence[Room | RestingTable], of_an_address: int, unwanted: Collection[str] = ()
) -> list[TableState]:
    """Tables where there is something to join or to see, a few of each address; none at which these people are."""
    offered: list[tuple[bool, float, Room | RestingTable]] = []
    for number, one in enumerate(tables, 1):
        if one.is_open:
            offered.append((not one.has_free_seat, -one.visited, one))
        if number % _SLICE == 0:
            await asyncio.sleep(0)
    # Sorted by one number, because many tuples take long.
    offered.sort(key=lambda one: one[1] + (_FULL if one[0] else 0.0))
    listed: Counter[str] = Counter()
    states: list[TableState] = []
    for *_, one in offered:
        listed[one.address or one.id] += 1
        if listed[one.address or one.id] > of_an_address:
            continue
        state = one.state()
        if unwanted and not {state.host, *(seat.player for seat in state.seats)}.isdisjoint(unwanted):
            continue
        states.append(state)
        if len(states) == LISTED:
            break
        if len(states) % _STATES == 0:
            await asyncio.sleep(0)
    return states


async def states_of(tables: Sequence[Room | RestingTable]) -> list[TableState]:
    """All of them, however many; others go on in between."""
    states: list[TableState] = []
    for one in tables:
        states.append(one.state())
        if len(states) % _STATES == 0:
            await asyncio.sleep(0)
    return states
