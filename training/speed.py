"""How fast the simulator is on this machine, and whether a GPU plays the same games as a CPU.

python -m training.speed
"""

from training import require_torch  # noqa: F401  # isort: skip

import argparse
import statistics
import time
from collections.abc import Callable
from functools import partial

import torch

from training.command_line import entry_point, print_line
from training.evaluation import random_player
from training.rule_sets import sample_rule_sets
from training.simulator import Frame, Simulator, play_at_random

__all__ = ["compare_devices", "main"]


def _median_seconds(work: Callable[[], object], device: str) -> float:
    """Seconds of a piece of work after a warm-up: the median of five."""
    work()
    times = []
    for _ in range(5):
        if device == "cuda":
            torch.cuda.synchronize()
        began = time.perf_counter()
        work()
        if device == "cuda":
            torch.cuda.synchronize()
        times.append(time.perf_counter() - began)
    return statistics.median(times)


def compare_devices(one: str, two: str, games: int, steps: int, seed: int) -> int:
    """Play the same games of mixed rule sets on two devices and compare every byte; the number of decisions."""
    frames = [Frame.empty((games,), device) for device in (one, two)]
    rule_sets = sample_rule_sets(games, seed)
    simulators = [Simulator(games, device, rule_sets) for device in (one, two)]
    results = [simulator.empty_results() for simulator in simulators]
    for simulator, frame in zip(simulators, frames, strict=True):
        simulator.deal(seed, frame)
    for step in range(steps):
        for left, right in zip((*frames[0], results[0]), (*frames[1], results[1]), strict=True):
            if not torch.equal(left.cpu(), right.cpu()):
                raise RuntimeError(f"{one} and {two} differ at step {step}")
        actions = random_player(frames[0])
        for simulator, frame, result in zip(simulators, frames, results, strict=True):
            simulator.step(actions.to(frame.masks.device), frame, result)
    return games * steps


@entry_point
def main(arguments: list[str] | None = None) -> None:
    """Compare, then measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.parse_args(arguments)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    if device == "cuda":
        decisions = compare_devices("cpu", "cuda", 4096, 300, seed=3)
        print_line(f"the same bytes after each of {decisions:,} decisions, CPU and GPU")
        sums = {where: play_at_random(where, 16384, 1000, seed=9) for where in ("cpu", "cuda")}
        if sums["cpu"] != sums["cuda"]:
            raise RuntimeError(f"CPU and GPU play differently at random: {sums}")
        print_line(f"the same states after {sums['cpu'][0]:,} random steps, checksum {sums['cpu'][2] % 2**64:016x}")
    games, turns = (1 << 20, 1000) if device == "cuda" else (1024, 1000)
    for block in (128, 256, 512, 1024) if device == "cuda" else (1,):
        steps, deals, _ = play_at_random(device, games, turns, block=block)
        seconds = _median_seconds(partial(play_at_random, device, games, turns, block=block), device)
        rates = f"{steps / seconds / 1e9:.3f} G steps/s, {deals / seconds / 1e6:.1f} M rounds/s"
        print_line(f"at random, blocks of {block}: {rates}")
    games = 65536 if device == "cuda" else 1024
    simulator, frame = Simulator(games, device), Frame.empty((games,), device)
    results = simulator.empty_results()
    simulator.deal(1, frame)
    for _ in range(60):
        simulator.step(random_player(frame), frame, results)
    sampling = _median_seconds(lambda: random_player(frame), device)
    both = _median_seconds(lambda: simulator.step(random_player(frame), frame, results), device)
    print_line(f"decisions with observations, masks and hands: {games / (both - sampling) / 1e6:.1f} M/s")


if __name__ == "__main__":
    main()
