"""Bots: everything that decides for a seat from its view.

Imports the core, the kernel and the encoding; arena, environments, server and terminal import it.
"""

from tichu.agents.base import Agent, BatchAgent, Choice, Question
from tichu.agents.greedy import GreedyAgent
from tichu.agents.guard import Fault, Guarded
from tichu.agents.heuristic import HeuristicAgent
from tichu.agents.process import ProcessAgent
from tichu.agents.program import BotFault
from tichu.agents.random import RandomAgent
from tichu.agents.reasons import in_words
from tichu.agents.registry import AGENTS, LEVELS, make_agent

__all__ = [
    "AGENTS",
    "LEVELS",
    "Agent",
    "BatchAgent",
    "BotFault",
    "Choice",
    "Fault",
    "GreedyAgent",
    "Guarded",
    "HeuristicAgent",
    "ProcessAgent",
    "Question",
    "RandomAgent",
    "in_words",
    "make_agent",
]
