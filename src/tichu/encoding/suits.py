"""Suits that look the same: their order, and which cards of a rank are played.

Only straight flushes ask for suits, so two situations that differ by a renaming of the suits are one.  A seat numbers
the suits by what it sees of them: by its own cards (those with the highest cards first), then by the cards played,
then by the combination on the table, then by the cards given and received.  Suits that are still equal are alike in
everything the seat sees.  Where the suit decides between equal straight flushes (``equal_flush=suit``), suits differ,
and their order is the one of §3.4 from the weakest on.
"""

from typing import Final

from tichu.core.cards import Card, Cards
from tichu.core.combos import Combo, Kind
from tichu.core.view import View
from tichu.encoding.numbering import Shape

__all__ = ["Order", "arrange", "chosen_cards", "chosen_pick", "gifts_of", "restore", "suit_order"]

#: The suits from the first place on.
Order = tuple[int, ...]

_SWORDS: Final[Cards] = 0x11111111111111 & ~15
# In nine sets that stand one behind the other.
_ALL_SWORDS: Final = sum(_SWORDS << 56 * place for place in range(9))
_SPECIALS: Final[Cards] = 15
_WEAKEST_FIRST: Final[Order] = (2, 1, 3, 0)


def gifts_of(view: View, picks: tuple[Card, ...]) -> tuple[Cards, ...]:
    """The cards given to LEFT, PARTNER and RIGHT, then those received from them, each a set of one card or none."""
    own = view.given[view.seat] or picks
    sets = [0] * 6
    for place, card in enumerate(own):
        sets[place] = 1 << card
    for giver, card in view.received():
        sets[2 + ((giver - view.seat) & 3)] = 1 << card
    return tuple(sets)


def suit_order(view: View, picks: tuple[Card, ...] = ()) -> Order:
    """The suits in the order in which the seat numbers them."""
    if view.rules.equal_flush == "suit":
        return _WEAKEST_FIRST
    top = 0 if view.top is None else view.top.cards
    whole = 0
    for cards in (view.hand, view.played, top, *gifts_of(view, picks)):
        whole = whole << 56 | cards
    return tuple(sorted(range(4), key=lambda suit: -(whole >> suit & _ALL_SWORDS)))


def arrange(cards: Cards, order: Order) -> Cards:
    """The cards with their suits numbered in the given order."""
    one, two, three, four = order
    return (
        cards & _SPECIALS
        | cards >> one & _SWORDS
        | (cards >> two & _SWORDS) << 1
        | (cards >> three & _SWORDS) << 2
        | (cards >> four & _SWORDS) << 3
    )


def restore(cards: Cards, order: Order) -> Cards:
    """What :func:`arrange` came from."""
    whole = cards & _SPECIALS
    for place, suit in enumerate(order):
        whole |= (cards >> place & _SWORDS) << suit
    return whole


def _in_straight_flushes(hand: Cards) -> Cards:
    suited = hand & ~_SPECIALS
    starts = suited & suited >> 4 & suited >> 8 & suited >> 12 & suited >> 16
    return starts | starts << 4 | starts << 8 | starts << 12 | starts << 16


def _of_rank(hand: Cards, kept: Cards, rank: int, width: int) -> Cards:
    """So many cards of a rank: those in no straight flush first, then in the order of the suits."""
    shift = 4 * (rank - 1)
    cards = 0
    for nibble in (hand & ~kept) >> shift & 15, (hand & kept) >> shift & 15:
        while nibble and width:
            low = nibble & -nibble
            cards |= low << shift
            nibble ^= low
            width -= 1
    return cards


def chosen_pick(rank: int, hand: Cards, order: Order) -> Card:
    """The card of the rank that is given away."""
    numbered = arrange(hand, order)
    return restore(_of_rank(numbered, _in_straight_flushes(numbered), rank, 1), order).bit_length() - 1


def chosen_cards(shape: Shape, view: View, order: Order) -> Cards:
    """The natural cards that the seat plays for a shape that can be played from its hand.

    Of every rank the cards that are in no straight flush of the hand come first, then the order of the suits decides
    (four of a kind leave no choice within their rank).  A straight that would be of one suit, and so a bomb, takes the
    second choice at the lowest rank that has one.  A straight flush is taken in the first suit in which it beats the
    table.
    """
    hand = arrange(view.hand, order)
    if shape.kind == Kind.STRAIGHT_FLUSH:
        return _first_flush(shape, hand, view, order)
    kept = _in_straight_flushes(hand)
    cards = 0
    for rank in range(shape.low, shape.low + shape.ranks):
        if rank == 1:
            cards |= 1
        else:
            cards |= _of_rank(hand, kept, rank, shape.width - (shape.phoenix == rank))
    if shape.pair:
        cards |= _of_rank(hand, kept, shape.pair, 2 - (shape.phoenix == shape.pair))
    if shape.kind == Kind.STRAIGHT and not shape.phoenix and shape.low > 1 and _is_suited(cards):
        cards = _broken_up(cards, shape, hand, kept)
    return restore(cards, order)


def _is_suited(cards: Cards) -> bool:
    return any(not cards & ~(_SWORDS << suit) for suit in range(4))


def _broken_up(cards: Cards, shape: Shape, hand: Cards, kept: Cards) -> Cards:
    for rank in range(shape.low, shape.low + shape.ranks):
        nibble = 15 << 4 * (rank - 1)
        other = _of_rank(hand & ~(cards & nibble), kept, rank, 1)
        if other:
            return cards & ~nibble | other
    raise ValueError("the hand has this straight in one suit only, and that is a bomb")


def _first_flush(shape: Shape, hand: Cards, view: View, order: Order) -> Cards:
    run = ((1 << 4 * shape.ranks) // 15) << 4 * (shape.low - 1)
    top = shape.low + shape.ranks - 1
    for place in range(4):
        if not run << place & ~hand:
            cards = restore(run << place, order)
            flush = Combo(Kind.STRAIGHT_FLUSH, shape.ranks, top, cards)
            if view.top is None or flush.beats(view.top, view.rules.equal_flush):
                return cards
    raise ValueError("the hand has no such straight flush")
