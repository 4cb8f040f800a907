"""Our bots, which hold the scale: their ratings come from the arena and no match moves them.

``docs/bots.md`` has the measurements, in points a round of two bots over two others.  Each bot hangs on the next
stronger one that it was measured against; direct duels of bots far apart say less, because nobody makes more than a few
hundred points a round.  ``medium`` is where newcomers begin.  Bots were measured under ``standard`` only, so they hold
no other scale, and a match with one of them under other rules rates nobody.
"""

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from tichu.ratings.rating import Rating
from tichu.ratings.rows import BOT_PREFIX, MatchRow, Pool, is_bot

__all__ = ["ANCHORS", "MEASURED", "Anchor", "Measurement", "anchors_of", "can_rate"]

_RULES: Final = "standard"
_MIDDLE: Final = "medium"
#: A 95 % interval is so many standard errors wide.
_WIDTH: Final = 2 * 1.96


class Measurement(NamedTuple):
    """A duel of the arena: what the weaker bot lost to the stronger one, and the 95 % interval of it."""

    weaker: str
    stronger: str
    points: float
    low: float
    high: float


#: In an order in which one of each has its place already; ``learned``, which is ``best``, has the first.
MEASURED: Final = (
    Measurement("learned", "searching", 10.7, 8.0, 13.6),
    Measurement("small", "learned", 12.8, 6.8, 19.1),
    Measurement("human", "learned", 28.3, 15.4, 41.2),
    Measurement("hard", "best", 32.0, 19.5, 44.5),
    Measurement("medium", "hard", 100.4, 84.5, 116.3),
    Measurement("easy", "medium", 109.5, 93.0, 126.0),
    Measurement("heuristic", "learned", 142.7, 135.8, 149.3),
    Measurement("greedy", "heuristic", 88.3, 82.0, 94.4),
    Measurement("random", "greedy", 138.4, 134.5, 142.3),
)


class Anchor(NamedTuple):
    """A bot of known strength."""

    name: str
    rating: Rating


def _anchors() -> dict[str, Anchor]:
    below = {"best": 0.0, "learned": 0.0}
    variance = {"best": 0.0, "learned": 0.0}
    for one in MEASURED:
        known, new, points = one.stronger, one.weaker, one.points
        if new in below:
            known, new, points = new, known, -points
        below[new] = below[known] + points
        variance[new] = variance[known] + ((one.high - one.low) / _WIDTH) ** 2
    # A duel is of two against two: each has half of it.
    return {
        BOT_PREFIX + name: Anchor(name, Rating((below[_MIDDLE] - points) / 2, math.sqrt(variance[name]) / 2))
        for name, points in below.items()
    }


#: By id.
ANCHORS: Final[Mapping[str, Anchor]] = MappingProxyType(_anchors())
_NONE: Final[Mapping[str, Anchor]] = MappingProxyType({})


def anchors_of(pool: Pool) -> Mapping[str, Anchor]:
    """The bots that were measured where these matches are played.

    >>> ANCHORS["bot:best"].rating.shown, ANCHORS["bot:easy"].rating.shown
    (2030, 1062)
    """
    return ANCHORS if pool.rules == _RULES else _NONE


def can_rate(row: MatchRow) -> bool:
    """Whether a match changes ratings: nobody took it back or aborted it, and every bot in it has a known strength."""
    if row.unrated or row.ending == "aborted":
        return False
    anchors = anchors_of(row.pool)
    return all(player in anchors for player in row.players if is_bot(player))
