"""Answers that nobody reads, while the server goes on and when it ends."""

import asyncio
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest
from starlette.types import ASGIApp, Receive, Scope, Send
from websockets.protocol import State

from tichu.server import serve
from tichu.server.http.uvicorn_server import ConnectionLimit, Server, WebSocketProtocol
from tichu.server.serve import listen

pytestmark = pytest.mark.anyio

GET = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
HANDSHAKE = (
    b"GET /ws/v1 HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)
#: A goodbye with the code 1000, as a client writes it.
CLOSE = b"\x88\x82\0\0\0\0\x03\xe8"
#: More than the system takes for a reader with small buffers, and less than the server stops at.
UNREAD = 40_000


async def talkative(scope: Scope, receive: Receive, send: Send) -> None:
    """Says more than is read."""
    if scope["type"] == "http":
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": UNREAD * b"a"})
        return
    await send({"type": "websocket.accept"})
    await send({"type": "websocket.send", "text": UNREAD * "a"})
    while (await receive())["type"] != "websocket.disconnect":
        pass


async def silent(scope: Scope, receive: Receive, send: Send) -> None:
    """Waits for something that does not come, as for a store that is stuck."""
    if scope["type"] == "websocket":
        await send({"type": "websocket.accept"})
    await asyncio.Event().wait()


@asynccontextmanager
async def visited(app: ASGIApp, said: bytes) -> AsyncIterator[tuple[Server, socket.socket]]:
    """A server and somebody who says something and reads nothing; at the end the server ends too."""

    async def nothing() -> None: ...

    server = Server(app, 10.0, ConnectionLimit(10), close_first=nothing)
    server.config.timeout_graceful_shutdown = 1
    with listen("127.0.0.1", 0) as place, socket.socket() as visitor:
        place.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
        visitor.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
        serving = asyncio.create_task(server.serve([place]))
        await until(lambda: server.started)
        visitor.connect(place.getsockname())
        visitor.sendall(said)
        yield server, visitor
        server.should_exit = True
        await serving


async def until(is_so: Callable[[], object]) -> None:
    async with asyncio.timeout(30):
        while not is_so():
            await asyncio.sleep(0.01)


def unread(server: Server) -> int:
    return sum(one.transport.get_write_buffer_size() for one in server.server_state.connections)


async def test_who_says_goodbye_and_does_not_read_keeps_nobody_from_ending(caplog: pytest.LogCaptureFixture) -> None:
    async with visited(talkative, HANDSHAKE) as (server, visitor):
        await until(lambda: unread(server))
        visitor.sendall(CLOSE)
        (connection,) = server.server_state.connections
        assert isinstance(connection, WebSocketProtocol)
        await until(lambda: connection.conn.state is not State.OPEN)
    assert not server.server_state.connections
    assert "Traceback" not in caplog.text


@pytest.mark.parametrize("said", [GET, HANDSHAKE], ids=["request", "socket"])
async def test_what_still_waits_at_the_end_writes_no_traceback(said: bytes, caplog: pytest.LogCaptureFixture) -> None:
    async with visited(silent, said) as (server, _):
        await until(lambda: server.server_state.tasks)
    await until(lambda: not server.server_state.tasks)
    assert "Traceback" not in caplog.text


@pytest.mark.skipif(not hasattr(socket, "TCP_USER_TIMEOUT"), reason="this system waits for ever")
@pytest.mark.parametrize("said", [GET, HANDSHAKE], ids=["request", "socket"])
async def test_who_does_not_read_is_let_go(said: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serve, "_UNREAD_S", 1)
    async with visited(talkative, said) as (server, _):
        await until(lambda: unread(server))
        await until(lambda: not server.server_state.connections)
