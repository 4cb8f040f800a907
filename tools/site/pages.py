"""The pages of the site: what the repository has, with links that work there."""

import posixpath
import re
import shutil
from pathlib import Path
from typing import Final

__all__ = ["API", "write_pages"]

#: Modules with a page in the reference.
API: Final = (
    "tichu",
    "tichu.agents",
    "tichu.analysis",
    "tichu.arena",
    "tichu.conformance",
    "tichu.data",
    "tichu.encoding",
    "tichu.envs",
    "tichu.kernel",
    "tichu.parallel",
    "tichu.ratings",
    "tichu.server.client",
)

#: Where the pages of the repository are on the site; docs/ is copied as it is.
_PAGES: Final = {
    "README.md": "index.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "conformance/README.md": "conformance/index.md",
    "bench/attacks/README.md": "attacks.md",
    "LICENSE": "license.md",
}
#: Text files that pages show by a link, so that they must be there.
_FILES: Final = ("conformance/*.jsonl", "examples/**/*.py", "examples/**/*.pl")
_LINK: Final = re.compile(r"(!?)\[([^\]]*)\]\(([^)#\s]+)(#[^)\s]*)?\)")
_PICTURE: Final = re.compile(r'(<img[^>]*\ssrc=")([^"]+)(")')

_CONFIG: Final = """\
[project]
site_name = "tichu"
site_description = "Tichu, the card game: rules, notation, bots, data and a table to play at"
docs_dir = "source"
site_dir = "site"
use_directory_urls = true
copyright = "An unofficial, independent project. The name Tichu belongs to its publisher."
nav = [
    { "tichu" = "index.md" },
    { "Tutorials" = [
        { "Play tonight" = "tutorials/play.md" },
        { "Get better" = "tutorials/improve.md" },
        { "Run a server for a club" = "tutorials/club.md" },
        { "Write a bot" = "tutorials/bots.md" },
        { "Train a player" = "tutorials/research.md" },
        { "Ask the data" = "tutorials/data.md" },
    ] },
    { "Guides" = [GUIDES] },
    { "Reference" = [REFERENCE] },
    { "Project" = [
        { "Architecture" = "architecture.md" },
        { "Contributing" = "contributing.md" },
        { "Changes" = "changelog.md" },
        { "Attacks" = "attacks.md" },
        { "License" = "license.md" },
    ] },
]

[project.theme]
language = "en"
font = false
features = ["navigation.sections", "navigation.top", "content.code.copy", "search.highlight"]
[[project.theme.palette]]
media = "(prefers-color-scheme: light)"
scheme = "default"
toggle = { icon = "lucide/sun", name = "Dark" }
[[project.theme.palette]]
media = "(prefers-color-scheme: dark)"
scheme = "slate"
toggle = { icon = "lucide/moon", name = "Light" }

[project.plugins.mkdocstrings.handlers.python]
paths = ["SOURCES"]

[project.plugins.mkdocstrings.handlers.python.options]
docstring_style = "sphinx"
show_source = false
show_root_heading = false
separate_signature = true
show_signature_annotations = true
signature_crossrefs = true
heading_level = 2
members_order = "__all__"
extensions = ["TOOLS/tools/site/docstrings.py"]
"""

_GUIDES: Final = {
    "The rules": "rules.md",
    "The notation": "notation.md",
    "The library": "library.md",
    "Bots": "bots.md",
    "Environments": "envs.md",
    "The benchmark": "benchmark.md",
    "Data": "data.md",
    "Analysis": "analysis.md",
    "Ratings": "ratings.md",
    "The native core": "native.md",
    "Training": "training.md",
    "The server": "server.md",
    "Running a cluster": "operations.md",
    "Many nodes": "cluster.md",
    "Conformance": "conformance/index.md",
}


def write_pages(root: Path, out: Path) -> None:
    """Copy all pages and files of the site."""
    shutil.copytree(root / "docs", out)
    places = {f"docs/{path.relative_to(out).as_posix()}": path for path in out.rglob("*.*")}
    for name, page in _PAGES.items():
        (out / page).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(root / name, out / page)
        places[name] = out / page
    for pattern in _FILES:
        for path in sorted(root.glob(pattern)):
            name = path.relative_to(root).as_posix()
            (out / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, out / name)
            places[name] = out / name
    targets = {name: path.relative_to(out).as_posix() for name, path in places.items()}
    for name, path in places.items():
        if path.suffix == ".md":
            path.write_text(_with_links(path.read_text(encoding="utf-8"), name, targets), encoding="utf-8")
    (out / "reference").mkdir()
    for module in API:
        text = f"# `{module}`\n\n::: {module}\n"
        (out / "reference" / f"{module}.md").write_text(text, encoding="utf-8")
    _write_config(root, out)


def _write_config(root: Path, out: Path) -> None:
    guides = ", ".join(f'{{ "{title}" = "{page}" }}' for title, page in _GUIDES.items() if (out / page).is_file())
    reference = ", ".join(f'{{ "{module}" = "reference/{module}.md" }}' for module in API)
    text = _CONFIG.replace("GUIDES", guides).replace("REFERENCE", reference)
    text = text.replace("SOURCES", (root / "src").as_posix()).replace("TOOLS", root.as_posix())
    (out.parent / "zensical.toml").write_text(text, encoding="utf-8")


def _with_links(text: str, name: str, targets: dict[str, str]) -> str:
    """A page with its links as they must be on the site; what is only in the repository is named, not linked."""
    here = posixpath.dirname(targets[name]) or "."

    def moved(link: str) -> str | None:
        if re.match(r"\w+:", link):
            return link
        target = targets.get(posixpath.normpath(posixpath.join(posixpath.dirname(name), link)))
        return None if target is None else posixpath.relpath(target, here)

    def change(found: re.Match[str]) -> str:
        mark, words, link, place = found[1], found[2], found[3], found[4] or ""
        to = moved(link)
        return f"{mark}[{words}]({to}{place})" if to is not None else words

    def change_picture(found: re.Match[str]) -> str:
        return f"{found[1]}{moved(found[2]) or found[2]}{found[3]}"

    parts = re.split(r"(^```.*?^```$)", text, flags=re.MULTILINE | re.DOTALL)
    parts[::2] = [_PICTURE.sub(change_picture, _LINK.sub(change, part)) for part in parts[::2]]
    return "".join(parts)
