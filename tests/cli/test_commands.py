"""The commands for rules, positions and records: what they print, and one line for everything that is wrong."""

import json
import subprocess
import sys
from pathlib import Path
from random import Random

import click
import pytest
from click.testing import CliRunner, Result

from tichu import (
    Game,
    Record,
    RoundRecord,
    Rules,
    format_jsonl,
    format_record,
    parse_record,
    read_games,
    shuffled_deal,
)
from tichu.agents.registry import AGENTS, LEVELS
from tichu.cli import main
from tichu.core.record import Reading

POSITION = "9s/2s2b2g2r3s/Kb/4s p2 0:As 90/0/0/0 - ---- - -/-/-/-"


def tichu(*arguments: str | Path) -> Result:
    result = CliRunner().invoke(main, [str(argument) for argument in arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def refused(*arguments: str | Path) -> str:
    """The one line of an error in what the command line names."""
    result = tichu(*arguments)
    assert result.exit_code == 1
    assert result.stdout == ""
    (line,) = result.stderr.splitlines()
    return line


def misread(*arguments: str | Path) -> str:
    """The last line, of an error in the command line itself; before it stands how the command is used."""
    result = tichu(*arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    usage, hint, _, line = result.stderr.splitlines()
    assert usage.startswith("Usage: ")
    assert hint.endswith("--help' for help.")
    return line


def game(rounds: int, rules: str = "brettspielwelt") -> Record:
    """A game of random rounds."""
    played = []
    rng = Random(4)
    for _ in range(rounds):
        one = Game.start(shuffled_deal(rng), Rules.parse(rules))
        while not one.round.is_over:
            seat = one.round.pending[0]
            one = one.after(seat, one.view(seat).legal().draw(rng))
        played.append(RoundRecord(one.deal, one.actions, one.round.outcome.score))
    return Record(Rules.parse(rules), tuple(played), ("Ada", "Ben", "Cho", "Dov"))


def test_version_and_help() -> None:
    assert tichu("--version").stdout.startswith("tichu, version 0.")
    module = subprocess.run([sys.executable, "-m", "tichu", "--version"], capture_output=True, text=True, check=True)
    assert module.stdout == tichu("--version").stdout
    for command in main.list_commands(click.Context(main)):
        assert tichu(command, "--help").exit_code == 0


def test_rules_shows_the_presets_and_one_rule_set() -> None:
    table = tichu("rules").stdout.splitlines()
    assert table[0].split() == ["standard", "classic", "courtesy", "single-round", "simple", "brettspielwelt"]
    assert [line.split()[0] for line in table[1:]][:3] == ["direction", "goal", "grand"]
    one = tichu("rules", "standard", "bombs=in-turn", "goal=target:500").stdout.splitlines()
    assert one[0] == "standard goal=target:500 bombs=in-turn"
    assert any(line.split()[:2] == ["bombs", "in-turn"] for line in one)


def test_legal_lists_the_lowest_pending_seat_or_a_given_one() -> None:
    assert tichu("legal", POSITION).stdout.splitlines() == ["2:-"]
    assert tichu("legal", POSITION, "--seat", "1").stdout.splitlines() == ["1:2s2b2g2r"]
    assert tichu("legal", POSITION, "--seat", "1", "--rules", "standard bombs=in-turn").stdout == ""


def test_perft_counts_and_divides() -> None:
    assert tichu("perft", POSITION, "0").stdout == "1\n"
    total = tichu("perft", POSITION, "4").stdout
    divided = tichu("perft", POSITION, "4", "--divide").stdout.splitlines()
    assert divided[-1] == total.strip()
    assert sum(int(line.split()[1]) for line in divided[:-1]) == int(total)


@pytest.mark.parametrize(
    ("position", "place"),
    [
        ("9s/9s/Kb/4s p2 0:As 90/0/0/0 - ---- - -/-/-/-", "hands: 9s twice"),
        ("DrDr/9s/Kb/4s p2 0:As 90/0/0/0 - ---- - -/-/-/-", "hands: Dr twice in 'DrDr'"),
        ("2s2b2g2r3s3b3g3r4s4b4g4r5s5b5g/9s/Kb/6s p2 - 0/0/0/0 - ---- - -/-/-/-", "hands: seat 0 has 15 cards"),
        ("9s/2s/Kb/4s p2 - 80/0/0/0 - ---- - -/-/-/-", "points: 80 with an empty table, not 90"),
        ("9s", "a position has 8 fields, not 1"),
        ("", "a position has 8 fields, not 1"),
    ],
    ids=["card", "dragons", "fifteen", "points", "fields", "empty"],
)
def test_a_wrong_position_is_one_line_with_the_place(position: str, place: str) -> None:
    for command in (["legal", position], ["perft", position, "1"]):
        assert place in misread(*command)


def test_an_unknown_rule_field_is_named() -> None:
    assert "no rule field 'bomb'" in misread("legal", POSITION, "--rules", "standard bomb=ordered")
    assert "no preset 'tournament'" in misread("rules", "tournament")


def test_a_position_may_begin_with_an_empty_hand() -> None:
    position = "-/9s/Kb/4s p2 1:8s 90/0/0/0 - ---- 0 -/-/-/-"
    assert tichu("legal", position, "--seat", "2").stdout.splitlines() == ["2:Kb", "2:-"]
    assert tichu("perft", position, "1", "--rules", "standard").stdout == "2\n"


def test_a_position_may_begin_with_an_empty_hand_and_hold_an_option_letter() -> None:
    position = "-/Do3s/Ph4s/5s p1 - 90/0/0/30 - ---- 0 -/-/-/-"
    assert tichu("legal", position).stdout.splitlines() == ["1:Do", "1:3s"]
    assert tichu("legal", "--seat", "1", position).stdout.splitlines() == ["1:Do", "1:3s"]
    assert tichu("perft", position, "1").stdout == "2\n"
    assert tichu("perft", "--divide", position, "1").stdout.splitlines() == ["1:Do 1", "1:3s 1", "2"]
    assert "8 fields" in misread("legal", "-/h p1")
    assert "List the legal actions" in tichu("legal", "-h").stdout
    assert "Count the sequences" in tichu("perft", position, "1", "-h").stdout


@pytest.mark.parametrize("command", ["arena", "bot", "connect", "play"])
def test_help_names_every_bot(command: str) -> None:
    words = set(tichu(command, "--help").stdout.translate(str.maketrans(",();", "    ")).split())
    assert {*AGENTS, *LEVELS} <= words
    assert {"path/file.py:Class", "path/file.py:Class."} & words


def test_nobody_decides_after_the_end() -> None:
    assert "the round is over" in misread("legal", "-/-/-/5sKs e - 30/25/10/20 - TT-- 012 -/-/-/-")


@pytest.mark.parametrize("ending", [".ttn", ".tch", ".jsonl"])
def test_replay_and_convert_know_three_formats(tmp_path: Path, ending: str) -> None:
    source, there, back = tmp_path / "a.ttn", tmp_path / f"b{ending}", tmp_path / "c.ttn"
    record = game(2)
    source.write_text(format_record(record), encoding="utf-8")
    assert tichu("convert", source, there).exit_code == 0
    assert tichu("convert", there, back).exit_code == 0
    read = parse_record(back.read_text(encoding="utf-8"))
    assert [one.actions for one in read.rounds] == [one.actions for one in record.rounds]
    result = tichu("replay", there, "--json")
    assert result.exit_code == 0
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    assert [row["score"] for row in rows] == [list(one.score or ()) for one in record.rounds]
    assert [(row["file"], row["round"], row["ok"], row["complete"], row["error"]) for row in rows] == [
        (str(there), number, True, True, None) for number in range(2)
    ]


def test_the_good_rounds_around_a_bad_one_are_reported(tmp_path: Path) -> None:
    file = tmp_path / "game.ttn"
    blocks = format_record(game(4)).split("\n\n")
    blocks[2] = blocks[2].replace("deal ", "deal 9s", 1)
    blocks[3] = blocks[3][: blocks[3].rindex("=")] + "= 1 2"
    lines = blocks[4].splitlines()
    blocks[4] = "\n".join([*lines[:3], "0:2s2b", *lines[3:]])
    file.write_text("\n\n".join(blocks), encoding="utf-8")
    result = tichu("replay", file)
    assert result.exit_code == 1
    first, second, third, fourth = result.stdout.splitlines()
    assert first.startswith(f"{file} round 0: ok ")
    assert "round 1: error: line " in second
    assert "cards, not 8+6" in second
    assert "round 2: error: the score is " in third
    assert "round 3: error: action " in fourth
    assert "1 files, 4 rounds, 3 errors" in result.stderr


@pytest.mark.parametrize("cut", [0, 1, 40, 300, 900, 1500])
def test_a_truncated_log_is_an_error_and_the_rounds_before_it_are_not(tmp_path: Path, cut: int) -> None:
    whole, short = tmp_path / "a.ttn", tmp_path / "b.tch"
    whole.write_text(format_record(game(2)), encoding="utf-8")
    assert tichu("convert", whole, short).exit_code == 0
    data = short.read_bytes()
    second = data.index(b"Gr.Tichukarten", 40)
    short.write_bytes(data[: second + cut])
    result = tichu("replay", short)
    lines = result.stdout.splitlines()
    assert "round 0: ok" in lines[0]
    assert len(lines) == 2
    # A cut right behind a line leaves a round that was not finished, any other one that cannot be read.
    assert "error" in lines[1] or "unfinished" in lines[1]
    assert result.exit_code == int("error" in lines[1])


def test_what_is_no_game_is_one_line(tmp_path: Path) -> None:
    text, binary, empty, tags = (tmp_path / name for name in ("a.txt", "b.ttn", "c.jsonl", "d.ttn"))
    text.write_text("nothing")
    binary.write_bytes(bytes(range(256)))
    empty.write_text("")
    tags.write_text('[TTN "1"]\n[Rules "standard"]\n')
    result = tichu("replay", text, binary, empty, tags, tmp_path / "none.tch")
    assert result.exit_code == 1
    reasons = [
        "this is not a game in one of the formats .ttn, .jsonl, .tch",
        "line ",
        "the file is empty",
        "holds no round",
        "No such file",
    ]
    for line, reason in zip(result.stdout.splitlines(), reasons, strict=True):
        assert "error: " in line
        assert reason in line


def test_convert_says_what_it_cannot_do_and_keeps_the_old_file(tmp_path: Path) -> None:
    source, target = tmp_path / "a.ttn", tmp_path / "b.tch"
    source.write_text(format_record(game(1, "courtesy")), encoding="utf-8")
    target.write_text("precious")
    assert f"{target}: this file is there already; --force replaces it" in refused("convert", source, target)
    line = refused("convert", source, target, "--force")
    assert str(source) in line
    assert target.read_text() == "precious"
    assert "cannot write '.pgn', only .ttn, " in misread("convert", source, tmp_path / "a.pgn")
    assert "No such file" in refused("convert", tmp_path / "none.ttn", target, "--force")
    assert f"{tmp_path / 'none'}: there is no such folder" in refused("convert", source, tmp_path / "none" / "b.ttn")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.ttn", "b.tch"]


@pytest.mark.parametrize("packing", ["", ".gz", ".zst"])
def test_convert_takes_many_games_packed_or_not(tmp_path: Path, packing: str) -> None:
    folder = tmp_path / "games"
    folder.mkdir()
    one, two = game(1), game(2)
    (folder / "a.ttn").write_text(format_record(one) + format_record(two), encoding="utf-8")
    (folder / "b.jsonl").write_text(format_jsonl(one), encoding="utf-8")
    there, back = tmp_path / f"all.jsonl{packing}", tmp_path / "back.ttn"
    assert tichu("convert", folder, there).exit_code == 0
    assert tichu("convert", there, back).exit_code == 0
    assert back.read_text(encoding="utf-8") == format_record(one) + format_record(two) + format_record(one)
    printed = tichu("convert", there, "-", "--to", "ttn")
    assert printed.stdout == back.read_text(encoding="utf-8")
    # A log does not say where a game ends.
    assert tichu("convert", there, tmp_path / "all.tch").exit_code == 1


def test_convert_leaves_out_a_round_that_cannot_be_read_and_says_so(tmp_path: Path) -> None:
    source, target = tmp_path / "a.ttn", tmp_path / "b.jsonl"
    record = game(3)
    blocks = format_record(record).split("\n\n")
    blocks[2] = blocks[2].replace("deal ", "deal 9s", 1)
    source.write_text("\n\n".join(blocks), encoding="utf-8")
    result = tichu("convert", source, tmp_path / "missing.ttn", target)
    assert result.exit_code == 1
    first, second = result.stderr.splitlines()
    assert first.startswith(f"left out: {source} round 1: line ")
    assert second == f"left out: {tmp_path / 'missing.ttn'}: No such file or directory"
    (_, reading) = next(read_games(target))
    assert isinstance(reading, Reading)
    assert [one.actions for one in reading.record().rounds] == [record.rounds[at].actions for at in (0, 2)]


@pytest.mark.parametrize("command", [["stats", "-"], ["replay", "-"], ["convert", "-", "-", "--to", "ttn"]])
def test_a_closed_standard_input_is_told_in_a_sentence(command: list[str]) -> None:
    closed = "import os, runpy, sys; os.close(0); sys.stdin = None; runpy.run_module('tichu', run_name='__main__')"
    done = subprocess.run([sys.executable, "-c", closed, *command], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "standard input: it is closed, or no file" in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


def test_a_named_file_that_is_missing_is_no_success(tmp_path: Path) -> None:
    there = tmp_path / "a.ttn"
    there.write_text(format_record(game(1)), encoding="utf-8")
    result = tichu("stats", there, tmp_path / "missing.ttn", "--workers", "1")
    assert result.exit_code == 1
    assert "No such file" in result.stderr
    assert "people, 21 million rounds" in result.stdout


def test_json_lines_of_wrong_types_are_told_by_line(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    head, one = format_jsonl(game(1)).splitlines()
    wrong = [
        one.replace('"score": [', '"score": [true, ').replace("true, ", "true], [", 1)[:-1],
        json.dumps({**json.loads(one), "score": [1.5, 2]}),
        json.dumps({**json.loads(one), "actions": "0+G"}),
        json.dumps({**json.loads(one), "deal": ["Ma", 7]}),
        "[]",
        "nonsense",
    ]
    file.write_text("\n".join([head, *wrong, one]), encoding="utf-8")
    result = tichu("replay", file)
    assert result.exit_code == 1
    *errors, last = result.stdout.splitlines()
    assert [f"error: line {number}: " in line for number, line in enumerate(errors, start=2)] == [True] * len(wrong)
    assert ": ok " in last


def test_bench_says_how_to_get_what_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tichu.cli.bench.importlib.util.find_spec", lambda name: None)
    for name, words in (("native.rounds_per_s", "tichu[native]"), ("single", "tichu[envs]"), ("open", "[openspiel]")):
        assert words in refused("bench", name)


def test_bench_refuses_an_unknown_name() -> None:
    assert "no benchmark 'rockets'" in misread("bench", "rockets")
