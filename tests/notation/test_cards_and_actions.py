"""Cards, combinations and actions: one spelling for each, and an error that names the place for everything else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tichu import (
    NotationError,
    cards_of,
    deal_in_order,
    format_action,
    format_cards,
    format_combo,
    format_deal,
    parse_action,
    parse_cards,
    parse_combo,
    parse_deal,
    readings,
)
from tichu.core.cards import ALL_CARDS, format_card, format_rank, parse_card, parse_rank
from tichu.core.combos import format_table, parse_table


def test_every_card_reads_back() -> None:
    texts = [format_card(card) for card in range(56)]
    assert texts[:6] == ["Ma", "Do", "Ph", "Dr", "2s", "2b"]
    assert texts[-1] == "Ar"
    assert len(set(texts)) == 56
    assert [parse_card(text) for text in texts] == list(range(56))


def test_every_rank_reads_back() -> None:
    assert "".join(map(format_rank, range(2, 15))) == "23456789TJQKA"
    assert [parse_rank(letter) for letter in "23456789TJQKA"] == list(range(2, 15))


def test_all_cards_in_written_order() -> None:
    text = format_cards(ALL_CARDS)
    assert text.startswith("MaDo2s2b2g2r3s")
    assert text.endswith("AsAbAgArPhDr")


@given(st.integers(0, ALL_CARDS))
def test_every_set_of_cards_reads_back(cards: int) -> None:
    assert parse_cards(format_cards(cards)) == cards
    assert sum(1 << card for card in cards_of(cards)) == cards


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no cards '': every card is two characters"),
        ("2s3", "no cards '2s3': every card is two characters"),
        ("10s", "no cards '10s': every card is two characters"),
        ("Ma Do", "no cards 'Ma Do': every card is two characters"),
        ("2s2s", "2s twice in '2s2s'"),
        ("DrPhDr", "Dr twice in 'DrPhDr'"),
        ("2S", "no card '2S' in '2S'"),
        ("1s", "no card '1s' in '1s'"),
        ("--", "no card '--' in '--'"),
        ("P7", "no card 'P7' in 'P7'"),
        ("2s??", "no card '??' in '2s??'"),
    ],
)
def test_no_set_of_cards(text: str, message: str) -> None:
    with pytest.raises(NotationError) as error:
        parse_cards(text)
    assert str(error.value) == message


@pytest.mark.parametrize("text", ["", "s2", "10", "ma", "2S", "2s3s", "??", "-"])
def test_no_card(text: str) -> None:
    with pytest.raises(NotationError) as error:
        parse_card(text)
    assert str(error.value) == f"no card {text!r}"


@pytest.mark.parametrize("text", ["", "1", "t", "10", "P", "23", "-"])
def test_no_rank(text: str) -> None:
    with pytest.raises(NotationError) as error:
        parse_rank(text)
    assert str(error.value) == f"no rank {text!r}"


@pytest.mark.parametrize(
    "text",
    [
        "Ma", "Do", "Ph", "Dr", "7s", "7s7b", "7sP7", "7s7b7g", "7s7bP7", "7s7b7g7r",
        "5s5bP59g9r", "5s5b9g9rP9", "5s5b5g9rP9", "5sP59s9b9g",
        "3s4bP56g7r", "P34s5b6g7r", "4s5b6g7rP8", "PTJsQbKgAr", "Ma2s3b4gP5", "Ma2s3b4g5r",
        "2s3s4s5s6s", "2s3s4s5sP6", "3s3b4g4r", "3s3b4gP4", "3sP34g4r5s5b",
        "6s6b6g7s7b7g", "6s6bP67s7b7g", "6s6b6g6r7s7b7g7r", "6s6b6g6r7s7b7gP7",
    ],
)  # fmt: skip
def test_a_combination_reads_back(text: str) -> None:
    combo = parse_combo(text)
    assert format_combo(combo) == str(combo) == text
    assert combo in readings(combo.cards)
    assert parse_action(f"3:{text}") == (3, combo)
    assert format_action(3, combo) == f"3:{text}"


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("7b7s", "7s7b"),
        ("P77s", "7sP7"),
        ("8s7s6s5s4s", "4s5s6s7s8s"),
        ("4s5b6g7rP3", "P34s5b6g7r"),
        ("JsQbKgArPT", "PTJsQbKgAr"),
        ("5r4g3b2sMa", "Ma2s3b4g5r"),
        ("9g5bP59r5s", "5s5bP59g9r"),
    ],
)
def test_a_combination_is_read_in_any_order_and_written_in_one(text: str, written: str) -> None:
    assert parse_combo(text) == parse_combo(written)
    assert str(parse_combo(text)) == written
    assert format_action(*parse_action(f"2:{text}")) == f"2:{written}"
    assert format_table(parse_table(text)) == written


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no cards '': every card is two characters"),
        ("7s7", "no cards '7s7': every card is two characters"),
        ("7s??", "no card '??'"),
        ("7s7s", "7s twice in '7s7s'"),
        ("7sP7P7", "Ph twice in '7sP7P7'"),
        ("7sP7Ph", "Ph twice in '7sP7Ph'"),
        ("P7", "'P7' is not a combination"),
        ("P1", "no rank '1'"),
        ("7sPx", "no rank 'x'"),
        ("7sP8", "'7sP8' is not a combination"),
        ("JsQbKgArP2", "'JsQbKgArP2' is not a combination"),
        ("2s3b4g5rP1", "no rank '1'"),
        ("Ph7s", "say what the Phoenix stands for in 'Ph7s': 7sP7"),
        ("7sPh", "say what the Phoenix stands for in '7sPh': 7sP7"),
        ("4s5b6g7rPh", "say what the Phoenix stands for in '4s5b6g7rPh': P34s5b6g7r or 4s5b6g7rP8"),
        ("KsAs", "'KsAs' is not a combination"),
        ("2s4s", "'2s4s' is not a combination"),
        ("2s3b4g5r", "'2s3b4g5r' is not a combination"),
        ("3s3b5g5r", "'3s3b5g5r' is not a combination"),
        ("3s3b4g", "'3s3b4g' is not a combination"),
        ("MaP2", "'MaP2' is not a combination"),
        ("9s9b9gP9", "'9s9b9gP9' is not a combination"),
        ("9s9b9g9rP9", "'9s9b9g9rP9' is not a combination"),
        ("DoPh", "'DoPh' is not a combination"),
        ("Dr2s", "'Dr2s' is not a combination"),
        ("MaDr", "'MaDr' is not a combination"),
    ],
)
def test_no_combination(text: str, message: str) -> None:
    with pytest.raises(NotationError) as error:
        parse_combo(text)
    assert str(error.value) == message


@pytest.mark.parametrize(("text", "rank"), [("P1", 1), ("P7", 7), ("PA", 14), ("7s7b", 7), ("Ma", 1), ("Dr", 15)])
def test_what_lies_on_the_table_reads_back(text: str, rank: int) -> None:
    assert parse_table(text).rank == rank
    assert format_table(parse_table(text)) == text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("P0", "no rank '0'"),
        ("Do", "the Dog does not stay on the table"),
    ],
)
def test_what_cannot_lie_on_the_table(text: str, message: str) -> None:
    with pytest.raises(NotationError) as error:
        parse_table(text)
    assert str(error.value) == message


def test_on_the_table_the_lone_phoenix_needs_its_rank() -> None:
    with pytest.raises(NotationError):
        parse_table("Ph")


@pytest.mark.parametrize(
    "text",
    ["0+G", "1-G", "2+T", "3>7sMa2r", "2>??7s??", "2>??????", "0:-", "1-B", "2?2", "2?T", "2?A", "2?-", "3!", "3!0"],
)
def test_an_action_reads_back(text: str) -> None:
    seat, action = parse_action(text)
    assert seat == int(text[0])
    assert format_action(seat, action) == text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no seat '' in ''"),
        ("4:-", "no seat '4' in '4:-'"),
        (" 2:-", "no seat ' ' in ' 2:-'"),
        ("2", "no action '2'"),
        ("22:-", "no action '22:-'"),
        ("2=7s", "no action '2=7s'"),
        ("2+g", "no action '2+g'"),
        ("2-T", "no action '2-T'"),
        ("2:", "no cards '': every card is two characters, in '2:'"),
        ("2: 7s", "no cards ' 7s': every card is two characters, in '2: 7s'"),
        ("2:-7", "no card '-7', in '2:-7'"),
        ("2:P7", "'P7' is not a combination, in '2:P7'"),
        ("2>", "no cards '': every card is two characters, in '2>'"),
        ("2>7s8s", "an exchange is three different cards, not '7s8s', in '2>7s8s'"),
        ("2>7s8s7s", "an exchange is three different cards, not '7s8s7s', in '2>7s8s7s'"),
        ("2>7s8s9sTs", "an exchange is three different cards, not '7s8s9sTs', in '2>7s8s9sTs'"),
        ("2>7s8sXx", "no card 'Xx' in '7s8sXx', in '2>7s8sXx'"),
        ("2?", "no rank '', in '2?'"),
        ("2?1", "no rank '1', in '2?1'"),
        ("2?10", "no rank '10', in '2?10'"),
        ("2!4", "no action '2!4'"),
        ("2!-", "no action '2!-'"),
        ("2!03", "no action '2!03'"),
    ],
)
def test_no_action(text: str, message: str) -> None:
    with pytest.raises(NotationError) as error:
        parse_action(text)
    assert str(error.value) == message


DEAL = (
    "Ma2s3s4s5s6s7s8s+9sTsJsQsKsAs / Do2b3b4b5b6b7b8b+9bTbJbQbKbAb"
    " / 2g3g4g5g6g7g8g9g+TgJgQgKgAgPh / 2r3r4r5r6r7r8r9r+TrJrQrKrArDr"
)


@given(st.permutations(range(56)))
def test_every_deal_reads_back(cards: list[int]) -> None:
    deal = deal_in_order(cards)
    assert parse_deal(format_deal(deal)) == deal


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (" / ", "/", "a deal has four hands, not 1"),
        ("+9sTs", "9sTs", "the hand of seat 0 is written eight+six, not 'Ma2s3s4s5s6s7s8s9sTsJsQsKsAs'"),
        ("8s+9s", "+8s9s", "seat 0 gets 7+7 cards, not 8+6"),
        ("Do2b", "Do2s", "2s dealt twice, the second time to seat 1"),
        ("ArDr", "DrDr", "Dr twice in 'TrJrQrKrDrDr'"),
        ("ArDr", "ArXx", "no card 'Xx' in 'TrJrQrKrArXx'"),
        ("ArDr", "Ar??", "no card '??' in 'TrJrQrKrAr??'"),
        ("ArDr", "ArDr / -+-", "a deal has four hands, not 5"),
    ],
)
def test_no_deal(old: str, new: str, message: str) -> None:
    with pytest.raises(NotationError) as error:
        parse_deal(DEAL.replace(old, new))
    assert str(error.value) == message


@pytest.mark.parametrize("cards", [range(55), range(57), [*range(55), 0], [*range(1, 56), 56]])
def test_a_deal_takes_each_card_once(cards: list[int]) -> None:
    with pytest.raises(ValueError, match="each of the 56 cards once"):
        deal_in_order(cards)
