"""Whether to call, by the estimated chance to be first.

Both chances are logistic in a few features of the hand; the coefficients were fitted to self-play
(``tools/fit_calls.py``).  How high a chance must be depends on the match: who is far behind dares more.
"""

import math
from typing import Final

from tichu.agents.heuristic.outlook import Outlook
from tichu.agents.heuristic.planning import Planner
from tichu.agents.heuristic.weights import DEFAULT, Weights
from tichu.core.cards import DOG, DRAGON, MAH_JONG, PHOENIX, RANKS
from tichu.core.combos import Kind
from tichu.core.phases import Call, opponents_of, partner_of
from tichu.core.view import View

__all__ = ["calls_grand", "calls_tichu", "grand_chance", "grand_features", "tichu_chance", "tichu_features"]

_BOMBS: Final = (Kind.FOUR, Kind.STRAIGHT_FLUSH)

TICHU_COEFFICIENTS: Final = (0.356, -0.337, -0.261, 1.008, 0.602, 0.592, 0.653, -0.059, -0.082)
GRAND_COEFFICIENTS: Final = (-1.678, 0.733, 1.054, 0.362, 0.080, 0.079, 0.005, 0.071, -0.001)


def tichu_features(view: View, weights: Weights = DEFAULT) -> tuple[float, ...]:
    """What the chance to be first with fourteen cards depends on."""
    hand = view.hand
    cost, groups = Planner(Outlook(view, weights)).plan(hand)
    others = [view.counts[seat] for seat in range(4) if seat != view.seat]
    return (
        1.0,
        cost,
        len(groups),
        hand >> DRAGON & 1,
        hand >> PHOENIX & 1,
        (hand >> 52).bit_count(),
        sum(kind in _BOMBS for kind, _, _ in groups),
        view.top is None and view.seat in view.pending,
        14 - min(others),
    )


def grand_features(view: View) -> tuple[float, ...]:
    """What the chance to be first depends on after eight cards."""
    hand = view.hand
    counts = [(hand >> 4 * (rank - 1) & 15).bit_count() for rank in RANKS]
    return (
        1.0,
        hand >> DRAGON & 1,
        hand >> PHOENIX & 1,
        counts[12],
        counts[11],
        hand >> MAH_JONG & 1,
        hand >> DOG & 1,
        sum(count >= 3 for count in counts),
        sum(count == 1 for count in counts[:8]),
    )


def tichu_chance(view: View, weights: Weights = DEFAULT) -> float:
    """The estimated chance to be first."""
    return _logistic(tichu_features(view, weights), TICHU_COEFFICIENTS)


def grand_chance(view: View) -> float:
    """The estimated chance to be first, on eight cards."""
    return _logistic(grand_features(view), GRAND_COEFFICIENTS)


def _logistic(features: tuple[float, ...], coefficients: tuple[float, ...]) -> float:
    return 1.0 / (1.0 + math.exp(-sum(x * weight for x, weight in zip(features, coefficients, strict=True))))


def calls_grand(view: View, weights: Weights = DEFAULT) -> bool:
    """§2.1: on eight cards."""
    return grand_chance(view) > weights.grand_chance + _caution(view, 200)


def calls_tichu(view: View, weights: Weights = DEFAULT) -> bool:
    """§2.2: now, before the first card; never against the partner's call or once somebody is out."""
    if view.out or view.calls[partner_of(view.seat)] is not Call.NONE:
        return False
    needed = weights.tichu_chance + _caution(view, 100)
    if any(view.calls[seat] is not Call.NONE for seat in opponents_of(view.seat)):
        needed += weights.against_caller
    return tichu_chance(view, weights) > needed


def _caution(view: View, stake: int) -> float:
    """How much surer than usual one must be.

    A team that wins without the call risks nothing, one that loses without it has nothing to lose.
    """
    own, other = view.score
    goal = view.rules.goal.number if view.rules.goal.kind == "target" else 0
    if not goal:
        return 0.0
    if other + 100 >= goal and own + 100 < other:
        return -0.12
    if own + 60 >= goal and other + stake + 100 < own:
        return 0.08
    return 0.0
