"""Measure how strong the bots that play as people do are, for ``human:-80`` and the levels.

    python -m training.levels src/tichu/agents/learned/levels.json

Places on the path from the champion to chance (:mod:`tichu.agents.learned.human`) play the champion on duplicate deals
inside the simulator.  What they lose is written with the settings; between two of them the bot interpolates.

The first levels drew from the champion's own chances.  The levels of today have their distances from the champion, so
those are measured too; then both are played against the next stronger level of their kind, which is only told.
"""

from training import require_torch  # noqa: F401  # isort: skip

import argparse
import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray

from tichu.agents.learned.human import Strength, human, read_people, strength_at
from tichu.agents.learned.network import Network, champion
from training.checkpoint import load_weights
from training.command_line import entry_point, game_count, print_line
from training.evaluation import Outcome, Player, deterministic, evaluate
from training.network import Policy, action_distribution, network_size
from training.simulator import Frame
from training.weights import unfold

__all__ = ["FIRST_LEVELS", "main", "tempered"]

#: The temperatures of the first levels, from strong to weak.
FIRST_LEVELS: Final = {"hard": 4.5, "medium": 6.5, "easy": 9.0}
_SHARES: Final = (0.25, 0.5, 0.75, 1.0)
_TEMPERATURES: Final = (0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0, 4.0, 6.0)
#: Where the bot's own chances end.
_LOWEST: Final = math.log(1e-12)
#: So wide that it does not bind.
_CALL_BOUND: Final = 1e4


def _policy(network: Network, device: str) -> Policy:
    arrays: dict[str, NDArray[np.float32]] = {}
    layers = {"entry": network.entry, "head": network.head, "value": network.value}
    for place, block in enumerate(network.blocks):
        layers |= {f"block{place}_{part}": layer for part, layer in zip(("one", "two"), block, strict=True)}
    for name, layer in layers.items():
        arrays |= {f"{name}_weight": layer.weight, f"{name}_bias": layer.bias}
    weights = unfold(arrays)
    policy = Policy(*network_size(weights))
    load_weights(policy, weights, Path("the network"))
    return policy.to(device).eval()


def tempered(policy: Policy, temperature: float) -> Player:
    """Draws as the bot does at this temperature."""
    if not temperature:
        return deterministic(policy)

    def act(frame: Frame) -> torch.Tensor:
        device = frame.observations.device.type
        with torch.autocast(device, torch.bfloat16, enabled=device == "cuda"):
            logits, _ = policy(frame.observations)
        logs = action_distribution(logits, frame.masks, _CALL_BOUND).log_probabilities
        noise = -torch.log(-torch.log(torch.rand_like(logs).clamp(1e-9, 1 - 1e-7)))
        noisy = logs.clamp(min=_LOWEST) + temperature * noise
        # What is not legal has a logarithm far below.
        return noisy.masked_fill(logs < 100 * _LOWEST, -torch.inf).argmax(1).to(torch.int16)

    return act


def _path() -> Iterator[Strength]:
    for share in _SHARES:
        yield Strength(share, 0.0)
    for temperature in _TEMPERATURES:
        yield Strength(1.0, temperature)


def _rising(measured: list[tuple[Strength, Outcome]]) -> list[dict[str, float]]:
    """The places whose distances grow, from the champion on."""
    path = [{"share": 0.0, "temperature": 0.0, "distance": 0.0, "standard_error": 0.0}]
    for (share, temperature), lost in measured:
        if -lost.mean > path[-1]["distance"]:
            numbers = {"distance": round(-lost.mean, 2), "standard_error": round(lost.standard_error, 2)}
            path.append({"share": share, "temperature": temperature, **numbers})
    return path


class _Arena:
    """Plays two players, and tells what came of it."""

    def __init__(self, device: str, options: argparse.Namespace) -> None:
        self.device, self._options = device, options
        self.best = _policy(champion(), device)

    def play(self, name: str, player: Player, opponent: Player) -> Outcome:
        """Points a round of the first over the second."""
        over = evaluate(player, opponent, self.device, self._options.deals, self._options.seed)
        print_line(f"{name}: {over.mean:+.1f} points a round (standard error {over.standard_error:.1f})")
        return over

    def people(self, share: float, temperature: float) -> Player:
        """A place on the path."""
        network = read_people(self._options.people, share) if self._options.people else human(share)
        return tempered(_policy(network, self.device), temperature)

    def first_levels(self) -> dict[str, float]:
        """How far the first levels were below the champion, which is where those of today are."""
        best = deterministic(self.best)
        lost = {name: self.play(f"{name}, as it was", self.first(name), best) for name in FIRST_LEVELS}
        return {name: round(-each.mean, 1) for name, each in lost.items()}

    def first(self, name: str) -> Player:
        """A level as it was."""
        return tempered(self.best, FIRST_LEVELS[name])

    def compare_levels(self, path: list[dict[str, float]], distances: dict[str, float]) -> None:
        """Play each level against the next stronger one, as it was and as it is."""
        places = tuple((each["distance"], Strength(each["share"], each["temperature"])) for each in path)
        before = now = deterministic(self.best)
        for name, distance in distances.items():
            place = strength_at(distance, places)
            first, player = self.first(name), self.people(*place)
            self.play(f"{name}, as it was, against the next level", first, before)
            self.play(f"{name} ({place.share:.2f}, temperature {place.temperature:.2f}), the same", player, now)
            before, now = first, player


@entry_point
def main(arguments: list[str] | None = None) -> None:
    """Measure all places, and write the table."""
    device = "cuda" if torch.cuda.is_available() else "cpu"
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("target", type=Path, metavar="LEVELS.json")
    parser.add_argument("--deals", type=game_count, default=32768 if device == "cuda" else 256)
    parser.add_argument("--seed", type=int, default=6001)
    parser.add_argument("--people", metavar="HUMAN.npz", help="measure this file instead of the bot's")
    options = parser.parse_args(arguments)
    torch.manual_seed(options.seed)
    torch.set_float32_matmul_precision("high")
    arena = _Arena(device, options)
    measured = []
    for place in _path():
        name = f"{place.share:g} of what people do, temperature {place.temperature:g}"
        measured.append((place, arena.play(name, arena.people(*place), deterministic(arena.best))))
    command = f"python -m training.levels {options.target.name} --deals {options.deals} --seed {options.seed}"
    path = _rising(measured)
    distances = arena.first_levels()
    table = {"command": command, "path": path, "levels": distances}
    options.target.write_text(json.dumps(table, indent=1) + "\n", encoding="ascii")
    arena.compare_levels(path, distances)


if __name__ == "__main__":
    main()
