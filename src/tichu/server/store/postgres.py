"""The store in a PostgreSQL database, in a schema of its own.

As with SQLite, one connection writes and all that waits goes into one transaction; reads have a pool.  Whether a
commit waits for the disk is a setting of the database (``synchronous_commit``).
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import asyncpg

from tichu.server.log import FinishedGame, GameSummary
from tichu.server.store.port import StoredPlayer, StoredTable, StoreError
from tichu.server.store.rows import (
    GAME_COLUMNS,
    SUMMARY_COLUMNS,
    Entries,
    game_of,
    number_entries,
    player_rows,
    row_of,
    summary_of,
)

__all__ = ["VERSION", "PostgresStore"]

VERSION = 1
#: A server holds this lock of the database for as long as it is connected.
_LOCK = 0x54696368
#: The connection of a killed server may take a moment to be noticed.
_LOCK_TRIES, _LOCK_WAIT_S = 20, 0.25
_CONNECT_S, _COMMAND_S = 10.0, 30.0
_PATIENCE_S = 1.0
#: So that the first of a flood does not wait for the last.
_GROUP = 256
#: Tables read at once while loading.
_BATCH = 200

# An entry's number grows over all tables: the log of one is in order, and nobody has to count.
_SCHEMA = f"""
    CREATE SCHEMA IF NOT EXISTS tichu;
    CREATE TABLE entries (table_id text, n bigint, entry bytea NOT NULL, PRIMARY KEY (table_id, n));
    CREATE TABLE parked (table_id text PRIMARY KEY, reason text NOT NULL);
    CREATE TABLE games (
        id text PRIMARY KEY, table_id text NOT NULL, finished float8 NOT NULL, rules text NOT NULL,
        seats text NOT NULL, players text NOT NULL, score_0 integer NOT NULL, score_1 integer NOT NULL,
        casual boolean NOT NULL, record text NOT NULL
    );
    CREATE INDEX games_by_time ON games (finished);
    CREATE TABLE game_players (player text, finished float8, game text, PRIMARY KEY (player, finished, game));
    CREATE TABLE players (
        id text PRIMARY KEY, name text NOT NULL, token_hash text NOT NULL UNIQUE, kind text NOT NULL,
        created float8 NOT NULL
    );
    CREATE TABLE format (version integer NOT NULL);
    INSERT INTO format VALUES ({VERSION});
"""

_Connection: TypeAlias = "asyncpg.Connection[asyncpg.Record]"
_Pool: TypeAlias = "asyncpg.Pool[asyncpg.Record]"
#: What the database, or the driver before it, does not accept.
_REFUSALS = (asyncpg.PostgresError, ValueError)
#: The same, and what a lost database raises.
_FAILURES = (*_REFUSALS, asyncpg.InterfaceError, asyncpg.InternalClientError, OSError, TimeoutError)


_Work: TypeAlias = Callable[[_Connection], Awaitable[Any]]


class _QueuedAppend(NamedTuple):
    work: Entries | _Work
    done: "asyncio.Future[Any]"


class PostgresStore:
    """A :class:`~tichu.server.store.port.Store` in a database."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._pool: _Pool | None = None
        self._writer: _Connection | None = None
        self._writing: asyncio.Task[None] | None = None
        self._jobs: asyncio.Queue[_QueuedAppend | None] = asyncio.Queue()
        self._next = 1

    async def start(self) -> None:
        """Connect, and make what is not there."""
        try:
            await self._connected()
            self._pool = await asyncpg.create_pool(
                self._url, min_size=1, max_size=4, command_timeout=_COMMAND_S, server_settings={"search_path": "tichu"}
            )
        except ValueError:
            # What of the URL cannot be read may be a part of the password, so it is not repeated.
            raise StoreError("the URL of the PostgreSQL database cannot be read") from None
        except _FAILURES as error:
            raise _error(error) from error
        finally:
            if self._pool is None:
                self._disconnect()
        self._writing = asyncio.create_task(self._write_on(), name="tichu-store-writer")

    async def close(self) -> None:
        """Write what waits, then disconnect."""
        writing, self._writing = self._writing, None
        if writing is not None:
            self._jobs.put_nowait(None)
            await writing
        if self._pool is not None:
            await self._pool.close()
            self._pool = None
        if self._writer is not None:
            await self._writer.close()

    async def append(
        self, table: str, entries: Sequence[bytes], *, checkpoint: bool = False, game: FinishedGame | None = None
    ) -> None:
        """Add to the log of a table, all of it or nothing."""
        if checkpoint and not entries:
            raise ValueError("a checkpoint without an entry")
        await self._write(Entries(table, entries, checkpoint, game))

    async def tables(self) -> AsyncIterator[StoredTable]:
        """All tables that are neither closed nor parked."""
        known = await self._read(
            "SELECT DISTINCT table_id FROM entries WHERE table_id NOT IN (SELECT table_id FROM parked) ORDER BY 1"
        )
        query = "SELECT table_id, entry FROM entries WHERE table_id = ANY($1) ORDER BY table_id, n"
        for start in range(0, len(known), _BATCH):
            rows = await self._read(query, [table for (table,) in known[start : start + _BATCH]])
            for table, log in groupby(rows, key=lambda row: str(row[0])):
                yield StoredTable(table, tuple(entry for _, entry in log))

    async def close_table(self, table: str) -> None:
        """Forget the log of a table."""

        async def forget(db: _Connection) -> None:
            await db.execute("DELETE FROM entries WHERE table_id = $1", table)
            await db.execute("DELETE FROM parked WHERE table_id = $1", table)

        await self._write(forget)

    async def park(self, table: str, reason: str) -> None:
        """Set a table aside."""
        query = "INSERT INTO parked VALUES ($1, $2) ON CONFLICT (table_id) DO UPDATE SET reason = excluded.reason"
        await self._write(lambda db: db.execute(query, table, reason))

    async def parked(self) -> list[tuple[str, str]]:
        """The tables set aside, each with the reason."""
        rows = await self._read("SELECT table_id, reason FROM parked")
        return sorted((table, reason) for table, reason in rows)

    async def game(self, game_id: str) -> FinishedGame | None:
        """A finished game."""
        rows = await self._read(f"SELECT {GAME_COLUMNS} FROM games WHERE id = $1", game_id)
        return game_of(tuple(rows[0])) if rows else None

    async def games(
        self, player: str | None = None, *, before: float | None = None, limit: int = 50
    ) -> list[GameSummary]:
        """The last finished games, latest first."""
        until = float("inf") if before is None else before
        if player is None:
            query = f"SELECT {SUMMARY_COLUMNS} FROM games WHERE finished < $1 ORDER BY finished DESC, id LIMIT $2"
            rows = await self._read(query, until, limit)
        else:
            query = f"""
                SELECT {SUMMARY_COLUMNS} FROM game_players JOIN games ON games.id = game
                WHERE player = $1 AND game_players.finished < $2 ORDER BY game_players.finished DESC, game LIMIT $3
            """
            rows = await self._read(query, player, until, limit)
        return [summary_of(tuple(row)) for row in rows]

    async def forget_games(self, before: float) -> int:
        """Drop the games that were finished before a time."""

        async def forget(db: _Connection) -> str:
            await db.execute("DELETE FROM game_players WHERE finished < $1", before)
            return await db.execute("DELETE FROM games WHERE finished < $1", before)

        return _count(await self._write(forget))

    async def keep_player(self, player: StoredPlayer) -> None:
        """Add a player, or change one."""
        query = """
            INSERT INTO players VALUES ($1, $2, $3, $4, $5) ON CONFLICT (id) DO UPDATE
            SET name = excluded.name, token_hash = excluded.token_hash, kind = excluded.kind
        """
        await self._write(lambda db: db.execute(query, *player))

    async def player(self, token_hash: str) -> StoredPlayer | None:
        """The player with this token."""
        query = "SELECT id, name, token_hash, kind, created FROM players WHERE token_hash = $1"
        rows = await self._read(query, token_hash)
        return StoredPlayer(*rows[0]) if rows else None

    async def rename(self, player_id: str, name: str) -> None:
        """Give a player another name."""
        query = "UPDATE players SET name = $1 WHERE id = $2"
        if not _count(await self._write(lambda db: db.execute(query, name, player_id))):
            raise StoreError(f"no player {player_id}")

    async def backup(self, path: Path) -> None:
        """Not ours to do: PostgreSQL has its own tools."""
        raise StoreError("a PostgreSQL database is backed up with pg_dump, also while the server runs")

    async def _read(self, query: str, *arguments: object) -> list[asyncpg.Record]:
        if self._pool is None:
            raise StoreError("the database is not open")
        try:
            return await self._pool.fetch(query, *arguments)
        except _FAILURES as error:
            raise _error(error) from error

    async def _write(self, work: Entries | _Work) -> Any:
        if self._writing is None:
            raise StoreError("the database is not open")
        done = asyncio.get_running_loop().create_future()
        self._jobs.put_nowait(_QueuedAppend(work, done))
        try:
            return await done
        except _FAILURES as error:
            raise _error(error) from error

    async def _write_on(self) -> None:
        """Do what waits, in groups, until there will be nothing more."""
        while (job := await self._jobs.get()) is not None:
            group = [job]
            while len(group) < _GROUP and not self._jobs.empty():
                following = self._jobs.get_nowait()
                if following is None:
                    self._jobs.put_nowait(None)
                    break
                group.append(following)
            await self._do_together(group)

    async def _do_together(self, jobs: list[_QueuedAppend]) -> None:
        try:
            db = await self._connected()
            transaction = db.transaction()
            await transaction.start()
            number: int = await db.fetchval("SELECT txid_current()")
            try:
                results = await self._do(db, jobs)
            except _REFUSALS as error:
                await transaction.rollback()
                if len(jobs) == 1:
                    _fail(jobs, error)
                else:  # Alone, each fails for itself only.
                    for job in jobs:
                        await self._do_together([job])
                return
        except Exception as error:
            self._disconnect()
            _fail(jobs, error)
            return
        try:
            await transaction.commit()
        except Exception as error:
            self._disconnect()
            if not await self._is_committed(number):
                _fail(jobs, error)
                return
        for job, result in zip(jobs, results, strict=True):
            if not job.done.done():  # The caller may have gone.
                job.done.set_result(result)

    async def _is_committed(self, number: int) -> bool:
        """What became of a transaction whose connection was lost; whoever asked will ask again if it failed."""
        while self._writing is not None:
            try:
                # The lock that the connection takes was held by the lost one: no transaction of that is open any more.
                db = await self._connected()
                return bool(await db.fetchval("SELECT txid_status($1)", number) == "committed")
            except (*_FAILURES, StoreError):
                self._disconnect()
                await asyncio.sleep(_PATIENCE_S)
        return False

    def _disconnect(self) -> None:
        if self._writer is not None:
            self._writer.terminate()

    async def _do(self, db: _Connection, jobs: list[_QueuedAppend]) -> list[Any]:
        results: list[Any] = []
        # Neighbours share their statements: a round trip costs more than an entry.
        for appends, group in groupby(jobs, key=lambda job: isinstance(job.work, Entries)):
            run = [job.work for job in group]
            if appends:
                await self._append(db, [work for work in run if isinstance(work, Entries)])
                results += [None] * len(run)
            else:
                results += [await work(db) for work in run if not isinstance(work, Entries)]
        return results

    async def _append(self, db: _Connection, appends: list[Entries]) -> None:
        rows, starts = number_entries(appends, self._next)
        self._next += len(rows)
        if rows:
            query = "INSERT INTO entries SELECT * FROM unnest($1::text[], $2::bigint[], $3::bytea[])"
            await db.execute(query, *zip(*rows, strict=True))
        if starts:
            query = """
                DELETE FROM entries USING unnest($1::text[], $2::bigint[]) AS start (table_id, n)
                WHERE entries.table_id = start.table_id AND entries.n < start.n
            """
            await db.execute(query, *zip(*starts, strict=True))
        for game in [kept for *_, kept in appends if kept is not None]:
            await db.execute("INSERT INTO games VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)", *row_of(game))
            await db.executemany("INSERT INTO game_players VALUES ($1, $2, $3)", player_rows(game.summary))

    async def _connected(self) -> _Connection:
        """The connection that writes, a new one where it was lost."""
        if self._writer is None or self._writer.is_closed():
            db = await asyncpg.connect(
                self._url, timeout=_CONNECT_S, command_timeout=_COMMAND_S, server_settings={"search_path": "tichu"}
            )
            try:
                await _claim(db)
                await _prepare(db)
                self._next = await db.fetchval("SELECT coalesce(max(n), 0) + 1 FROM entries")
            except BaseException:
                db.terminate()
                raise
            self._writer = db
        return self._writer


async def _claim(db: _Connection) -> None:
    """Keep other servers away for as long as this connection lives."""
    for _ in range(_LOCK_TRIES):
        if await db.fetchval("SELECT pg_try_advisory_lock($1)", _LOCK):
            return
        await asyncio.sleep(_LOCK_WAIT_S)
    raise StoreError("another server is using the database")


async def _prepare(db: _Connection) -> None:
    """Make what is not there; what is newer than this is not touched."""
    if await db.fetchval("SELECT to_regclass('tichu.format')") is None:
        async with db.transaction():
            await db.execute(_SCHEMA)
    version = await db.fetchval("SELECT version FROM format")
    if version > VERSION:
        raise StoreError(f"the database has format {version} of a newer tichu; this one knows {VERSION}")


def _count(status: str) -> int:
    """How many rows a command such as ``DELETE 3`` was about."""
    return int(status.rpartition(" ")[2])


def _fail(jobs: list[_QueuedAppend], error: Exception) -> None:
    for job in jobs:
        if not job.done.done():
            job.done.set_exception(error)


def _error(error: BaseException) -> StoreError:
    return StoreError(f"PostgreSQL: {str(error) or type(error).__name__}")
