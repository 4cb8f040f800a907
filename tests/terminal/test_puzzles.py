"""``tichu puzzle``: what is shown before the answer and after it, how one may answer, and one's own record."""

import json
import os
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.terminal.sight import cards_in, known
from tichu import format_action, parse_action
from tichu.analysis.puzzles import Puzzle, PuzzleCandidate, Theme, judge, position_of, puzzles, question_of
from tichu.cli import main
from tichu.terminal.puzzles import _worth, judgement_lines, puzzle_lines, rotate_view
from tichu.terminal.screen import WIDTH
from tichu.terminal.words import Look

SHARE = 1 if os.environ.get("THOROUGH") else 12


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TICHU_DATA", str(tmp_path))
    return tmp_path


def first(*themes: Theme) -> Puzzle:
    return next(puzzle for puzzle in puzzles() if puzzle.theme in themes)


def tichu(*arguments: str, answers: str = "") -> Result:
    return CliRunner().invoke(main, ["puzzle", *arguments], input=answers)


def number_of(puzzle: Puzzle, action: str) -> int:
    return 1 + question_of(puzzle).choices.index(action)


def test_nothing_hidden_is_shown_before_the_answer() -> None:
    for puzzle in puzzles()[::SHARE]:
        lines = puzzle_lines(puzzle, Look())
        view = position_of(puzzle).view
        assert not cards_in("\n".join(lines)) & ~known(view), puzzle.id
        assert max(map(len, lines)) <= WIDTH, puzzle.id


def test_everything_is_shown_after_it() -> None:
    for puzzle in puzzles()[::SHARE]:
        position = position_of(puzzle)
        text = "\n".join(judgement_lines(puzzle, judge(puzzle, puzzle.best), Look()))
        assert "Right!" in text
        for seat, hand in enumerate(position.hands):
            if seat != puzzle.seat and seat not in position.view.out:
                suited = hand & ~0b1111
                assert cards_in(text) & suited == suited, puzzle.id


def test_the_seat_of_the_puzzle_sits_at_the_bottom() -> None:
    for puzzle in puzzles()[::SHARE]:
        view = position_of(puzzle).view
        turned = rotate_view(view)
        assert (turned.seat, turned.hand) == (0, view.hand)
        assert turned.counts[1] == view.counts[(view.seat + 1) & 3]
        assert len(turned.legal()) == len(view.legal())


@pytest.mark.usefixtures("data")
def test_a_number_is_an_answer() -> None:
    puzzle = first("endgame")
    right = tichu("--id", puzzle.id, answers=f"{number_of(puzzle, puzzle.best)}\n")
    assert right.exit_code == 0, right.output
    assert "Right!" in right.stdout
    assert "What the others held" in right.stdout.partition("Right!")[2]
    wrong = tichu("--id", puzzle.id, answers=f"{number_of(puzzle, puzzle.heuristic)}\n")
    assert " is better" in wrong.stdout
    assert "the heuristic bot" in wrong.stdout


@pytest.mark.usefixtures("data")
def test_an_action_as_it_is_written_is_an_answer() -> None:
    for theme in ("endgame", "exchange", "bomb"):
        puzzle = first(theme)
        assert "Right!" in tichu("--id", puzzle.id, answers=f"{puzzle.best}\n").stdout


@pytest.mark.usefixtures("data")
def test_cards_are_an_answer() -> None:
    puzzle = next(each for each in puzzles() if each.theme in ("lead", "endgame") and "P" not in each.best[2:])
    assert "Right!" in tichu("--id", puzzle.id, answers=f"{puzzle.best[2:].lower().replace('-', 'p')}\n").stdout


@pytest.mark.usefixtures("data")
def test_what_cannot_be_an_answer_is_asked_again() -> None:
    puzzle = first("endgame")
    other = (puzzle.seat + 1) & 3
    lines = ["77", "zz", f"{other}:-", f"{puzzle.seat}+G", "", puzzle.best]
    result = tichu("--id", puzzle.id, answers="\n".join(lines) + "\n")
    assert result.exit_code == 0, result.output
    assert "There is no number 77" in result.stdout
    assert "I cannot read 'zz'" in result.stdout
    assert f"You have seat {puzzle.seat} in this puzzle" in result.stdout
    assert "Right!" in result.stdout


@pytest.mark.parametrize("theme", ["wish", "follow", "bomb", "gift", "exchange"])
def test_enter_alone_is_no_answer(data: Path, theme: Theme) -> None:
    puzzle = first(theme)
    result = tichu("--id", puzzle.id, answers=f"\n\n{puzzle.best}\n")
    assert result.stdout.count("Nothing was typed") == 2
    assert "Right!" in result.stdout
    assert len((data / "puzzles.jsonl").read_text().splitlines()) == 1


def test_whoever_gives_up_is_told_the_answer(data: Path) -> None:
    puzzle = first("endgame")
    result = tichu("--id", puzzle.id, answers="q\n")
    assert "The answer: " in result.stdout
    assert json.loads((data / "puzzles.jsonl").read_text())["is_right"] is False


@pytest.mark.usefixtures("data")
def test_the_end_of_the_input_ends_it() -> None:
    result = tichu("--seed", "1")
    assert result.exit_code == 0
    assert "held" not in result.stdout


@pytest.mark.usefixtures("data")
def test_ctrl_c_ends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("tichu.terminal.puzzles.ask", interrupt)
    assert tichu("--seed", "1").exit_code == 130


@pytest.mark.usefixtures("data")
def test_what_is_not_solved_comes_first() -> None:
    theme = "exchange"
    some = [puzzle for puzzle in puzzles() if puzzle.theme == theme]
    for puzzle in some[1:]:
        tichu("--id", puzzle.id, "--answer", puzzle.best)
    assert json.loads(tichu("--theme", theme, "--json").stdout)["id"] == some[0].id
    told = json.loads(tichu("--record", "--json").stdout)
    assert told[theme] == {
        "puzzles": len(some),
        "tried": len(some) - 1,
        "solved": len(some) - 1,
        "first_try": len(some) - 1,
    }
    assert told["all"]["puzzles"] == len(puzzles())


def test_a_record_survives_a_broken_line(data: Path) -> None:
    puzzle = first("endgame")
    (data / "puzzles.jsonl").write_text('{"id": "broken\n')
    tichu("--id", puzzle.id, "--answer", puzzle.heuristic)
    tichu("--id", puzzle.id, "--answer", puzzle.best)
    result = tichu("--record")
    assert "a line is left out" in result.stderr
    row = next(line for line in result.stdout.splitlines() if line.startswith("endgame"))
    assert row.split()[2:] == ["1", "1", "0"]


def test_a_record_that_cannot_be_written_is_no_reason_to_stop(data: Path) -> None:
    (data / "puzzles.jsonl").mkdir()
    puzzle = first("endgame")
    result = tichu("--id", puzzle.id, "--answer", puzzle.best)
    assert result.exit_code == 0
    assert "Right!" in result.stdout
    assert "could not be written" in result.stderr


@pytest.mark.usefixtures("data")
def test_json_has_the_question_and_then_the_judgement() -> None:
    puzzle = first("bomb")
    asked = json.loads(tichu("--id", puzzle.id, "--json").stdout)
    assert asked["choices"]
    assert "hands" not in asked
    seat, _ = parse_action(asked["choices"][0])
    assert seat == asked["seat"]
    told = json.loads(tichu("--id", puzzle.id, "--answer", puzzle.best, "--json").stdout)
    assert told["is_right"] is True
    assert told["best"] == format_action(*parse_action(puzzle.best))
    assert len(told["hands"]) == 4


def test_a_proof_is_told_in_numbers_and_with_the_cards_as_they_lay() -> None:
    puzzle = next(each for each in puzzles() if each.proof and each.worlds > 1 and each.proof.better < each.worlds)
    assert puzzle.proof is not None
    told = tichu("--id", puzzle.id, "--answer", puzzle.best).stdout
    proof = puzzle.proof
    assert f"  In {proof.better} of them it is better than " in told
    rest = f"  in the other {puzzle.worlds - proof.better} it is as good."
    assert f", by up to {proof.most} points;\n{rest}\n" in told
    assert "  As the cards lay, with open hands:\n" in told
    assert f"{proof.best_line.points:+d} points, " in told


def test_a_small_error_is_told_as_one() -> None:
    sampled = PuzzleCandidate("0:7s", 10.0, 0.3, 4.0, 0.0)
    assert _worth(sampled).split() == ["+10", "±", "<", "1", "points", "4", "less"]
    assert _worth(PuzzleCandidate("0:7s", 10.0, 2.6)).split() == ["+10", "±", "3", "points", "best"]
