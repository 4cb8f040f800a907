"""What the process for reviews does: one part of a game, as it is stored.

The bots' libraries are loaded there and not where tables are played, so nothing of them is imported above.
"""

from functools import lru_cache
from typing import TYPE_CHECKING

import msgspec

from tichu.analysis.verdicts import RoundPlan
from tichu.core.record import read_jsonl

if TYPE_CHECKING:
    from tichu.analysis.reviews import RoundTask

__all__ = ["plan_round", "review_part"]


def plan_round(record: str, number: int, worlds: int) -> bytes:
    """The plan of a round."""
    from tichu.analysis import parts

    task = _tasks(record, worlds).get(number)
    plan = RoundPlan(error="the round cannot be read") if task is None else parts.plan_round(task)
    return msgspec.json.encode(plan)


def review_part(record: str, number: int, actions: tuple[int, ...], worlds: int) -> bytes:
    """The decisions with these numbers in a round."""
    from tichu.analysis import parts

    return msgspec.json.encode(parts.review_part(_tasks(record, worlds)[number], actions))


@lru_cache(maxsize=4)
def _tasks(record: str, worlds: int) -> "dict[int, RoundTask]":
    from tichu.analysis.precision import Budget
    from tichu.analysis.reviews import tasks_of

    usual = Budget()
    most = max(2, worlds)
    budget = usual._replace(pilot=min(usual.pilot, most), fewest=min(usual.fewest, most), most=most, others="people")
    return {task.round: task for task in tasks_of("", read_jsonl(record), budget, 0)}
