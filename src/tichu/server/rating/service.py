"""All ratings of a server: the one place where rows of matches are applied, in their order.

Rows are stored with the end of their match and have no place then.  Here the next one gets its place and what it counts
for, is stored so, and only then applied; another server of the same store that was faster makes this one read what
it has placed.  What is in memory follows from the stored rows alone, so a start rebuilds it, in slices.
"""

import asyncio
import hashlib
import logging
from array import array
from collections import Counter
from collections.abc import AsyncIterator, Callable, Collection, Set
from contextlib import suppress
from itertools import islice
from typing import Final, NamedTuple

from msgspec.structs import replace

from tichu.core.errors import GameError
from tichu.ratings import Change, Ledger, MatchRow, Pool, Rating, Standing, unrate
from tichu.ratings.board import Pair
from tichu.ratings.model import check_openskill
from tichu.ratings.ranking import Ranking
from tichu.ratings.rating import newcomer
from tichu.server.failures import log_failure
from tichu.server.slices import Slices
from tichu.server.store import Store, StoreError
from tichu.server.store.matches import change_matches, new_matches, place_match, placed_matches
from tichu.server.table.rated import match_row
from tichu.server.table.state import LoggedState

__all__ = ["Past", "RankedStanding", "Ratings", "all_rows", "close_log"]

log = logging.getLogger("tichu.server")

#: Rows read at once: where the event loop reads them, nobody waits for more.
_BATCH: Final = 300
#: Rows written at once: tables wait for the store meanwhile.
_WRITTEN: Final = 50
#: How often new rows are looked for, those of other servers of the same store too.
_LOOK_S: Final = 0.5
_RETRY_S: Final = 2.0
#: What a change of nobody's rating is kept as.
_NONE: Final = -32768


class Past(NamedTuple):
    """A player's rating after a match, as it is shown."""

    #: Milliseconds since 1970.
    at: int
    pool: Pool
    before: int
    after: int


class RankedStanding(NamedTuple):
    """Where a player stands in a pool."""

    pool: Pool
    standing: Standing
    #: From 1 on, None for whoever is not on the leaderboard.
    rank: int | None


class _Book:
    """A ledger with what it did, so that histories can be shown; four numbers before and four after each match."""

    def __init__(self) -> None:
        self.ledger = Ledger()
        self.place = 0
        self.at = 0
        self.shown = array("h")
        self.times = array("q")
        self.pool_of = array("L")
        self.pools: list[Pool] = []
        self.pool_numbers: dict[Pool, int] = {}
        #: By player: four times the match's number, and the seat.
        self.of_player: dict[str, array[int]] = {}
        self.number_of: dict[str, int] = {}
        #: By player: where they were rated.
        self.pools_of: dict[str, dict[Pool, None]] = {}
        #: Of those with leaderboards the ones in which most is played come first.
        self.busiest = Ranking[Pool]()
        self._matches_in: Counter[Pool] = Counter()

    def apply(self, row: MatchRow) -> Change:
        change = self.ledger.apply(row)
        number, self.place, self.at = self.place, self.place + 1, row.at
        pool = self.pool_numbers.setdefault(row.pool, len(self.pools))
        if pool == len(self.pools):
            self.pools.append(row.pool)
        self.times.append(row.at)
        self.pool_of.append(pool)
        self.number_of[row.match] = number
        self.shown.extend(_NONE if one is None else _short(one[0]) for one in change.players)
        self.shown.extend(_NONE if one is None else _short(one[1]) for one in change.players)
        for seat, one in enumerate(change.players):
            if one is not None:
                self.of_player.setdefault(row.players[seat], array("L")).append(4 * number + seat)
                self.pools_of.setdefault(row.players[seat], {})[row.pool] = None
        if row.pool in self.ledger.boards and not row.pool.hosted:
            self._matches_in[row.pool] += 1
            self.busiest.set(row.pool, self._matches_in[row.pool], pool)
        return change


def _short(rating: Rating) -> int:
    return max(-32767, min(32767, rating.shown))


class Ratings:
    """Everybody's ratings.  Before they are known nobody has one, and ``is_ready`` says so."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._book: _Book | None = None
        self._wake = asyncio.Event()
        self._applied = asyncio.Condition()
        self._task: asyncio.Task[None] | None = None
        #: How often somebody asked to begin anew, and up to which of these that is done.
        self._asked = self._built = 0
        #: Matches that are to be taken back, with who waits for it.
        self._unwanted: list[tuple[str, asyncio.Future[int]]] = []
        #: Told of every row that is applied, with what it did.
        self.listeners: list[Callable[[MatchRow, Change], None]] = []
        #: Called when rows have changed that had their places.
        self.on_rewritten: Callable[[], None] = lambda: None
        self._missing = _what_is_missing()

    def start(self) -> None:
        """Begin to read and to apply rows."""
        if not self.can_rate:
            log.warning("matches are kept and not rated: %s", self._missing)
            return
        self._task = asyncio.create_task(self._run(), name="ratings")

    async def close(self) -> None:
        """Stop; what is stored stays."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    @property
    def can_rate(self) -> bool:
        """Whether this server has what it needs to rate at all."""
        return not self._missing

    @property
    def is_ready(self) -> bool:
        """Whether everything stored has been applied once."""
        return self._book is not None

    async def wait_for(self, match: str, seconds: float) -> bool:
        """Whether a match has been applied, or is within this time."""
        if not self.can_rate:
            return False
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds), self._applied:
                await self._applied.wait_for(lambda: self._book is not None and match in self._book.number_of)
        return self._book is not None and match in self._book.number_of

    def rebuild_soon(self) -> None:
        """The same, for whoever does not wait for it."""
        self._asked += 1
        self._wake.set()

    async def rebuild(self) -> None:
        """Work everything out anew, because rows have changed; returns when it is done."""
        if self._task is None:
            return
        self.on_rewritten()
        self.rebuild_soon()
        wanted = self._asked
        async with self._applied:
            await self._applied.wait_for(lambda: self._built >= wanted)

    async def unrate(self, match: str) -> None:
        """Take a match back: those after it are settled anew, and everything follows.

        :raises GameError: there is no such match
        """
        if self._task is None:
            raise GameError("this server rates nobody")
        done: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._unwanted.append((match, done))
        self._wake.set()
        wanted = await done
        async with self._applied:
            await self._applied.wait_for(lambda: self._built >= wanted)

    # What can be asked.

    @property
    def matches(self) -> int:
        """How many were applied."""
        return 0 if self._book is None else self._book.place

    def digest(self) -> str:
        """Equal ones mean ratings that are equal to the last bit."""
        return "" if self._book is None else hashlib.sha256(self._book.ledger.dump()).hexdigest()

    def pools(self, most: int | None = None) -> list[Pool]:
        """Where most is played, of those that have leaderboards."""
        return [] if self._book is None else self._book.busiest.first(most)

    def rating(self, pool: Pool, player: str) -> Rating:
        """How strong somebody is, a newcomer's if nothing is known."""
        return newcomer() if self._book is None else self._book.ledger.rating(pool, player)

    def rated_among(self, players: Set[str]) -> Set[str]:
        """Those of some who have been rated anywhere, however many they are."""
        return frozenset() if self._book is None else self._book.pools_of.keys() & players

    def places(self, player: str, most: int | None = None) -> list[RankedStanding]:
        """Where a player stands, pool by pool."""
        boards = {} if self._book is None else self._book.ledger.boards
        pools = islice(() if self._book is None else self._book.pools_of.get(player, ()), most)
        return [RankedStanding(pool, boards[pool].players[player], boards[pool].rank(player)) for pool in pools]

    def pairs(self, player: str, most: int | None = None) -> list[tuple[Pool, Pair, Standing]]:
        """The pairs that a player belongs to."""
        book = self._book
        if book is None:
            return []
        boards = ((pool, book.ledger.boards[pool]) for pool in book.pools_of.get(player, ()))
        found = ((pool, pair, standing) for pool, board in boards for pair, standing in board.pairs_of(player))
        return list(islice(found, most))

    def history(self, player: str, limit: int = 200) -> list[Past]:
        """A player's last matches, the oldest first."""
        book = self._book
        if book is None:
            return []
        past: list[Past] = []
        for code in book.of_player.get(player, array("L"))[-limit:]:
            number, seat = divmod(code, 4)
            before, after = book.shown[8 * number + seat], book.shown[8 * number + 4 + seat]
            past.append(Past(book.times[number], book.pools[book.pool_of[number]], before, after))
        return past

    def changes(self, match: str) -> list[tuple[int, int] | None] | None:
        """What a match did, by seat, as it is shown; None if it was not applied."""
        book = self._book
        number = None if book is None else book.number_of.get(match)
        if book is None or number is None:
            return None
        before, after = book.shown[8 * number : 8 * number + 4], book.shown[8 * number + 4 : 8 * number + 8]
        return [None if one == _NONE else (one, other) for one, other in zip(before, after, strict=True)]

    def rank(self, pool: Pool, player: str) -> int | None:
        """The place of a player on the leaderboard, from 1 on; None for whoever is not on it."""
        return None if self._book is None else self._book.ledger.board(pool).rank(player)

    def leaderboard(
        self, pool: Pool, most: int | None = None, without: Collection[str] = ()
    ) -> list[tuple[str, Standing]]:
        """Those who may stand on it, from strong to weak."""
        return [] if self._book is None else self._book.ledger.board(pool).leaderboard(most, without)

    def pair_leaderboard(
        self, pool: Pool, most: int | None = None, without: Collection[str] = ()
    ) -> list[tuple[Pair, Standing]]:
        """The same of pairs."""
        return [] if self._book is None else self._book.ledger.board(pool).pair_leaderboard(most, without)

    # The one place.

    async def _run(self) -> None:
        while True:
            try:
                await self._take_back()
                if self._book is None or self._built < self._asked:
                    asked = self._asked
                    self._book = await self._read_all(_Book())
                    self._built = asked
                    await self._tell()
                await self._go_on(self._book)
            except StoreError as error:
                log.warning("ratings wait for the store: %s", error)
                await asyncio.sleep(_RETRY_S)
                continue
            except Exception as error:
                log_failure("ratings, which begin anew", error)
                self._asked += 1
                await asyncio.sleep(_RETRY_S)
                continue
            with suppress(TimeoutError):
                await asyncio.wait_for(self._wake.wait(), _LOOK_S)
            self._wake.clear()

    async def _take_back(self) -> None:
        """Write rows anew without the matches that are unwanted; here, where no row is placed meanwhile."""
        while self._unwanted:
            match, done = self._unwanted.pop(0)
            try:
                await self._rewrite_without(match)
            except (GameError, StoreError) as error:
                if not done.done():
                    done.set_exception(error)
                continue
            # Whatever comes next is settled by what is known then.
            self._asked += 1
            self.on_rewritten()
            if not done.done():
                done.set_result(self._asked)

    async def _rewrite_without(self, match: str) -> None:
        """Write what follows from a match without it, in little bits: tables have their turn in between.

        The match itself comes last.  Before that whoever asks again, after the store has failed, has it done anew.
        """
        old = [row async for row in all_rows(self._store)]
        following: list[MatchRow] = []
        itself: list[MatchRow] = []
        slices = Slices()
        for row, was in zip(unrate(old, match), old, strict=True):
            if row != was:
                (itself if row.match == match else following).append(row)
            await slices.end()
        for start in range(0, len(following), _WRITTEN):
            await self._store.write(change_matches, following[start : start + _WRITTEN])
        await self._store.write(change_matches, itself)

    async def _tell(self) -> None:
        async with self._applied:
            self._applied.notify_all()

    async def _read_all(self, book: _Book) -> _Book:
        slices = Slices()
        while stored := await self._store.read(placed_matches, book.place, _BATCH):
            for _, row in stored:
                change = book.apply(row)
                if book is self._book:
                    self._announce(row, change)
                await slices.end()
        return book

    async def _go_on(self, book: _Book) -> None:
        """Place and apply what is new."""
        await self._read_all(book)
        while stored := await self._store.read(new_matches, _BATCH):
            for _, row in stored:
                # Clocks of servers differ a little; a row is never before the one before it.
                settled = book.ledger.settle(replace(row, at=max(row.at, book.at)))
                if not await self._store.write(place_match, settled, book.place + 1):
                    await self._read_all(book)
                    break  # Somebody else has placed a row: what this one counts for is another question now.
                self._announce(settled, book.apply(settled))
            await self._tell()

    def _announce(self, row: MatchRow, change: Change) -> None:
        for listener in self.listeners:
            listener(row, change)


def _what_is_missing() -> str:
    try:
        check_openskill()
    except GameError as error:
        return str(error)
    return ""


async def close_log(store: Store, logged: LoggedState, now: float) -> None:
    """Forget the log of a table; if a rated match was on, it has ended for nobody, and its row says so."""
    row = match_row(logged, now, "aborted") if logged.stage in ("playing", "paused") else None
    await store.close_table(logged.opened.id, row)


async def all_rows(store: Store) -> AsyncIterator[MatchRow]:
    """Every row that was applied, in their order."""
    place = 0
    while stored := await store.read(placed_matches, place, _BATCH):
        for _, row in stored:
            yield row
        place += len(stored)
