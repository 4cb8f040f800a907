"""Who owns a table, as its row says; every change of owner is one statement.

A claim takes a table that nobody owns or whose owner has ended, and raises its epoch.  Appends update the same row, so
a claim waits for one that is under way and sees what it has added.  What was handed over to a node is left to it for
two seconds; if the clock of the database is set in between, for up to twice as long or not at all, which only decides
who of those that may take it does.

The row also says whether one build of the server alone has ever had the table: only then is it certain that there are
no entries in its log that a newer one has written.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from tichu.server.cluster.database import Database

__all__ = ["ORPHANS", "Claim", "Claims", "Orphan", "Whereabouts"]

#: Tables taken in one go, so that those who wait for others do not wait for all.
ORPHANS: Final = 500
#: Neither set aside nor known to be unreadable as far as a number.
_TO_BE_HAD: Final = """
    NOT EXISTS (SELECT 1 FROM parked WHERE table_id = id)
    AND (id, next) NOT IN (SELECT * FROM unnest($1::text[], $2::bigint[])) LIMIT $3
"""

_CLAIM: Final = """
    WITH claimed AS (
        UPDATE tables SET owner = $2, epoch = epoch + 1, build = CASE WHEN build = $3 THEN build END
        WHERE id = $1 AND next IS DISTINCT FROM $4
        AND (owner IS NULL OR owner = $2 OR owner IN (SELECT id FROM nodes WHERE ended IS NOT NULL))
        AND NOT EXISTS (SELECT 1 FROM parked WHERE table_id = $1)
        AND EXISTS (SELECT 1 FROM nodes WHERE id = $2 AND ended IS NULL)
        AND NOT EXISTS (
            SELECT 1 FROM handovers WHERE table_id = $1 AND handovers.epoch = tables.epoch AND target <> $2
            AND since BETWEEN clock_timestamp() - interval '2 seconds' AND clock_timestamp()
        )
        RETURNING id, epoch, next, build
    ),
    gone AS (DELETE FROM handovers USING claimed WHERE table_id = claimed.id RETURNING handovers.*)
    SELECT claimed.epoch, claimed.next, live, build IS NOT NULL
    FROM claimed LEFT JOIN gone ON gone.epoch = claimed.epoch - 1 AND gone.next = claimed.next
"""
_HAND_OVER: Final = """
    WITH gone AS (
        UPDATE tables SET owner = NULL WHERE id = $1 AND owner = $2 AND epoch = $3 RETURNING id, epoch, next
    )
    INSERT INTO handovers (table_id, epoch, next, target, live, since)
    SELECT id, epoch, next, $4, $5, clock_timestamp() FROM gone
    ON CONFLICT (table_id) DO UPDATE SET epoch = excluded.epoch, next = excluded.next, target = excluded.target,
    live = excluded.live, since = excluded.since
    RETURNING table_id
"""
# Asked by every node every second: few nodes have ended and few tables are handed over, so these are gone through, each
# with a look at the index (OFFSET 0 keeps them apart), and never all tables.
_ORPHANED: Final = f"""
    WITH orphan AS (
        SELECT own.id, NULL AS target, own.next
        FROM nodes CROSS JOIN LATERAL (SELECT id, next FROM tables WHERE owner = nodes.id OFFSET 0) AS own
        WHERE ended IS NOT NULL
        UNION ALL
        SELECT given.id, target, given.next FROM handovers CROSS JOIN LATERAL (
            SELECT id, next FROM tables WHERE id = table_id AND epoch = handovers.epoch AND owner IS NULL OFFSET 0
        ) AS given
    )
    SELECT id, target FROM orphan WHERE {_TO_BE_HAD}
"""
_UNLISTED: Final = f"""
    SELECT id FROM tables WHERE owner IS NULL AND NOT EXISTS (SELECT 1 FROM directory WHERE id = tables.id)
    AND {_TO_BE_HAD}
"""


class Claim(NamedTuple):
    """A table that is ours now."""

    epoch: int
    #: The number of its next entry.
    next: int
    #: What its former owner has handed over with it; nothing after a crash.
    live: bytes | None
    #: Whether no other build than ours has ever had it.
    is_of_one_build: bool


class Orphan(NamedTuple):
    """A table that has to go on and whose owner is gone, and who is to have it."""

    table: str
    target: str | None


class Whereabouts(NamedTuple):
    """Where a table is: its owner, if it has one that has not ended."""

    owner: str | None
    url: str | None
    #: The number of its next entry.
    next: int


class Claims:
    """The rows of all tables."""

    def __init__(self, database: Database) -> None:
        self._db = database

    async def claim(self, table: str, node: str, build: str, unreadable: int | None = None) -> Claim | None:
        """Take a table that is to be had; None if there is none, or another node has it.

        Its log as far as a number may have turned out to be unreadable: then it is not taken as long as it is so long.
        """
        claimed = await self._db.row(_CLAIM, table, node, build, unreadable)
        # What was handed over is only for whoever comes next, and only if nothing has happened since.
        return None if claimed is None else Claim(*claimed)

    async def release(self, table: str, node: str, epoch: int) -> None:
        """Let a table rest in the store."""
        query = "UPDATE tables SET owner = NULL WHERE id = $1 AND owner = $2 AND epoch = $3"
        await self._db.fetch(query, table, node, epoch)

    async def hand_over(self, table: str, node: str, epoch: int, target: str | None, live: bytes) -> bool:
        """Give a table away with what is true of it only now; False if it was not ours."""
        return await self._db.row(_HAND_OVER, table, node, epoch, target, live) is not None

    async def find(self, table: str) -> Whereabouts | None:
        """Where a table is; None if there is no such table."""
        query = """
            SELECT nodes.id, nodes.url, next FROM tables LEFT JOIN nodes ON nodes.id = owner AND ended IS NULL
            WHERE tables.id = $1 AND NOT EXISTS (SELECT 1 FROM parked WHERE table_id = tables.id)
        """
        found = await self._db.row(query, table)
        return None if found is None else Whereabouts(*found)

    async def unlisted(self, unreadable: Mapping[str, int]) -> list[str]:
        """Tables that nobody owns and nobody can find, because a server without nodes had them."""
        rows = await self._db.fetch(_UNLISTED, list(unreadable), list(unreadable.values()), ORPHANS)
        return [row["id"] for row in rows]

    async def orphans(self, unreadable: Mapping[str, int]) -> list[Orphan]:
        """Tables that have to go on somewhere, but for those that are known to be unreadable as far as a number."""
        rows = await self._db.fetch(_ORPHANED, list(unreadable), list(unreadable.values()), ORPHANS)
        return [Orphan(*row) for row in rows]

    async def owned(self, node: str) -> list[str]:
        """What belongs to a node and is not set aside."""
        query = """
            SELECT id FROM tables WHERE owner = $1 AND NOT EXISTS (SELECT 1 FROM parked WHERE table_id = tables.id)
        """
        return [row["id"] for row in await self._db.fetch(query, node)]
