"""A table from its log."""

import asyncio
import time
from contextlib import suppress
from typing import Final

from tichu.core.game import Game
from tichu.server.background import BackgroundPool, Busy
from tichu.server.log import decode
from tichu.server.store import StoredTable
from tichu.server.table import Table
from tichu.server.table.given import given_game
from tichu.server.table.state import settings_of
from tichu.server.wire.settings import Settings

__all__ = ["follow_log", "given_of", "restore_table"]

#: No table waits longer than this for work on another one that can be interrupted.
_SLICE_S: Final = 0.002


async def given_of(settings: Settings, background: BackgroundPool) -> Game | None:
    """A round that has been played for a while is looked at in another process: it may take as long as it likes."""
    return await background.run(given_game, settings) if settings.deal and settings.actions else None


async def restore_table(stored: StoredTable, now: float, background: BackgroundPool) -> Table:
    """A table from its log."""
    given = None
    with suppress(Busy):
        given = await given_of(settings_of(decode(stored.entries[0])), background)
    return await follow_log(stored, now, given)


async def follow_log(stored: StoredTable, now: float, given: Game | None) -> Table:
    """Follow a log, with a breath for others now and then: a round may have very many entries."""
    began = time.perf_counter()
    restored: Table | None = None
    for table in Table.restoring(map(decode, stored.entries), now, given):
        restored = table
        if time.perf_counter() - began > _SLICE_S:
            await asyncio.sleep(0)
            began = time.perf_counter()
    assert restored is not None
    return restored
