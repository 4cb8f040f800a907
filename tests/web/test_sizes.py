"""On every screen what is needed can be reached and read; ``python -m tests.web.sizes --all`` walks all of them.

In CI each part is walked in one of the languages, and with ``THOROUGH=1`` in all of them.
"""

from itertools import cycle

import pytest
from playwright.async_api import expect

from tests.web.conftest import Stage
from tests.web.extent import choose
from tests.web.situations import PARTS
from tests.web.sizes import Screen, walk

#: A language for each pair of screens, so that the walk stays short: the whole of it is one command.
SAMPLE = {
    "en": (Screen(375, 553), Screen(1280, 633), Screen(320, 320)),
    "de": (
        *(Screen(600, 360), Screen(320, 568, 130), Screen(390, 844)),
        # Long words in the widest type: beside two cards, in the narrowest row of buttons, between both of these.
        *(Screen(340, 700, 130), Screen(568, 320, 130), Screen(1000, 500, 130)),
        # A window in which the buttons have a row of their own.
        Screen(770, 500),
    ),
    "ko": (Screen(844, 390), Screen(360, 572), Screen(1024, 600, 130)),
}
ALL = [(language, part) for language in SAMPLE for part in PARTS]
SOME = sorted({*zip(cycle(SAMPLE), PARTS, strict=False), ("en", "play"), ("ko", "before"), ("de", "names")})
FEW = [("en", "before"), ("en", "play"), ("de", "before"), ("ko", "play")]


@pytest.mark.parametrize(("language", "part"), choose(FEW, SOME, ALL))
async def test_what_is_needed_can_be_reached_and_read(stage: Stage, language: str, part: str) -> None:
    faults = await walk(stage.browser, stage.server, language, SAMPLE[language], [part])
    assert faults == []


async def test_a_screen_below_the_promise_is_told_so(stage: Stage) -> None:
    page = await stage.page(viewport={"width": 319, "height": 480})
    table = stage.server.table(seats=("you", "heuristic", "heuristic", "heuristic"), start=True)
    await page.goto(table["seatLink"])
    sentence = page.get_by_text("This screen is too small for the table")
    await expect(sentence).to_be_visible()
    await page.set_viewport_size({"width": 320, "height": 320})
    await expect(sentence).to_be_hidden()
