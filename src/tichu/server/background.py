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
from contextlib import suppress
from multiprocessing.connection import wait
from multiprocessing.process import parent_process
from typing import Any, Final, Protocol, TypeVar

__all__ = ["NICEST", "BackgroundPool", "Busy", "Died", "Worker"]

_T = TypeVar("_T")
#: What may run and wait at the same time.
_MOST_WAITING: Final = 16
#: What runs only where a processor has nothing else to do.
NICEST: Final = 19
_SECONDS: Final = 20.0
_START_S: Final = 60.0


class Busy(Exception):
    """There is too much to do, or it took too long; it may be asked for again."""


class Died(Busy):
    """The process ended in the middle of it: it was killed, or the work itself has ended it."""


class Worker(Protocol):
    """Where dear work is done, so that no table waits for it."""

    async def run(self, function: Callable[..., Any], *arguments: object) -> Any:
        """What a function answers.

        :raises Busy: it came to nothing
        :raises Died: because the process ended
        """

    def close(self) -> None:
        """Stop, until there is something to do again."""


class BackgroundPool:
    """One process, started when there is something to do; the nicer it is, the longer it waits for others."""

    def __init__(self, most_waiting: int = _MOST_WAITING, seconds: float = _SECONDS, *, nice: int = 0) -> None:
        self._most_waiting = most_waiting
        self._seconds = seconds
        self._nice = nice
        self._waiting = 0
        self._executor: ProcessPoolExecutor | None = None
        #: One that does not answer yet.
        self._new: ProcessPoolExecutor | None = None
        self._starting = asyncio.Lock()
        self._closings = 0

    async def run(self, function: Callable[..., _T], *arguments: object) -> _T:
        """What a function of a module answers; arguments and answer travel between processes.

        :raises Busy: too many wait already, or it took too long
        :raises Died: the process was killed
        """
        if self._waiting >= self._most_waiting:
            raise Busy
        # Counted until it is done, also if whoever asked has gone: else they could ask without end.
        self._waiting += 1
        executor: ProcessPoolExecutor | None = None
        try:
            executor = await self._started()
            job = executor.submit(function, *arguments)
        except BaseException as error:
            self._waiting -= 1
            if isinstance(error, BrokenProcessPool) and executor is not None:
                # It died while nobody asked anything of it.
                self._end(executor)
            if isinstance(error, BrokenProcessPool | TimeoutError):
                raise Busy from None
            raise
        work = asyncio.wrap_future(job)
        work.add_done_callback(self._note_done)
        done, _ = await asyncio.wait([work], timeout=self._seconds)
        if not done:
            # It cannot be interrupted from outside: the process goes, and the next question starts another.
            if job.running():
                self._end(executor)
            raise Busy
        try:
            return work.result()
        except (BrokenProcessPool, asyncio.CancelledError) as error:
            self._end(executor)
            raise (Died if isinstance(error, BrokenProcessPool) else Busy) from None

    def close(self) -> None:
        """End the process, whatever it does; whoever waits for it, or for it to begin, is told so."""
        self._closings += 1
        for executor in (self._executor, self._new):
            if executor is not None:
                self._end(executor)

    async def _started(self) -> ProcessPoolExecutor:
        closings = self._closings
        async with self._starting:
            if closings != self._closings:
                raise Busy
            if self._executor is None:
                self._executor = await self._start()
            return self._executor

    async def _start(self) -> ProcessPoolExecutor:
        closings, self._new = self._closings, _new_executor(self._nice)
        try:
            # To start a process takes longer than a table may wait.
            await asyncio.to_thread(_wait_ready, self._new)
            if closings != self._closings:
                raise Busy
            return self._new
        except BaseException as error:
            _kill(self._new)
            if closings != self._closings and isinstance(error, RuntimeError):
                raise Busy from None
            raise
        finally:
            self._new = None

    def _note_done(self, work: "asyncio.Future[Any]") -> None:
        self._waiting -= 1
        if not work.cancelled():
            work.exception()  # Whoever asked may have gone; nobody needs to hear of it.

    def _end(self, executor: ProcessPoolExecutor) -> None:
        """End the process of this executor; others who wait for it are told that there was too much to do."""
        if self._executor is executor:
            self._executor = None
        _kill(executor)


def _new_executor(nice: int) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(1, multiprocessing.get_context("spawn"), initializer=_begin, initargs=(nice,))


def _wait_ready(executor: ProcessPoolExecutor) -> None:
    """Until it has read its modules no work is done, and that is nobody's fault."""
    executor.submit(_nothing).result(_START_S)


def _kill(executor: ProcessPoolExecutor) -> None:
    for process in list((executor._processes or {}).values()):
        process.kill()
    executor.shutdown(wait=False)


def _nothing() -> None:
    """What a process is started with."""


def _begin(nice: int) -> None:
    _let_others_go_first(nice)
    # An interrupt from the keyboard reaches every process of the terminal; the server decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_leave_with_parent, daemon=True).start()


def _let_others_go_first(nice: int) -> None:
    if nice and hasattr(os, "nice"):  # Windows has none.
        os.nice(nice)
    if nice == NICEST and hasattr(os, "SCHED_IDLE"):
        # Niceness counts only among the processes of one session and leaves a table waiting for the end of a slice;
        # a processor that does nothing but this is as good as free to all others.  Some sandboxes forbid it.
        with suppress(OSError):
            os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))


def _leave_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)
