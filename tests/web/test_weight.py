"""What a browser really fetches for a page, and not only what its files import."""

import gzip
from urllib.parse import urlsplit

import pytest
from playwright.async_api import Page, Request

from tests.test_page import FIRST_LOAD_BYTES
from tests.web.conftest import Stage
from tests.web.player import Player
from tests.web.sample_round import BOTS, at_table
from tichu.server.http.static import STATIC

#: Longer than anything at a table that waits before it is loaded.
_IDLE_MS = 4000
#: What comes after the question about Grand Tichu: sheets, other questions, moments.
_LATER_BYTES = 11_800


def fetched_by(page: Page) -> set[str]:
    """The scripts and styles that a page asks for, from now on."""
    files: set[str] = set()

    def note(request: Request) -> None:
        path = urlsplit(request.url).path.lstrip("/")
        if path.endswith((".js", ".css")):
            files.add(path)

    page.on("request", note)
    return files


def weigh(files: set[str]) -> int:
    """Their size, gzipped."""
    return sum(len(gzip.compress((STATIC / file).read_bytes())) for file in files)


@pytest.mark.parametrize("route", FIRST_LOAD_BYTES)
async def test_until_the_first_decision_nothing_more_is_fetched(stage: Stage, route: str) -> None:
    page = await stage.page()
    files = fetched_by(page)
    if route == "t":
        await page.goto(stage.server.table(seats=BOTS, start=True, **at_table())["seatLink"])
        assert await Player(page).asked() == "grand"
    else:
        await page.goto(stage.server.url)
        await page.get_by_role("heading", level=1).wait_for()
    await page.wait_for_timeout(_IDLE_MS)
    size = weigh(files)
    assert len(files) > 5
    assert size <= FIRST_LOAD_BYTES[route], f"{size} bytes: {sorted(files)}"


async def test_what_a_round_needs_later_comes_after_its_first_question(stage: Stage) -> None:
    page = await stage.page(settings={"gestures": True})
    files = fetched_by(page)
    await page.goto(stage.server.table(seats=BOTS, start=True, **at_table())["seatLink"])
    player = Player(page)
    await player.answer(await player.asked())
    assert await player.asked() == "exchange"
    first = set(files)
    await page.wait_for_timeout(_IDLE_MS)
    later = files - first
    # They are there when the connection is not.
    for part in ("Sheets", "WishPicker", "RecipientPicker", "MomentPicture", "TichuDialog", "BombDialog"):
        assert any(f"/{part}-" in file for file in later), part
    size = weigh(later)
    assert size <= _LATER_BYTES, f"{size} bytes: {sorted(later)}"
