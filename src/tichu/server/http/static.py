"""The page: a few files that are read once and kept in memory."""

import gzip
import hashlib
import html
from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from tichu.server.http.responses import error_response

__all__ = ["STATIC", "Page"]

STATIC: Final = Path(__file__).parents[1] / "static"

_TYPES: Final = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/x-icon",
    ".jpg": "image/jpeg",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".mp3": "audio/mpeg",
    ".ogg": "audio/ogg",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".wav": "audio/wav",
    ".webmanifest": "application/manifest+json",
    ".webp": "image/webp",
    ".woff2": "font/woff2",
}
_PACKED: Final = frozenset({".css", ".html", ".js", ".json", ".svg", ".txt", ".wav", ".webmanifest"})
_FOREVER: Final = "public, max-age=31536000, immutable"

_MISSING: Final = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Tichu</title></head><body>
<h1>The server runs, the page is not built</h1>
<p>Run <code>make page</code> in the checkout and start the server again.</p>
<p>Programs can play without it: <a href="openapi.json">the API</a>.</p>
</body></html>
"""


class _File(NamedTuple):
    data: bytes
    packed: bytes | None
    kind: str
    tag: str
    #: Files under assets/ have a hash in their name.
    lasts: bool


class Page:
    """The built page; without one a plain page says how to build it."""

    def __init__(self, prefix: str, folder: Path = STATIC) -> None:
        self._files = _read(folder)
        index = self._files.pop("index.html", None)
        text = _MISSING if index is None else index.data.decode()
        base = f'<base href="{html.escape(prefix)}/">'
        # All addresses of the page are relative, so that it works under any prefix and on any route.
        self._index = _file(text.replace("<head>", f"<head>{base}", 1).encode(), ".html", lasts=False)

    @property
    def index(self) -> bytes:
        """The page itself."""
        return self._index.data

    async def answer(self, request: Request) -> Response:
        """A file by its name; whatever has no dot in its last part is a route of the page."""
        path = request.scope["path"].lstrip("/")
        if "." not in path.rpartition("/")[2] and not path.startswith(("api/", "ws/", "assets/")):
            return _answer(self._index, request.headers)
        file = self._files.get(path)
        if file is None:
            return error_response(404, "not_found", "there is nothing here")
        return _answer(file, request.headers)


def _read(folder: Path) -> dict[str, _File]:
    if not folder.is_dir():
        return {}
    return {
        path.relative_to(folder).as_posix(): _file(
            path.read_bytes(), path.suffix, lasts=path.relative_to(folder).parts[0] == "assets"
        )
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def _file(data: bytes, ending: str, *, lasts: bool) -> _File:
    packed = gzip.compress(data, mtime=0) if ending in _PACKED else None
    tag = f'"{hashlib.sha256(data).hexdigest()[:16]}"'
    return _File(data, packed, _TYPES.get(ending, "application/octet-stream"), tag, lasts)


def _answer(file: _File, asked: Mapping[str, str]) -> Response:
    headers = {"etag": file.tag, "cache-control": _FOREVER if file.lasts else "no-cache", "vary": "accept-encoding"}
    if asked.get("if-none-match") == file.tag:
        return Response(status_code=304, headers=headers)
    data = file.data
    if file.packed is not None and "gzip" in asked.get("accept-encoding", ""):
        data = file.packed
        headers["content-encoding"] = "gzip"
    return Response(data, headers=headers | {"content-type": file.kind})
