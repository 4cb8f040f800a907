"""What waits to be sent to one socket or stream.

The queue is bounded.  A reader that falls behind loses events, never answers, and gets one snapshot of how things
stand as soon as it has read the rest.
"""

import asyncio
from collections.abc import Callable, Sequence
from typing import NamedTuple

from tichu.server.wire import EventMessage, FromServer, State

__all__ = ["Letter", "Outbox", "letter"]


class Letter(NamedTuple):
    """A message as it is written."""

    data: bytes
    #: Whether a later snapshot says as much.
    is_event: bool


def letter(message: FromServer, data: bytes) -> Letter:
    """A message, given also as it is written."""
    return Letter(data, isinstance(message, EventMessage | State))


class Outbox:
    """A queue with one reader.  ``fall_behind`` is called when the reader is ready for a snapshot."""

    __slots__ = (
        "_is_behind",
        "_is_read",
        "_most",
        "_reader",
        "_waiting",
        "fall_behind",
        "is_closed",
        "send_now",
        "token_hash",
        "via",
    )

    def __init__(self, most: int, send_now: Callable[[Sequence[bytes]], bool] | None = None, *, via: str = "") -> None:
        #: The node by which the reader came, if it was another one.
        self.via = via
        self._most = most
        self._waiting: list[Letter] = []
        self._reader: asyncio.Future[None] | None = None
        self._is_behind = False
        #: Whether the reader has something that it may not have sent yet.
        self._is_read = False
        self.is_closed = False
        #: Of the token that the socket was opened with: it ends with it.
        self.token_hash = ""
        #: Set by the room: asks for a snapshot.
        self.fall_behind: Callable[[], None] | None = None
        #: Sends at once where that can be, so that nobody has to be woken for it; False if it cannot be.
        self.send_now = send_now

    def put(self, message: FromServer, data: bytes) -> None:
        """Send a message, given also as it is written, after those that wait."""
        self.put_all([letter(message, data)])

    def put_all(self, letters: Sequence[Letter]) -> None:
        """Send messages of one moment after those that wait, together if they can be."""
        if self.is_closed:
            return
        is_idle = not (self._waiting or self._is_read or self._is_behind)
        if is_idle and self.send_now is not None and self.send_now([one.data for one in letters]):
            return
        for one in letters:
            self._queue(one)

    def _queue(self, one: Letter) -> None:
        if self.is_closed or (one.is_event and self._is_behind):
            return
        if len(self._waiting) >= self._most:
            self._waiting = [other for other in self._waiting if not other.is_event]
            self._is_behind = True
            if len(self._waiting) >= self._most:
                # It asks and asks and never listens.
                self.close()
                return
            if one.is_event:
                return
        self._waiting.append(one)
        self._wake()

    def put_snapshot(self, data: bytes) -> None:
        """Send how things stand; events follow again."""
        self._is_behind = False
        self._waiting.append(Letter(data, is_event=True))
        self._wake()

    def close(self) -> None:
        """Send what waits and nothing more."""
        self.is_closed = True
        self.fall_behind = self.send_now = None
        self._wake()

    def _wake(self) -> None:
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)

    async def next(self) -> bytes | None:
        """The next message, or None at the end."""
        self._is_read = False
        while not self._waiting:
            if self.is_closed:
                return None
            if self._is_behind and self.fall_behind is not None:
                self.fall_behind()
            self._reader = asyncio.get_running_loop().create_future()
            try:
                await self._reader
            finally:
                self._reader = None
        self._is_read = True
        return self._waiting.pop(0).data
