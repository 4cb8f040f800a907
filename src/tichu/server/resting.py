"""Tables that are not in memory because nobody is there, and who has a seat where."""

from typing import Final, NamedTuple

import msgspec

from tichu.server.table.state import LoggedState
from tichu.server.wire import ENCODER, TableState

__all__ = ["RestingTable", "SeatIndex"]

_STATE: Final = msgspec.json.Decoder(TableState)


class RestingTable(NamedTuple):
    """What can be said about a table without loading it."""

    id: str
    code: str
    address: str
    #: When somebody was last there.
    visited: float
    is_open: bool
    has_free_seat: bool
    #: As it was written for others, which takes less than the objects would.
    written: bytes

    @classmethod
    def of(cls, logged: LoggedState, state: TableState, address: str, visited: float) -> "RestingTable":
        """A table with nobody there."""
        is_open = not logged.settings.private and logged.stage != "over"
        has_free_seat = len(logged.persons()) < 4
        written = ENCODER.encode(state)
        return cls(logged.opened.id, logged.opened.code, address, visited, is_open, has_free_seat, written)

    def state(self) -> TableState:
        """What everybody may know."""
        return _STATE.decode(self.written)


class SeatIndex:
    """Who has a seat at which tables.

    >>> index = SeatIndex()
    >>> index.set("t1", ("ann", "bob"))
    >>> index.set("t2", ("ann",))
    >>> index.set("t1", ("bob",))
    >>> index.tables_of("ann"), "bob" in index, "cyd" in index
    (['t2'], True, False)
    """

    def __init__(self) -> None:
        self._players: dict[str, tuple[str, ...]] = {}
        self._tables: dict[str, dict[str, None]] = {}

    def set(self, table: str, players: tuple[str, ...]) -> None:
        """Say who sits there now."""
        for player in self._players.pop(table, ()):
            del self._tables[player][table]
            if not self._tables[player]:
                del self._tables[player]
        for player in players:
            self._tables.setdefault(player, {})[table] = None
        if players:
            self._players[table] = players

    def players_at(self, table: str) -> tuple[str, ...]:
        """Who has a seat at a table."""
        return self._players.get(table, ())

    def tables_of(self, player: str) -> list[str]:
        """Where a player has a seat."""
        return list(self._tables.get(player, ()))

    def __contains__(self, player: object) -> bool:
        """Whether a player has a seat anywhere."""
        return player in self._tables
