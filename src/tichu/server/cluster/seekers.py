"""How many look for a quick match, told by the node that brings people together to all others."""

import asyncio
import time
from collections.abc import Callable
from typing import Final

from tichu.server.cluster.news import SeekersCounted
from tichu.server.cluster.node import Node
from tichu.server.failures import outliving

__all__ = ["SharedSeekers"]

#: Seconds between two looks, between two times that the same is told, and for how long it is believed.
_LOOK_S: Final = 2.0
_AGAIN_S: Final = 8.0
_BELIEVED_S: Final = 20.0
_NOBODY: Final = (0, 0)


class SharedSeekers:
    """What this node knows of those who look for a rated match, and for one that is not."""

    def __init__(self, node: Node, count: Callable[[], tuple[int, int]]) -> None:
        self._node = node
        #: How many look here.
        self._count = count
        self._told: tuple[int, int] = _NOBODY
        self._told_at = 0.0
        self._heard: tuple[int, int] = _NOBODY
        self._heard_at = 0.0

    async def tell_on(self) -> None:
        """Tell the others, while this node brings people together; until it is cancelled."""
        while True:
            await asyncio.sleep(_LOOK_S)
            with outliving("telling who looks for a match"):
                if self._node.membership.is_leader and self._node.membership.others():
                    await self.tell()

    async def tell(self) -> None:
        """Tell what has changed, and now and then what has not."""
        found, now = self._count(), time.monotonic()
        if found == self._told and (found == _NOBODY or now - self._told_at < _AGAIN_S):
            return
        self._told, self._told_at = found, now
        await self._node.news.try_tell(SeekersCounted(self._node.id, *found))

    def hear(self, item: SeekersCounted) -> None:
        """What another node has told."""
        self._heard, self._heard_at = (item.rated, item.casual), time.monotonic()

    def looking(self) -> tuple[int, int]:
        """How many look, wherever that is."""
        if self._node.leader_elsewhere() is None:
            return self._count()
        return self._heard if time.monotonic() - self._heard_at < _BELIEVED_S else _NOBODY
