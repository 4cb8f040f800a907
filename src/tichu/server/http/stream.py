"""The messages of a table as lines of JSON over HTTP, for programs."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from tichu.server.http.addresses import address_of
from tichu.server.http.bodies import number, token_owner
from tichu.server.http.endpoints import Endpoint, Parameter
from tichu.server.http.middleware import Connections
from tichu.server.http.responses import Failure
from tichu.server.lobby import Identity, Lobby
from tichu.server.outbox import Outbox
from tichu.server.room import Room

__all__ = ["Streams"]

_MOST = 2**48


class Streams:
    """Whoever reads along by HTTP."""

    def __init__(self, lobby: Lobby, connections: Connections) -> None:
        self._lobby = lobby
        self._connections = connections

    def endpoints(self) -> list[Endpoint]:
        """The one that there is."""
        since = Parameter("since", "the last version seen", {"type": "integer", "minimum": 0, "maximum": _MOST})
        return [
            Endpoint(
                *("GET", "/api/tables/{table}/stream", "Messages of a table", self.stream, "application/x-ndjson"),
                errors=(400, 404, 503),
                query=(since,),
                token="must",
            )
        ]

    async def stream(self, request: Request) -> Response:
        """The same messages as on a socket, one a line; empty lines keep the connection alive."""
        known = await token_owner(request, self._lobby)
        since = number(request, "since", 0, _MOST)
        room = self._lobby.rooms.get(request.path_params["table"])
        if room is None:
            raise Failure(404, "no_such_table", "there is no such table, or no longer")
        if self._lobby.is_closing:
            raise Failure(503, "closing", "the server is closing; come back in a moment")
        address = address_of(request.scope)
        if not self._connections.enter(address):
            self._lobby.metrics.guarded.labels("connections").inc()
            raise Failure(429, "too_many", "too many connections from this address")
        lines = self._lines(room, known, since)
        headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
        return _Counted(lines, lambda: self._connections.leave(address), headers)

    async def _lines(self, room: Room, known: Identity, since: int | None) -> AsyncIterator[bytes]:
        limits = self._lobby.config.limits
        outbox = Outbox(limits.waiting)
        self._lobby.metrics.sockets.inc()
        room.connect(known.player, outbox, since, known.token)
        try:
            while True:
                try:
                    data = await asyncio.wait_for(outbox.next(), limits.keep_alive_seconds)
                except TimeoutError:
                    yield b"\n"
                    continue
                if data is None:
                    return
                yield data + b"\n"
        finally:
            room.disconnect(known.player, outbox)
            self._lobby.metrics.sockets.dec()


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
