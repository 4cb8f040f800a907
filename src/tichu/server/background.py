"""Work that takes longer than a table may wait for, done in a process of its own.

A thread would share the interpreter with all tables.  What waits is bounded: whoever comes too late is told so at once.
"""

import asyncio
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.connection import wait
from multiprocessing.process import parent_process
from typing import Final, TypeVar

__all__ = ["BackgroundPool", "Busy"]

_T = TypeVar("_T")
#: What may run and wait at the same time.
_MOST_WAITING: Final = 16
_SECONDS: Final = 20.0


class Busy(Exception):
    """There is too much to do, or it took too long; it may be asked for again."""


class BackgroundPool:
    """One process, started when there is something to do."""

    def __init__(self, most_waiting: int = _MOST_WAITING, seconds: float = _SECONDS) -> None:
        self._most_waiting = most_waiting
        self._seconds = seconds
        self._waiting = 0
        self._executor: ProcessPoolExecutor | None = None

    async def run(self, function: Callable[..., _T], *arguments: object) -> _T:
        """What a function of a module answers; arguments and answer travel between processes.

        :raises Busy: too many wait already, it took too long, or the process was killed
        """
        if self._waiting >= self._most_waiting:
            raise Busy
        self._waiting += 1
        try:
            if self._executor is None:
                context = multiprocessing.get_context("spawn")
                self._executor = ProcessPoolExecutor(1, context, initializer=_begin)
            loop = asyncio.get_running_loop()
            async with asyncio.timeout(self._seconds):
                return await loop.run_in_executor(self._executor, function, *arguments)
        except BrokenProcessPool:
            self._end()
            raise Busy from None
        except TimeoutError:
            # It cannot be interrupted from outside: the process goes, and the next question starts another.
            self._end()
            raise Busy from None
        finally:
            self._waiting -= 1

    def close(self) -> None:
        """End the process, whatever it does."""
        self._end()

    def _end(self) -> None:
        executor, self._executor = self._executor, None
        if executor is not None:
            for process in list((executor._processes or {}).values()):
                process.kill()
            executor.shutdown(wait=False, cancel_futures=True)


def _begin() -> None:
    # An interrupt from the keyboard reaches every process of the terminal; the server decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_leave_with_parent, daemon=True).start()


def _leave_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)
