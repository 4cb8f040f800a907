"""``tichu drill``, and the record that is kept of it."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from tichu.cli import main
from tichu.cli.practice import Tally, note_answer, read_record, record_lines
from tichu.core.errors import GameError


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the record is kept."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path))
    return tmp_path / "tichu"


def _run(*words: str, typed: str = "") -> str:
    result = CliRunner().invoke(main, ["drill", *words], input=typed)
    assert result.exit_code == 0, result.output
    return result.output


def test_answers_are_judged_until_the_input_ends(folder: Path) -> None:
    said = _run("grand", "--seed", "5", "--worlds", "4", typed="perhaps\nn\nc\n")
    assert "the answer is call or no, not 'perhaps'" in said
    assert said.count("The champion: ") == 2
    assert "Question 7" in said
    assert "in 4 worlds" in said
    assert read_record(folder)["drill grand"].answered == 2
    assert "of 2 (" in _run("--record")


def test_one_question_and_one_answer_as_json() -> None:
    question = json.loads(_run("exchange", "--seed", "2", "--json"))
    judged = json.loads(_run("exchange", "--seed", "2", "--json", "--answer", question["hand"][:6], "--worlds", "4"))
    assert judged["answer"] == question["hand"][:6]
    assert question["hand"] in judged["hands"]
    tally = json.loads(_run("--record", "--json"))["drill exchange"]
    assert tally == {"answered": 1, "right": int(judged["is_agreed"])}


def test_the_record_begins_empty_and_adds_up(folder: Path) -> None:
    assert "Nothing answered yet" in _run("--record")
    assert note_answer(folder, "puzzle wish", is_right=True) == Tally(1, 1)
    assert note_answer(folder, "puzzle wish", is_right=False) == Tally(2, 1)
    assert record_lines(folder, "puzzle") == ["wish: 1 of 2 (50 %)"]
    assert record_lines(folder, "drill") == []


def test_the_record_is_in_the_folder_that_is_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As that of puzzles is."""
    one, two = folder / "one", folder / "two"
    question = ("tichu", "--seed", "1", "--answer", "no", "--worlds", "2")
    _run(*question, "--data", str(one))
    monkeypatch.setenv("TICHU_DATA", str(two))
    _run(*question)
    _run(*question)
    assert [read_record(each)["drill tichu"].answered for each in (one, two)] == [1, 2]
    assert "of 1 (" in _run("--record", "--data", str(one))
    assert not (folder / "practice.json").exists()


@pytest.mark.parametrize("text", ["nonsense", "[]", '{"drill grand": 3}', '{"drill grand": ["a", "b"]}'])
def test_a_file_that_is_no_record_is_named_and_kept(folder: Path, text: str) -> None:
    folder.mkdir()
    (folder / "practice.json").write_text(text)
    with pytest.raises(GameError, match="not a record"):
        read_record(folder)
    said = _run("tichu", "--seed", "1", "--answer", "no", "--worlds", "2")
    assert "The record cannot be kept" in said
    assert (folder / "practice.json").read_text() == text


def test_ctrl_c_at_the_prompt_is_130(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("tichu.cli.terminal.input", interrupt, raising=False)
    for what in ("grand", "exchange"):
        assert CliRunner().invoke(main, ["drill", what, "--seed", "1"]).exit_code == 130
