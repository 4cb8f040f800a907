"""Reading a file of a game, whatever its format.

What only reading needs is imported when something is read, so that ``import tichu`` is quick.
"""

import os
from collections.abc import Callable
from typing import Final

from tichu.core.errors import NotationError
from tichu.core.record import Reading, read_jsonl, read_record

__all__ = ["SUFFIXES", "read_game"]


def _read_tch(text: str) -> Reading:
    from tichu.formats.bsw import read_tch

    return read_tch(text)


_READERS: Final[dict[str, Callable[[str], Reading]]] = {".ttn": read_record, ".jsonl": read_jsonl, ".tch": _read_tch}
#: Of the formats that can be read.
SUFFIXES: Final = tuple(_READERS)


def read_game(path: str | os.PathLike[str]) -> Reading:
    """Read a game from a ``.ttn``, ``.jsonl`` or ``.tch`` file; another suffix leaves the format to the content.

    Each round is there, or what is wrong with it: one broken round costs one round.  ``record()`` of the result is the
    game if all of it could be read, ``check(number)`` plays a round.

    :raises NotationError: the file does not hold a game, or what comes before the rounds is wrong; with the path
    :raises OSError: the file cannot be read
    """
    from pathlib import Path

    path = Path(path)
    # Old logs are in whatever encoding; the bytes survive as they are.
    with path.open(encoding="utf-8", errors="surrogateescape", newline="") as file:
        text = file.read()
    suffix = path.suffix.lower()
    try:
        return _READERS[suffix if suffix in _READERS else _suffix_by_content(text)](text)
    except NotationError as error:
        raise type(error)(f"{path}: {error}") from None


def _suffix_by_content(text: str) -> str:
    """The format that begins as this text does."""
    first = next((line.strip() for line in text.split("\n") if line.strip()), "")
    if first.startswith(("[TTN", ";")):
        return ".ttn"
    if first.startswith("{"):
        return ".jsonl"
    if first.startswith("-----"):
        return ".tch"
    raise NotationError(f"this is not a game in one of the formats {', '.join(SUFFIXES)}")
