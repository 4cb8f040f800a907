"""Bots that play as people do, as strong as is wanted.

The network of people is the champion's with a little added to every layer, learned from games of people
(``training/imitate.py``).  ``human.npz`` holds what is added, as two thin matrices a layer.

A strength is a place on a path.  It begins at the champion; on its first part more and more of what people do
differently is added, on the second the network of people draws from its chances, which a temperature makes more and
more even.  ``levels.json`` says how far below the champion each place is, in points a round
(``training/levels.py`` measures it).
"""

import json
import zipfile
from dataclasses import replace
from functools import cache, lru_cache
from importlib.resources import files
from itertools import pairwise
from typing import Any, ClassVar, Final, NamedTuple

import numpy as np

from tichu.agents.learned.agent import LearnedAgent
from tichu.agents.learned.network import Network, champion
from tichu.core.errors import GameError
from tichu.encoding import VERSION

__all__ = [
    "HUMAN",
    "EasyAgent",
    "HardAgent",
    "HumanAgent",
    "MediumAgent",
    "PLAIN",
    "Path",
    "Strength",
    "human",
    "level_distance",
    "parse_distance",
    "read_people",
    "strength_at",
]

_FOLDER: Final = files("tichu.agents.learned")
#: What people do differently.
HUMAN: Final = _FOLDER / "human.npz"


class Strength(NamedTuple):
    """A place on the path from the champion to chance."""

    #: How much of what people do differently is added.
    share: float
    temperature: float


#: Places with their distances from the champion, from near to far.
Path = tuple[tuple[float, Strength], ...]

#: People's most likely decision.
PLAIN: Final = Strength(1.0, 0.0)


def read_people(path: str, share: float = 1.0) -> Network:
    """The champion with this share of what a file adds to it.

    :raises GameError: the file adds to another network, or nothing
    """
    base = champion()
    try:
        with np.load(path, allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
    except (OSError, EOFError, ValueError, zipfile.BadZipFile) as error:
        raise GameError(f"{path}: no file of weights: {error}") from None
    layers = {"entry": base.entry, "head": base.head}
    # Of another champion it would make nonsense, without anything to show for it.
    is_for_this = str(arrays.get("champion", "")) == base.digest
    for place, (one, two) in enumerate(base.blocks):
        layers |= {f"block{place}_one": one, f"block{place}_two": two}
    added = {}
    for name, given in layers.items():
        try:
            rows, columns, bias = (arrays[f"{name}_{part}"].astype(np.float32) for part in ("rows", "columns", "bias"))
            weight = share * (rows @ columns)
        except (KeyError, ValueError):
            raise GameError(f"{path}: nothing that could be added to a network") from None
        if int(arrays["version"]) != VERSION or weight.shape != given.weight.shape:
            raise GameError(f"{path}: made for another network")
        if not is_for_this:
            raise GameError(f"{path}: made for another champion; training.imitate makes it anew")
        scale = np.float32(arrays["scale"]) if name == "head" else np.float32(1)
        sums = np.ascontiguousarray(scale * given.weight + weight, np.float32), scale * given.bias + share * bias
        added[name] = given._replace(weight=sums[0], bias=sums[1].astype(np.float32))
    blocks = tuple((added[f"block{at}_one"], added[f"block{at}_two"]) for at in range(len(base.blocks)))
    return replace(base, entry=added["entry"], blocks=blocks, head=added["head"])


@lru_cache(8)
def human(share: float = 1.0) -> Network:
    """The network of people, or one on the way to it."""
    return read_people(str(HUMAN), share)


@cache
def _measured() -> dict[str, Any]:
    """What ``training/levels.py`` has written."""
    read: dict[str, Any] = json.loads((_FOLDER / "levels.json").read_text(encoding="ascii"))
    return read


@cache
def _path() -> Path:
    return tuple((each["distance"], Strength(each["share"], each["temperature"])) for each in _measured()["path"])


def strength_at(distance: float, path: Path | None = None) -> Strength:
    """The place that is so many points a round below the champion, between those that were measured.

    :raises GameError: nothing is so strong, or so weak
    """
    places = _path() if path is None else path
    if not 0 <= distance <= places[-1][0]:
        raise GameError(f"human:{-distance:g} is out of range: from human:-0 to human:-{int(places[-1][0])}")
    for (near, one), (far, two) in pairwise(places):
        if distance <= far:
            part = (distance - near) / (far - near)
            share, temperature = (before + part * (after - before) for before, after in zip(one, two, strict=True))
            # Few networks: each has its place in memory.
            return Strength(round(share, 2), temperature)
    return places[-1][1]


def level_distance(name: str) -> float:
    """How many points a round a level is below the champion."""
    return float(_measured()["levels"][name])


def parse_distance(text: str) -> float:
    """How far below the champion a bot is, from what stands behind the colon of its name.

    >>> parse_distance("-80")
    80.0

    :raises GameError: it is no number, or out of range
    """
    try:
        points = float(text)
    except ValueError:
        points = np.nan
    if not np.isfinite(points) or not text.startswith("-"):
        raise GameError(f"human:{text}: say how many points a round below learned, as in human:-80")
    strength_at(-points)
    return abs(points)


class HumanAgent(LearnedAgent):
    """What people would most likely do; with a distance, so many points a round below the champion."""

    name = "human"
    #: Whether it has a strength of its own, which its name stands for.
    is_level: ClassVar[bool] = False

    def __init__(self, seed: int = 0, distance: float | None = None, network: Network | None = None) -> None:
        if distance is None and self.is_level:
            distance = level_distance(self.name)
        strength = PLAIN if distance is None else strength_at(distance)
        super().__init__(seed, human(strength.share) if network is None else network)
        self.temperature = strength.temperature

    @classmethod
    def from_options(cls, options: str, seed: int = 0) -> "HumanAgent":
        """The bot of ``human:-80``.

        :raises GameError: it is no number of points, or out of range; or this is a level
        """
        if cls.is_level:
            raise GameError(f"{cls.name} has its own strength; human:-80 is a bot of the strength you choose")
        return cls(seed, parse_distance(options))


class EasyAgent(HumanAgent):
    """Plays as people do and often makes a mistake."""

    name = "easy"
    is_level = True


class MediumAgent(HumanAgent):
    """Makes a mistake now and then."""

    name = "medium"
    is_level = True


class HardAgent(HumanAgent):
    """Makes few mistakes."""

    name = "hard"
    is_level = True
