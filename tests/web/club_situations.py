"""What is not a game, with something in it: the start page, people, an account, the search for a match."""

import time
from collections.abc import AsyncIterator, Awaitable, Callable
from itertools import count
from typing import Any, Final

from playwright.async_api import Page, Route

from tests.web.home_situations import FRESH, busy_home
from tests.web.profile_situations import show_board, show_games, show_ratings
from tests.web.visitor import Situation, Visitor

__all__ = ["club"]

_LONG: Final = "W" * 24
#: As much of a long address as others see.
_ADDRESS: Final = f"a…@{'a-long-part-of-it.' * 5}example.org"
_NUMBERS: Final = count()


def _now() -> int:
    return round(1000 * time.time())


async def _tell(page: Page, path: str, answer: dict[str, Any]) -> None:
    await page.route(f"**/api/{path}", lambda route: route.fulfill(json=answer))


async def club(visitor: Visitor) -> AsyncIterator[Situation]:
    """All of it."""
    for part in (_home, _people, _account, _quick):
        async for situation in part(visitor):
            yield situation
        await visitor.page.unroute_all()


async def _home(visitor: Visitor) -> AsyncIterator[Situation]:
    page = visitor.page
    token = visitor.server.ask("players", {"name": "Ada"})["token"]
    for name, told in (("busy", busy_home(_now())), ("fresh", FRESH)):
        await _tell(page, "home", told)
        await visitor.open_as(token, "")
        await page.locator("section.part").wait_for()
        await visitor.stop()
        yield Situation(f"a {name} home", (".big.main",))
        await page.unroute_all()


async def _people(visitor: Visitor) -> AsyncIterator[Situation]:
    page = visitor.page
    ada, bob, cyd = (visitor.server.ask("players", {"name": name}) for name in ("Ada", _LONG, "Cyd"))
    visitor.server.ask(f"me/follows/{bob['player']}", {}, ada["token"])
    visitor.server.ask(f"me/blocks/{cyd['player']}", {}, ada["token"])
    await visitor.open_as(ada["token"], "people")
    await page.locator(f"a[href$='{cyd['player']}']").wait_for()
    yield Situation("people one knows")
    await show_ratings(page, bob["player"])
    await show_games(page, bob["player"])
    await page.goto(f"{visitor.server.url}player/{bob['player']}")
    await page.locator("a[href$='game/g1']").wait_for()
    yield Situation("a profile")
    await page.locator("header .row button").last.click()
    await page.locator("dialog textarea").wait_for()
    yield Situation("a report")
    await show_board(page)
    await page.goto(f"{visitor.server.url}leaderboard")
    await page.locator("ol li").nth(5).wait_for()
    yield Situation("a leaderboard")


def _with_email(address: str, pending: str) -> Callable[[Route], Awaitable[None]]:
    """Who tells of an account, and of such an address."""

    async def tell(route: Route) -> None:
        told = await (await route.fetch()).json()
        await route.fulfill(json=told | {"email": {"address": address, "pending": pending}})

    return tell


async def _account(visitor: Visitor) -> AsyncIterator[Situation]:
    page = visitor.page
    await _tell(page, "login", {"mail": True})
    await _tell(page, "login/mail", {"minutes": 60})
    await visitor.open_as(visitor.server.ask("players", {"name": _LONG})["token"], "account")
    log_in = page.locator("form").nth(1)
    await log_in.locator("input").first.wait_for()
    yield Situation("the way to an account")
    await visitor.button("lost", "account").click()
    await log_in.locator("input").first.fill("Ada")
    await visitor.button("mailMe", "account").click()
    await page.locator(".told").wait_for()
    yield Situation("a lost password")
    # Names of accounts are unique.
    name = f"{visitor.language}{_now()}{next(_NUMBERS)}"
    create = page.locator("form").first
    await create.locator("input").first.fill(f"{name:W<24}")
    await create.locator("input").nth(1).fill("correct horse battery")
    await create.locator("button").click()
    await page.locator(".codes").wait_for()
    yield Situation("recovery codes")
    for what, address, pending in (("no", "", ""), ("a new", "", _ADDRESS), ("a confirmed", _ADDRESS, "")):
        await page.route("**/api/me/account", _with_email(address, pending))
        await page.goto(f"{visitor.server.url}account")
        await page.get_by_role("heading", name=visitor.word("email", "account")).wait_for()
        yield Situation(f"an account with {what} address")
    await visitor.button("emailRemove", "account").click()
    await visitor.button("emailChange", "account").wait_for(state="detached")
    yield Situation("an address is removed")
    await visitor.button("delete", "account").click()
    await page.locator("dialog input").fill("not the password")
    await page.locator("dialog .button.main").click()
    await page.locator("dialog .wrong:not(:empty)").wait_for()
    yield Situation("an account is not deleted")


async def _quick(visitor: Visitor) -> AsyncIterator[Situation]:
    page = visitor.page
    token = visitor.server.ask("players", {"name": "Ada"})["token"]
    now = _now()
    waiting = {
        "state": "waiting",
        "rated": True,
        "speed": "normal",
        "since": now - 9000,
        "now": now,
        "seekers": 2,
        "expected": 40,
        "spread": 120,
        "botsAt": now - 1000,
        "bots": False,
        "table": None,
        "invites": [],
    }
    invites = [{"player": at, "name": _LONG, "rated": at == "a", "speed": "fast"} for at in ("a", "b")]
    invited = {"state": "none", "since": None, "botsAt": None, "invites": invites}
    for name, told in (("waiting", waiting), ("invited", waiting | invited)):
        await _tell(page, "quick", told)
        await visitor.open_as(token, "quick")
        await page.locator(".invite, .row .button").first.wait_for()
        await visitor.stop()
        yield Situation(f"{name} for a match")
        await page.unroute_all()
