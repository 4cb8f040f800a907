"""Beliefs: what the others are likely to hold, by what they did.

A network that has watched very many rounds of the learned bot with itself (``training/beliefs.py``) sees what a seat
sees and says how likely each of the others has how many cards of every rank, as weights for
:class:`~tichu.analysis.weighing.WeightedPlacing`.  It knows nothing that the seat does not.  A table of habits says
which cards of a hand may have been gifts.

People do not play like the bot.  What is believed of them comes from the same network, told that the others make
mistakes, and is taken less seriously, by a factor learned from games of people (``training/people_beliefs.py``).
"""

from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Final, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tichu.agents.learned.features import FEATURE_COUNT, PLACES, THRESHOLDS, add_counts, encode_row
from tichu.agents.learned.mirror import mirror_view
from tichu.analysis.precision import Others
from tichu.analysis.weighing import OUTPUTS, UNITS
from tichu.core.errors import GameError
from tichu.core.phases import Call, Phase
from tichu.core.view import View
from tichu.encoding import VERSION

__all__ = [
    "BOUND",
    "GIFT_STATES",
    "Belief",
    "Players",
    "as_trained",
    "belief_about",
    "read_belief",
    "seats_beside",
]

Floats = NDArray[np.float32]

#: As large as the logarithm of a weight can be: no placement is impossible that the rules permit.
BOUND: Final = 8.0
#: Gifts depend on Grand calls: neither of the two has called, the receiver has, the giver has.
GIFT_STATES: Final = 3

#: Of whom something is known.
Players = Literal["learned", "people"]


class _Layer(NamedTuple):
    weight: Floats
    bias: Floats


class Belief(NamedTuple):
    """A residual network of binary inputs, of which the last one says that the others make mistakes, and habits."""

    entry: _Layer
    blocks: tuple[tuple[_Layer, _Layer], ...]
    head: _Layer
    #: How likely a card is a gift: by where the receiver sits, seen from the giver, by Grand calls, and by unit.
    habits: Floats
    is_careless: bool = False
    #: What the logarithms of weights are multiplied by.
    scale: float = 1.0

    def weights(self, view: View) -> NDArray[np.float64]:
        """The logarithms of the weights for what the others hold, in the order of :func:`seats_beside`."""
        return self.weights_of(encode_row(as_trained(view)))

    def weights_of(self, row: NDArray[np.uint8]) -> NDArray[np.float64]:
        """The same from the bytes of a decision."""
        outputs = (self.hidden_of(row) @ self.head.weight + self.head.bias).astype(np.float64)
        bounded: NDArray[np.float64] = self.scale * BOUND * np.tanh(outputs / BOUND)
        return bounded

    def hidden_of(self, row: NDArray[np.uint8]) -> Floats:
        """What the last layer is given."""
        features = np.flatnonzero(add_counts(row)[PLACES] >= THRESHOLDS)
        hidden: Floats = self.entry.weight[features].sum(0) + self.entry.bias
        if self.is_careless:
            hidden += self.entry.weight[FEATURE_COUNT]
        for one, two in self.blocks:
            inner = np.maximum(_normalise(hidden) @ one.weight + one.bias, 0)
            hidden += inner @ two.weight + two.bias
        return _normalise(hidden)

    def gift_weights(self, view: View, giver: int, receiver: int) -> list[float]:
        """By unit, how likely a card that the receiver had after the exchange is the giver's gift."""
        distance = (receiver - giver) & 3
        if view.rules.direction != "ccw":
            distance = -distance & 3
        state = 1 if view.calls[receiver] is Call.GRAND else 2 if view.calls[giver] is Call.GRAND else 0
        weights: list[float] = np.exp(self.habits[distance - 1, state].astype(np.float64)).tolist()
        return weights


def _normalise(hidden: Floats) -> Floats:
    centred: Floats = hidden - hidden.mean()
    centred /= np.sqrt(np.square(centred).mean() + np.float32(1e-5))
    return centred


def seats_beside(view: View) -> tuple[int, ...]:
    """LEFT, PARTNER and RIGHT, as the network counts them: where play goes clockwise it looks into a mirror."""
    step = 1 if view.rules.direction == "ccw" else -1
    return tuple((view.seat + step * distance) & 3 for distance in (1, 2, 3))


def as_trained(view: View) -> View:
    """The view as the network has met such views."""
    seen = view._replace(rules=view.rules.sequential())
    if seen.phase is Phase.EXCHANGE:
        # Who has chosen already says nothing.
        seen = seen._replace(pending=(0, 1, 2, 3))
    return seen if seen.rules.direction == "ccw" else mirror_view(seen)


def read_belief(path: str | Path, players: Players = "learned") -> Belief:
    """Read what ``training/beliefs.py`` has written.

    :raises GameError: it is for another version of the encoding, or knows nothing about these players
    """
    with np.load(path, allow_pickle=False) as file:
        given = {name: file[name].astype(np.float32) for name in file.files if name != "version"}
        version = int(file["version"])
    if players == "people" and "people_scale" not in given:
        raise GameError(f"{path}: nothing is known about {players}")
    shapes = len(given["entry_weight"]), given["head_weight"].shape[1], given["gifts"].shape[2]
    if version != VERSION or shapes != (FEATURE_COUNT + 1, OUTPUTS, UNITS):
        raise GameError(f"{path}: a belief for another version of the encoding")

    def layer(name: str) -> _Layer:
        return _Layer(np.ascontiguousarray(given[f"{name}_weight"]), given[f"{name}_bias"])

    count = sum(name.endswith("_one_weight") for name in given)
    blocks = tuple((layer(f"block{place}_one"), layer(f"block{place}_two")) for place in range(count))
    known = Belief(layer("entry"), blocks, layer("head"), given["gifts"])
    return known if players == "learned" else known._replace(is_careless=True, scale=float(given["people_scale"]))


@cache
def belief_about(others: Others) -> Belief | None:
    """What the package believes; None where nothing is known about the others."""
    return None if others == "unknown" else read_belief(str(files("tichu.analysis") / "beliefs.npz"), others)
