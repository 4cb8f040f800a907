"""The story of accounts: four people register, find a match, play it rated to the end, and one of them is forgotten."""

import asyncio
import re
from pathlib import Path
from typing import Any

from playwright.async_api import Page, expect

from tests.web.conftest import Stage
from tests.web.player import Player
from tests.web.stage import Server, serving
from tests.web.test_account import WORD, log_in, register
from tests.web.test_four import one_turn
from tests.web.test_quick import SHORT, leave_server
from tichu.ratings import Ledger
from tichu.server.people import FORMER
from tichu.server.rating.service import all_rows
from tichu.server.store import open_store
from tichu.server.store.sqlite import SqliteStore

#: Four browsers share the processors that CI gives them, and so do all their turns.
TIMEOUT_S = 300
NAMES = ("Ann", "Ben", "Cyd", "Dov")
#: All browsers are on one machine.
HERE = (*SHORT, "--quick-same-address")


async def look_for_match(stage: Stage, server: Server, name: str) -> tuple[str, Player]:
    """Somebody registers and looks for a rated match; their id."""
    page = await stage.page(is_refused=True)
    await page.goto(server.url)
    await page.get_by_role("link", name="Log in, or create an account").click()
    await register(page, name)
    token = await page.evaluate("localStorage['tichu.token']")
    await page.goto(server.url)
    await page.get_by_role("link", name="Quick match").click()
    await page.get_by_role("radio", name="Rated").check()
    await page.get_by_role("button", name="Find a match").click()
    await expect(page.get_by_text("Looking for a match").or_(page.locator("main.cloth"))).to_be_visible()
    return server.ask("me", token=token)["player"], Player(page)


async def play_to_the_end(server: Server, found: list[tuple[str, Player]]) -> list[Player]:
    """They are brought together and play; the players by their seats."""
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
    return by_seat


async def standings(folder: Path, copy: str) -> dict[str, Any]:
    """Everybody's standing, worked out from a copy of the store: equal ones are equal to the last bit."""
    await SqliteStore(folder / "tichu.db").backup(folder / copy)
    store = await open_store(f"sqlite:{folder / copy}")
    ledger = Ledger()
    try:
        rows = [row async for row in all_rows(store)]
    finally:
        await store.close()
    assert [row.ending for row in rows] == ["played"]
    for row in rows:
        ledger.apply(row)
    return dict(ledger.board(rows[0].pool).players)


async def delete_account(server: Server, page: Page, name: str) -> None:
    """As a person does it who has just played."""
    await page.goto(server.url)
    await page.get_by_role("link", name="Your account").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text(f"Your account: {name}")
    await page.get_by_role("button", name="Delete the account").click()
    dialog = page.get_by_role("dialog")
    await dialog.get_by_label("Password").fill(WORD)
    await dialog.get_by_role("button", name="Delete for good").click()
    await page.get_by_role("heading", name="Create an account").wait_for()


async def is_a_stranger(server: Server, page: Page, table: str, name: str) -> None:
    """The browser of somebody who is forgotten has nothing left of them."""
    assert await page.evaluate("localStorage['tichu.token'] ?? null") is None
    await log_in(page, name)
    await expect(page.get_by_text("The name and the password do not belong together.")).to_be_visible()
    await page.goto(f"{server.url}me")
    await expect(page.get_by_role("link", name=re.compile("won|lost"))).to_have_count(0)
    await page.goto(table)
    await page.locator("main.cloth").wait_for()
    token = await page.evaluate("localStorage['tichu.token']")
    assert server.ask("me", token=token)["results"]["games"] == 0


async def sees_nobody_there(server: Server, page: Page, gone: str, name: str) -> None:
    """What somebody who has played with them sees: a game with a former player, and nobody of that name."""
    await page.goto(f"{server.url}player/{gone}")
    await expect(page.get_by_text("There is no such player.")).to_be_visible()
    await page.get_by_role("link", name="To the start page").click()
    await page.get_by_role("link", name="Your games").click()
    game = page.locator('a[href*="/game/"]')
    await expect(game).to_contain_text(FORMER)
    await game.click()
    await expect(page.get_by_text(FORMER).first).to_be_visible()
    await expect(page.get_by_text(name, exact=True)).to_have_count(0)
    for path in ("people", "leaderboard"):
        await page.goto(server.url + path)
        await page.get_by_role("heading", level=1).wait_for()
        await expect(page.get_by_text(name, exact=True)).to_have_count(0)
        await expect(page.locator(f'a[href*="{gone}"]')).to_have_count(0)


async def test_four_find_a_match_play_it_rated_to_the_end_and_one_is_forgotten(stage: Stage, tmp_path: Path) -> None:
    with serving(*HERE, "--data", str(tmp_path)) as server:
        found = await asyncio.gather(*(look_for_match(stage, server, name) for name in NAMES))
        ids = [one for one, _ in found]
        by_seat = await play_to_the_end(server, list(found))
        for player in by_seat:
            await player.sheet.wait_for()
            await expect(player.sheet.get_by_role("heading", name="Ratings")).to_be_visible()
            await expect(player.sheet.get_by_text(re.compile(r"1500 → \d+"))).to_have_count(4)
        ratings = [server.ask(f"players/{one}/ratings") for one in ids]
        shown = [one["ratings"][0]["rating"] for one in ratings]
        assert sorted(rating > 1500 for rating in shown) == [False, False, True, True]
        assert 1500 not in shown
        before = await standings(tmp_path, "before.db")
        assert set(before) == set(ids)

        (gone, first), (_, ben), (_, cyd), _ = found
        table = first.page.url
        await delete_account(server, first.page, "Ann")
        await is_a_stranger(server, first.page, table, "Ann")
        # Whoever is still at the table sees it happen.
        await expect(cyd.sheet.get_by_role("heading", name="Ratings")).to_be_visible()
        await expect(cyd.sheet).to_contain_text(FORMER)
        await sees_nobody_there(server, ben.page, gone, "Ann")
        after = await standings(tmp_path, "after.db")
        (former,) = set(after) - set(ids)
        assert after == {former if one == gone else one: standing for one, standing in before.items()}
        assert [server.ask(f"players/{one}/ratings") for one in ids[1:]] == [
            without(one, gone, former) for one in ratings[1:]
        ]
        # The others play on: a partner who is still there can be kept.
        keep = cyd.sheet.get_by_role("link", name=re.compile("^Keep .* as partner"))
        await keep.click()
        await expect(cyd.page.get_by_text(re.compile("as your partner"))).to_be_visible()
        await leave_server(*(player.page for player in by_seat))


def without(ratings: Any, gone: str, former: str) -> Any:
    """What is told of somebody, with another partner's id and name in the place of one."""
    pairs = [pair | {"partner": former, "name": ""} if pair["partner"] == gone else pair for pair in ratings["pairs"]]
    return ratings | {"pairs": pairs}


async def test_a_secret_in_an_address_would_be_found(stage: Stage) -> None:
    page = await stage.page(is_refused=True)
    await page.goto(f"{stage.server.url}rules")
    assert stage.sent.leaks() == []
    await page.evaluate(
        """async () => {
            const body = JSON.stringify({name: 'nobody', password: 'a leaking/word'});
            await fetch('/api/login', {method: 'POST', headers: {'content-type': 'application/json'}, body});
            await fetch('/api/codes/a%20leaking%2Fword');
        }"""
    )
    assert stage.sent.leaks() == [f"{stage.server.url}api/codes/a%20leaking%2Fword"]
    stage.sent.secrets.clear()
