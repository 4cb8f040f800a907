"""Decisions as numbers and bytes: the one versioned place for observations, masks and actions (``docs/envs.md``).

This is the definition; ``native/include/tichu/encoding.hpp`` writes the same bytes, and a test compares them.  An
exchange is asked as three picks, so a decision is a view and the cards picked so far.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from tichu.core.actions import Action, Exchange
from tichu.core.cards import PHOENIX, Card, cards_of
from tichu.core.combos import LONE_PHOENIX, Combo, readings
from tichu.core.errors import GameError
from tichu.core.phases import Phase
from tichu.core.view import View
from tichu.encoding.numbering import (
    ACTION_COUNT,
    CALLING_TICHU,
    PICKING,
    PLAYING,
    Shape,
    fixed_action,
    number_of,
    pick_number,
    shape_at,
)
from tichu.encoding.observations import OBSERVATION_SIZE, write_observation
from tichu.encoding.suits import chosen_cards, chosen_pick, suit_order

__all__ = [
    "ACTION_COUNT",
    "MASK_SIZE",
    "OBSERVATION_SIZE",
    "VERSION",
    "decode",
    "decode_pick",
    "encode",
    "encode_exchange",
    "legal_numbers",
    "pack_mask",
    "unpack_masks",
    "write_mask",
    "write_observation",
]

#: Changes whenever a byte or a number changes its meaning; every file of samples or results carries it.
VERSION: Final = 1

#: Bytes of a packed mask, whole 64-bit words: action ``n`` is bit ``n % 8`` of byte ``n // 8``, the lowest bit first.
MASK_SIZE: Final = (ACTION_COUNT + 63) // 64 * 8


def legal_numbers(view: View, picks: tuple[Card, ...] = ()) -> set[int]:
    """The rank-level actions of the seat: exactly those that a legal action belongs to."""
    legal = view.legal()
    if view.phase is not Phase.EXCHANGE:
        return {number_of(action, view.seat) for action in legal}
    if view.seat not in view.pending:
        return set()
    left = {card for card in cards_of(view.hand) if card not in picks}
    return {pick_number(card) for card in left} | ({CALLING_TICHU} if legal.may_call else set())


def write_mask(view: View, into: NDArray[np.int8], picks: tuple[Card, ...] = ()) -> None:
    """Write one byte an action: 1 if it can be taken."""
    into[:] = 0
    for number in legal_numbers(view, picks):
        into[number] = 1


def pack_mask(mask: NDArray[np.int8]) -> NDArray[np.uint8]:
    """A mask, or masks as rows, as bits."""
    packed = np.packbits(mask.astype(bool), axis=-1, bitorder="little")
    return np.concatenate([packed, np.zeros((*packed.shape[:-1], MASK_SIZE - packed.shape[-1]), np.uint8)], axis=-1)


def unpack_masks(packed: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Packed masks as one byte an action.

    >>> unpack_masks(np.array([5] + [0] * 207, np.uint8))[:4]
    array([1, 0, 1, 0], dtype=uint8)

    :raises GameError: they are not packed, or not masks
    """
    if packed.dtype != np.uint8 or packed.shape[-1:] != (MASK_SIZE,):
        raise GameError(f"a packed mask has {MASK_SIZE} bytes, not the shape {packed.shape} of {packed.dtype}")
    return np.unpackbits(packed, axis=-1, count=ACTION_COUNT, bitorder="little")


def encode(action: Action, view: View) -> int:
    """The number of an action; an exchange has three, which :func:`encode_exchange` gives."""
    return number_of(action, view.seat)


def encode_exchange(exchange: Exchange) -> tuple[int, int, int]:
    """The three picks of an exchange."""
    left, partner, right = map(pick_number, exchange.cards)
    return left, partner, right


def decode(number: int, view: View) -> Action:
    """The action that is taken for a number of the mask, its suits chosen as :mod:`tichu.encoding.suits` says.

    :raises ValueError: the number is a pick, which :func:`decode_pick` reads, or nothing in this hand
    """
    if number < PICKING:
        return fixed_action(number, view.seat)
    if number < PLAYING:
        raise ValueError("a pick is a part of an action: see decode_pick")
    shape = shape_at(number)
    if shape.card >= 0:
        return LONE_PHOENIX if shape.card == PHOENIX else readings(1 << shape.card)[0]
    cards = chosen_cards(shape, view, suit_order(view))
    if shape.phoenix:
        cards |= 1 << PHOENIX
    return _read(cards, shape)


def _read(cards: int, shape: Shape) -> Combo:
    top = shape.low + shape.ranks - 1
    size = shape.ranks * shape.width + (2 if shape.pair else 0)
    return Combo(shape.kind, size, top, cards, shape.phoenix)


def decode_pick(number: int, view: View, picks: tuple[Card, ...]) -> Card:
    """The card that is given away for a number of the mask."""
    place = number - PICKING
    if not 0 <= place < 17:
        raise ValueError(f"action {number} is not a pick")
    if place < 4:
        return place
    picked = sum(1 << card for card in picks)
    return chosen_pick(place - 2, view.hand & ~picked, suit_order(view, picks))
