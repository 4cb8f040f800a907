"""Garbage is set aside and found all the same."""

import asyncio
import gc
import weakref

from tichu.server.tidying import tidy_now_and_then


class Knot:
    """Refers to itself, so that only a search finds it."""

    def __init__(self) -> None:
        self.me = self


async def _tidied(search_s: float) -> bool:
    """Whether a knot that was set aside while it was in use is gone after a while without use."""
    knot = Knot()
    gone = weakref.ref(knot)
    task = asyncio.create_task(tidy_now_and_then(set_aside_s=0, search_s=search_s))
    await asyncio.sleep(0.01)
    assert gc.get_freeze_count() > 0
    del knot
    for _ in range(3):
        await asyncio.sleep(0)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    return gone() is None


def test_what_was_set_aside_is_searched_now_and_then() -> None:
    gc.disable()  # Python's own search would hide what ours does.
    try:
        assert not asyncio.run(_tidied(search_s=600))
        assert asyncio.run(_tidied(search_s=0))
    finally:
        gc.enable()
    assert gc.get_freeze_count() == 0
