"""Long work on the event loop, in slices: others go on in between."""

import asyncio
import time
from typing import Final

__all__ = ["Slices"]

#: Nobody waits longer for work that is done like that.
_SECONDS: Final = 0.002


class Slices:
    """How long work has gone on since others had their turn."""

    def __init__(self) -> None:
        self._began = time.perf_counter()

    async def end(self) -> None:
        """Let others go on if this slice is over; to be asked after every little bit of the work."""
        if time.perf_counter() - self._began > _SECONDS:
            await asyncio.sleep(0)
            self._began = time.perf_counter()
