"""What people see at a prompt: the game's notation, whatever they hold."""

from random import Random

import pytest

from tests.table import SUITED_DEAL, at
from tichu import (
    HIDDEN,
    Action,
    CallGrand,
    CallTichu,
    Combo,
    DeclineBomb,
    DeclineGrand,
    Exchange,
    Game,
    Kind,
    Match,
    Outcome,
    Pass,
    Record,
    Round,
    RoundRecord,
    Rules,
    Take,
    Wish,
    format_record,
    format_view,
    parse_action,
    parse_combo,
    parse_deal,
    read_record,
    shuffled_deal,
)
from tichu.core.combos import LONE_PHOENIX, parse_table

TRICK = "7s7b8g/2s2b2g2r3s/3b/4s p0 3:6g"


@pytest.mark.parametrize(
    ("action", "text"),
    [
        (CallGrand(), "CallGrand()"),
        (DeclineGrand(), "DeclineGrand()"),
        (CallTichu(), "CallTichu()"),
        (Pass(), "Pass()"),
        (DeclineBomb(), "DeclineBomb()"),
        (Wish(10), "Wish('T')"),
        (Wish(0), "Wish('-')"),
        (Take(), "Take()"),
        (Take(1), "Take(1)"),
        (Exchange(4, 0, 55), "Exchange('2sMaAr')"),
        (Exchange(HIDDEN, 0, HIDDEN), "Exchange('??Ma??')"),
        (parse_combo("9g5bP59r5s"), "Combo('5s5bP59g9r')"),
        (LONE_PHOENIX, "Combo('Ph')"),
        (parse_table("P7"), "Combo('P7')"),
    ],
)
def test_an_action_says_what_it_is(action: Action, text: str) -> None:
    assert repr(action) == text


@pytest.mark.parametrize(
    ("action", "text"),
    [
        (Wish(16), "Wish(16)"),
        (Wish(-3), "Wish(-3)"),
        (Take(-1), "Take(-1)"),
        (Exchange(4, 8, 99), "Exchange((4, 8, 99))"),
        (Combo(Kind.PAIR, 2, 2, 3 << 60), "Combo(<Kind.PAIR: 2>, 2, 2, 3458764513820540928, 0)"),
        (Combo(Kind.PAIR, 2, 2, 0b110000, 77), "Combo(<Kind.PAIR: 2>, 2, 2, 48, 77)"),
        (Combo(Kind.PAIR, 2, 2, -1), "Combo(<Kind.PAIR: 2>, 2, 2, -1, 0)"),
        (Combo(Kind.SINGLE, 1, 2, "9s"), "Combo(<Kind.SINGLE: 1>, 1, 2, '9s', 0)"),  # type: ignore[arg-type]
    ],
)
def test_what_nobody_can_write_shows_its_numbers(action: Action, text: str) -> None:
    assert repr(action) == text


def test_legal_actions_are_listed() -> None:
    assert repr(at(TRICK).legal(0)) == "<Legal 7s 7b 8g pass>"
    assert repr(at(TRICK).legal(1)) == "<Legal 2s2b2g2r>"
    assert repr(at(TRICK).legal(2)) == "<Legal nothing>"
    assert repr(Round.start(shuffled_deal(Random(1))).legal(0)) == "<Legal +G -G>"


def test_a_long_list_is_cut() -> None:
    legal = Round.start(shuffled_deal(Random(1)), Rules(grand="no")).legal(0)
    assert len(legal) == 2185
    assert repr(legal).startswith("<Legal >")
    assert repr(legal).endswith(" ... 2185 in all>")
    assert len(repr(legal)) < 130


def test_a_view_is_its_text() -> None:
    view = at(TRICK).view(0)
    assert str(view) == format_view(view)
    assert repr(view) == f"<View seat 0: {view}>"
    assert repr(at(TRICK, "courtesy").view(2)).startswith("<View seat 2 under courtesy: *3/*5/3b/*1 p0 3:6g ")


def test_a_round_and_its_rules_read_back() -> None:
    for rules in ("standard", "classic direction=cw"):
        state = at(TRICK, rules)
        assert eval(repr(state)) == state
        assert eval(repr(state.rules)) == state.rules
    assert repr(at(TRICK)) == f"Round.from_position('{at(TRICK)}')"


def test_a_game_tells_the_score_and_the_position() -> None:
    deal = shuffled_deal(Random(58))
    game = Game.start(deal).after(0, CallGrand())
    assert repr(game) == f"<Game 0:0 after 0 rounds; 1 action: {game.round}>"
    match = Match(Rules.parse("classic")).after(Outcome((40, 60), (100, 0), (2, 3, 1)))
    assert repr(match) == "<Match under classic: 140:60 after 1 round>"
    assert repr(Game.start(deal, match=match)).startswith("<Game under classic: 140:60 after 1 round; 0 actions: 3s4g")
    won = Match(Rules.parse("single-round")).after(Outcome((40, 60), (0, 100), (3, 2, 1)))
    assert str(won) == "40:160 after 1 round, won by team 1+3"


def test_a_record_shows_its_cards() -> None:
    round = RoundRecord(parse_deal(SUITED_DEAL), (parse_action("0-G"),), (100, 0))
    record = Record(rounds=(round, round._replace(score=None)))
    assert repr(round) == f"<RoundRecord {SUITED_DEAL}; 1 action; 100:0>"
    assert repr(round._replace(score=None)).endswith("; unfinished>")
    assert repr(record) == "<Record standard; Seat 0, Seat 1, Seat 2, Seat 3; 2 rounds>"
    broken = format_record(record).replace("= 100 0", "= 100 a")
    assert repr(read_record(broken)) == "<Reading standard; Seat 0, Seat 1, Seat 2, Seat 3; 2 rounds, 1 wrong>"


@pytest.mark.parametrize("guess", ["0-G", "-G", "7s", 7, ["0-G"]])
def test_a_first_guess_is_told_what_to_write(guess: object) -> None:
    game = Game.start(shuffled_deal(Random(1)))
    for after in (game.after, game.round.after):
        with pytest.raises(TypeError) as error:
            after(0, guess)  # type: ignore[arg-type]
        assert ("parse_action(" in str(error.value)) == isinstance(guess, str)
        assert repr(guess) in str(error.value)
        with pytest.raises(TypeError, match=r"takes a seat and an action: .*after\(\*parse_action"):
            after(parse_action("0-G"))  # type: ignore[arg-type]
    assert guess not in game.view(0).legal()
