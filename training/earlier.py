"""An earlier champion as a bot, for the arena: each one must beat the one before.

    git show REVISION:src/tichu/agents/learned/champion.npz > build/earlier.npz
    TICHU_EARLIER=build/earlier.npz tichu arena learned training/earlier.py:Earlier --deals 5000

Several have names of their own, as the three seeds of a benchmark: ``training/earlier.py:build/tichu-100m/1.npz``.
Features that a network did not have yet get weights of zero.
"""

import os
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import numpy as np

from tichu.agents.learned.agent import LearnedAgent
from tichu.agents.learned.features import FEATURE_COUNT
from tichu.agents.learned.network import Network, read_network
from tichu.core.errors import GameError

__all__ = ["Earlier", "read_earlier"]

# The first champion's 848 rows ended in two of padding.
_FEATURES: Final = {848: 846}
_PREDICTIONS: Final = 8


def read_earlier(path: Path) -> Network:
    """Read the weights of a champion from any revision."""
    with np.load(path, allow_pickle=False) as file:
        arrays = {name: file[name] for name in file.files}
    rows = len(arrays["entry_weight"])
    entry = np.zeros((FEATURE_COUNT, arrays["entry_weight"].shape[1]), np.float16)
    features = _FEATURES.get(rows, rows)
    entry[:features] = arrays["entry_weight"][:features]
    arrays["entry_weight"] = entry
    for name in ("value_weight", "value_bias"):
        missing = _PREDICTIONS - arrays[name].shape[-1]
        arrays[name] = np.concatenate([arrays[name], np.zeros((*arrays[name].shape[:-1], missing), np.float16)], -1)
    with TemporaryDirectory() as folder:
        wide = Path(folder) / path.name
        np.savez(wide, **arrays)
        return read_network(str(wide))


@cache
def _network(path: str) -> Network:
    if not path:
        raise GameError("TICHU_EARLIER is not set to the weights of an earlier champion")
    if not Path(path).is_file():
        raise GameError(f"{path}: no weights there")
    return read_earlier(Path(path))


class Earlier(LearnedAgent):
    """An earlier champion."""

    name = "earlier"
    #: The file; without one the environment names it.
    weights = ""

    def __init__(self, seed: int = 0) -> None:
        super().__init__(seed, _network(self.weights or os.environ.get("TICHU_EARLIER", "")))


def __getattr__(name: str) -> type[Earlier]:
    """A class for the weights of this name."""
    if not name.endswith(".npz"):
        raise AttributeError(name)
    return type("Earlier", (Earlier,), {"weights": name})
