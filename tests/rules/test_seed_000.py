"""The first document of the five rule descriptions, statement by statement, under its preset: classic."""

from itertools import combinations

import pytest

from tests.table import ALL_DECLINE, SUITED_DEAL, at, may, options, play, refusal, start
from tests.table import beats as beats_under
from tests.table import led as led_under
from tichu import Match, Outcome, Phase, Reason, Rules, format_deal, parse_cards, parse_deal, points_of, readings

CLASSIC = "classic"


def beats(combo: str, top: str) -> bool:
    return beats_under(combo, top, CLASSIC)


def led(cards: str) -> list[str]:
    return led_under(cards, CLASSIC)


# Preparation


def test_seed_000_everybody_gets_14_cards_in_two_parts_of_8_and_6() -> None:
    state = start(CLASSIC)
    assert [hand.bit_count() for hand in state.hands] == [8] * 4
    assert [hand.bit_count() for hand in play(state, ALL_DECLINE).hands] == [14] * 4
    assert format_deal(parse_deal(SUITED_DEAL)) == SUITED_DEAL


def test_seed_000_three_cards_go_and_three_unknown_ones_come() -> None:
    state = play(start(CLASSIC), ALL_DECLINE + " 0>2s3s4s 1>2b3b4b 2>2g3g4g")
    assert all(card == -1 for cards in state.view(0).given[1:] for card in cards)
    state = play(state, "3>2r3r4r")
    assert state.hands[0] & parse_cards("2s3s4s") == 0
    assert state.hands[0] & parse_cards("2r3g4b") == parse_cards("2r3g4b")
    assert [hand.bit_count() for hand in state.hands] == [14] * 4


# The game


def test_seed_000_the_player_with_the_mah_jong_starts() -> None:
    state = play(start(CLASSIC), ALL_DECLINE + " 0>2s3sMa 1>2b3b4b 2>2g3g4g 3>2r3r4r")
    assert state.pending == (3,)


@pytest.mark.parametrize(
    "cards", ["4s", "8s8b", "9s9bTsTbJsJb", "2s2b2g", "5s5b5g9s9b", "4s5b6g7r8s", "TsJbQgKrAs"], ids=str
)
def test_seed_000_the_examples_of_combinations_can_be_laid_down(cards: str) -> None:
    assert led(cards) == [cards]


def test_seed_000_ace_2_3_4_5_cannot() -> None:
    assert led("As2b3g4r5s") == []


def test_seed_000_the_next_is_the_player_on_the_right() -> None:
    # RIGHT of seat 0 is seat 3.
    assert play(at("2s3s/4b/4g/4r p0", CLASSIC), "0:2s").pending == (3,)


def test_seed_000_the_next_player_passes_or_plays_something_similar_and_higher() -> None:
    assert options(at("3s/4b/4g/4r8r9r9b p3 0:8s", CLASSIC)) == {"3:-", "3:9r", "3:9b"}


def test_seed_000_a_run_of_two_pairs_only_by_a_run_of_two_higher_pairs() -> None:
    assert beats("7s7b8s8b", "6s6b7g7r")
    assert not beats("6g6r7s7b", "6s6b7g7r")
    assert not beats("7s7b8s8b9s9b", "6s6b7g7r")


def test_seed_000_a_row_of_six_only_by_a_higher_row_of_six() -> None:
    row = "3s4s5s6s7b8b"
    assert beats("4b5b6b7g8g9g", row)
    assert not beats("3b4b5b6b7g8g", row)
    assert not beats("4b5b6b7g8g9gTg", row)
    assert not beats("9gTgJgQgKb", row)


def test_seed_000_in_a_full_house_only_the_triple_counts() -> None:
    assert beats("2s2b6s6b6g", "5s5b5gAsAb")
    assert not beats("5s5b5gAsAb", "2s2b6s6b6g")


def test_seed_000_after_all_have_passed_the_player_of_the_highest_takes_the_trick_and_starts_again() -> None:
    state = play(at("3s9s/4bTb/4g/4r p0 - 0/0/0/90", CLASSIC), "0:9s 3:- 2:- 1:Tb 0:- 3:- 2:-")
    # The fourth pass is the take.
    assert options(state, 1) == {"1!"}
    state = play(state, "1!")
    assert state.points == (0, 10, 0, 90)
    assert state.pending == (1,)


def test_seed_000_if_that_player_has_no_more_cards_the_neighbour_on_the_right_starts() -> None:
    assert play(at("-/4b/4g/4r t0 0:9s ~ - ---- 0", CLASSIC), "0!").pending == (3,)
    assert play(at("-/4b/4g/- t0 0:9s ~ - ---- 30", CLASSIC), "0!").pending == (2,)


def test_seed_000_one_may_pass_and_come_back_in() -> None:
    state = play(at("3s9s/4bTb/4g/4rAr p0", CLASSIC), "0:9s 3:- 2:- 1:Tb 0:-")
    assert may(state, "3:Ar")


# The Mah Jong


def test_seed_000_the_first_lead_need_not_be_the_mah_jong() -> None:
    assert options(at("Ma9s/4b/4g/4r p0", CLASSIC)) == {"0:Ma", "0:9s"}


def test_seed_000_the_mah_jong_is_the_lowest_card_and_can_form_a_row() -> None:
    for card in ("2s", "9s", "As", "Ph", "Dr"):
        assert may(at(f"4b/{card}/6g/4r p1 2:Ma ~ 3", CLASSIC), f"1:{card}")
    assert led("Ma2s3b4g5r") == ["Ma2s3b4g5r"]


@pytest.mark.parametrize("lead", ["Ma", "Ma2s3b4g5r"])
def test_seed_000_whoever_plays_it_must_name_a_rank_but_no_special_card(lead: str) -> None:
    state = play(at("Ma2s3b4g5r9s/4b/6g/4r p0", CLASSIC), f"0:{lead}")
    assert options(state) == {f"0?{rank}" for rank in "23456789TJQKA"}
    assert refusal(state, "0?-") is Reason.MUST_WISH


def test_seed_000_the_next_who_has_it_and_can_play_it_must() -> None:
    state = play(at("Ma9s/4b8b/4g9g/4rKr p0", CLASSIC), "0:Ma 0?8")
    assert options(state) == {"3:4r", "3:Kr", "3:-"}
    assert options(play(state, "3:- 2:-")) == {"1:8b"}


def test_seed_000_under_certain_circumstances_as_a_bomb() -> None:
    assert options(at("9s/4b/4g/8s8b8g8r9r p3 0:AsAb ~ 8", CLASSIC)) == {"3:8s8b8g8r"}


def test_seed_000_the_wish_stays_until_somebody_carries_it_out() -> None:
    state = play(at("3s9s/4b8b/4gTg/4rKr p3 0:Ma ~ 8", CLASSIC), "3:Kr 2:- 1:- 0:- 3!")
    assert state.wish == 8
    state = play(state, "3:4r 2:- 1:8b")
    assert state.wish == 0


# The Dog


def test_seed_000_the_dog_only_with_the_lead_and_alone() -> None:
    assert refusal(at("Do3s/4b/4g/4r p0 1:2s", CLASSIC), "0:Do") is Reason.LEAD_ONLY
    assert led("DoPh") == []


def test_seed_000_the_dog_gives_the_lead_to_the_partner_at_once() -> None:
    assert play(at("Do3s/4b/4g/4r p0", CLASSIC), "0:Do").pending == (2,)


def test_seed_000_if_the_partner_has_retired_to_the_player_on_the_partners_right() -> None:
    assert play(at("Do3s/4b/-/4r p0 - ~ - ---- 2", CLASSIC), "0:Do").pending == (1,)


# The Phoenix


def test_seed_000_the_phoenix_is_a_joker_but_not_in_a_bomb_nor_as_a_special_card() -> None:
    assert led("8sPh") == ["8sP8"]
    assert led("8s8b8gPh") == []
    assert led("MaPh") == []
    assert led("2s3b4g5rPh") == ["2s3b4g5rP6"]  # not 1 2 3 4 5: the Phoenix is a 2 at least
    assert points_of(parse_cards("Ph")) == -25


def test_seed_000_after_an_eight_it_is_eight_and_a_half() -> None:
    assert beats("Ph", "8s")
    assert beats("9s", "P8")
    assert not beats("8s", "P8")


def test_seed_000_it_beats_an_ace_but_not_the_dragon_and_led_is_one_and_a_half() -> None:
    assert beats("Ph", "As")
    assert not beats("Ph", "Dr")
    assert beats("2s", "P1")
    assert not beats("Ma", "P1")


# The Dragon


def test_seed_000_the_dragon_beats_an_ace_and_an_ace_and_a_half_and_falls_only_to_a_bomb() -> None:
    assert beats("Dr", "As")
    assert beats("Dr", "PA")
    assert beats("2s2b2g2r", "Dr")
    assert not beats("As", "Dr")
    assert led("DrPh") == []
    assert points_of(parse_cards("Dr")) == 25


def test_seed_000_a_trick_won_by_the_dragon_is_given_away_and_its_winner_leads() -> None:
    state = play(at("Dr3s/4bKb/4g/4r p1 - 0/0/0/65", CLASSIC), "1:Kb 0:Dr 3:- 2:- 1:-")
    assert options(state, 0) == {"0!1", "0!3"}
    state = play(state, "0!3")
    assert state.points == (0, 0, 0, 100)
    assert state.pending == (0,)


# Bombs


def test_seed_000_the_ordered_list_of_bombs() -> None:
    bombs = ["4s4b4g4r", "5s5b5g5r", "4g5g6g7g8g", "5b6b7b8b9b", "2b3b4b5b6b7b"]
    combos = [readings(parse_cards(cards))[0] for cards in bombs]
    for lower, higher in combinations(combos, 2):
        assert higher.beats(lower)
        assert not lower.beats(higher)
    # At a table only those can meet that share no card.
    assert beats(bombs[1], bombs[0])
    assert beats(bombs[3], bombs[2])
    assert beats(bombs[4], bombs[2])


def test_seed_000_four_eights_beat_four_sevens() -> None:
    assert beats("8s8b8g8r", "7s7b7g7r")


def test_seed_000_a_bomb_beats_any_card_or_combination() -> None:
    for top in ("Dr", "As", "AsAb", "AsAbAg", "TsJbQgKrAs", "KsKbAsAb", "KsKbKgAsAb"):
        assert beats("2s2b2g2r", top)


def test_seed_000_a_bomb_at_any_time_but_not_before_a_lead_nor_on_the_dog() -> None:
    assert may(at("9s/2s2b2g2r3s/Kb/4s p3 0:As", CLASSIC), "1:2s2b2g2r")
    assert refusal(at("9s/2s2b2g2r3s/Kb/4s p0", CLASSIC), "1:2s2b2g2r") is Reason.NOTHING_TO_BOMB
    dog = play(at("Do9s/2s2b2g2r3s/Kb/4s p0", CLASSIC), "0:Do")
    assert refusal(dog, "1:2s2b2g2r") is Reason.NOTHING_TO_BOMB


# Points


def test_seed_000_the_last_play_of_the_third_player_wins_the_trick() -> None:
    state = play(at("As/-/-/4r4b p0 3:Ks 0/40/50/0 - ---- 12", CLASSIC), "0:As")
    assert state.is_over
    assert state.points == (10, 40, 50, 0)


def test_seed_000_unless_it_was_the_dragon() -> None:
    state = play(at("Dr/-/-/4r4b p0 3:Ks 0/35/30/0 - ---- 12", CLASSIC), "0:Dr")
    assert options(state, 0) == {"0!1", "0!3"}
    assert play(state, "0!1").points == (0, 70, 30, 0)


def test_seed_000_the_last_gives_the_hand_to_the_other_team_and_the_tricks_to_the_winner() -> None:
    assert at("-/-/-/5rKr e - 10/15/40/20 - ---- 210", CLASSIC).outcome.points == (85, 15)


@pytest.mark.parametrize(("card", "points"), [("Ks", 10), ("Tg", 10), ("5r", 5), ("Dr", 25), ("Ph", -25), ("As", 0)])
def test_seed_000_what_the_cards_count(card: str, points: int) -> None:
    assert points_of(parse_cards(card)) == points


def test_seed_000_double_victory_200_to_nothing_and_the_hand_is_not_finished() -> None:
    state = play(at("9s/4b5b/-/4rKrTr p0 - 0/75/0/0 - ---- 2", CLASSIC), "0:9s")
    assert state.is_over
    assert state.outcome.score == (200, 0)


# Calls


def test_seed_000_tichu_wins_or_loses_100_whatever_the_other_points() -> None:
    assert at("-/4b/-/4r e - 0/100/0/0 - T--- 02", CLASSIC).outcome.score == (300, 0)
    assert at("-/4b/-/4r e - 0/100/0/0 - -T-- 02", CLASSIC).outcome.score == (200, -100)
    assert at("-/-/-/4r e - 50/20/30/0 - T-T- 012", CLASSIC).outcome.score == (80, 20)


def test_seed_000_tichu_any_time_before_the_first_card_also_after_several_tricks() -> None:
    state = play(start(CLASSIC), f"{ALL_DECLINE} 0>2s3s4s 1>2b3b4b 2>2g3g4g 3>2r3r4r")
    state = play(state, "0:As 3:- 2:- 1:- 0! 0:Ks 3:- 2:- 1:- 0!")
    assert may(state, "3+T")
    assert not may(state, "0+T")


def test_seed_000_tichu_before_the_cards_are_passed_on() -> None:
    state = play(start(CLASSIC), ALL_DECLINE)
    assert state.phase is Phase.EXCHANGE
    assert may(state, "2+T")


def test_seed_000_it_does_not_help_if_the_partner_wins() -> None:
    assert at("-/-/-/4r e - 50/20/30/0 - --T- 012", CLASSIC).outcome.bonus == (-100, 0)


def test_seed_000_large_tichu_before_the_ninth_card_for_200() -> None:
    assert may(start(CLASSIC), "0+G")
    assert not may(play(start(CLASSIC), ALL_DECLINE), "0+G")
    assert at("-/-/-/4r e - 50/20/30/0 - G--- 012", CLASSIC).outcome.bonus == (200, 0)
    assert at("-/-/-/4r e - 50/20/30/0 - -G-- 012", CLASSIC).outcome.bonus == (0, -200)


def test_seed_000_more_than_one_may_call_even_in_a_team_but_only_one_can_be_right() -> None:
    state = play(start(CLASSIC), "0+G 1-G 2+G 3-G 1+T 3+T")
    assert str(state).split()[5] == "GTGT"
    assert at("-/-/-/4r e - 50/20/30/0 - GTGT 012", CLASSIC).outcome.bonus == (0, -200)


# Winning


def test_seed_000_1000_points_win_and_if_both_have_them_the_most() -> None:
    match = Match(Rules.parse(CLASSIC))
    for score in [(800, 700), (100, 200)]:
        match = match.after(Outcome(score, (0, 0), (0, 1, 2)))
    assert match.winner is None
    assert match.after(Outcome((110, 190), (0, 0), (0, 1, 2))).winner == 1
    assert match.after(Outcome((100, 0), (0, 0), (0, 1, 2))).winner == 0


# Notes


def test_seed_000_note_1_no_special_card_in_any_bomb() -> None:
    assert not beats("Ma2s3s4s5s", "9s")
    assert led("9s9b9gPh") == []
    assert led("TsJsQsKsAsDr") == []
    assert led("DoMa2s3s4s") == []
    assert not beats("3s4s5s6sP7", "9s")


def test_seed_000_note_2_a_rank_of_which_all_four_are_played_is_no_burden() -> None:
    state = play(at("Ma3s/4b/4g/9rKr p0", CLASSIC), "0:Ma 0?8")
    assert options(state) == {"3:9r", "3:Kr", "3:-"}


def test_seed_000_note_2_a_seven_is_named_with_the_row_12345() -> None:
    table = "3s/4b/4g/{} p3 0:Ma2s3b4r5s ~ 7"
    # 5 6 8 9 and the Phoenix: the seven would be the Phoenix, so nothing is owed.
    assert may(at(table.format("5b6b8b9gPh"), CLASSIC), "3:-")
    # 5 6 7 8 and the Phoenix: it becomes a 4 or a 9.
    assert options(at(table.format("5b6b7b8gPh"), CLASSIC)) == {"3:P45b6b7b8g", "3:5b6b7b8gP9"}
    # 7 7 7 7
    assert options(at(table.format("7s7b7g7rKr"), CLASSIC)) == {"3:7s7b7g7r"}


def test_seed_000_note_2_2222_456789_and_a_seven_is_called_for() -> None:
    state = play(at("Ma3s/4b/4g/2s2b2g2r4r5r6r7s8s9s p0", CLASSIC), "0:Ma 0?7")
    assert options(state) == {"3:7s", "3:2s2b2g2r"}
    state = play(state, "3:2s2b2g2r 2:- 1:- 0:- 3!")
    assert may(state, "3:4r5r6r7s8s9s")
    assert all("7" in play for play in options(state))


def test_seed_000_note_3_a_bombed_dragon_is_not_given_away() -> None:
    state = play(at("Dr3s/4s4b4g4r9b/2g/2r p0 - 0/0/0/75", CLASSIC), "0:Dr 1:4s4b4g4r 0:- 3:- 2:-")
    assert options(state) == {"1!"}
    assert play(state, "1!").points == (0, 25, 0, 75)


def test_seed_000_note_4_clockwise_is_a_matter_of_taste() -> None:
    assert play(at("2s3s/4b/4g/4r p0", "classic direction=cw"), "0:2s").pending == (1,)
