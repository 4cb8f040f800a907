from math import comb

import numpy as np

from tichu.analysis.chances import STEP, Chances, chances, solve_chances


def test_over_is_over_and_equal_is_even() -> None:
    known = chances()
    assert known.win(np.array([1000, 900, 1000, 1005]), np.array([900, 1000, 1000, 1000]), 1000).tolist() == [
        1,
        0,
        0.5,
        1,
    ]
    assert known.win(0.0, 0.0, 1000) == 0.5
    assert abs(float(known.win(300.0, 700.0, 1000) + known.win(700.0, 300.0, 1000)) - 1) < 1e-9


def test_more_points_are_a_better_chance() -> None:
    known = chances()
    wins = known.win(np.arange(-500, 1000, 25.0), np.full(60, 400.0), 1000)
    assert (np.diff(wins) >= 0).all()
    # Only what is lacking counts.
    assert np.allclose(known.win(wins * 100, wins * 200, 500), known.win(wins * 100 + 500, wins * 200 + 500, 1000))


def test_a_long_match_is_won_by_the_leader_and_not_by_chance() -> None:
    known = chances()
    assert known.win(0, 0, 5000) == 0.5
    assert known.win(2500, 0, 5000) > 0.95
    assert known.win(-1100, -1500, 1000) > 0.6
    # The further the end is away, the less a lead is worth; and it is worth the same however that is written.
    leads = [float(known.win(500, 0, goal)) for goal in (1000, 2000, 2025, 4000, 10_000, 999_999)]
    assert (np.diff(leads) < 0).all()
    assert abs(leads[1] - leads[2]) < 0.01
    assert leads[-1] > 0.5
    for own, other, goal in ((700, 0, 3000), (-4000, 900, 1000), (-9000, -9000, 1000), (2990, -800, 3000)):
        assert abs(float(known.win(own, other, goal) + known.win(other, own, goal)) - 1) < 1e-9
    wins = known.win(np.arange(-5000, 3000, 25.0), np.full(320, 400.0), 3000)
    assert (np.diff(wins) > -1e-12).all()


def test_a_long_match_of_coins_is_as_long_as_it_is() -> None:
    # A round is 100:0 or 0:100, so the chance is that of a race in tosses.
    results, weights = np.array([[100, 0], [0, 100]], np.int16), np.array([0.5, 0.5])
    known = Chances(results, weights, solve_chances(results, weights))
    for own, other in ((2500, 2500), (2500, 2000), (2000, 1000), (500, 0)):
        lacking, others = (5000 - own) // 100, (5000 - other) // 100
        tosses = lacking + others - 1
        exact = sum(comb(tosses, heads) for heads in range(lacking, tosses + 1)) / 2**tosses
        assert abs(float(known.win(own, other, 5000)) - exact) < 0.015


def test_an_expected_difference_is_between_certainties() -> None:
    known = chances()
    expected = known.expected_win(np.array([-300.0, -50, 0, 50, 300]), (0, 0), 1000)
    assert (np.diff(expected) > 0).all()
    assert abs(expected[2] - 0.5) < 0.01
    # At 990 each almost every round decides.
    assert known.expected_win(np.array([150.0]), (990, 990), 1000)[0] > 0.75


def test_the_table_follows_from_the_rounds() -> None:
    # A round is 100:0 or 0:100: at 900:900 even, at 900:800 one of two rounds is enough.
    results, weights = np.array([[100, 0], [0, 100]], np.int16), np.array([0.5, 0.5])
    table = solve_chances(results, weights)
    known = Chances(results, weights, table)
    assert known.win(900.0, 900.0, 1000) == 0.5
    assert abs(float(known.win(900.0, 800.0, 1000)) - 0.75) < 1e-6
    assert table[4, 4] == 0.5
    assert STEP == 25


def test_rounds_of_the_package_are_like_rounds() -> None:
    known = chances()
    assert abs(known.weights.sum() - 1) < 1e-9
    # Without calls the teams share a hundred points.
    plain = known.weights[known.results.sum(1) == 100].sum()
    assert 0.1 < plain < 0.9
