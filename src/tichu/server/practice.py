"""The process in which hands are dealt and answers judged for those who practise.

It has a low priority and bounds of its own: neither tables nor reviews wait for it.  What it has made is kept for a
while, for the same hand is asked about again and again by whoever reloads the page.
"""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

from tichu.server.background import BackgroundPool, Busy, Worker
from tichu.server.config import Limits
from tichu.server.metrics import Metrics
from tichu.server.rate_limit import RateLimiter

__all__ = ["Practice", "TooMuchPractice"]

_MINUTE_S: Final = 60.0
#: An answer takes a second or two of an idle core.
_SECONDS: Final = 30.0
_NICE: Final = 10
#: After so long without work the process goes: it holds a hundred megabytes.
_IDLE_S: Final = 60.0
_KEPT: Final = 512


class TooMuchPractice(Exception):
    """An address has asked for as much as it may."""


class Practice:
    """Who may ask for how much, and what has been made."""

    def __init__(self, limits: Limits, metrics: Metrics, worker: Worker | None = None) -> None:
        self._limits = limits
        self._metrics = metrics
        self._worker = worker or BackgroundPool(most_waiting=limits.practice, seconds=_SECONDS, nice=_NICE)
        self._addresses = RateLimiter(limits.practice_rate / _MINUTE_S, limits.practice_burst)
        self._kept: OrderedDict[tuple[object, ...], bytes] = OrderedDict()
        self._running = 0
        self._leaving: asyncio.TimerHandle | None = None

    async def make(self, address: str, function: Callable[..., bytes], *arguments: object) -> bytes:
        """What a function makes, or has made of the same arguments.

        :raises TooMuchPractice: this address has asked for enough
        :raises Busy: all together have
        """
        key = (function, *arguments)
        known = self._kept.get(key)
        if known is not None:
            self._kept.move_to_end(key)
            return known
        if not self._limits.practice:
            raise Busy
        if not self._addresses.take(address, time.monotonic()):
            self._metrics.guarded.labels("practice").inc()
            raise TooMuchPractice("too many hands and answers from this address; wait a minute")
        self._stay()
        self._running += 1
        try:
            made: bytes = await self._worker.run(function, *arguments)
        finally:
            self._running -= 1
            if not self._running:
                self._leaving = asyncio.get_running_loop().call_later(_IDLE_S, self._worker.close)
        self._kept[key] = made
        while len(self._kept) > _KEPT:
            self._kept.popitem(last=False)
        return made

    def close(self) -> None:
        """End the process, whatever it does."""
        self._stay()
        self._worker.close()

    def _stay(self) -> None:
        if self._leaving is not None:
            self._leaving.cancel()
            self._leaving = None
