"""Entries and games as rows, the same in every database."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec

from tichu.server.log import FinishedGame, GameSummary

__all__ = [
    "GAME_COLUMNS",
    "SUMMARY_COLUMNS",
    "Entries",
    "game_of",
    "log_rows",
    "log_starts",
    "player_rows",
    "row_of",
    "summary_of",
]

SUMMARY_COLUMNS = "games.id, games.table_id, games.finished, rules, seats, players, score_0, score_1, casual"
GAME_COLUMNS = SUMMARY_COLUMNS + ", record"


class Entries(NamedTuple):
    """What is appended at once."""

    table: str
    #: The number of the first of them.
    first: int
    entries: Sequence[bytes]
    checkpoint: bool
    game: FinishedGame | None

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


def player_rows(game: GameSummary) -> list[tuple[str, float, str]]:
    """Under whom the game is found."""
    return [(player, game.finished, game.id) for player in sorted(set(game.players)) if player]


def summary_of(row: Sequence[Any]) -> GameSummary:
    """The game without its record."""
    game, table, finished, rules, seats, players, ours, theirs, casual = row
    return GameSummary(
        game, table, finished, rules, _names.decode(seats), _names.decode(players), (ours, theirs), bool(casual)
    )


def game_of(row: Sequence[Any]) -> FinishedGame:
    """The whole game."""
    return FinishedGame(summary_of(row[:-1]), row[-1])
