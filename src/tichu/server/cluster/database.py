"""A few connections for what nodes tell each other by rows; entries of tables never come this way."""

import asyncio
from contextlib import suppress
from typing import Any, Final, TypeAlias

import asyncpg

from tichu.server.store import StoreError
from tichu.server.store.node_owner import IDLE_MS
from tichu.server.store.postgres_connection import FAILURES, connection_options

__all__ = ["Database"]

_SECONDS: Final = 5.0
_MOST: Final = 4
_Pool: TypeAlias = "asyncpg.Pool[asyncpg.Record]"


class Database:
    """Single statements, each of which is a transaction."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._pool: _Pool | None = None

    async def start(self) -> None:
        """Be ready to connect."""
        try:
            self._pool = await asyncpg.create_pool(self.url, min_size=0, max_size=_MOST, **connection_options(IDLE_MS))
        except FAILURES as error:
            raise _error(error) from error

    async def close(self) -> None:
        """Disconnect."""
        pool, self._pool = self._pool, None
        if pool is not None:
            with suppress(*FAILURES):
                async with asyncio.timeout(_SECONDS):
                    await pool.close()
            pool.terminate()

    async def fetch(self, query: str, *arguments: object) -> list[Any]:
        """The rows that a statement answers with.

        :raises StoreError: the database does not answer, or refuses
        """
        if self._pool is None:
            raise StoreError("the database is not open")
        try:
            async with self._pool.acquire(timeout=_SECONDS) as db:
                try:
                    return list(await db.fetch(query, *arguments, timeout=_SECONDS))
                except TimeoutError:
                    db.terminate()
                    raise
        except FAILURES as error:
            raise _error(error) from error

    async def row(self, query: str, *arguments: object) -> Any | None:
        """The first of them, or None."""
        return next(iter(await self.fetch(query, *arguments)), None)


def _error(error: BaseException) -> StoreError:
    return StoreError(f"PostgreSQL: {str(error) or type(error).__name__}")
