"""Games of one seat each in C++: which bots play there, and how such games are stored.

A network belongs to its bot and not to the games: those are stored without it, and it is looked up again.
"""

from collections.abc import Mapping
from typing import Any, Final

import tichu_native

from tichu.agents.base import Agent
from tichu.agents.greedy import GreedyAgent
from tichu.agents.learned.agent import LearnedAgent, SmallAgent
from tichu.agents.learned.human import HumanAgent, human
from tichu.agents.learned.network import Network, champion, small

__all__ = ["NativeSeats", "are_all_native"]

Bots = Mapping[int, str | Agent]

#: Bots by their numbers in the native core.
_GREEDY, _RANDOM, _NETWORK = range(3)
_NETWORKS: Final = {"learned": champion, "best": champion, "small": small, "human": human}


def are_all_native(bots: Bots) -> bool:
    """Whether the native core has all these bots."""
    return all(_number(bot) is not None for bot in bots.values())


class NativeSeats(tichu_native.Seats):
    """What the native core has, and its bots beside it."""

    def __init__(self, around: Bots, **settings: Any) -> None:
        numbers = [_number(around[seat]) or 0 if seat in around else 0 for seat in range(4)]
        super().__init__(bots=numbers, networks=_networks(around), **settings)
        self._bots = dict(around)

    def __reduce__(self) -> tuple[Any, ...]:
        """The games, and which bots play in them."""
        return _restore, (self._bots, super().__getstate__())


def _restore(bots: Bots, stored: tuple[Any, ...]) -> NativeSeats:
    made = NativeSeats.__new__(NativeSeats)
    made.__setstate__((*stored, _networks(bots)))
    made._bots = dict(bots)
    return made


def _networks(bots: Bots) -> tuple[tichu_native.Network | None, ...]:
    found = (_network(bots[seat]) if seat in bots else None for seat in range(4))
    return tuple(None if network is None else network.native for network in found)


def _number(bot: str | Agent) -> int | None:
    if bot == "random":
        return _RANDOM
    # It keeps nothing; of a subclass nobody knows.
    if bot == "greedy" or type(bot) is GreedyAgent:
        return _GREEDY
    network = _network(bot)
    return None if network is None or network.native is None else _NETWORK


def _network(bot: str | Agent) -> Network | None:
    """The network that decides for a bot, if it does nothing else."""
    if isinstance(bot, str):
        return _NETWORKS[bot]() if bot in _NETWORKS else None
    # Who draws does more than the network says.
    if isinstance(bot, LearnedAgent) and type(bot) in (LearnedAgent, SmallAgent, HumanAgent) and not bot.temperature:
        return bot.network
    return None
