"""Two hundred wrong command lines: no traceback, the right exit status, and a sentence that names the place.

Exit status 2 is for a command line that cannot be understood; 1 for what is wrong with the things that it names.
"""

import shlex
from pathlib import Path
from typing import Final

import click
import pytest
from click.testing import CliRunner

from tests.cli.wrong_command_lines import LINES, WrongLine
from tichu.cli import main

_POSITION: Final = "9s/2s2b2g2r3s/Kb/4s p2 0:As 90/0/0/0 - ---- - -/-/-/-"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the lines name: a file of nonsense, a folder, a picture that is a folder, a bot that is none."""
    folder = tmp_path_factory.mktemp("wrong")
    (folder / "nonsense.ttn").write_text("nonsense")
    (folder / "empty.jsonl").write_text("")
    (folder / "there.ttn").write_text("precious")
    (folder / "folder").mkdir()
    (folder / "folder.png").mkdir()
    (folder / "bot.py").write_text("class Other:\n    pass\n")
    (folder / "broken.py").write_text("def\n")
    return folder


def test_there_are_two_hundred_about_every_command() -> None:
    assert len(LINES) >= 200
    assert len({line.command_line for line in LINES}) == len(LINES)
    commands = [line.command_line.split(" ")[0] for line in LINES]
    assert set(main.list_commands(click.Context(main))) <= set(commands)


@pytest.mark.parametrize("line", LINES, ids=[f"{number:03}" for number in range(len(LINES))])
def test_a_wrong_line_is_told_in_a_sentence(line: WrongLine, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    # Nothing is played or served, whatever happens.
    monkeypatch.setattr("tichu.cli.serve.run_server", None)
    text = line.command_line.replace("POSITION", f"'{_POSITION}'")
    result = CliRunner().invoke(main, shlex.split(text), input="", prog_name="tichu")
    assert result.exception is None or isinstance(result.exception, SystemExit), f"{text}: {result.exception!r}"
    assert "Traceback" not in result.output
    assert result.exit_code == line.status, result.output
    for words in line.words:
        assert words in result.stderr, result.stderr
    if line.status == 2:
        assert result.stdout == ""
        assert result.stderr.splitlines()[-1].startswith("Error: ")
    else:
        assert len(result.stderr.splitlines()) <= 3
    # Nothing that was there has changed, and nothing is left behind.
    assert (folder / "there.ttn").read_text() == "precious"
    assert len(list(folder.iterdir())) == 7
