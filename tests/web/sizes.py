"""Walk through the game on many screens and say what cannot be reached or read.

    python -m tests.web.sizes --all
    python -m tests.web.sizes --size 375x553 --size 700x420 --language de --part play

Every size from 320x320 up is promised.  The pages are loaded once a language; then only the screen changes.
"""

import argparse
import asyncio
import json
import sys
import time
from collections.abc import AsyncIterator, Iterable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from playwright.async_api import Browser, Error, Page, ViewportSize, async_playwright

from tests.web.situations import PARTS
from tests.web.stage import Server, launch, missing, serving
from tests.web.visitor import Situation, Visitor, step_of

__all__ = ["LANGUAGES", "REACH", "SETTLE", "SIZES", "Screen", "walk"]

LANGUAGES: Final = ("en", "de", "ko")
#: The screens of the promise: the smallest, phones, phones on their side, a tablet, laptops.
# fmt: off
SIZES: Final = (
    "320x320", "320x568", "360x572", "360x600", "360x640", "375x553", "375x600", "375x667", "384x615", "390x664",
    "390x844", "412x732", "600x360", "667x375", "740x360", "844x390", "932x430", "820x1180", "1024x600", "1280x633",
    "1440x900",
)
# fmt: on
#: With a notch and a bar at the bottom.
NOTCHED: Final = ("390x844", "844x390")
SCALES: Final = (100, 130)
#: Where things are clicked, so that a fault elsewhere does not end the walk.
_ROOM: Final[ViewportSize] = {"width": 1440, "height": 900}
_WAIT_MS: Final = 20_000
REACH: Final = (Path(__file__).parent / "reach.js").read_text(encoding="utf-8")
#: Painting takes longer than everything else, and nothing here depends on it.
_PLAIN: Final = """() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`svg > * { display: none !important } *, *::before {
        background-image: none !important; box-shadow: none !important; filter: none !important }`);
    document.adoptedStyleSheets = [sheet];
}"""
SETTLE: Final = """async ([scale, width, height]) => {
    document.documentElement.style.fontSize = `${scale}%`;
    const boxes = () => [...document.querySelectorAll('[data-card], button')]
        .map(node => Object.values(node.getBoundingClientRect().toJSON())).join();
    for (let before = '', same = 0, frames = 0; same < 3 && frames < 90; frames++) {
        await new Promise(requestAnimationFrame);
        const now = boxes();
        // A busy browser hears of its new size a moment later.
        same = now === before && innerWidth === width && innerHeight === height ? same + 1 : 0;
        before = now;
    }
}"""


class Screen(NamedTuple):
    """A size in CSS pixels, the size of the text in percent, and whether there is a notch."""

    width: int
    height: int
    scale: int = 100
    is_notched: bool = False

    @classmethod
    def parse(cls, text: str, scale: int = 100, *, is_notched: bool = False) -> "Screen":
        """From ``375x553``."""
        width, height = text.split("x")
        return cls(int(width), int(height), scale, is_notched)

    @property
    def insets(self) -> dict[str, int]:
        """What a phone of this kind keeps for itself."""
        if not self.is_notched:
            return {"top": 0, "right": 0, "bottom": 0, "left": 0}
        if self.width < self.height:
            return {"top": 47, "right": 0, "bottom": 34, "left": 0}
        return {"top": 0, "right": 47, "bottom": 21, "left": 47}

    def __str__(self) -> str:
        scale = "" if self.scale == 100 else f" at {self.scale} %"
        return f"{self.width}x{self.height}{' notched' if self.is_notched else ''}{scale}"


async def _open(browser: Browser, language: str) -> Page:
    context = await browser.new_context(viewport=_ROOM, locale=language, reduced_motion="reduce")
    context.set_default_timeout(_WAIT_MS)
    kept = json.dumps({"speed": "none", "name": "Ada", "sound": False, "language": language})
    await context.add_init_script(f"localStorage['tichu.settings'] ??= {json.dumps(kept)}")
    return await context.new_page()


async def _look(page: Page, situation: Situation, screens: Iterable[Screen], shots: Path | None) -> list[str]:
    """What is wrong in this situation, on all screens."""
    faults = []
    # What was told on the way here goes by itself.
    if not situation.has_notice:
        await page.locator(".notice").first.wait_for(state="detached")
    if shots is None:
        await page.evaluate(_PLAIN)
    browser = await page.context.new_cdp_session(page)
    for screen in screens:
        await page.set_viewport_size({"width": screen.width, "height": screen.height})
        await browser.send("Emulation.setSafeAreaInsetsOverride", {"insets": screen.insets})
        await page.evaluate(SETTLE, [screen.scale, screen.width, screen.height])
        found: list[str] = await page.evaluate(REACH, {**situation.asked(), "insets": screen.insets})
        faults += [f"{screen}, {situation.name}: {fault}" for fault in found]
        if shots is not None:
            name = f"{situation.name} {screen.width}x{screen.height} {screen.scale}.png"
            await page.screenshot(path=shots / name.replace(" ", "-").replace(":", ""))
    await browser.detach()
    await page.set_viewport_size(_ROOM)
    await page.evaluate(SETTLE, [100, *_ROOM.values()])
    return faults


async def walk(
    browser: Browser,
    server: Server,
    language: str,
    screens: Iterable[Screen],
    parts: Iterable[str] = PARTS,
    shots: Path | None = None,
) -> list[str]:
    """All faults in one language."""
    screens = tuple(screens)
    return [fault async for fault in _faults(browser, server, language, screens, parts, shots)]


async def _faults(
    browser: Browser,
    server: Server,
    language: str,
    screens: Sequence[Screen],
    parts: Iterable[str],
    shots: Path | None,
) -> AsyncIterator[str]:
    page = await _open(browser, language)
    for part in parts:
        last = "the beginning"
        try:
            async for situation in PARTS[part](Visitor(page, server, language)):
                last = situation.name
                for fault in await _look(page, situation, screens, shots):
                    yield f"{language}, {fault}"
        except Error as error:
            why = " ".join(error.message.splitlines()[:4])
            yield f"{language}, {part}: the walk ends here, after {last}, at {step_of(error)}: {why}"
    await page.context.close()


async def _walk_all(given: argparse.Namespace) -> int:
    screens = [Screen.parse(size, scale) for size in given.size for scale in given.scale]
    screens += [Screen.parse(size, scale, is_notched=True) for size in given.notched for scale in given.scale]
    failed = 0
    with serving() as server:
        async with async_playwright() as playwright:
            browser = await launch(playwright)
            for language in given.language:
                began = time.perf_counter()
                found = 0
                for part in given.part:
                    async for fault in _faults(browser, server, language, screens, [part], given.shots):
                        found += 1
                        sys.stdout.write(f"{fault}\n")
                        sys.stdout.flush()
                    passed = time.perf_counter() - began
                    sys.stderr.write(f"{language}: {part} after {passed:.0f} s\n")
                sys.stdout.write(f"{language}: {found} faults on {len(screens)} screens, {passed:.0f} s\n")
                sys.stdout.flush()
                failed += found
            await browser.close()
    return failed


def main() -> None:
    """Walk, and end with 1 if something is out of reach."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--all", action="store_true", help="all sizes of the promise; so it is without --size, too")
    parser.add_argument("--size", action="append", metavar="WxH", help="may be given several times")
    parser.add_argument("--notched", action="append", metavar="WxH", help="the same with a notch")
    parser.add_argument("--language", action="append", choices=LANGUAGES)
    parser.add_argument("--scale", action="append", type=int, metavar="PERCENT", help="of the text: 100 and 130")
    parser.add_argument("--part", action="append", choices=list(PARTS))
    parser.add_argument("--shots", type=Path, metavar="FOLDER", help="keep a picture of everything")
    given = parser.parse_args()
    is_all = given.all or not (given.size or given.notched)
    given.size = [*(SIZES if is_all else ()), *(given.size or ())]
    given.notched = [*(NOTCHED if is_all else ()), *(given.notched or ())]
    given.language = given.language or LANGUAGES
    given.scale = given.scale or SCALES
    given.part = given.part or list(PARTS)
    if given.shots is not None:
        given.shots.mkdir(parents=True, exist_ok=True)
    if reason := missing():
        parser.error(reason)
    sys.exit(1 if asyncio.run(_walk_all(given)) else 0)


if __name__ == "__main__":
    main()
