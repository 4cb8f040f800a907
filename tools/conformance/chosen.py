"""The chosen cases, one for each thing that a paragraph of the rules decides: ``chosen.txt`` as questions."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

from tichu.conformance.answers import answer
from tichu.core.errors import GameError
from tichu.core.round import Round
from tichu.core.rules import PRESETS, Rules

__all__ = ["Asked", "asked_under", "chosen"]

_NAMES: Final = {
    "readings": ("cards",),
    "beats": ("top", "play"),
    "legal": ("position",),
    "refusal": ("position", "action"),
    "after": ("position", "action"),
    "points": ("cards",),
    "score": ("position",),
    "winner": ("rounds",),
}
#: What is the same under all rules.
_WITHOUT_RULES: Final = ("points",)


class Asked(NamedTuple):
    """A question with its answer under some rule sets."""

    paragraphs: tuple[str, ...]
    rules: tuple[str, ...]
    question: dict[str, Any]
    answer: Any


def chosen() -> Iterator[Asked]:
    """Each line under all presets in which it makes sense."""
    for line in Path(__file__).with_name("chosen.txt").read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        case, _, rules = line.partition(" || ")
        paragraphs, ask, *values = case.split(" | ")
        question: dict[str, Any] = {"ask": ask, **dict(zip(_NAMES[ask], values, strict=True))}
        if ask == "winner":
            question["rounds"] = [_outcome(text) for text in values[0].split("; ")]
        rule_sets = [*PRESETS, *(rules.split("; ") if rules else ())]
        yield from asked_under(rule_sets, tuple(paragraphs.split(",")), question)


def _outcome(text: str) -> dict[str, Any]:
    first, second, out = text.split(" ")
    return {"score": [int(first), int(second)], "out": out}


def asked_under(rule_sets: list[str], paragraphs: tuple[str, ...], question: dict[str, Any]) -> Iterator[Asked]:
    """The question once for every different answer, with the rule sets that give it."""
    if question["ask"] in _WITHOUT_RULES:
        yield Asked(paragraphs, (), question, answer(question))
        return
    answers: list[tuple[Any, list[str]]] = []
    for text in rule_sets:
        try:
            if _is_table_to_act(question, Rules.parse(text)):
                continue
            given = answer({**question, "rules": text})
        except GameError:
            continue  # Not a position under these rules, or not an action in it: refusals are cases of their own.
        if question["ask"] == "after" and _is_rated(Rules.parse(text), question, given):
            continue
        for other, texts in answers:
            if other == given and type(other) is type(given):
                texts.append(text)
                break
        else:
            answers.append((given, [text]))
    for given, texts in answers:
        yield Asked(paragraphs, tuple(texts), question, given)


def _is_table_to_act(question: dict[str, Any], rules: Rules) -> bool:
    """§10: whether another program would never stop in this position."""
    if "position" not in question:
        return False
    return Round.from_position(question["position"], rules).automatic() is not None


def _is_rated(rules: Rules, question: dict[str, Any], after: str) -> bool:
    """§10.1: the table calls as it rates hands, which no other program has to."""
    calls = question["position"].split(" ")[5]
    return rules.calls == "auto" and after.split(" ")[5] != calls
