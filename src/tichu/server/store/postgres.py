"""The store in a PostgreSQL database, in a schema of its own.

As with SQLite, one connection writes and all that waits goes into one transaction; reads have a pool.  Whether a
commit waits for the disk is a setting of the database (``synchronous_commit``).  Who may write is decided in
:mod:`.postgres_owner`.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple, ParamSpec, TypeAlias, TypeVar

import asyncpg

from tichu.ratings.rows import MatchRow
from tichu.server.log import FinishedGame, GameSummary, SeatResult
from tichu.server.store.erasing import rewrite_log
from tichu.server.store.forgetting import forget_old_games
from tichu.server.store.formats import RESULT_COLUMNS
from tichu.server.store.matches import MATCH_COLUMNS, ONCE, keep_match, match_values
from tichu.server.store.ownership import Ownership
from tichu.server.store.people import UNUSED, find_player
from tichu.server.store.port import (
    OutOfStep,
    StoredPart,
    StoredPlayer,
    StoredTable,
    StoreError,
    StoreRefusal,
    TableTaken,
    TakenOver,
)
from tichu.server.store.postgres_connection import FAILURES, REFUSALS, Connection, Prepare, connection_options
from tichu.server.store.postgres_owner import DatabaseOwner, LogStep, Owner
from tichu.server.store.preparing import prepare_database
from tichu.server.store.rows import (
    ADDED_UP,
    GAME_COLUMNS,
    GAME_ROW,
    PLAYER_GAME_ROW,
    PLAYER_GAMES,
    SUMMARY_COLUMNS,
    TOTALS_ROW,
    Entries,
    game_of,
    log_rows,
    log_starts,
    player_rows,
    row_of,
    summary_of,
    total_rows,
    totals_of,
)
from tichu.server.store.scripts import Script, drive_async

__all__ = ["PostgresStore"]

#: So that the first of a flood does not wait for the last.
_GROUP = 256
#: What may wait for a database that does not answer.
_MOST_WAITING = 10_000
_READ_S, _CLOSE_S = 10.0, 5.0
#: Tables read at once while loading: the event loop has to look at all of their entries.
_BATCH = 40
#: Which players nobody needs any more.
_OLD = f"seen < $1 AND {UNUSED}"

T = TypeVar("T")
P = ParamSpec("P")

_Pool: TypeAlias = "asyncpg.Pool[asyncpg.Record]"
_Work: TypeAlias = Callable[[Connection], Awaitable[Any]]


class _QueuedAppend(NamedTuple):
    work: Entries | _Work
    done: "asyncio.Future[Any]"


class _Refusal(Exception):
    """The database works, but does not accept this."""

    def __init__(self, reason: Exception) -> None:
        super().__init__(reason)
        self.reason = reason


class PostgresStore:
    """A :class:`~tichu.server.store.port.Store` in a database."""

    def __init__(self, url: str, owner: Callable[[Prepare, Callable[[], None]], Owner] | None = None) -> None:
        """Of one server, or of whoever else may write."""
        self._url = url
        self._pool: _Pool | None = None
        self._ownership = Ownership()
        make = owner or partial(DatabaseOwner, url)
        self._owner = make(prepare_database, self._ownership.look)
        self._writing: asyncio.Task[None] | None = None
        self._jobs: asyncio.Queue[_QueuedAppend | None] = asyncio.Queue()

    async def start(self) -> None:
        """Connect, and make what is not there."""
        try:
            await self._owner.connect()
            # A pool that is never to be empty writes a traceback whenever it cannot fill itself.
            self._pool = await asyncpg.create_pool(self._url, min_size=0, max_size=4, **connection_options())
        except ValueError:
            # What of the URL cannot be read may be a part of the password, so it is not repeated.
            raise StoreError("the URL of the PostgreSQL database cannot be read") from None
        except FAILURES as error:
            raise _error(error) from error
        finally:
            if self._pool is None:
                self._owner.disconnect()
        self._writing = asyncio.create_task(self._write_on(), name="tichu-store-writer")
        self._ownership.watch(lambda: self._write(_nothing))

    async def close(self) -> None:
        """Write what waits, then disconnect."""
        await self._ownership.close()
        writing, self._writing = self._writing, None
        if writing is not None:
            self._jobs.put_nowait(None)
            await writing
        pool, self._pool = self._pool, None
        if pool is not None:
            # A connection that fell silent cannot be closed with a word.
            with suppress(*FAILURES):
                async with asyncio.timeout(_CLOSE_S):
                    await pool.close()
            pool.terminate()
        await self._owner.close()

    async def wait_taken_over(self) -> None:
        """Return when another server has taken over the database."""
        await self._ownership.wait_lost()

    def give_up(self) -> None:
        """Another server has this one's place: write nothing more."""
        self._ownership.lose()

    async def append(
        self,
        table: str,
        first: int,
        entries: Sequence[bytes],
        *,
        checkpoint: bool = False,
        game: FinishedGame | None = None,
        match: MatchRow | None = None,
    ) -> None:
        """Add to the log of a table, all of it or nothing."""
        if checkpoint and not entries:
            raise ValueError("a checkpoint without an entry")
        await self._write(Entries(table, first, entries, checkpoint, game, match))

    async def tables(self) -> AsyncIterator[StoredTable]:
        """All tables that are neither closed nor parked."""
        known = await self._read("SELECT id FROM tables WHERE id NOT IN (SELECT table_id FROM parked) ORDER BY 1")
        for start in range(0, len(known), _BATCH):
            for stored in await self._load([table for (table,) in known[start : start + _BATCH]]):
                yield stored

    async def table(self, table: str) -> StoredTable | None:
        """One of them."""
        if await self._read("SELECT 1 FROM parked WHERE table_id = $1", table):
            return None
        return next(iter(await self._load([table])), None)

    async def _load(self, tables: Sequence[str]) -> list[StoredTable]:
        query = "SELECT table_id, n, entry FROM log WHERE table_id = ANY($1) ORDER BY table_id, n"
        found = []
        for table, log in groupby(await self._read(query, tables), key=lambda row: str(row[0])):
            numbers, entries = zip(*((number, entry) for _, number, entry in log), strict=True)
            found.append(StoredTable(table, entries, numbers[-1] + 1))
        return found

    async def close_table(self, table: str, match: MatchRow | None = None) -> None:
        """Forget the log of a table."""

        async def forget(db: Connection) -> None:
            if match is not None:
                await drive_async(db.fetch, keep_match(match))
            for place in ("tables", "directory"):
                await db.execute(f"DELETE FROM {place} WHERE id = $1", table)
            for place in ("log", "parked", "seat_keys"):
                await db.execute(f"DELETE FROM {place} WHERE table_id = $1", table)

        await self._write_at(table, forget)

    async def rewrite(self, table: str, entries: Sequence[tuple[int, bytes]]) -> None:
        """Put other entries in the place of some in the log of a table."""
        await self._write_at(table, lambda db: drive_async(db.fetch, rewrite_log(table, entries)))

    async def park(self, table: str, reason: str) -> None:
        """Set a table aside; where nodes share the database, none of them sends anybody there."""
        query = "INSERT INTO parked VALUES ($1, $2) ON CONFLICT (table_id) DO UPDATE SET reason = excluded.reason"

        async def park(db: Connection) -> None:
            await db.execute(query, table, reason)
            await db.execute("DELETE FROM directory WHERE id = $1", table)

        await self._write_at(table, park)

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
            query = f"SELECT {SUMMARY_COLUMNS}, NULL FROM games WHERE finished < $1 ORDER BY finished DESC, id LIMIT $2"
            rows = await self._read(query, until, limit)
        else:
            query = f"""
                SELECT {SUMMARY_COLUMNS}, winner FROM game_players JOIN games ON games.id = game
                WHERE player = $1 AND game_players.finished < $2 ORDER BY game_players.finished DESC, game LIMIT $3
            """
            rows = await self._read(query, player, until, limit)
        return [summary_of(tuple(row)[:-1], row[-1]) for row in rows]

    async def results(self, player: str) -> tuple[int, SeatResult]:
        """What the games of a player add up to."""
        sums = ", ".join(f"sum({name})" for name in RESULT_COLUMNS)
        (row,) = await self._read(f"SELECT count(won), {sums} FROM game_players WHERE player = $1", player)
        return totals_of(tuple(row))

    async def uncounted_games(self, limit: int) -> list[str]:
        """Games that were stored without their results."""
        query = "SELECT DISTINCT game FROM game_players WHERE winner IS NULL LIMIT $1"
        return [game for (game,) in await self._read(query, limit)]

    async def count_game(self, game: FinishedGame) -> None:
        """Add the winner and the results to a game."""
        columns = ", ".join(f"{name} = ${at}" for at, name in enumerate(("winner", *RESULT_COLUMNS), 4))
        where = "player = $1 AND finished = $2 AND game = $3 AND winner IS NULL"

        async def count(db: Connection) -> None:
            query = f"UPDATE game_players SET {columns} WHERE {where}"
            await self._add_up(db, [[row for row in player_rows(game) if _count(await db.execute(query, *row[:-1]))]])

        await self._write(count)

    async def forget_games(self, before: float) -> int:
        """Drop the games that were finished before a time."""
        return await forget_old_games(self, before)

    async def keep_review(self, game_id: str, part: StoredPart) -> bool:
        """Add a part to the review of a game."""
        query = """
            INSERT INTO reviews SELECT id, $2, $3, $4 FROM games WHERE id = $1
            ON CONFLICT (game, round, part) DO UPDATE SET data = excluded.data
        """
        return bool(_count(await self._write(lambda db: db.execute(query, game_id, *part))))

    async def review(self, game_id: str) -> list[StoredPart]:
        """All parts of the review of a game."""
        query = "SELECT round, part, data FROM reviews WHERE game = $1 ORDER BY round, part"
        return [StoredPart(*row) for row in await self._read(query, game_id)]

    async def keep_player(self, player: StoredPlayer) -> None:
        """Add a player, or change one."""
        query = """
            INSERT INTO players VALUES ($1, $2, $3, $4, $5, $5) ON CONFLICT (id) DO UPDATE
            SET name = excluded.name, token_hash = excluded.token_hash, kind = excluded.kind
        """
        await self._write(lambda db: db.execute(query, *player[:5]))

    async def player(self, token_hash: str) -> StoredPlayer | None:
        """The player with this token."""
        return await self.read(find_player, token_hash)

    async def rename(self, player_id: str, name: str) -> None:
        """Give a player another name."""
        query = "UPDATE players SET name = $1 WHERE id = $2"
        if not _count(await self._write(lambda db: db.execute(query, name, player_id))):
            raise StoreError(f"no player {player_id}")

    async def change_token(self, player_id: str, token_hash: str) -> str | None:
        """Give a player another token; the hash of the former one."""

        async def change(db: Connection) -> str | None:
            former: str | None = await db.fetchval("SELECT token_hash FROM players WHERE id = $1", player_id)
            await db.execute("UPDATE players SET token_hash = $1 WHERE id = $2", token_hash, player_id)
            return former

        former: str | None = await self._write(change)
        return former

    async def see_players(self, players: Mapping[str, float]) -> None:
        """Note when players were here."""
        query = """
            UPDATE players SET seen = greatest(players.seen, visit.seen)
            FROM unnest($1::text[], $2::float8[]) AS visit (id, seen) WHERE players.id = visit.id
        """
        await self._write(lambda db: db.execute(query, list(players), list(players.values())))

    async def old_players(self, before: float, limit: int) -> list[str]:
        """Players who are in no kept game and were not seen since a time."""
        rows = await self._read(f"SELECT id FROM players WHERE {_OLD} ORDER BY seen LIMIT $2", before, limit)
        return [player for (player,) in rows]

    async def forget_players(self, players: Sequence[str], before: float) -> int:
        """Drop those of these players of whom that is still true."""
        query = f"DELETE FROM players WHERE {_OLD} AND id = ANY($2)"
        return _count(await self._write(lambda db: db.execute(query, before, players)))

    async def read(self, script: Callable[P, Script[T]], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Carry out a script that only asks."""
        return await drive_async(self._read, script(*args, **kwargs))

    async def write(self, script: Callable[P, Script[T]], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Carry out a script as one transaction."""
        result: T = await self._write(lambda db: drive_async(db.fetch, script(*args, **kwargs)))
        return result

    async def backup(self, path: Path) -> None:
        """Not ours to do: PostgreSQL has its own tools."""
        raise StoreError("a PostgreSQL database is backed up with pg_dump, also while the server runs")

    async def _read(self, query: str, *arguments: object) -> list[asyncpg.Record]:
        self._ownership.check()
        if self._pool is None:
            raise StoreError("the database is not open")
        try:
            async with self._pool.acquire(timeout=_READ_S) as db:
                try:
                    return await db.fetch(query, *arguments, timeout=_READ_S)
                except TimeoutError:
                    # The pool would wait until the query is cancelled, for which the answer may never come.
                    db.terminate()
                    raise
        except FAILURES as error:
            raise _error(error) from error

    async def _write(self, work: Entries | _Work) -> Any:
        if self._writing is None:
            raise StoreError("the database is not open")
        if self._jobs.qsize() >= _MOST_WAITING:
            raise StoreError("too much waits for the database")
        self._ownership.check()
        done = asyncio.get_running_loop().create_future()
        self._jobs.put_nowait(_QueuedAppend(work, done))
        try:
            return await done
        except FAILURES as error:
            raise _error(error) from error

    async def _write_at(self, table: str, work: _Work) -> None:
        """Change a table that must be ours."""

        async def change(db: Connection) -> None:
            await self._owner.lock_table(db, table)
            await work(db)

        await self._write(change)

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
            if all(job.work is _nothing for job in jobs):
                await self._owner.check()
                results: list[Any] = [None] * len(jobs)
            elif _is_one_statement(jobs) and await self._append_at_once(jobs):
                results = [None] * len(jobs)
            else:
                results = await self._transaction(jobs)
        except _Refusal as refusal:
            if len(jobs) == 1:
                _fail(jobs, refusal.reason)
            else:  # Alone, each fails for itself only.
                for job in jobs:
                    await self._do_together([job])
            return
        except TakenOver as error:
            self._ownership.lose()
            self._owner.disconnect()
            _fail(jobs, error)
            return
        except Exception as error:
            self._owner.disconnect()
            _fail(jobs, error)
            return
        for job, result in zip(jobs, results, strict=True):
            if not job.done.done():  # The caller may have gone.
                job.done.set_result(result)

    async def _append_at_once(self, jobs: list[_QueuedAppend]) -> bool:
        """Append in a single statement, which spares the round trips of a transaction; False if nothing is done."""
        appends = [job.work for job in jobs if isinstance(job.work, Entries)]
        db = await self._owner.connect()
        try:
            await self._owner.append(db, _steps(appends), log_rows(appends))
        except (*REFUSALS, OutOfStep, TableTaken):
            # Somebody is out of step, or another server has taken over: a transaction will tell which.
            return False
        except Exception:
            self._owner.disconnect()
            # Whoever asked will ask again if it failed.
            if not await self._owner.is_committed(lambda: self._writing is not None):
                raise
        return True

    async def _transaction(self, jobs: list[_QueuedAppend]) -> list[Any]:
        """The results of the jobs; they are committed.

        :raises _Refusal: one of the jobs cannot be done, and none is
        """
        db = await self._owner.connect()
        await self._owner.begin(db)
        try:
            results = await self._do(db, jobs)
        except (*REFUSALS, OutOfStep, TableTaken) as error:
            await db.execute("ROLLBACK")
            if isinstance(error, OutOfStep | TableTaken) and len(jobs) == 1 and await _is_stored(db, jobs[0].work):
                return [None]
            raise _Refusal(error) from error
        try:
            await db.execute("COMMIT")
        except Exception:
            self._owner.disconnect()
            # Whoever asked will ask again if it failed.
            if not await self._owner.is_committed(lambda: self._writing is not None):
                raise
        return results

    async def _do(self, db: Connection, jobs: list[_QueuedAppend]) -> list[Any]:
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

    async def _append(self, db: Connection, appends: list[Entries]) -> None:
        if steps := _steps(appends):
            await self._owner.count_up(db, steps)
        if rows := log_rows(appends):
            query = "INSERT INTO log SELECT * FROM unnest($1::text[], $2::bigint[], $3::bytea[])"
            await db.execute(query, *zip(*rows, strict=True))
        if starts := log_starts(appends):
            query = """
                DELETE FROM log USING unnest($1::text[], $2::bigint[]) AS start (table_id, n)
                WHERE log.table_id = start.table_id AND log.n < start.n
            """
            await db.execute(query, *zip(*starts, strict=True))
        for match in [append.match for append in appends if append.match is not None]:
            query = f"INSERT INTO matches ({MATCH_COLUMNS}) VALUES ({_marks(8)}) {ONCE}"
            await db.execute(query, *match_values(match))
        games = [append.game for append in appends if append.game is not None]
        for game in games:
            await db.execute(f"INSERT INTO games VALUES ({_marks(GAME_ROW)})", *row_of(game))
            await db.executemany(f"INSERT INTO {PLAYER_GAMES} VALUES ({_marks(PLAYER_GAME_ROW)})", player_rows(game))
        await self._add_up(db, map(player_rows, games))

    async def _add_up(self, db: Connection, games: Iterable[list[tuple[Any, ...]]]) -> None:
        """Add what players did in games to what all did."""
        for row in total_rows(games, self._owner.node):
            await db.execute(f"INSERT INTO totals VALUES ({_marks(TOTALS_ROW)}) {ADDED_UP}", *row)


def _marks(number: int) -> str:
    return ", ".join(f"${at}" for at in range(1, number + 1))


async def _nothing(db: Connection) -> None:
    """What is written to find out whether one may write."""


def _is_one_statement(jobs: list[_QueuedAppend]) -> bool:
    return all(
        isinstance(work, Entries) and work.entries and not (work.checkpoint or work.game or work.match)
        for work, _ in jobs
    )


def _steps(appends: list[Entries]) -> list[LogStep]:
    """From which number to which the logs grow.

    :raises OutOfStep: two appends to a table do not follow each other
    """
    spans: dict[str, tuple[int, int]] = {}
    for append in appends:
        if not append.entries:
            continue
        first, following = spans.get(append.table, (append.first, append.first))
        if append.first != following:
            raise OutOfStep(append.table, append.first, following)
        spans[append.table] = first, append.next
    return [(table, *span) for table, span in spans.items()]


async def _is_stored(db: Connection, work: Entries | _Work) -> bool:
    """Whether these entries are in the log under these numbers."""
    if not isinstance(work, Entries):
        return False
    query = "SELECT entry FROM log WHERE table_id = $1 AND n >= $2 AND n < $3 ORDER BY n"
    stored = await db.fetch(query, work.table, work.first, work.next)
    return [entry for (entry,) in stored] == list(work.entries)


def _count(status: str) -> int:
    """How many rows a command such as ``DELETE 3`` was about."""
    return int(status.rpartition(" ")[2])


def _fail(jobs: list[_QueuedAppend], error: Exception) -> None:
    for job in jobs:
        if not job.done.done():
            job.done.set_exception(error)


def _error(error: BaseException) -> StoreError:
    refusals = asyncpg.IntegrityConstraintViolationError, asyncpg.DataError, ValueError
    kind = StoreRefusal if isinstance(error, refusals) else StoreError
    return kind(f"PostgreSQL: {str(error) or type(error).__name__}")
