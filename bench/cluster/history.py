"""What happened at tables, as two witnesses tell it who do not know of each other.

The database tells what was :class:`Written` and whose each table was (:class:`Claim`), the clients tell every
:class:`Answer` that they got.  All are plain values, so that a history with a fault in it can be written by hand.
"""

from typing import Literal, NamedTuple

import msgspec
from msgspec import Struct

__all__ = ["Answer", "Claim", "History", "Written", "decode_entry"]


class _Entry(Struct, frozen=True):
    """What is needed of an entry, of whatever version it is."""

    command: str | None = None
    action: str = ""


_decoder = msgspec.json.Decoder(_Entry)


def decode_entry(data: bytes) -> tuple[str, str]:
    """The id of the command behind an entry, and the action; both may be empty.

    >>> decode_entry(b'{"e":"acted","command":"player c7","action":"2:7s"}')
    ('c7', '2:7s')
    """
    entry = _decoder.decode(data)
    return (entry.command or "").rpartition(" ")[2], entry.action


class Written(NamedTuple):
    """An entry at the moment when the database took it."""

    #: Counts up over everything that the database saw.
    order: int
    table: str
    number: int
    command: str
    action: str
    #: The session that wrote it, by the name that it was started with.
    writer: str
    #: Whose the table was then, as its row says.
    owner: str
    epoch: int
    #: Whether it is in the place of an entry that was there already: somebody goes by another id from now on.
    is_rewritten: bool = False


class Claim(NamedTuple):
    """From now on a table belongs to this owner; an empty owner is nobody."""

    order: int
    table: str
    owner: str
    epoch: int


class Answer(NamedTuple):
    """What a client was told about a command.  The same command may be answered again when it was asked again."""

    table: str
    command: str
    kind: Literal["ack", "refused"]
    #: What came of it: the version of the table, or the reason of the refusal.
    result: str
    #: The action as TTN, empty where it is none or not known any more.
    action: str = ""


class History(NamedTuple):
    """All of it."""

    written: list[Written]
    claims: list[Claim]
    #: Which session an owner is.
    sessions: dict[str, str]
    #: By table, in the order in which they came.
    answers: list[Answer]
