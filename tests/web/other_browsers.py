"""The walk of :mod:`tests.web.sizes` on three screens in Firefox and in WebKit.

python -m tests.web.other_browsers
python -m tests.web.other_browsers --browser webkit --language de --part play
"""

import argparse
import asyncio
import json
import sys
import time
from collections.abc import AsyncIterator, Iterable, Sequence
from fnmatch import fnmatch
from typing import Any, Final, Literal, cast

from playwright.async_api import Page

from tests.web.drivers import BROWSERS, Driver, DriverError, lacking, opened
from tests.web.situations import PARTS
from tests.web.sizes import LANGUAGES, REACH, SETTLE, Screen
from tests.web.stage import Server, missing, serving
from tests.web.visitor import Visitor, step_of

__all__ = ["SIZES", "faults_in"]

#: A phone, a phone on its side, a laptop.
SIZES: Final = ("375x553", "844x390", "1280x633")
#: What the server tells cannot be made up here, as it is in the last one.
_PARTS: Final = tuple(part for part in PARTS if part != "club")
_ROOM: Final = (1440, 900)
_WAIT_S: Final = 60
_POLL_S: Final = 0.05
#: Those of the elements that have this name.
_NAMED: Final = """[...document.querySelectorAll(selector)].filter(node => name === null
        || [node.getAttribute('aria-label'), node.innerText?.replace(/\\s+/g, ' ').trim()].includes(name))"""
_SHOWN: Final = f"""({{selector, name}}) => {_NAMED}
    .map(node => node.checkVisibility({{visibilityProperty: true}}) && node.getBoundingClientRect().height > 0)"""
#: Where a pointer would meet one of them; null as long as it cannot be clicked.
_TARGET: Final = f"""({{selector, name, index}}) => {{
    const node = {_NAMED}.filter(node => node.checkVisibility({{visibilityProperty: true}}))[index];
    if (!node || node.matches(':disabled, [aria-disabled=true]')) return null;
    node.scrollIntoView({{block: 'nearest', behavior: 'instant'}});
    const box = node.getBoundingClientRect();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    return node.contains(document.elementFromPoint(x, y)) ? [x, y] : null;
}}"""


class _Element:
    """What situations need of Playwright's locator."""

    def __init__(self, driver: Driver, selector: str, name: str | None = None, index: int = 0) -> None:
        self._driver = driver
        self._selector = selector
        self._name = name
        self._index = index

    @property
    def first(self) -> "_Element":
        return self

    def nth(self, index: int) -> "_Element":
        return _Element(self._driver, self._selector, self._name, index)

    def or_(self, other: "_Element") -> "_Element":
        """Either of two kinds of element with the same name."""
        return _Element(self._driver, f"{self._selector}, {other._selector}", self._name)

    async def wait_for(self, state: Literal["visible", "attached", "detached"] = "visible") -> None:
        asked = {"selector": self._selector, "name": self._name}
        end = time.monotonic() + _WAIT_S
        while time.monotonic() < end:
            # Whether each of them is shown.
            found: list[bool] = await self._driver.run(_SHOWN, asked)
            count = found.count(True) if state == "visible" else len(found)
            if count == 0 if state == "detached" else count > self._index:
                return
            await asyncio.sleep(_POLL_S)
        raise DriverError(f"{self._selector} {self._name or ''} is never {state}")

    async def click(self) -> None:
        asked = {"selector": self._selector, "name": self._name, "index": self._index}
        before = None
        end = time.monotonic() + _WAIT_S
        while time.monotonic() < end:
            place = await self._driver.run(_TARGET, asked)
            # What moves is not clicked.
            if place is not None and place == before:
                await self._driver.press(*place)
                return
            before = place
            await asyncio.sleep(_POLL_S)
        raise DriverError(f"{self._selector} {self._name or ''} can never be clicked")


class _Page:
    """What situations need of Playwright's page."""

    _ROLES: Final = {"button": "button:not([role]), [role=button]", "link": "a[href]", "tab": "[role=tab]"}

    def __init__(self, driver: Driver) -> None:
        self._driver = driver
        self.url = ""

    async def goto(self, url: str) -> None:
        await self._driver.visit(url)
        # The page takes the token of a seat out of its address.
        self.url = url.partition("#")[0]

    async def wait_for_url(self, pattern: str) -> None:
        end = time.monotonic() + _WAIT_S
        while time.monotonic() < end:
            self.url = await self._driver.run("() => location.href")
            if fnmatch(self.url, pattern):
                return
            await asyncio.sleep(_POLL_S)
        raise DriverError(f"{self.url} is not {pattern}")

    async def evaluate(self, function: str, value: object = None) -> Any:
        return await self._driver.run(function, value)

    def locator(self, selector: str) -> _Element:
        return _Element(self._driver, selector)

    def get_by_role(self, role: str, *, name: str, exact: bool) -> _Element:
        assert exact
        return _Element(self._driver, self._ROLES[role], name)


async def _walk(
    driver: Driver, server: Server, language: str, screens: Sequence[Screen], parts: Iterable[str]
) -> AsyncIterator[str]:
    page = _Page(driver)
    await driver.resize(*_ROOM)
    await driver.visit(server.url)
    kept = json.dumps({"speed": "none", "name": "Ada", "sound": False, "language": language})
    await driver.run("kept => { localStorage['tichu.settings'] = kept; }", kept)
    for part in parts:
        last = "the beginning"
        try:
            async for situation in PARTS[part](Visitor(cast(Page, page), server, language)):
                last = situation.name
                if not situation.has_notice:
                    await page.locator(".notice").wait_for(state="detached")
                for screen in screens:
                    await driver.resize(screen.width, screen.height)
                    await driver.run(SETTLE, [screen.scale, screen.width, screen.height])
                    for fault in await driver.run(REACH, {**situation.asked(), "insets": screen.insets}):
                        yield f"{language}, {screen}, {situation.name}: {fault}"
                await driver.resize(*_ROOM)
                await driver.run(SETTLE, [100, *_ROOM])
        except DriverError as error:
            yield f"{language}, {part}: the walk ends here, after {last}, at {step_of(error)}: {error}"
            await driver.resize(*_ROOM)


async def faults_in(browser: str, server: Server, language: str, parts: Iterable[str] = _PARTS) -> list[str]:
    """All faults in one browser and one language, on the three screens."""
    screens = [Screen.parse(size) for size in SIZES]
    async with opened(browser) as driver:
        return [f"{browser}, {fault}" async for fault in _walk(driver, server, language, screens, parts)]


def main() -> None:
    """Walk, and end with 1 if something is out of reach, or a browser is not there."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--browser", action="append", choices=list(BROWSERS))
    parser.add_argument("--language", action="append", choices=LANGUAGES)
    parser.add_argument("--part", action="append", choices=_PARTS)
    given = parser.parse_args()
    browsers = given.browser or list(BROWSERS)
    if reason := next(filter(None, map(lacking, browsers)), None) or missing():
        parser.error(reason)
    failed = 0
    with serving() as server:
        for browser in browsers:
            for language in given.language or LANGUAGES:
                began = time.perf_counter()
                found = asyncio.run(faults_in(browser, server, language, given.part or _PARTS))
                sys.stdout.writelines(f"{fault}\n" for fault in found)
                seconds = time.perf_counter() - began
                sys.stdout.write(
                    f"{browser}, {language}: {len(found)} faults on {len(SIZES)} screens, {seconds:.0f} s\n"
                )
                sys.stdout.flush()
                failed += len(found)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
