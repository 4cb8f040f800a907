"""What people are to each other: who follows whom, and who is never brought together with whom."""

from collections.abc import Callable, Collection

from tichu.server.log import SeatResult
from tichu.server.store import Store
from tichu.server.store import relations as kept
from tichu.server.table.ports import Player
from tichu.server.table.refusals import TableReason
from tichu.server.wire import Refused, Sit

__all__ = ["Relations"]


class Relations:
    """All people of a server, and what they think of each other."""

    def __init__(self, store: Store, clock: Callable[[], float]) -> None:
        self._store = store
        self._clock = clock

    async def blocks(self, player: str) -> frozenset[str]:
        """With whom somebody is never brought together, whoever of the two wanted that."""
        return await self._store.read(kept.blocks_of, player)

    async def sitting(self, player: Player, said: Sit, others: Collection[str]) -> tuple[Player, Sit | Refused]:
        """Who sits down, with whom they may not; or why they may not with these: one of them has blocked the other.

        Whoever is blocked is not told so: for them it is just not possible now.
        """
        blocks = await self.blocks(player.id)
        if not (unwanted := blocks & set(others)):
            return player._replace(apart=blocks), said
        own = await self._store.read(kept.blocked_by, player.id)
        reason = TableReason.BLOCKED if unwanted & own else TableReason.NOT_NOW
        return player, Refused(id=said.id, reason=reason.name, message=reason.value, version=0)

    async def follow(self, player: str, other: str) -> kept.Outcome:
        """Follow somebody."""
        return await self._store.write(kept.follow, player, other, self._clock())

    async def block(self, player: str, other: str) -> kept.Outcome:
        """Have nothing to do with somebody."""
        return await self._store.write(kept.block, player, other, self._clock())

    async def everybody(self) -> tuple[int, SeatResult]:
        """What all counted games add up to."""
        return await self._store.read(kept.everybodys_results)
