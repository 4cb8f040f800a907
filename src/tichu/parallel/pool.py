"""Worker pools: an interface with one verb, ``map``, and its implementations on this machine.

``map`` gives results in the order of the tasks, whoever finishes first, so that nothing depends on the number of
workers.  A third implementation is a Ray cluster (:mod:`tichu.parallel.ray_cluster`).
"""

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing.connection import wait
from typing import Final, Protocol, TypeVar

from tichu.core.errors import GameError

__all__ = ["Pool", "ProcessPool", "SerialPool", "WorkerDied", "count_processors", "open_pool"]

# Tasks queued in advance for each worker: enough that none waits for a slow neighbour.
_QUEUED: Final = 4

_Task = TypeVar("_Task")
_Result = TypeVar("_Result")


class WorkerDied(GameError):
    """A worker process has ended by itself: it crashed, or it was killed."""

    def __init__(self) -> None:
        super().__init__("a worker process died; was it killed, or is memory short?")


class Pool(Protocol):
    """Workers."""

    def map(self, work: Callable[[_Task], _Result], tasks: Iterable[_Task]) -> Generator[_Result, None, None]:
        """The results, in order.  Closing the generator drops the tasks that no worker has begun."""

    def close(self) -> None:
        """Stop the workers."""


def count_processors() -> int:
    """How many processes this machine can run at once."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def open_pool(workers: int | None = None, ray: str | None = None) -> Pool:
    """As many processes as asked for, or as the machine has processors, or those of a Ray cluster.

    :raises GameError: less than one worker; or there is no cluster at the address
    """
    if workers is not None and workers < 1:
        raise GameError(f"there is at least one worker, not {workers}")
    if ray is not None:
        # Most runs need nothing of Ray.
        from tichu.parallel.ray_cluster import RayCluster

        return RayCluster(ray, workers)
    number = count_processors() if workers is None else workers
    return SerialPool() if number == 1 else ProcessPool(number)


class SerialPool:
    """No workers but this process."""

    def map(self, work: Callable[[_Task], _Result], tasks: Iterable[_Task]) -> Generator[_Result, None, None]:
        """See :class:`Pool`."""
        yield from map(work, tasks)

    def close(self) -> None:
        """Nothing was started."""


class ProcessPool:
    """Worker processes on this machine."""

    def __init__(self, workers: int) -> None:
        self._most_queued = workers * _QUEUED
        # Spawned, not forked: the same on every system, and safe beside threads.
        self._executor = ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), _start_worker)

    def map(self, work: Callable[[_Task], _Result], tasks: Iterable[_Task]) -> Generator[_Result, None, None]:
        """See :class:`Pool`.

        :raises WorkerDied: a process has ended by itself
        """
        waiting: deque[Future[_Result]] = deque()
        try:
            for task in tasks:
                waiting.append(self._submit(work, task))
                if len(waiting) >= self._most_queued:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        except BrokenProcessPool:
            raise WorkerDied from None
        finally:
            for future in waiting:
                future.cancel()

    def _submit(self, work: Callable[[_Task], _Result], task: _Task) -> "Future[_Result]":
        try:
            # A process may be started here.
            with _defer_interrupts():
                return self._executor.submit(work, task)
        except BrokenProcessPool as error:
            # Raised in its turn, after the results of the tasks before.
            broken: Future[_Result] = Future()
            broken.set_exception(error)
            return broken

    def close(self) -> None:
        """Wait for the tasks that are being worked on, and end."""
        self._executor.shutdown(cancel_futures=True)


@contextmanager
def _defer_interrupts() -> Iterator[None]:
    """Let an interrupt from the keyboard wait, also in a process that is started meanwhile, until it begins to work."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    former = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, former)


def _start_worker() -> None:
    # An interrupt from the keyboard reaches all processes; workers end without a word.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """A parent that is killed cannot stop its workers."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    wait([parent.sentinel])
    os._exit(1)
