"""The residual blocks of a network for many rows at once.

The bot computes a few rows at a time and in an order that gives the same bits on its own and in a batch
(:mod:`tichu.agents.learned.network`); here matrices are of any height, which is faster and may differ in the last bit.
"""

from collections.abc import Iterable
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

__all__ = ["Layer", "run_blocks"]

Floats = NDArray[np.float32]

_EPSILON: Final = np.float32(1e-5)


class Layer(Protocol):
    """Weights and biases, by whatever name they were read."""

    @property
    def weight(self) -> Floats:
        """A row an input."""
        ...

    @property
    def bias(self) -> Floats:
        """One an output."""
        ...


def run_blocks(blocks: Iterable[tuple[Layer, Layer]], hidden: Floats) -> Floats:
    """What the last layer is given; the hidden rows are overwritten."""
    for one, two in blocks:
        inner = _normalise(hidden) @ one.weight
        inner += one.bias
        np.maximum(inner, 0, out=inner)
        hidden += inner @ two.weight
        hidden += two.bias
    return _normalise(hidden)


def _normalise(hidden: Floats) -> Floats:
    centred: Floats = hidden - hidden.mean(-1, keepdims=True)
    squares = np.einsum("ij,ij->i", centred, centred)
    centred *= (1 / np.sqrt(squares / np.float32(hidden.shape[1]) + _EPSILON))[:, None]
    return centred
