"""The measurement of the Dragon's gifts counts what there was."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from bench.dragon_gifts import main, other_is_better, rounds
from tests.games.make import GAMES
from tichu.analysis.precision import Budget
from tichu.core.actions import Take

SHORTEST = min(GAMES, key=lambda path: path.stat().st_size)
BUDGET = Budget(pilot=2, fewest=2, most=2, decisions=None)


def test_every_gift_that_left_a_choice_is_valued() -> None:
    tasks = list(rounds(SHORTEST, BUDGET))
    assert tasks[0][2] == (0, 0)
    counts = []
    for task in tasks:
        taken = [action for _, action in task[0].actions if isinstance(action, Take)]
        counts.append(sum(action.recipient is not None for action in taken))
        # To take a trick instead of throwing a bomb is not a gift.
        assert len(other_is_better(task)) == counts[-1] <= len(taken)
    assert sum(counts) == 3


def test_it_tells_how_many_rounds_there_were(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And not how many there might have been."""
    monkeypatch.setattr("bench.dragon_gifts.other_is_better", lambda task: [-8.0, -6.0])
    count = len(list(rounds(SHORTEST, BUDGET)))
    asked = CliRunner().invoke(main, [str(SHORTEST), "--rounds", "20000"])
    assert asked.exit_code == 0, asked.output
    [line] = asked.output.splitlines()
    assert re.fullmatch(rf"{count} rounds, {2 * count} gifts: the other opponent is worth -7.00 ± 0.00 points", line)
    [line] = CliRunner().invoke(main, [str(SHORTEST), "--rounds", "2"]).output.splitlines()
    assert line.startswith("2 rounds, 4 gifts: ")
