"""The network as it was trained, run by the native core where that is installed and by numpy where it is not.

A residual network: an entry whose inputs are binary, so that it is a sum of rows; blocks of two layers; then a score
for every action, of which only the legal ones are computed.  ``training/export.py`` writes its weights.

numpy is the reference; ``native/include/tichu/network.hpp`` computes the same and rounds otherwise, so that about one
decision in tens of thousands, between actions that are nearly as good, is another one (``docs/native.md``).  Either way
what comes out of a row does not depend on the others of its batch.  ``TICHU_KERNEL=python`` asks for numpy, and so does
:meth:`Network.by_numpy`.

numpy computes several decisions as the rows of matrices, which reads the weights once for all of them.  These matrices
have always the same height, filled up where there are fewer rows.
"""

import hashlib
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tichu.agents.learned.features import FEATURE_COUNTS, PLACES, THRESHOLDS, add_counts, features_of
from tichu.core.errors import GameError
from tichu.encoding import ACTION_COUNT, VERSION

if TYPE_CHECKING:
    from tichu_native import Network as NativeNetwork

__all__ = ["NOTHING", "Expectation", "Network", "champion", "read_network", "scaled", "small"]

Floats = NDArray[np.float32]

_EPSILON: Final = 1e-5
#: How many rows are computed at once: as many as every BLAS kernel takes in one block.
ROWS: Final = 16
_PREDICTIONS: Final = 8


class _Layer(NamedTuple):
    """Inputs to outputs; ``weight`` has a row an input."""

    weight: Floats
    bias: Floats

    def __call__(self, inputs: Floats) -> Floats:
        if inputs.ndim == 1:
            outputs: Floats = inputs @ self.weight
        else:
            # Rows of the batch are columns for the BLAS, which rounds all columns of a block alike; rows it does not,
            # so a decision would depend on its place in the batch, by machine.
            outputs = np.ascontiguousarray((self.weight.T @ inputs.T).T)
        outputs += self.bias
        return outputs


class Expectation(NamedTuple):
    """What the network expects of the round, for the seat that decides."""

    outputs: Floats

    @property
    def points(self) -> float:
        """The difference of the scores."""
        return 100 * float(self.outputs[0])

    @property
    def first(self) -> tuple[float, ...]:
        """The chance of each seat to go out first: SELF, LEFT, PARTNER, RIGHT."""
        return _chances(self.outputs[1:5])

    @property
    def double(self) -> tuple[float, ...]:
        """The chance of a double victory: of our team, of the opponents, of neither."""
        return _chances(self.outputs[5:8])


def _chances(logits: Floats) -> tuple[float, ...]:
    weights = np.exp(logits - logits.max())
    return tuple((weights / weights.sum()).tolist())


#: Of an expectation that nobody needs.
NOTHING: Final = Expectation(np.zeros(_PREDICTIONS, np.float32))


@dataclass(frozen=True, eq=False)
class Network:
    """Weights in single precision."""

    entry: _Layer
    blocks: tuple[tuple[_Layer, _Layer], ...]
    #: A row an action: one is read at a time.
    head: _Layer
    value: _Layer
    #: Whether numpy computes it, whatever is installed.
    is_reference: bool = False

    def by_numpy(self) -> "Network":
        """The same network, computed by the reference."""
        return replace(self, is_reference=True)

    @cached_property
    def digest(self) -> str:
        """What tells its weights from those of other networks."""
        layers = (self.entry, *(layer for block in self.blocks for layer in block), self.head, self.value)
        digest = hashlib.sha256()
        for array in (array for layer in layers for array in layer):
            digest.update(np.ascontiguousarray(array, "<f4").data)
        return digest.hexdigest()[:16]

    @cached_property
    def native(self) -> "NativeNetwork | None":
        """The same network in C++; None without the native core, or where the reference is wanted."""
        return None if self.is_reference else _native(self)

    def scores(self, observation: NDArray[np.uint8], numbers: NDArray[np.int64]) -> tuple[Floats, Expectation]:
        """The scores of some actions, and what may be expected of the round."""
        if self.native is not None:
            return next(_judge(self.native, observation[None], [numbers]))
        features = add_counts(observation)[PLACES] >= THRESHOLDS
        return self._read(self._run_blocks(self._enter(features)), numbers)

    def scores_together(
        self, observations: NDArray[np.uint8], numbers: Sequence[NDArray[np.int64]]
    ) -> Iterator[tuple[Floats, Expectation]]:
        """The same for several decisions, an observation a row."""
        if self.native is not None:
            yield from _judge(self.native, observations, numbers)
            return
        features = features_of(observations)
        for start in range(0, len(features), ROWS):
            hidden = np.zeros((ROWS, len(self.entry.bias)), np.float32)
            for row, each in enumerate(features[start : start + ROWS]):
                hidden[row] = self._enter(each)
            yield from map(self._read, self._run_blocks(hidden), numbers[start : start + ROWS])

    def __getstate__(self) -> dict[str, Any]:
        """Weights alone: the native network is made again from them."""
        return {name: value for name, value in vars(self).items() if name != "native"}

    def _enter(self, features: NDArray[np.bool_]) -> Floats:
        known = features[: len(self.entry.weight)]
        hidden: Floats = self.entry.weight[np.flatnonzero(known)].sum(0)
        hidden += self.entry.bias
        return hidden

    def _run_blocks(self, hidden: Floats) -> Floats:
        for one, two in self.blocks:
            hidden += two(np.maximum(one(_normalise(hidden)), 0))
        return _normalise(hidden)

    def _read(self, hidden: Floats, numbers: NDArray[np.int64]) -> tuple[Floats, Expectation]:
        of_actions: Floats = self.head.weight[numbers] @ hidden
        of_actions += self.head.bias[numbers]
        return of_actions, Expectation(self.value(hidden))


def _native(network: Network) -> "NativeNetwork | None":
    if os.environ.get("TICHU_KERNEL") == "python":
        return None
    try:
        import tichu_native
    except ImportError:
        return None
    # An older core is like none.
    if not hasattr(tichu_native, "Network") or tichu_native.ENCODING_VERSION != VERSION:
        return None
    return tichu_native.Network(
        *network.entry,
        [(layer.weight, layer.bias) for block in network.blocks for layer in block],
        *network.head,
        *network.value,
        PLACES,
        THRESHOLDS,
    )


def _judge(
    native: "NativeNetwork", observations: NDArray[np.uint8], numbers: Sequence[NDArray[np.int64]]
) -> Iterator[tuple[Floats, Expectation]]:
    starts = np.zeros(len(numbers) + 1, np.int64)
    np.cumsum([len(each) for each in numbers], out=starts[1:])
    scores = np.empty(starts[-1], np.float32)
    predictions = np.empty((len(numbers), _PREDICTIONS), np.float32)
    native.judge(np.ascontiguousarray(observations), starts, np.concatenate(numbers), scores, predictions)
    for start, end, outputs in zip(starts[:-1].tolist(), starts[1:].tolist(), predictions, strict=True):
        yield scores[start:end], Expectation(outputs)


def _normalise(hidden: Floats) -> Floats:
    # What normalisation learned is part of the layer after it.
    centred: Floats = hidden - hidden.mean(-1, keepdims=True)
    centred /= np.sqrt(np.square(centred).mean(-1, keepdims=True) + np.float32(_EPSILON))
    return centred


def read_network(path: str) -> Network:
    """Read weights that ``training/export.py`` has written.

    :raises GameError: they are for another version of the encoding
    """
    with np.load(path, allow_pickle=False) as file:
        if int(file["version"]) != VERSION or file["entry_weight"].shape[0] not in FEATURE_COUNTS:
            raise GameError(f"{path}: a network for another version of the encoding")
        arrays = scaled({name: file[name] for name in file.files if name != "version"})

    def layer(name: str) -> _Layer:
        return _Layer(np.ascontiguousarray(arrays[f"{name}_weight"]), arrays[f"{name}_bias"])

    count = sum(name.endswith("_one_weight") for name in arrays)
    blocks = tuple((layer(f"block{place}_one"), layer(f"block{place}_two")) for place in range(count))
    head = layer("head")
    if len(head.bias) != ACTION_COUNT:
        raise GameError(f"{path}: a network for other actions")
    return Network(layer("entry"), blocks, head, layer("value"))


def scaled(arrays: Mapping[str, NDArray[Any]]) -> dict[str, Floats]:
    """Weights in single precision; those of eight bits have a scale for each output."""
    found = {name: array.astype(np.float32) for name, array in arrays.items()}
    for name in [name for name in found if name.endswith("_scale")]:
        found[f"{name.removesuffix('_scale')}_weight"] *= found.pop(name)
    return found


@cache
def champion() -> Network:
    """The strongest network so far."""
    return read_network(str(files("tichu.agents.learned") / "champion.npz"))


@cache
def small() -> Network:
    """A network of a tenth of the champion's size that was taught by it (``training/distil.py``)."""
    return read_network(str(files("tichu.agents.learned") / "small.npz"))
