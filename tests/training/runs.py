"""Runs that take no time, for tests of the training's commands."""

from pathlib import Path

import torch

from training.checkpoint import Progress, save
from training.ppo import Coefficients, Config, Learner
from training.simulator import RESULT

CONFIG = Config("cpu", 64, 4, 64, width=16, blocks=1)
SMALL = [
    "--device",
    "cpu",
    "--games",
    "64",
    "--rollout-length",
    "4",
    "--minibatch",
    "64",
    "--width",
    "16",
    "--blocks",
    "1",
]
# One iteration after the first, then an evaluation.
SHORT = [*SMALL, "--evaluation-deals", "64", "--seconds", "1"]


def save_run(folder: Path, seed: int = 1) -> None:
    """Leave a checkpoint of a run that knows what matches are worth, and not what it was begun with."""
    torch.manual_seed(seed)
    learner = Learner(CONFIG)
    learner.reset(1)
    learner.iterate(Coefficients.at(0.5, 1e-3))
    results = torch.zeros(1000, len(RESULT), dtype=torch.int16)
    results[:, 0] = 100
    learner.matches.count(results)
    learner.matches.update()
    save(folder, learner, Progress(7.0, 512, 500.0))
