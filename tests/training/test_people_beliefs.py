"""How far a belief about people is to be trusted."""

from pathlib import Path

import numpy as np
import pytest

from tests.analysis.test_beliefs import made_up
from tichu.analysis.beliefs import read_belief
from tichu.encoding import VERSION
from training.people_beliefs import main

GAMES = Path(__file__).parents[1] / "games"


def test_what_nobody_has_learned_is_hardly_trusted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    known = made_up()
    target = tmp_path / "beliefs.npz"
    layers = {
        "entry": known.entry,
        "head": known.head,
        "block0_one": known.blocks[0][0],
        "block0_two": known.blocks[0][1],
    }
    arrays = {f"{name}_{part}": getattr(layer, part) for name, layer in layers.items() for part in ("weight", "bias")}
    np.savez(target, version=np.array(VERSION), gifts=known.habits, **arrays)
    # One round is enough.
    head, first, *_ = (GAMES / "00.ttn").read_text().split("\n\n")
    (tmp_path / "game.ttn").write_text(f"{head}\n\n{first}\n")
    main([str(target), str(tmp_path / "game.ttn"), "--every", "8"])
    assert "times 0.40: log-loss a decision" in capsys.readouterr().out
    people = read_belief(target, "people")
    assert people.is_careless
    assert people.scale == pytest.approx(0.4)
    assert read_belief(target).scale == 1.0


def test_games_with_nothing_in_them_are_said_to_be_so(tmp_path: Path) -> None:
    (tmp_path / "game.ttn").write_text((GAMES / "00.ttn").read_text().split("\n\n")[0] + "\n")
    package = Path(__file__).parents[2] / "src" / "tichu" / "analysis" / "beliefs.npz"
    with pytest.raises(SystemExit, match="nothing to learn"):
        main([str(package), str(tmp_path / "game.ttn")])
