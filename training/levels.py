"""Measure how strong the bots that play as people do are, for ``human:-80`` and the levels.

    python -m training.levels build/levels.json --deals 1000

Places on the path from the champion to chance (:mod:`tichu.agents.learned.human`) play the champion on duplicate deals,
all of them on the same.  What they lose is written with the settings, made to rise along the path where chance says
otherwise; between two places the bot interpolates.

The first levels drew from the champion's own chances.  The levels of today have their distances from the champion, so
those are measured too; then both are played against the next stronger level of their kind, which is only told.  With
``--resume`` what a file of results has already is not played again.
"""

import argparse
import json
import math
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

import numpy as np

from tichu.agents.base import Agent, Question
from tichu.agents.batching import run_batched
from tichu.agents.learned.agent import LearnedAgent
from tichu.agents.learned.human import HumanAgent, Strength, human, strength_at
from tichu.agents.learned.network import champion
from tichu.arena.rounds import round_coroutine
from tichu.core.actions import Action
from tichu.core.deals import shuffled_deal
from training.command_line import entry_point, positive_int, print_line

__all__ = ["FIRST_LEVELS", "Loss", "main", "rising"]

#: The temperatures of the first levels, from strong to weak.
FIRST_LEVELS: Final = {"hard": 4.5, "medium": 6.5, "easy": 9.0}
_SHARES: Final = (0.5, 1.0)
_TEMPERATURES: Final = (0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 3.0)
#: Deals that are played side by side.
_BATCH: Final = 16

_Maker = Callable[[int], LearnedAgent]


class Loss(NamedTuple):
    """Points a round that one bot lost to another, and the standard error."""

    points: float
    standard_error: float


def _first(temperature: float) -> _Maker:
    def make(seed: int) -> LearnedAgent:
        bot = LearnedAgent(seed)
        bot.temperature = temperature
        return bot

    return make


def _people(place: Strength) -> _Maker:
    def make(seed: int) -> LearnedAgent:
        bot = HumanAgent(seed, network=human(place.share))
        bot.temperature = place.temperature
        return bot

    return make


def _answer(questions: Sequence[Question]) -> Sequence[Action]:
    return LearnedAgent.act_batch(questions)


def _lost(one: _Maker, two: _Maker, deals: int, seed: int) -> Loss:
    """What the first bot loses to the second: each deal is played twice, the teams having changed seats."""
    results: list[float] = []
    for start in range(0, deals, _BATCH):
        legs = []
        for number in range(start, min(start + _BATCH, deals)):
            deal = shuffled_deal(Random(f"{seed} {number}"))
            for turned in range(2):
                seats: list[Agent] = [(one, two)[(seat + turned) % 2](4 * number + seat) for seat in range(4)]
                legs.append(round_coroutine(seats, deal))
        scores = [game.match.outcomes[-1].score for game in run_batched(legs, _answer)]
        for (us, them), (others, we) in zip(scores[::2], scores[1::2], strict=True):
            results.append((them - us + others - we) / 2)
    error = float(np.std(results, ddof=1)) / math.sqrt(len(results)) if len(results) > 1 else math.inf
    return Loss(float(np.mean(results)), error)


def rising(losses: Sequence[Loss]) -> list[float]:
    """The distances that fit best among those that rise: neighbours that do not are pooled by their errors.

    >>> rising([Loss(3, 1), Loss(1, 1), Loss(8, 2)])
    [2.0, 2.0, 8.0]
    """
    pools: list[tuple[float, float, int]] = []
    for points, error in losses:
        pools.append((points, error**-2, 1))
        while len(pools) > 1 and pools[-2][0] >= pools[-1][0]:
            (one, weight, count), (two, other, more) = pools[-2:]
            pools[-2:] = [((one * weight + two * other) / (weight + other), weight + other, count + more)]
    return [mean for mean, _, count in pools for _ in range(count)]


def _places() -> Iterator[Strength]:
    for share in _SHARES:
        yield Strength(share, 0.0)
    for temperature in _TEMPERATURES:
        yield Strength(1.0, temperature)


class _Measurements:
    """Duels by their names, each played once."""

    def __init__(self, options: argparse.Namespace) -> None:
        self._options = options
        self._kept: Path | None = options.resume
        self._known: dict[str, Loss] = {}
        if self._kept is not None and self._kept.exists():
            self._known = {name: Loss(*loss) for name, loss in map(json.loads, self._kept.read_text().splitlines())}

    def lost(self, name: str, one: _Maker, two: _Maker) -> Loss:
        """What the first bot loses to the second."""
        name = f"{name}, {self._options.deals} deals, seed {self._options.seed}"
        if name not in self._known:
            self._known[name] = _lost(one, two, self._options.deals, self._options.seed)
            if self._kept is not None:
                with self._kept.open("a") as file:
                    file.write(json.dumps([name, self._known[name]]) + "\n")
        found = self._known[name]
        print_line(f"{name}: {-found.points:+.1f} points a round (standard error {found.standard_error:.1f})")
        return found


def _path(found: Sequence[tuple[Strength, Loss]]) -> list[dict[str, float]]:
    path = [{"share": 0.0, "temperature": 0.0, "distance": 0.0, "measured": 0.0, "standard_error": 0.0}]
    for (place, loss), distance in zip(found, rising([loss for _, loss in found]), strict=True):
        # Of places that were pooled the last one stands for all.
        if len(path) > 1 and round(distance, 1) == path[-1]["distance"]:
            path.pop()
        if distance > path[-1]["distance"]:
            numbers = {"measured": round(loss.points, 1), "standard_error": round(loss.standard_error, 1)}
            path.append({**place._asdict(), "distance": round(distance, 1), **numbers})
    return path


@entry_point
def main(arguments: list[str] | None = None) -> None:
    """Measure all places, and write the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("target", type=Path, metavar="LEVELS.json")
    parser.add_argument("--deals", type=positive_int, default=1000)
    parser.add_argument("--seed", type=int, default=2095)
    parser.add_argument("--resume", type=Path, metavar="FILE", help="keep every result here")
    options = parser.parse_args(arguments)
    duels = _Measurements(options)
    best = _first(0.0)
    found = []
    for place in _places():
        name = f"{place.share:g} of what people do, temperature {place.temperature:g}"
        found.append((place, duels.lost(name, _people(place), best)))
    path = _path(found)
    before = {name: duels.lost(f"{name}, as it was", _first(heat), best) for name, heat in FIRST_LEVELS.items()}
    levels = {name: round(loss.points, 1) for name, loss in before.items()}
    command = f"python -m training.levels {options.target.name} --deals {options.deals} --seed {options.seed}"
    table = {"command": command, "champion": champion().digest, "path": path, "levels": levels}
    options.target.write_text(json.dumps(table, indent=1) + "\n", encoding="ascii")
    _compare(duels, path, levels)


def _compare(duels: _Measurements, path: list[dict[str, float]], levels: dict[str, float]) -> None:
    """Play each level against the next stronger one, as it was and as it is."""
    places = tuple((each["distance"], Strength(each["share"], each["temperature"])) for each in path)
    stronger, then, now = "best", _first(0.0), _first(0.0)
    for name, distance in levels.items():
        place = strength_at(distance, places)
        first, player = _first(FIRST_LEVELS[name]), _people(place)
        if stronger != "best":
            duels.lost(f"{name} against {stronger}, as they were", first, then)
        duels.lost(f"{name} ({place.share:g}, temperature {place.temperature:.2f}) against {stronger}", player, now)
        stronger, then, now = name, first, player


if __name__ == "__main__":
    main()
