"""What a seat sees, as bytes: one table says where everything lies.

Seats are counted from the own one: SELF, LEFT, PARTNER, RIGHT.  Sets of cards are one byte a card in the order of
:mod:`tichu.cards`, the suits numbered as :mod:`tichu.encoding.suits` says.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tichu.cards import Card, Cards, points_of
from tichu.combos import Combo
from tichu.encoding.suits import Order, arranged, gifts_of, suit_order
from tichu.kernel.packing import pack_goal, pack_rules
from tichu.phases import Call, Phase
from tichu.view import View

__all__ = ["FIELDS", "OBSERVATION_SIZE", "Field", "field", "write_observation"]


class Field(NamedTuple):
    """Some bytes of an observation."""

    name: str
    first: int
    size: int
    highest: int
    meaning: str

    @property
    def place(self) -> slice:
        """Where it lies."""
        return slice(self.first, self.first + self.size)


_LAYOUT: Final = (
    ("hand", 56, 1, "the own cards"),
    ("played", 56, 1, "all cards played so far, by anybody"),
    ("top_cards", 56, 1, "the combination on the table"),
    ("given", 56, 3, "a card that was given, or is picked to be: 1 to LEFT, 2 to PARTNER, 3 to RIGHT"),
    ("received", 56, 3, "a card that was received: 1 from LEFT, 2 from PARTNER, 3 from RIGHT"),
    ("counts", 4, 14, "how many cards each seat holds"),
    ("top_kind", 10, 1, "single, pair, triple, full house, straight, stairs, triple stairs, four stairs, four, flush"),
    ("top_size", 1, 14, "how many cards lie on the table"),
    ("top_rank", 1, 15, "what is compared: 1 Mah Jong to 14 ace, 15 Dragon; a lone Phoenix has the rank it lies on"),
    ("top_phoenix", 1, 14, "what the Phoenix stands for, 0 without it"),
    ("owner", 4, 1, "who played it"),
    ("points", 4, 30, "card points won by each seat: (points + 25) / 5"),
    ("table_points", 1, 30, "card points on the table: (points + 25) / 5"),
    ("wish", 13, 1, "the standing wish, 2 to A"),
    ("tichu", 4, 1, "who has called Tichu"),
    ("grand", 4, 1, "who has called Grand Tichu, as far as it is shown"),
    ("out", 4, 3, "the place in which each seat went out, 0 while it is in"),
    ("pending", 4, 1, "whose decision is due, as far as the seat can see"),
    ("actor", 4, 1, "asked to bomb: whose play or pass it follows"),
    ("phase", 7, 1, "Grand calls, exchange, play, wish, take, asked to bomb, end"),
    ("picks", 1, 2, "exchange: how many cards are picked already"),
    ("score", 2, 255, "the match so far, own team and other: (score + 1000) / 10, rounded down, within a byte"),
    ("goal", 1, 255, "the target in tens, at most 255; 0 for one round"),
    ("rules", 13, 1, "the bits of the rule set (`docs/native.md`)"),
)


def _placed() -> tuple[Field, ...]:
    fields = []
    first = 0
    for name, size, highest, meaning in _LAYOUT:
        fields.append(Field(name, first, size, highest, meaning))
        first += size
    return tuple(fields)


#: Every byte of an observation.
FIELDS: Final = _placed()
#: How many there are.
OBSERVATION_SIZE: Final = FIELDS[-1].first + FIELDS[-1].size

_AT: Final = {each.name: each.first for each in FIELDS}
_PHASE_PLACES: Final = {phase: place for place, phase in enumerate(Phase)}


def field(name: str) -> Field:
    """The field of that name.

    >>> field("counts").place
    slice(280, 284, None)
    """
    return next(each for each in FIELDS if each.name == name)


def write_observation(view: View, into: NDArray[np.uint8], picks: tuple[Card, ...] = ()) -> None:
    """Write what the seat sees; ``picks`` are the cards it has picked in an exchange that is not complete."""
    order = suit_order(view, picks)
    into[:] = 0
    _write_cards(view, into, picks, order)
    if view.top is not None:
        _write_top(view.top, (view.owner - view.seat) & 3, into)
    for distance in range(4):
        _write_seat(view, distance, into)
    into[_AT["table_points"]] = (points_of(view.played) - sum(view.points) + 25) // 5
    if view.wish:
        into[_AT["wish"] + view.wish - 2] = 1
    if view.actor >= 0:
        into[_AT["actor"] + ((view.actor - view.seat) & 3)] = 1
    into[_AT["phase"] + _PHASE_PLACES[view.phase]] = 1
    into[_AT["picks"]] = len(picks)
    for place, score in enumerate(view.score):
        into[_AT["score"] + place] = min(max(score + 1000, 0) // 10, 255)
    into[_AT["goal"]] = min(pack_goal(view.rules.goal) // 10, 255)
    bits = pack_rules(view.rules)
    for place in range(13):
        into[_AT["rules"] + place] = bits >> place & 1


def _write_cards(view: View, into: NDArray[np.uint8], picks: tuple[Card, ...], order: Order) -> None:
    _write_set(arranged(view.hand, order), _AT["hand"], 1, into)
    _write_set(arranged(view.played, order), _AT["played"], 1, into)
    if view.top is not None:
        _write_set(arranged(view.top.cards, order), _AT["top_cards"], 1, into)
    for place, cards in enumerate(gifts_of(view, picks)):
        name = "given" if place < 3 else "received"
        _write_set(arranged(cards, order), _AT[name], place % 3 + 1, into)


def _write_set(cards: Cards, first: int, value: int, into: NDArray[np.uint8]) -> None:
    while cards:
        low = cards & -cards
        into[first + low.bit_length() - 1] = value
        cards ^= low


def _write_top(top: Combo, distance: int, into: NDArray[np.uint8]) -> None:
    into[_AT["top_kind"] + top.kind - 1] = 1
    into[_AT["top_size"]] = top.size
    into[_AT["top_rank"]] = top.rank
    into[_AT["top_phoenix"]] = top.phoenix
    into[_AT["owner"] + distance] = 1


def _write_seat(view: View, distance: int, into: NDArray[np.uint8]) -> None:
    seat = (view.seat + distance) & 3
    into[_AT["counts"] + distance] = view.counts[seat]
    into[_AT["points"] + distance] = (view.points[seat] + 25) // 5
    into[_AT["tichu"] + distance] = view.calls[seat] is Call.TICHU
    into[_AT["grand"] + distance] = view.calls[seat] is Call.GRAND
    into[_AT["pending"] + distance] = seat in view.pending
    if seat in view.out:
        into[_AT["out"] + distance] = view.out.index(seat) + 1
