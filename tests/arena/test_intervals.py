"""Intervals and the test that stops early, on numbers whose distribution is known."""

import math
from random import Random
from statistics import mean, stdev

import pytest

from tichu.arena.intervals import Bounds, Sprt, bootstrap, interval, ratio


def normal(number: int, middle: float, spread: float, seed: int) -> list[float]:
    rng = Random(seed)
    return [rng.gauss(middle, spread) for _ in range(number)]


@pytest.mark.parametrize("number", [400, 5001])
def test_the_interval_of_a_mean_is_the_textbook_s(number: int) -> None:
    values = normal(number, 10, 100, seed=1)
    low, high = interval(bootstrap(values, [1] * number, seed=2))
    half = 1.96 * stdev(values) / math.sqrt(number)
    assert low == pytest.approx(mean(values) - half, abs=0.15 * half)
    assert high == pytest.approx(mean(values) + half, abs=0.15 * half)


def test_about_95_in_100_intervals_hold_the_truth() -> None:
    hits = 0
    for seed in range(100):
        low, high = interval(bootstrap(normal(50, 10, 100, seed), [1] * 50, seed))
        hits += low <= 10 <= high
    assert 87 <= hits <= 99


def test_matches_of_different_lengths_weigh_by_their_rounds() -> None:
    assert ratio([300, -100], [2, 8]) == 20
    low, high = interval(bootstrap([300, -100] * 50, [2, 8] * 50, seed=1))
    assert low < 20 < high


def test_the_same_seed_gives_the_same_interval_and_the_same_deals_to_all() -> None:
    values = normal(100, 0, 100, seed=3)
    first = bootstrap(values, [1] * 100, seed=4)
    assert first == bootstrap(values, [1] * 100, seed=4)
    assert first != bootstrap(values, [1] * 100, seed=5)
    shifted = bootstrap([value + 50 for value in values], [1] * 100, seed=4)
    assert shifted == pytest.approx([one + 50 for one in first])


def outcome(truth: float, seed: int) -> tuple[str | None, int]:
    test = Sprt(Bounds(0, 20))
    rng = Random(seed)
    while test.answer is None and test.deals < 5000:
        # Deals come in steps, and are far from normal: a double victory with its calls makes long tails.
        test.add(truth + rng.choice([-300, -100, -50, 0, 0, 0, 0, 50, 100, 300]))
    return test.answer, test.deals


@pytest.mark.parametrize(("truth", "answer"), [(20, "high"), (0, "low"), (60, "high"), (-40, "low")])
def test_the_test_stops_and_is_rarely_wrong(truth: float, answer: str) -> None:
    results = [outcome(truth, seed) for seed in range(200)]
    wrong = sum(given != answer for given, _ in results)
    # One in twenty where a hypothesis just holds; none far from both.
    assert wrong <= (20 if truth in (0, 20) else 2)
    # 1,000 deals of a fixed number would be needed for the same certainty.
    assert mean(deals for _, deals in results) < 500


def test_bots_that_always_tie_are_not_tested_for_ever() -> None:
    test = Sprt(Bounds(-5, 5))
    for _ in range(100):
        test.add(0)
    assert test.answer is None
    test = Sprt(Bounds(0, 5))
    while test.answer is None:
        test.add(0)
    assert (test.answer, test.deals) == ("low", 30)
