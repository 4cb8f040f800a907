"""The positions of the page's lesson: each can be set up, and what the lesson asks for can be done."""

import json
from pathlib import Path
from typing import Any

import pytest

from tichu.core.actions import parse_action
from tichu.core.round import Round
from tichu.core.rules import Rules

_LESSON = Path(__file__).parents[2] / "web" / "src" / "lib" / "lesson.json"
_STEPS: list[dict[str, Any]] = json.loads(_LESSON.read_text(encoding="utf-8"))


@pytest.mark.parametrize("step", _STEPS, ids=[step["name"] for step in _STEPS])
def test_the_example_of_each_step_is_legal(step: dict[str, Any]) -> None:
    state = Round.from_position(step["position"], Rules.parse("standard goal=rounds:1"))
    for text in step["example"]:
        state = state.after(*parse_action(text))
    assert not state.is_over
    assert any(text.startswith("0") for text in step["example"])


def test_others_cannot_spoil_a_step() -> None:
    """Where the lesson waits for the trick to come home, nobody else can win it."""
    for step in (one for one in _STEPS if one["name"] in ("beat", "pass", "dragon")):
        state = Round.from_position(step["position"], Rules.parse("standard goal=rounds:1"))
        for text in step["example"]:
            seat, action = parse_action(text)
            if seat and text.endswith("-"):
                assert [str(legal) for legal in state.legal(seat)] == [":-"]
            state = state.after(seat, action)
