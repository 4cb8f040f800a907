"""Where deals are played: a port with one verb, ``map``, and an end for the processors of this machine.

``map`` gives results in the order of the questions, whoever finishes first, so that nothing depends on how many play.
The other end is a Ray cluster (:mod:`tichu.arena.ray_pool`).
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

__all__ = ["KILLED", "Here", "Pool", "Processes", "processors"]

KILLED: Final = "a bot took the process down in which it played; as process:CMD it would only lose its decisions"

# Questions handed out in advance for each process: enough that none waits for a slow neighbour.
_AHEAD: Final = 4

_Q = TypeVar("_Q")
_A = TypeVar("_A")


class Pool(Protocol):
    """Who plays."""

    def map(self, play: Callable[[_Q], _A], questions: Iterable[_Q]) -> Generator[_A, None, None]:
        """The answers, in order.  Closing the generator drops the questions that nobody has begun with."""

    def close(self) -> None:
        """Send everybody home."""


def processors() -> int:
    """How many processes this machine can run at once."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Here:
    """This very process."""

    def map(self, play: Callable[[_Q], _A], questions: Iterable[_Q]) -> Generator[_A, None, None]:
        """See :class:`Pool`."""
        yield from map(play, questions)

    def close(self) -> None:
        """Nobody has come."""


class Processes:
    """Processes of this machine."""

    def __init__(self, number: int) -> None:
        self._ahead = number * _AHEAD
        # Spawned, not forked: the same on every system, and safe beside threads.
        self._executor = ProcessPoolExecutor(number, multiprocessing.get_context("spawn"), _begin_work)

    def map(self, play: Callable[[_Q], _A], questions: Iterable[_Q]) -> Generator[_A, None, None]:
        """See :class:`Pool`.

        :raises GameError: a process has ended by itself
        """
        waiting: deque[Future[_A]] = deque()
        try:
            for question in questions:
                waiting.append(self._submit(play, question))
                if len(waiting) >= self._ahead:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        except BrokenProcessPool:
            raise GameError(KILLED) from None
        finally:
            for future in waiting:
                future.cancel()

    def _submit(self, play: Callable[[_Q], _A], question: _Q) -> "Future[_A]":
        try:
            # A process may be started here.
            with _interrupts_later():
                return self._executor.submit(play, question)
        except BrokenProcessPool as error:
            # Told in its turn, after the answers that were given before.
            broken: Future[_A] = Future()
            broken.set_exception(error)
            return broken

    def close(self) -> None:
        """Wait for the deals that are being played, and end."""
        self._executor.shutdown(cancel_futures=True)


@contextmanager
def _interrupts_later() -> Iterator[None]:
    """Let an interrupt from the keyboard wait, also in a process that is started meanwhile, until it begins to work."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    former = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, former)


def _begin_work() -> None:
    # An interrupt from the keyboard reaches all processes; those that only play end without a word.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """A parent that is killed cannot send anybody home."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    wait([parent.sentinel])
    os._exit(1)
