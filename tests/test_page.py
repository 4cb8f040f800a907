"""The built page as files: small, without inline code, and never left out of a package."""

import gzip
import importlib.util
import json
import os
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
STATIC = ROOT / "src" / "tichu" / "server" / "static"
FIRST_LOAD_BYTES = 80 * 1024


@pytest.fixture(scope="module")
def index() -> str:
    page = STATIC / "index.html"
    if not page.is_file() and not os.environ.get("CI"):
        pytest.skip("the page is not built: make page")
    return page.read_text()


def _first_load(*sources: str) -> set[str]:
    """The files that these sources of the page need before anything else is asked for."""
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
        files |= {chunk["file"], *chunk.get("css", ()), *chunk.get("assets", ())}
        waiting += chunk.get("imports", ())
    return files


def test_the_page_has_no_inline_code_and_only_relative_addresses(index: str) -> None:
    assert not re.findall(r"<script(?![^>]*\ssrc=)[^>]*>|<style|\sstyle=|\son\w+=", index)
    addresses = re.findall(r'(?:src|href)="([^"]+)"', index)
    assert addresses
    assert all(address.startswith("./") for address in addresses)


@pytest.mark.parametrize("route", ["start", "t"])
def test_the_first_load_is_small(index: str, route: str) -> None:
    files = _first_load("index.html", f"src/routes/{route}.svelte", "src/messages/en.ts")
    size = sum(len(gzip.compress((STATIC / file).read_bytes())) for file in files)
    assert size <= FIRST_LOAD_BYTES, f"{route}: {size} bytes"


def test_no_package_is_built_without_the_page(tmp_path: Path) -> None:
    spec = importlib.util.spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    hook = module.PageBuildHook(str(tmp_path), {}, None, None, str(tmp_path), "wheel")
    hook.initialize("editable", {})
    with pytest.raises(SystemExit, match="make page"):
        hook.initialize("standard", {})
    page = tmp_path / "src" / "tichu" / "server" / "static"
    page.mkdir(parents=True)
    (page / "index.html").touch()
    hook.initialize("standard", {})
