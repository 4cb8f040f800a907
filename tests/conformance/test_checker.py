"""``tichu conformance``: whoever answers as we do agrees, a bug is found, and whatever a program does is told."""

import json
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tichu.cli import main

EXAMPLES = Path(__file__).parents[2] / "examples" / "conformance"


def conformance(command: str, *options: str) -> Result:
    result = CliRunner().invoke(main, ["conformance", command, *options])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def python(path: Path) -> str:
    return f"'{sys.executable}' '{path}'"


def test_the_example_agrees_in_every_file() -> None:
    result = conformance(python(EXAMPLES / "answer.py"), "--rules", "courtesy", "--json")
    assert result.exit_code == 0, result.output
    report = json.loads(result.stdout)
    assert (report["name"], report["differ"], report["skipped"]) == ("tichu", 0, 0)
    assert len(report["file"]) == 7
    assert report["agree"] == sum(tally["agree"] for tally in report["file"].values()) > 1000


def test_a_bug_is_found_and_told_in_words() -> None:
    result = conformance(
        python(EXAMPLES / "phoenix_bug.py"), "--rules", "standard", "--paragraph", "6.3", "--most", "1"
    )
    assert result.exit_code == 1
    assert "Phoenix bug" in result.stdout
    (row,) = [line.split() for line in result.stdout.splitlines() if line.startswith("§6.3")]
    assert int(row[2]) > 0
    assert "The first 1 of " in result.stdout
    assert "(§6.3), standard: legal actions in '3s/4b/4g/6s7b9gTrPh p3 " in result.stdout
    assert "the answer lacks 3:-" in result.stdout


#: A program in one line, and what is said about it.
PROGRAMS = {
    "ends": ("print('name a\\nready', flush=True); input(); input()", "the program ended with exit status 0"),
    "raises": ("raise SystemError('oh')", "the program ended with exit status 1: SystemError: oh"),
    "nameless": ("print('hello', flush=True); input(); input()", "answered by 'name <name>' and 'ready', not 'hello'"),
    "silent": ("import time; print('name a\\nready', flush=True); time.sleep(600)", "no answer within 0.2 s"),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_that_does_not_answer_is_told_after_three_tries(tmp_path: Path, name: str) -> None:
    program, reason = PROGRAMS[name]
    path = tmp_path / "program.py"
    path.write_text(program)
    result = conformance(python(path), "--file", "combos", "--time", "0.2" if name == "silent" else "60")
    assert result.exit_code == 1
    assert "3 questions in a row were not answered" in result.stderr
    assert reason in result.stderr
    assert "0 answers agree, 2 differ" in result.stdout


def test_wrong_and_skipped_answers_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(
        "import itertools, sys\n"
        "sys.stdin.readline(); print('name odd\\nready', flush=True)\n"
        "answers = itertools.cycle(['\"skip\"', '[\"7s\"]', '[\"x\"]', '7', 'null', '{}'])\n"
        "for line in sys.stdin: print(next(answers), flush=True)\n"
    )
    result = conformance(python(path), "--file", "combos", "--rules", "standard", "--json")
    report = json.loads(result.stdout)
    assert report["skipped"] > 40
    assert report["agree"] < 10
    words = " ".join(difference["difference"] for difference in report["differences"])
    deep = path.with_name("deep.py")
    deep.write_text(path.read_text().replace("print(next(answers)", "print('[' * 100_000"))
    assert "the answer is one line of JSON, not '[[[" in conformance(python(deep), "--file", "combos").stdout
    for part in ("'x' cannot be read", "7s should not be there", "the answer is a list of texts, not 7"):
        assert part in words


def test_what_cannot_be_asked_is_one_line(tmp_path: Path) -> None:
    result = conformance("no-such-program-here")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "no program 'no-such-program-here'" in result.stderr
    result = conformance(python(EXAMPLES / "answer.py"), "--paragraph", "6.9")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "no case has '6.9'" in result.stderr
    result = conformance(python(EXAMPLES / "answer.py"), "--cases", str(tmp_path))
    assert f"{tmp_path / 'combos.jsonl'}: No such file" in result.stderr
    (tmp_path / "combos.jsonl").write_text('{"ask": "readings"}\n')
    result = conformance(python(EXAMPLES / "answer.py"), "--cases", str(tmp_path))
    assert "line 1 is not a case of the suite" in result.stderr
