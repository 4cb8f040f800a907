"""Bots by name and from files."""

import re
import sys
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path

import pytest

from tichu import GameError
from tichu.agents import Agent, ProcessAgent, RandomAgent, make_agent
from tichu.agents.registry import installed_bots

GOOD = """
from tichu.agents import Agent

class Mine(Agent):
    def act(self, view, legal):
        return next(iter(legal))

class Named(Mine):
    name = "named"

class Unfinished(Agent):
    pass

class Failing(Mine):
    def __init__(self, seed):
        raise ValueError("not today")

class Plain:
    pass
"""


def write(folder: Path, text: str, name: str = "bot.py") -> str:
    (folder / name).write_text(text, encoding="utf-8")
    return str(folder / name)


def refusal(spec: str) -> str:
    with pytest.raises(GameError) as refused:
        make_agent(spec)
    return str(refused.value)


def test_our_own_bots_have_names() -> None:
    bot = make_agent("random", seed=7)
    assert isinstance(bot, RandomAgent)
    assert bot.seed == 7


def test_a_class_in_a_file_is_a_bot(tmp_path: Path) -> None:
    path = write(tmp_path, GOOD)
    bot = make_agent(f"{path}:Mine", seed=3)
    assert isinstance(bot, Agent)
    assert (bot.name, bot.seed) == ("mine", 3)
    assert make_agent(f"{path}:Named").name == "named"
    assert type(make_agent(f"{path}:Mine")) is type(bot)


def test_files_of_one_name_are_two_bots(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        write(tmp_path / folder, GOOD.replace("named", folder))
    names = [make_agent(f"{tmp_path / folder / 'bot.py'}:Named").name for folder in ("a", "b")]
    assert names == ["a", "b"]


def test_a_file_may_import_its_neighbour(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [*sys.path])
    write(tmp_path, "CHOICE = 0\n", "my_bot_neighbour.py")
    path = write(tmp_path, f"import my_bot_neighbour\n{GOOD}")
    assert make_agent(f"{path}:Mine").name == "mine"


def test_the_command_of_a_program_is_split_like_a_shell_does() -> None:
    assert isinstance(make_agent(f"process:'{sys.executable}' -c pass"), ProcessAgent)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("gredy", "no bot 'gredy'; there are random, greedy, "),
        ("", "no bot ''"),
        ("nowhere/bot.py:Mine", "no file 'nowhere/bot.py'"),
        ("bot.py", "say which class of 'bot.py' is the bot: bot.py:Class"),
        ("process:", "an empty command starts no program"),
        ("process:no-such-program --fast", "no program 'no-such-program' to start"),
        ("process:'unclosed", "No closing quotation"),
    ],
)
def test_what_is_no_bot_is_told(spec: str, message: str) -> None:
    assert message in refusal(spec)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("Absent", "has no class or function 'Absent'; it has Mine, Named, Unfinished, Failing"),
        ("Plain", "bot.py:Plain is not a subclass of tichu.agents.Agent; it has Mine, Named"),
        ("Unfinished", "bot.py:Unfinished does not define act"),
        ("Failing", "bot.py:Failing(seed=0) failed: ValueError: not today (bot.py, line 16)"),
    ],
)
def test_what_is_no_bot_in_a_file_is_told(tmp_path: Path, name: str, message: str) -> None:
    assert message in refusal(f"{write(tmp_path, GOOD)}:{name}")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = 1\ny = x / 0\n", "cannot be imported: ZeroDivisionError: division by zero (bot.py, line 2)"),
        ("x = 1\nclass Mine(:\n", "cannot be imported: SyntaxError: "),
        ("import no_such_module_at_all\n", "No module named 'no_such_module_at_all' (bot.py, line 1)"),
        ("import sys\nsys.exit('bye')\n", "SystemExit: bye (bot.py, line 2)"),
        ("x = 1\nraise GeneratorExit\n", "GeneratorExit (bot.py, line 2)"),
        ("x = 1\n", "has no class or function 'Mine'; it has no subclass of tichu.agents.Agent at all"),
    ],
)
def test_a_file_that_cannot_be_imported_names_the_line(tmp_path: Path, text: str, message: str) -> None:
    told = refusal(f"{write(tmp_path, text)}:Mine")
    assert message in told
    if "SyntaxError" in message:
        assert re.search(r"bot\.py, line 2", told)


def test_a_file_without_the_ending_of_python_is_no_bot(tmp_path: Path) -> None:
    assert "no bot" in refusal(f"{write(tmp_path, GOOD, 'bot.txt')}:Mine")


def test_a_bot_that_ends_the_program_when_it_is_made_is_told(tmp_path: Path) -> None:
    path = write(tmp_path, GOOD.replace('ValueError("not today")', 'SystemExit("bye")'))
    assert refusal(f"{path}:Failing").endswith("failed: SystemExit: bye (bot.py, line 16)")


def name_as_bots(monkeypatch: pytest.MonkeyPatch, **values: str) -> None:
    points = EntryPoints(EntryPoint(name, value, "tichu.bots") for name, value in values.items())
    monkeypatch.setattr("tichu.agents.registry.entry_points", points.select)


def test_packages_bring_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    name_as_bots(monkeypatch, other="tichu.agents.greedy:GreedyAgent")
    assert installed_bots() == ("other",)
    assert make_agent("other", seed=3).seed == 3


@pytest.mark.parametrize(
    ("spec", "value", "message"),
    [
        ("other", "tichu.agents.nowhere:Bot", "'other' cannot be had: No module"),
        ("other", "tichu.agents.greedy:Missing", "'other' cannot be had"),
        ("other", "tichu.agents.registry:make_agent", "not a subclass of tichu.agents.Agent: tichu.agents.registry"),
        ("other:fast=1", "tichu.agents.greedy:GreedyAgent", "the bot 'greedy' has no options"),
        ("another", "tichu.agents.greedy:GreedyAgent", "searching, other, path/file.py:Class"),
    ],
    ids=["no-module", "no-class", "no-agent", "no-options", "no-such-bot"],
)
def test_what_is_no_bot_of_a_package_is_told(
    spec: str, value: str, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    name_as_bots(monkeypatch, other=value)
    with pytest.raises(GameError, match=message):
        make_agent(spec)
