"""Rule sets as text."""

from dataclasses import replace
from itertools import product

import pytest

from tichu import PRESETS, Goal, Rules, RulesError
from tichu.core.rules import FIELDS


def test_every_preset_is_its_name() -> None:
    for name, rules in PRESETS.items():
        assert str(rules) == name
        assert Rules.parse(name) == rules


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("standard direction=cw", "brettspielwelt"),
        ("standard wish=must", "classic"),
        ("brettspielwelt direction=ccw wish=must", "classic"),
        ("standard goal=target:500 bombs=in-turn", "standard goal=target:500 bombs=in-turn"),
        ("standard bombs=in-turn goal=target:500", "standard goal=target:500 bombs=in-turn"),
        ("simple grand=yes exchange=yes calls=choice", "standard wish=off dragon=auto"),
        ("single-round goal=target:1", "single-round goal=target:1"),
        ("classic direction=cw", "classic direction=cw"),
        ("standard bombs=anytime", "standard"),
    ],
)
def test_the_nearest_preset_and_the_differences_in_table_order(text: str, written: str) -> None:
    assert str(Rules.parse(text)) == written


def test_every_field_reads_back_on_every_preset() -> None:
    for rules, (field, values) in product(PRESETS.values(), FIELDS.items()):
        for value in values:
            text = value.replace("N", "350")
            changed = Rules.parse(f"{rules} {field}={text}")
            assert str(getattr(changed, field)) == text
            assert Rules.parse(str(changed)) == changed
            same = {field: getattr(rules, field)}
            assert replace(changed, **same) == rules


def test_equal_rules_are_one_key() -> None:
    assert len({Rules.parse("standard wish=must"), Rules.parse("classic")}) == 1


_PRESETS = "standard, classic, courtesy, single-round, simple, brettspielwelt"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", f"no preset '' in ''; there are {_PRESETS}"),
        ("Standard", f"no preset 'Standard' in 'Standard'; there are {_PRESETS}"),
        (" standard", f"no preset '' in ' standard'; there are {_PRESETS}"),
        ("bombs=ordered", f"no preset 'bombs=ordered' in 'bombs=ordered'; there are {_PRESETS}"),
        ("standard ", "no setting '' in 'standard ': write field=value"),
        ("standard cw", "no setting 'cw' in 'standard cw': write field=value"),
        ("standard bomb=ordered", "no rule field 'bomb' in 'standard bomb=ordered'"),
        ("standard wish=may wish=must", "wish twice in 'standard wish=may wish=must'"),
        ("standard wish=", "no value '' for wish in 'standard wish='; there are may, must, off"),
        ("standard wish=no", "no value 'no' for wish in 'standard wish=no'; there are may, must, off"),
        ("standard stairs=a=b", "no value 'a=b' for stairs in 'standard stairs=a=b'; there are pairs, stacked"),
    ],
)
def test_no_rule_set(text: str, message: str) -> None:
    with pytest.raises(RulesError) as error:
        Rules.parse(text)
    assert str(error.value) == message


@pytest.mark.parametrize(
    "goal",
    [
        "1000", "rounds:2", "rounds:01", "target:", "target:0", "target:-5", "target:05", "target:1e3", "target:\u0661",
        "target:1000000", "points:5",
    ],
)  # fmt: skip
def test_no_goal(goal: str) -> None:
    with pytest.raises(RulesError) as error:
        Rules.parse(f"standard goal={goal}")
    assert str(error.value) == f"no value {goal!r} for goal in 'standard goal={goal}'; there are target:N and rounds:1"


def test_the_greatest_target() -> None:
    assert Rules.parse("standard goal=target:999999").goal == Goal("target", 999_999)


@pytest.mark.parametrize(
    ("rules", "sequential"),
    [("standard", "standard bombs=ordered"), ("courtesy", "courtesy"), ("single-round", "single-round")],
)
def test_the_sequential_form(rules: str, sequential: str) -> None:
    assert Rules.parse(rules).sequential() == Rules.parse(sequential)
