"""The script that measures others: what is installed is measured, and what is not is said."""

import pytest
from click.testing import CliRunner

from bench import others

pytest.importorskip("tichu_native")


def test_every_form_plays_and_what_is_missing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    version = others._version
    monkeypatch.setattr(others, "_version", lambda package: None if package == "rlcard" else version(package))
    result = CliRunner().invoke(others.main, ["--seconds", "0.01", "--runs", "2"])
    assert result.exit_code == 0, result.output
    head, *lines, load = result.stdout.splitlines()
    assert "rlcard not installed" in head
    assert "load before: " in head
    assert load.startswith("load after: ")
    assert len(lines) == len(others.MEASURED)
    for one, line in zip(others.MEASURED, lines, strict=True):
        assert line.startswith(f"{one.name}: ")
        assert ("is not installed" in line) is (version(one.package) is None or one.package == "rlcard")
        assert "is not installed" in line or " to " in line


def test_a_step_is_a_decision_and_never_a_deal() -> None:
    steps = others.tichu_one()
    assert [steps() for _ in range(300)] == [1] * 300
