"""Legal actions as a collection, and cards read as the play they can be."""

from random import Random

import pytest

from tests.table import at, options, play, start
from tichu import IllegalAction, Legal, Reason, format_combo, parse_cards
from tichu.core.actions import CALL_TICHU, DECLINE_BOMB, PASS


def reading(position: str, seat: int, cards: str, rules: str = "standard") -> str:
    return format_combo(at(position, rules).legal(seat).reading(parse_cards(cards)))


def why_not(position: str, seat: int, cards: str, rules: str = "standard") -> Reason:
    with pytest.raises(IllegalAction) as refused:
        at(position, rules).legal(seat).reading(parse_cards(cards))
    assert refused.value.seat == seat
    assert refused.value.action == parse_cards(cards)
    return refused.value.reason


def test_cards_that_can_be_played_in_one_way() -> None:
    assert reading("7s7bPh/Kb/Ab/4s p0", 0, "7s7b") == "7s7b"
    assert reading("7s7bPh/Kb/Ab/4s p0", 0, "7sPh") == "7sP7"
    assert reading("7s7bPh/Kb/Ab/4s p0", 0, "Ph") == "Ph"
    assert reading("9s/2s2b2g2r3s/Kb/4s p2 0:As", 1, "2s2b2g2r") == "2s2b2g2r"


def test_the_table_may_leave_one_reading() -> None:
    # Led, 4 5 6 7 and the Phoenix may end at 7 or at 8; on a straight to 7 only at 8.
    assert reading("4s5b6g7rPh/Kb/Ab/2s p0 1:3s4b5g6r7s", 0, "4s5b6g7rPh") == "4s5b6g7rP8"
    assert reading("5s5b9g9rPh/Kb/Ab/2s p0 1:2b2g8s8b8g", 0, "5s5b9g9rPh") == "5s5b9g9rP9"


def test_the_wish_may_leave_one_reading() -> None:
    assert reading("4s5b6g7rPh/Kb/Ab/2s p0 - ~ 8", 0, "4s5b6g7rPh", "single-round") == "4s5b6g7rP8"
    assert why_not("4s5b6g7rPh/Kb/Ab/2s p0 - ~ 8", 0, "4s5b6g7rPh") is Reason.PHOENIX_AMBIGUOUS


def test_the_stairs_rule_may_leave_one_reading() -> None:
    assert reading("6s6b6g7s7bPh/Kb/Ab/2s p0", 0, "6s6b6g7s7bPh", "courtesy") == "6s6b6g7s7bP7"
    assert why_not("6s6b6g7s7bPh/Kb/Ab/2s p0", 0, "6s6b6g7s7bPh") is Reason.NO_COMBINATION


def test_cards_that_cannot_be_played() -> None:
    hand = "4s5b6g7rPh/Kb/Ab/2s"
    assert why_not(f"{hand} p0", 0, "4s5b") is Reason.NO_COMBINATION
    assert why_not(f"{hand} p0", 0, "-") is Reason.NO_COMBINATION
    assert why_not(f"{hand} p0", 0, "As") is Reason.NOT_IN_HAND
    assert why_not(f"{hand} p1 0:8s", 0, "Ph") is Reason.NOT_YOUR_TURN
    assert why_not(f"{hand} p0 1:Js", 0, "7r") is Reason.DOES_NOT_BEAT
    assert why_not(f"{hand} p0 1:4b5g6r7s8s", 0, "4s5b6g7rPh") is Reason.DOES_NOT_BEAT
    assert why_not(f"{hand} p0 1:Js", 0, "4s5b6g7rPh") is Reason.DOES_NOT_BEAT


def test_legal_is_a_collection() -> None:
    legal = at("9s/2s2b2g2r3s/Kb/4s p2 0:As").legal(2)
    assert isinstance(legal, Legal)
    assert list(legal) == [PASS]
    assert len(legal) == 1
    assert PASS in legal
    nonsense: list[object] = [None, "2:-", 2, legal]
    assert not any(thing in legal for thing in nonsense)
    assert bool(legal)
    assert not at("9s/2s2b2g2r3s/Kb/4s p2 0:As").legal(3)


def test_a_call_is_listed_and_never_drawn() -> None:
    state = play(start(), "0-G 1-G 2-G 3-G")
    rng = Random(1)
    assert CALL_TICHU in state.legal(0)
    assert list(state.legal(0))[-1] == CALL_TICHU
    assert len(state.legal(0)) == 2185
    assert len(state.after(0, CALL_TICHU).legal(0)) == 2184
    drawn = {state.legal(0).draw(rng) for _ in range(300)}
    assert CALL_TICHU not in drawn
    assert all(action in state.legal(0) for action in drawn)


def test_every_decision_can_be_drawn() -> None:
    rng = Random(1)
    for position, rules in [
        ("7s8bPh/Kb/Ab/4s p0 1:6s", "standard"),
        ("7s8bPh/Kb/Ab/4s w0 0:Ma", "standard"),
        ("7s8bPh/Kb/Ab/4s t0 0:Dr", "standard"),
        ("9s/2s2b2g2r3s/Kb/4s b10 0:As", "courtesy"),
    ]:
        state = at(position, rules)
        (seat,) = state.pending
        assert {state.legal(seat).draw(rng) for _ in range(200)} == set(state.legal(seat))


def test_what_others_may_do_while_somebody_is_asked() -> None:
    state = at("9s/2s2b2g2r3s/Kb/4s b10 0:As", "courtesy")
    assert options(state, 1) == {"1:2s2b2g2r", "1-B"}
    # Seat 3 is next and cannot see the question.
    assert options(state, 3) == {"3:-"}
    assert options(state, 2) == set()
    with pytest.raises(IllegalAction, match="another seat may bomb first"):
        state.after(3, PASS)
    assert state.after(1, DECLINE_BOMB).legal(3).view == state.legal(3).view


def test_on_a_long_straight_flush_only_as_long_or_longer_ones() -> None:
    state = at("4s5s6s7s8s9sTs2b2g2r2s/Kb/Ab/3s p0 1:3g4g5g6g7g8g")
    assert options(state, 0) == {
        "0:4s5s6s7s8s9s",
        "0:5s6s7s8s9sTs",
        "0:4s5s6s7s8s9sTs",
        "0:-",
    }
