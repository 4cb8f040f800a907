"""One person in place of another at the tables of a server, while they are played at.

Nobody at a table notices: no socket ends, and no clock, window or absence is other than it was.
"""

import asyncio
import secrets
import time
from contextlib import suppress
from typing import Final

from tichu.server.lobby import Lobby
from tichu.server.room import Room
from tichu.server.table.ports import Player
from tichu.server.table.replacement import Replacement
from tichu.server.wire import Stand

__all__ = ["replace_at", "replace_here", "tables_naming"]

_STAND_S: Final = 5.0
#: No table waits longer than this while logs are looked through.
_SLICE_S: Final = 0.002
#: A table may end, rest or go elsewhere while it is asked.
_TRIES: Final = 3


async def tables_naming(lobby: Lobby, change: Replacement) -> list[str]:
    """The tables whose logs name somebody, wherever they are."""
    began, found = time.perf_counter(), []
    async for stored in lobby.store.tables():
        if change.concerns(stored.entries):
            found.append(stored.id)
        if time.perf_counter() - began > _SLICE_S:
            await asyncio.sleep(0)
            began = time.perf_counter()
    return found


async def replace_here(lobby: Lobby, change: Replacement) -> None:
    """Where somebody is named only in what was said before the log began; also nobody looks for a match with them.

    :raises StoreError: not all of it is done
    """
    lobby.quick_match.leave(change.old)
    began = time.perf_counter()
    for table in list(lobby.rooms):
        room = lobby.rooms.get(table)
        if room is not None and room.table.audience.has_heard(change.old):
            await room.replace_person(change)
        if time.perf_counter() - began > _SLICE_S:
            await asyncio.sleep(0)
            began = time.perf_counter()


async def replace_at(lobby: Lobby, table: str, change: Replacement) -> bool:
    """Replace somebody at a table; False if it is not here, but at another node.

    :raises StoreError: it cannot be done now
    """
    for _ in range(_TRIES):
        room = await lobby.visit(table)
        if room is None:
            return lobby.shared is None and not lobby.is_closing
        await _make_way(room, change)
        if await room.replace_person(change):
            return True
    return False


async def _make_way(room: Room, change: Replacement) -> None:
    """Get up: whoever goes needs no seat, and nobody has two at a table."""
    persons = room.persons()
    if change.old in persons and (change.name is not None or change.new in persons):
        with suppress(TimeoutError):
            await room.answer(Player(change.old, ""), Stand(id=secrets.token_hex(8)), _STAND_S)
