"""``tichu bot``, ``tichu bot-check``, the examples and what ``docs/bots.md`` says about them."""

import os
import re
import shlex
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.arena.at_the_table import bot_file
from tests.table import at
from tichu.cli import main
from tichu.core.position import format_view

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
TEN_LINES = f"{EXAMPLES / 'ten_line_bot.py'}:TenLineBot"
TRANSCRIPT = (Path(__file__).parent / "transcript.txt").read_text(encoding="utf-8").splitlines()
DOCS = (ROOT / "docs" / "bots.md").read_text(encoding="utf-8")

#: Whatever the question, it passes.
HASTY = """
import sys
for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    if word == "tichu":
        print("name Hasty\\nready", flush=True)
    elif word == "choose":
        print("act", rest[0] + ":-", flush=True)
"""

#: Passes on every trick, also if it owes a wish.
FORGETFUL = """
import sys
for line in sys.stdin:
    word, *rest = line.split()
    if word == "tichu":
        print("name Forgetful\\nready", flush=True)
    elif word == "seat":
        seat = int(rest[0])
    elif word == "view":
        hand, phase, table = rest[0].split("/")[seat], rest[1], rest[2]
    elif word == "choose":
        choices = [choice for choice in rest if "+T" not in choice]
        if phase[0] == "x":
            choices = [choices[0] + hand[8:14]]
        elif phase[0] == "p" and table != "-":
            choices = [str(seat) + ":-"]
        print("act", choices[-1], flush=True)
"""


def tichu(*words: str, text: str | None = None) -> Result:
    return CliRunner().invoke(main, words, input=text)


def block(language: str) -> Iterator[str]:
    """The code blocks of the page in a language."""
    return (found[1] for found in re.finditer(rf"^```{language}\n(.*?)^```$", DOCS, re.MULTILINE | re.DOTALL))


def test_a_bot_of_ours_answers_as_in_the_transcript() -> None:
    told = "".join(f"{line[2:]}\n" for line in TRANSCRIPT if line.startswith("> "))
    result = tichu("bot", "greedy", text=told)
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [line[2:] for line in TRANSCRIPT if line.startswith("< ")]


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("tichu 2\n", "this bot speaks 'tichu 1', not 'tichu 2'"),
        ("tichu 1\nchoose 0:-\n", "'choose' before any 'view'"),
        ("hello\n", "no such line in the bot protocol: 'hello'"),
        (
            "seat 4 score 0 0 time 1\n",
            "'seat <n> score <own team> <other team> time <ms>', not 'seat 4 score 0 0 time 1'",
        ),
        ("view nothing\n", "a view has 9 fields, not 1"),
        (f"seat 0 score {'9' * 5000} 0 time 1\n", "'seat <n> score <own team> <other team> time <ms>', not 'seat 0"),
        (f"result 1 {'9' * 5000}\n", "'result <own team> <other team>', not 'result 1 9"),
        ("result\n", "'result <own team> <other team>', not 'result '"),
    ],
)
def test_a_bot_of_ours_refuses_what_is_not_the_protocol(lines: str, message: str) -> None:
    result = tichu("bot", "greedy", text=lines)
    assert result.exit_code == 1
    assert message in result.stderr


@pytest.mark.parametrize("name", ["random", "greedy", "heuristic"])
@pytest.mark.parametrize(
    "shown",
    [
        format_view(at("6r/9sTs/5r/4r p1 0:8s").view(0)),
        # It may call, out of turn.
        "Do2b4s4b4r5g6r7rTrQsAsAbAgDr/*14/*14/*14 p1 - 0/0/0/0 - ---- - 2g3r3g/????4r/??4s??/2b???? -",
    ],
)
def test_a_seat_that_has_nothing_to_choose_is_told_so(name: str, shown: str) -> None:
    result = tichu("bot", name, text=f"seat 0 score 0 0 time 1\nview {shown}\nchoose\n")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == f"Error: seat 0 has nothing to choose in 'view {shown}'\n"


def test_a_bot_that_fails_is_one_line_and_what_it_prints_is_no_answer(tmp_path: Path) -> None:
    bot = bot_file(tmp_path, ["print('hm')", "raise SystemExit(0)"])
    told = "".join(f"{line[2:]}\n" for line in TRANSCRIPT if line.startswith("> "))
    result = tichu("bot", bot, text=told)
    assert (result.exit_code, result.stdout) == (1, "name bot\nready\n")
    assert re.fullmatch(r"hm\nError: crashed: SystemExit: 0 \(.*bot\.py, line \d+\)\n", result.stderr)


def test_a_refused_answer_is_told_on_stderr() -> None:
    result = tichu("bot", "random", text="tichu 1\nerror too bold\nresult 0 100\nquit\nnever read\n")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "name random\nready\n", "refused: too bold\n")


def test_the_bot_in_ten_lines_is_faultless() -> None:
    result = tichu("bot-check", TEN_LINES, "--rounds", "60")
    assert result.exit_code == 0, result.output
    assert "rounds     60\n" in result.output
    assert re.search(r"grand, \d+ exchange, \d+ play, \d+ wish, \d+ take, \d+ bomb", result.output)


def test_the_bot_in_perl_is_faultless() -> None:
    if shutil.which("perl") is None and os.environ.get("CI") != "true":
        pytest.skip("no perl on this machine")
    # Not as a script of its own: a checkout may lose the right to execute it.
    result = tichu("bot-check", shlex.join(["perl", str(EXAMPLES / "perl_bot.pl")]))
    assert result.exit_code == 0, result.output
    # The page shows this run; only the time may differ.
    lines = [line for line in result.output.splitlines() if not line.startswith("time ")]
    assert lines[0] == "bot        Pearl"
    assert all(f"\n{line}\n" in DOCS for line in lines)


def test_bot_check_reports_each_fault_and_fails(tmp_path: Path) -> None:
    path, log = tmp_path / "hasty.py", tmp_path / "log.txt"
    path.write_text(HASTY, encoding="utf-8")
    command = shlex.join([sys.executable, "-I", "-S", str(path)])
    result = tichu("bot-check", command, "--faults", "4", "--log", str(log), "--rules", "standard")
    assert result.exit_code == 1
    assert "illegal: round 0, seat 0, standard bombs=ordered: 0:- is not legal: this is not the time" in result.output
    assert "    > choose 0+G 0-G\n    < act 0:-\n    > error 0:- is not legal" in result.output
    assert "rounds     0 (stopped early)\n" in result.output
    assert "faults     4 illegal\n" in result.output
    assert log.read_text(encoding="utf-8").startswith(
        "> tichu 1\n< name Hasty\n< ready\n> new standard bombs=ordered\n"
    )


def test_bot_check_tells_why_an_answer_is_wrong(tmp_path: Path) -> None:
    path = tmp_path / "forgetful.py"
    path.write_text(FORGETFUL, encoding="utf-8")
    command = shlex.join([sys.executable, "-I", "-S", str(path)])
    result = tichu("bot-check", command, "--seed", "3", "--faults", "1")
    assert result.exit_code == 1
    shown = list(block("text"))[1]
    assert result.output.startswith(shown), result.output


def test_bot_check_stops_at_once_if_the_program_does_not_start() -> None:
    result = tichu("bot-check", shlex.join([sys.executable, "-c", "raise SystemExit('no licence')"]))
    assert result.exit_code == 1
    assert result.output.count("crashed: ") == 1
    assert "the program ended with exit status 1: no licence" in result.output
    assert "bot        never said its name\n" in result.output


def test_bot_check_of_nothing_is_one_line() -> None:
    result = tichu("bot-check", "no-such-program")
    assert (result.exit_code, result.stderr) == (
        1,
        "Error: no program 'no-such-program' to start, or it may not be executed\n",
    )


@pytest.mark.parametrize("limit", ["inf", "nan", "-inf", "-1", "1e300", "0.5"])
def test_bot_check_wants_a_time_that_can_be_kept(limit: str) -> None:
    result = tichu("bot-check", "greedy", "--time", limit)
    assert result.exit_code == 2
    assert f"Invalid value for '--time': {float(limit)} is " in result.stderr


def test_bot_check_tells_what_is_done_when_it_is_interrupted(tmp_path: Path) -> None:
    result = tichu("bot-check", bot_file(tmp_path, ["if self.asked > 60: raise KeyboardInterrupt"]))
    assert result.exit_code == 130
    assert re.search(r"rounds     [1-9] \(stopped early\)\n", result.stdout)


def test_bot_check_of_a_bot_that_cannot_go(tmp_path: Path) -> None:
    result = tichu("bot-check", bot_file(tmp_path, [], ["self.close = sys.exit"]), "--rounds", "1")
    assert result.exit_code == 0
    assert "faults     none\n" in result.stdout


def test_the_page_shows_the_examples_as_they_are() -> None:
    (python,), (perl,) = block("python"), block("perl")
    assert python in (EXAMPLES / "ten_line_bot.py").read_text(encoding="utf-8")
    assert perl in (EXAMPLES / "perl_bot.pl").read_text(encoding="utf-8")


def test_the_page_shows_a_real_conversation() -> None:
    shown = next(block("text"))
    whole = "\n".join(TRANSCRIPT)
    at = 0
    for part in shown.strip().split("\n...\n"):
        at = whole.index(part, at) + len(part)
    assert at == len(whole)
