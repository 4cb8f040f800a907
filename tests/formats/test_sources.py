"""Many games in one file, packed files, folders and the standard input."""

import gzip
import io
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import zstandard

from tests.games.make import GAMES
from tichu import NotationError, format_jsonl, format_record, read_game, read_games
from tichu.formats import sources
from tichu.formats.bsw import format_tch
from tichu.formats.sources import find_files, game_texts, whole_text

RECORDS = [read_game(path).record() for path in GAMES[:3]]
WRITERS = {".ttn": format_record, ".jsonl": format_jsonl, ".tch": format_tch}


@pytest.fixture(autouse=True, params=["zstandard", "compression.zstd"])
def zstd(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """What unpacks .zst, whatever this Python has."""

    def choose(name: str) -> object:
        if name != request.param:
            raise ImportError(name)
        if name == "zstandard":
            return zstandard
        return SimpleNamespace(ZstdFile=lambda path: sources._ZstdReader(path, zstandard.ZstdDecompressor()))

    monkeypatch.setattr(sources, "import_module", choose)


def many(suffix: str) -> str:
    return "".join(WRITERS[suffix](record) for record in RECORDS)


@pytest.mark.parametrize("suffix", WRITERS)
@pytest.mark.parametrize("name", ["games{}", "games"])
def test_the_games_of_a_file_come_one_by_one(tmp_path: Path, suffix: str, name: str) -> None:
    path = tmp_path / name.format(suffix)
    path.write_text(many(suffix), newline="")
    games = list(read_games(path))
    assert [place for place, _ in games] == [f"{path} game {number}" for number in range(3)]
    for (_, reading), record in zip(games, RECORDS, strict=True):
        assert not isinstance(reading, NotationError)
        assert reading.record().rounds == record.rounds


@pytest.mark.parametrize("suffix", WRITERS)
def test_one_game_is_called_by_its_file(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"game{suffix}"
    path.write_text(WRITERS[suffix](RECORDS[0]), newline="")
    ((place, reading),) = read_games(path)
    assert place == str(path)
    assert not isinstance(reading, NotationError)
    assert reading.rounds == read_game(path).rounds


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"], ids=["plain", "byte order mark"])
@pytest.mark.parametrize(
    ("suffix", "pack"), [("", bytes), (".gz", gzip.compress), (".zst", zstandard.compress)], ids=["", "gz", "zst"]
)
def test_packed_files_and_byte_order_marks(tmp_path: Path, suffix: str, pack: Any, mark: bytes) -> None:
    path = tmp_path / f"games.ttn{suffix}"
    path.write_bytes(pack(mark + many(".ttn").encode()))
    assert len(list(read_games(path))) == 3
    path.write_bytes(pack(mark + format_record(RECORDS[1]).encode()))
    assert read_game(path).record() == RECORDS[1]


@pytest.mark.parametrize(("suffix", "pack"), [(".gz", gzip.compress), (".zst", zstandard.compress)])
@pytest.mark.parametrize(
    "damage", [lambda data: data[: len(data) // 2], lambda data: b"not packed"], ids=["cut", "other"]
)
def test_a_damaged_file_is_an_error_with_its_path(tmp_path: Path, suffix: str, pack: Any, damage: Any) -> None:
    path = tmp_path / f"games.ttn{suffix}"
    path.write_bytes(damage(pack(many(".ttn").encode())))
    with pytest.raises(NotationError) as error:
        list(read_games(path))
    assert str(error.value).startswith(f"{path}: the file is damaged: ")


def test_a_zst_file_of_several_frames(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "games.ttn.zst"
    packed = [zstandard.compress(format_record(record).encode()) for record in RECORDS]
    path.write_bytes(b"".join(packed))
    assert len(list(read_games(path))) == 3
    # Also where a frame ends with what is read at once.
    monkeypatch.setattr(sources, "_CHUNK", len(packed[0]))
    assert len(list(read_games(path))) == 3
    path.write_bytes(b"")
    with pytest.raises(NotationError, match="the file is damaged: it ends too early"):
        list(read_games(path))


def test_a_zst_file_without_its_library_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> object:
        raise ImportError(name)

    monkeypatch.setattr(sources, "import_module", missing)
    path = tmp_path / "games.ttn.zst"
    path.write_bytes(b"")
    with pytest.raises(NotationError, match=r"games\.ttn\.zst: \.zst needs .*pip install 'tichu\[data\]'"):
        list(read_games(path))


def test_other_errors_of_reading_are_not_hidden(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        list(read_games(tmp_path / "none.ttn"))
    with pytest.raises(IsADirectoryError):
        list(read_games(tmp_path))


def test_an_error_while_a_file_is_read_is_not_hidden(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken(io.RawIOBase):
        def readable(self) -> bool:
            return True

        def readinto(self, buffer: object) -> int:
            raise OSError(5, "Input/output error")

    monkeypatch.setattr(sources, "_open", lambda path: io.TextIOWrapper(io.BufferedReader(Broken())))
    with pytest.raises(OSError, match="Input/output error"):
        list(game_texts(tmp_path / "a.ttn"))


def test_one_bad_head_costs_one_game_and_errors_count_the_lines_of_the_file(tmp_path: Path) -> None:
    first, second, third = (format_record(record) for record in RECORDS)
    second = second.replace('[Rules "brettspielwelt"]', "[Rules]")
    third = third.replace("deal ", "deal 9s", 1)
    path = tmp_path / "games.ttn"
    path.write_text(first + second + third)
    lines = path.read_text().split("\n")
    (_, one), (_, two), (_, three) = read_games(path)
    assert not isinstance(one, NotationError)
    assert isinstance(two, NotationError)
    assert str(two).startswith(f"line {lines.index('[Rules]') + 1}: not a tag")
    assert not isinstance(three, NotationError)
    wrong = next(number for number, line in enumerate(lines, start=1) if line.startswith("deal 9s"))
    assert str(three.rounds[0]).startswith(f"line {wrong}: ")
    assert three.rounds[1:] == RECORDS[2].rounds[1:]


def test_notes_of_a_later_game_count_the_lines_of_the_file(tmp_path: Path) -> None:
    log = format_tch(RECORDS[1])
    lines = log.split("\n")
    at = next(number for number, line in enumerate(lines) if line.startswith("Ergebnis"))
    path = tmp_path / "games.tch"
    # A wish after the end of a round is told and left out.
    path.write_text(format_tch(RECORDS[0]) + "\n".join([*lines[:at], "Wunsch:5", *lines[at:]]))
    *_, (_, reading) = read_games(path)
    assert not isinstance(reading, NotationError)
    assert any(f"line {len(format_tch(RECORDS[0]).splitlines()) + at + 1}: " in note for note in reading.notes)


def test_where_one_game_is_wanted_several_are_an_error(tmp_path: Path) -> None:
    path = tmp_path / "games.ttn"
    path.write_text(many(".ttn"))
    with pytest.raises(NotationError, match=r"games\.ttn: 3 games in one file, where one is wanted"):
        read_game(path)


def test_a_log_is_one_game_to_who_wants_one(tmp_path: Path) -> None:
    path = tmp_path / "games.tch"
    path.write_text(many(".tch"), newline="")
    assert len(read_game(path).rounds) == sum(len(record.rounds) for record in RECORDS)
    assert whole_text(path).place == str(path)


def test_a_folder_means_the_games_in_it(tmp_path: Path) -> None:
    (tmp_path / "deep" / "er").mkdir(parents=True)
    names = ["b.ttn", "a.tch.gz", "deep/c.JSONL", "deep/er/d.ttn.zst"]
    for name in [*names, "notes.txt", "e.gz"]:
        (tmp_path / name).write_text("")
    (tmp_path / "folder.ttn").mkdir()
    assert list(find_files([tmp_path, "-"])) == [*sorted(tmp_path / name for name in names), Path("-")]
    assert list(find_files([tmp_path / "none"])) == [tmp_path / "none"]


def test_a_file_that_is_meant_twice_is_read_once(tmp_path: Path) -> None:
    (tmp_path / "a.ttn").write_text("")
    (tmp_path / "again.ttn").symlink_to(tmp_path / "a.ttn")
    (tmp_path / "round.ttn").symlink_to(tmp_path / "round.ttn")
    twice = [tmp_path / "a.ttn", tmp_path, tmp_path / ".." / tmp_path.name / "a.ttn", tmp_path / "round.ttn"]
    assert list(find_files(twice)) == [tmp_path / "a.ttn", tmp_path / "round.ttn"]


def test_one_path_is_not_a_list_of_characters(tmp_path: Path) -> None:
    file = tmp_path / "a.ttn"
    file.touch()
    assert list(find_files(str(file))) == list(find_files(file)) == [file]


def test_a_folder_called_as_the_standard_input_is_not_meant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "-").mkdir()
    (tmp_path / "-" / "a.ttn").touch()
    assert list(find_files(["-"])) == [Path("-")]


def test_the_standard_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text(many(".jsonl"))
    with path.open() as file:
        monkeypatch.setattr(sys, "stdin", file)
        assert [place for place, _ in read_games("-")] == [f"standard input game {number}" for number in range(3)]


def test_the_standard_input_of_a_process() -> None:
    program = "from tichu import read_games; print([place for place, _ in read_games('-')])"
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, input=many(".jsonl").encode(), capture_output=True, check=True)
    assert done.stdout.decode().strip() == str([f"standard input game {number}" for number in range(3)])
    done = subprocess.run(command, input=b"hello", capture_output=True, check=False)
    assert b"standard input: this is not a game in one of the formats" in done.stderr


def test_an_empty_file_holds_no_game(tmp_path: Path) -> None:
    path = tmp_path / "a.ttn"
    path.write_text("")
    ((place, reading),) = read_games(path)
    assert (place, str(reading)) == (str(path), "the file is empty")


@pytest.mark.parametrize("stdin", [None, io.StringIO("")])
def test_a_standard_input_that_is_no_file_is_told_in_a_sentence(monkeypatch: pytest.MonkeyPatch, stdin: object) -> None:
    monkeypatch.setattr(sys, "stdin", stdin)
    with pytest.raises(NotationError, match="standard input: it is closed, or no file"):
        list(game_texts("-"))
