"""Reviews: the decisions of recorded rounds with what was lost by each; :mod:`.verdicts` says which are mistakes.

``lost`` is signed and never cut off at zero, so that sums and means of it are honest: chance finds a loss as often as a
gain where candidates are worth the same.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from time import process_time
from typing import Final, NamedTuple
from zlib import crc32

import msgspec

from tichu.agents.learned.agent import LearnedAgent
from tichu.analysis.decisions import Decision, Question, decisions_of, questions_of
from tichu.analysis.losses import LostPerRound, per_round
from tichu.analysis.precision import Budget
from tichu.analysis.reasons import reasons_of
from tichu.analysis.rollouts import policy
from tichu.analysis.values import Values, values_of
from tichu.analysis.verdicts import (
    FALSE_DISCOVERIES,
    KINDS,
    THRESHOLDS,
    CandidateValue,
    DecisionReview,
    Reason,
    Verdict,
    called_mistakes,
    verdict_on,
)
from tichu.core.actions import format_action
from tichu.core.deals import format_deal
from tichu.core.errors import GameError
from tichu.core.record import Reading, RoundRecord, replay, start_of
from tichu.core.rules import Goal, Rules

__all__ = [
    "FALSE_DISCOVERIES",
    "CandidateValue",
    "DecisionReview",
    "LostPerRound",
    "RoundReview",
    "RoundTask",
    "Summary",
    "THRESHOLDS",
    "Verdict",
    "called_mistakes",
    "per_round",
    "played_rounds",
    "review_decisions",
    "review_round",
    "summarise",
    "tasks_of",
    "unreviewed",
    "verdict_on",
    "wrong_scores",
]

#: A loss that chance finds more often is not given a reason.
_UNLIKELY: Final = 0.01
#: The share of the time of a round that is kept for reasons.
_FOR_REASONS: Final = 0.15


class RoundReview(msgspec.Struct, frozen=True):
    """The decisions of a round, or why there are none."""

    file: str
    round: int
    #: Of deal and actions: a file may change.
    digest: int
    decisions: tuple[DecisionReview, ...] = ()
    error: str = ""
    #: By seat, as far as they are named.
    players: tuple[str, ...] = ()
    #: Of the round, by team.
    score: tuple[int, int] | None = None


class RoundTask(NamedTuple):
    """A round to review."""

    file: str
    round: int
    record: RoundRecord
    rules: Rules
    #: The match before the round, by team.
    score: tuple[int, int]
    budget: Budget
    seed: int
    players: tuple[str, ...] = ()

    @property
    def digest(self) -> int:
        """Of all that decides about the result, but the budget and the seed."""
        actions = " ".join(format_action(*action) for action in self.record.actions)
        return crc32(f"{self.rules} {self.score} {format_deal(self.record.deal)} {actions}".encode())


def tasks_of(place: str, reading: Reading, budget: Budget, seed: int) -> Iterator[RoundTask]:
    """The rounds of a game that could be read.

    After one that could not, or that has no score, nobody knows how the match stands: from there on single rounds are
    played.

    :raises NotationError: where the match began is not to be read
    """
    rules, score = reading.rules, start_of(reading.tags)
    file, seats = _readable(place), tuple(map(_readable, reading.seats))
    for number, one in enumerate(reading.rounds):
        points = None
        if isinstance(one, RoundRecord):
            yield RoundTask(file, number, one, rules, score, budget, seed, seats)
            points = one.score
        if points is None:
            rules, score = replace(rules, goal=Goal("rounds", 1)), (0, 0)
        elif rules.goal.kind == "target":
            score = score[0] + points[0], score[1] + points[1]


def wrong_scores(reading: Reading) -> Iterator[tuple[int, str]]:
    """Rounds whose recorded score does not follow from what was played, by number; illegal ones are told elsewhere."""
    for number, one in enumerate(reading.rounds):
        if isinstance(one, RoundRecord) and one.score is not None:
            try:
                deque(replay(one._replace(score=None), reading.rules), maxlen=0)
            except GameError:
                continue
            try:
                reading.check(number)
            except GameError as error:
                yield number, str(error)


def _readable(text: str) -> str:
    """A name as it can be written: old logs and the names of files are in whatever encoding."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogateescape").decode("latin-1")
    return text


def review_round(task: RoundTask) -> RoundReview:
    """Review a round; an error in it is part of the result."""
    try:
        found = review_decisions(task, list(decisions_of(task.record, task.rules, task.score)))
    except GameError as error:
        return RoundReview(task.file, task.round, task.digest, error=str(error))
    return RoundReview(task.file, task.round, task.digest, found, players=task.players, score=task.record.score)


def review_decisions(task: RoundTask, decisions: Sequence[Decision]) -> tuple[DecisionReview, ...]:
    """Review some decisions of a round; each is valued in the same worlds whatever the others are."""
    return tuple(_review_all(task, questions_of(decisions, LearnedAgent())))


def _review_all(task: RoundTask, questions: Sequence[Question]) -> list[DecisionReview]:
    """The reviews of all; one for which no world is found costs the others nothing but time."""
    explainer = _Explainer(task)
    try:
        return [_review(task, each, explainer) for each in values_of(questions, _seed(task), explainer.rest)]
    except GameError as error:
        if len(questions) == 1:
            return [msgspec.structs.replace(unreviewed(task, questions[0]), error=str(error))]
    seconds = task.budget.seconds
    share = task._replace(budget=task.budget._replace(seconds=seconds and seconds / len(questions)))
    return [each for question in questions for each in _review_all(share, [question])]


def unreviewed(task: RoundTask, question: Question) -> DecisionReview:
    """A decision of which nothing is known but what was done."""
    decision, seat = question.decision, question.decision.view.seat
    played = format_action(seat, decision.played)
    return DecisionReview(task.file, task.round, decision.number, seat, question.kind, played, played, 0.0, 0.0, 0)


def _seed(task: RoundTask) -> int:
    return 1000 * task.seed + task.round


def _review(task: RoundTask, values: Values, explainer: "_Explainer") -> DecisionReview:
    question, lost = values.question, values.lost()
    seat = question.decision.view.seat
    places = range(len(question.candidates) if values.worlds else 0)
    return msgspec.structs.replace(
        unreviewed(task, question),
        best=format_action(seat, question.candidates[values.best()]),
        lost=round(lost.mean, 2),
        # However many worlds there are, no interval has the width 0.
        lost_error=max(0.01, round(lost.error, 2)) if values.worlds else 0.0,
        worlds=values.worlds,
        candidates=tuple(_candidate(values, place) for place in places),
        chance=round(values.chance(), 6),
        reasons=explainer.reasons(values),
    )


class _Explainer:
    """Gives reasons: by the bot that has played rounds on, and while there is time."""

    def __init__(self, task: RoundTask) -> None:
        self._task = task
        self._began = process_time()
        #: What one decision has taken at most.
        self._cost = 0.0

    @property
    def rest(self) -> Budget:
        """What values may take."""
        budget = self._task.budget
        return budget._replace(seconds=budget.seconds and (1 - _FOR_REASONS) * budget.seconds)

    def reasons(self, values: Values) -> tuple[Reason, ...]:
        """Why the challenger is better, if it clearly is."""
        budget, now = self._task.budget, process_time()
        is_late = budget.seconds is not None and now + self._cost > self._began + budget.seconds
        if is_late or values.chance() > _UNLIKELY:
            return ()
        network = policy(budget.policy)
        found = reasons_of(values.question, values.challenger, _seed(self._task), network, others=budget.others)
        self._cost = max(self._cost, process_time() - now)
        return tuple(found)


def _candidate(values: Values, place: int) -> CandidateValue:
    points, win = values.of(place)
    seat = values.question.decision.view.seat
    return CandidateValue(
        format_action(seat, values.question.candidates[place]),
        round(points.mean, 2),
        round(points.error, 2),
        None if win is None else round(win.mean, 4),
        None if win is None else max(0.0001, round(win.error, 4)),
    )


class Summary(msgspec.Struct, frozen=True):
    """What was lost in all rounds, by who decided and by what was decided."""

    rounds: int
    by_seat: dict[str, LostPerRound]
    by_kind: dict[str, LostPerRound]
    mistakes: tuple[tuple[str, int, int], ...]


def played_rounds(reviews: Iterable[RoundReview]) -> list[RoundReview]:
    """Those in which somebody has decided something: a deal alone is no round in which nothing was lost."""
    return [review for review in reviews if not review.error and review.decisions]


def summarise(reviews: Sequence[RoundReview]) -> Summary:
    """Add up rounds; mistakes are named by file, round and action."""
    good = played_rounds(reviews)
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
    return per_round(
        [
            [
                sum(each.lost for each in review.decisions if each.seat == seat or each.kind == kind)
                for review in cluster
            ]
            for cluster in clusters
        ]
    )
