"""Write the cases of the conformance suite anew, after a change of the rules or of the notation.

    python -m tools.conformance [FOLDER]

The core gives the answers: what a case says is decided by ``docs/rules.md``, by the tests named after its paragraphs,
and by the games that people played.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tichu.conformance.cases import FILES
from tichu.core.rules import PRESETS
from tools.conformance.chosen import Asked, asked_under, chosen
from tools.conformance.drawn import draw_combos, draw_positions
from tools.conformance.rounds import draw_rounds, played_rounds

_FOLDER: Final = Path(__file__).parents[2] / "conformance"
_COMBOS: Final = 250
_ROUNDS_FOR_POSITIONS: Final = 8
_ROUNDS: Final = 25
_GAMES: Final = 60


def make() -> dict[str, str]:
    """The text of each file."""
    lines: dict[str, list[str]] = {name: [] for name in FILES}
    file_of = {ask: name for name, asks in FILES.items() for ask in asks}
    for asked in _merged():
        entry = {"ask": asked.question["ask"]} | ({"rules": list(asked.rules)} if asked.rules else {})
        entry |= {**asked.question, "answer": asked.answer, "paragraphs": list(asked.paragraphs)}
        lines[file_of[asked.question["ask"]]].append(json.dumps(entry))
    return {name: "\n".join(cases) + "\n" for name, cases in lines.items()}


def _merged() -> Iterator[Asked]:
    """What is asked twice is asked once, for the paragraphs and under the rules of both."""
    merged: dict[str, Asked] = {}
    for asked in _all():
        key = json.dumps([asked.question, asked.answer])
        other = merged.get(key)
        if other is not None:
            paragraphs = sorted({*asked.paragraphs, *other.paragraphs}, key=lambda name: [*map(int, name.split("."))])
            rules = tuple(dict.fromkeys((*other.rules, *asked.rules)))
            asked = other._replace(paragraphs=tuple(paragraphs), rules=rules)
        merged[key] = asked
    yield from merged.values()


def _all() -> Iterator[Asked]:
    yield from chosen()
    presets = list(PRESETS)
    for drawn in draw_combos(_COMBOS):
        yield from asked_under(presets, *drawn)
    for preset in presets:
        for drawn in draw_positions(preset, _ROUNDS_FOR_POSITIONS):
            yield from asked_under([preset], *drawn)
    for preset in presets:
        for drawn in draw_rounds(preset, _ROUNDS):
            yield from asked_under([preset], *drawn)
    for drawn in played_rounds(_GAMES):
        yield from asked_under(["brettspielwelt"], *drawn)


def main(arguments: list[str]) -> None:
    """Write all files."""
    folder = Path(arguments[0]) if arguments else _FOLDER
    for name, text in make().items():
        (folder / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
