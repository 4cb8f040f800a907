"""What the process for reviews does: one part of a game, as it is stored.

The bots' libraries are loaded there and not where tables are played, so nothing of them is imported above.

A job that never ends is ended by the processor time that it has had.  The process runs where nobody else wants to: how
long it waits for its turn says nothing about the job.
"""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NoReturn

import msgspec

from tichu.analysis.verdicts import RoundPart, RoundPlan
from tichu.analysis.weights import weights_digest
from tichu.core.record import read_jsonl

if TYPE_CHECKING:
    from tichu.analysis.reviews import RoundTask

__all__ = ["TooLong", "plan_round", "review_part", "review_version"]

#: Seconds of a processor: a part takes some, more than this only if it never ends.
_SECONDS: Final = 300.0


class TooLong(Exception):
    """A job took more of a processor than any that ends."""


def plan_round(record: str, number: int, worlds: int) -> bytes:
    """The plan of a round."""
    from tichu.analysis import parts

    with _limited(_SECONDS):
        task = _tasks(record, worlds).get(number)
        plan = RoundPlan(error="the round cannot be read") if task is None else parts.plan_round(task)
        return msgspec.json.encode(msgspec.structs.replace(plan, version=review_version(worlds)))


def review_part(record: str, number: int, actions: tuple[int, ...], worlds: int) -> bytes:
    """The decisions with these numbers in a round."""
    from tichu.analysis import parts

    with _limited(_SECONDS):
        found = parts.review_part(_tasks(record, worlds)[number], actions)
        return msgspec.json.encode(RoundPart(found, review_version(worlds)))


def review_version(worlds: int) -> str:
    """What the parts of a review must have in common: weights, and in how many worlds at most something is compared."""
    return f"{weights_digest()}-{worlds}"


@contextmanager
def _limited(seconds: float) -> Iterator[None]:
    """Let this take so much processor time at most.

    :raises TooLong: in the middle of it
    """
    # Windows has no such timer; only the main thread of a process hears it.
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def end(*_: object) -> NoReturn:
        raise TooLong(f"more than {seconds:g} s of a processor")

    before = signal.signal(signal.SIGPROF, end)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


@lru_cache(maxsize=4)
def _tasks(record: str, worlds: int) -> "dict[int, RoundTask]":
    from tichu.analysis.precision import Budget
    from tichu.analysis.reviews import tasks_of

    usual = Budget()
    most = max(2, worlds)
    budget = usual._replace(pilot=min(usual.pilot, most), fewest=min(usual.fewest, most), most=most, others="people")
    return {task.round: task for task in tasks_of("", read_jsonl(record), budget, 0)}
