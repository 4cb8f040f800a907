"""How sure one can be of a mean over worlds, and how many worlds that takes.

A pilot on worlds of its own says how much a difference varies, and with that how many worlds to begin with.  If they
turn out to vary more, others follow.  Whoever stops as soon as a sample looks even stops too early now and then: it may
have missed what is rare.  So every sample is taken to have met one world more than it has, far from all others, and a
few more are drawn than seem to be needed.  ``python -m bench.coverage`` shows whether intervals hold what they promise.
"""

from collections.abc import Sequence
from math import ceil, copysign, log1p, sqrt
from statistics import NormalDist
from typing import Final, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "CUT_ERROR",
    "STAGES",
    "Budget",
    "Estimate",
    "Others",
    "Policy",
    "chance_of",
    "estimate",
    "estimate_win",
    "interval",
    "student_tail",
]

#: Worlds that are all alike may be few of a kind: as if one more had been met whose difference is so far from the mean.
_ONE_MORE: Final = 130.0
#: The same for the chance to win the match.
_ONE_MORE_WIN: Final = 0.25
#: Where a mistake is to be called, that one more is twice as far away: a call that fails, or a double victory.  At the
#: same distance 6 % of games had a false alarm in ``python -m bench.coverage``.
_MISSED: Final = 2 * _ONE_MORE
#: What the critic is off by where rounds are cut short: the root of the mean square over decisions, in points, as
#: ``python -m bench.cutting`` measures it.
CUT_ERROR: Final = 4.0
#: How often more worlds may be drawn.
STAGES: Final = 4
#: Of the worlds that the pilot asks for, the share to begin with: it may have overrated the spread.
_CAREFUL: Final = 0.8
#: How many more are drawn than seem to be needed.
_MARGIN: Final = 8
_NORMAL: Final = NormalDist()

#: How the others are believed to play: like the learned bot, like people, or nobody knows.
Others = Literal["learned", "people", "unknown"]
#: Who can play rounds on.
Policy = Literal["learned", "small"]

Sample = NDArray[np.float32] | NDArray[np.float64]


class Estimate(NamedTuple):
    """A mean and its standard error."""

    mean: float
    error: float


def estimate(sample: Sample, one_more: float = _ONE_MORE) -> Estimate:
    """The mean of a sample and its standard error, which is never 0."""
    number = len(sample)
    mean = float(sample.mean())
    squares = float(((sample - mean) ** 2).sum()) + one_more**2
    return Estimate(mean, sqrt(squares / (number * (number - 1))))


def estimate_win(sample: Sample) -> Estimate:
    """The same for chances to win the match."""
    return estimate(sample, _ONE_MORE_WIN)


def interval(known: Estimate, worlds: int, share: float = 0.95) -> tuple[float, float]:
    """Where the mean over all worlds lies with this probability, by Student's distribution."""
    z = _NORMAL.inv_cdf((1 + share) / 2)
    freedom = worlds - 1
    # The first terms of the expansion in 1/freedom; from ten worlds on the next ones do not matter.
    t = z + (z**3 + z) / (4 * freedom) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
    return known.mean - t * known.error, known.mean + t * known.error


def chance_of(known: Estimate, worlds: int) -> float:
    """The chance to find so much or more where the mean over all worlds is 0 or less.

    The world that every sample is taken to have missed speaks against it: what is rare would otherwise be found wanting
    where only a few worlds were met.
    """
    return student_tail((worlds * known.mean - _MISSED) / ((worlds + 1) * known.error), worlds - 1)


def student_tail(t: float, freedom: int) -> float:
    """The chance of ``t`` and more by Student's distribution, after Wallace's approximation by the normal one."""
    z = sqrt(freedom * log1p(t * t / freedom)) * (8 * freedom + 1) / (8 * freedom + 3)
    return 1 - _NORMAL.cdf(copysign(z, t))


class Budget(NamedTuple):
    """How many worlds a decision gets, and which are likely."""

    #: The standard error that is wanted, in points.
    error: float = 8.0
    #: Worlds of the pilot.
    pilot: int = 24
    fewest: int = 48
    most: int = 640
    #: After so many decisions with a choice the critic says what to expect; None: every round is played to its end.
    decisions: int | None = 24
    #: By whose habits worlds are weighed; if they are unknown all worlds are equally likely.
    others: Others = "learned"
    #: Which bot plays the rounds on.
    policy: Policy = "learned"
    #: Processor time for all decisions of a round; None: as much as it takes.
    seconds: float | None = None

    def first(self, pilot: Sample, cut: float = 0.0) -> int:
        """With how many worlds to begin, by the differences that the pilot has met and the share that was cut short."""
        return min(self.most, max(self.fewest, ceil(_CAREFUL * self._needed(pilot, cut))))

    def more(self, sample: Sample, cut: float = 0.0) -> int:
        """How many more worlds are needed after those that were met."""
        missing = min(self.most, ceil(self._needed(sample, cut))) - len(sample)
        return 0 if missing <= 0 else missing + min(_MARGIN, self.most - len(sample) - missing)

    def within(self, wanted: Sequence[int], spent: float, rollouts: int, *, fewest: int) -> list[int]:
        """As many of these worlds as there is time for, after ``rollouts`` took the time that is spent.

        All decisions are cut down alike, so that none is known well while another is not known at all.
        """
        if self.seconds is None or not rollouts or not sum(wanted):
            return list(wanted)
        # Two candidates in each world.
        affordable = max(0.0, self.seconds - spent) * rollouts / max(spent, 1e-9) / 2
        share = min(1.0, affordable / sum(wanted))
        return [min(number, max(fewest, int(share * number))) for number in wanted]

    def _needed(self, sample: Sample, cut: float) -> float:
        spread = estimate(sample).error * sqrt(len(sample))
        # More worlds do not help against what the critic is off by.
        aim = sqrt(max(self.error**2 - (CUT_ERROR * cut) ** 2, self.error**2 / 4))
        return (spread / aim) ** 2
