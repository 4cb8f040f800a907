"""What the candidates of a decision are worth: each played on in the same worlds by the learned bot at all seats.

Worlds are drawn uniformly (:mod:`tichu.analysis.worlds`); in each of them every candidate is played on to the end of
the round, and what counts is the difference of the scores from the seat's side.  Decisions that are made at the same
time and are still hidden (Grand calls, gifts) are made anew by the bot in each world: to the seat it is the same
whether they are made before its own decision or after.
"""

from collections.abc import Sequence
from math import sqrt
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tichu.agents.learned.network import Network
from tichu.analysis.decisions import Question
from tichu.analysis.rollouts import Start, play_on, public_part
from tichu.analysis.worlds import World, Worlds
from tichu.core.actions import Action
from tichu.core.phases import Call, Phase
from tichu.core.round import Round

__all__ = ["Estimate", "Values", "estimate", "values_of"]

#: Worlds that are all alike may be few of a kind: as if one more had been met whose difference is so far from the mean.
_ONE_MORE: Final = 50.0


class Estimate(NamedTuple):
    """A mean and its standard error."""

    mean: float
    error: float


class Values(NamedTuple):
    """The candidates of a decision in worlds: a row a world, a column a candidate."""

    question: Question
    points: NDArray[np.int16]

    @property
    def worlds(self) -> int:
        """How many worlds they were played in."""
        return len(self.points)

    def of(self, candidate: int) -> Estimate:
        """What a candidate is worth."""
        return estimate(self.points[:, candidate])

    def best(self) -> int:
        """The candidate with the highest mean over all worlds; of equal ones what was played, then the bot's choice."""
        return int(self.points.mean(0).argmax()) if self.worlds else 0

    def lost(self) -> Estimate:
        """What the best candidate is worth more than what was played; negative if it turns out to be worth less.

        The best of one half of the worlds is valued on the other half, and the other way round: a candidate that was
        only lucky where it was chosen is not lucky where it is valued.
        """
        if self.points.shape[1] < 2:
            return Estimate(0.0, 0.0)
        is_first = np.arange(self.worlds) % 2 == 0
        differences = np.empty(self.worlds)
        for chosen_on, valued_on in ((is_first, ~is_first), (~is_first, is_first)):
            best = int(self.points[chosen_on].mean(0).argmax())
            differences[valued_on] = self.points[valued_on, best].astype(float) - self.points[valued_on, 0]
        return estimate(differences)


def estimate(sample: NDArray[np.int16] | NDArray[np.float64]) -> Estimate:
    """The mean of a sample and its standard error, which is never 0."""
    number = len(sample)
    mean = float(sample.mean())
    squares = float(((sample - mean) ** 2).sum()) + _ONE_MORE**2
    return Estimate(mean, sqrt(squares / (number * (number - 1))))


def values_of(questions: Sequence[Question], worlds: int, seed: int, network: Network | None = None) -> list[Values]:
    """The values of all candidates, each in the same ``worlds`` worlds; the seed decides which.

    Questions with a single candidate cost nothing and have no worlds.
    """
    starts: list[Start] = []
    for question in questions:
        if len(question.candidates) > 1:
            starts += _starts(question, worlds, seed)
    differences = play_on(starts, network)
    found, at = [], 0
    for question in questions:
        number = len(question.candidates)
        rows = worlds if number > 1 else 0
        points = differences[at : at + rows * number].reshape(rows, number)
        at += rows * number
        found.append(Values(question, points if question.decision.view.seat % 2 == 0 else -points))
    return found


def _starts(question: Question, worlds: int, seed: int) -> list[Start]:
    """A start for each candidate in each world."""
    decision = question.decision
    view = decision.view
    possible = Worlds(view, decision.eight)
    account = public_part(view.history)
    score = view.score if view.seat % 2 == 0 else view.score[::-1]
    starts = []
    for world in possible.sample(worlds, _seed_of(seed, decision.number)):
        state = _open_state(possible, world)
        starts += [_start(state, account, view.seat, action, score) for action in question.candidates]
    return starts


def _seed_of(seed: int, number: int) -> int:
    return seed * 1000 + number


def _open_state(possible: Worlds, world: World) -> Round:
    """The round in a world; what others have decided in secret is open again."""
    state = possible.round(world)
    if state.phase is Phase.GRAND:
        return state._replace(pending=(0, 1, 2, 3), calls=(Call.NONE,) * 4)
    if state.phase is Phase.EXCHANGE:
        return state._replace(pending=(0, 1, 2, 3), given=((), (), (), ()))
    return state


def _start(
    state: Round, account: tuple[tuple[int, Action], ...], seat: int, action: Action, score: tuple[int, int]
) -> Start:
    sequential = state._replace(rules=state.rules.sequential())
    if action in sequential.legal(seat):
        return Start(sequential, account, seat, action, score)
    # §6.5: a bomb that only bombs=anytime excuses.
    after = state.after(seat, action)
    after = after._replace(rules=sequential.rules)
    return Start(after, (*account, *public_part([(seat, action)])), seat, None, score)
