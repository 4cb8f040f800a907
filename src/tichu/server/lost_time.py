"""Time in which a table could hear nobody and say nothing, which nobody is to pay for."""

import time
from collections.abc import Callable
from typing import Final

from tichu.server.keeper import Permission

__all__ = ["LATE_S", "LostTime"]

#: Whoever waits longer for the store does not wait for his own sake; what is shorter belongs to every play.
LATE_S: Final = 0.25
#: A process whose timer comes so late stood still: what is shorter may be work.
_FROZEN_S: Final = 5.0


class LostTime:
    """What a table has lost because its node might not speak for it, or its process stood still.

    A process that stands still mostly loses its lease, but not always and not at once: what is the same time counts
    once.
    """

    def __init__(self, lease: Permission | None, clock: Callable[[], float] = time.monotonic) -> None:
        self._lease = lease
        self._clock = clock
        self._counted_s = 0.0 if lease is None else lease.silent_s
        self._frozen_s = 0.0
        #: When time was given back last, and how much.
        self._given = float("-inf"), 0.0

    def note_late(self, seconds: float) -> None:
        """A timer has come so late."""
        if seconds > _FROZEN_S:
            at, given_s = self._given
            self._frozen_s = max(self._frozen_s, seconds - (given_s if at > self._clock() - seconds else 0.0))

    async def wait(self) -> float:
        """Return when the table may speak, with the seconds since the last time in which it might not."""
        silent_s = 0.0
        if self._lease is not None:
            if not self._lease.is_held:
                await self._lease.wait()
            before, self._counted_s = self._counted_s, self._lease.silent_s
            silent_s = self._counted_s - before
        lost_s, self._frozen_s = max(silent_s, self._frozen_s), 0.0
        if lost_s:
            self._given = self._clock(), lost_s
        return lost_s
