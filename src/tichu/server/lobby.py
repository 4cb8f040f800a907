"""All tables of a server.

A table at which nobody is and nothing goes on leaves memory; it is loaded again when somebody comes.  What others may
ask about it meanwhile is kept (:mod:`.resting`).
"""

import asyncio
import logging
import secrets
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from heapq import nlargest
from typing import Final

from tichu.core.errors import GameError
from tichu.core.game import Game
from tichu.server.background import BackgroundPool, Busy
from tichu.server.clock import SteadyClock
from tichu.server.config import Config
from tichu.server.counting import count_old_games
from tichu.server.failures import RareLine, log_failure
from tichu.server.log import decode
from tichu.server.metrics import Metrics
from tichu.server.players import Players
from tichu.server.practice import Practice
from tichu.server.rate_limit import RateLimiter
from tichu.server.resting import RestingTable, SeatIndex
from tichu.server.reviews.queue import Reviews
from tichu.server.room import Asker, Room
from tichu.server.store import Store, StoredTable, StoreError
from tichu.server.table import Table
from tichu.server.table.ports import Player
from tichu.server.table.state import given_game, settings_of
from tichu.server.wire import Command, Error, PutBot, Refused, Sit, Start, TableState
from tichu.server.wire.settings import Settings

__all__ = ["Lobby", "TooManyTables"]

log = logging.getLogger("tichu.server")

#: Letters and digits that are not taken for each other.
_CODE_SIGNS: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
_CODE_LENGTH: Final = 6
#: A code may be written with spaces and hyphens, but not with thousands of them.
_CODE_SIGNS_READ: Final = 20
#: No table waits longer than this for work on another one that can be interrupted.
_SLICE_S: Final = 0.002
#: Tables looked at in one go.
_SLICE: Final = 100
_LISTED: Final = 100
_OWN_LISTED: Final = 40
#: States made in one go.
_STATES: Final = 20
#: Later than every time: tables without a free seat come last.
_FULL: Final = 1e12
_HOUSEKEEPING_S: Final = 600.0
_MEASURE_S: Final = 0.25
_ANSWER_S: Final = 2.0
_MINUTE_S: Final = 60.0
_DAY_S: Final = 86_400.0


class TooManyTables(Exception):
    """There is no room for another table."""


class Lobby:
    """The rooms of a server, made anew from the store at the start."""

    def __init__(
        self, config: Config, store: Store, ask: Asker, metrics: Metrics, clock: SteadyClock | None = None
    ) -> None:
        self.config = config
        self.store = store
        self.metrics = metrics
        self.background = BackgroundPool()
        self.reviews = Reviews(store, config.limits, metrics)
        self.practice = Practice(config.limits, metrics)
        #: The tables in memory, and those that wait in the store.
        self.rooms: dict[str, Room] = {}
        self.resting: dict[str, RestingTable] = {}
        #: For whoever asks while the store fails.
        self.store_line = RareLine()
        self.is_closing = False
        self.is_taken_over = False
        self._ask = ask
        self._clock = clock or SteadyClock()
        self._started = self._clock()
        #: The latest time that was stored when this server started.
        self._latest = 0.0
        self.players = Players(store, self._clock)
        self._codes: dict[str, str] = {}
        self._addresses: Counter[str] = Counter()
        self._seats = SeatIndex()
        self._loading: dict[str, asyncio.Task[None]] = {}
        self._code_lookups = RateLimiter(config.limits.code_rate / _MINUTE_S, config.limits.code_burst)
        self._making = RateLimiter(config.limits.making_rate / _MINUTE_S, config.limits.making_burst)
        self._tasks: list[asyncio.Task[None]] = []
        self._discarding: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Bring back all open tables; those that this version cannot read are set aside."""
        async for stored in self.store.tables():
            try:
                table = await self._restore(stored)
                visited = decode(stored.entries[-1]).at
            except Exception as error:  # Whatever is wrong with one table, the others are to be played.
                await self._park(stored.id, error)
                continue
            self._latest = max(self._latest, visited)
            self._clock.set_at_least(self._latest)
            self._codes[table.code] = table.id
            self._seats.set(table.id, table.logged.persons())
            if table.is_at_rest:
                self.resting[table.id] = RestingTable.of(table.logged, table.state(), "", visited)
            else:
                room = self._add(table, next_entry=stored.next)
                room.visited = visited
                room.start()
        self._count_tables()
        for game in await self.store.games(limit=1):
            self._latest = max(self._latest, game.finished)
        log.info("%d tables are open, %d of them wait for their players", self._open_tables, len(self.resting))
        parked = await self.store.parked()
        self.metrics.parked.set(len(parked))
        for table_id, reason in parked:
            log.warning("table %s is set aside: %s", table_id, reason)
        self._tasks = [
            asyncio.create_task(self._keep_house(), name="housekeeping"),
            asyncio.create_task(self._measure(), name="measuring"),
            asyncio.create_task(count_old_games(self.store, self.background), name="counting"),
        ]

    async def close(self) -> None:
        """Let everybody go; what was acknowledged is stored."""
        self.is_closing = True
        for task in self._tasks:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        await self.reviews.close()
        with suppress(StoreError, TimeoutError):
            async with asyncio.timeout(_ANSWER_S):
                await self.players.store_visits()
        await asyncio.gather(*(room.stop() for room in list(self.rooms.values())))
        if self._discarding:
            _, late = await asyncio.wait(self._discarding, timeout=_ANSWER_S)
            for task in late:
                task.cancel()
        self.background.close()
        self.practice.close()

    def abandon(self) -> None:
        """Another server has taken over the store: answer nobody any more."""
        self.is_closing = self.is_taken_over = True
        for room in self.rooms.values():
            room.abandon()

    def time(self) -> float:
        """By the clock that all tables go by."""
        return self._clock()

    async def works(self) -> bool:
        """Whether the store answers, and no table waits for it."""
        try:
            async with asyncio.timeout(_ANSWER_S):
                await self.store.player("")
        except (StoreError, TimeoutError):
            return False
        return not any(room.is_stuck for room in self.rooms.values())

    # Tables.

    async def open_table(
        self,
        settings: Settings,
        host: Player,
        seats: Sequence[str | None] = ("you",),
        *,
        start: bool = False,
        address: str = "",
    ) -> Room:
        """Make a table; by seat ``you`` is the host, another word a bot, None nobody yet.

        :raises GameError: the settings make no game, or the seats cannot be filled like that
        :raises TooManyTables: there is no room for another one
        :raises StoreError: it cannot be stored now
        :raises Busy: its beginning cannot be looked at now
        """
        self._require_space(address)
        given = await self._given_game(settings)
        self._require_space(address)
        table_id, code = secrets.token_urlsafe(12), self._new_code()
        table, step = Table.create(table_id, code, settings, host, self._clock(), given=given)
        commands = list(_seating(seats))
        if start:
            commands.append(Start(id=secrets.token_hex(8)))
        room = self._add(table, address)
        room.start(step)
        try:
            async with asyncio.timeout(self.config.limits.answer_seconds):
                await self._fill(room, host, commands)
        except (GameError, StoreError, TimeoutError) as error:
            self._discard(room)
            if isinstance(error, TimeoutError):
                raise StoreError("a new table cannot be stored just now") from None
            raise
        return room

    async def _fill(self, room: Room, host: Player, commands: Sequence[Command]) -> None:
        await room.wait_stored()
        for command in commands:
            answer = await room.answer(host, command, self.config.limits.answer_seconds)
            if isinstance(answer, Refused):
                raise GameError(answer.message)
            if isinstance(answer, Error):
                raise StoreError(answer.message)

    def _discard(self, room: Room) -> None:
        """Forget a table that nobody was told of, when the store has time for it."""

        async def discard() -> None:
            await room.stop()
            await self.close_table(room)

        self._remove(room)
        task = asyncio.create_task(discard(), name=f"discard {room.id}")
        self._discarding.add(task)
        task.add_done_callback(self._discarding.discard)

    def _require_space(self, address: str) -> None:
        if self._open_tables >= self.config.limits.tables:
            self.metrics.guarded.labels("tables").inc()
            raise TooManyTables("this server has as many tables as it can take")
        if address and self._addresses[address] >= self.config.limits.address_tables:
            self.metrics.guarded.labels("tables").inc()
            raise TooManyTables(f"an address has at most {self.config.limits.address_tables} tables at a time")

    @property
    def _open_tables(self) -> int:
        return len(self.rooms) + len(self.resting)

    async def _given_game(self, settings: Settings) -> Game | None:
        """A round that has been played for a while is looked at in another process: it may take as long as it likes."""
        if not (settings.deal and settings.actions):
            return None
        return await self.background.run(given_game, settings)

    async def offers(self) -> list[TableState]:
        """Public tables where there is something to join or to see, a few of each address."""
        offered: list[tuple[bool, float, Room | RestingTable]] = []
        for number, one in enumerate(self._all_tables(), 1):
            if one.is_open:
                offered.append((not one.has_free_seat, -one.visited, one))
            if number % _SLICE == 0:
                await asyncio.sleep(0)
        # Sorted by one number, because many tuples take long.
        offered.sort(key=lambda one: one[1] + (_FULL if one[0] else 0.0))
        listed: Counter[str] = Counter()
        states: list[TableState] = []
        for *_, one in offered:
            listed[one.address or one.id] += 1
            if listed[one.address or one.id] > self.config.limits.address_offers:
                continue
            states.append(one.state())
            if len(states) == _LISTED:
                break
            if len(states) % _STATES == 0:
                await asyncio.sleep(0)
        return states

    def tables_of(self, player: str) -> list[TableState]:
        """Where a player has a seat, at most so many, those that were visited last."""
        found = [one for table in self._seats.tables_of(player) if (one := self.find(table)) is not None]
        return [one.state() for one in nlargest(_OWN_LISTED, found, key=lambda one: one.visited)]

    def _all_tables(self) -> list[Room | RestingTable]:
        return [*self.rooms.values(), *self.resting.values()]

    def find(self, table_id: str) -> Room | RestingTable | None:
        """A table, for whoever only looks at it."""
        return self.rooms.get(table_id) or self.resting.get(table_id)

    async def visit(self, table_id: str) -> Room | None:
        """A table, for whoever has to do with it; from the store if need be.

        The room may be gone again after the next ``await`` of whoever asked.

        :raises StoreError: it cannot be loaded now
        """
        while True:
            room = self.rooms.get(table_id)
            if room is not None or table_id not in self.resting or self.is_closing:
                return room
            loading = self._loading.get(table_id)
            if loading is None:
                loading = asyncio.create_task(self._load(table_id), name=f"load {table_id}")
                self._loading[table_id] = loading
                loading.add_done_callback(lambda _: self._loading.pop(table_id, None))
            await asyncio.shield(loading)

    def may_come(self, room: Room, player: Player) -> bool:
        """Whether there is room at a table for one more, as there always is for those who play."""
        if room.sockets < self.config.limits.table_connections or player.id in room.persons():
            return True
        self.metrics.guarded.labels("crowd").inc()
        return False

    async def _load(self, table_id: str) -> None:
        stored = await self.store.table(table_id)
        resting = self.resting[table_id]
        if stored is None:
            self._forget(table_id, resting.code, resting.address)
            return
        try:
            table = await self._restore(stored)
        except StoreError:
            raise
        except Exception as error:
            self._forget(table_id, resting.code, resting.address)
            await self._park(table_id, error)
            return
        if self.is_closing:
            return
        # From here to the end nobody can come in between: the table is in one of the two places at any time.
        del self.resting[table_id]
        self._addresses[resting.address] -= 1
        room = self._add(table, resting.address, next_entry=stored.next)
        room.visited = resting.visited
        room.start()

    def rest(self, room: Room) -> None:
        """Drop a room at which nobody is, until somebody comes."""
        logged = room.table.logged
        self.resting[room.id] = RestingTable.of(logged, room.state(), room.address, room.visited)
        del self.rooms[room.id]
        self._count_tables()

    def note_seats(self, room: Room) -> None:
        """Others sit there now."""
        if room.id in self.rooms:
            self._seats.set(room.id, room.persons())

    def send_away(self, player_id: str) -> None:
        """The token of a player has ended: their sockets end with it, at all tables."""
        for room in self.rooms.values():
            room.send_away(player_id, "this token has ended")

    async def close_table(self, room: Room) -> None:
        """Forget a table."""
        self._remove(room)
        try:
            await self.store.close_table(room.id)
        except StoreError as error:
            self.metrics.failures.labels("store").inc()
            log.error("table %s is closed but stored, and will be there again after a restart: %s", room.id, error)

    def _remove(self, room: Room) -> None:
        if self.rooms.pop(room.id, None) is not None:
            self._forget(room.id, room.code, room.address)

    def _forget(self, table_id: str, code: str, address: str) -> None:
        self.resting.pop(table_id, None)
        self._codes.pop(code, None)
        self._seats.set(table_id, ())
        self._addresses[address] -= 1
        if self._addresses[address] <= 0:
            del self._addresses[address]
        self._count_tables()

    def _count_tables(self) -> None:
        self.metrics.tables.set(len(self.rooms))
        self.metrics.resting.set(len(self.resting))

    def id_of_code(self, code: str) -> str | None:
        """The table that a code names, however it is written."""
        if len(code) > _CODE_SIGNS_READ:
            return None
        return self._codes.get(code.upper().replace("-", "").replace(" ", ""))

    def _new_code(self) -> str:
        while True:
            code = "".join(secrets.choice(_CODE_SIGNS) for _ in range(_CODE_LENGTH))
            if code not in self._codes:
                return code

    def _add(self, table: Table, address: str = "", *, next_entry: int = 1) -> Room:
        room = Room(
            table,
            store=self.store,
            ask=self._ask,
            metrics=self.metrics,
            keeper=self,
            clock=self._clock,
            rest_seconds=self.config.limits.rest_seconds,
            next_entry=next_entry,
            address=address,
        )
        self.rooms[table.id] = room
        self._codes[table.code] = table.id
        self._addresses[address] += 1
        self._count_tables()
        return room

    async def _restore(self, stored: StoredTable) -> Table:
        """Follow a log, with a breath for others now and then: a round may have very many entries."""
        given = None
        with suppress(Busy):
            given = await self._given_game(settings_of(decode(stored.entries[0])))
        began = time.perf_counter()
        restored: Table | None = None
        for table in Table.restoring(map(decode, stored.entries), self._clock(), given):
            restored = table
            if time.perf_counter() - began > _SLICE_S:
                await asyncio.sleep(0)
                began = time.perf_counter()
        assert restored is not None
        return restored

    async def reload(self, table_id: str) -> tuple[Table, int]:
        """The table as it is stored, and the number of its next entry, for when the one in memory broke."""
        stored = await self.store.table(table_id)
        if stored is None:
            raise GameError(f"table {table_id} is not stored")
        return await self._restore(stored), stored.next

    async def give_up(self, room: Room, error: Exception) -> None:
        """A table that breaks again and again is set aside like one that cannot be read."""
        self._remove(room)
        await self._park(room.id, error)

    async def _park(self, table_id: str, error: Exception) -> None:
        number = log_failure(f"table {table_id}, which is set aside", error)
        await self.store.park(table_id, f"{type(error).__name__}, in the log as error {number}")
        self.metrics.parked.inc()

    # Players.

    def may_look_up(self, address: str) -> bool:
        """Whether this address may try one more code now: guessing must not pay."""
        if self._code_lookups.take(address, time.monotonic()):
            return True
        self.metrics.guarded.labels("codes").inc()
        return False

    def may_make(self, address: str) -> bool:
        """Whether this address may make one more player or table now."""
        if self._making.take(address, time.monotonic()):
            return True
        self.metrics.guarded.labels("making").inc()
        return False

    # Housekeeping.

    async def _keep_house(self) -> None:
        while True:
            try:
                await self.tidy()
            except StoreError as error:
                self.metrics.failures.labels("store").inc()
                log.error("housekeeping waits for the store: %s", error)
            await asyncio.sleep(_HOUSEKEEPING_S)

    async def _measure(self) -> None:
        """What tells an operator early that the server has too much to do."""
        loop = asyncio.get_running_loop()
        while True:
            due = loop.time() + _MEASURE_S
            await asyncio.sleep(_MEASURE_S)
            self.metrics.loop_lag.observe(max(0.0, loop.time() - due))
            most = 0
            for number, room in enumerate(list(self.rooms.values()), 1):
                most = max(most, room.waiting)
                if number % _SLICE == 0:
                    await asyncio.sleep(0)
            self.metrics.inbox.set(most)

    async def tidy(self) -> None:
        """Forget games and players that are too old, and close tables that nobody visits."""
        await self.players.store_visits()
        if self.config.retention_days:
            forgotten = await self.store.forget_games(self._time_before(self.config.retention_days * _DAY_S))
            if forgotten:
                log.info("%d old games are forgotten", forgotten)
        too_old = self._time_before(self.config.table_days * _DAY_S)
        for table_id in [one.id for one in self._all_tables() if one.visited < too_old]:
            await self._close_unvisited(table_id, too_old)
        if self.config.player_days:
            forgotten = await self.players.forget(
                self._time_before(self.config.player_days * _DAY_S), seated=self._seats
            )
            if forgotten:
                log.info("%d players who did not come back are forgotten", forgotten)

    async def _close_unvisited(self, table_id: str, before: float) -> None:
        """Close a table, unless somebody has come in the meantime."""
        one = self.find(table_id)
        if one is None or one.visited >= before or table_id in self._loading:
            return
        if isinstance(one, Room):
            if one.sockets:
                return
            await one.stop()
            await self.close_table(one)
        else:
            self._forget(table_id, one.code, one.address)
            await self.store.close_table(table_id)
        log.info("table %s is closed: nobody came for %g days", table_id, self.config.table_days)

    def _time_before(self, seconds: float) -> float:
        """The time that many seconds ago, counting only time that this server or its store has seen pass.

        Between the last stored entry and the start nobody knows how much time passed: the date may have been set.
        """
        now = self._clock()
        left = seconds - (now - self._started)
        return now - seconds if left <= 0 else min(self._latest, self._started) - left


def _seating(seats: Sequence[str | None]) -> Iterator[Command]:
    if seats.count("you") > 1:
        raise GameError("the host has one seat at most")
    for seat, who in enumerate(seats):
        if who == "you":
            yield Sit(id=secrets.token_hex(8), seat=seat)
        elif who is not None:
            yield PutBot(id=secrets.token_hex(8), seat=seat, bot=who)
