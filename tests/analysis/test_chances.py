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
