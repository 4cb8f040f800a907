"""What earlier matches make of the next one: what it counts for, and whether a leaver's partner is spared.

Both look back thirty days, at rows that rate somebody.

* **Weight.**  Of the four pairs of opponents take the one that has met most often as opponents: after ``n`` meetings
  the match counts ``1 / (1 + n / 5)``, 1 at first, a half after five meetings, a fifth after twenty.  Our bots do not
  count as people one meets.
* **Spared.**  Whoever leaves loses, and the opponents win.  A partner who came with the leaver loses too; one who did
  not is spared, but three times in thirty days at most.

>>> weight_after(0), weight_after(5)
(1.0, 0.5)
"""

from bisect import bisect_right
from collections import deque
from collections.abc import Iterable, Iterator
from typing import Final, TypeVar

from msgspec.structs import replace

from tichu.core.errors import GameError
from tichu.ratings.anchors import can_rate
from tichu.ratings.rows import MatchRow, is_bot

__all__ = ["MOST_SPARED", "WINDOW", "History", "settle_all", "unrate", "weight_after"]

#: Thirty days, in milliseconds.
WINDOW: Final = 30 * 24 * 60 * 60 * 1000
MOST_SPARED: Final = 3
_HALF: Final = 5
#: Facts out of the window that are thrown away with a row, a few more than it adds: nobody waits for all of them.
_SWEEP: Final = 16


def weight_after(meetings: int) -> float:
    """What a match counts for whose opponents have met so often."""
    return 1 / (1 + meetings / _HALF)


class History:
    """The last thirty days of rows, as far as the next row needs them."""

    def __init__(self) -> None:
        self._meetings: dict[tuple[str, str], list[int]] = {}
        self._spared: dict[str, list[int]] = {}
        #: All of them, from old to new.
        self._times: deque[tuple[int, tuple[str, str] | str]] = deque()
        self._at: int | None = None

    def __len__(self) -> int:
        """How many facts are kept."""
        return len(self._meetings) + len(self._spared)

    def settle(self, row: MatchRow) -> MatchRow:
        """The row with its weight, and with the partner spared or not.

        :raises GameError: the row is older than one before it
        """
        self._check_order(row)
        meetings = max((self._count(self._meetings.get(key), row.at) for key in _opponents(row)), default=0)
        spared = False
        if row.leaver is not None and not row.pairs[row.leaver % 2]:
            spared = self.times_spared(row.players[row.leaver ^ 2], row.at) < MOST_SPARED
        return replace(row, weight=weight_after(meetings), spared=spared)

    def add(self, row: MatchRow) -> None:
        """Remember a row that was settled.

        :raises GameError: the row is older than one before it
        """
        self._check_order(row)
        self._at = row.at
        self._drop_old(row.at - WINDOW)
        if not can_rate(row):
            return
        for key in _opponents(row):
            self._meetings.setdefault(key, []).append(row.at)
            self._times.append((row.at, key))
        if row.leaver is not None and row.spared:
            partner = row.players[row.leaver ^ 2]
            self._spared.setdefault(partner, []).append(row.at)
            self._times.append((row.at, partner))

    def _drop_old(self, oldest: int) -> None:
        for _ in range(_SWEEP):
            if not self._times or self._times[0][0] > oldest:
                return
            _, key = self._times.popleft()
            if isinstance(key, str):
                _drop_first(self._spared, key)
            else:
                _drop_first(self._meetings, key)

    def times_spared(self, player: str, at: int) -> int:
        """How often a player did not lose with a leaver, within the thirty days before."""
        return self._count(self._spared.get(player), at)

    def _check_order(self, row: MatchRow) -> None:
        if self._at is not None and row.at < self._at:
            raise GameError(f"match {row.match} ended before the one that was applied before it")

    @staticmethod
    def _count(times: list[int] | None, at: int) -> int:
        return 0 if times is None else len(times) - bisect_right(times, at - WINDOW)


_Key = TypeVar("_Key", str, tuple[str, str])


def _drop_first(kept: dict[_Key, list[int]], key: _Key) -> None:
    times = kept[key]
    del times[0]
    if not times:
        del kept[key]


def _opponents(row: MatchRow) -> Iterator[tuple[str, str]]:
    """The pairs of people who played against each other, each once."""
    seen: set[tuple[str, str]] = set()
    for one in row.team(0):
        for other in row.team(1):
            key = (one, other) if one < other else (other, one)
            if key not in seen and not is_bot(one) and not is_bot(other):
                seen.add(key)
                yield key


def settle_all(rows: Iterable[MatchRow]) -> Iterator[MatchRow]:
    """All rows in their order, settled anew."""
    history = History()
    for row in rows:
        row = history.settle(row)
        history.add(row)
        yield row


def unrate(rows: Iterable[MatchRow], match: str) -> Iterator[MatchRow]:
    """The rows without the effect of one match, which stays as a row; those after it are settled anew.

    :raises GameError: there is no such match
    """
    history = History()
    found = False
    for row in rows:
        if row.match == match:
            found = True
            row = replace(row, unrated=True)
        elif found:
            row = history.settle(row)
        history.add(row)
        yield row
    if not found:
        raise GameError(f"there is no match {match}")
