"""One's own record of drills: a small file that never leaves this machine."""

import json
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Final, NamedTuple

import click

from tichu.cli.typed import FilePath
from tichu.core.errors import GameError
from tichu.server.config import data_folder

__all__ = ["Tally", "note_answer", "read_record", "record_lines", "record_option"]

_FILE: Final = "practice.json"

#: Where the records of puzzles and drills are.
record_option = click.option(
    "--data",
    type=FilePath(file_okay=False),
    envvar="TICHU_DATA",
    help=f"The folder for your record; usually {data_folder()}.",
)


class Tally(NamedTuple):
    """How many were answered, and how many of them right."""

    answered: int = 0
    right: int = 0


def note_answer(folder: Path, theme: str, *, is_right: bool) -> Tally:
    """Add an answer to a theme, as ``drill grand``; what it comes to."""
    record = read_record(folder)
    answered, right = record.get(theme, Tally())
    record[theme] = Tally(answered + 1, right + is_right)
    path = folder / _FILE
    path.parent.mkdir(parents=True, exist_ok=True)
    # Written beside and moved, so that an interrupted run leaves the old file whole.
    with NamedTemporaryFile("w", dir=path.parent, prefix=_FILE, delete=False, encoding="utf-8") as draft:
        json.dump(record, draft)
    Path(draft.name).replace(path)
    return record[theme]


def read_record(folder: Path) -> dict[str, Tally]:
    """By theme; empty before the first answer.

    :raises GameError: the file is there and holds something else
    """
    path = folder / _FILE
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        return {str(theme): Tally(int(answered), int(right)) for theme, (answered, right) in found.items()}
    except FileNotFoundError:
        return {}
    except (ValueError, TypeError, AttributeError, RecursionError):
        raise GameError(f"{path}: not a record of answers; move it away to begin a new one") from None


def record_lines(folder: Path, first: str) -> list[str]:
    """The themes that begin with this word, one a line."""
    return [
        f"{theme.removeprefix(f'{first} ')}: {right} of {answered} ({100 * right / answered:.0f} %)"
        for theme, (answered, right) in sorted(read_record(folder).items())
        if theme.startswith(f"{first} ") and answered
    ]
