"""What a route of the page will need: links in its head, so that the browser asks for all of it at once.

Otherwise it learns of each file from the one before: the page names the route, the route its parts.
"""

import html
import json
import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, NamedTuple

__all__ = ["Preloads", "read_preloads"]

_PAGE: Final = "index.html"
_ROUTES: Final = "src/routes/"
_LANGUAGES: Final = re.compile(r"src/messages/([a-z]{2})\.ts")
_FALLBACK: Final = "en"


class Preloads(NamedTuple):
    """The tags of each route and of each language, by their names."""

    routes: Mapping[str, str] = MappingProxyType({})
    languages: Mapping[str, str] = MappingProxyType({})

    def tags(self, route: str, accepted: str) -> str:
        """What a route needs, with the words of the first of the accepted languages that the page has."""
        wanted = (part.strip()[:2].lower() for part in accepted.split(","))
        language = next((name for name in wanted if name in self.languages), _FALLBACK)
        known = self.routes.get(route)
        return "" if known is None else known + self.languages.get(language, "")


def read_preloads(manifest: bytes) -> Preloads:
    """From the bundler's list of files."""
    files = json.loads(manifest)
    page = _needed(files, _PAGE)

    def tags(name: str) -> str:
        return "".join(_tag(file) for file in _needed(files, name) if file not in page)

    return Preloads(
        {name.removeprefix(_ROUTES).removesuffix(".svelte"): tags(name) for name in files if name.startswith(_ROUTES)},
        {found[1]: tags(name) for name in files if (found := _LANGUAGES.fullmatch(name))},
    )


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
