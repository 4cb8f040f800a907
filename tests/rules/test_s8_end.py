"""§8: going out and the end of a round."""

from random import Random

import pytest

from tests.table import at, finished_round, options, play, refusal
from tichu import PRESETS, Phase, Reason


def test_s8_1_a_player_without_cards_has_no_turns() -> None:
    state = play(at("9sAs/4b5b/-/4r5r p0 1:8s ~ - ---- 2"), "0:9s 3:-")
    assert state.pending == (1,)
    assert refusal(at("9s8s/-/4g/4r p0 - ~ - ---- 1"), "1:-") is Reason.NOT_YOUR_TURN


def test_s8_1_but_still_makes_the_wish_of_a_last_mah_jong() -> None:
    state = play(at("Ma/4b5b/4g5g/4r5r p0"), "0:Ma")
    assert state.out == (0,)
    assert state.phase is Phase.WISH
    assert state.pending == (0,)
    assert options(play(state, "0?4")) == {"3:4r"}


def test_s8_1_takes_a_trick_that_holds() -> None:
    state = play(at("As/4b5b/4g5g/4rTr p3 - 0/0/0/80"), "3:Tr 2:- 1:- 0:As 3:- 2:- 1:-")
    assert options(state, 0) == {"0!"}
    state = play(state, "0!")
    assert state.points == (10, 0, 0, 80)
    assert state.pending == (3,)


def test_s8_1_and_gives_the_dragons() -> None:
    state = play(at("Dr/4b5b/4g5g/4r5r p0 - 0/0/0/60"), "0:Dr 3:- 2:- 1:-")
    assert options(state, 0) == {"0!1", "0!3"}
    state = play(state, "0!1")
    assert state.points == (0, 25, 0, 60)
    assert state.pending == (3,)


def test_s8_2_partners_first_and_second_end_the_round_at_once() -> None:
    state = play(at("9s/4b5b/-/4rKrTr p0 - 0/75/0/0 - ---- 2"), "0:9s")
    assert state.is_over
    assert state.outcome.score == (200, 0)
    assert state.outcome.is_double_victory
    assert [options(state, seat) for seat in range(4)] == [set()] * 4


def test_s8_2_no_gift_even_if_the_dragon_was_the_last_card() -> None:
    state = play(at("Dr/4b/-/4r p0 - 0/75/0/0 - ---- 2"), "0:Dr")
    assert state.is_over
    assert state.outcome.score == (200, 0)


def test_s8_2_first_and_third_are_no_double_victory() -> None:
    state = play(at("9s/-/-/4r p0 - 0/50/50/0 - ---- 21"), "0:9s")
    assert state.outcome.score == (50, 50)


def test_s8_3_the_round_ends_when_the_third_player_goes_out() -> None:
    state = play(at("9s/-/-/4r4b p0 - ~ - ---- 12"), "0:9s")
    assert state.is_over
    assert state.out == (1, 2, 0)


def test_s8_3_a_play_that_ends_a_round_makes_no_wish() -> None:
    assert play(at("Ma/-/-/4r4b p0 - ~ - ---- 12"), "0:Ma").is_over
    assert play(at("Ma2s3s4s5b/-/-/4r4b p0 - ~ - ---- 12"), "0:Ma2s3s4s5b").is_over
    assert play(at("Ma/6b/-/4r4b p0 - ~ - ---- 2"), "0:Ma").is_over


@pytest.mark.parametrize("bombs", ["anytime", "ordered", "in-turn"])
def test_s8_3_and_cannot_be_bombed(bombs: str) -> None:
    state = play(at("9s/-/-/4s4b4g4r p0 - ~ - ---- 12", f"standard bombs={bombs}"), "0:9s")
    assert state.is_over
    assert options(state, 3) == set()
    gift = play(at("Dr/-/-/4s4b4g4r p0 - ~ - ---- 12", f"standard bombs={bombs}"), "0:Dr")
    assert gift.phase is Phase.TAKE
    assert options(gift, 3) == set()


def test_s8_3_its_player_has_the_trick_without_taking_it() -> None:
    state = play(at("As/-/-/4r4b p0 3:Ks 0/40/50/0 - ---- 12"), "0:As")
    assert state.is_over
    assert state.points == (10, 40, 50, 0)


def test_s8_3_the_gift_of_the_dragon_is_still_chosen() -> None:
    state = play(at("Dr/-/-/4r4b p0 3:Ks 0/35/30/0 - ---- 12"), "0:Dr")
    assert options(state, 0) == {"0!1", "0!3"}
    assert state.automatic() is None
    assert play(state, "0!1").points == (0, 70, 30, 0)
    assert play(state, "0!3").points == (0, 35, 30, 35)
    assert play(state, "0!3").is_over


def test_s8_3_after_the_dog_there_is_no_trick() -> None:
    state = play(at("Do/-/-/4r4b p0 - 0/70/30/0 - ---- 12"), "0:Do")
    assert state.is_over
    assert state.points == (0, 70, 30, 0)


def test_s8_4_the_hand_of_the_last_goes_to_the_other_team_and_the_tricks_to_the_first_out() -> None:
    # Seat 3 is last with 15 in hand and 20 in tricks, seat 2 was first.
    assert at("-/-/-/5rKr e - 10/15/40/20 - ---- 210").outcome.points == (85, 15)


def test_s8_4_also_when_the_first_out_is_the_partner_of_the_last() -> None:
    assert at("-/-/-/5rKr e - 10/15/40/20 - ---- 102").outcome.points == (65, 35)


def test_s8_4_the_phoenix_in_the_hand_of_the_last_costs_the_other_team() -> None:
    assert at("-/-/-/Ph e - 50/25/50/0 - ---- 102").outcome.points == (75, 25)


@pytest.mark.no_cover
def test_s8_4_together_the_teams_have_100() -> None:
    rng = Random(84)
    for rules in PRESETS.values():
        for _ in range(60):
            outcome = finished_round(rng, rules).outcome
            assert sum(outcome.points) == (200 if outcome.is_double_victory else 100)


@pytest.mark.parametrize(
    ("calls", "bonus"),
    [
        ("----", (0, 0)),
        ("T---", (100, 0)),
        ("G---", (200, 0)),
        ("-T--", (0, -100)),
        ("-G--", (0, -200)),
        ("--T-", (-100, 0)),
        ("G-T-", (100, 0)),
        ("TTGG", (-100, -300)),
    ],
)
def test_s8_5_calls_win_if_the_caller_was_first_out_else_they_lose(calls: str, bonus: tuple[int, int]) -> None:
    outcome = at(f"-/-/-/5rKr e - 10/15/40/20 - {calls} 012").outcome
    assert outcome.bonus == bonus
    assert outcome.score == (85 + bonus[0], 15 + bonus[1])


def test_s8_5_in_addition_to_a_double_victory() -> None:
    assert at("-/4b/-/4r e - 0/100/0/0 - T--G 02").outcome.score == (300, -200)
    assert at("-/4b/-/4r e - 0/100/0/0 - --T- 02").outcome.score == (100, 0)
