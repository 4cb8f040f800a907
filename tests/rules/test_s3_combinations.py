"""§3: combinations, and which beats which."""

import pytest

from tests.table import beats, is_combination, led


@pytest.mark.parametrize(
    ("cards", "kind"),
    [
        ("7s", "single"),
        ("7s7b", "pair"),
        ("7s7b7g", "triple"),
        ("4s4b7s7b7g", "full house"),
        ("7s7b7gAsAb", "full house"),
        ("3s4b5g6r7s", "straight"),
        ("2s3s4s5s6s7s8s9sTsJsQsKsAb", "straight of all thirteen"),
        ("7s7b8s8b", "stairs of two"),
        ("2s2b3s3b4s4b5s5b6s6b7s7b8s8b", "stairs of seven"),
    ],
)
def test_s3_1_these_are_combinations(cards: str, kind: str) -> None:
    assert led(cards) == [cards], kind


@pytest.mark.parametrize(
    "cards",
    [
        "7s8s",
        "7s7b8s",
        "3s4b5g6r",
        "3s4b5g6r8s",
        "7s7b9s9b",
        "7s7b8s8b9s",
        "7s7b7g7r4s",
        "7s7b7g4s4b4g",
        "7s7b8s8bTsTb",
    ],
)
def test_s3_1_these_are_not(cards: str) -> None:
    assert led(cards) == []


def test_s3_1_a_full_house_is_ranked_by_its_triple() -> None:
    assert beats("2s2b8s8b8g", "7s7b7gAsAb")
    assert not beats("7s7b7gAsAb", "2s2b8s8b8g")


@pytest.mark.parametrize("cards", ["7s7b7g7r", "3s4s5s6s7s", "2b3b4b5b6b7b8b9bTbJbQbKbAb"])
def test_s3_2_bombs_are_four_of_a_kind_and_a_straight_flush(cards: str) -> None:
    assert led(cards) == [cards]
    assert beats(cards, "Dr")
    assert beats(cards, "2g3r4g5r6g")


def test_s3_2_suited_consecutive_cards_are_never_a_plain_straight() -> None:
    # Otherwise a straight of the same length could beat them, or they could not beat a longer one.
    assert not beats("4b5g6r7g8b", "3s4s5s6s7s")
    assert beats("3s4s5s6s7s", "9b9g9rTbTg")
    assert beats("3s4s5s6s7s", "7b8b9bTbJbQg")


def test_s3_2_four_suited_cards_are_no_bomb() -> None:
    assert not is_combination("3s4s5s6s")


@pytest.mark.parametrize(
    ("combo", "top"),
    [("8s", "7s"), ("8s8b", "7s7b"), ("8s8b8g", "7s7b7g"), ("4b5b6b7b8s", "3s4s5s6s7g"), ("8s8b9s9b", "7s7b8g8r")],
)
def test_s3_3_beaten_by_the_same_kind_and_number_and_a_higher_rank(combo: str, top: str) -> None:
    assert beats(combo, top)
    assert not beats(top, combo)


@pytest.mark.parametrize(
    ("combo", "top"),
    [
        ("7b", "7s"),
        ("7g7r", "7s7b"),
        ("3g4g5g6g7s", "3s4s5s6s7b"),
        ("8s8b", "7s"),
        ("8s", "7s7b"),
        ("8s8b8g", "7s7b"),
        ("4b5b6b7b8b9s", "3s4s5s6s7g"),
        ("4b5b6b7b8s", "3s4s5s6s7g8g"),
        ("8s8b9s9bTsTb", "7s7b8g8r"),
        ("8s8b8g9s9b", "3s4s5s6s7b"),
    ],
)
def test_s3_3_an_equal_rank_another_kind_or_number_does_not_beat(combo: str, top: str) -> None:
    assert not beats(combo, top)


@pytest.mark.parametrize(
    "top", ["As", "Dr", "PA", "AsAb", "AsAbAg", "KsKbKgAsAb", "TsJbQgKrAs", "KsKbAsAb", "3s4s5s6s7s8s9sTsJsQsKsAb"]
)
def test_s3_4_bombs_beat_everything_that_is_not_a_bomb(top: str) -> None:
    assert beats("2s2b2g2r", top)
    assert beats("2r3r4r5r6r", top)


def test_s3_4_the_order_of_bombs() -> None:
    order = [
        "2s2b2g2r",
        "AsAbAgAr",
        "3s4s5s6s7s",
        "8b9bTbJbQb",
        "3r4r5r6r7r8r",
        "8s9sTsJsQsKs",
        "3g4g5g6g7g8g9g",
    ]
    for place, lower in enumerate(order):
        for higher in order[place + 1 :]:
            assert beats(higher, lower)
            assert not beats(lower, higher)


def test_s3_4_four_of_a_kind_by_rank() -> None:
    assert beats("8s8b8g8r", "7s7b7g7r")
    assert not beats("7s7b7g7r", "8s8b8g8r")


def test_s3_4_equal_flushes_the_one_on_the_table_stays() -> None:
    for suit in "bgr":
        assert not beats(f"3{suit}4{suit}5{suit}6{suit}7{suit}", "3s4s5s6s7s")
        assert not beats("3s4s5s6s7s", f"3{suit}4{suit}5{suit}6{suit}7{suit}")


def test_s3_4_or_the_suit_decides_swords_stars_pagodas_jade() -> None:
    order = "gbrs"
    for place, lower in enumerate(order):
        for higher in order[place + 1 :]:
            high, low = ("".join(f"{rank}{suit}" for rank in "34567") for suit in (higher, lower))
            assert beats(high, low, "standard equal_flush=suit")
            assert not beats(low, high, "standard equal_flush=suit")


def test_s3_4_the_suit_decides_only_what_is_otherwise_equal() -> None:
    assert not beats("3s4s5s6s7s", "4g5g6g7g8g", "standard equal_flush=suit")
    assert beats("4g5g6g7g8g", "3s4s5s6s7s", "standard equal_flush=suit")
    assert not beats("4s5s6s7s8s", "2g3g4g5g6g7g", "standard equal_flush=suit")


def test_s3_5_aces_are_high_only() -> None:
    assert led("TsJbQgKrAs") == ["TsJbQgKrAs"]
    assert led("As2b3g4r5s") == []
    assert led("AsAb2s2b") == []
    assert led("QsKbAgMa2s") == []


def test_s3_5_the_mah_jong_may_start_a_straight_that_is_never_a_bomb() -> None:
    assert led("Ma2s3s4s5s") == ["Ma2s3s4s5s"]
    assert not beats("2b3b4b5b6b", "2s3s4s5s6s")
    assert beats("2b3b4b5b6g", "Ma2s3s4s5s")
    assert not beats("Ma2s3s4s5s", "9s")


STACKED = "standard stairs=stacked"


@pytest.mark.parametrize("cards", ["6s6b6g7s7b7g", "6s6b6g6r7s7b7g7r", "6s6b6g7s7b7g8s8b8g"])
def test_s3_6_three_or_four_cards_a_rank_are_stairs_too(cards: str) -> None:
    assert led(cards, STACKED) == [cards]
    assert led(cards) == []


@pytest.mark.parametrize("cards", ["6s6b6g8s8b8g", "6s6b6g6r7s7b7g", "6s6b6g7s7b7g8s8b", "6s6b6g6r8s8b8g8r"])
def test_s3_6_but_not_with_a_gap_or_unequal_counts(cards: str) -> None:
    assert led(cards, STACKED) == []


def test_s3_6_compared_with_the_same_number_of_ranks_and_of_cards_a_rank() -> None:
    assert beats("8s8b8g9s9b9g", "6s6b6g7s7b7g", STACKED)
    assert not beats("6s6b6g7s7b7g", "8s8b8g9s9b9g", STACKED)
    # As many cards, but two a rank against three, or three against four.
    assert not beats("8s8b9s9bTsTb", "6s6b6g7s7b7g", STACKED)
    assert not beats("8s8b8g9s9b9g", "2s2b3s3b4s4b", STACKED)
    assert not beats("5s5b5g6s6b6g7s7b7g8s8b8g", "2s2b2g2r3s3b3g3r4s4b4g4r", STACKED)


def test_s3_6_stacked_stairs_are_no_bomb() -> None:
    assert not beats("6s6b6g6r7s7b7g7r", "As", STACKED)
    assert beats("2s2b2g2r", "6s6b6g6r7s7b7g7r", STACKED)


def test_s3_6_the_phoenix_may_stand_for_one_of_the_cards() -> None:
    assert led("6s6b6g7s7bPh", STACKED) == ["6s6b6g7s7bP7"]
    assert led("6s6b6g6r7s7b7gPh", STACKED) == ["6s6b6g6r7s7b7gP7"]
    assert led("6s6b6g6r7s7bPh", STACKED) == []
