"""The learned bot beside people, on a round of which everything is known."""

import pytest

from tests.games.make import GAMES
from tichu.agents.learned.agent import LearnedAgent
from tichu.core.actions import CALL_TICHU, PASS
from tichu.core.round import Round
from training.grand_calls import grand_rate
from training.grand_calls import main as grand_calls
from training.people import compare, decisions, main


def test_a_decision_without_a_choice_is_not_compared() -> None:
    view = Round.from_position("9s/2b/-/4s p1 0:8s 100/0/0/0 - ---- 2 -/-/-/-").view(1)
    (only,) = view.legal()
    assert list(compare(view, only, LearnedAgent())) == []


def test_a_call_that_might_come_first_is_not_a_choice() -> None:
    hand = "2b2g3s3g4b5s6b7s8b9sTbJsQbKs"
    view = Round.from_position(f"4r5r/{hand}/6r6g/7r7g p1 0:AsAgAr 0/0/0/0 - ---- - -/-/-/-").view(1)
    assert {str(action) for action in view.legal()} == {":-", "+T"}
    assert list(compare(view, PASS, LearnedAgent())) == []
    assert [one.kind for one in compare(view, CALL_TICHU, LearnedAgent())] == ["Tichu, called by people"]


def test_a_play_is_compared_by_its_ranks() -> None:
    view = Round.from_position("9s/KbKg/-/4s p1 0:8s 80/0/0/0 - ---- 2 -/-/-/-").view(1)
    bot = LearnedAgent()
    for action in view.legal():
        (one,) = compare(view, action, bot)
        assert one.kind == "on an opponent's trick"
        assert one.agree == (str(one.bot)[0] == str(action)[0])


def test_real_games_are_read(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    game = min(GAMES, key=lambda path: path.stat().st_size)
    monkeypatch.setattr("sys.argv", ["people", str(game)])
    main()
    said = capsys.readouterr().out
    assert said.startswith("all decisions with a choice")
    assert "the bot: breaks a bomb" in said
    scores = [view.score for view, _ in decisions(game)]
    assert scores[0] == (0, 0) != scores[-1]


def test_far_behind_it_calls_more(capsys: pytest.CaptureFixture[str]) -> None:
    behind, even, ahead = (grand_rate(LearnedAgent(), score, 50, 3) for score in ((0, 900), (0, 0), (900, 0)))
    assert behind > even > ahead
    grand_calls(["--deals", "2"])
    assert capsys.readouterr().out.count("% of hands") == 9
