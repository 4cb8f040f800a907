"""Connections that begin something and never end it."""

import asyncio
import gc
import inspect
import json
import logging
import socket
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager
from itertools import pairwise
from pathlib import Path

import pytest
import uvicorn
from starlette.responses import Response
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocket
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.asyncio.client import connect as connect_async
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from tests.server.serving import Place, served
from tichu.server import wire
from tichu.server.config import Limits
from tichu.server.failures import quieten
from tichu.server.http.uvicorn_server import IRRELEVANT, ConnectionLimit, Server, frames_of
from tichu.server.serve import listen

pytestmark = pytest.mark.anyio

HASTY = Limits(request_seconds=0.3)
HANDSHAKE = (
    b" /ws/v1 HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
)
HEAD = b"GET /api/rules HTTP/1.1\r\nHost: localhost\r\n"
POST = b"POST /api/players HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n"


@asynccontextmanager
async def connection(place: Place) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    host, port = place.url.removeprefix("http://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    try:
        async with asyncio.timeout(20):
            yield reader, writer
    finally:
        writer.close()


@pytest.mark.parametrize("begun", [b"", b"GET / HT", HEAD + b"X-a: ", POST + b"{"])
async def test_a_request_that_is_never_finished_ends(begun: bytes, caplog: pytest.LogCaptureFixture) -> None:
    async with served(HASTY) as place, connection(place) as (reader, writer):
        writer.write(begun)
        assert await reader.read() == b""
        # Nothing of ours broke.
        assert "error" not in caplog.text


async def test_a_second_request_must_be_finished_too() -> None:
    async with served(HASTY) as place, connection(place) as (reader, writer):
        writer.write(HEAD + b"\r\n")
        assert await reader.readline() == b"HTTP/1.1 200 OK\r\n"
        writer.write(HEAD)
        assert b'"presets"' in await reader.read()


@pytest.mark.parametrize("path", [b"/api/rules", b"/healthz", b"/", b"/metrics", b"/nothing"])
async def test_a_body_that_breaks_while_its_request_is_answered_breaks_nothing(
    path: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    begun = b"GET " + path + b" HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
    async with served() as place:
        for body in (b"5\r\nhello\r\nno size\r\n", b"no size\r\n"):
            async with connection(place) as (reader, writer):
                writer.write(begun + body)
                assert (await reader.read()).startswith(b"HTTP/1.1 400 ")
            async with connection(place) as (reader, writer):
                writer.write(begun)
                # Here the answer is on its way, or there already.
                await reader.read(1)
                writer.write(body)
                await reader.read()
    assert "error" not in caplog.text.lower()
    assert "Traceback" not in caplog.text


@pytest.mark.parametrize(
    "rest",
    [
        b"Content-Length: 4\r\n\r\nbody",
        b"Transfer-Encoding: chunked\r\n\r\n",
        b"X: " + 9000 * b"y" + b"\r\n\r\n",
        b"".join(b"X-%d: y\r\n" % number for number in range(200)) + b"\r\n",
    ],
    ids=["body", "chunked", "long header", "many headers"],
)
async def test_a_handshake_that_only_half_of_the_server_can_read_is_refused(rest: bytes) -> None:
    async with served() as place:
        for method in (b"GET", b"POST"):
            async with connection(place) as (reader, writer):
                writer.write(method + HANDSHAKE + rest)
                assert (await reader.read()).startswith(b"HTTP/1.1 400 ")
        async with connection(place) as (reader, writer):
            writer.write(b"GET" + HANDSHAKE + b"\r\n")
            assert await reader.readline() == b"HTTP/1.1 101 Switching Protocols\r\n"


async def test_a_handshake_that_is_refused_while_the_server_ends_breaks_nothing(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def refuse(scope: Scope, receive: Receive, send: Send) -> None:
        for one in list(server.server_state.connections):
            one.shutdown()
        await WebSocket(scope, receive, send).send_denial_response(Response(status_code=503))

    async def nothing() -> None: ...

    server = Server(refuse, 10.0, ConnectionLimit(10), close_first=nothing)
    with listen("127.0.0.1", 0) as place:
        serving = asyncio.create_task(server.serve([place]))
        reader, writer = await asyncio.open_connection(*place.getsockname())
        writer.write(b"GET" + HANDSHAKE + b"\r\n")
        async with asyncio.timeout(20):
            assert (await reader.read()).startswith(b"HTTP/1.1 500 ")
        writer.close()
        server.should_exit = True
        await serving
    assert "Traceback" not in caplog.text


async def test_a_flood_of_connections_is_taken_in_small_steps() -> None:
    async def answer(scope: Scope, receive: Receive, send: Send) -> None: ...  # Nobody asks for anything.

    async def nothing() -> None: ...

    server = Server(answer, 20.0, ConnectionLimit(1000), close_first=nothing)
    with listen("127.0.0.1", 0) as place, ExitStack() as stack:
        serving = asyncio.create_task(server.serve([place]))
        async with asyncio.timeout(30):
            while not server.started:
                await asyncio.sleep(0.01)
            # All of these wait before the server has its next turn.
            for _ in range(200):
                stack.enter_context(socket.create_connection(place.getsockname(), 10))
            counts = [0]
            while counts[-1] < 200:
                await asyncio.sleep(0)
                counts.append(len(server.server_state.connections))
        assert max(after - before for before, after in pairwise(counts)) <= 40
        server.should_exit = True
        stack.close()
        await serving
    assert "backlog=config.backlog" in inspect.getsource(uvicorn.Server)


async def test_a_socket_and_a_stream_may_be_quiet_for_longer() -> None:
    async with served(HASTY) as place:
        made = await place.table("you")
        table, token = made["table"]["id"], made["you"]["token"]
        headers = {"authorization": f"Bearer {token}"}
        async with (
            place.guest(table, token) as guest,
            place.http.stream("GET", f"/api/tables/{table}/stream", headers=headers) as stream,
        ):
            lines = stream.aiter_lines()
            await anext(lines)
            await asyncio.sleep(3 * HASTY.request_seconds)
            assert isinstance(await guest.do(wire.Say(id="1", text="still here")), wire.Ack)
            assert json.loads(await anext(lines))["type"] == "ack"


async def test_a_message_of_endless_parts_ends_the_socket() -> None:
    async def parts() -> AsyncIterator[str]:
        for _ in range(10_000):
            yield ""

    async with served() as place:
        made = await place.table("you")
        async with place.guest(made["table"]["id"]) as guest:
            with pytest.raises(ConnectionClosed):
                await asyncio.gather(guest.socket.send(parts()), guest.hear(wire.Pong))


async def test_who_pings_and_does_not_read_is_let_go() -> None:
    async with served() as place:
        made = await place.table("you")
        async with connection(place) as (reader, writer):
            upgrade = b"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            key = b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
            writer.write(b"GET /ws/v1 HTTP/1.1\r\nHost: localhost\r\n" + upgrade + key)
            await reader.readuntil(b"\r\n\r\n")
            hello = json.dumps({"type": "hello", "table": made["table"]["id"]}).encode()
            writer.write(bytes((0x81, 0x80 | len(hello))) + bytes(4) + hello)
            # From here on nobody reads: a full buffer on both sides, then the end.
            with pytest.raises(ConnectionError):
                await _ping_for_ever(writer)


async def _ping_for_ever(writer: asyncio.StreamWriter) -> None:
    ping = bytes((0x89, 0x80 | 125)) + bytes(4 + 125)
    while True:
        writer.write(ping * 1000)
        await writer.drain()


async def test_frames_that_are_sent_at_once_are_read_as_they_were_written() -> None:
    texts = ["", "ä" * 62, "b" * 126, "c" * 65_535, "d" * 65_536]

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        place = WebSocket(scope, receive, send)
        send_now = frames_of(scope)
        assert send_now is not None
        assert not send_now([b"before the handshake"])
        await place.accept()
        assert send_now([text.encode() for text in texts])
        await place.send_text("after them")
        # More than may wait to be heard, said at once.
        heard = [await place.receive_text() for _ in range(20)]
        assert send_now([json.dumps(heard).encode()])
        await place.close()
        assert not send_now([b"after the end"])

    async def nothing() -> None:
        pass

    with listen("127.0.0.1", 0) as place:
        server = Server(app, 10, ConnectionLimit(9), nothing)
        serving = asyncio.create_task(server.serve([place]))
        async with connect_async(f"ws://127.0.0.1:{place.getsockname()[1]}/") as client:
            assert [await client.recv() for _ in range(6)] == [*texts, "after them"]
            said = [str(number) for number in range(20)]
            for text in said:
                await client.send(text)
            assert json.loads(await client.recv()) == said
        server.should_exit = True
        await serving


async def test_what_strangers_send_does_not_fill_the_log(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, "uvicorn")
    async with served() as place:
        async with connection(place) as (reader, writer):
            writer.write(b"nonsense\r\n\r\n")
            assert b"400" in await reader.readline()
        answer = await place.http.get("/", headers={"connection": "upgrade", "upgrade": "h2c"})
        assert answer.status_code == 200
        with pytest.raises(Exception, match="403"):
            async with place.socket(origin="https://evil.example"):
                pass
    assert not [record for record in caplog.records if record.name == "uvicorn.error"]


@pytest.mark.parametrize(
    ("owner", "names"),
    [
        (H11Protocol, ("connection_made", "data_received", "connection_lost", "handle_websocket_upgrade")),
        (H11Protocol, ("send_400_response",)),
        (WebSocketsSansIOProtocol, ("handle_ping", "handle_text", "handle_bytes", "handle_cont", "connection_lost")),
        (WebSocketsSansIOProtocol, ("send", "shutdown", "handle_connect", "send_receive_event_to_app")),
        (uvicorn.Server, ("capture_signals", "handle_exit", "startup", "shutdown", "serve")),
    ],
)
def test_uvicorn_has_what_is_replaced(owner: type, names: tuple[str, ...]) -> None:
    """If this fails after an upgrade, http/uvicorn_server.py replaces something that is no longer called."""
    missing = [name for name in names if not callable(getattr(owner, name, None))]
    assert not missing, f"uvicorn {uvicorn.__version__}: {owner.__name__} lost {missing}"


def test_uvicorn_sets_what_is_read() -> None:
    """The attributes of a connection that http/uvicorn_server.py reads are those that uvicorn itself uses."""
    source = "".join(map(inspect.getsource, (H11Protocol, RequestResponseCycle, WebSocketsSansIOProtocol)))
    read = ["self.conn", "self.loop", "self.transport", ".their_state", ".our_state", "self.cycle"]
    read += ["self.disconnected", "self.message_event", "self.response_complete", "self.handshake_initiated"]
    read += ["self.queue.put_nowait", "self.queue.get()", "self.queue.empty()", "self.read_paused", "self.scope"]
    read += ["self.writable", "self.handshake_complete", "self.close_sent"]
    missing = [name for name in read if name not in source]
    assert not missing, f"uvicorn {uvicorn.__version__} no longer has {missing}"


def test_uvicorn_still_says_what_is_kept_out_of_the_log() -> None:
    package = Path(uvicorn.__file__).parent
    source = "".join(path.read_text(encoding="utf-8") for path in package.rglob("*.py"))
    assert [line for line in IRRELEVANT if line not in source] == []


async def test_connections_of_an_address_are_counted_before_the_first_byte_and_given_back() -> None:
    async with served(Limits(address_connections=3, request_seconds=20)) as place:
        async with connection(place), connection(place), place.socket(), connection(place) as (reader, _):
            assert await reader.read() == b""
        for _ in range(50):
            async with connection(place) as (reader, writer):
                writer.write(HEAD + b"Connection: close\r\n\r\n")
                if await reader.read():
                    return
        pytest.fail("what has ended is still counted")


@pytest.mark.parametrize(
    ("peer", "counted"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("2001:db8::1", "2001:db8::/64"),
        ("2001:db8::2", "2001:db8::/64"),
        ("10.0.0.7", ""),
        ("", ""),
    ],
)
def test_a_connection_is_counted_for_an_address_or_a_network(peer: str, counted: str) -> None:
    limit = ConnectionLimit(1, ("10.0.0.0/8",))
    assert limit.enter(peer) == counted
    if counted:
        assert limit.enter(peer) is None
        limit.leave(counted)
    assert limit.enter(peer) == counted


def test_running_out_of_descriptors_is_one_line(caplog: pytest.LogCaptureFixture) -> None:
    loop = asyncio.new_event_loop()
    try:
        quieten(loop)
        for _ in range(1000):
            context = {
                "message": "socket.accept() out of system resource",
                "exception": OSError(24, "Too many open files"),
            }
            loop.call_exception_handler(context)
        loop.call_exception_handler({"message": "something else"})
    finally:
        loop.close()
    told = [record.getMessage() for record in caplog.records]
    assert [line for line in told if "Too many open files" in line] == told[:1]
    assert "something else" in told[-1]


def _come_and_go(place: Place, table: str) -> None:
    host, port = place.url.removeprefix("http://").split(":")
    for request in (HEAD + b"\r\n", b"GET" + HANDSHAKE + b"\r\n"):
        with socket.create_connection((host, int(port))) as client:
            client.sendall(request)
            client.recv(4096)
    with connect(f"ws://{host}:{port}/ws/v1") as conversation:
        conversation.send("{}")
        conversation.recv()
    with connect(f"ws://{host}:{port}/ws/v1") as conversation:
        conversation.send(json.dumps({"type": "hello", "table": table}))
        assert json.loads(conversation.recv())["type"] == "welcome"


async def test_a_connection_that_is_over_leaves_nothing_to_search_for() -> None:
    async with served() as place:
        made = await place.table("you")
        gc.collect()
        gc.disable()
        # Of other tests, whose loops are gone: they may be closed at any moment.
        others = _transports()
        try:
            await asyncio.to_thread(_come_and_go, place, made["table"]["id"])
            async with asyncio.timeout(20):
                while any(each.is_closing() and each not in others for each in _transports()):
                    await asyncio.sleep(0.01)
        finally:
            gc.enable()


def _transports() -> list[asyncio.BaseTransport]:
    return [each for each in gc.get_objects() if issubclass(type(each), asyncio.Transport)]
