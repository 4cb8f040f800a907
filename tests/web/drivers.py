"""Firefox by WebDriver BiDi and WebKit by WebDriver: what is the same everywhere, without a library for each.

Firefox listens by itself; WebKitGTK comes with a driver, and needs a display, which ``Xvfb`` draws nowhere.
"""

import asyncio
import itertools
import json
import os
import shutil
import socket
import subprocess
import tempfile
import urllib.error
import urllib.request
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any, Final, Protocol

from websockets.asyncio.client import ClientConnection, connect

__all__ = ["BROWSERS", "Driver", "DriverError", "lacking", "opened"]

_START_S: Final = 60
_ANSWER_S: Final = 60
_PREFERENCES: Final = """
user_pref("ui.prefersReducedMotion", 1);
user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("toolkit.telemetry.reportingpolicy.firstRun", false);
"""
_BAR: Final = "* { min-width: 0; min-height: 0; margin: 0; padding: 0; border: 0; font-size: 3px; }"
#: WebKitGTK 2.50 answers matchMedia by the new size at once, but lays out by the old one until a sheet changes.
_RESTYLE: Final = """() => {
    for (const sheet of document.querySelectorAll('link[rel=stylesheet]')) {
        sheet.disabled = true;
        sheet.disabled = false;
    }
}"""
#: What each of them needs: the programs of the packages firefox-esr, webkit2gtk-driver and xvfb.
BROWSERS: Final = {"firefox": ("firefox-esr",), "webkit": ("WebKitWebDriver", "Xvfb")}


class DriverError(Exception):
    """A browser that cannot be driven, with what it said."""


class Driver(Protocol):
    """One window."""

    async def visit(self, url: str) -> None:
        """Load a page."""

    async def run(self, function: str, value: object = None) -> Any:
        """What a function of JavaScript makes of a value; it may be asynchronous."""

    async def press(self, x: float, y: float) -> None:
        """Click at a point."""

    async def resize(self, width: int, height: int) -> None:
        """Give the page this room."""


def lacking(browser: str) -> str | None:
    """Why a browser cannot be driven here; None if it can."""
    absent = [program for program in BROWSERS[browser] if shutil.which(program) is None]
    if absent or os.environ.get("TICHU_BROWSER") == "none":
        return f"no browser {browser}: {' and '.join(absent) or 'TICHU_BROWSER'} would be needed"
    return None


@asynccontextmanager
async def opened(browser: str) -> AsyncIterator[Driver]:
    """A window of the browser, with a profile of its own."""
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="tichu-browser-")))
        driver = await (_start_firefox if browser == "firefox" else _start_webkit)(stack, folder)
        yield driver


def _start(stack: AsyncExitStack, *command: str, **variables: str) -> "subprocess.Popen[str]":
    """A program that ends with the stack."""
    environment = {**os.environ, **variables}
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, encoding="utf-8", env=environment
    )

    def end() -> None:
        process.terminate()
        try:
            process.communicate(timeout=_ANSWER_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()

    stack.callback(end)
    return process


def _called(function: str, value: object) -> str:
    """An expression whose value is the JSON of what the function returns."""
    return f"Promise.resolve((\n{function}\n)({json.dumps(value)})).then(found => JSON.stringify(found ?? null))"


def _click(x: float, y: float) -> list[dict[str, Any]]:
    steps: list[dict[str, Any]] = [
        {"type": "pointerMove", "x": round(x), "y": round(y)},
        {"type": "pointerDown", "button": 0},
        {"type": "pointerUp", "button": 0},
    ]
    return [{"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": steps}]


class _Firefox:
    def __init__(self, line: ClientConnection) -> None:
        self._line = line
        self._ids = itertools.count(1)
        self._context = ""

    async def start(self) -> None:
        await self._send("session.new", capabilities={})
        # The first tab belongs to the browser.
        tab = await self._send("browsingContext.create", type="tab")
        self._context = tab["context"]

    async def visit(self, url: str) -> None:
        await self._send("browsingContext.navigate", context=self._context, url=url, wait="complete")

    async def run(self, function: str, value: object = None) -> Any:
        target = {"context": self._context}
        answer = await self._send(
            "script.evaluate", expression=_called(function, value), target=target, awaitPromise=True
        )
        if answer["type"] == "exception":
            raise DriverError(answer["exceptionDetails"]["text"])
        return json.loads(answer["result"]["value"])

    async def press(self, x: float, y: float) -> None:
        await self._send("input.performActions", context=self._context, actions=_click(x, y))

    async def resize(self, width: int, height: int) -> None:
        size = {"width": width, "height": height}
        await self._send("browsingContext.setViewport", context=self._context, viewport=size)

    async def _send(self, method: str, **parameters: object) -> Any:
        number = next(self._ids)
        await self._line.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while True:
            message = json.loads(await asyncio.wait_for(self._line.recv(), _ANSWER_S))
            if message.get("id") == number:
                break
        if message["type"] == "error":
            raise DriverError(f"{method}: {message['error']}: {message['message']}")
        return message["result"]


async def _start_firefox(stack: AsyncExitStack, folder: Path) -> Driver:
    (folder / "user.js").write_text(_PREFERENCES, encoding="utf-8")
    options = ("--headless", "--no-remote", "--remote-debugging-port", "0", "--profile", str(folder))
    process = _start(stack, *BROWSERS["firefox"], *options, HOME=str(folder))
    assert process.stdout is not None
    said = []
    for text in process.stdout:
        said.append(text)
        if "WebDriver BiDi listening on " in text:
            address = text.split()[-1]
            break
    else:
        raise DriverError(f"Firefox has not started: {''.join(said)}")
    line = await stack.enter_async_context(connect(f"{address}/session", max_size=None, open_timeout=_START_S))
    firefox = _Firefox(line)
    await firefox.start()
    return firefox


class _WebKit:
    def __init__(self, url: str) -> None:
        self._url = url
        self._session = ""

    async def start(self) -> None:
        options = {"webkitgtk:browserOptions": {"args": ["--automation"]}}
        for _ in range(_START_S * 10):
            try:
                answer = self._send("POST", "", {"capabilities": {"alwaysMatch": options}})
                break
            except urllib.error.URLError:
                await asyncio.sleep(0.1)  # It does not listen yet.
        else:
            raise DriverError("WebKitWebDriver does not listen")
        self._session = f"/{answer['sessionId']}"
        self._send("POST", "/timeouts", {"script": _ANSWER_S * 1000, "pageLoad": _ANSWER_S * 1000})

    async def end(self) -> None:
        if self._session:
            self._send("DELETE", "")

    async def visit(self, url: str) -> None:
        self._send("POST", "/url", {"url": url})

    async def run(self, function: str, value: object = None) -> Any:
        script = (
            "const done = arguments[arguments.length - 1];"
            f"{_called(function, value)}.then(done, error => done(JSON.stringify({{failed: String(error)}})))"
        )
        found = json.loads(self._send("POST", "/execute/async", {"script": script, "args": []}))
        if isinstance(found, dict) and "failed" in found:
            raise DriverError(found["failed"])
        return found

    async def press(self, x: float, y: float) -> None:
        self._send("POST", "/actions", {"actions": _click(x, y)})

    async def resize(self, width: int, height: int) -> None:
        # The window has a bar of its own, whose size only the page inside can tell.
        asked = [width, height]
        for _ in range(5):
            self._send("POST", "/window/rect", {"x": 0, "y": 0, "width": asked[0], "height": asked[1]})
            await self.run("() => new Promise(done => setTimeout(done, 100))")
            inside = await self.run("() => [innerWidth, innerHeight]")
            if inside == [width, height]:
                await self.run(_RESTYLE)
                return
            asked = [asked[0] + width - inside[0], asked[1] + height - inside[1]]
        raise DriverError(f"the window cannot be made {width}x{height}; the page has {inside[0]}x{inside[1]}")

    def _send(self, method: str, path: str, body: object = None) -> Any:
        data = None if method == "DELETE" else json.dumps(body).encode()
        request = urllib.request.Request(f"{self._url}/session{self._session}{path}", data, method=method)
        try:
            with urllib.request.urlopen(request, timeout=2 * _ANSWER_S) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise DriverError(f"{path or '/session'}: {error.read().decode()}") from error


async def _start_webkit(stack: AsyncExitStack, folder: Path) -> Driver:
    reading, writing = os.pipe()
    screen = subprocess.Popen(
        ("Xvfb", "-displayfd", str(writing), "-screen", "0", "2000x1400x24", "-nolisten", "tcp"),
        pass_fds=(writing,),
        stderr=subprocess.DEVNULL,
    )
    stack.callback(screen.wait)
    stack.callback(screen.terminate)
    os.close(writing)
    with os.fdopen(reading) as ready:
        display = ready.readline().strip()
    if not display:
        raise DriverError("Xvfb has not started")
    # The bar of the window would be wider than a phone.
    style = folder / ".config" / "gtk-3.0" / "gtk.css"
    style.parent.mkdir(parents=True)
    style.write_text(_BAR, encoding="utf-8")
    port = _free_port()
    variables = {"DISPLAY": f":{display}", "HOME": str(folder), "WEBKIT_DISABLE_COMPOSITING_MODE": "1"}
    _start(stack, "WebKitWebDriver", "-p", str(port), **variables)
    webkit = _WebKit(f"http://127.0.0.1:{port}")
    stack.push_async_callback(webkit.end)
    await webkit.start()
    return webkit


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
