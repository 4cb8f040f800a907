"""Champions of earlier times can still be played against."""

from pathlib import Path

import numpy as np
import pytest

from tests.agents.tables import decisions
from tichu import GameError, Round, Rules
from tichu.agents import make_agent
from tichu.agents.learned.features import FEATURE_COUNT, encode_row
from tichu.agents.learned.network import champion
from training.earlier import read_earlier


def weights(rows: int, width: int = 8) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(1)
    made = {
        "entry_weight": rng.normal(size=(rows, width)),
        "entry_bias": rng.normal(size=width),
        "head_weight": rng.normal(size=(1625, width)),
        "head_bias": rng.normal(size=1625),
        "value_weight": rng.normal(size=(width, 1)),
        "value_bias": rng.normal(size=1),
    }
    return {"version": np.array(1), **{name: array.astype(np.float16) for name, array in made.items()}}


def test_features_that_a_network_did_not_have_are_ignored(tmp_path: Path) -> None:
    path = tmp_path / "first.npz"
    np.savez(path, **weights(848))  # type: ignore[arg-type]
    network = read_earlier(path)
    assert network.entry.weight.shape == (FEATURE_COUNT, 8)
    assert network.entry.weight[845].any()
    assert not network.entry.weight[846:].any()
    view = [view for _, view in decisions(Rules.parse("standard bombs=ordered"), 1) if view.played][-1]
    one, two = (encode_row(each) for each in (view, view._replace(history=(), score=(0, 900))))
    assert (one != two).any()
    numbers = np.arange(1625)
    assert (network.scores(one, numbers)[0] == network.scores(two, numbers)[0]).all()
    assert network.scores(one, numbers)[1].points == network.scores(two, numbers)[1].points


def test_the_bot_plays_with_the_weights_it_is_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spec = str(Path(__file__).parents[2] / "training" / "earlier.py") + ":Earlier"
    monkeypatch.delenv("TICHU_EARLIER", raising=False)
    with pytest.raises(GameError, match="TICHU_EARLIER is not set"):
        make_agent(spec)
    monkeypatch.setenv("TICHU_EARLIER", str(tmp_path / "none.npz"))
    with pytest.raises(GameError, match=r"none\.npz: no weights there"):
        make_agent(spec)
    path = tmp_path / "same.npz"
    same = champion()
    arrays = {"version": np.array(1)}
    for name, layer in (("entry", same.entry), ("head", same.head), ("value", same.value)):
        arrays |= {f"{name}_weight": layer.weight, f"{name}_bias": layer.bias}
    for place, (one, two) in enumerate(same.blocks):
        arrays |= {f"block{place}_one_weight": one.weight, f"block{place}_one_bias": one.bias}
        arrays |= {f"block{place}_two_weight": two.weight, f"block{place}_two_bias": two.bias}
    np.savez(path, **arrays)  # type: ignore[arg-type]
    monkeypatch.setenv("TICHU_EARLIER", str(path))
    earlier, learned = make_agent(spec), make_agent("learned")
    for _, view in decisions(Rules.parse("standard bombs=ordered"), 2):
        assert earlier.act(view, view.legal()) == learned.act(view, view.legal())
    # And by a name of their own, several in one command.
    monkeypatch.delenv("TICHU_EARLIER")
    named = make_agent(f"{spec.removesuffix('Earlier')}{path}")
    assert named.name == "earlier"
    view = Round.from_position("9sAs/2s2b2g3s/5bKb/4s p2 0:8b 70/0/0/0 - ---- - -/-/-/-").view(2)
    assert named.act(view, view.legal()) == learned.act(view, view.legal())
    with pytest.raises(GameError, match="has no class or function 'Latest'"):
        make_agent(spec.replace("Earlier", "Latest"))
