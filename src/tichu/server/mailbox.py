"""A queue with one reader that takes little room while it is empty: every table and every socket has some.

A queue of asyncio keeps four others inside, some kilobytes, for readers and writers that there are none of here.
"""

import asyncio
from typing import Generic, TypeVar

__all__ = ["Mailbox"]

_T = TypeVar("_T")


class Mailbox(Generic[_T]):
    """What waits for its reader, first come, first served; the names are those of :class:`asyncio.Queue`."""

    __slots__ = ("_coming", "_next", "_reader")

    def __init__(self) -> None:
        #: What has come, and before it what is next, the last one first.
        self._coming: list[_T] = []
        self._next: list[_T] = []
        self._reader: asyncio.Future[None] | None = None

    def put_nowait(self, item: _T) -> None:
        """Let something wait, and wake the reader."""
        self._coming.append(item)
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)

    async def get(self) -> _T:
        """The next, when there is one."""
        while self.empty():
            self._reader = asyncio.get_running_loop().create_future()
            try:
                await self._reader
            finally:
                self._reader = None
        return self.get_nowait()

    def get_nowait(self) -> _T:
        """The next of those that wait.

        :raises IndexError: there is none
        """
        if not self._next:
            self._coming.reverse()
            self._next, self._coming = self._coming, self._next
        return self._next.pop()

    def qsize(self) -> int:
        """How much waits."""
        return len(self._coming) + len(self._next)

    def empty(self) -> bool:
        """Whether nothing waits."""
        return not (self._coming or self._next)
