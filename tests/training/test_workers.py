"""Several processes train one policy; ``torchrun`` starts them."""

import csv
import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch

from training.checkpoint import read_policy, read_weights
from training.command_line import TrainingError
from training.network import network_size
from training.workers import ALONE, is_first, join

ROOT = Path(__file__).parents[2]
# Two processes play, learn and go on from what the first one has; what both must agree on is printed.
TOGETHER = """
import torch
from training.ppo import Coefficients, Config, Learner
from training.workers import join, leave

workers = join()
torch.set_num_threads(1)
torch.manual_seed(workers.rank)
mean = [torch.full((2, 3), float(workers.rank)), torch.full((1,), 4.0)]
workers.average(mean)
assert torch.equal(mean[0], torch.full((2, 3), 0.5)) and mean[1] == 4, mean
assert workers.agree(workers.rank + 5) == 5
config = Config("cpu", 64, 24, 256, width=16, blocks=1, critic_blocks=2, belief_coefficient=0.1)
learner = Learner(config, workers)
learner.share()
learner.reset(workers.rank)
for step in range(3):
    report = learner.iterate(Coefficients.at(0.1 * step, 1e-3))
later = Learner(config, workers)
later.share()
learner.share()
weights = torch.cat([each.flatten() for each in learner.parameters]).double()
moments = sum(float(each["exp_avg_sq"].double().sum()) for each in learner.optimizer.state.values())
rounds = int(learner.matches.state_dict()["counts"].sum())
games = int(learner.frames.observations.long().sum())
print(f"{workers.rank} {float(weights.sum())!r} {moments!r} {rounds} {report.decisions} {games}", flush=True)
leave()
"""


def torchrun(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Start a command as two processes."""
    path = os.pathsep.join([str(ROOT), str(ROOT / "src"), os.environ.get("PYTHONPATH", "")])
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2", *arguments]
    environment = os.environ | {"PYTHONPATH": path, "OMP_NUM_THREADS": "1"}
    return subprocess.run(command, capture_output=True, text=True, env=environment, cwd=ROOT)


def test_two_workers_learn_the_same_from_different_games(tmp_path: Path) -> None:
    script = tmp_path / "together.py"
    script.write_text(TOGETHER)
    done = torchrun(str(script))
    assert done.returncode == 0, done.stderr
    one, two = sorted(line.split() for line in done.stdout.splitlines() if line[:2] in ("0 ", "1 "))
    assert one[1:5] == two[1:5]
    assert int(one[3]) > 0
    assert int(one[4]) == 2 * 64 * 24
    assert one[5] != two[5]


def test_a_run_of_two_workers_is_one_run(tmp_path: Path) -> None:
    small = [
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
    short = ["--evaluation-deals", "64", "--decisions", "2048", "--seconds", "600", "--out", str(tmp_path / "run")]
    done = torchrun("-m", "training.train", *small, *short)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("weights, cpu") == 1
    rows = list(csv.DictReader((tmp_path / "run" / "curve.csv").read_text().splitlines()))
    assert [row["decisions"] for row in rows] == ["2048"]
    assert read_policy(tmp_path / "run", "cpu").head.bias.isfinite().all()
    # Another one starts from it with larger networks, whose sizes the first process tells.
    start = ["--start", str(tmp_path / "run"), "--blocks", "2", "--decisions", "1024", "--out", str(tmp_path / "next")]
    # Without the dashes torchrun takes --start for the beginning of an option of its own.
    done = torchrun("-m", "--", "training.train", *small, *short[:2], "--seconds", "600", *start)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("from 1 to 2 blocks of the policy") == 1
    sizes = [network_size(read_weights(tmp_path / "next", name, "cpu")) for name in ("policy", "critic")]
    assert sizes == [(16, 2), (16, 1)]


def test_one_process_needs_no_others() -> None:
    assert join() is ALONE
    assert is_first()
    assert ALONE.is_first
    assert ALONE.from_first("this") == "this"
    assert ALONE.agree(2.5) == 2.5
    assert torch.equal(ALONE.total(torch.ones(2)), torch.ones(2))


def test_every_process_has_a_gpu_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("torch.cuda.device_count", lambda: 2)
    monkeypatch.setattr("training.workers.distributed.init_process_group", lambda backend: None)
    monkeypatch.setattr("training.workers.distributed.get_rank", lambda: 1)
    monkeypatch.setenv("WORLD_SIZE", "4")
    monkeypatch.setenv("LOCAL_RANK", "1")
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "5,7")
    assert join() == (1, 4)
    assert os.environ["CUDA_VISIBLE_DEVICES"] == "7"
    monkeypatch.setenv("LOCAL_RANK", "2")
    with pytest.raises(TrainingError, match="process 2 of this machine has no GPU: there are 2"):
        join()
