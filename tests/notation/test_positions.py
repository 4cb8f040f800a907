"""Positions: what is wrong with a text, and in which field."""

import pytest

from tichu import NotationError, Phase, Rules, format_position, parse_position

GRAND = (
    "Ma2s3s4s5s6s7s8s+9sTsJsQsKsAs/Do2b3b4b5b6b7b8b+9bTbJbQbKbAb"
    "/2g3g4g5g6g7g8g9g+TgJgQgKgAgPh/2r3r4r5r6r7r8r9r+TrJrQrKrArDr"
)
DEALT = GRAND.replace("+", "")
AFRESH = "- 0/0/0/0 - ---- - -/-/-/-"
HANDS = "9s/2s2b2g2r3s/Kb/4s"
PLAYED = "0:As 90/0/0/0 - ---- - -/-/-/-"
LED = "- 90/0/0/0 - ---- - -/-/-/-"


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        (f"{GRAND} g0123 {AFRESH}", "standard"),
        (f"{GRAND} g03 - 0/0/0/0 - -G-- - -/-/-/-", "standard"),
        (f"{DEALT} x0123 - 0/0/0/0 - T--G - -/-/-/-", "standard"),
        (f"{DEALT} x02 - 0/0/0/0 - ---- - -/DoAb2b/-/3r2rDr", "standard"),
        (f"{DEALT} p0 {AFRESH}", "simple"),
        (f"{HANDS} p2 {PLAYED}", "standard"),
        (f"{HANDS} p2 {LED}", "standard"),
        (f"{HANDS} p3 1:P1 115/0/0/0 - ---- - -/-/-/-", "standard"),
        (f"{HANDS} p3 1:PA 115/0/0/0 8 ---- - -/-/-/-", "standard"),
        (f"{HANDS} p3 1:AsPA 115/0/0/0 8 ---- - -/-/-/-", "standard"),
        (f"{HANDS} t0 {PLAYED}", "standard"),
        (f"{HANDS} b10 {PLAYED}", "courtesy"),
        (f"{HANDS} b12 {PLAYED}", "courtesy"),
        (f"{HANDS} p2 0:6s6b6g6r7s7b7g7r 90/0/0/0 - ---- - -/-/-/-", "courtesy"),
        ("-/2s2b2g2r3s/Kb/4s w0 0:Ma 90/0/0/0 - T--- 0 -/-/-/-", "standard"),
        ("-/2s2b2g2r3s/Kb/4s t0 0:As 90/0/0/0 - ---- 0 -/-/-/-", "standard"),
        ("-/2s/-/- t2 2:Dr 75/0/0/0 - ---- 032 -/-/-/-", "standard"),
        ("-/Kb/-/4s e - 90/0/0/0 - ---- 02 -/-/-/-", "standard"),
        ("-/Kb/-/- e - 0/0/90/0 A GTTG 032 -/-/-/-", "standard"),
        (f"{HANDS} p2 0:As 90/0/0/0 - ---- - 8s7s6s/Kb3b5s/Ts3g3s/9sTb8b", "standard"),
    ],
)
def test_a_position_reads_back(text: str, rules: str) -> None:
    state = parse_position(text, Rules.parse(rules))
    assert format_position(state) == str(state) == text
    assert parse_position(str(state), Rules.parse(rules)) == state


def test_hands_may_be_written_in_any_order() -> None:
    assert str(parse_position(f"9s/3s2r2g2b2s/Kb/4s p2 {PLAYED}")) == f"{HANDS} p2 {PLAYED}"


WRONG = [
    ("", "a position has 8 fields, not 1"),
    (f"{HANDS} p2", "a position has 8 fields, not 2"),
    (f"{HANDS} p2 {PLAYED} -", "a position has 8 fields, not 9"),
    (f"{HANDS}  p2 {PLAYED}", "a position has 8 fields, not 9"),
    # Hands.
    (f"9s/9s/Kb/4s p2 {PLAYED}", "hands: 9s twice"),
    (f"9s/Dr/Kb/4sDr p2 {PLAYED}", "hands: Dr twice"),
    (f"9s/DrDr/Kb/4s p2 {PLAYED}", "hands: Dr twice in 'DrDr'"),
    (f"9s/Kb/4s p2 {PLAYED}", "hands: four seats are separated by '/', not 3"),
    (f"9s/Kb/4s/4b/4g p2 {PLAYED}", "hands: four seats are separated by '/', not 5"),
    (f"9s/*5/Kb/4s p2 {PLAYED}", "hands: no card '*5' in '*5'"),
    (f"9s/??/Kb/4s p2 {PLAYED}", "hands: no card '??' in '??'"),
    (f"9s//Kb/4s p2 {PLAYED}", "hands: no cards '': every card is two characters"),
    (f"9s/10s/Kb/4s p2 {PLAYED}", "hands: no cards '10s': every card is two characters"),
    (f"9s/P7/Kb/4s p2 {PLAYED}", "hands: no card 'P7' in 'P7'"),
    (f"{DEALT[2:]} x0123 {AFRESH}", "hands: seat 0 has 13 cards, not 14"),
    (f"{DEALT[2:]}Ma p3 {AFRESH}", "hands: seat 3 has 15 cards, not 14"),
    (f"{DEALT}2s p3 {AFRESH}", "hands: 2s twice"),
    (f"{GRAND}2s g0123 {AFRESH}", "hands: 2s twice"),
    (f"{GRAND[2:]} g0123 {AFRESH}", "hands: seat 0 has 7+6 cards, not 8+6"),
    (
        f"{DEALT} g0123 {AFRESH}",
        "hands: seat 0 is written eight+six during the Grand calls, not 'Ma2s3s4s5s6s7s8s9sTsJsQsKsAs'",
    ),
    (f"{GRAND} x0123 {AFRESH}", "hands: no cards 'Ma2s3s4s5s6s7s8s+9sTsJsQsKsAs': every card is two characters"),
    # Phase.
    (f"{HANDS} q2 {PLAYED}", "phase: no phase 'q2'"),
    (f"{HANDS} 2 {PLAYED}", "phase: no phase '2'"),
    (f"{HANDS} p4 {PLAYED}", "phase: no phase 'p4'"),
    (f"{HANDS} p {PLAYED}", "phase: phase p does not go with the seats ''"),
    (f"{HANDS} p12 {PLAYED}", "phase: phase p does not go with the seats '12'"),
    (f"{HANDS} b1 {PLAYED}", "phase: phase b does not go with the seats '1'"),
    (f"{HANDS} e0 {PLAYED}", "phase: phase e does not go with the seats '0'"),
    (f"{GRAND} g {AFRESH}", "phase: phase g does not go with the seats ''"),
    (f"{GRAND} g10 {AFRESH}", "phase: phase g does not go with the seats '10'"),
    (f"{GRAND} g00 {AFRESH}", "phase: phase g does not go with the seats '00'"),
    (f"{HANDS} p0 {PLAYED}", "phase: it cannot be the turn of seat 0"),
    ("9s/-/Kb/4s p1 0:As 90/0/0/0 - ---- 1 -/-/-/-", "phase: it cannot be the turn of seat 1"),
    (f"{HANDS} t1 {PLAYED}", "phase: seat 0 played last, not 1"),
    (f"{HANDS} w1 0:Ma 90/0/0/0 - ---- - -/-/-/-", "phase: seat 0 played last, not 1"),
    (f"{HANDS} w0 {PLAYED}", "phase: a wish follows the Mah Jong"),
    (f"{HANDS} w0 0:Ma 90/0/0/0 8 ---- - -/-/-/-", "phase: a wish follows the Mah Jong"),
    (f"{DEALT} p2 {AFRESH}", "phase: the Mah Jong leads"),
    (f"{HANDS} b10 {PLAYED}", "phase: nobody is asked to bomb under bombs=anytime"),
    (f"{HANDS} e {LED}", "phase: e does not go with 0 seats out"),
    ("9s/-/Kb/- p0 - 90/0/0/0 - ---- 13 -/-/-/-", "phase: p does not go with 2 seats out"),
    ("9s/-/-/- p0 3:As 100/0/0/0 - ---- 123 -/-/-/-", "phase: p does not go with 3 seats out"),
    ("9s/-/-/- t3 3:As 100/0/0/0 - ---- 123 -/-/-/-", "phase: t does not go with 3 seats out"),
    ("-/2s/-/- t0 0:Dr 75/0/0/0 - ---- 032 -/-/-/-", "phase: t does not go with 3 seats out"),
    # Table.
    (f"{HANDS} p2 As 90/0/0/0 - ---- - -/-/-/-", "table: not a seat and a combination: 'As'"),
    (f"{HANDS} p2 4:As 90/0/0/0 - ---- - -/-/-/-", "table: not a seat and a combination: '4:As'"),
    (f"{HANDS} p2 0=As 90/0/0/0 - ---- - -/-/-/-", "table: not a seat and a combination: '0=As'"),
    (f"{HANDS} p2 0: 90/0/0/0 - ---- - -/-/-/-", "table: no cards '': every card is two characters"),
    (f"{HANDS} p2 0:9s 90/0/0/0 - ---- - -/-/-/-", "table: 9s is in a hand"),
    (f"{HANDS} p2 0:KsAs 90/0/0/0 - ---- - -/-/-/-", "table: 'KsAs' is not a combination"),
    (f"{HANDS} p2 0:Do 90/0/0/0 - ---- - -/-/-/-", "table: the Dog does not stay on the table"),
    (f"{HANDS} p2 0:P0 90/0/0/0 - ---- - -/-/-/-", "table: no rank '0'"),
    (f"{HANDS} p2 0:AsPh 90/0/0/0 - ---- - -/-/-/-", "table: say what the Phoenix stands for in 'AsPh': AsPA"),
    (f"{HANDS} p2 0:6s6b6g7s7b7g 90/0/0/0 - ---- - -/-/-/-", "table: these rules have no stacked stairs"),
    (f"{DEALT.replace('As', '').replace('Ab', '')} p3 0:AsAb 0/0/0/0 - ---- - -/-/-/-", "table: seat 0 had 15 cards"),
    ("7s7b7g7r/Ks/Kb/4s p2 0:P7 105/0/0/0 - ---- - -/-/-/-", "table: the Phoenix lies on a 7, and none is played"),
    (f"{HANDS} w0 {LED}", "table: empty in phase w"),
    (f"{HANDS} t0 {LED}", "table: empty in phase t"),
    ("-/Kb/-/4s e 2:As 90/0/0/0 - ---- 02 -/-/-/-", "table: not empty in phase e"),
    # Points.
    (f"{HANDS} p2 - 90/0/0 - ---- - -/-/-/-", "points: four seats are separated by '/', not 3"),
    (f"{HANDS} p2 - 90/0/0/x - ---- - -/-/-/-", "points: not card points: 'x'"),
    (f"{HANDS} p2 - 91/-1/0/0 - ---- - -/-/-/-", "points: not card points: '91'"),
    (f"{HANDS} p2 - 090/0/0/0 - ---- - -/-/-/-", "points: not card points: '090'"),
    (f"{HANDS} p2 - 130/-40/0/0 - ---- - -/-/-/-", "points: not card points: '130'"),
    (f"{HANDS} p2 - 80/0/0/0 - ---- - -/-/-/-", "points: 80 with an empty table, not 90"),
    (f"{GRAND} g0123 - 5/0/0/0 - ---- - -/-/-/-", "points: 5 with an empty table, not 0"),
    (f"{HANDS} p2 0:As 125/0/0/0 - ---- - -/-/-/-", "points: -35 on the table cannot be"),
    (f"{HANDS}Ph p2 0:Dr 115/0/0/0 - ---- - -/-/-/-", "points: 0 on the table cannot be"),
    (f"{DEALT} p0 - 25/-25/0/0 - ---- - -/-/-/-", "points: 25/-25/0/0 cannot be won with the cards played"),
    (f"{HANDS}Ph p2 - 120/-5/0/0 - ---- - -/-/-/-", "points: 120/-5/0/0 cannot be won with the cards played"),
    (f"{HANDS} p2 - 115/-5/-20/0 - ---- - -/-/-/-", "points: 115/-5/-20/0 cannot be won with the cards played"),
    # Wish.
    (f"{HANDS} p2 - 90/0/0/0 1 ---- - -/-/-/-", "wish: no rank '1'"),
    (f"{HANDS} p2 - 90/0/0/0 10 ---- - -/-/-/-", "wish: no rank '10'"),
    (f"Ma{HANDS} p2 - 90/0/0/0 8 ---- - -/-/-/-", "wish: the Mah Jong is in a hand"),
    # Calls.
    (f"{HANDS} p2 - 90/0/0/0 - --- - -/-/-/-", "calls: not four calls: '---'"),
    (f"{HANDS} p2 - 90/0/0/0 - --X- - -/-/-/-", "calls: not four calls: '--X-'"),
    (f"{HANDS} p2 - 90/0/0/0 - --?- - -/-/-/-", "calls: not four calls: '--?-'"),
    (f"{GRAND} g013 - 0/0/0/0 - --T- - -/-/-/-", "calls: seat 2 cannot have called yet"),
    (f"{GRAND} g0123 - 0/0/0/0 - G--- - -/-/-/-", "calls: seat 0 cannot have called yet"),
    # Order of going out.
    (f"{HANDS} p2 - 90/0/0/0 - ---- 0 -/-/-/-", "order out: exactly the seats without cards are out"),
    ("-/Kb/4s/4b p2 - 90/0/0/0 - ---- - -/-/-/-", "order out: exactly the seats without cards are out"),
    ("-/Kb/-/4b p1 - 90/0/0/0 - ---- 22 -/-/-/-", "order out: not an order of seats: '22'"),
    ("-/Kb/-/4b p1 - 90/0/0/0 - ---- 0123 -/-/-/-", "order out: not an order of seats: '0123'"),
    ("-/Kb/-/4b p1 - 90/0/0/0 - ---- 4 -/-/-/-", "order out: not an order of seats: '4'"),
    # Exchange.
    (f"{HANDS} p2 - 90/0/0/0 - ---- - -/-/-", "exchange: four seats are separated by '/', not 3"),
    (f"{HANDS} p2 - 90/0/0/0 - ---- - 8s7s/-/-/-", "exchange: seat 0 gives three cards, not '8s7s'"),
    (f"{HANDS} p2 - 90/0/0/0 - ---- - 8s8s7s/-/-/-", "exchange: a card is given twice in '8s8s7s/-/-/-'"),
    (f"{HANDS} p2 - 90/0/0/0 - ---- - 8s7s6s/8s3g3r/-/-", "exchange: a card is given twice in '8s7s6s/8s3g3r/-/-'"),
    (f"{HANDS} p2 - 90/0/0/0 - ---- - 8s7s??/-/-/-", "exchange: a position has no hidden cards"),
    (f"{HANDS} p2 - 90/0/0/0 - ---- - 8s7s9s/-/-/-", "exchange: 9s is not with seat 3"),
    (f"{HANDS} p2 - 90/0/0/0 - ---- - 8s7s6s/-/-/-", "exchange: all four give or none"),
    (f"{DEALT} x123 - 0/0/0/0 - ---- - Ma2s2b/-/-/-", "exchange: 2b is not with seat 0"),
    (
        f"{DEALT} x0123 - 0/0/0/0 - ---- - Ma2s3s/-/-/-",
        "exchange: exactly the seats that have chosen are no longer pending",
    ),
    (f"{DEALT} x123 {AFRESH}", "exchange: exactly the seats that have chosen are no longer pending"),
    (f"{GRAND} g0123 - 0/0/0/0 - ---- - 2b2g2r/3g3r3s/4r4s4b/5s5b5g", "exchange: all four give or none"),
]


@pytest.mark.parametrize(("text", "message"), WRONG)
def test_what_is_no_position_gets_an_error_that_names_the_field(text: str, message: str) -> None:
    with pytest.raises(NotationError) as error:
        parse_position(text)
    assert str(error.value) == message


@pytest.mark.parametrize(
    ("text", "rules", "message"),
    [
        (f"{HANDS} p2 - 90/0/0/0 8 ---- - -/-/-/-", "simple", "wish: these rules have none"),
        (f"{HANDS} w0 0:Ma 90/0/0/0 - ---- - -/-/-/-", "simple", "wish: these rules have none"),
        (
            f"{HANDS} b30 {PLAYED}",
            "courtesy",
            "phase: seat 3 is asked and has no bomb that beats the table",
        ),
        (
            f"{HANDS} b10 0:3b3g3r4b4g 90/0/0/0 - ---- - -/-/-/-",
            "single-round",
            "phase: nobody is asked to bomb under bombs=in-turn",
        ),
        (f"{HANDS} b10 {LED}", "courtesy", "table: empty in phase b"),
        (f"{HANDS} p3 0:Ma 90/0/0/0 - ---- - -/-/-/-", "classic", "wish: the Mah Jong brings one under wish=must"),
        (
            f"{HANDS} p2 - 90/0/0/0 - -G-- - -/-/-/-",
            "standard grand=no",
            "calls: under these rules nobody calls Grand Tichu",
        ),
        (
            f"{HANDS} p2 - 90/0/0/0 - -G-- - -/-/-/-",
            "standard calls=auto",
            "calls: under these rules nobody calls Grand Tichu",
        ),
        (
            f"{DEALT} x0123 - 0/0/0/0 - T--- - -/-/-/-",
            "standard tichu_from=play",
            "calls: under these rules nobody calls Tichu during the exchange",
        ),
        (
            f"{DEALT} x0123 - 0/0/0/0 - T--- - -/-/-/-",
            "standard calls=auto",
            "calls: under these rules nobody calls Tichu during the exchange",
        ),
        (f"{GRAND} g0123 {AFRESH}", "standard grand=no", "phase: these rules have no g"),
        (f"{DEALT} x0123 {AFRESH}", "standard exchange=no", "phase: these rules have no x"),
        (
            f"{HANDS} p2 0:As 90/0/0/0 - ---- - 8s7s6s/Kb3b5s/Ts3g3s/9sTb8b",
            "standard exchange=no",
            "exchange: these rules have none",
        ),
        (
            "-/2s2b2g2r3s/Kb/4s b10 2:As 90/0/0/0 - ---- 0 -/-/-/-",
            "courtesy",
            "phase: seat 0 is out and cannot have passed",
        ),
        (
            "-/-/-/- b10 - 25/25/25/25 - ---- 012 -/-/-/-",
            "courtesy",
            "order out: exactly the seats without cards are out",
        ),
    ],
)
def test_what_is_no_position_under_some_rules(text: str, rules: str, message: str) -> None:
    with pytest.raises(NotationError) as error:
        parse_position(text, Rules.parse(rules))
    assert str(error.value) == message


def test_points_under_the_top_may_be_any_that_cards_can_make() -> None:
    for points in range(-25, 126, 5):
        text = f"{HANDS} p2 0:As {points}/0/0/0 - ---- - -/-/-/-"
        on_table = 90 - points
        if -25 <= on_table <= 115:
            assert parse_position(text).points_on_table == on_table
        else:
            with pytest.raises(NotationError):
                parse_position(text)


def test_every_phase_is_read() -> None:
    assert {phase.value for phase in Phase} == set("gxpwtbe")
