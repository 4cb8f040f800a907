"""Time in which a table could hear nobody and say nothing, which nobody is to pay for."""

from typing import Final

from tichu.server.keeper import Permission

__all__ = ["LATE_S", "LostTime"]

#: Whoever waits longer for the store does not wait for his own sake; what is shorter belongs to every play.
LATE_S: Final = 0.25
#: A process whose timer comes so late stood still: what is shorter may be work.
_FROZEN_S: Final = 5.0


class LostTime:
    """What a table has lost because its node might not speak for it, or a server alone stood still."""

    def __init__(self, lease: Permission | None) -> None:
        self._lease = lease
        self._counted_s = 0.0 if lease is None else lease.silent_s
        self._frozen_s = 0.0

    def note_late(self, seconds: float) -> None:
        """A timer has come so late."""
        if seconds > _FROZEN_S:
            self._frozen_s = seconds

    async def wait(self) -> float:
        """Return when the table may speak, with the seconds since the last time in which it might not."""
        frozen_s, self._frozen_s = self._frozen_s, 0.0
        if self._lease is None:
            return frozen_s
        if not self._lease.is_held:
            await self._lease.wait()
        before, self._counted_s = self._counted_s, self._lease.silent_s
        return self._counted_s - before
