"""Seasons of matches among people whose strength is known.

A strength is in points a round.  Rounds are drawn from those that people played (``tests/games``), either way round; a
team that is stronger by ``d`` points gets them with chances proportional to ``exp(k * difference)``, ``k`` such that
the mean is ``d``.  Rounds are added up to 1000 as in a match.
"""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

__all__ = ["MARKS", "Season", "club_season", "fixed_season", "mixed_season", "newcomer_season", "play", "real_games"]

_GAMES: Final = Path(__file__).parents[2] / "tests" / "games"
_GOAL: Final = 1000
#: What the simulated strengths are drawn with: players, and what a fixed pair is more or less than its players.
SPREAD: Final = 20.0
PAIR_SPREAD: Final = 10.0
MATCHES: Final = 200
#: After so many matches of each player the ratings are compared with the truth.
MARKS: Final = (5, 10, 20, 50, 100, 200)

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Season:
    """Matches day by day; within a day nobody plays twice."""

    name: str
    strength: Floats
    #: By pair, players 2n and 2n + 1; None if partners change.
    pair_strength: Floats | None
    #: By day: the players by table and seat, and the team that won at each table.
    seats: list[Ints]
    winners: list[Ints]

    @property
    def matches(self) -> int:
        """How many matches there are."""
        return sum(map(len, self.winners))


@cache
def real_games() -> list[Ints]:
    """The points of both teams in each round of real games."""
    texts = [path.read_text(encoding="utf-8") for path in sorted(_GAMES.glob("*.ttn"))]
    return [np.array(re.findall(r"^= (-?\d+) (-?\d+)$", text, re.M), dtype=np.int64) for text in texts]


class _Rounds:
    """Real rounds with chances for every difference in strength, to be drawn many at once."""

    def __init__(self) -> None:
        rounds = np.concatenate(real_games())
        self.points = np.concatenate([rounds, rounds[:, ::-1]])
        difference = (self.points[:, 0] - self.points[:, 1]).astype(float)
        chances = np.exp(np.outer(np.linspace(-0.012, 0.012, 961), difference))
        chances /= chances.sum(axis=1, keepdims=True)
        self.means = chances @ difference
        # One rising list for all rows of chances: row r lies between r and r + 1.
        self._sums = (chances.cumsum(axis=1) + np.arange(len(chances))[:, None]).ravel()

    def rows(self, edge: Floats) -> Ints:
        """The nearest mean, which is at most a point away where most are."""
        return np.searchsorted((self.means[1:] + self.means[:-1]) / 2, edge)

    def draw(self, rows: Ints, rng: np.random.Generator) -> Ints:
        found = np.searchsorted(self._sums, rows + rng.random(len(rows))) - rows * len(self.points)
        drawn: Ints = self.points[found.clip(0, len(self.points) - 1)]
        return drawn


_rounds = cache(_Rounds)


def play(edge: Floats, rng: np.random.Generator) -> tuple[Ints, Ints]:
    """The final scores and the numbers of rounds of matches, from what the first team is stronger by."""
    rounds = _rounds()
    rows = rounds.rows(edge)
    scores = np.zeros((len(edge), 2), dtype=np.int64)
    lengths = np.zeros(len(edge), dtype=np.int64)
    running = np.arange(len(edge))
    while len(running):
        scores[running] += rounds.draw(rows[running], rng)
        lengths[running] += 1
        now = scores[running]
        running = running[(now.max(axis=1) < _GOAL) | (now[:, 0] == now[:, 1])]
    return scores, lengths


def _season(name: str, strength: Floats, pairs: Floats | None, seats: list[Ints], rng: np.random.Generator) -> Season:
    winners = []
    for day in seats:
        of_player = strength[day]
        edge = of_player[:, 0] + of_player[:, 2] - of_player[:, 1] - of_player[:, 3]
        if pairs is not None:
            edge = edge + pairs[day[:, 0] // 2] - pairs[day[:, 1] // 2]
        scores, _ = play(edge, rng)
        winners.append((scores[:, 1] > scores[:, 0]).astype(np.int64))
    return Season(name, strength, pairs, seats, winners)


def mixed_season(seed: int, players: int = 2000, matches: int = MATCHES) -> Season:
    """Everybody plays once a day, with and against anybody."""
    rng = np.random.default_rng([seed, 1])
    strength = SPREAD * rng.standard_normal(players)
    seats = [rng.permutation(players).reshape(-1, 4) for _ in range(matches)]
    return _season("random partners", strength, None, seats, rng)


def fixed_season(seed: int, players: int = 2000, matches: int = MATCHES) -> Season:
    """Everybody plays once a day, always with the same partner, against any other pair."""
    rng = np.random.default_rng([seed, 2])
    strength = SPREAD * rng.standard_normal(players)
    pairs = PAIR_SPREAD * rng.standard_normal(players // 2)
    seats = []
    for _ in range(matches):
        ours, theirs = rng.permutation(players // 2).reshape(-1, 2).T
        seats.append(np.stack([2 * ours, 2 * theirs, 2 * ours + 1, 2 * theirs + 1], axis=1))
    return _season("fixed partners", strength, pairs, seats, rng)


def newcomer_season(seed: int, players: int = 2000, matches: int = MATCHES) -> Season:
    """People come one after the other and go after their last match, so newcomers sit with those who are known."""
    rng = np.random.default_rng([seed, 3])
    strength = SPREAD * rng.standard_normal(players)
    a_day = max(4, players // matches)
    left = np.full(players, matches)
    seats: list[Ints] = []
    while True:
        here = np.flatnonzero(left[: a_day * (len(seats) + 1)])
        tables = rng.permutation(here)[: len(here) // 4 * 4].reshape(-1, 4)
        if not len(tables) and a_day * len(seats) >= players:
            break
        left[tables] -= 1
        seats.append(tables)
    return _season("newcomers every day", strength, None, seats, rng)


def club_season(seed: int, players: int = 24, days: int = 28, a_day: int = 3) -> Season:
    """A club that meets every evening for some matches, with and against anybody in it."""
    rng = np.random.default_rng([seed, 4])
    strength = SPREAD * rng.standard_normal(players)
    seats = [rng.permutation(players).reshape(-1, 4) for _ in range(days * a_day)]
    return _season("a club", strength, None, seats, rng)
