"""Finished games over HTTP.  Only finished games are kept, so no hand of a game in progress can be asked for here."""

from collections.abc import Callable
from math import floor
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from tichu.server.http.bodies import number, token_owner
from tichu.server.http.endpoints import Endpoint, Parameter
from tichu.server.http.game_files import game_info, json_file, tch_file, ttn_file, views_file
from tichu.server.http.responses import Failure, SlicedResponse, json_response
from tichu.server.lobby import Lobby
from tichu.server.log import FinishedGame, GameSummary, SeatResult
from tichu.server.results import winner_of
from tichu.server.wire.requests import CallRate, GameFile, GameInfo, GameList, GameViews, Me, Results

__all__ = ["LATEST", "LISTED", "PAGE", "Games", "before_of", "find_game", "info_of", "results_of"]

LISTED: Final = 50
LATEST: Final = 2**48
#: Which games of a list.
PAGE: Final = (
    Parameter(
        "before",
        "only games that ended before, in milliseconds since 1970",
        {"type": "integer", "minimum": 0, "maximum": LATEST},
    ),
    Parameter("limit", f"how many at most; {LISTED} without it", {"type": "integer", "minimum": 1, "maximum": LISTED}),
)
_MOST_ROUNDS: Final = 1000


class Games:
    """What can be asked about finished games."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby

    def endpoints(self) -> list[Endpoint]:
        """All of them, with what each takes and answers."""
        game = "/api/games/{game}"
        seat = Parameter(
            "seat", "as this seat saw it; all hands without it", {"type": "integer", "minimum": 0, "maximum": 3}
        )
        one = Parameter("round", "only this round, from 0", {"type": "integer", "minimum": 0, "maximum": _MOST_ROUNDS})
        return [
            Endpoint("GET", "/api/me", "readMe", "Your results", self.me, Me, token="must", is_costly=True),
            Endpoint(
                *("GET", "/api/games", "listGames", "Your games", self.games, GameList),
                errors=(400,),
                query=PAGE,
                token="must",
            ),
            Endpoint(
                "GET",
                f"{game}.ttn",
                "readGameTtn",
                "A game as TTN",
                self.ttn,
                "text/plain; charset=utf-8",
                errors=(404,),
                is_costly=True,
            ),
            Endpoint(
                "GET",
                f"{game}.tch",
                "readGameTch",
                "A game as BSW log",
                self.tch,
                "text/plain; charset=utf-8",
                errors=(404, 409),
                is_costly=True,
            ),
            Endpoint(
                "GET",
                f"{game}.json",
                "readGameJson",
                "A game as JSON",
                self.file,
                GameFile,
                errors=(404,),
                is_costly=True,
            ),
            Endpoint(
                "GET",
                f"{game}/views",
                "readGameViews",
                "A game, view by view",
                self.views,
                GameViews,
                None,
                200,
                (400, 404),
                (seat, one),
                is_costly=True,
            ),
            Endpoint("GET", game, "readGame", "About a game", self.game, GameInfo, errors=(404,)),
        ]

    async def me(self, request: Request) -> Response:
        """Who the token belongs to, and how they play."""
        known = await token_owner(request, self._lobby)
        player = known.player
        results = results_of(*await self._lobby.store.results(player.id))
        own = tuple(await self._lobby.tables_of(player.id))
        return json_response(
            Me(player=player.id, name=player.name, kind=known.kind, account=player.account, results=results, tables=own)
        )

    async def games(self, request: Request) -> Response:
        """Games of whoever asks, latest first."""
        known = await token_owner(request, self._lobby)
        before = number(request, "before", 0, LATEST)
        limit = number(request, "limit", 1, LISTED) or LISTED
        found = await self._lobby.store.games(
            known.player.id, before=None if before is None else before / 1000, limit=limit
        )
        more = before_of(found[-1].finished) if len(found) == limit else None
        games = [await info_of(self._lobby, one) for one in found]
        return json_response(GameList(games=tuple(games), before=more))

    async def game(self, request: Request) -> Response:
        """Who played and how it ended."""
        game = await self._find_game(request)
        return json_response(game_info(game.summary, winner_of(game)))

    async def ttn(self, request: Request) -> Response:
        """The game as TTN."""
        return await self._download(request, ttn_file, "ttn")

    async def tch(self, request: Request) -> Response:
        """The game as a log of BrettspielWelt."""
        return await self._download(request, tch_file, "tch")

    async def file(self, request: Request) -> Response:
        """The game with everything in it."""
        data = await self._lobby.background.run(json_file, await self._find_game(request))
        return SlicedResponse(data, headers={"cache-control": "no-store"}, media_type="application/json")

    async def views(self, request: Request) -> Response:
        """The game, one view for every action."""
        seat = number(request, "seat", 0, 3)
        only = number(request, "round", 0, _MOST_ROUNDS)
        game = await self._find_game(request)
        is_gzipped = "gzip" in request.headers.get("accept-encoding", "")
        data = await self._lobby.background.run(views_file, game, seat, only, is_gzipped)
        headers = {"cache-control": "no-store", "vary": "accept-encoding"}
        if is_gzipped:
            headers["content-encoding"] = "gzip"
        return SlicedResponse(data, headers=headers, media_type="application/json")

    async def _download(self, request: Request, write: Callable[[FinishedGame], bytes], suffix: str) -> Response:
        game = await self._find_game(request)
        data = await self._lobby.background.run(write, game)
        name = f'attachment; filename="{game.summary.id}.{suffix}"'
        headers = {"content-disposition": name, "cache-control": "no-store"}
        return SlicedResponse(data, headers=headers, media_type="text/plain; charset=utf-8")

    async def _find_game(self, request: Request) -> FinishedGame:
        return await find_game(self._lobby, request.path_params["game"])


def before_of(finished: float) -> int:
    """Before when the games are that follow one in a list: not a moment after it ended, or it came once more.

    >>> before_of(1.0), before_of(1.0006), before_of(1.0009999999999999)
    (1000, 1000, 1000)
    """
    at = floor(1000 * finished)
    return at if at / 1000 <= finished else at - 1


async def info_of(lobby: Lobby, game: GameSummary) -> GameInfo:
    """What is told about a game in lists."""
    ours, theirs = game.score
    if game.winner is not None or ours != theirs:
        return game_info(game, int(theirs > ours) if game.winner is None else game.winner)
    whole = await lobby.store.game(game.id)
    return game_info(game, 0 if whole is None else winner_of(whole))


async def find_game(lobby: Lobby, game_id: str) -> FinishedGame:
    """A finished game.

    :raises Failure: there is none
    """
    # No id has anything else in it, and not every store can be asked for that.
    game = await lobby.store.game(game_id) if game_id.isascii() and game_id.isprintable() else None
    if game is None:
        raise Failure(404, "no_such_game", "there is no such game; those in progress are not told")
    return game


def results_of(games: int, sums: SeatResult) -> Results:
    """What so many games add up to."""
    return Results(
        games=games,
        won=sums.won,
        rounds=sums.rounds,
        points=(sums.points, sums.against),
        first_out=sums.first_out,
        double_victories=sums.double_victories,
        tichu=CallRate(called=sums.tichu_called, made=sums.tichu_made),
        grand=CallRate(called=sums.grand_called, made=sums.grand_made),
    )
