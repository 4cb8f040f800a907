"""A round robin as one list.

A rating is in points a round: the difference of two ratings is what a duel of the two should give, by least squares.
With every pair played there is a simple answer of mean zero: a team's rating is the sum of its points a round over all
others, divided by the number of teams.  Pairs weigh the same however many deals they took.

All pairs play the same deals, and a resample draws the same deals for all of them, so the intervals are right although
the pairs are not independent.  Only pairs that ``--until`` ended after different numbers of deals are drawn apart.
"""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from tichu.arena.intervals import interval
from tichu.arena.summary import Summary
from tichu.arena.teams import Team

__all__ = ["Rating", "pairs_of", "ratings"]


class Rating(NamedTuple):
    """How strong a team is among the teams of a round robin."""

    team: Team
    points: float
    ci95: tuple[float, float]


def pairs_of(teams: Sequence[Team]) -> list[tuple[int, int]]:
    """Everybody against everybody, by place in the list."""
    return list(combinations(range(len(teams)), 2))


def ratings(teams: Sequence[Team], duels: Mapping[tuple[int, int], Summary]) -> list[Rating]:
    """The teams from strong to weak."""
    rated = []
    for one, team in enumerate(teams):
        points = 0.0
        resamples: list[float] = []
        for pair, duel in duels.items():
            if one in pair:
                sign = 1 if one == pair[0] else -1
                points += sign * duel.points_per_round
                shifts = [sign * resample for resample in duel.resamples]
                resamples = list(map(sum, zip(resamples, shifts, strict=True))) if resamples else shifts
        low, high = interval(resamples)
        rated.append(Rating(team, points / len(teams), (low / len(teams), high / len(teams))))
    return sorted(rated, key=lambda rating: -rating.points)
