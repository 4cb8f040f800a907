"""Old games are forgotten a few at a time, as scripts: while the store writes, all tables wait.

Games are found by when they were finished, and the rows of their players by the games: no other way leads to these
without looking at all that anybody has ever played.
"""

import json
from collections.abc import Sequence
from typing import Final

from tichu.server.store.port import Store
from tichu.server.store.scripts import Script

__all__ = ["forget_old_games", "forget_some", "old_games"]

#: Games of one transaction, and of one look.
_AT_ONCE: Final = 10
_LOOKED_FOR: Final = 500


async def forget_old_games(store: Store, before: float) -> int:
    """Drop the games that were finished before a time; how many these were."""
    forgotten = 0
    while found := await store.read(old_games, before, _LOOKED_FOR):
        for first in range(0, len(found), _AT_ONCE):
            forgotten += await store.write(forget_some, found[first : first + _AT_ONCE])
    return forgotten


def old_games(before: float, limit: int) -> Script[list[str]]:
    """Some games that were finished before a time."""
    rows = yield "SELECT id FROM games WHERE finished < ? ORDER BY finished LIMIT ?", before, limit
    return [game for (game,) in rows]


def forget_some(games: Sequence[str]) -> Script[int]:
    """Drop these, with their reviews; how many there still were."""
    forgotten = 0
    for game in games:
        # Who sat there may have been replaced since somebody looked, and may be just now by another node.
        rows = yield "DELETE FROM games WHERE id = ? RETURNING players, finished", game
        for players, finished in rows:
            for player in {one for one in json.loads(players) if one}:
                yield "DELETE FROM game_players WHERE player = ? AND finished = ? AND game = ?", player, finished, game
        yield "DELETE FROM reviews WHERE game = ?", game
        forgotten += len(rows)
    return forgotten
