"""The formats of games as text, and which of them a text is in."""

from collections.abc import Callable
from typing import Final

from tichu.core.errors import NotationError
from tichu.core.record import Reading, read_jsonl, read_record
from tichu.formats.bsw import read_tch

__all__ = ["SUFFIXES", "read_text", "suffix_by_content"]

_READERS: Final[dict[str, Callable[[str], Reading]]] = {".ttn": read_record, ".jsonl": read_jsonl, ".tch": read_tch}
#: Of the formats that can be read.
SUFFIXES: Final = tuple(_READERS)


def read_text(text: str, suffix: str) -> Reading:
    """Read a game in the format of this suffix.

    :raises NotationError: what comes before the rounds is wrong
    """
    return _READERS[suffix](text)


def suffix_by_content(text: str) -> str:
    """The format that begins as this text does.

    :raises NotationError: none of them does
    """
    first = next((line.strip() for line in text.split("\n") if line.strip()), "")
    if first.startswith(("[TTN", ";")):
        return ".ttn"
    if first.startswith("{"):
        return ".jsonl"
    if first.startswith("-----"):
        return ".tch"
    raise NotationError(f"this is not a game in one of the formats {', '.join(SUFFIXES)}")
