"""Learning: chances, gains, checkpoints, and the weights that go into the package."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="training needs torch")

from tichu.agents.learned.network import read_network  # noqa: E402
from tichu.encoding.numbering import CALLING_GRAND, CALLING_TICHU  # noqa: E402
from training.checkpoint import load, save  # noqa: E402
from training.curves import draw, read  # noqa: E402
from training.duel import at_random, best_of, by_preference, duel  # noqa: E402
from training.export import export  # noqa: E402
from training.network import LOGITS, Policy, choices, unpack  # noqa: E402
from training.ppo import Learner, Rates, advantages  # noqa: E402
from training.simulator import NO_RESULT, Frame, Simulator  # noqa: E402
from training.train import main  # noqa: E402

GAMES = 64


def shown(seed: int, steps: int = 30) -> Frame:
    simulator, frame = Simulator(GAMES, "cpu"), Frame.empty((GAMES,), "cpu")
    simulator.deal(seed, frame)
    torch.manual_seed(seed)
    for _ in range(steps):
        simulator.step(at_random(frame), frame, torch.zeros(GAMES, dtype=torch.int16))
    return frame


def small_policy(seed: int) -> Policy:
    torch.manual_seed(seed)
    policy = Policy(32, 2)
    for parameter in policy.parameters():
        torch.nn.init.normal_(parameter, std=0.3)
    return policy


def test_chances_are_chances_and_illegal_actions_have_none() -> None:
    for steps in (0, 30):
        frame = shown(1, steps)
        logs, calling, others = choices(torch.randn(GAMES, LOGITS), frame.masks, 4.0)
        assert torch.allclose(logs.exp().sum(1), torch.ones(GAMES), atol=1e-4)
        assert (logs.exp()[unpack(frame.masks) == 0] == 0).all()
        assert torch.allclose(-(logs.exp() * logs.clamp(min=-60)).sum(1), calling + others * _no_call(logs), atol=1e-3)


def _no_call(logs: Any) -> Any:
    return 1 - logs[:, [CALLING_TICHU, CALLING_GRAND]].exp().sum(1)


def test_a_call_is_never_out_of_the_question() -> None:
    frame = shown(2, 0)  # The Grand calls.
    never = torch.full((GAMES, LOGITS), -1000.0)
    chance = choices(never, frame.masks, 4.0).logs[:, CALLING_GRAND].exp()
    assert torch.allclose(chance, torch.full((GAMES,), 0.018), atol=0.001)


def test_gains_are_what_the_value_of_the_own_team_rises_by() -> None:
    # One game: seat 0 decides, then seat 1, then seat 2, which ends the round with +100 for seats 0 and 2.
    seats = torch.tensor([[0], [1], [2], [3]], dtype=torch.int8)
    values = torch.tensor([[0.25], [-0.5], [0.75], [9.0]])
    results = torch.tensor([[NO_RESULT], [NO_RESULT], [100]], dtype=torch.int16)
    gains, targets = advantages(values, seats, results, decay=0.0)
    assert gains[:, 0].tolist() == [0.25, -0.25, 0.25]
    assert targets[:, 0].tolist() == [0.5, -0.75, 1.0]
    gains, targets = advantages(values, seats, results, decay=1.0)
    assert targets[:, 0].tolist() == [1.0, -1.0, 1.0]


def test_a_run_goes_on_where_it_was_saved(tmp_path: Path) -> None:
    one, two = (Learner("cpu", GAMES, 4, 64, width=16, blocks=1) for _ in range(2))
    one.begin(1)
    one.iterate(Rates.at(0.5, 1e-3))
    save(tmp_path, one, {"seconds": 3.0, "decisions": 256})
    assert load(tmp_path, two)["decisions"] == 256
    for left, right in zip(one.parameters, two.parameters, strict=True):
        assert torch.equal(left, right)
        averages = one.optimizer.state[left]["exp_avg"], two.optimizer.state[right]["exp_avg"]
        assert torch.allclose(*averages, rtol=0.01)
    assert load(tmp_path / "nothing", two) == {}
    assert max(path.stat().st_size for path in tmp_path.iterdir()) <= 16 * 2**20


def test_numpy_computes_what_torch_computes(tmp_path: Path) -> None:
    policy, frame = small_policy(3), shown(3)
    export(policy.state_dict(), tmp_path / "small.npz")
    network = read_network(str(tmp_path / "small.npz"))
    with torch.no_grad():
        scores, values = policy(frame.observations)
    for row in range(0, GAMES, 4):
        own, expected = network.scores(frame.observations[row].numpy(), np.arange(1625))
        assert np.abs(own - scores[row, :1625].numpy()).max() < 0.05 * np.abs(own).max()
        assert expected / 100 == pytest.approx(float(values[row]), abs=0.05 * (1 + abs(float(values[row]))))


def test_a_duel_is_fair_and_finds_the_better_one() -> None:
    greedy = by_preference("cpu")
    assert duel(greedy, greedy, "cpu", GAMES, seed=4).points == 0
    torch.manual_seed(4)
    better = duel(greedy, at_random, "cpu", GAMES, seed=4)
    assert better.points > 3 * better.error
    assert best_of(small_policy(4))(shown(4)).shape == (GAMES,)


def test_one_command_trains_goes_on_and_draws(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    small = ["--device", "cpu", "--games", "64", "--steps", "4", "--batch", "64", "--width", "16", "--blocks", "1"]
    words = [*small, "--deals", "64", "--seconds", "0.01", "--total", "0.02", "--out", str(tmp_path)]
    main(words)
    main(words)
    assert "weights, cpu" in capsys.readouterr().out
    rows = read(tmp_path / "curve.csv")
    assert len(rows) >= 2
    assert rows[-1]["seconds"] > rows[0]["seconds"]
    draw(rows, tmp_path / "curve.svg")
    assert (tmp_path / "curve.svg").read_text().count("<path") > 5
