"""Quick match: people say what they look for, and are told how it stands until there is a table.

Everything here is true only now: after a restart people ask again, which their pages do by themselves.  A player looks
for one match at a time.  Whoever does not ask how it stands for a while is no longer looking.
"""

import asyncio
import random
import statistics
import time
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from typing import Final, NamedTuple, Protocol

from tichu.core.errors import GameError
from tichu.core.rules import Rules
from tichu.ratings import ClockClass, Pool
from tichu.server.capacity import TooManyTables
from tichu.server.config import Config, QuickRules
from tichu.server.failures import RareLine, log_failure
from tichu.server.metrics import Metrics
from tichu.server.rating.pairing import Group, Ticket, grouping, grouping_with_bots, spread_after
from tichu.server.rating.searches import Search, Searches, TooManySearches, Wanted
from tichu.server.rating.service import Ratings
from tichu.server.slices import Slices
from tichu.server.store import StoreError
from tichu.server.table.ports import Player
from tichu.server.table.rated import likeness
from tichu.server.wire import Clock, TableState
from tichu.server.wire.settings import Settings

__all__ = ["Invite", "MatchTables", "QuickMatch", "settings_of_match"]

#: Who has not asked for so long is gone, and for how long a match that was found is told.
_GONE_S: Final = 20.0
_TOLD_S: Final = 120.0
_TICK_S: Final = 1.0
#: Waits that are remembered to say what to expect.
_WAITS: Final = 50
#: Whom somebody has met here lately is remembered up to so many pairs, and the last match of so many people.
_MET: Final = 20_000
_LAST: Final = 20_000
#: Seconds until a match for which there is no room is tried again.
_FULL_S: Final = 10.0
#: So many times what it took to bring people together it is not done again.
_REST: Final = 9.0
#: Those who want to come with somebody of whom that one is told.
_INVITES: Final = 20
#: Tables of a player that are looked at: a rated match must not be hidden behind others.
_SEATS: Final = 1000

_CLOCKS: Final[dict[ClockClass, Clock]] = {
    "fast": Clock(decision=8, reserve=60),
    "normal": Clock(decision=20, reserve=120),
    "slow": Clock(decision=60, reserve=300),
}


class MatchTables(Protocol):
    """Where matches are played."""

    async def open_match(self, settings: Settings, players: Sequence[Player | None], pairs: tuple[bool, bool]) -> str:
        """A table at which these play at once, bots in the place of None; its id.

        :raises TooManyTables: there is no room for another one
        :raises StoreError: it cannot be stored now
        """

    async def leave_match(self, player: str, table: str) -> None:
        """A player plays at another table now: let a bot go on for them."""

    async def tables_of(self, player: str, most: int = ...) -> list[TableState]:
        """Where a player has a seat, at most so many."""


class Invite(NamedTuple):
    """Somebody who wants to come together with another."""

    player: Player
    wanted: Wanted


def settings_of_match(wanted: Wanted, quick: QuickRules) -> Settings:
    """What the table of a match is made with.

    >>> settings_of_match(Wanted(True, "fast"), QuickRules()).rated
    True
    """
    clock = _CLOCKS[wanted.speed]
    return Settings(
        rules=quick.rules, clock=clock, private=False, casual=not wanted.rated, rated=wanted.rated, pace=quick.pace
    )


class QuickMatch:
    """Everybody who looks for a match now."""

    def __init__(
        self, ratings: Ratings, tables: MatchTables, clock: Callable[[], float], config: Config, metrics: Metrics
    ) -> None:
        # As ratings have it: in its shortest form.
        self._rules = replace(config.quick, rules=str(Rules.parse(config.quick.rules)))
        self._ratings = ratings
        self._tables = tables
        self._clock = clock
        self._metrics = metrics
        self._searches = Searches(config.limits.searches, config.limits.address_searches)
        #: By player: the match that was found last, which may not be over.
        self._last: OrderedDict[str, str] = OrderedDict()
        self._waits: dict[Wanted, deque[float]] = {}
        self._met: Counter[tuple[str, str]] = Counter()
        self._task: asyncio.Task[None] | None = None
        #: Called when a player gives up the seat at a table, which others may have.
        self.on_left: Callable[[str, str], None] = lambda player, table: None
        self._opening: set[asyncio.Task[None]] = set()
        self._line = RareLine()
        self._rng = random.Random()
        #: How long it took to bring people together.
        self._took = 0.0

    def start(self) -> None:
        """Begin to rate, and to bring people together."""
        self._ratings.start()
        self._task = asyncio.create_task(self._run(), name="quick match")

    async def close(self) -> None:
        """Stop; whoever looks will ask again."""
        tasks = [*self._opening] if self._task is None else [self._task, *self._opening]
        for task in tasks:
            task.cancel()
        with suppress(asyncio.CancelledError):
            await asyncio.gather(*tasks, return_exceptions=True)
        await self._ratings.close()

    # What people say.

    def look(self, player: Player, wanted: Wanted, partner: str = "", blocked: Collection[str] = ()) -> Search:
        """Look for a match; whoever looks for another one already looks for this one instead.

        :raises GameError: it cannot be
        :raises TooManySearches: too many look already
        """
        if wanted.rated and not player.account:
            raise GameError("rated matches are for accounts")
        if partner == player.id:
            raise GameError("nobody is their own partner")
        now, before = self._clock(), self._searches.get(player.id)
        if before is not None and before.is_taken and before.table is None:
            return before
        is_same = before is not None and before.table is None and (before.wanted, before.partner) == (wanted, partner)
        since = before.since if before is not None and is_same else now
        search = Search(player, wanted, partner, since, now, blocked)
        if before is not None and is_same:
            search.bots, search.not_before = before.bots, before.not_before
        try:
            self._searches.put(search)
        except TooManySearches:
            self._metrics.guarded.labels("quick").inc()
            raise
        return search

    def keep_apart(self, player: str, blocked: Collection[str]) -> None:
        """With these somebody is never brought together, whatever was true when the search began."""
        search = self._searches.get(player)
        if search is not None:
            search.blocked = blocked

    def leave(self, player: str) -> None:
        """Look no longer."""
        search = self._searches.get(player)
        if search is not None and not search.is_taken:
            self._searches.drop(player)

    def allow_bots(self, player: str) -> Search | None:
        """Bots may take the free seats; only after the time that everybody sees."""
        search = self.search_of(player)
        if search is not None and self._clock() >= self.bots_at(search):
            search.bots = True
        return search

    # What they may know.

    def search_of(self, player: str) -> Search | None:
        """How somebody's search stands; asking keeps it alive."""
        search = self._searches.get(player)
        if search is not None and search.table is None:
            search.asked = self._clock()
        return search

    def invites_of(self, player: str) -> list[Invite]:
        """Who wants to come with somebody."""
        own = self._searches.get(player)
        unwanted = () if own is None else own.blocked
        # Those of a block must not take the places of others.
        found = (
            Invite(one.player, one.wanted)
            for one in self._searches.asking_for(player)
            if player not in one.blocked and one.player.id not in unwanted
        )
        return list(islice(found, _INVITES))

    def has_partner(self, search: Search) -> bool:
        """Whether the partner looks for the same, with this one."""
        other = self._searches.get(search.partner)
        return (
            other is not None
            and other.partner == search.player.id
            and other.wanted == search.wanted
            and other.table is None
            # Somebody may be blocked by now.
            and search.partner not in search.blocked
            and search.player.id not in other.blocked
            # Who lives together may play together, but not in one browser.
            and not (search.wanted.rated and likeness(search.player, other.player) == "browser")
        )

    def _may_be_one(self, one: Player, other: Player) -> bool:
        found = likeness(one, other)
        return found == "browser" or (found == "address" and not self._rules.same_address)

    async def rated_match_of(self, player: str) -> str | None:
        """The table at which a player is in a rated match now."""
        tables = await self._tables.tables_of(player, _SEATS)
        return next((one.id for one in tables if one.rated and one.stage in ("playing", "paused")), None)

    def seekers(self, wanted: Wanted) -> int:
        """How many look for such a match."""
        return self._searches.seekers(wanted)

    def looking(self) -> tuple[int, int]:
        """How many look for a rated match, and for one that is not."""
        return self._searches.looking()

    def expected(self, wanted: Wanted) -> float | None:
        """How long others have waited lately, half of them less."""
        waits = self._waits.get(wanted)
        return statistics.median(waits) if waits else None

    def bots_at(self, search: Search) -> float:
        """When bots are offered."""
        return search.since + self._rules.bots_seconds

    def spread(self, search: Search) -> float:
        """How far apart the ratings of a match may lie now."""
        return spread_after(self._clock() - search.since)

    # What happens.

    async def _run(self) -> None:
        while True:
            # However many look, to bring them together takes a tenth of the time at most.
            await asyncio.sleep(max(_TICK_S, _REST * self._took))
            began = time.perf_counter()
            try:
                await self.tick()
            except Exception as error:
                log_failure("the quick match, which goes on", error)
            self._took = time.perf_counter() - began

    async def tick(self) -> None:
        """Bring together who fits, and forget who is gone; everybody else goes on in between."""
        now, slices = self._clock(), Slices()
        for search in self._searches:
            limit = _GONE_S if search.table is None else _TOLD_S
            if now - search.asked > limit and not (search.is_taken and search.table is None):
                self._searches.drop(search.player.id)
        self._metrics.searches.set(len(self._searches))
        await slices.end()
        for wanted in self._searches.kinds():
            await self._bring_together(wanted, now, slices)

    async def _bring_together(self, wanted: Wanted, now: float, slices: Slices) -> None:
        await slices.end()
        tickets, searches = await self._tickets(wanted, now, slices)

        def may_meet(one: str, other: str) -> bool:
            if other in searches[one].blocked or one in searches[other].blocked:
                return False
            return not (wanted.rated and self._may_be_one(searches[one].player, searches[other].player))

        used: set[str] = set()
        for group in grouping(tickets, now, may_meet, self._meetings):
            if group is not None:
                used.update(player for player in group.seats if player is not None)
                self._begin(group, wanted, searches)
            await slices.end()
        left = [one for one in tickets if one.bots and used.isdisjoint(one.players)]
        for group in grouping_with_bots(left, may_meet):
            self._begin(group, wanted, searches)
            await slices.end()

    async def _tickets(self, wanted: Wanted, now: float, slices: Slices) -> tuple[list[Ticket], dict[str, Search]]:
        """Who is to be brought together, and what each of them looked for then."""
        tickets: list[Ticket] = []
        pool = Pool("bots" if wanted.kind == "bot" else "people", self._rules.rules, wanted.speed)
        searches = {
            one.player.id: one
            for one in self._searches
            if one.wanted == wanted and one.table is None and not one.is_taken and one.not_before <= now
        }
        for search in searches.values():
            await slices.end()
            rating = float(self._ratings.rating(pool, search.player.id).shown) if wanted.rated else 1500.0
            if not search.partner:
                tickets.append(Ticket((search.player.id,), rating, search.since, search.bots))
            elif search.player.id < search.partner and search.partner in searches and self.has_partner(search):
                other = searches[search.partner]
                mean = (rating + self._ratings.rating(pool, search.partner).shown) / 2 if wanted.rated else 1500.0
                since = max(search.since, other.since)
                tickets.append(Ticket((search.player.id, search.partner), mean, since, search.bots or other.bots))
        # Of equals anybody may be looked at first: nobody can stand before all others.
        self._rng.shuffle(tickets)
        return tickets, searches

    def _meetings(self, one: str, other: str) -> int:
        return self._met[one, other] + self._met[other, one]

    def _begin(self, group: Group, wanted: Wanted, known: Mapping[str, Search]) -> None:
        searches = [known[player] for player in group.seats if player is not None]
        # Others were served in between: somebody may look for something else by now, or for nothing.
        if any(self._searches.get(one.player.id) is not one or one.is_taken or one.table for one in searches):
            return
        for search in searches:
            search.is_taken = True
        task = asyncio.create_task(self._make(group, wanted, searches), name="making a match")
        self._opening.add(task)
        task.add_done_callback(self._opening.discard)

    async def _make(self, group: Group, wanted: Wanted, searches: list[Search]) -> None:
        known = {search.player.id: search.player for search in searches}
        players = [None if player is None else known[player] for player in group.seats]
        now, settings = self._clock(), settings_of_match(wanted, self._rules)
        try:
            if await self._drop_busy(searches):
                return
            table = await self._tables.open_match(settings, players, group.pairs)
        except Exception as error:  # They go on looking, and a later try may do.
            for search in searches:
                search.is_taken = False
                search.not_before = now if isinstance(error, StoreError) else now + _FULL_S
            if isinstance(error, StoreError | TooManyTables):
                self._line.write("a match that was found cannot begin", error)
            else:
                log_failure("a match that was found", error)
            return
        self._metrics.matches.inc()
        for search in searches:
            self._searches.settle(search, table, self._clock())
        waits = self._waits.setdefault(wanted, deque(maxlen=_WAITS))
        if None not in group.seats:
            waits.extend(now - search.since for search in searches)
        self._note_meetings(group)
        await self._leave_others(table, searches)

    async def _drop_busy(self, searches: list[Search]) -> bool:
        """Whether somebody has begun a rated match meanwhile, at a table of their own; the others go on looking."""
        busy = [one for one in searches if await self.rated_match_of(one.player.id) is not None]
        for search in searches if busy else ():
            search.is_taken = False
        for search in busy:
            if self._searches.get(search.player.id) is search:
                self._searches.drop(search.player.id)
        return bool(busy)

    async def _leave_others(self, table: str, searches: list[Search]) -> None:
        """Nobody plays in two quick matches at once: whoever begins another gives up the seat in the former."""
        for player in [search.player.id for search in searches]:
            former = self._last.pop(player, None)
            self._last[player] = table
            if len(self._last) > _LAST:
                self._last.popitem(last=False)
            if former is not None:
                self.on_left(player, former)
                with suppress(StoreError):
                    await self._tables.leave_match(player, former)

    def _note_meetings(self, group: Group) -> None:
        if len(self._met) > _MET:
            self._met.clear()
        a, b, c, d = group.seats
        for one in (a, c):
            for other in (b, d):
                if one is not None and other is not None:
                    self._met[one, other] += 1
