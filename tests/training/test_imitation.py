"""Learning from people: what is added to a network, and that it brings it closer to them."""

from itertools import islice
from pathlib import Path

import numpy as np
import pytest
import torch

from tests.games.make import GAMES
from tichu.agents.learned.network import champion
from tichu.encoding.numbering import ACTION_COUNT, PICKING, PLAYING
from training import imitate
from training.imitation import Addition, Samples, Settings, fit, mean_of, samples_of, write_additions
from training.network import Policy, action_distribution
from training.people_games import decisions, known_deals

SHORTEST = min(GAMES, key=lambda path: path.stat().st_size)


@pytest.fixture(scope="module")
def samples() -> Samples:
    return samples_of(islice(decisions(SHORTEST), 120))


@pytest.fixture
def policy() -> Policy:
    torch.manual_seed(3)
    made = Policy(16, 1)
    torch.nn.init.normal_(made.head.weight, std=0.3)
    made.eval()
    return made


def test_an_exchange_is_three_choices(samples: Samples) -> None:
    picks = (samples.numbers >= PICKING) & (samples.numbers < PLAYING)
    assert int(picks.sum()) % 3 == 0 < int(picks.sum())
    legal = np.unpackbits(samples.masks.numpy(), axis=1, bitorder="little")
    assert legal[np.arange(len(legal)), samples.numbers.numpy()].all()
    assert (legal.sum(1) > 1).all()


def test_it_learns_what_people_do_and_is_held_where_it_was(samples: Samples, policy: Policy) -> None:
    def likelihood(additions: dict[str, Addition]) -> float:
        changed = Policy(16, 1)
        changed.load_state_dict(policy.state_dict())
        with torch.no_grad():
            changed.head.weight /= settings.temperature
            changed.head.bias /= settings.temperature
            layers = {"entry": changed.body.entry, "block0_one": changed.body.blocks[0].one, "head": changed.head}
            layers["block0_two"] = changed.body.blocks[0].two
            for name, layer in layers.items():
                layer.weight += additions[name].weight
                layer.bias += additions[name].bias
            logits, _ = changed(samples.observations)
        logs = action_distribution(logits, samples.masks, 30.0).log_probabilities
        return float(logs.gather(1, samples.numbers.unsqueeze(1)).mean())

    settings = Settings(closeness=0.0, epochs=4, batch=8, rank=4, learning_rate=3e-2)
    free, again = fit(policy, samples, settings, 1), fit(policy, samples, settings, 1)
    held = fit(policy, samples, settings._replace(closeness=100.0), 1)
    nothing = {name: Addition(0 * each.weight, 0 * each.bias) for name, each in free.items()}
    assert likelihood(free) > likelihood(held) + 0.1
    assert likelihood(free) > likelihood(nothing) + 0.2
    assert all(torch.equal(free[name].weight, again[name].weight) for name in free)
    between = mean_of([free, nothing])
    assert torch.allclose(between["head"].weight, free["head"].weight / 2)


def test_a_file_holds_the_nearest_thin_matrices(policy: Policy, tmp_path: Path) -> None:
    torch.manual_seed(1)
    thin = torch.randn(len(policy.head.bias), 2) @ torch.randn(2, 16)
    entry = torch.randn(16, 2) @ torch.randn(2, policy.body.entry.in_features)
    added = {"head": Addition(thin, torch.ones(len(thin))), "entry": Addition(entry, torch.zeros(16))}
    path = tmp_path / "added.npz"
    write_additions(added, Settings(temperature=4.0), 2, {7, 2**64 - 1, 5}, path)
    assert known_deals(path) == {5, 7, 2**64 - 1}
    with np.load(path) as file:
        assert str(file["champion"]) == champion().digest
        assert float(file["scale"]) == 0.25
        assert file["head_bias"].shape == (ACTION_COUNT,)
        rows, columns = file["head_rows"].astype(np.float64), file["head_columns"].astype(np.float64)
        assert np.allclose(rows @ columns, thin[:ACTION_COUNT].numpy(), atol=0.05)
        assert file["entry_rows"].shape == (policy.body.entry.in_features, 2)


def test_parts_have_about_as_many_decisions() -> None:
    sizes = (10, 30, 20, 20, 10, 10)
    parts = imitate.split([[game] for game in range(6)], sizes, 2)
    assert [sum(sizes[game] for game in part) for part in parts] == [40, 60]
    assert sorted(game for part in parts for game in part) == [*range(6)]
    # Games with a player in common stay together.
    assert imitate.split([[0, 5], [1, 2], [3], [4]], sizes, 2) == [[0, 5, 1, 2], [3, 4]]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([str(SHORTEST)], "1 games are 1 without a player in common, too few for 5 parts; --parts 1 and one"),
        ([str(SHORTEST), "--parts", "1"], "--parts 1 is no cross-validation: say one --closeness"),
        (["missing.ttn"], "missing.ttn: No such file"),
    ],
    ids=["too few", "one part", "missing"],
)
def test_what_cannot_be_learned_from_is_told(arguments: list[str], message: str, tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match=message):
        imitate.main([*arguments, "--out", str(tmp_path / "human.npz")])


def test_a_file_is_not_replaced_unasked(tmp_path: Path) -> None:
    path = tmp_path / "human.npz"
    path.write_bytes(b"kept")
    with pytest.raises(SystemExit, match="this file is there already; --force replaces it"):
        imitate.main([str(SHORTEST), "--out", str(path)])
    assert path.read_bytes() == b"kept"
