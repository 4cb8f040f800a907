"""Tables as Parquet files, by function and by command."""

import gzip
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pyarrow.parquet
import pytest
from click.testing import CliRunner, Result

from tests.games.make import GAMES
from tichu import GameError, read_games
from tichu.cli import main
from tichu.data import DecisionRow, export_games, game_tables, mean_by_game
from tichu.data.columns import TABLES
from tichu.data.habits import reference_habits
from tichu.data.jobs import map_games
from tichu.data.summary import habits_of, player_stats


def tichu(*arguments: str | Path, standard_input: bytes | None = None) -> Result:
    result = CliRunner().invoke(main, [str(argument) for argument in arguments], input=standard_input)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def test_the_files_hold_the_rows(tmp_path: Path) -> None:
    exported = export_games(GAMES[:3], tmp_path / "out")
    rows = [game_tables(str(path), reading, at) for at, path in enumerate(GAMES[:3]) for _, reading in read_games(path)]
    for name in TABLES:
        expected = [row._asdict() for tables in rows for row in getattr(tables, name)]
        assert pyarrow.parquet.read_table(tmp_path / "out" / f"{name}.parquet").to_pylist() == expected
        assert getattr(exported, name) == len(expected)
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == sorted(f"{name}.parquet" for name in TABLES)


def test_a_name_with_the_suffix_holds_the_decisions(tmp_path: Path) -> None:
    result = tichu("export", *GAMES[:2], tmp_path / "all.parquet", "--workers", "1")
    assert result.exit_code == 0
    names = ["all.decisions", "all.games", "all.rounds", "all.seats"]
    assert sorted(path.stem for path in tmp_path.iterdir()) == ["all", *names[1:]]
    decisions = duckdb.read_parquet(str(tmp_path / "all.parquet"))
    assert tuple(decisions.columns) == DecisionRow._fields


def test_the_one_bad_round_is_reported_and_the_rest_is_there(tmp_path: Path) -> None:
    result = tichu("export", GAMES[16], GAMES[58], tmp_path / "out", "--workers", "2", "--json")
    assert result.exit_code == 1
    told = json.loads(result.stdout)
    assert told["games"] == 2
    assert [(one["place"], one["round"], one["is_wrong"]) for one in told["skipped"]] == [
        (str(GAMES[16]), 4, False),
        (str(GAMES[58]), 3, True),
    ]
    assert result.stderr.splitlines()[0] == f"left out: {GAMES[58]} round 3: the score is 15 85, not 15 285"
    assert result.stderr.splitlines()[-1].endswith("left out: 1 wrong, 1 unfinished")


def test_what_is_there_is_not_replaced_without_a_word(tmp_path: Path) -> None:
    target = tmp_path / "all.parquet"
    target.write_text("precious")
    result = tichu("export", GAMES[0], target)
    assert result.exit_code == 1
    assert f"Error: {target}: this file is there already; --force replaces it" in result.stderr
    assert target.read_text() == "precious"
    assert tichu("export", GAMES[0], target, "--force", "--workers", "1").exit_code == 0
    assert pyarrow.parquet.read_table(target).num_rows > 0


def test_nothing_to_write_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "a.ttn").write_text("hello")
    result = tichu("export", tmp_path / "a.ttn", tmp_path / "none.ttn", tmp_path / "out", "--workers", "1")
    assert result.exit_code == 1
    *left_out, last = result.stderr.splitlines()
    not_there, not_a_game = sorted(left_out, key=len)
    assert not_there == f"left out: {tmp_path / 'none.ttn'}: No such file or directory"
    assert not_a_game.startswith(f"left out: {tmp_path / 'a.ttn'}: line 1: not a tag")
    assert last == "Error: no finished round in these games"
    assert list((tmp_path / "out").iterdir()) == []
    assert "no game in" in tichu("stats", tmp_path / "out").stderr


def test_an_interrupted_export_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*arguments: object) -> object:
        raise KeyboardInterrupt

    target = tmp_path / "all.parquet"
    target.write_text("precious")
    monkeypatch.setattr("tichu.data.export.map_games", interrupted)
    result = tichu("export", GAMES[0], target, "--force", "--workers", "1")
    assert result.exit_code == 130
    assert result.stderr == "interrupted: nothing was written\n"
    assert [path.name for path in tmp_path.iterdir()] == ["all.parquet"]
    assert target.read_text() == "precious"


def test_an_interrupted_export_keeps_the_games_so_far(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = map_games

    def interrupted(*arguments: Any) -> Iterator[object]:
        for number, part in enumerate(whole(*arguments)):
            if number == 1:
                raise KeyboardInterrupt
            yield part

    monkeypatch.setattr("tichu.data.export.map_games", interrupted)
    result = tichu("export", *GAMES[:17], tmp_path / "out", "--workers", "1")
    assert result.exit_code == 130
    assert result.stderr.splitlines()[-1] == "interrupted: what was read so far is in the tables"
    assert pyarrow.parquet.read_table(tmp_path / "out" / "games.parquet").num_rows == 16
    assert len(list((tmp_path / "out").iterdir())) == 4


def test_a_failure_at_the_end_mixes_no_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    export_games(GAMES[:1], tmp_path / "out")
    before = {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()}
    close = pyarrow.parquet.ParquetWriter.close

    def full(writer: Any) -> None:
        if "seats" in str(writer.where):
            raise OSError(28, "No space left on device")
        close(writer)

    monkeypatch.setattr("pyarrow.parquet.ParquetWriter.close", full)
    result = tichu("export", GAMES[1], tmp_path / "out", "--force", "--workers", "1")
    assert (result.exit_code, "No space left on device" in result.stderr) == (1, True)
    assert {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()} == before


def test_a_draft_that_cannot_be_begun_leaves_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = pyarrow.parquet.ParquetWriter

    def full(path: Path, *arguments: object, **options: object) -> object:
        if "seats" in str(path):
            raise OSError(28, "No space left on device")
        return whole(path, *arguments, **options)

    monkeypatch.setattr("pyarrow.parquet.ParquetWriter", full)
    with pytest.raises(OSError, match="No space"):
        export_games(GAMES[0], tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_one_path_is_one_file_and_not_its_characters(tmp_path: Path) -> None:
    assert export_games(str(GAMES[0]), tmp_path / "a").games == 1
    assert export_games(GAMES[0], tmp_path / "b").games == 1


def test_a_missing_file_beside_a_good_one_is_no_success(tmp_path: Path) -> None:
    for command, target in (("export", [tmp_path / "out"]), ("stats", [])):
        result = tichu(command, GAMES[0], tmp_path / "none.ttn", *target, "--workers", "1")
        assert result.exit_code == 1
        assert "No such file" in result.stderr
    assert pyarrow.parquet.read_table(tmp_path / "out" / "games.parquet").num_rows == 1


def test_without_pyarrow_one_line_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> object:
        raise ImportError(name)

    monkeypatch.setattr("tichu.data.export.import_module", missing)
    with pytest.raises(GameError, match=r"Parquet needs pyarrow: pip install 'tichu\[data\]'"):
        export_games(GAMES[:1], tmp_path / "out")


@pytest.mark.parametrize("workers", ["1", "2"])
def test_stats_do_not_depend_on_files_or_workers(tmp_path: Path, workers: str) -> None:
    one = tmp_path / "all.ttn.gz"
    one.write_bytes(gzip.compress(b"".join(path.read_bytes() for path in GAMES[:4])))
    for path in GAMES[:4]:
        shutil.copy(path, tmp_path / path.name)
    packed = tichu("stats", one, "--json", "--by", "seat", "--workers", workers)
    assert packed.exit_code == 0
    one.unlink()
    folder = tichu("stats", tmp_path, "--json", "--by", "seat")
    assert packed.stdout == folder.stdout
    rows = [json.loads(line) for line in packed.stdout.splitlines()]
    people, champion = (row for row in rows if row.get("reference"))
    assert people["key"].startswith("people")
    assert champion["key"].startswith("champion")
    rows = [row for row in rows if "reference" not in row]
    assert [row["key"] for row in rows] == [f"seat {seat}" for seat in range(4)]
    assert sum(row["difference"]["value"] for row in rows) == pytest.approx(0)


def test_stats_count_what_the_rows_say() -> None:
    readings = [reading for path in GAMES for _, reading in read_games(path)]
    tables = [game_tables("", reading, at) for at, reading in enumerate(readings)]
    counts = {key: count for one in tables for key, count in habits_of(one, "pair").items()}
    (pair_a, pair_b) = player_stats(counts)
    seats = [seat for one in tables for seat in one.seats]
    called = [seat for seat in seats if seat.call == "grand"]
    both = (pair_a.grand.value or 0) * pair_a.rounds + (pair_b.grand.value or 0) * pair_b.rounds
    assert round(both) == len(called)
    made = mean_by_game((seat.game, seat.made) for seat in called)
    assert made.value == sum(bool(seat.made) for seat in called) / len(called)
    assert made.error is not None
    assert 0.005 < made.error < 0.1


def test_the_table_of_stats_shows_people_and_the_champion_beside() -> None:
    result = tichu("stats", *GAMES[:3], "--by", "player", "--quiet", "--workers", "1")
    assert result.exit_code == 0
    assert result.stderr == ""
    lines = result.stdout.splitlines()
    assert len(lines) == 8
    assert lines[-3].startswith("people, 21 million rounds")
    assert lines[-2].startswith("people, 602 rounds")
    assert lines[-1].startswith("champion, ")
    # The Dog is a habit that the large count does not have.
    assert (lines[-3].count("%"), lines[-1].count("%")) == (3, 16)


def test_the_habits_of_people_are_those_of_the_games() -> None:
    people, champion = reference_habits()
    assert people["origin"] == "tests/games"
    assert champion["origin"]["made_by"].endswith("selfplay")
    assert champion["origin"]["seats"] == ["learned"] * 4
    tables = [game_tables("", reading, at) for at, path in enumerate(GAMES) for _, reading in read_games(path)]
    (line,) = player_stats({key: count for one in tables for key, count in habits_of(one, "all").items()})
    for name in line._fields[3:]:
        share = getattr(line, name)
        assert people[name] == pytest.approx({"value": share.value, "standard_error": share.error})


@pytest.mark.parametrize(
    ("target", "said"),
    [
        ("-", "four tables do not go to the standard output"),
        ("a.txt", "a.txt: tables are written as Parquet: name a folder or a file that ends in .parquet\n"),
        ("x.parquet.gz", "x.parquet.gz: Parquet is packed by itself: name a folder or a file that ends in .parquet\n"),
        ("a.csv", "DuckDB, polars and pandas make .csv of it"),
    ],
)
def test_a_name_that_means_something_else_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, target: str, said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    result = tichu("export", GAMES[0], target)
    assert result.exit_code == 2
    assert said in result.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("target", "said"),
    [
        ("notes", "this file is there already; tables go into a folder, or name a file that ends in .parquet"),
        ("game.ttn", "this file is there already; tables go into a folder, or name a file that ends in .parquet"),
        ("folder.parquet", "this is a folder; tables are files that end in .parquet"),
    ],
)
def test_tables_go_nowhere_else(tmp_path: Path, target: str, said: str) -> None:
    (tmp_path / "notes").write_text("precious")
    (tmp_path / "game.ttn").write_text("precious")
    (tmp_path / "folder.parquet").mkdir()
    result = tichu("export", GAMES[0], tmp_path / target, "--force", "--workers", "1")
    assert result.exit_code == 1
    assert result.stderr == f"Error: {tmp_path / target}: {said}\n"
    assert (tmp_path / "notes").read_text() == (tmp_path / "game.ttn").read_text() == "precious"
