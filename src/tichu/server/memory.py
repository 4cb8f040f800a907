"""When Python looks for cycles of garbage.

By itself it does so all the time, and with thousands of sockets that holds up all tables for most of a second, to find
nothing: a play leaves no cycles, and a connection only if it broke off.  Here what is new is searched after some
thousand connections, and what was found to be in use is put aside.  Everything is searched after ten minutes, and as
long as that is hardly worth it, after twice as long each time.
"""

import asyncio
import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

__all__ = ["collect_garbage_periodically", "search_paused"]

_LOOK_S: Final = 1.0
_SEARCH_S: Final = 600.0
_MOST_SEARCH_S: Final = 6 * 3600.0
#: So many objects are some megabytes.
_WORTH_IT: Final = 20_000
#: At worst they have left some tens of megabytes.
_MOST_ENDED: Final = 2_000


@contextmanager
def search_paused() -> Iterator[None]:
    """While very much comes to stay: what is there already would be searched again and again."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


async def collect_garbage_periodically(
    ended: Callable[[], int], look_s: float = _LOOK_S, search_s: float = _SEARCH_S, most_ended: int = _MOST_ENDED
) -> None:
    """Take over from Python, until this is cancelled; the argument counts the connections that are over."""
    loop = asyncio.get_running_loop()
    wait_s = search_s
    next_search = loop.time() + wait_s
    next_ended = ended() + most_ended
    gc.disable()
    try:
        while True:
            is_due = loop.time() >= next_search
            if is_due or ended() >= next_ended:
                if is_due:
                    gc.unfreeze()
                found = gc.collect()
                gc.freeze()
                if is_due:
                    wait_s = search_s if found >= _WORTH_IT else min(2 * wait_s, _MOST_SEARCH_S)
                    next_search = loop.time() + wait_s
                next_ended = ended() + most_ended
            await asyncio.sleep(look_s)
    finally:
        gc.unfreeze()
        gc.enable()
