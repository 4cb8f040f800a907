"""§6: the wish."""

import pytest

from tests.table import at, may, options, play, refusal
from tichu import Reason


def test_s6_1_the_wish_binds_from_the_moment_it_is_made() -> None:
    state = play(at("Ma9s/4b8b/4g8g/4r8r p0"), "0:Ma 0?8")
    assert options(state) == {"3:8r"}


def test_s6_1_until_a_natural_card_of_that_rank_is_played() -> None:
    state = play(at("3s9s/4b8b/4g9g/4r9r p3 0:Ma ~ 8"), "3:4r 2:9g")
    assert str(state).split()[4] == "8"
    state = play(at("3s9s/4b8bAb/4g/4r9r p1 2:4s ~ 8"), "1:8b")
    assert str(state).split()[4] == "-"
    assert options(state) == {"0:9s", "0:-"}


def test_s6_1_a_bomb_ends_it_too() -> None:
    state = play(at("3s9s/8s8b8g8rAb/4g/4r9r p3 0:9b ~ 8"), "1:8s8b8g8r")
    assert str(state).split()[4] == "-"
    state = play(at("3s9s/4s5s6s7s8sAb/4g/4r9r p3 0:9b ~ 8"), "1:4s5s6s7s8s")
    assert str(state).split()[4] == "-"


def test_s6_1_it_binds_the_wisher_and_the_lead_and_later_tricks() -> None:
    state = at("3s8s8bKs/4b/4g/4r p0 - ~ 8")
    assert options(state) == {"0:8s", "0:8b", "0:8s8b"}


def test_s6_1_being_asked_to_bomb_and_taking_a_trick_are_no_turns() -> None:
    ordered = "standard bombs=ordered"
    asked = at("2s/7s7b7g7r8b/4g/4r b10 0:Ks ~ 8", ordered)
    assert options(asked) == {"1:7s7b7g7r", "1-B"}
    assert options(at("2s8s/4b/4g/4r t0 0:7s ~ 8")) == {"0!"}


def test_s6_2_who_can_play_the_rank_must_play_it_in_any_combination() -> None:
    state = at("3s/4b/4g/7s8s8b9g9r p3 0:6s6b ~ 8")
    assert options(state) == {"3:8s8b"}
    state = at("3s/4b/4g/6s7s7b8s8b9gTr p3 0:5s ~ 8")
    assert options(state) == {"3:8s", "3:8b"}
    lead = at("6s7s7b8s8b9gTr/4b/4g/3s p0 - ~ 8")
    assert {"0:8s", "0:8b", "0:8s8b", "0:7s7b8s8b", "0:6s7s8s9gTr"} <= options(lead)
    assert all("8" in play for play in options(lead))


def test_s6_2_with_the_phoenix_as_a_filler_where_that_is_the_only_way() -> None:
    state = at("3s/4s/4g/6s8b9gTrPh p3 0:3b4b5g6r7s ~ 8")
    assert options(state) == {"3:6sP78b9gTr"}
    assert refusal(state, "3:-") is Reason.WISH_OWED
    pair = at("3s/4b/4g/8b9gPh p3 0:6s6r ~ 8")
    assert options(pair) == {"3:8bP8"}


def test_s6_2_as_a_bomb_where_that_is_the_only_way() -> None:
    assert options(at("3s/4b/4g/8s8b8g8rPh p3 0:Dr ~ 8")) == {"3:8s8b8g8r"}
    assert options(at("3s/4b/4g/4r5r6r7r8r9b p3 0:AsAb ~ 8")) == {"3:4r5r6r7r8r"}


def test_s6_2_neither_passing_nor_the_dog_is_a_way_out() -> None:
    assert refusal(at("3s/4b/4g/8r9r p3 0:7s ~ 8"), "3:-") is Reason.WISH_OWED
    assert refusal(at("Do8s/4b/4g/9r p0 - ~ 8"), "0:Do") is Reason.WISH_OWED
    assert may(at("Do9s/4b/4g/9r p0 - ~ 8"), "0:Do")


def test_s6_3_the_phoenix_is_never_the_wished_card() -> None:
    state = at("3s/4b/4g/6s7b9gTrPh p3 0:3b4r5g6r7s ~ 8")
    assert options(state) == {"3:6s7bP89gTr", "3:-"}
    assert str(play(state, "3:6s7bP89gTr")).split()[4] == "8"


def test_s6_3_unless_the_rules_say_that_it_counts_as_what_it_stands_for() -> None:
    state = at("3s/4b/4g/6s7b9gTrPhAr p3 0:3b4r5g6r7s ~ 8", "standard phoenix_grants_wish=yes")
    assert options(state) == {"3:6s7bP89gTr"}
    assert str(play(state, "3:6s7bP89gTr")).split()[4] == "-"


def test_s6_3_a_lone_phoenix_never_does() -> None:
    state = at("3s/4b/4g/PhAr p3 0:8s ~ 8", "standard phoenix_grants_wish=yes")
    assert options(state) == {"3:Ph", "3:Ar", "3:-"}
    assert str(play(state, "3:Ph")).split()[4] == "8"


def test_s6_4_a_player_who_cannot_may_do_as_usual() -> None:
    assert options(at("3s/4b/4g/8r9rKr p3 0:Qs ~ 8")) == {"3:Kr", "3:-"}
    assert options(at("3s/4b/4g/8r9r9bKr p3 0:7s7b ~ 8")) == {"3:9b9r", "3:-"}


def test_s6_4_a_rank_that_is_gone_binds_nobody() -> None:
    state = play(at("Ma3s/4b/4g/9rKr p0"), "0:Ma 0?8")
    assert options(state) == {"3:9r", "3:Kr", "3:-"}


BOMBER = "3s/4b/4g/5s5b5g5r8r9r p3 0:7s ~ 8"


def test_s6_5_with_bombs_at_any_time_one_without_the_rank_may_be_thrown_instead() -> None:
    state = at(BOMBER)
    assert options(state) == {"3:8r", "3:5s5b5g5r"}
    assert str(play(state, "3:5s5b5g5r")).split()[4] == "8"
    out_of_turn = at(BOMBER.replace("p3 0:7s", "p1 2:7s"))
    assert options(out_of_turn, 3) == {"3:5s5b5g5r"}


def test_s6_5_but_never_as_a_lead() -> None:
    state = at("5s5b5g5r8s9s/4b/4g/3s p0 - ~ 8")
    assert options(state) == {"0:8s"}


@pytest.mark.parametrize("bombs", ["ordered", "in-turn"])
def test_s6_5_otherwise_the_wish_binds_on_the_regular_turn(bombs: str) -> None:
    assert options(at(BOMBER, f"standard bombs={bombs}")) == {"3:8r"}


def test_s6_5_with_ordered_bombs_it_is_done_when_asked() -> None:
    state = play(at("3s7s/4b/4g/5s5b5g5r8r9r p0 - ~ 8", "standard bombs=ordered"), "0:7s")
    assert options(state) == {"3:5s5b5g5r", "3-B"}
    bombed = play(state, "3:5s5b5g5r")
    assert str(bombed).split()[4] == "8"


def test_s6_6_the_play_that_carries_the_mah_jong_does_not_fulfil_its_own_wish() -> None:
    state = play(at("Ma2s3s4s5b9s/4b/4g/4r5r6r7r8b9b p0"), "0:Ma2s3s4s5b 0?4")
    assert str(state).split()[4] == "4"
    assert options(state) == {"3:4r5r6r7r8b"}
