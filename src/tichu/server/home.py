"""What goes on, for the home page: counted once for all who ask within a few seconds.

Only public tables and the games of public tables are looked at.  Who asks is told nothing of those with whom they have
nothing to do: neither where they are nor, by a number, that they are there.
"""

import asyncio
import time
from collections.abc import Collection, Iterable, Sequence
from typing import Final, NamedTuple

from tichu.ratings import Pool, Standing
from tichu.server.listing import offered_states
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
#: Tables with people whom somebody follows.
_FOLLOWED_AT: Final = 60


class GoingOn(NamedTuple):
    """What goes on at public tables."""

    tables: list[TableState]
    watchable: list[TableState]
    #: Who sits where a game is on, table by table.
    players: list[tuple[str, ...]]
    games: list[GameSummary]

    def people(self) -> int:
        """How many people play."""
        return len({player for table in self.players for player in table})

    def without(self, unwanted: Collection[str]) -> "GoingOn":
        """The same for somebody who has nothing to do with these."""
        if not unwanted:
            return self
        return GoingOn(
            [one for one in self.tables if not names_any(one, unwanted)],
            [one for one in self.watchable if not names_any(one, unwanted)],
            [one for one in self.players if not _has_any(one, unwanted)],
            [one for one in self.games if not _has_any(one.players, unwanted)],
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
        self._seen: GoingOn | None = None
        self._until = 0.0
        self._looking: asyncio.Task[GoingOn] | None = None

    async def now(self) -> GoingOn:
        """What goes on; all who ask at once wait for one look.

        :raises StoreError: it cannot be told now
        """
        if self._seen is not None and time.monotonic() < self._until:
            return self._seen
        if self._looking is None:
            self._looking = asyncio.create_task(self._look(), name="home")
            self._looking.add_done_callback(self._end)
        return await asyncio.shield(self._looking)

    def _end(self, task: "asyncio.Task[GoingOn]") -> None:
        self._looking = None
        if not task.cancelled() and task.exception() is None:
            self._seen, self._until = task.result(), time.monotonic() + _FRESH_S

    async def _look(self) -> GoingOn:
        lobby, of_an_address = self._lobby, self._lobby.config.limits.address_offers
        waiting: Sequence[Room | RestingTable]
        in_play: Sequence[Room | RestingTable]
        if lobby.shared is None:
            waiting, in_play, players = await self._look_here()
        else:
            waiting, in_play = await lobby.shared.offers(), await lobby.shared.directory.in_play(_IN_PLAY)
            players = await lobby.shared.directory.players_in_play(_COUNTED)
        offered = await offered_states(waiting, of_an_address)
        watchable = await offered_states(in_play, of_an_address)
        games = await lobby.store.read(latest_games, _GAMES)
        return GoingOn([one for one in offered if one.stage == "open"], watchable, players, games)

    async def _look_here(self) -> tuple[list[Room | RestingTable], list[Room], list[tuple[str, ...]]]:
        slices = Slices()
        waiting: list[Room | RestingTable] = []
        in_play: list[Room] = []
        tables: list[Room | RestingTable] = [*self._lobby.rooms.values(), *self._lobby.resting.values()]
        for one in tables:
            await slices.end()
            if not one.is_open:
                continue
            if isinstance(one, Room) and one.stored.stage == "playing":
                in_play.append(one)
            else:
                waiting.append(one)
        return waiting, in_play, [room.persons() for room in in_play]

    async def tables_with(self, players: Collection[str]) -> list[TableState]:
        """Public tables at which some of these sit."""
        lobby = self._lobby
        if not players:
            return []
        if lobby.shared is not None:
            rows = await lobby.shared.directory.public_tables_of(list(players), _FOLLOWED_AT)
            return [row.state() for row in rows]
        found: dict[str, Room] = {}
        for player in players:
            found |= {room.id: room for room in lobby.presence.places_of(player) if room.is_open}
        return [room.state() for room in list(found.values())[:_FOLLOWED_AT]]

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
