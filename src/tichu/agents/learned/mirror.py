"""The other direction of play.

The network has played counterclockwise only (§1.2).  Where play goes clockwise, it is shown the table in a mirror: LEFT
and RIGHT change places, and so do its answers.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, TypeVar

from tichu.core.actions import Action, Exchange, Pass, Take
from tichu.core.combos import Combo
from tichu.core.round import Round
from tichu.core.rules import Rules
from tichu.core.view import View

__all__ = ["mirror_account", "mirror_action", "mirror_round", "mirror_view"]

T = TypeVar("T")


def _across(seat: int) -> int:
    return -seat & 3 if seat >= 0 else seat


def _mirror_seats(by_seat: tuple[T, ...]) -> tuple[T, ...]:
    return by_seat[0], by_seat[3], by_seat[2], by_seat[1]


def mirror_view(view: View) -> View:
    """The same table with seats 1 and 3 exchanged; of the history only plays and passes are kept."""
    return view._replace(
        **_mirror_public(view),
        seat=_across(view.seat),
        counts=_mirror_seats(view.counts),
        history=tuple((_across(seat), action) for seat, action in view.history if isinstance(action, (Combo, Pass))),
    )


def mirror_action(action: Action) -> Action:
    """What an action is on the other side of the mirror."""
    match action:
        case Exchange(left, partner, right):
            return Exchange(right, partner, left)
        case Take(recipient) if recipient is not None:
            return Take(_across(recipient))
        case _:
            return action


def mirror_round(state: Round) -> Round:
    """A whole round on the other side of the mirror; teams stay what they are."""
    return state._replace(**_mirror_public(state), hands=_mirror_seats(state.hands), later=_mirror_seats(state.later))


def _mirror_public(table: Round | View) -> dict[str, Any]:
    """What a round and a view have in common."""
    return {
        "rules": _other_direction(table.rules),
        "pending": tuple(sorted(map(_across, table.pending))),
        "owner": _across(table.owner),
        "points": _mirror_seats(table.points),
        "calls": _mirror_seats(table.calls),
        "out": tuple(map(_across, table.out)),
        "given": _mirror_seats(tuple(cards[::-1] for cards in table.given)),
        "actor": _across(table.actor),
    }


def mirror_account(account: Iterable[tuple[int, Action]]) -> tuple[tuple[int, Action], ...]:
    """What was done, on the other side of the mirror."""
    return tuple((_across(seat), mirror_action(action)) for seat, action in account)


def _other_direction(rules: Rules) -> Rules:
    return replace(rules, direction="ccw" if rules.direction == "cw" else "cw")
