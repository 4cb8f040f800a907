"""A round as lines of text, for people who watch an environment."""

from collections.abc import Iterator
from typing import Final

import click
import numpy as np
from numpy.typing import NDArray

from tichu.core.cards import DOG, DRAGON, MAH_JONG, PHOENIX, Card, Cards, cards_of, rank_of, suit_of
from tichu.core.errors import GameError
from tichu.core.phases import Call, Phase
from tichu.core.position import format_view
from tichu.core.round import Round
from tichu.core.view import View

__all__ = [
    "RENDER_MODES",
    "SPECIALS",
    "card_text",
    "check_render_mode",
    "in_hand_order",
    "rank_text",
    "render",
    "show_table",
    "table_text",
]

RENDER_MODES = ("ansi", "human", "rgb_array")

SPECIALS: Final = {MAH_JONG: "Mah Jong", DOG: "Dog", PHOENIX: "Phoenix", DRAGON: "Dragon"}
_SIGNS: Final = "♠♦♣♥"
# Swords are black: the terminal's own colour, so that they can be read on any background.
_COLOURS: Final = (None, "bright_blue", "green", "red")


def check_render_mode(mode: str | None) -> str | None:
    """The mode, if there is one of that name.

    :raises GameError: there is not, or what it needs is not installed
    """
    if mode is not None and mode not in RENDER_MODES:
        raise GameError(f"render mode {mode!r} does not exist: use {', '.join(RENDER_MODES)}")
    if mode == "rgb_array":
        try:
            import PIL  # noqa: F401 - only whether it is there
        except ImportError:
            raise GameError("render mode 'rgb_array' needs Pillow: pip install 'tichu[render]'") from None
    return mode


def render(state: Round | View, mode: str | None, seat: int = 0) -> str | NDArray[np.uint8] | None:
    """What ``render()`` of an environment gives."""
    if mode == "ansi":
        return table_text(state)
    if mode == "rgb_array":
        from tichu.envs.picture import draw_table

        return draw_table(state, seat)
    return None


def show_table(state: Round | View) -> None:
    """Print what :func:`table_text` writes, in colours where a terminal has them."""
    click.echo(table_text(state))


def table_text(state: Round | View) -> str:
    r"""A round with all hands, or as one seat sees it; ``>`` marks the seats that decide.

    The last line is the same in our notation.

    >>> state = Round.from_position("9s/5b/KbPh/4s p2 0:5g5r 75/0/0/0 6 T--- - -/-/-/-")
    >>> print(click.unstyle(table_text(state)))
      seat 0   75 points   9♠   [Tichu]
      seat 1    0 points   5♦
    > seat 2    0 points   K♦ Phoenix
      seat 3    0 points   4♠
    play       5♣ 5♥ from seat 0, wish 6
    9s/5b/KbPh/4s p2 0:5g5r 75/0/0/0 6 T--- - -/-/-/-
    >>> print(click.unstyle(table_text(state.view(2))).splitlines()[0])
      seat 0   75 points   1 card   [Tichu]
    """
    seats = [
        f"{'>' if seat in state.pending else ' '} seat {seat} {state.points[seat]:4} points   "
        f"{'   '.join(_seat_facts(state, seat))}"
        for seat in range(4)
    ]
    table = f"{state.phase.name.lower():11}{', '.join(_table_facts(state))}"
    notation = str(state) if isinstance(state, Round) else format_view(state)
    return "\n".join([*seats, table, click.style(notation, dim=True)])


def card_text(card: Card) -> str:
    """A card with its sign and colour.

    >>> click.unstyle(card_text(4)), click.unstyle(card_text(PHOENIX))
    ('2♠', 'Phoenix')
    """
    if card in SPECIALS:
        return click.style(SPECIALS[card], fg="magenta", bold=True)
    return click.style(rank_text(rank_of(card)) + _SIGNS[suit_of(card)], fg=_COLOURS[suit_of(card)], bold=True)


def rank_text(rank: int) -> str:
    """As on the card: ``10``, ``J``."""
    return str(rank) if rank < 11 else "JQKA"[rank - 11]


def in_hand_order(cards: Cards) -> list[Card]:
    """Mah Jong and Dog, the ranks, Phoenix and Dragon: as sets are written."""
    return sorted(cards_of(cards), key=lambda card: card + 56 if card in (PHOENIX, DRAGON) else card)


def _seat_facts(state: Round | View, seat: int) -> Iterator[str]:
    cards = state.hands[seat] if isinstance(state, Round) else state.hand if seat == state.seat else 0
    if cards:
        yield " ".join(map(card_text, in_hand_order(cards)))
    else:
        count = 0 if isinstance(state, Round) else state.counts[seat]
        yield "1 card" if count == 1 else f"{count or 'no'} cards"
    match state.calls[seat]:
        case Call.GRAND:
            yield click.style("[Grand Tichu]", fg="yellow", bold=True)
        case Call.TICHU:
            yield click.style("[Tichu]", fg="yellow", bold=True)
    if seat in state.out:
        yield f"out as number {state.out.index(seat) + 1}"


def _table_facts(state: Round | View) -> Iterator[str]:
    if state.top is not None and state.phase is not Phase.END:
        yield f"{' '.join(map(card_text, in_hand_order(state.top.cards)))} from seat {state.owner}"
    else:
        yield "nothing on the table"
    if state.wish:
        yield f"wish {rank_text(state.wish)}"
