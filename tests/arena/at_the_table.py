"""What the tests of the arena share."""

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from tichu.arena.duel import Chunk, PlayedDeal, chunks, play_chunk
from tichu.arena.setup import Setup
from tichu.arena.teams import parse_team
from tichu.cli import main
from tichu.core.rules import Rules

#: There a missing extra is a failure.
CI = os.environ.get("CI") == "true"


def setup_of(a: str, b: str, rules: str = "standard", **options: Any) -> Setup:
    return Setup((parse_team(a), parse_team(b)), Rules.parse(rules), options.pop("seed", 7), **options)


def played(setup: Setup, deals: int) -> list[PlayedDeal]:
    return [one for numbers in chunks(setup, deals) for one in play_chunk(Chunk(setup, numbers))]


def without_times(value: Any) -> Any:
    """The JSON of a run, but for what differs from run to run."""
    if isinstance(value, dict):
        return {name: without_times(part) for name, part in value.items() if name != "ms_per_decision"}
    return [without_times(part) for part in value] if isinstance(value, list) else value


def arena(*words: object) -> Result:
    return CliRunner().invoke(main, ["arena", *map(str, words)])


def arena_json(*words: object) -> Any:
    result = arena(*words, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def bot_file(folder: Path, lines: Sequence[str], init: Sequence[str] = ()) -> str:
    """A bot in a file of its own: greedy, but for what ``lines`` do before each decision."""
    text = [
        "import os, sys, time",
        "from tichu.core.actions import TAKE",
        "from tichu.agents.greedy import GreedyAgent",
        "class Bot(GreedyAgent):",
        "    def __init__(self, seed=0):",
        "        super().__init__(seed)",
        "        self.asked = 0",
        *(f"        {line}" for line in init),
        "    def act(self, view, legal):",
        "        self.asked += 1",
        *(f"        {line}" for line in lines),
        "        return super().act(view, legal)",
    ]
    path = folder / "bot.py"
    path.write_text("\n".join(text) + "\n")
    return f"{path}:Bot"
