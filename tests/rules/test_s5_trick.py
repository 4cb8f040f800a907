"""§5: a trick."""

import pytest

from tests.table import at, may, options, play, refusal
from tichu import Phase, Reason, Take


def test_s5_1_the_leader_plays_any_combination_and_may_not_pass() -> None:
    state = at("3s3bDo/4b/4g/4r p0")
    assert options(state) == {"0:3s", "0:3b", "0:3s3b", "0:Do"}
    assert refusal(state, "0:-") is Reason.MUST_LEAD


def test_s5_1_each_next_player_with_cards_plays_higher_or_passes() -> None:
    state = at("3s/4bQb/-/4r9rKr p3 0:8s ~ - ---- 2")
    assert options(state) == {"3:9r", "3:Kr", "3:-"}
    assert refusal(state, "3:4r") is Reason.DOES_NOT_BEAT
    assert refusal(state, "1:Qb") is Reason.NOT_YOUR_TURN
    state = play(state, "3:9r")
    assert state.pending == (1,)


def test_s5_1_a_pass_binds_only_for_that_turn() -> None:
    state = play(at("3s9sAs/4bQb/4g6g/4r9r p0"), "0:9s 3:- 2:- 1:Qb 0:As")
    assert state.pending == (3,)
    assert may(play(at("3s9sAs/4bQb/4g6g/4r9rDr p0"), "0:9s 3:- 2:- 1:Qb 0:As"), "3:Dr")


def test_s5_2_when_all_others_have_passed_in_a_row_the_trick_is_complete() -> None:
    state = play(at("3s9s/4b/4gTg/4r p0"), "0:9s 3:- 2:Tg 1:- 0:-")
    assert state.phase is Phase.PLAY
    state = play(state, "3:-")
    assert state.phase is Phase.TAKE
    assert state.pending == (2,)
    assert play(state, "2!").pending == (2,)


def test_s5_2_players_without_cards_do_not_count() -> None:
    state = play(at("3s9s/-/4gTg/4r p0 - ~ - ---- 1"), "0:9s 3:- 2:-")
    assert state.phase is Phase.TAKE
    assert state.pending == (0,)


@pytest.mark.parametrize(("rules", "leader"), [("standard", 3), ("standard direction=cw", 1)])
def test_s5_2_if_the_taker_is_out_the_next_one_with_cards_leads(rules: str, leader: int) -> None:
    order = (3, 2, 1) if leader == 3 else (1, 2, 3)
    state = at("As/4b5b/4g5g/4r5r p0", rules)
    state = play(state, "0:As " + " ".join(f"{seat}:-" for seat in order) + " 0!")
    assert state.pending == (leader,)


def test_s5_2_the_next_one_may_be_out_too() -> None:
    state = play(at("As/4b5b/4g5g/- p0 - ~ - ---- 3"), "0:As 2:- 1:- 0!")
    assert state.pending == (2,)


def test_s5_2_the_points_go_to_the_taker() -> None:
    state = play(at("5sKs/4bTb/4gQg/4rJr p0 - 0/0/0/75"), "0:5s 3:- 2:Qg 1:- 0:Ks 3:- 2:- 1:- 0!")
    assert state.points == (15, 0, 0, 75)


BOMBS = "3s/4s4b4g4r9b/6g7g/6r7r t0 0:As"


def test_s5_3_taking_is_a_step_of_its_own_before_which_anybody_may_bomb() -> None:
    state = at(BOMBS)
    assert state.automatic() is None
    assert options(state, 0) == {"0!"}
    assert options(state, 1) == {"1:4s4b4g4r"}
    assert refusal(state, "1!") is Reason.NOT_YOUR_TURN


def test_s5_3_with_ordered_bombs_the_window_after_the_last_pass_is_that_chance() -> None:
    state = at("3s/4s4b4g4r9b/6g7g/6r7r p1 0:As", "standard bombs=ordered")
    asked = play(state, "1:-")
    assert str(asked).split()[1] == "b11"
    taken = play(asked, "1-B")
    assert str(taken).split()[1] == "t0"
    assert options(taken, 1) == set()


def test_s5_3_with_bombs_in_turn_the_last_pass_ends_the_trick() -> None:
    state = play(at("3s/4s4b4g4r9b/6g7g/6r7r p1 0:As", "standard bombs=in-turn"), "1:-")
    assert options(state, 1) == set()
    assert state.automatic() == (0, Take())
    assert play(state, "0!").pending == (0,)


def test_s5_3_but_for_the_choice_of_the_dragon() -> None:
    state = play(at("3s/4s4b4g4r9b/6g7g/6r7r p1 0:Dr", "standard bombs=in-turn"), "1:-")
    assert state.automatic() is None
    assert options(state, 0) == {"0!1", "0!3"}
    assert options(state, 1) == set()
