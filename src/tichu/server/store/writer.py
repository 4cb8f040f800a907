"""A thread that writes to SQLite for everybody, in groups."""

import asyncio
import sqlite3
from collections.abc import Callable, Iterable
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, NamedTuple, TypeVar

__all__ = ["Writer"]

T = TypeVar("T")

#: So that the first of a flood does not wait for the last.
_GROUP = 256


class _Job(NamedTuple):
    work: Callable[[sqlite3.Connection], Any]
    done: "asyncio.Future[Any]"


class _Outcome(NamedTuple):
    done: "asyncio.Future[Any]"
    result: Any = None
    error: BaseException | None = None


class Writer:
    """Owns a connection.  What waits is done in one transaction; each caller goes on when it is committed."""

    def __init__(self, connect: Callable[[], sqlite3.Connection]) -> None:
        self._connect = connect
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self._thread: Thread | None = None

    @property
    def is_open(self) -> bool:
        """Whether it takes work."""
        return self._thread is not None

    async def start(self) -> None:
        """Connect, in the thread that will use the connection."""
        loop = asyncio.get_running_loop()
        connected: asyncio.Future[None] = loop.create_future()
        # A daemon: a server that dies without closing its store must not hang here.
        thread = Thread(target=self._run, args=(loop, connected), name="tichu-store-writer", daemon=True)
        thread.start()
        await connected
        self._thread = thread

    async def do(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Do this in a transaction; when it returns, the transaction is committed."""
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._jobs.put(_Job(work, done))
        return await done

    async def close(self) -> None:
        """Do what waits, then disconnect."""
        thread, self._thread = self._thread, None
        if thread is not None:
            self._jobs.put(None)
            await asyncio.to_thread(thread.join)

    def _run(self, loop: asyncio.AbstractEventLoop, connected: "asyncio.Future[None]") -> None:
        try:
            db = self._connect()
        except Exception as error:
            loop.call_soon_threadsafe(_tell, [_Outcome(connected, error=error)])
            return
        loop.call_soon_threadsafe(_tell, [_Outcome(connected)])
        try:
            while group := self._next_group():
                loop.call_soon_threadsafe(_tell, _do_together(db, group))
        finally:
            db.close()

    def _next_group(self) -> list[_Job]:
        """What waits, or nothing when there will be nothing more."""
        group: list[_Job] = []
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


def _do_together(db: sqlite3.Connection, jobs: list[_Job]) -> list[_Outcome]:
    try:
        db.execute("BEGIN IMMEDIATE")
    except sqlite3.Error as error:
        return [_Outcome(job.done, error=error) for job in jobs]
    try:
        outcomes = [_Outcome(job.done, job.work(db)) for job in jobs]
        db.execute("COMMIT")
    except Exception as error:
        # Some failures, a full disk for one, have rolled back already.
        if db.in_transaction:
            db.execute("ROLLBACK")
        if len(jobs) == 1:
            return [_Outcome(jobs[0].done, error=error)]
        # Alone, each fails for itself only.
        return [outcome for job in jobs for outcome in _do_together(db, [job])]
    return outcomes


def _tell(outcomes: Iterable[_Outcome]) -> None:
    for done, result, error in outcomes:
        if done.done():  # The caller has gone.
            continue
        if error is None:
            done.set_result(result)
        else:
            done.set_exception(error)
