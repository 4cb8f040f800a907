"""The HTTP API: players, tables, commands.  Games are in :mod:`.games`."""

from typing import Final, Literal

from starlette.requests import Request
from starlette.responses import Response

from tichu import __version__
from tichu.agents.registry import LEVELS
from tichu.core.errors import GameError
from tichu.core.rules import FIELDS, PRESETS
from tichu.server.accounts.guests import under_free_name
from tichu.server.accounts.restrictions import mute_refusal
from tichu.server.capacity import TooManyTables
from tichu.server.http.addresses import address_of
from tichu.server.http.bodies import bearer, body, decoder_of, enter, require_let_in, shown_player, token_owner
from tichu.server.http.endpoints import Endpoint, Parameter
from tichu.server.http.links import base_url, qr_svg, seat_link, table_link
from tichu.server.http.ratings import require_rating
from tichu.server.http.responses import Failure, json_response
from tichu.server.lobby import Lobby
from tichu.server.players import Identity
from tichu.server.table.seating import BOTS, USUAL_LEVEL
from tichu.server.wire import Action, Answer, Check, Command, Emote, Hint, Refused, Say, Sit, TableCommand, You
from tichu.server.wire.accounts import SeatKey
from tichu.server.wire.requests import (
    BotInfo,
    BotList,
    CodeInfo,
    Health,
    NewPlayer,
    NewTable,
    NewTableAnswer,
    Preset,
    QrRequest,
    Registered,
    RuleField,
    RulesInfo,
    TableInfo,
    TableList,
)

__all__ = ["Api"]

Said = Action | TableCommand | Check | Hint

_NEW_PLAYER: Final = decoder_of(NewPlayer)
_NEW_TABLE: Final = decoder_of(NewTable)
_QR: Final = decoder_of(QrRequest)
_SAID: Final = decoder_of(Said)


class Api:
    """What can be asked of a server, table by table."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby

    def endpoints(self) -> list[Endpoint]:
        """All of them, with what each takes and answers."""
        path = Parameter("path", "from the slash after the host on: /t/ID", {"type": "string"}, is_required=True)
        return [
            Endpoint(
                "POST", "/api/players", "registerPlayer", "Get a token", self.make_player, Registered, NewPlayer, 201
            ),
            Endpoint("GET", "/api/tables", "listTables", "Public tables", self.tables, TableList, token="may"),
            Endpoint(
                *("POST", "/api/tables", "makeTable", "Make a table", self.make_table, NewTableAnswer, NewTable, 201),
                errors=(409, 503),
                token="may",
            ),
            Endpoint("GET", "/api/tables/{table}", "readTable", "A table", self.table, TableInfo, errors=(404,)),
            Endpoint(
                *(
                    "POST",
                    "/api/tables/{table}/commands",
                    "sendCommand",
                    "Say something at a table",
                    self.say,
                    Answer,
                    Said,
                ),
                errors=(404, 503),
                token="must",
            ),
            Endpoint(
                *("POST", "/api/tables/{table}/key", "makeSeatKey", "A key for your seat", self.seat_key, SeatKey),
                None,
                201,
                (404, 409),
                token="must",
            ),
            Endpoint("GET", "/api/codes/{code}", "findCode", "The table of a code", self.code, CodeInfo, errors=(404,)),
            Endpoint("GET", "/api/rules", "listRules", "Rule sets", self.rules, RulesInfo),
            Endpoint("GET", "/api/bots", "listBots", "Bots", self.bots, BotList),
            Endpoint(
                *("GET", "/api/qr", "drawLink", "A link of this server as a picture", self.qr, "image/svg+xml"),
                errors=(400,),
                query=(path,),
                is_costly=True,
            ),
            Endpoint(
                "POST",
                "/api/qr",
                "drawSecretLink",
                "A secret link as a picture",
                self.secret_qr,
                "image/svg+xml",
                QrRequest,
                is_costly=True,
            ),
            Endpoint("GET", "/healthz", "checkHealth", "Whether the server is there", self.health, Health, also=(503,)),
        ]

    def base(self, request: Request) -> str:
        """How whoever asks sees this server."""
        return base_url(self._lobby.config, request.url.scheme, request.url.netloc)

    async def make_player(self, request: Request) -> Response:
        """A token, for bots and programs too."""
        new: NewPlayer = await body(request, _NEW_PLAYER)
        known = await self._new_player(request, new)
        answer = Registered(player=known.player.id, name=known.player.name, kind=known.kind, token=known.token)
        return json_response(answer, 201)

    async def tables(self, request: Request) -> Response:
        """Public tables where there is something to join or to see, and nobody of a block."""
        asker = await shown_player(request, self._lobby)
        unwanted = await self._lobby.accounts.relations.blocks(asker) if asker else ()
        return json_response(TableList(tables=tuple(await self._lobby.offers(unwanted))))

    async def table(self, request: Request) -> Response:
        """One table."""
        found = self._lobby.find(request.path_params["table"])
        if found is None:
            raise self._no_table()
        link = table_link(self.base(request), found.id)
        return json_response(TableInfo(table=found.state(), link=link, qr=self._qr_path(found.id)))

    async def code(self, request: Request) -> Response:
        """The table that a friend named by its code."""
        if not self._lobby.may_look_up(address_of(request.scope)):
            raise Failure(429, "too_fast", "too many codes from this address; wait a minute")
        table = await self._lobby.id_of_code(request.path_params["code"])
        if table is None:
            raise Failure(404, "no_such_code", "no table has this code")
        return json_response(CodeInfo(table=table, link=table_link(self.base(request), table)))

    async def make_table(self, request: Request) -> Response:
        """A table with its seats filled as asked for."""
        if self._lobby.is_closing:
            raise Failure(503, "closing", "the server is closing; come back in a moment")
        new: NewTable = await body(request, _NEW_TABLE)
        require_rating(self._lobby, is_rated=new.settings.rated)
        token = bearer(request)
        known = None if token is None else await self._lobby.players.identify(token, new.name)
        if token is not None and known is None:
            raise Failure(401, "wrong_token", "nobody has this token; POST /api/players gives one")
        if known is not None and known.table is not None:
            raise Failure(401, "wrong_token", "this is the key of one seat at one table, and good for nothing else")
        if known is not None:
            require_let_in(known, self._lobby)
        if known is None:
            known = await self._new_player(request, NewPlayer(name=new.name))
        else:
            self._count(request)
        known = await self._lobby.players.with_own_name(known)
        try:
            room = await self._lobby.open_table(
                new.settings,
                known.player,
                new.seats or ("you",),
                start=new.start,
                address=address_of(request.scope),
            )
        except GameError as error:
            raise Failure(400, "wrong_settings", f"the table: {error}") from None
        except TooManyTables as error:
            raise Failure(429, "too_many", str(error)) from None
        base, state = self.base(request), room.state()
        seat = next((at for at, one in enumerate(state.seats) if one.player == known.player.id), None)
        answer_to_host = NewTableAnswer(
            table=state,
            link=table_link(base, room.id),
            qr=self._qr_path(room.id),
            seat_link=seat_link(base, room.id, await self._seat_key(known, room.id)),
            you=You(player=known.player.id, name=known.player.name, token=known.token, seat=seat),
        )
        return json_response(answer_to_host, 201)

    async def say(self, request: Request) -> Response:
        """A command, a check or a hint; the answer is the one that a socket would get."""
        table = request.path_params["table"]
        known = await token_owner(request, self._lobby, table)
        found = self._lobby.find(table)
        if found is None:
            raise self._no_table()
        posted: Command | Check | Hint = await body(request, _SAID)
        if isinstance(posted, Say | Emote):
            muted = await mute_refusal(self._lobby.store, self._lobby.time(), known.player.id, posted)
            if muted is not None:
                return json_response(muted)
        player, said = await under_free_name(self._lobby.players, known, posted)
        if isinstance(said, Sit):
            others = [seat.player for seat in found.state().seats if seat.player]
            player, said = await self._lobby.accounts.relations.sitting(player, said, others)
        if isinstance(said, Refused):
            return json_response(said)
        current, room = await enter(self._lobby, known, table)
        if room is None:
            raise self._no_table()
        if current is None:
            raise Failure(401, "wrong_token", "this token has just ended")
        try:
            answer = await room.answer(player, said, self._lobby.config.limits.answer_seconds)
        except TimeoutError:
            raise Failure(503, "no_answer", "no answer yet; the same command may be sent again") from None
        return json_response(answer)

    async def seat_key(self, request: Request) -> Response:
        """A key for the seat of whoever asks, for another device; it ends with the game."""
        known, table = await token_owner(request, self._lobby), request.path_params["table"]
        found = self._lobby.find(table)
        if found is None:
            raise self._no_table()
        if not any(one.player == known.player.id for one in found.state().seats):
            raise Failure(409, "not_seated", "you have no seat at this table")
        self._count(request)
        key = await self._seat_key(known, table)
        return json_response(SeatKey(key=key, link=seat_link(self.base(request), table, key)), 201)

    async def _seat_key(self, known: Identity, table: str) -> str:
        key = await self._lobby.players.seat_key(known, table)
        if key is None:
            raise Failure(401, "wrong_token", "this token has just ended")
        return key

    async def rules(self, request: Request) -> Response:
        """What a rule set may say."""
        return json_response(
            RulesInfo(
                presets=tuple(
                    Preset(name=name, fields={field: str(getattr(preset, field)) for field in FIELDS})
                    for name, preset in PRESETS.items()
                ),
                fields=tuple(RuleField(name=name, values=values) for name, values in FIELDS.items()),
            )
        )

    async def bots(self, request: Request) -> Response:
        """Who may be put into a seat."""
        bots = tuple(BotInfo(name=name, is_level=name in LEVELS) for name in BOTS)
        return json_response(BotList(bots=bots, default=USUAL_LEVEL))

    async def qr(self, request: Request) -> Response:
        """The picture of an address without secrets."""
        path = request.query_params.get("path", "")
        if not path.startswith("/") or len(path) > 200 or not path.isascii() or not path.isprintable() or "#" in path:
            raise Failure(400, "malformed", "the query: path is written /t/ID; links with a token are posted")
        picture = await self._picture(request, path)
        return Response(picture, headers={"cache-control": "private, max-age=3600"}, media_type="image/svg+xml")

    async def secret_qr(self, request: Request) -> Response:
        """The picture of an address with a token, which no log may have."""
        wanted: QrRequest = await body(request, _QR)
        picture = await self._picture(request, wanted.path)
        return Response(picture, headers={"cache-control": "no-store"}, media_type="image/svg+xml")

    async def health(self, request: Request) -> Response:
        """For whoever watches over servers."""
        lobby = self._lobby
        status: Literal["ok", "closing", "failing"] = "ok"
        if lobby.is_closing:
            status = "closing"
        elif not await lobby.works():
            status = "failing"
        tables = len(lobby.rooms) + len(lobby.resting)
        health = Health(status=status, version=__version__, tables=tables, sockets=lobby.metrics.open_sockets())
        return json_response(health, 200 if status == "ok" else 503)

    async def _picture(self, request: Request, path: str) -> bytes:
        return await self._lobby.background.run(qr_svg, self.base(request) + path)

    def _qr_path(self, table: str) -> str:
        return f"{self._lobby.config.prefix}/api/qr?path=/t/{table}"

    def _no_table(self) -> Failure:
        # Whoever asks a node comes here only if there is such a table.
        if self._lobby.is_closing or self._lobby.shared is not None:
            return Failure(503, "closing", "the server is closing; come back in a moment")
        return Failure(404, "no_such_table", "there is no such table, or no longer")

    async def _new_player(self, request: Request, new: NewPlayer) -> Identity:
        self._count(request)
        return await self._lobby.players.register(new.name, new.kind)

    def _count(self, request: Request) -> None:
        if not self._lobby.may_make(address_of(request.scope)):
            raise Failure(429, "too_fast", "too many new players and tables from this address; wait a minute")
