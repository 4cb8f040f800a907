"""What all commands have in common: exit statuses, interrupts, closed pipes, JSON, completion."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result

from tichu import __main__ as program
from tichu.cli import main
from tichu.cli.status import INTERRUPTED

POSITION = "9s/2s2b2g2r3s/Kb/4s p2 0:As 90/0/0/0 - ---- - -/-/-/-"

#: Those that play, serve or write a single file: what they have to say is not a result.
WITHOUT_JSON = {"backup", "bot", "connect", "convert", "play", "serve"}


def tichu(*arguments: str, **options: Any) -> Result:
    return CliRunner().invoke(main, arguments, prog_name="tichu", **options)


def test_every_command_that_prints_a_result_prints_it_as_json_too() -> None:
    context = click.Context(main)
    for name in main.list_commands(context):
        command = main.get_command(context, name)
        assert command is not None
        # Of a group, every command in it.
        for one in command.commands.values() if isinstance(command, click.Group) else [command]:
            has_json = any("--json" in parameter.opts for parameter in one.params)
            assert has_json is (name not in WITHOUT_JSON), (name, one.name)


def test_json_of_rules_legal_and_perft() -> None:
    told = json.loads(tichu("rules", "--json").stdout)
    assert list(told)[:2] == ["standard", "classic"]
    assert told["simple"]["wish"] == "off"
    assert json.loads(tichu("rules", "standard", "wish=must", "--json").stdout).keys() == {"classic"}
    told = json.loads(tichu("legal", POSITION, "--seat", "1", "--json").stdout)
    assert told == {"position": POSITION, "rules": "standard", "seat": 1, "legal": ["1:2s2b2g2r"]}
    count = int(tichu("perft", POSITION, "2").stdout)
    assert json.loads(tichu("perft", POSITION, "2", "--json").stdout)["count"] == count
    told = json.loads(tichu("perft", POSITION, "2", "--divide", "--json").stdout)
    assert (told["count"], told["divide"]) == (count, {"2:-": count})


def test_json_of_bot_check() -> None:
    result = tichu("bot-check", "greedy", "--rounds", "2", "--rules", "simple", "--json")
    told = json.loads(result.stdout)
    assert (result.exit_code, told["rounds"], told["faults"], told["told"]) == (0, 2, {}, [])
    assert told["decisions"]["play"] > 0


def test_json_of_bot_check_tells_each_fault(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(
        "from tichu.agents import Agent\n\n\nclass Bot(Agent):\n"
        "    def act(self, view, legal):\n        raise KeyError(7)\n"
    )
    result = tichu("bot-check", f"{bot}:Bot", "--rounds", "2", "--faults", "3", "--json")
    told = json.loads(result.stdout)
    assert (result.exit_code, told["stopped"], told["faults"]) == (1, True, {"crashed": 3})
    assert all("KeyError" in fault["reason"] and fault["view"] for fault in told["told"])


def interrupt(*_: object) -> None:
    raise KeyboardInterrupt


def test_ctrl_c_is_130_and_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    tichu("perft", POSITION, "1")
    monkeypatch.setattr("tichu.cli.positions.count", interrupt)
    result = tichu("perft", POSITION, "1")
    assert (result.exit_code, result.output) == (130, "")


def test_what_was_measured_before_ctrl_c_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    tichu("bench", "--help")
    benches = {"one": ("tichu", lambda: 7.0), "two": ("tichu", interrupt)}
    monkeypatch.setattr(sys.modules["tichu.cli.bench"], "_BENCHES", benches)
    result = tichu("bench", "--json")
    assert (result.exit_code, json.loads(result.stdout)) == (130, {"one": 7.0})
    result = tichu("bench")
    assert result.exit_code == 130
    assert result.stdout.split()[:2] == ["one", "7"]


@pytest.mark.parametrize(("command", "last"), [("replay", "1 rounds, 1 errors"), ("verify", "2 errors")])
def test_what_was_checked_before_ctrl_c_is_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, command: str, last: str
) -> None:
    tichu(command, "--help")
    module = sys.modules[f"tichu.cli.{'records' if command == 'replay' else 'verify'}"]
    check = module._check_file
    files = [tmp_path / "a.ttn", tmp_path / "b.ttn"]
    for file in files:
        file.write_text('[TTN "1"]\n[Rules "standard"]\n\ndeal nonsense\n')
    monkeypatch.setattr(module, "_check_file", lambda path: interrupt() if path.name == "b.ttn" else check(path))
    result = tichu(command, *map(str, files))
    assert result.exit_code == 130
    assert "a.ttn" in result.stdout
    assert last in result.stderr


_MANY_ACTIONS = "2s2b2g2r3s3b3g3r4s4b4g4r5rPh/Kb/Kg/Kr p0 - 90/0/0/0 - ---- - -/-/-/-"


@pytest.mark.parametrize(
    "line",
    [["legal", _MANY_ACTIONS], ["replay", "tests/games"], ["verify", "tests/games"]],
    ids=lambda line: str(line[0]),
)
def test_a_reader_who_has_seen_enough_hears_no_complaint(line: list[str]) -> None:
    command = [sys.executable, "-m", "tichu", *line]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() in (0, 1)


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("tichu ar", {"arena"}),
        ("tichu arena gr", {"greedy"}),
        ("tichu arena greedy h", {"heuristic", "human", "hard"}),
        ("tichu legal --rules s", {"standard", "simple", "single-round"}),
        ("tichu rules br", {"brettspielwelt"}),
        ("tichu stats x --by p", {"player", "pair"}),
        ("tichu play --bots ea", {"easy"}),
        ("tichu bot-check gre", {"greedy"}),
        ("tichu conformance x --rules s", {"standard", "simple", "single-round"}),
        ("tichu bench --js", {"--json"}),
    ],
    ids=lambda words: words if isinstance(words, str) else "",
)
def test_words_are_completed(line: str, offered: set[str]) -> None:
    words = line.split(" ")
    asked = {"_TICHU_COMPLETE": "bash_complete", "COMP_WORDS": line, "COMP_CWORD": str(len(words) - 1)}
    result = tichu(env=asked)
    assert {row.partition(",")[2] for row in result.stdout.splitlines()} == offered


def test_an_interrupt_while_the_program_is_still_being_read_is_silent(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    class Interrupted:
        @property
        def main(self) -> None:
            raise KeyboardInterrupt

    monkeypatch.setitem(sys.modules, "tichu.cli", Interrupted())
    with pytest.raises(SystemExit) as exit_:
        program.main()
    assert exit_.value.code == INTERRUPTED
    assert capfd.readouterr() == ("", "")


def test_an_interrupt_while_the_package_is_being_read_is_silent() -> None:
    interrupted = (
        "import importlib.abc, sys\n"
        "class Late(importlib.abc.MetaPathFinder):\n"
        "    def find_spec(self, name, *_):\n"
        "        if name == 'tichu.core.cards': raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Late())\n"
        "import tichu_command\n"
        "tichu_command.main()\n"
    )
    done = subprocess.run([sys.executable, "-c", interrupted], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (INTERRUPTED, "", "")


def test_an_interrupt_while_the_command_line_is_read_is_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(click.Group, "parse_args", interrupt)
    result = tichu("rules")
    assert (result.exit_code, result.output) == (INTERRUPTED, "")
