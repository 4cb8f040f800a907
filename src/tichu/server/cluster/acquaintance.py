"""Which nodes reach each other: a node in the database that others do not reach is of no use to anybody.

Whoever finds out tells it here (:mod:`tichu.server.http.peer_check`), by the names with their incarnations.
"""

from collections.abc import Iterable

__all__ = ["Acquaintance"]


class Acquaintance:
    """What is known of other nodes.

    >>> known = Acquaintance()
    >>> known.note_unreached("b.1")
    >>> known.note_reached("a.1")
    >>> known.note_reached("b.1")
    >>> sorted(known.reached), known.unreached
    (['a.1', 'b.1'], set())
    """

    def __init__(self) -> None:
        #: Those that have answered from where they say they are, and with our secret; and those that have not.
        self.reached: set[str] = set()
        self.unreached: set[str] = set()
        #: Those that say the same of this node.
        self.accepted_by: set[str] = set()

    def note_reached(self, node: str) -> None:
        """It has answered."""
        self.reached.add(node)
        self.unreached.discard(node)

    def note_unreached(self, node: str) -> None:
        """It has not, or as somebody else."""
        self.unreached.add(node)
        self.reached.discard(node)

    def keep(self, nodes: Iterable[str]) -> None:
        """No others are there any more."""
        present = set(nodes)
        for some in (self.reached, self.unreached, self.accepted_by):
            some &= present
