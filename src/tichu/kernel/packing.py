"""Rounds as 112 bytes and actions as 64-bit words: what goes through the door to the native core (``docs/native.md``).

This is the reference for the layout.  Packing trusts, unpacking does not: bytes that are no round of a game that can
be are refused with the place.
"""

import struct
from functools import lru_cache
from typing import Final, assert_never

from tichu.core.actions import (
    CALL_GRAND,
    CALL_TICHU,
    DECLINE_BOMB,
    DECLINE_GRAND,
    PASS,
    Action,
    CallGrand,
    CallTichu,
    DeclineBomb,
    DeclineGrand,
    Exchange,
    Pass,
    Take,
    Wish,
)
from tichu.core.cards import ALL_CARDS, PHOENIX, Card
from tichu.core.combos import Combo, Kind, readings
from tichu.core.errors import GameError, NotationError
from tichu.core.phases import Call, Phase
from tichu.core.position import format_position, parse_position
from tichu.core.round import Round
from tichu.core.rules import FIELDS, Goal, Rules

__all__ = [
    "STATE_SIZE",
    "pack",
    "pack_action",
    "pack_goal",
    "pack_rules",
    "unpack",
    "unpack_action",
    "unpack_rules",
]

# hands, later, cards on the table; kind, size, rank, Phoenix; points; goal, rules; phase, pending, owner, actor, wish,
# calls; order out and how many; cards given; unused
_LAYOUT: Final = struct.Struct("<4Q4QQ4B4bIH6B4B12B4x")
STATE_SIZE: Final = _LAYOUT.size
assert STATE_SIZE == 112

_NONE: Final = 255
_PHASES: Final = tuple(Phase)
_PHASE_NUMBERS: Final = {phase: number for number, phase in enumerate(Phase)}
_CALLS: Final = tuple(Call)
_CALL_NUMBERS: Final = {call: number for number, call in enumerate(Call)}

# Fields but the goal in the order of §12; a field of three values takes two bits.
_RULE_BITS: Final = tuple(
    (field, values, 1 if len(values) == 2 else 2) for field, values in FIELDS.items() if field != "goal"
)

_PLAY, _PASS, _TAKE, _WISH, _EXCHANGE, _CALL_TICHU, _CALL_GRAND, _DECLINE_GRAND, _DECLINE_BOMB = range(1, 10)
_FIXED: Final[dict[int, Action]] = {
    _PASS: PASS,
    _CALL_TICHU: CALL_TICHU,
    _CALL_GRAND: CALL_GRAND,
    _DECLINE_GRAND: DECLINE_GRAND,
    _DECLINE_BOMB: DECLINE_BOMB,
}


@lru_cache(maxsize=256)
def pack_rules(rules: Rules) -> int:
    """All fields but the goal, from the lowest bit on; the first value of a field is 0.

    >>> pack_rules(Rules()), pack_rules(Rules(direction="cw", dragon="auto"))
    (0, 4097)
    """
    bits = shift = 0
    for field, values, width in _RULE_BITS:
        bits |= values.index(getattr(rules, field)) << shift
        shift += width
    return bits


def pack_goal(goal: Goal) -> int:
    """The target, or 0 for one round."""
    return goal.number if goal.kind == "target" else 0


@lru_cache(maxsize=256)
def unpack_rules(bits: int, goal: int) -> Rules:
    """The rules that :func:`pack_rules` and :func:`pack_goal` have packed."""
    if not 0 <= goal <= 999_999:
        raise GameError(f"no goal {goal}")
    fields: dict[str, object] = {"goal": Goal("target", goal) if goal else Goal("rounds", 1)}
    for field, values, width in _RULE_BITS:
        number = bits & (1 << width) - 1
        bits >>= width
        if number >= len(values):
            raise GameError(f"no value {number} for {field}")
        fields[field] = values[number]
    if bits:
        raise GameError("more bits than rules")
    return Rules(**fields)  # type: ignore[arg-type]


def pack(state: Round) -> bytes:
    """The round as bytes.

    >>> pack(Round.from_position("9s/Kb/-/4s p1 0:8s 90/0/0/0 - ---- 2 -/-/-/-"))[86:96].hex(" ")
    '02 02 00 ff 00 00 02 ff ff 01'
    """
    top = state.top
    return _LAYOUT.pack(
        *state.hands,
        *state.later,
        *((0, 0, 0, 0, 0) if top is None else (top.cards, top.kind, top.size, top.rank, top.phoenix)),
        *state.points,
        pack_goal(state.rules.goal),
        pack_rules(state.rules),
        _PHASE_NUMBERS[state.phase],
        sum(1 << seat for seat in state.pending),
        state.owner & 255,
        state.actor & 255,
        state.wish,
        sum(_CALL_NUMBERS[call] << 2 * seat for seat, call in enumerate(state.calls)),
        *(*state.out, _NONE, _NONE, _NONE)[:3],
        len(state.out),
        *(card for cards in state.given for card in cards or (_NONE, _NONE, _NONE)),
    )


def unpack(packed: bytes) -> Round:
    """Read what :func:`pack` writes.

    :raises GameError: these are not the bytes of a round that can be
    """
    if len(packed) != STATE_SIZE:
        raise GameError(f"a state has {STATE_SIZE} bytes, not {len(packed)}")
    values = _LAYOUT.unpack(packed)
    if any(packed[108:]):
        raise GameError("state: the last four bytes are not zero")
    cards, (kind, size, rank, phoenix), points = values[:9], values[9:13], values[13:17]
    goal, rule_bits, phase, pending, owner, actor, wish, calls, *rest = values[17:]
    if max(cards) > ALL_CARDS or phase >= len(_PHASES) or pending > 15:
        raise GameError("state: no such cards, phase or seats")
    state = Round(
        unpack_rules(rule_bits, goal),
        _PHASES[phase],
        tuple(seat for seat in range(4) if pending >> seat & 1),
        cards[:4],
        cards[4:8],
        _unpack_top(cards[8], kind, size, rank, phoenix),
        _unpack_seat(owner),
        points,
        wish,
        tuple(_unpack_call(calls >> 2 * seat & 3) for seat in range(4)),
        _unpack_out(tuple(rest[:3]), rest[3]),
        tuple(_unpack_given(tuple(rest[at : at + 3])) for at in (4, 7, 10, 13)),
        _unpack_seat(actor),
    )
    _check(state)
    return state


def _check(state: Round) -> None:
    """What the text of a position can say is a round that can be."""
    if state.wish == 1 or state.wish > 14:
        raise GameError(f"state: no wish for rank {state.wish}")
    if (state.phase is Phase.BOMB) != (state.actor >= 0) or (state.top is None) != (state.owner < 0):
        raise GameError("state: an actor without a question, or an owner without a trick")
    if state.phase is not Phase.GRAND and any(state.later):
        raise GameError("state: cards still to be dealt")
    try:
        read = parse_position(format_position(state), state.rules)
    except NotationError as error:
        raise GameError(f"state: {error}") from None
    assert read == state


def _unpack_top(cards: int, kind: int, size: int, rank: int, phoenix: int) -> Combo | None:
    if not cards:
        if kind or size or rank or phoenix:
            raise GameError("state: a combination without cards")
        return None
    if kind > max(Kind):
        raise GameError(f"state: no kind {kind}")
    top = Combo(Kind(kind), size, rank, cards, phoenix)
    if cards == 1 << PHOENIX:
        proper = (top.kind, size, phoenix) == (Kind.SINGLE, 1, rank) and 1 <= rank <= 14
    else:
        proper = top in readings(cards) and top.kind != Kind.DOG
    if not proper:
        raise GameError("state: no combination on the table")
    return top


def _unpack_seat(seat: int) -> int:
    if seat == _NONE:
        return -1
    if seat > 3:
        raise GameError(f"state: no seat {seat}")
    return seat


def _unpack_call(number: int) -> Call:
    if number >= len(_CALLS):
        raise GameError("state: no such call")
    return _CALLS[number]


def _unpack_out(seats: tuple[int, ...], count: int) -> tuple[int, ...]:
    out = seats[:count]
    if count > 3 or any(seat > 3 for seat in out) or any(seat != _NONE for seat in seats[count:]):
        raise GameError("state: no order of going out")
    return out


def _unpack_given(cards: tuple[Card, ...]) -> tuple[Card, ...]:
    if all(card == _NONE for card in cards):
        return ()
    if any(card > 55 for card in cards):
        raise GameError("state: no three cards given")
    return cards


def pack_action(action: Action) -> int:
    """The action as a word: its kind in the highest four bits, what the Phoenix stands for, cards or an argument.

    >>> hex(pack_action(Wish(8))), hex(pack_action(PASS))
    ('0x4000000000000008', '0x2000000000000000')
    """
    match action:
        case Combo():
            return _PLAY << 60 | action.phoenix << 56 | action.cards
        case Pass():
            return _PASS << 60
        case Take(recipient):
            return _TAKE << 60 | (0 if recipient is None else recipient + 1)
        case Wish(rank):
            return _WISH << 60 | rank
        case Exchange(left, partner, right):
            return _EXCHANGE << 60 | left | partner << 6 | right << 12
        case CallTichu():
            return _CALL_TICHU << 60
        case CallGrand():
            return _CALL_GRAND << 60
        case DeclineGrand():
            return _DECLINE_GRAND << 60
        case DeclineBomb():
            return _DECLINE_BOMB << 60
        case _:
            assert_never(action)


def unpack_action(packed: int) -> Action:
    """Read what :func:`pack_action` writes.

    :raises GameError: no action is packed like this
    """
    kind, rest = packed >> 60, packed & (1 << 60) - 1
    if 0 <= packed < 1 << 64:
        if kind == _PLAY:
            for combo in readings(rest & ALL_CARDS):
                if combo.phoenix == rest >> 56:
                    return combo
        elif kind == _TAKE and rest <= 4:
            return Take(rest - 1 if rest else None)
        elif kind == _WISH and rest < 16:
            return Wish(rest)
        elif kind == _EXCHANGE and rest < 1 << 18:
            cards = rest & 63, rest >> 6 & 63, rest >> 12
            if max(cards) < 56:
                return Exchange(*cards)
        elif kind in _FIXED and not rest:
            return _FIXED[kind]
    raise GameError(f"no action is packed as {packed:#x}")
