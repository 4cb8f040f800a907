"""The store in one SQLite file.

One thread owns the connection that writes.  All that waits when it is free goes into one transaction, so the busier
the server, the cheaper an entry.  Reads have connections and threads of their own (:mod:`.reader`).

``synchronous=NORMAL``: a commit hands its pages to the operating system, where the death of this process cannot reach
them, but does not wait for the disk.  A power cut may take the last seconds with it, never the file.  To wait costs
milliseconds for every commit, which a game of cards is not worth.

A file has one server (:mod:`.file_lock`), and an epoch for the case that it has two.
"""

import asyncio
import glob
import os
import secrets
import sqlite3
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import ParamSpec, TypeVar

from tichu.ratings.rows import MatchRow
from tichu.server.log import FinishedGame, GameSummary, SeatResult
from tichu.server.store.erasing import rewrite_log
from tichu.server.store.file_lock import FileLock, make_file
from tichu.server.store.forgetting import forget_old_games
from tichu.server.store.formats import APPLICATION, RESULT_COLUMNS, SQLITE, VERSION
from tichu.server.store.ownership import Ownership
from tichu.server.store.people import UNUSED, find_player
from tichu.server.store.port import StoredPart, StoredPlayer, StoredTable, StoreError, StoreRefusal, TakenOver
from tichu.server.store.reader import Reader
from tichu.server.store.rows import (
    GAME_COLUMNS,
    SUMMARY_COLUMNS,
    Entries,
    game_of,
    player_rows,
    summary_of,
    totals_of,
)
from tichu.server.store.scripts import Script, drive
from tichu.server.store.writer import Writer, add_up

__all__ = ["SqliteStore"]

T = TypeVar("T")
P = ParamSpec("P")

#: Tables read at once while loading.
_BATCH = 200
#: How the name of an unfinished copy ends, and after how long nobody works on it any more.
_DRAFT, _DRAFT_S = ".draft", 86_400.0
#: What the write-ahead log is cut to when a busy time is over.
_LOG_BYTES = 1 << 26
#: Which players nobody needs any more.
_OLD = f"seen < ? AND {UNUSED}"


class SqliteStore:
    """A :class:`~tichu.server.store.port.Store` in a file, or for tests in memory."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._name = ":memory:" if path is None else str(path)
        # However the file is called: it has one lock and one log beside it, those of its real name.
        self._file = Path(os.path.realpath(self._name))
        self._writer = Writer(self._open, self._check)
        self._ownership = Ownership()
        self._lock: FileLock | None = None
        self._reader: Reader | None = None

    async def start(self) -> None:
        """Open the file, made anew where there is none."""
        try:
            await self._writer.start()
        except (OSError, sqlite3.Error, StoreError) as error:
            self._let_go()
            raise self._error(error) from error
        # A database in memory belongs to one connection, so its writer reads as well.
        if self._path is not None:
            self._reader = Reader(self._file, _connect)
            self._ownership.watch(lambda: self._write(lambda db: None))

    async def close(self) -> None:
        """Write what waits, then close the file."""
        await self._ownership.close()
        await self._writer.close()
        if self._reader is not None:
            await self._reader.close()
            self._reader = None
        self._let_go()

    async def wait_taken_over(self) -> None:
        """Return when another server has taken over the file."""
        await self._ownership.wait_lost()

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
        await self._await_answer(self._writer.append(Entries(table, first, entries, checkpoint, game, match)))

    async def tables(self) -> AsyncIterator[StoredTable]:
        """All tables that are neither closed nor parked."""
        known = await self._read(
            lambda db: db.execute(
                "SELECT DISTINCT table_id FROM log WHERE table_id NOT IN (SELECT table_id FROM parked)"
            ).fetchall()
        )
        for start in range(0, len(known), _BATCH):
            some = [table for (table,) in known[start : start + _BATCH]]
            for stored in await self._read(partial(_load, tables=some)):
                yield stored

    async def table(self, table: str) -> StoredTable | None:
        """One of them."""
        parked = "SELECT 1 FROM parked WHERE table_id = ?"

        def load(db: sqlite3.Connection) -> list[StoredTable]:
            return [] if db.execute(parked, (table,)).fetchone() else _load(db, [table])

        return next(iter(await self._read(load)), None)

    async def close_table(self, table: str, match: MatchRow | None = None) -> None:
        """Forget the log of a table."""
        await self._await_answer(self._writer.forget(table, match))

    async def rewrite(self, table: str, entries: Sequence[tuple[int, bytes]]) -> None:
        """Put other entries in the place of some in the log of a table."""
        await self.write(rewrite_log, table, entries)

    async def park(self, table: str, reason: str) -> None:
        """Set a table aside."""
        await self._write(lambda db: db.execute("INSERT OR REPLACE INTO parked VALUES (?, ?)", (table, reason)))

    async def parked(self) -> list[tuple[str, str]]:
        """The tables set aside, each with the reason."""
        return await self._read(lambda db: db.execute("SELECT * FROM parked ORDER BY table_id").fetchall())

    async def game(self, game_id: str) -> FinishedGame | None:
        """A finished game."""
        query = f"SELECT {GAME_COLUMNS} FROM games WHERE id = ?"
        row = await self._read(lambda db: db.execute(query, (game_id,)).fetchone())
        return None if row is None else game_of(row)

    async def games(
        self, player: str | None = None, *, before: float | None = None, limit: int = 50
    ) -> list[GameSummary]:
        """The last finished games, latest first."""
        until = float("inf") if before is None else before
        if player is None:
            query = f"SELECT {SUMMARY_COLUMNS}, NULL FROM games WHERE finished < ? ORDER BY finished DESC, id LIMIT ?"
            arguments: tuple[object, ...] = (until, limit)
        else:
            query = f"""
                SELECT {SUMMARY_COLUMNS}, winner FROM game_players JOIN games ON games.id = game
                WHERE player = ? AND game_players.finished < ? ORDER BY game_players.finished DESC, game LIMIT ?
            """
            arguments = (player, until, limit)
        rows = await self._read(lambda db: db.execute(query, arguments).fetchall())
        return [summary_of(row[:-1], row[-1]) for row in rows]

    async def results(self, player: str) -> tuple[int, SeatResult]:
        """What the games of a player add up to."""
        sums = ", ".join(f"sum({name})" for name in RESULT_COLUMNS)
        query = f"SELECT count(won), {sums} FROM game_players WHERE player = ?"
        return totals_of(await self._read(lambda db: db.execute(query, (player,)).fetchone()))

    async def uncounted_games(self, limit: int) -> list[str]:
        """Games that were stored without their results."""
        query = "SELECT DISTINCT game FROM game_players WHERE winner IS NULL LIMIT ?"
        return [game for (game,) in await self._read(lambda db: db.execute(query, (limit,)).fetchall())]

    async def count_game(self, game: FinishedGame) -> None:
        """Add the winner and the results to a game."""
        columns = ", ".join(f"{name} = ?" for name in ("winner", *RESULT_COLUMNS))
        query = f"UPDATE game_players SET {columns} WHERE player = ? AND finished = ? AND game = ? AND winner IS NULL"

        def count(db: sqlite3.Connection) -> None:
            new = [row for row in player_rows(game) if db.execute(query, (*row[3:-1], *row[:3])).rowcount]
            add_up(db, [new])

        await self._write(count)

    async def forget_games(self, before: float) -> int:
        """Drop the games that were finished before a time."""
        return await forget_old_games(self, before)

    async def keep_review(self, game_id: str, part: StoredPart) -> bool:
        """Add a part to the review of a game."""
        # The game may have been forgotten meanwhile, and its review with it.
        query = "INSERT OR REPLACE INTO reviews SELECT id, ?, ?, ? FROM games WHERE id = ?"
        return bool(await self._write(lambda db: db.execute(query, (*part, game_id)).rowcount))

    async def review(self, game_id: str) -> list[StoredPart]:
        """All parts of the review of a game."""
        query = "SELECT round, part, data FROM reviews WHERE game = ? ORDER BY round, part"
        return [StoredPart(*row) for row in await self._read(lambda db: db.execute(query, (game_id,)).fetchall())]

    async def keep_player(self, player: StoredPlayer) -> None:
        """Add a player, or change one."""
        query = """
            INSERT INTO players VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE
            SET name = excluded.name, token_hash = excluded.token_hash, kind = excluded.kind
        """
        await self._write(lambda db: db.execute(query, (*player[:5], player.created)))

    async def player(self, token_hash: str) -> StoredPlayer | None:
        """The player with this token."""
        return await self.read(find_player, token_hash)

    async def rename(self, player_id: str, name: str) -> None:
        """Give a player another name."""
        query = "UPDATE players SET name = ? WHERE id = ?"
        if not await self._write(lambda db: db.execute(query, (name, player_id)).rowcount):
            raise StoreError(f"no player {player_id}")

    async def change_token(self, player_id: str, token_hash: str) -> str | None:
        """Give a player another token; the hash of the former one."""

        def change(db: sqlite3.Connection) -> str | None:
            former = db.execute("SELECT token_hash FROM players WHERE id = ?", (player_id,)).fetchone()
            db.execute("UPDATE players SET token_hash = ? WHERE id = ?", (token_hash, player_id))
            return None if former is None else str(former[0])

        return await self._write(change)

    async def see_players(self, players: Mapping[str, float]) -> None:
        """Note when players were here."""
        rows = [(at, player) for player, at in players.items()]
        await self._write(lambda db: db.executemany("UPDATE players SET seen = max(seen, ?) WHERE id = ?", rows))

    async def old_players(self, before: float, limit: int) -> list[str]:
        """Players who are in no kept game and were not seen since a time."""
        query = f"SELECT id FROM players WHERE {_OLD} ORDER BY seen LIMIT ?"
        return [player for (player,) in await self._read(lambda db: db.execute(query, (before, limit)).fetchall())]

    async def forget_players(self, players: Sequence[str], before: float) -> int:
        """Drop those of these players of whom that is still true."""

        def forget(db: sqlite3.Connection) -> int:
            query = f"DELETE FROM players WHERE {_OLD} AND id = ?"
            return sum(db.execute(query, (before, player)).rowcount for player in players)

        return await self._write(forget)

    async def read(self, script: Callable[P, Script[T]], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Carry out a script that only asks."""
        return await self._read(lambda db: drive(db, script(*args, **kwargs)))

    async def write(self, script: Callable[P, Script[T]], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Carry out a script as one transaction."""
        return await self._write(lambda db: drive(db, script(*args, **kwargs)))

    async def backup(self, path: Path) -> None:
        """Copy everything into a new file; the store may be in use, here or in another process."""
        if self._path is None:
            raise StoreError("a store in memory cannot be backed up")
        try:
            await asyncio.to_thread(_copy, self._path, path)
        except (OSError, sqlite3.Error) as error:
            raise StoreError(f"no backup of {self._path} to {path}: {_fact(error)}") from error

    async def _write(self, work: Callable[[sqlite3.Connection], T]) -> T:
        return await self._await_answer(self._writer.do(work))

    async def _read(self, query: Callable[[sqlite3.Connection], T]) -> T:
        self._ownership.check()
        return await self._await_answer(self._writer.do(query) if self._reader is None else self._reader.read(query))

    async def _await_answer(self, answer: Awaitable[T]) -> T:
        try:
            return await answer
        except TakenOver:
            self._ownership.lose()
            raise
        except (sqlite3.IntegrityError, sqlite3.DataError, UnicodeError) as error:
            raise StoreRefusal(f"{self._name}: {error}") from error
        except sqlite3.Error as error:
            raise self._error(error) from error

    def _open(self) -> tuple[sqlite3.Connection, int]:
        if self._path is None:
            db = _connect(":memory:")
            db.executescript(SQLITE[0])
            return db, 0
        self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._lock = FileLock(self._file)
        db = _connect(self._file)
        try:
            _check_format(db, self._path)
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("PRAGMA synchronous = NORMAL")
            # Whoever was forgotten is not to be found in the free places of the file; not every SQLite does so unasked.
            db.execute("PRAGMA secure_delete = ON")
            # Moving the log into the file holds writers up: rarely and for longer hurts fewer than often.
            db.execute("PRAGMA wal_autocheckpoint = 10000")
            db.execute(f"PRAGMA journal_size_limit = {_LOG_BYTES}")
            return db, _take_over(db)
        except BaseException:
            db.close()
            raise

    def _check(self) -> None:
        if self._lock is not None:
            self._lock.check()

    def _let_go(self) -> None:
        if self._lock is not None:
            self._lock.release()
        self._lock = None

    def _error(self, error: BaseException) -> StoreError:
        return error if isinstance(error, StoreError) else StoreError(f"{self._name}: {_fact(error)}")


def _connect(path: Path | str) -> sqlite3.Connection:
    # No thread is checked: a connection is used by one thread and closed by another when that has ended.
    return sqlite3.connect(path, isolation_level=None, check_same_thread=False)


def _check_format(db: sqlite3.Connection, path: Path) -> None:
    """What is not ours, or newer than this, is not touched."""
    (application,) = db.execute("PRAGMA application_id").fetchone()
    (version,) = db.execute("PRAGMA user_version").fetchone()
    (tables,) = db.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if (application, version, tables) == (0, 0, 0):
        return
    if application != APPLICATION:
        raise StoreError(f"{path} is a SQLite file, but not one of tichu's")
    if version > VERSION:
        raise StoreError(f"{path} has format {version} of a newer tichu; this one knows {VERSION}")


def _take_over(db: sqlite3.Connection) -> int:
    """Begin a new epoch, in a file that is new, of an older format, or as it should be: all of it or nothing."""
    (version,) = db.execute("PRAGMA user_version").fetchone()
    db.executescript(
        f"BEGIN IMMEDIATE; {SQLITE[version]} PRAGMA user_version = {VERSION}; UPDATE server SET epoch = epoch + 1;"
    )
    (epoch,) = db.execute("SELECT epoch FROM server").fetchone()
    # A file that cannot be written to is found out now and not at the first card.
    db.execute("COMMIT")
    return int(epoch)


def _load(db: sqlite3.Connection, tables: Sequence[str]) -> list[StoredTable]:
    marks = ", ".join("?" * len(tables))
    query = f"SELECT table_id, n, entry FROM log WHERE table_id IN ({marks}) ORDER BY table_id, n"
    logs: dict[str, list[bytes]] = {}
    last: dict[str, int] = {}
    for table, number, entry in db.execute(query, tables):
        logs.setdefault(table, []).append(entry)
        last[table] = number
    return [StoredTable(table, tuple(log), last[table] + 1) for table, log in logs.items()]


def _copy(source: Path, target: Path) -> None:
    if target.exists():
        raise FileExistsError("it exists")
    _remove_drafts(target)
    draft = target.with_name(f".{target.name}.{secrets.token_hex(4)}{_DRAFT}")
    make_file(draft)
    try:
        # Not "rwc": a backup of what is not there must fail.
        with closing(sqlite3.connect(f"{source.resolve().as_uri()}?mode=rw", uri=True, isolation_level=None)) as db:
            db.execute("VACUUM INTO ?", (str(draft),))
        with draft.open("rb+") as file:
            os.fsync(file.fileno())
        draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)


def _remove_drafts(target: Path) -> None:
    """Copies of this file that were cut short; one that is being made is younger."""
    too_old = time.time() - _DRAFT_S
    for draft in target.parent.glob(f".{glob.escape(target.name)}.*{_DRAFT}"):
        # Somebody else may be quicker.
        with suppress(OSError):
            if draft.stat().st_mtime < too_old:
                draft.unlink()


def _fact(error: BaseException) -> str:
    """What went wrong, without the path that the message names already."""
    return (isinstance(error, OSError) and error.strerror) or str(error)
