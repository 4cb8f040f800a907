"""Work on a store that is written once for every database.

A script is a generator: it yields a statement with question marks and what stands for them, and gets the rows that the
statement answers.  What it returns is the result.  One that writes is a transaction, and may have to begin again, so it
is given as a function.  A script that refuses something does so before it has changed anything.
"""

import re
import sqlite3
from collections.abc import Awaitable, Callable, Generator
from functools import lru_cache
from typing import Any, TypeAlias, TypeVar

__all__ = ["Row", "Script", "drive", "drive_async", "numbered"]

T = TypeVar("T")

Row: TypeAlias = tuple[Any, ...]
Script: TypeAlias = Generator[tuple[Any, ...], list[Row], T]


def drive(db: sqlite3.Connection, script: Script[T]) -> T:
    """Carry a script out."""
    try:
        query, *arguments = next(script)
        while True:
            query, *arguments = script.send(db.execute(query, arguments).fetchall())
    except StopIteration as end:
        result: T = end.value
        return result


async def drive_async(fetch: Callable[..., Awaitable[list[Any]]], script: Script[T]) -> T:
    """Carry a script out where marks have numbers."""
    try:
        query, *arguments = next(script)
        while True:
            rows = await fetch(numbered(query), *arguments)
            query, *arguments = script.send([tuple(row) for row in rows])
    except StopIteration as end:
        result: T = end.value
        return result


@lru_cache(maxsize=512)
def numbered(query: str) -> str:
    """The statement with numbers for its marks.

    >>> numbered("UPDATE players SET name = ? WHERE id = ?")
    'UPDATE players SET name = $1 WHERE id = $2'
    """
    parts = re.split(r"\?", query)
    return parts[0] + "".join(f"${at}{part}" for at, part in enumerate(parts[1:], 1))
