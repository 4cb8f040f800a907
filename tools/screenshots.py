"""Take pictures of the page for the README, at the size of a phone and of a desktop.

    python -m tools.screenshots

Everything begins at given deals, so that the same page gives the same pictures.  ``film`` is the trick with a bomb that
moves (:mod:`tools.trick_animation`).  Needs a built page and a Chromium.
"""

import argparse
import asyncio
import io
import json
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, NamedTuple

from PIL import Image  # Comes with matplotlib.
from playwright.async_api import Browser, Page, async_playwright

from tests.web.player import Player
from tests.web.sample_round import BOTS, at_table
from tests.web.stage import Server, go_as_host, launch, missing, serving
from tools import trick_animation

FOLDER = Path(__file__).parents[1] / "docs" / "pictures"
_WAIT_MS = 20_000
#: All decisions of a round are looked at in many worlds.
_REVIEW_MS = 600_000
_DRAGON = "3s3r5b6b7b8b9bKg/4s4g9sTgJr/6s8gQsQrAg/2r7sJb p2 3:Dr 0/15/10/5 - ---T - -/-/-/-"
_WON = "Kg/4s4g9sTgJr/-/2r7sJb p0 - 50/15/10/5 - ---- 2 -/-/-/-"
#: Bytes of a picture; all of them are in the repository.
_LARGEST = 150_000
#: The middle of a moment, held in the frame in which it begins, however long a picture takes.
_STILL = """() => {
    window.still = new Promise(resolve => {
        const look = () => {
            if (!document.querySelector('.moment .seal')) return requestAnimationFrame(look);
            for (const one of document.getAnimations()) { one.pause(); one.currentTime = 700; }
            resolve();
        };
        look();
    });
}"""


class Size(NamedTuple):
    """A screen."""

    name: str
    width: int
    height: int
    scale: int


SIZES = (Size("phone", 360, 740, 2), Size("desktop", 1280, 800, 1))


async def sit(page: Page, server: Server, before: str = "", **settings: Any) -> Player:
    """At a table with three bots, before this action of the prepared round."""
    table = server.table(seats=BOTS, start=True, **at_table(before), **settings)
    await page.goto(table["seatLink"])
    return Player(page)


async def start(page: Page, server: Server) -> None:
    """The first page, with a table to join."""
    if not server.ask("tables")["tables"]:
        server.table("Mei", ("you", "heuristic", None, None), name="Friday evening", private=False)
    await page.goto(server.url)
    await page.get_by_text("Friday evening").wait_for()


async def exchange(page: Page, server: Server) -> None:
    """Two cards are chosen, one is not."""
    player = await sit(page, server)
    await player.answer(await player.asked())
    await player.choosing.wait_for()
    await player.pick("5s")
    await player.pick("As")


async def play(page: Page, server: Server) -> None:
    """The partner has called Tichu, an ace is selected against the wished nine and the ten."""
    player = await sit(page, server, "0:As")
    await player.asked()
    await player.pick("As")
    await player.play.wait_for()


async def bomb(page: Page, server: Server) -> None:
    """A straight flush out of turn, on the Dragon of somebody who has called Tichu."""
    table = server.table(seats=BOTS, start=True, position=_DRAGON, pace=3)
    await page.goto(table["seatLink"])
    player = Player(page)
    await player.push(page.get_by_role("button", name="Bomb", exact=True))
    await player.push(page.get_by_role("button", name="Throw bomb"))
    await page.locator('.zone [data-card="9b"]').wait_for()


async def score(page: Page, server: Server) -> None:
    """The last card is played."""
    player = await sit(page, server, "0:8b")
    await player.play_round()


async def replay(page: Page, server: Server) -> None:
    """All hands in the middle of the same round."""
    player = await sit(page, server, "0:8b", rules="standard goal=rounds:1")
    await player.play_round()
    await page.get_by_role("link", name="Look at the game again").click()
    await page.wait_for_url("**/game/**")
    await page.goto(f"{page.url.partition('?')[0]}?round=1&step=38")
    await page.locator("[data-card]").first.wait_for()


async def review(page: Page, server: Server) -> None:
    """What a decision of the same round cost, and what would have been better; it is a match, with a chance to win."""
    table = server.table(seats=BOTS, start=True, **at_table("0:8b"), rules="standard goal=target:100")
    # A review is asked for by somebody, not by the key of a seat.
    await go_as_host(page, table)
    await Player(page).play_round()
    await page.get_by_role("link", name="Look at the game again").click()
    await page.wait_for_url("**/game/**")
    await page.get_by_role("tab", name="Review").click()
    await page.locator(".review button.main").click()
    await page.locator(".walk").wait_for()
    await page.locator(".review progress").wait_for(state="detached", timeout=_REVIEW_MS)
    await page.locator(".review li button").first.click()
    await page.locator(".review article").wait_for()
    await page.locator("div.review").evaluate("review => review.scrollTo(0, 0)")
    await page.locator(".walk").scroll_into_view_if_needed()


async def won(page: Page, server: Server) -> None:
    """The last card of a match, and what comes before its sheet."""
    table = server.table(seats=BOTS, start=True, position=_WON, rules="standard goal=rounds:1")
    await page.goto(table["seatLink"])
    player = Player(page)
    await player.asked()
    await player.pick("Kg")
    await page.evaluate(_STILL)
    await player.push(player.play)
    await page.evaluate("still")


async def lesson(page: Page, server: Server) -> None:
    """A step of the lesson."""
    await page.goto(f"{server.url}learn/3")
    await page.locator("[data-card]").first.wait_for()


SCENES: dict[str, Callable[[Page, Server], Awaitable[None]]] = {
    "start": start,
    "exchange": exchange,
    "play": play,
    "bomb": bomb,
    "score": score,
    "won": won,
    "replay": replay,
    "review": review,
    "choices": play,
    "lesson": lesson,
}
#: One picture shows that there is a night.
DARK = ("play", "desktop")
#: What differs from the usual choices of a player.
CHOICES: dict[str, dict[str, str]] = {
    "choices": {"cloth": "indigo", "deck": "french", "avatar": "crane"},
    "won": {"speed": "slow"},
}
FILM = "film"


async def take(browser: Browser, server: Server, scene: str, size: Size, theme: str) -> bytes:
    """One picture."""
    context = await browser.new_context(
        viewport={"width": size.width, "height": size.height},
        device_scale_factor=size.scale,
        has_touch=size.name == "phone",
        locale="en-US",
    )
    context.set_default_timeout(_WAIT_MS)
    usual = {"name": "Ada", "avatar": "fox", "theme": theme, "speed": "none", "sound": False, "gestures": True}
    kept = json.dumps(usual | CHOICES.get(scene, {}))
    await context.add_init_script(f"localStorage['tichu.settings'] ??= {json.dumps(kept)}")
    page = await context.new_page()
    await SCENES[scene](page, server)
    await page.evaluate("document.fonts.ready")
    picture = await page.screenshot(caret="hide", animations="allow")
    await context.close()
    return small(picture)


def small(picture: bytes) -> bytes:
    """The same picture with 256 colours: as the eye would choose them, or if that is too large, evenly."""
    whole = Image.open(io.BytesIO(picture)).convert("RGB")
    for method in (Image.Quantize.MEDIANCUT, Image.Quantize.FASTOCTREE):
        packed = io.BytesIO()
        whole.quantize(256, method=method, dither=Image.Dither.NONE).save(packed, "PNG", optimize=True)
        if packed.tell() <= _LARGEST:
            break
    return packed.getvalue()


async def take_all(server: Server, folder: Path, scenes: list[str]) -> None:
    """All pictures into the folder."""
    wanted = [(scene, size, "light") for scene in scenes for size in SIZES]
    wanted += [(scene, size, "dark") for scene, size, _ in wanted if (scene, size.name) == DARK]
    async with async_playwright() as playwright:
        browser = await launch(playwright)
        for scene, size, theme in wanted:
            name = "-".join([scene, size.name, *(["dark"] if theme == "dark" else [])])
            picture = await take(browser, server, scene, size, theme)
            (folder / f"{name}.png").write_bytes(picture)
            sys.stdout.write(f"{name}.png {len(picture) / 1000:.0f} KB\n")
        await browser.close()


def main() -> None:
    """Serve, look, write."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    known = [*SCENES, FILM]
    parser.add_argument("scenes", nargs="*", default=known, metavar="SCENE", help=", ".join(known))
    parser.add_argument("--folder", type=Path, default=FOLDER)
    given = parser.parse_args()
    if unknown := set(given.scenes) - set(known):
        parser.error(f"no scene {', '.join(sorted(unknown))}; there are {', '.join(known)}")
    if reason := missing():
        parser.error(reason)
    given.folder.mkdir(parents=True, exist_ok=True)
    with serving() as server:
        asyncio.run(take_all(server, given.folder, [scene for scene in given.scenes if scene != FILM]))
        if FILM in given.scenes:
            asyncio.run(trick_animation.make(server, given.folder / trick_animation.FILE.name))


if __name__ == "__main__":
    main()
