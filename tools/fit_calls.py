"""Fit the chances by which the heuristic bot calls to its own play, and print the coefficients.

    python tools/fit_calls.py --rounds 20000

Every seat of every round gives a sample: the features before its first card (or on its first eight cards), and whether
it was the first out.  The rounds are played without calls, so that a call changes nothing that it is fitted to.
"""

import math
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from random import Random

import click

from tichu import Game, Phase, Rules, shuffled_deal
from tichu.agents.heuristic import HeuristicAgent
from tichu.agents.heuristic.calling import grand_features, tichu_features
from tichu.agents.heuristic.weights import DEFAULT

_RULES = Rules.parse("standard bombs=ordered")
# A chance above 1 is never reached: nobody calls.
_SILENT = replace(DEFAULT, tichu_chance=2.0, grand_chance=2.0)

Sample = tuple[tuple[float, ...], bool]


def samples_of(seed: int) -> tuple[list[Sample], list[Sample]]:
    """Tichu and Grand samples of one round."""
    agent = HeuristicAgent(0, _SILENT)
    game = Game.start(shuffled_deal(Random(seed)), _RULES)
    grand: dict[int, tuple[float, ...]] = {}
    tichu: dict[int, tuple[float, ...]] = {}
    while not game.round.is_over:
        seat = game.round.pending[0]
        view = game.view(seat)
        legal = view.legal()
        if view.phase is Phase.GRAND:
            grand[seat] = grand_features(view)
        elif legal.may_call and view.phase is not Phase.EXCHANGE:
            # The last chance to call counts, and every earlier one is much like it.
            tichu[seat] = tichu_features(view)
        game = game.after(seat, agent.act(view, legal))
    first = game.round.outcome.out[0]
    return (
        [(features, seat == first) for seat, features in tichu.items()],
        [(features, seat == first) for seat, features in grand.items()],
    )


def logistic(samples: Sequence[Sample], steps: int = 12) -> list[float]:
    """Newton's method; a little ridge keeps it steady."""
    size = len(samples[0][0])
    weights = [0.0] * size
    for _ in range(steps):
        gradient = [-1e-3 * weight for weight in weights]
        hessian = [[1e-3 * (row == column) for column in range(size)] for row in range(size)]
        for features, won in samples:
            p = 1.0 / (1.0 + math.exp(-sum(w * x for w, x in zip(weights, features, strict=True))))
            error, spread = won - p, p * (1.0 - p)
            for row, x in enumerate(features):
                if x:
                    gradient[row] += error * x
                    line = hessian[row]
                    for column, y in enumerate(features):
                        line[column] += spread * x * y
        weights = [w + d for w, d in zip(weights, _solve(hessian, gradient), strict=True)]
    return weights


def _solve(matrix: list[list[float]], right: list[float]) -> list[float]:
    """Gauss-Jordan for a small symmetric system."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for at in range(len(rows)):
        pivot = rows[at][at]
        rows[at] = [value / pivot for value in rows[at]]
        for other in range(len(rows)):
            if other != at:
                factor = rows[other][at]
                rows[other] = [a - factor * b for a, b in zip(rows[other], rows[at], strict=True)]
    return [row[-1] for row in rows]


def calibration(samples: Sequence[Sample], weights: Sequence[float]) -> str:
    """How often the hands of each estimated chance were first."""
    bins: dict[int, list[bool]] = {}
    for features, won in samples:
        p = 1.0 / (1.0 + math.exp(-sum(w * x for w, x in zip(weights, features, strict=True))))
        bins.setdefault(int(10 * p), []).append(won)
    return "\n".join(
        f"  {at / 10:.1f}: {len(won):6} hands, {sum(won) / len(won):.3f} first" for at, won in sorted(bins.items())
    )


@click.command()
@click.option("--rounds", default=20_000, show_default=True)
@click.option("--seed", default=1_000_000, show_default=True)
def main(rounds: int, seed: int) -> None:
    """Play, fit, print."""
    tichu: list[Sample] = []
    grand: list[Sample] = []
    with (
        ProcessPoolExecutor() as pool,
        click.progressbar(length=rounds, label="playing", file=sys.stderr, hidden=not sys.stderr.isatty()) as bar,
    ):
        for one, two in pool.map(samples_of, range(seed, seed + rounds), chunksize=50):
            tichu += one
            grand += two
            bar.update(1)
    for name, samples in (("TICHU", tichu), ("GRAND", grand)):
        weights = logistic(samples)
        click.echo(f"{name}_COEFFICIENTS: Final = ({', '.join(f'{w:.3f}' for w in weights)})")
        click.echo(calibration(samples, weights))


if __name__ == "__main__":
    main()
