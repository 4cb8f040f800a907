"""Positions and views as text: one line, eight fields (nine for a view), separated by one blank (``docs/notation.md``).

Reading is strict: a text that cannot be true is an error that names the field.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Final, TypeVar

from tichu.core.cards import (
    ALL_CARDS,
    DRAGON,
    HIDDEN,
    MAH_JONG,
    PHOENIX,
    Card,
    Cards,
    format_card_list,
    format_cards,
    format_rank,
    parse_card_list,
    parse_cards,
    parse_rank,
    points_of,
)
from tichu.core.combos import STACKED, Combo, format_table, parse_table
from tichu.core.errors import NotationError
from tichu.core.phases import Call, Phase
from tichu.core.plays import bombs
from tichu.core.round import Round
from tichu.core.rules import STANDARD, Rules
from tichu.core.scoring import is_double_victory
from tichu.core.view import View

__all__ = ["format_position", "format_view", "parse_position", "parse_view"]

_FIELDS: Final = ("hands", "phase", "table", "points", "wish", "calls", "order out", "exchange", "cards played")
_SEATS_PER_PHASE: Final = {
    Phase.GRAND: (1, 4),
    Phase.EXCHANGE: (1, 4),
    Phase.PLAY: (1, 1),
    Phase.WISH: (1, 1),
    Phase.TAKE: (1, 1),
    Phase.BOMB: (2, 2),
    Phase.END: (0, 0),
}
_PHASES: Final = {phase.value: phase for phase in Phase}
_CALLS: Final[dict[str, Call | None]] = {"?": None, **{call.value: call for call in Call}}
# At most 125 with the Dragon and without the Phoenix; all points come in fives.
_POINTS: Final = {str(points): points for points in range(-25, 126, 5)}
_UNKNOWN: Final = {"-": 0, **{f"*{count}": count for count in range(1, 15)}}
_T = TypeVar("_T")


def format_position(state: Round) -> str:
    """The whole state on one line; the rules are not part of it."""
    hands = [format_cards(hand) for hand in state.hands]
    if state.phase is Phase.GRAND:
        hands = [f"{hand}+{format_cards(later)}" for hand, later in zip(hands, state.later, strict=True)]
    return " ".join(
        [
            "/".join(hands),
            _format_phase(state.phase, state.pending, state.actor),
            *_format_public(state.top, state.owner, state.points, state.wish, state.calls, state.out),
            _format_given(state.given),
        ]
    )


def format_view(view: View) -> str:
    """What one seat can see, in the same grammar: ``*n`` for unknown cards, ``??`` for a hidden one."""
    in_grand = view.phase is Phase.GRAND
    hands = []
    for seat, count in enumerate(view.counts):
        hand = format_cards(view.hand) if seat == view.seat else f"*{count}" if count else "-"
        hands.append(f"{hand}+*6" if in_grand else hand)
    return " ".join(
        [
            "/".join(hands),
            _format_phase(view.phase, view.pending, view.actor),
            *_format_public(view.top, view.owner, view.points, view.wish, view.calls, view.out),
            _format_given(view.given),
            format_cards(view.played),
        ]
    )


def _format_phase(phase: Phase, pending: tuple[int, ...], actor: int) -> str:
    seats = (*pending, actor) if phase is Phase.BOMB else pending
    return phase.value + "".join(map(str, seats))


# The views of a table differ in little, and are mostly written one after the other.
@lru_cache(maxsize=256)
def _format_public(
    top: Combo | None,
    owner: int,
    points: tuple[int, ...],
    wish: int,
    calls: tuple[Call | None, ...],
    out: tuple[int, ...],
) -> tuple[str, ...]:
    return (
        "-" if top is None else f"{owner}:{format_table(top)}",
        "/".join(map(str, points)),
        format_rank(wish) if wish else "-",
        "".join("?" if call is None else call.value for call in calls),
        "".join(map(str, out)) or "-",
    )


def _format_given(given: tuple[tuple[Card, ...], ...]) -> str:
    return "/".join([format_card_list(cards) or "-" for cards in given])


def parse_position(text: str, rules: Rules = STANDARD) -> Round:
    """Read what :func:`format_position` writes.

    >>> parse_position("9s/2s2b2g2r3s/Kb/4s p2 0:As 90/0/0/0 - ---- - -/-/-/-").pending
    (2,)
    >>> parse_position("9s/9s/Kb/4s p2 0:As 90/0/0/0 - ---- - -/-/-/-")
    Traceback (most recent call last):
    tichu.core.errors.NotationError: hands: 9s twice
    """
    fields = _split(text, 8)
    phase, seats = _read(fields, 1, _parse_phase)
    hands, later = _read(fields, 0, lambda field: _parse_hands(field, phase))
    top, owner = _read(fields, 2, _parse_top)
    state = Round(
        rules,
        phase,
        seats[:1] if phase is Phase.BOMB else seats,
        hands,
        later,
        top,
        owner,
        _read(fields, 3, _parse_points),
        _read(fields, 4, _parse_wish),
        _read(fields, 5, _parse_calls),
        _read(fields, 6, _parse_out),
        _read(fields, 7, _parse_given),
        seats[1] if phase is Phase.BOMB else -1,
    )
    _check_cards(state)
    # A seat that is asked to bomb sees the phase as it is.
    _check_public(state.view(state.pending[0] if state.pending else 0))
    if phase is Phase.GRAND:
        _check_grand(state.pending, state.calls)
    return state


def parse_view(text: str, seat: int, rules: Rules = STANDARD) -> View:
    """Read what :func:`format_view` writes for a seat."""
    fields = _split(text, 9)
    phase, seats = _read(fields, 1, _parse_phase)
    hand, counts = _read(fields, 0, lambda field: _parse_seen_hands(field, phase, seat))
    top, owner = _read(fields, 2, _parse_top)
    view = View(
        rules,
        seat,
        phase,
        seats[:1] if phase is Phase.BOMB else seats,
        hand,
        counts,
        top,
        owner,
        _read(fields, 3, _parse_points),
        _read(fields, 4, _parse_wish),
        _read(fields, 5, _parse_seen_calls),
        _read(fields, 6, _parse_out),
        _read(fields, 7, lambda field: _parse_seen_given(field, phase, seat)),
        _read(fields, 8, parse_cards),
        seats[1] if phase is Phase.BOMB else -1,
    )
    if view.played & hand:
        raise NotationError(f"cards played: {format_cards(view.played & hand)} is in the hand")
    if top is not None and top.cards & ~view.played:
        raise NotationError(f"table: {format_cards(top.cards & ~view.played)} is not among the cards played")
    if view.wish and not view.played >> MAH_JONG & 1:
        raise NotationError("wish: the Mah Jong is not among the cards played")
    if phase is Phase.BOMB and seats[0] != seat:
        raise NotationError(f"phase: seat {seat} cannot see that seat {seats[0]} is asked")
    _check_seen_calls(view)
    total = view.played.bit_count() + (56 if phase is Phase.GRAND else sum(counts))
    if total != 56:
        raise NotationError(f"cards played: {total} cards with the hands, not 56")
    _check_public(view)
    return view


def _split(text: str, count: int) -> list[str]:
    fields = text.split(" ")
    if len(fields) != count:
        raise NotationError(f"{'a position' if count == 8 else 'a view'} has {count} fields, not {len(fields)}")
    return fields


def _read(fields: list[str], at: int, reader: Callable[[str], _T]) -> _T:
    try:
        return reader(fields[at])
    except NotationError as error:
        raise NotationError(f"{_FIELDS[at]}: {error}") from None


def _parse_phase(text: str) -> tuple[Phase, tuple[int, ...]]:
    phase = _PHASES.get(text[:1])
    digits = text[1:]
    if phase is None or not set(digits) <= set("0123"):
        raise NotationError(f"no phase {text!r}")
    seats = tuple(map(int, digits))
    least, most = _SEATS_PER_PHASE[phase]
    several = phase in (Phase.GRAND, Phase.EXCHANGE)
    proper = least <= len(seats) <= most and (not several or list(seats) == sorted(set(seats)))
    if not proper:
        raise NotationError(f"phase {phase.value} does not go with the seats {digits!r}")
    return phase, seats


def _parse_hands(text: str, phase: Phase) -> tuple[tuple[Cards, ...], tuple[Cards, ...]]:
    hands, later = [], []
    seen = 0
    for seat, hand in enumerate(_four(text)):
        parts = [hand]
        if phase is Phase.GRAND:
            parts = hand.split("+")
            if len(parts) != 2:
                raise NotationError(f"seat {seat} is written eight+six during the Grand calls, not {hand!r}")
        sets = [parse_cards(part) for part in parts]
        for cards in sets:
            if seen & cards:
                raise NotationError(f"{format_cards(seen & cards)} twice")
            seen |= cards
        _check_count(seat, [cards.bit_count() for cards in sets], phase)
        hands.append(sets[0])
        later.append(sets[1] if phase is Phase.GRAND else 0)
    return tuple(hands), tuple(later)


def _parse_seen_hands(text: str, phase: Phase, seat: int) -> tuple[Cards, tuple[int, ...]]:
    own, counts = 0, []
    for other, field in enumerate(_four(text)):
        hand = field
        if phase is Phase.GRAND:
            if not field.endswith("+*6"):
                raise NotationError(f"seat {other} ends in '+*6' during the Grand calls, not {field!r}")
            hand = field[:-3]
        if other == seat:
            own = parse_cards(hand)
            counts.append(own.bit_count())
        elif hand in _UNKNOWN:
            counts.append(_UNKNOWN[hand])
        else:
            raise NotationError(f"seat {other} holds unknown cards, '*n' or '-', not {hand!r}")
        _check_count(other, [counts[-1], 6] if phase is Phase.GRAND else [counts[-1]], phase)
    return own, tuple(counts)


def _check_count(seat: int, counts: list[int], phase: Phase) -> None:
    if phase is Phase.GRAND:
        if counts != [8, 6]:
            raise NotationError(f"seat {seat} has {counts[0]}+{counts[1]} cards, not 8+6")
    elif counts[0] > 14 or (phase is Phase.EXCHANGE and counts[0] != 14):
        raise NotationError(f"seat {seat} has {counts[0]} cards, not 14")


def _four(text: str) -> list[str]:
    parts = text.split("/")
    if len(parts) != 4:
        raise NotationError(f"four seats are separated by '/', not {len(parts)}")
    return parts


def _parse_top(text: str) -> tuple[Combo | None, int]:
    if text == "-":
        return None, -1
    if text[:1] not in tuple("0123") or text[1:2] != ":":
        raise NotationError(f"not a seat and a combination: {text!r}")
    return parse_table(text[2:]), int(text[0])


def _parse_points(text: str) -> tuple[int, ...]:
    points = []
    for part in _four(text):
        if part not in _POINTS:
            raise NotationError(f"not card points: {part!r}")
        points.append(_POINTS[part])
    return tuple(points)


def _parse_wish(text: str) -> int:
    return 0 if text == "-" else parse_rank(text)


def _parse_seen_calls(text: str) -> tuple[Call | None, ...]:
    if len(text) != 4 or not _CALLS.keys() >= set(text):
        raise NotationError(f"not four calls: {text!r}")
    return tuple([_CALLS[letter] for letter in text])


def _parse_calls(text: str) -> tuple[Call, ...]:
    calls = _parse_seen_calls(text)
    known = tuple(call for call in calls if call is not None)
    if len(known) != 4:
        raise NotationError(f"not four calls: {text!r}")
    return known


def _parse_out(text: str) -> tuple[int, ...]:
    if text == "-":
        return ()
    if not set(text) <= set("0123") or len(set(text)) != len(text) or len(text) not in (1, 2, 3):
        raise NotationError(f"not an order of seats: {text!r}")
    return tuple(map(int, text))


def _parse_given(text: str) -> tuple[tuple[Card, ...], ...]:
    given: list[tuple[Card, ...]] = []
    for seat, part in enumerate(_four(text)):
        cards = () if part == "-" else parse_card_list(part)
        if len(cards) not in (0, 3):
            raise NotationError(f"seat {seat} gives three cards, not {part!r}")
        given.append(cards)
    shown = [card for cards in given for card in cards if card != HIDDEN]
    if len(set(shown)) != len(shown):
        raise NotationError(f"a card is given twice in {text!r}")
    return tuple(given)


def _parse_seen_given(text: str, phase: Phase, seat: int) -> tuple[tuple[Card, ...], ...]:
    given = _parse_given(text)
    for giver, cards in enumerate(given):
        for distance, card in enumerate(cards, start=1):
            known = giver == seat or (phase is not Phase.EXCHANGE and (giver + distance) & 3 == seat)
            if known != (card != HIDDEN):
                raise NotationError(f"seat {seat} knows its own gifts and what it got, not {text!r}")
    return given


def _check_grand(pending: tuple[int, ...], calls: tuple[Call | None, ...]) -> None:
    for seat, call in enumerate(calls):
        if call is Call.TICHU or (call is not Call.NONE and seat in pending):
            raise NotationError(f"calls: seat {seat} cannot have called yet")


def _check_seen_calls(view: View) -> None:
    hidden = [call is None for call in view.calls]
    if view.phase is Phase.GRAND:
        _check_grand(view.pending, view.calls)
        # Exactly the decisions of others that are made are not shown yet.
        expected = [seat != view.seat and seat not in view.pending for seat in range(4)]
    else:
        expected = [False] * 4
    if hidden != expected:
        raise NotationError("calls: '?' is a Grand decision of another seat that is made and not shown")


def _check_cards(state: Round) -> None:
    """Whether hands, table and exchange hold each card where it can be."""
    held = ALL_CARDS & ~state.played
    if state.top is not None and state.top.cards & held:
        raise NotationError(f"table: {format_cards(state.top.cards & held)} is in a hand")
    if state.wish and held >> MAH_JONG & 1:
        raise NotationError("wish: the Mah Jong is in a hand")
    if state.phase is Phase.PLAY and not state.played and not state.hands[state.pending[0]] >> MAH_JONG & 1:
        raise NotationError("phase: the Mah Jong leads")
    for giver, cards in enumerate(state.given):
        for distance, card in enumerate(cards, start=1):
            if card == HIDDEN:
                raise NotationError("exchange: a position has no hidden cards")
            holder = giver if state.phase is Phase.EXCHANGE else (giver + distance) & 3
            if (held & ~state.hands[holder]) >> card & 1:
                raise NotationError(f"exchange: {format_card_list([card])} is not with seat {holder}")


def _check_exchange(view: View) -> None:
    chosen = [seat for seat, cards in enumerate(view.given) if cards]
    if view.phase is Phase.EXCHANGE:
        if sorted([*chosen, *view.pending]) != [0, 1, 2, 3]:
            raise NotationError("exchange: exactly the seats that have chosen are no longer pending")
    elif len(chosen) not in (0, 4) or (chosen and view.phase is Phase.GRAND):
        raise NotationError("exchange: all four give or none")
    elif chosen and view.rules.exchange == "no":
        raise NotationError("exchange: these rules have none")
    for card in view.given[view.seat]:
        if (view.hand >> card & 1) != (view.phase is Phase.EXCHANGE):
            raise NotationError(f"exchange: {format_card_list([card])} is not where it was given")
    for giver, card in view.received():
        if not (view.hand | view.played) >> card & 1:
            raise NotationError(
                f"exchange: {format_card_list([card])} of seat {giver} did not come to seat {view.seat}"
            )


def _check_public(view: View) -> None:
    """What holds for what everybody sees."""
    phase, seat, top = view.phase, (view.pending or (-1,))[0], view.top
    empty = {seat for seat, count in enumerate(view.counts) if not count}
    if empty != set(view.out):
        raise NotationError("order out: exactly the seats without cards are out")
    is_ended = len(view.out) == 3 or is_double_victory(view.out)
    gift = phase is Phase.TAKE and view.out[2:] == (view.owner,) and top is not None and top.cards == 1 << DRAGON
    if is_ended != (phase is Phase.END or gift):
        raise NotationError(f"phase: {phase.value} does not go with {len(view.out)} seats out")
    # In phase p the table may be either.
    if phase is not Phase.PLAY and (top is not None) != (phase in (Phase.WISH, Phase.TAKE, Phase.BOMB)):
        raise NotationError(f"table: {'empty' if top is None else 'not empty'} in phase {phase.value}")
    if phase in (Phase.WISH, Phase.TAKE) and seat != view.owner:
        raise NotationError(f"phase: seat {view.owner} played last, not {seat}")
    if phase is Phase.PLAY and (seat == view.owner or seat in empty):
        raise NotationError(f"phase: it cannot be the turn of seat {seat}")
    if phase is Phase.WISH and (not (top and top.cards >> MAH_JONG & 1) or view.wish):
        raise NotationError("phase: a wish follows the Mah Jong")
    if view.rules.wish == "off" and (view.wish or phase is Phase.WISH):
        raise NotationError("wish: these rules have none")
    if phase is Phase.BOMB and view.rules.bombs != "ordered":
        raise NotationError(f"phase: nobody is asked to bomb under bombs={view.rules.bombs}")
    if (phase is Phase.GRAND and view.rules.grand == "no") or (phase is Phase.EXCHANGE and view.rules.exchange == "no"):
        raise NotationError(f"phase: these rules have no {phase.value}")
    if top is not None:
        _check_top(view, top)
    if phase is Phase.BOMB and view.actor != view.owner and view.actor in empty:
        raise NotationError(f"phase: seat {view.actor} is out and cannot have passed")
    if phase is Phase.BOMB and not (top and bombs(view.hand, top, view.rules)):
        raise NotationError(f"phase: seat {seat} is asked and has no bomb that beats the table")
    _check_calls(view)
    _check_exchange(view)
    _check_points(view)


def _check_top(view: View, top: Combo) -> None:
    """What holds between the table and the cards that are elsewhere."""
    if top.kind in STACKED and view.rules.stairs == "pairs":
        raise NotationError("table: these rules have no stacked stairs")
    if view.counts[view.owner] + top.size > 14:
        raise NotationError(f"table: seat {view.owner} had {view.counts[view.owner] + top.size} cards")
    # Where it has the rank 1, it was led or lies on the Mah Jong.
    if top.cards == 1 << PHOENIX and top.rank > 1 and not view.played >> 4 * (top.rank - 1) & 15:
        raise NotationError(f"table: the Phoenix lies on a {format_rank(top.rank)}, and none is played")
    has_wished = view.wish or view.phase is Phase.WISH
    if top.cards >> MAH_JONG & 1 and view.rules.wish == "must" and not has_wished:
        raise NotationError("wish: the Mah Jong brings one under wish=must")


def _check_calls(view: View) -> None:
    rules = view.rules
    if Call.GRAND in view.calls and (rules.grand == "no" or rules.calls == "auto"):
        raise NotationError("calls: under these rules nobody calls Grand Tichu")
    # §10.1: the table calls before the first lead.
    is_early = view.phase is Phase.EXCHANGE and (rules.tichu_from == "play" or rules.calls == "auto")
    if Call.TICHU in view.calls and is_early:
        raise NotationError("calls: under these rules nobody calls Tichu during the exchange")


def _check_points(view: View) -> None:
    """Points must be those of cards that can lie there: on the table and in the piles."""
    under = view.played & ~(view.top.cards if view.top else 0)
    on_table = points_of(view.played) - sum(view.points)
    if view.top is None and on_table:
        raise NotationError(f"points: {sum(view.points)} with an empty table, not {points_of(view.played)}")
    if view.top is not None and not _may_be_worth(under, on_table - points_of(view.top.cards)):
        raise NotationError(f"points: {on_table} on the table cannot be")
    phoenix = under >> PHOENIX & 1
    won = sum(points for points in view.points if points > 0)
    if won > points_of(under & ~(1 << PHOENIX)) or sum(points < 0 for points in view.points) > phoenix:
        raise NotationError(f"points: {'/'.join(map(str, view.points))} cannot be won with the cards played")


def _may_be_worth(cards: Cards, points: int) -> bool:
    """Whether some of the cards are worth this much."""
    fives = points_of(cards & 0xF << 16) // 5
    by_tens = range(0, points_of(cards & (0xF << 36 | 0xF << 48)) + 1, 10)
    return any(
        points - 5 * five - 25 * plus + 25 * minus in by_tens
        for five in range(fives + 1)
        for plus in range((cards >> DRAGON & 1) + 1)
        for minus in range((cards >> PHOENIX & 1) + 1)
    )
