"""Records: tags, rounds, comments, scores and JSON lines; what is wrong is named with its line."""

import json
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.properties.rounds import Table, deal_at, steps
from tichu import (
    Action,
    GameError,
    NotationError,
    Reading,
    Record,
    RoundRecord,
    Rules,
    RulesError,
    format_jsonl,
    format_record,
    parse_action,
    parse_deal,
    parse_record,
    read_jsonl,
    read_record,
    replay,
    shuffled_deal,
)
from tichu.core.record import start_of

DEAL_TEXT = (
    "Ma2s3s4s5s6s7s8s+9sTsJsQsKsAs / Do2b3b4b5b6b7b8b+9bTbJbQbKbAb"
    " / 2g3g4g5g6g7g8g9g+TgJgQgKgAgPh / 2r3r4r5r6r7r8r9r+TrJrQrKrArDr"
)
DEAL = parse_deal(DEAL_TEXT)
HEAD = '[TTN "1"]\n[Rules "standard"]\n'
NO_NAMES = ("Seat 0", "Seat 1", "Seat 2", "Seat 3")


def record_of(seed: int, rules: Rules) -> Record:
    table = Table(seed, clump=2, bold=True, meddling=3)
    taken = list(steps(table, rules))
    actions = tuple((step.seat, step.action) for step in taken)
    one = RoundRecord(deal_at(table), actions, taken[-1].after.outcome.score)
    return Record(rules, (one, one._replace(actions=actions[:20], score=None)))


def actions_of(text: str) -> tuple[tuple[int, Action], ...]:
    return tuple(map(parse_action, text.split()))


# Tags.


def test_the_least_record() -> None:
    assert parse_record(f"{HEAD}deal {DEAL_TEXT}\n") == Record(rounds=(RoundRecord(DEAL, ()),))


def test_a_record_without_rounds() -> None:
    assert parse_record(HEAD) == Record()
    assert parse_record(format_record(Record())) == Record()
    assert read_jsonl(format_jsonl(Record())).record() == Record()


def test_a_record_is_written_with_its_seats_one_trick_a_line() -> None:
    actions = actions_of(
        "0-G 1+G 2-G 3-G 0+T 0>2s3s4s 1>2b3b4b 0>2s3s5s 2>2g3g4g 3>2r3r4r"
        " 0:Ma 0?8 3:- 2:Ag 1:- 0:- 3:- 2! 2:Jg 1:Qb 0+T 1:-"
    )
    record = Record(Rules(direction="cw"), (RoundRecord(DEAL, actions, (100, -200)),), ("Ada", "Ben", "Cho", "Dov"))
    assert format_record(record) == (
        '[TTN "1"]\n[Rules "brettspielwelt"]\n[Seats "Ada" "Ben" "Cho" "Dov"]\n'
        f"\ndeal {DEAL_TEXT}\n"
        "0-G 1+G 2-G 3-G\n"
        "0+T 0>2s3s4s 1>2b3b4b 0>2s3s5s 2>2g3g4g 3>2r3r4r\n"
        "0:Ma 0?8 3:- 2:Ag 1:- 0:- 3:- 2!\n"
        "2:Jg 1:Qb 0+T 1:-\n"
        "= 100 -200\n"
    )


def test_the_dog_ends_its_line() -> None:
    actions = actions_of("0:Do 2:Ma 2?- 1:- 0:- 3:- 2! 2:Dr")
    text = format_record(Record(rounds=(RoundRecord(DEAL, actions),)))
    assert text.endswith("\n0:Do\n2:Ma 2?- 1:- 0:- 3:- 2!\n2:Dr\n")


def test_unknown_tags_are_kept_in_order() -> None:
    text = f'{HEAD}[Seats "Ada" "Ben" "Cho" "Dov"]\n[Event "Cup; round 1"]\n[Clock "5" "30"]\n\ndeal {DEAL_TEXT}\n'
    record = parse_record(text)
    assert record.tags == (("Event", ("Cup; round 1",)), ("Clock", ("5", "30")))
    assert format_record(record) == text
    assert read_jsonl(format_jsonl(record)).record() == record


@pytest.mark.parametrize(
    "names",
    [
        ('Ada "the Ace"', "Ben\\", "Cho; D.", "[Dov]"),
        ("", " ", "\\\\", '\\"'),
        ("Ren\u00e9", "\u9f8d", "\U0001f409", "a\tb"),
        ("a\u2028b", "a\x85b", "a\x0bb", "a\rb"),
    ],
)
def test_names_read_back(names: tuple[str, ...]) -> None:
    record = Record(rounds=(RoundRecord(DEAL, ()),), seats=names, tags=(("Event", names),))
    assert parse_record(format_record(record)) == record
    assert read_jsonl(format_jsonl(record)).record() == record


@pytest.mark.parametrize("place", range(4))
def test_a_name_of_two_lines_cannot_be_written(place: int) -> None:
    names = [*NO_NAMES]
    names[place] = "Ada\nBen"
    record = Record(seats=tuple(names))
    with pytest.raises(NotationError) as error:
        format_record(record)
    assert str(error.value) == "a tag is one line, not 'Ada\\nBen'"
    assert read_jsonl(format_jsonl(record)).record() == record


@given(st.tuples(*[st.text()] * 4))
def test_any_name_reads_back_or_cannot_be_written(names: tuple[str, ...]) -> None:
    record = Record(rounds=(RoundRecord(DEAL, ()),), seats=names)
    try:
        text = format_record(record)
    except NotationError:
        assert any("\n" in name for name in names)  # A line is a line.
    else:
        assert parse_record(text) == record
    assert read_jsonl(format_jsonl(record)).record() == record


@pytest.mark.parametrize(
    "comment",
    ['[Seats "a;b" "c" "d" "e"] ; four', '  [Seats "a;b" "c" "d" "e"]', '[Seats "a;b" "c" "d" "e"];x', ";\n;;"],
)
def test_comments_and_blanks_around_tags(comment: str) -> None:
    record = parse_record(f"; a game\n{HEAD}{comment}\n\n;\ndeal {DEAL_TEXT} ; cards\n")
    assert record.seats in (("a;b", "c", "d", "e"), NO_NAMES)
    assert record.rounds == (RoundRecord(DEAL, ()),)


def test_comments_blanks_and_line_ends_in_a_round() -> None:
    text = f"{HEAD}deal {DEAL_TEXT}\n\n 0-G  1-G ; hm 2+G\n\n2-G\t3-G;\n;= 0 0\n= 100 0 ; wrong, but a score"
    expected = RoundRecord(DEAL, actions_of("0-G 1-G 2-G 3-G"), (100, 0))
    assert parse_record(text).rounds == (expected,)
    assert parse_record(text.replace("\n", "\r\n")).rounds == (expected,)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the file is empty"),
        (f"deal {DEAL_TEXT}", "not TTN 1"),
        ('[TTN "2"]\n[Rules "standard"]', 'line 1: the first tag is [TTN "1"], not [TTN "2"]'),
        ('[TTN "1" "1"]\n[Rules "standard"]', 'line 1: the first tag is [TTN "1"], not [TTN "1" "1"]'),
        ('\n[Rules "standard"]\n[TTN "1"]', 'line 2: the first tag is [TTN "1"], not [Rules "standard"]'),
        ('[TTN "1"]', 'the tag [Rules "..."] is missing'),
        ('[TTN "1"]\n[Rules "standard" "cw"]', 'the tag [Rules "..."] is missing'),
        (f'{HEAD}[Seats "a" "b" "c"]', "the tag Seats names four players, not 3"),
        (f'{HEAD}[Date "x"]\n[Date "y"]', "line 4: tag Date twice"),
        (f'{HEAD}[Date"x"]', 'line 3: not a tag: \'[Date"x"]\'; it is written [Name "value"]'),
        (f"{HEAD}[Date x]", "line 3: not a tag: '[Date x]'; it is written [Name \"value\"]"),
        (f'{HEAD}[Date "x]', 'line 3: not a tag: \'[Date "x]\'; it is written [Name "value"]'),
        (f'{HEAD}[Date "x\\"]', 'line 3: not a tag: \'[Date "x\\\\"]\'; it is written [Name "value"]'),
        (f"{HEAD}0+G\ndeal {DEAL_TEXT}", "line 3: not a tag: '0+G'; it is written [Name \"value\"]"),
        (f"{HEAD}dealt {'x' * 99}", f"line 3: not a tag: 'dealt {'x' * 74}...'; it is written [Name \"value\"]"),
    ],
)
def test_wrong_tags(text: str, message: str) -> None:
    with pytest.raises(NotationError) as error:
        read_record(text)
    assert str(error.value) == message


def test_wrong_rules_are_an_error_of_rules() -> None:
    with pytest.raises(RulesError, match="no preset 'mine'"):
        read_record('[TTN "1"]\n[Rules "mine"]\n')


# Rounds.


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("deal", "line 3: a round begins with its deal, not 'deal'"),
        ("deal x", "line 3: a deal has four hands, not 1"),
        (f"deal  {DEAL_TEXT}", "line 3: no cards ' Ma2s3s4s5s6s7s8s': every card is two characters"),
        (f"deal {DEAL_TEXT[:-2]}", "line 3: seat 3 gets 8+5 cards, not 8+6"),
        (f"deal {DEAL_TEXT}\n0-G 1+X", "line 4: no action '1+X'"),
        (f"deal {DEAL_TEXT}\n\n0-G\n4-G", "line 6: no seat '4' in '4-G'"),
        (f"deal {DEAL_TEXT}\n0:7b8s", "line 4: '7b8s' is not a combination, in '0:7b8s'"),
        (f'deal {DEAL_TEXT}\n[Date "x"]', "line 4: no seat '[' in '[Date'"),
        (f"deal {DEAL_TEXT}\n=0 0", "line 4: not a score: '=0 0'"),
        (f"deal {DEAL_TEXT}\n= 0", "line 4: not a score: '= 0'"),
        (f"deal {DEAL_TEXT}\n= 0 0 0", "line 4: not a score: '= 0 0 0'"),
        (f"deal {DEAL_TEXT}\n= 00 0", "line 4: not a score: '= 00 0'"),
        (f"deal {DEAL_TEXT}\n= -0 0", "line 4: not a score: '= -0 0'"),
        (f"deal {DEAL_TEXT}\n= +100 0", "line 4: not a score: '= +100 0'"),
        (f"deal {DEAL_TEXT}\n= 100\t0", "line 4: not a score: '= 100\\t0'"),
    ],
)
def test_a_wrong_round_does_not_hide_the_others(body: str, message: str) -> None:
    reading = read_record(f"{HEAD}{body}\n\ndeal {DEAL_TEXT}\n= 5 -5\n")
    wrong, right = reading.rounds
    assert isinstance(wrong, NotationError)
    assert str(wrong) == message
    assert right == RoundRecord(DEAL, (), (5, -5))
    with pytest.raises(NotationError) as error:
        reading.record()
    assert str(error.value) == f"round 0: {message}"


@pytest.mark.parametrize("stray", ["0+G", "= 0 0", f"Deal {DEAL_TEXT}", f"deal\t{DEAL_TEXT}"], ids=range(4))
def test_a_damaged_deal_costs_no_round_but_its_own(stray: str) -> None:
    whole = f"deal {DEAL_TEXT}\n= 5 -5\n"
    first, wrong, last = read_record(f"{HEAD}{whole}{stray}\n{whole}").rounds
    assert first == last == RoundRecord(DEAL, (), (5, -5))
    assert str(wrong).startswith("line 5: a round begins with its deal, not ")


@pytest.mark.parametrize("tags", [(("X", ()),), (("", ("x",)),), (('bad name] "', ("x",)),)], ids=range(3))
def test_tags_that_could_not_be_read_back_are_not_written(tags: tuple[tuple[str, tuple[str, ...]], ...]) -> None:
    with pytest.raises(NotationError, match="cannot be written"):
        format_record(Record(tags=tags))


# JSON lines.

_HEAD = {"ttn": 1, "rules": "standard", "seats": ["Ada", "Ben", "Cho", "Dov"], "tags": {"Date": ["2026-11-15"]}}
_ROUND = {"round": 0, "deal": DEAL_TEXT.split(" / "), "actions": ["0-G", "1+G"], "score": None}


def lines(*objects: object) -> str:
    return "".join(json.dumps(one) + "\n" for one in objects)


def test_json_lines_are_written_as_documented() -> None:
    rounds = (RoundRecord(DEAL, actions_of("0-G 1+G")),)
    record = Record(rounds=rounds, seats=("Ada", "Ben", "Cho", "Dov"), tags=(("Date", ("2026-11-15",)),))
    assert format_jsonl(record) == lines(_HEAD, _ROUND)
    assert read_jsonl(lines(_HEAD, _ROUND)).record() == record
    assert read_jsonl("\n" + lines(_HEAD, _ROUND).replace("\n", "\r\n\n")).record() == record


def test_seats_and_tags_may_be_missing() -> None:
    assert read_jsonl('{"ttn": 1, "rules": "classic"}').record() == Record(Rules.parse("classic"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the file is empty"),
        ("\n \n", "the file is empty"),
        ("\nx", "line 2: not a JSON object: Expecting value: line 1 column 1 (char 0)"),
        ("[]", "line 1: not a JSON object: names and values, not []"),
        ("{}", "line 1: not TTN 1"),
        (lines(_HEAD | {"ttn": 2}), "line 1: not TTN 1"),
        (lines(_HEAD | {"ttn": True}), "line 1: not TTN 1"),
        (lines(_HEAD | {"rules": "standard x"}), "line 1: no setting 'x' in 'standard x': write field=value"),
        (lines(_HEAD | {"seats": "Ada"}), "line 1: a list of texts, not 'Ada'"),
        (lines(_HEAD | {"seats": [1, 2, 3, 4]}), "line 1: a list of texts, not [1, 2, 3, 4]"),
        (lines(_HEAD | {"seats": ["Ada"]}), "line 1: the tag Seats names four players, not 1"),
        (lines(_HEAD | {"tags": []}), "line 1: names and values, not []"),
        (lines(_HEAD | {"tags": {"Date": "x"}}), "line 1: a list of texts, not 'x'"),
    ],
)
def test_a_wrong_first_line(text: str, message: str) -> None:
    with pytest.raises(NotationError) as error:
        read_jsonl(text)
    assert str(error.value) == message


def test_json_without_rules() -> None:
    with pytest.raises(NotationError, match=r"^line 1: "):
        read_jsonl('{"ttn": 1}')


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "not a JSON object: Expecting property name enclosed in double quotes: line 1 column 2 (char 1)"),
        ("[]", "not a JSON object: names and values, not []"),
        ("{}", "a list of texts, not None"),
        (json.dumps(_ROUND | {"deal": DEAL_TEXT}), f"a list of texts, not {DEAL_TEXT!r}"),
        (json.dumps(_ROUND | {"deal": ["Ma+Do"]}), "a deal has four hands, not 1"),
        (json.dumps(_ROUND | {"actions": [7]}), "a list of texts, not [7]"),
        (json.dumps(_ROUND | {"actions": ["0+X"]}), "no action '0+X'"),
        (json.dumps(_ROUND | {"score": 5}), "not a score: 5"),
        (json.dumps(_ROUND | {"score": [5]}), "not a score: [5]"),
        (json.dumps(_ROUND | {"score": [True, 0]}), "not a score: [True, 0]"),
        (json.dumps(_ROUND | {"score": [0.5, 0]}), "not a score: [0.5, 0]"),
    ],
)
def test_a_wrong_line_does_not_hide_the_others(line: str, message: str) -> None:
    reading = read_jsonl(f"{lines(_HEAD)}{line}\n{lines(_ROUND | {'score': [95, 5]})}")
    wrong, right = reading.rounds
    assert isinstance(wrong, NotationError)
    assert str(wrong) == f"line 2: {message}"
    assert isinstance(right, RoundRecord)
    assert right.score == (95, 5)


def test_a_line_that_nests_too_deep() -> None:
    with pytest.raises(NotationError, match=r"^line 1: not a JSON object: maximum recursion depth exceeded"):
        read_jsonl("[" * 100_000)


def test_four_hands_are_four_texts() -> None:
    (wrong,) = read_jsonl(lines(_HEAD, _ROUND | {"deal": [DEAL_TEXT]})).rounds
    assert isinstance(wrong, NotationError)


# Replay.


@pytest.mark.parametrize("rules", ["standard", "courtesy", "simple"])
def test_a_finished_and_an_unfinished_round_replay(rules: str) -> None:
    record = record_of(5, Rules.parse(rules))
    for one in parse_record(format_record(record)).rounds:
        states = list(replay(one, record.rules))
        assert len(states) == len(one.actions) + 1
        assert states[-1].is_over == (one.score is not None)


def test_an_illegal_action_is_named() -> None:
    one = RoundRecord(DEAL, actions_of("0-G 1-G 1-G"))
    with pytest.raises(GameError) as error:
        list(replay(one, Rules()))
    assert str(error.value) == "action 2, 1-G: it is not this seat's turn"


def test_the_states_before_an_illegal_action_are_given() -> None:
    states = replay(RoundRecord(DEAL, actions_of("0-G 0!")), Rules())
    assert next(states).pending == (0, 1, 2, 3)
    assert next(states).pending == (1, 2, 3)
    with pytest.raises(GameError, match="action 1, 0!: this is not the time for that"):
        next(states)


def test_a_wrong_score_is_an_error() -> None:
    (one, _) = record_of(5, Rules()).rounds
    assert one.score is not None
    wrong = one._replace(score=(one.score[0] + 5, one.score[1] - 5))
    with pytest.raises(GameError) as error:
        list(replay(wrong, Rules()))
    assert str(error.value) == (
        f"the score is {one.score[0]} {one.score[1]}, not {one.score[0] + 5} {one.score[1] - 5}"
    )


def test_a_score_before_the_end_is_an_error() -> None:
    one = RoundRecord(shuffled_deal(Random(1)), actions_of("0-G"), (0, 100))
    with pytest.raises(GameError) as error:
        list(replay(one, Rules()))
    assert str(error.value) == "a score after action 0, but the round is not over"


def test_an_action_after_the_end_is_an_error() -> None:
    (one, _) = record_of(5, Rules()).rounds
    longer = one._replace(actions=(*one.actions, *actions_of("0:-")))
    with pytest.raises(GameError, match=f"action {len(one.actions)}, 0:-: the round is over"):
        list(replay(longer, Rules()))


def test_a_round_of_a_file_is_checked() -> None:
    (one, unfinished) = record_of(5, Rules()).rounds
    wrong = one._replace(score=(1, 2))
    reading = read_record(format_record(Record(rounds=(one, wrong, unfinished))))
    assert reading.check(0) == one
    assert reading.check(2) == unfinished
    with pytest.raises(GameError, match="not 1 2"):
        reading.check(1)


def test_a_round_that_the_reader_has_played_is_not_played_again() -> None:
    one = RoundRecord(DEAL, actions_of("3:Dr"), (100, 0))
    rounds = (one, one._replace(score=None), one, one, NotationError("line 7: no deal"))
    reading = Reading(Rules(), NO_NAMES, (), rounds, scores=((100, 0), None, None, (0, 100), None))
    assert reading.check(0) == one
    assert reading.check(1) == one._replace(score=None)
    for number, message in [
        (2, "a score after action 0, but the round is not over"),
        (3, "the score is 0 100, not 100 0"),
        (4, "line 7: no deal"),
    ]:
        with pytest.raises(GameError) as error:
            reading.check(number)
        assert str(error.value) == message


@pytest.mark.parametrize("values", [("860",), ("860", "720", "0"), ("860", "x"), ("07", "0"), ("", "0")])
def test_a_match_begins_at_two_numbers(values: tuple[str, ...]) -> None:
    with pytest.raises(NotationError, match="a match begins at two numbers of points"):
        start_of((("Start", values),))
