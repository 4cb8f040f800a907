"""How often something may be done.  Time is an argument."""

__all__ = ["TokenBucket", "RateLimiter"]


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
    """One bucket for everybody."""

    def __init__(self, rate: float, burst: int, keep: int = 10_000) -> None:
        self._rate = rate
        self._burst = burst
        self._keep = keep
        self._buckets: dict[str, TokenBucket] = {}

    def take(self, who: str, now: float) -> bool:
        """Whether they may do one more thing now."""
        bucket = self._buckets.get(who)
        if bucket is None:
            if len(self._buckets) >= self._keep:
                self._buckets = {key: one for key, one in self._buckets.items() if not one.is_full(now)}
            bucket = self._buckets[who] = TokenBucket(self._rate, self._burst)
        return bucket.take(now)
