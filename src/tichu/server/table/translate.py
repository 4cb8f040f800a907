"""Combinations between the core and the wire."""

from functools import lru_cache
from typing import Final

from tichu.core.cards import (
    DRAGON,
    PHOENIX,
    Card,
    Cards,
    cards_of,
    format_card,
    format_rank,
    parse_card,
    rank_of,
)
from tichu.core.combos import Combo, Kind, readings
from tichu.core.errors import NotationError, Reason
from tichu.core.legal import Legal
from tichu.server.table.refusals import Refusal, TableReason
from tichu.server.wire import Combination, ComboType, DeclaredCombo

__all__ = ["combination", "matching_readings", "parse_hand", "card_list"]

TYPES: Final[dict[Kind, ComboType]] = {
    Kind.DOG: "DOG",
    Kind.SINGLE: "SINGLE",
    Kind.PAIR: "PAIR",
    Kind.TRIPLE: "TRIPLE",
    Kind.FULL_HOUSE: "FULL_HOUSE",
    Kind.STRAIGHT: "STRAIGHT",
    Kind.STAIRS: "PAIR_STRAIGHT",
    Kind.TRIPLE_STAIRS: "TRIPLE_STRAIGHT",
    Kind.FOUR_STAIRS: "FOUR_STRAIGHT",
    Kind.FOUR: "BOMB4",
    Kind.STRAIGHT_FLUSH: "BOMB_STRAIGHT_FLUSH",
}


def card_list(cards: Cards) -> tuple[str, ...]:
    """A set of cards in the order in which sets are written."""
    specials = [card for card in (PHOENIX, DRAGON) if cards >> card & 1]
    return tuple(format_card(card) for card in (*cards_of(cards & ~(1 << PHOENIX | 1 << DRAGON)), *specials))


@lru_cache(maxsize=4096)
def combination(combo: Combo) -> Combination:
    """A combination as clients see it."""
    return Combination(
        cards=card_list(combo.cards),
        type=TYPES[combo.kind],
        rank=_rank(combo),
        with_rank=_pair_of(combo),
        length=combo.size,
        phoenix_as=format_rank(combo.phoenix) if combo.phoenix > 1 else None,
        is_bomb=combo.is_bomb,
        text=str(combo),
    )


def _rank(combo: Combo) -> str:
    if combo.size == 1:
        card: Card = combo.cards.bit_length() - 1
        special = {0: "1", 1: "Do", PHOENIX: "Ph", DRAGON: "Dr"}
        return special.get(card) or format_rank(rank_of(card))
    return format_rank(combo.rank)


def _pair_of(combo: Combo) -> str | None:
    if combo.kind != Kind.FULL_HOUSE:
        return None
    ranks = {rank_of(card) for card in cards_of(combo.cards & ~(1 << PHOENIX))}
    return format_rank((ranks - {combo.rank}).pop())


def parse_hand(texts: tuple[str, ...]) -> Cards:
    """The cards that a client named, each once.

    :raises Refusal: one of them does not exist, or is there twice
    """
    cards = 0
    for text in texts:
        try:
            bit = 1 << parse_card(text)
        except (NotationError, ValueError) as error:
            raise Refusal(TableReason.BAD_CARD, str(error)) from None
        if cards & bit:
            raise Refusal(Reason.NO_COMBINATION, f"{text} is there twice")
        cards |= bit
    return cards


def matching_readings(cards: Cards, declared: DeclaredCombo | None, legal: Legal) -> tuple[Combo, ...]:
    """The legal ways to play exactly these cards that fit what was declared.

    :raises Refusal: there is none
    """
    reason = Reason.NO_COMBINATION
    found = []
    for combo in readings(cards):
        if declared is not None and not _fits(combo, declared):
            continue
        refusal = legal.refusal(combo)
        if refusal is None:
            found.append(combo)
        else:
            reason = refusal
    if not found:
        raise Refusal(reason)
    return tuple(found)


def _fits(combo: Combo, declared: DeclaredCombo) -> bool:
    shown = combination(combo)
    suit = format_card(combo.cards.bit_length() - 1)[1] if combo.kind == Kind.STRAIGHT_FLUSH else None
    pairs = (
        (declared.type, shown.type),
        (declared.length, combo.size),
        (declared.suit, suit),
        # A lone Phoenix stands for nothing.
        (declared.phoenix_as, shown.phoenix_as if combo.size > 1 else declared.phoenix_as),
    )
    if any(said is not None and said != is_so for said, is_so in pairs):
        return False
    return declared.high_rank is None or declared.high_rank in (shown.rank, _number(shown.rank))


def _number(rank: str) -> str:
    """Clients of the single-round game write 10 for T."""
    return "10" if rank == "T" else rank
