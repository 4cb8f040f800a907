"""The third document of the five rule descriptions, section by section, under its preset: single-round."""

from itertools import combinations
from random import Random

import pytest

from tests.table import ALL_DECLINE, SUITED_DEAL, at, is_combination, may, options, play, refusal, start
from tests.table import beats as beats_under
from tests.table import led as led_under
from tichu import (
    PRESETS,
    Game,
    GameError,
    Match,
    Outcome,
    Phase,
    Reason,
    Take,
    parse_cards,
    parse_deal,
    points_of,
    shuffled_deal,
)
from tichu.core.cards import ALL_CARDS

SINGLE = "single-round"
EXCHANGES = "0>2s3s4s 1>2b3b4b 2>2g3g4g 3>2r3r4r"


def beats(combo: str, top: str) -> bool:
    return beats_under(combo, top, SINGLE)


def led(cards: str) -> list[str]:
    return led_under(cards, SINGLE)


def match_of(*rounds: tuple[int, int, int]) -> Match:
    """Rounds as score of 0+2, score of 1+3, first out."""
    match = Match(PRESETS[SINGLE])
    for first_team, second_team, first_out in rounds:
        match = match.after(Outcome((first_team, second_team), (0, 0), (first_out, first_out ^ 1, first_out ^ 2)))
    return match


# 1 to 3: seats, cards, points


def test_seed_002_the_next_player_is_the_seat_minus_one() -> None:
    state = play(at("2s3s/2b3b/2g3g/2r3r p1", SINGLE), "1:2b")
    assert state.pending == ((1 - 1) % 4,)
    assert play(state, "0:-").pending == ((0 - 1) % 4,)


def test_seed_002_seats_0_and_2_play_against_1_and_3() -> None:
    assert play(at("9s/4b/-/4r p0 - ~ - ---- 2", SINGLE), "0:9s").outcome.score == (200, 0)
    assert play(at("4s/9b/4r/- p1 - ~ - ---- 3", SINGLE), "1:9b").outcome.score == (0, 200)


def test_seed_002_52_and_4_cards_ranked_from_2_to_ace_the_mah_jong_is_1() -> None:
    assert ALL_CARDS.bit_count() == 56
    order = ["Ma", *(f"{rank}s" for rank in "23456789TJQKA")]
    for lower, higher in combinations(order, 2):
        assert beats(higher, lower)
        assert not beats(lower, higher)


@pytest.mark.parametrize(
    ("cards", "points"), [("5s", 5), ("Tb", 10), ("Kg", 10), ("Dr", 25), ("Ph", -25), ("MaDo2s9gJrQbAs", 0)]
)
def test_seed_002_the_cards_that_count(cards: str, points: int) -> None:
    assert points_of(parse_cards(cards)) == points


# 4: winner and tie-break


def test_seed_002_after_one_round_the_team_with_more_wins() -> None:
    assert match_of((55, 45, 1)).winner == 0
    assert match_of((0, 200, 1)).winner == 1


def test_seed_002_after_a_tie_one_more_round_and_the_sum_decides() -> None:
    assert match_of((50, 50, 0)).winner is None
    assert match_of((50, 50, 0), (45, 55, 0)).winner == 1
    assert match_of((150, 150, 0), (100, 0, 1)).winner == 0


@pytest.mark.parametrize("first_out", [0, 1, 2, 3])
def test_seed_002_still_a_tie_the_team_of_the_first_out_in_the_extra_round_wins(first_out: int) -> None:
    assert match_of((50, 50, 1 - first_out % 2), (50, 50, first_out)).winner == first_out % 2


def test_seed_002_a_match_is_one_or_two_rounds() -> None:
    for match in (match_of((55, 45, 1)), match_of((50, 50, 0), (50, 50, 0))):
        with pytest.raises(GameError, match="over"):
            match.after(Outcome((50, 50), (0, 0), (0, 1, 2)))


# 5: the ten phases, as far as they are states of the core


def test_seed_002_the_phases_from_the_deal_to_the_first_trick() -> None:
    state = start(SINGLE)  # DEAL_PART1, DECLARE_GRAND_WINDOW
    assert state.phase is Phase.GRAND
    assert [hand.bit_count() for hand in state.hands] == [8] * 4
    state = play(state, ALL_DECLINE)  # DEAL_PART2, EXCHANGE_SELECT
    assert state.phase is Phase.EXCHANGE
    assert [hand.bit_count() for hand in state.hands] == [14] * 4
    state = play(state, EXCHANGES)  # EXCHANGE_COMMIT, TRICK_PLAY
    assert state.phase is Phase.PLAY


def test_seed_002_the_phase_of_the_dragons_gift() -> None:
    state = play(at("Dr3s/4b/4g/4r p0", SINGLE), "0:Dr 3:- 2:- 1:-")  # DRAGON_DONATE
    assert state.phase is Phase.TAKE
    assert state.automatic() is None
    # Any other trick is taken without a question.
    state = play(at("As3s/4b/4g/4r p0", SINGLE), "0:As 3:- 2:- 1:-")
    assert state.automatic() == (0, Take())


def test_seed_002_the_phases_at_the_end() -> None:
    rng = Random(2)
    game = Game.start(parse_deal(SUITED_DEAL), PRESETS[SINGLE])
    while not game.round.is_over:  # ROUND_END
        seat = game.round.pending[0]
        game = game.after(seat, game.view(seat).legal().draw(rng))
    if game.match.winner is None:  # NEXT_ROUND_OR_END
        game = game.next_round(shuffled_deal(rng))
        assert game.round.phase is Phase.GRAND
    else:  # GAME_END
        with pytest.raises(GameError, match="over"):
            game.next_round(shuffled_deal(rng))


# 6: declarations


def test_seed_002_grand_tichu_is_declared_on_eight_cards_for_200() -> None:
    assert may(start(SINGLE), "0+G")
    assert refusal(play(start(SINGLE), ALL_DECLINE), "0+G") is Reason.NOT_IN_PHASE
    assert at("-/-/-/4r e - 50/20/30/0 - G--- 012", SINGLE).outcome.bonus == (200, 0)
    assert at("-/-/-/4r e - 50/20/30/0 - -G-- 012", SINGLE).outcome.bonus == (0, -200)


def test_seed_002_tichu_is_declared_during_the_tricks_before_the_own_first_card_for_100() -> None:
    state = play(start(SINGLE), ALL_DECLINE)
    assert refusal(state, "0+T") is Reason.TOO_EARLY_TO_CALL
    state = play(state, EXCHANGES)
    assert may(state, "0+T")
    state = play(state, "0:As")
    assert refusal(state, "0+T") is Reason.TOO_LATE_TO_CALL
    assert may(state, "1+T")
    assert at("-/-/-/4r e - 50/20/30/0 - T--- 012", SINGLE).outcome.bonus == (100, 0)
    assert at("-/-/-/4r e - 50/20/30/0 - --T- 012", SINGLE).outcome.bonus == (-100, 0)


def test_seed_002_only_one_of_the_two() -> None:
    state = play(start(SINGLE), f"0+G 1-G 2-G 3-G {EXCHANGES}")
    assert refusal(state, "0+T") is Reason.ALREADY_CALLED


# 7: the first lead


def test_seed_002_the_mah_jong_has_the_first_lead() -> None:
    assert play(start(SINGLE), f"{ALL_DECLINE} {EXCHANGES}").pending == (0,)


# 8: combinations


@pytest.mark.parametrize(
    "cards",
    ["7s", "7s7b", "7s7b7g", "4s4b7s7b7g", "3s4b5g6r7s", "7s7b8s8b", "7s7b7g7r", "3s4s5s6s7s"],
    ids=["SINGLE", "PAIR", "TRIPLE", "FULL_HOUSE", "STRAIGHT", "PAIR_STRAIGHT", "BOMB4", "BOMB_STRAIGHT_FLUSH"],
)
def test_seed_002_the_types(cards: str) -> None:
    assert led(cards) == [cards]


def test_seed_002_the_key_rank_or_length_and_high_rank_are_compared() -> None:
    assert beats("8s", "7s")
    assert beats("8s8b", "7s7b")
    assert beats("8s8b8g", "7s7b7g")
    assert beats("2s2b8s8b8g", "7s7b7gAsAb")
    assert beats("4b5b6b7b8s", "3s4s5s6s7r")
    assert beats("8s8b9s9b", "7s7b8g8r")
    assert not beats("4b5b6b7b8s9s", "3s4s5s6s7r")
    assert not beats("8s8b9s9bTsTb", "7s7b8g8r")
    assert led("6s6b6g7s7b7g") == []


def test_seed_002_a_straight_flush_over_any_four_then_length_rank_and_suit() -> None:
    assert beats("2s3s4s5s6s", "AsAbAgAr")
    assert beats("8s8b8g8r", "7s7b7g7r")
    assert beats("2s3s4s5s6s7s", "TrJrQrKrAr")
    assert beats("4g5g6g7g8g", "3s4s5s6s7s")


def test_seed_002_the_order_of_suits() -> None:
    flushes = ["".join(f"{rank}{suit}" for rank in "34567") for suit in "srbg"]  # ♠ ♥ ♦ ♣
    for higher, lower in combinations(flushes, 2):
        assert beats(higher, lower)
        assert not beats(lower, higher)


# 9: special cards


def test_seed_002_the_dog_only_as_a_lead_then_the_partner_whatever_the_direction() -> None:
    assert refusal(at("Do3s/4b/4g/4r p0 1:2s", SINGLE), "0:Do") is Reason.LEAD_ONLY
    for direction in ("ccw", "cw"):
        assert play(at("Do3s/4b/4g/4r p0", f"{SINGLE} direction={direction}"), "0:Do").pending == (2,)


def test_seed_002_the_dragon_is_the_strongest_single_and_its_trick_is_donated_to_an_opponent() -> None:
    assert beats("Dr", "PA")
    assert not beats("Ph", "Dr")
    state = play(at("Dr3s/4b/4g/4r p0 - 0/75/0/0", SINGLE), "0:Dr 3:- 2:- 1:-")
    assert options(state) == {"0!1", "0!3"}
    assert play(state, "0!3").points == (0, 75, 0, 25)


def test_seed_002_the_phoenix_led_is_one_and_a_half_and_otherwise_half_above() -> None:
    assert str(play(at("Ph3s/4b/4g/4r p0", SINGLE), "0:Ph")).split()[2] == "0:P1"
    assert str(play(at("Ph3s/4b/4g/4r p0 1:Ts", SINGLE), "0:Ph")).split()[2] == "0:PT"


@pytest.mark.parametrize("combo", ["7sP7", "7s7bP7", "4sP47s7b7g", "3s4bP56g7r", "7s7b8sP8"])
def test_seed_002_the_phoenix_is_wild_in_every_type_but_bombs(combo: str) -> None:
    assert led(combo[: combo.index("P")] + combo[combo.index("P") + 2 :] + "Ph") == [combo]
    assert not is_combination("7s7b7gP7")
    assert not beats("3s4s5s6sP7", "9b")


def test_seed_002_what_the_phoenix_stands_for_is_declared() -> None:
    state = at("9s9bAsAbPh3s/4b/4g/4r p0", SINGLE)
    assert may(state, "0:9s9bP9AsAb")
    assert may(state, "0:9s9bAsAbPA")
    assert str(play(state, "0:9s9bP9AsAb")).split()[2] == "0:9s9bP9AsAb"


def test_seed_002_the_wish_is_a_rank_or_none() -> None:
    state = play(at("Ma9s/4b/4g/4r8r p0", SINGLE), "0:Ma")
    assert options(state) == {f"0?{rank}" for rank in "23456789TJQKA-"}
    state = play(state, "0?-")
    assert state.wish == 0
    assert options(state) == {"3:4r", "3:8r", "3:-"}


def test_seed_002_only_actions_with_the_wished_rank_where_there_are_any() -> None:
    assert options(at("3s/4b/4g/4r8r9r p3 0:7s ~ 8", SINGLE)) == {"3:8r"}
    assert options(at("3s/4b/4g/4r9r p3 0:7s ~ 8", SINGLE)) == {"3:9r", "3:-"}
    # Bombs come only in turn, so none is an excuse.
    assert options(at("3s/4b/4g/5s5b5g5r8r p3 0:7s ~ 8", SINGLE)) == {"3:8r"}


def test_seed_002_a_phoenix_declared_as_the_wished_rank_counts() -> None:
    state = at("3s/4b/4g/6s7b9gTrPhAr p3 0:3b4r5g6r7s ~ 8", SINGLE)
    assert options(state) == {"3:6s7bP89gTr"}
    assert play(state, "3:6s7bP89gTr").wish == 0
    pair = at("3s/4b/4g/8b9gPh p3 0:7s7b ~ 9", SINGLE)
    assert options(pair) == {"3:9gP9"}


def test_seed_002_the_wish_is_lifted_as_soon_as_the_rank_is_played() -> None:
    assert play(at("3s/4b/4g/4r8r9r p3 0:7s ~ 8", SINGLE), "3:8r").wish == 0


# 10: bombs


def test_seed_002_bombs_only_on_the_own_turn() -> None:
    state = at("9s/2s2b2g2r3s/Kb/4s p3 0:As", SINGLE)
    assert options(state, 1) == set()
    assert may(play(state, "3:- 2:-"), "1:2s2b2g2r")
    assert options(at("9s/2s2b2g2r3s/Kb/4s t0 0:As", SINGLE), 1) == set()


def test_seed_002_any_bomb_on_what_is_no_bomb_and_a_stronger_one_on_a_bomb() -> None:
    assert beats("2s2b2g2r", "KsKbKgAsAb")
    assert beats("3s3b3g3r", "2s2b2g2r")
    assert not beats("2s2b2g2r", "3s3b3g3r")


def test_seed_002_after_a_bomb_play_goes_on_as_usual() -> None:
    state = play(at("9s/Kb/2s2b2g2r3s/4s p2 3:As", SINGLE), "2:2s2b2g2r")
    assert state.pending == (1,)
    assert options(state) == {"1:-"}


# 11: exchange


def test_seed_002_the_exchange_is_applied_at_once_when_all_have_confirmed() -> None:
    state = play(start(SINGLE), ALL_DECLINE + " 0>2s3s4s 1>2b3b4b 2>2g3g4g")
    assert state.pending == (3,)
    state = play(state, "0>5s6s7s")  # selected anew before the last has confirmed
    state = play(state, "3>2r3r4r")
    assert state.hands[0] & parse_cards("5s6s7s") == 0
    assert state.hands[1] & parse_cards("5s3r4g") == parse_cards("5s3r4g")


# 12: the end of a trick and of a round


def test_seed_002_three_passes_end_the_trick_and_the_last_player_takes_and_leads() -> None:
    state = play(at("3sKs/4b/4g/4r p0 - 0/90/0/0", SINGLE), "0:Ks 3:- 2:- 1:-")
    assert state.automatic() == (0, Take())
    state = play(state, "0!")
    assert state.points == (10, 90, 0, 0)
    assert state.pending == (0,)


def test_seed_002_the_round_ends_when_exactly_one_hand_is_left() -> None:
    state = play(at("9s/-/-/5r p0 - 50/45/0/0 - ---- 12", SINGLE), "0:9s")
    assert state.is_over
    # Seat 3's five goes to the other team.
    assert state.outcome.points == (55, 45)


def test_seed_002_the_tricks_of_the_last_go_to_the_first_out() -> None:
    assert at("-/-/-/5rKr e - 10/15/40/20 - ---- 210", SINGLE).outcome.points == (85, 15)


def test_seed_002_double_victory_200_without_card_points_but_with_declarations() -> None:
    state = play(at("9s/4b5b/-/4rKrTr p0 - 0/75/0/0 - T--G 2", SINGLE), "0:9s")
    assert state.is_over
    assert state.outcome.score == (100, -200)
    assert at("-/4b/-/4r e - 0/100/0/0 - T--- 02", SINGLE).outcome.score == (300, 0)


# 13: the score of a round


def test_seed_002_card_points_or_200_and_then_the_declarations() -> None:
    assert at("-/-/-/5rKr e - 10/15/40/20 - -T-- 120", SINGLE).outcome.score == (65, 135)
    assert at("-/-/-/5rKr e - 10/15/40/20 - -TG- 120", SINGLE).outcome.score == (-135, 135)
