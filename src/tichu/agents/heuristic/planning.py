"""How a hand leaves in the fewest turns.

A plan parts a hand into combinations of least total cost (see :mod:`~tichu.agents.heuristic.outlook`).  It works on how
many cards of each rank there are: bombs are kept or broken, straights are tried in every place, and what is left falls
into stairs, full houses, triples, pairs and singles.  The Phoenix is tried alone and as every rank that it could help.
"""

from typing import Final

from tichu.agents.heuristic.outlook import Outlook
from tichu.core.cards import DOG, DRAGON, MAH_JONG, PHOENIX, Cards
from tichu.core.combos import Kind

__all__ = ["Group", "Plan", "Planner"]

#: A combination of a plan as kind, size and rank, so that suits stay open.
Group = tuple[Kind, int, int]
Plan = tuple[float, tuple[Group, ...]]

_SUITED: Final[Cards] = (1 << 56) - 16


class Planner:
    """Plans of one seat under one outlook, remembered while it decides."""

    __slots__ = ("_known", "outlook")

    def __init__(self, outlook: Outlook) -> None:
        self.outlook = outlook
        self._known: dict[Cards, Plan] = {}

    def cost(self, hand: Cards) -> float:
        """How many turns the hand is short of going out."""
        return self.plan(hand)[0]

    def plan(self, hand: Cards) -> Plan:
        """The cheapest way to part the hand."""
        known = self._known.get(hand)
        if known is None:
            known = self._known[hand] = self._whole(hand)
        return known

    def _whole(self, hand: Cards) -> Plan:
        best = self._without_flush(hand)
        flush = longest_flush(hand)
        if flush:
            cost, groups = self._whole(hand & ~flush)
            size = flush.bit_count()
            if cost + self.outlook.weights.bomb < best[0]:
                best = (
                    cost + self.outlook.weights.bomb,
                    ((Kind.STRAIGHT_FLUSH, size, flush.bit_length() // 4 + 1), *groups),
                )
        return best

    def _without_flush(self, hand: Cards) -> Plan:
        cost = 0.0
        groups: list[Group] = []
        if hand >> DOG & 1:
            cost += self.outlook.weights.dog
            groups.append((Kind.DOG, 1, 0))
        if hand >> DRAGON & 1:
            cost += self.outlook.single[15]
            groups.append((Kind.SINGLE, 1, 15))
        counts = [0, hand >> MAH_JONG & 1]
        counts += [(hand >> shift & 15).bit_count() for shift in range(4, 56, 4)]
        if hand >> PHOENIX & 1:
            plan = self._with_phoenix(counts)
        else:
            plan = self._plan_flush(counts)
        return cost + plan[0], (*groups, *plan[1])

    def _with_phoenix(self, counts: list[int]) -> Plan:
        cost, groups = self._plan_flush(counts)
        best: Plan = cost + self.outlook.phoenix, (*groups, (Kind.SINGLE, 1, 1))
        for rank in range(2, 15):
            count = counts[rank]
            # It fills a gap of a straight, or makes a pair or a triple; never a bomb.
            if count > 2 or (count == 0 and not _near_straight(counts, rank)):
                continue
            counts[rank] += 1
            plan = self._plan_flush(counts)
            counts[rank] -= 1
            # As a filler it must not end up alone.
            if plan[0] < best[0] and (Kind.SINGLE, 1, rank) not in plan[1]:
                best = plan
        return best

    def _plan_flush(self, counts: list[int]) -> Plan:
        """Natural cards and the Mah Jong: with each four kept as a bomb or broken."""
        fours = [rank for rank in range(2, 15) if counts[rank] == 4]
        best = self._with_straights(counts)
        for rank in fours:
            counts[rank] = 0
            cost, groups = self._plan_flush(counts)
            counts[rank] = 4
            if cost + self.outlook.weights.bomb < best[0]:
                best = cost + self.outlook.weights.bomb, ((Kind.FOUR, 4, rank), *groups)
        return best

    def _with_straights(self, counts: list[int]) -> Plan:
        best = self._rest(counts)
        low = 1
        for rank in range(1, 16):
            if rank < 15 and counts[rank]:
                continue
            if rank - low >= 5:
                for start in range(low, rank - 4):
                    for end in range(start + 4, rank):
                        plan = self._one_straight(counts, start, end)
                        if plan[0] < best[0]:
                            best = plan
            low = rank + 1
        return best

    def _one_straight(self, counts: list[int], start: int, end: int) -> Plan:
        for rank in range(start, end + 1):
            counts[rank] -= 1
        size = end - start + 1
        # A second straight only if enough is left; otherwise this would look again for nothing.
        again = sum(1 for count in counts if count) >= 5
        cost, groups = self._with_straights(counts) if again else self._rest(counts)
        for rank in range(start, end + 1):
            counts[rank] += 1
        return cost + self.outlook.straight(size, end), ((Kind.STRAIGHT, size, end), *groups)

    def _rest(self, counts: list[int]) -> Plan:
        """Stairs where they pay, then full houses, then what is left rank by rank."""
        single, pair, triple = self.outlook.single, self.outlook.pair, self.outlook.triple
        groups: list[Group] = []
        singles: list[int] = []
        pairs: list[int] = []
        triples: list[int] = []
        for rank in range(1, 15):
            count = counts[rank]
            if count == 0:
                continue
            alone = single[rank]
            if count == 1:
                singles.append(rank)
            elif count == 4:
                pairs += (rank, rank)
            # Controls are worth more apart.
            elif count == 2 and 2 * alone < pair[rank]:
                singles += (rank, rank)
            elif count == 2:
                pairs.append(rank)
            elif alone < 0.0 and alone + min(pair[rank], 2 * alone) < triple[rank]:
                singles.append(rank)
                pairs.append(rank)
            else:
                triples.append(rank)
        cost = self._stairs(pairs, groups) if len(pairs) > 1 else 0.0
        if triples:
            cost += self._triples(triples, pairs, groups)
        for rank in singles:
            cost += single[rank]
            groups.append((Kind.SINGLE, 1, rank))
        for rank in pairs:
            cost += pair[rank]
            groups.append((Kind.PAIR, 2, rank))
        return cost, tuple(groups)

    def _triples(self, triples: list[int], pairs: list[int], groups: list[Group]) -> float:
        """Triples, each with the pair that costs most if that pays; the pairs used are taken off ``pairs``."""
        outlook = self.outlook
        total = 0.0
        for rank in triples:
            worst = max((one for one in pairs if one != rank), key=outlook.pair.__getitem__, default=0)
            if worst and outlook.full_house[rank] < outlook.triple[rank] + outlook.pair[worst]:
                pairs.remove(worst)
                total += outlook.full_house[rank]
                groups.append((Kind.FULL_HOUSE, 5, rank))
            else:
                total += outlook.triple[rank]
                groups.append((Kind.TRIPLE, 3, rank))
        return total

    def _stairs(self, pairs: list[int], groups: list[Group]) -> float:
        """Runs of pairs where they pay; the pairs used are taken off ``pairs``."""
        total = 0.0
        run: list[int] = []
        for rank in [*pairs, 99]:
            if run and rank == run[-1] + 1:
                run.append(rank)
                continue
            if len(run) > 1:
                cost = self.outlook.stairs(2 * len(run), run[-1])
                if cost < sum(self.outlook.pair[one] for one in run):
                    total += cost
                    groups.append((Kind.STAIRS, 2 * len(run), run[-1]))
                    for one in run:
                        pairs.remove(one)
            run = [rank]
        return total


def longest_flush(hand: Cards) -> Cards:
    """The cards of the longest straight flush, 0 if there is none."""
    suited = hand & _SUITED
    starts = suited & suited >> 4 & suited >> 8 & suited >> 12 & suited >> 16
    best = 0
    while starts:
        low = starts & -starts
        starts ^= low
        cards, card = 0, low
        while card & suited:
            cards |= card
            card <<= 4
        if cards.bit_count() > best.bit_count():
            best = cards
    return best


def _near_straight(counts: list[int], rank: int) -> bool:
    """Whether filling this gap makes five in a row."""
    length = 1
    for step in (-1, 1):
        at = rank + step
        while 1 <= at <= 14 and counts[at]:
            length += 1
            at += step
    return length >= 5
