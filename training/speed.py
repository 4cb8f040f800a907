"""How fast the simulator is on this machine, and whether a GPU plays what a CPU plays.

python -m training.speed
"""

from training import needs_torch  # noqa: F401  # isort: skip

import argparse
import statistics
import time
from collections.abc import Callable
from functools import partial

import torch

from training.command import command, say
from training.duel import at_random
from training.simulator import Frame, Simulator, play_at_random

__all__ = ["main", "same_frames"]


def _timed(work: Callable[[], object], device: str) -> float:
    """Seconds of a piece of work, once it is warm: the median of five."""
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


def same_frames(one: str, two: str, games: int, steps: int, seed: int) -> int:
    """Play the same games on two devices and compare every byte; how many decisions that were."""
    frames = [Frame.empty((games,), device) for device in (one, two)]
    simulators = [Simulator(games, device) for device in (one, two)]
    results = [simulator.no_results() for simulator in simulators]
    for simulator, frame in zip(simulators, frames, strict=True):
        simulator.deal(seed, frame)
    for step in range(steps):
        for left, right in zip((*frames[0], results[0]), (*frames[1], results[1]), strict=True):
            if not torch.equal(left.cpu(), right.cpu()):
                raise RuntimeError(f"{one} and {two} differ at step {step}")
        actions = at_random(frames[0])
        for simulator, frame, result in zip(simulators, frames, results, strict=True):
            simulator.step(actions.to(frame.masks.device), frame, result)
    return games * steps


@command
def main(words: list[str] | None = None) -> None:
    """Compare, then measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.parse_args(words)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    if device == "cuda":
        say(f"the same bytes after each of {same_frames('cpu', 'cuda', 4096, 300, seed=3):,} decisions, CPU and GPU")
        sums = {where: play_at_random(where, 16384, 1000, seed=9) for where in ("cpu", "cuda")}
        if sums["cpu"] != sums["cuda"]:
            raise RuntimeError(f"CPU and GPU play differently at random: {sums}")
        say(f"the same states after {sums['cpu'][0]:,} random steps, checksum {sums['cpu'][2] % 2**64:016x}")
    games, turns = (1 << 20, 1000) if device == "cuda" else (1024, 1000)
    for block in (128, 256, 512, 1024) if device == "cuda" else (1,):
        steps, deals, _ = play_at_random(device, games, turns, block=block)
        seconds = _timed(partial(play_at_random, device, games, turns, block=block), device)
        rates = f"{steps / seconds / 1e9:.3f} G steps/s, {deals / seconds / 1e6:.1f} M rounds/s"
        say(f"at random, blocks of {block}: {rates}")
    games = 65536 if device == "cuda" else 1024
    simulator, frame = Simulator(games, device), Frame.empty((games,), device)
    results = simulator.no_results()
    simulator.deal(1, frame)
    for _ in range(60):
        simulator.step(at_random(frame), frame, results)
    drawing = _timed(lambda: at_random(frame), device)
    both = _timed(lambda: simulator.step(at_random(frame), frame, results), device)
    say(f"decisions with observations, masks and hands: {games / (both - drawing) / 1e6:.1f} M/s")


if __name__ == "__main__":
    main()
