"""Playing with friends: the absent, rematches, settings, spectators, and the way back into a running game."""

import re
from typing import Any

from playwright.async_api import Page, expect

from tests.web.axe import check
from tests.web.conftest import Stage
from tests.web.player import Player
from tests.web.sample_round import BOTS, at_table
from tests.web.stage import go_as_host

#: Ada leads; Zoe, who follows, can play.
LEAD = "7s8s9bTs/2s3bJs9r/4s5b4gJr/6s6b6gQr p0 - 70/10/0/5 - ---- - -/-/-/-"
#: One card decides the match.
LAST = "8b/9s/-/- p0 - 10/50/30/10 - ---- 23 -/-/-/-"


async def two_at_a_table(stage: Stage, **settings: Any) -> tuple[Page, Page]:
    """Ada and Zoe side by side, the host first, with two bots."""
    ada = await stage.page(settings={"name": "Ada"}, bypass_csp=True)
    zoe = await stage.page(settings={"name": "Zoe"})
    table = stage.server.table(seats=("you", None, "greedy", "greedy"), **settings)
    await go_as_host(ada, table)
    await zoe.goto(f"{stage.server.url}t/{table['table']['id']}")
    await zoe.get_by_role("button", name="Sit here").first.click()
    await ada.get_by_text("Zoe", exact=True).wait_for()
    return ada, zoe


async def test_one_click_lets_a_bot_play_until_a_friend_is_back(stage: Stage) -> None:
    ada, zoe = await two_at_a_table(stage, position=LEAD)
    await ada.get_by_role("button", name="Start", exact=True).click()
    player = Player(ada)
    assert await player.asked() == "play"
    link = zoe.url
    await zoe.goto(f"{stage.server.url}rules")
    await player.pick("7s")
    await player.throw()
    seat = ada.locator('[data-place="1"]')
    let_play = ada.get_by_role("button", name="Zoe: a bot plays until they are back")
    while not await let_play.is_visible():  # Bots may take the lead before it is Zoe's turn.
        if await player.asked_soon() == "play":
            await player.take_turn()
    await let_play.click()
    await expect(seat).to_have_attribute("aria-label", re.compile("bot plays"))
    # From now on nobody is asked again, whatever Zoe has to decide.
    await player.play_round()
    await expect(let_play).to_have_count(0)
    await zoe.goto(link)
    await expect(seat).not_to_have_attribute("aria-label", re.compile("bot plays"))


async def test_a_rematch_asks_everybody_and_partners_may_change(stage: Stage) -> None:
    ada, zoe = await two_at_a_table(stage, position=LAST, rules="standard goal=rounds:1")
    await ada.get_by_role("button", name="Start", exact=True).click()
    for page in (ada, zoe):
        if await Player(page).asked() == "play":
            await Player(page).play_round()
        await page.get_by_role("button", name="Rematch").wait_for()
    won = await ada.get_by_role("heading", level=2).first.inner_text()
    await zoe.get_by_role("button", name="Rematch").click()
    for page, name in ((ada, "Zoe"), (zoe, "Zoe")):
        await expect(page.get_by_text(f"Ready for a rematch: {name}")).to_be_visible()
    await expect(ada.get_by_text("Waiting for Ada")).to_be_visible()

    await ada.get_by_role("button", name="Seats and settings").click()
    await ada.get_by_role("heading", name="The next game").wait_for()
    await check(ada, "the rematch")
    zoes = ada.locator(".seat", has_text="Zoe")
    await expect(zoes).to_contain_text("ready")
    partner = ada.locator(".seat.north")
    await zoes.get_by_role("button", name="Swap seats").click()
    await expect(ada.locator(".seat", has_text="Ada").get_by_role("button", name="Stand up")).to_be_visible()
    # Whoever had agreed is asked again; what was won is still won.
    await expect(zoes).not_to_contain_text("ready")
    await expect(zoe.get_by_role("button", name="Rematch")).to_be_visible()
    await expect(partner).to_be_visible()
    await ada.get_by_role("button", name="Back to the result").click()
    await expect(ada.get_by_role("heading", level=2).first).to_have_text(won)
    await ada.get_by_role("button", name="Rematch").click()
    await zoe.get_by_role("button", name="Rematch").click()
    for page in (ada, zoe):
        await expect(page.get_by_role("button", name="Rematch")).to_have_count(0)
        await page.locator(".hand").wait_for(state="attached")


async def test_the_end_of_a_rematch_is_shown_to_who_had_closed_the_sheet_before_it(stage: Stage) -> None:
    ada, zoe = await two_at_a_table(stage, position=LAST, rules="standard goal=rounds:1")
    await ada.get_by_role("button", name="Start", exact=True).click()
    player = Player(ada)
    await player.play_round()
    await ada.get_by_role("button", name="Rematch").click()
    await ada.get_by_role("button", name="Close").click()
    await expect(ada.get_by_role("dialog")).to_have_count(0)
    await zoe.get_by_role("button", name="Rematch").click()
    assert await player.asked() == "play"
    await player.play_round()
    await expect(ada.get_by_role("button", name="Rematch")).to_be_visible()


async def test_the_end_of_a_round_is_complete_after_a_reload(stage: Stage) -> None:
    page = await stage.page(settings={"name": "Ada"}, bypass_csp=True)
    table = stage.server.table(seats=BOTS, start=True)
    await go_as_host(page, table)
    player = Player(page)
    await player.play_round()
    for _ in range(2):
        await expect(player.sheet.get_by_role("heading", name="Left in hand")).to_be_visible()
        await expect(player.sheet.get_by_text("The deal was fair")).to_be_visible()
        await page.reload()


async def test_the_host_changes_the_settings_and_all_see_them(stage: Stage) -> None:
    ada, zoe = await two_at_a_table(stage)
    shown = "What is played"
    await expect(zoe.get_by_role("region", name=shown)).to_contain_text("Standard, 1000 points")
    await expect(zoe.get_by_role("button", name="Change the settings")).to_have_count(0)
    await ada.get_by_role("button", name="Change the settings").click()
    dialog = ada.get_by_role("dialog", name=shown)
    await dialog.get_by_role("combobox", name="Play to").select_option("target:500")
    await dialog.get_by_role("combobox", name="Clock").select_option("45")
    await dialog.get_by_role("checkbox", name=re.compile("link or code")).uncheck()
    await dialog.get_by_text("Every rule").click()
    await dialog.get_by_role("combobox", name="Dragon").select_option("auto")
    await check(ada, "the settings of a table")
    await dialog.get_by_role("button", name="Use these settings").click()
    await expect(dialog).to_have_count(0)
    for page in (ada, zoe):
        texts = (
            "Standard, 500 points",
            "Dragon: the table decides",
            "45 s per decision",
            "open to everybody",
            "casual",
        )
        for text in texts:
            await expect(page.get_by_role("region", name=shown)).to_contain_text(text)


async def test_removing_somebody_asks_first(stage: Stage) -> None:
    ada, zoe = await two_at_a_table(stage)
    seat = ada.locator(".seat", has_text="Zoe")
    await seat.get_by_role("button", name="Remove").click()
    dialog = ada.get_by_role("dialog", name="Remove Zoe?")
    await dialog.get_by_role("button", name="Cancel").click()
    await expect(zoe.get_by_role("button", name="Stand up")).to_be_visible()
    await seat.get_by_role("button", name="Remove").click()
    await dialog.get_by_role("button", name="Remove", exact=True).click()
    await expect(zoe.get_by_role("button", name="Stand up")).to_have_count(0)


async def test_open_tables_come_by_themselves_and_the_running_game_comes_first(stage: Stage) -> None:
    page = await stage.page()
    table = stage.server.table(seats=BOTS, start=True, name="Ours", **at_table())
    await go_as_host(page, table)
    await page.locator(".hand").wait_for(state="attached")
    await page.goto(stage.server.url)
    first = page.get_by_role("heading", level=2).first
    await expect(first).to_have_text("Your game is on")
    box, hero = await first.bounding_box(), await page.get_by_role("heading", level=1).bounding_box()
    assert box is not None
    assert hero is not None
    assert box["y"] < hero["y"]
    stage.server.table(private=False, name="Come in")
    await expect(page.get_by_text("Come in")).to_be_visible(timeout=20_000)
    await page.get_by_role("link", name="Continue").first.click()
    await page.wait_for_url(f"**/t/{table['table']['id']}")


async def test_a_spectator_is_told_what_there_is_to_see(stage: Stage) -> None:
    page = await stage.page()
    table = stage.server.table(seats=BOTS, start=True, private=False, **at_table())
    await page.goto(f"{stage.server.url}t/{table['table']['id']}")
    await expect(page.get_by_text("You are watching, one trick behind.")).to_be_visible()
    await expect(page.get_by_text("the hands after the round")).to_be_visible()


async def test_nobody_is_a_guest_to_themselves(stage: Stage) -> None:
    page = await stage.page()
    await page.goto(stage.server.url)
    await page.get_by_role("button", name="Play now").click()
    await expect(page.locator('[data-place="0"]')).to_have_attribute("aria-label", re.compile("^You, You"))
    await expect(page.locator("body")).not_to_contain_text("Guest")


async def test_who_gave_no_name_is_you_in_the_chat_and_in_the_replay(stage: Stage) -> None:
    page = await stage.page()
    table = stage.server.table("", BOTS, start=True, rules="standard goal=rounds:1", **at_table("0:8b"))
    await go_as_host(page, table)
    player = Player(page)
    assert await player.asked() == "play"
    await page.get_by_role("button", name="Chat").click()
    await page.get_by_role("button", name="Write").click()
    chat = page.get_by_role("dialog", name="Chat")
    await chat.get_by_role("textbox").fill("my last card")
    await page.keyboard.press("Enter")
    await expect(chat.get_by_role("log")).to_have_text(re.compile(r"^\s*You\s+my last card\s*$"))
    await chat.get_by_role("button", name="Close").click()
    await player.pick("8b")
    await player.confirm()
    await page.get_by_role("link", name="Look at the game again").click()
    await page.wait_for_url("**/game/**")
    await expect(page.get_by_text("You", exact=True).first).to_be_visible()
    await expect(page.locator("body")).not_to_contain_text("Guest")
