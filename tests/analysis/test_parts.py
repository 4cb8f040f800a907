"""A round reviewed in parts is the round reviewed at once."""

from pathlib import Path

import pytest

from tichu import Rules, read_game
from tichu.analysis.parts import _grouped, plan_round, review_part
from tichu.analysis.precision import Budget
from tichu.analysis.reviews import RoundTask, review_round, tasks_of
from tichu.analysis.verdicts import DecisionReview

GAME = Path(__file__).parent.parent / "games" / "00.ttn"
TINY = Budget(pilot=4, fewest=4, most=4, decisions=2)


def task(number: int = 0) -> RoundTask:
    return list(tasks_of("", read_game(GAME), TINY, 0))[number]


def test_the_parts_of_a_round_are_the_whole_of_it_decision_by_decision() -> None:
    whole = review_round(task())
    plan = plan_round(task(), size=3)
    assert len(plan.parts[0]) == 1
    assert {len(part) for part in plan.parts[1:-1]} == {3}
    parts = [review_part(task(), part) for part in plan.parts]
    for part, actions in zip(parts, plan.parts, strict=True):
        assert tuple(each.action for each in part) == actions
        assert all(each.worlds for each in part)
    assert not any(each.worlds for each in plan.decisions)
    assert [each.action for each in plan.open] == [action for part in plan.parts for action in part]
    together = sorted((*plan.decisions, *(each for part in parts for each in part)), key=lambda each: each.action)
    # The numbers of a network that are multiplied together are rounded a little otherwise.
    for found, one in zip(together, whole.decisions, strict=True):
        assert facts(found) == facts(one)
        assert numbers(found) == pytest.approx(numbers(one), abs=0.05)


def facts(one: DecisionReview) -> tuple[object, ...]:
    return one.action, one.seat, one.kind, one.played, one.best, one.worlds, [each.action for each in one.candidates]


def numbers(one: DecisionReview) -> list[float]:
    values = [number for each in one.candidates for number in (each.points, each.points_error, each.win or 0.0)]
    return [one.lost, one.lost_error, one.chance, *values]


def test_a_plan_knows_the_chance_to_win_the_match() -> None:
    first = plan_round(task())
    assert first.before == 0.5
    assert [len(part) for part in _grouped(range(4), 2)] == [1, 2, 1]
    assert _grouped((), 2) == ()
    assert first.after is not None
    assert 0 < first.after < 1
    assert plan_round(task(1)).before == first.after
    alone = task()._replace(rules=Rules.parse("standard goal=rounds:1"))
    assert (plan_round(alone).before, plan_round(alone).after) == (None, None)


def test_a_round_that_cannot_be_reviewed_has_a_plan_that_says_why() -> None:
    one = task()
    wrong = one._replace(record=one.record._replace(actions=one.record.actions[8:]))
    plan = plan_round(wrong)
    assert plan.error.startswith("action ")
    assert (plan.decisions, plan.parts) == ((), ())
