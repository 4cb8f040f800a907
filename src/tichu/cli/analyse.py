"""``tichu analyse``: what the decisions of recorded games were worth."""

import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import closing, nullcontext
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from tichu.cli.options import pool_options, progress_bar
from tichu.cli.status import INTERRUPTED
from tichu.cli.typed import FilePath, FiniteRange
from tichu.cli.writing import check_target
from tichu.core.errors import GameError, NotationError
from tichu.formats.sources import GameText, find_files, game_texts

if TYPE_CHECKING:
    from tichu.analysis.players import PlayerSheet
    from tichu.analysis.precision import Budget, Others, Policy
    from tichu.analysis.reviews import DecisionReview, LostPerRound, RoundReview, RoundTask, Summary
    from tichu.analysis.sheet import ReviewSheet
    from tichu.parallel import Pool

__all__ = ["analyse"]

#: As in tichu.analysis.precision, which is loaded only when it is needed.
_WORLDS: Final = 640
_ERROR: Final = 8.0

#: Of a page or of a record; the server may be below a path.
_GAME_ADDRESS: Final = re.compile(r"(?P<prefix>.*?)/(?:game|api/games)/(?P<id>[A-Za-z0-9_-]+)(?:\.(?:ttn|tch|json))?")
#: Where a page says what it is.
_BEGINNING: Final = 500
#: Seconds that a server may take, and bytes that a game may have.
_TIMEOUT: Final = 20
_LARGEST: Final = 4_000_000


@click.command()
@click.argument("files", nargs=-1, required=True)
@click.option(
    "--error",
    type=FiniteRange(0.5),
    default=_ERROR,
    show_default=True,
    metavar="POINTS",
    help="The standard error of lost that is wanted: so many worlds are taken.",
)
@click.option(
    "--worlds", type=click.IntRange(48), default=_WORLDS, show_default=True, help="Worlds for a decision at most."
)
@click.option(
    "--seconds",
    type=FiniteRange(0.1),
    metavar="SECONDS",
    help="Processor time for a round at most, as far as possible; the results then depend on the machine.",
)
@click.option(
    "--others",
    type=click.Choice(("learned", "people", "unknown")),
    default="people",
    show_default=True,
    help="How the others are believed to play, which makes some worlds likelier; unknown: all are equally likely.",
)
@click.option(
    "--policy",
    type=click.Choice(("learned", "small")),
    default="learned",
    show_default=True,
    help="The bot that plays rounds on; small is many times faster and a little weaker.",
)
@click.option("--full", is_flag=True, help="Play every round to its end; otherwise a critic says how it would end.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Which worlds are drawn.")
@click.option(
    "--resume",
    metavar="FILE",
    type=FilePath(dir_okay=False),
    help="Keep finished rounds in FILE and go on from there.",
)
@click.option(
    "--html",
    metavar="FILE",
    type=FilePath(dir_okay=False),
    help="Write a page with the chance to win, and the mistakes with their positions.",
)
@click.option("--force", is_flag=True, help="Replace the FILE of --html even if it is something else than such a page.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a decision, game by game, and a summary.")
@pool_options
def analyse(
    files: tuple[str, ...],
    error: float,
    worlds: int,
    seconds: float | None,
    others: "Others",
    policy: "Policy",
    full: bool,
    seed: int,
    resume: Path | None,
    html: Path | None,
    force: bool,
    as_json: bool,
    workers: int | None,
    ray: str | None,
    quiet: bool,
) -> None:
    """Compare the decisions in recorded games with the strongest bot's.

    Where the bot would have done something else, both are played on by four bots in worlds that looked the same to the
    seat.  "lost" is what the best other candidate is worth more than what was played, in points of the round, with its
    standard error; it is negative where what was played is better.  Mistakes are called (!) so that on average 5 % of
    those in a game are none.

    FILES are .ttn, .jsonl and .tch, with any number of games each, packed (.gz, .zst) or not; folders with such files;
    - for the standard input; or addresses of games on a server (https://.../game/ID).  Rounds are counted from 1, and
    from 0 in --json.
    """
    from tichu.analysis.precision import Budget
    from tichu.analysis.sheet import ReviewSheet
    from tichu.parallel import open_pool

    if html is not None:
        _check_page(html, resume, is_forced=force)
    budget = Budget(error=error, most=worlds, others=others, policy=policy, seconds=seconds)
    if full:
        budget = budget._replace(decisions=None)
    tasks = list(_tasks(files, budget, seed))
    if not tasks:
        raise GameError(f"no round in {', '.join(map(str, files))}")
    reviews: list[RoundReview] = []
    #: Games whose decisions are not printed yet: which of them are mistakes depends on all of a game.
    games: dict[str, list[RoundReview]] = {}
    last = {task.file: number for number, task in enumerate(tasks, start=1)}
    is_interrupted = False
    kept = nullcontext() if resume is None else closing(ReviewSheet(resume, budget, seed))
    with kept as sheet:
        try:
            with (
                closing(open_pool(workers, ray)) as pool,
                progress_bar(len(tasks), "rounds", is_quiet=quiet) as advance,
            ):
                for review in _reviewed(tasks, pool, sheet):
                    reviews.append(review)
                    games.setdefault(review.file, []).append(review)
                    advance(1)
                    if as_json and len(reviews) == last[review.file]:
                        _print_json(games.pop(review.file))
        except KeyboardInterrupt:
            is_interrupted = True
    if html is not None:
        from tichu.analysis.report import format_report

        html.write_text(format_report(reviews, tasks), encoding="utf-8")
    if as_json:
        for game in games.values():
            _print_json(game)
        _print_json_summary(reviews)
    else:
        _tell(reviews)
    if is_interrupted:
        hint = "" if resume is None else f"; the same command goes on from {resume}"
        click.echo(f"interrupted after {len(reviews)} of {len(tasks)} rounds{hint}", err=True)
        sys.exit(INTERRUPTED)


def _tasks(files: Iterable[str], budget: "Budget", seed: int) -> "Iterator[RoundTask]":
    from tichu.analysis.reviews import tasks_of, wrong_scores

    for game in _games(files):
        try:
            reading = game.read()
            tasks = list(tasks_of(game.place, reading, budget, seed))
        except NotationError as error:
            click.echo(f"left out: {game.place}: {error}", err=True)
            continue
        for number, one in enumerate(reading.rounds, start=1):
            if isinstance(one, NotationError):
                click.echo(f"left out: {game.place}, round {number}: {one}", err=True)
        for number, what in wrong_scores(reading):
            click.echo(f"{game.place}, round {number + 1}: {what}; the match goes on with the latter", err=True)
        yield from tasks


def _check_page(html: Path, resume: Path | None, *, is_forced: bool) -> None:
    """Whether a page may be written there: over an older one, but over no game.

    :raises GameError: it may not
    """
    from tichu.analysis.report import is_report

    if resume is not None and html.resolve() == resume.resolve():
        raise GameError(f"{html}: --html and --resume name the same file")
    is_page = False
    if html.is_file():
        with html.open("rb") as file:
            begins = file.read(_BEGINNING)
        # An interrupted run leaves an empty file.
        is_page = not begins or is_report(begins.decode("utf-8", "replace"))
    check_target(html, is_forced=is_forced or is_page)
    # What cannot be written is told before the work, not after it.
    html.open("a").close()


def _games(files: Iterable[str]) -> Iterator[GameText]:
    for is_address, group in groupby(files, lambda each: each.lower().startswith(("http://", "https://"))):
        if is_address:
            yield from map(_fetch, group)
        else:
            for path in find_files(map(Path, group)):
                yield from game_texts(path)


def _fetch(address: str) -> GameText:
    """A finished game of a server, by the address of its replay or of its record."""
    from http.client import HTTPException
    from urllib.error import HTTPError
    from urllib.parse import urlsplit, urlunsplit
    from urllib.request import urlopen

    try:
        parts = urlsplit(address)
    except ValueError as error:
        raise GameError(f"{address}: {error}") from None
    found = _GAME_ADDRESS.fullmatch(parts.path)
    if found is None:
        raise GameError(f"{address}: not the address of a game, which ends in game/ID")
    record = urlunsplit((parts.scheme, parts.netloc, f"{found['prefix']}/api/games/{found['id']}.ttn", "", ""))
    try:
        with urlopen(record, timeout=_TIMEOUT) as answer:
            text = answer.read(_LARGEST + 1)
            # What was announced and has not come.
            missing = getattr(answer, "length", None)
    except HTTPError as error:
        error.close()
        raise GameError(f"{address}: {error.code} {error.reason}") from None
    except (OSError, HTTPException, UnicodeError) as error:
        raise GameError(f"{address}: {getattr(error, 'reason', error)}") from None
    if len(text) > _LARGEST:
        raise GameError(f"{address}: more than {_LARGEST:,} bytes are no game")
    if missing:
        raise GameError(f"{address}: the answer ends too early")
    try:
        return GameText(address, ".ttn", text.decode())
    except UnicodeDecodeError:
        raise GameError(f"{address}: the answer is no text") from None


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


def _print_json(game: "list[RoundReview]") -> None:
    """The decisions of one game."""
    import msgspec

    from tichu.analysis.reviews import called_mistakes, verdict_on

    _tell_errors(game)
    decisions = [each for review in game for each in review.decisions]
    called = {(each.round, each.action) for each in called_mistakes(decisions)}
    for each in decisions:
        verdict = verdict_on(each, is_called=(each.round, each.action) in called)
        click.echo(msgspec.json.encode({**msgspec.structs.asdict(each), "verdict": verdict}))


def _print_json_summary(reviews: "list[RoundReview]") -> None:
    import msgspec

    from tichu.analysis.players import player_sheets
    from tichu.analysis.reviews import summarise

    known = {**msgspec.structs.asdict(summarise(reviews)), "players": player_sheets(reviews)}
    click.echo(msgspec.json.encode({"summary": known}))


def _tell_errors(reviews: "list[RoundReview]") -> None:
    for review in reviews:
        if review.error:
            click.echo(f"left out: {review.file}, round {review.round + 1}: {review.error}", err=True)


def _tell(reviews: "list[RoundReview]") -> None:
    from tichu.analysis.players import player_sheets
    from tichu.analysis.reviews import summarise, verdict_on

    _tell_errors(reviews)
    summary = summarise(reviews)
    mistakes = set(summary.mistakes)
    decisions = [each for review in reviews for each in review.decisions]
    for (file, number), group in groupby(decisions, lambda each: (each.file, each.round)):
        compared = [each for each in group if each.worlds or each.error]
        click.echo(f"{file}, round {number + 1}: {len(compared)} decisions differ from the bot's")
        for each in compared:
            is_called = (each.file, each.round, each.action) in mistakes
            click.echo(_line(each, verdict_on(each, is_called=is_called)))
            if is_called and each.reasons:
                click.echo(f"      {'; '.join(map(str, each.reasons))}")
    _tell_summary(summary)
    for name, sheet in player_sheets(reviews).items():
        _tell_sheet(name, sheet)


def _line(each: "DecisionReview", verdict: str) -> str:
    if each.error:
        return f"  {each.action:3} {each.kind:8} {each.played:20} not compared: {each.error}"
    better = "best" if each.best == each.played else f"better {each.best}"
    mark = " " if verdict == "unclear" else "!"
    lost = f"lost {each.lost:+.1f} ± {each.lost_error:.1f}"
    name = "" if verdict == "unclear" else f" ({verdict})"
    return f"{mark} {each.action:3} {each.kind:8} {each.played:20} {lost:22} {better}{name}"


def _tell_summary(summary: "Summary") -> None:
    click.echo(f"{summary.rounds} rounds, {len(summary.mistakes)} mistakes called (on average 5 % of them wrongly)")
    click.echo(f"points lost a round by seat: {_listed(summary.by_seat)}")
    click.echo(f"points lost a round by kind: {_listed(summary.by_kind)}")


def _tell_sheet(name: str, sheet: "PlayerSheet") -> None:
    click.echo(f"{name}: {_listed({'lost': sheet.lost, 'score': sheet.score})} points a round in {sheet.rounds} rounds")
    click.echo(f"  lost by kind: {_listed(sheet.by_kind)}")
    if sheet.games_for_lost is not None:
        needed = f"{sheet.games_for_lost} games, by the score after {sheet.games_for_score}"
        click.echo(f"  what is lost will be known to 10 points a round after {needed}")


def _listed(parts: "dict[str, LostPerRound]") -> str:
    return ", ".join(
        f"{name} {each.lost_per_round:+.1f}"
        + ("" if each.lost_per_round_error is None else f" ± {each.lost_per_round_error:.1f}")
        for name, each in parts.items()
    )
