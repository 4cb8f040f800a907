"""The home page over HTTP: what goes on, in one answer."""

from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from tichu.server.home import HomeWatch, names_any
from tichu.server.http.bodies import bearer
from tichu.server.http.endpoints import Endpoint
from tichu.server.http.games import info_of
from tichu.server.http.people import person_of
from tichu.server.http.ratings import board_entry, rating_pool
from tichu.server.http.responses import json_response
from tichu.server.lobby import Lobby
from tichu.server.store.latest import Circle, circle_of
from tichu.server.store.matches import names_of
from tichu.server.wire.home import Home, HomeBoard, HomeSeekers, PersonHere

__all__ = ["HomeApi"]

#: Tables of each kind, games, people of the leaderboard and people whom one follows.
_TABLES: Final = 20
_WATCHABLE: Final = 12
_GAMES: Final = 6
_BOARD: Final = 5
_FOLLOWED: Final = 20
_NOBODY: Final = Circle([], frozenset())


class HomeApi:
    """What the home page shows."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        self._watch = HomeWatch(lobby)

    def endpoints(self) -> list[Endpoint]:
        """The one that there is."""
        return [Endpoint("GET", "/api/home", "readHome", "What goes on", self.home, Home, token="may")]

    async def home(self, request: Request) -> Response:
        """What goes on at public tables, and nobody of a block."""
        circle = await self._circle(bearer(request))
        seen = await self._watch.now(circle.unwanted)
        rated, casual = self._watch.seekers()
        answer = Home(
            tables=tuple(seen.tables[:_TABLES]),
            watchable=tuple(seen.watchable[:_WATCHABLE]),
            people=seen.people,
            playing=seen.playing,
            seekers=HomeSeekers(rated=rated, casual=casual),
            followed=await self._followed(circle),
            games=tuple([await info_of(self._lobby, game) for game in seen.games[:_GAMES]]),
            board=await self._board(circle.unwanted),
        )
        return json_response(answer)

    async def _circle(self, token: str | None) -> Circle:
        """Whom somebody wants to hear of, and whom not.  The key of a seat tells nothing of its owner's friends."""
        known = None if token is None else await self._lobby.players.identify(token)
        if known is None:
            return _NOBODY
        circle = await self._lobby.store.read(circle_of, known.player.id)
        return circle if known.table is None else circle._replace(follows=[])

    async def _followed(self, circle: Circle) -> tuple[PersonHere, ...]:
        """Those who are at public tables, but for tables with somebody of a block."""
        known = {one.id: one for one in circle.follows if one.id not in circle.unwanted}
        found: dict[str, PersonHere] = {}
        for table in await self._watch.tables_with(known):
            if names_any(table, circle.unwanted):
                continue
            for seat in table.seats:
                if seat.player in known and seat.connected:
                    found[seat.player] = PersonHere(
                        person=person_of(known[seat.player]),
                        table=table.id,
                        name=table.name,
                        playing=table.stage == "playing",
                    )
        return tuple(found[one] for one in known if one in found)[:_FOLLOWED]

    async def _board(self, unwanted: frozenset[str]) -> HomeBoard | None:
        found = self._watch.board(_BOARD, unwanted)
        if found is None:
            return None
        pool, listed = found
        names = await self._lobby.store.read(names_of, [player for player, _ in listed])
        entries = (board_entry(rank, (player,), names, one) for rank, (player, one) in enumerate(listed, 1))
        return HomeBoard(pool=rating_pool(pool), players=tuple(entries))
