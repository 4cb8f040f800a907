"""Games as rows, the same in every database."""

from collections.abc import Sequence
from typing import Any

import msgspec

from tichu.server.step import KeptGame
from tichu.server.store.port import GameSummary

__all__ = ["GAME_COLUMNS", "SUMMARY_COLUMNS", "game_of", "player_rows", "row_of", "summary_of"]

SUMMARY_COLUMNS = "games.id, games.table_id, games.finished, rules, seats, players, score_0, score_1, casual"
GAME_COLUMNS = SUMMARY_COLUMNS + ", record"

_names = msgspec.json.Decoder(tuple[str, ...])


def row_of(game: KeptGame) -> tuple[Any, ...]:
    """The game in the order of ``GAME_COLUMNS``."""
    seats, players = (msgspec.json.encode(names).decode() for names in (game.seats, game.players))
    return (game.id, game.table, game.finished, game.rules, seats, players, *game.score, game.casual, game.record)


def player_rows(game: KeptGame) -> list[tuple[str, float, str]]:
    """Under whom the game is found."""
    return [(player, game.finished, game.id) for player in sorted(set(game.players)) if player]


def summary_of(row: Sequence[Any]) -> GameSummary:
    """The game without its record."""
    game, table, finished, rules, seats, players, ours, theirs, casual = row
    return GameSummary(
        game, table, finished, rules, _names.decode(seats), _names.decode(players), (ours, theirs), bool(casual)
    )


def game_of(row: Sequence[Any]) -> KeptGame:
    """The whole game."""
    return KeptGame(*summary_of(row[:-1]), record=row[-1])
