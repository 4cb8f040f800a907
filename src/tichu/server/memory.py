"""When Python looks for cycles of garbage.

By itself it does so all the time, and with thousands of sockets that holds up all tables for most of a second, to find
next to nothing: a socket that has gone leaves a few dozen objects, a play none.  Here only what is new is searched;
what was found to be in use is put aside.  How much has to be new depends on what the last search found: people who play
make it rare, since it still takes a tenth of a second with a thousand tables, and visitors who come and go make it
frequent.  Everything is searched once in ten minutes.
"""

import asyncio
import gc
from typing import Final

__all__ = ["collect_garbage_periodically", "next_most_new"]

_LOOK_S: Final = 1.0
_SEARCH_S: Final = 600.0
#: So many new objects are some megabytes.
_MOST_NEW: Final = 20_000
#: And so many some tens of megabytes: what may be lost between two searches.
_MOST_NEW_IN_USE: Final = 320_000
_MUCH_GARBAGE: Final = 0.1


def next_most_new(most_new: int, new: int, garbage: int) -> int:
    """How many new objects call for the next search, after one that found this much garbage among the new."""
    if garbage > _MUCH_GARBAGE * new:
        return _MOST_NEW
    return max(most_new, min(2 * most_new, _MOST_NEW_IN_USE))


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
            new = gc.get_count()[0]
            if is_due or new > most_new:
                if is_due:
                    next_search = loop.time() + search_s
                    gc.unfreeze()
                most_new = next_most_new(most_new, new, gc.collect())
                gc.freeze()
            await asyncio.sleep(look_s)
    finally:
        gc.unfreeze()
        gc.enable()
