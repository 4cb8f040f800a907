"""Writing BrettspielWelt logs: the same file again, or a refusal that names the place."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.formats.table import (
    ALTERNATING,
    NAMES,
    ONLY_A_QUEEN_LEFT,
    RANKED,
    SUITED,
    WHOLE,
    WHOLE_IN_TTN,
    one_round,
    opening,
    passes,
    play,
    text_of,
)
from tichu import (
    PRESETS,
    Action,
    CallTichu,
    Combo,
    NotationError,
    Phase,
    Record,
    Round,
    RoundRecord,
    Rules,
    deal_in_order,
    format_jsonl,
    format_record,
    parse_action,
    parse_record,
    read_jsonl,
)
from tichu.core.record import Tags
from tichu.formats.bsw import format_tch, read_tch
from tichu.formats.bsw.edits import apply_edits, edits_between

BSW = PRESETS["brettspielwelt"]
LOG = text_of(opening(), play(WHOLE))
UNTIL_EXCHANGE = "0-G 1-G 2-G 3-G 0>5s6sJs 1>6bJb2s 2>Jg2b5b 3>2g5g6g"


def log(short: str) -> str:
    return text_of(opening(), play(short))


def record(
    actions: str, score: tuple[int, int] | None = None, rules: str = "brettspielwelt", tags: Tags = ()
) -> Record:
    one = RoundRecord(one_round(LOG).deal, tuple(map(parse_action, actions.split())), score)
    return Record(Rules.parse(rules), (one,), NAMES, tags)


def refusal(game: Record) -> str:
    with pytest.raises(NotationError) as caught:
        format_tch(game)
    return str(caught.value)


# The same file again.


@pytest.mark.parametrize(
    "text",
    [
        LOG,
        LOG * 2,
        LOG.replace("\n", "\r\n"),
        LOG.rstrip("\n"),
        f"\n{LOG} \n\n{LOG}\n",
        text_of([line.rstrip() for line in LOG.split("\n")]),
        text_of(opening(calls="31", before="02")),
        text_of(opening(bombs="")),
        text_of(opening(bombs="BOMBE: (3){3} ")),
        text_of(opening(names=("a (1)b", "c", "d {1}", "")), play(WHOLE, ("a (1)b", "c", "d {1}", ""))),
        text_of(
            opening(names=("Tichu:", "Mr Dr", "S4 B4", '"\\;]')), play(WHOLE, ("Tichu:", "Mr Dr", "S4 B4", '"\\;]'))
        ),
        text_of(opening()[:10]),
        text_of(opening(calls="2")[:11]),
        text_of(opening(before="2")[:11]),
        text_of(opening()[:11]),
        text_of(opening()[:13]),
        text_of(opening()[:15]),
        text_of(opening()[:12], ["Tichu: (1)Ben"], opening()[12:]),
        log("0: S4") + LOG,
        log("0: Ma"),
        log("0: Ma, Tichu: 1, Wunsch:5"),
        log("0: Ma, Wunsch:5, 1: R5"),
        log(f"0: S4, 1: Dr, {passes(2, 3, 0, 1)}"),
        log(f"0: S4, 1: Dr, {passes(2, 3, 0, 1)}, Tichu: 3, Drache an: 2"),
        log(f"0: S4, 1: Dr, {passes(2, 3, 0)}, Drache an: 2"),
        log("0: S3 B3 S2 B2 G2, 1: G7 R7 Ph G5 R5, 2: B9 S9 G6 B6 S6"),
        log("0: S3 B3 S2 B2 G2, 1: G7 R7 Ph G5 R5, 2: S9 B9 G9 S6 B6"),
        log("0: S2 G2 R2 B3 S3, 1: Ph R8 B8 G7 R7"),
        log("0: S2 G2 R2, 1: R8 Ph B8"),
        text_of(opening(deal=SUITED), play("0: S5 S4 S3 S2 Ma, 1: B4 Ph B5 B6 B7")),
        text_of(opening(bombs="", deal=ALTERNATING), play("0: Ma, Wunsch:2, 1: S2")),
        log(f"{ONLY_A_QUEEN_LEFT}, 3: RD, {passes(0, 1, 2)}, 0: R2"),
        log(f"{ONLY_A_QUEEN_LEFT}, 3: RD, {passes(0, 1, 2, 3)}, 0: R2"),
        text_of(opening(), play("0: S4"), play("1: R5, 2 passt.", ("", "Eve", "Cho", "")))
        + text_of(opening(names=("Ada", "Eve", "Cho", "Dov")), play("0: S4")),
    ],
)
def test_what_was_read_is_written_as_it_was(text: str) -> None:
    game = read_tch(text).record()
    assert format_tch(game) == text
    assert format_tch(parse_record(format_record(game))) == text
    assert format_tch(read_jsonl(format_jsonl(game)).record()) == text


def test_whoever_holds_a_bomb_is_told() -> None:
    quiet = text_of(opening(bombs="", deal=ALTERNATING), play("0: Ma, Wunsch:2, 1: S2"))
    assert "BOMBE" not in format_tch(read_tch(quiet).record()._replace(tags=()))
    assert "\nBOMBE: (0)Ada (1)Ben (2)Cho (3)Dov \n" in format_tch(read_tch(LOG).record()._replace(tags=()))


def test_an_owner_who_is_out_takes_without_a_line() -> None:
    game = read_tch(log(f"{ONLY_A_QUEEN_LEFT}, 3: RD, {passes(0, 1, 2)}, 0: R2")).record()._replace(tags=())
    assert format_tch(game).endswith("\n(3)Dov: RD \n(0)Ada passt.\n(1)Ben passt.\n(2)Cho passt.\n(0)Ada: R2 \n")


def test_doubled_lines_are_written_once() -> None:
    text = text_of(opening(calls="13"), play("0: S4, Tichu: 2, 1: R5"))
    doubled = text_of(opening(calls="1131"), play("0: S4, Tichu: 2, Tichu: 2, 1: R5, Tichu: 2"))
    assert format_tch(read_tch(doubled).record()) == text


def test_where_cr_lf_and_lf_are_mixed_all_become_lf() -> None:
    assert format_tch(read_tch(LOG.replace("\n", "\r\n", 9)).record()) == LOG


def test_tags_are_short() -> None:
    assert read_tch(LOG).record().tags == (
        ("Tch0", ("sbrg/grbrgsb/gsrgsbr/srgbsgr", "rgbssbrg/sgrbrgsb/sbbgsrgsbr/grbsrgbsgr", "")),
    )
    usual = format_tch(read_tch(LOG).record()._replace(tags=()))
    assert read_tch(usual).record().tags == ()


def test_the_layout_is_worked_out_only_for_the_record(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tichu.formats.bsw.layout.layout_of", None)
    reading = read_tch(LOG)
    assert reading.tags == ()
    assert reading.check(0).score == (0, 200)
    with pytest.raises(TypeError):
        reading.record()


def test_equal_logs_are_read_as_equal() -> None:
    assert read_tch(LOG) == read_tch(LOG)
    assert read_tch(LOG) != read_tch(LOG.replace("\n", "\r\n"))


# Without tags.


def test_the_usual_look() -> None:
    lines = format_tch(record(WHOLE_IN_TTN, (0, 200), tags=(("Date", ("2026-11-15",)),))).split("\n")
    assert lines[1] == "(0)Ada S4 S3 B3 G3 R3 R2 Ma Hu "
    assert lines[7] == "(1)Ben Dr Ph BB S8 B8 G8 R8 S7 B7 G7 R7 B6 R5 S2 "
    assert lines[15:18] == [
        "BOMBE: (0)Ada (1)Ben (2)Cho (3)Dov ",
        "---------------Rundenverlauf------------------",
        "(0)Ada: S3 B3 S2 B2 G2 ",
    ]
    assert lines[-3:] == ["(1)Ben: Ph R8 ", "Ergebnis: 0 - 200", ""]


@pytest.mark.parametrize(
    ("combo", "logged"),
    [("5g5r7g7rP7", "Ph G7 R7 G5 R5 "), ("5g5rP57g7r", "G7 R7 G5 R5 Ph "), ("5g5r7s7gP7", "Ph S7 G7 G5 R5 ")],
)
def test_a_full_house_is_written_so_that_it_can_be_only_one(combo: str, logged: str) -> None:
    game = record(f"{UNTIL_EXCHANGE} 0:2s2b2g3s3b 1:{combo}")
    assert format_tch(game).endswith(f"(1)Ben: {logged}\n")


def test_the_order_of_simultaneous_decisions_is_not_kept() -> None:
    game = record("3-G 2+G 0-G 1-G 3>2g5g6g 1>6bJb2s 0>5s6sJs 2>Jg2b5b 0:Do")
    assert format_tch(game) == format_tch(record(f"{UNTIL_EXCHANGE} 0:Do".replace("2-G", "2+G")))


def test_other_rules_are_no_harm_where_the_actions_are_legal() -> None:
    game = record(WHOLE_IN_TTN, (0, 200), "brettspielwelt goal=target:500 wish=must bombs=in-turn")
    assert format_tch(game) == format_tch(record(WHOLE_IN_TTN, (0, 200)))


def test_a_wrong_score_is_written_as_it_is() -> None:
    assert format_tch(record(WHOLE_IN_TTN, (15, -285))).endswith("\nErgebnis: 15 - -285\n")


# What a log cannot hold.


@pytest.mark.parametrize(
    ("game", "expected"),
    [
        (
            Record(rounds=(one_round(LOG),)),
            "a .tch cannot express direction=ccw (the seats of a log play in the order 0, 1, 2, 3)",
        ),
        (
            record("", rules="brettspielwelt grand=no"),
            "a .tch cannot express grand=no (a log begins with the decisions about Grand Tichu)",
        ),
        (
            record("", rules="simple direction=cw"),
            "a .tch cannot express grand=no (a log begins with the decisions about Grand Tichu), "
            "exchange=no (every round of a log has an exchange)",
        ),
        (Record(BSW), "a .tch cannot hold a game without a round"),
        (Record(BSW, (one_round(LOG),), ("a", "b", "c", "d\ne")), "a .tch cannot hold the name 'd\\ne'"),
        (
            Record(BSW, (one_round(text_of(opening()[:10])),), ("a S2", "b", "c", "d")),
            "round 0, a .tch of it would be wrong: line 2: 9 cards, not 8: '(0)a S2 S4 S3 B3 G3 R3 R2 Ma Hu '",
        ),
        (record("0-G"), "round 0, action 0, 0-G: a .tch would tell the end"),
        (
            record(UNTIL_EXCHANGE.replace("2>", "1+T 2>")),
            "round 0, action 6, 1+T: a .tch does not tell when in the exchange it was called",
        ),
        (
            record(UNTIL_EXCHANGE.replace("1>", "0>5s6sMa 1>")),
            "round 0, action 5, 0>5s6sMa: a .tch has one exchange a seat",
        ),
        (record(f"{UNTIL_EXCHANGE} 0:Ma 0?-"), "round 0, action 9, 0?-: a .tch would tell the end"),
        (record(f"{UNTIL_EXCHANGE} 0:Ma 1+T 0?- 1:-"), "round 0, action 9, 1+T: a .tch would tell 0?-"),
        (
            record(f"{UNTIL_EXCHANGE} 0:4s 2-B", rules="courtesy direction=cw"),
            "round 0, action 9, 2-B: a .tch has no line for it",
        ),
        (
            record(f"{UNTIL_EXCHANGE} 0:2s2b2g3s3b3g", rules="courtesy direction=cw"),
            "round 0, action 8, 0:2s2b2g3s3b3g: the cards are not a combination",
        ),
        (record(f"{UNTIL_EXCHANGE} 1:7s"), "round 0, action 8, 1:7s: it is not this seat's turn"),
        (
            record(f"{UNTIL_EXCHANGE} 0:4s", (0, 100)),
            "round 0, a .tch of it would be wrong: line 19: a result, but the round is not over: 'Ergebnis: 0 - 100'",
        ),
    ],
)
def test_what_a_log_cannot_hold_is_refused_with_the_place(game: Record, expected: str) -> None:
    assert refusal(game) == expected


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (("s",), "round 0, 's' has the orders of 1 lists of cards, not of 4"),
        (("///ss",), "round 0, 'ss' is not an order of the suits in KsKgKrQsQbQgQrJr"),
        (("bgrsbg///",), "round 0, 'bgrsbg' is not an order of the suits in 4s3s3b3g3r2rMaDo"),
        (("", "", "", "x"), "round 0, no edit 'x'"),
        (("", "", "", "99-"), "round 0, no line 99 to edit"),
        (("", "", "", "3@4 Eve"), "round 0, no name of a seat '4 Eve'"),
        (("", "", "", "1@0 Eve"), "a .tch would tell 1 rounds of 'Eve', 'Ben', 'Cho', 'Dov'"),
        (("", "", "", "99+"), "round 0, no line 99 to edit"),
        (("", "", "", "64+more"), "a .tch would tell 2 rounds of 'Ada', 'Ben', 'Cho', 'Dov'"),
        (
            ("", "", "", "18-"),
            "round 0 with the tag Tch0, a .tch of it would be wrong: line 18: 1:7s7b8s8b8g: it is not",
        ),
        (("", "", "", "63=Ergebnis: 1 - 2"), "round 0 with the tag Tch0, a .tch would tell another deal or score"),
        (("", "", "", "61=Drache an: (0){0}"), "round 0 with the tag Tch0, action 50, 1!2: a .tch would tell 1!0"),
    ],
)
def test_a_tag_that_does_not_fit_the_round_is_refused(values: tuple[str, ...], expected: str) -> None:
    assert refusal(record(WHOLE_IN_TTN, (0, 200), tags=(("Tch0", values),))).startswith(expected)


def test_an_order_for_a_play_that_has_other_cards_is_refused() -> None:
    game = record(f"{UNTIL_EXCHANGE} 0:4s4b", tags=(("Tch0", ("", "", "gr")),))
    assert refusal(game) == "round 0, action 8, 0:4s4b: 'gr' is not an order of the suits in 4s4b"


# Rounds of random players.


def random_round(rng: Random) -> RoundRecord:
    """A round, perhaps not to its end, with calls and bombs at any time; the cards are badly shuffled."""
    cards = list(range(56))
    for _ in range(rng.choice((10, 30, 200))):
        one, other = rng.randrange(56), rng.randrange(56)
        cards[one], cards[other] = cards[other], cards[one]
    deal = deal_in_order(cards)
    state = Round.start(deal, BSW)
    actions: list[tuple[int, Action]] = []
    longest = rng.choice((8, 40, 1000, 1000))
    while not state.is_over and len(actions) < longest:
        seat, rival = rng.choice(state.pending), rng.randrange(4)
        action = state.legal(seat).draw(rng)
        if state.legal(rival).may_call and rng.random() < 0.1:
            seat, action = rival, CallTichu()
        elif state.phase in (Phase.PLAY, Phase.TAKE) and state.top is not None:
            thrown = [bomb for bomb in state.legal(rival) if isinstance(bomb, Combo) and bomb.is_bomb]
            if thrown and rng.random() < 0.5:
                seat, action = rival, rng.choice(thrown)
        actions.append((seat, action))
        state = state.after(seat, action)
    return RoundRecord(deal, tuple(actions), state.outcome.score if state.is_over else None)


@pytest.mark.no_cover
@given(st.integers(0, 2**32))
def test_a_game_is_read_as_it_was_written_or_refused(seed: int) -> None:
    rng = Random(seed)
    game = Record(BSW, tuple(random_round(rng) for _ in range(rng.randint(1, 3))), NAMES)
    try:
        text = format_tch(game)
    except NotationError as error:
        text = str(error)
    if text.startswith("round "):
        assert ", action " in text
        return
    reading = read_tch(text)
    assert reading.record().tags == ()
    for one, back in zip(game.rounds, reading.rounds, strict=True):
        assert isinstance(back, RoundRecord)
        assert (back.deal, back.score) == (one.deal, one.score)
        assert sorted(map(str, back.actions)) == sorted(map(str, one.actions))
    assert format_tch(reading.record()) == text


# Edits.


@pytest.mark.parametrize(
    ("usual", "wanted", "edits"),
    [
        ("abc", "abc", []),
        ("", "a", ["1+a"]),
        ("a", "", ["1-"]),
        ("ab", "ba", ["1-", "3+a"]),
        ("abcab", "cdab", ["1-", "2-", "4+d"]),
        ("aabb", "bbcc", ["1-", "2-", "5+c", "5+c"]),
        ("abc", "xbyc", ["1=x", "3+y"]),
    ],
)
def test_edits_of_lines(usual: str, wanted: str, edits: list[str]) -> None:
    assert edits_between(usual, wanted) == edits
    assert apply_edits(usual, edits) == [*wanted]


@given(st.lists(st.sampled_from("abc"), max_size=8), st.lists(st.sampled_from("abcd"), max_size=8))
def test_edits_turn_the_usual_lines_into_the_wanted(usual: list[str], wanted: list[str]) -> None:
    edits = edits_between(usual, wanted)
    assert apply_edits(usual, edits) == wanted
    assert len(edits) <= len(usual) + len(wanted)


def test_the_deals_have_all_cards() -> None:
    for deal in (RANKED, SUITED, ALTERNATING):
        assert len({card for kept, gifts in deal for card in f"{kept} {gifts}".split()}) == 56
