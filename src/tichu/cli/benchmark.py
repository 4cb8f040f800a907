"""``tichu benchmark``: how well a bot that was trained plays, by rules that are the same for all."""

import json
import sys
from contextlib import closing
from typing import Final

import click

from tichu.arena.benchmark import DEALS, OPPONENTS, Evaluation, Over, as_json, as_markdown, as_text, evaluate
from tichu.arena.teams import parse_team
from tichu.cli.options import BOTS, pool_options, progress_bar
from tichu.cli.status import INTERRUPTED
from tichu.cli.typed import TEAM
from tichu.core.errors import GameError
from tichu.parallel import open_pool

__all__ = ["benchmark"]

_HELP: Final = f"""\
Evaluate bots as the benchmarks Tichu-1M and Tichu-100M want it: {DEALS:,} deals, each played twice, over each of
{", ".join(OPPONENTS)}.

A BOT is {BOTS}, path/file.py:function (a policy) or process:CMD.  Of several, as one training seed each, the mean and
the deviation are told as well.
"""


@click.command(help=_HELP)
@click.argument("bots", nargs=-1, required=True, metavar="BOT...", type=TEAM)
@click.option("--deals", type=click.IntRange(1), default=DEALS, show_default=True, help="Fewer are only a look.")
@click.option("--markdown", is_flag=True, help="Rows for the table in docs/benchmark.md.")
@click.option("--json", "wants_json", is_flag=True, help="One JSON object instead of the report.")
@pool_options
def benchmark(
    bots: tuple[str, ...],
    deals: int,
    markdown: bool,
    wants_json: bool,
    workers: int | None,
    ray: str | None,
    quiet: bool,
) -> None:
    """Evaluate bots."""
    if markdown and wants_json:
        raise click.UsageError("--markdown or --json, not both")
    if markdown and deals != DEALS:
        raise click.UsageError(f"--markdown is for results, and those are of {DEALS:,} deals")
    teams = [parse_team(bot) for bot in bots]
    evaluations: list[Evaluation] = []
    end: BaseException | None = None
    length = deals * len(OPPONENTS) * len(teams)
    with closing(open_pool(workers, ray)) as pool, progress_bar(length, "playing", is_quiet=quiet) as advance:
        for team in teams:
            results: list[Over] = []
            try:
                for result in evaluate(team, pool, deals=deals, advance=advance):
                    results.append(result)
            except (GameError, KeyboardInterrupt) as early:
                # What was played is told.
                end = early
            if results:
                evaluations.append(Evaluation(team.text, tuple(results)))
            if end is not None:
                break
    if evaluations:
        if wants_json:
            click.echo(json.dumps(as_json(evaluations, deals)))
        else:
            click.echo(as_markdown(evaluations, deals) if markdown else as_text(evaluations, deals), nl=False)
    if isinstance(end, KeyboardInterrupt):
        sys.exit(INTERRUPTED)
    if end is not None:
        raise end
    faulty = [one.bot for one in evaluations if one.faults]
    if faulty:
        raise GameError(f"no result, for faults: {', '.join(faulty)}; tichu bot-check shows them")
