"""A critic that sees all four hands, and says what will come of a round that four learned bots play on.

It was trained beside the bot (``docs/training.md``), which never sees it.  ``tools/export_critic.py`` takes it out of
the file that training starts from.
"""

from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tichu.agents.learned.features import BYTES, FEATURE_COUNT, PLACES, THRESHOLDS
from tichu.core.errors import GameError
from tichu.encoding import VERSION

if TYPE_CHECKING:
    from tichu_native import Critic as NativeCritic

__all__ = ["HANDS_SIZE", "Critic", "critic"]

Floats = NDArray[np.float32]

#: Bytes of four sets of cards, a bit a card.
HANDS_SIZE: Final = 28
_EPSILON: Final = np.float32(1e-5)


class _Layer(NamedTuple):
    weight: Floats
    bias: Floats


@dataclass(frozen=True, eq=False)
class Critic:
    """A residual network of binary inputs: what a seat sees, and the hands as it counts seats and suits."""

    entry: _Layer
    blocks: tuple[tuple[_Layer, _Layer], ...]
    value: _Layer

    def points(self, rows: NDArray[np.uint8], hands: NDArray[np.uint8]) -> Floats:
        """The expected difference of the scores of the round, for the team of the seat that decides.

        A row has the bytes that features ask about, then there are the hands by distance.
        """
        features = rows[:, PLACES] >= THRESHOLDS
        cards = np.unpackbits(hands, axis=1, bitorder="little")
        hidden: Floats = np.concatenate([features, cards], 1).astype(np.float32) @ self.entry.weight
        hidden += self.entry.bias
        for one, two in self.blocks:
            inner = _normalise(hidden) @ one.weight
            inner += one.bias
            np.maximum(inner, 0, out=inner)
            hidden += inner @ two.weight
            hidden += two.bias
        points: Floats = _normalise(hidden) @ self.value.weight[:, 0] + self.value.bias[0]
        return 100 * points

    @cached_property
    def native(self) -> "NativeCritic":
        """The same critic in C++, which differs in the last bits."""
        import tichu_native

        layers = [(layer.weight, layer.bias) for block in self.blocks for layer in block]
        cards = np.arange(BYTES, BYTES + 8 * HANDS_SIZE)
        places = np.concatenate([PLACES, cards])
        thresholds = np.concatenate([THRESHOLDS, np.ones_like(cards, THRESHOLDS.dtype)])
        return tichu_native.Critic(*self.entry, layers, *self.value, places, thresholds)


def _normalise(hidden: Floats) -> Floats:
    centred: Floats = hidden - hidden.mean(-1, keepdims=True)
    squares = np.einsum("ij,ij->i", centred, centred)
    centred *= (1 / np.sqrt(squares / np.float32(hidden.shape[1]) + _EPSILON))[:, None]
    return centred


@cache
def critic() -> Critic:
    """The critic of the package.

    :raises GameError: it is for another version of the encoding
    """
    path = files("tichu.analysis") / "critic.npz"
    with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
        if int(arrays["version"]) != VERSION or len(arrays["entry_weight"]) != FEATURE_COUNT + 8 * HANDS_SIZE:
            raise GameError("the critic is for another version of the encoding")
        given = {name: np.ascontiguousarray(arrays[name], np.float32) for name in arrays.files if name != "version"}

    def layer(name: str) -> _Layer:
        return _Layer(given[f"{name}_weight"], given[f"{name}_bias"])

    count = sum(name.endswith("_one_weight") for name in given)
    blocks = tuple((layer(f"block{place}_one"), layer(f"block{place}_two")) for place in range(count))
    return Critic(layer("entry"), blocks, layer("value"))
