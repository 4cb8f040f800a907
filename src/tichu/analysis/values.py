"""What the candidates of a decision are worth: each played on in the same worlds by the learned bot at all seats.

Worlds are drawn by what is believed of the others (:mod:`tichu.analysis.worlds`); in each of them the candidates are
played on, and what counts is the difference of the scores from the seat's side.  A pilot with all candidates chooses
the challenger, the best of those that were not played; challenger and played are then compared in worlds of their own.
So the challenger is not valued where it was lucky, and the comparison is signed: it is negative where what was played
is better.

Decisions that are made at the same time and are still hidden (Grand calls, gifts) are made anew by the bot in each
world: to the seat it is the same whether they are made before its own decision or after.
"""

from collections.abc import Iterable, Sequence
from math import hypot
from random import Random
from time import process_time
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tichu.agents.learned.network import Network
from tichu.analysis.beliefs import belief_about
from tichu.analysis.chances import chances
from tichu.analysis.decisions import Decision, Question
from tichu.analysis.precision import CUT_ERROR, STAGES, Budget, Estimate, chance_of, estimate, estimate_win
from tichu.analysis.rollouts import Ends, Start, play_on, policy, public_part
from tichu.analysis.worlds import World, Worlds
from tichu.core.actions import Action
from tichu.core.phases import Call, Phase
from tichu.core.round import Round

__all__ = ["CandidateValues", "Values", "starts_from", "starts_in", "values_of"]

#: Worlds of a decision for which there is hardly any time.
_LEAST: Final = 8

Floats = NDArray[np.float32]


class CandidateValues(NamedTuple):
    """Candidates in worlds: a row a world, a column a candidate."""

    #: Differences of the scores of the round, from the seat's side.
    points: Floats
    #: Chances to win the match; without columns where there is none.
    wins: NDArray[np.float64]
    #: The share of rounds that were cut short.
    cut: float

    def extended(self, other: "CandidateValues") -> "CandidateValues":
        """With further worlds."""
        one, two = len(self.points), len(other.points)
        points = np.concatenate([self.points, other.points])
        wins = np.concatenate([self.wins, other.wins])
        return CandidateValues(points, wins, (one * self.cut + two * other.cut) / (one + two))


class Values(NamedTuple):
    """A decision with what is known about its candidates; what was played is candidate 0."""

    question: Question
    pilot: CandidateValues | None = None
    #: The best of the others, as the pilot says.
    challenger: int = 0
    #: What was played and the challenger, in worlds of their own.
    duel: CandidateValues | None = None

    @property
    def worlds(self) -> int:
        """How many worlds played and challenger were compared in."""
        return 0 if self.duel is None else len(self.duel.points)

    def lost(self) -> Estimate:
        """What the challenger is worth more than what was played; negative if it is worth less.

        The error contains what the critic is off by where rounds were cut short.
        """
        if self.duel is None:
            return Estimate(0.0, 0.0)
        mean, error = estimate(self.duel.points[:, 1] - self.duel.points[:, 0])
        return Estimate(mean, hypot(error, CUT_ERROR * self.duel.cut))

    def chance(self) -> float:
        """The chance to find such a loss where there is none."""
        return 1.0 if self.duel is None else chance_of(self.lost(), self.worlds)

    def best(self) -> int:
        """The better one of what was played and the challenger."""
        return self.challenger if self.lost().mean > 0 else 0

    def of(self, candidate: int) -> tuple[Estimate, Estimate | None]:
        """The points of a candidate and its chance to win the match, if there is one."""
        known, column = self.pilot, candidate
        if candidate in (0, self.challenger):
            known, column = self.duel, min(candidate, 1)
        assert known is not None
        win = estimate_win(known.wins[:, column]) if known.wins.size else None
        return estimate(known.points[:, column]), win


def values_of(
    questions: Sequence[Question], seed: int, budget: Budget | None = None, network: Network | None = None
) -> list[Values]:
    """The values of all candidates; the seed decides in which worlds.

    Questions with a single candidate cost nothing and have no worlds.
    """
    known = Budget() if budget is None else budget
    network = policy(known.policy) if network is None else network
    open_questions = [question for question in questions if len(question.candidates) > 1]
    timed = _Timed(known)
    tables = [_Table(question, seed, known) for question in open_questions]
    pilots = _play([(table, table.question.candidates, known.pilot) for table in tables], network)
    challengers = [1 + int(pilot.points[:, 1:].mean(0).argmax()) for pilot in pilots]
    pairs = [
        (table.question.candidates[0], table.question.candidates[at])
        for table, at in zip(tables, challengers, strict=True)
    ]
    wanted = [
        table.budget.first(pilot.points[:, place] - pilot.points[:, 0], pilot.cut)
        for table, pilot, place in zip(tables, pilots, challengers, strict=True)
    ]
    timed.count(known.pilot * len(table.question.candidates) for table in tables)
    duels = _play(list(zip(tables, pairs, timed.cut(wanted, _LEAST), strict=True)), network)
    for _ in range(STAGES):
        wanted = [
            table.budget.more(duel.points[:, 1] - duel.points[:, 0], duel.cut)
            for table, duel in zip(tables, duels, strict=True)
        ]
        wanted = timed.cut(wanted, 0)
        open_places = [place for place, number in enumerate(wanted) if number]
        further = _play([(tables[place], pairs[place], wanted[place]) for place in open_places], network)
        for place, duel in zip(open_places, further, strict=True):
            duels[place] = duels[place].extended(duel)
    found = iter(map(Values, open_questions, pilots, challengers, duels))
    return [next(found) if len(question.candidates) > 1 else Values(question) for question in questions]


class _Timed:
    """The time that is left, if there is a limit, and what a rollout costs."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._began = process_time()
        self._rollouts = 0

    def count(self, rollouts: Iterable[int]) -> None:
        """So many were played."""
        self._rollouts += sum(rollouts)

    def cut(self, wanted: Sequence[int], fewest: int) -> list[int]:
        """The worlds for played and challenger that there is time for; they are played now."""
        found = self._budget.within(wanted, process_time() - self._began, self._rollouts, fewest=fewest)
        self.count(2 * number for number in found)
        return found


class _Table:
    """The worlds of a decision, drawn one after another."""

    # Pilots and duels never share a world on purpose: they take what comes next.

    def __init__(self, question: Question, seed: int, budget: Budget) -> None:
        decision = question.decision
        self.question = question
        self.budget = budget
        if decision.view.phase is Phase.GRAND:
            # Before the cards are dealt the critic is not good enough; whole rounds cost twice as much.
            self.budget = budget._replace(decisions=None, most=max(budget.fewest, budget.most // 2))
        self.worlds = Worlds(decision.view, decision.eight, belief_about(budget.others))
        self._rng = Random(1000 * seed + decision.number)

    def starts(self, candidates: Sequence[Action], number: int) -> list[Start]:
        """A start for each candidate in each of so many worlds, never the same worlds again."""
        drawn = self.worlds.draw_some(number, self._rng)
        return starts_in(self.question.decision, self.worlds, drawn, candidates)


def _play(wanted: Sequence[tuple[_Table, Sequence[Action], int]], network: Network) -> list[CandidateValues]:
    """Candidates in so many worlds of each table."""
    starts = [table.starts(candidates, number) for table, candidates, number in wanted]
    found: list[CandidateValues | None] = [None] * len(wanted)
    for cut in {table.budget.decisions for table, _, _ in wanted}:
        places = [place for place, (table, _, _) in enumerate(wanted) if table.budget.decisions == cut]
        ends = play_on([start for place in places for start in starts[place]], network, cut)
        at = 0
        for place in places:
            table, candidates, _ = wanted[place]
            end = at + len(starts[place])
            part = Ends(ends.points[at:end], ends.outcomes[at:end])
            found[place] = _from_seat(table.question.decision, part, len(candidates))
            at = end
    return [each for each in found if each is not None]


def _from_seat(decision: Decision, ends: Ends, candidates: int) -> CandidateValues:
    view = decision.view
    order = 1 if view.seat % 2 == 0 else -1
    points = order * ends.points
    wins = np.zeros((0, candidates))
    if view.rules.goal.kind == "target":
        goal = view.rules.goal.number
        own, other = ends.scores.T[::order].astype(float)
        known = chances()
        by_score = known.win(view.score[0] + own, view.score[1] + other, goal)
        expected = known.expected_win(points.astype(float), view.score, goal)
        wins = np.where(ends.is_over, by_score, expected).reshape(-1, candidates)
    return CandidateValues(points.reshape(-1, candidates), wins, 1 - float(ends.is_over.mean()))


def starts_in(decision: Decision, worlds: Worlds, drawn: Sequence[World], candidates: Sequence[Action]) -> list[Start]:
    """A start for each candidate in each world, world by world."""
    return starts_from(decision, map(worlds.round, drawn), candidates)


def starts_from(decision: Decision, rounds: Iterable[Round], candidates: Sequence[Action]) -> list[Start]:
    """The same in rounds that are known, such as the one that was really played."""
    view = decision.view
    account = public_part(view.history)
    score = view.score if view.seat % 2 == 0 else view.score[::-1]
    starts = []
    for state in map(_opened, rounds):
        starts += [_start(state, account, view.seat, action, score) for action in candidates]
    return starts


def _opened(state: Round) -> Round:
    """The round with what others have decided in secret open again."""
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
