"""The fourth document of the five rule descriptions, statement by statement, under its preset: simple."""

from random import Random

import pytest

from tests.table import at, finished_round, may, options, play, refusal, start
from tests.table import beats as beats_under
from tests.table import led as led_under
from tichu import PRESETS, Match, Outcome, Phase, Reason, Round, Rules, parse_cards, points_of, shuffled_deal
from tichu.core.automation import THRESHOLD, rating

SIMPLE = "simple"


def beats(combo: str, top: str) -> bool:
    return beats_under(combo, top, SIMPLE)


def led(cards: str) -> list[str]:
    return led_under(cards, SIMPLE)


# Players, cards and points


def test_seed_003_the_player_opposite_is_the_team_mate() -> None:
    assert play(at("9s/4b/-/4r p0 - ~ - ---- 2", SIMPLE), "0:9s").outcome.score == (200, 0)


def test_seed_003_everybody_starts_with_14_cards_and_the_majong_starts_counterclockwise() -> None:
    state = start(SIMPLE)
    assert [hand.bit_count() for hand in state.hands] == [14] * 4
    assert state.phase is Phase.PLAY
    assert state.pending == (0,)
    assert play(state, "0:As").pending == (3,)


@pytest.mark.parametrize(
    ("cards", "points"), [("5s", 5), ("Ts", 10), ("Ks", 10), ("Dr", 25), ("Ph", -25), ("MaDoAs", 0)]
)
def test_seed_003_what_the_cards_count(cards: str, points: int) -> None:
    assert points_of(parse_cards(cards)) == points


# Stacks and combinations


@pytest.mark.parametrize(
    "cards",
    ["7s", "7s7b", "7s7b7g", "7s7b7g7r", "4s4b7s7b7g", "3s4b5g6r7s", "3s4s5s6s7s", "2s2b3s3b"],
    ids=["solo", "pair", "triple", "four", "full house", "straight", "straight flush", "pair sequence"],
)
def test_seed_003_any_combination_on_an_empty_stack(cards: str) -> None:
    assert led(cards) == [cards]


def test_seed_003_a_pair_of_4_on_a_pair_of_2_but_not_on_10s_nor_on_a_straight() -> None:
    assert beats("4s4b", "2s2b")
    assert not beats("4s4b", "TsTb")
    assert not beats("4s4b", "2s3b4g5r6s")


def test_seed_003_straights_and_pair_sequences_only_on_equal_lengths() -> None:
    assert beats("4b5b6b7b8s", "3s4s5s6s7r")
    assert not beats("4b5b6b7b8s9s", "3s4s5s6s7r")
    assert beats("3s3b4s4b", "2s2b3g3r")
    assert not beats("3s3b4s4b5s5b", "2s2b3g3r")


def test_seed_003_bombs_at_any_time_on_anything_a_straight_flush_above_a_four() -> None:
    assert may(at("9s/2s2b2g2r3s/Kb/4s p3 0:As", SIMPLE), "1:2s2b2g2r")
    assert beats("2s3s4s5s6s", "AsAbAgAr")
    assert not beats("AsAbAgAr", "2s3s4s5s6s")


def test_seed_003_a_player_may_pass_and_three_passes_finish_the_stack() -> None:
    state = play(at("3sKs/4bAb/4g/4r p0 - 0/0/90/0", SIMPLE), "0:Ks 3:- 2:- 1:-")
    assert state.phase is Phase.TAKE
    state = play(state, "0!")
    assert state.points == (10, 0, 90, 0)
    assert state.pending == (0,)


# Special cards


def test_seed_003_the_dragon_is_the_highest_card_and_solo_only() -> None:
    assert beats("Dr", "As")
    assert led("DrPh") == []


def test_seed_003_a_stack_that_the_dragon_wins_is_given_away() -> None:
    state = play(at("Dr3s/4b/4g/4r5r p0 - 0/70/0/0", SIMPLE), "0:Dr 3:- 2:- 1:-")
    assert options(state) == {"0!3"}
    assert play(state, "0!3").points == (0, 70, 0, 25)


def test_seed_003_but_not_one_that_a_bomb_wins_from_it() -> None:
    state = play(at("Dr3s/4s4b4g4r9b/2g/2r p0 - 0/0/0/75", SIMPLE), "0:Dr 1:4s4b4g4r 0:- 3:- 2:-")
    assert options(state) == {"1!"}


def test_seed_003_the_phoenix_is_a_joker_but_not_in_bombs_and_half_above_as_solo() -> None:
    assert led("9sPh") == ["9sP9"]
    assert led("9s9b9gPh") == []
    assert beats("Ph", "Ts")
    assert beats("Js", "PT")
    assert not beats("Tb", "PT")


def test_seed_003_a_phoenix_on_an_ace_is_beaten_only_by_the_dragon() -> None:
    assert beats("Dr", "PA")
    assert not any(beats(f"{rank}b", "PA") for rank in "23456789TJQKA")
    assert not beats("Ph", "Dr")


def test_seed_003_the_majong_is_1_solo_or_in_a_straight() -> None:
    assert led("Ma") == ["Ma"]
    assert led("Ma2s3b4g5r") == ["Ma2s3b4g5r"]
    assert beats("2s", "Ma")


def test_seed_003_the_dog_only_at_the_beginning_of_a_stack_and_the_team_mate_is_next() -> None:
    assert refusal(at("Do3s/4b/4g/4r p0 1:2s", SIMPLE), "0:Do") is Reason.LEAD_ONLY
    assert play(at("Do3s/4b/4g/4r p0", SIMPLE), "0:Do").pending == (2,)


def test_seed_003_a_call_wins_100_or_loses_them() -> None:
    assert at("-/-/-/4r e - 50/20/30/0 - T--- 012", SIMPLE).outcome.score == (180, 20)
    assert at("-/-/-/4r e - 50/20/30/0 - -T-- 012", SIMPLE).outcome.score == (80, -80)


# End of game


def test_seed_003_a_regular_game_ends_when_one_player_remains() -> None:
    state = play(at("9s/-/-/5rKr p0 - 10/15/40/20 - ---- 21", SIMPLE), "0:9s")
    assert state.is_over
    assert state.outcome.points == (85, 15)


def test_seed_003_double_victory_200_and_calls_count_in_both_cases() -> None:
    assert at("-/4b/-/4r e - 0/100/0/0 - T--- 02", SIMPLE).outcome.score == (300, 0)
    assert at("-/4b/-/4r e - 0/100/0/0 - ---T 02", SIMPLE).outcome.score == (200, -100)


def test_seed_003_games_are_added_up_to_1000() -> None:
    match = Match(Rules.parse(SIMPLE)).after(Outcome((600, 300), (0, 0), (0, 1, 2)))
    assert match.winner is None
    assert match.after(Outcome((300, 700), (100, 0), (1, 0, 2))).winner is None
    assert match.after(Outcome((300, 710), (100, 0), (1, 0, 2))).winner == 1


# Deviations


def test_seed_003_no_exchange_and_no_grand_tichu() -> None:
    state = start(SIMPLE)
    assert state.phase is Phase.PLAY
    assert refusal(state, "0>2s3s4s") is Reason.NOT_IN_PHASE
    assert refusal(state, "0+G") is Reason.NOT_IN_PHASE


def test_seed_003_no_wish() -> None:
    state = play(at("Ma9s/4b8b/4g8g/4r8r p0", SIMPLE), "0:Ma")
    assert state.phase is Phase.PLAY
    assert options(state) == {"3:4r", "3:8r", "3:-"}


def test_seed_003_calling_is_no_action_of_a_player() -> None:
    state = start(SIMPLE)
    assert [refusal(state, f"{seat}+T") for seat in range(4)] == [Reason.TABLE_DECIDES] * 4


@pytest.mark.no_cover
def test_seed_003_the_game_calls_when_the_rating_of_a_hand_exceeds_a_threshold() -> None:
    rng = Random(3)
    called = 0
    for _ in range(20_000):
        state = Round.start(shuffled_deal(rng), PRESETS[SIMPLE])
        decision = state.automatic()
        assert (decision is not None) == any(rating(hand) > THRESHOLD for hand in state.hands)
        called += decision is not None
    assert 0.28 <= called / 20_000 <= 0.32


@pytest.mark.no_cover
def test_seed_003_never_both_of_a_team() -> None:
    rng = Random(4)
    for _ in range(200):
        calls = str(finished_round(rng, PRESETS[SIMPLE])).split()[5]
        assert calls[0] + calls[2] != "TT"
        assert calls[1] + calls[3] != "TT"


@pytest.mark.parametrize(
    ("position", "gift"),
    [
        ("3s/4b5b6b/4g/4r5r t0 0:Dr", "0!1"),
        ("3s/4b5b/4g/4r5r6r t0 0:Dr", "0!3"),
        ("3s/4b5b6b/4g/4r5r t0 0:Dr ~ - -T--", "0!3"),
        ("3s/4b5b/4g/4r5r6r t0 0:Dr ~ - ---T", "0!1"),
        ("3s/4b5b/4g/4r5r6r t0 0:Dr ~ - -T--", "0!3"),
    ],
)
def test_seed_003_the_dragon_goes_to_the_opponent_with_more_cards_unless_that_one_called(
    position: str, gift: str
) -> None:
    assert options(at(position, SIMPLE)) == {gift}
