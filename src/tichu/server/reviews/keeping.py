"""What is stored of reviews: their parts, and the sheets of those that are done."""

import asyncio
import logging
from typing import Final

from tichu.server.log import FinishedGame
from tichu.server.reviews.progress import Review, decode_part
from tichu.server.reviews.sheets import encode_sheet
from tichu.server.store import Store, StoreError
from tichu.server.store.showing import keep_sheets, reviewed_games

__all__ = ["keep_old_sheets", "keep_sheets_of", "stored_reviews"]

log = logging.getLogger("tichu.server")

#: Stored parts that are read without a breath for others.
_SLICE: Final = 10
#: Reviewed games looked at at once, and the pause after each that has no sheets.
_BATCH: Final = 20
_PAUSE_S: Final = 0.05
_RETRY_S: Final = 60.0


async def stored_reviews(store: Store, game: FinishedGame) -> dict[str, Review]:
    """What is stored of a game, by what it was made with: other parts do not belong together."""
    found: dict[str, Review] = {}
    for number, part in enumerate(await store.review(game.summary.id), 1):
        made = decode_part(part)
        if made is not None:
            if made.version not in found:
                found[made.version] = Review(game, made.version)
            found[made.version].add(part.round, part.part, made)
        if number % _SLICE == 0:
            await asyncio.sleep(0)
    return found


async def keep_sheets_of(store: Store, review: Review) -> None:
    """Keep the sheets of a review that is done."""
    await store.write(keep_sheets, review.id, [encode_sheet(one) for one in review.sheets()])


async def keep_old_sheets(store: Store) -> None:
    """Keep those of reviews that were done by earlier versions, or just before a server died; as long as it takes."""
    after: str | None = ""
    while after is not None:
        try:
            games, following = await store.read(reviewed_games, after, _BATCH)
            for game in games:
                await _keep_old(store, game)
                await asyncio.sleep(_PAUSE_S)
            after = following
        except StoreError as error:
            log.warning("sheets of reviewed games are kept later: %s", error)
            await asyncio.sleep(_RETRY_S)


async def _keep_old(store: Store, game_id: str) -> None:
    game = await store.game(game_id)
    if game is None:
        return  # Forgotten since.
    reviews = await stored_reviews(store, game)
    done = next((review for review in reviews.values() if review.is_done), None)
    if done is not None:
        await keep_sheets_of(store, done)
    for review in reviews.values():
        await review.dissolve()
