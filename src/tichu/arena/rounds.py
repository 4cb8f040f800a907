"""Four bots play a round, or many fours play rounds side by side.

A round that is played side by side with others is a generator: it gives the questions to bots that gain from being
asked together, and takes their actions.  All other bots it asks itself, so that it waits only where there is a gain.
"""

from collections.abc import Generator, Sequence
from typing import Any

from tichu.agents.base import Agent, Question
from tichu.agents.together import side_by_side
from tichu.core.deals import Deal
from tichu.core.game import Game
from tichu.core.match import Match
from tichu.core.rules import STANDARD, Rules

__all__ = ["play_round", "waiting_round"]


def play_round(agents: Sequence[Agent], deal: Deal, rules: Rules = STANDARD, match: Match | None = None) -> Game:
    """Play a deal to its end."""
    [game] = side_by_side([waiting_round(agents, deal, rules, match)], Agent.act_together)
    return game


def waiting_round(
    agents: Sequence[Agent], deal: Deal, rules: Rules = STANDARD, match: Match | None = None
) -> Generator[Question, Any, Game]:
    """A round that waits where a bot gains from company.

    Pending seats are asked one by one; under ``bombs=anytime`` nobody would be asked out of turn, so simulations play
    its sequential form, ``bombs=ordered`` (§7.2).
    """
    waits = [agent.is_sociable for agent in agents]
    game = Game.start(deal, rules, match)
    while not game.round.is_over:
        seat = game.round.pending[0]
        view = game.view(seat)
        agent, legal = agents[seat], view.legal()
        game = game.after(seat, (yield Question(agent, view, legal)) if waits[seat] else agent.act(view, legal))
    return game
