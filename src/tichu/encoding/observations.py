"""What a seat sees, as bytes: one table says where everything lies.

Seats are counted from the one that looks: SELF, LEFT, PARTNER, RIGHT.  Sets of cards are one byte a card in the order
of :mod:`tichu.core.cards`, the suits numbered as :mod:`tichu.encoding.suits` says.
"""

from functools import cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tichu.core.cards import Card, points_of
from tichu.core.combos import Combo
from tichu.core.phases import Call, Phase
from tichu.core.rules import Rules
from tichu.core.view import View
from tichu.encoding.suits import arrange, gifts_of, suit_order
from tichu.kernel.packing import pack_goal, pack_rules

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
    ("hand", 56, 1, "the cards in the hand"),
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
    ("score", 2, 255, "the match so far, its team and the other: (score + 1000) / 10, rounded down, within a byte"),
    ("goal", 1, 255, "the target in tens, at most 255; 0 for one round"),
    ("rules", 13, 1, "the bits of the rule set (`docs/native.md`)"),
)


def _place_fields() -> tuple[Field, ...]:
    fields = []
    first = 0
    for name, size, highest, meaning in _LAYOUT:
        fields.append(Field(name, first, size, highest, meaning))
        first += size
    return tuple(fields)


#: Every byte of an observation.
FIELDS: Final = _place_fields()
#: How many there are.
OBSERVATION_SIZE: Final = FIELDS[-1].first + FIELDS[-1].size

_AT: Final = {each.name: each.first for each in FIELDS}
_GIVEN, _RECEIVED, _COUNTS, _OWNER = (_AT[name] for name in ("given", "received", "counts", "owner"))
_TOP_KIND, _TOP_SIZE, _TOP_RANK, _TOP_PHOENIX = (_AT[f"top_{name}"] for name in ("kind", "size", "rank", "phoenix"))
_POINTS, _TABLE_POINTS, _TICHU, _GRAND, _OUT = (
    _AT[name] for name in ("points", "table_points", "tichu", "grand", "out")
)
_WISH, _PENDING, _ACTOR, _PHASE, _PICKS, _SCORE, _GOAL = (
    _AT[name] for name in ("wish", "pending", "actor", "phase", "picks", "score", "goal")
)
_PHASE_PLACES: Final = {phase: place for place, phase in enumerate(Phase)}


def field(name: str) -> Field:
    """The field of that name.

    >>> field("counts").place
    slice(280, 284, None)
    """
    return next(each for each in FIELDS if each.name == name)


def write_observation(view: View, into: NDArray[np.uint8], picks: tuple[Card, ...] = ()) -> None:
    """Write what the seat sees; ``picks`` are the cards it has picked in an exchange that is not complete."""
    # Single bytes are written faster here than into an array.
    row = bytearray(OBSERVATION_SIZE)
    _write_cards(view, row, picks)
    if view.top is not None:
        _write_top(view.top, (view.owner - view.seat) & 3, row)
    for distance in range(4):
        _write_seat(view, distance, row)
    row[_TABLE_POINTS] = (points_of(view.played) - sum(view.points) + 25) // 5
    if view.wish:
        row[_WISH + view.wish - 2] = 1
    if view.actor >= 0:
        row[_ACTOR + ((view.actor - view.seat) & 3)] = 1
    row[_PHASE + _PHASE_PLACES[view.phase]] = 1
    row[_PICKS] = len(picks)
    for place, score in enumerate(view.score):
        row[_SCORE + place] = min(max(score + 1000, 0) // 10, 255)
    row[_GOAL:] = _rules_written(view.rules)
    into[:] = np.frombuffer(row, np.uint8)


@cache
def _rules_written(rules: Rules) -> bytes:
    bits = pack_rules(rules)
    return bytes([min(pack_goal(rules.goal) // 10, 255), *(bits >> place & 1 for place in range(13))])


def _write_cards(view: View, row: bytearray, picks: tuple[Card, ...]) -> None:
    order = suit_order(view, picks)
    sets = arrange(view.hand, order) | arrange(view.played, order) << 56
    if view.top is not None:
        sets |= arrange(view.top.cards, order) << 112
    bits = np.frombuffer(sets.to_bytes(21, "little"), np.uint8)
    row[:_GIVEN] = np.unpackbits(bits, bitorder="little").tobytes()
    for place, card in enumerate(gifts_of(view, picks)):
        if card:
            first = _GIVEN if place < 3 else _RECEIVED
            row[first + arrange(card, order).bit_length() - 1] = place % 3 + 1


def _write_top(top: Combo, distance: int, row: bytearray) -> None:
    row[_TOP_KIND + top.kind - 1] = 1
    row[_TOP_SIZE] = top.size
    row[_TOP_RANK] = top.rank
    row[_TOP_PHOENIX] = top.phoenix
    row[_OWNER + distance] = 1


def _write_seat(view: View, distance: int, row: bytearray) -> None:
    seat = (view.seat + distance) & 3
    row[_COUNTS + distance] = view.counts[seat]
    row[_POINTS + distance] = (view.points[seat] + 25) // 5
    row[_TICHU + distance] = view.calls[seat] is Call.TICHU
    row[_GRAND + distance] = view.calls[seat] is Call.GRAND
    row[_PENDING + distance] = seat in view.pending
    if seat in view.out:
        row[_OUT + distance] = view.out.index(seat) + 1
