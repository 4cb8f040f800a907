"""The learned bot beside people, on a round of which everything is known."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from tests.games.make import GAMES
from tichu.agents.base import Question
from tichu.agents.learned.agent import LearnedAgent
from tichu.agents.learned.human import HUMAN
from tichu.core.actions import CALL_TICHU, PASS, Action, Exchange
from tichu.core.round import Round
from training.agreement import agreement, difference
from training.grand_calls import grand_rate
from training.grand_calls import main as grand_calls
from training.people import compare, decisions, main
from training.people_games import Game, group, known_deals, read, unseen

SHORTEST = min(GAMES, key=lambda path: path.stat().st_size)


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


def test_a_bot_that_calls_instead_of_giving_gives_nothing_that_people_gave() -> None:
    class Caller(LearnedAgent):
        @staticmethod
        def act_batch(questions: Sequence[Question]) -> Sequence[Action]:
            return [CALL_TICHU for _ in questions]

    exchange, given = next(each for each in decisions(SHORTEST) if isinstance(each[1], Exchange))
    found = list(compare(exchange, given, Caller()))
    assert [one.kind for one in found] == ["gift to LEFT", "gift to PARTNER", "gift to RIGHT"]
    assert not any(one.agree for one in found)


def test_real_games_are_read(capsys: pytest.CaptureFixture[str]) -> None:
    main([str(SHORTEST), "--bots", "learned", "human", "learned@9", "--keep-known"])
    known, games, one, *_ = (said := capsys.readouterr().out).splitlines()
    assert known == "human has learned from 1 of the games: kept all the same"
    assert games == "1 of 1 games, in 1 groups without a player in common; none of them say who played"
    assert one == "one game: no interval can be told"
    assert "(no interval)" in said
    assert "all decisions with a choice" in said
    assert "human over learned: " in said
    for name in ("people", "learned", "human", "learned@9"):
        assert f"\n{name}: breaks a bomb" in said
    scores = [view.score for view, _ in decisions(SHORTEST)]
    assert scores[0] == (0, 0) != scores[-1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--bots", "greedy@3"], "greedy@3: a temperature is a number from 0 on, after a bot with a network"),
        (["--bots", "learned@warm"], "learned@warm: a temperature is a number"),
        (["--bots", "gredy"], "no bot 'gredy'"),
        (["--trained-on", str(min(GAMES, key=lambda path: path.stat().st_size))], "no game is left to compare"),
    ],
    ids=["no network", "no number", "no bot", "nothing left"],
)
def test_what_cannot_be_compared_is_told(arguments: list[str], message: str) -> None:
    with pytest.raises(SystemExit, match=message):
        main([str(SHORTEST), *arguments])


def test_games_with_a_player_in_common_belong_together() -> None:
    known = read([SHORTEST])[0]
    rounds = known.reading.rounds

    def game(name: str, *seats: str, deals: slice = slice(0, 0)) -> Game:
        return Game(Path(name), known.reading._replace(seats=seats, rounds=rounds[deals]))

    one, two = game("1", "Ada", "Ben", "Cho", "Dov"), game("2", "Eve", "Fay", "Gil", "Hal")
    nobody, nobody_else = game("3", "p0", "p1", "p2", "p3"), game("4", "Seat 0", "Seat 1", "Seat 2", "Seat 3")
    link = game("5", "Ivo", "Dov", "Jan", "Eve")
    assert group([one, two, nobody, nobody_else]) == [[one], [two], [nobody], [nobody_else]]
    assert group([one, nobody, two, link]) == [[one, two, link], [nobody]]
    assert unseen([one, two, nobody, nobody_else], [link]) == [nobody, nobody_else]
    assert unseen([one, nobody], [nobody_else]) == [one, nobody]
    same = game("6", "p0", "p1", "p2", "p3", deals=slice(0, 2))
    assert unseen([same, nobody], [game("7", "Seat 0", "Seat 1", "Seat 2", "Seat 3", deals=slice(1, 3))]) == [nobody]
    assert one.has_names()
    assert not nobody.has_names()


def test_games_that_a_bot_has_learned_from_are_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    for bot in ("human", "easy", "human:-80"):
        with pytest.raises(SystemExit, match="no game is left to compare"):
            main([str(SHORTEST), "--bots", "learned", bot])
        left_out = f"{bot} has learned from 1 of the games: left out (--keep-known compares them all the same)"
        assert left_out in capsys.readouterr().out


def test_human_knows_the_games_of_the_repository() -> None:
    deals = known_deals(Path(str(HUMAN)))
    games = read([SHORTEST.parent])
    assert len(games) == 60
    assert deals == frozenset().union(*(game.deals() for game in games))


def test_games_are_read_from_folders_and_from_files_with_several(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one, two = sorted(GAMES, key=lambda path: path.stat().st_size)[:2]
    (tmp_path / "both.ttn").write_text(one.read_text() + "\n" + two.read_text())
    (tmp_path / "broken.ttn").write_text("no game\n")
    found = read([tmp_path])
    assert [game.deals() for game in found] == [read([path])[0].deals() for path in (one, two)]
    assert capsys.readouterr().err.startswith(f"left out: {tmp_path / 'broken.ttn'}")
    with pytest.raises(SystemExit, match="there is no game in these files"):
        main([str(tmp_path / "broken.ttn")])


def test_intervals_are_clustered() -> None:
    """Two games that are all alike inside tell as much as two decisions."""
    wide, narrow = agreement([[1.0] * 500, [0.0] * 500]), agreement([[1.0, 0.0]] * 500)
    assert (wide.low, wide.mean, wide.high) == (0, 50, 100)
    assert 45 < narrow.low < narrow.mean == 50 < narrow.high < 55


def test_no_interval_has_the_width_0() -> None:
    same = [[1.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0] * 100]
    assert str(agreement(same)) == "57.1 (no interval)"
    for games in (2, 3, 60):
        found = agreement(same * games)
        assert found.low < found.mean < found.high
    everywhere, nowhere = agreement([[1.0] * 10] * 12), agreement([[0.0] * 10] * 12)
    assert everywhere.low < everywhere.mean == everywhere.high == 100
    assert nowhere.high > nowhere.mean == nowhere.low == 0
    alike = difference([[0.0] * 10] * 12)
    assert alike.low < alike.mean == 0 < alike.high
    assert str(agreement([])) == str(agreement([[]])) == "none"


@pytest.mark.parametrize("games", [2, 5, 12, 60])
def test_an_interval_holds_the_truth_as_often_as_it_says(games: int) -> None:
    """Games differ in how often bots agree with their people; the mean of all is known here."""
    rng = np.random.default_rng(games)
    held, trials = 0, 1000
    for _ in range(trials):
        shares = rng.beta(6, 4, size=games)
        sample = [(rng.random(rng.integers(20, 60)) < share).astype(float) for share in shares]
        found = agreement([each.tolist() for each in sample])
        held += found.low <= 60 <= found.high
    # 95 %, less three standard errors of a thousand trials and what a normal approximation is off.
    assert held >= 0.92 * trials


def test_far_behind_it_calls_more(capsys: pytest.CaptureFixture[str]) -> None:
    behind, even, ahead = (grand_rate(LearnedAgent(), score, 50, 3) for score in ((0, 900), (0, 0), (900, 0)))
    assert behind > even > ahead
    grand_calls(["--deals", "2"])
    assert capsys.readouterr().out.count("% of hands") == 9
