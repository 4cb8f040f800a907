"""``tichu export`` and ``tichu stats``: games as tables, and what players do."""

import functools
import json
import sys
from collections import Counter
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Final

import click

from tichu.arena.statistics import PEOPLE
from tichu.cli.options import found_files, pool_options, progress_bar
from tichu.cli.status import INTERRUPTED
from tichu.cli.typed import Choice, FilePath, typed
from tichu.core.errors import GameError
from tichu.data.export import check_tables_name, export_games, table_paths
from tichu.data.habits import reference_habits
from tichu.data.jobs import map_games
from tichu.data.rows import SkippedRound
from tichu.data.summary import By, Counted, PlayerStats, count_batch, player_stats
from tichu.parallel import open_pool

__all__ = ["export", "stats"]

_FILES_HELP: Final = """\
FILES are .ttn, .jsonl and .tch, with any number of games each, packed (.gz, .zst) or not; folders with such files; or
- for the standard input.  What is wrong - a file, a game, a round - is left out and reported, and the exit status is 1;
unfinished rounds are left out and counted.
"""


class _Report:
    """Rounds that are left out go to the standard error, and are counted."""

    def __init__(self, *, is_quiet: bool) -> None:
        self._is_quiet = is_quiet
        self.wrong = self.unfinished = 0

    def add(self, skipped: Iterable[SkippedRound]) -> None:
        """Tell what is wrong; what is only unfinished is counted."""
        for one in skipped:
            if one.is_wrong:
                self.wrong += 1
                click.echo(f"left out: {one}", err=True)
            else:
                self.unfinished += 1

    def exit_if_wrong(self) -> None:
        """End with status 1 if something was wrong; what was said of the rest stands."""
        if self.wrong:
            sys.exit(1)

    def end(self, text: str) -> None:
        """The last line."""
        if not self._is_quiet:
            left_out = f"; left out: {self.wrong} wrong, {self.unfinished} unfinished"
            click.echo(text + (left_out if self.wrong or self.unfinished else ""), err=True)


@click.command(
    help=f"""\
Write games as tables: games, rounds, seats and decisions, in the Parquet format.

OUT is a folder, or a name ending in .parquet: the decisions go there, the other tables beside it.

{_FILES_HELP}"""
)
@click.argument("files", nargs=-1, required=True, type=FilePath())
@click.argument("target", metavar="OUT", type=FilePath())
@click.option("--force", is_flag=True, help="Replace files that are there.")
@click.option("--json", "as_json", is_flag=True, help="What was written as one JSON object.")
@pool_options
def export(
    files: tuple[Path, ...],
    target: Path,
    force: bool,
    as_json: bool,
    workers: int | None,
    ray: str | None,
    quiet: bool,
) -> None:
    """Write games as tables."""
    with typed("OUT"):
        check_tables_name(target)
    report = _Report(is_quiet=quiet)
    paths = found_files(files)
    decisions = table_paths(target)["decisions"]
    was_there = decisions.exists()
    try:
        with closing(open_pool(workers, ray)) as pool, progress_bar(len(paths), "reading", is_quiet=quiet) as advance:
            written = export_games(
                paths, target, is_forced=force, pool=pool, advance=advance, report=lambda one: report.add([one])
            )
    except KeyboardInterrupt:
        kept = "nothing was written" if was_there or not decisions.exists() else "what was read so far is in the tables"
        click.echo(f"interrupted: {kept}", err=True)
        sys.exit(INTERRUPTED)
    report.end(
        f"{_counted(written.games, 'game')}, {_counted(written.rounds, 'round')}, "
        f"{_counted(written.decisions, 'decision')}"
    )
    if as_json:
        click.echo(json.dumps({**written._asdict(), "skipped": [one._asdict() for one in written.skipped]}))
    report.exit_if_wrong()


@click.command(help=f"Count what players do: calls and their success, double victories, bombs, gifts.\n\n{_FILES_HELP}")
@click.argument("files", nargs=-1, required=True, type=FilePath())
@click.option(
    "--by",
    type=Choice(["all", "player", "seat", "pair"]),
    default="all",
    show_default=True,
    help="A line for each player name, seat or pair of partners.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
@pool_options
def stats(files: tuple[Path, ...], by: By, as_json: bool, workers: int | None, ray: str | None, quiet: bool) -> None:
    """Count what players do."""
    report = _Report(is_quiet=quiet)
    paths = found_files(files)
    counts: dict[tuple[str, int], Counter[str]] = {}
    is_interrupted = False
    try:
        with closing(open_pool(workers, ray)) as pool, progress_bar(len(paths), "reading", is_quiet=quiet) as advance:
            counted: Counted
            for counted in map_games(functools.partial(count_batch, by=by), paths, pool, advance):
                counts |= counted.games
                report.add(counted.skipped)
    except KeyboardInterrupt:
        is_interrupted = True
    lines = player_stats(counts)
    if as_json:
        for line in lines:
            click.echo(json.dumps(_as_json(line), ensure_ascii=False))
        for known in reference_habits():
            click.echo(json.dumps({"reference": True, **known}, ensure_ascii=False))
    elif lines:
        click.echo(_table(lines))
    games = {game for _, game in counts}
    report.end(_counted(len(games), "game") + (" before the interruption" if is_interrupted else ""))
    if is_interrupted:
        sys.exit(INTERRUPTED)
    if not lines:
        raise GameError("no finished round in these games")
    report.exit_if_wrong()


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _as_json(line: PlayerStats) -> dict[str, object]:
    """Each rate as an object with its standard error."""
    told: dict[str, object] = {"key": line.key, "games": line.games, "rounds": line.rounds}
    for name in line._fields[3:]:
        share = getattr(line, name)
        told[name] = {"value": share.value, "standard_error": share.error}
    return told


#: Heading, field, and how it is written.
_COLUMNS: Final = (
    ("points", "difference", "{:+.1f}"),
    ("Tichu", "tichu", "{:.3f}"),
    ("made", "tichu_made", "{:.1%}"),
    ("Grand", "grand", "{:.3f}"),
    ("made", "grand_made", "{:.1%}"),
    ("double", "double_victories", "{:.1%}"),
    ("bombs", "bombs", "{:.3f}"),
    ("first", "first_out", "{:.1%}"),
    ("strong to partner", "strong_to_partner", "{:.1%}"),
    ("Dog to opponent", "dog_to_opponent", "{:.1%}"),
    ("Dragon to partner", "dragon_to_partner", "{:.1%}"),
    ("Phoenix to partner", "phoenix_to_partner", "{:.1%}"),
)

# Counted for a table of four.
_MANY: Final = {
    "tichu": PEOPLE.tichu / 4,
    "tichu_made": PEOPLE.tichu_made,
    "grand": PEOPLE.grand / 4,
    "grand_made": PEOPLE.grand_made,
    "double_victories": PEOPLE.double_victories / 2,
    "bombs": PEOPLE.bombs / 4,
}


def _table(lines: list[PlayerStats]) -> str:
    """Rates with their standard errors beside them; below them people's and the champion's."""
    rows = [["", "games", "hands", *(heading for heading, _, _ in _COLUMNS)]]
    for line in lines:
        cells = [_cell(getattr(line, name).value, getattr(line, name).error, form) for _, name, form in _COLUMNS]
        rows.append([line.key, f"{line.games:,}", f"{line.rounds:,}", *cells])
    rows.append(
        ["people, 21 million rounds", "", "", *(_cell(_MANY.get(name), None, form) for _, name, form in _COLUMNS)]
    )
    for known in reference_habits():
        cells = [_cell(known[name]["value"], known[name]["standard_error"], form) for _, name, form in _COLUMNS]
        rows.append([known["key"], "", "", *cells])
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if at == 0 else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )


def _cell(value: float | None, error: float | None, form: str) -> str:
    if value is None:
        return ""
    text = form.format(value)
    if error is None:
        return text
    return f"{text} ±{form.replace('+', '').format(error)}"
