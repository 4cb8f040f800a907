"""§12: rule sets as values and as text."""

import pytest

from tichu import PRESETS, STANDARD, Goal, Rules, RulesError

TABLE = """
field                standard    classic     courtesy    single-round simple      brettspielwelt
direction            ccw         ccw         ccw         ccw          ccw         cw
goal                 target:1000 target:1000 target:1000 rounds:1     target:1000 target:1000
grand                yes         yes         yes         yes          no          yes
exchange             yes         yes         yes         yes          no          yes
calls                choice      choice      choice      choice       auto        choice
tichu_from           deal        deal        deal        play         deal        deal
wish                 may         must        may         may          off         may
phoenix_grants_wish  no          no          no          yes          no          no
bombs                anytime     anytime     ordered     in-turn      anytime     anytime
equal_flush          holds       holds       holds       suit         holds       holds
stairs               pairs       pairs       stacked     pairs        pairs       pairs
dragon               choice      choice      choice      choice       auto        choice
"""
HEAD, *ROWS = [line.split() for line in TABLE.strip().splitlines()]


@pytest.mark.parametrize("row", ROWS, ids=[row[0] for row in ROWS])
def test_s12_the_six_presets_have_the_fields_of_the_table(row: list[str]) -> None:
    field, *values = row
    assert [str(getattr(PRESETS[name], field)) for name in HEAD[1:]] == values


def test_s12_there_are_six_presets_in_this_order_and_twelve_fields() -> None:
    assert list(PRESETS) == HEAD[1:]
    assert list(Rules.__dataclass_fields__) == [row[0] for row in ROWS]


@pytest.mark.parametrize("name", HEAD[1:])
def test_s12_a_preset_is_written_by_its_name(name: str) -> None:
    assert str(PRESETS[name]) == name
    assert Rules.parse(name) == PRESETS[name]


def test_s12_every_field_can_be_set_on_its_own() -> None:
    rules = Rules.parse("standard bombs=in-turn goal=target:500")
    assert rules == Rules(bombs="in-turn", goal=Goal("target", 500))
    assert rules != STANDARD


def test_s12_rule_sets_are_equal_if_their_fields_are() -> None:
    assert Rules.parse("standard direction=cw") == PRESETS["brettspielwelt"]
    assert Rules.parse("brettspielwelt direction=ccw wish=must") == PRESETS["classic"]
    assert Rules.parse("classic wish=may") == STANDARD
    assert hash(Rules.parse("classic wish=may")) == hash(STANDARD)
    assert Rules.parse("standard goal=target:999") != STANDARD


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("standard direction=cw", "brettspielwelt"),
        ("standard wish=must", "classic"),
        ("standard stairs=stacked bombs=ordered", "courtesy"),
        ("standard goal=target:500 bombs=in-turn", "standard goal=target:500 bombs=in-turn"),
        ("standard bombs=in-turn goal=target:500", "standard goal=target:500 bombs=in-turn"),
        # One difference from standard, one from courtesy: standard comes first in the table.
        ("standard bombs=ordered", "standard bombs=ordered"),
        ("courtesy bombs=anytime", "standard stairs=stacked"),
        # One from classic, one from brettspielwelt, two from standard.
        ("brettspielwelt wish=must", "classic direction=cw"),
        ("simple wish=may dragon=choice", "simple wish=may dragon=choice"),
        ("single-round goal=target:1000 equal_flush=holds", "single-round goal=target:1000 equal_flush=holds"),
        ("simple direction=cw", "simple direction=cw"),
        (
            "standard dragon=auto stairs=stacked equal_flush=suit goal=target:7",
            "standard goal=target:7 equal_flush=suit stairs=stacked dragon=auto",
        ),
    ],
)
def test_s12_written_as_the_nearest_preset_then_the_differing_fields_in_table_order(text: str, written: str) -> None:
    assert str(Rules.parse(text)) == written
    assert Rules.parse(written) == Rules.parse(text)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "no preset ''"),
        ("Standard", "no preset 'Standard'"),
        ("tournament", "no preset 'tournament'"),
        ("bombs=ordered", "no preset 'bombs=ordered'"),
        ("standard bomb=ordered", "no rule field 'bomb'"),
        ("standard bombs", "no setting 'bombs'"),
        ("standard bombs=always", "no value 'always' for bombs"),
        ("standard bombs=", "no value '' for bombs"),
        ("standard grand=maybe", "no value 'maybe' for grand"),
        ("standard phoenix_grants_wish=true", "no value 'true' for phoenix_grants_wish"),
        ("standard wish=may wish=must", "wish twice"),
        ("standard wish=may wish=may", "wish twice"),
        ("standard goal=1000", "no value '1000' for goal"),
        ("standard goal=target:0", "no value 'target:0' for goal"),
        ("standard goal=target:-5", "no value 'target:-5' for goal"),
        ("standard goal=target:", "no value 'target:' for goal"),
        ("standard goal=target:N", "no value 'target:N' for goal"),
        ("standard goal=rounds:2", "no value 'rounds:2' for goal"),
        ("standard  wish=may", "no setting ''"),
        ("standard ", "no setting ''"),
    ],
)
def test_s12_what_is_no_rule_set_is_refused_with_the_place(text: str, complaint: str) -> None:
    with pytest.raises(RulesError) as refused:
        Rules.parse(text)
    assert complaint in str(refused.value)
    assert repr(text) in str(refused.value)
