"""The nodes that are there, as their rows tell, and which of them is to have a table."""

import hashlib
import secrets
from collections.abc import Iterable
from typing import NamedTuple

__all__ = ["Peer", "best_for", "new_id"]


class Peer(NamedTuple):
    """A node at work."""

    #: The name with a random incarnation: a node that was started again is another one.
    id: str
    name: str
    url: str
    #: Of its build.
    version: str
    log_format: int
    #: Is about to end, and takes no tables.
    draining: bool
    tables: int
    sockets: int
    #: Seconds since its row has changed, by the steady clock of whoever looks.
    age: float
    #: When it was started, in seconds since 1970 by the same time.
    started: float


def new_id(name: str) -> str:
    """A name with a new incarnation."""
    return f"{name}.{secrets.token_hex(8)}"


def best_for(table: str, nodes: Iterable[str]) -> str | None:
    """The node that all agree on for a table or a game, without asking; when one goes, only its own get another.

    >>> best_for("t1", ["a.1", "b.2", "c.3"]) == best_for("t1", ["c.3", "b.2", "a.1"])
    True
    >>> best_for("t1", []) is None
    True
    """
    return max(nodes, key=lambda node: hashlib.sha256(f"{node} {table}".encode()).digest(), default=None)
