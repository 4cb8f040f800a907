"""The learned bot beside people, on a round of which everything is known."""

from pathlib import Path

import pytest

from tichu.agents.learned.agent import LearnedAgent
from tichu.round import Round
from training.people import compare, main


def test_a_decision_without_a_choice_is_not_compared() -> None:
    view = Round.from_position("9s/2b/-/4s p1 0:8s 100/0/0/0 - ---- 2 -/-/-/-").view(1)
    (only,) = view.legal()
    assert list(compare(view, only, LearnedAgent())) == []


def test_a_play_is_compared_by_its_ranks() -> None:
    view = Round.from_position("9s/KbKg/-/4s p1 0:8s 80/0/0/0 - ---- 2 -/-/-/-").view(1)
    bot = LearnedAgent()
    for action in view.legal():
        (one,) = compare(view, action, bot)
        assert one.kind == "on an opponent's trick"
        assert one.agree == (str(one.bot)[0] == str(action)[0])


def test_real_games_are_read(shared: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    game = min((shared / "data" / "bsw").glob("*.tch"), key=lambda path: path.stat().st_size)
    monkeypatch.setattr("sys.argv", ["people", str(game)])
    main()
    said = capsys.readouterr().out
    assert said.startswith("all decisions with a choice")
    assert "the bot: breaks a bomb" in said
