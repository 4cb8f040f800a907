"""Bots against each other: rounds, duels on the same deals, and what they tell.

Imports agents and what lies below them; the command line imports it.

>>> from tichu.core.rules import STANDARD
>>> tournament = plan([parse_team("greedy"), parse_team("random")], deals=2, rules=STANDARD, seed=1)
>>> deals = [deal for _, deal in play_tournament(tournament, SerialPool())]
>>> summarise(tournament.setups[0], deals).rounds
4
"""

from tichu.arena.duel import PlayedDeal
from tichu.arena.rounds import play_round
from tichu.arena.setup import Setup
from tichu.arena.summary import Summary, summarise
from tichu.arena.teams import Team, parse_team
from tichu.arena.tournament import Tournament, plan, play_tournament
from tichu.parallel import Pool, ProcessPool, SerialPool

__all__ = [
    "PlayedDeal",
    "Pool",
    "ProcessPool",
    "SerialPool",
    "Setup",
    "Summary",
    "Team",
    "Tournament",
    "parse_team",
    "plan",
    "play_round",
    "play_tournament",
    "summarise",
]
