"""A thread that writes to SQLite for everybody, in groups.

Every statement lets other threads run, and in a busy process the writer may wait for its turn after each.  So a group
takes as few statements as it can, at best one.

Whoever writes has the whole file until the commit, so it is enough to read the epoch in the same transaction: nobody
can raise it in between.  And since nobody else writes, the numbers that come next are remembered here.
"""

import asyncio
import sqlite3
from collections.abc import Callable, Iterable
from contextlib import suppress
from itertools import groupby
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, NamedTuple, TypeVar

from tichu.ratings.rows import MatchRow
from tichu.server.store.matches import MATCH_COLUMNS, ONCE, keep_match, match_values
from tichu.server.store.port import OutOfStep, StoreError, TakenOver
from tichu.server.store.rows import (
    ADDED_UP,
    GAME_ROW,
    PLAYER_GAME_ROW,
    PLAYER_GAMES,
    TOTALS_ROW,
    Entries,
    log_rows,
    log_starts,
    player_rows,
    row_of,
    total_rows,
)
from tichu.server.store.scripts import drive

__all__ = ["Writer", "add_up"]

T = TypeVar("T")

#: So that the first of a flood does not wait for the last.
_GROUP = 256
#: Entries in one statement.
_ROWS = 64
#: What may wait for a disk that does not answer.
_MOST_WAITING = 10_000


class _WriteRequest(NamedTuple):
    work: Entries | Callable[[sqlite3.Connection], Any]
    done: "asyncio.Future[Any]"


class _WriteResult(NamedTuple):
    done: "asyncio.Future[Any]"
    result: Any = None
    error: BaseException | None = None


class Writer:
    """Owns a connection.  What waits is done in one transaction; each caller goes on when it is committed."""

    def __init__(self, connect: Callable[[], tuple[sqlite3.Connection, int]], check: Callable[[], None]) -> None:
        #: Gives the connection and the epoch.
        self._connect = connect
        #: Raises an error where nothing may be written.
        self._check = check
        self._epoch = 0
        self._jobs: SimpleQueue[_WriteRequest | None] = SimpleQueue()
        self._thread: Thread | None = None
        #: By table: the number that comes next, as committed, and as it will be with the transaction that is open.
        self._next: dict[str, int] = {}
        self._next_here: dict[str, int] = {}

    async def start(self) -> None:
        """Connect, in the thread that will use the connection."""
        loop = asyncio.get_running_loop()
        connected: asyncio.Future[None] = loop.create_future()
        # A daemon: a server that dies without closing its store must not hang here.
        thread = Thread(target=self._run, args=(loop, connected), name="tichu-store-writer", daemon=True)
        thread.start()
        await connected
        self._thread = thread

    async def append(self, entries: Entries) -> None:
        """Append; when it returns, that is committed."""
        await self._done(entries)

    async def do(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Do this in a transaction; when it returns, the transaction is committed."""
        result: T = await self._done(work)
        return result

    async def forget(self, table: str, match: MatchRow | None) -> None:
        """Forget the log of a table, and keep the row of a match."""

        def work(db: sqlite3.Connection) -> None:
            if match is not None:
                drive(db, keep_match(match))
            db.execute("DELETE FROM log WHERE table_id = ?", (table,))
            db.execute("DELETE FROM parked WHERE table_id = ?", (table,))
            db.execute("DELETE FROM seat_keys WHERE table_id = ?", (table,))
            self._next_here[table] = 1

        await self.do(work)

    async def _done(self, work: Entries | Callable[[sqlite3.Connection], Any]) -> Any:
        if self._thread is None:
            raise StoreError("the store is not open")
        if self._jobs.qsize() >= _MOST_WAITING:
            raise StoreError("too much waits for the disk")
        done: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._jobs.put(_WriteRequest(work, done))
        return await done

    async def close(self) -> None:
        """Do what waits, then disconnect."""
        thread, self._thread = self._thread, None
        if thread is not None:
            self._jobs.put(None)
            await asyncio.to_thread(thread.join)

    def _run(self, loop: asyncio.AbstractEventLoop, connected: "asyncio.Future[None]") -> None:
        try:
            db, self._epoch = self._connect()
        except Exception as error:
            loop.call_soon_threadsafe(_tell, [_WriteResult(connected, error=error)])
            return
        loop.call_soon_threadsafe(_tell, [_WriteResult(connected)])
        try:
            while group := self._next_group():
                loop.call_soon_threadsafe(_tell, self._do_together(db, group))
        finally:
            db.close()

    def _next_group(self) -> list[_WriteRequest]:
        """What waits, or nothing when there will be nothing more."""
        group: list[_WriteRequest] = []
        job = self._jobs.get()
        while job is not None:
            group.append(job)
            if len(group) == _GROUP:
                return group
            try:
                job = self._jobs.get_nowait()
            except Empty:
                return group
        if group:
            self._jobs.put(None)
        return group

    def _do_together(self, db: sqlite3.Connection, jobs: list[_WriteRequest]) -> list[_WriteResult]:
        try:
            self._check()
            # A single statement is a transaction by itself.
            if not _is_one_statement(jobs):
                db.execute("BEGIN IMMEDIATE")
        except (sqlite3.Error, StoreError) as error:
            return [_WriteResult(job.done, error=error) for job in jobs]
        try:
            if db.in_transaction and db.execute("SELECT epoch FROM server").fetchone() != (self._epoch,):
                raise TakenOver
            outcomes = self._do(db, jobs)
            if db.in_transaction:
                db.execute("COMMIT")
        except Exception as error:
            _roll_back(db)
            self._next_here.clear()
            if len(jobs) == 1:
                return [self._without(db, jobs[0], error)]
            # Alone, each fails for itself only.
            return [outcome for job in jobs for outcome in self._do_together(db, [job])]
        self._remember_numbers()
        return outcomes

    def _without(self, db: sqlite3.Connection, job: _WriteRequest, error: Exception) -> _WriteResult:
        """What becomes of a job that cannot be done, perhaps because it was done before."""
        if isinstance(error, OutOfStep) and isinstance(job.work, Entries) and _is_stored(db, job.work):
            return _WriteResult(job.done)
        return _WriteResult(job.done, error=error)

    def _do(self, db: sqlite3.Connection, jobs: list[_WriteRequest]) -> list[_WriteResult]:
        outcomes: list[_WriteResult] = []
        for _, neighbours in groupby(jobs, key=lambda job: isinstance(job.work, Entries)):
            run = list(neighbours)
            self._append(db, [job.work for job in run if isinstance(job.work, Entries)])
            outcomes += [_WriteResult(job.done, None if isinstance(job.work, Entries) else job.work(db)) for job in run]
        return outcomes

    def _append(self, db: sqlite3.Connection, appends: list[Entries]) -> None:
        for append in appends:
            if append.entries:
                self._count(db, append)
        rows = log_rows(appends)
        for first in range(0, len(rows), _ROWS):
            some = rows[first : first + _ROWS]
            marks = ", ".join(["(?, ?, ?)"] * len(some))
            query = f"INSERT INTO log SELECT * FROM (VALUES {marks}) WHERE (SELECT epoch FROM server) = ?"
            values: list[object] = [value for row in some for value in row]
            values.append(self._epoch)
            if db.execute(query, values).rowcount != len(some):
                raise TakenOver
        for start in log_starts(appends):
            db.execute("DELETE FROM log WHERE table_id = ? AND n < ?", start)
        for match in [append.match for append in appends if append.match is not None]:
            db.execute(f"INSERT INTO matches ({MATCH_COLUMNS}) VALUES ({_marks(8)}) {ONCE}", match_values(match))
        games = [append.game for append in appends if append.game is not None]
        for game in games:
            db.execute(f"INSERT INTO games VALUES ({_marks(GAME_ROW)})", row_of(game))
            db.executemany(f"INSERT INTO {PLAYER_GAMES} VALUES ({_marks(PLAYER_GAME_ROW)})", player_rows(game))
        add_up(db, map(player_rows, games))

    def _count(self, db: sqlite3.Connection, append: Entries) -> None:
        expected = self._next_here.get(append.table) or self._next.get(append.table)
        if expected is None:
            query = "SELECT coalesce(max(n), 0) + 1 FROM log WHERE table_id = ?"
            (expected,) = db.execute(query, (append.table,)).fetchone()
        if append.first != expected:
            raise OutOfStep(append.table, append.first, expected)
        self._next_here[append.table] = append.next

    def _remember_numbers(self) -> None:
        for table, number in self._next_here.items():
            if number == 1:
                self._next.pop(table, None)
            else:
                self._next[table] = number
        self._next_here.clear()


def add_up(db: sqlite3.Connection, games: Iterable[list[tuple[Any, ...]]]) -> None:
    """Add what players did in games to what all did."""
    for row in total_rows(games, ""):
        db.execute(f"INSERT INTO totals VALUES ({_marks(TOTALS_ROW)}) {ADDED_UP}", row)


def _marks(number: int) -> str:
    return ", ".join("?" * number)


def _is_stored(db: sqlite3.Connection, append: Entries) -> bool:
    """Whether these entries are in the log under these numbers."""
    query = "SELECT entry FROM log WHERE table_id = ? AND n >= ? AND n < ? ORDER BY n"
    try:
        stored = db.execute(query, (append.table, append.first, append.next)).fetchall()
    except sqlite3.Error:
        return False
    return [entry for (entry,) in stored] == list(append.entries)


def _roll_back(db: sqlite3.Connection) -> None:
    # Some failures, a full disk for one, have rolled back already; whatever else is wrong, the next group hears of it.
    with suppress(sqlite3.Error):
        if db.in_transaction:
            db.execute("ROLLBACK")


def _is_one_statement(jobs: list[_WriteRequest]) -> bool:
    rows = 0
    for work, _ in jobs:
        if not isinstance(work, Entries) or work.checkpoint or work.game or work.match:
            return False
        rows += len(work.entries)
    return rows <= _ROWS


def _tell(outcomes: Iterable[_WriteResult]) -> None:
    for done, result, error in outcomes:
        if done.done():  # The caller has gone.
            continue
        if error is None:
            done.set_result(result)
        else:
            done.set_exception(error)
