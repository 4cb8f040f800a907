"""Reviews as one HTML page that needs nothing else: the chance to win along each game, and its mistakes with positions.

Cards are drawn as text in boxes, curves as SVG; there is no script and nothing is loaded.
"""

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import groupby
from typing import Final

from tichu.analysis.chances import chances
from tichu.analysis.decisions import Decision, decisions_of
from tichu.analysis.reviews import DecisionReview, LostPerRound, RoundReview, RoundTask, summarise, verdict_on
from tichu.core.cards import Cards, cards_of, format_cards

__all__ = ["format_report"]

_WIDTH: Final = 720
_HEIGHT: Final = 160
_SPECIALS: Final = {"Ma": "1", "Do": "Dog", "Ph": "Phx", "Dr": "Drg"}
_STYLE: Final = """
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; margin-bottom: 1rem; }
td, th { padding: 0.1rem 0.8rem 0.1rem 0; text-align: left; font-variant-numeric: tabular-nums; }
svg { width: 100%; height: auto; border: 1px solid #8888; border-radius: 4px; }
article { border-top: 1px solid #8888; padding: 0.5rem 0; }
.card { display: inline-block; min-width: 1.4rem; margin: 1px; padding: 0 0.2rem; border: 1px solid #8888;
  border-radius: 3px; text-align: center; background: #fff; color: #222; }
.s { color: #222; } .b { color: #1553b7; } .g { color: #11752f; } .r { color: #b3261e; } .x { background: #f3e9c8; }
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
        "<h2>Points lost a round</h2>",
        _table("seat", summary.by_seat),
        _table("kind", summary.by_kind),
    ]
    for file, group in groupby(reviews, lambda each: each.file):
        rounds = [review for review in group if not review.error]
        parts.append(f"<h2>{escape(file)}</h2>")
        parts.append(_curve(rounds, known))
        for review in rounds:
            mistakes = [each for each in review.decisions if (each.file, each.round, each.action) in called]
            parts += _articles(known[review.file, review.round], mistakes)
    body = "\n".join(parts)
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>Analysis</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<h1>Analysis</h1>\n{body}\n</body>\n</html>\n"
    )


def _table(name: str, rows: dict[str, LostPerRound]) -> str:
    cells = "".join(f"<tr><td>{escape(key)}</td><td>{_lost(each)}</td></tr>" for key, each in rows.items())
    return f"<table><tr><th>{name}</th><th>lost</th></tr>{cells}</table>"


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


def _articles(task: RoundTask, mistakes: Sequence[DecisionReview]) -> Iterator[str]:
    wanted = {each.action: each for each in mistakes}
    if not wanted:
        return
    for decision in decisions_of(task.record, task.rules, task.score):
        if decision.number in wanted:
            yield _article(wanted[decision.number], decision)


def _article(each: DecisionReview, decision: Decision) -> str:
    verdict = verdict_on(each, is_called=True)
    view = decision.view
    table = "" if view.top is None else f"<p>On the table, by seat {view.owner}: {_draw(view.top.cards)}</p>"
    counts = ", ".join(f"seat {seat} {count}" for seat, count in enumerate(view.counts))
    reason = f"<p>After that, {escape('; '.join(map(str, each.reasons)))}.</p>" if each.reasons else ""
    return (
        f"<article><h3>Round {each.round + 1}, action {each.action}, seat {each.seat}:"
        f' <span class="{verdict}">{verdict}</span></h3>'
        f"<p>Played <b>{escape(each.played)}</b>, better <b>{escape(each.best)}</b>:"
        f" {each.lost:+.1f} ± {each.lost_error:.1f} points ({each.worlds} worlds).</p>{reason}"
        f"<p>Hand: {_draw(view.hand)}</p>{table}<p>Cards: {counts}.</p></article>"
    )


def _draw(cards: Cards) -> str:
    return "".join(_draw_card(format_cards(1 << card)) for card in cards_of(cards))


def _draw_card(name: str) -> str:
    if name in _SPECIALS:
        return f'<span class="card x">{_SPECIALS[name]}</span>'
    return f'<span class="card {name[-1]}">{name}</span>'
