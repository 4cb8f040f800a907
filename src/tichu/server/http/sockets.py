"""The socket ``/ws/v1``: one table, one player, JSON in text frames."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect
from uvicorn.protocols.utils import ClientDisconnected

from tichu.server.accounts.guests import under_free_name
from tichu.server.accounts.restrictions import ban_words, mute_refusal
from tichu.server.config import FRAME_BYTES
from tichu.server.failures import log_failure
from tichu.server.http.addresses import address_of, relayed_by
from tichu.server.http.bodies import enter
from tichu.server.http.middleware import Connections
from tichu.server.http.responses import error_response
from tichu.server.http.unreadable import unreadable_words
from tichu.server.http.uvicorn_server import frames_of
from tichu.server.lobby import Lobby
from tichu.server.outbox import Outbox
from tichu.server.players import Identity, hash_token
from tichu.server.rate_limit import TokenBucket
from tichu.server.room import Room
from tichu.server.store import StoreError
from tichu.server.table.ports import Player
from tichu.server.wire import (
    ENCODER,
    Check,
    Command,
    CommandId,
    Emote,
    Error,
    FromClient,
    FromServer,
    Hello,
    Hint,
    Ping,
    Pong,
    Refused,
    Say,
    Sit,
)

__all__ = ["DECODER", "Elsewhere", "Unreadable", "converse", "read", "talk"]

DECODER: Final = msgspec.json.Decoder(FromClient)


class _Identified(msgspec.Struct):
    id: CommandId | None = None


_ID_DECODER: Final = msgspec.json.Decoder(_Identified)

#: Close codes of our own; the message before says more.
_REFUSED: Final = 4400
_NO_TABLE: Final = 4404
_BANNED: Final = 4403
_TOO_FAST: Final = 4429
_ENDED: Final = 1001
_BROKEN: Final = 1011
_NO_SUCH_TABLE: Final = Error(code="no_such_table", message="there is no such table, or no longer")

#: Relays a socket whose table is at another node; False if it is here.
Elsewhere = Callable[[WebSocket, str, Hello], Awaitable[bool]]


class Unreadable(Exception):
    """A frame that says nothing."""

    def __init__(self, error: Error) -> None:
        super().__init__(error.code)
        self.error = error


class _Goodbye(Exception):
    """The socket must be closed, perhaps with a last word."""

    def __init__(self, code: int, error: Error) -> None:
        super().__init__(code)
        self.code = code
        self.error = error


def read(frame: str | bytes) -> FromClient:
    """A message from a client.

    :raises Unreadable: with what is wrong and where
    """
    data = frame.encode("utf-8", "surrogatepass") if isinstance(frame, str) else frame
    if len(data) > FRAME_BYTES:
        raise Unreadable(Error(code="too_large", message=f"a message has at most {FRAME_BYTES} bytes"))
    try:
        message: FromClient = DECODER.decode(data)
    except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
        text = unreadable_words(error) if isinstance(error, msgspec.MsgspecError) else "this cannot be read"
        raise Unreadable(Error(code="malformed", message=text, id=_id_of(data))) from None
    return message


def _id_of(data: bytes) -> str | None:
    """Whatever else is wrong with a message: if it has an id, somebody waits for its answer."""
    try:
        return _ID_DECODER.decode(data).id
    except (msgspec.MsgspecError, RecursionError, UnicodeError):
        return None


async def talk(socket: WebSocket, lobby: Lobby, connections: Connections, elsewhere: Elsewhere | None = None) -> None:
    """Serve a socket until it ends."""

    async def run() -> None:
        await socket.accept()
        await _Conversation(socket, lobby, elsewhere).run()

    await converse(socket, lobby, connections, run)


async def converse(
    socket: WebSocket, lobby: Lobby, connections: Connections, run: Callable[[], Awaitable[None]]
) -> None:
    """Serve a socket that is counted, whatever becomes of it."""
    address = address_of(socket.scope)
    if lobby.is_closing:
        await socket.send_denial_response(error_response(503, "closing", "the server is closing"))
        return
    if not connections.enter(address):
        lobby.metrics.guarded.labels("connections").inc()
        await socket.send_denial_response(error_response(429, "too_many", "too many connections from this address"))
        return
    lobby.metrics.sockets.inc()
    try:
        await run()
    except (WebSocketDisconnect, ClientDisconnected):
        pass
    except StoreError as error:
        lobby.store_line.write("a socket waits for the store", error)
        await _end(socket, "nothing can be stored or read just now; try again in a moment")
    except Exception as error:
        lobby.metrics.failures.labels("socket").inc()
        number = log_failure("a socket", error)
        await _end(socket, f"something broke here; the log has it as {number}")
    finally:
        lobby.metrics.sockets.dec()
        connections.leave(address)


class _Conversation:
    def __init__(self, socket: WebSocket, lobby: Lobby, elsewhere: Elsewhere | None) -> None:
        self._socket = socket
        self._elsewhere = elsewhere
        self._lobby = lobby
        limits = lobby.config.limits
        self._bucket = TokenBucket(limits.socket_rate, limits.socket_burst)
        self._rejections_left = limits.socket_rejections
        self._outbox = Outbox(limits.waiting, frames_of(socket.scope), via=relayed_by(socket.scope))

    async def run(self) -> None:
        try:
            hello = await self._hello()
            table = await self._table(hello.table)
            if self._elsewhere is not None and await self._elsewhere(self._socket, table, hello):
                return
            known, room = await enter(self._lobby, await self._identify(hello, table), table)
            if room is None:
                raise self._no_table(may_be_elsewhere=self._lobby.shared is not None)
            if known is None:
                raise _Goodbye(_REFUSED, Error(code="busy", message="this token has just ended"))
            if not self._lobby.may_come(room, known.player):
                raise _Goodbye(_TOO_FAST, Error(code="busy", message="too many people are at this table"))
        except _Goodbye as goodbye:
            await self._leave(goodbye)
            return
        self._outbox.token_hash = hash_token(known.token)
        player = known.player._replace(address=address_of(self._socket.scope), device=hello.device)
        room.connect(player, self._outbox, hello.since, "" if known.table else known.token)
        writer = asyncio.create_task(self._write(), name="socket")
        try:
            await self._listen(room, known)
        except _Goodbye as goodbye:
            writer.cancel()
            await self._leave(goodbye)
        finally:
            room.disconnect(known.player, self._outbox)
            self._outbox.send_now = None
            writer.cancel()
            with suppress(asyncio.CancelledError):
                await writer

    async def _hello(self) -> Hello:
        seconds = self._lobby.config.limits.hello_seconds
        try:
            async with asyncio.timeout(seconds):
                frame = await self._frame()
            message = read(frame)
        except TimeoutError:
            raise _Goodbye(_REFUSED, Error(code="malformed", message=f"no hello within {seconds:g} s")) from None
        except Unreadable as unreadable:
            raise _Goodbye(_REFUSED, unreadable.error) from None
        if not isinstance(message, Hello):
            raise _Goodbye(_REFUSED, Error(code="malformed", message="the first message is a hello"))
        return message

    async def _identify(self, hello: Hello, table: str) -> Identity:
        for shown in (hello.key, hello.token):
            known = None if shown is None else await self._lobby.players.identify(shown, hello.name)
            if known is not None and self._lobby.may_use(known, table):
                if known.banned > self._lobby.time():
                    raise _Goodbye(_BANNED, Error(code="banned", message=ban_words(known.banned)))
                return await self._lobby.players.with_own_name(known)
        if not self._lobby.may_make(address_of(self._socket.scope)):
            raise _Goodbye(_TOO_FAST, Error(code="too_fast", message="too many new players; wait a minute"))
        return await self._lobby.players.register(hello.name)

    async def _table(self, name: str) -> str:
        named: str | None = self._socket.path_params.get("table")
        if named is not None and name != named:
            raise _Goodbye(_REFUSED, Error(code="malformed", message="the path names another table than the hello"))
        if self._lobby.find(name) is not None:
            return name
        shared = self._lobby.shared
        if shared is not None and await shared.locate(name) is not None:
            return name
        may_look_up = self._lobby.may_look_up(address_of(self._socket.scope))
        found = await self._lobby.id_of_code(name) if may_look_up else None
        if found is None:
            raise self._no_table()
        return found

    def _no_table(self, *, may_be_elsewhere: bool = False) -> _Goodbye:
        if self._lobby.is_closing or may_be_elsewhere:
            return _Goodbye(_ENDED, Error(code="closing", message="the server is closing; come back in a moment"))
        return _Goodbye(_NO_TABLE, _NO_SUCH_TABLE)

    async def _frame(self) -> str | bytes:
        message = await self._socket.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message["code"])
        frame: str | bytes | None = message.get("text")
        return message["bytes"] if frame is None else frame

    async def _listen(self, room: Room, known: Identity) -> None:
        while True:
            frame = await self._frame()
            if self._lobby.shared is not None:
                await self._lobby.shared.lease.wait()
            if self._outbox.is_closed:
                return  # Sent away, and does not listen.
            try:
                message = read(frame)
            except Unreadable as unreadable:
                self._take()
                self._answer(unreadable.error)
                continue
            if not self._take():
                self._lobby.metrics.guarded.labels("socket_rate").inc()
                self._answer(Error(code="too_fast", message="slower, please", id=getattr(message, "id", None)))
                continue
            player = known.player
            if isinstance(message, Sit | Say | Emote):
                player, said = await under_free_name(self._lobby.players, known, message)
                if isinstance(said, Sit):
                    player, said = await self._lobby.accounts.relations.sitting(player, said, room.persons())
                if isinstance(said, Refused):
                    self._answer(said)
                    continue
                message = said
            if isinstance(message, Say | Emote):
                now = self._lobby.time()
                muted = await mute_refusal(self._lobby.store, now, player.id, message)
                if muted is not None:
                    self._answer(muted)
                    continue
            self._pass_on(room, player, message)

    def _take(self) -> bool:
        """Whether one more message is allowed now; who goes on and on is sent away."""
        if self._bucket.take(time.monotonic()):
            return True
        self._rejections_left -= 1
        if self._rejections_left < 0:
            raise _Goodbye(_TOO_FAST, Error(code="too_fast", message="too many messages"))
        return False

    def _pass_on(self, room: Room, player: Player, message: FromClient) -> None:
        if self._outbox.is_closed:
            return  # Sent away while the store was asked.
        match message:
            case Ping():
                self._answer(Pong(now=round(self._lobby.time() * 1000)))
            case Hello():
                self._answer(Error(code="malformed", message="hello was said; another table needs another socket"))
            case Check():
                room.check(player, message)
            case Hint():
                room.hint(player, message)
            case Command():
                room.command(player, message)

    def _answer(self, message: FromServer) -> None:
        self._outbox.put(message, ENCODER.encode(message))

    async def _write(self) -> None:
        with suppress(WebSocketDisconnect, RuntimeError):  # The latter: closed in the meantime.
            while (data := await self._outbox.next()) is not None:
                if self._lobby.shared is not None:
                    await self._lobby.shared.lease.wait()
                await self._socket.send_text(data.decode())
            await self._socket.close(_ENDED)

    async def _leave(self, goodbye: _Goodbye) -> None:
        with suppress(WebSocketDisconnect, RuntimeError):
            await _say(self._socket, goodbye.error)
            await self._socket.close(goodbye.code)


async def _end(socket: WebSocket, words: str) -> None:
    with suppress(Exception):
        await _say(socket, Error(code="busy", message=words))
        await socket.close(_BROKEN)


async def _say(socket: WebSocket, message: FromServer) -> None:
    await socket.send_text(ENCODER.encode(message).decode())
