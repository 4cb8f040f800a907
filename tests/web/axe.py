"""What a screen reader, or somebody who needs contrast, would stumble over."""

from pathlib import Path
from typing import Any, Final

import pytest
from playwright.async_api import Page

from tests.conftest import CI

__all__ = ["check"]

_AXE: Final = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"


async def check(page: Page, place: str) -> None:
    """Axe finds nothing."""
    if not _AXE.is_file():
        if CI:
            pytest.fail("axe-core is not installed; make page installs it")
        pytest.skip("axe-core is not installed; make page installs it")
    await page.add_script_tag(path=_AXE)
    found: dict[str, Any] = await page.evaluate("axe.run({resultTypes: ['violations']})")
    assert found["passes"], "axe has looked at nothing"
    faults = [
        f"{fault['impact']} {fault['id']}: {node['html']} {node['failureSummary']}"
        for fault in found["violations"]
        for node in fault["nodes"]
    ]
    assert not faults, f"{place}:\n" + "\n".join(faults)
