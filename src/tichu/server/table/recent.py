"""A bounded memory by player: nobody can push out what others may still repeat."""

from collections import OrderedDict
from typing import TypeVar

__all__ = ["remember"]

_T = TypeVar("_T")


def remember(kept: "OrderedDict[str, _T]", key: str, value: _T, *, each: int, most: int) -> None:
    """Keep a value under ``player id``: the latest ``each`` of a player, and no more than ``most`` of all.

    >>> kept: OrderedDict[str, int] = OrderedDict()
    >>> for number in range(4):
    ...     remember(kept, f"ada {number}", number, each=2, most=9)
    >>> remember(kept, "ben 0", 0, each=2, most=9)
    >>> list(kept)
    ['ada 2', 'ada 3', 'ben 0']
    """
    kept[key] = value
    player = key.split(" ", 1)[0] + " "
    own = [other for other in kept if other.startswith(player)]
    for old in own[:-each]:
        del kept[old]
    while len(kept) > most:
        kept.popitem(last=False)
