"""Files of the page that have a hash in their names, kept for those whose page is older or newer than a node's own.

An open page asks for parts of itself when it needs them, perhaps of a node that was updated in the meantime, or not
yet.  So every node leaves its files in the database, and whatever it does not have it looks for there.
"""

from collections.abc import Mapping
from typing import Final

from tichu.server.cluster.database import Database

__all__ = ["PageFiles"]

#: Files that no node has had for so many days are forgotten.
_DAYS: Final = 30


class PageFiles:
    """The files of all pages that nodes have had lately."""

    def __init__(self, database: Database) -> None:
        self._db = database

    async def keep(self, files: Mapping[str, bytes]) -> None:
        """Leave what is not there yet, and note that the rest is still in use."""
        query = "UPDATE page_files SET kept = clock_timestamp() WHERE path = ANY($1) RETURNING path"
        known = {row["path"] for row in await self._db.fetch(query, list(files))}
        for path in files.keys() - known:
            query = "INSERT INTO page_files VALUES ($1, $2, clock_timestamp()) ON CONFLICT DO NOTHING"
            await self._db.fetch(query, path, files[path])

    async def find(self, path: str) -> bytes | None:
        """A file of another page."""
        found = await self._db.row("SELECT data FROM page_files WHERE path = $1", path)
        return None if found is None else bytes(found["data"])

    async def forget_old(self) -> None:
        """Drop what nobody can be asking for any more."""
        query = "DELETE FROM page_files WHERE kept < clock_timestamp() - make_interval(days => $1)"
        await self._db.fetch(query, _DAYS)
