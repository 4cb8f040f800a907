"""The page says why: wishes that bind, hints, gestures, files that can be written, and a page of strategy."""

import re

from playwright.async_api import expect

from tests.web.axe import check
from tests.web.conftest import Stage
from tests.web.player import Player
from tests.web.sample_round import BOTS, at_table

#: Ada's Mah Jong wishes for the ace that she holds herself.
OWN_WISH = "MaAs3g5r8s/2s2b4r/4s9gKr/6b7b8b p0 - 15/20/25/25 - ---- - -/-/-/-"


async def test_a_wish_that_binds_says_whose_it_is_and_that_one_must(stage: Stage) -> None:
    page = await stage.page()
    table = stage.server.table(seats=BOTS, start=True, position=OWN_WISH)
    await page.goto(table["seatLink"])
    player = Player(page)
    await player.pick("Ma")
    await player.confirm()
    await player.wish.get_by_role("button", name="ace").click()
    await expect(page.get_by_role("img", name="Wish: ace (Ada)")).to_be_visible()
    await expect(page.get_by_role("button", name="You wished for aces: you must play one")).to_be_visible()
    # What lies there could be beaten otherwise, too.
    await player.pick("As")
    await expect(page.get_by_role("button", name="Play ace")).to_be_visible()


async def test_a_hint_is_in_words_over_nobody_and_has_numbers_on_request(stage: Stage) -> None:
    page = await stage.page(bypass_csp=True)
    table = stage.server.table(seats=BOTS, start=True, **at_table("0:As"))
    await page.goto(table["seatLink"])
    assert await Player(page).asked() == "play"
    await page.get_by_role("button", name="Hint", exact=True).click()
    hint = page.get_by_role("region", name="Hint")
    await expect(hint).to_contain_text(re.compile(r"^A bot would (play|pass)"))
    await expect(hint).not_to_contain_text("%")
    await check(page, "a hint")
    for width, height in ((375, 553), (844, 390), (1280, 633)):
        await page.set_viewport_size({"width": width, "height": height})
        own = await hint.bounding_box()
        assert own is not None
        for place in await page.locator("main [data-place]").all():
            box = await place.bounding_box()
            assert box is not None
            assert own["y"] >= box["y"] + box["height"], (width, height)
    await hint.get_by_role("button", name="The numbers").click()
    await expect(hint).to_contain_text(re.compile(r"\d+\s% of such cases"))
    await hint.get_by_role("button", name="Close the hint").click()
    await expect(hint).to_have_count(0)
    assert await Player(page).asked() == "play"


async def test_gestures_are_shown_once(stage: Stage) -> None:
    page = await stage.page()
    # A pace that leaves time to read.
    table = stage.server.table(seats=BOTS, start=True, pace=10, **at_table("0:As"))
    await page.goto(table["seatLink"])
    player = Player(page)
    assert await player.asked() == "play"
    await player.pick("As")
    await player.confirm()
    tip = page.get_by_text("Hold a card: all of its rank")
    await tip.wait_for()
    await page.get_by_role("button", name="Got it").click()
    await expect(tip).to_have_count(0)
    again = stage.server.table(seats=BOTS, start=True, pace=10, **at_table("0:As"))
    await page.goto(again["seatLink"])
    assert await player.asked() == "play"
    await player.pick("As")
    await player.confirm()
    await expect(player.hand.and_(page.locator('[data-card="As"]'))).to_have_count(0)
    await expect(tip).to_have_count(0)


async def test_a_tch_is_offered_only_where_it_can_be_written(stage: Stage) -> None:
    page = await stage.page()
    for rules, count in (("standard", 0), ("brettspielwelt", 1)):
        table = stage.server.table(seats=BOTS, start=True, rules=f"{rules} goal=rounds:1")
        await page.goto(table["seatLink"])
        await Player(page).play_round()
        again = page.get_by_role("link", name="Look at the game again")
        extra = page.get_by_role("button", name="Level!")
        await again.or_(extra).wait_for()
        while await extra.is_visible():
            await extra.click()
            await extra.wait_for(state="hidden")
            await Player(page).play_round()
            await again.or_(extra).wait_for()
        await again.click()
        await page.get_by_role("link", name=re.compile(r"\.ttn")).wait_for(state="attached")
        await expect(page.get_by_role("link", name=re.compile(r"\.tch"), include_hidden=True)).to_have_count(count)


async def test_strategy_is_a_page_with_the_champions_figures(stage: Stage) -> None:
    page = await stage.page(bypass_csp=True)
    await page.goto(stage.server.url)
    await page.get_by_role("link", name="Strategy").click()
    await page.get_by_role("heading", name="Count turns").wait_for()
    figures = await page.locator(".champion").all_inner_texts()
    assert len(figures) == 6
    assert all(re.search(r"\d\.\d\s%", text) and "{" not in text for text in figures)
    await check(page, "strategy")
    for other in ("rules", "learn/11"):
        await page.goto(f"{stage.server.url}{other}")
        if other == "rules":
            await expect(page.get_by_role("link", name="Strategy")).to_be_visible()


async def test_nobody_calls_in_the_lesson_before_calls_are_its_subject(stage: Stage) -> None:
    page = await stage.page(settings={"name": "Ada"})
    await page.goto(f"{stage.server.url}learn/9")
    player = Player(page)
    await player.choosing.wait_for()
    names = await page.locator("[data-place]").all_inner_texts()
    assert len(names) >= 3
    await player.exchange(*(await player.cards())[:3])
    await page.get_by_role("button", name="Next").wait_for()
    await expect(page.locator(".face .call")).to_have_count(0)
    await expect(page.locator(".notice")).to_have_count(0)
