"""What players do, counted: calls and their success, double victories, bombs, the exchange."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import Final, Literal, NamedTuple

from tichu.data.jobs import Batch, read_batch
from tichu.data.rows import GameTables, SkippedRound

__all__ = [
    "By",
    "Counted",
    "PlayerStats",
    "Share",
    "count_batch",
    "difference_by_game",
    "habits_of",
    "mean_by_game",
    "player_stats",
]

By = Literal["all", "player", "seat", "pair"]

_HIGH: Final = frozenset("KA")


class Counted(NamedTuple):
    """Counts by key and game, so that intervals can follow games, and what is missing."""

    games: dict[tuple[str, int], Counter[str]]
    skipped: list[SkippedRound]


class Share(NamedTuple):
    """A share or a mean with its standard error, clustered by game; None where there is nothing to divide by."""

    value: float | None
    error: float | None

    def __str__(self) -> str:
        if self.value is None:
            return "nothing"
        return f"{self.value:.2f}" if self.error is None else f"{self.value:.2f} ± {self.error:.2f}"


class PlayerStats(NamedTuple):
    """What one player, seat or pair does; rates are per round that they played."""

    key: str
    games: int
    rounds: int
    #: Points of the own team less those of the other, a round.
    difference: Share
    tichu: Share
    tichu_made: Share
    grand: Share
    grand_made: Share
    #: The share of rounds in which both partners were first and second.
    double_victories: Share
    bombs: Share
    first_out: Share
    #: The share of exchanges in which the partner got a special card, a king or an ace; the Dog went to the left or the
    #: right opponent; the Dragon and the Phoenix were given to the partner.
    strong_to_partner: Share
    dog_to_opponent: Share
    dragon_to_partner: Share
    phoenix_to_partner: Share


#: Each as a count over another.
_RATES: Final[dict[str, tuple[str, str]]] = {
    "difference": ("difference", "rounds"),
    "tichu": ("tichu", "rounds"),
    "tichu_made": ("tichu_made", "tichu"),
    "grand": ("grand", "rounds"),
    "grand_made": ("grand_made", "grand"),
    "double_victories": ("double_victories", "rounds"),
    "bombs": ("bombs", "rounds"),
    "first_out": ("first", "rounds"),
    "strong_to_partner": ("strong_to_partner", "exchanges"),
    "dog_to_opponent": ("dog_to_opponent", "dog_dealt"),
    "dragon_to_partner": ("dragon_to_partner", "dragon_dealt"),
    "phoenix_to_partner": ("phoenix_to_partner", "phoenix_dealt"),
}


def habits_of(tables: GameTables, by: By) -> dict[tuple[str, int], Counter[str]]:
    """Counts of what each player did in each game."""
    names = {(row.game, row.round, row.seat): row.name for row in tables.seats}
    places = {(row.game, row.round, row.seat): row.place for row in tables.seats}
    counts: dict[tuple[str, int], Counter[str]] = defaultdict(Counter)
    for row in tables.seats:
        partner = (row.game, row.round, row.seat ^ 2)
        match by:
            case "all":
                key = "all"
            case "player":
                key = row.name
            case "seat":
                key = f"seat {row.seat}"
            case "pair":
                key = " + ".join(sorted((row.name, names[partner])))
        count = counts[key, row.game]
        count["rounds"] += 1
        count["difference"] += row.difference
        count["first"] += row.place == 1
        count["double_victories"] += {row.place, places[partner]} == {1, 2}
        count["bombs"] += row.bombs
        if row.call is not None:
            count[row.call] += 1
            count[f"{row.call}_made"] += bool(row.made)
        if row.gave_partner is not None:
            count["exchanges"] += 1
            count["strong_to_partner"] += row.gave_partner[0] in _HIGH or row.gave_partner in ("Dr", "Ph", "Ma")
            count["dog_dealt"] += "Do" in row.dealt
            count["dog_to_opponent"] += "Do" in (row.gave_left, row.gave_right)
            for card, name in (("Dr", "dragon"), ("Ph", "phoenix")):
                count[f"{name}_dealt"] += card in row.dealt
                count[f"{name}_to_partner"] += row.gave_partner == card
    return counts


def count_batch(batch: Batch, by: By) -> Counted:
    """Read, play and count a batch; the work of one worker."""
    tables = read_batch(batch)
    return Counted(habits_of(tables, by), tables.skipped)


def player_stats(counts: Mapping[tuple[str, int], Counter[str]]) -> list[PlayerStats]:
    """A line for each key, those with the most rounds first."""
    by_key: dict[str, list[Counter[str]]] = defaultdict(list)
    for (key, _), count in counts.items():
        by_key[key].append(count)
    stats = [
        PlayerStats(
            key,
            len(games),
            sum(game["rounds"] for game in games),
            **{name: _ratio(games, *counted) for name, counted in _RATES.items()},
        )
        for key, games in by_key.items()
    ]
    return sorted(stats, key=lambda one: (-one.rounds, one.key))


def mean_by_game(rows: Iterable[tuple[int, float | bool | None]]) -> Share:
    """The mean of values, each with its game; nulls do not count.

    Players of one game meet again in every round of it, so its rounds are not independent: the standard error follows
    the spread between games.

    >>> print(mean_by_game([(0, 1.0), (0, 2.0), (1, 6.0), (1, None)]))
    3.00 ± 2.00
    """
    sums: dict[int, list[float]] = defaultdict(lambda: [0.0, 0])
    for game, value in rows:
        if value is not None:
            sums[game][0] += value
            sums[game][1] += 1
    return _ratio_of((above, below) for above, below in sums.values())


def difference_by_game(rows: Iterable[tuple[int, float]], others: Iterable[tuple[int, float]]) -> Share:
    """What the mean of ``rows`` is above that of ``others``, each value with its game.

    Both may come from the same games, in which much is alike, so the error is that of the difference: by the spread of
    what each game adds to it (linearised, clustered by game).

    >>> print(difference_by_game([(0, 3.0), (1, 7.0)], [(0, 1.0), (1, 5.0)]))
    2.00 ± 0.00
    """
    sums: dict[int, list[float]] = defaultdict(lambda: [0.0, 0, 0.0, 0])
    for at, side in ((0, rows), (2, others)):
        for game, value in side:
            sums[game][at] += value
            sums[game][at + 1] += 1
    total, number, other_total, other_number = (sum(each[at] for each in sums.values()) for at in range(4))
    if not number or not other_number:
        return Share(None, None)
    mean, other = total / number, other_total / other_number
    spread = sum(
        ((up - mean * down) / number - (other_up - other * other_down) / other_number) ** 2
        for up, down, other_up, other_down in sums.values()
    )
    if len(sums) < 2:
        return Share(mean - other, None)
    return Share(mean - other, math.sqrt(spread * len(sums) / (len(sums) - 1)))


def _ratio(games: Iterable[Counter[str]], above: str, below: str) -> Share:
    return _ratio_of((game[above], game[below]) for game in games)


def _ratio_of(pairs: Iterable[tuple[float, float]]) -> Share:
    """A ratio of sums; its error by the spread of what each game adds to it (linearised, clustered by game)."""
    pairs = list(pairs)
    total = sum(number for _, number in pairs)
    if total == 0:
        return Share(None, None)
    value = sum(number for number, _ in pairs) / total
    if len(pairs) < 2:
        return Share(value, None)
    spread = sum((up - value * down) ** 2 for up, down in pairs)
    return Share(value, math.sqrt(spread * len(pairs) / (len(pairs) - 1)) / total)
