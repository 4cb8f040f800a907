"""What goes on, for the home page: counted once for all who ask within a few seconds.

Only public tables and the games of public tables are looked at.  Who asks is told nothing of those with whom they have
nothing to do: neither where they are nor, by a number, that they are there.
"""

import asyncio
import time
from collections.abc import Collection, Iterable, Sequence, Set
from typing import Final, NamedTuple

from tichu.ratings import Pool, Standing
from tichu.server.listing import offered_states, states_of
from tichu.server.lobby import Lobby
from tichu.server.log import GameSummary
from tichu.server.resting import RestingTable
from tichu.server.room import Room
from tichu.server.slices import Slices
from tichu.server.store.latest import latest_games
from tichu.server.wire import TableState

__all__ = ["GoingOn", "HomeWatch"]

#: For how many seconds the same is told.
_FRESH_S: Final = 2.0
#: So many are looked at, because some are not for everybody.
_IN_PLAY: Final = 100
_GAMES: Final = 40
#: Pools in which somebody may have a place.
_POOLS: Final = 5
#: More tables in play are not counted in a cluster.
_COUNTED: Final = 5_000
#: Tables with people whom somebody follows, and of one of them: nobody who sits everywhere hides the others.
_FOLLOWED_AT: Final = 60
_TABLES_OF_ONE: Final = 3


class InPlay:
    """Who sits where a game is on, kept so that nobody waits while all tables are looked through.

    >>> found = InPlay()
    >>> for persons in (("ann", "bob"), ("ann",), ("cyd",)):
    ...     found.add(persons)
    >>> found.without(frozenset()), found.without({"bob"}), found.without({"ann", "dee"})
    ((3, 3), (2, 2), (1, 1))
    """

    def __init__(self) -> None:
        self._tables: list[tuple[str, ...]] = []
        self._tables_of: dict[str, list[int]] = {}

    def add(self, persons: tuple[str, ...]) -> None:
        """One table more."""
        for player in persons:
            self._tables_of.setdefault(player, []).append(len(self._tables))
        self._tables.append(persons)

    def without(self, unwanted: Set[str]) -> tuple[int, int]:
        """How many people play at how many tables, but for those at which one of these sits."""
        hidden = {table for player in self._tables_of.keys() & unwanted for table in self._tables_of[player]}
        sitting = {player for table in hidden for player in self._tables[table]}
        gone = sum(hidden.issuperset(self._tables_of[player]) for player in sitting)
        return len(self._tables_of) - gone, len(self._tables) - len(hidden)


class GoingOn(NamedTuple):
    """What goes on at public tables."""

    tables: list[TableState]
    watchable: list[TableState]
    games: list[GameSummary]
    #: How many people play, and at how many tables.
    people: int
    playing: int


class _Seen(NamedTuple):
    """The same, as somebody sees it who has nothing against anybody."""

    tables: list[TableState]
    watchable: list[TableState]
    games: list[GameSummary]
    in_play: InPlay

    def without(self, unwanted: Set[str]) -> GoingOn:
        """What of it is for somebody who has nothing to do with these."""
        return GoingOn(
            [one for one in self.tables if not names_any(one, unwanted)],
            [one for one in self.watchable if not names_any(one, unwanted)],
            [one for one in self.games if not _has_any(one.players, unwanted)],
            *self.in_play.without(unwanted),
        )


def names_any(table: TableState, players: Collection[str]) -> bool:
    """Whether one of these has to do with a table."""
    return _has_any((table.host, *(seat.player for seat in table.seats)), players)


def _has_any(some: Iterable[str | None], players: Collection[str]) -> bool:
    return any(one in players for one in some)


class HomeWatch:
    """Looks at what goes on when somebody asks."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        self._seen: _Seen | None = None
        self._until = 0.0
        self._looking: asyncio.Task[_Seen] | None = None

    async def now(self, unwanted: Set[str]) -> GoingOn:
        """What goes on where none of these is; all who ask at once wait for one look.

        :raises StoreError: it cannot be told now
        """
        return (await self._look_once()).without(unwanted)

    async def _look_once(self) -> _Seen:
        if self._seen is not None and time.monotonic() < self._until:
            return self._seen
        if self._looking is None:
            self._looking = asyncio.create_task(self._look(), name="home")
            self._looking.add_done_callback(self._end)
        return await asyncio.shield(self._looking)

    def _end(self, task: "asyncio.Task[_Seen]") -> None:
        self._looking = None
        if not task.cancelled() and task.exception() is None:
            self._seen, self._until = task.result(), time.monotonic() + _FRESH_S

    async def _look(self) -> _Seen:
        lobby, of_an_address = self._lobby, self._lobby.config.limits.address_offers
        waiting: Sequence[Room | RestingTable]
        watchable: Sequence[Room | RestingTable]
        if lobby.shared is None:
            waiting, watchable, in_play = await self._look_here()
        else:
            waiting, watchable = await lobby.shared.offers(), await lobby.shared.directory.in_play(_IN_PLAY)
            in_play, slices = InPlay(), Slices()
            for persons in await lobby.shared.directory.players_in_play(_COUNTED):
                in_play.add(persons)
                await slices.end()
        offered = await offered_states(waiting, of_an_address)
        watched = await offered_states(watchable, of_an_address)
        games = await lobby.store.read(latest_games, _GAMES)
        return _Seen([one for one in offered if one.stage == "open"], watched, games, in_play)

    async def _look_here(self) -> tuple[list[Room | RestingTable], list[Room], InPlay]:
        slices = Slices()
        waiting: list[Room | RestingTable] = []
        watchable: list[Room] = []
        in_play = InPlay()
        tables: list[Room | RestingTable] = [*self._lobby.rooms.values(), *self._lobby.resting.values()]
        for one in tables:
            await slices.end()
            if not one.is_open:
                continue
            if isinstance(one, Room) and one.stored.stage == "playing":
                watchable.append(one)
                in_play.add(one.persons())
            else:
                waiting.append(one)
        return waiting, watchable, in_play

    async def tables_with(self, players: Collection[str]) -> list[TableState]:
        """Public tables at which some of these sit."""
        lobby = self._lobby
        if not players:
            return []
        if lobby.shared is not None:
            rows = await lobby.shared.directory.public_tables_of(list(players), _TABLES_OF_ONE, _FOLLOWED_AT)
            return await states_of(rows)
        found: dict[str, Room] = {}
        for player in players:
            own = [room for room in lobby.presence.places_of(player) if room.is_open and player in room.persons()]
            found |= {room.id: room for room in own[-_TABLES_OF_ONE:]}
        return await states_of(list(found.values())[:_FOLLOWED_AT])

    def board(self, most: int, unwanted: Collection[str]) -> tuple[Pool, list[tuple[str, Standing]]] | None:
        """The strongest where most is played."""
        ratings = self._lobby.ratings
        pools = (pool for pool in ratings.pools(_POOLS) if pool.league == "people")
        found = ((pool, ratings.leaderboard(pool, most, unwanted)) for pool in pools)
        return next((one for one in found if one[1]), None)

    def seekers(self) -> tuple[int, int]:
        """How many look for a rated match, and for one that is not."""
        shared = self._lobby.shared
        return self._lobby.quick_match.looking() if shared is None else shared.seekers.looking()
