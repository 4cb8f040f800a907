"""Reading BrettspielWelt logs that are written here, line by line."""

import pytest

from tests.formats.table import (
    BOMBS,
    EIGHTS,
    GIFTS,
    HANDS,
    NAMES,
    ONLY_A_QUEEN_LEFT,
    PLAYS,
    SUITED,
    TO_THE_LAST_TRICK,
    WHOLE,
    WHOLE_IN_TTN,
    actions,
    fault,
    one_round,
    opening,
    passes,
    play,
    plays_of,
    text_of,
)
from tichu import PRESETS, NotationError, RoundRecord, replay
from tichu.formats.bsw import read_tch

OPENING = opening()
LOG = text_of(OPENING, play(WHOLE))

#: Seat 1 has the Phoenix's trick, then leads all it has but the Dragon.
ONLY_THE_DRAGON_LEFT = ", ".join(
    [
        "0: Hu, 2: S6, 3 passt., 0 passt., 1: Ph",
        *(f"{passes(2, 3, 0, 1)}, 1: S{rank} B{rank} G{rank} R{rank}" for rank in (5, 7, 8)),
        passes(2, 3, 0, 1),
    ]
)


def log(short: str) -> str:
    return text_of(OPENING, play(short))


def tail(short: str, number: int) -> str:
    """The last actions of what is played."""
    return " ".join(plays_of(log(short)).split()[-number:])


def notes(text: str) -> list[str]:
    return [note.partition(": ")[2] for note in read_tch(text).notes]


# A round that is whole.


def test_a_round_is_read_action_by_action() -> None:
    reading = read_tch(LOG)
    assert reading.rules == PRESETS["brettspielwelt"]
    assert reading.seats == NAMES
    assert reading.notes == ()
    assert actions(LOG) == WHOLE_IN_TTN
    assert one_round(LOG).score == (0, 200)
    assert [*replay(one_round(LOG), reading.rules)][-1].is_over


def test_rounds_come_one_after_another() -> None:
    assert read_tch(LOG * 3).rounds == (one_round(LOG),) * 3


# Taking a trick.


def test_the_owner_passes_to_take() -> None:
    assert tail(f"0: S4, 1: R8, {passes(2, 3, 0)}", 5) == "0:4s 1:8r 2:- 3:- 0:-"
    assert tail(f"0: S4, 1: R8, {passes(2, 3, 0, 1)}", 3) == "3:- 0:- 1!"


def test_an_owner_who_is_out_takes_without_a_line() -> None:
    assert tail(f"{ONLY_A_QUEEN_LEFT}, 3: RD, {passes(0, 1, 2)}, 0: R2", 6) == "3:Qr 0:- 1:- 2:- 3! 0:2r"
    assert tail(f"{ONLY_A_QUEEN_LEFT}, 3: RD, {passes(0, 1, 2)}", 2) == "2:- 3!"
    assert tail(f"{ONLY_A_QUEEN_LEFT}, 3: RD, {passes(0, 1, 2)}, Tichu: 1, 0: R2", 4) == "2:- 3! 1+T 0:2r"
    assert tail(f"{ONLY_A_QUEEN_LEFT}, 3: RD, {passes(0, 1, 2)}, Tichu: 1", 3) == "2:- 3! 1+T"


def test_an_owner_who_is_out_may_have_a_line() -> None:
    assert tail(f"{ONLY_A_QUEEN_LEFT}, 3: RD, {passes(0, 1, 2, 3)}, 0: R2", 3) == "2:- 3! 0:2r"


def test_a_bomb_on_the_trick_of_an_owner_who_is_out() -> None:
    trick = f"{ONLY_A_QUEEN_LEFT}, 3: RD, {passes(0, 1, 2)}"
    assert tail(f"{trick}, 1: S5 B5 G5 R5", 2) == "2:- 1:5s5b5g5r"
    assert tail(f"{trick}, Tichu: 1, 1: S5 B5 G5 R5", 3) == "2:- 1+T 1:5s5b5g5r"
    # Seat 0 is to lead next, and the trick was taken with the last pass.
    assert tail(f"{trick}, 0: S4 B4 G4 R4", 3) == "2:- 3! 0:4s4b4g4r"


def test_a_bomb_instead_of_taking() -> None:
    assert tail(f"0: S4, 1: R7, {passes(2, 3, 0)}, 1: S5 B5 G5 R5", 2) == "0:- 1:5s5b5g5r"


# The Dragon.


def test_the_dragon_is_given() -> None:
    trick = f"0: S4, 1: Dr, {passes(2, 3, 0, 1)}"
    assert tail(f"{trick}, Drache an: 0", 2) == "0:- 1!0"
    assert tail(f"{trick}, Tichu: 3, Drache an: 2, 1: R5", 3) == "3+T 1!2 1:5r"
    assert tail(f"0: S4, 1: Dr, {passes(2, 3, 0)}, Drache an: 2", 2) == "0:- 1!2"


def test_the_dragon_of_an_owner_who_is_out_is_given() -> None:
    trick = f"{ONLY_THE_DRAGON_LEFT}, 1: Dr, {passes(2, 3, 0)}"
    assert tail(f"{trick}, Drache an: 0, 2: B6", 3) == "0:- 1!0 2:6b"
    assert tail(trick, 2) == "3:- 0:-"
    assert tail(f"{trick}, Tichu: 3, Drache an: 0", 3) == "0:- 3+T 1!0"
    assert tail(f"{trick}, 2: S9 B9 G9 R9", 2) == "0:- 2:9s9b9g9r"


def test_the_dragon_that_ends_the_round_is_given() -> None:
    outs = [
        f"{ONLY_A_QUEEN_LEFT}, 3: RD, {passes(0, 1, 2)}, 0: S2, 1 passt., 2: SA, {passes(0, 1, 2)}, 2: BA",
        *(f"{passes(0, 1, 2)}, 2: {cards}" for cards in ("S6 B6 G6 R6", "B9 G9 R9", "S10 B10 G10 R10")),
        f"{passes(0, 1)}, 0: S3, 1: Ph, 0 passt., 1 passt.",
        *(f"1: S{rank} B{rank} G{rank} R{rank}, {passes(0, 1)}" for rank in (5, 7, 8)),
        "1: Dr",
    ]
    text = log(f"{', '.join(outs)}, Drache an: 0, Ergebnis: 40 - 60")
    assert plays_of(text).endswith("1:Dr 1!0")
    assert one_round(text).score == (40, 60)
    assert [*replay(one_round(text), PRESETS["brettspielwelt"])]
    unfit = log(f"{', '.join(outs)}, Ergebnis: 40 - 60")
    assert "1!: the Dragon's trick must be given to an opponent: 'Ergebnis" in fault(unfit)


def test_what_becomes_of_a_dragon_that_is_not_given() -> None:
    trick = f"0: S4, 1: Dr, {passes(2, 3, 0, 1)}"
    assert tail(trick, 1) == "0:-"
    assert notes(log(trick))[0] == "the Dragon's trick is taken and not given: the take is left out"
    assert tail(f"{trick}, 1: S5 B5 G5 R5", 2) == "0:- 1:5s5b5g5r"
    assert notes(log(f"{trick}, 1: S5 B5 G5 R5"))[0].startswith("the Dragon's trick is taken and not given")
    assert "1!: the Dragon's trick must be given to an opponent: '(1)Ben: R5 '" in fault(log(f"{trick}, 1: R5"))


# The wish.


@pytest.mark.parametrize(("logged", "rank"), [("2", "2"), ("10", "T"), ("B", "J"), ("D", "Q"), ("K", "K"), ("A", "A")])
def test_a_wish(logged: str, rank: str) -> None:
    assert plays_of(log(f"0: Ma, Wunsch:{logged}, 1: R5")) == f"0:Ma 0?{rank} 1:5r"


def test_no_line_is_no_wish() -> None:
    assert plays_of(log("0: Ma, 1: R5")) == "0:Ma 0?- 1:5r"
    assert plays_of(log("0: Ma, 1 passt.")) == "0:Ma 0?- 1:-"
    assert plays_of(log("0: Ma, Tichu: 1, 1: R5")) == "0:Ma 0?- 1+T 1:5r"


def test_at_the_end_of_the_file_the_wish_is_open() -> None:
    assert plays_of(log("0: Ma")) == "0:Ma"
    assert plays_of(log("0: Ma, Tichu: 1")) == "0:Ma 1+T"


def test_a_call_before_the_wish() -> None:
    assert plays_of(log("0: Ma, Tichu: 1, Wunsch:5")) == "0:Ma 1+T 0?5"


MAH_JONG_LAST = ", ".join(
    [
        "0: Hu, 2: SA BA, 3 passt., 0 passt., 1 passt., 2 passt.",
        *(f"2: S{rank} B{rank} G{rank} R{rank}, {passes(3, 0, 1, 2)}" for rank in (6, 9)),
        f"2: S10 B10 G10 R10, {passes(3, 0, 1)}, 3: RK, 0: S4 B4 G4 R4, {passes(1, 3, 0)}",
        *(f"0: S{rank} B{rank} G{rank} R{rank}, {passes(1, 3, 0)}" for rank in (3, 2)),
        "0: Ma",
    ]
)


def test_what_comes_after_the_last_play_is_left_out() -> None:
    text = log(f"{MAH_JONG_LAST}, Wunsch:A, Drache an: 1, Ergebnis: 200 - 0")
    assert plays_of(text).endswith("0:Ma")
    assert notes(text) == [
        "left out, the round is over: 'Wunsch:A'",
        "left out, the round is over: 'Drache an: (1)Ben'",
    ]
    assert [*replay(one_round(text), PRESETS["brettspielwelt"])]


# Calls.


def test_calls_stand_where_they_were_made() -> None:
    text = text_of(opening(calls="31", before="2"), play("0: Ma, Tichu: 0"))
    assert fault(text).endswith("0+T: a call must come before the first card: 'Tichu: (0)Ada'")
    text = text_of(opening(calls="31", before="2"), play("Tichu: 0, 0: Hu"))
    assert actions(text) == "0-G 1+G 2-G 3+G 2+T 0>5s6sJs 1>6bJb2s 2>Jg2b5b 3>2g5g6g 0+T 0:Do"


def test_a_call_among_the_lines_of_the_exchange_was_made_before_it() -> None:
    lines = opening()
    lines.insert(13, "Tichu: (3)Dov")
    assert actions(text_of(lines)).startswith("0-G 1-G 2-G 3-G 3+T 0>5s6sJs")
    lines = opening()
    lines.insert(15, "Tichu: (3)Dov")
    assert actions(text_of(lines)).endswith("3>2g5g6g 3+T")


def test_nobody_calls_both() -> None:
    text = text_of(opening(calls="2", before="2"))
    assert fault(text) == "line 12: 2+T: this seat has called: 'Tichu: (2)Cho'"


@pytest.mark.parametrize("calls", ["11", "131"])
def test_a_doubled_grand_tichu(calls: str) -> None:
    text = text_of(opening(calls=calls))
    assert actions(text).startswith("0-G 1+G 2-G ")
    assert "told before, read once: 'Grosses Tichu: (1)Ben'" in notes(text)


@pytest.mark.parametrize("between", ["", "0: S4, "])
def test_a_doubled_tichu(between: str) -> None:
    text = log(f"Tichu: 3, {between}Tichu: 3")
    assert plays_of(text).startswith("3+T")
    assert "told before, read once: 'Tichu: (3)Dov'" in notes(text)


def test_every_line_may_be_doubled() -> None:
    lines = [line for line in LOG.split("\n")[:-1] for _ in range(2)]
    assert read_tch(text_of(lines)).rounds == (one_round(LOG),)
    assert len(read_tch(text_of(lines)).notes) == LOG.count("\n")


# The Phoenix.


@pytest.mark.parametrize(
    ("logged", "combo"),
    [
        ("Ph B10 B9 B8 B7", "7b8b9bTbPJ"),
        ("BB Ph B9 B8 B7", "7b8b9bPTJb"),
        ("B10 B9 B8 B7 Ph", "P67b8b9bTb"),
        ("BA BK BD BB Ph", "PTJbQbKbAb"),
    ],
)
def test_where_the_phoenix_stands_in_a_straight_tells_what_it_is(logged: str, combo: str) -> None:
    text = text_of(opening(deal=SUITED), play(f"0: S5 S4 S3 S2 Ma, 1: {logged}"))
    assert plays_of(text) == f"0:Ma2s3s4s5s 0?- 1:{combo}"
    assert notes(text)[0].startswith("the log of the round ends here")


@pytest.mark.parametrize(
    ("logged", "combo"),
    [
        ("Ph G7 R7", "7g7rP7"),
        ("G7 Ph R7", "7g7rP7"),
        ("G8 R8 Ph R7", "7rP78g8r"),
        ("Ph G8 R7 S7", "7s7r8gP8"),
        ("Ph R8 G7 R7 S7", "7s7g7r8rP8"),
        ("G8 R8 G7 R7 Ph", "7g7rP78g8r"),
        ("Ph G8 R8 G7 R7", "7g7r8g8rP8"),
    ],
)
def test_where_the_phoenix_stands_tells_what_it_is(logged: str, combo: str) -> None:
    lead = {3: "0: S2 B2 G2", 4: "0: S3 B3 S2 B2", 5: "0: S3 B3 S2 B2 G2"}[len(logged.split())]
    text = log(f"{lead}, 1: {logged}, 2 passt.")
    assert plays_of(text).endswith(f"1:{combo} 2:-")
    assert len(notes(text)) == 1


def test_a_full_house_that_can_be_either_is_read_as_the_higher() -> None:
    text = log("0: S3 B3 S2 B2 G2, 1: G7 R7 Ph G5 R5, 2: S9 B9 G9 S6 B6")
    assert plays_of(text) == "0:2s2b2g3s3b 1:5g5r7g7rP7 2:6s6b9s9b9g"
    assert read_tch(text).notes[0] == (
        "round 0, line 19: the Phoenix can be either, 5g5r7g7rP7 or 5g5rP57g7r: read as the first"
    )


def test_a_full_house_is_read_as_the_rest_of_the_round_needs_it() -> None:
    text = log("0: S3 B3 S2 B2 G2, 1: G7 R7 Ph G5 R5, 2: S9 B9 S6 B6 G6")
    assert plays_of(text) == "0:2s2b2g3s3b 1:5g5rP57g7r 2:6s6b6g9s9b"
    assert len(notes(text)) == 1


def test_where_no_reading_fits_the_error_is_that_of_the_one_that_goes_farther() -> None:
    text = log("0: S3 B3 S2 B2 G2, 1: G7 R7 Ph G5 R5, 2: S9 B9 S6 B6 G6, 0 passt.")
    assert fault(text) == "line 21: 0:-: it is not this seat's turn: '(0)Ada passt.'"


def test_a_phoenix_out_of_order_is_read_as_what_is_legal() -> None:
    either = text_of(opening(deal=SUITED), play("0: S5 S4 S3 S2 Ma, 1: B4 Ph B5 B6 B7"))
    assert plays_of(either).endswith("1:4b5b6b7bP8")
    assert notes(either)[0] == "the Phoenix can be either, 4b5b6b7bP8 or P34b5b6b7b: read as the first"
    neither = text_of(opening(deal=SUITED), play("0: S6 S5 S4 S3 S2 Ma, 1: B4 Ph B5 B6 B7"))
    assert fault(neither).endswith("1:P34b5b6b7b: it does not beat the table: '(1)Ben: B4 Ph B5 B6 B7 '")


# Who holds a bomb.


def test_the_line_about_bombs_may_be_missing_or_late() -> None:
    assert read_tch(text_of(opening(bombs=""))).rounds == read_tch(text_of(opening())).rounds
    assert plays_of(log("BOMBE: (0)Ada (1)Ben (2)Cho (3)Dov , 0: S4")) == "0:4s"


def test_a_wrong_line_about_bombs_is_told() -> None:
    text = text_of(opening(bombs="BOMBE: (0){0} (2){2} "), play(WHOLE))
    assert notes(text) == ["after the exchange 0 1 2 3 holds a bomb, not: 'BOMBE: (0)Ada (2)Cho '"]


# Names.


@pytest.mark.parametrize(
    "names",
    [
        ("Tichu:", "Grosses Tichu: (0)", "x passt.", "y: S4 "),
        ("", " ", "a b", "(1)c"),
        ("Mr Dr", "S4 B4", "gibt: ", "10 R10"),
        ("BOMBE: (1)", "{1}", "Ben", 'Ö"\\;]'),
    ],
)
def test_a_player_may_have_any_name(names: tuple[str, ...]) -> None:
    text = text_of(opening(calls="1", before="2", names=names, bombs=""), play(WHOLE, names))
    assert read_tch(text).seats == names
    assert one_round(text).score == (0, 200)


def test_names_that_hold_seats_make_the_line_about_bombs_hard_to_read() -> None:
    text = text_of(opening(names=("a (1)b", "c", "d", "e")))
    assert notes(text)[0].startswith("after the exchange 0 1 2 3 holds a bomb, not")


def test_a_name_that_changes_is_told() -> None:
    lines = [*opening(), *play("0: S4"), *play("1: R5, 2 passt.", ("", "Eve", "Cho", ""))]
    reading = read_tch(text_of(lines))
    assert reading.seats == NAMES
    assert reading.notes[0] == "round 0, line 19: seat 1 is called 'Eve' from here on, before 'Ben'"
    again = read_tch(text_of(lines, opening(names=("Ada", "Eve", "Cho", "Dov"))))
    assert len([note for note in again.notes if "called" in note]) == 1


# Ends of lines and files.


def test_lines_may_end_in_cr_lf() -> None:
    assert read_tch(LOG.replace("\n", "\r\n")).rounds == read_tch(LOG).rounds
    reading = read_tch(LOG.replace("\n", "\r\n", 5))
    assert reading.rounds == read_tch(LOG).rounds
    assert reading.notes == ("some lines end in CR LF, some in LF: written again, all will end in LF",)


def test_blank_lines_say_nothing() -> None:
    lines = [line for old in LOG.split("\n") for line in (" ", old, "")]
    assert read_tch(text_of(lines)).rounds == read_tch(LOG).rounds


def test_blanks_at_the_end_of_lines_may_be_missing() -> None:
    assert read_tch(text_of([line.rstrip() for line in LOG.split("\n")])).rounds == read_tch(LOG).rounds


def test_a_whole_last_line_needs_no_end() -> None:
    assert read_tch(LOG.rstrip("\n")).rounds == read_tch(LOG).rounds
    assert plays_of(log("0: S4, 1 passt.").rstrip("\n")) == "0:4s 1:-"
    assert plays_of(log("0: S4, 1 passt.") + "  ") == "0:4s 1:-"


@pytest.mark.parametrize(
    "last", ["0: S4", "0: Ma, Wunsch:A", "Tichu: 2", f"{TO_THE_LAST_TRICK}, 1: Ph R8, Ergebnis: 0 - 20"]
)
def test_a_last_line_that_may_be_cut_is_an_error(last: str) -> None:
    text = log(last)[:-1]
    number = text.count("\n") + 1
    assert fault(text).startswith(f"line {number}: the file ends in the middle of this line: ")


def test_a_file_cut_anywhere_gives_what_it_holds() -> None:
    whole = one_round(LOG)
    dealt = LOG.index(f"{GIFTS}\n")
    for end in range(1, len(LOG)):
        text = LOG[:end]
        (one,) = read_tch(text).rounds
        if isinstance(one, NotationError):
            assert str(one).startswith(f"line {len(text.splitlines())}: ")
            assert end < dealt or text[-1] != "\n"
        else:
            assert end >= dealt
            assert text.endswith(("\n", "passt.", "Ergebnis: 0 - 200"))
            assert one.actions == whole.actions[: len(one.actions)]


def test_a_cut_round_does_not_hide_the_one_before() -> None:
    whole = one_round(LOG)
    for end in range(1, len(LOG), 19):
        assert read_tch(LOG + LOG[:end]).rounds[0] == whole


# Rounds that stop.


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (opening()[:10], ""),
        (opening(calls="2")[:11], "2+G"),
        (opening(before="2")[:11], "0-G 1-G 2-G 3-G 2+T"),
        (opening()[:11], "0-G 1-G 2-G 3-G"),
        (opening()[:13], "0-G 1-G 2-G 3-G 0>5s6sJs 1>6bJb2s"),
        (opening()[:15], "0-G 1-G 2-G 3-G 0>5s6sJs 1>6bJb2s 2>Jg2b5b 3>2g5g6g"),
        (opening(), "0-G 1-G 2-G 3-G 0>5s6sJs 1>6bJb2s 2>Jg2b5b 3>2g5g6g"),
    ],
)
def test_a_round_that_stops_early_is_unfinished(lines: list[str], expected: str) -> None:
    assert actions(text_of(lines)) == expected
    assert one_round(text_of(lines)).score is None
    assert notes(text_of(lines)) == ["the log of the round ends here; it is not finished"]


def test_the_next_deal_ends_a_round() -> None:
    reading = read_tch(log("0: S4") + LOG)
    assert reading.notes == ("round 0, line 18: the log of the round ends here; it is not finished",)
    assert reading.rounds[1] == one_round(LOG)


def test_a_result_may_be_missing() -> None:
    reading = read_tch(LOG[: LOG.index("Ergebnis")] + LOG)
    assert len(reading.rounds) == 2
    assert notes(LOG[: LOG.index("Ergebnis")]) == ["the log of the round ends here; it is over, but has no result"]


# What is wrong.


@pytest.mark.parametrize("text", ["", "\n", "  \n\n", " "])
def test_an_empty_file(text: str) -> None:
    assert fault(text) == "line 1: the file is empty"


def change(old: str, new: str) -> str:
    assert old in LOG
    return LOG.replace(old, new, 1)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # Lines that are none.
        (f"hello\n{LOG}", "line 1: this stands outside a round: 'hello'"),
        (f"(0)Ada passt.\n{LOG}", "line 1: this stands outside a round: '(0)Ada passt.'"),
        (f"Tichu: (0)Ada\n{LOG}", "line 1: a round starts with its cards, not with this: 'Tichu: (0)Ada'"),
        (change(EIGHTS, "---Gr.Tichukarten---"), "line 1: this stands outside a round: '---Gr.Tichukarten---'"),
        (change(PLAYS, "?" * 90), f"line 17: this is not a line of a log: '{'?' * 80}...'"),
        (change("Dov: SK", "Dov; SK"), "line 21: this is not a line of this section: '(3)Dov; SK BK GK SD BD '"),
        (change(f"{PLAYS}\n", ""), "line 17: this is not a line of this section: '(0)Ada: S3 B3 S2 B2 G2 '"),
        (log("0: S4 " + "S4 " * 200), "line 18: this line is too long: '(0)Ada: S4 S4 "),
        # Seats and cards that do not exist.
        (change("(3)Dov: SK", "(4)Dov: SK"), "line 21: there is no seat '4': '(4)Dov: SK BK GK SD BD '"),
        (change("an: (2)", "an: (x)"), "line 61: there is no seat 'x': 'Drache an: (x)Cho'"),
        (change("Dov: SK", "Dov: S1"), "line 21: there is no card 'S1': '(3)Dov: S1 BK GK SD BD '"),
        (change("Dov: GB", "Dov: GX"), "line 14: this is not a line of this section: "),
        (log("0: Ma, Wunsch:1"), "line 19: this is not a line of a log: 'Wunsch:1'"),
        # Hands.
        (
            change("(0)Ada S4 S3", "(0)Ada S4 X3"),
            "line 2: 6 cards after 'X3', not 8: '(0)Ada S4 X3 B3 R3 G3 R2 Ma Hu '",
        ),
        (
            change("(0)Ada S4 S3", "(0)Ada S4 S4 S3"),
            "line 2: 9 cards, not 8: '(0)Ada S4 S4 S3 B3 R3 G3 R2 Ma Hu '",
        ),
        (
            change("(0)Ada S4 S3", "(0)Ada S3"),
            "line 2: 7 cards after 'Ada', not 8: '(0)Ada S3 B3 R3 G3 R2 Ma Hu '",
        ),
        (change("(0)Ada S4 S3", "(0)Ada S3 S3"), "line 2: 3s twice: '(0)Ada S3 S3 B3 R3 G3 R2 Ma Hu '"),
        (change("(1)Ben Dr Ph BB", "(1)Ben Dr Ph SB"), "line 8: Js dealt before: "),
        (change("(0)Ada S4 S3", "(0)Ada S4 SA"), "line 7: As missing, dealt among the first eight cards: "),
        (change("(1)Ben", "(0)Ada"), "line 3: seat 0 again: "),
        (change("(0)Ada gibt", "(1)Ada gibt"), "line 13: seat 1 again: "),
        # Sections.
        (change(f"{HANDS}\n", ""), "line 6: 14 cards, not 8: "),
        (change(HANDS, GIFTS), f"line 6: this section is out of place: '{GIFTS}'"),
        (text_of(OPENING[:4], OPENING[5:]), f"line 5: only 3 of four seats before this: '{HANDS}'"),
        (log(f"0: S4, {GIFTS}"), f"line 19: this section is out of place: '{GIFTS}'"),
        (text_of(OPENING[:9]), "line 9: the round breaks off before all cards are dealt: '(2)Cho "),
        (change(GIFTS, "Wunsch:4"), "line 11: this comes too early in the round: 'Wunsch:4'"),
        (change(GIFTS, BOMBS.format(*NAMES)), "line 11: this comes too early in the round: 'BOMBE: "),
        # Actions.
        (change("Ben: S5", "Ben: SA"), "line 12: 0>As6sJs: the cards are not in the hand: '(0)Ada gibt: "),
        (change("Ben: S5", "Ben: S6"), "line 12: 0>6s6sJs: the exchange takes three different cards: "),
        (log("0: S4 S4"), "line 18: 4s twice: '(0)Ada: S4 S4 '"),
        (log("0: SA"), "line 18: the cards are not in the hand: '(0)Ada: SA '"),
        (log("0: S4 S3"), "line 18: the cards are not a combination: '(0)Ada: S4 S3 '"),
        (log("1: S7"), "line 18: 1:7s: it is not this seat's turn: '(1)Ben: S7 '"),
        (log("0 passt."), "line 18: 0:-: the leader may not pass: '(0)Ada passt.'"),
        (log("0: S4, Wunsch:9"), "line 19: 1?9: this is not the time for that: 'Wunsch:9'"),
        (log("0: Ma, Wunsch:7, 1 passt."), "line 20: 1:-: the wish can be fulfilled and must be: '(1)Ben passt.'"),
        (log("0: S4, Drache an: 2"), "line 19: 3!2: this is not the time for that: 'Drache an: (2)Cho'"),
        (log("0: S4, Grosses Tichu: 2"), "line 19: 2+G: this is not the time for that: 'Grosses Tichu: (2)Cho'"),
        (log("0: S4, Ergebnis: 0 - 100"), "line 19: a result, but the round is not over: 'Ergebnis: 0 - 100'"),
        (change("Ergebnis", "(0)Ada passt.\nErgebnis"), "line 63: 0:-: the round is over: '(0)Ada passt.'"),
    ],
)
def test_what_is_wrong_is_told_with_the_line(text: str, expected: str) -> None:
    assert fault(text).startswith(expected)


def test_a_broken_round_does_not_hide_the_others() -> None:
    for number in range(LOG.count("\n")):
        lines = LOG.split("\n")[:-1]
        lines[number] = "garbage"
        rounds = read_tch(LOG + text_of(lines) + LOG).rounds
        assert [isinstance(one, RoundRecord) for one in rounds] == [True, False, True], lines[number]


def test_garbage_after_the_last_round_is_a_round_of_its_own() -> None:
    first, second = read_tch(f"{LOG}\ngarbage\n").rounds
    assert first == one_round(LOG)
    assert str(second) == "line 65: this stands outside a round: 'garbage'"


def test_the_score_is_taken_as_logged() -> None:
    assert one_round(change("0 - 200", "15 - -285")).score == (15, -285)
