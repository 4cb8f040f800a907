"""``tichu`` whose nodes store entries on no condition of who owns the table, and do not look at their lease.

Nothing else differs.  Whoever is stopped and goes on after others have taken over is a stale writer then, and
``python -m bench.cluster faults --without-fence`` has to find that out.
"""

import sys
from typing import Any

__all__ = ["main", "without_fence"]


def without_fence(statement: str, fence: str) -> str:
    """The statement on fewer conditions.

    :raises ValueError: the condition is not in it

    >>> without_fence("UPDATE tables SET next = 2 WHERE id = 'a' AND owner = $2", "AND owner = $2")
    "UPDATE tables SET next = 2 WHERE id = 'a' AND $2::text IS NOT NULL"
    """
    if fence not in statement:
        raise ValueError(f"no {fence!r} in {statement!r}")
    return statement.replace(fence, "AND $2::text IS NOT NULL")


async def _do_not_wait(lease: Any) -> None:
    """As if it were held."""


def main() -> None:
    """Run the command."""
    from tichu.cli import main as tichu
    from tichu.server.cluster.lease import Lease
    from tichu.server.store import node_owner

    for name in ("_APPEND", "_COUNT_UP"):
        setattr(node_owner, name, without_fence(getattr(node_owner, name), node_owner.FENCE))
    Lease.is_held = property(lambda lease: True)  # type: ignore[assignment, method-assign]
    Lease.wait = _do_not_wait  # type: ignore[assignment, method-assign]
    tichu(sys.argv[1:])


if __name__ == "__main__":
    main()
