"""All tables of a server and all its players."""

import asyncio
import hashlib
import logging
import secrets
import time
from collections import Counter, OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Final

import msgspec

from tichu.core.errors import GameError
from tichu.server.background import BackgroundPool
from tichu.server.clock import SteadyClock
from tichu.server.config import Config
from tichu.server.failures import log_failure
from tichu.server.log import decode
from tichu.server.metrics import Metrics
from tichu.server.rate_limit import RateLimiter
from tichu.server.room import Asker, Room
from tichu.server.store import Store, StoredPlayer, StoredTable, StoreError
from tichu.server.table import Table
from tichu.server.table.ports import Player
from tichu.server.table.sanitize import clean
from tichu.server.wire import Command, Error, PutBot, Refused, Sit, Start
from tichu.server.wire.requests import PlayerKind
from tichu.server.wire.settings import Settings

__all__ = ["Identity", "Lobby", "TooManyTables"]

log = logging.getLogger("tichu.server")

#: Letters and digits that are not taken for each other.
_CODE_SIGNS: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
_CODE_LENGTH: Final = 6
_NAME_LENGTH: Final = 24
_PLAYERS_KEPT: Final = 20_000
_HOUSEKEEPING_S: Final = 600.0
_MEASURE_S: Final = 0.25
_ANSWER_S: Final = 2.0
_MINUTE_S: Final = 60.0
_DAY_S: Final = 86_400.0


class TooManyTables(Exception):
    """There is no room for another table."""


class Identity(msgspec.Struct, frozen=True):
    """A player who has shown a token."""

    player: Player
    kind: PlayerKind
    token: str


class Lobby:
    """The rooms of a server, made anew from the store at the start."""

    def __init__(
        self, config: Config, store: Store, ask: Asker, metrics: Metrics, clock: SteadyClock | None = None
    ) -> None:
        self.config = config
        self.store = store
        self.metrics = metrics
        self.background = BackgroundPool()
        self.rooms: dict[str, Room] = {}
        self.is_closing = False
        self.is_taken_over = False
        self._ask = ask
        self._clock = clock or SteadyClock()
        self._started = self._clock()
        #: The latest time that was stored when this server started.
        self._latest = 0.0
        self._codes: dict[str, str] = {}
        self._players: OrderedDict[str, StoredPlayer] = OrderedDict()
        self._code_lookups = RateLimiter(config.limits.code_rate / _MINUTE_S, config.limits.code_burst)
        self._making = RateLimiter(config.limits.making_rate / _MINUTE_S, config.limits.making_burst)
        self._tasks: list[asyncio.Task[None]] = []
        self._discarding: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Bring back all open tables; those that this version cannot read are set aside."""
        async for stored in self.store.tables():
            try:
                table = self._restore(stored)
            except Exception as error:  # Whatever is wrong with one table, the others are to be played.
                await self._park(stored.id, error)
            else:
                room = self._add(table, next_entry=stored.next)
                room.visited = decode(stored.entries[-1]).at
                self._latest = max(self._latest, room.visited)
                self._clock.set_at_least(self._latest)
                room.start()
        for game in await self.store.games(limit=1):
            self._latest = max(self._latest, game.finished)
        log.info("%d tables are open", len(self.rooms))
        parked = await self.store.parked()
        self.metrics.parked.set(len(parked))
        for table_id, reason in parked:
            log.warning("table %s is set aside: %s", table_id, reason)
        self._tasks = [
            asyncio.create_task(self._keep_house(), name="housekeeping"),
            asyncio.create_task(self._measure(), name="measuring"),
        ]

    async def close(self) -> None:
        """Let everybody go; what was acknowledged is stored."""
        self.is_closing = True
        for task in self._tasks:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        await asyncio.gather(*(room.stop() for room in list(self.rooms.values())))
        if self._discarding:
            _, late = await asyncio.wait(self._discarding, timeout=_ANSWER_S)
            for task in late:
                task.cancel()
        self.background.close()

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
        """
        self._require_space(address)
        table, step = Table.create(secrets.token_urlsafe(12), self._new_code(), settings, host, self._clock())
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
        if len(self.rooms) >= self.config.limits.tables:
            self.metrics.guarded.labels("tables").inc()
            raise TooManyTables("this server has as many tables as it can take")
        own = sum(room.address == address for room in self.rooms.values()) if address else 0
        if own >= self.config.limits.address_tables:
            self.metrics.guarded.labels("tables").inc()
            raise TooManyTables(f"an address has at most {self.config.limits.address_tables} tables at a time")

    def offers(self) -> list[Room]:
        """Public tables where there is something to join or to see, a few of each address."""
        rooms = [room for room in self.rooms.values() if room.is_open]
        rooms.sort(key=lambda room: (not room.has_free_seat, -room.visited))
        offered: Counter[str] = Counter()
        chosen = []
        for room in rooms:
            offered[room.address or room.id] += 1
            if offered[room.address or room.id] <= self.config.limits.address_offers:
                chosen.append(room)
        return chosen

    async def close_table(self, room: Room) -> None:
        """Forget a table."""
        self._remove(room)
        try:
            await self.store.close_table(room.id)
        except StoreError as error:
            self.metrics.failures.labels("store").inc()
            log.error("table %s is closed but stored, and will be there again after a restart: %s", room.id, error)

    def _remove(self, room: Room) -> None:
        self.rooms.pop(room.id, None)
        self._codes.pop(room.code, None)
        self.metrics.tables.set(len(self.rooms))

    def room_by_code(self, code: str) -> Room | None:
        """The table that a code names, however it is written."""
        table = self._codes.get(code.upper().replace("-", "").replace(" ", ""))
        return None if table is None else self.rooms.get(table)

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
            reload=self._reload,
            give_up=self._give_up,
            closed=self.close_table,
            clock=self._clock,
            next_entry=next_entry,
            address=address,
        )
        self.rooms[table.id] = room
        self._codes[table.code] = table.id
        self.metrics.tables.set(len(self.rooms))
        return room

    def _restore(self, stored: StoredTable) -> Table:
        return Table.restore(map(decode, stored.entries), self._clock())

    async def _reload(self, table_id: str) -> tuple[Table, int]:
        """The table as it is stored, and the number of its next entry, for when the one in memory broke."""
        async for stored in self.store.tables():
            if stored.id == table_id:
                return self._restore(stored), stored.next
        raise GameError(f"table {table_id} is not stored")

    async def _give_up(self, room: Room, error: Exception) -> None:
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

    async def register(self, name: str, kind: PlayerKind = "person") -> Identity:
        """A new player with a new token."""
        token = secrets.token_urlsafe(24)
        stored = StoredPlayer(secrets.token_urlsafe(9), clean(name, _NAME_LENGTH), _hash(token), kind, self._clock())
        await self.store.keep_player(stored)
        self._remember(stored)
        return _identity(stored, token)

    async def identify(self, token: str, name: str = "") -> Identity | None:
        """The player with this token, perhaps under a new name."""
        key = _hash(token)
        stored = self._players.get(key) or await self.store.player(key)
        if stored is None:
            return None
        name = clean(name, _NAME_LENGTH)
        if name and name != stored.name:
            await self.store.rename(stored.id, name)
            stored = stored._replace(name=name)
        self._remember(stored)
        return _identity(stored, token)

    def _remember(self, stored: StoredPlayer) -> None:
        self._players[stored.token_hash] = stored
        self._players.move_to_end(stored.token_hash)
        if len(self._players) > _PLAYERS_KEPT:
            self._players.popitem(last=False)

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
            self.metrics.inbox.set(max((room.waiting for room in self.rooms.values()), default=0))

    async def tidy(self) -> None:
        """Forget games that are too old, and close tables that nobody visits."""
        if self.config.retention_days:
            forgotten = await self.store.forget_games(self._time_before(self.config.retention_days * _DAY_S))
            if forgotten:
                log.info("%d old games are forgotten", forgotten)
        for room in list(self.rooms.values()):
            if not room.sockets and room.visited < self._time_before(self.config.table_days * _DAY_S):
                log.info("table %s is closed: nobody came for %g days", room.id, self.config.table_days)
                await room.stop()
                await self.close_table(room)

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


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def _identity(stored: StoredPlayer, token: str) -> Identity:
    return Identity(Player(stored.id, stored.name), stored.kind, token)
