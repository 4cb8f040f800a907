"""Bots: everything that decides for a seat from its view."""

from tichu.agents.base import Agent, Choice
from tichu.agents.random import RandomAgent

__all__ = ["Agent", "Choice", "RandomAgent"]
