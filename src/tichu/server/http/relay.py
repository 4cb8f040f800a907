"""Any door leads to the table: what is asked of a node that does not have it goes to the one that has, and back.

The same public paths are relayed, by one hop: a node that is asked by another answers or says that the table has
moved.  The relaying node proves itself with the secret of the cluster; only then is the address believed that it names
as the client's.  The client's own token goes along and is checked by the owner.

In the same way a review is asked for and watched at the node on which all agree for its game, so that it is made once.
"""

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing, suppress
from typing import Any, Final, TypeVar
from urllib.parse import quote, urlsplit

from msgspec.structs import replace
from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from tichu.server.cluster.node import HERE, NodeAddress
from tichu.server.http.addresses import RELAYED_BY
from tichu.server.http.middleware import Connections
from tichu.server.http.peer_check import PeerCheck
from tichu.server.http.relay_client import CLIENT, NODE, PROOF, SCHEME, PeerClient, PeerFailure
from tichu.server.http.relay_proof import NO_NODE, deny, refuse
from tichu.server.http.responses import error_response
from tichu.server.http.sockets import converse
from tichu.server.http.uvicorn_server import frames_of
from tichu.server.keepalive import notice_end
from tichu.server.lobby import Lobby
from tichu.server.sharing import SharedTables
from tichu.server.store import StoreError
from tichu.server.wire import ENCODER, Hello

__all__ = ["Router"]

#: At its most talkative level the library writes headers and frames: the secret of the nodes, and tokens.
_socket_log = logging.getLogger("tichu.server.relay")
_socket_log.setLevel(logging.INFO)
_MOVED: Final = "x-tichu-moved"

#: Headers that belong to one connection, or that this node has said by itself.
_NOT_RELAYED: Final = frozenset(
    b"connection keep-alive proxy-authenticate proxy-authorization te trailer transfer-encoding upgrade "
    b"x-forwarded-for x-forwarded-proto x-forwarded-host forwarded date server "
    b"sec-websocket-key sec-websocket-version sec-websocket-extensions sec-websocket-protocol".split()
)
#: What is done for all nodes by the oldest: whoever looks for a match is to find everybody else who does.
_OF_LEADER: Final = "/api/quick"
_LONGEST_BODY: Final = 65_536
#: The review of a long game is told in one frame at first.
_LARGEST_FRAME: Final = 2**24
#: How long a table is looked for that is on its way from one node to another, and the pause between two looks.
_PATIENCE_S, _PAUSE_S = 6.0, 0.15
_OPEN_S, _CHECK_S, _LATE_S = 3.0, 1.0, 5.0
#: How often a socket is taken to where its table is said to be, which may just have changed.
_LOOKS: Final = 2
_ENDED: Final = 1001
_T = TypeVar("_T")

_BUSY: Final = "the table is on its way to another node; try again in a moment"
_CHANGING: Final = "too much changes just now; try again in a moment"
_SILENT: Final = "this node is cut off from the others; try again in a moment"


class Router:
    """Stands before everything that is about one table."""

    def __init__(self, app: ASGIApp, lobby: Lobby, shared: SharedTables, connections: Connections) -> None:
        self._app = app
        self._lobby = lobby
        self._shared = shared
        self._connections = connections
        # Nobody waits longer for the beginning of an answer than a command may take.
        self._client = PeerClient(lobby.config.limits.answer_seconds + _LATE_S)
        self._secret = lobby.config.node_secret
        membership = shared.node.membership
        check = PeerCheck(self._client, self._secret, membership)
        checking = asyncio.create_task(check.run(), name="asking other nodes who they are")
        shared.at_end += [checking.cancel, self._client.close]
        #: By node: what ends the sockets that are relayed to it.
        self._relays: dict[str, set[asyncio.Future[None]]] = {}
        membership.on_renewed = self._drop_gone

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope.get(NO_NODE):
            await refuse(scope, receive, send, error_response(403, "wrong_secret", "not a node of this cluster"))
            return
        if scope["type"] == "lifespan" or not scope["path"].startswith(("/api/", "/ws/")):
            await self._app(scope, receive, send)
            return
        if not self._may_speak():
            await refuse(scope, receive, send, error_response(503, "busy", _SILENT))
            return
        if scope["type"] == "http":
            send = _held(send, self._may_speak)
        peer = None if RELAYED_BY in scope else self._peer_for(scope["path"])
        if peer is not None:
            await self._ask_peer(scope, receive, send, peer)
            return
        table = _table_of(scope["path"])
        if table is None or self._shared.has(table):
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._socket(scope, receive, send, table)
        else:
            await self._request(scope, receive, send, table)

    def _may_speak(self) -> bool:
        """Whether what is said of tables is still true, also at the end."""
        return self._shared.lease.is_held

    async def relay_hello(self, socket: WebSocket, table: str, hello: Hello) -> bool:
        """Relay a socket that is open already and has said where it wants to go; False if that is here."""
        first = ENCODER.encode(replace(hello, table=table))
        for _ in range(_LOOKS):
            try:
                place = await self._find(table, may_relay=RELAYED_BY not in socket.scope)
            except _Moved:
                break
            if place is None or place is HERE:
                return False
            try:
                upstream = await self._open(socket.scope, place, f"/ws/v1/tables/{table}")
            except (PeerFailure, InvalidStatus):
                self._shared.node.forget_place(table)
                continue
            await self._pipe(socket, upstream, place, first.decode())
            return True
        await socket.close(_ENDED)
        return True

    # Where to.

    def _peer_for(self, path: str) -> NodeAddress | None:
        """The other node that does what this path asks for, whichever tables it has."""
        node = self._shared.node
        if path.startswith(_OF_LEADER):
            return node.leader_elsewhere()
        game = _game_of(path)
        home = HERE if game is None else node.home_of(game)
        return None if home is HERE else home

    async def _find(self, table: str, *, may_relay: bool) -> NodeAddress | None:
        """Where the table is, after a moment if it is on its way; None if there is none or it cannot be found now.

        :raises StoreError: nobody knows now
        """
        loop = asyncio.get_running_loop()
        until = loop.time() + _PATIENCE_S
        while True:
            place = await self._shared.locate(table)
            if place is None:
                return None
            if place is HERE:
                if await self._lobby.visit(table) is not None:
                    return HERE
            elif may_relay and not self._shared.node.is_gone(place.node):
                if not self._shared.node.is_silent(place.node):
                    return place
            elif not may_relay:
                raise _Moved
            self._shared.node.forget_place(table)
            if loop.time() >= until or self._lobby.is_closing:
                raise _Moved
            await asyncio.sleep(_PAUSE_S)

    # Requests.

    async def _request(self, scope: Scope, receive: Receive, send: Send, table: str) -> None:
        body = await _read_body(scope, receive, send)
        if body is None:
            return
        until = asyncio.get_running_loop().time() + _PATIENCE_S
        while True:
            try:
                place = await self._find(table, may_relay=RELAYED_BY not in scope)
            except (_Moved, StoreError):
                answer = error_response(503, "busy", _BUSY)
                if RELAYED_BY in scope:
                    answer.headers[_MOVED] = "1"
                await answer(scope, receive, send)
                return
            if place is None:
                await error_response(404, "no_such_table", "there is no such table, or no longer")(scope, receive, send)
                return
            if place is HERE:
                await self._app(scope, _repeat(body, receive), send)
                return
            try:
                await self._relay(scope, receive, send, place, body)
                return
            except (_Moved, PeerFailure):
                self._shared.node.forget_place(table)
            if asyncio.get_running_loop().time() >= until:
                await error_response(503, "busy", _BUSY)(scope, receive, send)
                return
            await asyncio.sleep(_PAUSE_S)

    async def _ask_peer(self, scope: Scope, receive: Receive, send: Send, peer: NodeAddress) -> None:
        """Pass on what one node does for all."""
        if scope["type"] == "websocket":
            socket = WebSocket(scope, receive, send)
            await self._try_socket(socket, peer, "")
            return
        body = await _read_body(scope, receive, send)
        if body is None:
            return
        try:
            await self._relay(scope, receive, send, peer, body)
        except (_Moved, PeerFailure):
            await error_response(503, "busy", _CHANGING)(scope, receive, send)

    async def _relay(self, scope: Scope, receive: Receive, send: Send, place: NodeAddress, body: bytes) -> None:
        """Pass a request on.

        :raises PeerFailure: nothing came back
        :raises _Moved: the other node does not have the table either
        """
        left = asyncio.ensure_future(_wait_left(receive))
        try:
            await self._relay_until(left, scope, send, place, body)
        finally:
            left.cancel()

    async def _relay_until(
        self, left: "asyncio.Future[None]", scope: Scope, send: Send, place: NodeAddress, body: bytes
    ) -> None:
        """Until the answer is over, or whoever asked has left."""
        target = quote(scope["path"], safe="/:@!$&'()*+,;=~-._").encode()
        if scope.get("query_string"):
            target += b"?" + scope["query_string"]
        headers = self._headers(scope)
        headers = [one for one in headers if one[0] != b"content-length"]
        if body or scope["method"] in ("POST", "PUT", "PATCH"):
            headers.append((b"content-length", str(len(body)).encode()))
        asked = asyncio.ensure_future(self._client.request(place.url, scope["method"], target, headers, body))
        answer = await self._unless_gone(asked, left, place)
        if answer is None:
            return
        if any(name == _MOVED.encode() for name, _ in answer.headers):
            async with aclosing(answer.body) as rest:
                async for _ in rest:
                    pass
            raise _Moved
        self._shared.node.metrics.relayed.labels("http").inc()
        kept = [(name, value) for name, value in answer.headers if name.lower() not in _NOT_RELAYED]
        await send({"type": "http.response.start", "status": answer.status, "headers": kept})
        await self._pass_body(left, send, answer.body, place)

    async def _unless_gone(
        self, asked: "asyncio.Future[_T]", left: "asyncio.Future[None]", place: NodeAddress
    ) -> "_T | None":
        """What another node answers, unless it is given up by all; None if whoever asked has left."""
        either: list[asyncio.Future[Any]] = [asked, left]
        try:
            while not asked.done():
                await asyncio.wait(either, timeout=_CHECK_S, return_when=asyncio.FIRST_COMPLETED)
                if not asked.done() and left.done():
                    return None
                if not asked.done() and self._shared.node.is_gone(place.node):
                    raise PeerFailure("the node is gone")
            return asked.result()
        finally:
            asked.cancel()

    async def _pass_body(
        self, left: "asyncio.Future[None]", send: Send, body: AsyncGenerator[bytes, None], place: NodeAddress
    ) -> None:
        """Bit by bit, as long as somebody reads."""
        async with aclosing(body) as parts:
            following = asyncio.ensure_future(anext(parts, None))
            while True:
                either: list[asyncio.Future[Any]] = [following, left]
                await asyncio.wait(either, timeout=_CHECK_S, return_when=asyncio.FIRST_COMPLETED)
                if left.done() or self._shared.node.is_gone(place.node):
                    following.cancel()
                    with suppress(asyncio.CancelledError, PeerFailure):
                        await following
                    break
                if not following.done():
                    continue
                try:
                    part = following.result()
                except PeerFailure:
                    break
                if part is None:
                    break
                await self._shared.lease.wait()
                await send({"type": "http.response.body", "body": part, "more_body": True})
                following = asyncio.ensure_future(anext(parts, None))
        if not left.done():
            await send({"type": "http.response.body", "body": b""})

    def _headers(self, scope: Scope) -> list[tuple[bytes, bytes]]:
        kept = [
            (name, value)
            for name, value in scope["headers"]
            if name.lower() not in _NOT_RELAYED and not name.lower().startswith(b"x-tichu-")
        ]
        client = scope.get("client") or ("unknown", 0)
        said = {PROOF: self._secret, CLIENT: str(client[0]), SCHEME: scope["scheme"], NODE: self._shared.node.id}
        return kept + [(name.encode(), value.encode("latin-1", "replace")) for name, value in said.items()]

    # Sockets.

    async def _socket(self, scope: Scope, receive: Receive, send: Send, table: str) -> None:
        may_relay = RELAYED_BY not in scope
        for _ in range(_LOOKS):
            try:
                place = await self._find(table, may_relay=may_relay)
            except (_Moved, StoreError):
                break
            if place is HERE or place is None:  # Perhaps it is a code.
                await self._app(scope, receive, send)
                return
            if await self._try_socket(WebSocket(scope, receive, send), place, table):
                return
            self._shared.node.forget_place(table)
        await refuse(scope, receive, send, error_response(503, "busy", _BUSY))

    async def _try_socket(self, socket: WebSocket, place: NodeAddress, table: str) -> bool:
        """Relay a socket; False if nothing came of it because the table is somewhere else."""
        is_there = True

        async def relay() -> None:
            nonlocal is_there
            is_there = await self._relay_socket(socket, place, table)

        await converse(socket, self._lobby, self._connections, relay)
        return is_there

    async def _relay_socket(self, socket: WebSocket, place: NodeAddress, table: str = "") -> bool:
        """Until one side ends; False if a table is not where it was said to be, which nobody was told."""
        try:
            upstream = await self._open(socket.scope, place, socket.scope["path"])
        except (InvalidStatus, PeerFailure) as refused:
            answer = _refusal(refused)
            if table and answer.status_code == 503:
                return False
            await deny(socket, answer)
            return True
        try:
            await socket.accept()
        except BaseException:
            await upstream.close()
            raise
        await self._pipe(socket, upstream, place)
        return True

    async def _open(self, scope: Scope, place: NodeAddress, path: str) -> ClientConnection:
        """A socket to the owner.

        :raises InvalidStatus: the owner refuses it
        :raises PeerFailure: the owner does not answer
        """
        parts = urlsplit(place.url)
        host = Headers(scope=scope).get("host") or parts.netloc
        headers = [
            (name.decode("latin-1"), value.decode("latin-1"))
            for name, value in self._headers(scope)
            if name not in (b"host", b"content-length")
        ]
        opening = connect(
            f"ws://{host}{quote(path)}",
            host=parts.hostname,
            port=parts.port or 80,
            additional_headers=headers,
            user_agent_header=None,
            compression=None,
            proxy=None,
            ping_interval=None,
            close_timeout=1,
            max_size=_LARGEST_FRAME,
            logger=_socket_log,
        )
        try:
            async with asyncio.timeout(_OPEN_S):
                upstream = await opening
            notice_end(upstream.transport.get_extra_info("socket"))
            return upstream
        except InvalidStatus:
            raise
        except Exception as error:
            # A node that dies in the middle of a handshake shows it in many ways.
            raise PeerFailure(f"{type(error).__name__}: {error}") from error

    def _drop_gone(self) -> None:
        """End what is relayed to nodes that are there no longer: one that stands still closes nothing."""
        for node in [node for node in self._relays if self._shared.node.is_gone(node)]:
            for gone in self._relays[node]:
                if not gone.done():
                    gone.set_result(None)

    async def _pipe(
        self, socket: WebSocket, upstream: ClientConnection, place: NodeAddress, first: str | None = None
    ) -> None:
        """Both ways, until one side ends."""
        node = self._shared.node
        node.metrics.relayed.labels("socket").inc()
        node.metrics.relay_sockets.inc()
        out = asyncio.create_task(self._pass_up(socket, upstream, first), name="relay up")
        back = asyncio.create_task(self._pass_down(socket, upstream), name="relay down")
        gone: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        relays = self._relays.setdefault(place.node, set())
        relays.add(gone)
        try:
            await asyncio.wait([out, back, gone], return_when=asyncio.FIRST_COMPLETED)
        finally:
            relays.discard(gone)
            if not relays and self._relays.get(place.node) is relays:
                del self._relays[place.node]
            node.metrics.relay_sockets.dec()
            code = upstream.close_code if back.done() else None
            for task in (out, back):
                task.cancel()
                with suppress(asyncio.CancelledError, ConnectionClosed, WebSocketDisconnect, RuntimeError):
                    await task
            # One that has gone, or stands still, does not answer to a goodbye.
            upstream.transport.abort() if gone.done() else await upstream.close()
            with suppress(RuntimeError, WebSocketDisconnect):
                await socket.close(code if code is not None and (code in _CLOSE_CODES or code >= 4000) else _ENDED)

    async def _pass_up(self, socket: WebSocket, upstream: ClientConnection, first: str | None) -> None:
        if first is not None:
            await upstream.send(first)
        while True:
            message = await socket.receive()
            if message["type"] == "websocket.disconnect":
                return
            await self._shared.lease.wait()
            frame: str | bytes | None = message.get("text")
            await upstream.send(message["bytes"] if frame is None else frame)

    async def _pass_down(self, socket: WebSocket, upstream: ClientConnection) -> None:
        send_now = frames_of(socket.scope)
        while True:
            data = await upstream.recv(decode=False)
            await self._shared.lease.wait()
            if send_now is None or not send_now([data]):
                await socket.send_text(data.decode())


class _Moved(Exception):
    """The table is not where it was looked for."""


_CLOSE_CODES: Final = (1000, 1001, 1008, 1009, 1011)


def _table_of(path: str) -> str | None:
    """The table that a path names.

    >>> _table_of("/api/tables/t1/commands"), _table_of("/ws/v1/tables/t1"), _table_of("/api/tables")
    ('t1', 't1', None)
    """
    match path.split("/"):
        case ["", "api", "tables", table, *_] if table:
            return table
        case ["", "ws", "v1", "tables", table] if table:
            return table
    return None


def _game_of(path: str) -> str | None:
    """The game whose review a path is about.

    >>> _game_of("/api/games/g1/review"), _game_of("/ws/v1/reviews/g1"), _game_of("/api/games/g1")
    ('g1', 'g1', None)
    """
    match path.split("/"):
        case ["", "api", "games", game, "review"] if game:
            return game
        case ["", "ws", "v1", "reviews", game] if game:
            return game
    return None


def _repeat(body: bytes, receive: Receive) -> Receive:
    """A request whose body has been read, for whoever reads it again."""
    is_given = False

    async def again() -> Message:
        nonlocal is_given
        if is_given:
            return await receive()
        is_given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again


async def _read_body(scope: Scope, receive: Receive, send: Send) -> bytes | None:
    """The body of a request; None if it is too long, which is answered, or nobody waits any more."""
    body = bytearray()
    try:
        async for part in Request(scope, receive).stream():
            body += part
            if len(body) > _LONGEST_BODY:
                await error_response(413, "too_large", "the body is too long")(scope, receive, send)
                return None
    except ClientDisconnect:
        return None
    return bytes(body)


def _held(send: Send, may_speak: Callable[[], bool]) -> Send:
    """Answers of a node, as long as it may give them when they are ready; else one that says nothing."""
    is_refused = False

    async def send_held(message: Message) -> None:
        nonlocal is_refused
        if message["type"] == "http.response.start" and not may_speak():
            is_refused = True
            refusal = error_response(503, "busy", _SILENT)
            await send({"type": "http.response.start", "status": 503, "headers": refusal.raw_headers})
            await send({"type": "http.response.body", "body": bytes(refusal.body)})
        if not is_refused:
            await send(message)

    return send_held


async def _wait_left(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def _refusal(refused: InvalidStatus | PeerFailure) -> Response:
    """What the other node has said, or that it has said nothing."""
    if isinstance(refused, PeerFailure):
        return error_response(503, "busy", _CHANGING)
    body = bytes(refused.response.body or b"")
    return Response(body, refused.response.status_code, media_type="application/json")
