"""A round as a picture, for videos and notebooks: ``render_mode="rgb_array"``.  Needs Pillow.

Drawn at twice the size and reduced, so that edges are smooth.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from tichu.core.cards import DOG, DRAGON, MAH_JONG, PHOENIX, Card, rank_of, suit_of
from tichu.core.phases import Call, Phase
from tichu.core.round import Round
from tichu.core.view import View
from tichu.envs.text import in_hand_order, rank_text

__all__ = ["HEIGHT", "WIDTH", "draw_table"]

WIDTH: Final = 800
HEIGHT: Final = 560
_SCALE: Final = 2
_CARD_WIDTH: Final = 42
_CARD_HEIGHT: Final = 60

_FELT: Final = "#1f5c46"
_RIM: Final = "#16432f"
_PAPER: Final = "#fbf8f0"
_LINE: Final = "#b9b3a4"
_BACK: Final = "#7d2e2a"
_BACK_LINE: Final = "#c98a5c"
_INK: Final = "#f4efe2"
_FAINT: Final = "#a9c4b6"
_GOLD: Final = "#f2c14e"
#: Swords, pagodas, jade, stars.
_SUITS: Final = ("#22262b", "#2463b8", "#1d7f47", "#c2342c")
_SPECIALS: Final = {
    MAH_JONG: ("Ma", "Mah Jong"),
    DOG: ("Do", "Dog"),
    PHOENIX: ("Ph", "Phoenix"),
    DRAGON: ("Dr", "Dragon"),
}
_PLACES: Final = ("1st", "2nd", "3rd")
_SPECIAL_COLOUR: Final = "#7a3e9d"

#: Where the seats are, counted from the one at the bottom; the next to play is on the left.
_CENTRES: Final = ((400, 470), (105, 265), (400, 62), (695, 265))
_PER_ROW: Final = (14, 5, 14, 5)


def draw_table(state: Round | View, seat: int = 0) -> NDArray[np.uint8]:
    """A round with all hands, or as one seat sees it, with ``seat`` at the bottom."""
    picture = Image.new("RGB", (WIDTH * _SCALE, HEIGHT * _SCALE), _RIM)
    table = _Table(picture)
    table.box(8, 8, WIDTH - 8, HEIGHT - 8, _FELT, radius=26)
    for distance, (x, y) in enumerate(_CENTRES):
        table.seat(state, (seat + distance) & 3, x, y, _PER_ROW[distance])
    table.middle(state)
    small = picture.resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS)
    return np.array(small, np.uint8)


class _Table:
    """Draws in the coordinates of the finished picture."""

    def __init__(self, picture: Image.Image) -> None:
        self._draw = ImageDraw.Draw(picture)

    def box(
        self,
        left: float,
        top: float,
        right: float,
        bottom: float,
        fill: str,
        *,
        radius: int = 6,
        line: str | None = None,
    ) -> None:
        corners = [_SCALE * each for each in (left, top, right, bottom)]
        self._draw.rounded_rectangle(corners, _SCALE * radius, fill, line, _SCALE if line else 0)

    def text(self, x: float, y: float, text: str, size: int, fill: str) -> None:
        font = ImageFont.load_default(_SCALE * size)
        self._draw.text((_SCALE * x, _SCALE * y), text, fill, font, anchor="mm")

    def seat(self, state: Round | View, seat: int, x: int, y: int, per_row: int) -> None:
        """A hand around its centre, with what is known of the seat below it."""
        count = state.hands[seat].bit_count() if isinstance(state, Round) else state.counts[seat]
        cards = state.hands[seat] if isinstance(state, Round) else state.hand if seat == state.seat else 0
        shown: list[Card | None] = list(in_hand_order(cards)) if cards else [None] * count
        rows = [shown[start : start + per_row] for start in range(0, count, per_row)] or [[]]
        step_y = 46
        top = y - (_CARD_HEIGHT + step_y * (len(rows) - 1)) / 2
        for row, held in enumerate(rows):
            self.row(held, x, top + step_y * row, 46 if per_row > 5 else 30)
        below = top + step_y * (len(rows) - 1) + _CARD_HEIGHT + 14 if rows[0] else y
        self._facts(state, seat, x, below)

    def _facts(self, state: Round | View, seat: int, x: int, y: float) -> None:
        text = f"seat {seat} · {state.points[seat]} points"
        if seat in state.out:
            text += f" · out {_PLACES[state.out.index(seat)]}"
        is_asked = seat in state.pending
        if is_asked:
            half = 3.6 * len(text) + 12
            self.box(x - half, y - 11, x + half, y + 11, _RIM, radius=11, line=_GOLD)
        self.text(x, y, text, 14, _GOLD if is_asked else _INK)
        call = state.calls[seat]
        if call is Call.TICHU or call is Call.GRAND:
            name = "TICHU" if call is Call.TICHU else "GRAND TICHU"
            half = 4.4 * len(name) + 10
            self.box(x - half, y + 15, x + half, y + 35, _GOLD, radius=10)
            self.text(x, y + 25, name, 13, _RIM)

    def row(self, cards: list[Card | None], x: float, y: float, step: float) -> None:
        """Cards side by side, overlapping where there are many."""
        left = x - (step * (len(cards) - 1) + _CARD_WIDTH) / 2
        for place, card in enumerate(cards):
            self.card(card, left + step * place, y)

    def card(self, card: Card | None, x: float, y: float) -> None:
        """A card with its left upper corner there; None is one from behind."""
        right, bottom = x + _CARD_WIDTH, y + _CARD_HEIGHT
        if card is None:
            self.box(x, y, right, bottom, _BACK, line=_PAPER)
            self.box(x + 5, y + 5, right - 5, bottom - 5, _BACK, radius=4, line=_BACK_LINE)
            return
        self.box(x, y, right, bottom, _PAPER, line=_LINE)
        if card in _SPECIALS:
            short, name = _SPECIALS[card]
            self.text(x + 15, y + 15, short, 17, _SPECIAL_COLOUR)
            self.text(x + _CARD_WIDTH / 2, y + 44, name, 9, _SPECIAL_COLOUR)
            return
        colour = _SUITS[suit_of(card)]
        self.text(x + 14, y + 15, rank_text(rank_of(card)), 20, colour)
        self.pip(suit_of(card), x + 14, y + 36, 7.5, colour)

    def pip(self, suit: int, x: float, y: float, size: float, colour: str) -> None:
        """The sign of a suit around a point, as in the terminal: spade, diamond, club, heart."""
        match suit:
            case 0:
                self._heart(x, y - size / 8, size * 0.9, colour, upside_down=True)
                self._stem(x, y, size, colour)
            case 1:
                self._polygon([(x, y - size), (x + 0.75 * size, y), (x, y + size), (x - 0.75 * size, y)], colour)
            case 2:
                for dx, dy in ((0, -0.5), (-0.5, 0.22), (0.5, 0.22)):
                    self._circle(x + dx * size, y + dy * size, 0.45 * size, colour)
                self._stem(x, y, size, colour)
            case _:
                self._heart(x, y, size, colour, upside_down=False)

    def _heart(self, x: float, y: float, size: float, colour: str, *, upside_down: bool) -> None:
        way = -1 if upside_down else 1
        for side in (-1, 1):
            self._circle(x + side * 0.45 * size, y - way * 0.35 * size, 0.5 * size, colour)
        tip = [(x - 0.92 * size, y - way * 0.15 * size), (x + 0.92 * size, y - way * 0.15 * size), (x, y + way * size)]
        self._polygon(tip, colour)

    def _stem(self, x: float, y: float, size: float, colour: str) -> None:
        self._polygon([(x, y), (x + 0.4 * size, y + size), (x - 0.4 * size, y + size)], colour)

    def _circle(self, x: float, y: float, radius: float, colour: str) -> None:
        self._draw.ellipse([_SCALE * each for each in (x - radius, y - radius, x + radius, y + radius)], colour)

    def _polygon(self, points: list[tuple[float, float]], colour: str) -> None:
        self._draw.polygon([(_SCALE * x, _SCALE * y) for x, y in points], colour)

    def middle(self, state: Round | View) -> None:
        """What lies on the table, and what is being decided."""
        if state.top is not None and state.phase is not Phase.END:
            self.row(list(in_hand_order(state.top.cards)), 400, 215, min(46.0, 300 / state.top.size))
            self.text(400, 293, f"from seat {state.owner}", 14, _FAINT)
        wish = f" · wish {rank_text(state.wish)}" if state.wish else ""
        self.text(400, 320, f"{state.phase.name.lower()}{wish}", 15, _INK)
