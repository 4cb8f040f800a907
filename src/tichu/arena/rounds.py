"""Four bots play a round."""

from collections.abc import Sequence

from tichu.agents.base import Agent
from tichu.deals import Deal
from tichu.game import Game
from tichu.match import Match
from tichu.rules import STANDARD, Rules

__all__ = ["play_round"]


def play_round(agents: Sequence[Agent], deal: Deal, rules: Rules = STANDARD, match: Match | None = None) -> Game:
    """Play a deal to its end.

    Pending seats are asked one by one; under ``bombs=anytime`` nobody would be asked out of turn, so simulations play
    its sequential form, ``bombs=ordered`` (§7.2).
    """
    game = Game.start(deal, rules, match)
    while not game.round.is_over:
        seat = game.round.pending[0]
        view = game.view(seat)
        game = game.after(seat, agents[seat].act(view, view.legal()))
    return game
