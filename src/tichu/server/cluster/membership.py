"""A node's own row, renewed by the time of the database, and the rows of the others.

A node whose row does not change for :data:`~tichu.server.cluster.lease.DEAD_S` seconds of another's steady clock is
declared dead by that one: its row gets an end, after which it can renew nothing, and only then may its tables be taken.
Whoever declares must have renewed its own row without a break for as long.  So nobody is dead because the database was
away, for all had the same time to come back; nor because its clock was set.
"""

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

import asyncpg

from tichu.server.cluster.acquaintance import Acquaintance
from tichu.server.cluster.build import build_name
from tichu.server.cluster.lease import DEAD_S, RENEW_S, Lease, since_boot
from tichu.server.cluster.peers import Peer, new_id
from tichu.server.cluster.pulses import Pulses
from tichu.server.failures import RareLine, outliving
from tichu.server.log import FORMAT
from tichu.server.store import StoreError
from tichu.server.store.node_owner import IDLE_MS
from tichu.server.store.port import NameTaken
from tichu.server.store.postgres_connection import FAILURES, LOCK, Connection, connection_options

__all__ = ["Load", "Membership"]

log = logging.getLogger("tichu.server")

_SECONDS: Final = 2.0
_RETRY_S: Final = 0.25
#: Two renewals further apart are a break.
_BREAK_S: Final = 3.0
#: A node that does not renew for so long does not need its name any more.
_NAMESAKE_S = 2.5
_PURGE: Final = """
    WITH gone AS (
        DELETE FROM nodes WHERE ended < clock_timestamp() - interval '1 day'
        AND NOT EXISTS (SELECT 1 FROM tables WHERE owner = nodes.id) RETURNING id
    )
    DELETE FROM node_writes USING gone WHERE node = gone.id
"""

_JOIN: Final = """
    INSERT INTO nodes (id, name, url, version, log_format, started, renewed)
    VALUES ($1, $2, $3, $4, $5, clock_timestamp(), clock_timestamp())
"""
_RENEW: Final = """
    WITH me AS (
        UPDATE nodes SET renewed = clock_timestamp(), tables = $2, sockets = $3, draining = $4
        WHERE id = $1 AND ended IS NULL RETURNING id
    )
    SELECT (SELECT count(*) FROM me) AS is_ours, id, name, url, version, log_format, draining, tables, sockets, renewed,
    extract(epoch FROM started)::float8 AS started
    FROM nodes WHERE ended IS NULL
"""
_DECLARE: Final = """
    UPDATE nodes SET ended = clock_timestamp() WHERE id = $1 AND ended IS NULL AND renewed = $2
"""

#: How many tables and sockets a node has.
Load = Callable[[], tuple[int, int]]


class Membership:
    """Who this node is, and who else is there."""

    def __init__(self, database: str, name: str, url: str, load: Load) -> None:
        self._database = database
        self.name = name
        self._url = url
        self._load = load
        self.id = new_id(name)
        #: What this node runs.
        self.build = build_name()
        self.lease = Lease()
        self.is_draining = False
        self.peers: list[Peer] = []
        self.acquaintance = Acquaintance()
        #: Called when the row has ended and nothing of before counts, with a new id.
        self.on_lost: Callable[[], None] = lambda: None
        #: Called when another node was started under the same name.
        self.on_replaced: Callable[[], None] = lambda: None
        #: Called after every renewal.
        self.on_renewed: Callable[[], None] = lambda: None
        self._db: Connection | None = None
        self._task: asyncio.Task[None] | None = None
        #: When this life began and its id, which tell who is the oldest.
        self._started = float("inf"), self.id
        self._pulses = Pulses()
        self._unbroken_since: float | None = None
        self._last = float("-inf")
        self._turn = asyncio.Lock()
        self._line = RareLine()

    async def start(self) -> None:
        """Join the others.

        :raises NameTaken: another node of this name is at work
        :raises StoreError: the database does not let us
        """
        try:
            async with self._turn:
                db = await self._connect()
                await self._refuse_namesake(db)
                await self._join(db)
                await self._renew()
        except FAILURES as error:
            raise StoreError(f"PostgreSQL: {str(error) or type(error).__name__}") from error
        self._task = asyncio.create_task(self._renew_on(), name="lease")

    async def stop(self) -> None:
        """Leave: whatever is still ours may be taken at once."""
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        with suppress(*FAILURES):
            async with self._turn:
                db = await self._connect()
                await db.execute("UPDATE nodes SET ended = clock_timestamp() WHERE id = $1", self.id, timeout=_SECONDS)
        self.lease.drop()
        if self._db is not None:
            self._db.terminate()

    def others(self) -> list[Peer]:
        """Those who can take a table: nobody who cannot be reached from here."""
        return [peer for peer in self.neighbours() if peer.id not in self.acquaintance.unreached]

    def neighbours(self) -> list[Peer]:
        """All others that are at work and stay, whether they can be reached or not."""
        return [peer for peer in self.peers if peer.id != self.id and not peer.draining and peer.age < DEAD_S / 2]

    def readers(self) -> list[Peer]:
        """Those who are known to be reached and can read whatever this node writes."""
        reached = self.acquaintance.reached
        return [peer for peer in self.others() if peer.id in reached and peer.log_format >= FORMAT]

    @property
    def may_take(self) -> bool:
        """Whether tables may come here: not while others are there and none of them reaches this node.

        Of two that do not reach each other the one that was there first goes on.
        """
        neighbours = self.neighbours()
        if not neighbours or any(peer.id in self.acquaintance.accepted_by for peer in neighbours):
            return True
        return len(neighbours) == 1 and self._started <= (neighbours[0].started, neighbours[0].id)

    @property
    def leader(self) -> Peer | None:
        """Who does what only one has to do: the oldest.  Two for a moment do no harm."""
        unreached = self.acquaintance.unreached
        present = [one for one in self.peers if one.age < DEAD_S and not one.draining and one.id not in unreached]
        return min(present, key=lambda one: (one.started, one.id), default=None)

    @property
    def is_leader(self) -> bool:
        """Whether that is this node."""
        return self.leader is not None and self.leader.id == self.id

    async def _connect(self) -> Connection:
        if self._db is None or self._db.is_closed():
            self._db = await asyncpg.connect(self._database, **connection_options(IDLE_MS) | {"timeout": _SECONDS})
        return self._db

    async def _refuse_namesake(self, db: Connection) -> None:
        """Two nodes of one name at two places would end each other again and again.

        One that is started again where it was takes over at once.

        :raises NameTaken: there is another one, and it renews
        """
        query = "SELECT id, renewed, url FROM nodes WHERE name = $1 AND url <> $2 AND ended IS NULL"
        before, until = await db.fetch(query, self.name, self._url, timeout=_SECONDS), since_boot() + _NAMESAKE_S
        while before and since_boot() < until:
            await asyncio.sleep(_RETRY_S)
            for row in set(await db.fetch(query, self.name, self._url, timeout=_SECONDS)) - set(before):
                raise NameTaken(self.name, row["url"])

    async def _join(self, db: Connection) -> None:
        """Be one of the nodes.

        :raises LockNotAvailableError: a server without nodes plays the tables, and a node would show them as they were
        """
        async with db.transaction():
            if not await db.fetchval("SELECT pg_try_advisory_xact_lock_shared($1)", LOCK, timeout=_SECONDS):
                raise asyncpg.LockNotAvailableError("a server without --node is using the database")
            await db.execute(_JOIN, self.id, self.name, self._url, self.build, FORMAT, timeout=_SECONDS)
            await db.execute("INSERT INTO node_writes VALUES ($1, 0) ON CONFLICT DO NOTHING", self.id)
            # Whoever has this name was stopped, or should have been: it can change nothing any more.
            query = "UPDATE nodes SET ended = clock_timestamp() WHERE name = $1 AND id <> $2 AND ended IS NULL"
            await db.execute(query, self.name, self.id)
            await db.execute(_PURGE)

    async def _renew_on(self) -> None:
        while True:
            await asyncio.sleep(RENEW_S)
            with outliving("the renewal of the lease"):
                await self._try_renew()

    async def _try_renew(self) -> None:
        try:
            await self.renew()
        except FAILURES as error:
            if self._unbroken_since is not None:
                log.warning("the lease cannot be renewed: %s", str(error) or type(error).__name__)
            self._unbroken_since = None
            if self._db is not None:
                self._db.terminate()
            await asyncio.sleep(_RETRY_S)

    async def renew(self) -> None:
        """Renew the row now, and see who is there; a node that has not joined, or has left, has none."""
        async with self._turn:
            if self._task is not None:
                await self._renew()

    async def _renew(self) -> None:
        asked, db = since_boot(), await self._connect()
        rows = await db.fetch(_RENEW, self.id, *self._load(), self.is_draining, timeout=_SECONDS)
        if not rows or not rows[0]["is_ours"]:
            await self._begin_again(db)
            return
        if self._unbroken_since is None or asked - self._last > _BREAK_S:
            self._unbroken_since = asked
        self._last = asked
        self.lease.renew(asked)
        self._pulses.see({row["id"]: row["renewed"] for row in rows})
        self.peers = [_peer(row, self._pulses.age(row["id"])) for row in rows]
        self._started = next(((one.started, one.id) for one in self.peers if one.id == self.id), self._started)
        if asked - self._unbroken_since >= DEAD_S:
            for peer in self.peers:
                if peer.age > DEAD_S and peer.id != self.id:
                    await self._declare_dead(db, peer)
        self.on_renewed()

    async def _declare_dead(self, db: Connection, peer: Peer) -> None:
        if await db.execute(_DECLARE, peer.id, self._pulses.last(peer.id), timeout=_SECONDS) == "UPDATE 1":
            log.warning("node %s has not been heard of for %.1f s: its tables are taken over", peer.id, peer.age)
            self.peers = [one for one in self.peers if one.id != peer.id]

    async def _begin_again(self, db: Connection) -> None:
        """Others have given this node up: nothing that it had is its own any more."""
        self.lease.drop()
        query = "SELECT 1 FROM nodes WHERE name = $1 AND id <> $2 AND ended IS NULL"
        if await db.fetchval(query, self.name, self.id, timeout=_SECONDS):
            self.on_replaced()
            return
        former, self.id = self.id, new_id(self.name)
        self.on_lost()
        self._unbroken_since = None
        try:
            await self._join(db)
        except asyncpg.LockNotAvailableError as error:
            self._line.write(f"node {former} was given up and cannot begin anew", error)
            raise
        log.warning("node %s was given up by the others and begins anew", former)
        await self._renew()


def _peer(row: Any, age: float) -> Peer:
    return Peer(**{name: row[name] for name in Peer._fields if name != "age"}, age=age)
