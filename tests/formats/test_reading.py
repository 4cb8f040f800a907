"""One way to read a file of a game, whatever its format."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import tichu
from tests.formats.table import WHOLE, one_round, opening, play, text_of
from tichu import NotationError, Record, RoundRecord, RulesError, format_jsonl, format_record, read_game
from tichu.formats.bsw import read_tch

LOG = text_of(opening(), play(WHOLE))
GAME = read_tch(LOG).record()
TEXTS = {".ttn": format_record(GAME), ".jsonl": format_jsonl(GAME), ".tch": LOG}


@pytest.mark.parametrize("suffix", TEXTS)
@pytest.mark.parametrize("name", ["game{}", "game{}.txt", "game"])
def test_the_suffix_or_the_content_tells_the_format(tmp_path: Path, name: str, suffix: str) -> None:
    path = tmp_path / name.format(suffix)
    path.write_text(TEXTS[suffix], encoding="utf-8", newline="")
    assert read_game(path).record() == GAME
    assert read_game(str(path)).rounds == (one_round(LOG),)


def test_the_suffix_may_be_in_capitals(tmp_path: Path) -> None:
    path = tmp_path / "GAME.TCH"
    path.write_text(LOG, newline="")
    assert read_game(path).record() == GAME


@pytest.mark.parametrize("text", ["; a comment\n", "\n  \n"])
def test_what_comes_before_the_first_tag_does_not_hide_the_format(tmp_path: Path, text: str) -> None:
    path = tmp_path / "game"
    path.write_text(text + TEXTS[".ttn"])
    assert read_game(path).record() == GAME


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.txt", "hello", "this is not a game in one of the formats .ttn, .jsonl, .tch"),
        ("a", "", "this is not a game in one of the formats .ttn, .jsonl, .tch"),
        ("a.ttn", "hello", "line 1: not a tag: 'hello'; it is written [Name \"value\"]"),
        ("a.jsonl", "", "the file is empty"),
    ],
)
def test_what_is_not_a_game_is_an_error_with_the_path(tmp_path: Path, name: str, text: str, message: str) -> None:
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(NotationError) as error:
        read_game(path)
    assert str(error.value) == f"{path}: {message}"


def test_wrong_rules_stay_an_error_of_rules(tmp_path: Path) -> None:
    path = tmp_path / "a.ttn"
    path.write_text('[TTN "1"]\n[Rules "mine"]\n')
    with pytest.raises(RulesError, match=r"a\.ttn: no preset 'mine'"):
        read_game(path)


def test_a_file_that_cannot_be_opened_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"none\.ttn"):
        read_game(tmp_path / "none.ttn")
    with pytest.raises(OSError, match=tmp_path.name):
        read_game(tmp_path)


def test_a_broken_round_costs_one_round(tmp_path: Path) -> None:
    path = tmp_path / "a.tch"
    path.write_text(LOG + LOG.replace("(0)Ada: S3", "(0)Ada: S1") + LOG, newline="")
    reading = read_game(path)
    assert [isinstance(one, RoundRecord) for one in reading.rounds] == [True, False, True]
    assert reading.check(0) == reading.check(2) == one_round(LOG)
    with pytest.raises(NotationError, match="there is no card 'S1'"):
        reading.check(1)


def test_bytes_that_are_not_text_survive(tmp_path: Path) -> None:
    path = tmp_path / "a.tch"
    path.write_bytes(LOG.replace("Cho", "Ch\xf6").encode("latin-1"))
    assert read_game(path).seats[2].encode("utf-8", errors="surrogateescape") == b"Ch\xf6"


def test_the_library_exports_it() -> None:
    assert tichu.read_game is read_game
    assert isinstance(GAME, Record)


def test_importing_the_library_does_not_import_what_only_reading_needs() -> None:
    program = "import sys, tichu; print(*({'pathlib', 'tichu.formats.bsw'} & {*sys.modules}))"
    command = [sys.executable, "-S", "-c", program]  # Without site-packages, whose start-up files import a lot.
    environment = {**os.environ, "PYTHONPATH": str(Path(tichu.__file__).parents[1])}
    run = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert run.stdout == "\n"
