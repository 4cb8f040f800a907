"""Who may write to a PostgreSQL database: how it is claimed, claimed again, and lost for good.

An advisory lock keeps a second server from starting.  It is gone with its connection, so it proves nothing: whether
this server still owns the database is decided by the epoch.  Every transaction begins with an update of the row that
holds it, on the condition that it is ours.  Whoever takes over must change that row and thus waits for a transaction
that is open; one that begins later finds no row.
"""

import asyncio
import time
from collections.abc import Callable, Sequence
from typing import Protocol, TypeAlias

from tichu.server.store.port import OutOfStep, StoreError, TakenOver
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

__all__ = ["DatabaseOwner", "LogRow", "LogStep", "Owner"]

#: Nodes whose rows do not change for so many seconds, by our own clock, are not at work.
_NODES_S = 8.0
#: Longer than the database needs to notice that the machine of a former server is gone.
_LOCK_TRIES, _LOCK_WAIT_S = 60, 0.25
#: The first statement of a transaction is done at once, or the connection is no good.
_BEGIN_S = 5.0
_RETRY_S = 1.0

# All of it or nothing: where the epoch or a number is another one, the division fails and the statement with it.  A
# statement sees nothing of what it writes itself, so a new table needs another way than one that goes on.
_APPEND = """
    WITH fence AS (UPDATE server SET writes = $1 WHERE epoch = $2 RETURNING epoch),
    step AS (SELECT * FROM unnest($4::text[], $5::bigint[], $6::bigint[]) AS step (id, first, next), fence),
    new AS (INSERT INTO tables SELECT id, next FROM step WHERE first = 1 ON CONFLICT DO NOTHING RETURNING id),
    moved AS (
        UPDATE tables SET next = step.next FROM step WHERE tables.id = step.id AND tables.next = step.first
        RETURNING tables.id
    ),
    added AS (INSERT INTO log SELECT * FROM unnest($7::text[], $8::bigint[], $9::bytea[]))
    SELECT 1 / ((SELECT count(*) FROM new) + (SELECT count(*) FROM moved) = $3)::integer
"""

#: A table, and from which number to which its log grows; and an entry with its table and number.
LogStep: TypeAlias = tuple[str, int, int]
LogRow: TypeAlias = tuple[str, int, bytes]


class Owner(Protocol):
    """Who may write: a server alone (here), or a node among others (:mod:`.node_owner`)."""

    #: By which name, empty for a server alone.
    node: str

    async def connect(self) -> Connection:
        """The connection that writes, a new one where it was lost."""

    def disconnect(self) -> None:
        """The connection is no good."""

    async def close(self) -> None:
        """Let others in."""

    async def check(self) -> None:
        """Connect again if need be, and see whether one may still write."""

    async def begin(self, db: Connection) -> None:
        """Begin a transaction."""

    async def append(self, db: Connection, steps: Sequence[LogStep], rows: Sequence[LogRow]) -> None:
        """Append in a single statement; a refusal of the database says that somebody is out of step."""

    async def count_up(self, db: Connection, steps: Sequence[LogStep]) -> None:
        """In a transaction: change the numbers that come next, on the condition that they are what is believed.

        :raises OutOfStep: one of them is not
        """

    async def lock_table(self, db: Connection, table: str) -> None:
        """In a transaction: nobody else changes this table until its end."""

    async def is_committed(self, is_wanted: Callable[[], bool]) -> bool:
        """What became of the last transaction, whose connection was lost before the answer came."""


class DatabaseOwner:
    """Whoever writes asks it for the connection, and to begin and to end each transaction."""

    def __init__(self, url: str, prepare: Prepare, when_lost: Callable[[], None]) -> None:
        self.node = ""
        self._prepare = prepare
        self._connection = WritingConnection(url, connection_options(), self._claim, when_lost)
        self._epoch: int | None = None
        #: The number of the last transaction of this epoch.
        self._writes = 0
        #: Our connections, the last one and those that may still be there.
        self._backends: list[Backend] = []

    async def connect(self) -> Connection:
        """The connection, a new one where it was lost.

        :raises TakenOver: another server owns the database
        :raises StoreError: another server holds the lock
        """
        return await self._connection.connect()

    def disconnect(self) -> None:
        """The connection is no good."""
        self._connection.disconnect()

    async def close(self) -> None:
        """Let others in."""
        await self._connection.close()

    async def check(self) -> None:
        """Connect again if need be, and see whether the database is still ours.

        :raises TakenOver: it is not
        """
        await self._check_epoch(await self.connect())

    async def begin(self, db: Connection) -> None:
        """Begin a transaction, with a number by which it is found later.

        :raises TakenOver: another server owns the database
        """
        self._writes += 1
        begin = f"BEGIN; UPDATE server SET writes = {self._writes} WHERE epoch = {self._epoch}"
        if await db.execute(begin, timeout=_BEGIN_S) != "UPDATE 1":
            await db.execute("ROLLBACK")
            raise TakenOver

    async def append(self, db: Connection, steps: Sequence[LogStep], rows: Sequence[LogRow]) -> None:
        """Append in a single statement, which spares the round trips of a transaction."""
        self._writes += 1
        columns = *zip(*steps, strict=True), *zip(*rows, strict=True)
        await db.execute(_APPEND, self._writes, self._epoch, len(steps), *columns, timeout=APPEND_S)

    async def count_up(self, db: Connection, steps: Sequence[LogStep]) -> None:
        """Change the numbers that come next, on the condition that they are what the owners of the tables believe.

        :raises OutOfStep: one of them is not
        """
        new = [table for table, first, _ in steps if first == 1]
        if new:
            await db.execute("INSERT INTO tables SELECT unnest($1::text[]), 1 ON CONFLICT DO NOTHING", new)
        query = """
            UPDATE tables SET next = step.next
            FROM unnest($1::text[], $2::bigint[], $3::bigint[]) AS step (id, first, next)
            WHERE tables.id = step.id AND tables.next = step.first
        """
        if await db.execute(query, *zip(*steps, strict=True)) != f"UPDATE {len(steps)}":
            table, first, _ = steps[0]
            raise OutOfStep(table, first, await db.fetchval("SELECT next FROM tables WHERE id = $1", table) or 1)

    async def lock_table(self, db: Connection, table: str) -> None:
        """The whole database is ours."""

    async def is_committed(self, is_wanted: Callable[[], bool]) -> bool:
        """What became of the last transaction, whose connection was lost before the answer came.

        :raises TakenOver: nobody knows, and nobody must be told anything
        """
        while is_wanted():
            try:
                # The lock that the connection takes was held by the lost one: no transaction of that is open any more.
                db = await self.connect()
                return bool(await db.fetchval("SELECT writes FROM server") == self._writes)
            except TakenOver:
                raise
            except (*FAILURES, StoreError):
                self.disconnect()
                await asyncio.sleep(_RETRY_S)
        return False

    async def _claim(self, db: Connection) -> None:
        await self._end_former_connections(db)
        for _ in range(_LOCK_TRIES):
            await self._check_epoch(db)
            if await db.fetchval("SELECT pg_try_advisory_lock($1)", LOCK):
                break
            await asyncio.sleep(_LOCK_WAIT_S)
        else:
            raise StoreError("another server is using the database")
        if self._epoch is not None:
            # Somebody may have come and gone.
            await self._check_epoch(db)
            return
        await self._prepare(db)
        await self._replace_nodes(db)
        self._epoch = await db.fetchval("UPDATE server SET epoch = epoch + 1, writes = 0 RETURNING epoch")

    async def _replace_nodes(self, db: Connection) -> None:
        """The tables belong to nobody but this server: a node that has been cut off can add to none of them.

        :raises StoreError: a node is at work; its own lock may be lost for a moment
        """
        query = "SELECT id, renewed FROM nodes WHERE ended IS NULL"
        before, until = await db.fetch(query), time.monotonic() + _NODES_S
        while before and time.monotonic() < until:
            await asyncio.sleep(_LOCK_WAIT_S)
            if set(await db.fetch(query)) - set(before):
                raise StoreError("nodes are using the database")
        await db.execute("UPDATE nodes SET ended = clock_timestamp() WHERE ended IS NULL")
        await db.execute("UPDATE tables SET owner = NULL, epoch = epoch + 1 WHERE owner IS NOT NULL")
        # Nobody keeps it from now on; nodes that come later make it anew.
        await db.execute("DELETE FROM directory")

    async def _end_former_connections(self, db: Connection) -> None:
        # Known before it takes the lock: the answer to that may never come.
        self._backends = await end_backends(db, self._backends)

    async def _check_epoch(self, db: Connection) -> None:
        if self._epoch is not None:
            epoch = await db.fetchval("SELECT epoch FROM server", timeout=_BEGIN_S)
            if epoch != self._epoch:
                raise TakenOver
