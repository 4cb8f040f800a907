"""Make the short film of a trick with a bomb for the README: an animated WebP of our own page.

    python -m tools.trick_animation

Animations run twenty times slower while they are filmed (DevTools protocol), so that there is time for every frame.
Needs a built page, a Chromium and Pillow, which comes with matplotlib.
"""

import argparse
import asyncio
import io
import json
import sys
from pathlib import Path

from PIL import Image
from playwright.async_api import CDPSession, Page, WebSocketRoute, async_playwright

from tests.web.player import Player
from tests.web.sample_round import BOTS, at_table
from tests.web.stage import Server, launch, missing, serving

FILE = Path(__file__).parents[1] / "docs" / "pictures" / "bomb.webp"
_WIDTH, _HEIGHT = 760, 520
_FRAME_MS = 50
#: How slow the animations run while they are filmed, so that there is time for every picture.
_SLOW = 20
_WAIT_MS = 60_000
#: Until nothing moves.
_STILL = "Promise.all(document.getAnimations().map(one => one.finished.catch(() => 0)))"
_QUALITY = 62


class Line:
    """The socket between page and server; what the server says can be held back while something is filmed."""

    def __init__(self) -> None:
        self._held: list[str | bytes] | None = None
        self._page: WebSocketRoute | None = None

    def connect(self, page: WebSocketRoute) -> None:
        """Stand between the two."""
        self._page = page
        server = page.connect_to_server()
        page.on_message(server.send)
        server.on_message(self._pass_on)

    def _pass_on(self, message: str | bytes) -> None:
        assert self._page is not None
        if self._held is not None:
            self._held.append(message)
        else:
            self._page.send(message)

    def hold(self) -> None:
        """Keep what the server says from now on."""
        self._held = []

    def release(self) -> None:
        """Say it."""
        held, self._held = self._held or [], None
        for message in held:
            self._pass_on(message)


class Film:
    """Frames of a page whose animations run slowly."""

    def __init__(self, page: Page, devtools: CDPSession) -> None:
        self._page = page
        self._devtools = devtools
        self.frames: list[tuple[Image.Image, int]] = []

    async def run_at(self, speed: float) -> None:
        """Let animations run at this speed."""
        await self._devtools.send("Animation.setPlaybackRate", {"playbackRate": speed})

    async def shoot(self, length_ms: int) -> None:
        """One frame."""
        picture = await self._page.screenshot(caret="hide", animations="allow")
        self.frames.append((Image.open(io.BytesIO(picture)).convert("RGB"), length_ms))

    async def follow(self, length_ms: int) -> None:
        """Frames of whatever moves now."""
        loop = asyncio.get_running_loop()
        begin, shot = loop.time(), 0.0
        while shot < length_ms:
            await self.shoot(_FRAME_MS)
            shot += _FRAME_MS
            # A picture may take longer than its frame: then the next one is of a later moment.
            now = (loop.time() - begin) * 1000 / _SLOW
            if now < shot:
                await asyncio.sleep((shot - now) * _SLOW / 1000)
            else:
                shot = now


async def film(page: Page, server: Server) -> list[tuple[Image.Image, int]]:
    """A trick with three plays, a bomb on top, and the way of the cards to who has won them."""
    line = Line()
    await page.route_web_socket("**/ws/v1/tables/*", line.connect)
    devtools = await page.context.new_cdp_session(page)
    await devtools.send("Animation.enable")
    table = server.table(seats=BOTS, start=True, pace=1, **at_table("0:As"))
    await page.goto(table["seatLink"])
    player, shots = Player(page), Film(page, devtools)
    await player.asked()
    await page.evaluate(_STILL)
    await shots.shoot(1200)
    await player.push(page.get_by_role("button", name="Bomb", exact=True))
    await page.get_by_role("button", name="Throw bomb").wait_for()
    await page.evaluate(_STILL)
    await shots.shoot(900)
    await shots.run_at(1 / _SLOW)
    await player.push(page.get_by_role("button", name="Throw bomb"))
    await page.locator('.zone [data-card="4r"]').wait_for()
    line.hold()
    await shots.follow(1000)
    await shots.run_at(1)
    await page.evaluate(_STILL)
    await shots.shoot(900)
    await shots.run_at(1 / _SLOW)
    line.release()
    # The middle of the table says so when nothing lies there any more.
    await page.locator(".trick[aria-label]").wait_for()
    await shots.follow(450)
    await shots.run_at(1)
    await page.evaluate(_STILL)
    await shots.shoot(1000)
    return shots.frames


async def make(server: Server, file: Path) -> None:
    """Film with a browser of its own, and write."""
    async with async_playwright() as playwright:
        browser = await launch(playwright)
        context = await browser.new_context(viewport={"width": _WIDTH, "height": _HEIGHT}, locale="en-US")
        context.set_default_timeout(_WAIT_MS)
        chosen = {"name": "Ada", "avatar": "fox", "theme": "light", "speed": "normal", "sound": False, "gestures": True}
        kept = json.dumps(chosen)
        await context.add_init_script(f"localStorage['tichu.settings'] ??= {json.dumps(kept)}")
        frames = await film(await context.new_page(), server)
        await browser.close()
    first, *rest = [frame for frame, _ in frames]
    lengths = [length for _, length in frames]
    first.save(file, save_all=True, append_images=rest, duration=lengths, loop=0, quality=_QUALITY, method=4)
    sys.stdout.write(f"{file.name} {len(frames)} frames, {file.stat().st_size / 1000:.0f} KB\n")


def main() -> None:
    """Serve, film, write."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--file", type=Path, default=FILE)
    given = parser.parse_args()
    if reason := missing():
        parser.error(reason)
    with serving() as server:
        asyncio.run(make(server, given.file))


if __name__ == "__main__":
    main()
