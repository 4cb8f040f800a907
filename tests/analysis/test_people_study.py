"""The study of people's games: what counts as what, and what it tells."""

import doctest
import json
from pathlib import Path

from click.testing import CliRunner

from bench import people_study


def test_what_counts_as_what() -> None:
    assert doctest.testmod(people_study).failed == 0


def test_it_tells_what_was_lost_by_what_was_played(tmp_path: Path) -> None:
    def decision(file: str, kind: str, played: str, lost: float, worlds: int = 48) -> str:
        return json.dumps({"file": file, "round": 0, "kind": kind, "played": played, "lost": lost, "worlds": worlds})

    lines = [
        decision("a", "follow", "0:-", 12.0),
        decision("a", "follow", "1:As", -2.0),
        decision("b", "lead", "0:3s3b", 0.0, worlds=0),
        json.dumps({"summary": {}}),
    ]
    study = tmp_path / "study.jsonl"
    study.write_text("\n".join(lines))
    told = CliRunner().invoke(people_study.main, [str(study)]).stdout
    assert told.startswith("3 decisions in 2 rounds of 2 games\n")
    assert "| all | 2 | +5.0 | +5.0 (-4.8 to +14.8) |" in told
    assert "| follow: passed | 1 | +12.0 |" in told
    assert "lead" not in told


def test_a_file_without_decisions_is_refused(tmp_path: Path) -> None:
    (tmp_path / "none.jsonl").write_text("{}\n")
    result = CliRunner().invoke(people_study.main, [str(tmp_path / "none.jsonl")])
    assert result.exit_code == 1
    assert "there are no decisions in it" in result.stderr
