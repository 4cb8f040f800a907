"""The page as files: small, without inline code, and described as it is."""

import gzip
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.web import conftest
from tests.web.drivers import BROWSERS
from tichu.server.http.preloads import read_preloads

ROOT = Path(__file__).parents[1]
WEB = ROOT / "web"
STATIC = ROOT / "src" / "tichu" / "server" / "static"
#: Scripts and styles of the first page and of a table until something is decided there, gzipped.  Here what files
#: import is added up; tests/web/test_weight.py adds up what a browser fetches.
FIRST_LOAD_BYTES = {"start": 60_000, "t": 83_300}
_BUILT = "src/tichu/server/static/"


@pytest.fixture(scope="module")
def index() -> str:
    page = STATIC / "index.html"
    if not page.is_file() and not os.environ.get("CI"):
        pytest.skip("the page is not built; make page builds it")
    return page.read_text()


def _first_load(*sources: str) -> set[str]:
    """The scripts and styles that these sources of the page need before anything else is asked for."""
    chunks = json.loads((STATIC / "files.json").read_text())
    waiting = list(sources)
    seen: set[str] = set()
    files: set[str] = set()
    while waiting:
        source = waiting.pop()
        if source in seen:
            continue
        seen.add(source)
        chunk = chunks[source]
        files |= {chunk["file"], *chunk.get("css", ())}
        waiting += chunk.get("imports", ())
    return files


def test_the_page_has_no_inline_code_and_only_relative_addresses(index: str) -> None:
    assert not re.findall(r"<script(?![^>]*\ssrc=)[^>]*>|<style|\sstyle=|\son\w+=", index)
    addresses = re.findall(r'(?:src|href)="([^"]+)"', index)
    assert addresses
    assert all(address.startswith("./") for address in addresses)


@pytest.mark.parametrize("route", FIRST_LOAD_BYTES)
def test_the_first_load_is_small(index: str, route: str) -> None:
    files = _first_load("index.html", f"src/routes/{route}.svelte", "src/messages/en.ts")
    size = sum(len(gzip.compress((STATIC / file).read_bytes())) for file in files)
    assert size <= FIRST_LOAD_BYTES[route], f"{route}: {size} bytes"


def test_what_the_worker_keeps_is_as_much_as_the_readme_says(index: str) -> None:
    chunks = json.loads((STATIC / "files.json").read_text()).values()
    files = {"offline.html", "offline.css", "icon.svg"}
    files |= {name for chunk in chunks for name in (chunk["file"], *chunk.get("css", ()), *chunk.get("assets", ()))}
    size = sum(len(gzip.compress((STATIC / file).read_bytes())) for file in files)
    told = re.search(r"all (\d+) files, (\d+),(\d+) bytes", " ".join((WEB / "README.md").read_text().split()))
    assert told is not None
    # It grows and shrinks a little with every change.
    assert size == pytest.approx(int(told[2] + told[3]), rel=0.1), f"{size} bytes in {len(files)} files"
    assert len(files) == pytest.approx(int(told[1]), rel=0.1)


def test_every_route_asks_for_all_that_it_needs_at_once(index: str) -> None:
    preloads = read_preloads((STATIC / "files.json").read_bytes())
    assert preloads.routes.keys() == {path.stem for path in (WEB / "src" / "routes").glob("*.svelte")}
    assert preloads.languages.keys() == {path.stem for path in (WEB / "src" / "messages").glob("*.ts")}
    for route, tags in preloads.routes.items():
        asked = re.findall(r'href="\./([^"]+)"', tags)
        assert len(asked) == len(set(asked))
        assert set(asked) == _first_load(f"src/routes/{route}.svelte") - _first_load("index.html"), route


def _luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _contrast(one: str, other: str) -> float:
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("cloth", ["pine", "indigo", "plum"])
def test_what_is_written_on_a_cloth_can_be_read_by_day_and_by_night(cloth: str) -> None:
    css = (WEB / "src" / "style" / "tokens.css").read_text()
    usual = css[css.index("\n:root {") :]
    block = usual if cloth == "pine" else css[css.index(f"[data-cloth='{cloth}']") :]

    def colours(name: str, place: str) -> tuple[str, str]:
        found = re.search(rf"{name}: light-dark\((#\w{{6}}), (#\w{{6}})\)", place[: place.index("\n}")])
        assert found is not None, name
        return found[1], found[2]

    ring = re.search(r"--focus-felt: (#\w{6})", css)
    assert ring is not None
    focus = ring[1]
    for name in ("--felt", "--felt-deep", "--felt-light"):
        for felt, text, soft in zip(
            colours(name, block), colours("--on-felt", usual), colours("--on-felt-soft", block), strict=True
        ):
            # The lightest spot is under the lamp, where nothing small is written.
            least = 3 if name == "--felt-light" else 4.5
            assert _contrast(felt, text) >= least
            assert _contrast(felt, soft) >= least
            # The ring around what has the focus.
            assert _contrast(felt, focus) >= 3


def _named_in_readme() -> set[str]:
    """The files and folders that web/README.md names, as it writes them."""
    names = re.findall(r"`([\w./-]+)`", (WEB / "README.md").read_text())
    return {name for name in names if "/" in name.strip("/") or re.search(r"\.(ts|svelte|json|svg|css)$", name)}


def test_the_readme_of_the_page_names_only_what_exists() -> None:
    parts = WEB / "src" / "components"
    folders = (ROOT, WEB, WEB / "src" / "lib", parts, parts / "table")
    named = {name for name in _named_in_readme() if not name.startswith("/")}
    # The page itself is built, not kept.
    missing = {name for name in named if not any((folder / name).exists() for folder in folders)} - {_BUILT}
    assert not missing


def test_the_readme_of_the_page_names_every_module_and_folder() -> None:
    source = WEB / "src"
    modules = {path.name for path in (source / "lib").iterdir()}
    folders = {f"src/components/{path.name}/" for path in (source / "components").iterdir() if path.is_dir()}
    assert not (modules | folders) - _named_in_readme()


def test_a_run_without_a_browser_says_in_one_line_what_it_skipped() -> None:
    found = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/web/test_round.py"],
        cwd=ROOT,
        env={**os.environ, "TICHU_BROWSER": "/nowhere", "CI": ""},
        capture_output=True,
        text=True,
        check=True,
    )
    lines = [line for line in found.stdout.splitlines() if "browser" in line]
    assert lines == ["1 skipped: no browser for the tests of the page; install chromium or set TICHU_BROWSER"]


def test_ci_installs_every_browser_and_skips_none(monkeypatch: pytest.MonkeyPatch) -> None:
    script = (ROOT / ".ci" / "run").read_text()
    assert [program for programs in BROWSERS.values() for program in programs if program not in script] == []
    monkeypatch.setattr(conftest, "CI", True)
    with pytest.raises(pytest.fail.Exception, match="no browser firefox"):
        conftest.skip_if("no browser firefox")
    monkeypatch.setattr(conftest, "CI", False)
    with pytest.raises(pytest.skip.Exception):
        conftest.skip_if("no browser firefox")
