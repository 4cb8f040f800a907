"""Training needs torch, which is too large for everybody's test environment; ``.ci/run`` brings it."""

import itertools
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace

import pytest

collect_ignore: list[str] = []

if find_spec("torch") is None:
    here = Path(__file__).parent
    texts = {path.name: path.read_text(encoding="utf-8") for path in here.glob("*.py")}
    collect_ignore += [name for name, text in texts.items() if "\nimport torch\n" in text]


def pytest_report_header() -> str | None:
    """Say what is not tested here."""
    if not collect_ignore:
        return None
    return f"without torch: {', '.join(sorted(collect_ignore))} of tests/training are left to those who have it"


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whenever a command reads it, a second has passed."""
    monkeypatch.setattr("training.train.time", SimpleNamespace(perf_counter=itertools.count().__next__))
