"""Copy a PostgreSQL database of tichu, restore the copy into an empty one beside it, and compare the two.

    python -m tools.restore_drill postgresql://tichu@host/tichu --keep tichu.dump

Nodes may run meanwhile: the copy and the comparison look at the same moment (an exported snapshot).  The other database
is made for the drill and dropped after it.  Exit status 0 says that a database was restored from the copy which has the
same rows, whose logs have no gaps, and whose every entry this version can read.  Needs ``pg_dump`` and ``pg_restore``
of the database's version or newer, and the right to make a database.
"""

import asyncio
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Final, TypeAlias

import asyncpg
import click
import msgspec

from tichu.server import log

__all__ = ["Failed", "drill"]

Connection: TypeAlias = "asyncpg.Connection[asyncpg.Record]"

_SCRATCH: Final = "tichu_drill"
#: Renewed all the time, and nobody needs them again.
_FLEETING: Final = frozenset({"nodes", "node_writes"})
_GAPS: Final = """
    SELECT log.table_id FROM tichu.log LEFT JOIN tichu.tables ON tables.id = log.table_id
    GROUP BY log.table_id HAVING max(n) - min(n) + 1 <> count(*) OR max(n) + 1 IS DISTINCT FROM max(tables.next)
"""


class Failed(Exception):
    """The drill shows that the copy is no good, or could not be done."""


async def _digests(db: Connection) -> dict[str, tuple[int, str]]:
    """How many rows each table has, and a sum over all of them that no order changes."""
    names = await db.fetch("SELECT tablename FROM pg_tables WHERE schemaname = 'tichu' ORDER BY 1")
    found = {}
    for (name,) in names:
        if name not in _FLEETING:
            query = f'SELECT count(*), coalesce(sum(hashtextextended(t::text, 0)), 0)::text FROM tichu."{name}" AS t'
            found[name] = tuple(await db.fetchrow(query))  # type: ignore[arg-type]
    return found


def _run(program: str, programs: Path | None, *arguments: str) -> None:
    path = shutil.which(program, path=None if programs is None else str(programs))
    if path is None:
        raise Failed(f"{program} is not installed; --programs names its folder")
    ran = subprocess.run([path, *arguments], capture_output=True, text=True, check=False)
    if ran.returncode:
        raise Failed(f"{program}: {ran.stderr.strip() or ran.returncode}")


def _other_database(url: str) -> str:
    """The same server, another database."""
    if not re.match(r"postgres(ql)?://[^/]*/[^?]+", url):
        raise Failed("the URL must name a database: postgresql://user@host/name")
    return re.sub(r"^(postgres(?:ql)?://[^/]*)/[^?]+", rf"\1/{_SCRATCH}", url)


async def _check(url: str, before: dict[str, tuple[int, str]]) -> int:
    """Whether what was restored is what there was; how many entries its logs have."""
    db = await asyncpg.connect(url)
    try:
        after = await _digests(db)
        differing = sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name))
        if differing:
            raise Failed(f"not as it was: {', '.join(differing)}")
        gaps = [table for (table,) in await db.fetch(_GAPS)]
        if gaps:
            raise Failed(f"the logs of {len(gaps)} tables have gaps, that of {gaps[0]} among them")
        number = 0
        async with db.transaction():
            async for table, at, entry in db.cursor("SELECT table_id, n, entry FROM tichu.log"):
                number += 1
                try:
                    log.decode(entry)
                except msgspec.MsgspecError as error:
                    raise Failed(f"entry {at} of table {table} cannot be read: {error}") from None
        return number
    finally:
        await db.close()


async def drill(url: str, copy: Path, programs: Path | None = None) -> list[str]:
    """What was done, and how long it took.

    :raises Failed: it is no good
    """
    scratch = _other_database(url)
    try:
        db = await asyncpg.connect(url)
    except (OSError, ValueError, asyncpg.PostgresError) as error:
        raise Failed(f"the database cannot be reached: {error}") from None
    try:
        if await db.fetchval("SELECT to_regclass('tichu.log')") is None:
            raise Failed("there is no tichu in this database")
        if await db.fetchval("SELECT 1 FROM pg_database WHERE datname = $1", _SCRATCH):
            raise Failed(f"there is a database {_SCRATCH} already; if a former drill left it behind, drop it")
        began = time.monotonic()
        async with db.transaction(isolation="repeatable_read", readonly=True):
            snapshot = await db.fetchval("SELECT pg_export_snapshot()")
            before = await _digests(db)
            dump = ["--format=custom", "--schema=tichu", f"--snapshot={snapshot}", f"--file={copy}", url]
            await asyncio.to_thread(_run, "pg_dump", programs, *dump)
        copied = time.monotonic()
        await db.execute(f"CREATE DATABASE {_SCRATCH}")
        try:
            restore = ["--exit-on-error", "--no-owner", f"--dbname={scratch}", str(copy)]
            await asyncio.to_thread(_run, "pg_restore", programs, *restore)
            restored = time.monotonic()
            entries = await _check(scratch, before)
        finally:
            await db.execute(f"DROP DATABASE {_SCRATCH} WITH (FORCE)")
    finally:
        await db.close()
    rows = sum(number for number, _ in before.values())
    return [
        f"copied     {rows} rows of {len(before)} tables, {copy.stat().st_size / 1024:.0f} KB, {copied - began:.1f} s",
        f"restored   {restored - copied:.1f} s",
        f"compared   all rows are the same, {entries} entries can be read and follow each other, "
        f"{time.monotonic() - restored:.1f} s",
    ]


@click.command()
@click.argument("url", envvar="TICHU_DATABASE")
@click.option("--keep", type=click.Path(path_type=Path, dir_okay=False), help="Keep the copy here.")
@click.option("--programs", type=click.Path(path_type=Path, file_okay=False), help="Where pg_dump is.")
def main(url: str, keep: Path | None, programs: Path | None) -> None:
    """Copy the database, restore the copy beside it, and compare; exit status 1 if the copy is no good."""
    if keep is not None and keep.exists():
        raise click.ClickException(f"{keep} is there already")
    with tempfile.TemporaryDirectory(prefix="tichu-drill-") as folder:
        copy = Path(folder) / "tichu.dump"
        try:
            click.echo("\n".join(asyncio.run(drill(url, copy, programs))))
        except (Failed, OSError, asyncpg.PostgresError) as error:
            raise click.ClickException(str(error)) from None
        except KeyboardInterrupt:
            sys.exit(130)
        if keep is not None:
            shutil.move(copy, keep)


if __name__ == "__main__":
    main()
