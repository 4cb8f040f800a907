"""How long and how much a connection may keep us waiting, before anything of ours sees it.

uvicorn itself waits for the rest of a request for ever, answers every ping of a socket that reads nothing, and keeps
all parts of a message that never ends.
"""

import asyncio
import logging
from typing import Any, Final

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

__all__ = ["HttpProtocol", "WebSocketProtocol", "is_relevant"]

#: What may wait for a socket that reads nothing, beyond the messages of a table.
_MOST_UNREAD: Final = 262_144
_MOST_PARTS: Final = 128

#: What uvicorn says about clients, once for each of their requests; a log is for what happens here.
_OLD_NEWS: Final = (
    "Invalid HTTP request received.",
    "Invalid UTF-8 sequence received from client.",
    "Unsupported upgrade request.",
    "ASGI callable returned without completing handshake.",
)


def is_relevant(record: logging.LogRecord) -> bool:
    """Whether a line of uvicorn's belongs into the log."""
    return record.msg not in _OLD_NEWS


class HttpProtocol(H11Protocol):
    """A connection whose requests must be complete so many seconds after they have begun."""

    def __init__(self, seconds: float, **parts: Any) -> None:
        super().__init__(**parts)
        self._seconds = seconds
        self._patience: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Also who says nothing at all has begun."""
        super().connection_made(transport)
        self._watch()

    def data_received(self, data: bytes) -> None:
        """A part of a request, or more than one."""
        super().data_received(data)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """The other side has gone."""
        super().connection_lost(exc)
        self._stop_watching()

    def _watch(self) -> None:
        is_ours = self.transport.get_protocol() is self  # And no socket by now.
        if not is_ours or self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
            self._stop_watching()
        elif self._patience is None:
            self._patience = self.loop.call_later(self._seconds, self.transport.close)

    def _stop_watching(self) -> None:
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None


class WebSocketProtocol(WebSocketsSansIOProtocol):
    """A socket that cannot fill the memory with what it does not read or does not finish."""

    _parts = 0

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
        """As above."""
        self._parts = 0
        super().handle_bytes(event)

    def handle_cont(self, event: Frame) -> None:
        """A later part; the size of all of them has a limit already, their number has not."""
        self._parts += 1
        if self._parts < _MOST_PARTS:
            super().handle_cont(event)
        elif not self.transport.is_closing():
            self.transport.abort()
