"""Every reason for which an action is refused, each at a table where it is the one."""

import pytest

from tests.table import at, start
from tichu import Action, Combo, Exchange, IllegalAction, Kind, Reason, Take, Wish, parse_action, parse_cards

_DEALT = (
    "Ma2s3s4s5s6s7s8s9sTsJsQsKsAs/Do2b3b4b5b6b7b8b9bTbJbQbKbAb"
    "/2g3g4g5g6g7g8g9gTgJgQgKgAgPh/2r3r4r5r6r7r8r9rTrJrQrKrArDr"
)
_BOMBER = "9s/2s2b2g2r3s/KbDo/4s"

#: Reason, rules, position, action.
CASES: list[tuple[Reason, str, str, str]] = [
    (Reason.NOT_IN_PHASE, "standard", f"{_BOMBER} p2 0:As", "2!"),
    (Reason.NOT_IN_PHASE, "standard", f"{_BOMBER} p2 0:As", "2?8"),
    (Reason.NOT_IN_PHASE, "standard", f"{_BOMBER} p2 0:As", "2-G"),
    (Reason.NOT_IN_PHASE, "standard", f"{_BOMBER} p2 0:As", "2>KbDo9s"),
    (Reason.NOT_IN_PHASE, "standard", f"{_BOMBER} p2 0:As", "1-B"),
    (Reason.NOT_IN_PHASE, "courtesy", f"{_BOMBER} b10 0:As", "3-B"),
    (Reason.NOT_IN_PHASE, "standard", f"{_DEALT} x0123 -", "0:-"),
    (Reason.NOT_IN_PHASE, "standard", f"{_DEALT} x0123 -", "0:2s3s4s5s6s"),
    (Reason.NOT_IN_PHASE, "standard", f"{_BOMBER} w0 0:Ma", "1:2s2b2g2r"),
    (Reason.NOT_IN_PHASE, "standard", "-/Kb/-/- e - 0/0/90/0 - ---- 032", "1+T"),
    (Reason.NOT_YOUR_TURN, "standard", f"{_BOMBER} p2 0:As", "1:-"),
    (Reason.NOT_YOUR_TURN, "standard", f"{_BOMBER} p2 0:As", "0:9s"),
    (Reason.NOT_YOUR_TURN, "standard", f"{_BOMBER} t0 0:As", "1!"),
    (Reason.NOT_YOUR_TURN, "single-round", f"{_BOMBER} p2 0:As", "1:2s2b2g2r"),
    (Reason.NOT_YOUR_TURN, "courtesy", f"{_BOMBER} p2 0:As", "1:2s2b2g2r"),
    (Reason.BOMB_ASKED, "courtesy", f"{_BOMBER} b10 0:As", "3:-"),
    (Reason.ROUND_OVER, "standard", "-/Kb/-/- e - 0/0/90/0 - ---- 032", "1:-"),
    (Reason.ROUND_OVER, "standard", "-/Kb/-/- e - 0/0/90/0 - ---- 032", "1:Kb"),
    (Reason.NOT_IN_HAND, "standard", f"{_BOMBER} p2 0:Qs", "2:Ks"),
    (Reason.NOT_IN_HAND, "standard", f"{_DEALT} x0123 -", "0>Ma2s2b"),
    (Reason.NO_COMBINATION, "standard", "6s6b6g7s7b7g/Kb/Ab/4s p0", "0:6s6b6g7s7b7g"),
    (Reason.DOES_NOT_BEAT, "standard", f"{_BOMBER} p2 0:As", "2:Kb"),
    (Reason.DOES_NOT_BEAT, "standard", f"{_BOMBER} p2 0:8s8b8g8r", "1:2s2b2g2r"),
    (Reason.LEAD_ONLY, "standard", f"{_BOMBER} p2 0:As", "2:Do"),
    (Reason.LEAD_ONLY, "standard", "9s/Kb/Ma2s/4s p2 0:As", "2:Ma"),
    (Reason.MUST_LEAD, "standard", f"{_BOMBER} p2", "2:-"),
    (Reason.NO_BOMB, "courtesy", f"{_BOMBER} b10 0:As", "1:3s"),
    (Reason.NOTHING_TO_BOMB, "standard", f"{_BOMBER} p2", "1:2s2b2g2r"),
    (Reason.WISH_OWED, "standard", f"{_BOMBER} p2 0:9b ~ K", "2:-"),
    (Reason.WISH_OWED, "standard", f"{_BOMBER} p2 - ~ K", "2:Do"),
    (Reason.MUST_WISH, "classic", f"{_BOMBER} w0 0:Ma", "0?-"),
    (Reason.ALREADY_CALLED, "standard", f"{_DEALT} p0 - ~ - T---", "0+T"),
    (Reason.ALREADY_CALLED, "standard", f"{_DEALT} p0 - ~ - G---", "0+T"),
    (Reason.TOO_LATE_TO_CALL, "standard", f"{_BOMBER} p2", "2+T"),
    (Reason.TOO_EARLY_TO_CALL, "single-round", f"{_DEALT} x0123 -", "0+T"),
    (Reason.TABLE_DECIDES, "simple", f"{_DEALT} p0", "0+T"),
    (Reason.TABLE_DECIDES, "standard dragon=auto", f"{_BOMBER} t0 0:Dr", "0!3"),
    (Reason.CHOOSE_RECIPIENT, "standard", f"{_BOMBER} t0 0:Dr", "0!"),
    (Reason.NOT_THE_RECIPIENT, "standard", f"{_BOMBER} t0 0:Dr", "0!2"),
    (Reason.NOT_THE_RECIPIENT, "standard", f"{_BOMBER} t0 0:Dr", "0!0"),
    (Reason.NOT_THE_RECIPIENT, "standard dragon=auto", f"{_BOMBER} t0 0:Dr", "0!2"),
    (Reason.NOTHING_TO_GIVE, "standard", f"{_BOMBER} t0 0:As", "0!3"),
]  # fmt: skip

#: What cannot be written: reason, rules, position, seat, action.
UNWRITTEN: list[tuple[Reason, str, str, int, Action]] = [
    (Reason.NO_SUCH_RANK, "standard", f"{_BOMBER} w0 0:Ma", 0, Wish(1)),
    (Reason.NO_SUCH_RANK, "standard", f"{_BOMBER} w0 0:Ma", 0, Wish(-3)),
    (Reason.NO_SUCH_RANK, "standard", f"{_BOMBER} w0 0:Ma", 0, Wish(15)),
    (Reason.THREE_CARDS, "standard", f"{_DEALT} x0123 -", 0, Exchange(4, 4, 8)),
    (Reason.NOT_IN_HAND, "standard", f"{_DEALT} x0123 -", 0, Exchange(4, 8, 56)),
    (Reason.NOT_IN_HAND, "standard", f"{_DEALT} x0123 -", 0, Exchange(4, 8, -1)),
    (Reason.NOT_THE_RECIPIENT, "standard", f"{_BOMBER} t0 0:Dr", 0, Take(4)),
    (Reason.NO_COMBINATION, "standard", f"{_BOMBER} p1", 1, Combo(Kind.PAIR, 2, 3, parse_cards("2s3s"))),
    (Reason.NO_COMBINATION, "standard", f"{_BOMBER} p1", 1, Combo(Kind.SINGLE, 1, 14, parse_cards("3s"))),
    (Reason.NO_COMBINATION, "standard", f"{_BOMBER} p1", 1, Combo(Kind.SINGLE, 0, 0, 0)),
    (Reason.NOT_IN_HAND, "standard", f"{_BOMBER} p1", 1, Combo(Kind.SINGLE, 1, 2, -1)),
]


@pytest.mark.parametrize(("reason", "rules", "position", "text"), CASES)
def test_the_reason(reason: Reason, rules: str, position: str, text: str) -> None:
    state = at(position, rules)
    with pytest.raises(IllegalAction) as refused:
        state.after(*parse_action(text))
    assert refused.value.reason is reason
    assert str(refused.value) == f"seat {text[0]}, {refused.value.action}: {reason.value}"


@pytest.mark.parametrize(("reason", "rules", "position", "seat", "action"), UNWRITTEN)
def test_the_reason_for_what_cannot_be_written(
    reason: Reason, rules: str, position: str, seat: int, action: Action
) -> None:
    with pytest.raises(IllegalAction) as refused:
        at(position, rules).after(seat, action)
    assert refused.value.reason is reason
    assert (refused.value.seat, refused.value.action) == (seat, action)


def test_not_your_turn_in_the_grand_calls() -> None:
    state = start().after(*parse_action("2+G"))
    assert state.legal(2).refusal(parse_action("2-G")[1]) is Reason.NOT_YOUR_TURN
    assert state.legal(2).refusal(parse_action("2+G")[1]) is Reason.ALREADY_CALLED
    assert state.legal(2).refusal(parse_action("2+T")[1]) is Reason.NOT_IN_PHASE


def test_the_table_declines_the_grand_calls() -> None:
    state = start("standard calls=auto")
    assert state.legal(0).refusal(parse_action("0+G")[1]) is Reason.TABLE_DECIDES
    assert list(state.legal(0)) == [parse_action("0-G")[1]]


def test_phoenix_ambiguous() -> None:
    state = at("5s5b9g9rPh/Kb/Ab/4s p0")
    with pytest.raises(IllegalAction) as refused:
        state.legal(0).reading(parse_cards("5s5b9g9rPh"))
    assert refused.value.reason is Reason.PHOENIX_AMBIGUOUS


def test_every_reason_has_a_case() -> None:
    reasons = {case[0] for case in CASES} | {case[0] for case in UNWRITTEN} | {Reason.PHOENIX_AMBIGUOUS}
    assert reasons == set(Reason)


@pytest.mark.parametrize(
    "action",
    [
        Wish(16),
        Wish(-3),
        Exchange(4, 8, 99),
        Exchange(-9, 8, 4),
        Take(-1),
        Combo(Kind.SINGLE, 1, 2, 0),
        Combo(Kind.SINGLE, 1, 2, 1 << 60),
        Combo(Kind.PAIR, 2, 2, 0b11 << 60),
        Combo(Kind.PAIR, 2, 2, 0b110000, 77),
        Combo(Kind.PAIR, 2, 2, -1),
    ],
)
def test_a_refused_action_can_be_told_however_senseless_it_is(action: Action) -> None:
    error = IllegalAction(Reason.NOT_IN_PHASE, 0, action)
    assert str(error).startswith("seat 0, ")
    assert str(error).endswith(": this is not the time for that")
