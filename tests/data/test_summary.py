"""Means and differences with errors that count a game as one observation."""

from math import hypot
from random import Random

import pytest

from tichu.data import difference_by_game, mean_by_game

Rows = list[tuple[int, float]]


def drawn(rng: Random, games: range, effect: float, common: dict[int, float] | None = None) -> Rows:
    return [(game, effect + rng.gauss(0, 1) + (common or {}).get(game, 0)) for game in games for _ in range(2)]


def test_of_different_games_both_errors_add_up() -> None:
    rng = Random(1)
    rows, others = drawn(rng, range(300), 5), drawn(rng, range(300, 600), 1)
    one, other = mean_by_game(rows), mean_by_game(others)
    told = difference_by_game(rows, others)
    assert one.value is not None
    assert other.value is not None
    assert told.value == pytest.approx(one.value - other.value)
    assert told.error == pytest.approx(hypot(one.error or 0, other.error or 0), rel=0.01)


def test_what_the_rows_of_a_game_have_in_common_falls_out() -> None:
    rng = Random(2)
    common = {game: rng.gauss(0, 20) for game in range(200)}
    rows, others = drawn(rng, range(200), 5, common), drawn(rng, range(200), 1, common)
    told = difference_by_game(rows, others)
    assert told.value == pytest.approx(4, abs=0.5)
    assert told.error is not None
    assert told.error < 0.2 < (mean_by_game(rows).error or 0)


def test_the_error_is_that_of_repeated_samples() -> None:
    values, errors = [], []
    for seed in range(200):
        rng = Random(seed)
        common = {game: rng.gauss(0, 2) for game in range(60)}
        rows = [row for row in drawn(rng, range(60), 1, common) if rng.random() < 0.4]
        told = difference_by_game(rows, drawn(rng, range(60), 0, common))
        values.append(told.value or 0)
        errors.append(told.error or 0)
    mean = sum(values) / len(values)
    spread = (sum((value - mean) ** 2 for value in values) / (len(values) - 1)) ** 0.5
    assert sum(errors) / len(errors) == pytest.approx(spread, rel=0.15)


def test_without_rows_on_a_side_there_is_no_difference() -> None:
    assert difference_by_game([], []) == difference_by_game([(0, 1.0)], []) == (None, None)
    assert difference_by_game([(0, 1.0)], [(0, 3.0)]) == (-2.0, None)
