"""The load of :mod:`bench.load` in turns: with a full queue of reviews, or against another version of the server.

``python -m bench.load_turns --reviews`` measures the server alone and with more games to review than it can, one after
the other and in changing order, so that whatever else the machine does falls on both.  ``--against FOLDER`` takes
another checkout with its own ``.venv`` into the turns, and ``--accounts`` has accounts at the tables instead of guests.
What counts are the medians; the spread says how far to trust them.  With ``--reviews`` and with ``--accounts`` the p99
of answers must stay within a fifth of that without: else the exit status is 1.
"""

import json
import statistics
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import click

__all__ = ["Variant", "is_within", "row_of", "summary", "turns_of"]

_ROOT: Final = Path(__file__).parents[1]
#: How much later answers may come while games are reviewed, or where accounts play.
_MOST_LATER: Final = 1.2


class Variant(NamedTuple):
    """Something that is measured."""

    name: str
    folder: Path
    python: Path
    options: tuple[str, ...] = ()


Row = Mapping[str, float]


def row_of(report: Mapping[str, Any]) -> Row:
    """The numbers of a stretch that are compared."""
    sent = max(1, report["sent"])
    return {
        "p50 ms": report["p50_ms"],
        "p99 ms": report["p99_ms"],
        "longest ms": report["longest_ms"],
        "ms of processor a 1,000 commands": 1e6 * report["server_cpu"] * report["seconds"] / sent,
        "MB": report["server_rss_mb"],
    }


def turns_of(variants: Sequence[Variant], turns: int) -> list[Variant]:
    """All in turns; every other time in the opposite order.

    >>> one, two = (Variant(name, Path(), Path()) for name in "ab")
    >>> "".join(variant.name for variant in turns_of([one, two], 3))
    'abbaab'
    """
    return [variant for turn in range(turns) for variant in (variants if turn % 2 == 0 else variants[::-1])]


def summary(rows: Mapping[str, Sequence[Row]]) -> list[str]:
    """The medians with their spread, and how they compare with those of the first."""
    first = next(iter(rows.values()))
    lines = []
    for name, some in rows.items():
        lines.append(f"{name}, {len(some)} turns")
        for what in some[0]:
            values = [row[what] for row in some]
            median, least, most = statistics.median(values), min(values), max(values)
            before = statistics.median(row[what] for row in first)
            ratio = f", {median / before:.2f} times the first" if some is not first and before else ""
            lines.append(f"  {what:34} {median:8.1f} ({least:.1f} to {most:.1f}){ratio}")
    return lines


def is_within(rows: Mapping[str, Sequence[Row]], quiet: str, busy: str, most: float = _MOST_LATER) -> bool:
    """Whether the median p99 of one is at most so many times that of the other."""
    before, after = (statistics.median(row["p99 ms"] for row in rows[name]) for name in (quiet, busy))
    return after <= most * before


def _measure(variant: Variant, options: Sequence[str]) -> Row:
    command = [str(variant.python), "-m", "bench.load", "--json", *options, *variant.options]
    # Late answers are an exit status of 1, and for the medians to judge.
    ran = subprocess.run(command, cwd=variant.folder, capture_output=True, text=True, check=False)
    if not ran.stdout.startswith("{"):
        raise click.ClickException(f"{variant.name} was not measured: {ran.stderr.strip()[-500:]}")
    report = json.loads(ran.stdout)
    lost = {name: report[name] for name in ("refused", "errors", "unanswered", "gaps", "hung_up") if report[name]}
    told = ran.stderr.strip().rpartition("\n")[2] if "--reviews" in variant.options else ""
    row = row_of(report)
    numbers = ", ".join(f"{what} {value:.1f}" for what, value in row.items())
    click.echo(f"{variant.name}: {numbers}{f'; lost: {lost}' if lost else ''}{f'; {told}' if told else ''}", err=True)
    return row


@click.command()
@click.option("--turns", type=click.IntRange(1), default=5, show_default=True)
@click.option("--tables", type=click.IntRange(1, 15_000), default=1000, show_default=True)
@click.option("--seconds", type=click.FloatRange(1), default=20, show_default=True, help="How long each is measured.")
@click.option("--period", type=click.FloatRange(0.05), default=4, show_default=True, help="Seconds between actions.")
@click.option("--pace", type=click.FloatRange(0, 3), default=1, show_default=True, help="Of windows and delays.")
@click.option("--reviews", is_flag=True, help="Also with a full queue of games that are reviewed meanwhile.")
@click.option("--accounts", is_flag=True, help="Also with accounts at the tables instead of guests.")
@click.option("--against", type=click.Path(exists=True, file_okay=False, path_type=Path), help="Another checkout.")
def main(
    turns: int,
    tables: int,
    seconds: float,
    period: float,
    pace: float,
    reviews: bool,
    accounts: bool,
    against: Path | None,
) -> None:
    """Measure in turns, and tell the medians with their spread."""
    python = Path(sys.executable)
    variants = []
    if against is not None:
        variants.append(Variant("the other", against.resolve(), against.resolve() / ".venv" / "bin" / "python"))
    variants.append(Variant("this one", _ROOT, python))
    if reviews:
        variants.append(Variant("with reviews", _ROOT, python, ("--reviews",)))
    if accounts:
        variants.append(Variant("with accounts", _ROOT, python, ("--accounts",)))
    options = ["--tables", str(tables), "--seconds", str(seconds), "--period", str(period), "--pace", str(pace)]
    rows: dict[str, list[Row]] = {variant.name: [] for variant in variants}
    for variant in turns_of(variants, turns):
        rows[variant.name].append(_measure(variant, options))
    click.echo("\n".join(summary(rows)))
    for variant in variants:
        if variant.options and not is_within(rows, "this one", variant.name):
            sys.exit(f"{variant.name} the p99 is more than {_MOST_LATER:g} times that without")


if __name__ == "__main__":
    main()
