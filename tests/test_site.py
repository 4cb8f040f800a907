"""The documentation site: its pages, their links, and the commands of the tutorials."""

import re
import shlex
from pathlib import Path

import click
import pytest

from tichu.cli import main
from tools.site.links import broken_links
from tools.site.markdown import to_markdown
from tools.site.pages import API, write_pages

ROOT = Path(__file__).parents[1]
TUTORIALS = sorted(path.stem for path in (ROOT / "docs/tutorials").glob("*.md"))
_LINK = re.compile(r"\]\(([^)#\s]+)")


def test_docstrings_become_markdown() -> None:
    text = "Like :class:`~tichu.core.game.Game` or :func:`tichu.plays` with ``cards``.\n\n>>> 1 + 1\n2\n\n:raises X: so"
    assert to_markdown(text) == (
        "Like `Game` or `tichu.plays` with `cards`.\n\n```pycon\n>>> 1 + 1\n2\n```\n\n:raises X: so"
    )


def test_a_link_that_leads_nowhere_is_found(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "index.html").write_text(
        '<a href="sub/">ok</a><a href="sub/#there">ok</a><a href="#no">no</a><img src="a.png">'
        '<a href="https://elsewhere.example/">not asked</a>'
    )
    (tmp_path / "sub" / "index.html").write_text('<h1 id="there">x</h1><a href="../">ok</a><a href="../b">no</a>')
    assert broken_links(tmp_path) == [
        "index.html: there is no 'no' in it",
        "index.html: a.png is not there",
        "sub/index.html: ../b is not there",
    ]


def test_pages_link_only_what_is_on_the_site(tmp_path: Path) -> None:
    out = tmp_path / "source"
    write_pages(ROOT, out)
    pages = list(out.rglob("*.md"))
    assert {f"reference/{name}.md" for name in API} <= {page.relative_to(out).as_posix() for page in pages}
    links = 0
    for page in pages:
        text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
        for link in _LINK.findall(text):
            if not re.match(r"\w+:", link):
                links += 1
                assert (page.parent / link).is_file(), f"{page.relative_to(out)}: {link}"
    assert links > 30
    config = (tmp_path / "zensical.toml").read_text(encoding="utf-8")
    for name in re.findall(r'= "([\w./-]+\.md)"', config):
        assert (out / name).is_file(), name


@pytest.mark.parametrize("name", TUTORIALS)
def test_the_commands_of_the_tutorials_are_understood(name: str) -> None:
    text = (ROOT / "docs/tutorials" / f"{name}.md").read_text(encoding="utf-8")
    lines = re.findall(r"^\$ (?:\.venv/bin/)?(tichu|make) (.*)$", text, re.MULTILINE)
    assert lines
    context = click.Context(main)
    targets = re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    for program, words in lines:
        first, *rest = shlex.split(words)
        if program == "make":
            assert first in targets
            continue
        command = main.get_command(context, first)
        assert command is not None, first
        command.make_context(first, rest)
