"""A match: both goals, ties, and its end."""

import pytest

from tichu import GameError, Match, Outcome, Rules


def match_of(rules: str, *scores: tuple[int, int], first_out: int = 0) -> Match:
    match = Match(Rules.parse(rules))
    for score in scores:
        match = match.after(Outcome(score, (0, 0), (first_out, first_out ^ 1, first_out ^ 2)))
    return match


def test_a_match_begins_undecided_at_zero() -> None:
    for rules in ("standard", "single-round"):
        assert (Match(Rules.parse(rules)).score, Match(Rules.parse(rules)).winner) == ((0, 0), None)


@pytest.mark.parametrize(
    ("scores", "winner"),
    [
        ([(495, -395)], None),
        ([(500, 0)], 0),
        ([(0, 500)], 1),
        ([(400, 400), (100, 100)], None),
        ([(400, 400), (100, 100), (100, 0)], 0),
        ([(400, 400), (100, 200)], 1),
        ([(400, 500 - 5), (200, 105)], None),
        ([(-300, 100), (0, 400)], 1),
    ],
)
def test_a_target(scores: list[tuple[int, int]], winner: int | None) -> None:
    match = match_of("standard goal=target:500", *scores)
    assert match.winner == winner
    assert match.score == (sum(score[0] for score in scores), sum(score[1] for score in scores))


@pytest.mark.parametrize("first_out", range(4))
def test_a_single_round_and_its_tie_break(first_out: int) -> None:
    assert match_of("single-round", (60, 40), first_out=first_out).winner == 0
    assert match_of("single-round", (-160, 40), first_out=first_out).winner == 1
    assert match_of("single-round", (50, 50), first_out=first_out).winner is None
    assert match_of("single-round", (50, 50), (300, 0), first_out=first_out).winner == 0
    assert match_of("single-round", (50, 50), (45, 55), first_out=first_out).winner == 1
    assert match_of("single-round", (50, 50), (150, 150), first_out=first_out).winner == first_out % 2


@pytest.mark.parametrize(
    "match",
    [match_of("standard", (1000, 0)), match_of("single-round", (60, 40)), match_of("single-round", (50, 50), (50, 50))],
)
def test_no_round_after_the_end(match: Match) -> None:
    with pytest.raises(GameError, match="the match is over"):
        match.after(Outcome((50, 50), (0, 0), (0, 1, 2)))


def test_card_points_and_calls_are_both_added() -> None:
    outcome = Outcome((35, 65), (100, -200), (0, 1, 2))
    assert outcome.score == (135, -135)
    assert Match().after(outcome).after(outcome).score == (270, -270)
    assert not outcome.is_double_victory
    assert Outcome((200, 0), (0, 0), (2, 0)).is_double_victory


def test_a_match_can_be_taken_up_in_its_middle() -> None:
    match = Match(Rules.parse("standard"), start=(950, 940))
    assert (match.score, match.winner) == ((950, 940), None)
    after = match.after(Outcome((60, 40), (0, 0), (0, 2, 1)))
    assert (after.score, after.winner) == ((1010, 980), 0)
