"""Draw the icons of the installed page from its one picture, web/public/icon.svg.

    python -m tools.icons

An icon for iOS and one that Android may cut to any shape have no transparent corners: the colour of the seal goes to
the edge, and in the latter everything that matters lies inside the circle that is never cut off.  Needs a Chromium.
"""

import asyncio
import io
import re
import sys
from pathlib import Path
from typing import NamedTuple

from PIL import Image  # Comes with matplotlib.
from playwright.async_api import Browser, async_playwright

from tests.web.stage import browser_path, launch

FOLDER = Path(__file__).parents[1] / "web" / "public"
PICTURE = FOLDER / "icon.svg"
#: The seal is of one colour, its drawing of another; what lies between them is smoothed.
_COLOURS = 32


class Icon(NamedTuple):
    """A file to draw."""

    name: str
    size: int
    #: How much of the width the picture takes.
    share: float
    #: Whether the corners are filled.
    whole: bool


ICONS = (
    Icon("icon-180.png", 180, 1.0, whole=True),
    Icon("icon-192.png", 192, 1.0, whole=False),
    Icon("icon-512.png", 512, 1.0, whole=False),
    Icon("icon-maskable-512.png", 512, 0.78, whole=True),
)


async def draw(browser: Browser, icon: Icon, picture: str) -> bytes:
    """One icon as PNG."""
    seal = re.search(r'<rect [^>]*fill="(#[0-9a-f]{6})"', picture)
    if seal is None:
        raise SystemExit(f"{PICTURE.name} has no seal, a rect with a fill")
    ground = seal[1] if icon.whole else "transparent"
    page = await browser.new_page(viewport={"width": icon.size, "height": icon.size})
    await page.set_content(
        f"<style>body {{ margin: 0; height: 100vh; display: grid; place-items: center; background: {ground} }}"
        f" svg {{ width: {icon.share * 100}% }}</style>{picture}"
    )
    drawn = await page.screenshot(omit_background=True)
    await page.close()
    packed = io.BytesIO()
    whole = Image.open(io.BytesIO(drawn)).convert("RGB" if icon.whole else "RGBA")
    method = Image.Quantize.MEDIANCUT if icon.whole else Image.Quantize.FASTOCTREE
    whole.quantize(_COLOURS, method=method, dither=Image.Dither.NONE).save(packed, "PNG", optimize=True)
    return packed.getvalue()


async def draw_all() -> None:
    """All icons, beside the picture."""
    picture = PICTURE.read_text(encoding="utf-8")
    async with async_playwright() as playwright:
        browser = await launch(playwright)
        for icon in ICONS:
            drawn = await draw(browser, icon, picture)
            (FOLDER / icon.name).write_bytes(drawn)
            sys.stdout.write(f"{icon.name} {len(drawn) / 1000:.1f} KB\n")
        await browser.close()


if __name__ == "__main__":
    if browser_path() is None:
        sys.exit("no Chromium on this machine; TICHU_BROWSER says where one is")
    asyncio.run(draw_all())
