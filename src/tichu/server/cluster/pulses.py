"""For how long the rows of nodes have not changed, by this node's own steady clock.

The times in the rows are compared with nothing but themselves.  So a step of the database's clock, forward or back,
makes nobody older than they are: a row that has changed tells that its node is there, whatever it says.
"""

from collections.abc import Callable, Mapping
from datetime import datetime

from tichu.server.cluster.lease import since_boot

__all__ = ["Pulses"]


class Pulses:
    """What each row said last, and since when.

    >>> now = [100.0]
    >>> pulses = Pulses(lambda: now[0])
    >>> pulses.see({"a": datetime(2026, 1, 1, 12)})
    >>> now[0] = 103.0
    >>> pulses.age("a"), pulses.age("whom nobody has seen")
    (3.0, 0.0)
    >>> pulses.see({"a": datetime(2026, 1, 1, 11)})
    >>> pulses.age("a")
    0.0
    """

    def __init__(self, clock: Callable[[], float] = since_boot) -> None:
        self._clock = clock
        self._seen: dict[str, tuple[datetime, float]] = {}

    def see(self, renewed: Mapping[str, datetime]) -> None:
        """All rows that there are now say this."""
        now, before = self._clock(), self._seen
        self._seen = {
            node: before[node] if node in before and before[node][0] == at else (at, now)
            for node, at in renewed.items()
        }

    def age(self, node: str) -> float:
        """Seconds since it was first seen what the row of a node says."""
        seen = self._seen.get(node)
        return 0.0 if seen is None else self._clock() - seen[1]

    def last(self, node: str) -> datetime | None:
        """What it says."""
        seen = self._seen.get(node)
        return None if seen is None else seen[0]
