"""Profiles and people on the page: to follow, to block, and to find again."""

import json
import re
from typing import Any

import pytest
from playwright.async_api import Page, expect

from tests.web.axe import check
from tests.web.conftest import Stage
from tests.web.profile_situations import show_games, show_ratings

#: The smallest screen that is promised, and what must not stick out of it.
SMALL = {"width": 320, "height": 320}
WIDTH = "() => document.documentElement.scrollWidth"


async def page_of(stage: Stage, who: dict[str, Any], **options: Any) -> Page:
    page = await stage.page(**options)
    await page.add_init_script(f"localStorage.setItem('tichu.token', '{who['token']}')")
    return page


def player(stage: Stage, name: str) -> dict[str, Any]:
    made: dict[str, Any] = stage.server.ask("players", {"name": name})
    return made


async def test_a_player_is_followed_and_blocked_by_keyboard_and_found_again(stage: Stage) -> None:
    ada, bob = player(stage, "Ada"), player(stage, "Bob")
    page = await page_of(stage, ada, bypass_csp=True)
    await page.goto(f"{stage.server.url}player/{bob['player']}")
    await page.get_by_role("heading", name="Bob", level=1).wait_for()
    await page.get_by_role("button", name="Follow", exact=True).press("Enter")
    await page.get_by_role("button", name="Unfollow").wait_for()
    await check(page, "the profile")
    await page.goto(f"{stage.server.url}people")
    await page.get_by_role("link", name="Bob").wait_for()
    await check(page, "people")
    await page.get_by_role("link", name="Bob").press("Enter")
    await page.get_by_role("button", name="Block", exact=True).press("Enter")
    await page.get_by_role("dialog").get_by_role("button", name="Block", exact=True).press("Enter")
    await page.get_by_role("button", name="Unblock").wait_for()
    assert json.loads(await page.evaluate("localStorage['tichu.settings']"))["muted"] == [bob["player"]]
    people = stage.server.ask("me/people", token=ada["token"])
    assert ([one["name"] for one in people["blocks"]], people["follows"]) == (["Bob"], [])
    await page.goto(f"{stage.server.url}people")
    await page.get_by_role("button", name="Unblock: Bob").click()
    await expect(page.get_by_text("Blocked")).to_have_count(0)
    assert stage.server.ask("me/people", token=ada["token"])["blocks"] == []
    assert json.loads(await page.evaluate("localStorage['tichu.settings']"))["muted"] == []


async def test_whom_somebody_has_blocked_elsewhere_is_silent_at_a_table(stage: Stage) -> None:
    table = stage.server.table(seats=("you",))
    bob = player(stage, "Bob")
    assert stage.server.ask(
        f"tables/{table['table']['id']}/commands", {"type": "TABLE.SIT", "id": "s", "seat": 1}, bob["token"]
    )
    stage.server.ask(f"me/blocks/{bob['player']}", {}, table["you"]["token"])
    page = await page_of(stage, table["you"])
    await page.goto(table["link"])
    await page.wait_for_function(f"() => localStorage['tichu.settings'].includes('{bob['player']}')")


async def test_a_profile_tells_how_strong_somebody_is_and_how_sure_that_is(stage: Stage) -> None:
    ada, bob = player(stage, "Ada"), player(stage, "Bob")
    page = await page_of(stage, ada, bypass_csp=True)
    await show_ratings(page, bob["player"])
    await page.goto(f"{stage.server.url}player/{bob['player']}")
    first = page.locator(".pool").first
    await expect(first).to_contain_text("1523")
    await expect(first).to_contain_text("± 160")
    await expect(first).to_contain_text("provisional")
    await expect(
        page.get_by_role("img", name="3 matches: from 1500 to 1523, lowest 1500, highest 1540")
    ).to_be_visible()
    # Of the other pool there is a place, and no match to draw.
    second = page.locator(".pool").nth(1)
    await expect(second).to_contain_text("Place 3")
    await expect(second.get_by_role("img")).to_have_count(0)
    await expect(second).not_to_contain_text("provisional")
    await expect(page.get_by_role("link", name="Cyd")).to_have_attribute("href", re.compile("player/cyd$"))
    await check(page, "a profile with ratings")


async def test_a_profile_shows_games_partners_and_what_is_lost(stage: Stage) -> None:
    ada, bob = player(stage, "Ada"), player(stage, "Bob")
    page = await page_of(stage, ada, bypass_csp=True)
    await show_games(page, bob["player"])
    await page.goto(f"{stage.server.url}player/{bob['player']}")
    games = page.locator("section", has=page.get_by_role("heading", name="Games"))
    await expect(games.get_by_role("listitem")).to_have_count(2)
    await expect(games.get_by_role("listitem").first).not_to_contain_text("rated")
    await expect(games.get_by_role("listitem").nth(1)).to_contain_text("rated")
    await games.get_by_role("button", name="Show older games").press("Enter")
    await expect(games.get_by_role("listitem")).to_have_count(3)
    await expect(games.get_by_role("button")).to_have_count(0)
    last = games.get_by_role("listitem").last
    # As seen from the other side of the table.
    for words in ("lost", "640 : 1005", "casual"):
        await expect(last).to_contain_text(words)
    await expect(last.get_by_role("link")).to_have_attribute("href", re.compile("game/g3$"))
    partners = page.locator("section", has=page.get_by_role("heading", name="Partners"))
    await expect(partners.get_by_role("listitem").first).to_contain_text("41 games · 25 won")
    await expect(partners.get_by_role("link", name="Cyd")).to_have_attribute("href", re.compile("player/cyd$"))
    sheet = page.locator("section", has=page.get_by_role("heading", name="Lost in decisions"))
    await expect(sheet).to_contain_text("−12.2 ± 8.0")
    await expect(sheet).to_contain_text("27 reviewed games · 231 rounds")
    await expect(sheet.get_by_role("rowheader")).to_have_text(
        ["Exchange", "Following", "Grand Tichu", "Wishes", "Leads"]
    )
    await check(page, "a profile with games")


async def test_a_profile_without_games_says_why_there_may_be_none(stage: Stage) -> None:
    ada, bob = player(stage, "Ada"), player(stage, "Bob")
    page = await page_of(stage, ada)
    await page.goto(f"{stage.server.url}player/{bob['player']}")
    await page.get_by_text("Games of private tables are seen only by those who sat there").wait_for()
    await expect(page.get_by_role("heading", name="Lost in decisions")).to_have_count(0)
    await expect(page.get_by_role("heading", name="Partners")).to_have_count(0)


async def test_programs_stand_beside_players_and_pairs(stage: Stage) -> None:
    page = await page_of(stage, player(stage, "Ada"), bypass_csp=True)
    await page.goto(f"{stage.server.url}leaderboard")
    programs = page.locator("section", has=page.get_by_role("heading", name="Programs"))
    await expect(programs.get_by_role("listitem").first).to_contain_text("Thinking champion")
    await expect(page.get_by_role("heading", level=2)).to_have_text(["Players", "Pairs", "Programs"])
    await check(page, "the leaderboard")


@pytest.mark.parametrize("language", ["en", "de", "ko"])
async def test_people_fit_on_the_smallest_screen(stage: Stage, language: str) -> None:
    ada, bob = player(stage, "Ada"), player(stage, "W" * 24)
    stage.server.ask(f"me/follows/{bob['player']}", {}, ada["token"])
    page = await page_of(stage, ada, locale=language, viewport=SMALL)
    await show_ratings(page, bob["player"])
    await show_games(page, bob["player"])
    for path in ("people", f"player/{bob['player']}", "leaderboard"):
        await page.goto(stage.server.url + path)
        await page.get_by_role("heading", level=1).wait_for()
        if path.startswith("player"):
            await page.locator("a[href$='game/g1']").wait_for()
        assert await page.evaluate(WIDTH) <= SMALL["width"], path


async def test_somebody_is_reported_from_the_profile_and_from_the_table(stage: Stage) -> None:
    table = stage.server.table(seats=("you",))
    bob, number = player(stage, "Bob"), table["table"]["id"]
    assert stage.server.ask(f"tables/{number}/commands", {"type": "TABLE.SIT", "id": "s", "seat": 1}, bob["token"])
    page = await page_of(stage, table["you"], bypass_csp=True, loses_connection=True)
    await page.goto(f"{stage.server.url}player/{bob['player']}")
    await page.get_by_role("button", name="Report to the operator").press("Enter")
    await page.get_by_label("What it is about").select_option(label="Cheating")
    await page.get_by_label("More about it").fill("knows my cards")
    await check(page, "a report")
    # What is refused is said where it was asked for: the page behind a dialog is neither read nor seen.
    await page.route("**/api/players/*/reports", lambda route: route.abort())
    await page.get_by_role("button", name="Send").press("Enter")
    await page.get_by_role("dialog").get_by_role("alert").get_by_text("cannot be reached").wait_for()
    await page.unroute_all()
    await page.get_by_role("button", name="Send").press("Enter")
    await page.get_by_text("The operator of this server has your report.").first.wait_for()
    await page.goto(table["link"])
    await page.get_by_role("button", name="Chat").first.click()
    # Who reads it is told where it is written.
    await page.get_by_text("The operator reads it only if a player reports it").wait_for()
    await page.get_by_role("button", name="Report a player").click()
    sheet = page.get_by_role("dialog", name="Report to the operator")
    await expect(sheet).to_contain_text("what was said in this round")
    await sheet.get_by_role("button", name="Send").click()
    await expect(sheet).to_have_count(0)


@pytest.mark.parametrize("language", ["en", "de", "ko"])
async def test_a_report_fits_on_the_smallest_screen(stage: Stage, language: str) -> None:
    ada, bob = player(stage, "Ada"), player(stage, "W" * 24)
    page = await page_of(stage, ada, locale=language, viewport=SMALL)
    await page.goto(f"{stage.server.url}player/{bob['player']}")
    await page.locator("header .row button").last.click()
    await page.get_by_role("dialog").locator("textarea").wait_for()
    assert await page.evaluate(WIDTH) <= SMALL["width"]
    assert await page.get_by_role("dialog").evaluate("node => node.scrollWidth <= node.clientWidth + 1")
