"""One of several servers over one database: takes tables, gives them away, and knows where the others are.

A table that is not in this node's memory is looked for in the database: whoever asks is told where it is, or it is
taken if nobody has it.  What nobody asks for is found by :mod:`.adoption`.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine, Iterable
from contextlib import suppress
from typing import Final, NamedTuple, Protocol
from urllib.parse import urlsplit

from tichu.server.cluster.adoption import Adoption
from tichu.server.cluster.claims import Claim, Claims
from tichu.server.cluster.database import Database
from tichu.server.cluster.directory import Directory, Row
from tichu.server.cluster.lease import Lease
from tichu.server.cluster.membership import Membership
from tichu.server.cluster.metrics import NodeMetrics
from tichu.server.cluster.news import News, NewsItem, NodesChanged, TablesFreed
from tichu.server.cluster.page_files import PageFiles
from tichu.server.cluster.peers import Peer, best_for
from tichu.server.config import Config
from tichu.server.failures import outliving
from tichu.server.metrics import Metrics
from tichu.server.store import StoreError
from tichu.server.store.node_owner import NodeOwner
from tichu.server.store.postgres import PostgresStore
from tichu.server.store.postgres_connection import FAILURES

__all__ = ["HERE", "Node", "NodeAddress", "Tables"]

log = logging.getLogger("tichu.server")

_FLUSH_S: Final = 0.25
#: Seconds between two looks at the addresses of the others.
_RESOLVE_S: Final = 5.0
#: A node that was not heard of for so many seconds is probably about to be given up: nobody is sent there.
_SILENT_S: Final = 3.5
_ID_LENGTH: Final = 60
#: How long it is believed where a table is.
_KNOWN_S: Final = 5.0
_MOST_KNOWN: Final = 50_000
#: Rows of the directory written at once.
_ROWS: Final = 500


class Tables(Protocol):
    """What a node asks of whoever keeps its tables."""

    async def adopt(self, table_id: str, why: str) -> None:
        """Take a table for a reason and go on with it, unless it is here by now or another node was faster."""

    def has(self, table_id: str) -> bool:
        """Whether the table is in memory."""

    def lose_all(self) -> None:
        """Nothing is ours any more: show and answer nothing of it."""

    def describe(self, table_ids: Iterable[str]) -> list[tuple[str, Row]]:
        """How tables look from outside, without their epochs."""

    def hear(self, item: NewsItem) -> None:
        """Something has happened at another node, or at this one."""

    def forget_players(self) -> None:
        """News may have been missed."""

    def load(self) -> tuple[int, int]:
        """How many tables and sockets there are."""


class NodeAddress(NamedTuple):
    """Where a table is: at a node with this address, or here."""

    node: str
    url: str


HERE: Final = NodeAddress("", "")


class Node:
    """This server among others."""

    def __init__(self, config: Config, metrics: Metrics) -> None:
        self.config = config
        self.metrics = NodeMetrics(metrics.registry, config.node, lambda: self.lease.left)
        self._database = Database(config.database)
        self.claims = Claims(self._database)
        self.directory = Directory(self._database)
        self.page_files = PageFiles(self._database)
        self.news = News(self._database)
        self.membership = Membership(config.database, config.node, config.node_url, lambda: self._tables.load())
        self._owner: NodeOwner | None = None
        self._store: PostgresStore | None = None
        self._tables: Tables
        self._known: dict[str, tuple[NodeAddress, float]] = {}
        self._changed: dict[str, None] = {}
        #: Tables that this build cannot read, up to the entry with this number.
        self._unreadable: dict[str, int] = {}
        self._adoption: Adoption | None = None
        #: Where the other nodes are.
        self._addresses: set[str] = set()
        self._tasks: list[asyncio.Task[None]] = []
        self._short: set[asyncio.Task[None]] = set()

    @property
    def id(self) -> str:
        """The name with its incarnation."""
        return self.membership.id

    @property
    def lease(self) -> Lease:
        """For how long this node may speak."""
        return self.membership.lease

    async def open_store(self) -> PostgresStore:
        """The store through which this node writes.

        :raises StoreError: it cannot be opened
        """

        def make(prepare: Callable[..., object], when_lost: Callable[[], None]) -> NodeOwner:
            self._owner = NodeOwner(self.config.database, self.id, self.membership.build, prepare, when_lost)
            return self._owner

        self._store = PostgresStore(self.config.database, make)
        await self._store.start()
        await self._database.start()
        return self._store

    async def database_time(self) -> float:
        """Seconds since 1970, as the database says."""
        now = await self._database.row("SELECT extract(epoch FROM clock_timestamp())::float8 AS now")
        assert now is not None
        return float(now["now"])

    async def start(self, tables: Tables) -> None:
        """Join the others, and take part.

        :raises StoreError: the database does not let us
        """
        self._tables = tables
        self.membership.on_lost = self._begin_again
        self.membership.on_replaced = self._end
        self.news.on_item = self._hear
        self.news.on_gap = self._miss
        await self.news.start()
        await self.membership.start()
        await self.news.try_tell(NodesChanged(self.id))
        self._adoption = Adoption(self.claims, self.membership, self._unreadable, tables.adopt, tables.has)
        self._adoption.wake()
        self._tasks = [
            asyncio.create_task(self._adoption.run(), name="adoption"),
            asyncio.create_task(self._write_directory(), name="directory"),
            asyncio.create_task(self._resolve_on(), name="addresses"),
        ]

    async def stop(self) -> None:
        """Leave the others; tables were handed over before."""
        for task in (*self._tasks, *self._short):
            task.cancel()
        # One that broke must not keep the row of this node from getting an end.
        await asyncio.gather(*self._tasks, *self._short, return_exceptions=True)
        with suppress(StoreError):
            await self._flush()
        await self.membership.stop()
        await self.news.stop()
        await self._database.close()

    # Where tables are.

    async def locate(self, table: str) -> NodeAddress | None:
        """Where a table is, taken if nobody has it; None if there is no such table.

        :raises StoreError: nobody knows now
        """
        if self._tables.has(table):
            return HERE
        known = self._known.get(table)
        if known is not None and known[1] > time.monotonic():
            return known[0]
        # Not every text can be asked for; ids are short and plain.
        is_id = table.isascii() and table.isprintable() and len(table) <= _ID_LENGTH
        found = await self.claims.find(table) if is_id else None
        if found is None:
            return None
        if found.owner is not None and found.url is not None and found.owner != self.id:
            place = NodeAddress(found.owner, found.url)
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            self._known[table] = place, time.monotonic() + _KNOWN_S
            return place
        if self._unreadable.get(table) == found.next:
            return self._reader_of(table)
        return HERE

    def is_peer(self, address: str) -> bool:
        """Whether another node is reached at this address."""
        return address in self._addresses

    async def _resolve_on(self) -> None:
        """Find out the addresses of the others, whose connections are not counted as a client's; however long it takes.

        Whoever has come lately is asked for sooner.
        """
        loop, known = asyncio.get_running_loop(), set[str]()
        while True:
            urls, found = {peer.url for peer in self.membership.others()}, set()
            for url in urls:
                with suppress(OSError, ValueError):  # Some are no names at all.
                    found |= {str(one[4][0]) for one in await loop.getaddrinfo(urlsplit(url).hostname, None)}
            self._addresses, was_known, known = found, known, urls
            await asyncio.sleep(_RESOLVE_S if was_known == urls else 1.0)

    def is_gone(self, node: str) -> bool:
        """Whether a node is known to have ended."""
        return all(peer.id != node for peer in self.membership.peers)

    def leader_elsewhere(self) -> NodeAddress | None:
        """Where the node is that does what one does for all, None if it is this one or nobody knows."""
        leader = self.membership.leader
        return None if leader is None or leader.id == self.id else NodeAddress(leader.id, leader.url)

    def home_of(self, game: str) -> NodeAddress:
        """Where a finished game is reviewed: at the node that all agree on without asking, which may be this one."""
        unreached = self.membership.acquaintance.unreached
        peers = [peer for peer in self.membership.peers if peer.id not in unreached]
        present = {peer.id: peer for peer in peers if not peer.draining and peer.age <= _SILENT_S}
        best = best_for(game, present)
        return HERE if best is None or best == self.id else NodeAddress(best, present[best].url)

    def is_silent(self, node: str) -> bool:
        """Whether a node may be standing still."""
        return any(peer.id == node and peer.age > _SILENT_S for peer in self.membership.peers)

    def forget_place(self, table: str) -> None:
        """It is not where it was said to be."""
        self._known.pop(table, None)

    async def take(self, table: str, why: str) -> Claim | None:
        """Make a table ours, if it is to be had and not in memory; one at a time asks for a table."""
        if self.membership.is_draining or not self.membership.may_take or self._tables.has(table):
            return None
        life = self.id
        claim = await self.claims.claim(table, life, self.membership.build, self._unreadable.get(table))
        if claim is None or life != self.id:
            return None  # Whatever an earlier life has taken is to be had again.
        assert self._owner is not None
        self._owner.epochs[table] = claim.epoch
        self._unreadable.pop(table, None)
        self.forget_place(table)
        self.metrics.claims.labels(why).inc()
        return claim

    async def leave_to_others(self, table: str, claim: Claim) -> None:
        """This build cannot read a table that it has taken: another one can, with what was handed over to this one."""
        self._unreadable[table] = claim.next
        target = best_for(table, [peer.id for peer in self._other_builds()])
        await self._give(table, claim.epoch, claim.live or b"", target)

    @property
    def has_other_builds(self) -> bool:
        """Whether a node of another build could take a table that this one has no use for."""
        return bool(self._other_builds())

    def _other_builds(self) -> list[Peer]:
        return [peer for peer in self.membership.others() if peer.version != self.membership.build]

    def _reader_of(self, table: str) -> NodeAddress:
        """A node that may be able to read a table that this one cannot.

        :raises StoreError: there is none
        """
        readers = {peer.id: peer for peer in self._other_builds()}
        best = best_for(table, readers)
        if best is None:
            raise StoreError(f"no node can read table {table}; one of another version could")
        return NodeAddress(best, readers[best].url)

    async def release(self, table: str, epoch: int) -> None:
        """Let a table rest in the store, where anybody can take it; it may have been taken anew in the meantime."""
        await self.claims.release(table, self.id, epoch)
        self._forget_epoch(table, epoch)

    async def hand_over(self, table: str, epoch: int, live: bytes, target: str | None = None) -> bool:
        """Give a table to another node, with what is true of it only now."""
        target = target or best_for(table, [peer.id for peer in self.membership.readers() or self.membership.others()])
        return await self._give(table, epoch, live, target)

    async def _give(self, table: str, epoch: int, live: bytes, target: str | None) -> bool:
        if not await self.claims.hand_over(table, self.id, epoch, target, live):
            return False
        self._forget_epoch(table, epoch)
        self.metrics.handed_over.inc()
        await self.news.try_tell(TablesFreed((table,), target))
        return True

    def _forget_epoch(self, table: str, epoch: int) -> None:
        if self._owner is not None and self._owner.epochs.get(table) == epoch:
            del self._owner.epochs[table]

    async def begin_draining(self) -> None:
        """Take no more tables; the others need not offer any."""
        self.membership.is_draining = True
        await self._renew()
        await self.news.try_tell(NodesChanged(self.id))

    async def _renew(self) -> None:
        with suppress(*FAILURES):
            await self.membership.renew()

    def _start(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._short.add(task)
        task.add_done_callback(self._short.discard)

    def is_new(self, table: str) -> bool:
        """Whether a table was made here and has been nowhere else."""
        return self.epoch_of(table) == 1

    def lose(self, table: str) -> None:
        """Another node has taken it."""
        self.metrics.lost.inc()
        self._changed.pop(table, None)
        if self._owner is not None:
            self._owner.epochs.pop(table, None)

    async def forget(self, table: str) -> None:
        """There is no such table any more."""
        self._changed.pop(table, None)
        if self._owner is not None:
            self._owner.epochs.pop(table, None)
        await self.directory.forget(table)

    def epoch_of(self, table: str) -> int | None:
        """In which epoch a table is ours, None if it is not."""
        return None if self._owner is None else self._owner.epochs.get(table)

    # What others hear.

    def note(self, table: str) -> None:
        """A table looks different from outside."""
        self._changed[table] = None

    async def flush(self, table: str) -> None:
        """Write the row of a table now."""
        await self._write([table])

    async def write_row(self, table: str, row: Row) -> None:
        """Write how a table looks that is about to leave; the row has the epoch in which it was ours."""
        self._changed.pop(table, None)
        await self.directory.write([row])

    async def _write_directory(self) -> None:
        while True:
            await asyncio.sleep(_FLUSH_S)
            with outliving("the directory"), suppress(StoreError):
                await self._flush()

    async def _flush(self) -> None:
        while self._changed:
            some = list(self._changed)[:_ROWS]
            for table in some:
                del self._changed[table]
            try:
                await self._write(some)
            except StoreError:
                self._changed |= dict.fromkeys(some)
                raise

    async def _write(self, tables: list[str]) -> None:
        rows = []
        for table, (row, persons, _) in self._tables.describe(tables):
            epoch = self.epoch_of(table)
            if epoch is not None:
                rows.append((row, persons, epoch))
        await self.directory.write(rows)

    def _hear(self, item: NewsItem) -> None:
        if isinstance(item, NodesChanged) and item.node != self.id:
            self._start(self._renew())
            self._wake()
        if isinstance(item, TablesFreed):
            for table in item.tables:
                self.forget_place(table)
            if item.target == self.id:
                self._wake()
        self._tables.hear(item)

    def _miss(self) -> None:
        self._known.clear()
        self._tables.forget_players()
        self._wake()

    def _wake(self) -> None:
        if self._adoption is not None:
            self._adoption.wake()

    # The end.

    def _begin_again(self) -> None:
        """Others have given this node up and have its tables."""
        if self._owner is not None:
            self._owner.epochs.clear()
            self._owner.node = self.id
        self._known.clear()
        self._changed.clear()
        self._tables.lose_all()

    def _end(self) -> None:
        log.critical("another node was started as %s; this one stops", self.config.node)
        if self._store is not None:
            self._store.give_up()
