"""For how long a node may speak for its tables, by its own clock.

A renewal counts from the moment at which it was asked for, so the database never believes in a lease for a shorter
time than the node does.  A node whose lease has run out answers, shows and sends nothing, whatever kept it from
renewing: it cannot know whether somebody else has its tables by now.  How long that was is counted, because it is
nobody's time.
"""

import asyncio
import time
from collections.abc import Callable
from typing import Final

__all__ = ["DEAD_S", "LEASE_S", "RENEW_S", "Lease", "since_boot"]

#: Seconds between two renewals, until a node falls silent without one, and until others may take its tables.
RENEW_S: Final = 1.0
LEASE_S: Final = 6.0
DEAD_S: Final = 8.0


def since_boot() -> float:
    """Seconds of a clock that nobody can set and that, where there is such a one, goes on while the machine sleeps."""
    return time.clock_gettime(time.CLOCK_BOOTTIME) if hasattr(time, "CLOCK_BOOTTIME") else time.monotonic()


class Lease:
    """Held from a renewal on, for a while.

    >>> now = [10.0]
    >>> lease = Lease(6.0, lambda: now[0])
    >>> lease.is_held
    False
    >>> lease.renew(asked=9.0)
    >>> lease.left, lease.is_held
    (5.0, True)
    >>> now[0] = 17.0
    >>> lease.is_held, lease.silent_s
    (False, 2.0)
    """

    def __init__(self, seconds: float = LEASE_S, clock: Callable[[], float] = since_boot) -> None:
        self._seconds = seconds
        self._clock = clock
        self._until = float("-inf")
        #: Seconds of earlier silences, and since when there is another one.
        self._silent_s = 0.0
        self._silent_since = float("inf")
        self._renewed: asyncio.Event | None = None
        #: Called when it is held again after a silence.
        self.on_regained: Callable[[], None] = lambda: None

    @property
    def is_held(self) -> bool:
        """Whether tables may be spoken for now."""
        return self._clock() < self._until

    @property
    def left(self) -> float:
        """Seconds until it runs out, 0 if it has."""
        return max(0.0, self._until - self._clock())

    @property
    def silent_s(self) -> float:
        """How long it was not held so far, from its first renewal on."""
        return self._silent_s + max(0.0, self._clock() - self._silent_since)

    def renew(self, asked: float) -> None:
        """The database has agreed to what was asked for at that time."""
        silent_s, now = self.silent_s, self._clock()
        was_silent, self._silent_s = silent_s > self._silent_s, silent_s
        self._until = asked + self._seconds
        self._silent_since = max(now, self._until)
        if self._renewed is not None:
            self._renewed.set()
            self._renewed = None
        if was_silent and self.is_held:
            self.on_regained()

    def drop(self) -> None:
        """Speak for nobody any more."""
        self._until = float("-inf")
        if self._silent_since < float("inf"):
            self._silent_since = min(self._silent_since, self._clock())

    async def wait(self) -> None:
        """Return when it is held."""
        while not self.is_held:
            self._renewed = self._renewed or asyncio.Event()
            await self._renewed.wait()
