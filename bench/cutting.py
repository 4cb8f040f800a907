"""What cutting rollouts short saves and what it costs: ``python -m bench.cutting [DECISIONS [WORLDS]]``.

Decisions of the real games in ``tests/games`` that differ from the bot's; played and the bot's choice in the same
worlds, to the end and cut after so many decisions.  Told are the standard deviation of a single difference, the mean of
what the critic adds to it, and the root of its mean square over decisions, chance taken off: that is what
``tichu.analysis.values`` adds to every error.
"""

import time
from collections.abc import Iterator
from math import copysign, sqrt
from pathlib import Path
from random import Random

import click
import numpy as np
from numpy.typing import NDArray

from tichu.agents.learned.agent import LearnedAgent
from tichu.analysis.decisions import Question, decisions_of, questions_of
from tichu.analysis.rollouts import play_on
from tichu.analysis.values import starts_in
from tichu.analysis.worlds import Worlds
from tichu.core.record import RoundRecord
from tichu.formats.reading import read_game

_GAMES = Path(__file__).parent.parent / "tests" / "games"
_CUTS = (8, 12, 16, 20, 24)
#: Of a round, so that decisions are not all alike.
_A_ROUND = 4


def questions() -> Iterator[Question]:
    """Decisions that differ from the bot's, with two candidates each, in an order of their own."""
    rounds = []
    # The last third of the games: the first ones may have been used to fit the critic.
    for path in sorted(_GAMES.glob("*.ttn"))[40:]:
        reading = read_game(path)
        rounds += [(one, reading.rules) for one in reading.rounds if isinstance(one, RoundRecord)]
    rng = Random(1)
    rng.shuffle(rounds)
    for one, rules in rounds:
        asked = questions_of(list(decisions_of(one, rules)), LearnedAgent())
        several = [question for question in asked if len(question.candidates) > 1]
        for question in rng.sample(several, min(_A_ROUND, len(several))):
            yield question._replace(candidates=question.candidates[:2])


def differences(question: Question, worlds: int, cut: int | None) -> NDArray[np.float32]:
    """The bot's choice less what was played, in the same worlds whatever the cut."""
    possible = Worlds(question.decision.view, question.decision.eight)
    starts = starts_in(question.decision, possible, possible.sample(worlds, 1), question.candidates)
    points = play_on(starts, None, cut).points.reshape(-1, 2)
    sign = 1 if question.decision.view.seat % 2 == 0 else -1
    return sign * (points[:, 1] - points[:, 0])


@click.command()
@click.argument("number", metavar="DECISIONS", type=click.IntRange(1), default=100)
@click.argument("worlds", metavar="WORLDS", type=click.IntRange(1), default=256)
def main(number: int, worlds: int) -> None:
    """Measure."""
    asked = [question for question, _ in zip(questions(), range(number), strict=False)]
    whole: list[NDArray[np.float32]] = []
    for cut in (None, *_CUTS):
        begin = time.process_time()
        found = [differences(question, worlds, cut) for question in asked]
        cost = 1000 * (time.process_time() - begin) / (2 * worlds * len(asked))
        whole = whole or found
        deviations = [float(each.std(ddof=1)) for each in found]
        spread = f"standard deviation {np.median(deviations):.0f} (90 %: {np.quantile(deviations, 0.9):.0f})"
        line = f"{'to the end' if cut is None else f'cut at {cut}':10} {cost:.2f} ms a rollout, {spread}"
        print(line if cut is None else f"{line}, {_bias(found, whole)}", flush=True)  # noqa: T201


def _bias(found: list[NDArray[np.float32]], whole: list[NDArray[np.float32]]) -> str:
    added = [one - two for one, two in zip(found, whole, strict=True)]
    means = np.array([each.mean() for each in added])
    errors = np.array([each.var(ddof=1) / len(each) for each in added])
    square = float((means**2 - errors).mean())
    mean = f"mean {means.mean():+.1f} ± {sqrt(errors.sum()) / len(means):.1f}"
    return f"the critic adds: {mean}, root mean square {copysign(sqrt(abs(square)), square):.1f}"


if __name__ == "__main__":
    main()
