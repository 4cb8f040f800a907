"""``tichu arena``: bots against each other."""

import errno
import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, nullcontext
from pathlib import Path
from typing import Final

import click

from tichu.arena.duel import PlayedDeal
from tichu.arena.intervals import parse_bounds
from tichu.arena.plot import check_plot, plot_duel, plot_ratings
from tichu.arena.ratings import pairs_of, ratings
from tichu.arena.report import duel_report, robin_report
from tichu.arena.resume import ScoreSheet
from tichu.arena.setup import DECISION_MS, LONGEST_DECISION_MS
from tichu.arena.summary import Summary, summarise, summary_json
from tichu.arena.teams import parse_team
from tichu.arena.tournament import Tournament, plan, play_tournament
from tichu.cli.options import BOTS, rules_option
from tichu.cli.status import INTERRUPTED
from tichu.cli.typed import TEAM, FilePath, FiniteRange, typed
from tichu.core.errors import GameError
from tichu.core.rules import Rules
from tichu.parallel import Pool, open_pool

__all__ = ["arena"]

# What is wrong with a path is found out by using it: a fact, with exit status 1, and not a wrong usage.
_PATH: Final = FilePath(readable=False)


_HELP: Final = f"""\
Let bots play against each other: each pair plays the same cards twice, with the teams swapped.

A BOT is {BOTS} or process:CMD, and sits in both seats of its team; two bots make a mixed team, heuristic+random.  More
than two BOTs play a round robin.  The result does not depend on the number of workers.
"""


@click.command(help=_HELP)
@click.argument("bots", nargs=-1, metavar="BOT BOT [BOT]...", type=TEAM)
@click.option(
    "--deals",
    type=click.IntRange(1),
    default=200,
    show_default=True,
    help="How many deals each pair plays, twice each.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Determines the cards and the bots' chance.")
@rules_option
@click.option("--matches", is_flag=True, help="Play each sequence of deals as a whole match.")
@click.option("--until", metavar="LOW:HIGH", help="Stop once A is clearly worth at most LOW or at least HIGH points.")
@click.option(
    "--time",
    "decision_ms",
    type=FiniteRange(1, LONGEST_DECISION_MS),
    default=DECISION_MS,
    show_default=True,
    help="ms for a decision.",
)
@click.option("--workers", type=click.IntRange(1), help="Processes to play in; as many as the machine has processors.")
@click.option("--ray", metavar="ADDRESS", help="Play on a Ray cluster instead; 'local' starts one here.")
@click.option("--resume", metavar="FILE", type=_PATH, help="Keep finished deals in FILE and go on from there.")
@click.option("--records", metavar="DIR", type=_PATH, help="Write every game into this folder, as .ttn.")
@click.option("--plot", metavar="FILE", type=_PATH, help="Draw the result into FILE (.png, .svg, .pdf ...).")
@click.option("--json", "as_json", is_flag=True, help="One JSON object instead of the report.")
def arena(
    bots: tuple[str, ...],
    deals: int,
    seed: int,
    rules: Rules,
    matches: bool,
    until: str | None,
    decision_ms: float,
    workers: int | None,
    ray: str | None,
    resume: Path | None,
    records: Path | None,
    plot: Path | None,
    as_json: bool,
) -> None:
    """Let bots play against each other."""
    if len(bots) < 2:
        raise click.UsageError("an arena takes two bots or more")
    with typed("--until"):
        bounds = None if until is None else parse_bounds(until)
    tournament = plan(
        [parse_team(bot) for bot in bots],
        deals,
        rules=rules,
        seed=seed,
        matches=matches,
        decision_ms=decision_ms,
        bounds=bounds,
    )
    # Whatever can fail fails now, not after an hour.
    if plot is not None:
        check_plot(plot)
    if records is not None:
        _make_folder(records)
    kept = nullcontext() if resume is None else closing(ScoreSheet(resume, tournament.setups))
    with kept as sheet, closing(open_pool(workers, ray)) as pool:
        played, end = _play(tournament, pool, sheet, records)
    _tell(tournament, played, plot, as_json)
    if end is not None:
        hint = "" if resume is None else f"; the same command goes on from {resume}"
        if any(played) or isinstance(end, KeyboardInterrupt):
            click.echo(f"interrupted after {sum(map(len, played)):,} deals{hint}", err=True)
        if isinstance(end, KeyboardInterrupt):
            sys.exit(INTERRUPTED)
        raise end


def _make_folder(folder: Path) -> None:
    if folder.exists() and not folder.is_dir():
        raise GameError(f"{folder}: this file is there already; records go into a folder")
    folder.mkdir(parents=True, exist_ok=True)
    if not os.access(folder, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(folder))


def _play(
    tournament: Tournament, pool: Pool, sheet: ScoreSheet | None, records: Path | None
) -> tuple[list[list[PlayedDeal]], BaseException | None]:
    """The deals of each pair as far as they were played, and what ended the run before its time."""
    played: list[list[PlayedDeal]] = [[] for _ in tournament.setups]
    try:
        with _progress(tournament) as advance:
            for pair, one in play_tournament(tournament, pool, sheet=sheet, records=records):
                played[pair].append(one)
                advance(pair, one)
    except (Exception, KeyboardInterrupt) as end:
        return played, end
    return played, None


@contextmanager
def _progress(tournament: Tournament) -> Iterator[Callable[[int, PlayedDeal], None]]:
    """A bar on a terminal, else a line for every tenth of the run."""
    total = tournament.deals * len(tournament.setups)
    place = points = rounds = 0

    def lines(pair: int, one: PlayedDeal) -> None:
        nonlocal place, points, rounds
        before, place = place, pair * tournament.deals + one.number + 1
        if one.number == 0:
            points = rounds = 0
        points, rounds = points + one.points, rounds + one.rounds
        if 10 * place // total > 10 * before // total:
            a, b = tournament.setups[pair].teams
            click.echo(f"{place:,} of {total:,} deals; {a} over {b} {points / rounds:+.1f} a round", err=True)

    if not sys.stderr.isatty():
        yield lines
        return
    with click.progressbar(length=total, label="playing", file=sys.stderr, show_pos=True) as bar:
        # A pair that ended early leaves a gap.
        yield lambda pair, one: bar.update(pair * tournament.deals + one.number + 1 - bar.pos)


def _tell(tournament: Tournament, played: Sequence[Sequence[PlayedDeal]], plot: Path | None, as_json: bool) -> None:
    """The report, on the pairs that have played."""
    duels = {
        pair: summarise(setup, deals, tournament.bounds)
        for pair, setup, deals in zip(pairs_of(tournament.teams), tournament.setups, played, strict=True)
        if deals
    }
    if not duels:
        return
    if len(tournament.teams) == 2:
        _tell_duel(duels[0, 1], played[0], plot, as_json)
    else:
        _tell_robin(tournament, duels, plot, as_json)


def _tell_duel(summary: Summary, played: Sequence[PlayedDeal], plot: Path | None, as_json: bool) -> None:
    click.echo(json.dumps(summary_json(summary)) if as_json else duel_report(summary), nl=as_json)
    # The report first: it is not lost with a picture that fails.
    if plot is not None:
        plot_duel(plot, summary, played)


def _tell_robin(
    tournament: Tournament, duels: dict[tuple[int, int], Summary], plot: Path | None, as_json: bool
) -> None:
    # The ratings need every pair.
    rated = ratings(tournament.teams, duels) if len(duels) == len(tournament.setups) else []
    if as_json:
        told = {
            "teams": [team.text for team in tournament.teams],
            "ratings": [{"team": one.team.text, "points_per_round": one.points, "ci95": one.ci95} for one in rated],
            "pairs": [summary_json(duel) for duel in duels.values()],
        }
        click.echo(json.dumps(told))
    else:
        click.echo(robin_report(rated, list(duels.values())), nl=False)
    if plot is not None and rated:
        plot_ratings(plot, rated)
