"""The fifth document of the five rule descriptions, statement by statement, under its preset: standard."""

from random import Random

import pytest

from tests.table import ALL_DECLINE, at, beats, finished_round, led, may, options, play, refusal, start
from tichu import PRESETS, STANDARD, Match, Outcome, Phase, Reason, parse_cards, points_of
from tichu.core.cards import ALL_CARDS

EXCHANGES = "0>2s3s4s 1>2b3b4b 2>2g3g4g 3>2r3r4r"


# Objective, seating, sequence


def test_seed_004_the_first_team_to_reach_1000_wins() -> None:
    match = Match().after(Outcome((995, 700), (0, 0), (0, 1, 2)))
    assert match.winner is None
    assert match.after(Outcome((5, 95), (0, 0), (0, 1, 2))).winner == 0


def test_seed_004_partners_sit_across_so_that_play_alternates() -> None:
    state = play(at("2s3s/4b/4g/4r p0"), "0:2s")
    assert state.pending == (3,)
    assert play(state, "3:-").pending == (2,)


def test_seed_004_counterclockwise_but_frequently_clockwise() -> None:
    assert STANDARD.direction == "ccw"
    assert play(at("2s3s/4b/4g/4r p0", "standard direction=cw"), "0:2s").pending == (1,)


def test_seed_004_56_cards_aces_high() -> None:
    assert ALL_CARDS.bit_count() == 56
    assert beats("As", "Kb")
    assert led("As2b3g4r5s") == []


# The deal, passing cards, bets


def test_seed_004_eight_cards_then_a_bet_of_200_then_six_more() -> None:
    state = start()
    assert [hand.bit_count() for hand in state.hands] == [8] * 4
    assert may(state, "0+G")
    assert [hand.bit_count() for hand in play(state, ALL_DECLINE).hands] == [14] * 4


@pytest.mark.parametrize("calls", ["0-G 1-G 2-G 3-G", "0+G 1-G 2-G 3-G", "0+G 1+G 2+G 3+G"])
def test_seed_004_from_zero_to_four_players_may_bet(calls: str) -> None:
    assert str(play(start(), calls)).split()[5].count("G") == calls.count("+")


def test_seed_004_everybody_passes_one_card_to_each_other_player() -> None:
    state = play(start(), f"{ALL_DECLINE} {EXCHANGES}")
    assert state.hands[2] & parse_cards("2b3s4r") == parse_cards("2b3s4r")
    assert [hand.bit_count() for hand in state.hands] == [14] * 4


def test_seed_004_tichu_at_any_point_before_the_first_card_unless_grand_was_bet() -> None:
    state = play(start(), "0+G 1-G 2-G 3-G")
    assert not may(state, "0+T")
    assert may(state, "1+T")
    state = play(state, f"{EXCHANGES} 0:As 3:-")
    assert may(state, "3+T")
    assert may(state, "1+T")


# The play


def test_seed_004_the_mah_jong_leads_but_may_be_kept() -> None:
    state = play(start(), f"{ALL_DECLINE} {EXCHANGES}")
    assert may(state, "0:Ma")
    assert may(state, "0:As")


def test_seed_004_after_a_single_card_only_single_cards() -> None:
    assert options(at("3s/4b/4g/9r9bTr p3 0:8s")) == {"3:9b", "3:9r", "3:Tr", "3:-"}


def test_seed_004_a_sequence_of_eight_only_by_a_higher_sequence_of_eight() -> None:
    assert beats("3b4b5b6b7g8g9gTg", "2s3s4s5s6s7s8s9r")
    assert not beats("3b4b5b6b7g8g9gTgJg", "2s3s4s5s6s7s8s9r")
    assert not beats("4b5b6b7g8g9gTg", "2s3s4s5s6s7s8s9r")


def test_seed_004_two_pairs_by_two_higher_pairs_and_a_full_house_by_the_trio() -> None:
    assert beats("7s7b8s8b", "6s6b7g7r")
    assert beats("2s2b6s6b6g", "5s5b5gAsAb")


def test_seed_004_three_passes_in_a_row_complete_the_trick() -> None:
    state = play(at("3s9s/4bTb/4g/4r p0"), "0:9s 3:- 2:- 1:Tb 0:- 3:-")
    assert state.phase is Phase.PLAY
    state = play(state, "2:-")
    assert state.phase is Phase.TAKE
    assert play(state, "1!").pending == (1,)


def test_seed_004_passing_once_does_not_preclude_playing_later() -> None:
    assert may(play(at("3s9s/4bTb/4g/4rAr p0"), "0:9s 3:- 2:- 1:Tb 0:-"), "3:Ar")


def test_seed_004_play_continues_until_only_one_has_cards() -> None:
    assert not play(at("9sTs/-/4g/4r p0 - ~ - ---- 1"), "0:9s").is_over
    assert play(at("9s/-/-/4r p0 - ~ - ---- 12"), "0:9s").is_over


def test_seed_004_the_tailender_hands_over_cards_and_tricks() -> None:
    assert at("-/-/-/5rKr e - 10/15/40/20 - ---- 210").outcome.points == (85, 15)


# Combinations


@pytest.mark.parametrize(
    "cards",
    ["9s", "9s9b", "5s5b6s6b7s7b8s8b", "9s9b9g", "TsJbQgKrAs", "4s4b9s9b9g", "9s9b9g9r", "4s5s6s7s8s"],
)
def test_seed_004_the_combinations(cards: str) -> None:
    assert led(cards) == [cards]


def test_seed_004_bombs_no_matter_what_was_led_and_beaten_only_by_a_higher_one() -> None:
    assert beats("2s2b2g2r", "KsKbAsAb")
    assert beats("3s3b3g3r", "2s2b2g2r")
    assert not beats("AsAb", "2s2b2g2r")


def test_seed_004_a_straight_flush_beats_four_of_a_kind_and_a_longer_one_a_shorter() -> None:
    assert beats("2s3s4s5s6s", "AsAbAgAr")
    assert beats("2s3s4s5s6s7s", "TrJrQrKrAr")


def test_seed_004_no_phoenix_in_a_bomb() -> None:
    assert led("9s9b9gPh") == []
    assert not beats("4s5s6s7sP8", "Ab")


# Mah Jong


def test_seed_004_the_mah_jong_is_1_by_itself_or_in_a_straight() -> None:
    assert beats("2s", "Ma")
    assert led("Ma2s3b4g5r") == ["Ma2s3b4g5r"]


def test_seed_004_one_may_wish_for_2_to_ace() -> None:
    state = play(at("Ma9s/4b/4g/4r p0"), "0:Ma")
    assert options(state) == {f"0?{rank}" for rank in "23456789TJQKA-"}


def test_seed_004_the_wish_stays_until_it_is_played_once() -> None:
    state = play(at("3s9s/4b8b/4gTg/4rKr p3 0:Ma ~ 8"), "3:Kr 2:- 1:- 0:- 3! 3:4r 2:- 1:8b")
    assert state.wish == 0


def test_seed_004_if_the_wished_card_needs_a_bomb_you_must() -> None:
    assert options(at("3s/4b/4g/8s8b8g8rKr p3 0:Ma2s3b4r5s ~ 8")) == {"3:8s8b8g8r"}


def test_seed_004_after_a_straight_a_straight_with_the_wished_value_if_possible() -> None:
    assert options(at("3s/4b/4g/6s7b8b9gTrAr p3 0:Ma2s3b4r5s ~ 8")) == {"3:6s7b8b9gTr"}


def test_seed_004_also_if_only_the_phoenix_as_a_filler_makes_the_straight() -> None:
    assert options(at("3s/4b/4g/6s8b9gTrPh p3 0:Ma2s3b4r5s ~ 8")) == {"3:6sP78b9gTr"}
    # As the wished value itself it does not count.
    assert options(at("3s/4b/4g/6s7b9gTrPh p3 0:Ma2s3b4r5s ~ 8")) == {"3:6s7bP89gTr", "3:-"}


def test_seed_004_if_you_can_you_must_but_another_bomb_is_free() -> None:
    assert options(at("3s/4b/4g/5s5b5g5r8r p3 0:7s ~ 8")) == {"3:8r", "3:5s5b5g5r"}


# Hound


def test_seed_004_the_hound_is_led_and_passes_the_lead_to_the_partner() -> None:
    assert refusal(at("Do3s/4b/4g/4r p0 1:2s"), "0:Do") is Reason.LEAD_ONLY
    assert play(at("Do3s/4b/4g/4r p0"), "0:Do").pending == (2,)


def test_seed_004_if_the_partner_is_out_to_the_active_player_after_the_partner() -> None:
    assert play(at("Do3s/4b/-/4r p0 - ~ - ---- 2"), "0:Do").pending == (1,)
    assert play(at("Do3s/-/-/4r p0 - ~ - ---- 12"), "0:Do").pending == (0,)


def test_seed_004_the_hound_cannot_be_bombed() -> None:
    state = play(at("Do9s/2s2b2g2r3s/Kb/4s p0"), "0:Do")
    assert refusal(state, "1:2s2b2g2r") is Reason.NOTHING_TO_BOMB


# Phoenix


def test_seed_004_the_phoenix_beats_the_last_card_but_no_higher_one_played_later() -> None:
    assert beats("Ph", "9s")
    assert beats("Ts", "P9")
    assert not beats("9b", "P9")


def test_seed_004_led_any_card_but_the_mah_jong_beats_it() -> None:
    assert all(beats(card, "P1") for card in ("2s", "9b", "Ag", "Dr"))
    assert not beats("Ma", "P1")


def test_seed_004_the_two_ways_cannot_be_mixed_no_phoenix_above_the_ace_in_a_straight() -> None:
    assert led("JsQbKgArPh") == ["PTJsQbKgAr"]
    assert not beats("PTJsQbKgAr", "TbJgQrKsAs")


def test_seed_004_the_phoenix_deducts_25() -> None:
    assert points_of(parse_cards("Ph")) == -25
    assert play(at("Ph3s/4b/4g/4r p0 - 0/125/0/0"), "0:Ph 3:- 2:- 1:- 0!").points == (-25, 125, 0, 0)


# Dragon


def test_seed_004_the_dragon_is_the_strongest_single_card() -> None:
    assert beats("Dr", "As")
    assert beats("Dr", "PA")
    assert not beats("Dr", "2s2b")


def test_seed_004_its_trick_is_given_to_an_opponent_of_choice() -> None:
    state = play(at("Dr3s/4b/4g/4r p0"), "0:Dr 3:- 2:- 1:-")
    assert options(state, 0) == {"0!1", "0!3"}


def test_seed_004_if_it_is_bombed_the_largest_bomb_takes_the_entire_trick() -> None:
    state = at("Dr3s/4s4b4g4r9b/5s5b5g5r9g/2r p0 - 0/0/0/55")
    state = play(state, "0:Dr 1:4s4b4g4r 2:5s5b5g5r 1:- 0:- 3:- 2!")
    assert state.points == (0, 0, 45, 55)


# Scoring


@pytest.mark.parametrize(
    ("calls", "score"), [("T---", (180, 20)), ("G---", (280, 20)), ("-T--", (80, -80)), ("-G--", (80, -180))]
)
def test_seed_004_bets_win_or_lose_200_or_100(calls: str, score: tuple[int, int]) -> None:
    assert at(f"-/-/-/4r e - 50/20/30/0 - {calls} 012").outcome.score == score


@pytest.mark.parametrize("calls", ["----", "T---", "--G-", "-T-G", "GTGT"])
def test_seed_004_the_200_of_a_double_victory_do_not_depend_on_bets(calls: str) -> None:
    assert at(f"-/4b/-/4r e - 0/100/0/0 - {calls} 02").outcome.points == (200, 0)


def test_seed_004_being_first_out_alone_is_worth_nothing() -> None:
    assert at("-/-/-/4r e - 50/20/30/0 - ---- 012").outcome.score == (80, 20)
    assert at("-/-/-/4r e - 50/20/30/0 - ---- 102").outcome.score == (80, 20)


@pytest.mark.no_cover
def test_seed_004_the_card_score_of_every_round_is_100() -> None:
    rng = Random(4)
    counted = 0
    for _ in range(200):
        outcome = finished_round(rng, PRESETS["standard"]).outcome
        if not outcome.is_double_victory:
            assert sum(outcome.points) == 100
            counted += 1
    assert counted > 100
