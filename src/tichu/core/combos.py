"""Combinations: what cards can be played together, and which beats which (§3, §4).

A combination holds its cards and how they are read.  The reading matters when the Phoenix is among them: ``A A 9 9``
and the Phoenix are two combinations.  Alone on the table the Phoenix has the rank it was played on, and beats it by
the half that it is worth more (§4.3).
"""

from enum import IntEnum
from functools import lru_cache
from typing import Final, NamedTuple

from tichu.core.cards import (
    ALL_CARDS,
    DOG,
    DRAGON,
    DRAGON_RANK,
    MAH_JONG,
    PHOENIX,
    RANKS,
    Cards,
    cards_of,
    format_card,
    format_cards,
    format_rank,
    parse_card,
    parse_rank,
    rank_of,
    suit_of,
)
from tichu.core.errors import NotationError
from tichu.core.rules import EqualFlush

__all__ = ["LONE_PHOENIX", "Combo", "Kind", "format_combo", "parse_combo", "readings"]


class Kind(IntEnum):
    """The kinds of combinations; those from FOUR on are bombs."""

    DOG = 0
    SINGLE = 1
    PAIR = 2
    TRIPLE = 3
    FULL_HOUSE = 4
    STRAIGHT = 5
    STAIRS = 6
    # §3.6: stairs of three or of four cards a rank are compared only with their like, so they are kinds of their own.
    TRIPLE_STAIRS = 7
    FOUR_STAIRS = 8
    FOUR = 9
    STRAIGHT_FLUSH = 10


#: The kinds that exist under ``stairs=stacked`` alone.
STACKED: Final = (Kind.TRIPLE_STAIRS, Kind.FOUR_STAIRS)
_STAIRS_BY_WIDTH: Final = {2: Kind.STAIRS, 3: Kind.TRIPLE_STAIRS, 4: Kind.FOUR_STAIRS}
_SAME_RANK: Final = {1: Kind.SINGLE, 2: Kind.PAIR, 3: Kind.TRIPLE, 4: Kind.FOUR}

# §3.4: ♠ > ♥ > ♦ > ♣, by suit number (swords, pagodas, jade, stars).
_SUIT_ORDER: Final = (3, 1, 0, 2)


class Combo(NamedTuple):
    """Cards read as a combination; as an action: to play them.

    >>> parse_combo("7s7b")
    Combo('7s7b')
    """

    kind: Kind
    size: int
    #: What is compared: the top of a straight or stairs, the triple of a full house.
    rank: int
    cards: Cards
    #: The rank that the Phoenix stands for, 0 without it.
    phoenix: int = 0

    @property
    def is_bomb(self) -> bool:
        """Whether this beats anything that is not a bomb."""
        return self.kind >= Kind.FOUR

    def beats(self, top: "Combo", equal_flush: EqualFlush = "holds") -> bool:
        """§3.3, §3.4: whether this can be played on ``top``.

        >>> parse_combo("7s7b").beats(parse_combo("6s6b")), parse_combo("2s2b2g2r").beats(parse_combo("Dr"))
        (True, True)
        """
        if self.kind >= Kind.FOUR:
            if self.kind != top.kind:
                return self.kind > top.kind != Kind.DOG
            if (self.size, self.rank) != (top.size, top.rank):
                return (self.size, self.rank) > (top.size, top.rank)
            return equal_flush == "suit" and _suit_strength(self) > _suit_strength(top)
        if self.kind != top.kind or self.size != top.size or self.kind == Kind.DOG:
            return False
        if self.cards == 1 << PHOENIX:
            return top.rank != DRAGON_RANK  # §4.3
        return self.rank > top.rank

    def __str__(self) -> str:
        return format_combo(self)

    def __repr__(self) -> str:
        try:
            if 0 < self.cards <= ALL_CARDS:
                # On the table a lone Phoenix has a rank that tells it from one that is still to be played.
                return f"Combo({format_combo(self) if self == LONE_PHOENIX else format_table(self)!r})"
        except (IndexError, TypeError):
            pass
        return f"Combo{tuple(self)}"  # What nobody can write, such as cards that do not exist.


def _suit_strength(flush: Combo) -> int:
    return _SUIT_ORDER[suit_of(flush.cards.bit_length() - 1)] if flush.kind == Kind.STRAIGHT_FLUSH else 0


#: The Phoenix by itself, led: half above the Mah Jong (§4.3).
LONE_PHOENIX: Final = Combo(Kind.SINGLE, 1, 1, 1 << PHOENIX, 1)

_SPECIAL_SINGLES: Final = {
    1 << MAH_JONG: Combo(Kind.SINGLE, 1, 1, 1 << MAH_JONG),
    1 << DOG: Combo(Kind.DOG, 1, 0, 1 << DOG),
    1 << PHOENIX: LONE_PHOENIX,
    1 << DRAGON: Combo(Kind.SINGLE, 1, DRAGON_RANK, 1 << DRAGON),
}


@lru_cache(maxsize=4096)
def readings(cards: Cards) -> tuple[Combo, ...]:
    """Every combination that exactly these cards can be, stacked stairs included; none if they are nothing.

    >>> from tichu.core.cards import parse_cards
    >>> readings(parse_cards("5s5b9g9rPh"))
    (Combo('5s5bP59g9r'), Combo('5s5b9g9rP9'))
    """
    special = _SPECIAL_SINGLES.get(cards)
    if special is not None:
        return (special,)
    if cards & (1 << DOG | 1 << DRAGON):
        return ()
    counts = [0] * 15
    for card in cards_of(cards & ~(1 << PHOENIX)):
        counts[rank_of(card)] += 1
    size = cards.bit_count()
    if not cards >> PHOENIX & 1:
        shape = _shape(counts, size)
        if shape is None:
            return ()
        if shape[0] == Kind.STRAIGHT and _is_suited(cards):
            shape = Kind.STRAIGHT_FLUSH, shape[1]
        return (Combo(shape[0], size, shape[1], cards),)
    found = []
    for rank in RANKS:
        counts[rank] += 1
        shape = _shape(counts, size)
        counts[rank] -= 1
        # §4.4: never in a bomb.
        if shape is not None and shape[0] != Kind.FOUR:
            found.append(Combo(shape[0], size, shape[1], cards, rank))
    return tuple(found)


def _shape(counts: list[int], size: int) -> tuple[Kind, int] | None:
    """The kind and rank of these counts of each rank; a straight flush counts as a straight here."""
    ranks = [rank for rank, count in enumerate(counts) if count]
    if not ranks:
        return None
    low, top = ranks[0], ranks[-1]
    widths = {counts[rank] for rank in ranks}
    if low == top:
        return (_SAME_RANK[size], top) if size in _SAME_RANK else None
    if len(ranks) == 2 and widths == {2, 3}:
        return Kind.FULL_HOUSE, low if counts[low] == 3 else top
    if len(widths) == 1 and top - low == len(ranks) - 1:
        width = counts[low]
        if width == 1:
            return (Kind.STRAIGHT, top) if size >= 5 else None
        # Five of each of several ranks cannot be: there is one Phoenix.
        return _STAIRS_BY_WIDTH[width], top
    return None


def _is_suited(cards: Cards) -> bool:
    """§3.5: the Mah Jong has no suit."""
    return not cards >> MAH_JONG & 1 and len({suit_of(card) for card in cards_of(cards)}) == 1


def format_combo(combo: Combo) -> str:
    """The cards in rank order, the Phoenix as ``P`` and what it stands for; alone it is ``Ph``."""
    if combo.size == 1:
        return format_card(combo.cards.bit_length() - 1)
    natural = combo.cards & ~(1 << PHOENIX)
    text = format_cards(natural)
    if not combo.phoenix:
        return text
    # It comes after the natural cards of its rank: a rank is a nibble.
    at = 2 * (natural & (1 << 4 * combo.phoenix) - 1).bit_count()
    return f"{text[:at]}P{format_rank(combo.phoenix)}{text[at:]}"


def parse_combo(text: str) -> Combo:
    """Read a combination; its cards may come in any order.

    >>> parse_combo("3s4bP56g7r").rank
    7
    >>> str(parse_combo("P59r5b9g5s"))
    '5s5bP59g9r'
    >>> parse_combo("5s5b9g9rPh")
    Traceback (most recent call last):
    tichu.core.errors.NotationError: say what the Phoenix stands for in '5s5b9g9rPh': 5s5bP59g9r or 5s5b9g9rP9
    """
    if not text or len(text) % 2:
        raise NotationError(f"no cards {text!r}: every card is two characters")
    cards = 0
    phoenix = 0
    for start in range(0, len(text), 2):
        token = text[start : start + 2]
        if token[0] == "P" and token != "Ph":
            phoenix = parse_rank(token[1])
            card = PHOENIX
        else:
            card = parse_card(token)
        if cards >> card & 1:
            raise NotationError(f"{format_card(card)} twice in {text!r}")
        cards |= 1 << card
    combos = readings(cards)
    if not combos:
        raise NotationError(f"{text!r} is not a combination")
    if cards >> PHOENIX & 1 and not phoenix and cards != 1 << PHOENIX:
        either = " or ".join(map(format_combo, combos))
        raise NotationError(f"say what the Phoenix stands for in {text!r}: {either}")
    for combo in combos:
        if combo.phoenix == phoenix or (combo.size == 1 and not phoenix):
            return combo
    raise NotationError(f"{text!r} is not a combination")


def format_table(combo: Combo) -> str:
    """As :func:`format_combo`, but a lone Phoenix tells what it lies on: ``P7``, or ``P1`` if led."""
    if combo.cards == 1 << PHOENIX:
        return "P1" if combo.rank == 1 else "P" + format_rank(combo.rank)
    return format_combo(combo)


def parse_table(text: str) -> Combo:
    """Read what :func:`format_table` writes.

    >>> parse_table("P7").rank, parse_table("7s7b").rank
    (7, 7)
    """
    if len(text) == 2 and text[0] == "P":
        rank = 1 if text == "P1" else parse_rank(text[1])
        return Combo(Kind.SINGLE, 1, rank, 1 << PHOENIX, rank)
    combo = parse_combo(text)
    if combo.kind == Kind.DOG:
        raise NotationError("the Dog does not stay on the table")
    return combo
