"""A round reviewed in parts: first what there is to compare, then a few decisions at a time.

A whole round takes as long as many seconds.  Whoever wants to see something sooner, or must be able to stop, asks for
its plan (:func:`plan_round`), which is quick, and then for one part after another (:func:`review_part`).  Together they
are the review of the round, but for the last digit: every decision is valued in worlds of its own, whichever others are
looked at beside it.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from tichu.agents.learned.agent import LearnedAgent
from tichu.analysis.chances import chances
from tichu.analysis.decisions import Decision, decisions_of, questions_of
from tichu.analysis.reviews import RoundTask, review_decisions, unreviewed
from tichu.analysis.verdicts import DecisionReview, RoundPlan
from tichu.core.errors import GameError

__all__ = ["PART_SIZE", "plan_round", "review_part"]

#: Decisions in a part: at the usual budget they take some seconds.
PART_SIZE: Final = 2


def plan_round(task: RoundTask, size: int = PART_SIZE) -> RoundPlan:
    """What there is to do in a round; an error in it is part of the plan."""
    before, after = _chances_around(task)
    try:
        decisions = list(decisions_of(task.record, task.rules, task.score))
        questions = questions_of(decisions, LearnedAgent())
    except GameError as error:
        return RoundPlan(error=str(error), before=before, after=after)
    same = [question.decision for question in questions if len(question.candidates) == 1]
    others = tuple(unreviewed(task, question) for question in questions if len(question.candidates) > 1)
    parts = _grouped([each.action for each in others], size)
    return RoundPlan(review_decisions(task, same), parts, others, before=before, after=after)


def _grouped(actions: Sequence[int], size: int) -> tuple[tuple[int, ...], ...]:
    """So many at a time, but one alone at first: there is something to look at sooner."""
    starts = [0, *range(1, len(actions), size)]
    return tuple(tuple(actions[at:end]) for at, end in pairwise([*starts, len(actions)])) if actions else ()


def review_part(task: RoundTask, actions: tuple[int, ...]) -> tuple[DecisionReview, ...]:
    """Review the decisions with these numbers."""
    return review_decisions(task, _chosen(task, actions))


def _chosen(task: RoundTask, actions: tuple[int, ...]) -> list[Decision]:
    found = []
    for decision in decisions_of(task.record, task.rules, task.score):
        if decision.number in actions:
            found.append(decision)
            if len(found) == len(actions):
                # The rest of the round need not be replayed.
                break
    return found


def _chances_around(task: RoundTask) -> tuple[float | None, float | None]:
    """The chance of seats 0 and 2 to win the match before the round and after it."""
    goal = task.rules.goal
    if goal.kind != "target":
        return None, None
    before = round(float(chances().win(*task.score, goal.number)), 4)
    points = task.record.score
    if points is None:
        return before, None
    after = chances().win(task.score[0] + points[0], task.score[1] + points[1], goal.number)
    return before, round(float(after), 4)
