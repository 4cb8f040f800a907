"""``tichu replay``: files of games, checked."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import click

from tichu.cli.options import found_files
from tichu.cli.typed import FilePath
from tichu.core.errors import GameError, NotationError
from tichu.core.record import Reading
from tichu.formats.reading import read_games

__all__ = ["replay"]


class _Checked(NamedTuple):
    """One round of a file after replay."""

    file: str
    #: Counted from 0; None if not even the head of the file could be read.
    round: int | None
    ok: bool
    complete: bool
    score: tuple[int, int] | None
    error: str | None


def _check_file(path: Path) -> Iterator[_Checked]:
    try:
        for place, reading in read_games(path):
            yield from _check_game(place, reading)
    except (GameError, OSError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error).removeprefix(f"{path}: ")
        yield _Checked(str(path), None, False, False, None, reason)


def _check_game(place: str, reading: Reading | NotationError) -> Iterator[_Checked]:
    if isinstance(reading, NotationError):
        yield _Checked(place, None, False, False, None, str(reading))
        return
    if not reading.rounds:
        yield _Checked(place, None, False, False, None, "the file holds no round")
    for number, one in enumerate(reading.rounds):
        score = None if isinstance(one, NotationError) else one.score
        try:
            reading.check(number)
        except GameError as error:
            yield _Checked(place, number, False, score is not None, score, str(error))
        else:
            yield _Checked(place, number, True, score is not None, score, None)


@click.command()
@click.argument("files", nargs=-1, required=True, type=FilePath())
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
def replay(files: tuple[Path, ...], as_json: bool) -> None:
    """Check every action and every score of .ttn, .tch or .jsonl games; one line a round.

    FILES may be packed (.gz, .zst), hold many games, be folders, or - for the standard input.
    """
    rounds = errors = 0
    found = found_files(files)
    has_bar = sys.stderr.isatty() and len(found) > 1
    # On one terminal the bar and the lines would run into each other, so the lines wait.
    waiting: list[str] | None = [] if has_bar and sys.stdout.isatty() else None
    is_heard = True
    try:
        with click.progressbar(found, label="replaying", file=sys.stderr, hidden=not has_bar) as paths:
            for path in paths:
                for checked in _check_file(path):
                    rounds += checked.round is not None
                    errors += not checked.ok
                    line = json.dumps(checked._asdict()) if as_json else _line(checked)
                    if waiting is None:
                        click.echo(line)
                    else:
                        waiting.append(line)
    except BrokenPipeError:
        is_heard = False
        raise
    finally:
        for line in waiting or ():
            click.echo(line)
        if is_heard:
            click.echo(f"{len(found)} files, {rounds} rounds, {errors} errors", err=True)
    if errors:
        sys.exit(1)


def _line(checked: _Checked) -> str:
    place = checked.file if checked.round is None else f"{checked.file} round {checked.round}"
    if checked.error is not None:
        return f"{place}: error: {checked.error}"
    if checked.score is None:
        return f"{place}: ok, unfinished"
    return f"{place}: ok {checked.score[0]} {checked.score[1]}"
