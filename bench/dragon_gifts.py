"""Does the champion give the Dragon's trick to the right opponent?  ``python -m bench.dragon_gifts GAMES``.

GAMES are games of ``learned`` with itself (``tichu selfplay``).  At every gift both opponents are tried in the same
worlds, drawn by what ``learned`` is believed to hold, and the rounds are played to their ends.  Told is what the other
one would have been worth more, on average over gifts: at or below 0 where the champion knows best.
"""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import click
import numpy as np

from tichu.analysis.decisions import Question, decisions_of
from tichu.analysis.precision import Budget, Others
from tichu.analysis.values import values_of
from tichu.core.actions import Take
from tichu.core.errors import NotationError
from tichu.core.phases import Phase
from tichu.core.record import RoundRecord
from tichu.core.rules import Rules
from tichu.formats.reading import read_games
from tichu.parallel import open_pool

_Task = tuple[RoundRecord, Rules, tuple[int, int], Budget, int]


def rounds(path: Path, budget: Budget) -> Iterator[_Task]:
    """The rounds of all games, each with the match before it."""
    for _, game in read_games(path):
        score = (0, 0)
        if isinstance(game, NotationError):
            raise game
        for one in game.rounds:
            if isinstance(one, RoundRecord) and one.score is not None:
                yield one, game.rules, score, budget, len(one.actions)
                score = score[0] + one.score[0], score[1] + one.score[1]


def other_is_better(task: _Task) -> list[float]:
    """For every gift of a round that left a choice: what the other opponent is worth more, in points."""
    record, rules, score, budget, seed = task
    asked = []
    for decision in decisions_of(record, rules, score):
        if decision.view.phase is not Phase.TAKE:
            continue
        # Bombs may be thrown first, and any trick may then be taken instead.
        gifts = [action for action in decision.view.legal() if isinstance(action, Take)]
        others = [action for action in gifts if action != decision.played]
        if decision.played in gifts and others:
            asked.append(Question(decision, "gift", (decision.played, *others)))
    return [values.lost().mean for values in values_of(asked, seed, budget)]


@click.command()
@click.argument("games", type=click.Path(exists=True, path_type=Path))
@click.option("--rounds", "number", type=click.IntRange(1), default=20_000, help="At most so many.")
@click.option("--worlds", type=click.IntRange(2), default=24, help="For a gift.")
@click.option("--others", type=click.Choice(["learned", "unknown"]), default="learned", help="How worlds are weighed.")
@click.option("--workers", type=click.IntRange(1), default=1)
def main(games: Path, number: int, worlds: int, others: Others, workers: int) -> None:
    """Measure."""
    budget = Budget(pilot=2, fewest=worlds, most=worlds, decisions=None, others=others)
    pool = open_pool(workers)
    found: list[list[float]] = []
    played = 0
    try:
        for gifts in pool.map(other_is_better, islice(rounds(games, budget), number)):
            played += 1
            found += [gifts] if gifts else []
            if played % 200 == 0:
                _tell(played, found)
    finally:
        pool.close()
        _tell(played, found)


def _tell(number: int, found: list[list[float]]) -> None:
    """Errors count a round as one observation."""
    gifts = sum(map(len, found))
    if len(found) < 2:
        return
    mean = sum(map(sum, found)) / gifts
    residuals = np.array([sum(each) - mean * len(each) for each in found])
    error = float(np.sqrt((residuals**2).sum() * len(found) / (len(found) - 1))) / gifts
    worth = f"{mean:+.2f} ± {error:.2f} points"
    print(f"{number:,} rounds, {gifts:,} gifts: the other opponent is worth {worth}", flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
