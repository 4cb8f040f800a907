import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from bench import consistency
from bench.coverage import false_alarms
from tichu.analysis.reviews import RoundTask


def test_bots_are_in_the_order_of_the_arena() -> None:
    assert consistency._BOTS[:3] == ("searching", "learned", "small")
    assert consistency._BOTS[-1] == "random"


def test_pairs_in_the_other_order_are_told() -> None:
    lost = {"people": [9.0, 9.0], "random": [50.0, 70.0], "greedy": [60.0, 90.0], "learned": [0.0, 0.0]}
    assert list(consistency.reversed_pairs(lost)) == ["random loses -15.0 ± 5.0 more than greedy"]
    assert list(consistency.reversed_pairs(lost | {"random": [70.0, 95.0]})) == []


def test_an_interrupted_run_goes_on(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    reviewed: list[tuple[str, int]] = []

    def lost_in(task: RoundTask) -> float:
        reviewed.append((task.file, task.round))
        return 10.0 * len(reviewed)

    monkeypatch.setattr(consistency, "lost_in", lost_in)
    keep = tmp_path / "keep"
    keep.write_text("".join(json.dumps(line) + "\n" for line in (["random", 5.0], ["people", 7.0])))
    arguments = ["2", "--bot", "people", "--bot", "random", "--keep", str(keep)]
    said = CliRunner().invoke(consistency.main, arguments, catch_exceptions=False).stdout
    assert reviewed == [("01.ttn", 0), ("random", 1)]
    assert said.splitlines()[0].startswith("people: +8.5 ")
    again = CliRunner().invoke(consistency.main, arguments, catch_exceptions=False).stdout
    assert (again, len(reviewed)) == (said, 2)


def test_few_games_of_equal_candidates_have_a_false_alarm() -> None:
    rng = np.random.default_rng(3)
    even = [rng.normal(0, 60, 200) for _ in range(20)]
    # One world in a hundred decides.
    skewed = [np.where(np.arange(200) < 2, 400.0, -4.0) for _ in range(5)]
    assert all(false_alarms(even + skewed, decisions, games=60) <= 0.1 for decisions in (5, 150))
