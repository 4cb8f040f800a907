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
    "number_entries",
    "player_rows",
    "row_of",
    "summary_of",
]

SUMMARY_COLUMNS = "games.id, games.table_id, games.finished, rules, seats, players, score_0, score_1, casual"
GAME_COLUMNS = SUMMARY_COLUMNS + ", record"


class Entries(NamedTuple):
    """What is appended at once."""

    table: str
    entries: Sequence[bytes]
    checkpoint: bool
    game: FinishedGame | None


_names = msgspec.json.Decoder(tuple[str, ...])


def number_entries(
    appends: Sequence[Entries], first: int
) -> tuple[list[tuple[str, int, bytes]], list[tuple[str, int]]]:
    """The entries with their tables and numbers, and where the logs of some tables now start."""
    rows: list[tuple[str, int, bytes]] = []
    starts: list[tuple[str, int]] = []
    for table, entries, checkpoint, _ in appends:
        number = first + len(rows)
        if checkpoint:
            starts.append((table, number))
        rows += [(table, n, entry) for n, entry in enumerate(entries, number)]
    return rows, starts


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
