"""How a PostgreSQL database becomes one of ours, or of this format.

Others may be at work there, nodes of the former format for one.  A step that changes a table needs it for itself: it
waits for whoever reads, a backup perhaps, and everybody who comes later waits behind it.  So it waits for a moment
only, lets all others go first, and tries again.
"""

import asyncio
from typing import Final

import asyncpg

from tichu.server.store.formats import POSTGRES, VERSION
from tichu.server.store.port import StoreError
from tichu.server.store.postgres_connection import Connection

__all__ = ["missing_steps", "prepare_database"]

#: For how long others wait behind a step that waits, how often it tries, and the seconds between two tries.
_LOCK_MS: Final = 400
_TRIES, _PAUSE_S = 25, 0.4
#: The last time for longer: when somebody has waited for a second, PostgreSQL ends what it tidies up by itself.
_LAST_LOCK_MS: Final = 1500
#: A step may build an index over millions of games.
_STEP_S: Final = 3600.0


async def missing_steps(db: Connection, *, with_newer: bool = False) -> str:
    """What has to be done until the database has this format, empty if nothing.

    A node can work in a database that a newer one has added to.

    :raises StoreError: the database is too new
    """
    if await db.fetchval("SELECT to_regclass('tichu.format')") is None:
        return POSTGRES[0]
    version = await db.fetchval("SELECT version FROM format")
    if version > VERSION:
        if with_newer and await db.fetchval("SELECT oldest FROM format") <= VERSION:
            return ""
        raise StoreError(f"the database has format {version} of a newer tichu; this one knows {VERSION}")
    return POSTGRES[version]


async def prepare_database(db: Connection, *, with_newer: bool = False) -> None:
    """Make what is not there or of an older format, all of it or nothing; what is newer than this is not touched.

    :raises StoreError: the database is too new, or something else has hold of its tables
    """
    script = await missing_steps(db, with_newer=with_newer)
    for left in reversed(range(_TRIES if script else 0)):
        try:
            async with db.transaction():
                await db.execute(f"SET LOCAL lock_timeout = {_LOCK_MS if left else _LAST_LOCK_MS}")
                await db.execute(script, timeout=_STEP_S)
            return
        except asyncpg.LockNotAvailableError as error:
            reason = error
        await asyncio.sleep(_PAUSE_S)
    if script:
        raise StoreError(
            f"the tables of the database cannot be made those of format {VERSION} now, because something else has hold "
            f"of them, perhaps a backup; start again when it is done ({reason})"
        )
