"""Those who have said something and wait for the answer."""

import asyncio
from typing import Literal

from tichu.server.wire import Answer, Error

__all__ = ["Waiters"]


class Waiters:
    """By player and id of what was said: whoever says the same again waits for the same answer."""

    def __init__(self) -> None:
        self._waiting: dict[tuple[str, str], asyncio.Future[Answer]] = {}

    def __len__(self) -> int:
        """How many answers are waited for."""
        return len(self._waiting)

    def expect(self, player: str, number: str) -> "asyncio.Future[Answer]":
        """The answer to come."""
        key = (player, number)
        if key not in self._waiting:
            self._waiting[key] = asyncio.get_running_loop().create_future()
        return self._waiting[key]

    async def wait(self, player: str, number: str, seconds: float) -> Answer:
        """The answer.

        :raises TimeoutError: none came in time
        """
        waiter = self.expect(player, number)
        try:
            return await asyncio.wait_for(asyncio.shield(waiter), seconds)
        finally:
            if self._waiting.get((player, number)) is waiter:
                del self._waiting[player, number]

    def resolve(self, player: str, answer: Answer) -> None:
        """Here is the answer to something."""
        waiter = self._waiting.get((player, answer.id or ""))
        if waiter is not None and not waiter.done():
            waiter.set_result(answer)

    def resolve_all(self, code: Literal["busy", "closing"], words: str) -> None:
        """Nothing of it will be answered."""
        for (_, number), waiter in self._waiting.items():
            if not waiter.done():
                waiter.set_result(Error(code=code, message=words, id=number))
