"""``tichu bench``: what the performance page reports.

A figure is the median of several runs with their spread: single timings say little.
"""

import json
import statistics
import sys
import time
from collections.abc import Callable
from random import Random

import click

from tichu.actions import CALL_GRAND, CALL_TICHU, DECLINE_GRAND
from tichu.deals import shuffled_deal
from tichu.phases import Phase
from tichu.round import Round
from tichu.rules import Rules

__all__ = ["bench"]

_RUNS = 7
_CALL_CHANCE = 0.05


def _python_rounds() -> float:
    """Random rounds a second in pure Python: every play drawn from the full legal set."""
    rules = Rules.parse("standard bombs=in-turn")
    rng = Random(1)
    rounds = 200
    start = time.perf_counter()
    for _ in range(rounds):
        _random_round(rules, rng)
    return rounds / (time.perf_counter() - start)


def _random_round(rules: Rules, rng: Random) -> None:
    state = Round.start(shuffled_deal(rng), rules)
    while state.pending:
        seat = state.pending[0]
        if state.phase is Phase.GRAND:
            called = rng.random() < _CALL_CHANCE
            state = state.after_unchecked(seat, CALL_GRAND if called else DECLINE_GRAND)
            continue
        legal = state.legal(seat)
        if rng.random() < _CALL_CHANCE and legal.may_call:
            state = state.after_unchecked(seat, CALL_TICHU)
            continue
        state = state.after_unchecked(seat, legal.draw(rng))


_BENCHES: dict[str, Callable[[], float]] = {"python.rounds_per_s": _python_rounds}


@click.command()
@click.argument("names", nargs=-1)
@click.option("--json", "as_json", is_flag=True, help="One object, name to median.")
def bench(names: tuple[str, ...], as_json: bool) -> None:
    """Measure the speed of the named parts, or of all: median of seven runs, and their range."""
    chosen = {name: run for name, run in _BENCHES.items() if not names or any(name.startswith(word) for word in names)}
    for word in names:
        if not any(name.startswith(word) for name in _BENCHES):
            raise click.ClickException(f"no benchmark {word!r}; there are {', '.join(_BENCHES)}")
    medians = {}
    for name, run in chosen.items():
        with click.progressbar(range(_RUNS), label=name, file=sys.stderr, hidden=not sys.stderr.isatty()) as runs:
            figures = [run() for _ in runs]
        medians[name] = statistics.median(figures)
        if not as_json:
            click.echo(f"{name:28}{medians[name]:14,.0f}   ({min(figures):,.0f} to {max(figures):,.0f})")
    if as_json:
        click.echo(json.dumps(medians))
