"""A page whose server stands still: it takes connections and says nothing."""

from urllib.parse import urlsplit

from playwright.async_api import expect

from tests.web.conftest import Stage
from tests.web.player import Player
from tests.web.sample_round import BOTS, at_table
from tests.web.stage import Proxy


async def test_a_server_that_stands_still_is_left_for_one_that_answers(stage: Stage) -> None:
    page = await stage.page(loses_connection=True)
    table = stage.server.table(seats=BOTS, start=True, **at_table("0:As"))
    async with Proxy(stage.server.port) as proxy:
        link = urlsplit(table["seatLink"])._replace(netloc=f"127.0.0.1:{proxy.port}")
        await page.goto(link.geturl())
        player = Player(page)
        assert await player.asked() == "play"
        lost = page.locator(".notice", has_text="Connection lost").locator("visible=true")
        await proxy.stand_still()
        await lost.wait_for()
        while not proxy.hung:
            await page.wait_for_timeout(50)
        # The first socket hangs for good; browsers connect a second one only when it is closed.
        proxy.go_on()
        await expect(lost).to_have_count(0)
        await player.pass_turn()
        # It would complain that its connection is cut.
        await page.close()
