"""What the others hold may be learned beside the policy, in training only."""

import csv
import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
import torch

from tests.training.runs import CONFIG, SHORT, save_run
from training.checkpoint import Progress, load, read_weights, save
from training.evaluation import Outcome, random_player
from training.export import main as export
from training.network import BeliefHead, Policy, count_by_unit
from training.ppo import Coefficients, Learner
from training.simulator import Frame, Simulator
from training.train import main as train

BELIEVING = CONFIG._replace(belief_coefficient=0.5)
# Tests run side by side; threads that wait for each other would only get in the way.
torch.set_num_threads(1)

pytestmark = pytest.mark.usefixtures("clock")


@pytest.fixture
def _quick_evaluation(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is played, for tests of something else."""
    monkeypatch.setattr("training.train.evaluate", lambda *_: Outcome(0.0, 0.0, Counter()))


def frame_after(seed: int, steps: int, games: int = 64) -> Frame:
    simulator, frame = Simulator(games, "cpu"), Frame.empty((games,), "cpu")
    simulator.deal(seed, frame)
    torch.manual_seed(seed)
    for _ in range(steps):
        simulator.step(random_player(frame), frame, simulator.empty_results())
    return frame


def test_cards_are_counted_by_special_and_by_rank() -> None:
    cards = torch.zeros(56, dtype=torch.uint8)
    cards[[1, 4, 6, 7, 55]] = 1
    assert count_by_unit(cards).tolist() == [0, 1, 0, 0, 3, *[0] * 11, 1]


def test_a_head_that_knows_the_hands_has_no_loss() -> None:
    frame = frame_after(1, 30)
    bits = np.unpackbits(frame.hands.numpy(), axis=1, bitorder="little").reshape(-1, 4, 56)
    held = np.concatenate([bits[..., :4], bits[..., 4:].reshape(-1, 4, 13, 4).sum(-1)], -1)[:, 1:]

    class Knowing(BeliefHead):
        def forward(self, hidden: torch.Tensor) -> torch.Tensor:
            return 50.0 * torch.nn.functional.one_hot(torch.from_numpy(held).long(), 5).float()

    hidden = torch.zeros(64, 16)
    assert float(Knowing(16).loss(hidden, frame.hands)) == pytest.approx(0, abs=1e-6)
    # One that knows nothing holds each of five numbers for as likely.
    assert float(BeliefHead(16).loss(hidden, frame.hands).detach()) == pytest.approx(np.log(5))


def test_the_policys_layers_learn_what_the_others_hold() -> None:
    torch.manual_seed(2)
    frame, policy, head = frame_after(2, 90, 256), Policy(64, 1), BeliefHead(64)
    # How often each number comes, whatever is seen: all that could be learned without the body.
    others = np.unpackbits(frame.hands.numpy(), axis=1, bitorder="little").reshape(-1, 4, 56)[:, 1:]
    numbers = count_by_unit(torch.from_numpy(others))
    shares = torch.stack([(numbers == count).float().mean(0) for count in range(5)], -1)
    blind = -(shares * shares.clamp(min=1e-9).log()).sum(-1).mean()
    optimizer = torch.optim.Adam([*policy.parameters(), *head.parameters()], lr=3e-3)
    for _ in range(140):
        loss = head.loss(policy.body(frame.observations), frame.hands)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    assert float(loss.detach()) < 0.6 * float(blind)


def test_without_it_nothing_changes() -> None:
    losses = []
    for config in (CONFIG, BELIEVING):
        torch.manual_seed(3)
        learner = Learner(config)
        learner.reset(3)
        learner.collect_rollout(4.0)
        losses.append(learner.policy.state_dict())
        assert (learner.belief is None) == (config is CONFIG)
    plain, believing = losses
    assert plain.keys() == believing.keys()
    assert all(torch.equal(plain[name], believing[name]) for name in plain)


def test_a_run_with_a_belief_head_goes_on_with_it(tmp_path: Path) -> None:
    torch.manual_seed(4)
    one, two = Learner(BELIEVING), Learner(BELIEVING)
    one.reset(4)
    for _ in range(2):
        report = one.iterate(Coefficients.at(0.5, 1e-3))
    assert report.belief_loss is not None
    assert report.belief_loss < np.log(5)
    save(tmp_path, one, Progress(3.0, 512, 9.0))
    assert load(tmp_path, two) == Progress(3.0, 512, 9.0)
    assert one.belief is not None
    assert one.belief.held.weight.any()
    for left, right in zip(one.parameters, two.parameters, strict=True):
        assert torch.equal(left, right)
        states = one.optimizer.state[left], two.optimizer.state[right]
        assert torch.equal(states[0]["exp_avg"].bfloat16().float(), states[1]["exp_avg"])


@pytest.mark.usefixtures("_quick_evaluation")
def test_it_is_left_behind_by_what_is_made_of_a_run(tmp_path: Path) -> None:
    out = tmp_path / "run"
    train([*SHORT, "--belief-coefficient", "0.5", "--out", str(out), "--total-seconds", "1000"])
    (row,) = csv.DictReader((out / "curve.csv").read_text().splitlines())
    assert 0 < float(row["belief_loss"]) < np.log(5)
    start, bot = (tmp_path / name for name in ("start.npz", "bot.npz"))
    export([str(out), str(start), "--for", "start"])
    export([str(out), str(bot)])
    for path in (start, bot):
        assert not [name for name in np.load(path) if "held" in name or "belief" in name]
    # Who starts from its weights may learn it anew, or not.
    for more in ([], ["--belief-coefficient", "0.1"]):
        train([*SHORT, "--start", str(start), *more, "--out", str(tmp_path / f"next{len(more)}")])
    assert "belief" not in json.loads((tmp_path / "next0" / "progress.json").read_text())["parts"]
    assert "belief_loss" not in (tmp_path / "next0" / "curve.csv").read_text()
    assert read_weights(tmp_path / "next2", "belief", "cpu").keys() == {"held.weight", "held.bias"}


@pytest.mark.usefixtures("_quick_evaluation")
def test_a_run_does_not_change_its_mind_about_it(tmp_path: Path) -> None:
    with_it, without = (tmp_path / name for name in ("with", "without"))
    train([*SHORT, "--belief-coefficient", "0.5", "--out", str(with_it), "--total-seconds", "1000"])
    save_run(without)
    with pytest.raises(SystemExit, match="with: the run there learns with a belief head"):
        train([*SHORT, "--out", str(with_it)])
    with pytest.raises(SystemExit, match="without: the run there learns without a belief head"):
        train([*SHORT, "--belief-coefficient", "0.5", "--out", str(without)])
