"""How long people wait for a quick match, and how fair it is: ``python -m bench.quick_match``.

Seekers come by chance, so many a minute, with ratings spread as those of newcomers to the site; some come as pairs.
They are brought together by the server's own code (``tichu.server.rating.pairing``), once a second.  The table is that
of ``docs/quick_match.md``; ``--plot`` draws its picture.
"""

import math
import random
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Final, NamedTuple

import click

from tichu.server.config import QuickRules
from tichu.server.rating.pairing import Ticket, form_groups

__all__ = ["Evening", "simulate"]

#: The spread of ratings as people see them, and how many come with a partner.
_SPREAD: Final = 160.0
_PAIRS: Final = 0.2
_HOUR: Final = 3600


class Evening(NamedTuple):
    """What happened at one rate."""

    rate: float
    seekers: int
    #: Of those who got a match, in seconds.
    waits: list[float]
    #: The chance of the stronger team, and how far apart the four ratings were, by match.
    chances: list[float]
    spreads: list[float]


def simulate(rate: float, seekers: int, seed: int) -> Evening:
    """Let so many tickets come, at so many a minute; who waits for an hour gives up.

    >>> evening = simulate(30.0, 200, 1)
    >>> len(evening.waits) > 150, max(evening.chances) < 0.9
    (True, True)
    """
    rng, now, name = random.Random(seed), 0.0, 0
    arrivals: list[Ticket] = []
    for _ in range(seekers):
        now += rng.expovariate(rate / 60)
        number = 2 if rng.random() < _PAIRS else 1
        ratings = [rng.gauss(1500, _SPREAD) for _ in range(number)]
        players = tuple(f"p{name + at}" for at in range(number))
        name += number
        arrivals.append(Ticket(players, sum(ratings) / number, now))
    evening = Evening(rate, name, [], [], [])
    waiting: list[Ticket] = []
    end, at, second = math.ceil(now) + _HOUR, 0, 0
    while second < end and (at < len(arrivals) or waiting):
        second += 1
        while at < len(arrivals) and arrivals[at].since <= second:
            waiting.append(arrivals[at])
            at += 1
        for group in form_groups(waiting, float(second)):
            for ticket in group.tickets:
                waiting.remove(ticket)
                evening.waits.extend([second - ticket.since] * len(ticket.players))
            ratings = [ticket.rating for ticket in group.tickets]
            evening.spreads.append(max(ratings) - min(ratings))
            evening.chances.append(1 / (1 + 10 ** (-group.difference / 400)))
        waiting = [ticket for ticket in waiting if second - ticket.since < _HOUR]
    return evening


def _quantile(numbers: Sequence[float], share: float) -> float:
    return sorted(numbers)[min(len(numbers) - 1, int(share * len(numbers)))]


def _line(evening: Evening, bots_seconds: float) -> str:
    waits, late = evening.waits, sum(wait > bots_seconds for wait in evening.waits)
    late += evening.seekers - len(waits)
    return (
        f"| {evening.rate:g} | {evening.seekers:,} | {_quantile(waits, 0.5):.0f} s | {_quantile(waits, 0.9):.0f} s "
        f"| {100 * late / evening.seekers:.0f} % | {_quantile(evening.spreads, 0.5):.0f} "
        f"| {100 * sum(evening.chances) / len(evening.chances):.1f} % | {100 * _quantile(evening.chances, 0.9):.0f} % |"
    )


def _plot(path: Path, evenings: Sequence[Evening]) -> None:
    try:
        matplotlib, figures = import_module("matplotlib"), import_module("matplotlib.figure")
    except ImportError:
        raise click.ClickException("--plot needs matplotlib: pip install 'tichu[plot]'") from None
    # The same file for the same numbers.
    with matplotlib.rc_context({"svg.hashsalt": "tichu"}):
        figure = figures.Figure(figsize=(9.0, 3.6), layout="constrained")
        left, right = figure.subplots(1, 2)
        shares = [at / 100 for at in range(1, 100)]
        for evening in evenings:
            name = f"{evening.rate:g} a minute"
            left.plot([_quantile(evening.waits, share) for share in shares], shares, label=name)
            right.plot([100 * _quantile(evening.chances, share) for share in shares], shares, label=name)
        left.set(xlabel="waiting time, seconds", ylabel="share of people", xscale="log", xlim=(0.5, 1000))
        right.set(xlabel="chance of the stronger team, %", ylabel="share of matches", xlim=(50, 80))
        left.legend(fontsize=8, title="seekers")
        figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)


@click.command()
@click.option("--rate", type=float, multiple=True, default=(1.0, 4.0, 15.0, 60.0), help="Tickets a minute.")
@click.option("--seekers", type=click.IntRange(100), default=4000, help="Tickets at each rate.")
@click.option("--seed", type=int, default=1)
@click.option("--plot", type=click.Path(dir_okay=False, path_type=Path), help="Write a picture.")
def main(rate: tuple[float, ...], seekers: int, seed: int, plot: Path | None) -> None:
    """Simulate an evening at each rate."""
    bots_seconds = QuickRules().bots_seconds
    click.echo(
        "| a minute | people | half wait | nine of ten | bots offered to | ratings apart | stronger wins | at most |"
    )
    click.echo("|---|---|---|---|---|---|---|---|")
    evenings = [simulate(one, seekers, seed) for one in rate]
    for evening in evenings:
        click.echo(_line(evening, bots_seconds))
    if plot is not None:
        _plot(plot, evenings)


if __name__ == "__main__":
    main()
