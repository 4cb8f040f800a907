"""Axe finds nothing on any screen, by day, by night and in high contrast.

Each part of the walk has one of the themes in CI; ``THOROUGH=1`` tries all of them.
"""

from itertools import cycle

import pytest

from tests.web.axe import check
from tests.web.conftest import Stage
from tests.web.extent import choose
from tests.web.situations import PARTS
from tests.web.visitor import Visitor

PHONE, DESKTOP = {"width": 360, "height": 740}, {"width": 1280, "height": 800}


LOOKS = (("light", PHONE), ("dark", DESKTOP), ("contrast", DESKTOP))
ALL = [(theme, size, part) for theme, size in LOOKS for part in PARTS]
SOME = [(theme, size, part) for (theme, size), part in zip(cycle(LOOKS), PARTS, strict=False)]


@pytest.mark.parametrize(("theme", "size", "part"), choose(SOME[:2], SOME, ALL))
async def test_axe_finds_nothing(stage: Stage, theme: str, size: dict[str, int], part: str) -> None:
    page = await stage.page(
        loses_connection=True,
        is_refused=True,
        bypass_csp=True,
        viewport=size,
        settings={"theme": theme, "name": "Ada"},
    )
    seen = 0
    async for situation in PARTS[part](Visitor(page, stage.server, "en")):
        await check(page, situation.name)
        seen += 1
    assert seen
