"""Environments for research: the whole game behind standard interfaces (``docs/envs.md``).

To import this makes the environments known to Gymnasium, where that is installed; PettingZoo's is
``tichu.envs.tichu_v0``.

>>> games = SelfPlay(2, "simple")
>>> games.observations.shape == (2, OBSERVATION_SIZE)
True
"""

from contextlib import suppress

from tichu.encoding import (
    ACTION_COUNT,
    MASK_SIZE,
    OBSERVATION_SIZE,
    VERSION,
    decode,
    encode,
    unpack_masks,
)
from tichu.encoding.numbering import BLOCKS, PICKING, PLAYING, describe, shape_at
from tichu.encoding.observations import FIELDS
from tichu.envs.registration import register
from tichu.envs.selfplay import SelfPlay

__all__ = [
    "ACTION_COUNT",
    "BLOCKS",
    "FIELDS",
    "MASK_SIZE",
    "OBSERVATION_SIZE",
    "PICKING",
    "PLAYING",
    "VERSION",
    "SelfPlay",
    "decode",
    "describe",
    "encode",
    "shape_at",
    "unpack_masks",
]

with suppress(ImportError):
    register()
