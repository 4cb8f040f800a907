"""Work of which only so much is done at a time: one after the other, or some of each."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

from tichu.server.background import Busy

__all__ = ["AtOnce", "Turns"]


class Turns:
    """One after the other."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._here = 0
        self._lock = asyncio.Lock()

    @asynccontextmanager
    async def take(self) -> AsyncIterator[None]:
        """Wait for one's turn.

        :raises Busy: too many wait already
        """
        if self._here >= self._most:
            raise Busy
        self._here += 1
        try:
            async with self._lock:
                yield
        finally:
            self._here -= 1


class AtOnce:
    """So much at a time in all, so much of an address, and so much of a person.

    >>> at_once = AtOnce(10, 2, 1)
    >>> [at_once.enter("here", person) for person in ("ann", "ann", "bob", "cy")], at_once.enter("there", "cy")
    ([True, False, True, False], True)
    """

    def __init__(self, most: int, of_an_address: int, of_a_person: int) -> None:
        self._most = {"all": most, "address": of_an_address, "person": of_a_person}
        self._here: Counter[tuple[str, str]] = Counter()

    def enter(self, address: str, person: str) -> bool:
        """Whether one more may begin; if so it is counted."""
        keys = _keys(address, person)
        if any(self._here[key] >= self._most[key[0]] for key in keys):
            return False
        self._here.update(keys)
        return True

    def leave(self, address: str, person: str) -> None:
        """One less."""
        for key in _keys(address, person):
            self._here[key] -= 1
            if not self._here[key]:
                del self._here[key]

    @contextmanager
    def taken(self, address: str, person: str) -> Iterator[None]:
        """Do something that is counted.

        :raises Busy: it may not begin now
        """
        if not self.enter(address, person):
            raise Busy
        try:
            yield
        finally:
            self.leave(address, person)


def _keys(address: str, person: str) -> tuple[tuple[str, str], ...]:
    return ("all", ""), ("address", address), ("person", person)
