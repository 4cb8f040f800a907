"""What to play, and whether to bomb.

Every candidate is scored in turns: what it takes off the plan, plus what winning the trick is worth times the chance to
win it, plus what the table calls for (a caller to support or to stop, somebody about to go out, points in the trick).
"""

from typing import Final

from tichu.agents.base import Choice
from tichu.agents.heuristic.outlook import Outlook
from tichu.agents.heuristic.planning import Planner, longest_flush
from tichu.agents.heuristic.weights import DEFAULT, Weights
from tichu.core.actions import DECLINE_BOMB, PASS, Action
from tichu.core.cards import DRAGON, PHOENIX, Cards, points_of
from tichu.core.combos import Combo, Kind
from tichu.core.legal import Legal
from tichu.core.phases import Call, opponents_of, partner_of
from tichu.core.view import View

__all__ = ["choose_play"]

#: Going out, and a run of sure winners that ends there, come before everything else.
GO_OUT: Final = 6.0
SURE_RUN: Final = 4.0


class Table:
    """What one seat makes of the table when it has to play."""

    __slots__ = (
        "caller",
        "hand",
        "mine_to_win",
        "outlook",
        "partner",
        "planner",
        "supported",
        "top",
        "view",
        "weights",
    )

    def __init__(self, view: View, weights: Weights = DEFAULT) -> None:
        self.weights = weights
        self.view = view
        self.hand = view.hand
        self.top = view.top
        self.outlook = Outlook(view, weights)
        self.planner = Planner(self.outlook)
        self.partner = partner_of(view.seat)
        nobody_out = not view.out
        #: The partner has a call to win, so the partner goes first.
        self.supported = nobody_out and view.calls[self.partner] not in (Call.NONE, None)
        #: An opponent with a call that can still be broken.
        callers = [seat for seat in opponents_of(view.seat) if view.calls[seat] not in (Call.NONE, None)]
        self.caller = callers[0] if nobody_out and callers else -1
        self.mine_to_win = nobody_out and view.calls[view.seat] not in (Call.NONE, None)

    def danger(self, seat: int) -> float:
        """How much it hurts if an opponent gets the lead."""
        weights = self.weights
        danger = {1: weights.block_one, 2: weights.block_two, 3: weights.block_three}.get(self.view.counts[seat], 0.0)
        if seat == self.caller:
            danger += weights.stop_caller
        return danger

    def score(self, combo: Combo) -> tuple[float, Choice]:
        """The worth of playing this, and the strongest reason."""
        hand = self.hand
        after = hand & ~combo.cards
        if not after:
            return (-GO_OUT, Choice(combo, "forced")) if self.supported else (GO_OUT, Choice(combo, "out"))
        chance = self.outlook.chance(combo, self.top)
        gain = self.planner.cost(hand) - self.planner.cost(after)
        score = gain + self.weights.lead * chance
        if chance >= 0.995 and self._runs_out(after) and not self.supported:
            return SURE_RUN + score, Choice(combo, "run")
        extra, why = self._lead_extra(combo, chance) if self.top is None else self._follow_extra(combo, chance)
        if why == "stop":
            choice = Choice(combo, why, {"seat": self.view.owner})
        elif why == "support":
            choice = Choice(combo, why, {"seat": self.partner})
        else:
            reason = "shed" if gain > self.weights.lead * chance else "control"
            choice = Choice(combo, reason, {"percent": round(100 * chance)})
        return score + extra, choice

    def _runs_out(self, hand: Cards) -> bool:
        """Whether, on lead, all but one of the combinations left are sure winners."""
        unsure = 0
        for kind, size, rank in self.planner.plan(hand)[1]:
            if not self._is_sure(kind, size, rank):
                unsure += 1
                if unsure > 1:
                    return False
        return True

    def _is_sure(self, kind: Kind, size: int, rank: int) -> bool:
        outlook = self.outlook
        match kind:
            case Kind.SINGLE:
                return rank > 1 and outlook.single_chance[rank] >= 0.995
            case Kind.PAIR:
                return outlook.pair_chance[rank] >= 0.995
            case Kind.TRIPLE | Kind.FULL_HOUSE:
                return outlook.triple_chance[rank] >= 0.995
            case Kind.STRAIGHT:
                return outlook.run_chance(size, rank) >= 0.995
            case Kind.STAIRS:
                return outlook.stairs_chance(size, rank) >= 0.995
            case Kind.FOUR | Kind.STRAIGHT_FLUSH:
                return True
            case _:
                return False

    def _lead_extra(self, combo: Combo, chance: float) -> tuple[float, str]:
        view = self.view
        extra = self.weights.card * combo.size
        partner_cards = view.counts[self.partner]
        if combo.kind == Kind.DOG:
            if not partner_cards:
                return extra - 1.0, ""
            if self.supported:
                return extra + self.weights.support, "support"
            # A partner near the end uses the lead better than most hands do.
            return extra + (0.6 if partner_cards <= 3 else 0.0) - (0.8 if self.mine_to_win else 0.0), ""
        for seat in opponents_of(view.seat):
            cards = view.counts[seat]
            # §3.3: who has fewer cards than were led cannot answer, who has as many may be out with them.
            if 0 < cards <= 2 and combo.size == cards:
                extra -= (self.weights.feed_one if cards == 1 else self.weights.feed_two) * (1.0 - chance)
        if self.supported and combo.size <= 2 and partner_cards >= combo.size:
            return extra + self.weights.feed_partner * (1.0 - chance), "support"
        if partner_cards == combo.size and combo.size <= 2:
            extra += self.weights.feed_partner * (1.0 - chance)
        return extra, ""

    def _follow_extra(self, combo: Combo, chance: float) -> tuple[float, str]:
        view = self.view
        points = points_of(view.played) - sum(view.points) + points_of(combo.cards)
        worth = self.weights.point * points * chance
        if combo.cards == 1 << DRAGON:
            worth = -worth  # §4.6: it is given away.
        if view.owner == self.partner:
            return worth, ""
        danger = self.danger(view.owner) * chance
        return worth + danger, "stop" if danger > 0.5 else ""

    def score_pass(self, action: Action) -> tuple[float, Choice]:
        """What letting the trick go is worth."""
        view, top = self.view, self.top
        assert top is not None
        if view.owner == self.partner:
            holds = (
                self.outlook.chance(top, None) if top.cards != 1 << PHOENIX else self.outlook.single_chance[top.rank]
            )
            if self.supported:
                return 3.0, Choice(action, "support", {"seat": self.partner})
            worth = self.weights.partner_holds * (0.4 + 0.6 * holds)
            return worth, Choice(action, "partner_holds", {"seat": self.partner, "percent": round(100 * holds)})
        return self.weights.hold_back, Choice(action, "hold_back")

    def score_decline(self) -> tuple[float, Choice]:
        """§7.2: what keeping the bomb is worth; an own trick needs none."""
        if self.view.owner == self.view.seat:
            return GO_OUT - 0.5, Choice(DECLINE_BOMB, "own_trick")
        worth, choice = self.score_pass(DECLINE_BOMB)
        return worth + self.weights.keep_bomb, choice


def choose_play(view: View, legal: Legal, weights: Weights = DEFAULT) -> Choice:
    """The decision on the seat's turn or when asked to bomb."""
    table = Table(view, weights)
    options: list[Action] = list(legal)
    combos = _one_of_each([action for action in options if isinstance(action, Combo)], view.hand)
    if view.top is None:
        combos = _planned_leads(table, combos)
    scored = [table.score(combo) for combo in combos]
    if PASS in options:
        scored.append(table.score_pass(PASS))
    elif DECLINE_BOMB in options:
        scored.append(table.score_decline())
    if len(scored) == 1:
        return scored[0][1]._replace(code="forced", arguments={})
    return max(scored, key=lambda one: one[0])[1]


def _one_of_each(combos: list[Combo], hand: Cards) -> list[Combo]:
    """Of combinations that differ only in suits, the one that spares a straight flush."""
    flush = longest_flush(hand)
    chosen: dict[tuple[int, ...], Combo] = {}
    for combo in combos:
        # Which pair goes along with a triple does not depend on suits.
        rest = combo.cards & ~(15 << 4 * (combo.rank - 1)) if combo.kind == Kind.FULL_HOUSE else 0
        key = (combo.kind, combo.size, combo.rank, combo.phoenix, (rest.bit_length() + 3) // 4)
        known = chosen.get(key)
        if known is None or (combo.cards & flush).bit_count() < (known.cards & flush).bit_count():
            chosen[key] = combo
    return list(chosen.values())


def _planned_leads(table: Table, combos: list[Combo]) -> list[Combo]:
    """Lead what the plan holds; anything else only if a wish leaves nothing of it."""
    groups = set(table.planner.plan(table.hand)[1])
    planned = [combo for combo in combos if (combo.kind, combo.size, combo.rank) in groups]
    return planned or combos
