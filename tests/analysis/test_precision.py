import json

import numpy as np
import pytest

from bench.coverage import coverage, exact_differences, positions
from tichu.agents.learned.agent import LearnedAgent
from tichu.analysis.precision import Budget, Estimate, chance_of, estimate, estimate_win, interval, student_tail


def test_the_error_is_that_of_the_mean_and_never_nothing() -> None:
    sample = np.array([10.0, -10.0] * 2000)
    assert estimate(sample).mean == 0
    assert estimate(sample).error == pytest.approx(10 / np.sqrt(4000), rel=0.05)
    low, high = interval(estimate(np.zeros(50)), 50)
    assert low < -5 < 5 < high


def test_a_chance_to_win_is_never_known_for_certain() -> None:
    known = estimate_win(np.ones(100))
    assert known.mean == 1
    assert 0.001 < known.error < 0.01


def test_intervals_and_chances_are_students() -> None:
    # From tables of Student's distribution.
    for worlds, quantile in ((11, 2.228), (31, 2.042), (401, 1.966)):
        assert interval(Estimate(0, 1), worlds)[1] == pytest.approx(quantile, abs=0.005)
        assert student_tail(quantile, worlds - 1) == pytest.approx(0.025, abs=0.0005)
    assert student_tail(0, 20) == 0.5
    assert student_tail(-2.0, 20) > 0.95


def test_few_worlds_are_little_evidence() -> None:
    assert chance_of(Estimate(0, 10), 50) > 0.5
    few, many = (chance_of(Estimate(20, 8), worlds) for worlds in (16, 400))
    assert student_tail(2.5, 400) < many < 0.02 < few


def test_worlds_go_where_differences_vary() -> None:
    budget = Budget(error=8, fewest=48, most=700)
    rng = np.random.default_rng(1)
    assert budget.first(rng.normal(0, 5, 24)) == 48 < budget.first(rng.normal(0, 90, 24)) < 700
    assert budget.first(rng.normal(0, 500, 24)) == 700
    assert budget.more(np.zeros(700)) == budget.more(rng.normal(0, 10, 100)) == 0
    assert 20 < budget.more(rng.normal(0, 100, 100)) < 120
    assert budget.more(rng.normal(0, 500, 690)) == 10
    # What the critic may be off by leaves less for chance.
    assert budget.more(rng.normal(0, 100, 100), cut=1.0) > 60


def test_intervals_cover_what_they_promise() -> None:
    """Distributions like those of real positions: mostly nothing, and a few hundred points now and then."""
    rng = np.random.default_rng(3)
    populations = [
        np.where(rng.random(200) < rare, rng.choice([-200.0, -100, 20, 100, 300], 200), 0)
        for rare in np.linspace(0.02, 1, 40)
    ]
    for budget in (None, Budget()):
        found = coverage(populations, budget)
        assert 0.92 < found.share < 0.985


def test_exact_differences_of_a_real_position() -> None:
    _, decision, worlds = next(positions())
    found = exact_differences(decision, worlds, LearnedAgent())
    assert found is not None
    assert len(found) == len(worlds.hands)
    assert json.loads(json.dumps(found)) == found
