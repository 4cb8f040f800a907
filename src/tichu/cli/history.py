"""What a seat is said to have seen of a round: refused where no round can have gone that way.

Not every round is played again for that - the cards of the others are not known - but no card is played twice, the
Grand calls come before the exchange and that before the plays, what is played beats what lies there, and the end fits
the view.
"""

from typing import Final

from tichu.core.actions import Action, CallGrand, CallTichu, DeclineGrand, Exchange, Take, format_action
from tichu.core.cards import DOG, PHOENIX, Cards, format_cards
from tichu.core.combos import Combo, Kind
from tichu.core.errors import NotationError
from tichu.core.view import View

__all__ = ["check_history"]

#: Parts of a round, in order; calls of Tichu come at any time but before the Grand calls.
_GRAND, _EXCHANGE, _PLAY = range(3)
_NAMES: Final = ("Grand calls", "exchanges", "plays")


def check_history(view: View) -> None:
    """Refuse a history that cannot have led to the view; one may begin in the middle of the round.

    :raises NotationError: with the first action that is wrong
    """
    part = _GRAND
    done: set[tuple[int, int]] = set()
    played: Cards = 0
    top: tuple[int, Combo] | None = None
    for seat, action in view.history:
        text = format_action(seat, action)
        own = _part(action)
        if own < part and not (isinstance(action, CallTichu) and part > _GRAND):
            raise NotationError(f"{text} comes too late: {_NAMES[own]} are before {_NAMES[part]}")
        part = max(part, own)
        if isinstance(action, CallGrand | DeclineGrand | Exchange):
            # One's own exchange can be thought over.
            if (own, seat) in done and seat != view.seat:
                raise NotationError(f"{text}: seat {seat} has done that already")
            done.add((own, seat))
        if isinstance(action, Combo):
            if twice := action.cards & played:
                raise NotationError(f"{text}: {format_cards(twice)} is played already")
            # What the Phoenix alone beats depends on what it lies on.
            is_known = top is not None and top[1].cards != 1 << PHOENIX
            if top is not None and is_known and not action.beats(top[1], view.rules.equal_flush):
                raise NotationError(f"{text} does not beat {format_action(*top)}")
            played |= action.cards
        top = _top_after(top, seat, action)
    _check_end(view, played, top)


def _part(action: Action) -> int:
    match action:
        case CallGrand() | DeclineGrand():
            return _GRAND
        case Exchange() | CallTichu():
            return _EXCHANGE
        case _:
            return _PLAY


def _top_after(top: tuple[int, Combo] | None, seat: int, action: Action) -> tuple[int, Combo] | None:
    match action:
        case Combo() if action.cards != 1 << DOG:
            return seat, action
        case Combo() | Take():
            return None
        case _:
            return top


def _check_end(view: View, played: Cards, top: tuple[int, Combo] | None) -> None:
    if unseen := played & ~view.played:
        raise NotationError(f"{format_cards(unseen)} is played in the history, and not in the view")
    # The Dog lies there only while somebody is asked to bomb it.
    there = None if view.top is None or view.top.kind == Kind.DOG else (view.owner, view.top.cards)
    if played and there != (None if top is None else (top[0], top[1].cards)):
        raise NotationError("what lies on the table is not what the history ends with")
