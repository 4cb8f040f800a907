"""Requests from one node to another: HTTP/1.1 over connections that are kept.

What is relayed may be repeated (reading, and commands that have ids), so a kept connection that turns out to be closed
is replaced by a new one.  A node that takes connections and says nothing is waited for as long as a command may take.
"""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import suppress
from typing import Final, NamedTuple
from urllib.parse import urlsplit

import h11

from tichu.server.keepalive import notice_end

__all__ = ["CLIENT", "NODE", "PROOF", "SCHEME", "Answer", "PeerClient", "PeerFailure"]

#: Headers by which a node proves itself, and says for whom it asks.
PROOF, CLIENT, SCHEME, NODE = "x-tichu-relay", "x-tichu-client", "x-tichu-scheme", "x-tichu-node"

_CONNECT_S: Final = 2.0
_READ: Final = 65_536
#: Connections kept to one node.
_KEPT: Final = 32

Headers = Sequence[tuple[bytes, bytes]]


class PeerFailure(Exception):
    """The other node did not answer."""


class _Connection:
    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._state = h11.Connection(h11.CLIENT)

    async def send(self, request: h11.Request, body: bytes) -> None:
        data = self._state.send(request) or b""
        if body:
            data += self._state.send(h11.Data(data=body)) or b""
        data += self._state.send(h11.EndOfMessage()) or b""
        self._writer.write(data)
        await self._writer.drain()

    async def next_event(self) -> h11.Event | type[h11.PAUSED]:
        while True:
            event = self._state.next_event()
            if event is not h11.NEED_DATA:
                return event  # type: ignore[return-value]
            self._state.receive_data(await self._reader.read(_READ))

    def may_be_kept(self) -> bool:
        """Whether it can be used once more."""
        if self._state.our_state is not h11.DONE or self._state.their_state is not h11.DONE:
            return False
        self._state.start_next_cycle()
        return not self._reader.at_eof()

    def close(self) -> None:
        self._writer.close()


class Answer(NamedTuple):
    """The beginning of an answer; the rest follows bit by bit."""

    status: int
    headers: Headers
    body: AsyncGenerator[bytes, None]


class PeerClient:
    """Talks to all other nodes."""

    def __init__(self, head_s: float) -> None:
        """Answers must begin within so many seconds."""
        self._head_s = head_s
        self._kept: dict[str, list[_Connection]] = {}

    async def request(self, url: str, method: str, target: bytes, headers: Headers, body: bytes) -> Answer:
        """Ask another node.  The body must be read to its end, or closed.

        :raises PeerFailure: it did not answer
        """
        request = h11.Request(method=method, target=target, headers=list(headers))
        try:
            async with asyncio.timeout(self._head_s):
                return await self._begin(url, request, body)
        except (OSError, TimeoutError, ValueError, h11.RemoteProtocolError) as error:  # Some addresses are none at all.
            if isinstance(error, TimeoutError):
                self._forget(url)  # They lead nowhere either.
            raise PeerFailure(str(error) or type(error).__name__) from None

    async def _begin(self, url: str, request: h11.Request, body: bytes) -> Answer:
        while kept := self._kept.get(url):
            connection = kept.pop()
            with suppress(OSError, h11.RemoteProtocolError):
                return await self._ask(url, connection, request, body)
        parts = urlsplit(url)
        async with asyncio.timeout(_CONNECT_S):
            reader, writer = await asyncio.open_connection(parts.hostname, parts.port or 80)
        notice_end(writer.get_extra_info("socket"))
        return await self._ask(url, _Connection(reader, writer), request, body)

    def _forget(self, url: str) -> None:
        for connection in self._kept.pop(url, []):
            connection.close()

    def close(self) -> None:
        """Keep no connections."""
        for url in list(self._kept):
            self._forget(url)

    async def _ask(self, url: str, connection: _Connection, request: h11.Request, body: bytes) -> Answer:
        try:
            await connection.send(request, body)
            event = await connection.next_event()
            while isinstance(event, h11.InformationalResponse):
                event = await connection.next_event()
        except BaseException:
            connection.close()
            raise
        if not isinstance(event, h11.Response):
            connection.close()
            raise h11.RemoteProtocolError("the connection was closed")
        return Answer(event.status_code, event.headers, self._body(url, connection))

    async def _body(self, url: str, connection: _Connection) -> AsyncGenerator[bytes, None]:
        is_whole = False
        try:
            while isinstance(event := await connection.next_event(), h11.Data):
                yield bytes(event.data)
            is_whole = isinstance(event, h11.EndOfMessage)
        except (OSError, h11.RemoteProtocolError) as error:
            raise PeerFailure(str(error)) from None
        finally:
            kept = self._kept.setdefault(url, [])
            if is_whole and len(kept) < _KEPT and connection.may_be_kept():
                kept.append(connection)
            else:
                connection.close()
