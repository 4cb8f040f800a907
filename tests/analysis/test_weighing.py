from collections import Counter
from itertools import product
from math import exp

import numpy as np
import pytest

from tichu.analysis.placing import Placing
from tichu.analysis.weighing import OUTPUTS, PLACES, WeightedPlacing, unit_of

#: The Dragon, the Phoenix, three cards of one rank and two of another; who may hold them.
MASKS = {2: 0b111, 3: 0b101, 4: 0b111, 5: 0b011, 7: 0b111, 12: 0b010, 14: 0b111}
SIZES = (3, 2, 2)


def hands_of(way: tuple[int, ...]) -> tuple[int, ...]:
    """The sets of the three seats, from the seat of each card."""
    return tuple(sum(1 << card for card, holder in zip(MASKS, way, strict=True) if holder == seat) for seat in range(3))


def brute(weights: np.ndarray) -> dict[tuple[int, ...], float]:
    """The probability of every placement, by trying all of them."""
    found = {}
    for way in product(range(3), repeat=len(MASKS)):
        if tuple(map(way.count, range(3))) != SIZES:
            continue
        if not all(mask >> seat & 1 for mask, seat in zip(MASKS.values(), way, strict=True)):
            continue
        log = 0.0
        for unit in {unit_of(card) for card in MASKS}:
            holders = [seat for card, seat in zip(MASKS, way, strict=True) if unit_of(card) == unit]
            log += float(weights[PLACES[unit, len(holders), holders.count(0), holders.count(1)]])
        found[hands_of(way)] = exp(log)
    total = sum(found.values())
    return {hands: weight / total for hands, weight in found.items()}


@pytest.fixture
def weights() -> np.ndarray:
    return np.random.default_rng(3).normal(size=OUTPUTS)


def test_probabilities_are_those_of_trying_everything(weights: np.ndarray) -> None:
    placing = WeightedPlacing(MASKS, SIZES, weights)
    expected = brute(weights)
    assert placing.is_possible
    for hands, chance in expected.items():
        assert exp(placing.log_probabilities([hands])[0]) == pytest.approx(chance)
    chances = placing.chances()
    for card in MASKS:
        by_seat = [sum(p for hands, p in expected.items() if hands[seat] >> card & 1) for seat in range(3)]
        assert chances[card] == pytest.approx(by_seat)


def test_without_weights_all_placements_are_equally_likely() -> None:
    expected = brute(np.zeros(OUTPUTS))
    assert len(expected) == Placing(MASKS, SIZES).count
    assert set(expected) == set(Placing(MASKS, SIZES))
    placing = WeightedPlacing(MASKS, SIZES, np.zeros(OUTPUTS))
    assert {round(float(log), 9) for log in placing.log_probabilities([*expected])} == {
        round(float(-np.log(len(expected))), 9)
    }


def test_draws_are_as_frequent_as_they_are_likely(weights: np.ndarray) -> None:
    expected = brute(weights)
    draws = 20_000
    counted = Counter(map(tuple, WeightedPlacing(MASKS, SIZES, weights).draw(draws, np.random.default_rng(1)).tolist()))
    assert set(counted) <= set(expected)
    chi_square = sum((counted[hands] - draws * chance) ** 2 / (draws * chance) for hands, chance in expected.items())
    freedom = len(expected) - 1
    # Five standard deviations.
    assert abs(chi_square - freedom) < 5 * (2 * freedom) ** 0.5


def test_a_whole_deal_is_drawn_and_adds_up() -> None:
    weights = np.random.default_rng(5).normal(scale=3, size=OUTPUTS)
    masks = dict.fromkeys(range(14, 56), 0b111)
    placing = WeightedPlacing(masks, (14, 14, 14), weights)
    for hands in placing.draw(50, np.random.default_rng(2)).tolist():
        assert [hand.bit_count() for hand in hands] == [14, 14, 14]
        assert sum(hands) == sum(1 << card for card in masks)
    assert np.sum(list(placing.chances().values()), axis=0) == pytest.approx([14, 14, 14])


def test_what_cannot_be_is_said() -> None:
    assert not WeightedPlacing({4: 0b001, 8: 0b001}, (1, 1, 0), np.zeros(OUTPUTS)).is_possible
    assert not WeightedPlacing({4: 0b111}, (1, 1, 0), np.zeros(OUTPUTS)).is_possible
