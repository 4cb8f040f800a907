"""What is still out, and so what each combination is worth to a hand.

A combination costs a turn.  One that wins its trick gives the turn back, and a high single or pair does more: it takes
the lead from somebody else.  So the cost of a combination is ``1 - control * chance``, where the chance is that nobody
beats it, estimated from the cards that the seat has not seen.  The sum over a hand says how many turns it is short of
going out.
"""

from typing import Final

from tichu.agents.heuristic.weights import DEFAULT, Weights
from tichu.core.cards import ALL_CARDS, DRAGON, PHOENIX, Cards
from tichu.core.combos import Combo, Kind
from tichu.core.view import View

__all__ = ["Outlook"]

# Chances that one opponent holds a higher pair or triple of a rank with that many unseen cards, and plays it.
_PAIR_THREAT: Final = (0.0, 0.0, 0.13, 0.28, 0.42)
_TRIPLE_THREAT: Final = (0.0, 0.0, 0.0, 0.06, 0.14)


class Outlook:
    """Chances and costs as one seat sees them."""

    __slots__ = (
        "full_house",
        "opponents",
        "pair",
        "pair_chance",
        "phoenix",
        "single",
        "single_chance",
        "triple",
        "triple_chance",
        "unseen",
        "weights",
    )

    def __init__(self, view: View, weights: Weights = DEFAULT) -> None:
        self.weights = weights
        self.unseen: Cards = ALL_CARDS & ~view.played & ~view.hand
        seat = view.seat
        theirs = view.counts[(seat + 1) & 3] + view.counts[(seat + 3) & 3]
        others = theirs + view.counts[seat ^ 2]
        #: The part of the unseen cards that the opponents hold; each threat counts by it.
        self.opponents = theirs / others if others else 0.0
        self._fill()

    def _fill(self) -> None:
        weights, unseen, share = (
            self.weights,
            self.unseen,
            self.opponents * 1.5,
        )  # 1.5: as dealt, two of three others are opponents
        dragon = unseen >> DRAGON & 1
        phoenix = unseen >> PHOENIX & 1
        single_chance = [1.0] * 16
        pair_chance = [1.0] * 16
        triple_chance = [1.0] * 16
        higher = dragon + phoenix
        pair = 1.0 - 0.1 * phoenix * share
        triple = 1.0 - 0.04 * phoenix * share
        single_chance[14] = weights.single_holds ** (higher * share)
        pair_chance[14] = triple_chance[14] = 1.0
        for rank in range(13, 0, -1):
            count = (unseen >> 4 * rank & 15).bit_count()
            higher += count
            single_chance[rank] = weights.single_holds ** (higher * share)
            pair *= 1.0 - _PAIR_THREAT[count] * share
            pair_chance[rank] = pair
            triple *= 1.0 - _TRIPLE_THREAT[count] * share
            triple_chance[rank] = triple
        self.single_chance = single_chance
        self.pair_chance = pair_chance
        self.triple_chance = triple_chance
        self.single = [1.0 - weights.single_control * chance for chance in single_chance]
        self.pair = [1.0 - weights.pair_control * chance for chance in pair_chance]
        self.triple = [1.0 - weights.triple_control * chance for chance in triple_chance]
        self.full_house = [1.0 - weights.full_house_control * chance for chance in triple_chance]
        # §4.3: half above an ace at best, beaten by the Dragon alone, and it can be kept for that.
        self.phoenix = 1.0 - weights.single_control * (weights.phoenix_chance if dragon else 0.92)

    def run_chance(self, size: int, top: int) -> float:
        """The chance that a straight holds; long ones are rarely beaten."""
        each = 0.95 if size == 5 else 0.965 if size == 6 else 0.98
        return 1.0 - self.opponents * 1.5 * (1.0 - each ** (14 - top))

    def straight(self, size: int, top: int) -> float:
        """The cost of a straight."""
        return 1.0 - self.weights.straight_control * self.run_chance(size, top)

    def stairs_chance(self, size: int, top: int) -> float:
        """The chance that stairs hold."""
        each = 0.965 if size == 4 else 0.985
        return 1.0 - self.opponents * 1.5 * (1.0 - each ** (14 - top))

    def stairs(self, size: int, top: int) -> float:
        """The cost of stairs."""
        return 1.0 - self.weights.stairs_control * self.stairs_chance(size, top)

    def chance(self, combo: Combo, on: Combo | None) -> float:
        """The chance that a combination, played on ``on``, wins the trick."""
        match combo.kind:
            case Kind.SINGLE:
                if combo.cards == 1 << PHOENIX:
                    return self.single_chance[on.rank] if on is not None else self.single_chance[1]
                return self.single_chance[combo.rank]
            case Kind.PAIR:
                return self.pair_chance[combo.rank]
            case Kind.TRIPLE | Kind.FULL_HOUSE:
                return self.triple_chance[combo.rank]
            case Kind.STRAIGHT:
                return self.run_chance(combo.size, combo.rank)
            case Kind.STAIRS | Kind.TRIPLE_STAIRS | Kind.FOUR_STAIRS:
                return self.stairs_chance(combo.size, combo.rank)
            case Kind.FOUR:
                return 0.96
            case Kind.STRAIGHT_FLUSH:
                return 0.99
            case Kind.DOG:
                return 0.0
