"""The cases of the suite as they are kept: one JSON object a line, in files by what is asked."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

from tichu.conformance.answers import Question
from tichu.core.errors import GameError

__all__ = ["FILES", "Case", "find_folder", "read_cases"]

#: The files in the order in which an engine grows, and what is asked in each.
FILES: Final = {
    "combos.jsonl": ("readings",),
    "beats.jsonl": ("beats",),
    "positions.jsonl": ("legal",),
    "refusals.jsonl": ("refusal",),
    "steps.jsonl": ("after",),
    "scores.jsonl": ("points", "score", "winner"),
    "rounds.jsonl": ("round",),
}


class Case(NamedTuple):
    """A question under one rule set, and the answer."""

    file: str
    #: Counted from 1.
    line: int
    #: The paragraphs of the rules that decide it.
    paragraphs: tuple[str, ...]
    #: None where the rules do not matter.
    rules: str | None
    question: Question
    answer: Any

    @property
    def place(self) -> str:
        """Where it stands and what it is about.

        >>> Case("steps.jsonl", 7, ("4.2", "5.1"), "standard", {}, None).place
        'steps.jsonl line 7 (§4.2, §5.1)'
        """
        return f"{self.file} line {self.line} ({', '.join(f'§{paragraph}' for paragraph in self.paragraphs)})"


def find_folder() -> Path:
    """Where the cases are: in the installed package, or in the checkout that it is used from.

    :raises GameError: nowhere
    """
    here = Path(__file__)
    for folder in (here.with_name("cases"), here.parents[3] / "conformance"):
        if (folder / "combos.jsonl").is_file():
            return folder
    raise GameError("the cases of the conformance suite are not installed: --cases names their folder")


def read_cases(folder: Path, files: Iterable[str] = FILES) -> Iterator[Case]:
    """Every case once for each of its rule sets.

    :raises GameError: a line is not a case
    """
    for name in files:
        with (folder / name).open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, start=1):
                try:
                    yield from _cases_of(name, number, json.loads(line))
                except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
                    raise GameError(f"{folder / name}: line {number} is not a case of the suite") from None


def _cases_of(file: str, line: int, entry: dict[str, Any]) -> Iterator[Case]:
    expected, paragraphs = entry.pop("answer"), tuple(entry.pop("paragraphs"))
    for rules in entry.pop("rules", [None]):
        question = {"ask": entry["ask"]} | ({} if rules is None else {"rules": rules}) | entry
        yield Case(file, line, paragraphs, rules, question, expected)
