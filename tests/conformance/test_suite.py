"""The cases of the conformance suite: made by the core, complete, and sharp enough to find a changed rule."""

import json
import re
from pathlib import Path
from typing import Any, Final

import pytest

from tests.rules.test_paragraphs import PARAGRAPHS
from tichu.conformance import FILES, answer, check, find_folder, read_cases
from tichu.conformance.answers import ASKS, Question
from tichu.core.errors import GameError, Reason
from tichu.core.rules import FIELDS, PRESETS, Rules
from tools.conformance.__main__ import make

FOLDER: Final = find_folder()
README: Final = (FOLDER / "README.md").read_text(encoding="utf-8")
CASES: Final = list(read_cases(FOLDER))


def test_the_files_are_what_the_core_says() -> None:
    for name, text in make().items():
        kept = (FOLDER / name).read_text(encoding="utf-8")
        assert kept == text, f"{name} is out of date: python -m tools.conformance"
    assert sum((FOLDER / name).stat().st_size for name in FILES) < 2_000_000


def test_every_paragraph_and_every_preset_is_covered() -> None:
    assert {paragraph for case in CASES for paragraph in case.paragraphs} == set(PARAGRAPHS.split())
    for name, asks in FILES.items():
        for ask in asks:
            rule_sets = {case.rules for case in CASES if case.file == name and case.question["ask"] == ask}
            assert rule_sets == {None} or set(PRESETS) <= rule_sets
    assert {ask for asks in FILES.values() for ask in asks} == set(ASKS)


#: These cannot be written as a position and an action.
UNWRITTEN = {Reason.PHOENIX_AMBIGUOUS, Reason.THREE_CARDS, Reason.NO_SUCH_RANK}


def test_every_reason_is_among_the_refusals_and_on_the_page() -> None:
    given = {case.answer for case in CASES if case.file == "refusals.jsonl"}
    assert given == {reason.name for reason in Reason if reason not in UNWRITTEN} | {None}
    table = dict(re.findall(r"^\| `([A-Z_]+)` \| (.+) \|$", README, re.MULTILINE))
    assert table == {reason.name: reason.value for reason in Reason if reason not in UNWRITTEN}


def test_people_played_some_of_the_rounds() -> None:
    rounds = [case for case in CASES if case.file == "rounds.jsonl"]
    games = Path(__file__).parents[1] / "games"
    deals = {line.removeprefix("deal ") for path in games.glob("*.ttn") for line in path.read_text().splitlines()}
    assert sum(" / ".join(case.question["deal"]) in deals for case in rounds) >= 50


def test_the_examples_on_the_page_are_right() -> None:
    (block,) = re.findall(r"```json\n(.+?)```", README, re.DOTALL)
    asked = []
    for line in block.splitlines():
        entry = json.loads(line)
        asked.append(entry.pop("ask"))
        if asked[-1] == "round":
            continue  # Shortened.
        expected = entry.pop("answer")
        for rules in entry.pop("rules", ["standard"]):
            assert answer({**entry, "ask": asked[-1], "rules": rules}) == expected
    assert asked == list(ASKS)


def test_the_presets_on_the_page_are_ours() -> None:
    rows = re.findall(r"^\| (\w+)(?:: [^|]+)? \| (.+) \|$", README, re.MULTILINE)
    table = {name: values.split(" | ") for name, values in rows}
    assert table["field"] == list(PRESETS)
    for field in FIELDS:
        assert table[field] == [str(getattr(preset, field)) for preset in PRESETS.values()]


def changed(preset: str, field: str) -> list[Rules]:
    """The rule set with each other value of the field."""
    rules = PRESETS[preset]
    if field == "goal":
        other = "rounds:1" if rules.goal.kind == "target" else "target:1000"
        return [Rules.parse(f"{preset} goal={other}"), Rules.parse(f"{preset} goal=target:900")]
    return [Rules.parse(f"{preset} {field}={value}") for value in FIELDS[field] if value != getattr(rules, field)]


@pytest.mark.parametrize("field", FIELDS)
def test_a_program_with_another_value_of_a_field_is_found_out(field: str) -> None:
    for preset in PRESETS:
        cases = [case for case in CASES if case.rules == preset and (field != "goal" or case.file == "scores.jsonl")]
        for other in changed(preset, field):
            if field in ("phoenix_grants_wish", "tichu_from") and preset == "simple":
                continue  # Without wishes and calls by players these change nothing.

            def ask(question: Question, text: str = str(other)) -> Any:
                try:
                    return answer({**question, "rules": text})
                except GameError:
                    return "nonsense"

            assert any(check([case], ask).differences for case in cases), f"{preset} {field}: {other}"
