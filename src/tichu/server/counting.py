"""Games that were stored without their results, counted later, and those that were reviewed without keeping sheets.

Versions before this one counted when somebody looked.  Nobody waits for it now: one game at a time is read in another
process, and what is done stays done when the server ends in between.
"""

import asyncio
import logging
from typing import Final

from tichu.server.background import BackgroundPool, Busy
from tichu.server.failures import log_failure
from tichu.server.results import count_game
from tichu.server.reviews.keeping import keep_old_sheets
from tichu.server.store import Store, StoreError

__all__ = ["catch_up", "count_old_games"]

log = logging.getLogger("tichu.server")

#: Games asked for at once, and the pause after each.
_BATCH: Final = 50
_PAUSE_S: Final = 0.05
_RETRY_S: Final = 60.0


async def catch_up(store: Store, background: BackgroundPool) -> None:
    """Count all games, then keep all sheets."""
    await count_old_games(store, background)
    await keep_old_sheets(store)


async def count_old_games(store: Store, background: BackgroundPool) -> None:
    """Count all of them, as long as it takes."""
    while True:
        try:
            games = await store.uncounted_games(_BATCH)
            for game in games:
                await _count(game, store, background)
                await asyncio.sleep(_PAUSE_S)
        except (StoreError, Busy) as error:
            log.warning("old games are counted later: %s", str(error) or "there is too much to do")
            await asyncio.sleep(_RETRY_S)
            continue
        if not games:
            return


async def _count(game_id: str, store: Store, background: BackgroundPool) -> None:
    game = await store.game(game_id)
    if game is None:
        return  # Forgotten since.
    try:
        counted = await background.run(count_game, game)
    except (LookupError, TypeError, ValueError) as error:
        # It counts for nobody, and must not be looked at again and again.
        log_failure(f"game {game_id}, which cannot be counted", error)
        ours, theirs = game.summary.score
        counted = game._replace(summary=game.summary._replace(winner=int(theirs > ours)))
    await store.count_game(counted)
