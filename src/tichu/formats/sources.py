"""Where games come from: files of many games, packed files, folders and the standard input.

The text of a game is cut out here and read elsewhere, in another process if need be: cutting is quick, reading plays.
"""

import gzip
import io
import os
import re
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from pathlib import Path
from typing import IO, Any, Final, NamedTuple

from tichu.core.errors import NotationError
from tichu.core.record import Reading
from tichu.formats.texts import SUFFIXES, read_text, suffix_by_content

__all__ = [
    "PACKED",
    "STANDARD_INPUT",
    "GameText",
    "Paths",
    "find_files",
    "game_texts",
    "name_of",
    "whole_text",
    "zstd_module",
]

#: The path that means the standard input.
STANDARD_INPUT: Final = "-"
#: The suffixes of packed files.
PACKED: Final = (".gz", ".zst")
_LINE: Final = re.compile(r"line (\d+)(?=: )")
_JSON_HEAD: Final = re.compile(r'\s*\{\s*"ttn"\s*:')
_RESULT: Final = re.compile(r"Ergebnis: (-?[0-9]{1,4}) - (-?[0-9]{1,4})\s*$")
#: How much of a packed file is unpacked at a time.
_CHUNK: Final = 1 << 17
#: What a match of a ``.tch`` log is played to.
_TARGET: Final = 1000


#: Files and folders: one, or several.
Paths = str | os.PathLike[str] | Iterable[str | os.PathLike[str]]


class GameText(NamedTuple):
    """The text of one game."""

    #: For people: the file and, if it holds several games, which one, counted from 0.
    place: str
    #: Of the format.
    suffix: str
    text: str
    #: How many lines of the file come before it.
    lines_before: int = 0

    def read(self) -> Reading:
        """The game; errors count the lines of the file.

        :raises NotationError: what comes before the rounds is wrong
        """
        try:
            reading = read_text(self.text, self.suffix)
        except NotationError as error:
            raise self._moved(error) from None
        if not self.lines_before:
            return reading
        rounds = [self._moved(one) if isinstance(one, NotationError) else one for one in reading.rounds]
        notes = [self._move(note) for note in reading.notes]
        return reading._replace(rounds=tuple(rounds), notes=tuple(notes))

    def _moved(self, error: NotationError) -> NotationError:
        return type(error)(self._move(str(error)))

    def _move(self, text: str) -> str:
        return _LINE.sub(lambda found: f"line {int(found[1]) + self.lines_before}", text, count=1)


def find_files(paths: Paths) -> Iterator[Path]:
    """The files that are meant, each once: a folder means all games in it and below it, in order of their names."""
    seen: set[str] = set()
    for path in map(Path, [paths] if isinstance(paths, str | os.PathLike) else paths):
        # What is called "-" is not meant by it.
        is_folder = str(path) != STANDARD_INPUT and path.is_dir()
        files = (file for file in path.rglob("*") if _format_suffix(file) and file.is_file()) if is_folder else [path]
        for file in sorted(files):
            real = STANDARD_INPUT if str(file) == STANDARD_INPUT else os.path.realpath(file)
            if real not in seen:
                seen.add(real)
                yield file


def _format_suffix(path: Path) -> str | None:
    """``.ttn`` of ``a.ttn`` and of ``a.ttn.gz``."""
    name = Path(path.stem) if path.suffix.lower() in PACKED else path
    suffix = name.suffix.lower()
    return suffix if suffix in SUFFIXES else None


def game_texts(path: str | os.PathLike[str]) -> Iterator[GameText]:
    """The games of a file one after the other; of a large file only one is in memory, if its suffix tells the format.

    :raises NotationError: the file does not hold games; with the path
    :raises OSError: the file cannot be read
    """
    path = Path(path)
    name, suffix = name_of(path), _format_suffix(path)
    with _open(path) as file:
        try:
            lines: Iterable[str] = file
            if suffix is None:
                text = file.read()
                suffix = suffix_by_content(text)
                lines = io.StringIO(text, newline="")
            yield from _named(name, suffix, _cut(lines, _SPLITTERS[suffix]()))
        except NotationError as error:
            raise NotationError(f"{name}: {error}") from None
        except Exception as error:
            if _is_damage(error):
                raise NotationError(f"{name}: the file is damaged: {error}") from None
            raise


def whole_text(path: str | os.PathLike[str]) -> GameText:
    """The one game of a file; a log (``.tch``) is one whatever is in it, for it does not say where a match ends.

    :raises NotationError: the file does not hold one game; with the path
    :raises OSError: the file cannot be read
    """
    path = Path(path)
    games = list(game_texts(path))
    if len(games) == 1:
        return games[0]
    if games[0].suffix == ".tch":
        return GameText(name_of(path), ".tch", "".join(game.text for game in games))
    raise NotationError(f"{name_of(path)}: {len(games)} games in one file, where one is wanted")


def name_of(path: Path) -> str:
    """For people."""
    return "standard input" if str(path) == STANDARD_INPUT else str(path)


def _named(name: str, suffix: str, games: Iterator[tuple[int, str]]) -> Iterator[GameText]:
    """A number only where there are several."""
    before, text = next(games)
    second = next(games, None)
    if second is None:
        yield GameText(name, suffix, text, before)
        return
    yield GameText(f"{name} game 0", suffix, text, before)
    yield GameText(f"{name} game 1", suffix, second[1], second[0])
    for number, (before, text) in enumerate(games, start=2):
        yield GameText(f"{name} game {number}", suffix, text, before)


def _cut(lines: Iterable[str], begins: Callable[[str], bool]) -> Iterator[tuple[int, str]]:
    """The texts of the games with the number of lines before each; at least one, which may be empty."""
    part: list[str] = []
    start = 0
    for number, line in enumerate(lines):
        if begins(line) and part:
            yield start, "".join(part)
            part, start = [], number
        part.append(line)
    yield start, "".join(part)


def _ttn_splitter() -> Callable[[str], bool]:
    """A game begins with its first tag; what comes before the first of them belongs to it."""
    is_begun = False

    def begins(line: str) -> bool:
        nonlocal is_begun
        was_begun, is_begun = is_begun, is_begun or line.lstrip().startswith("[TTN")
        return was_begun and line.lstrip().startswith("[TTN")

    return begins


def _jsonl_splitter() -> Callable[[str], bool]:
    return lambda line: _JSON_HEAD.match(line) is not None


def _tch_splitter() -> Callable[[str], bool]:
    """A log does not say where a match ends: the next one begins after a round that has decided it."""
    scores = [0, 0]

    def begins(line: str) -> bool:
        is_over = max(scores) >= _TARGET and scores[0] != scores[1]
        if is_over and line.startswith("-----"):
            scores[:] = 0, 0
            return True
        if found := _RESULT.match(line):
            scores[0] += int(found[1])
            scores[1] += int(found[2])
        return False

    return begins


_SPLITTERS: Final[dict[str, Callable[[], Callable[[str], bool]]]] = {
    ".ttn": _ttn_splitter,
    ".jsonl": _jsonl_splitter,
    ".tch": _tch_splitter,
}


def _open(path: Path) -> IO[str]:
    """The text of a file, packed or not; old logs are in whatever encoding, and the bytes survive as they are."""
    binary: IO[bytes]
    if str(path) == STANDARD_INPUT:
        binary = _standard_input()
    elif path.suffix.lower() == ".gz":
        binary = io.BufferedReader(gzip.GzipFile(path))
    elif path.suffix.lower() == ".zst":
        binary = _open_zst(path)
    else:
        binary = path.open("rb")
    # A byte order mark is no part of the text.
    return io.TextIOWrapper(binary, encoding="utf-8-sig", errors="surrogateescape", newline="")


def _standard_input() -> IO[bytes]:
    try:
        return io.BufferedReader(io.FileIO(sys.stdin.fileno(), closefd=False))
    except (AttributeError, OSError, ValueError):
        # Services have none, or one that was closed; notebooks one of their own that is no file.
        raise NotationError("standard input: it is closed, or no file") from None


def zstd_module() -> Any:
    """What can pack and unpack Zstandard: a part of Python from 3.14 on, or zstandard.

    :raises NotationError: neither is there
    """
    for name in ("compression.zstd", "zstandard"):
        try:
            return import_module(name)
        except ImportError:
            continue
    raise NotationError(".zst needs Python 3.14 or zstandard: pip install 'tichu[data]'")


def _open_zst(path: Path) -> IO[bytes]:
    try:
        module = zstd_module()
    except NotationError as error:
        raise NotationError(f"{path}: {error}") from None
    is_builtin = hasattr(module, "ZstdFile")
    return io.BufferedReader(module.ZstdFile(path) if is_builtin else _ZstdReader(path, module.ZstdDecompressor()))


class _ZstdReader(io.RawIOBase):
    """A file unpacked by zstandard, whose own reader takes a file that is cut off for one that ends."""

    def __init__(self, path: Path, decompressor: Any) -> None:
        self._file = path.open("rb")
        self._decompressor = decompressor
        self._frame: Any = None
        self._unpacked = b""

    def readable(self) -> bool:
        return True

    def close(self) -> None:
        self._file.close()
        super().close()

    def readinto(self, buffer: Any) -> int:
        while not self._unpacked:
            packed = (self._frame.unused_data if self._frame and self._frame.eof else b"") or self._file.read(_CHUNK)
            if not packed:
                if self._frame is None or not self._frame.eof:
                    raise EOFError("it ends too early")
                return 0
            if self._frame is None or self._frame.eof:
                self._frame = self._decompressor.decompressobj()
            self._unpacked = self._frame.decompress(packed)
        size = min(len(buffer), len(self._unpacked))
        buffer[:size], self._unpacked = self._unpacked[:size], self._unpacked[size:]
        return size


def _is_damage(error: Exception) -> bool:
    """Whether unpacking says that the file is not whole; the error of ``.zst`` has only its name in common."""
    return isinstance(error, EOFError | gzip.BadGzipFile | zlib.error) or type(error).__name__ == "ZstdError"
