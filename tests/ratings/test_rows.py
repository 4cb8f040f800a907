import pytest
from hypothesis import given
from msgspec.structs import replace

from tests.ratings.matches import few_seasons, left, match, seasons
from tichu.core.errors import GameError
from tichu.ratings import MatchRow, anonymise, format_row, parse_row, stand_in


def test_the_text_of_a_row_stays_as_it_is() -> None:
    row = left(2, "m7", "ann bob cy dee", at=5, score=(310, 295), pairs=(True, False), from_pool=True, weight=1 / 3)
    assert format_row(row) == (
        '{"match":"m7","at":5,"rules":"standard","clock":"normal","players":["ann","bob","cy","dee"],"score":[310,295],'
        '"winner":1,"ending":"left","leaver":2,"pairs":[true,false],"from_pool":true,"league":"people",'
        '"weight":0.3333333333333333,"spared":false,"unrated":false,"flags":[]}'
    )


def test_a_row_without_later_fields_can_be_read() -> None:
    text = (
        '{"match":"m","at":0,"rules":"standard","clock":"normal","players":["a","b","c","d"],"score":[0,0],"winner":0}'
    )
    assert parse_row(text) == match(from_pool=False)


@few_seasons
@given(seasons(most=3))
def test_rows_read_back(rows: list[MatchRow]) -> None:
    assert [parse_row(format_row(row)) for row in rows] == rows


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"weight": 0.0}, "weight"),
        ({"weight": 1.5}, "weight"),
        ({"leaver": 1}, "belong together"),
        ({"ending": "left"}, "belong together"),
        ({"ending": "left", "leaver": 0}, "the other team wins"),
        ({"ending": "aborted"}, "nobody wins"),
        ({"spared": True}, "is spared"),
        ({"ending": "left", "leaver": 1, "pairs": (False, True), "spared": True}, "is spared"),
        ({"players": ("a", "a", "c", "d")}, "both sides"),
        ({"players": ("a", "b", "a", "d")}, "two seats"),
        ({"players": ("bot:easy", "b", "bot:easy", "d"), "pairs": (True, False)}, "two seats"),
    ],
    ids=[
        "no-weight",
        "too-heavy",
        "a-leaver-of-a-played-match",
        "left-by-nobody",
        "a-leaver-wins",
        "aborted-and-won",
        "spared-without-a-leaver",
        "spared-in-a-pair",
        "on-both-sides",
        "on-two-seats",
        "a-bot-is-no-pair",
    ],
)
def test_a_row_that_cannot_be_is_refused(changes: dict[str, object], message: str) -> None:
    with pytest.raises(GameError, match=message):
        replace(match(), **changes)


def test_a_text_that_cannot_be_is_refused() -> None:
    text = format_row(match())
    for wrong in ("", "[]", text.replace('"winner":0', '"winner":2'), text.replace('["a","b"', '["b","b"')):
        with pytest.raises(GameError, match="not a row of a match"):
            parse_row(wrong)


def test_a_bot_may_sit_on_both_seats_of_a_team() -> None:
    assert match(players="bot:best a bot:best b").team(0) == ("bot:best", "bot:best")
    assert match(players="ours a ours b", league="bots").team(0) == ("ours", "ours")


def test_a_stand_in_takes_the_place_of_one_player_only() -> None:
    gone = stand_in(b"sixteen bytes ok")
    rows = list(anonymise([match("m1"), match("m2", "d e f a")], "a", gone))
    assert [row.players for row in rows] == [(gone, "b", "c", "d"), ("d", "e", "f", gone)]
    with pytest.raises(GameError, match="somebody already"):
        list(anonymise(rows, "b", gone))
    with pytest.raises(GameError, match="16 bytes"):
        stand_in(b"short")
