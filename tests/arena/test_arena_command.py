"""``tichu arena`` as its users see it."""

import errno
import json
import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tests.arena.at_the_table import CI, arena, arena_json, bot_file, without_times
from tichu.arena.series import KILLED
from tichu.arena.teams import parse_team
from tichu.arena.tournament import plan
from tichu.cli import main
from tichu.core.errors import GameError
from tichu.core.record import parse_record
from tichu.core.rules import STANDARD

QUICK = ("--deals", 6, "--seed", 5, "--workers", 1)


def test_json_has_the_promised_fields() -> None:
    told = arena_json("greedy", "random", *QUICK)
    assert (told["a"], told["b"], told["deals"], told["rounds"]) == ("greedy", "random", 6, 12)
    low, high = told["ci95"]
    assert low <= told["points_per_round"] <= high
    assert 0 <= told["match_wins"] <= 1
    assert told["calls"]["a"]["tichu"] == {"per_round": 0.0, "made": None}
    assert told["calls"]["people"]["grand"] == {"per_round": 0.313, "made": 0.618}
    assert 0 < told["ms_per_decision"]["a"]["median"] <= told["ms_per_decision"]["a"]["p99"]
    assert told["faults"]["b"] == {"illegal": 0, "late": 0, "crashed": 0}
    assert told["rules"] == "standard bombs=ordered"
    assert told["until"] is None


@pytest.mark.parametrize("more", [[], ["--matches", "--rules", "standard goal=target:300"], ["--until", "0:400"]])
def test_the_result_does_not_depend_on_the_number_of_workers(more: list[str]) -> None:
    run = ("heuristic+random", "greedy", "--deals", 35 if more[:1] == ["--until"] else 6, "--seed", 9, *more)
    one, two = (without_times(arena_json(*run, "--workers", number)) for number in (1, 2))
    assert one == two


def test_whole_matches_are_counted_and_have_an_interval() -> None:
    told = arena_json("greedy", "random", "--matches", "--rules", "standard goal=target:300", *QUICK)
    assert told["matches"] == 12
    assert told["match_wins_estimated"] is False
    low, high = told["match_wins_ci95"]
    assert 0 <= low <= told["match_wins"] <= high <= 1


def test_too_few_rounds_for_a_match_say_nothing_of_matches() -> None:
    told = arena_json("greedy", "random", "--deals", 1, "--workers", 1)
    assert told["match_wins"] is None
    assert "too few rounds" in arena("greedy", "random", "--deals", 1, "--workers", 1).stdout


def test_the_run_stops_when_the_answer_is_clear() -> None:
    told = arena_json("greedy", "random", "--deals", 500, "--until", "0:40", "--workers", 1)
    assert told["until"]["answer"] == "high"
    assert 30 <= told["deals"] < 100


def test_the_report_stands_beside_what_people_do() -> None:
    result = arena("heuristic+random", "greedy", *QUICK)
    assert result.exit_code == 0
    text = " ".join(result.stdout.split())
    for words in (
        "A heuristic+random against B greedy",
        "6 deals, each played twice",
        "points a round, A over B",
        "A heuristic A random B greedy table people",
        "61.8 %",
        "56.0",
        "ms a decision: median",
        "late answers 0 0 0",
    ):
        assert words in text


def test_faults_are_in_the_report(tmp_path: Path) -> None:
    bot = bot_file(tmp_path, ["raise ValueError('no idea')"])
    told = arena_json(bot, "random", *QUICK)
    assert told["faults"]["a"]["crashed"] > 0
    assert told["players"][0]["faults"] == told["faults"]["a"]
    assert told["players"][0]["first_fault"].startswith("crashed: ValueError: no idea")
    assert f"A {bot}, first fault: crashed: ValueError: no idea" in arena(bot, "random", *QUICK).stdout


def test_a_bot_that_takes_its_process_down_is_named_as_the_reason(tmp_path: Path) -> None:
    result = arena(bot_file(tmp_path, ["os._exit(3)"]), "random", "--deals", 2, "--workers", 2)
    assert result.exit_code == 1
    assert "as process:CMD it would only lose its decisions" in result.stderr


def test_what_was_played_before_a_process_went_down_is_told(tmp_path: Path) -> None:
    # The 401st decision takes its process along.
    mark = tmp_path / "mark"
    lines = [
        f"with open({str(mark)!r}, 'a') as file: file.write('x')",
        f"if os.path.getsize({str(mark)!r}) > 400: os._exit(3)",
    ]
    result = arena(bot_file(tmp_path, lines), "random", "--deals", 300, "--workers", 2, "--json")
    assert result.exit_code == 1
    told = json.loads(result.stdout)
    assert 0 < told["deals"] < 300
    assert result.stderr.splitlines()[-2:] == [f"interrupted after {told['deals']} deals", f"Error: {KILLED}"]


def test_what_was_played_before_the_disk_was_full_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write = Path.write_text

    def write_text(path: Path, *rest: Any, **options: Any) -> int:
        if "deal-00003" in path.name:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return write(path, *rest, **options)

    monkeypatch.setattr(Path, "write_text", write_text)
    result = arena("greedy", "random", *QUICK, "--records", tmp_path)
    assert result.exit_code == 1
    assert "3 deals, each played twice" in result.stdout
    assert re.search(
        r"interrupted after 3 deals\nError: .*deal-00003-.*\.ttn: No space left on device\n$", result.stderr
    )


def test_a_picture_that_fails_does_not_take_the_report_along(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "a.png")

    # The command hides its module.
    module = sys.modules["tichu.cli.arena"]
    monkeypatch.setattr(module, "check_plot", lambda _: None)
    monkeypatch.setattr(module, "plot_duel", fail)
    result = arena("greedy", "random", *QUICK, "--plot", tmp_path / "a.png", "--json")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["deals"] == 6
    assert result.stderr.endswith("Error: a.png: No space left on device\n")


@pytest.mark.parametrize("workers", [1, 2])
def test_bots_that_print_and_cannot_go_do_not_spoil_the_report(tmp_path: Path, workers: int) -> None:
    bot = bot_file(tmp_path, ["print('hm')"], ["print('hello')", "self.close = sys.exit"])
    run = ("random", "--deals", 2, "--workers", workers, "--json")
    command = [sys.executable, "-c", "from tichu.cli import main; main()", "arena", bot, *map(str, run)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0
    assert json.loads(done.stdout)["faults"]["a"]["crashed"] == 0
    assert "hm" in done.stderr


def test_pairs_that_look_alike_have_records_of_their_own(tmp_path: Path) -> None:
    bots = []
    for name in ("a" * 60, "b" * 60):
        (tmp_path / name / ("x" * 40)).mkdir(parents=True)
        bots.append(bot_file(tmp_path / name / ("x" * 40), []))
    arena_json(*bots, "random", "--deals", 2, "--workers", 1, "--records", tmp_path / "records")
    names = sorted(path.name for path in (tmp_path / "records").iterdir())
    assert len(names) == 3 * 2 * 2
    assert {name[:12] for name in names} == {"pair-1-deal-", "pair-2-deal-", "pair-3-deal-"}


def test_a_round_robin_rates_all_on_the_same_deals() -> None:
    told = arena_json("random", "greedy", "heuristic", *QUICK)
    assert [rating["team"] for rating in told["ratings"]] == ["heuristic", "greedy", "random"]
    assert sum(rating["points_per_round"] for rating in told["ratings"]) == pytest.approx(0)
    alone = arena_json("random", "heuristic", *QUICK)
    assert without_times(told["pairs"][1]) == without_times(alone)
    by_pair = {(pair["a"], pair["b"]): pair["points_per_round"] for pair in told["pairs"]}
    assert told["ratings"][0]["points_per_round"] == pytest.approx(
        -(by_pair["random", "heuristic"] + by_pair["greedy", "heuristic"]) / 3
    )
    for rating in told["ratings"]:
        assert rating["ci95"][0] <= rating["points_per_round"] <= rating["ci95"][1]
    assert "ratings in points a round" in arena("random", "greedy", "heuristic", *QUICK).stdout


def test_records_have_telling_names_and_hold(tmp_path: Path) -> None:
    arena_json("greedy+random", "random", "--records", tmp_path / "new" / "records", *QUICK)
    paths = sorted((tmp_path / "new" / "records").iterdir())
    assert [path.name for path in paths[:2]] == [
        "deal-00000-leg-1-greedy+random-against-random.ttn",
        "deal-00000-leg-2-random-against-greedy+random.ttn",
    ]
    assert parse_record(paths[1].read_text()).seats == ("random", "greedy", "random", "random")
    replayed = CliRunner().invoke(main, ["replay", *map(str, paths)])
    assert replayed.exit_code == 0
    assert "12 files, 12 rounds, 0 errors" in replayed.stderr


def test_a_match_is_one_record(tmp_path: Path) -> None:
    rules = "standard goal=target:300"
    told = arena_json("greedy", "random", "--matches", "--rules", rules, "--records", tmp_path, *QUICK)
    records = [parse_record(path.read_text()) for path in tmp_path.glob("match-*-leg-*.ttn")]
    assert len(records) == 12
    assert sum(len(record.rounds) for record in records) == told["rounds"]
    assert CliRunner().invoke(main, ["replay", *map(str, tmp_path.iterdir())]).exit_code == 0


@pytest.mark.parametrize("name", ["duel.png", "robin.svg"])
def test_a_picture_is_drawn(tmp_path: Path, name: str) -> None:
    if find_spec("matplotlib") is None and not CI:
        pytest.skip("matplotlib is not installed")
    bots = ("greedy", "random") if name.startswith("duel") else ("greedy", "random", "heuristic")
    arena_json(*bots, "--plot", tmp_path / name, *QUICK)
    assert (tmp_path / name).stat().st_size > 5000


def test_the_course_of_a_long_run_is_told_in_ten_lines() -> None:
    lines = arena("greedy", "random", "--deals", 30, "--workers", 1).stderr.splitlines()
    assert len(lines) == 10
    assert lines[-1].startswith("30 of 30 deals; greedy over random +")


@pytest.mark.parametrize(
    ("words", "fact"),
    [
        (["random", "random", "--records", "{file}"], "this file is there already; records go into a folder"),
        (["random", "random", "--records", "{file}/records"], "Not a directory"),
        (["random", "random", "--resume", "{folder}"], "Is a directory"),
        (["random", "random", "--plot", "{folder}/a.bmpx"], "'.bmpx'"),
        (["random", "random", "--plot", "{folder}/no/a.png"], "there is no folder"),
        (["random", "random", "--plot", "{folder}/folder.png"], "folder.png is a folder"),
        (["random", "random", "--ray", "127.0.0.1:9"], "no Ray cluster"),
    ],
)
def test_a_mistake_is_one_line_and_exit_status_1(tmp_path: Path, words: list[str], fact: str) -> None:
    file = tmp_path / "file"
    file.touch()
    (tmp_path / "folder.png").mkdir()
    result = arena(*(word.format(file=file, folder=tmp_path) for word in words))
    assert result.exit_code == 1
    assert result.stdout == ""
    assert fact in result.stderr
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("time", ["0", "-1", "inf", "-inf", "nan", "1e300", "0.5"])
def test_a_time_can_be_kept(time: str) -> None:
    result = arena("random", "random", "--time", time)
    assert result.exit_code == 2
    assert f"Invalid value for '--time': {float(time)} is " in result.stderr
    with pytest.raises(GameError, match="from 1 ms to a day"):
        plan([*map(parse_team, ("random", "greedy"))], 1, rules=STANDARD, seed=0, decision_ms=float(time))


def test_a_folder_that_is_closed_to_us_is_told_before_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Nothing is closed to root, who may be running this.
    monkeypatch.setattr(os, "access", lambda *_: False)
    result = arena("random", "random", "--records", tmp_path)
    assert result.exit_code == 1
    assert result.stderr == f"Error: {tmp_path}: Permission denied\n"
    result = arena("random", "random", "--plot", tmp_path / "a.png")
    assert result.exit_code == 1
    assert result.stderr == f"Error: {tmp_path / 'a.png'} cannot be written\n"
