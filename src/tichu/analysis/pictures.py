"""Positions as SVG pictures that need nothing else, and actions in words.

The seat that decides sits at the bottom with its cards open; the others have as many backs as they have cards.
"""

from collections.abc import Iterator, Sequence
from html import escape
from typing import Final, assert_never

from tichu.core.actions import (
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
from tichu.core.cards import Cards, cards_of, format_cards, format_rank
from tichu.core.combos import Combo
from tichu.core.phases import Call
from tichu.core.view import View

__all__ = ["SUIT_COLOURS", "describe", "draw_position"]

_WIDTH: Final = 640
_HEIGHT: Final = 310
_CARD: Final = 38
_CARD_HEIGHT: Final = 54
_STEP: Final = 42
_BACK: Final = 9
_SPECIALS: Final = {"Ma": "1", "Do": "Dog", "Ph": "Phx", "Dr": "Drg"}
SUIT_COLOURS: Final = {"s": "#222222", "b": "#1553b7", "g": "#11752f", "r": "#b3261e"}
_CALLS: Final = {Call.TICHU: "Tichu", Call.GRAND: "Grand Tichu"}
_OUT: Final = ("out first", "out second", "out third", "last")
#: Letters of a name for which there is room.
_LONGEST: Final = 14
#: The middle of the name of a seat, by its distance from the one that decides: below, left, above, right.
_PLACES: Final = ((_WIDTH // 2, 232), (110, 130), (_WIDTH // 2, 26), (_WIDTH - 110, 130))


def draw_position(view: View, names: Sequence[str]) -> str:
    """What the seat saw, as an SVG element."""
    parts = [
        f'<svg class="position" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img"',
        f' aria-label="{escape(_label(view, names))}">',
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" rx="8" fill="#1d5c49"/>',
        *(_player(view, distance, names) for distance in range(4)),
        *_middle(view, names),
        *_row(view.hand, _WIDTH // 2, 246),
        "</svg>",
    ]
    return "".join(parts)


def describe(action: Action, seat: int, names: Sequence[str]) -> str:
    """What is done, in words."""
    match action:
        case Combo():
            return f"play {format_cards(action.cards)}"
        case Pass():
            return "pass"
        case CallGrand():
            return "call Grand Tichu"
        case DeclineGrand():
            return "not call Grand Tichu"
        case CallTichu():
            return "call Tichu"
        case DeclineBomb():
            return "not bomb"
        case Exchange():
            gifts = (
                f"{format_cards(1 << card)} to {names[(seat + distance) % 4]}"
                for distance, card in enumerate(action.cards, start=1)
            )
            return f"give {', '.join(gifts)}"
        case Wish():
            return f"wish for {format_rank(action.rank)}" if action.rank else "wish for nothing"
        case Take():
            return "take the trick" if action.recipient is None else f"give the trick to {names[action.recipient]}"
        case _:
            assert_never(action)


def _label(view: View, names: Sequence[str]) -> str:
    counts = ", ".join(f"{names[seat]} {count}" for seat, count in enumerate(view.counts) if seat != view.seat)
    top = "" if view.top is None else f"; on the table {format_cards(view.top.cards)} by {names[view.owner]}"
    return f"{names[view.seat]} holds {format_cards(view.hand)}{top}; cards of the others: {counts}"


def _player(view: View, distance: int, names: Sequence[str]) -> str:
    seat = (view.seat + distance) % 4
    x, y = _PLACES[distance]
    call = _CALLS.get(view.calls[seat] or Call.NONE, "")
    out = _OUT[view.out.index(seat)] if seat in view.out else ""
    name = names[seat] if len(names[seat]) <= _LONGEST else f"{names[seat][: _LONGEST - 1]}…"
    words = " · ".join(filter(None, (name, call, out)))
    backs = ""
    if distance:
        left = x - _BACK * view.counts[seat] / 2
        backs = "".join(
            f'<rect x="{left + _BACK * number:g}" y="{y + 8}" width="{_BACK + 6}" height="24" rx="2"'
            ' fill="#8c2f2a" stroke="#f3e9c8"/>'
            for number in range(view.counts[seat])
        )
        if view.counts[seat]:
            backs += _text(x, y + 47, f"{view.counts[seat]} cards" if view.counts[seat] > 1 else "1 card", 13)
    return _text(x, y, words, 16) + backs


def _middle(view: View, names: Sequence[str]) -> Iterator[str]:
    own, other = view.score
    if own or other:
        yield _text(_WIDTH - 12, 24, f"match {own} : {other}", 13, "end")
    if view.wish:
        yield _text(12, 24, f"wish: {format_rank(view.wish)}", 13, "start")
    if view.top is not None:
        yield from _row(view.top.cards, _WIDTH // 2, 100, 224)
        yield _text(_WIDTH // 2, 172, f"played by {names[view.owner]}", 13)


def _row(cards: Cards, x: int, y: int, most: int = _WIDTH - 24) -> Iterator[str]:
    """Cards side by side, closer where there is no room."""
    names = [format_cards(1 << card) for card in cards_of(cards)]
    step = min(float(_STEP), (most - _CARD) / max(1, len(names) - 1))
    left = x - (step * (len(names) - 1) + _CARD) / 2
    for number, name in enumerate(names):
        yield _card(left + step * number, y, name)


def _card(x: float, y: int, name: str) -> str:
    box = f'<rect x="{x:g}" y="{y}" width="{_CARD}" height="{_CARD_HEIGHT}" rx="4" stroke="#5558"'
    if name in _SPECIALS:
        return f'{box} fill="#f3e9c8"/>{_text(x + 19, y + 32, _SPECIALS[name], 15, fill="#222222")}'
    rank, suit = ("10" if name[0] == "T" else name[0]), name[1]
    colour = SUIT_COLOURS[suit]
    corner = _text(x + 4, y + 22, rank, 19, "start", colour)
    return f'{box} fill="#ffffff"/>{corner}{_text(x + 4, y + 46, suit.upper(), 12, "start", colour)}'


def _text(x: float, y: float, words: str, size: int, anchor: str = "middle", fill: str = "#ffffff") -> str:
    return f'<text x="{x:g}" y="{y:g}" font-size="{size}" text-anchor="{anchor}" fill="{fill}">{escape(words)}</text>'
