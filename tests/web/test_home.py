"""The start page as a home: what goes on here, calmly, and inviting where nothing does."""

import asyncio
import re
import time
from typing import Any

import pytest
from playwright.async_api import Page, Route, expect

from tests.web.axe import check
from tests.web.conftest import Stage
from tests.web.home_situations import FRESH, busy_home, table_state

SIZES = ((320, 320), (375, 667), (600, 360), (820, 1180), (1280, 800))
#: Larger than what a rounding of half a pixel makes.
MOVED = 0.001
WATCH_SHIFTS = """
    window.moved = 0;
    new PerformanceObserver(list => {
        for (const one of list.getEntries()) if (!one.hadRecentInput) window.moved += one.value;
    }).observe({type: 'layout-shift', buffered: true});
"""


async def show(page: Page, stage: Stage, told: dict[str, Any]) -> None:
    """Open the start page of a server that tells this."""
    await page.route("**/api/home", lambda route: route.fulfill(json=told))
    await page.goto(stage.server.url)
    await page.locator(".pulse").wait_for()


async def known_page(stage: Stage, **options: Any) -> Page:
    page = await stage.page(**options)
    token = stage.server.ask("players", {"name": "Ada"})["token"]
    await page.add_init_script(f"localStorage.setItem('tichu.token', '{token}')")
    return page


def now() -> int:
    return round(1000 * time.time())


async def test_it_shows_who_plays_who_waits_and_what_was_played(stage: Stage) -> None:
    page = await known_page(stage, bypass_csp=True)
    await show(page, stage, busy_home(now()))
    await expect(page.locator(".pulse")).to_contain_text("16 people are playing at 4 tables")
    quick = page.get_by_role("link", name="2 look for a rated match")
    await expect(quick).to_have_attribute("href", re.compile("/quick$"))
    tables = page.locator("section", has=page.get_by_role("heading", name="Open tables"))
    await expect(tables.get_by_role("link", name="Join")).to_have_count(3)
    await expect(tables.get_by_role("link", name="Watch")).to_have_count(4)
    followed = page.locator("section", has=page.get_by_role("heading", name="People you follow"))
    await expect(followed.get_by_role("listitem").first).to_contain_text("is waiting for others: Club night")
    await expect(followed.get_by_role("link", name="Watch")).to_have_attribute("href", re.compile("/t/table50$"))
    games = page.locator("section", has=page.get_by_role("heading", name="Latest games"))
    await expect(games.get_by_role("link").first).to_have_attribute("href", re.compile("/game/game0$"))
    await expect(games.get_by_role("link").first).to_contain_text("16 min. ago")
    board = page.locator("section", has=page.get_by_role("heading", name="Leaderboard"))
    await expect(board.get_by_role("listitem")).to_have_count(5)
    await expect(board.get_by_role("link", name="The whole leaderboard")).to_be_visible()
    await check(page, "a busy home")


async def test_a_server_where_nothing_goes_on_says_how_to_begin(stage: Stage) -> None:
    page = await stage.page(bypass_csp=True)
    await show(page, stage, FRESH)
    await expect(page.locator(".pulse")).to_contain_text("Nobody is playing at a public table just now")
    await expect(page.get_by_role("heading", name="Begin with this")).to_be_visible()
    for path in ("new", "quick", "learn"):
        await expect(page.locator(f".sides a[href$='/{path}']")).to_have_count(1)
    await expect(page.get_by_role("heading", name="Latest games")).to_have_count(0)
    await check(page, "a quiet home")


async def test_a_real_server_is_shown_as_it_is(stage: Stage) -> None:
    table = stage.server.table(seats=("you", None, None, None), private=False)
    page = await stage.page()
    await page.goto(stage.server.url)
    tables = page.locator("section", has=page.get_by_role("heading", name="Open tables"))
    await expect(tables.locator(f"a[href$='/t/{table['table']['id']}']")).to_have_text("Join")


async def test_nothing_moves_while_it_loads_or_when_it_is_asked_again(stage: Stage) -> None:
    page = await known_page(stage, viewport={"width": 375, "height": 667})
    await page.add_init_script(WATCH_SHIFTS)
    told = busy_home(now(), waiting=3)
    asked = 0

    async def answer(route: Route) -> None:
        nonlocal asked
        asked += 1
        await asyncio.sleep(1 if asked == 1 else 0)
        await route.fulfill(json=told)

    async def wait(route: Route) -> None:
        await asyncio.sleep(1.5)
        await route.continue_()

    await page.route("**/api/home", answer)
    await page.route("**/api/me", wait)
    await page.goto(stage.server.url)
    await page.locator(".pulse").wait_for()
    await page.wait_for_timeout(500)
    assert await page.evaluate("window.moved") <= MOVED
    # One who comes stands behind those who were there, whoever the server names first.
    first = await page.locator("section", has_text="Open tables").locator("li b").all_inner_texts()
    told["tables"] = [table_state(30, playing=False, name="Latecomers"), *told["tables"]]
    told["tables"].reverse()
    await page.evaluate("() => document.dispatchEvent(new Event('visibilitychange'))")
    await page.get_by_text("Latecomers").wait_for()
    after = await page.locator("section", has_text="Open tables").locator("li b").all_inner_texts()
    assert after[:4] == [*first[:3], "Latecomers"]


async def test_a_hidden_tab_asks_nothing(stage: Stage) -> None:
    page = await stage.page()
    await page.add_init_script("Object.defineProperty(document, 'hidden', {get: () => window.isAway ?? false})")
    await page.clock.install()
    asked = 0

    async def answer(route: Route) -> None:
        nonlocal asked
        asked += 1
        await route.fulfill(json=FRESH)

    await page.route("**/api/home", answer)
    await page.goto(stage.server.url)
    await page.get_by_role("heading", name="Open tables").wait_for()
    await page.clock.run_for(9000)
    await page.wait_for_timeout(200)
    assert asked == 2
    await page.evaluate("() => (window.isAway = true)")
    await page.clock.run_for(30_000)
    await page.wait_for_timeout(200)
    assert asked == 2


async def test_many_tables_are_shown_when_somebody_asks(stage: Stage) -> None:
    page = await stage.page()
    await show(page, stage, busy_home(now(), waiting=9, playing=8))
    tables = page.locator("section", has=page.get_by_role("heading", name="Open tables"))
    await expect(tables.get_by_role("listitem")).to_have_count(12)
    await page.get_by_role("button", name="Show 5 more").press("Enter")
    await expect(tables.get_by_role("listitem")).to_have_count(17)


@pytest.mark.parametrize("language", ["en", "de", "ko"])
@pytest.mark.parametrize("percent", [100, 130])
async def test_it_fits_on_every_screen(stage: Stage, language: str, percent: int) -> None:
    page = await known_page(stage, locale=language)
    await page.add_init_script(
        f"addEventListener('DOMContentLoaded', () => document.documentElement.style.fontSize = '{percent}%')"
    )
    for told in (busy_home(now()), FRESH):
        await page.unroute_all()
        await show(page, stage, told)
        for width, height in SIZES:
            await page.set_viewport_size({"width": width, "height": height})
            assert await page.evaluate("document.documentElement.scrollWidth") <= width
            cut = await page.evaluate(
                """() => [...document.querySelectorAll('.sides *, .pulse *')].filter(node =>
                    node.scrollWidth > node.clientWidth + 1 && node.clientWidth
                    && getComputedStyle(node).display !== 'inline').map(node => node.outerHTML.slice(0, 80))"""
            )
            assert cut == [], (width, height)
            low = await page.evaluate(
                """() => [...document.querySelectorAll('.sides a, .pulse a')]
                    .filter(link => link.getBoundingClientRect().height < 24).map(link => link.textContent)"""
            )
            assert low == [], (width, height)


@pytest.mark.parametrize("theme", ["light", "dark", "contrast"])
async def test_axe_finds_nothing_on_a_busy_home(stage: Stage, theme: str) -> None:
    page = await known_page(stage, bypass_csp=True, settings={"theme": theme})
    await show(page, stage, busy_home(now()))
    await check(page, f"home, {theme}")
