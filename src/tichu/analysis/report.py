"""Reviews as one HTML page that needs nothing else: the chance to win along each game, and its mistakes with positions.

Everything is drawn as SVG (:mod:`.pictures`); there is no script and nothing is loaded.
"""

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import groupby
from typing import Final

from tichu.analysis.chances import chances
from tichu.analysis.decisions import Decision, decisions_of
from tichu.analysis.pictures import describe, draw_position
from tichu.analysis.players import PlayerSheet, player_sheets
from tichu.analysis.reviews import DecisionReview, LostPerRound, RoundReview, RoundTask, summarise, verdict_on
from tichu.core.actions import parse_action

__all__ = ["format_report", "is_report"]

_GENERATOR: Final = '<meta name="generator" content="tichu analyse">'

_WIDTH: Final = 720
_HEIGHT: Final = 160
_STYLE: Final = """
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; margin-bottom: 1rem; }
td, th { padding: 0.1rem 0.8rem 0.1rem 0; text-align: left; font-variant-numeric: tabular-nums; }
svg { width: 100%; height: auto; border: 1px solid #8888; border-radius: 4px; }
article { border-top: 1px solid #8888; padding: 0.5rem 0; }
svg.position { border: 0; font-family: system-ui, sans-serif; }
.blunder { color: #b3261e; } .mistake { color: #b55b00; } .inaccuracy { color: #75701a; }
@media (prefers-color-scheme: dark) { .blunder { color: #ff8a80; } .mistake { color: #ffb74d; }
  .inaccuracy { color: #dce775; } }
"""


def format_report(reviews: Sequence[RoundReview], tasks: Iterable[RoundTask]) -> str:
    """The page for these rounds; tasks tell what was on the table."""
    known = {(task.file, task.round): task for task in tasks}
    summary = summarise(reviews)
    called = set(summary.mistakes)
    parts = [
        f"<p>{summary.rounds} rounds, {len(called)} mistakes called, of which on average 5 % are none.</p>",
        *_failures(reviews),
        "<h2>Points lost a round</h2>",
        _table("seat", summary.by_seat),
        _table("kind", summary.by_kind),
        *_sheets(player_sheets(reviews)),
    ]
    for game, (file, group) in enumerate(groupby(reviews, lambda each: each.file)):
        rounds = [review for review in group if not review.error]
        parts.append(f"<h2>{escape(file)}</h2>")
        parts.append(_curve(rounds, known))
        mistakes = [
            each for review in rounds for each in review.decisions if (each.file, each.round, each.action) in called
        ]
        parts.append(_list(mistakes, game, known))
        for number, group_of_round in groupby(mistakes, lambda each: each.round):
            parts += _articles(known[file, number], list(group_of_round), game)
    body = "\n".join(parts)
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'{_GENERATOR}\n<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>Analysis</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<h1>Analysis</h1>\n{body}\n</body>\n</html>\n"
    )


def is_report(text: str) -> bool:
    """Whether this is the beginning of a page that was made here."""
    return text.startswith("<!doctype html>") and _GENERATOR in text


def _failures(reviews: Sequence[RoundReview]) -> Iterator[str]:
    """What could not be reviewed."""
    for review in reviews:
        if review.error:
            yield f"<p>Left out: {escape(review.file)}, round {review.round + 1}: {escape(review.error)}</p>"
        for each in review.decisions:
            if each.error:
                place = f"{escape(each.file)}, round {each.round + 1}, action {each.action}"
                yield f"<p>Not compared: {place}: {escape(each.error)}</p>"


def _table(name: str, rows: dict[str, LostPerRound]) -> str:
    cells = "".join(f"<tr><td>{escape(key)}</td><td>{_lost(each)}</td></tr>" for key, each in rows.items())
    return f"<table><tr><th>{name}</th><th>lost</th></tr>{cells}</table>"


def _sheets(sheets: dict[str, PlayerSheet]) -> Iterator[str]:
    """What each player loses and scores a round, and after how many games both will be known."""
    if not sheets:
        return
    yield "<h2>Players</h2>"
    rows = "".join(
        f"<tr><td>{escape(name)}</td><td>{each.rounds}</td><td>{_lost(each.lost)}</td><td>{_lost(each.score)}</td>"
        f"<td>{each.games_for_lost or ''}</td><td>{each.games_for_score or ''}</td></tr>"
        for name, each in sheets.items()
    )
    yield (
        "<table><tr><th>player</th><th>rounds</th><th>lost a round</th><th>score a round</th>"
        f"<th>games for lost</th><th>games for score</th></tr>{rows}</table>"
        "<p>The last columns: after how many games the mean will be known to 10 points a round.</p>"
    )


def _lost(each: LostPerRound) -> str:
    error = "" if each.lost_per_round_error is None else f" ± {each.lost_per_round_error:.1f}"
    return f"{each.lost_per_round:+.1f}{error}"


def _curve(rounds: Sequence[RoundReview], known: dict[tuple[str, int], RoundTask]) -> str:
    """The chance of seats 0 and 2 to win the match: where rounds begin, and where something was compared."""
    points = list(_chances_along(rounds, known))
    if len(points) < 2:
        return ""
    step = _WIDTH / (len(points) - 1)
    line = " ".join(f"{place * step:.1f},{_HEIGHT * (1 - win):.1f}" for place, win in enumerate(points))
    label = f"chance of seats 0 and 2 to win the match, from {100 * points[0]:.0f} % to {100 * points[-1]:.0f} %"
    return (
        f'<figure style="margin:0"><svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{label}">'
        f'<line x1="0" y1="{_HEIGHT / 2}" x2="{_WIDTH}" y2="{_HEIGHT / 2}" stroke="#8888"/>'
        f'<polyline points="{line}" fill="none" stroke="#1553b7" stroke-width="2"/></svg>'
        f"<figcaption>{label}</figcaption></figure>"
    )


def _chances_along(rounds: Sequence[RoundReview], known: dict[tuple[str, int], RoundTask]) -> Iterator[float]:
    after: tuple[RoundTask, tuple[int, int]] | None = None
    for review in rounds:
        task = known[review.file, review.round]
        if task.rules.goal.kind != "target":
            return
        yield float(chances().win(*task.score, task.rules.goal.number))
        for each in review.decisions:
            win = next((one.win for one in each.candidates if one.action == each.played), None)
            if win is not None:
                yield win if each.seat % 2 == 0 else 1 - win
        after = (task, task.record.score) if task.record.score is not None else None
    if after is not None:
        task, points = after
        yield float(chances().win(task.score[0] + points[0], task.score[1] + points[1], task.rules.goal.number))


def _names(task: RoundTask) -> tuple[str, ...]:
    return tuple(name or f"seat {seat}" for seat, name in enumerate(task.players or ("",) * 4))


def _anchor(each: DecisionReview, game: int) -> str:
    return f"m{game}-{each.round}-{each.action}"


def _list(mistakes: Sequence[DecisionReview], game: int, known: dict[tuple[str, int], RoundTask]) -> str:
    """The mistakes of a game, the dearest first."""
    rows = "".join(
        f'<li><a href="#{_anchor(each, game)}">Round {each.round + 1},'
        f" {escape(_names(known[each.file, each.round])[each.seat])}</a>:"
        f' <span class="{(verdict := verdict_on(each, is_called=True))}">{verdict}</span>,'
        f" {each.lost:+.1f} ± {each.lost_error:.1f} points</li>"
        for each in sorted(mistakes, key=lambda one: -one.lost)
    )
    return f"<ol>{rows}</ol>" if rows else "<p>No mistake is called.</p>"


def _articles(task: RoundTask, mistakes: Sequence[DecisionReview], game: int) -> Iterator[str]:
    wanted = {each.action: each for each in mistakes}
    for decision in decisions_of(task.record, task.rules, task.score):
        if decision.number in wanted:
            yield _article(wanted[decision.number], decision, _names(task), game)


def _article(each: DecisionReview, decision: Decision, names: Sequence[str], game: int) -> str:
    verdict = verdict_on(each, is_called=True)
    played, best = (describe(parse_action(text)[1], each.seat, names) for text in (each.played, each.best))
    reason = f"<p>After that, {escape('; '.join(map(str, each.reasons)))}.</p>" if each.reasons else ""
    return (
        f'<article id="{_anchor(each, game)}"><h3>Round {each.round + 1}, {escape(names[each.seat])}:'
        f' <span class="{verdict}">{verdict}</span></h3>'
        f"{draw_position(decision.view, names)}"
        f"<p>Played: <b>{escape(played)}</b>. Better: <b>{escape(best)}</b>,"
        f" by {each.lost:.1f} ± {each.lost_error:.1f} points ({each.worlds} worlds)."
        f" Action {each.action} of the round.</p>{reason}</article>"
    )
