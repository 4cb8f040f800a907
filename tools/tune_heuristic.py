"""Try other weights for the heuristic bot: each is moved up and down and played against the best so far.

    python tools/tune_heuristic.py --deals 1000 hold_back lead

Both play the same deals from both sides.  A change is kept when it gains more than two standard errors; the last line
is the result, to be checked by a longer duel on fresh deals before it is believed.
"""

import statistics
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import fields, replace
from functools import partial
from random import Random

import click

from tichu import Rules, shuffled_deal
from tichu.agents.heuristic import HeuristicAgent
from tichu.agents.heuristic.weights import DEFAULT, Weights
from tichu.arena.rounds import play_round

_RULES = Rules.parse("standard bombs=ordered")


def difference(seed: int, new: Weights, old: Weights) -> float:
    """Points a round that the new weights are ahead on one deal, played twice."""
    deal = shuffled_deal(Random(seed))
    ours, theirs = HeuristicAgent(0, new), HeuristicAgent(0, old)
    here = play_round([ours, theirs, ours, theirs], deal, _RULES).round.outcome.score
    there = play_round([theirs, ours, theirs, ours], deal, _RULES).round.outcome.score
    return (here[0] - here[1] + there[1] - there[0]) / 2


def variants(weights: Weights, name: str, step: float) -> Iterator[Weights]:
    """The weight a step up and a step down."""
    value = getattr(weights, name)
    for sign in (1, -1):
        yield replace(weights, **{name: round(value + sign * max(step * abs(value), 0.04), 3)})


@click.command()
@click.argument("names", nargs=-1)
@click.option("--deals", default=1000, show_default=True)
@click.option("--seed", default=100_000, show_default=True)
@click.option("--step", default=0.25, show_default=True, help="How far to move, as a part of the weight.")
def main(names: tuple[str, ...], deals: int, seed: int, step: float) -> None:
    """Move each named weight, or all of them, one after another."""
    best = DEFAULT
    with ProcessPoolExecutor() as pool:
        for name in names or tuple(field.name for field in fields(Weights)):
            for new in variants(best, name, step):
                seeds = range(seed, seed + deals)
                seed += deals
                ahead = list(pool.map(partial(difference, new=new, old=best), seeds, chunksize=20))
                mean, error = statistics.mean(ahead), statistics.stdev(ahead) / deals**0.5
                kept = mean > 2 * error
                click.echo(
                    f"{name} {getattr(best, name)} -> {getattr(new, name)}: {mean:+.2f} ± {error:.2f}{' kept' * kept}"
                )
                if kept:
                    best = new
                    break
    click.echo(best)


if __name__ == "__main__":
    main()
