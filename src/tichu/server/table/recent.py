"""A bounded memory by player: nobody can push out what others may still repeat."""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import TypeVar

__all__ = ["Recent"]

_T = TypeVar("_T")


class Recent(dict[str, _T]):
    """Values under ``player id``, oldest first: the latest ``each`` of a player, and no more than ``most`` of all.

    >>> kept: Recent[int] = Recent(each=2, most=9)
    >>> for number in range(4):
    ...     kept.put(f"ada {number}", number)
    >>> kept.put("ben 0", 0)
    >>> list(kept)
    ['ada 2', 'ada 3', 'ben 0']
    """

    __slots__ = ("_counts", "_each", "_most")

    def __init__(self, known: Mapping[str, _T] | None = None, *, each: int, most: int) -> None:
        super().__init__(known or {})
        self._each = each
        self._most = most
        self._counts = Counter(map(_player_of, self))

    def put(self, key: str, value: _T) -> None:
        """Keep a value, and let go of what is too much."""
        if key not in self:
            self._counts[_player_of(key)] += 1
        self[key] = value
        player = _player_of(key)
        while self._counts[player] > self._each:
            # Players take turns, so the oldest of one is near the beginning.
            self._drop(next(other for other in self if other.startswith(player)))
        while len(self) > self._most:
            self._drop(next(iter(self)))

    def renamed(self, key_of: Callable[[str], str]) -> "Recent[_T]":
        """The same under other keys."""
        return Recent({key_of(key): value for key, value in self.items()}, each=self._each, most=self._most)

    def _drop(self, key: str) -> None:
        del self[key]
        player = _player_of(key)
        self._counts[player] -= 1
        if not self._counts[player]:
            del self._counts[player]


def _player_of(key: str) -> str:
    """With the blank, so that no player's id begins like another's."""
    return key.partition(" ")[0] + " "
