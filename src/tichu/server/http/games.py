"""Finished games over HTTP.  Only finished games are kept, so no hand of a game in progress can be asked for here."""

import asyncio
import gzip
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from tichu.core.actions import format_action
from tichu.core.deals import format_deal
from tichu.core.errors import GameError
from tichu.core.record import Record, format_record, read_jsonl
from tichu.formats.bsw import format_tch
from tichu.server.http.bodies import number, token_owner
from tichu.server.http.endpoints import Endpoint, Parameter
from tichu.server.http.player_stats import player_stats, winner_of
from tichu.server.http.replay import replay_views
from tichu.server.http.responses import Failure, json_response
from tichu.server.lobby import Lobby
from tichu.server.log import FinishedGame, GameSummary
from tichu.server.wire import ENCODER
from tichu.server.wire.requests import GameFile, GameInfo, GameList, GameViews, Me, RoundFile

__all__ = ["Games"]

_LISTED: Final = 50
#: Results are counted over the last games, up to this many.
_COUNTED: Final = 200
_LATEST: Final = 2**48
_MOST_ROUNDS: Final = 1000


class Games:
    """What can be asked about finished games."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        # Views take a while to make; one at a time leaves the processor to the tables.
        self._replaying = asyncio.Lock()

    def endpoints(self) -> list[Endpoint]:
        """All of them, with what each takes and answers."""
        game = "/api/games/{game}"
        before = Parameter(
            "before",
            "finished before, in milliseconds since 1970",
            {"type": "integer", "minimum": 0, "maximum": _LATEST},
        )
        limit = Parameter("limit", "how many", {"type": "integer", "minimum": 1, "maximum": _LISTED})
        seat = Parameter("seat", "as this seat saw it", {"type": "integer", "minimum": 0, "maximum": 3})
        one = Parameter("round", "only this round, from 0", {"type": "integer", "minimum": 0, "maximum": _MOST_ROUNDS})
        return [
            Endpoint("GET", "/api/me", "Your results", self.me, Me, token="must"),
            Endpoint(
                *("GET", "/api/games", "Your games", self.games, GameList),
                errors=(400,),
                query=(before, limit),
                token="must",
            ),
            Endpoint("GET", f"{game}.ttn", "A game as TTN", self.ttn, "text/plain; charset=utf-8", errors=(404,)),
            Endpoint(
                "GET", f"{game}.tch", "A game as BSW log", self.tch, "text/plain; charset=utf-8", errors=(404, 409)
            ),
            Endpoint("GET", f"{game}.json", "A game as JSON", self.file, GameFile, errors=(404,)),
            Endpoint(
                "GET",
                f"{game}/views",
                "A game, view by view",
                self.views,
                GameViews,
                None,
                200,
                (400, 404),
                (seat, one),
            ),
            Endpoint("GET", game, "About a game", self.game, GameInfo, errors=(404,)),
        ]

    async def me(self, request: Request) -> Response:
        """Who the token belongs to, and how they play."""
        known = await token_owner(request, self._lobby)
        player = known.player
        summaries = await self._lobby.store.games(player.id, limit=_COUNTED)
        counted = [await self._lobby.store.game(one.id) for one in summaries if not one.casual]
        results = player_stats(player.id, [game for game in counted if game is not None])
        own = tuple(room.state() for room in self._lobby.rooms.values() if room.seats_player(player.id))
        return json_response(Me(player=player.id, name=player.name, kind=known.kind, results=results, tables=own))

    async def games(self, request: Request) -> Response:
        """Games of whoever asks, latest first."""
        known = await token_owner(request, self._lobby)
        before = number(request, "before", 0, _LATEST)
        limit = number(request, "limit", 1, _LISTED) or _LISTED
        found = await self._lobby.store.games(
            known.player.id, before=None if before is None else before / 1000, limit=limit
        )
        more = round(found[-1].finished * 1000) if len(found) == limit else None
        games = [await self._info(one) for one in found]
        return json_response(GameList(games=tuple(games), before=more))

    async def game(self, request: Request) -> Response:
        """Who played and how it ended."""
        game = await self._find_game(request)
        return json_response(_info(game.summary, winner_of(game)))

    async def ttn(self, request: Request) -> Response:
        """The game as TTN."""
        game = await self._find_game(request)
        return _text(format_record(_record(game)), f"{game.summary.id}.ttn")

    async def tch(self, request: Request) -> Response:
        """The game as a log of BrettspielWelt."""
        game = await self._find_game(request)
        try:
            text = format_tch(_record(game))
        except GameError as error:
            raise Failure(409, "not_writable", f"this game cannot be written as .tch: {error}") from None
        return _text(text, f"{game.summary.id}.tch")

    async def file(self, request: Request) -> Response:
        """The game with everything in it."""
        game = await self._find_game(request)
        record = _record(game)
        rounds = tuple(
            RoundFile(
                deal=tuple(format_deal(one.deal).split(" / ")),
                actions=tuple(format_action(*action) for action in one.actions),
                score=one.score,
            )
            for one in record.rounds
        )
        return json_response(GameFile(game=_info(game.summary, winner_of(game)), tags=dict(record.tags), rounds=rounds))

    async def views(self, request: Request) -> Response:
        """The game, one view for every action."""
        seat = number(request, "seat", 0, 3)
        only = number(request, "round", 0, _MOST_ROUNDS)
        game = await self._find_game(request)
        record = _record(game)
        if only is not None and only >= len(record.rounds):
            raise Failure(404, "no_such_round", f"the game has {len(record.rounds)} rounds, counted from 0")

        def encode_views() -> bytes:
            rounds = replay_views(record, seat, only)
            return ENCODER.encode(
                GameViews(game=_info(game.summary, winner_of(game)), tags=dict(record.tags), seat=seat, rounds=rounds)
            )

        headers = {"cache-control": "no-store", "vary": "accept-encoding"}
        async with self._replaying:
            data = await asyncio.to_thread(encode_views)
            if "gzip" in request.headers.get("accept-encoding", ""):
                data = await asyncio.to_thread(gzip.compress, data, 5)
                headers["content-encoding"] = "gzip"
        return Response(data, headers=headers, media_type="application/json")

    async def _info(self, game: GameSummary) -> GameInfo:
        ours, theirs = game.score
        if ours != theirs:
            return _info(game, int(theirs > ours))
        whole = await self._lobby.store.game(game.id)
        return _info(game, 0 if whole is None else winner_of(whole))

    async def _find_game(self, request: Request) -> FinishedGame:
        game = await self._lobby.store.game(request.path_params["game"])
        if game is None:
            raise Failure(404, "no_such_game", "there is no such game; those in progress are not told")
        return game


def _record(game: FinishedGame) -> Record:
    return read_jsonl(game.record).record()


def _info(game: GameSummary, winner: int) -> GameInfo:
    return GameInfo(
        id=game.id,
        table=game.table,
        finished=round(game.finished * 1000),
        rules=game.rules,
        seats=game.seats,
        players=game.players,
        score=game.score,
        winner=winner,
        casual=game.casual,
    )


def _text(text: str, name: str) -> Response:
    headers = {"content-disposition": f'attachment; filename="{name}"', "cache-control": "no-store"}
    return Response(text.encode("utf-8", "replace"), headers=headers, media_type="text/plain; charset=utf-8")
