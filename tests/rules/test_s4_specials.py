"""§4: Mah Jong, Dog, Phoenix, Dragon."""

import pytest

from tests.table import at, beats, is_combination, led, may, options, play, refusal
from tichu import Phase, Reason


def test_s4_1_the_mah_jong_is_a_single_of_rank_1_or_the_1_of_a_straight() -> None:
    assert led("Ma") == ["Ma"]
    assert beats("2s", "Ma")
    assert led("Ma2s3b4g5r") == ["Ma2s3b4g5r"]
    assert beats("2b3g4r5s6s", "Ma2s3b4g5r")
    assert led("Ma3b4g5r6s") == []


def test_s4_1_it_can_only_be_led() -> None:
    assert refusal(at("Ma3s/4b/4g/4r p0 1:2s"), "0:Ma") is Reason.LEAD_ONLY
    assert refusal(at("Ma2s3b4g5r9s/4b/4s/4r p0 1:P1"), "0:Ma") is Reason.LEAD_ONLY


def test_s4_1_its_player_may_name_a_rank_from_2_to_ace() -> None:
    for lead in ("0:Ma", "0:Ma2s3b4g5r"):
        state = play(at("Ma2s3b4g5r9s/4b6b/6g7g/4r6r p0"), lead)
        assert state.phase is Phase.WISH
        assert state.pending == (0,)
        assert options(state) == {f"0?{rank}" for rank in "23456789TJQKA-"}


def test_s4_1_or_must() -> None:
    state = at("9s/4b6b/6g7g/4r6r w0 0:Ma", "standard wish=must")
    assert options(state) == {f"0?{rank}" for rank in "23456789TJQKA"}
    assert refusal(state, "0?-") is Reason.MUST_WISH


def test_s4_1_until_the_wish_is_made_nobody_else_plays_or_bombs() -> None:
    state = at("9s/4s4b4g4r6b/6g7g/5r6r w0 0:Ma")
    assert [options(state, seat) for seat in (1, 2, 3)] == [set(), set(), set()]
    assert refusal(state, "3:6r") is Reason.NOT_IN_PHASE
    assert refusal(state, "1:4s4b4g4r") is Reason.NOT_IN_PHASE
    assert may(play(state, "0?-"), "3:6r")
    assert may(play(state, "0?-"), "1:4s4b4g4r")


def test_s4_2_the_dog_is_led_alone() -> None:
    assert led("Do") == ["Do"]
    assert refusal(at("Do3s/4b/4g/4r p0 1:2s"), "0:Do") is Reason.LEAD_ONLY
    assert led("Do2s") == []
    assert led("DoPh") == []
    assert led("DoMa2s3s4b") == []


def test_s4_2_the_lead_goes_to_the_partner_and_nothing_can_be_done_about_it() -> None:
    state = play(at("Do3s/4s4b4g4r/6g/Dr p0"), "0:Do")
    assert state.pending == (2,)
    assert state.top is None
    assert options(state, 1) == set()
    assert refusal(state, "1:4s4b4g4r") is Reason.NOTHING_TO_BOMB
    assert refusal(state, "2:-") is Reason.MUST_LEAD


@pytest.mark.parametrize(("rules", "leader"), [("standard", 1), ("standard direction=cw", 3)])
def test_s4_2_if_the_partner_is_out_the_next_after_the_partner_leads(rules: str, leader: int) -> None:
    assert play(at("Do3s/4b/-/4r p0 - ~ - ---- 2", rules), "0:Do").pending == (leader,)


@pytest.mark.parametrize(("rules", "out"), [("standard", 1), ("standard direction=cw", 3)])
def test_s4_2_that_can_be_the_player_of_the_dog(rules: str, out: int) -> None:
    hands = ["Do3s", "4b", "-", "4r"]
    hands[out] = "-"
    assert play(at(f"{'/'.join(hands)} p0 - ~ - ---- {out}2", rules), "0:Do").pending == (0,)


def test_s4_2_the_dog_counts_nothing_for_nobody() -> None:
    state = at("Do3s/4b/6g/4r p0 - 10/20/30/40")
    assert play(state, "0:Do").points == (10, 20, 30, 40)


def test_s4_3_the_phoenix_alone_is_half_a_rank_above_the_single_on_the_table() -> None:
    assert beats("Ph", "8s")
    assert beats("9s", "P8")
    assert not beats("8s", "P8")
    assert beats("Ph", "As")
    assert beats("Dr", "PA")
    assert not beats("Ar", "PA")
    state = play(at("Ph3s/9b/9g/8r p0 1:8s"), "0:Ph")
    assert str(state).split()[2] == "0:P8"
    assert not may(state, "3:8r")
    assert may(play(state, "3:-"), "2:9g")


def test_s4_3_led_it_is_one_and_a_half() -> None:
    state = play(at("Ph3s/Ma9b/9g/2r8r p0"), "0:Ph")
    assert str(state).split()[2] == "0:P1"
    assert may(state, "3:2r")
    assert not may(play(state, "3:- 2:-"), "1:Ma")


def test_s4_3_on_the_mah_jong_it_is_one_and_a_half() -> None:
    assert beats("Ph", "Ma")
    assert beats("2s", "P1")


def test_s4_3_it_never_beats_the_dragon() -> None:
    assert not beats("Ph", "Dr")


def test_s4_3_alone_it_beats_only_singles() -> None:
    assert not beats("Ph", "2s2b")
    assert not beats("Ph", "2s3b4g5r6s")


@pytest.mark.parametrize(
    ("cards", "ways"),
    [
        ("7sPh", ["7sP7"]),
        ("7s7bPh", ["7s7bP7"]),
        ("7s7b7g4sPh", ["4sP47s7b7g"]),
        ("7s7b8sPh", ["7s7b8sP8"]),
        ("3s4b6g7rPh", ["3s4bP56g7r"]),
        ("Ma3b4g5rPh", ["MaP23b4g5r"]),
        ("JsQbKgArPh", ["PTJsQbKgAr"]),
        ("Ma2s3b4gPh", ["Ma2s3b4gP5"]),
    ],
)
def test_s4_4_the_phoenix_stands_for_any_rank(cards: str, ways: list[str]) -> None:
    assert led(cards) == ways


@pytest.mark.parametrize(
    "cards", ["MaPh", "DoPh", "DrPh", "MaPh2s2b", "AsAbDrPh", "KsKbKgMaPh", "KsKbKgDrPh", "3s4b5g7rTsPh"]
)
def test_s4_4_but_not_for_a_special_card(cards: str) -> None:
    assert led(cards) == []


def test_s4_4_never_in_a_bomb() -> None:
    assert led("9s9b9gPh") == []
    assert not is_combination("9s9b9gP9")
    assert led("9s9b9g9rPh") == []
    assert led("3s4s5s6sPh") == ["P23s4s5s6s", "3s4s5s6sP7"]
    assert not beats("3s4s5s6sP7", "9s")
    assert beats("3s4s5s6sP7", "2b3b4g5g6g")
    assert beats("4b5b6b7g8g", "3s4s5s6sP7")


def test_s4_4_a_straight_flush_and_the_phoenix_are_a_longer_straight() -> None:
    assert led("3s4s5s6s7sPh") == ["P23s4s5s6s7s", "3s4s5s6s7sP8"]
    assert not beats("3s4s5s6s7sP8", "9s")


def test_s4_5_what_the_phoenix_stands_for_belongs_to_the_play() -> None:
    assert led("9s9bAsAbPh") == ["9s9bP9AsAb", "9s9bAsAbPA"]
    assert led("4s5b6g7rPh") == ["P34s5b6g7r", "4s5b6g7rP8"]
    assert beats("9s9bAsAbPA", "2s2bTsTbTg")
    assert not beats("9s9bP9AsAb", "2s2bTsTbTg")
    assert not beats("P34s5b6g7r", "3s4b5g6r7s")
    assert beats("4s5b6g7rP8", "3s4b5g6r7s")


def test_s4_5_the_player_says_which_and_the_state_keeps_it() -> None:
    state = at("4s5b6g7rPhAs/4b/4g/4r9r p0")
    assert str(play(state, "0:P34s5b6g7r")).split()[2] == "0:P34s5b6g7r"
    assert str(play(state, "0:4s5b6g7rP8")).split()[2] == "0:4s5b6g7rP8"
    assert play(state, "0:P34s5b6g7r") != play(state, "0:4s5b6g7rP8")


def test_s4_6_the_dragon_is_a_single_above_everything_but_a_bomb() -> None:
    assert led("Dr") == ["Dr"]
    assert led("DrPh") == []
    assert led("TsJbQgKrAsDr") == []
    assert beats("Dr", "As")
    assert beats("Dr", "PA")
    assert beats("2s2b2g2r", "Dr")
    assert not beats("As", "Dr")
    assert not beats("Dr", "2s2b")


def test_s4_6_a_trick_that_the_dragon_wins_is_given_to_an_opponent() -> None:
    state = play(at("Dr3s/2bTb/2gKg/2r4r p0 - 0/0/0/55"), "0:Dr 3:- 2:- 1:-")
    assert options(state) == {"0!1", "0!3"}
    assert refusal(state, "0!") is Reason.CHOOSE_RECIPIENT
    assert refusal(state, "0!2") is Reason.NOT_THE_RECIPIENT
    given = play(state, "0!1")
    assert given.points == (0, 25, 0, 55)
    assert given.pending == (0,)
    assert given.phase is Phase.PLAY


def test_s4_6_all_of_it_is_given() -> None:
    state = play(at("Dr3s/KbTb/2gKg/2rTr p3 - 0/0/0/35"), "3:Tr 2:Kg 1:- 0:Dr 3:- 2:- 1:- 0!3")
    assert state.points == (0, 0, 0, 80)


def test_s4_6_also_to_an_opponent_who_is_out() -> None:
    state = at("3s/-/2g/2r t0 0:Dr ~ - ---- 1")
    assert options(state) == {"0!1", "0!3"}


def test_s4_6_a_bombed_dragon_trick_belongs_to_the_bomber() -> None:
    state = play(at("Dr3s/4s4b4g4r9b/2g/2r p0 - 0/0/0/75"), "0:Dr 1:4s4b4g4r 0:- 3:- 2:-")
    assert options(state) == {"1!"}
    assert refusal(state, "1!0") is Reason.NOTHING_TO_GIVE
    assert play(state, "1!").points == (0, 25, 0, 75)
