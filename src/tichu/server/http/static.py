"""The page: a few files that are read once and kept in memory."""

import asyncio
import gzip
import hashlib
import html
import re
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from tichu.server.http.preloads import Preloads, read_preloads
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

#: Which file of the page needs which others; the first route is that of the bare address.
_MANIFEST: Final = "files.json"
_FIRST_ROUTE: Final = "start"

#: The service worker, and what takes its place where the server wants none: it removes itself and what it has kept.
_WORKER: Final = "worker.js"
_NO_WORKER: Final = "worker-off.js"
#: In the worker; a new page is a new worker.
_VERSION: Final = "__VERSION__"

_MISSING: Final = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Tichu</title></head><body>
<h1>The server runs, the page is not built</h1>
<p>Run <code>make page</code> in a checkout and start the server again; an installed package has the page if it was
built where a Node could be had.</p>
<p>Programs can play without it: <a href="openapi.json">the API</a>.</p>
</body></html>
"""


#: What is larger takes too long to pack while others wait.
_LARGE_BYTES: Final = 16_384
#: Files of other pages that are kept in memory.
_KEPT_BYTES: Final = 4_000_000
_ASSET: Final = re.compile(r"assets/[A-Za-z0-9_.-]{1,100}")


@dataclass(frozen=True)
class _File:
    data: bytes
    ending: str
    #: Files under assets/ have a hash in their name.
    lasts: bool

    @cached_property
    def tag(self) -> str:
        return f'"{hashlib.sha256(self.data).hexdigest()[:16]}"'

    @cached_property
    def packed(self) -> bytes | None:
        """Made when it is first asked for: the first table waits for those it needs, not for all of them."""
        return gzip.compress(self.data, mtime=0) if self.ending in _PACKED else None

    async def pack(self) -> None:
        """Have it packed; what is large is packed beside the event loop."""
        if len(self.data) > _LARGE_BYTES and "packed" not in self.__dict__:
            await asyncio.to_thread(getattr, self, "packed")


#: A file by its name, of a page that another node has or had.
Others = Callable[[str], Awaitable[bytes | None]]
#: The tags for the head of the page that a request asks for.
Tags = Callable[[Request], Awaitable[str]]


class Page:
    """The built page; without one a plain page says how to build it."""

    def __init__(
        self,
        prefix: str,
        folder: Path = STATIC,
        *,
        has_worker: bool = False,
        tags: Tags | None = None,
        others: Others | None = None,
    ) -> None:
        self._others = others
        #: Files of other pages that were asked for lately.
        self._kept: OrderedDict[str, _File] = OrderedDict()
        self._files = _read(folder)
        self._tags = tags
        manifest = self._files.get(_MANIFEST)
        self._preloads = Preloads() if manifest is None else read_preloads(manifest.data)
        index = self._files.pop("index.html", None)
        text = _MISSING if index is None else index.data.decode()
        # All addresses of the page are relative, so that it works under any prefix and on any route.
        head = f'<head><base href="{html.escape(prefix)}/">'
        if has_worker and _WORKER in self._files:
            head += f'<meta name="tichu-worker" content="{_WORKER}">'
        self._index = _File(text.replace("<head>", head, 1).encode(), ".html", lasts=False)
        self._choose_worker(has_worker)

    @property
    def index(self) -> bytes:
        """The page itself."""
        return self._index.data

    @property
    def hashed_files(self) -> dict[str, bytes]:
        """Those whose names change with what is in them."""
        return {name: file.data for name, file in self._files.items() if file.lasts}

    async def answer(self, request: Request) -> Response:
        """A file by its name; whatever has no dot in its last part is a route of the page."""
        path = request.scope["path"].lstrip("/")
        if "." not in path.rpartition("/")[2] and not path.startswith(("api/", "ws/", "assets/")):
            return _answer(await self._tagged(request), request.headers)
        file = self._files.get(path) or await self._other(path)
        if file is None:
            return error_response(404, "not_found", "there is nothing here")
        if _takes_packed(request.headers):
            await file.pack()
        return _answer(file, request.headers)

    async def _other(self, path: str) -> _File | None:
        """An open page may be older or newer than this one."""
        if self._others is None or _ASSET.fullmatch(path) is None:
            return None
        if path not in self._kept:
            data = await self._others(path)
            if data is None:
                return None
            self._kept[path] = _File(data, Path(path).suffix, lasts=True)
            while sum(len(file.data) for file in self._kept.values()) > _KEPT_BYTES:
                self._kept.popitem(last=False)
        return self._kept.get(path)

    async def _tagged(self, request: Request) -> _File:
        route = request.scope["path"].strip("/").partition("/")[0] or _FIRST_ROUTE
        tags = self._preloads.tags(route, request.headers.get("accept-language", ""))
        if self._tags is not None:
            tags += await self._tags(request)
        if not tags:
            return self._index
        text = self._index.data.decode().replace("</head>", f"{tags}</head>", 1)
        return _File(text.encode(), ".html", lasts=False)

    def _choose_worker(self, is_wanted: bool) -> None:
        """One of the two answers to the worker's name; a browser that finds a new one there takes it."""
        off, on = self._files.pop(_NO_WORKER, None), self._files.pop(_WORKER, None)
        chosen = on if is_wanted else off
        if chosen is None:
            return
        names = "".join(f"{name} {file.tag}" for name, file in self._files.items())
        version = hashlib.sha256(self._index.data + names.encode()).hexdigest()[:16]
        self._files[_WORKER] = _File(chosen.data.replace(_VERSION.encode(), version.encode()), ".js", lasts=False)


def _read(folder: Path) -> dict[str, _File]:
    if not folder.is_dir():
        return {}
    return {
        path.relative_to(folder).as_posix(): _File(
            path.read_bytes(), path.suffix, lasts=path.relative_to(folder).parts[0] == "assets"
        )
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def _answer(file: _File, asked: Mapping[str, str]) -> Response:
    headers = {"etag": file.tag, "cache-control": _FOREVER if file.lasts else "no-cache", "vary": "accept-encoding"}
    if file.ending == ".html":
        headers["vary"] += ", accept-language"
    if asked.get("if-none-match") == file.tag:
        return Response(status_code=304, headers=headers)
    data = file.data
    if _takes_packed(asked) and file.packed is not None:
        data = file.packed
        headers["content-encoding"] = "gzip"
    return Response(data, headers=headers | {"content-type": _TYPES.get(file.ending, "application/octet-stream")})


def _takes_packed(asked: Mapping[str, str]) -> bool:
    return "gzip" in asked.get("accept-encoding", "")
