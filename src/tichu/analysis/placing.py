"""Cards placed uniformly: who may hold which of the cards that nobody has seen, and how many each seat holds.

A card that may lie with only some of the seats belongs to the class of these seats.  How many cards of each class go
where is drawn by the exact number of ways that follow from it; which cards these are is then a plain shuffle.  So every
permitted placement is equally likely, without a single draw being thrown away.
"""

from collections.abc import Iterator, Sequence
from itertools import accumulate, combinations, product
from math import comb
from random import Random
from typing import Final

from tichu.core.cards import Card, Cards

__all__ = ["Placing"]

_SEATS: Final = 3
#: The classes of cards that two or three may hold, as sets of seats by bits.
_CLASSES: Final = (0b011, 0b101, 0b110, 0b111)

#: For each class how many of its cards each of the three gets.
_Split = tuple[tuple[int, ...], ...]


class Placing:
    """All ways to give three seats ``sizes`` cards, each card to one of the seats in its mask.

    >>> from tichu.core.cards import parse_cards, cards_of
    >>> two, three, four = cards_of(parse_cards("2s3s4s"))
    >>> placing = Placing({two: 0b001, three: 0b111, four: 0b111}, (1, 1, 1))
    >>> placing.count
    2
    >>> [[hand.bit_length() - 1 for hand in hands] for hands in placing]
    [[4, 8, 12], [4, 12, 8]]
    """

    def __init__(self, masks: dict[Card, int], sizes: Sequence[int]) -> None:
        self._fixed = [0, 0, 0]
        self._classes: list[list[Card]] = [[] for _ in _CLASSES]
        left = list(sizes)
        impossible = sum(sizes) != len(masks)
        for card, mask in sorted(masks.items()):
            if mask in _CLASSES:
                self._classes[_CLASSES.index(mask)].append(card)
            elif mask:
                seat = mask.bit_length() - 1
                self._fixed[seat] |= 1 << card
                left[seat] -= 1
            else:
                impossible = True
        splits = [] if impossible or min(left) < 0 else list(self._splits(left))
        self._split_list = [split for split, _ in splits]
        self._ways = list(accumulate(ways for _, ways in splits))

    @property
    def count(self) -> int:
        """How many placements there are."""
        return self._ways[-1] if self._ways else 0

    def _splits(self, left: Sequence[int]) -> Iterator[tuple[_Split, int]]:
        """Every split with the number of placements that have it."""
        one_two, one_three, two_three, free = (len(cards) for cards in self._classes)
        for a, b, c in product(range(one_two + 1), range(one_three + 1), range(two_three + 1)):
            split = ((a, one_two - a, 0), (b, 0, one_three - b), (0, c, two_three - c))
            rest = tuple(left[seat] - sum(part[seat] for part in split) for seat in range(_SEATS))
            if min(rest) >= 0:
                ways = comb(one_two, a) * comb(one_three, b) * comb(two_three, c)
                yield (*split, rest), ways * comb(free, rest[0]) * comb(free - rest[0], rest[1])

    def draw(self, rng: Random) -> tuple[Cards, ...]:
        """Three hands, every permitted placement equally likely; there must be one."""
        number = rng.randrange(self.count)
        split = self._split_list[next(place for place, ways in enumerate(self._ways) if number < ways)]
        hands = [*self._fixed]
        for cards, parts in zip(self._classes, split, strict=True):
            shuffled = rng.sample(cards, len(cards))
            at = 0
            for seat, part in enumerate(parts):
                for card in shuffled[at : at + part]:
                    hands[seat] |= 1 << card
                at += part
        return tuple(hands)

    def __iter__(self) -> Iterator[tuple[Cards, ...]]:
        for split in self._split_list:
            choices = [list(_divisions(cards, parts)) for cards, parts in zip(self._classes, split, strict=True)]
            for chosen in product(*choices):
                yield tuple(self._fixed[seat] | sum(part[seat] for part in chosen) for seat in range(_SEATS))


def _divisions(cards: Sequence[Card], parts: Sequence[int]) -> Iterator[tuple[Cards, ...]]:
    """All ways to divide cards among the three."""
    for first in combinations(cards, parts[0]):
        others = [card for card in cards if card not in first]
        for second in combinations(others, parts[1]):
            third = (card for card in others if card not in second)
            yield _set_of(first), _set_of(second), _set_of(third)


def _set_of(cards: Sequence[Card] | Iterator[Card]) -> Cards:
    return sum(1 << card for card in cards)
