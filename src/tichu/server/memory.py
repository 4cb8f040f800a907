"""When Python looks for cycles of garbage.

By itself it does so all the time, and with thousands of sockets that holds up all tables for most of a second, to find
next to nothing: a socket that has gone leaves a few dozen objects.  Here only what is new is searched, as soon as there
is enough of it to matter, which takes milliseconds; what was found to be in use is put aside.  Everything is searched
once in ten minutes.
"""

import asyncio
import gc
from typing import Final

__all__ = ["collect_garbage_periodically"]

_LOOK_S: Final = 1.0
_SEARCH_S: Final = 600.0
#: So many new objects are some megabytes, and searched in a few milliseconds.
_MOST_NEW: Final = 20_000


async def collect_garbage_periodically(
    look_s: float = _LOOK_S, search_s: float = _SEARCH_S, most_new: int = _MOST_NEW
) -> None:
    """Take over from Python, until this is cancelled."""
    loop = asyncio.get_running_loop()
    next_search = loop.time() + search_s
    gc.disable()
    try:
        while True:
            is_due = loop.time() >= next_search
            if is_due or gc.get_count()[0] > most_new:
                if is_due:
                    next_search = loop.time() + search_s
                    gc.unfreeze()
                gc.collect()
                gc.freeze()
            await asyncio.sleep(look_s)
    finally:
        gc.unfreeze()
        gc.enable()
