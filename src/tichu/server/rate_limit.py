"""How often something may be done.  Time is an argument."""

from collections import OrderedDict
from typing import Final

__all__ = ["TokenBucket", "RateLimiter"]

#: Buckets that are looked at when one more is needed: two, so that they become fewer again.
_LOOKED_AT: Final = 2


class TokenBucket:
    """A token bucket: ``burst`` things at once, then ``rate`` a second."""

    __slots__ = ("_at", "_burst", "_full", "_rate")

    def __init__(self, rate: float, burst: int) -> None:
        self._rate = rate
        self._burst = burst
        self._full = float(burst)
        self._at: float | None = None

    def take(self, now: float) -> bool:
        """Whether one more is allowed now."""
        self._fill(now)
        if self._full < 1:
            return False
        self._full -= 1
        return True

    def is_full(self, now: float) -> bool:
        """Whether it is as good as a new one."""
        self._fill(now)
        return self._full >= self._burst

    def _fill(self, now: float) -> None:
        if self._at is not None:
            self._full = min(self._burst, self._full + max(0.0, now - self._at) * self._rate)
        self._at = now


class RateLimiter:
    """One bucket for everybody who has done something lately.

    Who has very many addresses, or invents names, must neither fill the memory nor make others wait while buckets are
    looked through: whenever one comes, at most a few of those that were not used for longest are looked at.
    """

    def __init__(self, rate: float, burst: int, keep: int = 10_000, most: int = 100_000) -> None:
        self._rate = rate
        self._burst = burst
        #: So many are kept in any case, and never more than the most.
        self._keep = keep
        self._most = most
        self._buckets: OrderedDict[str, TokenBucket] = OrderedDict()

    def take(self, who: str, now: float) -> bool:
        """Whether they may do one more thing now."""
        bucket = self._buckets.get(who)
        if bucket is None:
            self._tidy(now)
            bucket = self._buckets[who] = TokenBucket(self._rate, self._burst)
        else:
            self._buckets.move_to_end(who)
        return bucket.take(now)

    def _tidy(self, now: float) -> None:
        for _ in range(_LOOKED_AT):
            if len(self._buckets) < self._keep:
                return
            oldest = next(iter(self._buckets))
            if len(self._buckets) < self._most and not self._buckets[oldest].is_full(now):
                return
            del self._buckets[oldest]
