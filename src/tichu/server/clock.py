"""The time of a server: the date at its start, and from then on a clock that nobody can set.

Windows, clocks and waits go by it, so a step of the host's clock, back or forth, changes none of them.  It also never
shows an earlier time than what is stored: a server that starts with a clock set back goes on where the log ended.
"""

import time
from collections.abc import Callable

__all__ = ["SteadyClock"]


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
