"""``tichu puzzle``: decisions with one clearly best answer."""

import time
from collections.abc import Sequence
from pathlib import Path
from random import Random, SystemRandom
from typing import Final

import click
import msgspec

from tichu.analysis.puzzles import THEMES, Judgement, Puzzle, Theme, find_puzzle, judge, puzzles, question_of
from tichu.cli.options import json_option
from tichu.cli.practice import record_option
from tichu.cli.terminal import look_of_output, reader_of_answers, write_line
from tichu.cli.typed import Choice, did_you_mean, typed
from tichu.core.actions import format_action
from tichu.core.errors import GameError
from tichu.server.config import data_folder

__all__ = ["puzzle"]

_FILE: Final = "puzzles.jsonl"


class _Answer(msgspec.Struct, frozen=True):
    """A line of the record."""

    id: str
    #: Nothing if somebody gave up.
    answer: str
    is_right: bool
    #: Seconds since 1970.
    at: int


@click.command()
@click.option("--theme", type=Choice(list(THEMES)), help="Only puzzles of this kind.")
@click.option("--id", "name", metavar="ID", help="This puzzle and no other.")
@click.option("--answer", metavar="ACTION", help="Judge this answer to --id, as 2:7s7b, and ask nothing.")
@click.option("--record", is_flag=True, help="Show what you have solved so far.")
@record_option
@click.option("--seed", type=int, help="In which order puzzles come.")
@json_option
def puzzle(
    theme: Theme | None,
    name: str | None,
    answer: str | None,
    record: bool,
    data: Path | None,
    seed: int | None,
    as_json: bool,
) -> None:
    """Solve puzzles: positions in which one decision is clearly the best.

    Those that you have not solved come first.  An answer is a number from the list, cards as 7s7b, or an action as it
    is written in records; then you learn what each choice is worth, why, and what the others held.  With --json the
    position is one object, and with --answer what is to be said about the answer.
    """
    if answer is not None and name is None:
        raise click.UsageError("--answer goes with --id")
    path = (data or data_folder()) / _FILE
    if record:
        _tell_record(_read(path), as_json=as_json)
        return
    one = None if name is None else _find(name)
    if answer is not None:
        assert one is not None
        with typed("--answer"):
            judgement = judge(one, answer)
        _keep(path, one, judgement)
        _tell(one, judgement, as_json=as_json)
        return
    rng = SystemRandom() if seed is None else Random(seed)
    queue = [one] if one is not None else _order(theme, _read(path), rng)
    if as_json:
        click.echo(msgspec.json.encode(question_of(queue[0])))
        return
    _solve(queue, path)


def _find(name: str) -> Puzzle:
    with typed("--id"):
        try:
            return find_puzzle(name)
        except GameError as error:
            hint = did_you_mean(name, [each.id for each in puzzles()])
            raise GameError(f"{error}{hint}") from None


def _order(theme: Theme | None, answers: Sequence[_Answer], rng: Random) -> list[Puzzle]:
    """All of a theme, those that are not solved first."""
    solved = {each.id for each in answers if each.is_right}
    some = [each for each in puzzles() if theme in (None, each.theme)]
    if not some:
        raise GameError(f"there are no puzzles about {theme}")
    rng.shuffle(some)
    return sorted(some, key=lambda each: each.id in solved)


def _solve(queue: Sequence[Puzzle], path: Path) -> None:
    """One puzzle after another until somebody has enough."""
    from tichu.terminal.puzzles import ask, puzzle_lines

    read, look = reader_of_answers(), look_of_output()
    for number, one in enumerate(queue, start=1):
        for line in puzzle_lines(one, look):
            write_line(line)
        try:
            action = ask(one, read, write_line)
            judgement = None if action is None else judge(one, format_action(one.seat, action))
            _keep(path, one, judgement)
            _tell(one, judgement, as_json=False)
            if number < len(queue) and read("Enter shows the next, q ends: ").strip().lower() in ("q", "quit", "exit"):
                return
        except EOFError:
            click.echo()
            return


def _tell(one: Puzzle, judgement: Judgement | None, *, as_json: bool) -> None:
    if as_json:
        click.echo(msgspec.json.encode(judgement))
        return
    from tichu.terminal.puzzles import judgement_lines

    for line in judgement_lines(one, judgement, look_of_output()):
        write_line(line)


# The record.


def _keep(path: Path, one: Puzzle, judgement: Judgement | None) -> None:
    """Add an answer; a record that cannot be written is told, and no reason to stop."""
    answer = "" if judgement is None else judgement.answer
    line = _Answer(one.id, answer, judgement is not None and judgement.is_right, int(time.time()))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("ab") as file:
            file.write(msgspec.json.encode(line) + b"\n")
    except OSError as error:
        click.echo(f"the record could not be written: {path}: {error.strerror}", err=True)


def _read(path: Path) -> list[_Answer]:
    """What was answered; lines that cannot be read are left out."""
    if not path.exists():
        return []
    found = []
    for line in path.read_bytes().splitlines():
        try:
            found.append(msgspec.json.decode(line, type=_Answer))
        except msgspec.DecodeError:
            click.echo(f"{path}: a line is left out that is no answer", err=True)
    return found


def _tell_record(answers: Sequence[_Answer], *, as_json: bool) -> None:
    """By theme: how many puzzles there are, were tried, were solved, and at the first try."""
    rows: dict[str, dict[str, int]] = {}
    for theme in THEMES:
        ids = {each.id for each in puzzles() if each.theme == theme}
        mine = [each for each in answers if each.id in ids]
        first: dict[str, bool] = {}
        for each in mine:
            first.setdefault(each.id, each.is_right)
        solved = {each.id for each in mine if each.is_right}
        rows[theme] = {
            "puzzles": len(ids),
            "tried": len(first),
            "solved": len(solved),
            "first_try": sum(first.values()),
        }
    total = {key: sum(row[key] for row in rows.values()) for key in ("puzzles", "tried", "solved", "first_try")}
    if as_json:
        click.echo(msgspec.json.encode({**rows, "all": total}))
        return
    click.echo(f"{'':10}{'puzzles':>9}{'tried':>9}{'solved':>9}{'at once':>9}")
    for title, row in {**rows, "all": total}.items():
        click.echo(f"{title:10}" + "".join(f"{number:9}" for number in row.values()))
