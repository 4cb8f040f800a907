"""The time of a server: the date at its start, and from then on a clock that nobody can set.

Windows, clocks and waits go by it, so a step of the host's clock, back or forth, changes none of them.  It also never
shows an earlier time than what is stored: a server that starts with a clock set back goes on where the log ended.
"""

import time
from collections.abc import Callable

__all__ = ["SeenTime", "SteadyClock"]


class SteadyClock:
    """Seconds since 1970, as steady as the monotonic clock.

    >>> dates, ticks = iter([1000.0]), iter([5.0, 7.5, 8.0])
    >>> clock = SteadyClock(dates.__next__, ticks.__next__)
    >>> clock()
    1002.5
    >>> clock.set_at_least(2000.0)
    """

    def __init__(self, date: Callable[[], float] = time.time, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._offset = date() - monotonic()

    def __call__(self) -> float:
        """The time now."""
        return self._monotonic() + self._offset

    def set_at_least(self, at: float) -> None:
        """Go on from there if it is later than now."""
        self._offset = max(self._offset, at - self._monotonic())


class SeenTime:
    """Time that a server or its store has seen pass, to know what is old.

    Between the last stored time and the start nobody knows how much time passed: the date may have been set.

    >>> now = [100.0]
    >>> seen = SeenTime(lambda: now[0])
    >>> seen.note(90.0)
    >>> now[0] = 105.0
    >>> seen.before(20.0), seen.before(3.0)
    (75.0, 102.0)
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._started = clock()
        self._latest = 0.0

    def note(self, at: float) -> None:
        """Something was stored at that time, before the start."""
        self._latest = max(self._latest, at)

    def before(self, seconds: float) -> float:
        """The time that many seconds ago, as far as it was seen to pass."""
        now = self._clock()
        left = seconds - (now - self._started)
        return now - seconds if left <= 0 else min(self._latest, self._started) - left
