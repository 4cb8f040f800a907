"""§9: a match."""

import pytest

from tichu import GameError, Match, Outcome, Rules


def match_of(rules: str, *rounds: tuple[int, int, int]) -> Match:
    """Rounds as score of 0+2, score of 1+3, first out."""
    match = Match(Rules.parse(rules))
    for first_team, second_team, first_out in rounds:
        others = [seat for seat in range(4) if seat != first_out and seat != first_out ^ 2]
        match = match.after(Outcome((first_team, second_team), (0, 0), (first_out, *others)))
    return match


def test_s9_1_rounds_are_added_up() -> None:
    match = match_of("standard", (60, 40, 0), (200, 0, 2), (-70, 170, 1))
    assert match.score == (190, 210)
    assert match.winner is None


@pytest.mark.parametrize(
    ("last", "winner"),
    [((90, 10, 1), None), ((100, 0, 0), 0), ((0, 100, 1), 1), ((110, 200, 1), 1), ((200, 110, 1), 0)],
)
def test_s9_1_with_1000_or_more_the_higher_total_wins(last: tuple[int, int, int], winner: int | None) -> None:
    # Even if both pass the mark in the same round.
    assert match_of("standard", (900, 900, 0), last).winner == winner


def test_s9_1_equal_totals_above_the_mark_ask_for_another_round() -> None:
    match = match_of("standard", (900, 900, 0), (100, 100, 0))
    assert match.winner is None
    assert match_of("standard", (900, 900, 0), (100, 100, 0), (45, 55, 0)).winner == 1


def test_s9_1_the_mark_is_a_number_of_the_rules() -> None:
    assert match_of("standard goal=target:300", (200, 0, 0), (100, 0, 0)).winner == 0
    assert match_of("standard goal=target:305", (200, 0, 0), (100, 0, 0)).winner is None


def test_s9_1_no_round_after_the_end() -> None:
    match = match_of("standard", (1000, 0, 0))
    with pytest.raises(GameError, match="over"):
        match.after(Outcome((50, 50), (0, 0), (0, 1, 2)))


def test_s9_2_one_round_decides() -> None:
    assert match_of("single-round").winner is None
    assert match_of("single-round", (60, 40, 1)).winner == 0
    assert match_of("single-round", (-100, 200, 1)).winner == 1


def test_s9_2_a_tie_one_more_round_both_added() -> None:
    assert match_of("single-round", (50, 50, 0)).winner is None
    assert match_of("single-round", (50, 50, 0), (45, 55, 0)).winner == 1
    assert match_of("single-round", (50, 50, 0), (300, -200, 1)).score == (350, -150)


@pytest.mark.parametrize(("first_out", "winner"), [(0, 0), (2, 0), (1, 1), (3, 1)])
def test_s9_2_still_a_tie_the_first_out_of_the_second_round_decides(first_out: int, winner: int) -> None:
    assert match_of("single-round", (50, 50, first_out ^ 1), (50, 50, first_out)).winner == winner


def test_s9_2_never_more_than_two_rounds() -> None:
    match = match_of("single-round", (50, 50, 0), (50, 50, 0))
    with pytest.raises(GameError, match="over"):
        match.after(Outcome((50, 50), (0, 0), (0, 1, 2)))
