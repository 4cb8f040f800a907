"""Threads that read from SQLite for everybody; with the write-ahead log no writer waits for them, nor they for it.

There are a few, so that whoever asks for something small does not wait behind somebody's whole history.  What waits for
a disk that does not answer is bounded, in number and in time.
"""

import asyncio
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import local
from typing import Final, TypeVar

from tichu.server.store.port import StoreError

__all__ = ["Reader"]

T = TypeVar("T")

_THREADS: Final = 3
_MOST_WAITING: Final = 1_000
_SECONDS: Final = 10.0


class Reader:
    """A few connections to one file."""

    def __init__(self, file: Path, connect: Callable[[Path], sqlite3.Connection]) -> None:
        self._file = file
        self._connect = connect
        self._pool = ThreadPoolExecutor(_THREADS, thread_name_prefix="tichu-store-reader")
        self._own = local()
        self._connections: list[sqlite3.Connection] = []
        self._waiting = 0

    async def read(self, query: Callable[[sqlite3.Connection], T]) -> T:
        """What a query answers.

        :raises StoreError: too much waits, or it takes too long
        """
        if self._waiting >= _MOST_WAITING:
            raise StoreError("too much waits to be read")
        self._waiting += 1
        answer = asyncio.get_running_loop().run_in_executor(self._pool, self._answer, query)
        answer.add_done_callback(self._note_done)
        try:
            async with asyncio.timeout(_SECONDS):
                return await answer
        except TimeoutError:
            raise StoreError(f"nothing was read within {_SECONDS:g} s") from None

    async def close(self) -> None:
        """Answer what waits, then disconnect."""
        await asyncio.to_thread(self._pool.shutdown)
        for connection in self._connections:
            connection.close()

    def _note_done(self, answer: "asyncio.Future[T]") -> None:
        self._waiting -= 1
        if not answer.cancelled():
            answer.exception()  # Whoever asked may have gone.

    def _answer(self, query: Callable[[sqlite3.Connection], T]) -> T:
        db: sqlite3.Connection | None = getattr(self._own, "db", None)
        if db is None:
            db = self._own.db = self._connect(self._file)
            db.execute("PRAGMA query_only = 1")
            self._connections.append(db)
        return query(db)
