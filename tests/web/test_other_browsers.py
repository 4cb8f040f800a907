"""The walk in Firefox and in WebKit; ``python -m tests.web.other_browsers`` walks all of it in every language."""

import pytest

from tests.web.conftest import Stage, skip_if
from tests.web.drivers import BROWSERS, lacking
from tests.web.extent import IS_SHORT
from tests.web.other_browsers import faults_in


@pytest.mark.skipif(IS_SHORT, reason="no browser but Chromium is tried here; make browsers tries the others")
@pytest.mark.parametrize("browser", BROWSERS)
async def test_what_is_needed_can_be_reached_and_read_in_another_browser(stage: Stage, browser: str) -> None:
    skip_if(lacking(browser))
    assert await faults_in(browser, stage.server, "en", ["before"]) == []
