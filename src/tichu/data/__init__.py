"""Games as tables: who decided what, with which cards, and how it ended (docs/data.md).

Imports the analysis, the formats and the pool of workers; the command line imports it.  The tables are plain tuples;
pyarrow (``pip install 'tichu[data]'``) is needed only to write them as Parquet files.
"""

from tichu.data.choices import calling_grand, calling_tichu, compare_choices, giving_the_dragon
from tichu.data.columns import DecisionRow, GameRow, RoundRow, SeatRow
from tichu.data.export import Exported, export_games
from tichu.data.rows import GameTables, SkippedRound, game_tables
from tichu.data.summary import PlayerStats, Share, difference_by_game, mean_by_game, player_stats

__all__ = [
    "DecisionRow",
    "Exported",
    "GameRow",
    "GameTables",
    "PlayerStats",
    "RoundRow",
    "SeatRow",
    "Share",
    "SkippedRound",
    "calling_grand",
    "calling_tichu",
    "compare_choices",
    "difference_by_game",
    "export_games",
    "game_tables",
    "giving_the_dragon",
    "mean_by_game",
    "player_stats",
]
