"""How often which points of a round are won, and the chance to win a match.

    python -m tools.fit_chances [ROUNDS]
    python -m tools.fit_chances learned_rounds.parquet

Four learned bots play rounds of ``standard`` at 0:0, or did so in a table of ``training.rounds``, of which the first
rounds of matches are taken; the result is ``src/tichu/analysis/chances.npz``.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import duckdb
import numpy as np

from tichu.analysis.chances import STEP, solve_chances
from tichu.analysis.rollouts import Start, play_on
from tichu.core.deals import shuffled_deal
from tichu.core.round import Round
from tichu.core.rules import Rules

_TARGET = Path(__file__).parent.parent / "src" / "tichu" / "analysis" / "chances.npz"
_PART = 1024


def _play(rounds: int) -> Iterator[tuple[int, int]]:
    rules = Rules.parse("standard").sequential()
    for first in range(0, rounds, _PART):
        numbers = range(first, min(first + _PART, rounds))
        states = [Round.start(shuffled_deal(Random(number)), rules) for number in numbers]
        yield from map(tuple, play_on([Start(state, (), 0, None) for state in states]).scores.tolist())
        print(f"{numbers.stop} of {rounds} rounds", file=sys.stderr)  # noqa: T201


def _read(path: str) -> list[tuple[int, int]]:
    query = "SELECT score_0, score_1 FROM read_parquet($path) WHERE before_0 = 0 AND before_1 = 0"
    return duckdb.execute(query, {"path": path}).fetchall()


def main() -> None:
    """Play or read, count, compute and write."""
    source = sys.argv[1] if len(sys.argv) > 1 else "20000"
    counts: dict[tuple[int, int], int] = {}
    for one, two in _play(int(source)) if source.isdecimal() else _read(source):
        # The teams might have sat the other way round.
        for pair in ((one, two), (two, one)):
            rough = STEP * round(pair[0] / STEP), STEP * round(pair[1] / STEP)
            counts[rough] = counts.get(rough, 0) + 1
    results = np.array(sorted(counts), np.int16)
    weights = np.array([counts[one, two] for one, two in results.tolist()], float)
    weights /= weights.sum()
    np.savez_compressed(_TARGET, results=results, weights=weights, table=solve_chances(results, weights))


if __name__ == "__main__":
    main()
