"""The second document of the five rule descriptions, statement by statement, under its preset: courtesy."""

from random import Random

import pytest

from tests.table import ALL_DECLINE, at, finished_round, is_combination, may, options, play, refusal, start
from tests.table import beats as beats_under
from tests.table import led as led_under
from tichu import PRESETS, Match, Outcome, Phase, Reason, Rules, parse_cards, points_of
from tichu.core.cards import ALL_CARDS

COURTESY = "courtesy"


def beats(combo: str, top: str) -> bool:
    return beats_under(combo, top, COURTESY)


def led(cards: str) -> list[str]:
    return led_under(cards, COURTESY)


# Cards, teams, preparation


def test_seed_001_four_colours_of_thirteen_and_four_special_cards() -> None:
    assert ALL_CARDS.bit_count() == 4 * 13 + 4
    assert parse_cards("MaDoPhDr").bit_count() == 4


def test_seed_001_play_alternates_between_the_teams() -> None:
    state = play(at("2s3s/4b/4g/4r p0", COURTESY), "0:2s")
    assert state.pending[0] % 2 != 0
    assert play(state, "3:-").pending[0] % 2 == 0


def test_seed_001_grand_tichu_on_eight_cards_is_a_bet_of_200() -> None:
    assert may(start(COURTESY), "3+G")
    assert at("-/-/-/4r e - 50/20/30/0 - G--- 012", COURTESY).outcome.bonus == (200, 0)
    assert at("-/-/-/4r e - 50/20/30/0 - --G- 012", COURTESY).outcome.bonus == (-200, 0)


def test_seed_001_small_tichu_after_the_last_six_cards_is_a_bet_of_100() -> None:
    state = play(start(COURTESY), ALL_DECLINE)
    assert may(state, "3+T")
    # The sentence gives the start of the right, not its end.
    state = play(state, "0>2s3s4s 1>2b3b4b 2>2g3g4g 3>2r3r4r")
    assert may(state, "3+T")
    assert at("-/-/-/4r e - 50/20/30/0 - T--- 012", COURTESY).outcome.bonus == (100, 0)
    assert at("-/-/-/4r e - 50/20/30/0 - ---T 012", COURTESY).outcome.bonus == (0, -100)


def test_seed_001_the_exchange_is_simultaneous() -> None:
    state = play(start(COURTESY), ALL_DECLINE + " 0>2s3s4s 1>2b3b4b 2>2g3g4g")
    assert state.hands == play(start(COURTESY), ALL_DECLINE).hands
    assert play(state, "3>2r3r4r").hands[1] & parse_cards("2s3r4g") == parse_cards("2s3r4g")


def test_seed_001_the_player_with_the_mah_jong_leads_the_first_trick() -> None:
    state = play(start(COURTESY), ALL_DECLINE + " 0>Ma3s4s 1>2b3b4b 2>2g3g4g 3>2r3r4r")
    assert state.pending == (1,)
    assert may(state, "1:Ab")


# Combinations


@pytest.mark.parametrize(
    "cards",
    [
        "9s",
        "9s9b",
        "9s9b9g",
        "4s4b9s9b9g",
        "4s5b6g7r8s",
        "2s2b3s3b4s4b",
        "6s6b6g6r7s7b7g7r",
        "9s9b9g9r",
        "4s5s6s7s8s",
    ],
)
def test_seed_001_the_combinations(cards: str) -> None:
    assert led(cards) == [cards]


def test_seed_001_straight_pairs_of_three_cards_a_rank_too() -> None:
    assert led("6s6b6g7s7b7g") == ["6s6b6g7s7b7g"]
    assert beats("8s8b8g9s9b9g", "6s6b6g7s7b7g")
    assert beats("8s8b8g8r9s9b9g9r", "6s6b6g6r7s7b7g7r")
    assert not beats("8s8b9s9bTsTbJsJb", "6s6b6g6r7s7b7g7r")


def test_seed_001_followed_only_by_something_similar_of_higher_value() -> None:
    assert beats("9s", "8s")
    assert beats("9s9b", "8s8b")
    assert not beats("9s9b", "8s")
    assert not beats("8s", "9s")


def test_seed_001_bombs_even_out_of_turn_with_a_chance_for_a_higher_bomb() -> None:
    state = play(at("9sAs/2s2b2g2r3s/4s4b4g4r5b/Kb p0", COURTESY), "0:As")
    assert state.pending == (2,)
    state = play(state, "2-B")
    assert options(state) == {"1:2s2b2g2r", "1-B"}
    state = play(state, "1:2s2b2g2r")
    assert options(state) == {"2:4s4b4g4r", "2-B"}


# Special cards


def test_seed_001_the_mah_jong_may_wish_from_2_to_ace() -> None:
    state = play(at("Ma9s/4b/4g/4r p0", COURTESY), "0:Ma")
    assert options(state) == {f"0?{rank}" for rank in "23456789TJQKA-"}


def test_seed_001_who_can_fulfil_the_wish_must_also_with_a_bomb() -> None:
    assert options(at("3s/4b/4g/8r9r p3 0:7s ~ 8", COURTESY)) == {"3:8r"}
    assert options(at("3s/4b/4g/8s8b8g8r9r p3 0:9s9b ~ 8", COURTESY)) == {"3:8s8b8g8r"}


def test_seed_001_after_a_straight_the_next_must_play_a_straight_with_the_wished_value() -> None:
    assert options(at("3s/4b/4g/6s7b8b9gTr p3 0:Ma2s3b4r5s ~ 8", COURTESY)) == {"3:6s7b8b9gTr"}


def test_seed_001_if_need_be_with_the_phoenix_as_wild_card_but_not_as_the_wished_value() -> None:
    table = "3s/4b/4g/{} p3 0:Ma2s3b4r5s ~ 8"
    assert options(at(table.format("6s8b9gTrPh"), COURTESY)) == {"3:6sP78b9gTr"}
    assert options(at(table.format("6s7b9gTrPh"), COURTESY)) == {"3:6s7bP89gTr", "3:-"}


def test_seed_001_the_dog_is_led_passes_the_lead_and_cannot_be_bombed() -> None:
    state = play(at("Do9s/2s2b2g2r3s/Kb/4s p0", COURTESY), "0:Do")
    assert state.phase is Phase.PLAY
    assert state.pending == (2,)
    assert refusal(at("Do3s/4b/4g/4r p0 1:2s", COURTESY), "0:Do") is Reason.LEAD_ONLY


def test_seed_001_the_phoenix_alone_is_half_higher() -> None:
    assert beats("Ph", "9s")
    assert not beats("9s", "P9")
    assert beats("Ts", "P9")


def test_seed_001_the_phoenix_is_wild_in_a_straight_or_full_house_or_any_other() -> None:
    assert led("4s5b7r8sPh") == ["4s5bP67r8s"]
    assert led("4s4b9s9bPh") == ["4s4bP49s9b", "4s4b9s9bP9"]
    assert led("9sPh") == ["9sP9"]
    assert led("9s9bTsPh") == ["9s9bTsPT"]


def test_seed_001_the_phoenix_takes_the_value_of_the_card_it_replaces() -> None:
    # In a straight it is no half: 4 5 6 7 and the Phoenix as 8 does not beat one that ends at 8.
    assert not beats("4s5s6s7bP8", "4b5b6b7g8g")
    assert led("TsJbQgKrAsPh") == ["P9TsJbQgKrAs"]


def test_seed_001_the_phoenix_is_never_in_a_bomb_and_no_wild_card_alone() -> None:
    assert led("9s9b9gPh") == []
    assert led("Ph") == ["Ph"]
    assert not is_combination("P9")


def test_seed_001_the_dragon_is_the_highest_single_card_and_only_a_bomb_is_higher() -> None:
    assert beats("Dr", "As")
    assert beats("2s2b2g2r", "Dr")
    assert not beats("Ph", "Dr")
    assert led("DrPh") == []


def test_seed_001_the_dragon_passes_the_trick_to_an_opponent_of_choice_not_the_lead() -> None:
    state = play(at("Dr3s/4b/4g/4r p0", COURTESY), "0:Dr 3:- 2:- 1:-")
    assert options(state, 0) == {"0!1", "0!3"}
    assert play(state, "0!3").pending == (0,)


def test_seed_001_when_bombed_the_highest_bomb_gains_the_entire_trick() -> None:
    state = at("Dr3s/4s4b4g4r9b/5s5b5g5r9g/2r p0 - 0/0/0/55", COURTESY)
    state = play(state, "0:Dr 2-B 1:4s4b4g4r 2:5s5b5g5r 1:- 0:- 3:- 2!")
    assert state.points == (0, 0, 45, 55)


def test_seed_001_the_dragon_cannot_win_the_dog() -> None:
    state = play(at("Do9s/Dr3s/Kb/4s p0", COURTESY), "0:Do")
    assert state.top is None
    assert options(state, 1) == set()


# The trick and the round


def test_seed_001_if_you_do_not_want_to_play_you_may_pass() -> None:
    assert options(at("3s/4b/4g/9r p3 0:8s", COURTESY)) == {"3:9r", "3:-"}


def test_seed_001_a_trick_ends_when_passed_three_times() -> None:
    state = play(at("3s9s/4b/4g/4r p0", COURTESY), "0:9s 3:- 2:-")
    assert state.phase is Phase.PLAY
    assert play(state, "1:-").phase is Phase.TAKE


def test_seed_001_the_round_ends_at_once_if_only_one_has_cards_left() -> None:
    assert play(at("9s/-/-/4r4b p0 - ~ - ---- 12", COURTESY), "0:9s").is_over


# Scoring


def test_seed_001_the_last_player_gives_hand_and_tricks_away() -> None:
    assert at("-/-/-/5rKr e - 10/15/40/20 - ---- 210", COURTESY).outcome.points == (85, 15)


@pytest.mark.parametrize(("cards", "points"), [("Ks", 10), ("Ts", 10), ("5s", 5), ("Dr", 25), ("Ph", -25), ("QsAs", 0)])
def test_seed_001_what_the_cards_count(cards: str, points: int) -> None:
    assert points_of(parse_cards(cards)) == points


def test_seed_001_the_deck_is_worth_100_split_between_the_teams() -> None:
    rng = Random(1)
    for _ in range(40):
        outcome = finished_round(rng, PRESETS[COURTESY]).outcome
        assert outcome.is_double_victory or sum(outcome.points) == 100


def test_seed_001_first_and_second_get_200_instead_of_card_points() -> None:
    state = play(at("9s/4b5b/-/4rKrTr p0 - 0/75/0/0 - ---- 2", COURTESY), "0:9s")
    assert state.outcome.score == (200, 0)


def test_seed_001_a_team_must_reach_1000() -> None:
    match = Match(Rules.parse(COURTESY)).after(Outcome((999, 0), (0, 0), (0, 1, 2)))
    assert match.winner is None
    assert match.after(Outcome((1, 99), (0, 0), (0, 1, 2))).winner == 0


# FAQ


def test_seed_001_faq_bombs_cannot_steal_the_lead() -> None:
    lead = at("9s/2s2b2g2r3s/Kb/4s p0", COURTESY)
    assert options(lead, 1) == set()
    assert refusal(lead, "1:2s2b2g2r") is Reason.NOTHING_TO_BOMB


def test_seed_001_faq_a_bomb_can_always_be_played_even_out_of_turn() -> None:
    # Seat 3 is next, but seat 1 is asked before.
    assert options(play(at("9sAs/2s2b2g2r3s/Kb/4s p0", COURTESY), "0:9s")) == {"1:2s2b2g2r", "1-B"}


def test_seed_001_faq_after_all_players_passed_the_trick_it_can_still_be_bombed() -> None:
    state = play(at("3sAs/4b/4g/2s2b2g2r4r p0", COURTESY), "0:As 3-B 3:- 3-B 2:- 3-B 1:-")
    assert str(state).split()[1] == "b31"
    assert options(state) == {"3:2s2b2g2r", "3-B"}
    assert play(state, "3-B").phase is Phase.TAKE
    assert play(state, "3:2s2b2g2r").pending == (2,)


def test_seed_001_faq_the_wish_must_be_fulfilled_if_possible() -> None:
    assert refusal(at("3s/4b/4g/8r9r p3 0:7s ~ 8", COURTESY), "3:-") is Reason.WISH_OWED
    assert refusal(at("3s/4b/4g/8r9r p3 0:7s ~ 8", COURTESY), "3:9r") is Reason.WISH_OWED


def test_seed_001_faq_who_cannot_fulfil_the_wish_plays_whatever_they_like() -> None:
    assert options(at("3s/4b/4g/TrKr p3 0:9s ~ 8", COURTESY)) == {"3:Tr", "3:Kr", "3:-"}


def test_seed_001_faq_a_bombed_dragon_does_not_give_the_trick_away() -> None:
    state = play(at("Dr3s/4s4b4g4r9b/2g/2r p0", COURTESY), "0:Dr 1:4s4b4g4r 0:- 3:- 2:-")
    assert options(state) == {"1!"}


def test_seed_001_faq_bombs_come_before_normal_combinations_and_in_the_direction_of_play() -> None:
    state = play(at("8sAs/2s2b2g2r3s/5s5b5g5r/4s4b4g4r9r p0", COURTESY), "0:8s")
    assert state.pending == (3,)
    state = play(state, "3:4s4b4g4r")
    assert state.pending == (2,)
    # Seat 1's twos do not beat the fours: nobody else is asked, and play goes on after the bomber.
    assert str(play(state, "2-B")).split()[1] == "p2"


def test_seed_001_faq_the_order_of_asking() -> None:
    """Four players with a bomb each; player 1 is seat 0 and so on in the direction of play."""
    seats = {1: 0, 2: 3, 3: 2, 4: 1}
    state = at("3s3b3g3r7s/4s4b4g4rTb/5s5b5g5r9g/6s6b6g6r8r p0", COURTESY)
    plays = {1: "7s", 2: "8r", 3: "9g", 4: "Tb"}
    for actor in (1, 2, 3, 4):
        assert str(state).split()[1] == f"p{seats[actor]}"
        state = play(state, f"{seats[actor]}:{plays[actor]}")
        for further in (1, 2, 3, 4):
            asked = (actor + further - 1) % 4 + 1
            assert str(state).split()[1] == f"b{seats[asked]}{seats[actor]}"
            state = play(state, f"{seats[asked]}-B")
    assert str(state).split()[1] == "p0"


def test_seed_001_faq_the_same_order_when_the_players_pass() -> None:
    state = at("3s3b3g3r7s/4s4b4g4rTb/5s5b5g5r9g/6s6b6g6r8r p3 0:As", COURTESY)
    order = [0, 3, 2, 1]
    for actor in (3, 2, 1):
        state = play(state, f"{actor}:-")
        place = order.index(actor)
        for asked in order[place + 1 :] + order[: place + 1]:
            assert str(state).split()[1] == f"b{asked}{actor}"
            state = play(state, f"{asked}-B")
    assert str(state).split()[1] == "t0"


def test_seed_001_faq_nobody_waits_for_a_card_and_then_bombs_before_it() -> None:
    # The trick of seat 0 was offered to the bomb of seat 1; after the Dragon only the Dragon can be bombed.
    state = play(at("8sAs/2s2b2g2r3s/Kb/4sDr p0", COURTESY), "0:8s 1-B 3:Dr")
    assert options(state) == {"1:2s2b2g2r", "1-B"}
    assert str(play(state, "1:2s2b2g2r")).split()[1] == "p0"
