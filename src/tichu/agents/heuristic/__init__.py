"""The rule-based bot."""

from tichu.agents.heuristic.agent import HeuristicAgent

__all__ = ["HeuristicAgent"]
