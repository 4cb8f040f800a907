"""Cards placed by weight: as :class:`~tichu.analysis.placing.Placing`, but not all placements are equally likely.

Cards of one rank form a unit, every special card one of its own.  A weight says how likely it is that each of the three
seats has so many cards of a unit; a placement is as likely as the product of these weights, given how many cards each
seat holds and which it may hold.  Suits within a rank are alike.  So pairs, triples and bombs of one rank are weighed
as what they are, not card by card.

All of this is exact: from the last unit to the first a table says what the units still to come weigh for every number
of cards that the first two seats still need (the third has the rest), and draws walk through these tables.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import product
from typing import Final, NamedTuple

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from tichu.core.cards import Card, Cards

__all__ = ["COMPOSITIONS", "OUTPUTS", "PLACES", "UNITS", "WeightedPlacing", "unit_of"]

Floats = NDArray[np.float64]

#: Four special cards and thirteen ranks.
UNITS: Final = 17
_SPECIALS: Final = 4
#: One more than the cards of a rank, and than the cards of a hand.
_PARTS: Final = 5
_HELD: Final = 15

#: How many cards of a unit each of the three seats may have, by how many of them are unseen.
COMPOSITIONS: Final = tuple(
    tuple(parts for parts in product(range(number + 1), repeat=3) if sum(parts) == number) for number in range(_PARTS)
)


def _numbered() -> tuple[NDArray[np.int64], int]:
    places = np.full((UNITS, _PARTS, _PARTS, _PARTS), -1)
    at = 0
    for unit in range(UNITS):
        for number in range(1, 2 if unit < _SPECIALS else _PARTS):
            for one, two, _ in COMPOSITIONS[number]:
                places[unit, number, one, two] = at
                at += 1
    return places, at


_NUMBERED: Final = _numbered()
#: Which weight belongs to a unit with so many unseen cards, so many with the first and the second seat; -1: none.
PLACES: Final = _NUMBERED[0]
#: How many weights there are in all.
OUTPUTS: Final = _NUMBERED[1]


def unit_of(card: Card) -> int:
    """The unit of a card.

    >>> [unit_of(card) for card in (0, 3, 4, 7, 8, 55)]
    [0, 3, 4, 4, 5, 16]
    """
    return card if card < _SPECIALS else _SPECIALS + (card - _SPECIALS) // 4


class _Ways(NamedTuple):
    """Every way to place the cards of a unit, those with the same numbers of cards side by side."""

    #: A row a way: the seat of each card.
    seats: NDArray[np.int64]
    #: How many ways there are by what the first two seats get, and where they begin.
    counts: NDArray[np.int64]
    starts: NDArray[np.int64]


@lru_cache(maxsize=4096)
def _ways(masks: tuple[int, ...]) -> _Ways:
    found = [
        way
        for way in product(range(3), repeat=len(masks))
        if all(mask >> seat & 1 for mask, seat in zip(masks, way, strict=True))
    ]
    found.sort(key=lambda way: (way.count(0), way.count(1)))
    counts = np.zeros((_PARTS, _PARTS), np.int64)
    for way in found:
        counts[way.count(0), way.count(1)] += 1
    starts = (np.cumsum(counts) - counts.ravel()).reshape(counts.shape)
    return _Ways(np.array(found, np.int64).reshape(len(found), len(masks)), counts, starts)


class _Unit(NamedTuple):
    number: int
    cards: tuple[Card, ...]
    ways: _Ways
    #: The cards of each of the three seats, a row a way.
    sets: NDArray[np.uint64]
    #: The logarithm of the weight of one way, by what the first two seats get.
    log_weights: Floats
    #: The weight of all ways together.
    weights: Floats


class WeightedPlacing:
    """All ways to give three seats ``sizes`` cards, each card to one of the seats in its mask, weighed by ``weights``.

    ``weights`` are logarithms in the order of :data:`PLACES`; zeros make all placements equally likely.

    >>> placing = WeightedPlacing({4: 0b001, 8: 0b111, 12: 0b111}, (1, 1, 1), np.zeros(OUTPUTS))
    >>> sorted(map(tuple, placing.draw(40, np.random.default_rng(1)).tolist()))[::39]
    [(16, 256, 4096), (16, 4096, 256)]
    """

    def __init__(self, masks: dict[Card, int], sizes: Sequence[int], weights: NDArray[np.floating]) -> None:
        self._sizes = tuple(sizes)
        by_unit: dict[int, list[Card]] = {}
        for card in sorted(masks):
            by_unit.setdefault(unit_of(card), []).append(card)
        self._units = [
            self._unit(unit, tuple(cards), tuple(masks[card] for card in cards), weights)
            for unit, cards in by_unit.items()
        ]
        self._tables = self._backward()

    @staticmethod
    def _unit(number: int, cards: tuple[Card, ...], masks: tuple[int, ...], weights: NDArray[np.floating]) -> _Unit:
        ways = _ways(masks)
        sets = np.zeros((len(ways.seats), 3), np.uint64)
        rows = np.arange(len(ways.seats))
        for place, card in enumerate(cards):
            sets[rows, ways.seats[:, place]] |= np.uint64(1 << card)
        places = PLACES[number, len(cards)]
        logs = np.where(places >= 0, weights[places], 0.0).astype(np.float64)
        return _Unit(number, cards, ways, sets, logs, np.exp(logs) * ways.counts)

    def _backward(self) -> list[Floats]:
        """What all units from each one on weigh, by how many cards the first two seats still need."""
        table = np.zeros((_HELD, _HELD))
        table[0, 0] = 1.0
        tables = [table]
        for unit in reversed(self._units):
            padded = np.zeros((_HELD + _PARTS - 1, _HELD + _PARTS - 1))
            padded[_PARTS - 1 :, _PARTS - 1 :] = tables[-1]
            windows = sliding_window_view(padded, (_PARTS, _PARTS))
            tables.append(np.einsum("ijab,ab->ij", windows, unit.weights[::-1, ::-1]))
        return tables[::-1]

    @property
    def is_possible(self) -> bool:
        """Whether there is a placement at all."""
        fits = sum(self._sizes) == sum(len(unit.cards) for unit in self._units)
        return fits and min(self._sizes) >= 0 and self._total > 0

    @property
    def _total(self) -> float:
        return float(self._tables[0][self._sizes[0], self._sizes[1]])

    def draw(self, number: int, rng: np.random.Generator) -> NDArray[np.uint64]:
        """So many placements, a row each: the cards of the three seats."""
        hands = np.zeros((number, 3), np.uint64)
        left = np.empty((2, number), np.int64)
        left[0], left[1] = self._sizes[:2]
        # Rounding must not lead behind the last part that is possible.
        chances = rng.random((len(self._units), 2, number)) * (1 - 1e-12)
        for unit, table, (one, two) in zip(self._units, self._tables[1:], chances, strict=True):
            parts = np.argwhere(unit.weights)
            rest = left[:, :, None] - parts.T[:, None]
            # Negative numbers are looked up somewhere else, and count nothing.
            weights = unit.weights[parts[:, 0], parts[:, 1]] * table[rest[0], rest[1]] * (rest >= 0).all(0)
            sums = weights.cumsum(1)
            chosen = parts[(sums <= one[:, None] * sums[:, -1:]).sum(1)]
            left -= chosen.T
            counts, starts = (each[chosen[:, 0], chosen[:, 1]] for each in (unit.ways.counts, unit.ways.starts))
            hands |= unit.sets[starts + (two * counts).astype(np.int64)]
        return hands

    def log_probabilities(self, placements: Sequence[Sequence[Cards]]) -> Floats:
        """The logarithms of the probabilities of placements that the masks permit, a row of three hands each."""
        hands = np.array(placements, np.uint64).reshape(-1, 3)
        logs = np.full(len(hands), -np.log(self._total))
        for unit in self._units:
            cards = np.array(unit.cards, np.uint64)
            held = (hands[:, :2, None] >> cards & np.uint64(1)).sum(-1, dtype=np.int64)
            logs += unit.log_weights[held[:, 0], held[:, 1]]
        return logs

    def chances(self) -> dict[Card, tuple[float, ...]]:
        """For every card how likely each of the three seats has it."""
        found: dict[Card, tuple[float, ...]] = {}
        before = np.zeros((_HELD, _HELD))
        before[self._sizes[0], self._sizes[1]] = 1.0
        for unit, table in zip(self._units, self._tables[1:], strict=True):
            after = np.zeros_like(before)
            shares = np.zeros((_PARTS, _PARTS))
            for one, two in np.argwhere(unit.weights):
                moved = before[one:, two:] * unit.weights[one, two]
                height, width = moved.shape
                after[:height, :width] += moved
                shares[one, two] = float((moved * table[:height, :width]).sum()) / self._total
            before = after
            ways = unit.ways
            of_way = np.repeat((shares / np.maximum(ways.counts, 1)).ravel(), ways.counts.ravel())
            for place, card in enumerate(unit.cards):
                found[card] = tuple(float(of_way[ways.seats[:, place] == seat].sum()) for seat in range(3))
        return found
