"""Passwords, hashed with argon2id by a few threads of their own.

A hash takes tens of milliseconds and megabytes of memory: the event loop does nothing of it, and what waits is bounded.
Whoever asks for a name that nobody has waits for a hash all the same, so that time tells nothing.
"""

import asyncio
import os
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TYPE_CHECKING, Final, TypeVar

from tichu.server.background import Busy

if TYPE_CHECKING:
    from argon2 import PasswordHasher

__all__ = ["LONGEST", "SHORTEST", "Passwords"]

T = TypeVar("T")

SHORTEST, LONGEST = 8, 200
_THREADS: Final = 2
_MOST_WAITING: Final = 32
_NICENESS: Final = 10
#: As the OWASP advises for argon2id: 19 MiB, two passes, one lane.
_MEMORY_KIB, _PASSES, _LANES = 19_456, 2, 1


class Passwords:
    """Makes hashes of passwords and compares them."""

    def __init__(self) -> None:
        self._pool: ThreadPoolExecutor | None = None
        self._hasher: PasswordHasher | None = None
        self._nobodys = ""
        self._waiting = 0
        self._is_closed = False

    async def hash(self, password: str) -> str:
        """What is kept of a password.

        :raises Busy: too many wait for that
        """
        return await self.run(lambda: self._ready().hash(_bytes(password)))

    async def fits(self, password: str, kept: str) -> bool:
        """Whether this is the password that was kept; without one it takes as long, and is not.

        :raises Busy: too many wait for that
        """

        def compare() -> bool:
            from argon2.exceptions import Argon2Error, InvalidHashError

            hasher = self._ready()
            try:
                hasher.verify(kept or self._nobodys, _bytes(password))
            except (Argon2Error, InvalidHashError):
                return False
            return bool(kept)

        return await self.run(compare)

    def close(self) -> None:
        """End the threads; whoever waits for them, or comes later, is told so."""
        self._is_closed = True
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)

    def _ready(self) -> "PasswordHasher":
        if self._hasher is None:
            import secrets

            from argon2 import PasswordHasher

            hasher = PasswordHasher(_PASSES, _MEMORY_KIB, _LANES)
            self._nobodys = hasher.hash(secrets.token_bytes(16))
            self._hasher = hasher
        return self._hasher

    async def run(self, work: Callable[[], T]) -> T:
        """Do something that takes long where passwords are hashed.

        :raises Busy: too many wait for that
        """
        if self._is_closed or self._waiting >= _MOST_WAITING:
            raise Busy
        if self._pool is None:
            self._pool = ThreadPoolExecutor(_THREADS, "tichu-passwords", _step_back)
        self._waiting += 1
        job = asyncio.get_running_loop().run_in_executor(self._pool, work)
        job.add_done_callback(self._note_done)
        await asyncio.wait([job])
        if job.cancelled():
            raise Busy
        return job.result()

    def _note_done(self, job: "asyncio.Future[T]") -> None:
        self._waiting -= 1
        if not job.cancelled():
            job.exception()  # Whoever asked may have gone.


def _step_back() -> None:
    """Tables come first: on Linux a thread has a priority of its own."""
    if sys.platform == "linux":
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICENESS)


def _bytes(password: str) -> bytes:
    return password.encode("utf-8", "surrogatepass")
