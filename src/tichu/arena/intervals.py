"""How sure a result is.

The interval is a percentile bootstrap over deals, the unit of the arena: deals are drawn again with replacement, with
the same number of them, and the middle 95 % of the results is the interval.  A deal brings its points and its rounds,
and the statistic is their ratio, which for matches of different lengths is what a mean is for single rounds.

Stopping early (``--until LOW:HIGH``) is a generalised sequential probability ratio test of two hypotheses: A is worth
at most LOW points a round more than B, or at least HIGH.  With the points of a deal taken as normal, with the variance
seen so far, the logarithm of the likelihood ratio after n deals of mean m is
``n (high - low) (m - (low + high) / 2) / variance``.  The test ends where that is beyond ``log(0.95 / 0.05)`` on either
side, so that about one answer in twenty is wrong where one of the hypotheses just holds, and fewer elsewhere.
"""

import math
from collections.abc import Iterator, Sequence
from random import Random
from typing import Final, Literal, NamedTuple

from tichu.core.errors import GameError

__all__ = ["Bounds", "Sprt", "interval", "parse_bounds", "ratio", "bootstrap"]

RESAMPLES: Final = 2000
# More deals than this are first added up to that many groups of neighbours, which are as independent as the deals:
# the interval stays right, and its cost bounded.
_MOST_GROUPS: Final = 2000
# The variance of very few deals says little.
_FEWEST_DEALS: Final = 30
_ERROR_CHANCE: Final = 0.05


def ratio(tops: Sequence[float], bottoms: Sequence[float]) -> float:
    """Points for rounds, as one figure."""
    return sum(tops) / sum(bottoms)


def bootstrap(tops: Sequence[float], bottoms: Sequence[float], seed: int) -> list[float]:
    """The ratio in each of many resamples.

    The n-th resample draws the same deals for every list of that length under that seed, so that results of several
    pairs on the same deals can be combined.
    """
    tops, bottoms = _groups(tops), _groups(bottoms)
    ratios = []
    for picks in _picks(len(tops), seed):
        # Locals and map: this is the inner loop, 4 million draws for 2,000 deals.
        ratios.append(sum(map(tops.__getitem__, picks)) / sum(map(bottoms.__getitem__, picks)))
    return ratios


def _groups(values: Sequence[float]) -> list[float]:
    size = -(-len(values) // _MOST_GROUPS)
    return [math.fsum(values[start : start + size]) for start in range(0, len(values), size)]


def _picks(number: int, seed: int) -> Iterator[list[int]]:
    rng = Random(seed)
    numbers = range(number)
    for _ in range(RESAMPLES):
        yield rng.choices(numbers, k=number)


def interval(results: Sequence[float], level: float = 0.95) -> tuple[float, float]:
    """The middle part of resampled results.

    >>> [round(end) for end in interval(range(1001))]
    [25, 975]
    """
    ordered = sorted(results)
    tail = (1 - level) / 2
    return _quantile(ordered, tail), _quantile(ordered, 1 - tail)


def _quantile(ordered: Sequence[float], share: float) -> float:
    place = share * (len(ordered) - 1)
    below = math.floor(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])


class Bounds(NamedTuple):
    """Two hypotheses on the points a round of A over B: at most ``low``, at least ``high``."""

    low: float
    high: float


def parse_bounds(text: str) -> Bounds:
    """Read ``LOW:HIGH``.

    >>> parse_bounds("-2.5:2.5")
    Bounds(low=-2.5, high=2.5)
    >>> parse_bounds("5")
    Traceback (most recent call last):
    tichu.core.errors.GameError: --until takes LOW:HIGH points a round, as 0:5, not '5'
    """
    low, _, high = text.partition(":")
    try:
        bounds = Bounds(float(low), float(high))
    except ValueError:
        bounds = Bounds(0, 0)
    # Refuses infinities and NaN as well.
    if not -math.inf < bounds.low < bounds.high < math.inf:
        raise GameError(f"--until takes LOW:HIGH points a round, as 0:5, not {text!r}")
    return bounds


class Sprt:
    """The test, told one deal after the other.

    >>> test = Sprt(Bounds(0, 10))
    >>> for points in [60.0, -20.0] * 40:
    ...     test.add(points)
    >>> test.answer, test.deals
    ('high', 80)
    """

    def __init__(self, bounds: Bounds) -> None:
        self.bounds = bounds
        self.deals = 0
        self._mean = 0.0
        self._squares = 0.0

    def add(self, points: float) -> None:
        """One more deal: the points a round of A over B."""
        self.deals += 1
        distance = points - self._mean
        self._mean += distance / self.deals
        self._squares += distance * (points - self._mean)

    @property
    def evidence(self) -> float:
        """The logarithm of the likelihood ratio, for ``high`` where positive."""
        if self.deals < 2:
            return 0.0
        low, high = self.bounds
        # Bots that always tie have no variance at all; one point is less than any real one.
        variance = max(self._squares / (self.deals - 1), 1.0)
        return self.deals * (high - low) * (self._mean - (low + high) / 2) / variance

    @property
    def answer(self) -> Literal["low", "high"] | None:
        """Which hypothesis holds, None while that is open."""
        limit = math.log((1 - _ERROR_CHANCE) / _ERROR_CHANCE)
        if self.deals < _FEWEST_DEALS or abs(self.evidence) < limit:
            return None
        return "high" if self.evidence > 0 else "low"
