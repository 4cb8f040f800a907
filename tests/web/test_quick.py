"""Whoever looks for a match alone.  Four who find one and play it rated are in :mod:`.test_story`."""

import re

from playwright.async_api import Page, expect

from tests.web.conftest import Stage
from tests.web.player import Player
from tests.web.stage import serving

#: One round, and no waiting for bombs that cannot come.
SHORT = ("--quick-rules", "single-round", "--quick-pace", "0.02")


async def leave_server(*pages: Page) -> None:
    """Before it ends: a page that misses its server complains."""
    for page in pages:
        await page.close()


async def test_bots_are_offered_after_a_time_that_one_sees(stage: Stage) -> None:
    with serving(*SHORT, "--quick-bots-seconds", "6") as server:
        page = await stage.page(settings={"name": "Eve"}, viewport={"width": 320, "height": 568})
        await page.goto(f"{server.url}quick")
        await page.get_by_role("button", name="Find a match").click()
        await expect(page.get_by_text("Bots can take the free seats in")).to_be_visible()
        await page.get_by_role("button", name="Play with bots").click()
        await page.wait_for_url(re.compile("/t/"))
        await Player(page).asked()
        await leave_server(page)
