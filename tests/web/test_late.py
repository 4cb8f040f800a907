"""What the server answers late or not at all, and where the keyboard is after a control that goes with what it does."""

from typing import Any

import pytest
from playwright.async_api import Page, Route, expect

from tests.web.axe import check
from tests.web.conftest import Stage
from tests.web.profile_situations import show_games, show_ratings
from tests.web.stage import go_as_host
from tests.web.test_account import register

AGAIN = {"en": "Try again", "de": "Noch einmal versuchen", "ko": "다시 해 보기"}
#: The smallest screen that is promised.
SMALL = {"width": 320, "height": 320}
#: Every page that asks the server for something before it can show itself.
PAGES = (
    *("", "leaderboard", "people", "me", "account", "player/x", "game/x", "rules", "new"),
    *("practice", "practice/grand", "practice/puzzles/all"),
)
POOLS = [{"league": "people", "rules": rules, "clock": "fast"} for rules in ("standard", "tournament")]


def player(stage: Stage, name: str) -> dict[str, Any]:
    made: dict[str, Any] = stage.server.ask("players", {"name": name})
    return made


async def page_of(stage: Stage, who: dict[str, Any], **options: Any) -> Page:
    page = await stage.page(loses_connection=True, **options)
    await page.add_init_script(f"localStorage['tichu.token'] ??= '{who['token']}'")
    return page


async def focus_of(page: Page) -> str:
    """The element that the keyboard is on, and what it says."""
    return str(await page.evaluate("`${document.activeElement.tagName} ${document.activeElement.innerText}`"))


async def expect_focus(page: Page, pattern: str) -> None:
    """Wait until the keyboard is on something like this."""
    await page.wait_for_function(
        "it => new RegExp(it).test(`${document.activeElement.tagName} ${document.activeElement.innerText}`)",
        arg=pattern,
    )


@pytest.mark.parametrize("language", AGAIN)
async def test_every_page_that_was_not_loaded_offers_to_try_again(stage: Stage, language: str) -> None:
    page = await page_of(stage, player(stage, "Ada"), locale=language, viewport=SMALL, bypass_csp=True)
    await page.route("**/api/**", lambda route: route.abort())
    for path in PAGES:
        await page.goto(stage.server.url + path)
        again = page.get_by_role("button", name=AGAIN[language]).first
        await again.wait_for()
        assert await page.evaluate("document.documentElement.scrollWidth") <= SMALL["width"], path
        await check(page, f"/{path} without a connection")
        # Nobody loses their place by asking again in vain.
        await again.press("Enter")
        await again.wait_for()
        assert not (await focus_of(page)).startswith("BODY"), path


async def test_a_leaderboard_that_was_not_loaded_is_not_the_one_before(stage: Stage) -> None:
    page = await page_of(stage, player(stage, "Ada"))
    is_lost = True

    async def answer(route: Route) -> None:
        at = int("tournament" in route.request.url)
        if at and is_lost:
            return await route.abort()
        entry = {"rank": 1, "players": ["x"], "names": [("Ben", "Cyd")[at]], "rating": 1500, "deviation": 9}
        board = {"pool": POOLS[at], "pools": POOLS, "players": [entry], "pairs": [], "bots": []}
        await route.fulfill(json=board)

    await page.route("**/api/leaderboard*", answer)
    await page.goto(f"{stage.server.url}leaderboard")
    await page.get_by_role("link", name="Ben").wait_for()
    await page.get_by_label("Rules and clock").select_option(index=1)
    await expect(page.get_by_role("alert").get_by_text("This cannot be loaded.")).to_be_visible()
    await expect(page.get_by_role("link", name="Ben")).to_have_count(0)
    is_lost = False
    await page.get_by_role("button", name="Try again").press("Enter")
    await page.get_by_role("link", name="Cyd").wait_for()
    await expect_focus(page, "^H1 Leaderboard")


async def test_the_keyboard_goes_on_where_a_row_or_a_button_has_gone(stage: Stage) -> None:
    ada, bob, cyd = (player(stage, name) for name in ("Ada", "Bob", "Cyd"))
    for who in (bob, cyd):
        stage.server.ask(f"me/follows/{who['player']}", {}, ada["token"])
    page = await page_of(stage, ada)
    await page.goto(f"{stage.server.url}people")
    rows = page.get_by_role("listitem")
    await expect(rows).to_have_count(2)
    left = (await rows.last.locator("a").inner_text()).strip()
    await rows.first.get_by_role("button").press("Enter")
    await expect_focus(page, f"^LI {left}")
    # What comes next is the row's own.
    await page.keyboard.press("Tab")
    await expect_focus(page, f"^A {left}")
    await rows.first.get_by_role("button").press("Enter")
    await expect_focus(page, "^H2 You follow")
    await show_ratings(page, bob["player"])
    await show_games(page, bob["player"])
    await page.goto(f"{stage.server.url}player/{bob['player']}")
    games = page.locator("section", has=page.get_by_role("heading", name="Games"))
    await games.get_by_role("button", name="Show older games").press("Enter")
    await expect_focus(page, "^LI ")
    assert (await games.get_by_role("listitem").last.inner_text()) in await focus_of(page)
    await page.get_by_role("button", name="Block", exact=True).press("Enter")
    await page.get_by_role("dialog").get_by_role("button", name="Block", exact=True).press("Enter")
    await page.get_by_role("button", name="Unblock").wait_for()
    await expect_focus(page, "^H1 Bob")


async def test_the_keyboard_goes_on_after_the_codes_and_when_the_account_has_gone(stage: Stage) -> None:
    page = await stage.page(is_refused=True)
    await page.goto(f"{stage.server.url}account")
    await register(page, "Dorothea")
    await page.locator("form").filter(has_text="Get new codes").get_by_label("Password").fill("correct horse battery")
    await page.keyboard.press("Enter")
    await expect_focus(page, "^H2 Write these recovery codes down")
    await page.get_by_role("button", name="I have written them down").press("Enter")
    await expect_focus(page, "^H1 Your account: Dorothea")
    await page.get_by_role("button", name="Delete the account").press("Enter")
    await page.get_by_role("dialog").get_by_label("Password").fill("correct horse battery")
    await page.keyboard.press("Enter")
    await page.get_by_role("heading", name="Create an account").wait_for()
    await expect_focus(page, "^H[12] ")


async def test_the_keyboard_stays_at_the_seat_to_which_the_host_calls_a_bot(stage: Stage) -> None:
    page = await stage.page()
    await go_as_host(page, stage.server.table(name="Ours"))
    seat = page.get_by_role("group", name="free seat").first
    await seat.get_by_role("button", name="Put a bot here").press("Enter")
    await page.wait_for_function("() => document.activeElement.closest('.seat')?.classList.contains('taken')")
