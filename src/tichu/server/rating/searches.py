"""Everybody who looks for a match, counted as it is asked for: nobody waits while all of them are looked through."""

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeVar

from tichu.ratings import ClockClass
from tichu.server.table.ports import Player

__all__ = ["Search", "Searches", "TooManySearches", "Wanted"]

_Key = TypeVar("_Key")


class TooManySearches(Exception):
    """Nobody more can look for a match."""


class Wanted(NamedTuple):
    """What kind of match somebody looks for: only the same meet."""

    rated: bool
    speed: ClockClass
    kind: Literal["person", "bot"] = "person"


@dataclass(slots=True, eq=False)
class Search:
    """What one player looks for, and how it stands."""

    player: Player
    wanted: Wanted
    #: Whom they want to come with; empty for nobody.
    partner: str
    since: float
    asked: float
    blocked: Collection[str] = ()
    bots: bool = False
    table: str | None = None
    #: Somebody is making the table.
    is_taken: bool = False
    #: There was no room for a table; it is tried again then.
    not_before: float = 0.0


class Searches:
    """By player."""

    def __init__(self, most: int, of_an_address: int) -> None:
        self._most = most
        self._of_an_address = of_an_address
        self._by_player: dict[str, Search] = {}
        self._by_partner: dict[str, dict[str, Search]] = {}
        #: Those that have no table yet.
        self._open = 0
        self._wanted: Counter[Wanted] = Counter()
        self._addresses: Counter[str] = Counter()

    def __iter__(self) -> Iterator[Search]:
        """All of them, as they are now."""
        return iter(list(self._by_player.values()))

    def get(self, player: str) -> Search | None:
        """What a player looks for."""
        return self._by_player.get(player)

    def put(self, search: Search) -> None:
        """Begin to look, in place of what the player looked for before.

        :raises TooManySearches: too many look already, from this address or at all
        """
        player, address = search.player.id, search.player.address
        before = self._by_player.get(player)
        was_at = None if before is None or before.table is not None else before.player.address
        if was_at is None and self._open >= self._most:
            raise TooManySearches("too many look for a match just now; try again in a moment")
        if address and address != was_at and self._addresses[address] >= self._of_an_address:
            raise TooManySearches(f"at most {self._of_an_address} of an address look for a match at a time")
        self.drop(player)
        self._by_player[player] = search
        self._count(search, 1)
        if search.partner:
            self._by_partner.setdefault(search.partner, {})[player] = search

    def drop(self, player: str) -> None:
        """Look no longer."""
        search = self._by_player.pop(player, None)
        if search is not None and search.table is None:
            self._leave(search)

    def settle(self, search: Search, table: str, now: float) -> None:
        """A match is found; it is told for a while."""
        if self._by_player.get(search.player.id) is search and search.table is None:
            self._leave(search)
        search.table, search.asked = table, now

    def asking_for(self, partner: str) -> list[Search]:
        """Who wants to come with somebody."""
        return list(self._by_partner.get(partner, {}).values())

    def seekers(self, wanted: Wanted) -> int:
        """How many look for such a match."""
        return self._wanted[wanted]

    def looking(self) -> tuple[int, int]:
        """How many look for a rated match, and for one that is not."""
        rated = sum(number for wanted, number in self._wanted.items() if wanted.rated)
        return rated, self._open - rated

    def kinds(self) -> list[Wanted]:
        """What is looked for."""
        return list(self._wanted)

    def __len__(self) -> int:
        """How many look for a match."""
        return self._open

    def _leave(self, search: Search) -> None:
        self._count(search, -1)
        if search.partner:
            with_partner = self._by_partner[search.partner]
            del with_partner[search.player.id]
            if not with_partner:
                del self._by_partner[search.partner]

    def _count(self, search: Search, number: int) -> None:
        self._open += number
        _add(self._wanted, search.wanted, number)
        _add(self._addresses, search.player.address, number)


def _add(counter: Counter[_Key], key: _Key, number: int) -> None:
    counter[key] += number
    if not counter[key]:
        del counter[key]
