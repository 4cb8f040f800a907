"""The lobby of a node: tables that are here for as long as they are, and what is known of those elsewhere."""

import asyncio
import logging
import math
import time
from collections.abc import AsyncIterator, Callable, Collection, Coroutine, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Final

from msgspec import MsgspecError

from tichu.server.clock import SteadyClock
from tichu.server.cluster.claims import Claim
from tichu.server.cluster.directory import Directory, Row
from tichu.server.cluster.lease import Lease, since_boot
from tichu.server.cluster.news import (
    NewsItem,
    PersonReplaced,
    PlayerRenamed,
    RatingsChanged,
    SeatGivenUp,
    SeekersCounted,
    TokenRevoked,
    TryCounted,
)
from tichu.server.cluster.node import Node, NodeAddress
from tichu.server.cluster.seekers import SharedSeekers
from tichu.server.config import Config
from tichu.server.counting import count_old_games
from tichu.server.failures import log_failure, outliving
from tichu.server.listing import LISTED
from tichu.server.lobby import Lobby
from tichu.server.log import decode
from tichu.server.metrics import Metrics
from tichu.server.moving import choose_moves
from tichu.server.rating.service import close_log
from tichu.server.replacing import replace_at, replace_here
from tichu.server.resting import RestingTable
from tichu.server.reviews.keeping import keep_old_sheets
from tichu.server.room import Room
from tichu.server.store import Store, StoreError
from tichu.server.store.people import good_tokens
from tichu.server.table import Table
from tichu.server.table.handover import decode_handover
from tichu.server.table.replacement import Replacement
from tichu.server.table.state import NewerLog

__all__ = ["SharedTables"]

log = logging.getLogger("tichu.server")

#: As many tables are looked at for each that is listed, because an address has only a few.
_OFFERED: Final = 3
#: Tables handed over at the same time, and forgotten in one go.
_AT_ONCE: Final = 16
_FORGOTTEN: Final = 200
#: Longer a node that is told to end does not hand over; whoever ends it by force waits for 20 or 30 s.
_HANDOVER_S = 12.0
#: Tokens told of at once, as one NOTIFY has less than 8,000 bytes, and seconds between tries to tell.
_TOLD: Final = 50
_TELLING_S: Final = (0.5, 1.0, 2.0, 5.0, 10.0, 30.0)
#: Seconds between two looks for tables that should be elsewhere.
_MOVING_S: Final = 2.0
#: Seconds between two looks at the tokens of open sockets: for so long one may be believed in whose end nobody told of.
_TOKENS_S = 20.0
#: Tables that fit into one piece of news.
_TABLES_TOLD: Final = 100


class SharedTables:
    """Between a lobby and the node that it is part of."""

    def __init__(self, config: Config, metrics: Metrics) -> None:
        self.node = Node(config, metrics)
        self._page_files = self.node.page_files
        self._lobby: Lobby
        self.seekers: SharedSeekers
        #: Called at the end.
        self.at_end: list[Callable[[], object]] = []
        self._tasks: set[asyncio.Task[None]] = set()
        #: Whether sheets that are missing are being kept, once.
        self._has_sheets = False

    async def open_store(self) -> Store:
        """Where this node writes.

        :raises StoreError: it cannot be opened
        """
        return await self.node.open_store()

    async def clock(self) -> SteadyClock:
        """The time of the database, so that the clocks of all nodes agree; from then on nobody can set it.

        It goes on by the clock of the lease: what that counts as silence, tables can be given back.
        """
        now = await self.node.database_time()
        return SteadyClock(lambda: now, since_boot)

    @asynccontextmanager
    async def share(self, lobby: Lobby) -> AsyncIterator[None]:
        """Let a lobby be that of this node.

        :raises StoreError: the database does not let us
        """
        self._lobby = lobby
        self.seekers = SharedSeekers(self.node, lobby.quick_match.looking)
        lobby.shared = self
        self.lease.on_regained = self._go_on
        lobby.players.on_rename = self._tell_renamed
        lobby.ratings.on_rewritten = self._tell_ratings_changed
        lobby.quick_match.on_left = self._tell_left
        lobby.accounts.tries.on_counted = self._tell_try
        working: list[asyncio.Task[None]] = []
        try:
            await self.node.start(self)
            working = [
                asyncio.create_task(self._move_on(), name="moving tables"),
                asyncio.create_task(self._check_tokens_on(), name="checking tokens"),
                asyncio.create_task(self.seekers.tell_on(), name="telling who looks for a match"),
            ]
            yield
        finally:
            for task in working:
                task.cancel()
            for close in self.at_end:
                close()
            await self.node.stop()

    def _go_on(self) -> None:
        """Nothing was heard for a while, and everything is still ours."""
        for room in self._lobby.rooms.values():
            room.go_on()

    @property
    def lease(self) -> Lease:
        """For how long this node may speak."""
        return self.node.lease

    @property
    def directory(self) -> Directory:
        """What is known of all tables."""
        return self.node.directory

    # The page.

    async def page_file(self, path: str) -> bytes | None:
        """A file of a page that another node has or had."""
        try:
            return await self._page_files.find(path)
        except StoreError:
            return None

    def keep_page(self, files: Mapping[str, bytes]) -> None:
        """Leave the files of this node's page for others."""

        async def keep() -> None:
            try:
                await self._page_files.keep(files)
            except StoreError as error:
                log.warning("the files of the page are not kept for other nodes: %s", error)

        self._start(keep(), "page files")

    # What the lobby asks for.

    async def offers(self) -> list[RestingTable]:
        """Public tables of all nodes."""
        return await self.directory.offers(LISTED * _OFFERED)

    async def bring(self, table_id: str) -> None:
        """Have a table here that nobody has, if there is one; only :meth:`.Lobby.load` asks for it."""
        claim = await self.node.take(table_id, "visit")
        if claim is not None:
            await self._load(table_id, claim, may_rest=False)

    async def reserve(self, table_id: str, code: str, address: str) -> bool:
        """Keep a code for a new table; False if another one has it.

        :raises TooManyTables: there is no room for another one, counted over all nodes and with those that rest
        """
        limits = self._lobby.config.limits
        most = limits.address_tables, limits.tables * (1 + len(self.node.membership.others()))
        found = await self.directory.reserve(table_id, code, address, self._lobby.time(), most)
        if found in ("all", "address"):
            raise self._lobby.capacity.refusal(of_an_address=found == "address")
        return found == "done"

    async def publish(self, room: Room) -> None:
        """Let others find a new table."""
        await self.node.flush(room.id)

    def note(self, room: Room) -> None:
        """A table looks different from outside."""
        self.node.note(room.id)

    def lose(self, room: Room) -> None:
        """Another node has taken a table."""
        self.node.lose(room.id)

    def rest(self, room: Room) -> None:
        """Nobody is at a table: let anybody have it who comes first."""
        epoch = self.node.epoch_of(room.id)
        if epoch is None:
            return
        row = self._row(room, epoch)

        async def release() -> None:
            with suppress(StoreError):
                await self.node.write_row(room.id, row)
            # If the database does not answer, the table stays ours, and is found again later.
            with suppress(StoreError):
                await self.node.release(room.id, epoch)

        self._start(release(), f"rest {room.id}")

    async def forget(self, room: Room) -> None:
        """A table is closed."""
        await self.node.forget(room.id)

    def tell_token_ended(self, player_id: str, tokens: Collection[str] | None) -> None:
        """All nodes must hear of it, however many there are: what is told at once has a few thousand signs at most."""
        if tokens is None:
            self._start(self._keep_telling(TokenRevoked(player_id, self.node.id)), "news")
            return
        ended = tuple(tokens)
        for first in range(0, len(ended), _TOLD):
            some = ended[first : first + _TOLD]
            self._start(self._keep_telling(TokenRevoked(player_id, self.node.id, some)), "news")

    async def _keep_telling(self, item: NewsItem) -> None:
        """Whoever does not hear of it goes on believing what is not true."""
        for seconds in _TELLING_S:
            try:
                await self.node.news.tell(item)
                return
            except StoreError as error:
                log.warning("other nodes were not told that a token has ended: %s", error)
                await asyncio.sleep(seconds)

    async def _check_tokens_on(self) -> None:
        """Ask the database about all tokens in use, as others may have ended them; until it is cancelled."""
        while True:
            await asyncio.sleep(_TOKENS_S)
            if self.node.membership.others():
                self._lobby.players.doubt_all()
                with outliving("checking tokens"), suppress(StoreError):
                    await self._check_tokens()

    async def _check_tokens(self) -> None:
        lobby = self._lobby
        used = {token: player for room in lobby.rooms.values() for player, token in room.tokens() if token}
        ended = used.keys() - await lobby.store.read(good_tokens, list(used), lobby.time())
        lobby.players.forget_tokens(ended)
        for token in ended:
            lobby.close_sockets(used[token], [token])

    def _tell_renamed(self, player_id: str) -> None:
        self._start(self.node.news.try_tell(PlayerRenamed(player_id, self.node.id)), "news")

    def _tell_try(self, kind: str, key: str) -> None:
        """Who guesses must not have as many tries as there are nodes."""
        if self.node.membership.others():
            self._start(self.node.news.try_tell(TryCounted(kind, key, self.node.id)), "news")

    async def tell_replaced(self, change: Replacement, tables: Sequence[str]) -> None:
        """Other nodes have these tables, and perhaps others at which somebody was heard.

        :raises StoreError: they cannot be told now
        """
        for start in range(0, max(1, len(tables)), _TABLES_TOLD):
            some = tuple(tables[start : start + _TABLES_TOLD])
            await self.node.news.tell(PersonReplaced(*change, self.node.id, some))

    def _tell_ratings_changed(self) -> None:
        """All nodes must work them out anew."""
        self._start(self.node.news.try_tell(RatingsChanged(self.node.id)), "news")

    def _tell_left(self, player: str, table: str) -> None:
        """The node that has this table lets a player go who has another match."""
        if not self.has(table):
            self._start(self.node.news.try_tell(SeatGivenUp(player, table)), "news")

    async def tidy(self, before: float) -> bool:
        """Close what rests and is not visited, if this node is the one to do so; whether it is."""
        if not self.node.membership.is_leader:
            return False
        await self.directory.forget_ended()
        tried: set[str] = set()
        while tables := set(await self.directory.unvisited(before, _FORGOTTEN)) - tried:
            for table in tables:
                await self._lobby.load_once(table, self._close_unvisited)
            tried |= tables
        await self._page_files.forget_old()
        await count_old_games(self._lobby.store, self._lobby.background)
        if not self._has_sheets:
            self._has_sheets = True
            self.at_end.append(self._start(keep_old_sheets(self._lobby.store), "sheets").cancel)
        return True

    async def _close_unvisited(self, table: str) -> None:
        """Close a table, unless somebody has come in the meantime."""
        claim = await self.node.take(table, "old")
        if claim is None:
            if await self.node.claims.find(table) is None:
                await self.node.forget(table)
            return
        try:
            restored, _ = await self._lobby.reload(table)
        except StoreError:
            raise
        except Exception as error:
            await self._set_aside(table, claim, error)
            return
        await close_log(self._lobby.store, restored.logged, self._lobby.time())
        await self.node.forget(table)
        log.info("table %s is closed: nobody came for %g days", table, self._lobby.config.table_days)

    async def hand_over_all(self) -> None:
        """Give every table to another node, between two of its commands; what takes too long is left to be found.

        A node without its lease has nothing to give: it cannot know whose its tables are.
        """
        with suppress(TimeoutError):
            async with asyncio.timeout(_HANDOVER_S):
                await self.node.begin_draining()
                await self._give_all(list(self._lobby.rooms.values()))
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=1.0)

    async def _give_all(self, rooms: Sequence[Room]) -> None:
        turns = asyncio.Semaphore(_AT_ONCE)

        async def give(room: Room) -> None:
            async with turns:
                if self.lease.is_held:
                    await self.hand_over(room)

        for error in await asyncio.gather(*map(give, rooms), return_exceptions=True):
            if isinstance(error, Exception):  # One that cannot be given away keeps no other.
                log_failure("handing over a table", error)

    async def _move_on(self) -> None:
        """Let tables go where their players are, or where there is more room; until it is cancelled."""
        came: dict[str, float] = {}
        while True:
            await asyncio.sleep(_MOVING_S)
            now = time.monotonic()
            # A new table is where its host happened to ask for it: it may move once before anything has begun.
            came = {
                room.id: -math.inf
                if self.node.is_new(room.id) and room.stored.stage == "open"
                else came.get(room.id, now)
                for room in self._lobby.rooms.values()
            }
            with outliving("moving tables"):
                await self._move(came, now)

    async def _move(self, came: Mapping[str, float], now: float) -> None:
        if self.node.membership.is_draining or not self.lease.is_held:
            return
        for move in choose_moves(self._lobby.rooms.values(), came, self.node.membership.readers(), now):
            self.node.metrics.moves.labels(move.why).inc()
            await self.hand_over(move.room, move.target)

    async def hand_over(self, room: Room, target: str | None = None) -> None:
        """Give a table to another node."""
        is_given, epoch = False, self.node.epoch_of(room.id)

        async def give(live: bytes) -> None:
            nonlocal is_given
            if epoch is not None:
                with suppress(StoreError):  # After the end of this node anybody may have it.
                    is_given = await self.node.hand_over(room.id, epoch, live, target)

        is_here = self._lobby.rooms.get(room.id) is room
        try:
            await room.hand_over(give)
        except Exception as error:  # It goes on with what is stored.
            log_failure("handing over a table", error)
            await room.stop()
        self._lobby.remove(room)
        if is_here and not is_given and not self._lobby.is_closing:
            with suppress(StoreError):
                await self._lobby.load_once(room.id, self._lobby.load)

    async def locate(self, table_id: str) -> NodeAddress | None:
        """Where a table is; None if there is none."""
        return await self.node.locate(table_id)

    # What the node asks for.

    async def adopt(self, table_id: str, why: str) -> None:
        """Take a table and go on with it, unless it rests, somebody brings it already, or another node was faster."""

        async def take(table_id: str) -> None:
            claim = await self.node.take(table_id, why)
            if claim is not None:
                await self._load(table_id, claim, may_rest=True)

        await self._lobby.load_once(table_id, take)

    async def _load(self, table_id: str, claim: Claim, *, may_rest: bool) -> None:
        lobby = self._lobby
        known = await self.directory.look(table_id)
        stored = await lobby.store.table(table_id)
        if stored is None:
            await self.node.release(table_id, claim.epoch)
            return
        try:
            table = await lobby.restore(stored)
            handover = decode_handover(claim.live) if claim.live else None
            if handover is not None:
                table.take_over(handover, lobby.time())
        except StoreError:
            raise
        except Exception as error:
            await self._set_aside(table_id, claim, error)
            return
        if self.node.epoch_of(table_id) != claim.epoch or lobby.is_closing:
            return  # It is somebody else's by now, or soon will be.
        address = "" if known is None else known.address
        if may_rest and table.is_at_rest:
            await self._list(table, claim.epoch, address, decode(stored.entries[-1]).at)
            return
        room = lobby.add(table, address, next_entry=stored.next)
        if known is not None:
            room.visited = known.visited
        room.start()
        lobby.note_seats(room)

    async def _list(self, table: Table, epoch: int, address: str, visited: float) -> None:
        """Say how a table looks at which nobody is, and leave it to whoever comes."""
        row = RestingTable.of(table.logged, table.state(), address, visited)
        await self.node.write_row(table.id, (row, table.logged.persons(), epoch))
        await self.node.release(table.id, epoch)

    async def _set_aside(self, table_id: str, claim: Claim, error: Exception) -> None:
        """A table that this node cannot read is left to those that can, unless none but its like have written it."""
        if claim.is_of_one_build and not isinstance(error, NewerLog | MsgspecError):
            await self._lobby.park(table_id, error)
        else:
            log.warning("table %s is left to other nodes: %s", table_id, error)
            await self.node.leave_to_others(table_id, claim)

    async def leave_to_others(self, table_id: str) -> bool:
        """Another build may be able to go on with a table that breaks here; False if there is none."""
        epoch, stored = self.node.epoch_of(table_id), await self._lobby.store.table(table_id)
        if epoch is None or stored is None or not self.node.has_other_builds:
            return False
        log.warning("table %s, which breaks here, is left to nodes of another version", table_id)
        await self.node.leave_to_others(table_id, Claim(epoch, stored.next, None, is_of_one_build=False))
        return True

    def has(self, table_id: str) -> bool:
        """Whether the table is in memory."""
        return table_id in self._lobby.rooms

    def lose_all(self) -> None:
        """Others have all tables: show and answer nothing of them."""
        for room in list(self._lobby.rooms.values()):
            with outliving(f"the end of table {room.id} here"):
                room.abandon()

    def describe(self, table_ids: Iterable[str]) -> list[tuple[str, Row]]:
        """How tables look from outside; one that cannot be described keeps no other."""
        rows = []
        for room in filter(None, map(self._lobby.rooms.get, table_ids)):
            with outliving(f"describing table {room.id}"):
                rows.append((room.id, self._row(room)))
        return rows

    def _row(self, room: Room, epoch: int = 0) -> Row:
        stored = room.stored
        return RestingTable.of(stored, room.state(), room.address, room.visited), room.persons(), epoch

    def hear(self, item: NewsItem) -> None:
        """Something has happened at some node."""
        if isinstance(item, PlayerRenamed) and item.node != self.node.id:
            self._lobby.players.doubt(item.player)
        if isinstance(item, RatingsChanged) and item.node != self.node.id:
            self._lobby.ratings.rebuild_soon()
        if isinstance(item, TryCounted) and item.node != self.node.id:
            self._lobby.accounts.tries.count(item.kind, item.key)
        if isinstance(item, SeatGivenUp) and self.has(item.table):
            self._start(self._lobby.leave_match(item.player, item.table), "leaving a match")
        if isinstance(item, SeekersCounted) and item.node != self.node.id:
            self.seekers.hear(item)
        if isinstance(item, PersonReplaced) and item.node != self.node.id:
            self._start(self._replace_here(item), "replacing somebody")
        if isinstance(item, TokenRevoked) and item.node != self.node.id:
            self._lobby.players.doubt(item.player)
            self._lobby.close_sockets(item.player, item.tokens)
            if item.tokens is None:
                self._lobby.quick_match.leave(item.player)

    async def _replace_here(self, item: PersonReplaced) -> None:
        """See to it at the tables that are here; whoever asked looks whether it is done, and asks again."""
        change = Replacement(item.old, item.new, item.name)
        with suppress(StoreError):
            for table in item.tables:
                if self.has(table):
                    await replace_at(self._lobby, table, change)
            await replace_here(self._lobby, change)

    def forget_players(self) -> None:
        """News may have been missed: believe nothing that is remembered."""
        self._lobby.players.doubt_all()
        self._lobby.ratings.rebuild_soon()

    def load(self) -> tuple[int, int]:
        """How many tables and sockets there are."""
        return len(self._lobby.rooms), self._lobby.metrics.open_sockets()

    def _start(self, work: Coroutine[None, None, None], name: str) -> "asyncio.Task[None]":
        task = asyncio.create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task
