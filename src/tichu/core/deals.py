"""Deals: for each seat the first eight cards and the last six (§2.1)."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tichu.core.cards import ALL_CARDS, Card, Cards, format_cards, parse_cards
from tichu.core.errors import NotationError

if TYPE_CHECKING:
    from random import Random

__all__ = ["Deal", "deal_in_order", "format_deal", "parse_deal", "shuffled_deal"]

#: Per seat the first eight and the last six.
Deal = tuple[tuple[Cards, Cards], ...]


def deal_in_order(cards: Sequence[Card]) -> Deal:
    """Deal 56 cards from the top: eight to each seat, then six to each."""
    if sorted(cards) != list(range(56)):
        raise ValueError("a deal takes each of the 56 cards once")
    return tuple(
        (_set_of(cards[8 * seat : 8 * seat + 8]), _set_of(cards[32 + 6 * seat : 38 + 6 * seat])) for seat in range(4)
    )


def shuffled_deal(rng: "Random") -> Deal:
    """Deal at random."""
    cards = list(range(56))
    rng.shuffle(cards)
    return deal_in_order(cards)


def _set_of(cards: Sequence[Card]) -> Cards:
    return sum(1 << card for card in cards)


def format_deal(deal: Deal) -> str:
    """Four hands as ``eight+six``, separated by `` / ``."""
    return " / ".join(f"{format_cards(eight)}+{format_cards(six)}" for eight, six in deal)


def parse_deal(text: str) -> Deal:
    """Read what :func:`format_deal` writes.

    >>> parse_deal("Ma / Do")
    Traceback (most recent call last):
    tichu.core.errors.NotationError: a deal has four hands, not 2
    """
    hands = text.split(" / ")
    if len(hands) != 4:
        raise NotationError(f"a deal has four hands, not {len(hands)}")
    deal = []
    dealt = 0
    for seat, hand in enumerate(hands):
        eight, plus, six = hand.partition("+")
        if not plus:
            raise NotationError(f"the hand of seat {seat} is written eight+six, not {hand!r}")
        parts = parse_cards(eight), parse_cards(six)
        if (parts[0].bit_count(), parts[1].bit_count()) != (8, 6):
            raise NotationError(f"seat {seat} gets {parts[0].bit_count()}+{parts[1].bit_count()} cards, not 8+6")
        for part in parts:
            if dealt & part:
                raise NotationError(f"{format_cards(dealt & part)} dealt twice, the second time to seat {seat}")
            dealt |= part
        deal.append(parts)
    assert dealt == ALL_CARDS
    return tuple(deal)
