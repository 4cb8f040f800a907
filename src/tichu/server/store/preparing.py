"""How a PostgreSQL database becomes one of ours, or of this format."""

from tichu.server.store.formats import POSTGRES, VERSION
from tichu.server.store.port import StoreError
from tichu.server.store.postgres_connection import Connection

__all__ = ["prepare_database"]


async def prepare_database(db: Connection, *, with_newer: bool = False) -> None:
    """Make what is not there or of an older format, all of it or nothing; what is newer than this is not touched.

    A node can work in a database that a newer one has added to.

    :raises StoreError: the database is too new
    """
    if await db.fetchval("SELECT to_regclass('tichu.format')") is None:
        script = POSTGRES[0]
    else:
        version = await db.fetchval("SELECT version FROM format")
        if version > VERSION:
            if with_newer and await db.fetchval("SELECT oldest FROM format") <= VERSION:
                return
            raise StoreError(f"the database has format {version} of a newer tichu; this one knows {VERSION}")
        script = POSTGRES[version]
    if script:
        async with db.transaction():
            await db.execute(script)
