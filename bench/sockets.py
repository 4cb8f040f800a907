"""A WebSocket client that costs next to nothing, so that thousands of them measure the server and not themselves."""

import asyncio
import base64
import os
from collections.abc import Callable

__all__ = ["Socket", "open_socket"]

_TEXT, _BINARY, _CLOSE, _PING, _PONG = 1, 2, 8, 9, 10


class Socket(asyncio.Protocol):
    """One connection; ``heard`` gets the bytes of each message, ``ended`` is called once at the end."""

    def __init__(self, host: str, path: str, heard: Callable[[bytes], None], ended: Callable[[], None]) -> None:
        self._host = host
        self._path = path
        self._heard = heard
        self._ended = ended
        self._buffer = bytearray()
        self._transport: asyncio.Transport | None = None
        self._is_open = False
        #: Done when the server has agreed to talk.
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        key = base64.b64encode(os.urandom(16)).decode()
        transport.write(
            f"GET {self._path} HTTP/1.1\r\nHost: {self._host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        if not self._is_open:
            end = self._buffer.find(b"\r\n\r\n")
            if end < 0:
                return
            head = bytes(self._buffer[:end])
            del self._buffer[: end + 4]
            if not head.startswith(b"HTTP/1.1 101"):
                self._fail(ConnectionRefusedError(head.split(b"\r\n")[0].decode()))
                return
            self._is_open = True
            self.opened.set_result(None)
        start = 0
        while (frame := self._frame(start)) is not None:
            start, opcode, payload = frame
            if opcode == _TEXT:
                self._heard(payload)
            elif opcode == _PING:
                self._send(_PONG, payload)
            elif opcode == _CLOSE:
                self.close()
                return
        del self._buffer[:start]

    def _frame(self, start: int) -> tuple[int, int, bytes] | None:
        """Where the frame ends, its opcode and what is in it; servers never mask, and this one never splits."""
        buffer = self._buffer
        if len(buffer) < start + 2:
            return None
        length, begin = buffer[start + 1], start + 2
        if length >= 126:
            size = 2 if length == 126 else 8
            if len(buffer) < begin + size:
                return None
            length, begin = int.from_bytes(buffer[begin : begin + size], "big"), begin + size
        if len(buffer) < begin + length:
            return None
        return begin + length, buffer[start] & 0xF, bytes(buffer[begin : begin + length])

    def connection_lost(self, exc: Exception | None) -> None:
        self._fail(exc or ConnectionResetError("closed"))
        self._ended()

    def _fail(self, error: Exception) -> None:
        if not self.opened.done():
            self.opened.set_exception(error)
        self.close()

    def say(self, data: bytes) -> None:
        """Send a text, to whoever still listens."""
        self._send(_TEXT, data)

    def say_bytes(self, data: bytes) -> None:
        """Send a binary message."""
        self._send(_BINARY, data)

    def write(self, data: bytes) -> None:
        """Send bytes that need not be a frame."""
        if self._transport is not None and not self._transport.is_closing():
            self._transport.write(data)

    def _send(self, opcode: int, data: bytes) -> None:
        if self._transport is None or self._transport.is_closing():
            return
        # A mask of zeros is a mask, too.
        length = len(data)
        if length < 126:
            head = bytes((0x80 | opcode, 0x80 | length, 0, 0, 0, 0))
        else:
            head = bytes((0x80 | opcode, 0x80 | 126)) + length.to_bytes(2, "big") + bytes(4)
        self._transport.write(head + data)

    def pause_reading(self) -> None:
        """Leave what comes in the system's buffers, and then with the server."""
        if self._transport is not None and not self._transport.is_closing():
            self._transport.pause_reading()

    def abort(self) -> None:
        """Hang up without sending what is left."""
        if self._transport is not None:
            self._transport.abort()

    def close(self) -> None:
        """Hang up."""
        if self._transport is not None:
            self._transport.close()


async def open_socket(
    host: str, port: int, source: str | None, path: str, heard: Callable[[bytes], None], ended: Callable[[], None]
) -> Socket:
    """Connect, from the address ``source`` if one is given.

    :raises OSError: the server does not want to
    """
    loop = asyncio.get_running_loop()
    _, socket = await loop.create_connection(
        lambda: Socket(f"{host}:{port}", path, heard, ended), host, port, local_addr=(source, 0) if source else None
    )
    try:
        await asyncio.wait_for(socket.opened, 30)
    except BaseException:
        socket.abort()
        raise
    return socket
