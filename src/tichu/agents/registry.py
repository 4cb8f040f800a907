"""Bots by name, as they stand on the command line.

======================  =====================================================================
``greedy``              one of :data:`AGENTS`
``hard``                one of :data:`LEVELS`
``human:-80``           plays as people do, so many points a round below ``learned``
``path/file.py:Class``  a subclass of :class:`~tichu.agents.base.Agent` in a Python file, or a
                        function from arrays (:class:`~tichu.agents.policy.PolicyAgent`)
``process:CMD``         any program that speaks the bot protocol on stdin and stdout
``searching``           a bot of an installed package, which names it as an entry point of the
                        group ``tichu.bots``; ``searching:worlds=200`` with options
======================  =====================================================================
"""

from collections.abc import Mapping
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Final

from tichu.agents.base import Agent
from tichu.agents.greedy import GreedyAgent
from tichu.agents.heuristic import HeuristicAgent
from tichu.agents.loading import load_agent
from tichu.agents.process import ProcessAgent
from tichu.agents.random import RandomAgent
from tichu.core.errors import GameError

__all__ = ["AGENTS", "LEVELS", "THINKERS", "installed_bots", "known_bots", "make_agent"]

_CLASSES: Final[dict[str, type[Agent]]] = {
    "random": RandomAgent,
    "greedy": GreedyAgent,
    "heuristic": HeuristicAgent,
}

# Loaded when they are asked for: numpy and the weights take their time.
_NETWORKS: Final = {
    "small": ("agent", "SmallAgent"),
    "learned": ("agent", "LearnedAgent"),
    "human": ("human", "HumanAgent"),
    "easy": ("human", "EasyAgent"),
    "medium": ("human", "MediumAgent"),
    "hard": ("human", "HardAgent"),
    "best": ("agent", "LearnedAgent"),
}

#: The names of our own bots, from weak to strong.
AGENTS: Final = (*_CLASSES, "human", "small", "learned")
#: Names for people who choose how strong their opponents are, from weak to strong.
LEVELS: Final = ("easy", "medium", "hard", "best", "searching")
#: Levels that think for up to a second, with those that decide in their place where there is no time for that.
THINKERS: Final[Mapping[str, str]] = {"searching": "best"}
#: Where packages name their bots; tichu itself has some there that stand above this package.
_GROUP: Final = "tichu.bots"


def make_agent(spec: str, seed: int = 0) -> Agent:
    """The bot that a text names.

    >>> make_agent("greedy").name
    'greedy'
    >>> make_agent("gredy")
    Traceback (most recent call last):
    tichu.core.errors.GameError: no bot 'gredy'; there are random, greedy, heuristic, human, small, learned, ...

    :raises GameError: there is no such bot, or it cannot be had
    """
    if spec in _CLASSES:
        return _CLASSES[spec](seed)
    name, colon, options = spec.partition(":")
    if name in _NETWORKS:
        module, of_class = _NETWORKS[name]
        bot: type[Agent] = getattr(import_module(f"tichu.agents.learned.{module}"), of_class)
        return bot.from_options(options, seed) if colon else bot(seed)
    if spec.startswith("process:"):
        return ProcessAgent(spec.removeprefix("process:"), seed)
    path, _, class_name = spec.rpartition(":")
    if path.endswith(".py"):
        return load_agent(path, class_name, seed)
    if spec.endswith(".py"):
        raise GameError(f"say which class of {spec!r} is the bot: {spec}:Class")
    found = _installed()
    if name in found:
        return _of_package(found[name], options if colon else None, seed)
    raise GameError(f"no bot {spec!r}; there are {', '.join(known_bots())}, path/file.py:Class, process:CMD")


def installed_bots() -> tuple[str, ...]:
    """The names of bots that installed packages bring."""
    return tuple(sorted(_installed()))


def known_bots() -> tuple[str, ...]:
    """Every bot that has a name: ours, the levels, those of packages."""
    return tuple(dict.fromkeys((*AGENTS, *LEVELS, *installed_bots())))


def _installed() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=_GROUP)}


def _of_package(point: EntryPoint, options: str | None, seed: int) -> Agent:
    try:
        bot = point.load()
    except (ImportError, AttributeError) as error:
        raise GameError(f"the bot {point.name!r} cannot be had: {error}") from None
    if not (isinstance(bot, type) and issubclass(bot, Agent)):
        raise GameError(f"the bot {point.name!r} is not a subclass of tichu.agents.Agent: {point.value}")
    return bot(seed) if options is None else bot.from_options(options, seed)
