"""A bot of a few rules, to measure others by: it sheds cards as fast as it can and never thinks ahead.

* It leads its longest combination, the lowest of that length, and beats with the lowest that beats.
* Natural cards go before the Phoenix; the Phoenix alone counts as just below the Dragon.
* Without an ordinary combination that beats, it plays its weakest bomb; it passes only if it must, and when it is asked
  whether it bombs out of turn it declines.
* It never calls.  It gives its three lowest cards without the specials: the lowest to the left, the next to the right,
  the highest of them to its partner.
* It wishes for the highest rank it does not hold, and gives the Dragon's trick to the opponent with more cards.
"""

from typing import assert_never

from tichu.agents.base import Agent
from tichu.core.actions import DECLINE_BOMB, DECLINE_GRAND, NO_WISH, PASS, Action, Exchange, Take, Wish
from tichu.core.cards import PHOENIX, RANKS, Cards, cards_of
from tichu.core.combos import Combo
from tichu.core.errors import GameError
from tichu.core.legal import Legal
from tichu.core.phases import Phase
from tichu.core.view import View

__all__ = ["GreedyAgent"]

# Between the ace and the Dragon.
_LONE_PHOENIX_RANK = 14.5


class GreedyAgent(Agent):
    """Longest lead, lowest card that beats; the same decision for the same view, whatever the seed."""

    name = "greedy"

    def act(self, view: View, legal: Legal) -> Action:
        match view.phase:
            case Phase.PLAY:
                return _play(view, legal)
            case Phase.GRAND:
                return DECLINE_GRAND
            case Phase.EXCHANGE:
                return _gifts(view.hand)
            case Phase.WISH:
                return _wish(view)
            case Phase.TAKE:
                takes = [action for action in legal if isinstance(action, Take)]
                return max(takes, key=lambda take: 0 if take.recipient is None else view.counts[take.recipient])
            case Phase.BOMB:
                return DECLINE_BOMB
            case Phase.END:
                raise GameError("the round is over")
            case _:
                assert_never(view.phase)


def _play(view: View, legal: Legal) -> Action:
    combos = [action for action in legal if isinstance(action, Combo)]
    if not combos:
        return PASS
    # On a trick all ordinary combinations have the same number of cards.
    return min(combos, key=_cost)


def _cost(combo: Combo) -> tuple[object, ...]:
    """What is played first has the lowest."""
    if combo.is_bomb:
        return True, combo.kind, combo.size, combo.rank, combo.cards
    rank = _LONE_PHOENIX_RANK if combo.cards == 1 << PHOENIX else combo.rank
    return False, -combo.size, rank, combo.phoenix != 0, combo.cards, combo.phoenix


def _gifts(hand: Cards) -> Exchange:
    lowest, middle, highest = list(cards_of(hand & ~0xF))[:3]
    return Exchange(left=lowest, partner=highest, right=middle)


def _wish(view: View) -> Action:
    for rank in reversed(RANKS):
        if not view.hand >> 4 * (rank - 1) & 15:
            return Wish(rank)
    return Wish(RANKS[0]) if view.rules.wish == "must" else NO_WISH
