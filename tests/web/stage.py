"""A real server and a real browser, for tests and for whoever draws or measures the page."""

import asyncio
import json
import os
import shutil
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from playwright.async_api import Browser, Page, Playwright

from tichu.server.http.static import STATIC

__all__ = ["NAME", "Proxy", "Server", "go_as_host", "launch", "missing", "serving"]

#: A name that is not localhost: browsers deny it what they keep for secure origins.
NAME: Final = "tichu.test"

_TICHU: Final = Path(sys.executable).with_name("tichu")
_BROWSERS: Final = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_ARGUMENTS: Final = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    f"--host-resolver-rules=MAP {NAME} 127.0.0.1",
)
#: All browsers of a test come from one address.
_LIMITS: Final = (
    "address_rate=1000",
    "address_burst=10000",
    "address_tables=1000",
    "making_rate=10000",
    "making_burst=10000",
    "account_burst=1000",
    # Enough for something to look at.
    "review_worlds=64",
)
_TIMEOUT_S: Final = 30


def browser_path() -> str | None:
    """The browser of this machine, or the one that is asked for."""
    asked = os.environ.get("TICHU_BROWSER")
    return next((found for name in ([asked] if asked else _BROWSERS) if (found := shutil.which(name))), None)


def missing() -> str | None:
    """What keeps the page from being shown here, and how to get it; None if nothing does."""
    if browser_path() is None:
        return "no browser for the tests of the page; install chromium or set TICHU_BROWSER"
    if not (STATIC / "index.html").is_file():
        return "the page is not built; make page builds it"
    return None


class Server:
    """A server that listens."""

    def __init__(self, process: "subprocess.Popen[str]", url: str) -> None:
        self.process = process
        self.url = url

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self.url.rstrip("/").rpartition(":")[2])

    def ask(self, path: str, body: object = None, token: str | None = None) -> Any:
        """What the API answers."""
        data = None if body is None else json.dumps(body).encode()
        headers = {"content-type": "application/json"} if body is not None else {}
        if token is not None:
            headers["authorization"] = f"Bearer {token}"
        request = urllib.request.Request(f"{self.url}api/{path}", data, headers)
        with urllib.request.urlopen(request, timeout=_TIMEOUT_S) as answer:
            return json.load(answer)

    def table(
        self, host: str = "Ada", seats: tuple[str | None, ...] = ("you",), *, start: bool = False, **settings: object
    ) -> Any:
        """A new table, fast unless something else is asked for."""
        asked = {"name": host, "seats": seats, "start": start, "settings": {"pace": 0.02, **settings}}
        return self.ask("tables", asked)


async def go_as_host(page: Page, table: Any) -> None:
    """Open a table as the person who made it, rather than with the key of their seat, which ends with the game."""
    await page.add_init_script(f"localStorage.setItem('tichu.token', '{table['you']['token']}')")
    await page.goto(table["link"])


@contextmanager
def serving(*options: str, program: tuple[str, ...] = (str(_TICHU),)) -> Iterator[Server]:
    """``tichu serve`` in a process of its own, with an empty folder and without a service worker."""
    with tempfile.TemporaryDirectory(prefix="tichu-web-") as folder, (Path(folder) / "log").open("w+") as log:
        command = [*program, "serve", "--port", "0", "--data", folder, "--no-service-worker", *options]
        for limit in _LIMITS:
            command += ["--limit", limit]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True, encoding="utf-8")
        try:
            assert process.stdout is not None
            line = next((line for line in process.stdout if line.startswith("Tables at ")), None)
            if line is None:
                log.seek(0)
                raise RuntimeError(f"the server has not started:\n{log.read()}")
            yield Server(process, line.split()[2])
        finally:
            process.terminate()
            try:
                process.communicate(timeout=_TIMEOUT_S)
            except subprocess.TimeoutExpired:
                process.kill()
                process.communicate()


async def launch(playwright: Playwright) -> Browser:
    """The browser of this machine."""
    return await playwright.chromium.launch(executable_path=browser_path(), args=list(_ARGUMENTS))


class Proxy:
    """A connection between one browser and the server that can be cut, or stand still."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._server: asyncio.Server | None = None
        self._ends: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._stands_still = False
        #: How many connections were taken and never answered.
        self.hung = 0
        self.port = 0

    async def __aenter__(self) -> "Proxy":
        await self.restore()
        return self

    async def __aexit__(self, *args: object) -> None:
        await self.cut()

    async def restore(self) -> None:
        """Let everything through, at the same port as before."""
        self._server = await asyncio.start_server(self._through, "127.0.0.1", self.port)
        self.port = self._server.sockets[0].getsockname()[1]

    async def cut(self) -> None:
        """End all connections without a word and take no new ones."""
        assert self._server is not None
        self._server.close()
        for end in self._ends:
            end.transport.abort()
        await asyncio.gather(*self._tasks)

    async def stand_still(self) -> None:
        """End all connections and take new ones, but never answer them."""
        self._stands_still = True
        for end in self._ends:
            end.transport.abort()

    def go_on(self) -> None:
        """Let everything through that comes from now on."""
        self._stands_still = False

    async def _through(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            if self._stands_still:
                self.hung += 1
                self._ends.add(writer)
                await _drain(reader)
                return
            there, back = await asyncio.open_connection("127.0.0.1", self._port)
            self._ends |= {writer, back}
            await asyncio.gather(_pour(reader, back), _pour(there, writer))
            self._ends -= {writer, back}
        finally:
            self._tasks.discard(task)


async def _drain(reader: asyncio.StreamReader) -> None:
    try:
        while await reader.read(65536):
            pass
    except OSError:
        pass  # Cut.


async def _pour(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while some := await reader.read(65536):
            writer.write(some)
            await writer.drain()
    except OSError:
        pass  # Cut, which is what the proxy is for.
    finally:
        writer.close()
