"""What is asked of a round besides its actions."""

import pytest

from tests.table import at, play, start
from tichu import Call, GameError, Phase, Round, Rules
from tichu.core.perft import divide, perft

BOMBER = "9s/2s2b2g2r3s/Kb/4s"


def test_a_round_that_is_not_over_has_no_outcome() -> None:
    with pytest.raises(GameError, match="the round is not over"):
        _ = at(f"{BOMBER} p2").outcome


def test_rounds_are_values() -> None:
    one, two = at(f"{BOMBER} p2 0:As"), at(f"{BOMBER} p2 0:As")
    assert one == two
    assert len({one, two}) == 1
    assert one != at(f"{BOMBER} p2 0:As", "classic")
    after = play(one, "2:-")
    assert one == two
    assert after != one


def test_a_position_is_read_by_the_round_itself() -> None:
    text = f"{BOMBER} p2 0:As 90/0/0/0 - ---- - -/-/-/-"
    assert str(Round.from_position(text)) == text
    assert Round.from_position(text, Rules.parse("classic")).rules.wish == "must"


def test_cards_played_and_points_on_the_table() -> None:
    state = start("standard exchange=no")
    assert (state.played, state.points_on_table) == (0, 0)
    state = play(state, "0-G 1-G 2-G 3-G 0:Ts 3:Kr")
    assert state.played.bit_count() == 2
    assert state.points_on_table == 20


def test_who_gave_what_is_known_after_the_exchange() -> None:
    state = play(start(), "0-G 1-G 2-G 3-G 0>2s3s4s 1>2b3b4b 2>2g3g4g")
    assert start().view(0).received() == ()
    assert state.view(3).received() == ()
    state = play(state, "3>2r3r4r")
    # From LEFT of seat 0 its third card, from the partner the second, from RIGHT the first.
    assert state.view(0).received() == ((1, 4 * 3 + 1), (2, 4 * 2 + 2), (3, 4 * 1 + 3))
    assert at(f"{BOMBER} p2").view(0).received() == ()


def test_what_the_calls_stake() -> None:
    assert [call.stake for call in (Call.NONE, Call.TICHU, Call.GRAND)] == [0, 100, 200]


def test_nobody_acts_after_the_end() -> None:
    state = at("-/Kb/-/- e - 0/0/90/0 - ---- 032")
    assert state.pending == ()
    assert state.is_over
    assert state.automatic() is None
    assert at("-/Kb/-/- e - 0/0/90/0 - ---- 032", "simple").automatic() is None
    assert perft(state, 0) == 1
    assert perft(state, 1) == 0
    assert divide(state, 1) == []


def test_counting_sequences() -> None:
    state = at("9s/Kb/-/4s p1 0:8s ~ - ---- 2")
    assert perft(state, 1) == 2
    assert [count for _, count in divide(state, 3)] == [1, 1]
    assert perft(state, 3) == 2


def test_the_phase_after_the_deal_depends_on_the_rules() -> None:
    assert start().phase is Phase.GRAND
    assert start("standard grand=no").phase is Phase.EXCHANGE
    assert start("simple").phase is Phase.PLAY
    assert play(start("standard exchange=no"), "0-G 1-G 2-G 3-G").phase is Phase.PLAY
