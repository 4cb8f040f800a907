"""Saying cases to a server: frames on sockets that sit at tables, requests on connections of their own.

After a batch of frames a question of our own must be answered on the same socket, which proves that the server has read
all of them and goes on.  A frame that is no text may end the connection; silence is never right.
"""

import asyncio
import json
from collections.abc import Sequence
from contextlib import suppress
from random import Random
from typing import Any, Final

import msgspec

from bench.fuzz.mutations import Case
from bench.fuzz.seeds import Place
from bench.guests import View, choose, decode_message
from bench.sockets import Socket, open_socket

__all__ = ["Failed", "Talker", "make_place", "say_request"]

_HOST: Final = "127.0.0.1"
_PATIENCE_S: Final = 60.0
_TRIES: Final = 5
_FAILED: Final = 500
#: Something is too busy, which is an answer.
_BUSY: Final = 503


class Failed(Exception):
    """The server did what it must not."""


async def make_place(port: int, settings: dict[str, Any]) -> Place:
    """A table with a person and three bots that play.

    :raises Failed: there is none to be had
    """
    new = {"settings": settings, "seats": ["you", "greedy", "greedy", "greedy"], "start": True, "name": "Fuzz"}
    data = json.dumps(new).encode()
    head = f"POST /api/tables HTTP/1.1\r\nHost: {_HOST}\r\nContent-Type: application/json\r\nConnection: close\r\n"
    answer = await _ask(port, f"{head}Content-Length: {len(data)}\r\n\r\n".encode() + data, whole=True)
    if not answer.startswith(b"HTTP/1.1 201"):
        raise Failed(f"no table could be made: {answer[:300]!r}")
    made = json.loads(answer.partition(b"\r\n\r\n")[2])
    return Place(made["table"]["id"], made["you"]["token"], code=made["table"]["code"])


async def say_request(port: int, data: bytes) -> int:
    """The status, 0 where the connection was ended instead.

    :raises Failed: neither, or an error of the server's
    """
    answer = await _ask(port, data, whole=False)
    if not answer:
        return 0
    status = int(answer[9:12]) if answer.startswith(b"HTTP/1.1 ") and answer[9:12].isdigit() else 0
    if not status:
        raise Failed(f"an answer that is none: {answer[:100]!r}")
    if status >= _FAILED and status != _BUSY:
        raise Failed(f"answered with {status}: {answer[-200:]!r}")
    return status


async def _ask(port: int, data: bytes, *, whole: bool) -> bytes:
    try:
        async with asyncio.timeout(_PATIENCE_S):
            reader, writer = await asyncio.open_connection(_HOST, port)
            try:
                writer.write(data)
                return await (reader.read() if whole else reader.read(4096))
            except ConnectionError:
                return b""
            finally:
                writer.close()
    except TimeoutError:
        raise Failed(f"no answer within {_PATIENCE_S:.0f} s") from None


class Talker:
    """Somebody with a socket at a table, who also plays, so that frames meet a game that goes on."""

    def __init__(self, port: int, place: Place, rng: Random) -> None:
        self._port = port
        self._place = place
        self._rng = rng
        self._socket: Socket | None = None
        self._view: View | None = None
        self._stage = ""
        self._count = 0
        self._asked = ""
        self._answered = asyncio.Event()
        self._ended = asyncio.Event()
        self._welcomed = asyncio.Event()

    async def say(self, cases: Sequence[Case]) -> None:
        """A batch of frames, and a question after it.

        :raises Failed: no answer, or a connection that ended without a reason
        """
        if self._socket is None:
            await self._connect()
        socket = self._socket
        assert socket is not None
        may_end = False
        for case in cases:
            match case.kind:
                case "text":
                    socket.say(case.data)
                case "binary":
                    socket.say_bytes(case.data)
                case _:
                    socket.write(case.data)
                    may_end = True
        if may_end:
            # Half a frame would make one with whatever comes next.
            await asyncio.sleep(0)
            self.close()
            return
        self._play(socket)
        await self._question(socket)

    async def _question(self, socket: Socket) -> None:
        self._count += 1
        self._asked = f"question {self._count}"
        self._answered.clear()
        socket.say(json.dumps({"type": "check", "id": self._asked, "cards": ["7s"]}).encode())
        waiting = [asyncio.ensure_future(event.wait()) for event in (self._answered, self._ended)]
        try:
            await asyncio.wait(waiting, timeout=_PATIENCE_S, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for one in waiting:
                one.cancel()
        if not self._answered.is_set():
            is_ended, self._socket = self._ended.is_set(), None
            socket.close()
            raise Failed("the connection ended" if is_ended else f"no answer within {_PATIENCE_S:.0f} s")

    def _play(self, socket: Socket) -> None:
        """Something legal, if it is our turn."""
        command: dict[str, Any] | None = None
        if self._stage in ("over", "open"):
            command = {"type": "TABLE.START"}
        elif self._stage == "paused":
            command = {"type": "TABLE.RESUME"}
        elif self._view is not None and self._view.decision is not None:
            command = choose(self._view, self._rng)[0]
        if command is not None:
            self._count += 1
            socket.say(json.dumps(command | {"id": f"play {self._count}"}).encode())

    async def _connect(self) -> None:
        for tries_left in reversed(range(_TRIES)):
            # Each connection has its own: the one before may end only now.
            self._ended, self._welcomed = asyncio.Event(), asyncio.Event()
            try:
                async with asyncio.timeout(_PATIENCE_S):
                    socket = await open_socket(_HOST, self._port, None, "/ws/v1", self._hear, self._ended.set)
                    hello = {"type": "hello", "table": self._place.table, "token": self._place.token}
                    socket.say(json.dumps(hello).encode())
                    await self._welcomed.wait()
            except (OSError, TimeoutError) as error:
                # On a busy machine it may be we who said nothing for too long.
                if not tries_left:
                    raise Failed(f"no welcome: {error}") from None
            else:
                self._socket = socket
                return

    def _hear(self, data: bytes) -> None:
        message = decode_message(data)
        if message.type == "welcome":
            self._welcomed.set()
        if message.id == self._asked:
            self._answered.set()
        if message.table is not None:
            self._stage = message.table.stage
        if message.view is not msgspec.UNSET:
            self._view = message.view

    def close(self) -> None:
        """Hang up; the next batch comes on another connection."""
        socket, self._socket = self._socket, None
        if socket is not None:
            with suppress(OSError):
                socket.close()
