"""The time that seats have for their decisions.

A clock belongs to a decision and not to whoever sits there: only another decision winds it up, and a pause stops it.
"""

from typing import NamedTuple

__all__ = ["Clocks", "Ticking"]


class Ticking(NamedTuple):
    """When the time for a decision ends, and when the reserve after it does."""

    decision: tuple[object, ...]
    ends: float
    reserve_ends: float


class Clocks:
    """The clocks of a table that have begun to run, one a seat."""

    def __init__(self) -> None:
        self._ticking: dict[int, Ticking] = {}
        self._stopped_at: float | None = None

    def start(self, seat: int, decision: tuple[object, ...], ends: float, reserve: float) -> Ticking:
        """The clock of this decision: the one that runs already, else one that ends like this."""
        clock = self._ticking.get(seat)
        if clock is None or clock.decision != decision:
            clock = self._ticking[seat] = Ticking(decision, ends, ends + reserve)
        return clock

    def reserve_left(self, seat: int, decision: tuple[object, ...], now: float) -> float | None:
        """What is left of the reserve, None if this decision has not touched it."""
        clock = self._ticking.get(seat)
        if clock is None or clock.decision != decision or now <= clock.ends:
            return None
        return max(0.0, clock.reserve_ends - now)

    def remove(self, seat: int) -> None:
        """The seat has used its time."""
        self._ticking.pop(seat, None)

    def stop(self, now: float) -> None:
        """A pause begins."""
        self._stopped_at = now

    def left(self, decision: tuple[object, ...], now: float) -> dict[int, tuple[float, float]]:
        """By seat: what is left for this decision, and until the end of the reserve."""
        at = now if self._stopped_at is None else self._stopped_at
        return {
            seat: (clock.ends - at, clock.reserve_ends - at)
            for seat, clock in self._ticking.items()
            if clock.decision == decision
        }

    def set_left(self, seat: int, decision: tuple[object, ...], left: tuple[float, float], now: float) -> None:
        """Go on with what another server has counted."""
        self._ticking[seat] = Ticking(decision, now + left[0], now + left[1])

    def go_on(self, now: float) -> None:
        """A pause ends: what was left is left."""
        pause = 0.0 if self._stopped_at is None else max(0.0, now - self._stopped_at)
        self._stopped_at = None
        self._set_back(pause)

    def stand_still(self, seconds: float) -> None:
        """Nobody could decide anything for so long."""
        if self._stopped_at is None:  # A pause has that in it.
            self._set_back(seconds)

    def _set_back(self, seconds: float) -> None:
        self._ticking = {
            seat: clock._replace(ends=clock.ends + seconds, reserve_ends=clock.reserve_ends + seconds)
            for seat, clock in self._ticking.items()
        }
