"""What makes a table pleasant: signals, moments, pictures, cloths, emotes, and a page that works without a network."""

import shutil
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Page, expect
from starlette.requests import Request
from starlette.responses import Response

from tests.server.serving import served
from tests.web.conftest import Stage
from tests.web.player import Player
from tests.web.sample_round import BOTS, at_table
from tests.web.stage import NAME, go_as_host, serving
from tests.web.visitor import LASTING
from tichu.server.http.static import STATIC
from tichu.server.http.static import Page as StaticPage

#: You play your last card; in the second position your partner is out, and the round is over with it.
_LAST = "Kg/4s4g9sTgJr/6s8gQsQrAg/2r7sJb p0 - 50/15/10/5 - T--- - -/-/-/-"
_WON = "Kg/4s4g9sTgJr/-/2r7sJb p0 - 50/15/10/5 - ---- 2 -/-/-/-"
#: Whoever looks elsewhere, and what the system is told to show.
_ELSEWHERE = """() => {
    window.shown = [];
    window.Notification = class {
        static permission = 'granted';
        static requestPermission = async () => 'granted';
        constructor(title, options) { shown.push(title); }
        close() { shown.push('closed'); }
    };
    let hidden = false;
    Object.defineProperty(document, 'hidden', { get: () => hidden });
    window.look = away => { hidden = away; document.dispatchEvent(new Event('visibilitychange')); };
}"""

#: A moment lasts until it is ended: on a busy machine it could be over before anybody has looked.
_LASTING = "const real = setTimeout; window.setTimeout = (act, ms) => real(act, ms === 1200 ? 1e8 : ms);"


async def sit(stage: Stage, page: Page, **settings: Any) -> Player:
    table = stage.server.table(seats=BOTS, start=True, **settings)
    await page.goto(table["seatLink"])
    return Player(page)


async def play_last_card(player: Player) -> None:
    await player.asked()
    await player.pick("Kg")
    await player.push(player.play)


# Turns.


async def test_your_turn_is_in_the_title_on_the_icon_and_on_the_screen_of_who_looks_elsewhere(stage: Stage) -> None:
    page = await stage.page(settings={"notify": True})
    await page.add_init_script(f"({_ELSEWHERE})()")
    player = await sit(stage, page, **at_table("0:As"))
    await player.asked()
    await expect(page).to_have_title("● Your turn · Tichu")
    icon = page.locator('link[rel="icon"]')
    await expect(icon).to_have_attribute("href", f"{stage.server.url}icon-turn.svg")
    assert await page.evaluate("shown") == []
    await page.evaluate("look(true)")
    await page.evaluate("new Promise(resolve => setTimeout(resolve))")
    assert await page.evaluate("shown") == ["Your turn"]
    await page.evaluate("look(false)")
    await page.evaluate("new Promise(resolve => setTimeout(resolve))")
    assert await page.evaluate("shown") == ["Your turn", "closed"]


async def test_notifications_are_asked_for_with_a_click_and_not_before(stage: Stage) -> None:
    page = await stage.page()
    await page.add_init_script(
        "window.asked = 0; Notification.requestPermission = async () => { asked++; return 'denied'; };"
    )
    await page.goto(stage.server.url)
    await page.get_by_role("button", name="Settings").click()
    wanted = page.get_by_label("Notify me when it is my turn")
    await expect(wanted).not_to_be_checked()
    assert await page.evaluate("asked") == 0
    await wanted.click()
    await expect(page.get_by_text("The browser does not allow notifications")).to_be_visible()
    await expect(wanted).not_to_be_checked()
    assert await page.evaluate("asked") == 1


# Moments.


async def test_a_called_tichu_that_comes_true_is_a_moment_that_a_tap_ends(stage: Stage) -> None:
    page = await stage.page(settings={"speed": "slow"})
    await page.add_init_script(_LASTING)
    # The bots take their time, so that no sheet of the end of the round comes on top.
    player = await sit(stage, page, position=_LAST, pace=10)
    await play_last_card(player)
    moment = page.locator(".moment")
    await expect(moment).to_contain_text("+100")
    # It does nothing else, whatever lies below.
    menu = page.get_by_role("button", name="Menu")
    await menu.click()
    await expect(moment).to_have_count(0)
    await expect(page.get_by_role("dialog")).to_have_count(0)
    await menu.click()
    await page.get_by_role("dialog", name="Menu").wait_for()


async def test_a_won_match_is_a_moment_and_a_key_leads_on_to_its_sheet(stage: Stage) -> None:
    page = await stage.page(settings={"speed": "slow"})
    await page.add_init_script(_LASTING)
    player = await sit(stage, page, position=_WON, rules="standard goal=rounds:1")
    await play_last_card(player)
    await expect(page.locator(".moment.match")).to_contain_text("You have won!")
    assert await page.locator("dialog[open]").count() == 0
    await page.keyboard.press("Shift")
    await expect(page.locator(".moment")).to_have_count(0)
    sheet = page.get_by_role("dialog")
    await expect(sheet).to_contain_text("You have won!")
    # The key of a seat link ends with the game; who has won stays the same.
    await expect(sheet.get_by_role("button", name="Rematch")).to_have_count(0)
    await expect(sheet).to_contain_text("You have won!")


async def test_with_reduced_motion_nothing_moves_for_its_own_sake(stage: Stage) -> None:
    page = await stage.page(settings={"speed": "normal"}, reduced_motion="reduce")
    await page.add_init_script(
        "Element.prototype.animate = () => { throw new Error('something moves'); };"
        "new MutationObserver(() => document.querySelector('.moment') && console.error('a moment'))"
        ".observe(document, { childList: true, subtree: true });"
    )
    player = await sit(stage, page, position=_WON, rules="standard goal=rounds:1")
    await play_last_card(player)
    await expect(page.get_by_role("dialog")).to_contain_text("You have won!")


# Choices.


async def test_a_picture_is_chosen_in_the_settings_and_seen_by_the_others(stage: Stage) -> None:
    ada = await stage.page(settings={"name": "Ada"})
    table = stage.server.table(seats=("you", "greedy", None, "greedy"))
    await ada.goto(table["seatLink"])
    bob = await stage.page(settings={"name": "Bob", "avatar": "owl"})
    await bob.goto(table["link"])
    await bob.get_by_role("button", name="Sit here").first.click()
    await ada.get_by_role("button", name="Settings", exact=True).click()
    await ada.get_by_text("fox", exact=True).locator("..").click()
    await ada.get_by_role("button", name="Close").click()
    await ada.get_by_role("button", name="Start").click()
    for page in (ada, bob):
        for name in ("fox", "owl"):
            await expect(page.locator(f'.picture use[href$="#{name}"]')).to_have_count(1)
    seats = stage.server.ask(f"tables/{table['table']['id']}")["table"]["seats"]
    assert {seat["avatar"] for seat in seats if seat["player"]} == {"fox", "owl"}


async def test_cards_with_french_suits_and_a_cloth_of_another_colour(stage: Stage) -> None:
    page = await stage.page(settings={"deck": "french", "cloth": "plum"})
    player = await sit(stage, page, **at_table("0:As"))
    await player.asked()
    await expect(page.get_by_role("button", name="ace of spades")).to_be_visible()
    assert await page.locator('.hand use[href="#f-s"]').count()
    assert await page.locator('.hand use[href="#s-s"]').count() == 0
    felt = await page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--felt-pattern')")
    assert "petals" in felt


async def test_an_emote_is_said_at_the_table_while_the_game_goes_on(stage: Stage) -> None:
    page = await stage.page()
    await page.add_init_script(f"({LASTING})()")
    player = await sit(stage, page, **at_table("0:As"))
    await player.asked()
    await page.keyboard.press("e")
    panel = page.get_by_role("region", name="Say something quickly")
    await expect(panel.get_by_role("button").first).to_be_focused()
    assert await page.locator("dialog[open]").count() == 0
    # Nor does a key of the game pass meanwhile.
    await page.keyboard.press("p")
    await expect(page.get_by_role("button", name="Pass", exact=True)).to_be_enabled()
    await panel.get_by_role("button", name="Well played!").click()
    await expect(panel).to_be_hidden()
    await expect(page.locator(".cloth > .notice.said")).to_have_text("Ada: Well played!")


async def test_who_plays_with_bots_alone_sets_their_pace_in_the_game(stage: Stage) -> None:
    page = await stage.page()
    table = stage.server.table(seats=BOTS, start=True, pace=1, **at_table("0:As"))
    await page.goto(table["seatLink"])
    await Player(page).asked()
    await page.get_by_role("button", name="Menu").click()
    await page.get_by_label("Bots play").select_option("fast")
    await page.get_by_role("button", name="Close").click()
    await page.reload()
    await Player(page).asked()
    await page.get_by_role("button", name="Menu").click()
    await expect(page.get_by_label("Bots play")).to_have_value("fast")


# The service worker.


async def worker_of(page: Page) -> Any:
    """Whether a worker is at work, which files it keeps, and nothing of the API among them."""
    return await page.evaluate(
        """async () => {
            await navigator.serviceWorker.ready;
            const [name] = await caches.keys();
            return (await (await caches.open(name)).keys()).map(request => new URL(request.url).pathname);
        }"""
    )


async def test_the_worker_keeps_hashed_files_and_an_offline_page_but_nothing_of_the_api(stage: Stage) -> None:
    page = await stage.page(loses_connection=True)
    with serving("--service-worker") as server:
        table = server.table(seats=BOTS, start=True, **at_table("0:As"))
        await page.goto(table["seatLink"])
        await Player(page).asked()
        kept = await worker_of(page)
        assert "/offline.html" in kept
        assert any(path.startswith("/assets/") for path in kept)
        assert not [path for path in kept if path.startswith(("/api", "/ws")) or path in ("/", "/index.html")]
        await page.reload()
        await Player(page).asked()
        assert await page.evaluate("navigator.serviceWorker.controller !== null")
    await page.reload()
    await expect(page.get_by_text("Your seat and your cards are kept.")).to_be_visible()
    colour = await page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert colour == "rgb(22, 69, 58)"


async def test_a_server_that_wants_no_worker_removes_the_one_there_is(stage: Stage) -> None:
    page = await stage.page(loses_connection=True)
    with serving("--service-worker") as server:
        await page.goto(server.url)
        await worker_of(page)
        port = str(server.port)
    with serving("--port", port):
        await page.goto(server.url)
        await page.evaluate(
            """async () => {
                while (await navigator.serviceWorker.getRegistration() || (await caches.keys()).length)
                    await new Promise(resolve => setTimeout(resolve, 50));
            }"""
        )


class Shelf:
    """Stands where the server has its page, and holds another version when that is put there."""

    def __init__(self, folder: Path) -> None:
        self.page = StaticPage("", folder, has_worker=True)

    async def answer(self, request: Request) -> Response:
        return await self.page.answer(request)


async def test_a_new_version_takes_over_between_two_rounds_and_not_in_one(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folder = shutil.copytree(STATIC, tmp_path / "static")
    shelf = Shelf(folder)
    monkeypatch.setattr("tichu.server.app.Page", lambda *_, **__: shelf)
    page = await stage.page(loses_connection=True)
    async with served() as place:
        settings = {"position": _WON, "rules": "standard goal=rounds:1", "pace": 0.02}
        asked = {"name": "Ada", "seats": BOTS, "start": True, "settings": settings}
        table = (await place.http.post("/api/tables", json=asked)).json()
        await go_as_host(page, table)
        await Player(page).asked()
        await worker_of(page)
        await page.reload()
        await Player(page).asked()
        index = folder / "index.html"
        index.write_text(index.read_text().replace("<head>", '<head><meta name="second-version">'))
        shelf.page = StaticPage("", folder, has_worker=True)
        await page.evaluate(
            """async () => {
                const found = await navigator.serviceWorker.getRegistration();
                await found.update();
                while (!found.waiting) await new Promise(resolve => setTimeout(resolve, 50));
                found.waiting.postMessage('take over');
                const { held } = await navigator.locks.query();
                if (!held.some(one => one.name === 'tichu-round')) throw new Error('nothing holds the page');
            }"""
        )
        second = page.locator('meta[name="second-version"]')
        await expect(second).to_have_count(0)
        await play_last_card(Player(page))
        await expect(second).to_have_count(1, timeout=20_000)
        await expect(page.get_by_role("dialog")).to_contain_text("You have won!")


async def test_on_an_origin_that_is_not_secure_everything_works_without(stage: Stage) -> None:
    page = await stage.page(loses_connection=True)
    with serving("--service-worker") as server:
        table = server.table(seats=BOTS, start=True, **at_table("0:As"))
        await page.goto(table["seatLink"].replace("127.0.0.1", NAME))
        player = Player(page)
        await player.asked()
        assert not await page.evaluate("'serviceWorker' in navigator")
        await expect(page).to_have_title("● Your turn · Tichu")
