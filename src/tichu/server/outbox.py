"""What waits to be sent to one socket or stream.

The queue is bounded.  A reader that falls behind loses events, never answers, and gets one snapshot of how things
stand as soon as it has read the rest.
"""

import asyncio
from collections import deque
from collections.abc import Callable

from tichu.server.wire import EventMessage, FromServer, State

__all__ = ["Outbox"]


class Outbox:
    """A queue with one reader.  ``fall_behind`` is called when the reader is ready for a snapshot."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._waiting: deque[tuple[bool, bytes]] = deque()
        self._news = asyncio.Event()
        self._is_behind = False
        self.is_closed = False
        #: Set by the room: asks for a snapshot.
        self.fall_behind: Callable[[], None] | None = None

    def put(self, message: FromServer, data: bytes) -> None:
        """Send a message, given also as it is written, after those that wait."""
        if self.is_closed:
            return
        is_event = isinstance(message, EventMessage | State)
        if is_event and self._is_behind:
            return
        if len(self._waiting) >= self._most:
            self._waiting = deque(one for one in self._waiting if not one[0])
            self._is_behind = True
            if len(self._waiting) >= self._most:
                # It asks and asks and never listens.
                self.close()
                return
            if is_event:
                return
        self._waiting.append((is_event, data))
        self._news.set()

    def put_snapshot(self, data: bytes) -> None:
        """Send how things stand; events follow again."""
        self._is_behind = False
        self._waiting.append((True, data))
        self._news.set()

    def close(self) -> None:
        """Send what waits and nothing more."""
        self.is_closed = True
        self._news.set()

    async def next(self) -> bytes | None:
        """The next message, or None at the end."""
        while not self._waiting:
            if self.is_closed:
                return None
            self._news.clear()
            if self._is_behind and self.fall_behind is not None:
                self.fall_behind()
            await self._news.wait()
        return self._waiting.popleft()[1]
