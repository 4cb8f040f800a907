"""The narrow door to speed: packed states and actions, played by the Python core or by the native one.

``TICHU_KERNEL`` chooses: ``python``, ``native``, or ``check``, which runs both in lockstep and stops at the first
difference with the position line.  Without it the native core is taken where it is installed.  ``Round`` never comes
here; bots, arena and environments do.

>>> from tichu.rules import Rules
>>> state = State(deal(Rules(), seed=1))
>>> while state.seat >= 0:
...     seat = state.seat
...     state = state.after(seat, state.legal(seat)[0])
>>> sum(state.score) % 100
0
"""

import logging
import os
from typing import TYPE_CHECKING, Final

from tichu.errors import GameError
from tichu.kernel import python
from tichu.kernel.packing import STATE_SIZE, pack, pack_action, pack_goal, pack_rules, unpack, unpack_action

if TYPE_CHECKING:
    from types import ModuleType

__all__ = [
    "KERNEL",
    "STATE_SIZE",
    "Legal",
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
            raise GameError(f"no native kernel: {error}") from None
        logging.getLogger(__name__).warning("no native kernel (%s): the Python one is a hundred times slower", error)
        return python
    return check if name == "check" else native


_CHOSEN: Final = load(os.environ.get("TICHU_KERNEL", ""))

#: Which kernel the functions below belong to.
KERNEL: Final[str] = _CHOSEN.NAME

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
else:
    Legal = _CHOSEN.Legal
    State = _CHOSEN.State
    after = _CHOSEN.after
    batch = _CHOSEN.batch
    deal = _CHOSEN.deal
    legal = _CHOSEN.legal
    pending = _CHOSEN.pending
    perft = _CHOSEN.perft
    playouts = _CHOSEN.playouts
    random_rounds = _CHOSEN.random_rounds
