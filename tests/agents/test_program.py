"""How the command of a program is read."""

from pathlib import Path

import pytest

from tichu import GameError
from tichu.agents.program import command_words


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program with blanks in its path."""
    path = tmp_path / "my bots" / "good bot"
    path.parent.mkdir()
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    return path


def test_a_path_with_blanks_may_be_the_whole_command(program: Path) -> None:
    assert command_words("my bots/good bot") == ["my bots/good bot"]
    assert command_words(str(program)) == [str(program)]
    for command in ("'my bots/good bot' --level '3 4'", r"my\ bots/good\ bot --level '3 4'"):
        assert command_words(command) == ["my bots/good bot", "--level", "3 4"]
    assert command_words("sh -c '# no comment'") == ["sh", "-c", "# no comment"]


def test_quotes_are_missed_where_something_follows(program: Path) -> None:
    with pytest.raises(GameError, match=r"no program 'my' .*; 'my bots/good bot' is one: set it in quotes$"):
        command_words("my bots/good bot --level 3")


@pytest.mark.parametrize(
    ("command", "program"),
    [
        (r"C:\bots\mybot.exe --level 3", r"C:\bots\mybot.exe"),
        (r"'C:\my bots\mybot.exe' --level 3", r"C:\my bots\mybot.exe"),
        (r'"C:\my bots\mybot.exe"', r"C:\my bots\mybot.exe"),
        (r"\\server\bots\mybot.exe", r"\\server\bots\mybot.exe"),
    ],
)
def test_a_path_of_windows_keeps_its_backslashes(command: str, program: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda word: word if word == program else None)
    assert command_words(command)[0] == program


def test_on_windows_no_backslash_is_an_escape(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda word: word if word == r"bots\mybot.exe" else None)
    with pytest.raises(GameError, match=r"no program 'botsmybot\.exe'"):
        command_words(r"bots\mybot.exe 1")
    monkeypatch.setattr("tichu.agents.program._IS_WINDOWS", True)
    assert command_words(r"bots\mybot.exe a\b") == [r"bots\mybot.exe", r"a\b"]
