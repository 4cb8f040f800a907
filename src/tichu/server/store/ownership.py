"""Whether a store is still this server's.

Every transaction that writes asks the database; a server with nothing to write asks now and then, because it must not
go on showing tables that another one plays.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final

from tichu.server.store.port import StoreError, TakenOver

__all__ = ["Ownership"]

#: Seconds between two looks.
_INTERVAL_S: Final = 2.0


class Ownership:
    """Held from the start on; once lost it does not come back."""

    def __init__(self) -> None:
        self._is_lost = asyncio.Event()
        self._look = asyncio.Event()
        self._watching: asyncio.Task[None] | None = None

    def watch(self, check: Callable[[], Awaitable[object]]) -> None:
        """Ask again and again, until the end; who finds that it is lost calls :meth:`lose`."""
        self._watching = asyncio.create_task(self._watch(check), name="tichu-store-owner")

    async def close(self) -> None:
        """Ask no more."""
        watching, self._watching = self._watching, None
        if watching is not None:
            watching.cancel()
            with suppress(asyncio.CancelledError):
                await watching

    def look(self) -> None:
        """Something has happened that makes it worth asking now."""
        self._look.set()

    def check(self) -> None:
        """Go on only if it is still held.

        :raises TakenOver: it is not
        """
        if self._is_lost.is_set():
            raise TakenOver

    def lose(self) -> None:
        """Another server has taken over."""
        self._is_lost.set()

    async def wait_lost(self) -> None:
        """Return when it is lost."""
        await self._is_lost.wait()

    async def _watch(self, check: Callable[[], Awaitable[object]]) -> None:
        while not self._is_lost.is_set():
            with suppress(TimeoutError):
                async with asyncio.timeout(_INTERVAL_S):
                    await self._look.wait()
            self._look.clear()
            # A store that fails is reported by whoever needs it.
            with suppress(StoreError):
                await check()
