"""Candidates played on in more and more worlds."""

from collections.abc import Sequence
from math import hypot
from random import Random
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from tichu.analysis.beliefs import belief_about
from tichu.analysis.chances import chances
from tichu.analysis.precision import CUT_ERROR, Estimate, Others, estimate
from tichu.analysis.puzzles import MARGINS, STANDARD_ERRORS, Theme
from tichu.analysis.rollouts import Ends, Start, play_on
from tichu.analysis.values import starts_in
from tichu.analysis.worlds import Worlds
from tichu.core.phases import Phase
from tools.puzzles.cases import Case

__all__ = ["ALIKE", "Sample", "extend"]

#: Where several answers may be as good, and how many besides the best.
ALIKE: Final[dict[Theme, int]] = {"exchange": 4, "wish": 3}
#: Who is behind by so many margins and standard errors need not be played any more.
_FAR_SHARE, _FAR_ERRORS = 2.0, 6.0
#: After so many decisions the critic says what to expect.
_CUT: Final = 24

_Float = TypeVar("_Float", np.float32, np.float64)


class Sample:
    """A case in worlds that are drawn one after another, never the same again.

    Candidates that fall far behind are played in no further worlds.
    """

    def __init__(self, case: Case, seed: int, others: Others = "unknown") -> None:
        self.case = case
        self._worlds = Worlds(case.decision.view, case.decision.eight, belief_about(others))
        self._rng = Random(f"{seed} {case.origin.name} {case.decision.number}")
        self.points = np.zeros((0, len(case.candidates)), np.float32)
        self.wins = np.zeros((0, len(case.candidates)))
        self.cut = 0.0
        #: The places of those that are still played.
        self.open = tuple(range(len(case.candidates)))

    def clear(self) -> None:
        """Forget what was met: the next sieve has worlds of its own."""
        self.points, self.wins = self.points[:0], self.wins[:0]
        self.open = tuple(range(len(self.case.candidates)))

    def starts(self, number: int) -> list[Start]:
        drawn = [self._worlds.draw(self._rng) for _ in range(number)]
        candidates = [self.case.candidates[place] for place in self.open]
        return starts_in(self.case.decision, self._worlds, drawn, candidates)

    def add(self, ends: Ends) -> None:
        """What came of some starts."""
        view = self.case.decision.view
        order = 1 if view.seat % 2 == 0 else -1
        before, number = len(self.points), len(ends.points) // len(self.open)
        self.cut = (before * self.cut + number * (1 - float(ends.is_over.mean()))) / (before + number)
        self.points = self._with(self.points, order * ends.points)
        goal = view.rules.goal
        if goal.kind == "target":
            own, other = ends.scores.T[::order].astype(float)
            by_score = chances().win(view.score[0] + own, view.score[1] + other, goal.number)
            expected = chances().expected_win(order * ends.points.astype(float), view.score, goal.number)
            self.wins = self._with(self.wins, np.where(ends.is_over, by_score, expected))

    def _with(self, known: NDArray[_Float], further: NDArray[_Float]) -> NDArray[_Float]:
        rows = further.reshape(-1, len(self.open))
        wide = np.full((len(rows), len(self.case.candidates)), np.nan, known.dtype)
        wide[:, self.open] = rows
        return np.concatenate([known, wide])

    def played(self, candidate: int) -> NDArray[np.bool_]:
        """In which worlds it was played."""
        return ~np.isnan(self.points[:, candidate])

    def best(self) -> int:
        means = self.points.mean(0)
        return int(np.nanargmax(means))

    def lost(self, candidate: int) -> Estimate:
        """What the best is worth more than this."""
        some = self.points[self.played(candidate)]
        mean, error = estimate(some[:, self.best()] - some[:, candidate])
        return Estimate(mean, hypot(error, CUT_ERROR * self.cut))

    def beats(self, candidate: int, share: float = 1.0, errors: float = STANDARD_ERRORS) -> bool:
        """Whether the best beats this by a share of the margin, and by standard errors."""
        mean, error = self.lost(candidate)
        return mean >= share * MARGINS[self.case.theme] and mean > errors * error

    def is_clear(self, share: float = 1.0, errors: float = STANDARD_ERRORS) -> bool:
        """Whether the best is not what is missed, and beats all others; or all but a few, where they may be as good."""
        best = self.best()
        if best == 0 or not self.beats(0, share, errors):
            return False
        others = (place for place in range(len(self.case.candidates)) if place != best)
        close = sum(not self.beats(place, share, errors) for place in others)
        return close <= ALIKE.get(self.case.theme, 0)

    def drop(self) -> None:
        """Go on without those that are far behind, but with what is missed."""
        self.open = tuple(place for place in self.open if place == 0 or not self.beats(place, _FAR_SHARE, _FAR_ERRORS))


def extend(samples: Sequence[Sample], number: int) -> None:
    """So many more worlds for each."""
    for is_whole in (False, True):
        some = [sample for sample in samples if (sample.case.decision.view.phase is Phase.GRAND) == is_whole]
        starts = [sample.starts(number) for sample in some]
        ends = play_on([start for each in starts for start in each], decisions=None if is_whole else _CUT)
        at = 0
        for sample, each in zip(some, starts, strict=True):
            part = slice(at, at + len(each))
            at += len(each)
            sample.add(Ends(ends.points[part], ends.outcomes[part]))
