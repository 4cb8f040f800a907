"""The programs of docs/library.md: each is short and stands by itself."""

import doctest
import re
from pathlib import Path

import pytest

PAGE = (Path(__file__).parents[2] / "docs/library.md").read_text(encoding="utf-8")
PROGRAMS = dict(re.findall(r"^## (\d+\. .*?)\n.*?```pycon\n(.*?)```", PAGE, re.MULTILINE | re.DOTALL))


def test_there_are_fifteen() -> None:
    assert [title.split(".")[0] for title in PROGRAMS] == [str(number) for number in range(1, 16)]
    assert PAGE.count("```pycon") == 15


@pytest.mark.parametrize("title", PROGRAMS)
def test_a_program_is_short_and_needs_no_other(title: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(Path(__file__).parents[2])
    program = doctest.DocTestParser().get_doctest(PROGRAMS[title], {}, title, "docs/library.md", 0)
    assert sum(example.source.count("\n") for example in program.examples) <= 12
    failed, tried = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(program)
    assert tried > 0
    assert failed == 0
