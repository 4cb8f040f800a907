"""The inputs of the network: binary features of an observation.

Every feature says whether one byte reaches a threshold.  The bytes are those of :mod:`tichu.encoding`, what the seat
remembers (:mod:`tichu.agents.learned.memory`), and how many cards of each rank it holds and has not seen yet.

The rules are the last features.  Networks that were trained under one rule set do without them: a network reads as many
features as it has weights for.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from tichu.agents.learned.memory import LAYOUT, MEMORY_SIZE, write_memory
from tichu.core.cards import Card
from tichu.core.view import View
from tichu.encoding.observations import FIELDS, OBSERVATION_SIZE, field, write_observation

__all__ = [
    "BYTES",
    "FEATURE_COUNT",
    "FEATURE_COUNTS",
    "PLACES",
    "THRESHOLDS",
    "ROW_SIZE",
    "add_counts",
    "features_of",
    "encode_row",
]

_RANKS: Final = 13
#: Bytes of a decision: an observation and what the seat remembers.
ROW_SIZE: Final = OBSERVATION_SIZE + MEMORY_SIZE
#: Bytes that features ask about: with the counts by rank.
BYTES: Final = ROW_SIZE + 2 * _RANKS

# The match is part of the memory, as the points lacking.  The rules come last.
_IGNORED: Final = ("score", "goal", "rules")
# Points come in fives, and ten are enough to know.
_STEPS: Final = {"points": 2, "table_points": 2}


# Clockwise play is mirrored, and `anytime` is played as `ordered` (§7.2): of the two bits for bombs, `in-turn` is left.
_IGNORED_RULES: Final = (0, 8)


def _pad(pairs: list[tuple[int, int]]) -> None:
    # Never true; matrices are fastest with a multiple of sixteen.
    pairs += [(0, 255)] * (-len(pairs) % 16)


def _table() -> tuple[NDArray[np.int64], NDArray[np.uint8], tuple[int, ...]]:
    counts = []
    pairs = [
        (place, threshold)
        for each in FIELDS
        if each.name not in _IGNORED
        for place in range(each.first, each.first + each.size)
        for threshold in range(1, each.highest + 1, _STEPS.get(each.name, 1))
    ]
    pairs += [(place, threshold) for place in range(ROW_SIZE, BYTES) for threshold in range(1, 5)]
    place = OBSERVATION_SIZE
    for size, highest in LAYOUT:
        pairs += [(place + at, threshold) for at in range(size) for threshold in range(1, highest + 1)]
        place += size
    _pad(pairs)
    counts.append(len(pairs))
    rules = field("rules")
    pairs += [(rules.first + bit, 1) for bit in range(rules.size) if bit not in _IGNORED_RULES]
    _pad(pairs)
    counts.append(len(pairs))
    places = np.array([place for place, _ in pairs])
    return places, np.array([threshold for _, threshold in pairs], np.uint8), tuple(counts)


_TABLE: Final = _table()
#: The byte of each feature, and its threshold.
PLACES: Final = _TABLE[0]
THRESHOLDS: Final = _TABLE[1]
#: How many features networks have: without the rules, and with them.
FEATURE_COUNTS: Final = _TABLE[2]
FEATURE_COUNT: Final = len(PLACES)

_HAND: Final = field("hand").first
_PLAYED: Final = field("played").first


def encode_row(view: View, picks: tuple[Card, ...] = ()) -> NDArray[np.uint8]:
    """The bytes of a decision, before anything is counted."""
    row = np.empty(ROW_SIZE, np.uint8)
    write_observation(view, row[:OBSERVATION_SIZE], picks)
    write_memory(view, row[OBSERVATION_SIZE:])
    return row


def add_counts(observations: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Observations with the counts by rank behind them."""
    by_rank = (*observations.shape[:-1], _RANKS, 4)
    held = observations[..., _HAND + 4 : _HAND + 56].reshape(by_rank).sum(-1, dtype=np.uint8)
    played = observations[..., _PLAYED + 4 : _PLAYED + 56].reshape(by_rank).sum(-1, dtype=np.uint8)
    return np.concatenate([observations, held, 4 - held - played], axis=-1)


def features_of(observations: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """The features of observations, one a row."""
    features: NDArray[np.bool_] = add_counts(observations)[..., PLACES] >= THRESHOLDS
    return features
