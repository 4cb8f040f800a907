"""What a link looks like where somebody shares it: Open Graph tags in the head of the page.

Names come from people.  They are cleaned when they are given (:mod:`tichu.server.table.sanitize`) and escaped here; no
tag can end before its quotation mark does.  Whoever reads a preview has the link, so it tells no more than the API.
"""

import html
from collections.abc import Sequence
from typing import Final, NamedTuple

from starlette.requests import Request

from tichu.server.http.links import base_url, game_link, table_link
from tichu.server.lobby import Lobby
from tichu.server.log import GameSummary
from tichu.server.resting import RestingTable
from tichu.server.room import Room
from tichu.server.store import StoreError
from tichu.server.wire import TableState

__all__ = ["Preview", "Previews"]

_IMAGE: Final = "icon-512.png"


class Preview(NamedTuple):
    """What is said about a link."""

    title: str
    words: str
    link: str

    def tags(self, base: str) -> str:
        """As tags of HTML."""
        properties = {
            "og:site_name": "Tichu",
            "og:type": "website",
            "og:title": self.title,
            "og:description": self.words,
            "og:url": self.link,
            "og:image": f"{base}/{_IMAGE}",
        }
        tags = [f'<meta property="{name}" content="{html.escape(text)}">' for name, text in properties.items()]
        return "".join([*tags, '<meta name="twitter:card" content="summary">'])


class Previews:
    """Finds what there is to say about a page."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby

    async def tags(self, request: Request) -> str:
        """The tags of the page that is asked for."""
        base = base_url(self._lobby.config, request.url.scheme, request.url.netloc)
        return (await self._preview(base, request.scope["path"])).tags(base)

    async def _preview(self, base: str, path: str) -> Preview:
        match path.strip("/").split("/"):
            # By its id alone: whoever could ask for codes here could guess them.
            case ["t", table] if (found := await self._look(table)) is not None:
                state = found.state()
                return Preview(state.name or "A table of Tichu", _about_table(state), table_link(base, table))
            case ["game", game]:
                try:
                    kept = await self._lobby.store.game(game)
                except StoreError:
                    kept = None
                if kept is not None:
                    return Preview("A game of Tichu", _about_game(kept.summary), game_link(base, game))
        return Preview("Tichu", "The card game for two teams of two, at a table in the browser.", f"{base}/")

    async def _look(self, table: str) -> Room | RestingTable | None:
        """A table, unless this is a node that must not speak for it or cannot be asked for it now."""
        shared = self._lobby.shared
        try:
            found = await self._lobby.look(table)
        except StoreError:
            return None
        return found if shared is None or shared.lease.is_held else None


def _about_table(state: TableState) -> str:
    names = [seat.name for seat in state.seats]
    if state.stage != "open":
        return _teams(names, state.score)
    persons = [seat.name for seat in state.seats if seat.player is not None]
    free = sum(seat.player is None and seat.bot is None for seat in state.seats)
    here = f"{' and '.join(persons)} {'is' if len(persons) == 1 else 'are'} here. " if persons else ""
    seats = "All seats are taken." if not free else "One seat is free." if free == 1 else f"{free} seats are free."
    return f"Come and play Tichu. {here}{seats}"


def _about_game(game: GameSummary) -> str:
    return _teams(game.seats, game.score)


def _teams(names: Sequence[str], score: tuple[int, int]) -> str:
    return f"{names[0]} and {names[2]} against {names[1]} and {names[3]}, {score[0]} to {score[1]}."
