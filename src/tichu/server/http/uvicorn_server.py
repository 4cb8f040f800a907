"""uvicorn with timeouts and limits of our own; everything that leans on its inside is in this file.

By itself it waits for the rest of a request for ever, answers every ping of a socket that reads nothing, keeps all
parts of a message that never ends, and leaves the process when a signal comes.  ``pyproject.toml`` bounds its version,
and ``tests/server/test_uvicorn_server.py`` says what is missing when a new one is tried.
"""

import asyncio
import ipaddress
import logging
import signal
import socket
import struct
import threading
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, Final

import h11
import uvicorn
from starlette.types import ASGIApp, Scope
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame
from websockets.http11 import Request
from websockets.protocol import State

from tichu.server.config import FRAME_BYTES
from tichu.server.http.addresses import address_of
from tichu.server.mailbox import Mailbox

__all__ = ["BACKLOG", "ConnectionLimit", "HttpProtocol", "Server", "WebSocketProtocol", "frames_of", "is_relevant"]

#: A frame just over the limit is answered; what is far over it ends the connection.
_LARGEST_FRAME: Final = 4 * FRAME_BYTES
_SHUTDOWN_S: Final = 5

#: Connections that may wait, and those that are taken before others have their turn.
BACKLOG: Final = 2048
_ACCEPTED_AT_ONCE: Final = 32

#: What may wait for a socket that reads nothing, beyond the messages of a table.
_MOST_UNREAD: Final = 262_144
_MOST_PARTS: Final = 128
#: Messages that may wait to be heard before no more are read; to stop and go on costs as much as to read one.
_MOST_UNHEARD: Final = 4

#: The extension under which the scope of a socket has a function that sends frames at once.
_FRAMES: Final = "tichu.frames"

_BAD_REQUEST: Final = b"HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"

#: What uvicorn says about clients, once for each of their requests; a log is for what happens here.
IRRELEVANT: Final = (
    "Invalid HTTP request received.",
    "Invalid UTF-8 sequence received from client.",
    "Unsupported upgrade request.",
    "ASGI callable returned without completing handshake.",
)


def is_relevant(record: logging.LogRecord) -> bool:
    """Whether a line of uvicorn's belongs into the log; what the server itself gives up when it ends does not."""
    is_given_up = record.exc_info is not None and isinstance(record.exc_info[1], asyncio.CancelledError)
    return record.msg not in IRRELEVANT and not is_given_up


def _untie(transport: asyncio.BaseTransport) -> None:
    """A transport of asyncio keeps a method of its own, a cycle that only a search for garbage finds."""
    if hasattr(transport, "_read_ready_cb"):
        transport._read_ready_cb = None


def frames_of(scope: Scope) -> Callable[[Sequence[bytes]], bool] | None:
    """Sends text frames on this socket at once, and says if it could; another server than ours has none."""
    found: Callable[[Sequence[bytes]], bool] | None = scope.get("extensions", {}).get(_FRAMES, {}).get("send")
    return found


class ConnectionLimit:
    """How many connections every address has, counted before the first byte comes."""

    def __init__(
        self, most: int, trusted_proxies: Sequence[str] = (), is_node: Callable[[str], bool] | None = None
    ) -> None:
        self._most = most
        #: Whether another node is at this address.
        self._is_node = is_node
        self._proxies = tuple(ipaddress.ip_network(proxy, strict=False) for proxy in trusted_proxies)
        self._counts: Counter[str] = Counter()
        #: Connections that are over, of all addresses.
        self.ended = 0

    def enter(self, peer: str) -> str | None:
        """The address under which the connection is counted, None if there is no room for it."""
        try:
            address = ipaddress.ip_address(peer)
        except ValueError:
            return ""  # A socket of this machine.
        if any(address in proxy for proxy in self._proxies) or (self._is_node is not None and self._is_node(peer)):
            return ""  # It speaks for many; what it forwards is counted later.
        counted = address_of({"client": (peer, 0)})
        if self._counts[counted] >= self._most:
            return None
        self._counts[counted] += 1
        return counted

    def leave(self, counted: str | None) -> None:
        """One less, or one that there was no room for."""
        self.ended += 1
        if counted:
            self._counts[counted] -= 1
            if not self._counts[counted]:
                del self._counts[counted]


class HttpProtocol(H11Protocol):
    """A connection whose requests must be complete a number of seconds after they have begun."""

    def __init__(self, seconds: float, connections: ConnectionLimit, **parts: Any) -> None:
        super().__init__(**parts)
        self._seconds = seconds
        self._connections = connections
        self._counted: str | None = ""
        self._timeout: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Also who says nothing at all has begun."""
        super().connection_made(transport)
        peer = transport.get_extra_info("peername")
        self._counted = self._connections.enter(peer[0] if isinstance(peer, tuple) else "")
        if self._counted is None:
            transport.abort()
        self._watch()

    def data_received(self, data: bytes) -> None:
        """A part of a request, or more than one."""
        super().data_received(data)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """The other side has gone."""
        super().connection_lost(exc)
        # Where it broke off, too: the timer and the connection would keep each other in memory.
        self._unset_keepalive_if_required()
        self._leave()
        self._stop_watching()
        _untie(self.transport)

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """The connection goes on as a WebSocket, which then says when it is over."""
        super().handle_websocket_upgrade(event)
        protocol = self.transport.get_protocol()
        if isinstance(protocol, WebSocketProtocol):
            # Without this connection itself, which would stay in memory for as long as the socket is open.
            counted, self._counted = self._counted, None
            protocol.on_lost = partial(self._connections.leave, counted)
            if not protocol.handshake_initiated:
                # With a body, or with long or many headers, it is a request for h11 and none for websockets, which
                # says so to nobody: the connection would stay open for ever.
                self.transport.write(_BAD_REQUEST)
                self.transport.close()

    def send_400_response(self, msg: str) -> None:
        """Say that it cannot be read, unless its answer has begun; what is still to be answered is not any more."""
        cycle = getattr(self, "cycle", None)
        if cycle is not None and not cycle.response_complete:
            cycle.disconnected = True
            cycle.message_event.set()
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            super().send_400_response(msg)
        else:
            self.transport.close()

    def _leave(self) -> None:
        counted, self._counted = self._counted, None
        self._connections.leave(counted)

    def _watch(self) -> None:
        is_ours = self.transport.get_protocol() is self  # And not a WebSocket by now.
        if not is_ours or self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
            self._stop_watching()
        elif self._timeout is None:
            self._timeout = self.loop.call_later(self._seconds, self.transport.close)

    def _stop_watching(self) -> None:
        if self._timeout is not None:
            self._timeout.cancel()
            self._timeout = None


class WebSocketProtocol(WebSocketsSansIOProtocol):
    """A socket that cannot fill the memory with what it does not read or does not finish."""

    _parts = 0
    #: Called when the connection is over.
    on_lost: Callable[[], None] | None = None

    def __init__(self, *parts: Any, **named: Any) -> None:
        super().__init__(*parts, **named)
        self.queue: Mailbox[Any] = Mailbox()  # type: ignore[assignment]

    def handle_connect(self, event: Request) -> None:
        """The handshake: the application may send frames without being woken for each."""
        super().handle_connect(event)
        if hasattr(self, "scope"):
            self.scope["extensions"][_FRAMES] = {"send": self.send_now}

    def send_now(self, texts: Sequence[bytes]) -> bool:
        """Send text frames in one go, unless the other side is slow, has gone, or has not been let in."""
        if not (self.handshake_complete and self.writable.is_set()) or self.close_sent or self.disconnected:
            return False
        if self.transport.is_closing() or self.conn.state is not State.OPEN or self.conn.extensions:
            return False
        parts: list[bytes] = []
        for text in texts:
            parts += (_head_of(len(text)), text)
        self.transport.write(b"".join(parts))
        return True

    def send_receive_event_to_app(self) -> None:
        """A message is complete; the other side is only kept waiting if more of them wait here."""
        if self.read_paused or self.queue.qsize() >= _MOST_UNHEARD:
            super().send_receive_event_to_app()
            return
        self.read_paused = True
        super().send_receive_event_to_app()
        self.read_paused = False

    def connection_lost(self, exc: Exception | None) -> None:
        """The other side has gone."""
        super().connection_lost(exc)
        if self.on_lost is not None:
            self.on_lost()
        if hasattr(self, "scope"):
            self.scope["extensions"].pop(_FRAMES, None)
        _untie(self.transport)

    def shutdown(self) -> None:
        """Say goodbye because the server ends, unless the other side has done so and does not read the answer."""
        if self.handshake_complete and not self.close_sent and self.conn.state is not State.OPEN:
            self.transport.abort()
        else:
            super().shutdown()

    def send_500_response(self) -> None:
        """Refuse a handshake when the server ends; the application, which may be about to, does not refuse it again."""
        super().send_500_response()
        self.disconnected = self.disconnected or self.conn.eof_sent

    def handle_ping(self) -> None:
        """Answer, as long as answers are read."""
        if self.transport.is_closing():
            return
        super().handle_ping()
        if self.transport.get_write_buffer_size() > _MOST_UNREAD:
            self.transport.abort()

    def handle_text(self, event: Frame) -> None:
        """The first part of a message, and mostly the only one."""
        self._parts = 0
        super().handle_text(event)

    def handle_bytes(self, event: Frame) -> None:
        """The first part of a binary message."""
        self._parts = 0
        super().handle_bytes(event)

    def handle_cont(self, event: Frame) -> None:
        """A later part; the size of all of them has a limit already, their number has not."""
        self._parts += 1
        if self._parts < _MOST_PARTS:
            super().handle_cont(event)
        elif not self.transport.is_closing():
            self.transport.abort()


def _head_of(length: int) -> bytes:
    """What comes before the only frame of a text from the server (RFC 6455, 5.2)."""
    if length < 126:
        return bytes((0x81, length))
    return struct.pack("!BBH", 0x81, 126, length) if length < 65536 else struct.pack("!BBQ", 0x81, 127, length)


class Server(uvicorn.Server):
    """A server that ends by itself when a signal comes, after ``close_first`` has let everybody go."""

    def __init__(
        self,
        app: ASGIApp,
        request_seconds: float,
        connections: ConnectionLimit,
        close_first: Callable[[], Awaitable[None]],
    ) -> None:
        self._close_first = close_first
        super().__init__(
            uvicorn.Config(
                app,
                http=partial(HttpProtocol, request_seconds, connections),  # type: ignore[arg-type]
                ws=WebSocketProtocol,
                ws_max_size=_LARGEST_FRAME,
                ws_per_message_deflate=False,
                lifespan="off",
                # Ours is what is believed about proxies, and what is written to the log.
                proxy_headers=False,
                access_log=False,
                log_config=None,
                server_header=False,
                timeout_graceful_shutdown=_SHUTDOWN_S,
                # asyncio takes as many connections in one step, and with 2,048 of them nobody else has a turn.
                backlog=_ACCEPTED_AT_ONCE,
            )
        )
        logging.getLogger("uvicorn").setLevel(logging.WARNING)
        logging.getLogger("uvicorn.error").addFilter(is_relevant)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Let a signal end the server and nothing else, so that the store is closed after it."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {sign: signal.signal(sign, self.handle_exit) for sign in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for sign, handler in before.items():
                signal.signal(sign, handler)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen; more connections may wait than are taken in one step."""
        await super().startup(sockets)
        for place in sockets or ():
            place.listen(BACKLOG)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End all connections."""
        await self._close_first()
        await super().shutdown(sockets)
