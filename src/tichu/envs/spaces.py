"""The spaces of observations and actions, for Gymnasium and PettingZoo."""

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete

from tichu.encoding import ACTION_COUNT, MASK_SIZE
from tichu.encoding.observations import FIELDS

__all__ = ["action_space", "observation_space", "packed_observation_space"]


def _observation_box() -> Box:
    highest = np.concatenate([np.full(field.size, field.highest, np.uint8) for field in FIELDS])
    return Box(np.zeros_like(highest), highest, dtype=np.uint8)


def observation_space() -> Dict:
    """What one seat sees, and its mask as one byte an action."""
    return Dict({"action_mask": Box(0, 1, (ACTION_COUNT,), np.int8), "observation": _observation_box()})


def packed_observation_space() -> Dict:
    """The same with the mask as bits, under a name of its own."""
    return Dict({"packed_action_mask": Box(0, 255, (MASK_SIZE,), np.uint8), "observation": _observation_box()})


def action_space() -> Discrete:
    """All rank-level actions."""
    return Discrete(ACTION_COUNT)
