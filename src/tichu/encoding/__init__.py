"""Decisions as numbers and bytes, for environments and learned bots (``docs/envs.md``).

Imports the core and the kernel; agents and environments import it.
"""

from tichu.encoding.decisions import (
    MASK_SIZE,
    VERSION,
    decode,
    decode_pick,
    encode,
    encode_exchange,
    legal_numbers,
    pack_mask,
    unpack_masks,
    write_mask,
)
from tichu.encoding.numbering import ACTION_COUNT, BLOCKS, PICKING, PLAYING, describe, shape_at
from tichu.encoding.observations import FIELDS, OBSERVATION_SIZE, field, write_observation

__all__ = [
    "ACTION_COUNT",
    "BLOCKS",
    "FIELDS",
    "MASK_SIZE",
    "OBSERVATION_SIZE",
    "PICKING",
    "PLAYING",
    "VERSION",
    "decode",
    "decode_pick",
    "describe",
    "encode",
    "encode_exchange",
    "field",
    "legal_numbers",
    "pack_mask",
    "shape_at",
    "unpack_masks",
    "write_mask",
    "write_observation",
]
