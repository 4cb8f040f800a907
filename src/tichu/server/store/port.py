"""What a server keeps, and the promises of whatever keeps it.

Entries, games and players are kept; that an entry is kept is promised when :meth:`Store.append` returns and not
before.  One server owns a store: a second one is refused, because two would play the same tables.  Should there be two
all the same, the store has an epoch: whoever comes raises it, and a transaction of an earlier epoch changes nothing.

The entries of a table are numbered from 1 without gaps.  The owner of the table says which number comes next, so that
no two can add to the same log.
"""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from pathlib import Path
from typing import Literal, NamedTuple, ParamSpec, Protocol, TypeVar

from tichu.ratings.rows import MatchRow
from tichu.server.log import FinishedGame, GameSummary, SeatResult
from tichu.server.store.scripts import Script

__all__ = [
    "OutOfStep",
    "Store",
    "StoreError",
    "StoreRefusal",
    "StoredPart",
    "StoredPlayer",
    "StoredTable",
    "TableTaken",
    "TakenOver",
]

T = TypeVar("T")
P = ParamSpec("P")


class StoreError(Exception):
    """The store cannot do what it was asked for, and has done nothing of it: it may be asked again."""


class StoreRefusal(StoreError):
    """The store works, but does not accept this, and never will: asking again would not help."""


class TakenOver(StoreError):
    """Another server writes to this store now: whoever hears it must stop and answer nobody any more."""

    def __init__(self) -> None:
        super().__init__("another server has taken over the store; this one stops")


class TableTaken(TakenOver):
    """Another node owns this one table now: whoever hears it ends it here; all others go on."""

    def __init__(self, table: str) -> None:
        StoreError.__init__(self, f"another node has taken over table {table}")


class NameTaken(TakenOver):
    """Another node of this name is at work: whoever hears it must not start."""

    def __init__(self, name: str, url: str) -> None:
        StoreError.__init__(self, f"a node {name} is at work already, at {url}; every node needs a name of its own")


class OutOfStep(StoreError):
    """The log of a table does not end where its owner believes; it has to be read again."""

    def __init__(self, table: str, first: int, expected: int) -> None:
        super().__init__(f"entry {first} of table {table} cannot be stored: the next one has number {expected}")


class StoredTable(NamedTuple):
    """The log of a table from its last checkpoint on."""

    id: str
    entries: tuple[bytes, ...]
    #: The number of the entry that comes next; a checkpoint does not begin to count anew.
    next: int


class StoredPlayer(NamedTuple):
    """Somebody who can come back.  The token itself is kept by nobody but its owner."""

    id: str
    name: str
    token_hash: str
    kind: Literal["person", "bot"]
    #: Seconds since 1970.
    created: float
    account: bool = False
    #: When this token is no longer good.
    expires: float = float("inf")
    #: The session of an account that the token belongs to.
    session: str = ""
    #: The one table that the token, a seat key, is good for.
    table: str = ""
    #: Until when they say nothing, and until when they are not let in.
    muted: float = 0.0
    banned: float = 0.0


class StoredPart(NamedTuple):
    """A part of the review of a game; the first part of a round is its plan."""

    round: int
    part: int
    data: bytes


class Store(Protocol):
    """Where a server keeps what must outlive it.  Everything here raises :class:`StoreError` and nothing else."""

    async def start(self) -> None:
        """Open the store, made anew where there is none."""

    async def close(self) -> None:
        """Write what waits, then let go."""

    async def wait_taken_over(self) -> None:
        """Return when another server has taken over the store, and not before."""

    async def append(
        self,
        table: str,
        first: int,
        entries: Sequence[bytes],
        *,
        checkpoint: bool = False,
        game: FinishedGame | None = None,
        match: MatchRow | None = None,
    ) -> None:
        """Add to the log of a table, from this number on: all of it or nothing, and for good.

        A checkpoint makes the first of these entries the new start of the log; what was before it is dropped.
        Whoever did not hear the answer may ask again: the same entries under the same numbers are stored once.

        :raises OutOfStep: another number comes next
        :raises TakenOver: as everything that writes may
        """

    def tables(self) -> AsyncIterator[StoredTable]:
        """All tables that are neither closed nor parked."""

    async def table(self, table: str) -> StoredTable | None:
        """One of them."""

    async def close_table(self, table: str, match: MatchRow | None = None) -> None:
        """Forget the log of a table, and keep the row of the match that ended with it, both or nothing."""

    async def rewrite(self, table: str, entries: Sequence[tuple[int, bytes]]) -> None:
        """Put other entries in the place of those with these numbers in the log of a table, all or none.

        :raises TakenOver: another server has the table
        """

    async def park(self, table: str, reason: str) -> None:
        """Set a table aside: its log is kept, but it is not loaded."""

    async def parked(self) -> list[tuple[str, str]]:
        """The tables set aside, each with the reason."""

    async def game(self, game_id: str) -> FinishedGame | None:
        """A finished game."""

    async def games(
        self, player: str | None = None, *, before: float | None = None, limit: int = 50
    ) -> list[GameSummary]:
        """The last finished games, latest first; those of one player say who has won, if that has been counted."""

    async def results(self, player: str) -> tuple[int, SeatResult]:
        """How many games of a player count, and what they add up to."""

    async def uncounted_games(self, limit: int) -> list[str]:
        """Games that were stored without their results, by id."""

    async def count_game(self, game: FinishedGame) -> None:
        """Add the winner and the results to a game that was stored without."""

    async def forget_games(self, before: float) -> int:
        """Drop the games that were finished before a time, with their reviews, and say how many."""

    async def keep_review(self, game_id: str, part: StoredPart) -> bool:
        """Add a part to the review of a game, in place of an earlier one; False if there is no such game."""

    async def review(self, game_id: str) -> list[StoredPart]:
        """All parts of the review of a game, in order."""

    async def keep_player(self, player: StoredPlayer) -> None:
        """Add a player, seen when made, or change one."""

    async def player(self, token_hash: str) -> StoredPlayer | None:
        """The player with this token."""

    async def change_token(self, player_id: str, token_hash: str) -> str | None:
        """Give a player another token: the hash of the former one, or None if there is no such player."""

    async def see_players(self, players: Mapping[str, float]) -> None:
        """Note when players were here, by id."""

    async def old_players(self, before: float, limit: int) -> list[str]:
        """Guests who are in no kept game and were not seen since a time, those who were away longest first."""

    async def forget_players(self, players: Sequence[str], before: float) -> int:
        """Drop those of these players of whom that is still true, and say how many."""

    async def rename(self, player_id: str, name: str) -> None:
        """Give a player another name."""

    async def read(self, script: Callable[P, Script[T]], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Carry out a script (:mod:`.scripts`) that only asks."""

    async def write(self, script: Callable[P, Script[T]], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Carry out a script as one transaction, all of it or nothing."""

    async def backup(self, path: Path) -> None:
        """Copy everything, as it is at one moment, into a new file."""
