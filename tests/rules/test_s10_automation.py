"""§10: decisions that the table may take."""

from random import Random

import pytest

from tests.table import ALL_DECLINE, SUITED_DEAL, at, options, play, refusal, start
from tichu import (
    PRESETS,
    Call,
    CallTichu,
    Game,
    IllegalAction,
    Phase,
    Reason,
    Record,
    Round,
    RoundRecord,
    Rules,
    Take,
    format_action,
    format_record,
    parse_action,
    parse_deal,
    parse_record,
    replay,
    shuffled_deal,
)
from tichu.core.automation import THRESHOLD, rating

# Strong hands: aces with the Dragon, aces with the Phoenix.  Weak ones: nothing above a king.
STRONG = "2s2b3s3b4s4b5s5b6s6bAsAbDr"
OTHER_STRONG = "2g2r3g3r4g4r5g5r6g6rKsAgAr"
WEAK = "Do7s7b8s8b9s9bTsTbJsJbQsQbKb"
OTHER_WEAK = "7g7r8g8r9g9rTgTrJgJrQgQrKgKr"


def calls_made(state: Round) -> str:
    """What the table calls, in order."""
    made = []
    while (decision := state.automatic()) is not None:
        made.append(format_action(*decision))
        state = state.after_unchecked(*decision)
    return " ".join(made)


@pytest.mark.no_cover
def test_s10_1_the_table_calls_in_30_percent_of_rounds() -> None:
    rng = Random(101)
    rules = PRESETS["simple"]
    called = sum(Round.start(shuffled_deal(rng), rules).automatic() is not None for _ in range(20_000))
    assert 0.28 <= called / 20_000 <= 0.32


def test_s10_1_a_player_calls_if_the_rating_of_the_hand_exceeds_the_threshold_and_the_partner_has_not_called() -> None:
    rng = Random(102)
    for rules in (PRESETS["simple"], Rules.parse("simple direction=cw")):
        for _ in range(500):
            state = Round.start(shuffled_deal(rng), rules)
            wanted: list[str] = []
            seat = state.pending[0]
            for _ in range(4):
                if rating(state.hands[seat]) > THRESHOLD and f"{seat ^ 2}+T" not in wanted:
                    wanted.append(f"{seat}+T")
                seat = rules.next_seat(seat)
            assert calls_made(state) == " ".join(wanted)


def test_s10_1_the_partner_of_a_caller_is_not_called_however_strong() -> None:
    assert calls_made(at(f"Ma{STRONG}/{WEAK}/{OTHER_STRONG}Ph/{OTHER_WEAK} p0", "simple")) == "0+T"
    assert calls_made(at(f"{OTHER_STRONG}Ph/{WEAK}/Ma{STRONG}/{OTHER_WEAK} p2", "simple")) == "2+T"


@pytest.mark.parametrize(("direction", "calls"), [("ccw", "3+T"), ("cw", "1+T")])
def test_s10_1_in_turn_order_from_the_leader(direction: str, calls: str) -> None:
    leader = "Ma" + WEAK.removeprefix("Do")
    state = at(
        f"{leader}/{STRONG}7g/{OTHER_WEAK.replace('7g', 'Do')}/{OTHER_STRONG}Ph p0", f"simple direction={direction}"
    )
    assert calls_made(state) == calls


def test_s10_1_grand_tichu_is_declined_for_all() -> None:
    game = Game.start(parse_deal(SUITED_DEAL), Rules.parse("standard calls=auto"))
    assert [format_action(*action) for action in game.actions] == ALL_DECLINE.split()
    assert refusal(start("standard calls=auto"), "0+G") is Reason.TABLE_DECIDES


def test_s10_1_after_the_exchange_and_before_the_first_lead() -> None:
    state = play(start("standard calls=auto"), ALL_DECLINE)
    assert state.phase is Phase.EXCHANGE
    assert state.automatic() is None
    # The exchange brings the four aces together with the Dragon.
    state = play(state, "0>2s3sAs 1>2bAb3b 2>Ag3g2g 3>2r3r4r")
    assert calls_made(state) == "3+T"
    played = play(state, "0:Ma 0?-")
    assert played.automatic() is None


def test_s10_1_players_do_not_call_themselves() -> None:
    state = at(f"Ma{STRONG}/{WEAK}/{OTHER_STRONG}Ph/{OTHER_WEAK} p0", "simple")
    assert [refusal(state, f"{seat}+T") for seat in range(4)] == [Reason.TABLE_DECIDES] * 4
    assert not any(action == CallTichu() for action in state.legal(0))


@pytest.mark.parametrize(
    ("position", "gift"),
    [
        ("3s/4b5b/4g/4r t0 0:Dr", "0!1"),
        ("3s/4b/4g/4r5r t0 0:Dr", "0!3"),
        ("3s/4b5b/4g/4r t0 0:Dr ~ - -T--", "0!3"),
        ("3s/4b5b/4g/4r t0 0:Dr ~ - -G--", "0!3"),
        ("3s/4b/4g/4r5r t0 0:Dr ~ - ---T", "0!1"),
        ("3s/4b5b/4g/4r t0 0:Dr ~ - T-T-", "0!1"),
        ("3s/4b5b/4g/- t0 0:Dr ~ - -T-- 3", "0!3"),
    ],
)
def test_s10_2_the_gift_goes_to_the_opponent_with_more_cards_unless_that_one_has_called(
    position: str, gift: str
) -> None:
    assert options(at(position, "standard dragon=auto")) == {gift}


@pytest.mark.parametrize(("direction", "gift"), [("ccw", "0!3"), ("cw", "0!1")])
def test_s10_2_with_equal_counts_the_next_after_the_giver(direction: str, gift: str) -> None:
    assert options(at("3s/4b/4g/4r t0 0:Dr", f"standard dragon=auto direction={direction}")) == {gift}


@pytest.mark.parametrize(
    ("position", "gift"),
    [
        ("3s/4b/4g/4r t0 0:Dr ~ - ---T", "0!1"),
        ("3s/4b/4g/4r t0 0:Dr ~ - ---G", "0!1"),
        ("3s/4b/4g/4r t0 0:Dr ~ - -T--", "0!3"),
        ("3s/4b/4g/4r t0 0:Dr ~ - -T-T", "0!3"),
        ("3s/4b/4g/4r t0 0:Dr ~ - T-T-", "0!3"),
    ],
)
def test_s10_2_with_equal_counts_the_gift_goes_to_one_who_has_not_called(position: str, gift: str) -> None:
    assert options(at(position, "standard dragon=auto")) == {gift}


def test_s10_2_the_other_recipient_is_refused() -> None:
    state = at("3s/4b5b/4g/4r t0 0:Dr", "standard dragon=auto")
    assert refusal(state, "0!3") is Reason.TABLE_DECIDES
    assert refusal(state, "0!2") is Reason.NOT_THE_RECIPIENT


def test_s10_3_a_decision_of_the_table_is_recorded_as_the_players_action() -> None:
    deal = (
        "Ma2s2b3s3b4s4b5s+5b6s6bAsAbDr / Do7s7b8s8b9s9bTs+TbJsJbQsQbKb"
        " / 2g2r3g3r4g4r5g5r+6g6rKsAgArPh / 7g7r8g8r9g9rTgTr+JgJrQgQrKgKr"
    )
    game = Game.start(parse_deal(deal), PRESETS["simple"])
    assert [format_action(*action) for action in game.actions] == ["0+T"]
    for action in ["0:Dr", "3:-", "2:-", "1:-", "0!3", "0:Ma"]:
        game = game.after(*parse_action(action))
    record = Record(game.match.rules, (RoundRecord(game.deal, game.actions),))
    assert "0+T 0:Dr 3:- 2:- 1:- 0!3" in format_record(record)
    *_, state = replay(parse_record(format_record(record)).rounds[0], PRESETS["simple"])
    assert state == game.round
    assert state.calls[0] is Call.TICHU


def test_s10_3_the_table_takes_and_gives_where_nobody_is_left_to_choose() -> None:
    state = at("-/-/-/4r4b t0 0:Dr ~ - ---- 120", "simple")
    assert state.automatic() == (0, Take(3))
    assert at("3s/4b/4g/4r5r t0 0:Dr", "simple bombs=in-turn").automatic() == (0, Take(3))


@pytest.mark.parametrize("rules", ["simple", "simple bombs=in-turn"])
def test_s10_3_a_recorded_gift_is_believed(rules: str) -> None:
    state = at("3s/4b/4g/4r t0 0:Dr ~ - ---T", rules)
    assert options(state) == {"0!1"}
    # Records from before the call mattered with equal counts give the trick to seat 3.
    assert state.table_may(0, Take(3))
    assert not state.table_may(0, Take(2))
    assert not state.table_may(1, Take(0))
    assert not at("3s/4b/4g/4r t0 0:Ar", rules).table_may(0, Take(3))
    assert not at("3s/4b/4g/4r t0 0:Dr", "standard").table_may(0, Take(3))
    assert state.after_recorded(0, Take(3)).points[3] == 25
    with pytest.raises(IllegalAction):
        state.after_recorded(0, Take(2))


def test_s10_3_a_stored_game_goes_on_after_a_gift_that_the_table_would_make_otherwise_today() -> None:
    deal = (
        "Ma2s2b3s3b4s4b5s+5b6s6b8s8bDr / Do7s7bKs9bTs9sTb+JsJbQsQbKbTg"
        " / 2g2r3g3r4g4r5g5r+6g6r7g7r8g8r / KgKr9g9rTrJgJrQg+QrAsAbAgArPh"
    )
    game = Game.start(parse_deal(deal), PRESETS["simple"])
    for action in ["0:Dr", "3:-", "2:-", "1:-"]:
        game = game.after(*parse_action(action))
    assert format_action(*game.actions[0]) == "3+T"
    with pytest.raises(IllegalAction):
        game.after(0, Take(3))
    assert game.after_recorded(0, Take(3)).round.points[3] == 25


def test_s10_4_without_grand_and_exchange_these_steps_have_no_actions() -> None:
    assert start("standard grand=no").phase is Phase.EXCHANGE
    assert start("standard grand=no exchange=no").phase is Phase.PLAY
    assert play(start("standard exchange=no"), ALL_DECLINE).phase is Phase.PLAY
    assert start("standard grand=no exchange=no").pending == (0,)


def test_s10_4_the_deal_is_still_written_8_and_6() -> None:
    game = Game.start(parse_deal(SUITED_DEAL), PRESETS["simple"])
    text = format_record(Record(PRESETS["simple"], (RoundRecord(game.deal, ()),)))
    assert f"deal {SUITED_DEAL}" in text
