"""A run continues from its checkpoint, whenever the machine is taken away."""

from pathlib import Path

import numpy as np
import pytest
import torch

from tichu.agents.learned.features import FEATURE_COUNT, FEATURE_COUNTS
from tichu.agents.learned.network import champion
from tichu.encoding import VERSION
from training import checkpoint, weights
from training.checkpoint import Progress, load, load_weights, read_policy, read_weights, save
from training.command_line import TrainingError
from training.ppo import Coefficients, Config, Learner
from training.simulator import RESULT, Frame, Simulator
from training.weights import write_start
from training.workers import Workers

CHAMPION = Path(__file__).parents[2] / "src" / "tichu" / "agents" / "learned" / "champion.npz"
CONFIG = Config("cpu", 64, 4, 64, width=16, blocks=1)
# Tests run side by side; threads that wait for each other would only get in the way.
torch.set_num_threads(1)


def trained_learner(iterations: int = 1) -> Learner:
    torch.manual_seed(iterations)
    learner = Learner(CONFIG)
    learner.reset(iterations)
    for _ in range(iterations):
        learner.iterate(Coefficients.at(0.5, 1e-3))
    return learner


def assert_same(one: Learner, two: Learner) -> None:
    for left, right in zip(one.parameters, two.parameters, strict=True):
        assert torch.equal(left, right)
        states = one.optimizer.state[left], two.optimizer.state[right]
        assert states[0]["step"] == states[1]["step"]
        for name in ("exp_avg", "exp_avg_sq"):
            assert torch.equal(states[0][name].bfloat16().float(), states[1][name])


def test_everything_comes_back_from_small_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoint, "_PART", 10_000)
    one, two = trained_learner(), Learner(CONFIG)
    save(tmp_path, one, Progress(3.0, 256, 9.0))
    sizes = [path.stat().st_size for path in tmp_path.iterdir()]
    assert len(sizes) > 50
    assert max(sizes) <= 10_000
    assert load(tmp_path, two) == Progress(3.0, 256, 9.0)
    assert_same(one, two)


def test_only_the_first_process_needs_the_files_of_a_policy(tmp_path: Path) -> None:
    save(tmp_path, trained_learner(), Progress())
    weights = read_weights(tmp_path, "policy", "cpu")

    class Second(Workers):
        def from_first(self, value: object) -> object:
            assert value is None
            return weights

    policy = read_policy(tmp_path / "nowhere", "cpu", workers=Second(1, 2))
    assert all(torch.equal(value, weights[name]) for name, value in policy.state_dict().items())


def test_parts_of_another_save_are_neither_kept_nor_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoint, "_PART", 10_000)
    save(tmp_path, trained_learner(), Progress())
    monkeypatch.undo()
    one, two = trained_learner(2), Learner(CONFIG)
    save(tmp_path, one, Progress())
    assert len([*tmp_path.iterdir()]) == 6  # Two networks, two moments, the match values, the progress.
    (tmp_path / "policy.2.1.part").write_bytes(b"left over")
    load(tmp_path, two)
    assert_same(one, two)


def test_a_save_that_is_cut_short_leaves_the_one_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second, write = trained_learner(), trained_learner(2), checkpoint._write
    save(tmp_path, first, Progress(1.0))
    left = 0

    def taken_away(path: Path, content: bytes) -> None:
        nonlocal left
        left -= 1
        write(path, content if left >= 0 else content[: len(content) // 2])
        if left < 0:
            raise KeyboardInterrupt

    monkeypatch.setattr(checkpoint, "_write", taken_away)
    for writes in range(6):
        left = writes
        with pytest.raises(KeyboardInterrupt):
            save(tmp_path, second, Progress(2.0))
        found = Learner(CONFIG)
        assert load(tmp_path, found) == Progress(1.0)
        assert_same(first, found)
    left = 6
    save(tmp_path, second, Progress(2.0))
    assert load(tmp_path, found) == Progress(2.0)
    assert_same(second, found)
    assert len([*tmp_path.iterdir()]) == 6


def test_what_matches_are_worth_comes_back(tmp_path: Path) -> None:
    one, two = trained_learner(), Learner(CONFIG)
    save(tmp_path, one, Progress())
    load(tmp_path, two)
    assert two.matches.win_probabilities is None
    torch.manual_seed(7)
    results = torch.zeros(2000, len(RESULT), dtype=torch.int16)
    results[:, 0] = 5 * torch.randint(0, 41, (2000,))
    results[:, 1] = 100 - results[:, 0]
    one.matches.count(results)
    one.matches.update()
    one.matches.count(results[:70])
    save(tmp_path, one, Progress())
    load(tmp_path, two)
    assert torch.equal(one.matches.win_probabilities, two.matches.win_probabilities)
    assert torch.equal(one.matches.reward(results), two.matches.reward(results))
    for matches in (one.matches, two.matches):
        matches.update()
    assert torch.equal(one.matches.win_probabilities, two.matches.win_probabilities)


def test_what_is_not_a_checkpoint_is_refused_by_name(tmp_path: Path) -> None:
    learner = trained_learner()
    assert load(tmp_path / "nothing", learner) is None
    with pytest.raises(TrainingError, match="nothing: no checkpoint with a policy"):
        read_policy(tmp_path / "nothing", "cpu")
    save(tmp_path, learner, Progress())
    with pytest.raises(TrainingError, match="another shape, 16 wide with 1 blocks"):
        load(tmp_path, Learner(CONFIG._replace(width=32)))
    part = next(tmp_path.glob("policy.*.part"))
    part.write_bytes(part.read_bytes()[:1000])
    with pytest.raises(TrainingError, match="policy cannot be read"):
        load(tmp_path, learner)
    part.unlink()
    with pytest.raises(FileNotFoundError, match="policy"):
        load(tmp_path, learner)
    for text, fault in (("{", "progress.json: "), ('{"encoding": -1}', "another version")):
        (tmp_path / "progress.json").write_text(text)
        with pytest.raises(TrainingError, match=fault):
            load(tmp_path, learner)


def test_weights_from_before_the_rules_were_features_are_padded(tmp_path: Path) -> None:
    learner = trained_learner()
    for network in (learner.policy, learner.critic):
        weights = network.state_dict()
        entry, extra, features = weights["body.entry.weight"], network.body.extra, FEATURE_COUNTS[0]
        assert entry.shape[1] == FEATURE_COUNT + extra
        narrow = torch.cat([entry[:, :features], entry[:, FEATURE_COUNT:]], 1)
        load_weights(network, {**weights, "body.entry.weight": narrow}, tmp_path)
        padded = network.state_dict()["body.entry.weight"]
        assert torch.equal(padded[:, :features], narrow[:, :features])
        assert not padded[:, features:FEATURE_COUNT].any()
        assert torch.equal(padded[:, FEATURE_COUNT:], narrow[:, features:])


def test_the_champions_weights_are_those_of_a_policy() -> None:
    policy = read_policy(CHAMPION, "cpu")
    frame, simulator = Frame.empty((64,), "cpu"), Simulator(64, "cpu")
    simulator.deal(3, frame)
    with torch.no_grad():
        logits, predictions = policy(frame.observations)
    for row in range(0, 64, 8):
        scores, expected = champion().scores(frame.observations[row].numpy(), np.arange(1625))
        assert np.abs(scores - logits[row, :1625].numpy()).max() < 1e-3 * np.abs(scores).max()
        assert expected.points / 100 == pytest.approx(float(predictions[row, 0]), abs=1e-3)


def test_files_of_weights_are_refused_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "some.npz"
    np.savez(path, version=np.array(VERSION - 1))
    with pytest.raises(TrainingError, match=r"some\.npz: another version"):
        read_weights(path, "policy", "cpu")
    np.savez(path, version=np.array(VERSION))
    with pytest.raises(TrainingError, match=r"some\.npz: no policy"):
        read_weights(path, "policy", "cpu")
    with pytest.raises(TrainingError, match=r"champion\.npz: no critic"):
        read_weights(CHAMPION, "critic", "cpu")
    monkeypatch.setattr(weights, "LIMIT", 1000)
    with pytest.raises(TrainingError, match="more than the 1,000"):
        write_start({"policy": {"noise": torch.randn(1000)}}, path)


def test_weights_of_the_first_runs_are_read(tmp_path: Path) -> None:
    """Several files without a name in the progress, and none that a run could go on from."""
    learner = trained_learner()
    weights = [*learner.policy.state_dict().items()]
    torch.save(dict(weights[:3]), tmp_path / "policy.0.pt")
    torch.save(dict(weights[3:]), tmp_path / "policy.1.pt")
    (tmp_path / "progress.json").write_text(f'{{"encoding": {VERSION}, "steps": 4.0, "seconds": 3.0}}')
    assert read_weights(tmp_path, "policy", "cpu").keys() == learner.policy.state_dict().keys()
    bias = read_policy(tmp_path, "cpu").head.bias - learner.policy.head.bias
    assert not bias.any()
    with pytest.raises(TrainingError, match="--start"):
        load(tmp_path, learner)
