"""Whole rounds, played through the page."""

from tests.web.conftest import Stage
from tests.web.player import Finger


async def test_a_round_against_bots_on_a_small_touch_screen(stage: Stage) -> None:
    page = await stage.page(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    table = stage.server.table(seats=("you", "heuristic", "heuristic", "heuristic"), start=True)
    await page.goto(table["seatLink"])
    player = Finger(page)
    await player.play_round()
    assert await player.sheet.get_by_role("row").count() >= 2
