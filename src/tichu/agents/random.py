"""A bot that plays anything legal and never calls: the foot of every ladder."""

from random import Random

from tichu.agents.base import Agent
from tichu.core.actions import DECLINE_GRAND, Action
from tichu.core.legal import Legal
from tichu.core.phases import Phase
from tichu.core.view import View

__all__ = ["RandomAgent"]


class RandomAgent(Agent):
    """Draws uniformly from the legal actions, calls aside."""

    name = "random"

    def __init__(self, seed: int = 0) -> None:
        super().__init__(seed)
        self._rng = Random(seed)

    def act(self, view: View, legal: Legal) -> Action:
        if view.phase is Phase.GRAND:
            return DECLINE_GRAND
        return legal.draw(self._rng)
