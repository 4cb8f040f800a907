"""§2: a round, from the deal to the first lead."""

import pytest

from tests.table import ALL_DECLINE, SUITED_DEAL, at, may, options, play, refusal, start
from tichu import Game, Phase, Reason, Rules, format_action, format_cards, format_view, parse_action, parse_deal

EXCHANGES = "0>2s3s4s 1>2b3b4b 2>2g3g4g 3>2r3r4r"
# Seat 1 still holds all its cards, the others do not.
FOURTEEN = "3b4b5b6b7b8b9bTbJbQbKbAb2r3r"


def game_after(actions: str, rules: str = "standard") -> Game:
    game = Game.start(parse_deal(SUITED_DEAL), Rules.parse(rules))
    for action in actions.split():
        game = game.after(*parse_action(action))
    return game


def seen(game: Game, seat: int) -> list[str]:
    return [format_action(*event) for event in game.view(seat).history]


def test_s2_1_eight_cards_then_six_more() -> None:
    state = start()
    assert [hand.bit_count() for hand in state.hands] == [8, 8, 8, 8]
    assert [hand.bit_count() for hand in play(state, ALL_DECLINE).hands] == [14, 14, 14, 14]


def test_s2_1_everybody_calls_grand_tichu_or_declines_in_any_order() -> None:
    assert start().pending == (0, 1, 2, 3)
    assert options(start(), 2) == {"2+G", "2-G"}
    state = play(start(), "3-G 1+G")
    assert state.pending == (0, 2)
    assert refusal(state, "1-G") is Reason.NOT_YOUR_TURN
    assert str(play(state, "2+G 0-G")).split()[5] == "-GG-"


def test_s2_1_a_player_decides_on_eight_cards_seeing_no_more() -> None:
    assert format_view(start().view(1)).split()[0] == "*8+*6/Do2b3b4b5b6b7b8b+*6/*8+*6/*8+*6"
    assert not may(play(start(), ALL_DECLINE), "0+G")


def test_s2_1_grand_decisions_are_shown_when_all_are_made() -> None:
    game = game_after("0+G 1-G 3-G")
    assert [format_view(game.view(seat)).split()[5] for seat in range(4)] == ["G?-?", "?--?", "??-?", "??--"]
    assert seen(game, 2) == []
    assert seen(game, 0) == ["0+G"]
    game = game_after("0+G 1-G 3-G 2-G")
    assert format_view(game.view(2)).split()[5] == "G---"
    assert sorted(seen(game, 2)) == ["0+G", "1-G", "2-G", "3-G"]


@pytest.mark.parametrize(
    ("position", "rules"),
    [
        (f"2s/{FOURTEEN}/2g/3s p1", "standard"),
        (f"2s/{FOURTEEN}/2g/3s p1 0:4s", "standard"),
        (f"2s/{FOURTEEN}/2g/3s p3 0:4s", "standard"),
        (f"2s/{FOURTEEN}/2g/4s w0 0:Ma", "standard"),
        (f"2s/{FOURTEEN}/2g/4s t0 0:9s", "standard"),
        (f"2s/{FOURTEEN}/2g/4s t0 0:Dr", "standard"),
        (f"2s/{FOURTEEN}/2g/4s b10 0:9s", "standard bombs=ordered"),
        (f"6s6b6g6r2s/{FOURTEEN.replace('6b', '4r')}/2g/4s b02 3:9s", "standard bombs=ordered"),
    ],
)
def test_s2_2_tichu_may_be_called_at_any_moment_with_14_cards(position: str, rules: str) -> None:
    state = at(position, rules)
    assert may(state, "1+T")
    assert not may(state, "0+T")
    assert str(play(state, "1+T")).split()[5] == "-T--"


def test_s2_2_tichu_may_be_called_during_the_exchange_chosen_or_not() -> None:
    state = play(start(), ALL_DECLINE + " 1>2b3b4b")
    assert may(state, "0+T")
    assert may(state, "1+T")
    assert may(start("standard tichu_from=play"), "0+G")
    late = play(start("standard tichu_from=play"), ALL_DECLINE)
    assert refusal(late, "0+T") is Reason.TOO_EARLY_TO_CALL
    assert may(play(late, EXCHANGES), "1+T")


def test_s2_2_not_before_the_last_six_cards() -> None:
    assert refusal(start(), "0+T") is Reason.NOT_IN_PHASE


def test_s2_2_a_pass_does_not_end_the_right() -> None:
    state = play(start(), f"{ALL_DECLINE} {EXCHANGES} 0:Ma 0?- 3:- 2:- 1:- 0!")
    assert may(state, "3+T")
    assert may(state, "1+T")
    assert refusal(state, "0+T") is Reason.TOO_LATE_TO_CALL


def test_s2_2_playing_the_dog_ends_the_right() -> None:
    state = at(f"2s/{FOURTEEN.replace('3b', 'Do')}/2g/4s p1")
    assert may(state, "1+T")
    assert not may(play(state, "1:Do"), "1+T")


def test_s2_2_after_the_call_the_decision_comes_again() -> None:
    state = at(f"2s/{FOURTEEN}/2g/3s p1 0:4s")
    called = play(state, "1+T")
    assert called.pending == state.pending
    assert options(called) == options(state) - {"1+T"}
    assert refusal(called, "1+T") is Reason.ALREADY_CALLED


def test_s2_3_one_card_for_left_partner_and_right_applied_at_once_when_all_have_chosen() -> None:
    state = play(start(), ALL_DECLINE + " 2>2g3g4g 0>2s3s4s 3>2r3r4r")
    assert state.phase is Phase.EXCHANGE
    assert state.pending == (1,)
    assert format_cards(state.hands[3]) == "2r3r4r5r6r7r8r9rTrJrQrKrArDr"
    state = play(state, "1>2b3b4b")
    assert state.phase is Phase.PLAY
    assert format_cards(state.hands[3]) == "2g3b4s5r6r7r8r9rTrJrQrKrArDr"


def test_s2_3_three_different_cards_of_the_own_hand() -> None:
    state = play(start(), ALL_DECLINE)
    assert refusal(state, "0>2s3s4b") is Reason.NOT_IN_HAND
    assert may(state, "0>MaAs2s")
    assert may(state, "0>As2sMa")
    assert len(state.legal(0)) == 14 * 13 * 12 + 1


def test_s2_3_a_repeated_choice_replaces_the_former_one() -> None:
    state = play(start(), ALL_DECLINE + " 0>2s3s4s")
    assert state.pending == (1, 2, 3)
    state = play(state, "0>5s6s7s 1>2b3b4b 2>2g3g4g 3>2r3r4r")
    assert format_cards(state.hands[0]) == "Ma2s2r3s3g4s4b8s9sTsJsQsKsAs"


def test_s2_3_a_choice_that_was_replaced_is_never_seen() -> None:
    game = game_after(f"{ALL_DECLINE} 0>2s3s4s 0>5s6s7s 1>2b3b4b 2>2g3g4g 3>2r3r4r")
    assert [event for event in seen(game, 1) if event.startswith("0>")] == ["0>5s????"]


def test_s2_3_a_player_knows_the_own_gifts_and_who_gave_each_card() -> None:
    game = game_after(f"{ALL_DECLINE} {EXCHANGES}")
    assert format_view(game.view(0)).split()[7] == "2s3s4s/????4b/??3g??/2r????"
    assert [(seat, format_cards(1 << card)) for seat, card in game.view(0).received()] == [
        (1, "4b"),
        (2, "3g"),
        (3, "2r"),
    ]
    assert sorted(seen(game, 0)[4:]) == ["0>2s3s4s", "1>????4b", "2>??3g??", "3>2r????"]


def test_s2_3_before_all_have_chosen_nothing_is_seen() -> None:
    game = game_after(f"{ALL_DECLINE} 1>2b3b4b 2>2g3g4g")
    assert format_view(game.view(0)).split()[7] == "-/??????/??????/-"
    assert seen(game, 0)[4:] == []


def test_s2_4_whoever_now_holds_the_mah_jong_leads() -> None:
    assert play(start(), f"{ALL_DECLINE} {EXCHANGES}").pending == (0,)
    assert play(start(), f"{ALL_DECLINE} 0>2sMa4s 1>2b3b4b 2>2g3g4g 3>2r3r4r").pending == (2,)


def test_s2_4_the_mah_jong_need_not_be_played() -> None:
    state = play(start(), f"{ALL_DECLINE} {EXCHANGES}")
    assert may(state, "0:Ma")
    assert may(state, "0:As")
    assert not may(state, "0:-")


def test_s2_5_nobody_may_make_both_calls() -> None:
    state = play(start(), "0+G 1-G 2-G 3-G")
    assert refusal(state, "0+T") is Reason.ALREADY_CALLED
    assert may(state, "2+T")


def test_s2_5_any_number_may_call_partners_too() -> None:
    state = play(start(), "0+G 1+G 2-G 3-G 2+T 3+T")
    assert str(state).split()[5] == "GGTT"


def test_s2_5_a_call_is_personal() -> None:
    # Seat 0 was first out, but its partner had called.
    assert at("-/-/5g/- e - 0/95/0/0 - --T- 013").outcome.bonus == (-100, 0)


def test_s2_5_a_call_after_somebody_has_gone_out_is_legal_and_lost() -> None:
    state = play(at(f"As/{FOURTEEN}/-/4s p0 - ~ - ---- 2"), "1+T 0:As")
    assert state.outcome.bonus == (0, -100)
