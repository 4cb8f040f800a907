"""The chance to win the match from a score, between four learned bots.

It follows from how rounds between equals end: ``tools/fit_chances.py`` plays many and computes the chance at every
score from those at the scores after one more round.  The match is won by whoever has reached the target and is ahead
(§9.1), so only the points that are lacking count, in steps of 25 with straight lines in between.

Where more is lacking than the table has, twice the points left are twice the rounds left, and luck grows with the root
of their number: a lead is worth what a smaller one is worth at a score nearer to the end.
"""

from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["STEP", "STEPS", "Chances", "chances", "solve_chances"]

#: Points between two scores of the table.
STEP: Final = 25
#: How many steps may be lacking at most: 1000 points less than nothing at a target of 1000.
STEPS: Final = 80
#: After so many more rounds nearly every match is over.
_ROUNDS: Final = 60
#: Tilts of the rounds' distribution, by points: from certainly lost to certainly won.
_TILTS: Final = np.linspace(-0.03, 0.03, 121)

Floats = NDArray[np.float64]


class Chances(NamedTuple):
    """How often which points of a round were seen, and what follows."""

    #: Points of one team and of the other, a row each.
    results: NDArray[np.int16]
    #: How often each row was seen, in all 1.
    weights: Floats
    #: The chance of a team by what it lacks and what the other lacks, in steps.
    table: Floats

    def win(self, own: ArrayLike, other: ArrayLike, goal: int) -> Floats:
        """The chance of a team with ``own`` points against ``other``; over is over."""
        one = np.asarray(own, float)
        two = np.asarray(other, float)
        rows, columns = _into_table((goal - one) / STEP, (goal - two) / STEP)
        row, column = (np.minimum(each.astype(int), STEPS - 1) for each in (rows, columns))
        down, right = rows - row, columns - column
        upper = self.table[row, column] * (1 - right) + self.table[row, column + 1] * right
        lower = self.table[row + 1, column] * (1 - right) + self.table[row + 1, column + 1] * right
        is_over = (np.maximum(one, two) >= goal) & (one != two)
        return np.where(is_over, (one > two).astype(float), upper * (1 - down) + lower * down)

    def expected_win(self, points: ArrayLike, score: Sequence[int], goal: int) -> Floats:
        """The chance if only the expected difference of a round's points is known.

        Of all distributions with this mean it takes the one that is most like that of all rounds.
        """
        own, other = self.results.T.astype(float)
        difference = own - other
        weights = self.weights * np.exp(_TILTS[:, None] * difference)
        weights /= weights.sum(1, keepdims=True)
        after = self.win(score[0] + own, score[1] + other, goal)
        means = weights @ difference
        expected: Floats = np.interp(np.asarray(points, float), means, weights @ after)
        return expected


def _into_table(one: Floats, two: Floats) -> tuple[Floats, Floats]:
    """What both lack, in steps that the table has."""
    mean, lead = (one + two) / 2, (one - two) / 2
    # The mean is to shrink by the square of what the lead shrinks by, so that the larger of both fits just in.
    shrink = (np.sqrt(lead**2 + 4 * np.maximum(mean, 0) * STEPS) - np.abs(lead)) / (2 * np.maximum(mean, 1))
    shrink = np.where(np.maximum(one, two) > STEPS, np.minimum(shrink, 1), 1)
    found = [np.clip(shrink**2 * mean + shrink * sign * lead, 0, STEPS) for sign in (1, -1)]
    return found[0], found[1]


def solve_chances(results: NDArray[np.int16], weights: Floats) -> Floats:
    """The table: at every score the mean over the scores after one more round, until nothing changes."""
    score = -STEP * np.arange(STEPS + 1)
    own, other = results.T.astype(int)
    one = score[:, None, None] + own
    two = score[None, :, None] + other
    one, two = np.broadcast_arrays(one, two)
    known = Chances(results, weights, np.full((STEPS + 1, STEPS + 1), 0.5))
    for _ in range(_ROUNDS):
        table = known.win(one, two, 0) @ weights
        known = known._replace(table=(table + 1 - table.T) / 2)
    return known.table


@cache
def chances() -> Chances:
    """What ``tools/fit_chances.py`` has found."""
    with (files("tichu.analysis") / "chances.npz").open("rb") as file, np.load(file, allow_pickle=False) as arrays:
        return Chances(arrays["results"], arrays["weights"], arrays["table"])
