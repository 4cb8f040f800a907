"""Many at once: whatever asks questions on its way is a generator, and all that wait are answered together."""

from collections.abc import Callable, Generator, Sequence
from typing import Any, TypeVar

__all__ = ["side_by_side"]

_Q = TypeVar("_Q")
_A = TypeVar("_A")
_T = TypeVar("_T")


def side_by_side(ways: Sequence[Generator[_Q, Any, _T]], answer: Callable[[Sequence[_Q]], Sequence[_A]]) -> list[_T]:
    """Follow all to their ends; whenever each that is not there waits, their questions are answered, in order.

    >>> def doubled(number):
    ...     while number < 10:
    ...         number = yield number
    ...     return number
    >>> side_by_side([doubled(3), doubled(8)], lambda numbers: [print(numbers)] and [2 * each for each in numbers])
    [3, 8]
    [6]
    [12, 16]
    """
    ends: dict[int, _T] = {}
    waiting: dict[int, _Q] = {}

    def go_on(place: int, told: _A | None) -> None:
        try:
            waiting[place] = ways[place].send(told)
        except StopIteration as end:
            waiting.pop(place, None)
            ends[place] = end.value

    try:
        for place in range(len(ways)):
            go_on(place, None)
        while waiting:
            for place, told in zip([*waiting], answer([*waiting.values()]), strict=True):
                go_on(place, told)
    finally:
        for way in ways:
            way.close()
    return [ends[place] for place in range(len(ways))]
