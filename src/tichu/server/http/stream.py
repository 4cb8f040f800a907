"""The messages of a table as lines of JSON over HTTP, for programs."""

import asyncio
import importlib
from collections.abc import AsyncIterator, Callable, Mapping

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from tichu.server.http.addresses import address_of, relayed_by
from tichu.server.http.bodies import enter, number, token_owner
from tichu.server.http.endpoints import Endpoint, Parameter
from tichu.server.http.middleware import Connections
from tichu.server.http.responses import Failure
from tichu.server.keeper import Permission
from tichu.server.lobby import Lobby
from tichu.server.outbox import Outbox
from tichu.server.players import hash_token

__all__ = ["Streams"]

_MOST = 2**48

# Starlette's streams need it, and would load it while everybody waits for the first of them.
importlib.import_module("anyio._backends._asyncio")


class Streams:
    """Whoever reads along by HTTP."""

    def __init__(self, lobby: Lobby, connections: Connections) -> None:
        self._lobby = lobby
        self._connections = connections

    def endpoints(self) -> list[Endpoint]:
        """The one that there is."""
        since = Parameter(
            "since",
            "the last version seen: the welcome has what came after it",
            {"type": "integer", "minimum": 0, "maximum": _MOST},
        )
        return [
            Endpoint(
                *(
                    "GET",
                    "/api/tables/{table}/stream",
                    "streamTable",
                    "Messages of a table",
                    self.stream,
                    "application/x-ndjson",
                ),
                errors=(400, 404, 503),
                query=(since,),
                token="must",
            )
        ]

    async def stream(self, request: Request) -> Response:
        """The same messages as on a socket, one a line; empty lines keep the connection alive."""
        shown = await token_owner(request, self._lobby, request.path_params["table"])
        shown = await self._lobby.players.with_own_name(shown)
        since = number(request, "since", 0, _MOST)
        known, room = await enter(self._lobby, shown, request.path_params["table"])
        if self._lobby.is_closing or (room is None and self._lobby.shared is not None):
            raise Failure(503, "closing", "the server is closing; come back in a moment")
        if room is None:
            raise Failure(404, "no_such_table", "there is no such table, or no longer")
        if known is None:
            raise Failure(401, "wrong_token", "this token has just ended")
        if not self._lobby.may_come(room, known.player):
            raise Failure(429, "too_many", "too many people are at this table")
        address = address_of(request.scope)
        if not self._connections.enter(address):
            self._lobby.metrics.guarded.labels("connections").inc()
            raise Failure(429, "too_many", "too many connections from this address")
        outbox = Outbox(self._lobby.config.limits.waiting, via=relayed_by(request.scope))
        outbox.token_hash = hash_token(known.token)
        self._lobby.metrics.sockets.inc()
        # At once: the room would not stay for nobody until the first line is asked for.
        player = known.player._replace(address=address)
        room.connect(player, outbox, since, "" if known.table else known.token)

        def leave() -> None:
            room.disconnect(known.player, outbox)
            self._lobby.metrics.sockets.dec()
            self._connections.leave(address)

        headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
        lines = _lines(outbox, self._lobby.config.limits.keep_alive_seconds)
        if self._lobby.shared is not None:
            lines = _held(lines, self._lobby.shared.lease)
        return _Counted(lines, leave, headers)


async def _lines(outbox: Outbox, keep_alive_seconds: float) -> AsyncIterator[bytes]:
    while True:
        try:
            data = await asyncio.wait_for(outbox.next(), keep_alive_seconds)
        except TimeoutError:
            yield b"\n"
            continue
        if data is None:
            return
        yield data + b"\n"


async def _held(lines: AsyncIterator[bytes], lease: Permission) -> AsyncIterator[bytes]:
    """A node that may not speak for its tables sends nothing."""
    async for line in lines:
        await lease.wait()
        yield line


class _Counted(StreamingResponse):
    """A stream that is no longer counted when it ends, also if it never began."""

    def __init__(self, lines: AsyncIterator[bytes], left: Callable[[], None], headers: Mapping[str, str]) -> None:
        super().__init__(lines, headers=headers, media_type="application/x-ndjson")
        self._left = left

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._left()
