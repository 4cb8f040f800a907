"""A small policy learns from a large one."""

from pathlib import Path

import pytest
import torch

from tichu.agents.learned.network import read_network
from training.distil import Distiller
from training.distil import main as distil
from training.network import Policy

torch.set_num_threads(1)


def test_the_student_comes_closer() -> None:
    torch.manual_seed(1)
    teacher = Policy(16, 1)
    # As it begins, it likes everything alike: there would be nothing to learn.
    torch.nn.init.normal_(teacher.head.weight, std=0.5)
    distiller = Distiller(teacher, Policy(16, 1), "cpu", 128, "mixed", seed=1)
    before = dict(teacher.state_dict())
    differences = [float(distiller.step(0.003)) for _ in range(120)]
    assert sum(differences[-20:]) < 0.8 * sum(differences[:20])
    assert all(torch.equal(value, before[name]) for name, value in teacher.state_dict().items())


def test_the_command_writes_a_bot_and_says_what_it_costs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    champion = Path(__file__).parents[2] / "src" / "tichu" / "agents" / "learned" / "champion.npz"
    target = tmp_path / "small.npz"
    small = ["--width", "16", "--blocks", "1", "--games", "64", "--deals", "64"]
    command = [str(champion), str(target), "--seconds", "0.5", *small]
    distil(command)
    told = capsys.readouterr().out
    assert "weights, cpu" in told
    assert "points a round over its teacher (standard error " in told
    assert read_network(str(target)).entry.weight.shape[1] == 16
    with pytest.raises(SystemExit, match="there already; --force replaces it"):
        distil(command)
