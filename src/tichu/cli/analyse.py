"""``tichu analyse``: what the decisions of recorded games were worth."""

import sys
from collections.abc import Iterable, Iterator
from contextlib import closing, nullcontext
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from tichu.cli.options import pool_options, progress_bar
from tichu.cli.status import INTERRUPTED
from tichu.core.errors import GameError, NotationError
from tichu.formats.sources import find_files, game_texts

if TYPE_CHECKING:
    from tichu.analysis.reviews import DecisionReview, LostPerRound, RoundReview, RoundTask, Summary
    from tichu.analysis.sheet import ReviewSheet
    from tichu.parallel import Pool

__all__ = ["analyse"]

_WORLDS: Final = 64


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--worlds", type=click.IntRange(8), default=_WORLDS, show_default=True, help="Worlds for each decision.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Which worlds are drawn.")
@click.option(
    "--resume",
    metavar="FILE",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Keep finished rounds in FILE and go on from there.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a decision, and a summary at the end.")
@pool_options
def analyse(
    files: tuple[Path, ...],
    worlds: int,
    seed: int,
    resume: Path | None,
    as_json: bool,
    workers: int | None,
    ray: str | None,
    quiet: bool,
) -> None:
    """Compare the decisions in recorded games with the strongest bot's.

    Where the bot would have done something else, both are played on by four bots in worlds that looked the same to the
    seat.  "lost" is what the best candidate is worth more than what was played, in points of the round, with its
    standard error; it can be negative.  Mistakes are called (!) so that on average 5 % of those in a game are none.

    FILES are .ttn, .jsonl and .tch, with any number of games each, packed (.gz, .zst) or not; folders with such files;
    or - for the standard input.
    """
    from tichu.analysis.sheet import ReviewSheet
    from tichu.parallel import open_pool

    tasks = list(_tasks(files, worlds, seed))
    if not tasks:
        raise GameError(f"no round in {', '.join(map(str, files))}")
    reviews: list[RoundReview] = []
    is_interrupted = False
    kept = nullcontext() if resume is None else closing(ReviewSheet(resume, worlds, seed))
    with kept as sheet:
        try:
            with (
                closing(open_pool(workers, ray)) as pool,
                progress_bar(len(tasks), "rounds", is_quiet=quiet) as advance,
            ):
                for review in _reviewed(tasks, pool, sheet):
                    reviews.append(review)
                    advance(1)
        except KeyboardInterrupt:
            is_interrupted = True
    _tell(reviews, as_json=as_json)
    if is_interrupted:
        hint = "" if resume is None else f"; the same command goes on from {resume}"
        click.echo(f"interrupted after {len(reviews)} of {len(tasks)} rounds{hint}", err=True)
        sys.exit(INTERRUPTED)


def _tasks(files: Iterable[Path], worlds: int, seed: int) -> "Iterator[RoundTask]":
    from tichu.analysis.reviews import tasks_of

    for path in find_files(files):
        for game in game_texts(path):
            try:
                reading = game.read()
            except NotationError as error:
                click.echo(f"left out: {game.place}: {error}", err=True)
                continue
            for number, one in enumerate(reading.rounds):
                if isinstance(one, NotationError):
                    click.echo(f"left out: {game.place}, round {number}: {one}", err=True)
            yield from tasks_of(game.place, reading, worlds, seed)


def _reviewed(tasks: "list[RoundTask]", pool: "Pool", sheet: "ReviewSheet | None") -> "Iterator[RoundReview]":
    """The reviews in order, those that are done and those that are made now."""
    from tichu.analysis.reviews import review_round

    done = [sheet.find(task) if sheet else None for task in tasks]
    results = pool.map(review_round, [task for task, review in zip(tasks, done, strict=True) if review is None])
    try:
        for known in done:
            review = known or next(results)
            if known is None and sheet is not None:
                sheet.add(review)
            yield review
    finally:
        results.close()


def _tell(reviews: "list[RoundReview]", *, as_json: bool) -> None:
    import msgspec

    from tichu.analysis.reviews import summarise

    summary = summarise(reviews)
    mistakes = set(summary.mistakes)
    for review in reviews:
        if review.error:
            click.echo(f"left out: {review.file}, round {review.round}: {review.error}", err=True)
    decisions = [each for review in reviews for each in review.decisions]
    if as_json:
        for each in decisions:
            click.echo(msgspec.json.encode(each))
        click.echo(msgspec.json.encode({"summary": summary}))
        return
    for (file, number), group in groupby(decisions, lambda each: (each.file, each.round)):
        compared = [each for each in group if each.worlds]
        click.echo(f"{file}, round {number}: {len(compared)} decisions differ from the bot's")
        for each in compared:
            click.echo(_line(each, is_mistake=(each.file, each.round, each.action) in mistakes))
    _tell_summary(summary)


def _line(each: "DecisionReview", *, is_mistake: bool) -> str:
    better = "best" if each.best == each.played else f"better {each.best}"
    lost = f"lost {each.lost:+.1f} ± {each.lost_error:.1f}"
    return f"{'!' if is_mistake else ' '} {each.action:3} {each.kind:8} {each.played:20} {lost:22} {better}"


def _tell_summary(summary: "Summary") -> None:
    click.echo(f"{summary.rounds} rounds, {len(summary.mistakes)} mistakes called (on average 5 % of them wrongly)")
    click.echo(f"points lost a round by seat: {_listed(summary.by_seat)}")
    click.echo(f"points lost a round by kind: {_listed(summary.by_kind)}")


def _listed(parts: "dict[str, LostPerRound]") -> str:
    return ", ".join(
        f"{name} {each.lost_per_round:+.1f}"
        + ("" if each.lost_per_round_error is None else f" ± {each.lost_per_round_error:.1f}")
        for name, each in parts.items()
    )
