"""What everybody needs: their language, a page that a screen reader can read, a hand that stays where it is."""

import re
from typing import Any

import pytest
from playwright.async_api import Page, expect

from tests.web.axe import check
from tests.web.conftest import Stage
from tests.web.player import Player
from tests.web.positions import BOMB
from tests.web.sample_round import BOTS, at_table
from tests.web.visitor import LASTING

#: Two texts of each language, of the start page and of the table.
WORDS = {
    "en": ("Play now", "No, deal the rest"),
    "de": ("Sofort spielen", "Nein, weitergeben"),
    "ko": ("바로 시작", "아니요"),
}
#: Pages and their headings.
PAGES = {
    "": "Tichu",
    "new": "New table",
    "rules": "The rules of Tichu",
    "learn": "Get rid of your cards",
    "me": "Your results",
    "people": "People",
}
#: Everything that is written or read out on a page.
TEXTS = """() => [...document.querySelectorAll('*')].flatMap(node => [
    ...[...node.childNodes].filter(child => child.nodeType === Node.TEXT_NODE).map(child => child.data.trim()),
    node.ariaLabel, node.title, node.placeholder, node.alt]).filter(Boolean)"""
#: A key of a message that is missing, or a hole that was not filled.
UNSAID = re.compile(r"^[a-z]+(\.[A-Za-z0-9_]+)+$|\{\w+\}")


async def open_table(stage: Stage, page: Page, **settings: Any) -> Player:
    table = stage.server.table(seats=BOTS, start=True, **settings)
    await page.goto(table["seatLink"])
    return Player(page)


@pytest.mark.parametrize("language", WORDS)
async def test_a_language_is_complete(stage: Stage, language: str) -> None:
    page = await stage.page(locale=language)
    start, table = WORDS[language]
    await page.goto(stage.server.url)
    await page.get_by_text(start).first.wait_for()
    texts = await page.evaluate(TEXTS)
    for path in ("new", "rules", "learn", "me", "people"):
        await page.goto(stage.server.url + path)
        await page.get_by_role("heading", level=1).wait_for()
        texts += await page.evaluate(TEXTS)
    await open_table(stage, page)
    await page.get_by_text(table).first.wait_for()
    texts += await page.evaluate(TEXTS)
    assert await page.get_attribute("html", "lang") == language
    assert [text for text in texts if UNSAID.search(text)] == []


async def test_a_language_can_be_chosen_and_is_kept(stage: Stage) -> None:
    page = await stage.page()
    await page.goto(stage.server.url)
    await page.get_by_role("button", name="Settings").click()
    await page.get_by_role("combobox", name="Language").select_option("de")
    await expect(page.locator("html")).to_have_attribute("lang", "de")
    await page.reload()
    await page.get_by_text(WORDS["de"][0]).first.wait_for()
    assert await page.get_attribute("html", "lang") == "de"


#: The paper round the cloth by day and by night, and in high contrast.
DAY, NIGHT, CONTRAST = "rgb(239, 230, 210)", "rgb(20, 25, 26)", "rgb(0, 0, 0)"


@pytest.mark.parametrize(
    ("theme", "by_day", "by_night"),
    [("system", DAY, NIGHT), ("light", DAY, DAY), ("dark", NIGHT, NIGHT), ("contrast", CONTRAST, CONTRAST)],
)
async def test_a_chosen_theme_stands_above_the_system(stage: Stage, theme: str, by_day: str, by_night: str) -> None:
    page = await stage.page(settings={"theme": theme}, color_scheme="light")
    await page.goto(stage.server.url)
    await page.get_by_text(WORDS["en"][0]).first.wait_for()
    body = page.locator("body")
    await expect(body).to_have_css("background-color", by_day)
    await page.emulate_media(color_scheme="dark")
    await expect(body).to_have_css("background-color", by_night)


@pytest.mark.parametrize("theme", ["light", "dark", "contrast"])
@pytest.mark.parametrize("path", PAGES)
async def test_axe_finds_nothing_on_a_page(stage: Stage, path: str, theme: str) -> None:
    page = await stage.page(bypass_csp=True, settings={"theme": theme})
    await page.goto(stage.server.url + path)
    await page.get_by_role("heading", name=PAGES[path], level=1).wait_for()
    await check(page, path or "start")


PHONE, DESKTOP = {"width": 360, "height": 740}, {"width": 1280, "height": 800}


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
async def test_the_hand_stays_where_it_is_while_others_play(stage: Stage, size: dict[str, int]) -> None:
    page = await stage.page(viewport=size)
    await page.add_init_script(
        """
        window.seen = [], window.shifts = [];
        new PerformanceObserver(list => {
            for (const shift of list.getEntries())
                for (const source of shift.sources)
                    if (source.node?.parentElement?.closest('.hand')) shifts.push(source.node.outerHTML.slice(0, 200));
        }).observe({type: 'layout-shift', buffered: true});
        const look = () => {
            const cards = [...document.querySelectorAll('.hand [data-card]')];
            if (cards.length && cards.every(card => card.ariaPressed === 'false')) {
                const boxes = cards.map(card => {
                    const box = card.getBoundingClientRect();
                    return `${card.dataset.card} ${box.x} ${box.y} ${box.width}`;
                });
                seen.push([document.querySelector('[data-place].turn')?.dataset.place ?? '', boxes.join()]);
            }
            requestAnimationFrame(look);
        };
        look();
        """
    )
    # Slow enough that every turn is in some frame of a busy machine.
    player = await open_table(stage, page, pace=0.4)
    await player.answer(await player.asked())
    await player.answer(await player.asked())
    while await player.asked() == "play" and len(await player.cards()) > 9:
        await player.take_turn()
    seen: list[tuple[str, str]] = await page.evaluate("seen")
    places: dict[frozenset[str], set[str]] = {}
    turns: dict[frozenset[str], set[str]] = {}
    for turn, boxes in seen:
        if turn:
            cards = frozenset(re.findall(r"(?:^|,)(\w\w) ", boxes))
            places.setdefault(cards, set()).add(boxes)
            turns.setdefault(cards, set()).add(turn)
    assert any(len(others - {"0"}) == 3 for others in turns.values()), "nobody else has played"
    assert [boxes for boxes in places.values() if len(boxes) > 1] == []
    assert await page.evaluate("shifts") == []


@pytest.mark.parametrize(
    "size", [PHONE, {"width": 844, "height": 390}, DESKTOP], ids=["phone", "lying phone", "desktop"]
)
async def test_notices_lie_over_nobody_and_nothing(stage: Stage, size: dict[str, int]) -> None:
    page = await stage.page(viewport=size, settings={"language": "de"})
    await page.add_init_script(f"({LASTING})()")
    table = stage.server.table(seats=BOTS, start=True, casual=True, **at_table("0:As"))
    await page.goto(table["seatLink"])
    await expect(page.get_by_role("button", name="Tipp")).to_be_enabled()
    notice = page.locator(".cloth > .notice")
    for key, text in (("m", "Töne"), ("o", "Sortieren")):
        await page.keyboard.press(key)
        await expect(notice).to_contain_text(text)
        covered: list[str] = await page.evaluate(
            """() => {
                const boxes = what => [...document.querySelectorAll(what)].map(node => node.getBoundingClientRect());
                const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
                const others = ['.bar', '[data-place]', '.plays', '.caption', '.hand', '.main-row', '.chips'];
                return others.filter(selector =>
                    boxes('.notice span').some(notice => boxes(selector).some(box => meet(notice, box))));
            }"""
        )
        assert covered == []


async def test_what_lies_on_the_table_is_only_read_aloud(stage: Stage) -> None:
    page = await stage.page()
    # Nobody else holds a bomb, so that the page may take its time to load.
    await open_table(stage, page, position=BOMB)
    await page.get_by_role("button", name="Bomb", exact=True).click()
    await page.get_by_role("dialog").get_by_role("button", name=re.compile("straight flush")).click()
    await expect(page.get_by_role("log")).to_contain_text("straight flush")
    await expect(page.locator(".notice")).to_have_count(0)
