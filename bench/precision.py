"""What a review takes and how sure it is: ``python -m bench.precision [ROUNDS] [--full] [--worlds 640]``.

Real rounds from ``tests/games`` are reviewed at the default budget, one after another.  Told are CPU seconds a round,
and in how many of the decisions that differ from the bot's the standard error of ``lost`` is at most 8 points.
"""

import time
from pathlib import Path
from random import Random

import click
import numpy as np

from tichu.analysis.precision import Budget
from tichu.analysis.reviews import review_round, tasks_of
from tichu.formats.reading import read_game

_GAMES = Path(__file__).parent.parent / "tests" / "games"
_WANTED = 8.0


@click.command()
@click.argument("number", metavar="ROUNDS", type=click.IntRange(1), default=20)
@click.option("--full", is_flag=True, help="Play every world to the end.")
@click.option("--worlds", type=click.IntRange(48), default=Budget().most, show_default=True, help="Of a decision.")
def main(number: int, full: bool, worlds: int) -> None:
    """Review real rounds, and tell what it takes and how sure it is."""
    budget = Budget(most=worlds, decisions=None if full else Budget().decisions, others="people")
    tasks = [task for path in sorted(_GAMES.glob("*.ttn")) for task in tasks_of(path.name, read_game(path), budget, 0)]
    Random(5).shuffle(tasks)
    seconds: list[float] = []
    errors: list[float] = []
    numbers: list[int] = []
    for task in tasks[:number]:
        begin = time.process_time()
        review = review_round(task)
        seconds.append(time.process_time() - begin)
        compared = [each for each in review.decisions if each.worlds]
        errors += [each.lost_error for each in compared]
        numbers += [each.worlds for each in compared]
        good = np.mean(np.array(errors) <= _WANTED) if errors else 1.0
        print(  # noqa: T201
            f"{len(seconds)} rounds: {np.mean(seconds):.1f} s a round (90 %: {np.quantile(seconds, 0.9):.1f},"
            f" longest {max(seconds):.1f}),"
            f" {len(errors) / len(seconds):.1f} decisions compared in {np.mean(numbers):.0f} worlds each,"
            f" error at most {_WANTED:.0f} in {100 * good:.0f} %",
            flush=True,
        )


if __name__ == "__main__":
    main()
