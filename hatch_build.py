"""Refuse to build a package without the page that its server shows."""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class PageBuildHook(BuildHookInterface[Any]):
    """Looks for the built page; an editable install finds it later, where ``make page`` puts it."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Stop before anything is built."""
        page = Path(self.root, "src", "tichu", "server", "static", "index.html")
        if version != "editable" and not page.is_file():
            raise SystemExit("the page is not built: run `make page` first")
