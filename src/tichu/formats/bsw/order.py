"""The order in which a log writes cards: from the highest to the lowest, but those of one rank in any order.

That order is kept as the suits of the cards that have their like beside them: ``Ks Kb 9s 5b 5g`` is ``sbbg``.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import Final

from tichu.core.cards import DRAGON, MAH_JONG, PHOENIX, Card, Cards, cards_of, format_card_list, rank_of, suit_of
from tichu.core.combos import Combo, Kind
from tichu.core.errors import NotationError

__all__ = ["hand_order", "has_choice", "sort_hand", "sort_play", "play_order"]

_RankOf = Callable[[Card], int]
_SUITS: Final = "sbgr"
_SPECIAL_RANKS: Final = {DRAGON: 16, PHOENIX: 15, MAH_JONG: 1}


def sort_hand(hand: Cards, suits: str = "") -> list[Card]:
    """The cards of a hand as written; without suits in the usual order.

    >>> format_card_list(sort_hand(0b1101_1111)), format_card_list(sort_hand(0b1101_1111, "rsg"))
    ('DrPh2s2g2rMaDo', 'DrPh2r2s2gMaDo')
    """
    return _reorder(_usual(hand, _rank_in_hand), suits, _rank_in_hand)


def hand_order(cards: Sequence[Card]) -> str:
    """The suits of a hand as written, or nothing where they are as usual."""
    return _order(cards, sort_hand(sum(1 << card for card in cards)), _rank_in_hand)


def sort_play(combo: Combo, suits: str = "") -> list[Card]:
    """The cards of a play as written, the Phoenix where it stands for a card."""
    rank = _rank_in(combo)
    cards = _usual(combo.cards, rank)
    # A A Phoenix 9 9 would leave open what the Phoenix is; A A 9 9 Phoenix is nines full.
    if combo.kind == Kind.FULL_HOUSE and cards[2] == PHOENIX:
        cards.append(cards.pop(2))
    return _reorder(cards, suits, rank)


def play_order(combo: Combo, cards: Sequence[Card]) -> str:
    """The suits of a play as written, or nothing where they are as usual."""
    return _order(cards, sort_play(combo), _rank_in(combo))


def has_choice(combo: Combo) -> bool:
    """Whether the cards can be written in more than one order."""
    return combo.size > 1 and any(_groups(sort_play(combo), _rank_in(combo)))


def _rank_in_hand(card: Card) -> int:
    return _SPECIAL_RANKS.get(card, 0) if card < 4 else rank_of(card)


def _rank_in(combo: Combo) -> _RankOf:
    return lambda card: combo.phoenix if card == PHOENIX else rank_of(card)


def _usual(cards: Cards, rank: _RankOf) -> list[Card]:
    """The Phoenix before its like, then the suits in the order of TTN."""
    return sorted(cards_of(cards), key=lambda card: (-rank(card), card))


def _groups(cards: Sequence[Card], rank: _RankOf) -> Iterator[list[Card]]:
    """The cards rank by rank, where there are several of one."""
    for _, same in groupby(cards, rank):
        group = list(same)
        if len(group) > 1:
            yield group


def _suit(card: Card) -> str:
    return "p" if card == PHOENIX else _SUITS[suit_of(card)]


def _order(cards: Sequence[Card], usual: Sequence[Card], rank: _RankOf) -> str:
    ranks = [rank(card) for card in cards]
    # Where the ranks do not fall, suits cannot tell the order.
    if list(cards) == list(usual) or ranks != sorted(ranks, reverse=True):
        return ""
    return "".join(_suit(card) for group in _groups(cards, rank) for card in group)


def _reorder(usual: list[Card], suits: str, rank: _RankOf) -> list[Card]:
    if not suits:
        return usual
    cards, start = list(usual), 0
    for group in _groups(usual, rank):
        by_suit = {_suit(card): card for card in group}
        order = suits[start : start + len(group)]
        if sorted(order) != sorted(by_suit):
            raise NotationError(f"{suits!r} is not an order of the suits in {format_card_list(usual)}")
        at = usual.index(group[0])
        cards[at : at + len(group)] = [by_suit[suit] for suit in order]
        start += len(group)
    if start != len(suits):
        raise NotationError(f"{suits!r} is not an order of the suits in {format_card_list(usual)}")
    return cards
