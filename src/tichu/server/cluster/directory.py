"""What anybody may ask about any table without its owner: codes, who sits where, and how it looks from outside.

An owner writes the rows of its tables a moment after something has changed, many at once, and never together with
entries.  A row has the epoch of its writer, so a former owner that comes late changes nothing.
"""

from collections.abc import Sequence
from typing import Any, Final, Literal

from tichu.server.cluster.database import Database
from tichu.server.resting import RestingTable
from tichu.server.store.formats import IN_PLAY

__all__ = ["Directory", "Row"]

#: A table, who sits there, and the epoch of whoever says so.
Row = tuple[RestingTable, tuple[str, ...], int]

_COLUMNS: Final = "id, code, address, visited, is_open, has_free_seat, state"
# Only to see that a table is there would not be enough: a statement goes by what was there when it began, and a table
# may be closed while it waits.  This lock holds up no append, only whoever closes the table, until the row is written;
# a table that is being closed is passed over, so that nobody waits who is waited for.
_WRITE: Final = """
    INSERT INTO directory (id, code, epoch, address, visited, is_open, has_free_seat, persons, state)
    SELECT row.id, code, row.epoch, address, visited, is_open, has_free_seat, string_to_array(persons, ' '), state
    FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::float8[], $6::bool[], $7::bool[], $8::text[],
        $9::bytea[]) AS row (id, code, epoch, address, visited, is_open, has_free_seat, persons, state)
    JOIN tables ON tables.id = row.id FOR KEY SHARE OF tables SKIP LOCKED
    ON CONFLICT (id) DO UPDATE SET epoch = excluded.epoch, visited = excluded.visited, is_open = excluded.is_open,
        has_free_seat = excluded.has_free_seat, persons = excluded.persons, state = excluded.state
    WHERE directory.epoch <= excluded.epoch
"""
# A code that is kept has no state yet, and its table may not be there yet either.
_FORGET_ENDED: Final = """
    DELETE FROM directory WHERE state IS NOT NULL AND (
        NOT EXISTS (SELECT 1 FROM tables WHERE tables.id = directory.id)
        OR EXISTS (SELECT 1 FROM parked WHERE table_id = directory.id)
    )
"""

# Two nodes at the same moment may both find the last place; that harms nobody.  Many rows are only counted where it may
# matter: else it is enough what the database believes about their number.
_RESERVE: Final = """
    WITH counted AS (
        SELECT CASE WHEN $3 = '' THEN 0 ELSE (SELECT count(*) FROM directory WHERE address = $3) END AS own,
            CASE WHEN reltuples BETWEEN 5000 AND 0.9 * $6::bigint THEN reltuples::bigint
            ELSE (SELECT count(*) FROM directory) END AS everybody
        FROM pg_class WHERE oid = 'directory'::regclass
    ),
    made AS (
        INSERT INTO directory SELECT $1, $2, 0, $3, $4, false, false, '{}', NULL FROM counted
        WHERE ($3 = '' OR own < $5) AND everybody < $6
        ON CONFLICT (code) DO NOTHING RETURNING id
    )
    SELECT own, everybody, (SELECT count(*) FROM made) AS made FROM counted
"""


class Directory:
    """The rows of all tables that can be found."""

    def __init__(self, database: Database) -> None:
        self._db = database

    async def reserve(
        self, table: str, code: str, address: str, now: float, most: tuple[int, int]
    ) -> Literal["done", "code", "address", "all"]:
        """Keep a code for a table that is about to be made, or say what there is too much of.

        Another one may have the code, and there are only so many tables of an address, and in all.
        """
        counted = await self._db.row(_RESERVE, table, code, address, now, *most)
        assert counted is not None
        if counted["made"]:
            return "done"
        if counted["everybody"] >= most[1]:
            return "all"
        return "address" if address and counted["own"] >= most[0] else "code"

    async def write(self, rows: Sequence[Row]) -> None:
        """Say how tables look now."""
        columns = [
            (
                one.id,
                one.code,
                epoch,
                one.address,
                one.visited,
                one.is_open,
                one.has_free_seat,
                " ".join(persons),
                one.written,
            )
            for one, persons, epoch in rows
        ]
        if columns:
            await self._db.fetch(_WRITE, *map(list, zip(*columns, strict=True)))

    async def forget(self, table: str) -> None:
        """There is no such table any more."""
        await self._db.fetch("DELETE FROM directory WHERE id = $1", table)

    async def forget_ended(self) -> None:
        """Drop the rows of tables that are closed or set aside: older nodes leave some.

        So does whoever writes one while its table is set aside.
        """
        await self._db.fetch(_FORGET_ENDED)

    async def look(self, table: str) -> RestingTable | None:
        """A table, as it was a moment ago."""
        query = f"SELECT {_COLUMNS} FROM directory WHERE id = $1 AND state IS NOT NULL"
        return _table(await self._db.row(query, table))

    async def id_of_code(self, code: str) -> str | None:
        """The table that has a code."""
        found = await self._db.row("SELECT id FROM directory WHERE code = $1 AND state IS NOT NULL", code)
        return None if found is None else str(found["id"])

    async def offers(self, limit: int) -> list[RestingTable]:
        """Public tables, those with a free seat and those that were visited last first."""
        query = f"""
            SELECT {_COLUMNS} FROM directory WHERE is_open AND state IS NOT NULL
            ORDER BY has_free_seat DESC, visited DESC LIMIT $1
        """
        return [_made(row) for row in await self._db.fetch(query, limit)]

    async def in_play(self, limit: int) -> list[RestingTable]:
        """Public tables at which a game is on, those that were visited last."""
        query = f"SELECT {_COLUMNS} FROM directory WHERE {IN_PLAY} ORDER BY visited DESC LIMIT $1"
        return [_made(row) for row in await self._db.fetch(query, limit)]

    async def players_in_play(self, limit: int) -> list[tuple[str, ...]]:
        """Who sits at the public tables at which a game is on, table by table."""
        query = f"SELECT persons FROM directory WHERE {IN_PLAY} LIMIT $1"
        return [tuple(row["persons"]) for row in await self._db.fetch(query, limit)]

    async def public_tables_of(self, players: Sequence[str], of_one: int, limit: int) -> list[RestingTable]:
        """Public tables at which some of these players sit, a few of each: those that were visited last."""
        query = f"""
            WITH found AS (
                SELECT id, row_number() OVER (PARTITION BY person ORDER BY visited DESC) AS place
                FROM directory CROSS JOIN unnest(persons) AS person
                WHERE persons && $1::text[] AND person = ANY($1) AND is_open AND state IS NOT NULL
            )
            SELECT {_COLUMNS} FROM directory WHERE id IN (SELECT id FROM found WHERE place <= $2)
            ORDER BY visited DESC LIMIT $3
        """
        return [_made(row) for row in await self._db.fetch(query, list(players), of_one, limit)]

    async def tables_of(self, player: str, limit: int) -> list[RestingTable]:
        """Where a player has a seat, those that were visited last."""
        query = f"""
            SELECT {_COLUMNS} FROM directory WHERE persons @> ARRAY[$1::text] AND state IS NOT NULL
            ORDER BY visited DESC LIMIT $2
        """
        return [_made(row) for row in await self._db.fetch(query, player, limit)]

    async def seated(self) -> frozenset[str]:
        """Everybody who has a seat somewhere."""
        rows = await self._db.fetch("SELECT DISTINCT unnest(persons) AS person FROM directory")
        return frozenset(row["person"] for row in rows)

    async def unvisited(self, before: float, limit: int) -> list[str]:
        """Tables that rest and that nobody has visited since a time; also codes kept for nothing."""
        query = """
            SELECT directory.id FROM directory LEFT JOIN tables ON tables.id = directory.id
            WHERE visited < $1 AND owner IS NULL LIMIT $2
        """
        return [row["id"] for row in await self._db.fetch(query, before, limit)]


def _table(row: Any | None) -> RestingTable | None:
    return None if row is None else _made(row)


def _made(row: Any) -> RestingTable:
    return RestingTable(*(row[name] for name in _COLUMNS.split(", ")))
