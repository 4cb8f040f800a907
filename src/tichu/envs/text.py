"""A round as lines of text, for people who watch an environment."""

from collections.abc import Iterator

import click

from tichu.core.cards import format_cards, format_rank
from tichu.core.errors import GameError
from tichu.core.phases import Call, Phase
from tichu.core.round import Round
from tichu.core.view import View

__all__ = ["RENDER_MODES", "check_render_mode", "show_table", "table_text"]

RENDER_MODES = ("ansi", "human")


def check_render_mode(mode: str | None) -> str | None:
    """The mode, if there is one of that name.

    :raises GameError: there is not
    """
    if mode is not None and mode not in RENDER_MODES:
        raise GameError(f"render mode {mode!r} does not exist: use {' or '.join(RENDER_MODES)}")
    return mode


def show_table(state: Round | View) -> None:
    """Print what :func:`table_text` writes."""
    click.echo(table_text(state))


def table_text(state: Round | View) -> str:
    """A round with all hands, or as one seat sees it; ``>`` marks the seats that decide.

    >>> state = Round.from_position("9s/5b/Kb/4s p2 0:5g5r 75/0/0/0 6 T--- - -/-/-/-")
    >>> print(table_text(state))
      seat 0: 9s, 75 points, Tichu
      seat 1: 5b, 0 points
    > seat 2: Kb, 0 points
      seat 3: 4s, 0 points
    play: 5g5r from seat 0, wish 6
    >>> print(table_text(state.view(2)).splitlines()[0])
      seat 0: 1 card, 75 points, Tichu
    """
    seats = [
        f"{'>' if seat in state.pending else ' '} seat {seat}: {', '.join(_seat_facts(state, seat))}"
        for seat in range(4)
    ]
    return "\n".join([*seats, f"{state.phase.name.lower()}: {', '.join(_table_facts(state))}"])


def _seat_facts(state: Round | View, seat: int) -> Iterator[str]:
    if isinstance(state, Round):
        yield format_cards(state.hands[seat]) if state.hands[seat] else "no cards"
    elif seat == state.seat and state.hand:
        yield format_cards(state.hand)
    else:
        yield "1 card" if state.counts[seat] == 1 else f"{state.counts[seat] or 'no'} cards"
    yield f"{state.points[seat]} points"
    match state.calls[seat]:
        case Call.GRAND:
            yield "Grand Tichu"
        case Call.TICHU:
            yield "Tichu"
    if seat in state.out:
        yield f"out as number {state.out.index(seat) + 1}"


def _table_facts(state: Round | View) -> Iterator[str]:
    if state.top is not None and state.phase is not Phase.END:
        yield f"{state.top} from seat {state.owner}"
    else:
        yield "nothing on the table"
    if state.wish:
        yield f"wish {format_rank(state.wish)}"
