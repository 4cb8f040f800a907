"""Where tables, games and players are kept: a SQLite file, or a PostgreSQL database.

Imports the log alone; rooms, the lobby and the requests import it.
"""

from pathlib import Path

from tichu.server.store.port import (
    OutOfStep,
    Store,
    StoredPart,
    StoredPlayer,
    StoredTable,
    StoreError,
    StoreRefusal,
    TableTaken,
    TakenOver,
)
from tichu.server.store.sqlite import SqliteStore

__all__ = [
    "OutOfStep",
    "Store",
    "StoreError",
    "StoreRefusal",
    "StoredPart",
    "StoredPlayer",
    "StoredTable",
    "TableTaken",
    "TakenOver",
    "open_store",
]


async def open_store(url: str) -> Store:
    """Open ``sqlite:PATH``, a plain path, ``:memory:`` or ``postgresql://...``.

    :raises StoreError: it cannot be opened
    """
    store = _store(url)
    await store.start()
    return store


def _store(url: str) -> Store:
    if url.startswith(("postgresql://", "postgres://")):
        # Most servers need no PostgreSQL, so its driver is an extra.
        try:
            from tichu.server.store.postgres import PostgresStore
        except ModuleNotFoundError as missing:
            if missing.name != "asyncpg":
                raise
            raise StoreError("PostgreSQL needs asyncpg: pip install 'tichu[postgres]'") from None
        return PostgresStore(url)
    path = url.removeprefix("sqlite:")
    # A wrong scheme must not become a strangely named file; the rest of the URL may hold a password.
    if "://" in path:
        raise StoreError(f"{path.split('://')[0]}:// is not a store: sqlite:PATH, a path, :memory: or postgresql://...")
    if not path:
        raise StoreError("the store has no path: sqlite:PATH, a path, :memory: or postgresql://...")
    return SqliteStore(None if path == ":memory:" else Path(path))
