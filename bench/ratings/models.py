"""Ratings of a whole season, by the ledger and by its rivals.

The ledger goes match by match through the library.  To choose a model and its numbers, hundreds of seasons are rated by
the same formulas on arrays, a day at a time; ``tests/ratings/test_simulation.py`` holds both against each other.
"""

import math
from collections.abc import Callable, Sequence
from typing import Final, Literal, NamedTuple

import numpy as np

from bench.ratings.seasons import MARKS, Floats, Ints, Season
from tichu.ratings import Ledger, MatchRow
from tichu.ratings.model import BETA, TAU
from tichu.ratings.rating import Rating

__all__ = ["Rated", "WengLin", "rate_elo", "rate_ledger", "rate_weng_lin", "rows_of"]

_DAY: Final = 24 * 60 * 60 * 1000
#: What the library takes for a tie in the models of Thurstone and Mosteller.
_TIE: Final = 0.1
_LEAST: Final = 0.0001

Settle = Callable[[Ledger, MatchRow], MatchRow]


class Rated(NamedTuple):
    """Ratings by mark, and how well the matches were foretold."""

    mu: dict[int, Floats]
    sigma: dict[int, Floats]
    #: The mean of minus the logarithm of the chance that was given to what happened.
    log_loss: float


class WengLin(NamedTuple):
    """A model of the library with its numbers."""

    kind: Literal["bradley-terry", "thurstone-full", "thurstone-part"]
    #: Whether uncertainty shrinks as the formulas say, or slowed down as the library does by itself.
    gamma: Literal["library", "one"]
    sigma: float
    beta: float
    tau: float


class _Course:
    """What is kept of a season: the ratings of all players after their matches so-and-so many."""

    def __init__(self, players: int) -> None:
        self._played = np.zeros(players, dtype=np.int64)
        self.mu = {mark: np.full(players, np.nan) for mark in MARKS}
        self.sigma = {mark: np.full(players, np.nan) for mark in MARKS}
        self._losses: list[Floats] = []

    def add(self, players: Ints, mu: Floats, sigma: Floats, chances: Floats) -> None:
        players = players.ravel()
        self._played[players] += 1
        for mark in MARKS:
            there = players[self._played[players] == mark]
            self.mu[mark][there] = mu[there]
            self.sigma[mark][there] = sigma[there]
        self._losses.append(-np.log(chances))

    def rated(self) -> Rated:
        return Rated(self.mu, self.sigma, float(np.concatenate(self._losses).mean()))


def _normal(x: Floats) -> Floats:
    return np.array([0.5 * math.erfc(-one / math.sqrt(2)) for one in x.ravel()]).reshape(x.shape)


def _steps(model: WengLin, edge: Floats, won: Floats, c: Floats) -> tuple[Floats, Floats, Floats]:
    """For teams ahead by ``edge``: the change of strength and of variance, in the model's units, and the chances."""
    if model.kind == "bradley-terry":
        chance = 1 / (1 + np.exp(-edge / c))
        return won - chance, chance * (1 - chance), chance
    sign = 2 * won - 1
    t = sign * edge / c - _TIE / c
    below = _normal(t)
    v = np.exp(-t * t / 2) / math.sqrt(2 * math.pi) / below
    return sign * v, v * (v + t), _normal(edge / c)


def rate_weng_lin(season: Season, model: WengLin) -> Rated:
    """The season by one of the library's models, without weights."""
    players = len(season.strength)
    mu, variance = np.zeros(players), np.full(players, model.sigma**2)
    course = _Course(players)
    for seats, winners in zip(season.seats, season.winners, strict=True):
        if not len(seats):
            continue
        before, old = mu[seats], variance[seats] + model.tau**2
        teams, spread = before[:, :2] + before[:, 2:], old[:, :2] + old[:, 2:]
        edge = (teams[:, :1] - teams[:, 1:]) * np.array([1.0, -1.0])
        won = np.stack([1.0 - winners, 1.0 * winners], axis=1)
        c = np.sqrt(spread.sum(axis=1, keepdims=True) + 2 * model.beta**2)
        if model.kind == "thurstone-part":
            c = 2 * c
        omega, delta, chances = _steps(model, edge, won, c)
        gamma = np.sqrt(spread) / c if model.gamma == "library" else 1.0
        omega, delta = omega * spread / c, delta * spread / c**2 * gamma
        share = old / np.tile(spread, 2)
        mu[seats] = before + share * np.tile(omega, 2)
        variance[seats] = old * np.maximum(1 - share * np.tile(delta, 2), _LEAST)
        course.add(seats, mu, np.sqrt(variance), (chances * won).sum(axis=1))
    return course.rated()


def rate_elo(season: Season, k: float) -> Rated:
    """The season by plain Elo: a team has the mean of its players, and all four move by the same amount."""
    players = len(season.strength)
    mu = np.zeros(players)
    course = _Course(players)
    for seats, winners in zip(season.seats, season.winners, strict=True):
        if not len(seats):
            continue
        before = mu[seats]
        edge = (before[:, 0] + before[:, 2] - before[:, 1] - before[:, 3]) / 2
        chance = 1 / (1 + 10 ** (-edge / 400))
        step = k * ((winners == 0) - chance)
        mu[seats] = before + step[:, None] * np.array([1.0, -1.0, 1.0, -1.0])
        course.add(seats, mu, np.zeros(players), np.where(winners == 0, chance, 1 - chance))
    return course.rated()


def rows_of(season: Season, matches_a_day: int = 1) -> list[MatchRow]:
    """The season as rows, not yet settled."""
    together = season.pair_strength is not None
    rows = []
    for day, (seats, winners) in enumerate(zip(season.seats, season.winners, strict=True)):
        for table, (players, winner) in enumerate(zip(seats.tolist(), winners.tolist(), strict=True)):
            a, b, c, d = map(str, players)
            rows.append(
                MatchRow(
                    match=f"{day}-{table}",
                    at=day // matches_a_day * _DAY,
                    rules="standard",
                    clock="normal",
                    players=(a, b, c, d),
                    score=(0, 0),
                    winner=winner,
                    pairs=(together, together),
                    from_pool=True,
                )
            )
    return rows


class _Group:
    """Players or pairs of a season while a ledger rates them."""

    def __init__(self, number: int) -> None:
        self.course = _Course(number)
        self.mu, self.sigma = np.zeros(number), np.zeros(number)
        self._chances: list[float] = []

    def note(self, numbers: Sequence[int], changes: Sequence[tuple[Rating, Rating] | None], winner: int) -> None:
        edge, variance = 0.0, 2 * BETA**2
        for place, (number, change) in enumerate(zip(numbers, changes, strict=True)):
            assert change is not None, "everybody in a season is rated"
            before, after = change
            edge += before.mu if place % 2 == winner else -before.mu
            variance += before.sigma**2 + TAU**2
            self.mu[number], self.sigma[number] = after.mu, after.sigma
        self._chances.append(1 / (1 + math.exp(-edge / math.sqrt(variance))))

    def end_day(self, numbers: Ints) -> None:
        self.course.add(numbers, self.mu, self.sigma, np.array(self._chances))
        self._chances = []


def rate_ledger(season: Season, settle: Settle = Ledger.settle, matches_a_day: int = 1) -> tuple[Rated, Rated | None]:
    """The season as the site rates it: the players, and the pairs where there are fixed ones."""
    ledger = Ledger()
    rows = iter(rows_of(season, matches_a_day))
    players = _Group(len(season.strength))
    pairs = None if season.pair_strength is None else _Group(len(season.pair_strength))
    for seats, winners in zip(season.seats, season.winners, strict=True):
        for table, winner in zip(seats.tolist(), winners.tolist(), strict=True):
            change = ledger.apply(settle(ledger, next(rows)))
            players.note(table, change.players, winner)
            if pairs is not None:
                pairs.note([table[0] // 2, table[1] // 2], change.pairs, winner)
        players.end_day(seats)
        if pairs is not None:
            pairs.end_day(seats[:, :2] // 2)
    return players.course.rated(), None if pairs is None else pairs.course.rated()
