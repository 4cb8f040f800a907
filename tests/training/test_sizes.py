"""Networks grow without forgetting, critics have a size of their own, and whatever is exported can be read."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
import torch

from tests.training.runs import CONFIG, SHORT, save_run
from tichu.agents.learned.network import Network, read_network
from training.checkpoint import Progress, grow_weights, load_weights, read_policy, read_weights, save
from training.curves import read
from training.evaluation import Outcome
from training.exploit import main as exploit
from training.export import main as export
from training.network import Critic, Policy, network_size
from training.ppo import Coefficients, Learner
from training.simulator import Frame, Simulator
from training.train import main as train
from training.weights import write_bot

ROOT = Path(__file__).parents[2]
START = ROOT / "training" / "start.npz"
# Tests run side by side; threads that wait for each other would only get in the way.
torch.set_num_threads(1)

pytestmark = pytest.mark.usefixtures("clock")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run whose networks have a block each; nothing writes to it."""
    folder = tmp_path_factory.mktemp("run")
    save_run(folder)
    return folder


@pytest.fixture(scope="module")
def deep(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run with two blocks of the policy and three of the critic."""
    folder = tmp_path_factory.mktemp("deep")
    learner = Learner(CONFIG._replace(blocks=2, critic_blocks=3))
    learner.reset(1)
    learner.iterate(Coefficients.at(0.5, 1e-3))
    save(folder, learner, Progress(7.0, 512, 500.0))
    return folder


@pytest.fixture
def _quick_evaluation(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is played, for tests of something else."""
    for module in ("train", "exploit"):
        monkeypatch.setattr(f"training.{module}.evaluate", lambda *_: Outcome(0.0, 0.0, Counter()))


def frame_of(seed: int, games: int = 64) -> Frame:
    simulator, frame = Simulator(games, "cpu"), Frame.empty((games,), "cpu")
    simulator.deal(seed, frame)
    return frame


def sizes(folder: Path) -> list[tuple[int, int]]:
    return [network_size(read_weights(folder, name, "cpu")) for name in ("policy", "critic")]


def outputs(source: Path, frame: Frame, blocks: int, critic_blocks: int) -> tuple[torch.Tensor, ...]:
    """What both networks of a source say, grown to a number of blocks."""
    weights = {name: read_weights(source, name, "cpu") for name in ("policy", "critic")}
    width, _ = network_size(weights["policy"])
    policy, critic = Policy(width, blocks), Critic(width, critic_blocks)
    for network, name in ((policy, "policy"), (critic, "critic")):
        load_weights(network, grow_weights(network, weights[name], source), source)
    with torch.no_grad():
        return *policy(frame.observations), critic(frame.observations, frame.hands)


@pytest.mark.parametrize("source", ["run", START])
def test_what_has_grown_says_the_same_to_the_last_bit(source: Path | str, run: Path) -> None:
    source = source if isinstance(source, Path) else run
    blocks, critic_blocks = (network_size(read_weights(source, name, "cpu"))[1] for name in ("policy", "critic"))
    before = outputs(source, frame_of(3), blocks, critic_blocks)
    after = outputs(source, frame_of(3), blocks + 1, critic_blocks + 2)
    assert all(torch.equal(one, two) for one, two in zip(before, after, strict=True))
    assert all(each.abs().max() > 0 for each in after)


def test_a_run_begins_with_larger_networks_as_the_old_policy(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    larger = ["--blocks", "2", "--critic-blocks", "3", "--start", str(run), "--out", str(tmp_path)]
    train([*SHORT, *larger, "--learning-rate", "0", "--total-seconds", "1000"])
    told = capsys.readouterr().out
    assert f"{run}: from 1 to 2 blocks of the policy\n{run}: from 1 to 3 blocks of the critic\n" in told
    assert read(tmp_path / "curve.csv")[0]["over_previous"] == 0
    assert sizes(tmp_path) == [(16, 2), (16, 3)]
    for name in ("policy", "critic"):
        old, new = (read_weights(folder, name, "cpu") for folder in (run, tmp_path))
        assert all(torch.equal(old[key], new[key]) for key in old)
    # It goes on as one of that size, and what was added learns.
    train([*SHORT, *larger, "--learning-rate", "1e-3"])
    assert " to " not in capsys.readouterr().out
    for name, place in (("policy", 1), ("critic", 1), ("critic", 2)):
        weights = read_weights(tmp_path, name, "cpu")
        assert weights[f"body.blocks.{place}.two.weight"].any()


@pytest.mark.usefixtures("_quick_evaluation")
def test_a_critic_is_as_large_as_in_what_a_run_goes_on_from(deep: Path, run: Path, tmp_path: Path) -> None:
    one, two, three = (tmp_path / name for name in ("one", "two", "three"))
    train([*SHORT, "--blocks", "2", "--resume", str(deep), "--out", str(one), "--total-seconds", "500"])
    train([*SHORT, "--blocks", "2", "--out", str(one)])
    train([*SHORT, "--blocks", "3", "--start", str(deep), "--out", str(two)])
    exploit([str(deep), "--deals", "64", "--out", str(three), *SHORT, "--blocks", "2"])
    assert [sizes(folder) for folder in (one, two, three)] == [
        [(16, 2), (16, 3)],
        [(16, 3), (16, 3)],
        [(16, 2), (16, 3)],
    ]
    assert sizes(run) == [(16, 1), (16, 1)]


@pytest.mark.usefixtures("_quick_evaluation")
def test_a_critic_of_another_width_begins_anew(run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wide = ["--critic-width", "32", "--out", str(tmp_path), "--total-seconds", "1000"]
    train([*SHORT, *wide, "--start", str(run)])
    assert f"{run}: the critic there is 16 wide, so a new one learns" in capsys.readouterr().out
    assert sizes(tmp_path) == [(16, 1), (32, 1)]
    train([*SHORT, "--out", str(tmp_path)])
    export([str(tmp_path), str(tmp_path / "start.npz"), "--for", "start"])
    train([*SHORT, "--start", str(tmp_path / "start.npz"), "--out", str(tmp_path / "next")])
    assert sizes(tmp_path / "next") == [(16, 1), (32, 1)]


def test_no_network_shrinks(deep: Path, tmp_path: Path) -> None:
    for said, size in (
        (["--blocks", "1"], "16 wide with 2"),
        (["--blocks", "2", "--critic-blocks", "1"], "16 wide with 3"),
    ):
        with pytest.raises(SystemExit, match=f"another shape, {size} blocks"):
            train([*SHORT, *said, "--start", str(deep), "--out", str(tmp_path)])


def judge(network: Network, frame: Frame) -> list[bytes]:
    numbers = [np.arange(1625)] * len(frame.observations)
    together = network.scores_together(frame.observations.numpy(), numbers)
    return [np.append(scores, expected.outputs).tobytes() for scores, expected in together]


@pytest.mark.parametrize("blocks", [1, 2, 4, 6])
def test_the_bot_reads_any_number_of_blocks(blocks: int, tmp_path: Path) -> None:
    torch.manual_seed(blocks)
    policy, frame = Policy(32, blocks), frame_of(blocks)
    for parameter in policy.parameters():
        torch.nn.init.normal_(parameter, std=0.3)
    path = tmp_path / "bot.npz"
    write_bot(policy.state_dict(), path)
    network = read_network(str(path))
    assert len(network.blocks) == blocks
    with torch.no_grad():
        wanted, _ = read_policy(path, "cpu")(frame.observations)
    # By numpy, and by the native core where it is installed.
    for each in (network.by_numpy(), network):
        for row in range(0, 64, 8):
            scores, _ = each.scores(frame.observations[row].numpy(), np.arange(1625))
            assert np.abs(scores - wanted[row, :1625].numpy()).max() < 1e-3 * np.abs(scores).max()


def test_a_bot_that_has_grown_decides_the_same_to_the_last_bit(tmp_path: Path) -> None:
    weights = read_weights(START, "policy", "cpu")
    width, blocks = network_size(weights)
    networks = []
    for more in (0, 1):
        policy = Policy(width, blocks + more)
        load_weights(policy, grow_weights(policy, weights, START), START)
        write_bot(policy.state_dict(), tmp_path / f"{more}.npz")
        networks.append(read_network(str(tmp_path / f"{more}.npz")))
    small, large = networks
    frame = frame_of(5)
    assert len(large.blocks) == blocks + 1
    assert judge(small.by_numpy(), frame) == judge(large.by_numpy(), frame)
    assert judge(small, frame) == judge(large, frame)
