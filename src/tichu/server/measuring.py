"""What tells an operator early that a server has too much to do."""

import asyncio
from collections.abc import Mapping
from typing import Final

from tichu.server.metrics import Metrics
from tichu.server.room import Room
from tichu.server.slices import Slices
from tichu.server.store import Store, StoreError

__all__ = ["is_working", "measure_load"]

_INTERVAL_S: Final = 0.25
#: A store that takes longer does not work.
_ANSWER_S: Final = 2.0
#: Tables looked at in one go.
_SLICE: Final = 100


async def measure_load(rooms: Mapping[str, Room], metrics: Metrics) -> None:
    """How late the event loop is, and what waits at the table where most waits; until it is cancelled."""
    loop = asyncio.get_running_loop()
    while True:
        due = loop.time() + _INTERVAL_S
        await asyncio.sleep(_INTERVAL_S)
        metrics.loop_lag.observe(max(0.0, loop.time() - due))
        most = 0
        for number, room in enumerate(list(rooms.values()), 1):
            most = max(most, room.waiting)
            if number % _SLICE == 0:
                await asyncio.sleep(0)
        metrics.inbox.set(most)


async def is_working(store: Store, rooms: Mapping[str, Room]) -> bool:
    """Whether a store answers, and no table waits for it."""
    try:
        async with asyncio.timeout(_ANSWER_S):
            await store.player("")
    except (StoreError, TimeoutError):
        return False
    slices = Slices()
    for room in list(rooms.values()):
        if room.is_stuck:
            return False
        await slices.end()
    return True
