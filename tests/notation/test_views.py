"""Views: the same grammar as positions, but nothing that the seat cannot know."""

import pytest

from tichu import NotationError, Rules, format_cards, format_view, parse_cards, parse_view
from tichu.core.cards import ALL_CARDS

GRAND = "Ma2s3s4s5s6s7s8s+*6/*8+*6/*8+*6/*8+*6"
DEALT = "Ma2s3s4s5s6s7s8s9sTsJsQsKsAs/*14/*14/*14"
AFRESH = "- 0/0/0/0 - ---- - -/-/-/- -"
HANDS = "9s/*5/*1/*1"


def all_but(cards: str) -> str:
    return format_cards(ALL_CARDS & ~parse_cards(cards))


PLAYED = all_but("9s2s2b2g2r3sKb4s")
HELD_MA = all_but("9s2s2b2g2r3sKb4sMa")


@pytest.mark.parametrize(
    ("text", "seat", "rules"),
    [
        (f"{GRAND} g0123 {AFRESH}", 0, "standard"),
        (f"{GRAND} g03 - 0/0/0/0 - -??- - -/-/-/- -", 0, "standard"),
        (f"{GRAND} g12 - 0/0/0/0 - G--? - -/-/-/- -", 0, "standard"),
        (f"{DEALT} x23 - 0/0/0/0 - --T- - 2s3sMa/??????/-/- -", 0, "standard"),
        (f"{HANDS} p2 0:As 90/0/0/0 8 ---- - -/-/-/- {PLAYED}", 0, "standard"),
        (f"{HANDS} p2 0:As 90/0/0/0 - ---- - 8s7s6s/????5s/??9s??/3b???? {PLAYED}", 0, "standard"),
        (f"*1/2s2b2g2r3s/*1/*1 b10 0:As 90/0/0/0 - ---- - -/-/-/- {PLAYED}", 1, "courtesy"),
        (f"-/-/*1/Kb t0 0:Dr 75/0/0/0 - G--- 01 -/-/-/- {all_but('4sKb')}", 3, "standard"),
        (f"-/*1/-/- e - 0/0/100/0 A GTTG 032 -/-/-/- {all_but('2s')}", 0, "standard"),
    ],
)
def test_a_view_reads_back(text: str, seat: int, rules: str) -> None:
    assert format_view(parse_view(text, seat, Rules.parse(rules))) == text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"{HANDS} p2 0:As 90/0/0/0 - ---- - -/-/-/-", "a view has 9 fields, not 8"),
        # Hands.
        (f"9s/*0/*1/*1 p2 {AFRESH}", "hands: seat 1 holds unknown cards, '*n' or '-', not '*0'"),
        (f"9s/*15/*1/*1 p2 {AFRESH}", "hands: seat 1 holds unknown cards, '*n' or '-', not '*15'"),
        (f"9s/*05/*1/*1 p2 {AFRESH}", "hands: seat 1 holds unknown cards, '*n' or '-', not '*05'"),
        (f"9s/5/*1/*1 p2 {AFRESH}", "hands: seat 1 holds unknown cards, '*n' or '-', not '5'"),
        (f"9s/2s2b/*1/*1 p2 {AFRESH}", "hands: seat 1 holds unknown cards, '*n' or '-', not '2s2b'"),
        (f"*1/*5/*1/*1 p2 {AFRESH}", "hands: no card '*1' in '*1'"),
        (f"9s/*5/*1 p2 {AFRESH}", "hands: four seats are separated by '/', not 3"),
        (f"{DEALT[2:]} x0123 {AFRESH}", "hands: seat 0 has 13 cards, not 14"),
        (f"Ab{DEALT} p0 {AFRESH}", "hands: seat 0 has 15 cards, not 14"),
        (
            f"{DEALT} g0123 {AFRESH}",
            "hands: seat 0 ends in '+*6' during the Grand calls, not 'Ma2s3s4s5s6s7s8s9sTsJsQsKsAs'",
        ),
        (f"{GRAND.replace('*8', '*7')} g0123 {AFRESH}", "hands: seat 1 has 7+6 cards, not 8+6"),
        # Phase.
        (f"{HANDS} p4 {AFRESH}", "phase: no phase 'p4'"),
        (
            f"{HANDS} b20 0:As 90/0/0/0 - ---- - -/-/-/- {PLAYED}",
            "phase: seat 0 cannot see that seat 2 is asked",
        ),
        (
            f"{HANDS} b03 3:As 90/0/0/0 - ---- - -/-/-/- {PLAYED}",
            "phase: nobody is asked to bomb under bombs=anytime",
        ),
        # Table and wish.
        (f"{HANDS} p2 0:4s 90/0/0/0 - ---- - -/-/-/- {PLAYED}", "table: 4s is not among the cards played"),
        (
            f"9s/*5/*1/*2 p2 0:As 90/0/0/0 8 ---- - -/-/-/- {HELD_MA}",
            "wish: the Mah Jong is not among the cards played",
        ),
        # Points.
        (f"{HANDS} p2 - 80/0/0/0 - ---- - -/-/-/- {PLAYED}", "points: 80 with an empty table, not 90"),
        # Calls.
        (
            f"{HANDS} p2 0:As 90/0/0/0 - -?-- - -/-/-/- {PLAYED}",
            "calls: '?' is a Grand decision of another seat that is made and not shown",
        ),
        (
            f"{GRAND} g023 {AFRESH}",
            "calls: '?' is a Grand decision of another seat that is made and not shown",
        ),
        (
            f"{GRAND} g123 - 0/0/0/0 - ?--- - -/-/-/- -",
            "calls: '?' is a Grand decision of another seat that is made and not shown",
        ),
        (f"{GRAND} g0123 - 0/0/0/0 - -?-- - -/-/-/- -", "calls: seat 1 cannot have called yet"),
        (f"{GRAND} g123 - 0/0/0/0 - T--- - -/-/-/- -", "calls: seat 0 cannot have called yet"),
        # Order of going out.
        (f"{HANDS} p2 - 90/0/0/0 - ---- 0 -/-/-/- {PLAYED}", "order out: exactly the seats without cards are out"),
        # Exchange.
        (
            f"{HANDS} p2 0:As 90/0/0/0 - ---- - 8s7s6s/3b??5s/??5b??/5g???? {PLAYED}",
            "exchange: seat 0 knows its own gifts and what it got, not '8s7s6s/3b??5s/??5b??/5g????'",
        ),
        (
            f"{HANDS} p2 0:As 90/0/0/0 - ---- - 8s7s6s/??????/??5b??/5g???? {PLAYED}",
            "exchange: seat 0 knows its own gifts and what it got, not '8s7s6s/??????/??5b??/5g????'",
        ),
        (
            f"{DEALT} x123 - 0/0/0/0 - ---- - ??????/-/-/- -",
            "exchange: seat 0 knows its own gifts and what it got, not '??????/-/-/-'",
        ),
        (
            f"{DEALT} x023 - 0/0/0/0 - ---- - -/????2r/-/- -",
            "exchange: seat 0 knows its own gifts and what it got, not '-/????2r/-/-'",
        ),
        # Cards played.
        (f"{HANDS} p2 0:As 90/0/0/0 - ---- - -/-/-/- Ma??", "cards played: no card '??' in 'Ma??'"),
        (f"{HANDS} p2 0:As 90/0/0/0 - ---- - -/-/-/- {PLAYED}9s", "cards played: 9s is in the hand"),
        (f"{HANDS} p2 0:As 90/0/0/0 - ---- - -/-/-/- {PLAYED[2:]}", "cards played: 55 cards with the hands, not 56"),
        (f"{HANDS} p2 0:As 90/0/0/0 - ---- - -/-/-/- {PLAYED}4s", "cards played: 57 cards with the hands, not 56"),
        (f"{GRAND} g0123 - 0/0/0/0 - ---- - -/-/-/- 2r", "cards played: 57 cards with the hands, not 56"),
    ],
)
def test_what_is_no_view_gets_an_error_that_names_the_field(text: str, message: str) -> None:
    with pytest.raises(NotationError) as error:
        parse_view(text, 0)
    assert str(error.value) == message


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (f"{HANDS} p2 0:As 90/0/0/0 - ---- - 8s7s6s/-/-/- {PLAYED}", "all four give or none"),
        (f"{DEALT} x0123 - 0/0/0/0 - ---- - -/??????/-/- -", "seat 1 has chosen and is pending"),
        (f"{DEALT} x012 - 0/0/0/0 - ---- - -/-/-/- -", "seat 3 has not chosen and is not pending"),
        (f"{DEALT} x123 - 0/0/0/0 - ---- - Ma2s3b/-/-/- -", "3b is not in the hand"),
        (f"{DEALT} p0 - 0/0/0/0 - ---- - 2s3s4s/????5s/??6s??/7s???? -", "2s was given away"),
        (f"{DEALT} p0 - 0/0/0/0 - ---- - 2b3b4b/????5g/??6s??/7s???? -", "5g is neither in the hand nor played"),
    ],
)
def test_the_exchange_of_a_view_must_go_with_the_rest(text: str, fault: str) -> None:
    with pytest.raises(NotationError, match=r"^exchange: "):
        parse_view(text, 0)


def test_a_seat_that_is_asked_to_bomb_has_a_bomb() -> None:
    text = f"*1/2s2b2g3b3s/*1/*1 b10 0:As 90/0/0/0 - ---- - -/-/-/- {all_but('9s2s2b2g3b3sKb4s')}"
    with pytest.raises(NotationError, match=r"^phase: seat 1 is asked and has no bomb that beats the table"):
        parse_view(text, 1, Rules.parse("courtesy"))


@pytest.mark.parametrize("seat", [-1, 4])
def test_a_view_belongs_to_a_seat(seat: int) -> None:
    with pytest.raises(NotationError):
        parse_view(f"{HANDS} p2 0:As 90/0/0/0 - ---- - -/-/-/- {PLAYED}", seat)
