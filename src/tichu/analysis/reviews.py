"""Reviews: the decisions of recorded rounds with what was lost by each, and which of them are called mistakes.

``lost`` is signed and never cut off at zero, so that sums and means of it are honest: chance finds a loss as often as a
gain where candidates are worth the same.  A decision is a *called mistake* only if chance would seldom find so much: of
those that are called in a game one in twenty is none, on average (the false-discovery rate of Benjamini and Hochberg).
"""

from collections.abc import Iterable, Iterator, Sequence
from math import sqrt
from statistics import NormalDist
from typing import Final, NamedTuple
from zlib import crc32

import msgspec

from tichu.agents.learned.agent import LearnedAgent
from tichu.analysis.decisions import KINDS, Kind, decisions_of, questions_of
from tichu.analysis.values import Values, values_of
from tichu.core.actions import format_action
from tichu.core.deals import format_deal
from tichu.core.errors import GameError
from tichu.core.record import Reading, RoundRecord
from tichu.core.rules import Rules

__all__ = [
    "FALSE_DISCOVERIES",
    "CandidateValue",
    "DecisionReview",
    "LostPerRound",
    "RoundReview",
    "RoundTask",
    "Summary",
    "called_mistakes",
    "review_round",
    "summarise",
    "tasks_of",
]

#: Of the mistakes that are called in a game, the share that may be none.
FALSE_DISCOVERIES: Final = 0.05


class CandidateValue(msgspec.Struct, frozen=True):
    """A candidate and what it is worth to the seat's team."""

    action: str
    points: float
    points_error: float
    #: The chance to win the match; not computed yet.
    win: float | None = None


class DecisionReview(msgspec.Struct, frozen=True):
    """One decision; without worlds if the bot would have done the same."""

    file: str
    round: int
    #: The number of the action in the round.
    action: int
    seat: int
    kind: Kind
    played: str
    best: str
    lost: float
    lost_error: float
    worlds: int
    candidates: tuple[CandidateValue, ...] = ()


class RoundReview(msgspec.Struct, frozen=True):
    """The decisions of a round, or why there are none."""

    file: str
    round: int
    #: Of deal and actions: a file may change.
    digest: int
    decisions: tuple[DecisionReview, ...] = ()
    error: str = ""


class RoundTask(NamedTuple):
    """A round to review."""

    file: str
    round: int
    record: RoundRecord
    rules: Rules
    #: The match before the round, by team.
    score: tuple[int, int]
    worlds: int
    seed: int

    @property
    def digest(self) -> int:
        """Of all that decides about the result, but the number of worlds and the seed."""
        actions = " ".join(format_action(*action) for action in self.record.actions)
        return crc32(f"{self.rules} {self.score} {format_deal(self.record.deal)} {actions}".encode())


def tasks_of(place: str, reading: Reading, worlds: int, seed: int) -> Iterator[RoundTask]:
    """The rounds of a game that could be read."""
    score = (0, 0)
    for number, one in enumerate(reading.rounds):
        if isinstance(one, RoundRecord):
            yield RoundTask(place, number, one, reading.rules, score, worlds, seed)
            if one.score is not None:
                score = score[0] + one.score[0], score[1] + one.score[1]


def review_round(task: RoundTask) -> RoundReview:
    """Review a round; an error in it is part of the result."""
    try:
        decisions = list(decisions_of(task.record, task.rules, task.score))
        questions = questions_of(decisions, LearnedAgent())
        values = values_of(questions, task.worlds, 1000 * task.seed + task.round)
    except GameError as error:
        return RoundReview(task.file, task.round, task.digest, error=str(error))
    return RoundReview(task.file, task.round, task.digest, tuple(_review(task, each) for each in values))


def _review(task: RoundTask, values: Values) -> DecisionReview:
    question = values.question
    decision, seat = question.decision, question.decision.view.seat
    lost = values.lost()
    estimates = [values.of(place) for place in range(len(question.candidates))] if values.worlds else []
    return DecisionReview(
        task.file,
        task.round,
        decision.number,
        seat,
        question.kind,
        format_action(seat, decision.played),
        format_action(seat, question.candidates[values.best()]),
        round(lost.mean, 2),
        # However many worlds there are, no interval has the width 0.
        max(0.01, round(lost.error, 2)) if values.worlds else 0.0,
        values.worlds,
        tuple(
            CandidateValue(format_action(seat, action), round(each.mean, 2), round(each.error, 2))
            for action, each in zip(question.candidates, estimates, strict=False)
        ),
    )


def called_mistakes(decisions: Iterable[DecisionReview]) -> list[DecisionReview]:
    """Those decisions of a game that have lost something, at a false-discovery rate of 5 %."""
    compared = [each for each in decisions if each.worlds]
    normal = NormalDist()
    chances = sorted((1 - normal.cdf(each.lost / each.lost_error), place) for place, each in enumerate(compared))
    last = 0
    for rank, (chance, _) in enumerate(chances, start=1):
        if chance <= FALSE_DISCOVERIES * rank / len(compared):
            last = rank
    return [compared[place] for place in sorted(place for _, place in chances[:last])]


class LostPerRound(msgspec.Struct, frozen=True):
    """Points lost a round; the error counts what happens in one game, or in one round of a single game, as one."""

    lost_per_round: float
    lost_per_round_error: float | None


class Summary(msgspec.Struct, frozen=True):
    """What was lost in all rounds, by who decided and by what was decided."""

    rounds: int
    by_seat: dict[str, LostPerRound]
    by_kind: dict[str, LostPerRound]
    mistakes: tuple[tuple[str, int, int], ...]


def summarise(reviews: Sequence[RoundReview]) -> Summary:
    """Add up rounds; mistakes are named by file, round and action."""
    good = [review for review in reviews if not review.error]
    games: dict[str, list[RoundReview]] = {}
    for review in good:
        games.setdefault(review.file, []).append(review)
    clusters = list(games.values()) if len(games) > 1 else [[review] for review in good]
    mistakes = [
        (each.file, each.round, each.action)
        for game in games.values()
        for each in called_mistakes(each for review in game for each in review.decisions)
    ]
    by_seat = {str(seat): _lost(clusters, seat=seat) for seat in range(4)}
    by_kind: dict[str, LostPerRound] = {kind: _lost(clusters, kind=kind) for kind in KINDS}
    return Summary(len(good), by_seat, by_kind, tuple(mistakes))


def _lost(clusters: Sequence[Sequence[RoundReview]], seat: int = -1, kind: str = "") -> LostPerRound:
    """Of one seat or of one kind."""
    lost = [
        sum(each.lost for review in cluster for each in review.decisions if each.seat == seat or each.kind == kind)
        for cluster in clusters
    ]
    sizes = [len(cluster) for cluster in clusters]
    if not clusters:
        return LostPerRound(0.0, None)
    mean = sum(lost) / sum(sizes)
    if len(clusters) == 1:
        return LostPerRound(round(mean, 2), None)
    squares = sum((points - mean * size) ** 2 for points, size in zip(lost, sizes, strict=True))
    error = sqrt(squares * len(clusters) / (len(clusters) - 1)) / sum(sizes)
    return LostPerRound(round(mean, 2), round(error, 2))
