"""The whole state as bytes, for critics that may look at all hands."""

import struct
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tichu.core.cards import Cards, cards_of, points_of
from tichu.core.phases import Phase
from tichu.core.round import Round
from tichu.encoding.observations import FIELDS, OBSERVATION_SIZE, field, write_observation
from tichu.kernel.packing import pack

__all__ = ["STATE_FIELDS", "STATE_LENGTH", "pack_secret", "write_state", "write_states"]

_PUBLIC: Final = next(field.first for field in FIELDS if field.name == "counts")

#: Name, size and meaning; seats are counted from seat 0, suits are as they are.
STATE_FIELDS: Final = (
    ("hands", 224, "the cards of seats 0 to 3"),
    ("later", 224, "the cards that they are still dealt"),
    ("top_cards", 56, "the combination on the table"),
    ("given", 56, "cards given: 3 * giver + 1 to LEFT, + 2 to PARTNER, + 3 to RIGHT"),
    ("seat", 4, "who decides"),
    (
        "public",
        OBSERVATION_SIZE - _PUBLIC,
        "an observation of seat 0 from `counts` on, with all calls and who is asked",
    ),
)
STATE_LENGTH: Final = sum(size for _, size, _ in STATE_FIELDS)

#: A round as :mod:`tichu.kernel.packing` lays it out, the cards picked and their number, the match so far.
_SECRET: Final = np.dtype(
    [
        ("hands", "<u8", 4),
        ("later", "<u8", 4),
        ("top_cards", "<u8"),
        ("top_kind", "u1"),
        ("top_size", "u1"),
        ("top_rank", "u1"),
        ("top_phoenix", "u1"),
        ("points", "i1", 4),
        ("goal", "<u4"),
        ("rules", "<u2"),
        ("phase", "u1"),
        ("pending", "u1"),
        ("owner", "u1"),
        ("actor", "u1"),
        ("wish", "u1"),
        ("calls", "u1"),
        ("out", "u1", 3),
        ("out_count", "u1"),
        ("given", "u1", 12),
        ("unused", "V4"),
        ("picks", "u1", 3),
        ("pick_count", "u1"),
        ("totals", "<i4", 2),
    ]
)
_NONE: Final = 255
_CARDS: Final = 56
_CARD_POINTS: Final = np.array([points_of(1 << card) for card in range(_CARDS)], np.int16)
_GRAND_PHASE: Final = list(Phase).index(Phase.GRAND)
_SEATS: Final = np.arange(4)


def write_state(state: Round, picks: tuple[int, ...], score: tuple[int, int]) -> NDArray[np.uint8]:
    """Everything there is to know about a round."""
    whole = np.zeros(STATE_LENGTH, np.uint8)
    for seat in range(4):
        _write_set(state.hands[seat], 56 * seat, whole)
        _write_set(state.later[seat], 224 + 56 * seat, whole)
        for distance, card in enumerate(state.given[seat], start=1):
            whole[504 + card] = 3 * seat + distance
    if state.top is not None:
        _write_set(state.top.cards, 448, whole)
    for distance, card in enumerate(picks, start=1):
        whole[504 + card] = 3 * state.pending[0] + distance
    if state.pending:
        whole[560 + state.pending[0]] = 1
    # Seen from seat 0, but with nothing hidden.
    view = state.view(0)._replace(
        phase=state.phase, pending=state.pending, actor=state.actor, calls=state.calls, score=score
    )
    observation = np.zeros(OBSERVATION_SIZE, np.uint8)
    write_observation(view, observation)
    whole[564:] = observation[_PUBLIC:]
    return whole


def pack_secret(state: Round, picks: Sequence[int], totals: tuple[int, int]) -> bytes:
    """One game for :func:`write_states`."""
    return pack(state) + bytes([*picks, *[_NONE] * (3 - len(picks)), len(picks)]) + struct.pack("<2i", *totals)


def write_states(secrets: bytes) -> NDArray[np.uint8]:
    """The states of many games, a row each: what :func:`write_state` writes for one."""
    games = np.frombuffer(secrets, _SECRET)
    states = np.zeros((len(games), STATE_LENGTH), np.uint8)
    hands = _as_bytes(games["hands"])
    states[:, :224] = hands.reshape(-1, 224)
    states[:, 224:448] = _as_bytes(games["later"]).reshape(-1, 224)
    states[:, 448:504] = _as_bytes(games["top_cards"])
    seats = _first_bit(games["pending"])
    _write_gifts(games, seats, states)
    _mark(states, 560, seats, seats < 4)
    _write_public(games, hands, states)
    return states


def _write_gifts(games: NDArray[Any], seats: NDArray[Any], states: NDArray[np.uint8]) -> None:
    for place in range(12):
        cards = games["given"][:, place].astype(np.int64)
        _mark(states, 504, cards, cards != _NONE, place + 1)
    for place in range(3):
        cards = games["picks"][:, place].astype(np.int64)
        _mark(states, 504, cards, games["pick_count"] > place, 3 * seats + place + 1)


def _write_public(games: NDArray[Any], hands: NDArray[np.uint8], states: NDArray[np.uint8]) -> None:
    public = states[:, 564 - _PUBLIC :]
    public[:, field("counts").place] = hands.sum(axis=2)
    kind = games["top_kind"].astype(np.int64)
    _mark(public, field("top_kind").first - 1, kind, kind > 0)
    for name in ("top_size", "top_rank", "top_phoenix"):
        public[:, field(name).first] = games[name]
    for name in ("owner", "actor"):
        seat = games[name].astype(np.int64)
        _mark(public, field(name).first, seat, seat != _NONE)
    points = games["points"].astype(np.int16)
    public[:, field("points").place] = (points + 25) // 5
    is_played = (hands.sum(axis=1) == 0) & (games["phase"] != _GRAND_PHASE)[:, None]
    public[:, field("table_points").first] = (is_played @ _CARD_POINTS - points.sum(axis=1) + 25) // 5
    wish = games["wish"].astype(np.int64)
    _mark(public, field("wish").first - 2, wish, wish > 0)
    calls = games["calls"][:, None] >> 2 * _SEATS & 3
    public[:, field("tichu").place] = calls == 1
    public[:, field("grand").place] = calls == 2
    for place in range(3):
        seat = games["out"][:, place].astype(np.int64)
        _mark(public, field("out").first, seat, games["out_count"] > place, place + 1)
    public[:, field("pending").place] = games["pending"][:, None] >> _SEATS & 1
    _mark(public, field("phase").first, games["phase"].astype(np.int64), np.ones(len(games), np.bool_))
    public[:, field("score").place] = np.minimum(np.maximum(games["totals"] + 1000, 0) // 10, 255)
    public[:, field("goal").first] = np.minimum(games["goal"] // 10, 255)
    public[:, field("rules").place] = games["rules"][:, None] >> np.arange(13) & 1


def _as_bytes(sets: NDArray[Any]) -> NDArray[np.uint8]:
    """A byte a card, in a dimension of their own."""
    words = np.ascontiguousarray(sets)[..., None].view(np.uint8)
    return np.unpackbits(words, axis=-1, count=_CARDS, bitorder="little")


def _first_bit(seats: NDArray[np.uint8]) -> NDArray[np.int64]:
    """The lowest seat of each set; 4 where there is none."""
    return np.array([4, *((number & -number).bit_length() - 1 for number in range(1, 16))])[seats]


def _mark(rows: NDArray[np.uint8], first: int, places: NDArray[Any], where: NDArray[np.bool_], value: Any = 1) -> None:
    """Write a value into one byte of some rows."""
    chosen = np.flatnonzero(where)
    rows[chosen, first + places[chosen]] = np.broadcast_to(value, len(rows))[chosen]


def _write_set(cards: Cards, first: int, into: NDArray[np.uint8]) -> None:
    for card in cards_of(cards):
        into[first + card] = 1
