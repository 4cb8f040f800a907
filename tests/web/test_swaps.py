"""Partners are a matter of those who play: two swap seats when both want it, in the lobby and after a game."""

from typing import Any

import pytest
from playwright.async_api import Locator, Page, expect

from tests.web.axe import check
from tests.web.conftest import Stage
from tests.web.player import Player
from tests.web.stage import go_as_host
from tests.web.test_friends import LAST

#: Words on buttons that stand in two lines.
BROKEN = """() => [...document.querySelectorAll('.seat .button')].flatMap(button =>
    [...button.firstChild.data.matchAll(/\\S+/g)].filter(word => {
        const range = document.createRange();
        range.setStart(button.firstChild, word.index);
        range.setEnd(button.firstChild, word.index + word[0].length);
        return range.getClientRects().length > 1;
    }).map(String))"""


async def three_at_a_table(stage: Stage, **settings: Any) -> list[Page]:
    """Ada, who is host, Zoe and Kim, and a bot as Zoe's partner."""
    table = stage.server.table(seats=("you", None, None, "greedy"), **settings)
    pages = [await stage.page(settings={"name": name}, bypass_csp=True) for name in ("Ada", "Zoe", "Kim")]
    await go_as_host(pages[0], table)
    for page, name in zip(pages[1:], ("Zoe", "Kim"), strict=True):
        await page.goto(f"{stage.server.url}t/{table['table']['id']}")
        await page.locator(".seat:not(.taken)").first.get_by_role("button", name="Sit here").click()
        await pages[0].get_by_text(name, exact=True).wait_for()
    return pages


def seat_of(page: Page, name: str) -> Locator:
    return page.locator(".seat", has=page.get_by_text(name, exact=True))


async def test_two_swap_seats_without_the_host(stage: Stage) -> None:
    ada, zoe, kim = await three_at_a_table(stage)
    await expect(kim.locator(".seat.north")).to_contain_text("Kim")
    # The host is asked like everybody; a bot makes room at once.
    await expect(seat_of(zoe, "Ada").get_by_role("button", name="Ask to swap")).to_be_visible()
    ask = seat_of(zoe, "Kim").get_by_role("button", name="Ask to swap")
    await ask.click()
    asked = kim.get_by_role("status").filter(has_text="Zoe would like to swap seats with you.")
    await asked.wait_for()
    await check(kim, "a swap that is asked for")
    await expect(ada.get_by_text("would like")).to_have_count(0)
    # It can be taken back.
    take_back = seat_of(zoe, "Kim").get_by_role("button", name="Never mind")
    await take_back.press("Enter")
    # The keyboard stays at the seat.
    await expect(ask).to_be_focused()
    await expect(asked).to_have_count(0)
    await ask.click()
    await asked.get_by_role("button", name="Swap seats").click()
    for page in (ada, zoe, kim):
        await expect(page.locator(".seat.north")).to_contain_text("Zoe")
        await expect(page.locator(".seat.west")).to_contain_text("Kim")
    await expect(kim.get_by_text("would like")).to_have_count(0)


@pytest.mark.parametrize("percent", [100, 130])
async def test_no_word_on_a_button_of_the_lobby_is_broken(stage: Stage, percent: int) -> None:
    page = await stage.page(locale="de", settings={"language": "de"})
    await go_as_host(page, stage.server.table("W" * 24, ("you", "greedy", None, "greedy")))
    await page.locator(".seat .button").nth(7).wait_for()
    await page.evaluate("percent => document.documentElement.style.fontSize = `${percent}%`", percent)
    for width in (320, 360, 412, 568, 800):
        await page.set_viewport_size({"width": width, "height": 700})
        assert await page.evaluate(BROKEN) == [], width


async def test_whoever_looks_at_the_result_is_asked_there(stage: Stage) -> None:
    ada, zoe, kim = await three_at_a_table(stage, position=LAST, rules="standard goal=rounds:1")
    await ada.get_by_role("button", name="Start", exact=True).click()
    for page in (ada, zoe, kim):
        if await Player(page).asked() == "play":
            await Player(page).play_round()
        await page.get_by_role("button", name="Rematch").wait_for()
    await kim.get_by_role("button", name="Rematch").click()
    await zoe.get_by_role("button", name="Seats and settings").click()
    await seat_of(zoe, "Kim").get_by_role("button", name="Ask to swap").click()
    sheet = kim.get_by_role("dialog")
    await expect(sheet).to_contain_text("Zoe would like to swap seats with you.")
    await sheet.get_by_role("button", name="Swap seats").click()
    await expect(zoe.locator(".seat.north")).to_contain_text("Zoe")
    # Kim had agreed to another rematch.
    await kim.get_by_role("button", name="Rematch").wait_for()
    for page in (ada, kim):
        await page.get_by_role("button", name="Rematch").click()
    await zoe.get_by_role("button", name="I am ready").click()
    await zoe.locator(".hand").wait_for(state="attached")
