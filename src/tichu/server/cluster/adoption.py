"""Finds the tables that have to go on at this node, whoever visits them or not.

Tables whose owner has ended and tables that were handed over are taken by the node on which all agree, and after a
moment by whoever sees them.  A table that is this node's and that nobody keeps in memory is taken once more: the
answer to a claim may have been lost, or a load may have failed.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import suppress
from typing import Final

from tichu.server.cluster import claims
from tichu.server.cluster.claims import Claims, Orphan
from tichu.server.cluster.membership import Membership
from tichu.server.cluster.peers import best_for
from tichu.server.failures import log_failure
from tichu.server.store import StoreError

__all__ = ["Adoption"]

_SCAN_S: Final = 1.0
#: A table that another node should have taken is taken by anybody after so many seconds.
_GRACE_S: Final = 2.0
#: Tables taken at the same time.
_AT_ONCE: Final = 4
#: Seconds between two looks for tables that a server without nodes has left, and for our own that are nowhere.
_LIST_S: Final = 60.0
_STRAYS_S = 5.0


class Adoption:
    """Looks again and again, sooner if it is woken."""

    def __init__(
        self,
        claims: Claims,
        membership: Membership,
        unreadable: Mapping[str, int],
        adopt: Callable[[str, str], Awaitable[None]],
        has: Callable[[str], bool],
    ) -> None:
        self._claims = claims
        self._membership = membership
        self._unreadable = unreadable
        #: Takes a table, for a reason, and goes on with it; and whether one is in memory.
        self._adopt = adopt
        self._has = has
        self._wake = asyncio.Event()
        #: When an orphan was first seen.
        self._seen: dict[str, float] = {}
        self._list_at = self._strays_at = 0.0
        #: What was ours and nowhere at the last look; one look alone may come in the middle of something.
        self._strays: frozenset[str] = frozenset()

    def wake(self) -> None:
        """Something has happened that makes it worth looking now."""
        self._wake.set()

    async def run(self) -> None:
        """Until it is cancelled."""
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(_SCAN_S):
                    await self._wake.wait()
            self._wake.clear()
            try:
                if self._membership.lease.is_held and not self._membership.is_draining:
                    await self._look()
            except StoreError:
                continue  # Whoever needs the database says so.
            except Exception as error:
                log_failure("taking over tables", error)

    async def _look(self) -> None:
        orphans, now = await self._claims.orphans(self._unreadable), time.monotonic()
        if now >= self._list_at:
            unlisted = await self._claims.unlisted(self._unreadable)
            orphans += [Orphan(table, None) for table in unlisted]
            self._list_at = now + (_LIST_S if not unlisted else 0.0)
        self._seen = {one.table: self._seen.get(one.table, now) for one in orphans}
        candidates = [self._membership.id, *(peer.id for peer in self._membership.others())]
        reasons = {
            one.table: "dead" if one.target is None else "handed"
            for one in orphans
            if self._is_ours_to_take(one, candidates, now)
        }
        if now >= self._strays_at:
            self._strays_at = now + _STRAYS_S
            reasons |= dict.fromkeys(await self._find_strays(), "stray")
        await self._take(reasons)
        # There are more, and nobody is in the way.
        if len(orphans) >= claims.ORPHANS and any(map(self._has, reasons)):
            self.wake()

    def _is_ours_to_take(self, orphan: Orphan, candidates: list[str], now: float) -> bool:
        wanted = orphan.target if orphan.target in candidates else best_for(orphan.table, candidates)
        return wanted == self._membership.id or now - self._seen[orphan.table] > _GRACE_S

    async def _find_strays(self) -> Iterable[str]:
        owned = await self._claims.owned(self._membership.id)
        before, self._strays = self._strays, frozenset(table for table in owned if not self._has(table))
        return before & self._strays

    async def _take(self, reasons: Mapping[str, str]) -> None:
        turns = asyncio.Semaphore(_AT_ONCE)

        async def take(table: str, why: str) -> None:
            async with turns:
                await self._adopt(table, why)

        # One that cannot be had now is no reason to leave the others.
        taking = [take(table, why) for table, why in reasons.items()]
        for error in await asyncio.gather(*taking, return_exceptions=True):
            if isinstance(error, Exception) and not isinstance(error, StoreError):
                log_failure("taking over a table", error)
