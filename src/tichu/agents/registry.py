"""Bots by name, as they stand on the command line.

======================  =====================================================================
``greedy``              one of :data:`AGENTS`
``hard``                one of :data:`LEVELS`
``path/file.py:Class``  a subclass of :class:`~tichu.agents.base.Agent` in a Python file, or a
                        function from arrays (:class:`~tichu.agents.policy.PolicyAgent`)
``process:CMD``         any program that speaks the bot protocol on stdin and stdout
======================  =====================================================================
"""

from importlib import import_module
from typing import Final

from tichu.agents.base import Agent
from tichu.agents.greedy import GreedyAgent
from tichu.agents.heuristic import HeuristicAgent
from tichu.agents.loading import load_agent
from tichu.agents.process import ProcessAgent
from tichu.agents.random import RandomAgent
from tichu.core.errors import GameError

__all__ = ["AGENTS", "LEVELS", "make_agent"]

_CLASSES: Final[dict[str, type[Agent]]] = {
    "random": RandomAgent,
    "greedy": GreedyAgent,
    "heuristic": HeuristicAgent,
}

# Loaded when they are asked for: numpy and the weights take their time.
_LEARNED: Final = {
    "small": "SmallAgent",
    "learned": "LearnedAgent",
    "easy": "EasyAgent",
    "medium": "MediumAgent",
    "hard": "HardAgent",
    "best": "LearnedAgent",
}

#: The names of our own bots, from weak to strong.
AGENTS: Final = (*_CLASSES, "small", "learned")
#: Names for people who choose how strong their opponents are, from weak to strong.
LEVELS: Final = ("easy", "medium", "hard", "best")


def make_agent(spec: str, seed: int = 0) -> Agent:
    """The bot that a text names.

    >>> make_agent("greedy").name
    'greedy'
    >>> make_agent("gredy")
    Traceback (most recent call last):
    tichu.core.errors.GameError: no bot 'gredy'; there are random, greedy, heuristic, small, learned, ...

    :raises GameError: there is no such bot, or it cannot be had
    """
    if spec in _CLASSES:
        return _CLASSES[spec](seed)
    if spec in _LEARNED:
        made: Agent = getattr(import_module("tichu.agents.learned.agent"), _LEARNED[spec])(seed)
        return made
    if spec.startswith("process:"):
        return ProcessAgent(spec.removeprefix("process:"), seed)
    path, colon, class_name = spec.rpartition(":")
    if colon and path.endswith(".py"):
        return load_agent(path, class_name, seed)
    if spec.endswith(".py"):
        raise GameError(f"say which class of {spec!r} is the bot: {spec}:Class")
    raise GameError(f"no bot {spec!r}; there are {', '.join((*AGENTS, *LEVELS))}, path/file.py:Class, process:CMD")
