"""At which tables a player has sockets, so that nobody has to look at all tables to find one player's."""

from collections import Counter
from typing import Generic, TypeVar

__all__ = ["Presence"]

_Place = TypeVar("_Place")


class Presence(Generic[_Place]):
    """Where players are, and how often.

    >>> presence = Presence[str]()
    >>> for place in ("t1", "t1", "t2"):
    ...     presence.enter("ann", place)
    >>> presence.leave("ann", "t1")
    >>> presence.leave("ann", "t2")
    >>> presence.places_of("ann"), presence.places_of("bob")
    (['t1'], [])
    """

    def __init__(self) -> None:
        self._places: dict[str, Counter[_Place]] = {}

    def enter(self, player: str, place: _Place) -> None:
        """A socket more."""
        self._places.setdefault(player, Counter())[place] += 1

    def leave(self, player: str, place: _Place) -> None:
        """One less."""
        places = self._places[player]
        places[place] -= 1
        if not places[place]:
            del places[place]
        if not places:
            del self._places[player]

    def places_of(self, player: str) -> list[_Place]:
        """Where a player has a socket."""
        return list(self._places.get(player, ()))
