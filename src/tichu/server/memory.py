"""When Python looks for cycles of garbage.

By itself it does so all the time, and with thousands of sockets that holds up all tables for most of a second, to find
nothing: a play leaves no cycles, and a connection only if it broke off.  Here what is new is searched after some
thousand connections, and what was found to be in use is put aside; everything is searched once in ten
minutes.
"""

import asyncio
import gc
from collections.abc import Callable
from typing import Final

__all__ = ["collect_garbage_periodically"]

_LOOK_S: Final = 1.0
_SEARCH_S: Final = 600.0
#: At worst they have left some tens of megabytes.
_MOST_ENDED: Final = 2_000


async def collect_garbage_periodically(
    ended: Callable[[], int], look_s: float = _LOOK_S, search_s: float = _SEARCH_S, most_ended: int = _MOST_ENDED
) -> None:
    """Take over from Python, until this is cancelled; the argument counts the connections that are over."""
    loop = asyncio.get_running_loop()
    next_search = loop.time() + search_s
    next_ended = ended() + most_ended
    gc.disable()
    try:
        while True:
            is_due = loop.time() >= next_search
            if is_due or ended() >= next_ended:
                if is_due:
                    next_search = loop.time() + search_s
                    gc.unfreeze()
                gc.collect()
                gc.freeze()
                next_ended = ended() + most_ended
            await asyncio.sleep(look_s)
    finally:
        gc.unfreeze()
        gc.enable()
