"""Many tasks, one batch: a task is a generator that yields requests, and all that wait are answered at once."""

from collections.abc import Callable, Generator, Sequence
from typing import Any, TypeVar

__all__ = ["run_batched"]

_Request = TypeVar("_Request")
_Response = TypeVar("_Response")
_Result = TypeVar("_Result")


def run_batched(
    tasks: Sequence[Generator[_Request, Any, _Result]], respond: Callable[[Sequence[_Request]], Sequence[_Response]]
) -> list[_Result]:
    """Run all tasks to their ends; whenever each that is not done waits, their requests are one batch, in order.

    >>> def double_up_to_ten(number):
    ...     while number < 10:
    ...         number = yield number
    ...     return number
    >>> def double(numbers):
    ...     print(numbers)
    ...     return [2 * number for number in numbers]
    >>> run_batched([double_up_to_ten(3), double_up_to_ten(8)], double)
    [3, 8]
    [6]
    [12, 16]
    """
    results: dict[int, _Result] = {}
    waiting: dict[int, _Request] = {}

    def resume(place: int, response: _Response | None) -> None:
        try:
            waiting[place] = tasks[place].send(response)
        except StopIteration as end:
            waiting.pop(place, None)
            results[place] = end.value

    try:
        for place in range(len(tasks)):
            resume(place, None)
        while waiting:
            for place, response in zip([*waiting], respond([*waiting.values()]), strict=True):
                resume(place, response)
    finally:
        for task in tasks:
            task.close()
    return [results[place] for place in range(len(tasks))]
