"""Cards, and sets of them.

A card is a number below 56, a set has a bit for each card it holds, so that ``|`` joins, ``& ~`` takes away and
``>> card & 1`` asks.  Every rank has a nibble, a bit per suit (swords, pagodas, jade, stars): ``4 * (rank - 1) + suit``
with J Q K A as 11 to 14.  The nibble of rank 1 holds the special cards, the Mah Jong on its lowest bit, because in a
straight it is a 1 like any other rank.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from tichu.core.errors import NotationError

__all__ = [
    "ALL_CARDS",
    "DOG",
    "DRAGON",
    "MAH_JONG",
    "PHOENIX",
    "Card",
    "Cards",
    "card_texts",
    "cards_of",
    "format_card",
    "format_cards",
    "format_rank",
    "parse_card",
    "parse_cards",
    "parse_rank",
    "points_of",
    "rank_of",
    "suit_of",
]

Card = int
Cards = int

MAH_JONG: Final[Card] = 0
DOG: Final[Card] = 1
PHOENIX: Final[Card] = 2
DRAGON: Final[Card] = 3

ALL_CARDS: Final[Cards] = (1 << 56) - 1

#: A card that exists but may not be seen, written ``??``.
HIDDEN: Final[Card] = -1

# §3.1, §4.6: what the Dragon counts as among singles, above the ace.
DRAGON_RANK: Final = 15

RANKS: Final = range(2, 15)
_RANK_LETTERS: Final = "23456789TJQKA"
_SUIT_LETTERS: Final = "sbgr"

_CARD_TEXTS: Final = ("Ma", "Do", "Ph", "Dr", *(rank + suit for rank in _RANK_LETTERS for suit in _SUIT_LETTERS))
_CARD_OF_TEXT: Final = {text: card for card, text in enumerate(_CARD_TEXTS)}
_CARD_OR_HIDDEN: Final = {**_CARD_OF_TEXT, "??": HIDDEN}
# A hidden card is -1, and so the last of these.
_TEXTS_OR_HIDDEN: Final = (*_CARD_TEXTS, "??")


def _texts_by_bits(cards: tuple[Card, ...]) -> tuple[tuple[str, ...], ...]:
    """For every set of a few cards their texts; a card has the bit of its place among them."""
    return tuple(
        tuple(_CARD_TEXTS[card] for place, card in enumerate(cards) if bits >> place & 1)
        for bits in range(1 << len(cards))
    )


# Sets are written Ma, Do, the ranks, Ph, Dr.
_FIRST_TEXTS: Final = _texts_by_bits((MAH_JONG, DOG))
_RANK_TEXTS: Final = tuple(_texts_by_bits(tuple(range(first, first + 4))) for first in range(4, 56, 4))
_LAST_TEXTS: Final = _texts_by_bits((PHOENIX, DRAGON))

# §1.4
_FIVES: Final[Cards] = 0xF << 16
_TENS_AND_KINGS: Final[Cards] = 0xF << 36 | 0xF << 48


def rank_of(card: Card) -> int:
    """The rank of a suited card, or 1 for a special one (right for the Mah Jong only)."""
    return card // 4 + 1


def suit_of(card: Card) -> int:
    """0 swords, 1 pagodas, 2 jade, 3 stars."""
    return card & 3


def cards_of(cards: Cards) -> Iterator[Card]:
    """The cards of a set in ascending order.

    >>> list(cards_of(0b1001))
    [0, 3]
    """
    while cards:
        low = cards & -cards
        yield low.bit_length() - 1
        cards ^= low


def points_of(cards: Cards) -> int:
    """§1.4: what a set of cards is worth.

    >>> points_of(parse_cards("5s5rTbKgDr")), points_of(ALL_CARDS)
    (55, 100)
    """
    return (
        5 * (cards & _FIVES).bit_count()
        + 10 * (cards & _TENS_AND_KINGS).bit_count()
        + 25 * (cards >> DRAGON & 1)
        - 25 * (cards >> PHOENIX & 1)
    )


def format_card(card: Card) -> str:
    """Two characters: ``Ks``, ``Ph``."""
    return _CARD_TEXTS[card]


def parse_card(text: str) -> Card:
    """Read one card.

    >>> parse_card("Ma"), parse_card("2s"), parse_card("Ar")
    (0, 4, 55)
    >>> parse_card("10s")
    Traceback (most recent call last):
    tichu.core.errors.NotationError: no card '10s'
    """
    card = _CARD_OF_TEXT.get(text)
    if card is None:
        raise NotationError(f"no card {text!r}")
    return card


def card_texts(cards: Cards) -> list[str]:
    """The texts of the cards, in written order.

    >>> card_texts(parse_cards("DrAr9gDo"))
    ['Do', '9g', 'Ar', 'Dr']
    """
    # Rank by rank: a server writes many hands for every play.
    texts = [*_FIRST_TEXTS[cards & 3]]
    ranks = cards >> 4
    for by_bits in _RANK_TEXTS:
        texts += by_bits[ranks & 15]
        ranks >>= 4
    texts += _LAST_TEXTS[cards >> 2 & 3]
    return texts


def format_cards(cards: Cards) -> str:
    """The cards in written order, ``-`` for none."""
    return "".join(card_texts(cards)) or "-"


def parse_cards(text: str) -> Cards:
    """Read a set of cards in any order.

    >>> format_cards(parse_cards("DrAr9gDo"))
    'Do9gArDr'
    >>> parse_cards("9g4b9g")
    Traceback (most recent call last):
    tichu.core.errors.NotationError: 9g twice in '9g4b9g'
    """
    if text == "-":
        return 0
    cards = 0
    for card in parse_card_list(text):
        if card == HIDDEN:
            raise NotationError(f"no card '??' in {text!r}")
        if cards >> card & 1:
            raise NotationError(f"{format_card(card)} twice in {text!r}")
        cards |= 1 << card
    return cards


def parse_card_list(text: str) -> tuple[Card, ...]:
    """Read cards whose order matters, hidden ones too.

    >>> parse_card_list("??Ma??")
    (-1, 0, -1)
    """
    if not text or len(text) % 2:
        raise NotationError(f"no cards {text!r}: every card is two characters")
    try:
        return tuple([_CARD_OR_HIDDEN[text[start : start + 2]] for start in range(0, len(text), 2)])
    except KeyError as unknown:
        raise NotationError(f"no card {unknown.args[0]!r} in {text!r}") from None


def format_card_list(cards: Iterable[Card]) -> str:
    """Cards in the given order, ``??`` for a hidden one."""
    return "".join([_TEXTS_OR_HIDDEN[card] for card in cards])


def format_rank(rank: int) -> str:
    """One character, ``2`` to ``A``."""
    return _RANK_LETTERS[rank - 2]


def parse_rank(text: str) -> int:
    """Read a rank.

    >>> parse_rank("T")
    10
    >>> parse_rank("10")
    Traceback (most recent call last):
    tichu.core.errors.NotationError: no rank '10'
    """
    if len(text) != 1 or text not in _RANK_LETTERS:
        raise NotationError(f"no rank {text!r}")
    return _RANK_LETTERS.index(text) + 2
