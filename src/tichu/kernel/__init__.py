"""The narrow door to speed: packed states and actions, played by the Python core or by the native one.

``TICHU_KERNEL`` chooses: ``python``, ``native``, or ``check``, which runs both in lockstep and stops at the first
difference with the position line.  Without it the native core is taken where it is installed.  ``Round`` never comes
here, nor do bots and arena, which play with it; environments and simulations do.

>>> from tichu.core.rules import Rules
>>> from tichu.kernel import State, deal, random_rounds
>>> state = State(deal(Rules(bombs="ordered"), seed=1))
>>> while state.seat >= 0:
...     seat = state.seat
...     state = state.after(seat, state.legal(seat)[0])
>>> sum(state.score) % 100
0
>>> random_rounds(Rules(), 3, seed=1)
RandomRounds(decisions=..., scores=array([[...]], dtype=int16))
"""

import logging
import os
from functools import cache
from typing import TYPE_CHECKING, Final

from tichu.core.errors import GameError
from tichu.kernel import python
from tichu.kernel.chance import RandomRounds
from tichu.kernel.packing import STATE_SIZE, pack, pack_action, pack_goal, pack_rules, unpack, unpack_action

if TYPE_CHECKING:
    from types import ModuleType

__all__ = [
    "KERNEL",
    "STATE_SIZE",
    "Legal",
    "RandomRounds",
    "State",
    "after",
    "batch",
    "deal",
    "legal",
    "load",
    "pack",
    "pack_action",
    "pack_goal",
    "pack_rules",
    "pending",
    "perft",
    "playouts",
    "random_rounds",
    "unpack",
    "unpack_action",
]

#: What to type where there is no native core.
HOW_TO_GET_IT: Final = (
    "pip install 'tichu[native]' brings it; in a checkout pip install ./native, "
    'and from git pip install "git+ADDRESS#subdirectory=native"'
)


def load(name: str = "") -> "ModuleType":
    """The kernel of that name; without one the native kernel if it is there, else the Python one, which is said.

    :raises GameError: there is no such kernel, or it is not installed
    """
    if name not in ("", "python", "native", "check"):
        raise GameError(f"no kernel {name!r}; there are python, native and check")
    if name == "python":
        return python
    try:
        from tichu.kernel import check, native
    except ImportError as error:
        if name:
            raise GameError(f"no native kernel: {error}; {HOW_TO_GET_IT}") from None
        logging.getLogger(__name__).warning(
            "no native kernel (%s): the Python one is a hundred times slower; %s", error, HOW_TO_GET_IT
        )
        return python
    return check if name == "check" else native


if TYPE_CHECKING:
    from tichu.kernel.python import (
        Legal,
        State,
        after,
        batch,
        deal,
        legal,
        pending,
        perft,
        playouts,
        random_rounds,
    )

    #: Which kernel the functions belong to.
    KERNEL: str


@cache
def _chosen() -> "ModuleType":
    return load(os.environ.get("TICHU_KERNEL", ""))


def __getattr__(name: str) -> object:
    """The kernel is chosen when it is first asked for: who only packs texts and rules need not hear which it is."""
    if name == "KERNEL":
        return _chosen().NAME
    if name in __all__:
        return getattr(_chosen(), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
