"""Late decisions that can be proved: one action is best in every possible world.

Where few worlds are possible and few cards are left, each world is solved with open hands (:mod:`.solver`).  If one
action is best in all of them, the seat need not know which one it is in.  That is said of open hands: all four see
everything and play their best from there on.
"""

from random import Random
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tichu.analysis.solver import solve
from tichu.analysis.worlds import Worlds
from tichu.core.actions import Action
from tichu.core.cards import Cards
from tichu.core.phases import Phase
from tichu.core.view import View
from tichu.encoding import encode

__all__ = ["MOST_CARDS", "MOST_WORLDS", "Proof", "is_late", "prove"]

#: How many worlds there may be, and how many cards in all four hands.
MOST_WORLDS: Final = 400
MOST_CARDS: Final = 18
#: States to look at in a world.
_NODES: Final = 400_000
#: Worlds after which a decision is left alone if what is to be missed has been best in all of them.
_PROBE: Final = 12


class Proof(NamedTuple):
    """Values with open hands, from the side of the seat's team."""

    #: The first is best in every world; those that differ in suits alone are one.
    actions: tuple[Action, ...]
    #: A row a world, a column an action.
    values: NDArray[np.int64]


def is_late(view: View) -> bool:
    """Whether so few cards are left that it is worth a try."""
    return view.phase not in (Phase.GRAND, Phase.EXCHANGE) and sum(view.counts) <= MOST_CARDS


def prove(view: View, eight: Cards, missed: Action | None = None) -> Proof | None:
    """Solve all worlds; None if no action is best in each of them, or if that cannot be known.

    With ``missed`` only proofs are looked for in which this action is not best.
    """
    worlds = Worlds(view, eight)
    if worlds.placements > 50 * MOST_WORLDS or not 0 < len(worlds.hands) <= MOST_WORLDS:
        return None
    rng = Random(0)
    hands = rng.sample(worlds.hands, len(worlds.hands))
    best: set[Action] = set()
    solved: list[dict[Action, int]] = []
    for number, each in enumerate(hands):
        values = _solve(worlds, each, rng)
        if values is None:
            return None
        most = max(values.values())
        top = {action for action, value in values.items() if value == most}
        best = best & top if solved else top
        solved.append(values)
        if not best or (missed in best and number >= min(_PROBE, len(hands)) - 1):
            return None
    return _proof(view, solved, best)


def _solve(worlds: Worlds, hands: tuple[Cards, ...], rng: Random) -> dict[Action, int] | None:
    """What every action is worth in a world."""
    solution = solve(worlds.round(worlds.complete(hands, rng)), _NODES)
    if not solution.is_exact or solution.seat != worlds.view.seat:
        return None
    side = 1 if solution.seat % 2 == 0 else -1
    return {each.action: side * each.lowest for each in solution.actions}


def _proof(view: View, solved: list[dict[Action, int]], best: set[Action]) -> Proof:
    """Of actions that differ in suits alone one is kept: one that is best everywhere, or the best on average."""
    means = {action: sum(values[action] for values in solved) / len(solved) for action in solved[0]}
    kept: dict[int, Action] = {}
    for action in sorted(means, key=lambda each: (each not in best, -means[each], str(each))):
        kept.setdefault(encode(action, view), action)
    actions = tuple(kept.values())
    return Proof(actions, np.array([[values[action] for action in actions] for values in solved]))
