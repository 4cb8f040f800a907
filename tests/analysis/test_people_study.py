"""The study of people's games: what counts as what, and what it tells."""

import doctest
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from bench import people_study
from tichu.agents.learned.agent import LearnedAgent
from tichu.analysis.decisions import decisions_of, questions_of
from tichu.analysis.precision import Budget
from tichu.analysis.reviews import tasks_of
from tichu.analysis.rollouts import play_on, policy
from tichu.analysis.values import starts_from
from tichu.core.actions import Exchange, format_action, parse_action
from tichu.core.phases import Call, Phase
from tichu.core.record import replay
from tichu.formats.reading import read_game

GAMES = Path(__file__).parent.parent / "games"


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


def compared(number: int) -> list[dict[str, Any]]:
    """The first round of a real game, as a study has it: the first decisions of it that differ from the bot's."""
    [task, *_] = tasks_of("x/00.ttn", read_game(GAMES / "00.ttn"), Budget(), 0)
    found = questions_of(list(decisions_of(task.record, task.rules, task.score)), LearnedAgent())
    return [
        {
            "file": task.file,
            "round": task.round,
            "action": question.decision.number,
            "seat": question.decision.view.seat,
            "kind": question.kind,
            "played": format_action(question.decision.view.seat, question.decision.played),
            "lost": 7.0,
            "worlds": 48,
            "candidates": [
                {"action": format_action(question.decision.view.seat, action), "points": 7.0 * at}
                for at, action in enumerate(question.candidates)
            ],
        }
        for question in found
        if len(question.candidates) > 1
    ][:number]


def test_both_lines_are_played_on_with_the_hands_as_they_were() -> None:
    decisions = compared(4)
    found = list(people_study.real_losses(decisions, GAMES, None, "small"))
    assert sorted(each["action"] for each in found) == [each["action"] for each in decisions]
    [task, *_] = tasks_of("a", read_game(GAMES / "00.ttn"), Budget(), 0)
    states = list(replay(task.record, task.rules))
    known = {each.number: each for each in decisions_of(task.record, task.rules, task.score)}
    for each in found:
        decision = known[each["action"]]
        challenger = parse_action(people_study.challenger_of(each))[1]
        starts = starts_from(decision, [states[decision.number]], (decision.played, challenger))
        for start in starts:
            true = states[decision.number]
            assert (start.state.hands, start.state.later) == (true.hands, true.later)
        points = play_on(starts, policy("small")).points
        sign = 1 if decision.view.seat % 2 == 0 else -1
        assert (each["lost"], each["sampled"]) == (sign * float(points[1] - points[0]), 7.0)


def test_what_others_have_decided_in_secret_is_decided_anew() -> None:
    [task, *_] = tasks_of("a", read_game(GAMES / "00.ttn"), Budget(), 0)
    states = list(replay(task.record, task.rules))
    decisions = list(decisions_of(task.record, task.rules, task.score))
    call = [each for each in decisions if each.view.phase is Phase.GRAND][-1]
    gift = [each for each in decisions if isinstance(each.played, Exchange)][-1]
    [start] = starts_from(call, [states[call.number]], [call.played])
    assert (start.state.pending, start.state.calls) == ((0, 1, 2, 3), (Call.NONE,) * 4)
    [start] = starts_from(gift, [states[gift.number]], [gift.played])
    assert (start.state.pending, start.state.given) == ((0, 1, 2, 3), ((),) * 4)


def test_real_hands_stand_beside_sampled_worlds(tmp_path: Path) -> None:
    study = tmp_path / "study.jsonl"
    study.write_text("\n".join(map(json.dumps, compared(3))))
    asked = [str(study), "--real", str(GAMES), "--policy", "small", "--cut", "8"]
    told = CliRunner().invoke(people_study.main, asked).stdout.splitlines()
    assert told[2].startswith("| decisions | that differ | each, real hands | a round, 95 %")
    [line] = [line for line in told if line.startswith("| all |")]
    _, _, number, each, real, sampled, more, _ = (cell.strip() for cell in line.split("|"))
    assert told[-1].startswith("known to 10 points a round after 1 games, by the score after ")
    assert (number, sampled) == ("3", "+21.0 (+21.0 to +21.0)")
    assert float(real.split()[0]) == pytest.approx(3 * float(each), abs=0.2)
    assert float(more.split()[0]) == pytest.approx(21 - float(real.split()[0]), abs=0.1)


def test_other_games_are_refused(tmp_path: Path) -> None:
    study = tmp_path / "study.jsonl"
    [decision] = compared(1)
    for changed, what in (
        ({"action": 7000}, "not the game that was analysed"),
        ({"played": f"{decision['seat']}:-"}, "not the game that was analysed"),
        ({"file": "none.ttn"}, "no such game"),
    ):
        study.write_text(json.dumps({**decision, **changed}))
        result = CliRunner().invoke(people_study.main, [str(study), "--real", str(GAMES)])
        assert result.exit_code == 1
        assert what in result.stderr
