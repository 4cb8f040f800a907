import json
from pathlib import Path
from typing import Any

import click
import numpy as np
import pytest
from click.testing import CliRunner
from msgspec import structs

from tichu import NotationError, Pass, RoundRecord, read_game
from tichu.analysis import reviews
from tichu.analysis.precision import Budget, Estimate, chance_of, estimate
from tichu.analysis.reviews import (
    DecisionReview,
    RoundReview,
    RoundTask,
    called_mistakes,
    summarise,
    tasks_of,
    verdict_on,
)
from tichu.analysis.rollouts import policy
from tichu.analysis.verdicts import Reason
from tichu.analysis.worlds import World, Worlds
from tichu.cli import main
from tichu.core.errors import GameError

GAME = Path(__file__).parent.parent / "games" / "00.ttn"


def decision(lost: float, error: float = 10.0, **fields: object) -> DecisionReview:
    known = {"file": "a", "round": 0, "action": 5, "seat": 1, "kind": "lead", "played": "1:2s", "best": "1:3s"}
    chance = chance_of(Estimate(lost, error), 64) if error else 1.0
    found = {**known, "lost": lost, "lost_error": error, "worlds": 64, "chance": chance, **fields}
    return DecisionReview(**found)  # type: ignore[arg-type]


def test_what_is_clearly_lost_is_called() -> None:
    noise = [decision(lost) for lost in (-12, -5, 0, 3, 8, 14, 17)]
    assert called_mistakes(noise) == []
    clear = [decision(60), decision(45)]
    assert called_mistakes([clear[0], *noise, clear[1]]) == clear
    assert called_mistakes([]) == []
    assert called_mistakes([decision(0.0, 0.0, worlds=0)]) == []


def test_seldom_is_anything_called_where_played_and_best_are_the_same() -> None:
    """What was played and the challenger are the same action, so a difference is as often positive as negative."""
    draw = np.random.default_rng(4)
    alarms, games = 0, 300
    for _ in range(games):
        game = []
        for _ in range(25):
            # Often nothing happens, sometimes 200 points and more.
            sample = draw.choice([0, 0, 0, 10, 40, 100, 200, 400], 64) * draw.choice([-1, 1], 64)
            mean, error = estimate(sample.astype(float))
            game.append(decision(mean, error))
        alarms += bool(called_mistakes(game))
    # 5 %, and four standard deviations.
    assert alarms < 0.05 * games + 4 * np.sqrt(0.05 * games)


def test_a_verdict_says_how_much_was_lost() -> None:
    verdicts = [verdict_on(decision(lost), is_called=True) for lost in (5, 15, 40)]
    assert verdicts == ["inaccuracy", "mistake", "blunder"]
    assert verdict_on(decision(90), is_called=False) == "unclear"
    assert verdict_on(decision(0, worlds=0), is_called=False) == "same"


def test_a_summary_adds_up_by_seat_and_kind() -> None:
    rounds = [
        RoundReview("a", 0, 1, (decision(10), decision(4, kind="follow", seat=2))),
        RoundReview("a", 1, 2, (decision(30),)),
        RoundReview("a", 2, 3, error="illegal"),
    ]
    summary = summarise(rounds)
    assert summary.rounds == 2
    assert (summary.by_seat["1"].lost_per_round, summary.by_seat["1"].lost_per_round_error) == (20, 10)
    assert summary.by_kind["follow"].lost_per_round == 2
    assert summary.by_seat["0"].lost_per_round == 0
    # A deal that nobody has played is no round.
    assert summarise([*rounds, RoundReview("a", 3, 4)]) == summary
    # Several games: each is one observation.
    several = summarise([*rounds, RoundReview("b", 0, 4, (decision(20),))])
    assert several.by_kind["lead"].lost_per_round == 20
    assert several.by_kind["lead"].lost_per_round_error == 0
    assert summarise([]).rounds == 0


def test_tasks_know_the_match() -> None:
    reading = read_game(GAME)
    tasks = list(tasks_of("a", reading, Budget(), 0))
    first = reading.rounds[0]
    assert isinstance(first, RoundRecord)
    assert tasks[0].score == (0, 0)
    assert tasks[1].score == first.score
    assert len({task.digest for task in tasks}) == len(tasks)


@pytest.mark.parametrize("what", ["not read", "broken off"])
def test_after_a_round_without_a_score_nobody_knows_the_match(what: str) -> None:
    reading = read_game(GAME)
    first, second, *_ = reading.rounds
    assert isinstance(second, RoundRecord)
    wrong = NotationError("a deal has four hands") if what == "not read" else second._replace(score=None)
    tasks = list(tasks_of("a", reading._replace(rounds=(first, wrong, second, second)), Budget(), 0))
    known, *_, third, fourth = tasks
    assert known.rules == reading.rules
    assert (third.score, fourth.score) == ((0, 0), (0, 0))
    assert third.rules.goal.kind == fourth.rules.goal.kind == "rounds"


def test_names_in_any_encoding_can_be_written(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(reviews, "review_round", lambda task: fake_review(task))
    game = tmp_path / "J\udcf6rg.ttn"
    try:
        game.write_bytes(GAME.read_bytes().replace(b"Seat 0", b"J\xf6rg"))
    except (OSError, UnicodeError):
        pytest.skip("the file system knows no such name")
    arguments = ["analyse", str(game), "--workers", "1", "--json", "--resume", str(tmp_path / "sheet")]
    result = CliRunner().invoke(main, [*arguments, "--html", str(tmp_path / "page")])
    assert result.exit_code == 0
    *_, last = map(json.loads, result.stdout.splitlines())
    assert "Jörg.ttn" in last["summary"]["mistakes"][0][0]
    assert "Jörg.ttn" in (tmp_path / "page").read_text(encoding="utf-8")
    [task, *_] = tasks_of("a", read_game(GAME)._replace(seats=("J\udcf6rg", "b", "c", "d")), Budget(), 0)
    assert task.players[0] == "Jörg"


def test_a_round_that_is_illegal_is_told() -> None:
    task = next(tasks_of("a", read_game(GAME), Budget(), 0))
    actions = task.record.actions
    wrong = task._replace(record=task.record._replace(actions=(*actions[:8], (actions[8][0], Pass()))))
    assert "action 8" in reviews.review_round(wrong).error


def test_decisions_that_differ_from_the_bot_are_played_on() -> None:
    task = next(tasks_of("a", read_game(GAME), Budget(), 0))
    review = reviews.review_round(task._replace(budget=Budget(pilot=2, fewest=4, most=4, decisions=0)))
    compared = [each for each in review.decisions if each.worlds]
    assert review.error == ""
    assert 0 < len(compared) < len(review.decisions)
    for each in compared:
        assert each.worlds == 4
        assert each.played == each.candidates[0].action
        assert each.best in [candidate.action for candidate in each.candidates]
        assert each.lost_error > 0


def forbid_worlds(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    """As if no world were possible at the decision with this number."""
    draw = Worlds.draw_some

    def refuse(self: Worlds, *arguments: Any) -> list[World]:
        if len(self.view.history) == number:
            raise GameError("no world")
        return draw(self, *arguments)

    monkeypatch.setattr(Worlds, "draw_some", refuse)


def test_a_decision_without_worlds_costs_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    task = next(tasks_of("a", read_game(GAME), Budget(pilot=2, fewest=4, most=4, decisions=0), 0))
    whole = reviews.review_round(task)
    compared = [each for each in whole.decisions if each.worlds]
    wrong = compared[-2]
    forbid_worlds(monkeypatch, wrong.action)
    found = reviews.review_round(task)
    assert found.error == ""
    failed = [each for each in found.decisions if each.error]
    assert [(each.action, each.played, each.best, each.worlds, each.error) for each in failed] == [
        (wrong.action, wrong.played, wrong.played, 0, "no world")
    ]
    assert verdict_on(failed[0], is_called=False) == "failed"
    for one, other in zip(whole.decisions, found.decisions, strict=True):
        if other.error:
            continue
        assert (one.action, one.worlds, one.best) == (other.action, other.worlds, other.best)
        assert other.lost == pytest.approx(one.lost, abs=0.05)


def test_a_decision_that_could_not_be_compared_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(task: RoundTask) -> RoundReview:
        wrong = decision(0.0, 0.0, file=task.file, round=task.round, worlds=0, best="1:2s")
        return RoundReview(task.file, task.round, task.digest, (structs.replace(wrong, error="no world"),))

    monkeypatch.setattr(reviews, "review_round", failing)
    assert "    5 lead     1:2s                 not compared: no world" in run()[1].splitlines()
    first, *_ = map(json.loads, run("--json")[1].splitlines())
    assert (first["verdict"], first["worlds"], first["error"]) == ("failed", 0, "no world")


def fake_review(task: RoundTask) -> RoundReview:
    return RoundReview(task.file, task.round, task.digest, (decision(70, 8, file=task.file, round=task.round),))


def run(*arguments: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(main, ["analyse", str(GAME), "--workers", "1", *arguments])
    return result.exit_code, result.stdout, result.stderr


def test_json_is_an_object_a_decision_and_a_summary(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reviews, "review_round", fake_review)
    status, out, _ = run("--json")
    *decisions, last = map(json.loads, out.splitlines())
    assert status == 0
    fields = "file round action seat kind played best lost lost_error worlds candidates chance reasons error verdict"
    assert all(set(each) == set(fields.split()) for each in decisions)
    assert last["summary"]["rounds"] == len(decisions) == len(read_game(GAME).rounds)
    assert last["summary"]["mistakes"] == [[str(GAME), number, 5] for number in range(len(decisions))]


def test_json_tells_a_game_when_it_is_done(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Not all games at the end of the last."""
    second = tmp_path / "b.ttn"
    second.write_bytes(GAME.read_bytes())
    rounds = len(read_game(GAME).rounds)

    printed: list[str] = []
    before: list[int] = []

    def until_the_second(task: RoundTask) -> RoundReview:
        if task.file == str(second) and task.round == 1:
            before.append(len(printed))
            raise KeyboardInterrupt
        return fake_review(task)

    def note(text: str, **how: Any) -> None:
        printed.append(text)
        echo(text, **how)

    echo = click.echo
    monkeypatch.setattr(click, "echo", note)
    monkeypatch.setattr(reviews, "review_round", until_the_second)
    result = CliRunner().invoke(main, ["analyse", str(GAME), str(second), "--workers", "1", "--json"])
    assert result.exit_code == 130
    assert before == [rounds]
    *decisions, last = map(json.loads, result.stdout.splitlines())
    # The second game is told as far as it is known.
    assert [each["file"] for each in decisions] == [str(GAME)] * rounds + [str(second)]
    assert last["summary"]["rounds"] == rounds + 1
    assert len(last["summary"]["mistakes"]) == sum(each["verdict"] == "blunder" for each in decisions) == rounds + 1


def test_text_marks_mistakes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reviews, "review_round", fake_review)
    status, out, _ = run()
    assert status == 0
    assert "!   5 lead     1:2s                 lost +70.0 ± 8.0       better 1:3s (blunder)" in out.splitlines()
    assert "points lost a round by seat: 0 +0.0 ± 0.0, 1 +70.0 ± 0.0" in out


def test_an_interrupted_run_goes_on(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    sheet = tmp_path / "sheet"
    asked: list[int] = []

    def until_third(task: RoundTask) -> RoundReview:
        asked.append(task.round)
        if task.round == 2 and len(asked) == 3:
            raise KeyboardInterrupt
        return fake_review(task)

    monkeypatch.setattr(reviews, "review_round", until_third)
    status, out, err = run("--resume", str(sheet))
    assert status == 130
    assert f"interrupted after 2 of {len(read_game(GAME).rounds)} rounds; the same command goes on" in err
    assert "2 rounds, 2 mistakes called" in out
    with sheet.open("ab") as file:
        file.write(b'{"file": "cut sho')
    status, out, err = run("--resume", str(sheet))
    assert (status, err) == (0, "")
    assert asked == [0, 1, 2, *range(2, len(read_game(GAME).rounds))]
    assert run("--resume", str(sheet))[1] == out
    assert "made with other settings" in run("--resume", str(sheet), "--full")[2]
    with monkeypatch.context() as other:
        other.setattr("tichu.analysis.sheet.weights_digest", lambda: "others")
        assert "with weights others" in run("--resume", str(sheet))[2]
    status, _, err = run("--resume", str(sheet), "--worlds", "99")
    assert status == 1
    assert "made with other settings" in err
    for text in ("nonsense\n", "nonsense"):
        (tmp_path / "other").write_text(text)
        assert "not a file to go on from" in run("--resume", str(tmp_path / "other"))[2]
        assert (tmp_path / "other").read_text() == text
    (tmp_path / "other").write_text(sheet.read_text()[:9])
    assert run("--resume", str(tmp_path / "other"))[1] == out


def test_no_round_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "empty.ttn").write_text('[TTN "1"]\n[Rules "standard"]\n')
    result = CliRunner().invoke(main, ["analyse", str(tmp_path / "empty.ttn")])
    assert result.exit_code == 1
    assert result.stderr.startswith("Error: no round in")


def test_reasons_are_given_by_the_bot_that_plays_on(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def note(question: object, better: int, seed: int, network: object, **_: object) -> list[Reason]:
        asked.append(network)
        return [Reason("self_first", 0.0, 1.0)]

    monkeypatch.setattr(reviews, "reasons_of", note)
    monkeypatch.setattr(reviews, "_UNLIKELY", 0.9999)
    task = next(tasks_of("a", read_game(GAME), Budget(pilot=2, fewest=4, most=4, decisions=0, policy="small"), 0))
    found = reviews.review_round(task)
    compared = [each for each in found.decisions if each.worlds]
    assert asked == [policy("small")] * len(compared)
    assert all(each.reasons for each in compared)


def test_reasons_take_of_the_time_of_a_round(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reviews, "_UNLIKELY", 0.9999)
    monkeypatch.setattr(reviews, "reasons_of", lambda *_, **__: [Reason("self_first", 0.0, 1.0)])
    clock = iter(range(1000))
    monkeypatch.setattr(reviews, "process_time", lambda: 0.5 * next(clock))
    budget = Budget(pilot=2, fewest=4, most=4, decisions=0, policy="small", seconds=5.0)
    found = reviews.review_round(next(tasks_of("a", read_game(GAME), budget, 0)))
    explained = [bool(each.reasons) for each in found.decisions if each.worlds]
    # Half a second each, and no time for another after 5.
    assert explained == sorted(explained, reverse=True)
    assert 0 < sum(explained) < len(explained)


def test_a_score_that_does_not_follow_is_told_once_with_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reviews, "review_round", fake_review)
    game = GAME.parent / "58.ttn"
    result = CliRunner().invoke(main, ["analyse", str(game), "--workers", "1"])
    told = f"{game}, round 4: the score is 15 85, not 15 285; the match goes on with the latter"
    assert result.stderr.splitlines() == [told]
    assert [number for number, _ in reviews.wrong_scores(read_game(game))] == [3]


def test_a_match_that_was_taken_up_in_its_middle_is_reviewed_so() -> None:
    reading = read_game(GAME)._replace(tags=(("Start", ("860", "720")),))
    assert next(tasks_of("a", reading, Budget(), 0)).score == (860, 720)
    with pytest.raises(NotationError, match="not at 'x'"):
        list(tasks_of("a", reading._replace(tags=(("Start", ("x",)),)), Budget(), 0))


def test_rounds_are_counted_as_people_count_and_in_json_from_0(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reviews, "review_round", fake_review)
    assert f"{GAME}, round 1: 1 decisions differ from the bot's" in run()[1]
    assert json.loads(run("--json")[1].splitlines()[0])["round"] == 0
