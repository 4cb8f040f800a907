"""The heuristic bot: plans its hand, counts the cards, and says why."""

from typing import assert_never

from tichu.agents.base import Agent, Choice
from tichu.agents.heuristic.calling import calls_grand, calls_tichu, grand_chance, tichu_chance
from tichu.agents.heuristic.giving import choose_exchange, choose_gift, choose_wish
from tichu.agents.heuristic.playing import choose_play
from tichu.agents.heuristic.weights import DEFAULT, Weights
from tichu.core.actions import CALL_GRAND, CALL_TICHU, DECLINE_GRAND, Action
from tichu.core.errors import GameError
from tichu.core.legal import Legal
from tichu.core.phases import Phase
from tichu.core.view import View

__all__ = ["HeuristicAgent"]


class HeuristicAgent(Agent):
    """Decides from the view alone, without chance: the same view gives the same decision."""

    name = "heuristic"

    def __init__(self, seed: int = 0, weights: Weights = DEFAULT) -> None:
        super().__init__(seed)
        self.weights = weights

    def act(self, view: View, legal: Legal) -> Action:
        return self.explain(view, legal).action

    def explain(self, view: View, legal: Legal) -> Choice:
        match view.phase:
            case Phase.GRAND:
                percent = {"percent": round(100 * grand_chance(view))}
                grand = CALL_GRAND in legal and calls_grand(view, self.weights)
                return Choice(CALL_GRAND, "call", percent) if grand else Choice(DECLINE_GRAND, "no_call", percent)
            case Phase.EXCHANGE:
                return choose_exchange(view, self.weights)
            case Phase.WISH:
                return choose_wish(view, legal)
            case Phase.TAKE:
                return choose_gift(view, legal)
            case Phase.PLAY | Phase.BOMB:
                if legal.may_call and calls_tichu(view, self.weights):
                    return Choice(CALL_TICHU, "call", {"percent": round(100 * tichu_chance(view, self.weights))})
                return choose_play(view, legal, self.weights)
            case Phase.END:
                raise GameError("the round is over: there is nothing to decide")
            case _:
                assert_never(view.phase)
