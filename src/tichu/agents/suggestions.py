"""Some of the legal plays, sorted for a person: one of each kind, length and rank, not every suit and reading."""

from typing import Final, NamedTuple

from tichu.core.cards import PHOENIX
from tichu.core.combos import Combo, Kind
from tichu.core.plays import bombs
from tichu.core.view import View

__all__ = ["Group", "bombs_held", "groups"]

_TITLES: Final = (
    ("Single", (Kind.SINGLE, Kind.DOG)),
    ("Pair", (Kind.PAIR,)),
    ("Triple", (Kind.TRIPLE,)),
    ("Stairs", (Kind.STAIRS, Kind.TRIPLE_STAIRS, Kind.FOUR_STAIRS)),
    ("Full house", (Kind.FULL_HOUSE,)),
    ("Straight", (Kind.STRAIGHT,)),
    ("BOMB", (Kind.FOUR, Kind.STRAIGHT_FLUSH)),
)


class Group(NamedTuple):
    """Plays of one sort, the lowest first; long ones before short ones."""

    title: str
    combos: tuple[Combo, ...]


def groups(view: View) -> tuple[Group, ...]:
    """What the seat can play now.

    >>> from tichu.core.round import Round
    >>> state = Round.from_position("7s7b9gPh/2s/3s/4s p0 - 125/0/0/0 - ---- - -/-/-/-")
    >>> [(group.title, [str(combo) for combo in group.combos]) for group in groups(state.view(0))]
    [('Single', ['7s', '9g', 'Ph']), ('Pair', ['7s7b', '9gP9']), ('Triple', ['7s7bP7'])]
    """
    found: dict[tuple[Kind, int, int, int], Combo] = {}
    for combo in sorted((action for action in view.legal() if isinstance(action, Combo)), key=_thrift):
        # The lone Phoenix has no rank of its own, and of bombs each one counts.
        own = combo.cards if combo.is_bomb or combo.cards == 1 << PHOENIX else 0
        found.setdefault((combo.kind, combo.size, combo.rank, own), combo)
    ordered = sorted(found.values(), key=_place)
    grouped = (Group(title, tuple(combo for combo in ordered if combo.kind in kinds)) for title, kinds in _TITLES)
    return tuple(group for group in grouped if group.combos)


def _place(combo: Combo) -> tuple[int, bool, int]:
    return -combo.size, combo.cards == 1 << PHOENIX, combo.rank


def _thrift(combo: Combo) -> tuple[bool, int]:
    """Of two equal plays the one that keeps the Phoenix, then the one with the lower cards."""
    return combo.phoenix > 0, combo.cards


def bombs_held(view: View) -> tuple[Combo, ...]:
    """Every bomb in your hand, whether it can be thrown now or not."""
    return tuple(bombs(view.hand, rules=view.rules)) if view.hand.bit_count() >= 4 else ()
