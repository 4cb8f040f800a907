"""A server that will be killed: appends to several tables at once and says what was acknowledged.

Run as ``python -m tests.server.appender URL``.  The entries of a table are the numbers from 0; every tenth is a
checkpoint.
"""

import asyncio
import os
import sys

from tichu.server.store import Store, open_store

TABLES = 8
CHECKPOINT = 10


async def append_on(store: Store, table: str, number: int) -> None:
    """Append number after number, each one told when it is stored."""
    while True:
        await store.append(table, number + 1, [b"%d" % number], checkpoint=number % CHECKPOINT == 0)
        # Unbuffered: what was told is told, whatever happens next.
        os.write(1, b"%s %d\n" % (table.encode(), number))
        number += 1


async def main(url: str) -> None:
    """Go on where the last one was killed."""
    store = await open_store(url)
    last = {stored.id: int(stored.entries[-1]) async for stored in store.tables()}
    names = [f"table-{number}" for number in range(TABLES)]
    await asyncio.gather(*(append_on(store, name, last.get(name, -1) + 1) for name in names))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
