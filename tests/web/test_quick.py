"""Four browsers find a match, play it rated to the end, and their ratings change."""

import asyncio
import re

from playwright.async_api import Page, expect

from tests.web.conftest import Stage
from tests.web.player import Player
from tests.web.stage import Server, serving
from tests.web.test_four import one_turn

NAMES = ("Ann", "Ben", "Cyd", "Dov")
#: One round, and no waiting for bombs that cannot come.
SHORT = ("--quick-rules", "single-round", "--quick-pace", "0.02")
#: All browsers are on one machine.
HERE = (*SHORT, "--quick-same-address")


async def look_for_match(stage: Stage, server: Server, name: str) -> tuple[str, Player]:
    """An account with a browser looks for a rated match."""
    account = server.ask("accounts", {"name": name, "password": f"a good word of {name}", "device": "test"})
    page = await stage.page(settings={"name": name})
    await page.add_init_script(f"localStorage.setItem('tichu.token', '{account['token']}')")
    await page.goto(server.url)
    await page.get_by_role("link", name="Quick match").click()
    await page.get_by_role("radio", name="Rated").check()
    await page.get_by_role("button", name="Find a match").click()
    await expect(page.get_by_text("Looking for a match").or_(page.locator("main.cloth"))).to_be_visible()
    return account["player"], Player(page)


async def leave_server(*pages: Page) -> None:
    """Before it ends: a page that misses its server complains."""
    for page in pages:
        await page.close()


async def test_four_browsers_find_a_match_and_play_it_rated_to_the_end(stage: Stage) -> None:
    with serving(*HERE) as server:
        found = [await look_for_match(stage, server, name) for name in NAMES]
        players = [player for _, player in found]
        for player in players:
            await player.page.wait_for_url(re.compile("/t/"))
        await asyncio.gather(*(player.answer("grand") for player in players))
        state = server.ask(f"tables/{players[0].page.url.rpartition('/')[2]}")["table"]
        assert (state["rated"], state["stage"]) == (True, "playing")
        seats = [next(at for at, seat in enumerate(state["seats"]) if seat["player"] == one) for one, _ in found]
        by_seat = [players[seats.index(seat)] for seat in range(4)]

        async def give(player: Player) -> None:
            assert await player.asked() == "exchange"
            await player.answer("exchange")

        await asyncio.gather(*map(give, by_seat))
        looking: Player | None = by_seat[0]
        while looking is not None:
            looking = await one_turn(by_seat, looking)
        for player in by_seat:
            await player.sheet.wait_for()
            await expect(player.sheet.get_by_role("heading", name="Ratings")).to_be_visible()
            await expect(player.sheet.get_by_text(re.compile(r"1500 → \d+"))).to_have_count(4)
        ratings = [server.ask(f"players/{one}/ratings")["ratings"][0]["rating"] for one, _ in found]
        assert sorted(rating > 1500 for rating in ratings) == [False, False, True, True]
        assert 1500 not in ratings
        # The partner can be kept.
        keep = by_seat[0].sheet.get_by_role("link", name=re.compile("^Keep .* as partner"))
        await keep.click()
        await expect(by_seat[0].page.get_by_text(re.compile("as your partner"))).to_be_visible()
        await leave_server(*(player.page for player in players))


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
