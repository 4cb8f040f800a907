"""Bots that play as people do: their strengths, the same again, and by both computations."""

import json
import os
from dataclasses import replace
from importlib.resources import files
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from tests.agents.tables import decisions
from tichu import GameError, Rules
from tichu.agents import make_agent
from tichu.agents.learned.agent import LearnedAgent
from tichu.agents.learned.features import encode_row
from tichu.agents.learned.human import HumanAgent, Strength, human, level_distance, read_people, strength_at
from tichu.agents.learned.network import champion
from tichu.encoding import legal_numbers
from tichu.encoding.numbering import CALLING_TICHU

FOLDER = files("tichu.agents.learned")
RULES = Rules.parse("standard bombs=ordered")


def test_what_is_added_fits_into_the_package() -> None:
    assert (FOLDER / "human.npz").stat().st_size <= 1_500_000  # type: ignore[attr-defined]


def test_nothing_added_is_the_champion() -> None:
    """Smaller logits choose the same."""
    nothing = HumanAgent(0, network=human(0.0))
    views = [view for _, view in decisions(RULES, 3)]
    assert [nothing.act(view, view.legal()) for view in views] == [
        LearnedAgent().act(view, view.legal()) for view in views
    ]


def test_people_decide_otherwise() -> None:
    views = [view for _, view in decisions(RULES, 4)]
    different = [
        make_agent("human").act(view, view.legal()) != LearnedAgent().act(view, view.legal()) for view in views
    ]
    assert 0 < sum(different) < len(views) / 2


@pytest.mark.skipif(human().native is None and os.environ.get("CI") != "true", reason="no native core")
def test_numpy_and_the_native_core_agree() -> None:
    network, reference = human(), human().by_numpy()
    assert network.native is not None
    for _, view in decisions(RULES, 5):
        numbers = np.array(sorted(legal_numbers(view)))
        row = encode_row(view)
        one, two = (each.scores(row, numbers)[0] for each in (network, reference))
        assert np.allclose(one, two, rtol=1e-3, atol=1e-3)


def test_a_file_says_what_is_added(tmp_path: Path) -> None:
    base, path = champion(), tmp_path / "one.npz"
    layers = {"entry": base.entry, "head": base.head}
    for place, (one, two) in enumerate(base.blocks):
        layers |= {f"block{place}_one": one, f"block{place}_two": two}
    arrays = {"version": np.array(1), "champion": np.array(base.digest), "scale": np.array(0.5)}
    for name, layer in layers.items():
        inputs, outputs = layer.weight.shape
        arrays |= {f"{name}_rows": np.zeros((inputs, 1)), f"{name}_columns": np.zeros((1, outputs))}
        arrays[f"{name}_bias"] = np.zeros(len(layer.bias))
    arrays["head_bias"][CALLING_TICHU] = 4
    np.savez(path, **arrays)  # type: ignore[arg-type]
    read = read_people(str(path), 0.5)
    assert np.array_equal(read.entry.weight, base.entry.weight)
    assert np.array_equal(read.head.weight, base.head.weight / 2)
    assert read.head.bias[CALLING_TICHU] == base.head.bias[CALLING_TICHU] / 2 + 2
    np.savez(path, **{**arrays, "version": np.array(0)})  # type: ignore[arg-type]
    with pytest.raises(GameError, match="made for another network"):
        read_people(str(path))
    np.savez(path, **{**arrays, "champion": np.array("0" * 16)})  # type: ignore[arg-type]
    with pytest.raises(GameError, match=r"made for another champion; training\.imitate makes it anew"):
        read_people(str(path))


def test_a_digest_knows_every_weight() -> None:
    base = champion()
    bias = base.value.bias.copy()
    bias[-1] += 1
    assert replace(base, value=base.value._replace(bias=bias)).digest != base.digest == base.by_numpy().digest


def test_what_was_measured_was_measured_with_this_champion() -> None:
    """After a new one see docs/training.md for what is to be made anew."""
    table = json.loads((FOLDER / "levels.json").read_text(encoding="ascii"))
    assert table["champion"] == champion().digest


@pytest.mark.parametrize(
    ("content", "message"), [(b"", "no file of weights"), (None, "nothing that could be added")], ids=["empty", "other"]
)
def test_another_file_is_refused(tmp_path: Path, content: bytes | None, message: str) -> None:
    path = tmp_path / "other.npz"
    if content is None:
        np.savez(path, other=np.zeros(2))
    else:
        path.write_bytes(content)
    with pytest.raises(GameError, match=message):
        read_people(str(path))


def test_the_weaker_the_more_chance() -> None:
    table = json.loads((FOLDER / "levels.json").read_text(encoding="ascii"))
    distances = [each["distance"] for each in table["path"]]
    assert distances == sorted(distances)
    assert distances[-1] > level_distance("easy") > level_distance("medium") > level_distance("hard") > 0
    assert strength_at(0) == Strength(0, 0)
    found = [strength_at(distance) for distance in range(0, int(distances[-1]), 5)]
    for one, two in pairwise(found):
        assert one.share <= two.share
        assert one.temperature <= two.temperature


def test_a_measured_place_is_hit() -> None:
    for each in json.loads((FOLDER / "levels.json").read_text(encoding="ascii"))["path"]:
        share, temperature = strength_at(each["distance"])
        assert (share, temperature) == pytest.approx((each["share"], each["temperature"]), abs=0.01)


def test_a_distance_is_a_bot() -> None:
    weak, strong = make_agent("human:-150", 4), make_agent("human:-2.5", 4)
    assert isinstance(weak, HumanAgent)
    assert isinstance(strong, HumanAgent)
    assert weak.temperature > strong.temperature == 0
    again = make_agent("human:-150", 4)
    changed = 0
    for _, view in decisions(Rules.parse("courtesy"), 6):
        action = weak.act(view, view.legal())
        assert action in view.legal()
        assert action == again.act(view, view.legal())
        changed += action != strong.act(view, view.legal())
    assert changed


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("human:80", "human:80: say how many points a round below learned, as in human:-80"),
        ("human:", "human:: say how many points"),
        ("human:-", "human:-: say how many points"),
        ("human:-nan", "human:-nan: say how many points"),
        ("human:-1e999", "human:-1e999: say how many points"),
        ("human:-900", "human:-900 is out of range: from human:-0 to human:-"),
        ("easy:-80", "easy has its own strength; human:-80 is a bot of the strength you choose"),
        ("learned:-80", "the bot 'learned' has no options"),
    ],
)
def test_what_is_no_distance_is_told(spec: str, message: str) -> None:
    with pytest.raises(GameError) as refused:
        make_agent(spec)
    assert message in str(refused.value)
