"""What a route of the page will need: links in its head, so that the browser asks for all of it at once.

Otherwise it learns of each file from the one before: the page names the route, the route its parts.
"""

import html
import json
from collections.abc import Mapping
from typing import Any, Final

__all__ = ["read_preloads"]

_PAGE: Final = "index.html"
_ROUTES: Final = "src/routes/"


def read_preloads(manifest: bytes) -> dict[str, str]:
    """The tags of each route, by its name, from the bundler's list of files."""
    files = json.loads(manifest)
    page = _needed(files, _PAGE)
    return {
        name.removeprefix(_ROUTES).removesuffix(".svelte"): "".join(
            _tag(file) for file in _needed(files, name) if file not in page
        )
        for name in files
        if name.startswith(_ROUTES)
    }


def _needed(files: Mapping[str, Any], first: str) -> dict[str, None]:
    """The code and the styles that a file cannot do without, in the order in which they were met."""
    found: dict[str, None] = {}
    waiting, seen = [first], {first}
    while waiting:
        one = files[waiting.pop()]
        found |= dict.fromkeys([one["file"], *one.get("css", ())])
        new = [name for name in one.get("imports", ()) if name not in seen]
        seen.update(new)
        waiting.extend(new)
    return found


def _tag(file: str) -> str:
    kind = "stylesheet" if file.endswith(".css") else "modulepreload"
    return f'<link rel="{kind}" crossorigin href="./{html.escape(file)}">'
