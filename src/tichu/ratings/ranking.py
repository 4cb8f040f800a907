"""Who is before whom, kept in order as numbers change: nobody has to sort everybody to know a place."""

from bisect import bisect_left, insort
from collections.abc import Hashable, Iterator
from itertools import islice
from typing import Generic, TypeVar

__all__ = ["Ranking"]

_Key = TypeVar("_Key", bound=Hashable)


class Ranking(Generic[_Key]):
    """From high to low; of equals the one who came first.

    >>> ranking = Ranking[str]()
    >>> for name, number in (("ann", 3.0), ("bob", 5.0), ("cy", 3.0), ("ann", 4.0)):
    ...     ranking.set(name, number, came="ann bob cy".split().index(name))
    >>> list(ranking), ranking.place("cy"), ranking.place("dee")
    (['bob', 'ann', 'cy'], 3, None)
    """

    def __init__(self) -> None:
        self._order: list[tuple[float, int, _Key]] = []
        self._entries: dict[_Key, tuple[float, int, _Key]] = {}

    def set(self, key: _Key, number: float, came: int) -> None:
        """Put somebody where they belong; ``came`` tells equals apart, and is nobody else's."""
        self.remove(key)
        entry = self._entries[key] = (-number, came, key)
        insort(self._order, entry)

    def remove(self, key: _Key) -> None:
        """Leave somebody out."""
        entry = self._entries.pop(key, None)
        if entry is not None:
            del self._order[bisect_left(self._order, entry)]

    def place(self, key: _Key) -> int | None:
        """From 1 on; None for whoever is not in it."""
        entry = self._entries.get(key)
        return None if entry is None else bisect_left(self._order, entry) + 1

    def first(self, number: int | None = None) -> list[_Key]:
        """So many from the top, or all."""
        return list(islice(self, number))

    def __iter__(self) -> Iterator[_Key]:
        return (key for _, _, key in self._order)

    def __len__(self) -> int:
        return len(self._order)
