"""When Python looks for cycles of garbage.

By itself it does so all the time, and with thousands of sockets that holds up all tables for most of a second, to find
next to nothing: a socket that has gone leaves a few dozen objects.  Here everything is searched once in ten minutes, or
sooner if very much is new.
"""

import asyncio
import gc
from typing import Final

__all__ = ["collect_garbage_periodically"]

_LOOK_S: Final = 5.0
_SEARCH_S: Final = 600.0
#: So many new objects are some hundreds of megabytes.
_MOST_NEW: Final = 3_000_000


async def collect_garbage_periodically(
    look_s: float = _LOOK_S, search_s: float = _SEARCH_S, most_new: int = _MOST_NEW
) -> None:
    """Take over from Python, until this is cancelled."""
    loop = asyncio.get_running_loop()
    next_search = loop.time() + search_s
    gc.disable()
    try:
        while True:
            if loop.time() >= next_search or gc.get_count()[0] > most_new:
                gc.collect()
                next_search = loop.time() + search_s
            await asyncio.sleep(look_s)
    finally:
        gc.enable()
