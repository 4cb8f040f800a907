"""Shares of agreement with intervals that count a game as one observation.

Decisions of a game are alike: the same four people took them.  So what is known of a share is known from how it differs
between games, and by Student's distribution, since there may be few of them.  An interval is never narrower than it
would be if all decisions were strangers to each other and one more had been met, as far away as can be: that all agree
in a sample does not mean that all agree.
"""

from collections.abc import Sequence
from math import nan, sqrt
from statistics import NormalDist
from typing import Final, NamedTuple

import numpy as np

__all__ = ["Agreement", "agreement", "difference"]

_Z: Final = NormalDist().inv_cdf(0.975)
#: The same of Student's distribution with 1 to 9 degrees of freedom, for which the expansion is too rough.
_STUDENT: Final = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262)


class Agreement(NamedTuple):
    """A share in percent, or the difference of two, with its 95 % interval; not a number where there is none."""

    mean: float
    low: float
    high: float

    def __str__(self) -> str:
        if self.mean != self.mean:
            return "none"
        if self.low != self.low:
            return f"{self.mean:.1f} (no interval)"
        return f"{self.mean:.1f} ({self.low:.1f} to {self.high:.1f})"


def _quantile(freedom: int) -> float:
    if freedom <= len(_STUDENT):
        return _STUDENT[freedom - 1]
    return _Z + (_Z**3 + _Z) / (4 * freedom) + (5 * _Z**5 + 16 * _Z**3 + 3 * _Z) / (96 * freedom**2)


def agreement(games: Sequence[Sequence[float]]) -> Agreement:
    """The share of agreement: for each game a number a decision, 1 where both agree and else 0.

    >>> print(agreement([[1, 0, 1, 1], [1, 1, 0, 0], [1, 1, 1, 1]]))
    75.0 (10.4 to 100.0)
    >>> print(agreement([[1, 0, 1, 1]]))
    75.0 (no interval)
    """
    return _mean(games, 0.0)


def difference(games: Sequence[Sequence[float]]) -> Agreement:
    """The difference of two shares: for each game a number a decision, the one's less the other's."""
    return _mean(games, -1.0)


def _mean(games: Sequence[Sequence[float]], lowest: float) -> Agreement:
    known = [np.asarray(each, np.float64) for each in games if len(each)]
    if not known:
        return Agreement(nan, nan, nan)
    decisions = np.concatenate(known)
    mean = float(decisions.mean())
    if len(known) == 1:
        return Agreement(100 * mean, nan, nan)
    between = sum(float((each - mean).sum()) ** 2 for each in known) * len(known) / (len(known) - 1)
    within = float(((decisions - mean) ** 2).sum()) + 1
    wide = _quantile(len(known) - 1) * sqrt(max(between, within)) / len(decisions)
    return Agreement(100 * mean, 100 * max(lowest, mean - wide), 100 * min(1.0, mean + wide))
