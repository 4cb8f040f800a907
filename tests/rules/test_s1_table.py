"""§1: table, deck, points."""

import pytest

from tests.table import ALL_DECLINE, at, play, start
from tichu import format_cards, parse_cards, points_of
from tichu.core.cards import ALL_CARDS

DECK = (
    "MaDo2s2b2g2r3s3b3g3r4s4b4g4r5s5b5g5r6s6b6g6r7s7b7g7r8s8b8g8r9s9b9g9rTsTbTgTrJsJbJgJrQsQbQgQrKsKbKgKrAsAbAgArPhDr"
)


@pytest.mark.parametrize(("seat", "partner"), [(0, 2), (1, 3), (2, 0), (3, 1)])
def test_s1_1_partners_sit_opposite(seat: int, partner: int) -> None:
    hands = ["2s3s", "2b3b", "2g3g", "2r3r"]
    hands[seat] = "Do9s"
    state = play(at("/".join(hands) + f" p{seat}"), f"{seat}:Do")
    assert state.pending == (partner,)


@pytest.mark.parametrize(("last", "first", "score"), [(2, 0, (200, 0)), (3, 1, (0, 200))])
def test_s1_1_the_teams_are_0_with_2_and_1_with_3(last: int, first: int, score: tuple[int, int]) -> None:
    hands = ["5s6s", "5b6b", "5g6g", "5r6r"]
    hands[first], hands[last] = "-", "As"
    state = play(at("/".join(hands) + f" p{last} - ~ - ---- {first}"), f"{last}:As")
    assert state.outcome.score == score


def test_s1_1_left_is_the_next_seat_number_partner_two_on_and_right_three() -> None:
    state = play(start(), ALL_DECLINE + " 0>2s3s4s 1>2b3b4b 2>2g3g4g 3>2r3r4r")
    for seat, received in enumerate(("2r3g4b", "2s3r4g", "2b3s4r", "2g3b4s")):
        assert state.hands[seat] & parse_cards(received) == parse_cards(received)


@pytest.mark.parametrize(("rules", "order"), [("standard", "0321"), ("standard direction=cw", "0123")])
def test_s1_2_play_runs_counterclockwise_or_clockwise(rules: str, order: str) -> None:
    state = at("2s3s/2b3b/2g3g/2r3r p0", rules)
    state = play(state, "0:2s")
    for seat in order[1:]:
        assert state.pending == (int(seat),)
        state = play(state, f"{seat}:-")
    assert str(state).split()[1] == "t0"


def test_s1_3_the_deck_has_56_cards() -> None:
    assert format_cards(ALL_CARDS) == DECK
    assert len(DECK) == 2 * 56


@pytest.mark.parametrize(
    ("cards", "points"),
    [("5s", 5), ("Tb", 10), ("Kg", 10), ("Dr", 25), ("Ph", -25), ("Ma", 0), ("Do", 0), ("As", 0), ("2s9sJsQs", 0)],
)
def test_s1_4_fives_tens_kings_dragon_and_phoenix_count(cards: str, points: int) -> None:
    assert points_of(parse_cards(cards)) == points


def test_s1_4_the_deck_holds_100() -> None:
    assert points_of(ALL_CARDS) == 100
    assert sum(points_of(1 << card) for card in range(56)) == 100
