"""All tables of a server.

A table at which nobody is and nothing goes on leaves memory; it is loaded again when somebody comes.  What others may
ask about it meanwhile is kept (:mod:`.resting`).
"""

import asyncio
import logging
import secrets
import time
from collections.abc import Callable, Collection, Coroutine, Sequence
from contextlib import suppress
from functools import partial
from heapq import nlargest
from typing import TYPE_CHECKING, Final

from tichu.core.errors import GameError
from tichu.server.accounts.emails import accounts_of, close_accounts
from tichu.server.accounts.guests import end_former_seat_keys, end_seat_keys, is_good_at
from tichu.server.background import BackgroundPool
from tichu.server.capacity import Capacity
from tichu.server.clock import SeenTime, SteadyClock
from tichu.server.codes import new_code, read_code
from tichu.server.config import Config
from tichu.server.counting import catch_up
from tichu.server.failures import RareLine, log_failure
from tichu.server.housekeeping import keep_house, tell_forgotten
from tichu.server.keeper import Asker
from tichu.server.listing import offered_states, states_of
from tichu.server.log import decode
from tichu.server.measuring import is_working, measure_load
from tichu.server.memory import search_paused
from tichu.server.metrics import Metrics
from tichu.server.players import Identity, Players
from tichu.server.practice import Practice
from tichu.server.presence import Presence
from tichu.server.rate_limit import RateLimiter
from tichu.server.rating.quick_match import QuickMatch
from tichu.server.rating.service import Ratings, close_log
from tichu.server.resting import RestingTable, SeatIndex
from tichu.server.restoring import given_of, restore_table
from tichu.server.reviews.queue import Reviews
from tichu.server.room import Room
from tichu.server.store import Store, StoredTable, StoreError
from tichu.server.table import Table
from tichu.server.table.ports import Player, Step
from tichu.server.table.seating import opening_commands
from tichu.server.wire import Command, Error, Refused, Stand, Start, TableState
from tichu.server.wire.settings import Settings

if TYPE_CHECKING:  # Most servers are alone.
    from tichu.server.sharing import SharedTables

__all__ = ["Lobby"]

log = logging.getLogger("tichu.server")

_OWN_LISTED: Final = 40
_NOBODY: Final = Player("", "")
_ANSWER_S: Final = 2.0
_MINUTE_S: Final = 60.0
_DAY_S: Final = 86_400.0
#: So long after its end a session is forgotten.
_EXPIRED_DAYS: Final = 7


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
        self._seen_time = SeenTime(self._clock)
        self.ratings = Ratings(store)
        self.quick_match = QuickMatch(self.ratings, self, self._clock, config, metrics)
        self.players = Players(store, self._clock)
        self.accounts, self.emails = accounts_of(config, store, self.players, metrics, self._clock)
        self._codes: dict[str, str] = {}
        self.capacity = Capacity(config.limits, metrics, lambda: len(self.rooms) + len(self.resting))
        self._seats = SeatIndex()
        self.presence = Presence[Room]()
        self._loading: dict[str, asyncio.Task[None]] = {}
        self._code_lookups = RateLimiter(config.limits.code_rate / _MINUTE_S, config.limits.code_burst)
        self._making = RateLimiter(config.limits.making_rate / _MINUTE_S, config.limits.making_burst)
        #: What this server shares its database with, if anybody.
        self.shared: SharedTables | None = None
        self._tasks: list[asyncio.Task[None]] = []
        self._discarding: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Bring back all open tables; a node begins with none and takes those that have to go on."""
        if self.shared is None:
            async with self.players.seat_keys_known():
                with search_paused():
                    await self._load_all()
        for game in await self.store.games(limit=1):
            self._seen_time.note(game.finished)
        log.info("%d tables are open, %d wait for players", len(self.rooms) + len(self.resting), len(self.resting))
        self.metrics.parked.set(len(parked := await self.store.parked()))
        for table_id, reason in parked:
            log.warning("table %s is set aside: %s", table_id, reason)
        self.quick_match.start()
        self._tasks = [
            asyncio.create_task(keep_house(self.tidy, self.metrics), name="housekeeping"),
            asyncio.create_task(measure_load(self.rooms, self.metrics), name="measuring"),
        ]
        if self.shared is None:
            self._tasks.append(asyncio.create_task(catch_up(self.store, self.background), name="counting"))

    async def _load_all(self) -> None:
        async for stored in self.store.tables():
            try:
                visited = decode(stored.entries[-1]).at
                # First: what the table measures from now on must not be over because the date was set back.
                self._clock.set_at_least(visited)
                table = await self.restore(stored)
            except Exception as error:  # Whatever is wrong with one table, the others are to be played.
                await self.park(stored.id, error)
                continue
            self._seen_time.note(visited)
            self._codes[table.code] = table.id
            self._seats.set(table.id, table.logged.persons())
            if table.is_at_rest:
                self.resting[table.id] = RestingTable.of(table.logged, table.state(), "", visited)
            else:
                room = self.add(table, next_entry=stored.next)
                room.visited = visited
                room.start()
        self._count_tables()

    async def close(self) -> None:
        """Let everybody go; what was acknowledged is stored."""
        was_closing, self.is_closing = self.is_closing, True
        if self.shared is not None and not was_closing:
            await self.shared.hand_over_all()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)  # One that broke keeps nobody here.
        await self.reviews.close()
        await self.quick_match.close()
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
        await close_accounts(self.accounts, self.emails)

    def abandon(self) -> None:
        """Another server has taken over the store: answer nobody any more."""
        self.is_closing = self.is_taken_over = True
        for room in list(self.rooms.values()):
            room.abandon()

    def time(self) -> float:
        """By the clock that all tables go by."""
        return self._clock()

    async def works(self) -> bool:
        """Whether the store answers, and no table waits for it."""
        may_speak = self.shared is None or self.shared.lease.is_held
        return may_speak and await is_working(self.store, self.rooms)

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
        self.capacity.require(address)
        given = await given_of(settings, self.background)
        self.capacity.require(address)
        table_id = secrets.token_urlsafe(12)
        code = await self._new_code(table_id, address)
        table, step = Table.create(table_id, code, settings, host, self._clock(), given=given)
        commands: list[Command] = list(opening_commands(seats, partial(secrets.token_hex, 8)))
        if start:
            commands.append(Start(id=secrets.token_hex(8)))
        return await self._begin(self.add(table, address), step, host, commands)

    async def open_match(self, settings: Settings, players: Sequence[Player | None], pairs: tuple[bool, bool]) -> str:
        """A table at which these play at once, bots in the place of None; its id."""
        address = self.capacity.busiest([player.address for player in players if player is not None])
        self.capacity.require(address)
        names = (table_id := secrets.token_urlsafe(12)), await self._new_code(table_id, address)
        table, step = Table.create_match(names, settings, players, pairs, self._clock())
        return (await self._begin(self.add(table, address), step, _NOBODY)).id

    async def leave_match(self, player: str, table: str) -> None:
        """A player has another match now: where nothing is at stake a bot goes on for them."""
        one = self.find(table)
        if one is None or (state := one.state()).rated or state.stage not in ("playing", "paused"):
            return
        room = await self.visit(table)
        if room is not None and player in room.persons():
            with suppress(TimeoutError):
                await room.answer(Player(player, ""), Stand(id=secrets.token_hex(8)), _ANSWER_S)

    async def _begin(self, room: Room, step: Step, host: Player, commands: Sequence[Command] = ()) -> Room:
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
        if self.shared is not None:
            # Whoever hears of it may ask any node.
            await self.shared.publish(room)
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

        self.remove(room)
        self._do_later(discard(), f"discard {room.id}")

    def _do_later(self, work: Coroutine[None, None, None], name: str) -> None:
        task = asyncio.create_task(work, name=name)
        self._discarding.add(task)
        task.add_done_callback(self._discarding.discard)

    async def offers(self, unwanted: Collection[str] = ()) -> list[TableState]:
        """Public tables where there is something to join or to see, without those at which these people are."""
        tables = self._all_tables() if self.shared is None else await self.shared.offers()
        return await offered_states(tables, self.config.limits.address_offers, unwanted)

    async def tables_of(self, player: str, most: int = _OWN_LISTED) -> list[TableState]:
        """Where a player has a seat, at most so many, those that were visited last."""
        if self.shared is not None:
            return await states_of(await self.shared.directory.tables_of(player, most))
        found = [one for table in self._seats.tables_of(player) if (one := self.find(table)) is not None]
        return await states_of(nlargest(most, found, key=lambda one: one.visited))

    def _all_tables(self) -> list[Room | RestingTable]:
        return [*self.rooms.values(), *self.resting.values()]

    def find(self, table_id: str) -> Room | RestingTable | None:
        """A table, for whoever only looks at it."""
        return self.rooms.get(table_id) or self.resting.get(table_id)

    async def look(self, table_id: str) -> Room | RestingTable | None:
        """The same, wherever the table is, as it was a moment ago."""
        found = self.find(table_id)
        return found if found is not None or self.shared is None else await self.shared.directory.look(table_id)

    async def visit(self, table_id: str) -> Room | None:
        """A table, for whoever has to do with it; from the store if need be.

        The room may be gone again after the next ``await`` of whoever asked.

        :raises StoreError: it cannot be loaded now
        """
        while True:
            room = self.rooms.get(table_id)
            if room is not None or self.is_closing:
                return room
            if self.shared is None and table_id not in self.resting:
                return None
            await self.load_once(table_id, self.load)
            if self.shared is not None:
                return self.rooms.get(table_id)

    async def load_once(self, table_id: str, load: Callable[[str], Coroutine[None, None, None]]) -> None:
        """Have somebody bring a table; whoever else wants it waits for that."""
        await asyncio.shield(self._loading.get(table_id) or self.hold(table_id, load(table_id)))

    def hold(self, table_id: str, work: Coroutine[None, None, None]) -> asyncio.Task[None]:
        """Whoever wants to visit the table waits for this."""
        loading = self._loading[table_id] = asyncio.create_task(work, name=f"load {table_id}")
        loading.add_done_callback(lambda _: self._loading.pop(table_id, None))
        return loading

    def may_come(self, room: Room, player: Player) -> bool:
        """Whether there is room at a table for one more, as there always is for those who play."""
        if room.sockets < self.config.limits.table_connections or player.id in room.persons():
            return True
        self.metrics.guarded.labels("crowd").inc()
        return False

    async def load(self, table_id: str) -> None:
        """Have a table in memory that was not."""
        if self.shared is not None:
            await self.shared.bring(table_id)
            return
        stored = await self.store.table(table_id)
        resting = self.resting[table_id]
        if stored is None:
            self._forget(table_id, resting.code, resting.address)
            return
        try:
            table = await self.restore(stored)
        except StoreError:
            raise
        except Exception as error:
            self._forget(table_id, resting.code, resting.address)
            await self.park(table_id, error)
            return
        if self.is_closing:
            return
        # From here to the end nobody can come in between: the table is in one of the two places at any time.
        del self.resting[table_id]
        self.capacity.remove(resting.address)
        room = self.add(table, resting.address, next_entry=stored.next)
        room.visited = resting.visited
        room.start()

    def rest(self, room: Room) -> None:
        """Drop a room at which nobody is, until somebody comes."""
        if self.shared is not None:
            self.remove(room)
            self.shared.rest(room)
            return
        logged = room.table.logged
        self.resting[room.id] = RestingTable.of(logged, room.state(), room.address, room.visited)
        del self.rooms[room.id]
        self._count_tables()

    def note_seats(self, room: Room) -> None:
        """Others sit there now."""
        if room.id not in self.rooms:
            return
        before, now = self._seats.players_at(room.id), room.persons()
        self._seats.set(room.id, now)
        self.note_change(room)
        # The key of a seat ends with the game, or when its owner gets up.
        if gone := before if room.table.logged.stage == "over" else tuple(set(before) - set(now)):
            self._end_keys(room, end_seat_keys(self.players, room.id, gone, self.store_line))

    def note_change(self, room: Room) -> None:
        """It looks different from outside."""
        if self.shared is not None:
            self.shared.note(room)

    def lose(self, room: Room) -> None:
        """Another node has taken the table: it ends here alone."""
        if self.shared is not None and self.rooms.get(room.id) is room:
            self.remove(room)
            self.shared.lose(room)

    def _end_keys(self, room: Room, ending: Coroutine[None, None, dict[str, list[str]]]) -> None:
        async def end() -> None:
            for player, keys in (await ending).items():
                room.send_away(player, "the key of this seat has ended", keys)
                if self.shared is not None:
                    self.shared.tell_token_ended(player, keys)

        self._do_later(end(), f"end keys {room.id}")

    def may_use(self, known: Identity, table_id: str) -> bool:
        """Whether a token is good at a table."""
        found = None if known.table is None else self.find(table_id)
        return is_good_at(known, None if found is None else found.state())

    def send_away(self, player_id: str, tokens: Collection[str] | None = None) -> None:
        """These tokens of a player, by their hashes, have ended, or all: their sockets end with them, at all tables."""
        if tokens is not None and not tokens:
            return
        if self.shared is not None:
            self.shared.tell_token_ended(player_id, tokens)
        self.close_sockets(player_id, tokens)
        if tokens is None:
            self.quick_match.leave(player_id)

    def close_sockets(self, player_id: str, tokens: Collection[str] | None) -> None:
        """Let the sockets of a player go that are here."""
        for room in self.presence.places_of(player_id):
            room.send_away(player_id, "this token has ended", tokens)

    async def close_table(self, room: Room) -> None:
        """Forget a table."""
        self.remove(room)
        try:
            await close_log(self.store, room.table.logged, self._clock())
            if self.shared is not None:
                await self.shared.forget(room)
        except StoreError as error:
            self.metrics.failures.labels("store").inc()
            log.error("table %s is closed but stored, and will be there again after a restart: %s", room.id, error)

    def remove(self, room: Room) -> None:
        """Have nothing to do with a table any more."""
        if self.rooms.get(room.id) is room:
            del self.rooms[room.id]
            self._forget(room.id, room.code, room.address)

    def _forget(self, table_id: str, code: str, address: str) -> None:
        self.resting.pop(table_id, None)
        self._codes.pop(code, None)
        self._seats.set(table_id, ())
        self.capacity.remove(address)
        self._count_tables()

    def _count_tables(self) -> None:
        self.metrics.tables.set(len(self.rooms))
        self.metrics.resting.set(len(self.resting))

    async def id_of_code(self, written: str) -> str | None:
        """The table that a code names, however it is written."""
        if (code := read_code(written)) is None or code in self._codes or self.shared is None:
            return self._codes.get(code or "")
        return await self.shared.directory.id_of_code(code)

    async def _new_code(self, table_id: str, address: str) -> str:
        while True:
            code = new_code()
            if code in self._codes:
                continue
            if self.shared is None or await self.shared.reserve(table_id, code, address):
                return code

    def add(self, table: Table, address: str = "", *, next_entry: int = 1) -> Room:
        """Keep a table in memory."""
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
            lease=None if self.shared is None else self.shared.lease,
        )
        if next_entry > 1:  # Whoever had the table before may have died before that.
            self._end_keys(room, end_former_seat_keys(self.players, table.logged, self.store_line))
        self.rooms[table.id] = room
        self._codes[table.code] = table.id
        self.capacity.add(address)
        self._count_tables()
        return room

    async def restore(self, stored: StoredTable) -> Table:
        """A table from its log."""
        return await restore_table(stored, self._clock(), self.background)

    async def reload(self, table_id: str) -> tuple[Table, int]:
        """The table as it is stored, and the number of its next entry, for when the one in memory broke."""
        stored = await self.store.table(table_id)
        if stored is None:
            raise GameError(f"table {table_id} is not stored")
        return await self.restore(stored), stored.next

    async def give_up(self, room: Room, error: Exception) -> None:
        """A table that breaks again and again is set aside like one that cannot be read."""
        self.remove(room)
        if self.shared is None or not await self.shared.leave_to_others(room.id):
            await self.park(room.id, error)

    async def park(self, table_id: str, error: Exception) -> None:
        """Set a table aside that nobody can read."""
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

    async def tidy(self) -> None:
        """Forget games and players that are too old, and close tables that nobody visits."""
        await self.players.store_visits()
        too_old = self._seen_time.before(self.config.table_days * _DAY_S)
        if self.shared is not None and not await self.shared.tidy(too_old):
            return  # Another node does it for all.
        long_ago = self._seen_time.before(_EXPIRED_DAYS * _DAY_S)
        for player, tokens in (await self.players.drop_expired(long_ago)).items():
            self.send_away(player, tokens)
        if self.config.retention_days:
            before = self._seen_time.before(self.config.retention_days * _DAY_S)
            tell_forgotten(await self.store.forget_games(before), "old games")
        for table_id in [one.id for one in self._all_tables() if one.visited < too_old]:
            await self._close_unvisited(table_id, too_old)
        if self.config.player_days:
            before = self._seen_time.before(self.config.player_days * _DAY_S)
            seated = self._seats if self.shared is None else await self.shared.directory.seated()
            tell_forgotten(await self.players.forget(before, seated=seated), "players who did not come back")

    async def _close_unvisited(self, table_id: str, before: float) -> None:
        """Close a table, unless somebody has come in the meantime."""
        one = self.find(table_id)
        if one is None or one.visited >= before or table_id in self._loading:
            return
        room = await self.visit(table_id)
        if room is None or room.sockets:
            return
        await room.stop()
        await self.close_table(room)
        log.info("table %s is closed: nobody came for %g days", table_id, self.config.table_days)
