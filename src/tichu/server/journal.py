"""The log of one table in the store: what is being written to it, and for how long already.

A store that fails is asked again until it works.  Nobody hears of what it has not taken.
"""

import asyncio
import logging
import time
from typing import Final

from tichu.server.log import encode
from tichu.server.metrics import Metrics
from tichu.server.store import OutOfStep, Store, StoreError, StoreRefusal, TakenOver
from tichu.server.table.ports import Step
from tichu.server.table.replacement import Replacement

__all__ = ["Journal"]

log = logging.getLogger("tichu.server")

#: Seconds between tries to store, from the first to the last.
_RETRY_DELAYS: Final = (0.1, 0.5, 1.0, 2.0, 5.0)
_TRIES_A_MINUTE: Final = 12
#: A store that takes longer does not work.
_SLOW_S: Final = 2.0
#: No table waits longer than this while the log of another one is rewritten.
_SLICE_S: Final = 0.002


class Journal:
    """Adds to the log of a table, one step at a time."""

    def __init__(self, store: Store, table: str, metrics: Metrics, next_entry: int) -> None:
        #: The number of the next entry.
        self.next_entry = next_entry
        self._store = store
        self._table = table
        self._metrics = metrics
        #: Since when something waits to be stored, and whether that has failed.
        self._since: float | None = None
        self._is_failing = False

    @property
    def is_busy(self) -> bool:
        """Whether something waits to be stored."""
        return self._since is not None

    @property
    def is_stuck(self) -> bool:
        """Whether something cannot be stored."""
        return self._since is not None and (self._is_failing or time.perf_counter() - self._since > _SLOW_S)

    async def append(self, step: Step) -> None:
        """Store the entries of a step, however long that takes.

        :raises TakenOver: another server has the table
        :raises OutOfStep: the log is not what this table believes
        """
        lines = [encode(entry) for entry in step.entries]
        self._since = began = time.perf_counter()
        tries = 0
        while True:
            try:
                await self._store.append(
                    self._table, self.next_entry, lines, checkpoint=step.checkpoint, game=step.game, match=step.row
                )
                break
            except (OutOfStep, StoreRefusal, TakenOver):
                # Asking again would not help.
                raise
            except StoreError as error:
                self._is_failing = True
                self._metrics.failures.labels("store").inc()
                if tries % _TRIES_A_MINUTE == 0:
                    log.error("table %s waits for the store: %s", self._table, error)
                await asyncio.sleep(_RETRY_DELAYS[min(tries, len(_RETRY_DELAYS) - 1)])
                tries += 1
        self._since, self._is_failing = None, False
        self.next_entry += len(lines)
        self._metrics.store_seconds.observe(time.perf_counter() - began)
        self._metrics.entries.inc(len(lines))
        if step.game is not None:
            self._metrics.games.inc()

    async def rewrite(self, change: Replacement) -> None:
        """Put somebody else in the place of a person, wherever the log names them.

        :raises StoreError: nothing has changed
        """
        stored = await self._store.table(self._table)
        if stored is None:
            return
        first, entries = stored.next - len(stored.entries), []
        began = time.perf_counter()
        for place, entry in change.changes(stored.entries):
            entries.append((first + place, entry))
            if time.perf_counter() - began > _SLICE_S:
                await asyncio.sleep(0)
                began = time.perf_counter()
        if entries:
            await self._store.rewrite(self._table, entries)

    def begin_again(self, next_entry: int) -> None:
        """The table was read again."""
        self.next_entry, self._since = next_entry, None
