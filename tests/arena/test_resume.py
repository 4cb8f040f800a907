"""An interrupted run goes on where it was, and ends as if nothing had happened."""

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.arena.at_the_table import arena, arena_json, bot_file, setup_of, without_times
from tichu.arena.resume import ScoreSheet
from tichu.core.errors import GameError

RUN = ("greedy", "random", "--seed", 3, "--workers", 1)


@pytest.fixture(scope="module")
def whole() -> Any:
    return without_times(arena_json(*RUN, "--deals", 40))


def test_a_longer_run_goes_on_from_a_shorter_one(tmp_path: Path, whole: Any) -> None:
    sheet = tmp_path / "sheet.jsonl"
    arena_json(*RUN, "--deals", 15, "--resume", sheet)
    before = sheet.read_text()
    assert without_times(arena_json(*RUN, "--deals", 40, "--resume", sheet)) == whole
    assert sheet.read_text().startswith(before)
    assert len(sheet.read_text().splitlines()) == 41


def test_a_finished_run_plays_nothing(tmp_path: Path) -> None:
    sheet = tmp_path / "sheet.jsonl"
    first = arena_json(*RUN, "--deals", 5, "--resume", sheet)
    before = sheet.read_bytes()
    # The very times are those of the first run.
    assert arena_json(*RUN, "--deals", 5, "--resume", sheet) == first
    assert sheet.read_bytes() == before


def test_a_torn_last_line_is_played_again(tmp_path: Path, whole: Any) -> None:
    sheet = tmp_path / "sheet.jsonl"
    arena_json(*RUN, "--deals", 10, "--resume", sheet)
    content = sheet.read_bytes()
    for torn in (content[:-1], content[:-100], content[:50], b""):
        sheet.write_bytes(torn)
        assert without_times(arena_json(*RUN, "--deals", 40, "--resume", sheet)) == whole


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_a_run_that_is_killed_in_the_middle(tmp_path: Path, whole: Any, how: signal.Signals) -> None:
    sheet = tmp_path / "sheet.jsonl"
    words = [*map(str, RUN[:-1]), "2", "--deals", "40", "--resume", str(sheet), "--json"]
    command = [sys.executable, "-c", "from tichu.cli import main; main()", "arena", *words]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 60
    while not sheet.exists() or sheet.read_text().count("\n") < 6:
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.005)
    process.send_signal(how)
    told, errors = process.communicate(timeout=60)
    assert "Traceback" not in errors
    if how == signal.SIGINT and process.returncode != 0:
        assert process.returncode == 130
        assert "goes on from" in errors
        # What is done is told.
        assert 5 <= json.loads(told)["deals"] < 40
    assert without_times(arena_json(*RUN, "--deals", 40, "--resume", sheet)) == whole


def test_another_run_is_refused(tmp_path: Path) -> None:
    sheet = tmp_path / "sheet.jsonl"
    arena_json(*RUN, "--deals", 1, "--resume", sheet)
    before = sheet.read_bytes()
    for other in (["--seed", 4], ["--rules", "classic"], ["--matches"], ["--time", 50]):
        result = arena(*RUN, "--deals", 2, "--resume", sheet, *other)
        assert result.exit_code == 1
        assert "another run" in result.stderr
        assert result.stderr.count("\n") == 1
    assert arena("greedy", "greedy", "--seed", 3, "--resume", sheet).exit_code == 1
    assert sheet.read_bytes() == before


def test_a_bot_that_was_edited_is_another_bot(tmp_path: Path) -> None:
    sheet, bot = tmp_path / "sheet.jsonl", bot_file(tmp_path, [])
    run = (bot, "random", "--deals", 1, "--workers", 1, "--resume", sheet)
    arena_json(*run)
    assert arena(*run).exit_code == 0
    bot_file(tmp_path, ["pass"])
    assert "another run: files" in arena(*run).stderr


@pytest.mark.parametrize("text", ["notes\n", "notes", "{}\n", "[1]\n", '{"format": "tichu arena 1"}\n'])
def test_what_is_no_score_sheet_is_left_alone(tmp_path: Path, text: str) -> None:
    path = tmp_path / "notes.txt"
    path.write_text(text)
    with pytest.raises(GameError, match=r"notes\.txt"):
        ScoreSheet(path, [setup_of("greedy", "random")])
    assert path.read_text() == text


def test_a_spoilt_line_in_the_middle_is_told_with_its_place(tmp_path: Path) -> None:
    sheet = tmp_path / "sheet.jsonl"
    arena_json(*RUN, "--deals", 3, "--resume", sheet)
    lines = sheet.read_text().splitlines()
    sheet.write_text("\n".join([lines[0], lines[1], lines[2][:40], lines[3], ""]))
    result = arena(*RUN, "--deals", 3, "--resume", sheet)
    assert result.exit_code == 1
    assert "line 3" in result.stderr


@pytest.mark.parametrize(
    "damage",
    [
        {"pair": -1},
        {"pair": 1},
        {"pair": True},
        {"deal": "0"},
        {"deal": -1},
        {"legs": [[], []]},
        {"legs": [[[[1, 2], [0, 0], [0, 1, 2]]]]},
        {"legs": [[[["1", 2], [0, 0], [0, 1, 2]]]] * 2},
        {"legs": [[[[1, 2, 3], [0, 0], [0, 1, 2]]]] * 2},
        {"legs": [[[[1, float("nan")], [0, 0], [0, 1, 2]]]] * 2},
        {"legs": [[[[1, 2], [0, 0], [0, 0, 9]]]] * 2},
        {"legs": [[[[10**400, 2], [0, 0], [0, 1, 2]]]] * 2},
        {"tallies": [[], []]},
        {"tallies": [[{"counts": {"tichu": "1"}, "times": {}, "first_fault": ""}]] * 2},
        {"tallies": [[{"counts": {}, "times": {"99999999": 1}, "first_fault": ""}]] * 2},
        {"tallies": [[{"counts": {}, "times": {}, "first_fault": 7}]] * 2},
        {"tallies": 5},
    ],
)
def test_a_damaged_deal_is_told_with_its_place(tmp_path: Path, damage: dict[str, Any]) -> None:
    _check_damage(tmp_path, lambda line: json.dumps({**json.loads(line), **damage}))


def test_a_line_that_nests_too_deep_is_told_with_its_place(tmp_path: Path) -> None:
    _check_damage(tmp_path, lambda _: "[" * 100_000)


def _check_damage(folder: Path, damaged: Callable[[str], str]) -> None:
    sheet = folder / "sheet.jsonl"
    arena_json(*RUN, "--deals", 3, "--resume", sheet)
    lines = sheet.read_text().splitlines()
    sheet.write_text("\n".join([*lines[:2], damaged(lines[2]), *lines[3:], ""]))
    result = arena(*RUN, "--deals", 3, "--resume", sheet)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == f"Error: {sheet}, line 3: not a line of a score sheet\n"


def test_records_that_are_missing_are_made_on_the_way(tmp_path: Path) -> None:
    sheet, records = tmp_path / "sheet.jsonl", tmp_path / "records"
    first = arena_json(*RUN, "--deals", 4, "--resume", sheet)
    second = arena_json(*RUN, "--deals", 4, "--resume", sheet, "--records", records)
    assert without_times(first) == without_times(second)
    assert len(list(records.iterdir())) == 8


def test_a_round_robin_goes_on_too(tmp_path: Path) -> None:
    run = ("greedy", "random", "greedy+random", "--deals", 4, "--workers", 1)
    sheet = tmp_path / "sheet.jsonl"
    uninterrupted = without_times(arena_json(*run, "--resume", sheet))
    lines = sheet.read_text().splitlines(keepends=True)
    sheet.write_text("".join(lines[:7]))
    assert without_times(arena_json(*run, "--resume", sheet)) == uninterrupted
