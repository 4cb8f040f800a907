"""The strengths of bots that play as people do: how they are measured and written down."""

import json
from pathlib import Path

import pytest

from tichu.agents.learned.human import Strength, strength_at
from tichu.agents.learned.network import champion
from training import levels
from training.levels import Loss, rising


def test_distances_rise() -> None:
    assert rising([Loss(1, 1), Loss(2, 1)]) == [1, 2]
    assert rising([Loss(4, 1), Loss(2, 1), Loss(3, 1), Loss(9, 1)]) == [3, 3, 3, 9]
    first, second = rising([Loss(4, 1), Loss(1, 2)])
    assert first == second == pytest.approx(3.4)


def test_what_was_measured_becomes_a_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every duel is played once: the second time all of them are known."""
    played = []

    def lost(one: levels._Maker, two: levels._Maker, deals: int, seed: int) -> Loss:
        played.append((deals, seed))
        heat = one(1).temperature
        return Loss({0.25: 50.0, 0.5: 40.0}.get(heat, 10 + 90 * heat) if heat <= 3 else 30 * heat, 2.0)

    monkeypatch.setattr(levels, "_lost", lost)
    target, kept = tmp_path / "levels.json", tmp_path / "kept.jsonl"
    arguments = [str(target), "--deals", "7", "--resume", str(kept)]
    levels.main(arguments)
    table = json.loads(target.read_text())
    assert table["command"] == "python -m training.levels levels.json --deals 7 --seed 2095"
    assert table["champion"] == champion().digest
    assert table["levels"] == {"hard": 135.0, "medium": 195.0, "easy": 270.0}
    places = [(each["distance"], Strength(each["share"], each["temperature"])) for each in table["path"]]
    # Half of what people do is pooled with all of it, and one temperature with the next.
    assert places[:3] == [(0, (0, 0)), (10, (1, 0)), (45, (1, 0.5))]
    assert strength_at(45 + (77.5 - 45) / 2, tuple(places)) == (1, 0.625)
    count = len(played)
    assert count == len(kept.read_text().splitlines())
    levels.main(arguments)
    assert len(played) == count
    assert "easy against medium, as they were, 7 deals, seed 2095: -270.0 points" in capsys.readouterr().out


def test_the_champion_loses_nothing_to_itself() -> None:
    champion = levels._first(0.0)
    assert levels._lost(champion, champion, 2, 3) == Loss(0, 0)
