"""Before a game, too, a tap shows at once that it was taken, however long the answer takes, and counts once."""

import asyncio
import re
from collections.abc import Callable
from typing import Any, Final

import pytest
from playwright.async_api import Locator, Page, Route, expect

from tests.web.conftest import Stage
from tests.web.stage import go_as_host
from tests.web.test_deciding import Gate

#: What is held back, who sits there, and the name of the button, which is there once.
LOBBY: dict[str, tuple[str, tuple[str | None, ...], str]] = {
    "stand": ("TABLE.STAND", ("you", "greedy", "greedy", "greedy"), "Stand up"),
    "move": ("TABLE.SWAP", ("you", None, "greedy", "greedy"), "Move here"),
    "bot": ("TABLE.PUT_BOT", ("you", "greedy", "greedy", None), "Put a bot here"),
    "fill": ("TABLE.PUT_BOT", ("you", "greedy", "greedy", None), "Fill with bots and start"),
    "remove": ("TABLE.REMOVE", ("you", "greedy", None, None), "Remove"),
    "start": ("TABLE.START", ("you", "greedy", "greedy", "greedy"), "Start"),
}


#: How much the frame of a button stands out from its ground, from 1 to 21.
CONTRAST: Final = """button => {
    const probe = button.appendChild(document.createElement('i'));
    const luminance = (color) => {
        probe.style.color = color;
        const parts = getComputedStyle(probe).color.match(/[\\d.]+/g).slice(0, 3).map(part => part / 255);
        const [r, g, b] = parts.map(part => part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const frame = luminance(getComputedStyle(button, '::after').borderTopColor);
    const ground = luminance(`var(${button.matches('.main') ? '--lacquer' : '--panel'})`);
    probe.remove();
    return (Math.max(frame, ground) + 0.05) / (Math.min(frame, ground) + 0.05);
}"""


async def is_taken(button: Locator) -> None:
    """Shown on the button, and not only by its colour: nothing is said twice by a second tap."""
    await expect(button).to_have_class(re.compile(r"\bsent\b"))
    await expect(button).to_have_attribute("aria-disabled", "true")
    await button.dispatch_event("click")


@pytest.mark.parametrize("what", LOBBY)
async def test_a_tap_in_the_lobby_is_taken_once(stage: Stage, what: str) -> None:
    kind, seats, name = LOBBY[what]
    gate = Gate(kind)
    page = await stage.page(settings={"name": "Ada"})
    await page.route_web_socket(re.compile("/ws/"), gate.connect)
    await go_as_host(page, stage.server.table(seats=seats))
    button = page.get_by_role("button", name=name, exact=True).first
    await button.click()
    await is_taken(button)
    await expect(page.locator(".sent").first).to_be_visible()
    gate.open()
    await expect(page.locator(".sent")).to_have_count(0)
    assert gate.sent.count(kind) == 1
    await expect(page.locator(".notice.bad")).to_have_count(0)


async def hold(page: Page, path: str) -> tuple[Callable[[], None], list[Any]]:
    """Hold back what a page asks for; what lets it go, and what was asked."""
    opened, asked = asyncio.Event(), list[Any]()

    async def wait(route: Route) -> None:
        if route.request.method in ("POST", "DELETE"):
            asked.append(route.request.post_data_json)
            await opened.wait()
        await route.continue_()

    await page.route(re.compile(path), wait)
    return opened.set, asked


@pytest.mark.parametrize("theme", ["light", "dark", "contrast"])
async def test_a_search_for_a_match_is_begun_and_given_up_once(stage: Stage, theme: str) -> None:
    page = await stage.page(settings={"name": "Eve", "theme": theme})
    await page.goto(f"{stage.server.url}quick")
    begin = page.get_by_role("button", name="Find a match")
    await begin.wait_for()
    let_go, asked = await hold(page, "/api/quick$")
    await begin.click()
    await is_taken(begin)
    assert await begin.evaluate(CONTRAST) > 3
    let_go()
    stop = page.get_by_role("button", name="Stop looking")
    await stop.wait_for()
    assert len(asked) == 1
    await page.unroute_all()
    let_go, asked = await hold(page, "/api/quick$")
    await stop.click()
    await is_taken(stop)
    assert await stop.evaluate(CONTRAST) > 3
    let_go()
    await begin.wait_for()
    assert len(asked) == 1


async def test_a_code_is_looked_up_once(stage: Stage) -> None:
    code = stage.server.table(seats=("you",))["table"]["code"]
    page = await stage.page()
    await page.goto(stage.server.url)
    opened, asked = asyncio.Event(), list[str]()

    async def wait(route: Route) -> None:
        asked.append(route.request.url)
        await opened.wait()
        await route.continue_()

    await page.route(re.compile("/api/codes/"), wait)
    await page.get_by_label("Code").fill(code)
    join = page.locator("form.join button")
    await join.click()
    await is_taken(join)
    opened.set()
    await page.wait_for_url(re.compile("/t/"))
    assert len(asked) == 1
