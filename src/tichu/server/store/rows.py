"""Entries and games as rows, the same in every database."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import msgspec

from tichu.ratings.rows import MatchRow
from tichu.server.log import FinishedGame, GameSummary, SeatResult

__all__ = [
    "ADDED_UP",
    "GAME_COLUMNS",
    "GAME_ROW",
    "PLAYER_GAMES",
    "PLAYER_GAME_ROW",
    "SUMMARY_COLUMNS",
    "TOTALS_ROW",
    "Entries",
    "game_of",
    "log_rows",
    "log_starts",
    "player_rows",
    "row_of",
    "summary_of",
    "total_rows",
    "totals_of",
]

SUMMARY_COLUMNS = "games.id, games.table_id, games.finished, rules, seats, players, score_0, score_1, casual"
GAME_COLUMNS = SUMMARY_COLUMNS + ", record"
#: How many columns a row of ``games`` has.
GAME_ROW = 10
#: Where it is stored what a player did when a game ends, and how many columns that has.
PLAYER_GAMES = f"game_players (player, finished, game, winner, {', '.join(SeatResult._fields)}, is_open)"
PLAYER_GAME_ROW = 5 + len(SeatResult._fields)
#: What follows the values of a row that is added to what ``totals`` has.
ADDED_UP = "ON CONFLICT (server) DO UPDATE SET " + ", ".join(
    f"{name} = totals.{name} + excluded.{name}" for name in ("games", *SeatResult._fields)
)
TOTALS_ROW = 2 + len(SeatResult._fields)
_UNCOUNTED = (None,) * len(SeatResult._fields)


class Entries(NamedTuple):
    """What is appended at once."""

    table: str
    #: The number of the first of them.
    first: int
    entries: Sequence[bytes]
    checkpoint: bool
    game: FinishedGame | None
    #: What a rated match leaves behind.
    match: MatchRow | None = None

    @property
    def next(self) -> int:
        """The number of the entry after them."""
        return self.first + len(self.entries)


_names = msgspec.json.Decoder(tuple[str, ...])


def log_rows(appends: Sequence[Entries]) -> list[tuple[str, int, bytes]]:
    """The entries with their tables and numbers."""
    return [
        (append.table, number, entry) for append in appends for number, entry in enumerate(append.entries, append.first)
    ]


def log_starts(appends: Sequence[Entries]) -> list[tuple[str, int]]:
    """Where the logs of some tables now start."""
    return [(append.table, append.first) for append in appends if append.checkpoint]


def row_of(game: FinishedGame) -> tuple[Any, ...]:
    """The game in the order of ``GAME_COLUMNS``."""
    of = game.summary
    seats, players = (msgspec.json.encode(names).decode() for names in (of.seats, of.players))
    return (of.id, of.table, of.finished, of.rules, seats, players, *of.score, of.casual, game.record)


def player_rows(game: FinishedGame) -> list[tuple[Any, ...]]:
    """Under whom the game is found, with what they did in it; casual games count in no statistics."""
    of = game.summary
    results = () if of.casual else game.results
    found = {player: results[of.players.index(player)] if results else _UNCOUNTED for player in of.players if player}
    return [(player, of.finished, of.id, of.winner, *found[player], game.is_open) for player in sorted(found)]


def summary_of(row: Sequence[Any], winner: int | None = None) -> GameSummary:
    """The game without its record."""
    game, table, finished, rules, seats, players, ours, theirs, casual = row
    score = ours, theirs
    names, ids = _names.decode(seats), _names.decode(players)
    return GameSummary(game, table, finished, rules, names, ids, score, bool(casual), winner)


def total_rows(games: Iterable[Sequence[tuple[Any, ...]]], server: str) -> list[tuple[Any, ...]]:
    """What the counted among the rows of players add up to, as a row of ``totals``, if there is anything."""
    counted = [row[4:-1] for rows in games for row in rows if row[4] is not None]
    return [(server, len(counted), *map(sum, zip(*counted, strict=True)))] if counted else []


def totals_of(row: Sequence[Any]) -> tuple[int, SeatResult]:
    """How many games were counted, and their sum."""
    games, *sums = row
    return int(games or 0), SeatResult(*(int(one or 0) for one in sums))


def game_of(row: Sequence[Any]) -> FinishedGame:
    """The whole game."""
    return FinishedGame(summary_of(row[:-1]), row[-1])
