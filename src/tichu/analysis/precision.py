"""How sure one can be of a mean over worlds, and how many worlds that takes.

A pilot on worlds of its own says how much a difference varies, and with that how many worlds are needed.  These are
drawn afresh: their number depends on nothing that was seen in them, so nothing has to be corrected for having stopped
when it looked good, and an interval means what it says.
"""

from math import ceil, copysign, log1p, sqrt
from statistics import NormalDist
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["Budget", "Estimate", "chance_of", "estimate", "interval"]

#: Worlds that are all alike may be few of a kind: as if one more had been met whose difference is so far from the mean.
_ONE_MORE: Final = 200.0
_NORMAL: Final = NormalDist()

Sample = NDArray[np.float32] | NDArray[np.float64]


class Estimate(NamedTuple):
    """A mean and its standard error."""

    mean: float
    error: float


def estimate(sample: Sample) -> Estimate:
    """The mean of a sample and its standard error, which is never 0."""
    number = len(sample)
    mean = float(sample.mean())
    squares = float(((sample - mean) ** 2).sum()) + _ONE_MORE**2
    return Estimate(mean, sqrt(squares / (number * (number - 1))))


def interval(known: Estimate, worlds: int, share: float = 0.95) -> tuple[float, float]:
    """Where the mean over all worlds lies with this probability, by Student's distribution."""
    z = _NORMAL.inv_cdf((1 + share) / 2)
    freedom = worlds - 1
    # The first terms of the expansion in 1/freedom; from ten worlds on the next ones do not matter.
    t = z + (z**3 + z) / (4 * freedom) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
    return known.mean - t * known.error, known.mean + t * known.error


def chance_of(known: Estimate, worlds: int) -> float:
    """The chance to find so much or more where the mean over all worlds is 0 or less."""
    t, freedom = known.mean / known.error, worlds - 1
    # Wallace's approximation of Student's distribution by the normal one.
    z = sqrt(freedom * log1p(t * t / freedom)) * (8 * freedom + 1) / (8 * freedom + 3)
    return 1 - _NORMAL.cdf(copysign(z, t))


class Budget(NamedTuple):
    """How many worlds a decision gets."""

    #: The standard error that is wanted, in points.
    error: float = 6.0
    #: Worlds of the pilot.
    pilot: int = 24
    fewest: int = 32
    most: int = 400
    #: After so many decisions with a choice the critic says what to expect; None: every round is played to its end.
    decisions: int | None = 24

    def worlds_for(self, pilot: Sample) -> int:
        """How many worlds are to be drawn, by the differences that the pilot has met."""
        spread = estimate(pilot).error * sqrt(len(pilot))
        return min(self.most, max(self.fewest, ceil((spread / self.error) ** 2)))
