"""§12: what each value of each field means, told by a position in which the other values play differently."""

from random import Random

import pytest

from tests.table import ALL_DECLINE, SUITED_DEAL, at, beats, finished_round, led, may, options, play, refusal, start
from tichu import DeclineGrand, Game, Match, Outcome, Phase, Reason, Rules, Take, format_action, parse_deal
from tichu.core.rules import FIELDS

VALUES = {
    "direction": ("ccw", "cw"),
    "goal": ("target:N", "rounds:1"),
    "grand": ("yes", "no"),
    "exchange": ("yes", "no"),
    "calls": ("choice", "auto"),
    "tichu_from": ("deal", "play"),
    "wish": ("may", "must", "off"),
    "phoenix_grants_wish": ("no", "yes"),
    "bombs": ("anytime", "ordered", "in-turn"),
    "equal_flush": ("holds", "suit"),
    "stairs": ("pairs", "stacked"),
    "dragon": ("choice", "auto"),
}


def test_s12_every_value_of_every_field_has_a_test_here() -> None:
    assert FIELDS == VALUES
    tests = [name for name in globals() if name.startswith("test_s12_")]
    for field, values in VALUES.items():
        for value in values:
            start_of_name = f"test_s12_{field}_{value.replace('-', '_').replace(':', '_').lower()}"
            assert any(name == start_of_name or name.startswith(start_of_name + "_") for name in tests), start_of_name


# direction


def order_of_play(rules: str) -> list[int]:
    state = play(at("2s3s/2b3b/2g3g/2r3r p0", rules), "0:2s")
    order = []
    while state.phase is Phase.PLAY:
        order.append(state.pending[0])
        state = play(state, f"{state.pending[0]}:-")
    return order


def test_s12_direction_ccw_the_next_seat_is_one_less() -> None:
    rules = "standard direction=ccw"
    assert order_of_play(rules) == [3, 2, 1]
    assert play(at("Do2s/2b/-/2r p0 - ~ - ---- 2", rules), "0:Do").pending == (1,)
    assert play(at("-/2b/2g/2r t0 0:As ~ - ---- 0", rules), "0!").pending == (3,)
    assert options(at("3s/4b/4g/4r t0 0:Dr", rules + " dragon=auto")) == {"0!3"}


def test_s12_direction_cw_the_next_seat_is_one_more() -> None:
    rules = "standard direction=cw"
    assert order_of_play(rules) == [1, 2, 3]
    assert play(at("Do2s/2b/-/2r p0 - ~ - ---- 2", rules), "0:Do").pending == (3,)
    assert play(at("-/2b/2g/2r t0 0:As ~ - ---- 0", rules), "0!").pending == (1,)
    assert options(at("3s/4b/4g/4r t0 0:Dr", rules + " dragon=auto")) == {"0!1"}


def test_s12_direction_cw_does_not_move_left_and_right() -> None:
    exchange = f"{ALL_DECLINE} 0>2s3s4s 1>2b3b4b 2>2g3g4g 3>2r3r4r"
    assert play(start("standard direction=cw"), exchange).hands == play(start("standard direction=ccw"), exchange).hands


# goal


def winner_after(rules: str, *scores: tuple[int, int]) -> int | None:
    match = Match(Rules.parse(rules))
    for score in scores:
        match = match.after(Outcome(score, (0, 0), (1, 0, 2)))
    return match.winner


def test_s12_goal_target_n_is_played_until_a_team_has_that_many() -> None:
    assert winner_after("standard goal=target:250", (60, 40), (200, 0)) == 0
    assert winner_after("standard goal=target:250", (60, 40)) is None
    assert winner_after("standard goal=target:250", (0, 249)) is None
    assert winner_after("standard goal=target:250", (0, 250)) == 1
    assert winner_after("standard goal=target:250", (300, 300), (50, 50)) is None


def test_s12_goal_rounds_1_is_one_round_and_another_after_a_tie() -> None:
    assert winner_after("standard goal=rounds:1", (60, 40)) == 0
    assert winner_after("standard goal=rounds:1", (50, 50)) is None
    assert winner_after("standard goal=rounds:1", (50, 50), (40, 60)) == 1
    assert winner_after("standard goal=rounds:1", (50, 50), (50, 50)) == 1


# grand


def test_s12_grand_yes_is_called_on_eight_cards() -> None:
    state = start("standard grand=yes")
    assert state.phase is Phase.GRAND
    assert options(state, 0) == {"0+G", "0-G"}


def test_s12_grand_no_leaves_the_step_out() -> None:
    state = start("standard grand=no")
    assert state.phase is Phase.EXCHANGE
    assert [hand.bit_count() for hand in state.hands] == [14] * 4
    assert refusal(state, "0+G") is Reason.NOT_IN_PHASE


# exchange


def test_s12_exchange_yes_gives_three_cards_before_the_first_lead() -> None:
    state = play(start("standard exchange=yes"), ALL_DECLINE)
    assert state.phase is Phase.EXCHANGE
    assert may(state, "0>2s3s4s")


def test_s12_exchange_no_leaves_the_step_out() -> None:
    state = play(start("standard exchange=no"), ALL_DECLINE)
    assert state.phase is Phase.PLAY
    assert state.pending == (0,)
    assert refusal(state, "0>2s3s4s") is Reason.NOT_IN_PHASE


# calls

STRONG_LEADER = "Ma2s2b3s3b4s4b5s5b6s6bAsAbDr/Do7s7b8s8b9s9bTsTbJsJbQsQbKb/2g2r3g3r4g4r5g5r6g6rKsAgArPh/"
STRONG_LEADER += "7g7r8g8r9g9rTgTrJgJrQgQrKgKr p0"


def test_s12_calls_choice_the_players_call() -> None:
    state = at(STRONG_LEADER, "standard calls=choice")
    assert state.automatic() is None
    assert all(may(state, f"{seat}+T") for seat in range(4))
    assert may(start("standard calls=choice"), "1+G")
    assert start("standard calls=choice").automatic() is None


def test_s12_calls_auto_the_table_calls() -> None:
    state = at(STRONG_LEADER, "standard calls=auto")
    decision = state.automatic()
    assert decision is not None
    assert format_action(*decision) == "0+T"
    assert not any(may(state, f"{seat}+T") for seat in range(4))
    assert options(start("standard calls=auto"), 1) == {"1-G"}
    assert not may(start("standard calls=auto"), "1+G")
    assert start("standard calls=auto").automatic() == (0, DeclineGrand())


# tichu_from


def test_s12_tichu_from_deal_allows_the_call_during_the_exchange() -> None:
    state = play(start("standard tichu_from=deal"), ALL_DECLINE)
    assert may(state, "0+T")
    assert "0+T" in options(state, 0)


def test_s12_tichu_from_play_allows_it_from_the_first_lead() -> None:
    state = play(start("standard tichu_from=play"), ALL_DECLINE)
    assert refusal(state, "0+T") is Reason.TOO_EARLY_TO_CALL
    assert "0+T" not in options(state, 0)
    state = play(state, "0>2s3s4s 1>2b3b4b 2>2g3g4g 3>2r3r4r")
    assert all(may(state, f"{seat}+T") for seat in range(4))


# wish

MAH_JONG_LED = "Ma9s/4b8b/4g8g/4r8r p0"


def test_s12_wish_may_be_made_or_declined() -> None:
    state = play(at(MAH_JONG_LED, "standard wish=may"), "0:Ma")
    assert options(state) == {f"0?{rank}" for rank in "23456789TJQKA-"}
    assert options(play(state, "0?8")) == {"3:8r"}
    assert options(play(state, "0?-")) == {"3:4r", "3:8r", "3:-"}


def test_s12_wish_must_be_made() -> None:
    state = play(at(MAH_JONG_LED, "standard wish=must"), "0:Ma")
    assert options(state) == {f"0?{rank}" for rank in "23456789TJQKA"}
    assert options(play(state, "0?8")) == {"3:8r"}


def test_s12_wish_off_there_is_none() -> None:
    state = play(at(MAH_JONG_LED, "standard wish=off"), "0:Ma")
    assert state.phase is Phase.PLAY
    assert options(state) == {"3:4r", "3:8r", "3:-"}


# phoenix_grants_wish

EIGHT_BY_PHOENIX = "3s/4b/4g/6s7b9gTrPh p3 0:3b4r5g6r7s ~ 8"


def test_s12_phoenix_grants_wish_no_it_is_never_the_wished_card() -> None:
    state = at(EIGHT_BY_PHOENIX, "standard phoenix_grants_wish=no")
    assert options(state) == {"3:6s7bP89gTr", "3:-"}
    assert play(state, "3:6s7bP89gTr").wish == 8


def test_s12_phoenix_grants_wish_yes_it_counts_as_what_it_stands_for() -> None:
    state = at(EIGHT_BY_PHOENIX, "standard phoenix_grants_wish=yes")
    assert options(state) == {"3:6s7bP89gTr"}
    assert play(state, "3:6s7bP89gTr").wish == 0


# bombs

ARMED = "9sAs/2s2b2g2r3s/Kb4g/4s4r"


def test_s12_bombs_anytime_also_out_of_turn_and_before_the_take() -> None:
    rules = "standard bombs=anytime"
    assert options(at(f"{ARMED} p3 0:9b", rules), 1) == {"1:2s2b2g2r"}
    assert options(at(f"{ARMED} t0 0:9b", rules), 1) == {"1:2s2b2g2r"}
    assert play(at(f"{ARMED} p0", rules), "0:9s").phase is Phase.PLAY
    # §6.5: on the own turn a bomb excuses from the wish.
    assert options(at("3s/4b/4g/5s5b5g5r8r p3 0:7s ~ 8", rules)) == {"3:8r", "3:5s5b5g5r"}
    assert at(f"{ARMED} t0 0:9b", rules).automatic() is None


def test_s12_bombs_ordered_when_asked_or_on_the_own_turn() -> None:
    rules = "standard bombs=ordered"
    asked = play(at(f"{ARMED} p0", rules), "0:9s")
    assert options(asked) == {"1:2s2b2g2r", "1-B"}
    assert options(at(f"{ARMED} p3 0:9b", rules), 1) == set()
    assert options(at(f"{ARMED} t0 0:9b", rules), 1) == set()
    assert may(at(f"{ARMED} p1 0:9b", rules), "1:2s2b2g2r")
    assert options(at("3s/4b/4g/5s5b5g5r8r p3 0:7s ~ 8", rules)) == {"3:8r"}
    assert at(f"{ARMED} t0 0:9b", rules).automatic() is None


def test_s12_bombs_in_turn_only() -> None:
    rules = "standard bombs=in-turn"
    state = play(at(f"{ARMED} p0", rules), "0:9s")
    assert state.phase is Phase.PLAY
    assert options(state, 1) == set()
    assert may(at(f"{ARMED} p1 0:9b", rules), "1:2s2b2g2r")
    assert options(at("3s/4b/4g/5s5b5g5r8r p3 0:7s ~ 8", rules)) == {"3:8r"}
    assert at(f"{ARMED} t0 0:9b", rules).automatic() == (0, Take())


# equal_flush


@pytest.mark.parametrize("flush", ["3s4s5s6s7s", "3r4r5r6r7r", "3b4b5b6b7b"])
def test_s12_equal_flush_holds_the_one_on_the_table_stays(flush: str) -> None:
    assert not beats(flush, "3g4g5g6g7g", "standard equal_flush=holds")


@pytest.mark.parametrize("flush", ["3s4s5s6s7s", "3r4r5r6r7r", "3b4b5b6b7b"])
def test_s12_equal_flush_suit_decides(flush: str) -> None:
    assert beats(flush, "3g4g5g6g7g", "standard equal_flush=suit")
    assert not beats("3g4g5g6g7g", flush, "standard equal_flush=suit")
    assert beats("3s4s5s6s7s", "3r4r5r6r7r", "standard equal_flush=suit")
    assert beats("3r4r5r6r7r", "3b4b5b6b7b", "standard equal_flush=suit")
    state = at("9s/3s4s5s6s7s/Kb/4b p2 0:3g4g5g6g7g", "standard equal_flush=suit")
    assert options(state, 1) == {"1:3s4s5s6s7s"}


# stairs


def test_s12_stairs_pairs_are_of_two_cards_a_rank() -> None:
    assert led("6s6b7s7b", "standard stairs=pairs") == ["6s6b7s7b"]
    assert led("6s6b6g7s7b7g", "standard stairs=pairs") == []
    assert led("6s6b6g6r7s7b7gPh", "standard stairs=pairs") == []
    assert refusal(at("6s6b6g7s7b7g/4b/4g/4r p0"), "0:6s6b6g7s7b7g") is Reason.NO_COMBINATION


def test_s12_stairs_stacked_may_have_three_or_four() -> None:
    assert led("6s6b7s7b", "standard stairs=stacked") == ["6s6b7s7b"]
    assert led("6s6b6g7s7b7g", "standard stairs=stacked") == ["6s6b6g7s7b7g"]
    assert led("6s6b6g6r7s7b7gPh", "standard stairs=stacked") == ["6s6b6g6r7s7b7gP7"]


# dragon


def test_s12_dragon_choice_the_winner_gives() -> None:
    state = at("3s/4b5b/4g/4r t0 0:Dr", "standard dragon=choice")
    assert options(state) == {"0!1", "0!3"}
    assert at("-/-/-/4r4b t0 0:Dr ~ - ---- 120", "standard dragon=choice").automatic() is None


def test_s12_dragon_auto_the_table_gives() -> None:
    state = at("3s/4b5b/4g/4r t0 0:Dr", "standard dragon=auto")
    assert options(state) == {"0!1"}
    assert refusal(state, "0!3") is Reason.TABLE_DECIDES
    assert at("-/-/-/4r4b t0 0:Dr ~ - ---- 120", "standard dragon=auto").automatic() == (0, Take(3))


# All together


@pytest.mark.parametrize("field", VALUES)
def test_s12_any_field_may_be_set_on_its_own_and_the_round_ends(field: str) -> None:
    for value in VALUES[field]:
        rules = Rules.parse(f"standard {field}={value.replace('N', '500')}")
        assert finished_round(Random(12), rules).is_over
        assert Game.start(parse_deal(SUITED_DEAL), rules).match.rules == rules
