"""A server searches for garbage when it is time, or when there is much of it."""

import asyncio
import gc
import sys
import weakref

from tichu.server.memory import collect_garbage_periodically, next_most_new


class Knot:
    """Refers to itself, so that only a search finds it."""

    def __init__(self) -> None:
        self.me = self


async def _is_found(search_s: float, most_new: int, turns_in_use: int = 0) -> bool:
    """Whether a knot that nobody uses any more is gone after a while."""
    task = asyncio.create_task(collect_garbage_periodically(0, search_s, most_new))
    await asyncio.sleep(0)
    assert not gc.isenabled()
    knot = Knot()
    gone = weakref.ref(knot)
    for _ in range(turns_in_use):
        await asyncio.sleep(0)
    del knot
    for _ in range(3):
        await asyncio.sleep(0)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    return gone() is None


def test_garbage_is_searched_when_it_is_time() -> None:
    assert not asyncio.run(_is_found(600, sys.maxsize))
    assert asyncio.run(_is_found(0, sys.maxsize))
    assert gc.isenabled()


def test_garbage_is_searched_when_there_is_much() -> None:
    assert asyncio.run(_is_found(600, 0))


def test_what_was_in_use_is_put_aside_until_everything_is_searched() -> None:
    assert not asyncio.run(_is_found(600, 0, turns_in_use=3))
    assert asyncio.run(_is_found(0, 0, turns_in_use=3))
    assert gc.get_freeze_count() == 0


def test_where_there_is_no_garbage_it_is_searched_less_often() -> None:
    most_new = 20_000
    passed = [most_new := next_most_new(most_new, most_new + 1, 100) for _ in range(6)]
    assert passed == [40_000, 80_000, 160_000, 320_000, 320_000, 320_000]
    assert next_most_new(most_new, most_new + 1, 200_000) == 20_000
