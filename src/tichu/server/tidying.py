"""When Python looks for cycles of garbage.

By itself it searches everything whenever there is a quarter more of it, and with thousands of sockets that holds up all
tables for most of a second, to find next to nothing.  Here what has lived for a second is set aside unsearched, and
every ten minutes everything is searched once, for sockets and tables that have gone since.
"""

import asyncio
import gc
from typing import Final

__all__ = ["tidy_now_and_then"]

_SET_ASIDE_S: Final = 1.0
_SEARCH_S: Final = 600.0


async def tidy_now_and_then(set_aside_s: float = _SET_ASIDE_S, search_s: float = _SEARCH_S) -> None:
    """Take over from Python, until this is cancelled."""
    loop = asyncio.get_running_loop()
    next_search = loop.time() + search_s
    try:
        while True:
            if loop.time() >= next_search:
                gc.unfreeze()
                gc.collect()
                next_search = loop.time() + search_s
            gc.freeze()
            await asyncio.sleep(set_aside_s)
    finally:
        gc.unfreeze()
