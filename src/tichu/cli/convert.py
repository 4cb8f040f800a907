"""``tichu convert``: games from one format into another, many at a time."""

import sys
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path
from typing import IO, Final

import click

from tichu.cli.options import found_files, progress_bar
from tichu.cli.typed import Choice, FilePath, typed
from tichu.cli.writing import check_target, format_suffix, names_place, open_draft
from tichu.core.errors import GameError, NotationError
from tichu.core.record import Reading, Record, RoundRecord, format_jsonl, format_record
from tichu.formats.bsw import format_tch
from tichu.formats.sources import STANDARD_INPUT, GameText, game_texts, name_of

__all__ = ["convert"]

_WRITERS: Final[dict[str, Callable[[Record], str]]] = {
    ".ttn": format_record,
    ".tch": format_tch,
    ".jsonl": format_jsonl,
}


@click.command()
@click.argument("sources", metavar="IN...", nargs=-1, required=True, type=FilePath())
@click.argument("target", metavar="OUT", type=FilePath())
@click.option("--to", "kind", type=Choice([suffix[1:] for suffix in _WRITERS]), help="The format, where OUT is -.")
@click.option("--force", is_flag=True, help="Replace OUT if it is there.")
def convert(sources: tuple[Path, ...], target: Path, kind: str | None, force: bool) -> None:
    """Convert games between .ttn, .tch and .jsonl; say what the sources leave open.

    Each IN may hold many games, be packed (.gz, .zst) or a folder, or - for the standard input; all games go into OUT,
    packed if .gz or .zst follows its format, or - for the standard output.  A round that cannot be read is left out and
    reported, and the exit status is 1.
    """
    is_printed = str(target) == STANDARD_INPUT
    suffix = f".{kind}" if kind else "" if is_printed else format_suffix(target)
    if is_printed and not suffix:
        raise click.UsageError("--to says in which format games are printed")
    if not is_printed and kind and suffix != format_suffix(target):
        raise click.UsageError(f"OUT is {format_suffix(target) or target.name}, and --to {kind}")
    if suffix not in _WRITERS:
        with typed("OUT"):
            raise NotationError(f"{target}: cannot write {target.suffix!r}, only {', '.join(_WRITERS)}, packed or not")
    if not is_printed:
        check_target(target, is_forced=force)
    paths = found_files(sources)
    conversion = _Conversion(suffix)
    if is_printed:
        if sys.stdout is None:
            raise GameError("standard output: it is closed")
        with names_place("standard output"):
            conversion.run(paths, sys.stdout.buffer)
    else:
        with open_draft(target) as file:
            conversion.run(paths, file)
    if conversion.problems:
        for problem in conversion.problems:
            click.echo(f"left out: {problem}", err=True)
        sys.exit(1)


class _Conversion:
    """Games on their way into one file, and what had to be left out."""

    def __init__(self, suffix: str) -> None:
        self._suffix = suffix
        self._games = 0
        self.problems: list[str] = []

    def run(self, paths: list[Path], file: IO[bytes]) -> None:
        """Write all games.

        :raises GameError: there is nothing to write
        """
        with progress_bar(len(paths), "converting", is_quiet=len(paths) < 2) as advance:
            for path in paths:
                for game in self._read(path):
                    self._convert(game, file)
                advance(1)
        if self._games:
            file.flush()
            return
        if len(self.problems) == 1:
            raise NotationError(self.problems[0])
        for problem in self.problems:
            click.echo(f"left out: {problem}", err=True)
        raise NotationError("there is no game that could be written")

    def _read(self, path: Path) -> Iterator[GameText]:
        """The games of a file; what is wrong with it is no fault of where they go."""
        try:
            yield from _games(path)
        except OSError as error:
            self.problems.append(f"{name_of(path)}: {error.strerror or error}")
        except NotationError as error:
            self.problems.append(str(error))

    def _convert(self, game: GameText, file: IO[bytes]) -> None:
        try:
            reading = game.read()
            kept = self._readable(game.place, reading)
            if kept is None:
                return
            data = _WRITERS[self._suffix](kept.record()).encode("utf-8", errors="surrogateescape")
        except GameError as error:
            self.problems.append(f"{game.place}: {error}")
            return
        except UnicodeEncodeError:
            self.problems.append(f"{game.place}: a name holds characters that cannot be written")
            return
        if self._suffix == ".tch" and self._games:
            self.problems.append(f"{game.place}: a .tch log does not say where a game ends: only one fits into OUT")
            return
        for note in reading.notes:
            click.echo(f"{game.place}: {note}", err=True)
        file.write(data)
        self._games += 1

    def _readable(self, place: str, reading: Reading) -> Reading | None:
        """The game without its rounds that cannot be read; None if there is no other."""
        good: list[tuple[int, RoundRecord]] = []
        for number, one in enumerate(reading.rounds):
            if isinstance(one, NotationError):
                self.problems.append(f"{place} round {number}: {one}")
            else:
                good.append((number, one))
        if len(good) == len(reading.rounds):
            return reading
        if not good:
            return None
        scores = tuple(reading.scores[number] for number, _ in good) if reading.scores else ()
        # What the file looked like is not to be had any more.
        return reading._replace(rounds=tuple(one for _, one in good), scores=scores, layout=tuple)


def _games(path: Path) -> Iterator[GameText]:
    """The games of a file; a log is one whatever is in it, for it does not say where a match ends."""
    games = game_texts(path)
    first = next(games)
    if first.suffix == ".tch":
        yield GameText(name_of(path), ".tch", "".join(game.text for game in chain([first], games)))
    else:
        yield from chain([first], games)
