"""§7: bombs."""

import pytest

from tests.table import at, may, options, play, refusal
from tichu import IllegalAction, Phase, Reason, format_view, parse_action


def test_s7_1_a_bomb_may_be_thrown_out_of_turn() -> None:
    state = at("9s/2s2b2g2r3s/Kb/4s p2 0:As")
    assert may(state, "1:2s2b2g2r")
    assert options(state, 1) == {"1:2s2b2g2r"}


def test_s7_1_after_a_pass() -> None:
    state = play(at("9s/Kb/4b/2s2b2g2r3s p3 0:As"), "3:-")
    assert may(state, "3:2s2b2g2r")


def test_s7_1_on_the_own_combination() -> None:
    assert may(play(at("As2s2b2g2r3s/Kb/4b/5b p0"), "0:As"), "0:2s2b2g2r")


def test_s7_1_when_all_have_passed_and_the_trick_is_not_yet_taken() -> None:
    state = at("2s2b2g2r9s/3s3b3g3r4s/Kb/4b t0 0:As")
    assert options(state, 0) == {"0!", "0:2s2b2g2r"}
    assert options(state, 1) == {"1:3s3b3g3r"}
    assert not may(play(state, "0!"), "1:3s3b3g3r")


def test_s7_1_also_before_the_take_of_an_owner_who_is_out() -> None:
    state = at("-/3s3b3g3r4s/Kb/4b t0 0:As ~ - ---- 0")
    assert options(state, 1) == {"1:3s3b3g3r"}
    # The partner's ace is bombed, and seat 0 takes no part any more.
    assert play(state, "1:3s3b3g3r").pending == (3,)


def test_s7_1_only_a_higher_bomb() -> None:
    state = at("9s/2s2b2g2r3s4s5s6s/Kb/4b p2 0:8s8b8g8r")
    assert options(state, 1) == {"1:2s3s4s5s6s"}
    assert refusal(state, "1:2s2b2g2r") is Reason.DOES_NOT_BEAT


def test_s7_1_never_on_an_empty_table() -> None:
    assert refusal(at("9s/2s2b2g2r3s/Kb/4s p2"), "1:2s2b2g2r") is Reason.NOTHING_TO_BOMB


def test_s7_1_never_on_the_dog() -> None:
    state = play(at("Do9s/2s2b2g2r3s/Kb/4s p0"), "0:Do")
    assert refusal(state, "1:2s2b2g2r") is Reason.NOTHING_TO_BOMB


def test_s7_1_play_goes_on_after_the_bomber_and_earlier_passes_are_void() -> None:
    state = play(at("9s/2s2b2g2r3s/Kb4b/4sAr p3 0:8s"), "3:- 2:- 1:2s2b2g2r")
    assert state.pending == (0,)
    state = play(state, "0:- 3:-")
    assert state.phase is Phase.PLAY
    assert state.pending == (2,)


def test_s7_1_the_seats_between_lose_their_turn() -> None:
    state = play(at("9s/4b/2s2b2g2r3s/4sAr p3 0:8s"), "2:2s2b2g2r")
    assert state.pending == (1,)


def test_s7_1_of_several_bombs_the_first_counts() -> None:
    state = at("9s/2s2b2g2r3s/Kb/4s4b4g4r p2 0:As")
    assert refusal(play(state, "3:4s4b4g4r"), "1:2s2b2g2r") is Reason.DOES_NOT_BEAT
    assert may(play(state, "1:2s2b2g2r"), "3:4s4b4g4r")


def test_s7_1_no_other_combination_out_of_turn() -> None:
    assert refusal(at("9s/2s2b2g2r3sAb/Kb/4s p2 0:Qs"), "1:Ab") is Reason.NOT_YOUR_TURN


ORDERED = "standard bombs=ordered"
# Everybody holds a bomb that beats any single.
ARMED = "3s3b3g3r9s/4s4b4g4r9b/5s5b5g5r9g/6s6b6g6r9r"


def test_s7_2_each_seat_is_asked_from_the_one_after_the_actor_around_to_the_actor() -> None:
    state = play(at(f"{ARMED} p0", ORDERED), "0:9s")
    for seat in (3, 2, 1, 0):
        assert str(state).split()[1] == f"b{seat}0"
        state = play(state, f"{seat}-B")
    assert str(state).split()[1] == "p3"


def test_s7_2_after_every_pass_too_and_the_last() -> None:
    state = play(at("3s9s/4s4b4g4r9b/5s9g/6s9r p3 0:8s", ORDERED), "3:-")
    assert str(state).split()[1] == "b13"
    state = play(state, "1-B 2:- 1-B 1:-")
    assert str(state).split()[1] == "b11"
    assert str(play(state, "1-B")).split()[1] == "t0"


def test_s7_2_only_seats_that_hold_a_bomb_which_beats_the_table_are_asked() -> None:
    state = play(at("8s8b8g8r9s/4s4b4g4r9b/5b9g/TsTbTgTr9r p0", ORDERED), "0:8s8b8g8r")
    assert str(state).split()[1] == "b30"
    assert str(play(state, "3-B")).split()[1] == "p3"


def test_s7_2_a_led_bomb_included_the_dog_and_a_play_that_ends_the_round_not() -> None:
    assert str(play(at(f"{ARMED} p0", ORDERED), "0:3s3b3g3r")).split()[1] == "b30"
    assert str(play(at("Do9s/4s4b4g4r9b/5g9g/9r p0", ORDERED), "0:Do")).split()[1] == "p2"
    assert str(play(at("9s/4s4b4g4r9b/-/9r p0 - ~ - ---- 2", ORDERED), "0:9s")).split()[1] == "e"


def test_s7_2_after_the_mah_jong_once_the_wish_is_made() -> None:
    state = play(at("Ma9s/4s4b4g4r9b/5g9g/9r p0", ORDERED), "0:Ma")
    assert str(state).split()[1] == "w0"
    assert str(play(state, "0?8")).split()[1] == "b10"
    assert str(play(at("Ma9s/4s4b4g4r9b/5g9g/9r p0", ORDERED + " wish=off"), "0:Ma")).split()[1] == "b10"


def test_s7_2_the_asked_may_bomb_or_decline_nothing_else() -> None:
    state = at("9s/4s4b4g4rAb/5g9g/9r b10 0:8s", ORDERED)
    assert options(state) == {"1:4s4b4g4r", "1-B"}
    assert refusal(state, "1:Ab") is Reason.NO_BOMB


def test_s7_2_nobody_can_see_who_was_asked() -> None:
    asked = at("9s/4s4b4g4rAb/5g9g/Tr b10 0:8s", ORDERED)
    declined = play(asked, "1-B")
    for seat in (0, 2, 3):
        assert format_view(asked.view(seat)) == format_view(declined.view(seat))
        assert options(asked, seat) == options(declined, seat)
    with pytest.raises(IllegalAction) as refused:
        asked.after(*parse_action("3:Tr"))
    assert refused.value.reason is Reason.BOMB_ASKED


def test_s7_2_a_bomb_voids_passes_and_asks_again_from_the_seat_after_the_bomber() -> None:
    state = play(at(f"{ARMED} p0", ORDERED), "0:9s 3-B 2-B 1:4s4b4g4r")
    # Seat 0's threes do not beat the fours.
    assert str(state).split()[1] == "b31"
    state = play(state, "3-B 2-B")
    assert str(state).split()[1] == "p0"


def test_s7_2_no_bombs_out_of_turn_but_when_asked() -> None:
    state = at("9s/4s4b4g4rAb/5g9g/Tr p3 0:8s", ORDERED)
    assert options(state, 1) == set()
    assert may(at("9s/4s4b4g4rAb/5g9g/Tr p1 2:8s", ORDERED), "1:4s4b4g4r")


IN_TURN = "standard bombs=in-turn"


def test_s7_3_only_on_the_own_turn() -> None:
    assert may(at("9s/2s2b2g2r3s/Kb/4s p1 2:As", IN_TURN), "1:2s2b2g2r")
    assert refusal(at("9s/2s2b2g2r3s/Kb/4s p2 0:As", IN_TURN), "1:2s2b2g2r") is Reason.NOT_YOUR_TURN
    assert refusal(at("2s2b2g2r9s/3s/Kb/4b t0 0:As", IN_TURN), "0:2s2b2g2r") is Reason.NOT_YOUR_TURN
