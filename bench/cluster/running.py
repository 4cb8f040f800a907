"""A whole cluster on this machine: PostgreSQL, nodes, the balancer, and the database's own copy of the history."""

import asyncio
import os
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import Final, NamedTuple

import asyncpg

from bench.attacks.proxy import Proxy, proxy
from bench.cluster.audit import begin_audit, read_audit
from bench.cluster.balancer import Balancer, balancer
from bench.cluster.checker import Verdict, check
from bench.cluster.crowd import Crowd
from bench.cluster.history import History
from bench.cluster.nodes import Node, Program
from bench.postgres import Postgres

__all__ = ["NAMES", "Cluster", "Taken", "family_s", "processor_s", "running"]

NAMES: Final = ("a", "b", "c")


class Taken(NamedTuple):
    """Seconds of the processor that everything has taken so far."""

    nodes: float
    database: float
    balancer: float


class Cluster:
    """Everything that runs.  The last node reaches the database through a proxy that can be cut."""

    def __init__(self, folder: Path, database: Postgres, nodes: Sequence[Node], link: Proxy) -> None:
        self.database = database
        self.nodes = list(nodes)
        self.link = link
        self.port = 0
        self._folder = folder
        self._stack = AsyncExitStack()
        self._balancer: Balancer | None = None

    async def balance(self, *, is_hashing: bool) -> None:
        """Put a balancer in front, in place of the former one and at the same port."""
        await self._stack.aclose()
        ports = [node.port for node in self.nodes]
        entered = balancer(self._folder / "balancer", ports, is_hashing=is_hashing, port=self.port)
        self._balancer = await self._stack.enter_async_context(entered)
        self.port = self._balancer.port

    async def close(self) -> None:
        """End everything but the database."""
        await self._stack.aclose()
        for node in self.nodes:
            node.end()

    async def owned(self) -> dict[str, list[str]]:
        """The tables of each node, by its name."""
        db = await asyncpg.connect(self.database.url)
        try:
            rows = await db.fetch("SELECT id, owner FROM tichu.tables WHERE owner IS NOT NULL")
        finally:
            await db.close()
        tables: dict[str, list[str]] = {node.name: [] for node in self.nodes}
        for table, owner in rows:
            tables.setdefault(owner.rpartition(".")[0], []).append(table)
        return tables

    async def written(self) -> tuple[int, int]:
        """How many entries all logs have had, and how many bytes the write-ahead log."""
        db = await asyncpg.connect(self.database.url)
        try:
            query = (
                "SELECT coalesce(sum(next - 1), 0)::bigint, (pg_current_wal_lsn() - '0/0')::bigint FROM tichu.tables"
            )
            entries, wal = await db.fetchrow(query)  # type: ignore[misc]
            return entries, wal
        finally:
            await db.close()

    async def restart_database(self) -> None:
        """Without a word to anybody who is connected."""
        await asyncio.to_thread(self.database.stop)
        await asyncio.to_thread(self.database.start)

    def taken(self) -> Taken:
        """What the processors have done so far."""
        nodes = sum(processor_s(node.pid) for node in self.nodes if node.is_alive)
        assert self._balancer is not None
        return Taken(nodes, family_s(self.database.pid), family_s(self._balancer.pid))

    async def verdict(self, crowd: Crowd) -> Verdict:
        """What the database and the clients say, compared."""
        written, claims, sessions = await read_audit(self.database.url)
        # Also the tables that people have left to sit down anew: what they were told there must be true as well.
        ours = {table.id for table in crowd.tables} | {answer.table for answer in crowd.answers}
        return check(History([entry for entry in written if entry.table in ours], claims, sessions, crowd.answers))


def processor_s(pid: int) -> float:
    """Seconds that all threads of a process have taken.

    ``/proc/PID/stat`` has hundredths, rounded for every process: of thirty that do little that is as much as they do.

    :raises OSError: it has ended
    """
    # As clock_getcpuclockid(3) makes it; 2 is what the scheduler has counted.
    return time.clock_gettime(~pid << 3 | 2)


def family_s(pid: int) -> float:
    """The same of a process and its children, also of those that have ended."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    taken = (int(fields[13]) + int(fields[14])) / os.sysconf("SC_CLK_TCK")
    for one in (pid, *map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split())):
        with suppress(OSError):  # It has just ended.
            taken += processor_s(one)
    return taken


async def _forget_everything(url: str) -> None:
    db = await asyncpg.connect(url)
    try:
        await db.execute("DROP SCHEMA IF EXISTS tichu CASCADE; DROP SCHEMA IF EXISTS audit CASCADE")
    finally:
        await db.close()


@asynccontextmanager
async def running(
    database: Postgres,
    names: Sequence[str] = NAMES,
    *,
    is_hashing: bool = True,
    is_audited: bool = True,
    program: Program | None = None,
    options: Sequence[str] = (),
) -> AsyncIterator[Cluster]:
    """A cluster on an empty database, until the end of the block."""
    await _forget_everything(database.url)
    with tempfile.TemporaryDirectory(prefix="tichu-cluster-") as name:
        folder = Path(name)
        async with proxy(database.socket) as link:
            nodes = [Node(folder, one, database.url, options) for one in names]
            if is_audited:
                nodes[-1].database = f"postgresql://tichu@127.0.0.1:{link.port}/postgres"
            cluster = Cluster(folder, database, nodes, link)
            try:
                for at, node in enumerate(nodes):
                    node.program = program or node.program
                    if at == 0 and is_audited:
                        # The first one makes the tables; then the copy begins, and only then anything can happen.
                        await node.start()
                        await node.stop()
                        await begin_audit(database.url)
                await asyncio.gather(*(node.start() for node in nodes))
                await cluster.balance(is_hashing=is_hashing)
                yield cluster
            finally:
                await cluster.close()
