"""What the person types."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.table import at
from tichu import IllegalAction, Reason, cards_of, format_cards, parse_cards
from tichu.core.cards import ALL_CARDS, PHOENIX, format_card
from tichu.terminal.prompts import (
    Command,
    Misread,
    Number,
    Typed,
    chosen_play,
    parse_command,
    parse_gift,
    parse_play,
    parse_typed,
    parse_wish,
    parse_yes,
)

NAMES = ("You", "Ben", "Cho", "Dov")


@pytest.mark.parametrize(
    ("text", "cards"),
    [
        ("7s7b", "7s7b"),
        ("7s 7b", "7s7b"),
        ("  7B,7S ", "7s7b"),
        ("7♠ 7♦ 7♣ 7♥", "7s7b7g7r"),
        ("7s+7b", "7s7b"),
        ("10s", "Ts"),
        ("ts jr QG kb aR", "TsJrQgKbAr"),
        ("10s10b", "TsTb"),
        ("Ma2s3s4s5s", "Ma2s3s4s5s"),
        ("mah jong", "Ma"),
        ("MahJong 2s 3s 4b 5g", "Ma2s3s4b5g"),
        ("sparrow", "Ma"),
        ("dog", "Do"),
        ("hound", "Do"),
        ("ph", "Ph"),
        ("Phoenix", "Ph"),
        ("Phnx", "Ph"),
        ("dr", "Dr"),
        ("DRAGON", "Dr"),
        ("7s,", "7s"),
        ("ph7s", "7sPh"),
        ("7sph", "7sPh"),
        ("7s ph 8s", "7s8sPh"),
    ],
)
def test_cards_are_read_in_many_spellings(text: str, cards: str) -> None:
    typed = parse_typed(text)
    assert format_cards(typed.cards) == cards
    assert typed.phoenix == 0


@pytest.mark.parametrize(
    ("text", "rank"),
    [
        ("7sP7", 7),
        ("7s ph=7", 7),
        ("7s ph = 7", 7),
        ("ph7 7s", 7),
        ("Js p10", 10),
        ("js ph=t", 10),
        ("phoenix=a as", 14),
    ],
)
def test_the_phoenix_may_be_said_to_stand_for_a_rank(text: str, rank: int) -> None:
    typed = parse_typed(text)
    assert typed.phoenix == rank
    assert typed.cards >> PHOENIX & 1


@pytest.mark.parametrize(
    "text", ["7", "77", "7x", "x", "1s", "11s", "0s", "7s7", "s7", "hello", "7s7s", "7s,", "♠", "💣"]
)
def test_nonsense_gets_one_sentence(text: str) -> None:
    if text == "7s,":
        assert parse_typed(text).order == parse_typed("7s").order
        return
    with pytest.raises(Misread) as error:
        parse_typed(text)
    sentence = str(error.value)
    assert sentence.endswith(".")
    assert "\n" not in sentence


def test_only_commas_are_no_cards() -> None:
    with pytest.raises(Misread, match="no cards"):
        parse_typed(", ,")


@given(st.text(max_size=12))
def test_any_text_is_read_or_refused(text: str) -> None:
    with suppress(Misread):
        parse_play(text)


@given(st.lists(st.integers(0, 55), min_size=1, max_size=14, unique=True), st.sampled_from(["", " ", ", ", "+"]))
def test_cards_in_notation_are_read_in_any_order(cards: list[int], between: str) -> None:
    text = between.join(map(format_card, cards))
    assert parse_typed(text).order == tuple(cards)
    assert parse_typed(text.lower()).order == tuple(cards)
    assert parse_typed(text.upper()).order == tuple(cards)


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("p", Command.PASS),
        ("Pass", Command.PASS),
        ("-", Command.PASS),
        ("t", Command.TICHU),
        ("TICHU", Command.TICHU),
        ("b", Command.BOMBS),
        ("bomb", Command.BOMBS),
        ("?", Command.HELP),
        ("help", Command.HELP),
        ("h", Command.HISTORY),
        ("s", Command.SCORE),
        ("r", Command.RULES),
        (" Q ", Command.QUIT),
        ("exit", Command.QUIT),
        ("", Command.TABLE),
        ("   ", Command.TABLE),
    ],
)
def test_commands(text: str, command: Command) -> None:
    assert parse_command(text) is command
    assert parse_play(text) is command


@pytest.mark.parametrize(("text", "number"), [("1", 1), ("12", 12), ("#3", 3), ("3)", 3), ("999999", 9999)])
def test_a_number_is_a_suggestion(text: str, number: int) -> None:
    assert parse_play(text) == Number(number)


def test_cards_are_no_commands() -> None:
    for card in cards_of(ALL_CARDS):
        assert parse_play(format_card(card).lower()) == Typed((card,))


HAND = "5s5b9g9rPh/2s/3s/4s p0"


def test_a_play_is_found_from_its_cards() -> None:
    legal = at("7s7b8g/2s/3s/4s p0").legal(0)
    assert str(chosen_play(legal, parse_typed("7b7s"))) == "7s7b"


def test_the_phoenix_must_be_told_where_it_matters() -> None:
    legal = at(HAND).legal(0)
    with pytest.raises(IllegalAction) as error:
        chosen_play(legal, parse_typed("5s5b9g9rph"))
    assert error.value.reason is Reason.PHOENIX_AMBIGUOUS
    assert str(chosen_play(legal, parse_typed("5s5b9g9r ph=5"))) == "5s5bP59g9r"
    assert str(chosen_play(legal, parse_typed("9g9rP9 5s5b"))) == "5s5b9g9rP9"
    assert str(chosen_play(legal, parse_typed("p9"))) == "Ph"


@pytest.mark.parametrize(
    ("position", "text", "reason"),
    [
        (HAND, "7s", Reason.NOT_IN_HAND),
        (HAND, "5s9g", Reason.NO_COMBINATION),
        (HAND, "5s ph=9", Reason.NO_COMBINATION),
        ("5s5b9g9rPh/2s/3s/4s p0 1:TsTb", "9g9r", Reason.DOES_NOT_BEAT),
        ("5s5b9g9rPh/2s/3s/4s p0 1:TsTb", "9g ph=9", Reason.DOES_NOT_BEAT),
        ("5s5b9g9rDo/2s/3s/4s p0 1:4b", "do", Reason.LEAD_ONLY),
        ("5s5b9g9rPh/2s/3s/4s p0 1:4b ~ 9", "5s", Reason.WISH_OWED),
    ],
)
def test_a_refused_play_has_its_reason(position: str, text: str, reason: Reason) -> None:
    with pytest.raises(IllegalAction) as error:
        chosen_play(at(position).legal(0), parse_typed(text))
    assert error.value.reason is reason


@pytest.mark.parametrize(
    ("text", "rank"),
    [("2", 2), ("10", 10), ("T", 10), ("ten", 10), ("j", 11), ("Q", 12), ("king", 13), ("A", 14), ("-", 0), ("", 0)],
)
def test_wishes(text: str, rank: int) -> None:
    assert parse_wish(text) == rank


@pytest.mark.parametrize("text", ["1", "11", "7s", "dragon", "x"])
def test_no_wishes(text: str) -> None:
    with pytest.raises(Misread):
        parse_wish(text)


@pytest.mark.parametrize(
    ("text", "seat"), [("1", 1), ("2", 3), ("ben", 1), ("D", 3), ("left", 1), ("Right", 3), ("l", 1)]
)
def test_the_dragon_goes_to(text: str, seat: int) -> None:
    assert parse_gift(text, NAMES) == seat


@pytest.mark.parametrize("text", ["", "0", "3", "cho", "partner", "you", "both"])
def test_the_dragon_does_not_go_to(text: str) -> None:
    with pytest.raises(Misread, match="Please answer 1 for Ben or 2 for Dov"):
        parse_gift(text, NAMES)


def test_yes_and_no() -> None:
    assert parse_yes(" YES ")
    assert not parse_yes("n")
    with pytest.raises(Misread):
        parse_yes("maybe")


def test_hands_read_back() -> None:
    hand = parse_cards("Ma2s3b4gTrPhDr")
    assert parse_typed("Mah1 2s 3b 4g 10r Ph Dr".replace("Mah1", "mah")).cards == hand
