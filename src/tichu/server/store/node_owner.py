"""How a node writes to a PostgreSQL database that other nodes write to as well.

Every table has one owner, a node with its random incarnation, and an epoch that every claim raises.  An append updates
the row of its table on the condition that both are ours.  Whoever takes the table over must change the same row and
thus waits for an append that is under way; one that comes later finds another owner and fails, alone: the other tables
go on.

The writing connection holds the lock that a server without nodes wants for itself, shared with all nodes, so that such
a server (also one of version 0.1) and nodes exclude each other.  The number of the last transaction is kept in a row
of the node's own, and tells what became of one whose answer was lost.
"""

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from tichu.server.store.port import OutOfStep, StoreError, TableTaken
from tichu.server.store.postgres_connection import (
    APPEND_S,
    FAILURES,
    LOCK,
    Backend,
    Connection,
    Prepare,
    WritingConnection,
    connection_options,
    end_backends,
)
from tichu.server.store.postgres_owner import LogRow, LogStep
from tichu.server.store.preparing import missing_steps, prepare_database

__all__ = ["FENCE", "IDLE_MS", "NodeOwner"]

#: What makes an append one of the table's owner.
FENCE: Final = "AND tables.owner = $2 AND tables.epoch = step.epoch"

#: No transaction of a node that stands still stays open for longer, well below the lease.
IDLE_MS: Final = 3000

#: Held while the tables of the database are made or changed.
_PREPARE_LOCK: Final = LOCK + 1
_LOCK_TRIES, _LOCK_WAIT_S = 40, 0.25
_BEGIN_S, _RETRY_S = 3.0, 0.5

_STEP: Final = "unnest({}::text[], {}::bigint[], {}::bigint[], {}::bigint[]) AS step (id, first, next, epoch)"
# As that of a server alone, with the table's row as the fence.
_APPEND: Final = f"""
    WITH mark AS (UPDATE node_writes SET writes = $1 WHERE node = $2 RETURNING node),
    step AS (SELECT step.* FROM {_STEP.format("$4", "$5", "$6", "$7")}, mark),
    new AS (
        INSERT INTO tables (id, next, owner, epoch, build) SELECT id, next, $2, epoch, $11 FROM step WHERE first = 1
        ON CONFLICT DO NOTHING RETURNING id
    ),
    moved AS (
        UPDATE tables SET next = step.next FROM step
        WHERE tables.id = step.id AND tables.next = step.first {FENCE}
        RETURNING tables.id
    ),
    added AS (INSERT INTO log SELECT * FROM unnest($8::text[], $9::bigint[], $10::bytea[]))
    SELECT 1 / ((SELECT count(*) FROM new) + (SELECT count(*) FROM moved) = $3)::integer
"""
_COUNT_UP: Final = f"""
    UPDATE tables SET next = step.next FROM {_STEP.format("$1", "$3", "$4", "$5")}
    WHERE tables.id = step.id AND tables.next = step.first {FENCE}
"""


class NodeOwner:
    """The writing connection of a node; an :class:`~tichu.server.store.postgres_owner.Owner`."""

    def __init__(self, url: str, node: str, build: str, prepare: Prepare, when_lost: Callable[[], None]) -> None:
        self._prepare = partial(prepare_database, with_newer=True) if prepare is prepare_database else prepare
        self._connection = WritingConnection(url, connection_options(IDLE_MS), self._join, when_lost)
        #: The name with the incarnation.
        self.node = node
        #: What it runs: tables that it makes are of this build alone for as long as no other has them.
        self.build = build
        #: By table: the epoch in which it is ours.
        self.epochs: dict[str, int] = {}
        self._writes = 0
        #: Who wrote the last transaction.
        self._writer = node
        self._backends: list[Backend] = []

    async def connect(self) -> Connection:
        """The connection, a new one where it was lost.

        :raises StoreError: a server without nodes uses the database
        """
        return await self._connection.connect()

    def disconnect(self) -> None:
        """The connection is no good."""
        self._connection.disconnect()

    async def close(self) -> None:
        """Go."""
        await self._connection.close()

    async def check(self) -> None:
        """Connect again if need be."""
        await self.connect()

    async def begin(self, db: Connection) -> None:
        """Begin a transaction, with a number by which it is found later."""
        number = self._number()
        # Names of nodes have no quotes.
        begin = f"BEGIN; UPDATE node_writes SET writes = {number} WHERE node = '{self.node}'"
        if await db.execute(begin, timeout=_BEGIN_S) != "UPDATE 1":
            await db.execute("ROLLBACK")
            raise StoreError(f"node {self.node} is not at work")

    async def append(self, db: Connection, steps: Sequence[LogStep], rows: Sequence[LogRow]) -> None:
        """Append in a single statement: nothing stays open if this node stands still."""
        number, fenced = self._number(), self._with_epochs(steps)
        columns = *zip(*fenced, strict=True), *zip(*rows, strict=True)
        await db.execute(_APPEND, number, self.node, len(steps), *columns, self.build, timeout=APPEND_S)

    async def count_up(self, db: Connection, steps: Sequence[LogStep]) -> None:
        """Change the numbers that come next, where the tables are ours.

        :raises TableTaken: one is not
        :raises OutOfStep: one has another number
        """
        fenced = self._with_epochs(steps)
        new = [(table, epoch) for table, first, _, epoch in fenced if first == 1]
        if new:
            query = """
                INSERT INTO tables (id, next, owner, epoch, build)
                SELECT id, 1, $1, epoch, $4 FROM unnest($2::text[], $3::bigint[]) AS new (id, epoch)
                ON CONFLICT DO NOTHING
            """
            await db.execute(query, self.node, *zip(*new, strict=True), self.build)
        tables, firsts, following, epochs = zip(*fenced, strict=True)
        done = await db.execute(_COUNT_UP, tables, self.node, firsts, following, epochs)
        if done == f"UPDATE {len(steps)}":
            return
        for table, first, _, epoch in fenced:
            row = await db.fetchrow("SELECT next, owner, epoch FROM tables WHERE id = $1", table)
            if row is None or (row["owner"], row["epoch"]) != (self.node, epoch):
                raise TableTaken(table)
            if row["next"] != first:
                raise OutOfStep(table, first, row["next"])

    async def lock_table(self, db: Connection, table: str) -> None:
        """Whoever takes this table over waits until the end of the transaction.

        :raises TableTaken: somebody has
        """
        query = "UPDATE tables SET next = next WHERE id = $1 AND owner = $2 AND epoch = $3"
        if await db.execute(query, table, self.node, self.epochs.get(table, 0)) == "UPDATE 1":
            return
        if await db.fetchval("SELECT 1 FROM tables WHERE id = $1", table):
            raise TableTaken(table)

    async def is_committed(self, is_wanted: Callable[[], bool]) -> bool:
        """What became of the last transaction, whose connection was lost before the answer came."""
        while is_wanted():
            try:
                # To connect waits until nothing of the lost connection is open any more.
                db = await self.connect()
                query = "SELECT writes FROM node_writes WHERE node = $1"
                return bool(await db.fetchval(query, self._writer) == self._writes)
            except (*FAILURES, StoreError):
                self.disconnect()
                await asyncio.sleep(_RETRY_S)
        return False

    def _number(self) -> int:
        self._writes += 1
        self._writer = self.node
        return self._writes

    def _with_epochs(self, steps: Sequence[LogStep]) -> list[tuple[str, int, int, int]]:
        fenced = []
        for table, first, following in steps:
            # A table that nobody knows yet begins with its first entry.
            epoch = self.epochs.setdefault(table, 1) if first == 1 else self.epochs.get(table)
            if epoch is None:
                raise TableTaken(table)
            fenced.append((table, first, following, epoch))
        return fenced

    async def _join(self, db: Connection) -> None:
        former = self._backends
        own = await end_backends(db, former)
        # If this connection is lost before the others are known to be gone, the next one has to end all of them.
        self._backends = former + own
        await self._wait_gone(db, former)
        self._backends = own
        for _ in range(_LOCK_TRIES):
            if await db.fetchval("SELECT pg_try_advisory_lock_shared($1)", LOCK):
                break
            await asyncio.sleep(_LOCK_WAIT_S)
        else:
            raise StoreError("a server without --node is using the database")
        # A node that comes back misses nothing, and waits for no newer one that changes the tables just now.
        if await missing_steps(db, with_newer=True):
            await db.execute("SELECT pg_advisory_lock($1)", _PREPARE_LOCK)
            try:
                await self._prepare(db)
            finally:
                await db.execute("SELECT pg_advisory_unlock($1)", _PREPARE_LOCK)
        # A server without nodes that was cut off may still believe that the database is its own.
        await db.execute("UPDATE server SET epoch = epoch + 1")
        await db.execute("INSERT INTO node_writes VALUES ($1, 0) ON CONFLICT DO NOTHING", self.node)

    async def _wait_gone(self, db: Connection, backends: list[Backend]) -> None:
        query = "SELECT 1 FROM pg_stat_activity WHERE pid = $1 AND backend_start = $2"
        for _ in range(_LOCK_TRIES):
            if not [one for one in backends if await db.fetchval(query, *one)]:
                return
            await asyncio.sleep(_LOCK_WAIT_S)
        raise TimeoutError("a lost connection of this node is still open")
