"""The benchmarks: what is fixed about them, and the command that evaluates."""

import hashlib
import json
from collections.abc import Iterator
from importlib.resources import files
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tichu.agents.registry import AGENTS
from tichu.arena import benchmark
from tichu.arena.benchmark import OPPONENTS, STEPS, VERSION, evaluate
from tichu.arena.series import play_series
from tichu.arena.teams import parse_team
from tichu.cli import main
from tichu.parallel import SerialPool

POLICY = """\
def first(observations, masks):
    return masks.argmax(axis=1)


def broken(observations, masks):
    return masks.argmin(axis=1)
"""


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tichu.cli.benchmark.OPPONENTS", ("greedy", "random"))
    monkeypatch.setattr(benchmark, "OPPONENTS", ("greedy", "random"))


def test_what_is_fixed() -> None:
    assert list(STEPS.values()) == [10**6, 10**8]
    assert (benchmark.DEALS, benchmark.SEED, str(benchmark.RULES)) == (1_000, 1_000_000, "standard")
    assert OPPONENTS == ("greedy", "heuristic", "learned")
    assert set(OPPONENTS) <= set(AGENTS)


def test_an_opponent_that_plays_otherwise_asks_for_another_version(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(benchmark, "OPPONENTS", ("greedy", "heuristic"))
    points = [over.points_per_round for over in evaluate(parse_team("random"), SerialPool(), deals=8)]
    weights = (files("tichu.agents.learned") / "champion.npz").read_bytes()
    known = (VERSION, points, hashlib.sha256(weights).hexdigest()[:12])
    assert known == (2, [-137.5, -217.5], "d044ebcf8a6b"), "raise VERSION and evaluate the baselines of the docs again"


def test_the_command_tells_every_bot_and_the_mean(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(POLICY)
    bot = f"{tmp_path}/bot.py:first"
    result = CliRunner().invoke(main, ["benchmark", bot, "greedy", "--deals", "2", "--workers", "1", "--json"])
    assert result.exit_code == 0, result.output
    told = json.loads(result.stdout)
    assert (told["benchmark"], told["rules"], told["deals"], told["seed"]) == (VERSION, "standard", 2, 1_000_000)
    first, second = told["bots"]
    assert [first["bot"], second["bot"]] == [bot, "greedy"]
    assert second["over"]["greedy"] == {"points_per_round": 0, "ci95": [0, 0], "faults": 0, "deals": 2}
    mean = (first["over"]["random"]["points_per_round"] + second["over"]["random"]["points_per_round"]) / 2
    assert told["spread"]["random"]["mean"] == mean


def test_the_command_tells_people_and_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    result = CliRunner().invoke(main, ["benchmark", "greedy", "random", "--deals", "1", "--workers", "1"])
    assert result.exit_code == 0, result.output
    assert "only a look: a result takes 1,000 deals" in result.stdout
    assert "mean of 2" in result.stdout
    monkeypatch.setattr("tichu.cli.benchmark.DEALS", 1)
    result = CliRunner().invoke(main, ["benchmark", "greedy", "--deals", "1", "--workers", "1", "--markdown"])
    assert result.stdout.startswith("| `greedy` | +0.0 (+0.0 to +0.0) | ")
    assert len(result.stdout.splitlines()) == 1


def test_a_bot_with_faults_has_no_result(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bot.py").write_text(POLICY)
    words = ["benchmark", f"{tmp_path}/bot.py:broken", "--deals", "1", "--workers", "1"]
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 1, result.output
    assert "faults: not a result" in result.stdout
    assert "no result, for faults: " in result.stderr
    monkeypatch.setattr("tichu.cli.benchmark.DEALS", 1)
    result = CliRunner().invoke(main, [*words, "greedy", "--markdown"])
    assert result.exit_code == 1
    (row,) = result.stdout.splitlines()
    assert row.startswith("| `greedy` | ")


def test_what_was_played_before_ctrl_c_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> object:
        yield benchmark.Over("greedy", 1.0, (0.0, 2.0), 0)
        raise KeyboardInterrupt

    CliRunner().invoke(main, ["benchmark", "--help"])
    monkeypatch.setattr("tichu.cli.benchmark.evaluate", interrupted)
    result = CliRunner().invoke(main, ["benchmark", "random", "--json"])
    assert result.exit_code == 130
    assert json.loads(result.stdout)["bots"][0]["over"]["greedy"]["points_per_round"] == 1.0


@pytest.mark.parametrize("options", [["--json"], [], ["--markdown"]])
def test_what_was_played_against_the_first_opponent_before_ctrl_c_is_told(
    monkeypatch: pytest.MonkeyPatch, options: list[str]
) -> None:
    whole = play_series

    def interrupted(*arguments: Any, **named: Any) -> Iterator[object]:
        yield from islice(whole(*arguments, **named), 3)
        raise KeyboardInterrupt

    monkeypatch.setattr(benchmark, "play_series", interrupted)
    result = CliRunner().invoke(main, ["benchmark", "random", "--workers", "1", *options])
    assert result.exit_code == 130
    if options == ["--json"]:
        told = json.loads(result.stdout)["bots"][0]["over"]
        assert (list(told), told["greedy"]["deals"]) == (["greedy"], 3)
    else:
        assert ("after 3 deals" in result.stdout) is not bool(options)
        assert (result.stdout == "") is bool(options)
