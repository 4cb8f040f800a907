"""A network learns what the others hold."""

from pathlib import Path

import numpy as np
import pytest
import torch

from tichu.analysis.beliefs import read_belief
from tichu.analysis.weighing import OUTPUTS, WeightedPlacing, unit_of
from training.beliefs import BeliefNetwork, Learner, Rows, log_likelihood, rows_of, write_beliefs
from training.beliefs import main as learn
from training.checkpoint import read_policy

torch.set_num_threads(1)

PLAYER = Path(__file__).parents[2] / "src" / "tichu" / "agents" / "learned" / "small.npz"


def one_row(row: Rows, at: int) -> tuple[dict[int, int], list[int]]:
    """Masks and hands (as sets) of any cards that are counted like this."""
    masks: dict[int, int] = {}
    hands = [0, 0, 0]
    for card in range(56):
        place = 0 if card < 4 else (card - 4) % 4
        if place < int(row.numbers[at, unit_of(card)]):
            masks[card] = 0b111
    for unit in range(17):
        cards = [card for card in masks if unit_of(card) == unit]
        holders = [seat for seat in range(3) for _ in range(int(row.held[at, seat, unit]))]
        for card, seat in zip(cards, holders, strict=True):
            hands[seat] |= 1 << card
        for seat in range(3):
            # Of the seat's cards as many are known to be there as it was given.
            own = [card for card, holder in zip(cards, holders, strict=True) if holder == seat]
            for card in own[: int(row.fixed[at, seat, unit])]:
                masks[card] = 1 << seat
    return masks, hands


def test_the_likelihood_is_the_probability_of_the_placement() -> None:
    learner = Learner(read_policy(PLAYER, "cpu"), BeliefNetwork(16, 1), "cpu", 64, "standard", seed=3)
    for _ in range(36):
        learner.play()
    rows = rows_of(learner.frame.observations, learner.frame.hands)
    assert int(rows.fixed.sum())
    rng = np.random.default_rng(1)
    outputs = torch.from_numpy(rng.normal(size=(64, OUTPUTS)))
    found = log_likelihood(outputs, rows)
    good = [at for at in range(64) if rows.is_good[at]]
    assert len(good) > 20
    for at in good[:20]:
        masks, hands = one_row(rows, at)
        placing = WeightedPlacing(masks, [int(size) for size in rows.sizes[at]], outputs[at].numpy())
        assert placing.log_probabilities([hands])[0] == pytest.approx(float(found[at]))


def test_numpy_computes_what_torch_does(tmp_path: Path) -> None:
    torch.manual_seed(2)
    network = BeliefNetwork(16, 2)
    torch.nn.init.normal_(network.head.weight, std=0.3)
    learner = Learner(read_policy(PLAYER, "cpu"), network, "cpu", 64, "mixed", seed=3)
    for _ in range(30):
        learner.play()
    write_beliefs(network, tmp_path / "beliefs.npz")
    observations = learner.frame.observations
    for careless in (False, True):
        known = read_belief(tmp_path / "beliefs.npz")._replace(is_careless=careless)
        with torch.no_grad():
            expected = network(observations, torch.full((64,), careless)).numpy()
        for row, outputs in zip(observations.numpy()[::8], expected[::8], strict=True):
            assert known.weights_of(row) == pytest.approx(outputs, abs=0.02)


def test_it_learns_more_than_counting_tells() -> None:
    torch.manual_seed(1)
    learner = Learner(read_policy(PLAYER, "cpu"), BeliefNetwork(16, 1), "cpu", 64, "standard", seed=1)
    losses = [learner.step(0.02) for _ in range(36)]
    total = torch.stack(losses[-12:]).sum(0)
    assert float(total[0]) < 0.99 * float(total[1])


def test_the_command_writes_a_belief(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "beliefs.npz"
    command = [str(PLAYER), str(target), "--seconds", "0.5", "--width", "16", "--blocks", "1", "--games", "64"]
    learn(command)
    assert "weights, cpu" in capsys.readouterr().out
    assert read_belief(target).entry.weight.shape[1] == 16
    with pytest.raises(SystemExit, match="there already; --force replaces it"):
        learn(command)
    before = read_belief(target)
    learn([*command, "--habits"])
    after = read_belief(target)
    assert (before.head.weight == after.head.weight).all()
    assert (before.habits != after.habits).any()
