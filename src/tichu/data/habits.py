"""What people and the champion do, to be put beside what was counted; ``tools/reference_habits.py`` counts it."""

import json
from functools import cache
from pathlib import Path
from typing import Any, Final

__all__ = ["FILE", "reference_habits"]

FILE: Final = Path(__file__).with_name("habits.json")


@cache
def reference_habits() -> tuple[dict[str, Any], ...]:
    """A line each for people and for the champion, as ``tichu stats --json`` prints them, and where they come from."""
    return tuple(json.loads(FILE.read_text(encoding="utf-8")))
