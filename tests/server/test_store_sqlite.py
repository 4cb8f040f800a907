"""What a store in a file does beyond the common promises."""

import asyncio
import sqlite3
import sys
import threading
from contextlib import closing
from pathlib import Path

import pytest

from tests.server.test_store import ANN, GAME, logs, opened
from tichu.server.store import StoreError, open_store
from tichu.server.store.formats import VERSION
from tichu.server.store.sqlite import SqliteStore

pytestmark = pytest.mark.anyio


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


async def test_only_the_owner_may_read_the_files(tmp_path: Path) -> None:
    path = tmp_path / "data" / "tichu.db"
    async with opened(str(path)) as store:
        await store.append("a", 1, [b"1"])
        await store.games()
        names = {"tichu.db", "tichu.db-lock", "tichu.db-shm", "tichu.db-wal"}
        assert {file.name: mode(file) for file in path.parent.iterdir()} == dict.fromkeys(names, 0o600)
        assert mode(path.parent) == 0o700
        await store.backup(tmp_path / "copy.db")
        assert mode(tmp_path / "copy.db") == 0o600


async def test_a_store_in_memory_works_and_is_gone_with_its_server() -> None:
    async with opened(":memory:") as store:
        await store.append("a", 1, [b"1"], game=GAME)
        assert await logs(store) == {"a": (b"1",)}
        assert await store.game("game-1") == GAME
        with pytest.raises(StoreError, match="in memory"):
            await store.backup(Path("copy.db"))
    async with opened(":memory:") as store:
        assert await logs(store) == {}


async def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match=r"file/data/tichu\.db: Not a directory"):
        await open_store(str(tmp_path / "file" / "data" / "tichu.db"))


async def test_a_folder_is_no_store(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    with pytest.raises(StoreError, match=r"data: Is a directory"):
        await open_store(str(tmp_path / "data"))


async def test_a_folder_that_cannot_be_written_to_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    # The administrator, who may run the tests, can write everywhere.
    monkeypatch.setattr("tichu.server.store.file_lock.make_file", refuse)
    with pytest.raises(StoreError, match=r"tichu\.db: Permission denied"):
        await open_store(str(tmp_path / "tichu.db"))


async def test_a_file_that_cannot_be_written_to_is_found_out_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "tichu.db"
    async with opened(str(path)):
        pass
    monkeypatch.setattr(
        "tichu.server.store.sqlite._connect",
        lambda path: sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, isolation_level=None),
    )
    with pytest.raises(StoreError, match=r"tichu\.db: (attempt to write a readonly|unable to open)"):
        await open_store(str(path))


async def test_something_else_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "diary"
    path.write_text("Dear diary, today we called Grand Tichu again, and I need not say how that went.\n" * 50)
    before = path.read_bytes()
    with pytest.raises(StoreError, match="diary: file is not a database"):
        await open_store(str(path))
    assert path.read_bytes() == before


async def test_another_program_s_database_is_not_touched(tmp_path: Path) -> None:
    path = tmp_path / "songs.db"
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE songs (title TEXT)")
    before = path.read_bytes()
    with pytest.raises(StoreError, match=r"songs\.db is a SQLite file, but not one of tichu's"):
        await open_store(str(path))
    assert path.read_bytes() == before


async def test_a_newer_format_is_refused_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "tichu.db"
    async with opened(str(path)) as store:
        await store.append("a", 1, [b"1"])
    with closing(sqlite3.connect(path)) as db:
        db.execute(f"PRAGMA user_version = {VERSION + 1}")
    with pytest.raises(StoreError, match=f"format {VERSION + 1} of a newer tichu; this one knows {VERSION}"):
        await open_store(str(path))
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (VERSION + 1,)
        db.execute(f"PRAGMA user_version = {VERSION}")
    async with opened(str(path)) as store:
        assert await logs(store) == {"a": (b"1",)}


async def test_a_refused_start_lets_go_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "tichu.db"
    path.write_text("no database" * 100)
    with pytest.raises(StoreError, match="not a database"):
        await open_store(str(path))
    path.unlink()
    async with opened(str(path)) as store:
        assert await logs(store) == {}


async def test_a_backup_is_a_store_as_it_was(tmp_path: Path) -> None:
    async with opened(str(tmp_path / "tichu.db")) as store:
        await store.append("a", 1, [b"1"], game=GAME)
        await store.keep_player(ANN)
        writing = asyncio.gather(*(store.append(f"t{n}", 1, [b"1", b"2"]) for n in range(200)))
        await store.backup(tmp_path / "copy.db")
        await writing
        await store.append("a", 2, [b"2"])
        # Also from outside, as a command beside a running server does it.
        await SqliteStore(tmp_path / "tichu.db").backup(tmp_path / "later.db")
    async with opened(str(tmp_path / "later.db")) as copy:
        assert (await logs(copy))["a"] == (b"1", b"2")
    async with opened(str(tmp_path / "copy.db")) as copy:
        stored = await logs(copy)
        assert stored.pop("a") == (b"1",)
        assert set(stored.values()) <= {(b"1", b"2")}
        assert await copy.game("game-1") == GAME
        assert await copy.player("hash-a") == ANN


async def test_a_backup_replaces_nothing(tmp_path: Path) -> None:
    (tmp_path / "copy.db").write_text("yesterday's")
    async with opened(str(tmp_path / "tichu.db")) as store:
        with pytest.raises(StoreError, match=r"copy\.db: it exists"):
            await store.backup(tmp_path / "copy.db")
    assert (tmp_path / "copy.db").read_text() == "yesterday's"


async def test_a_backup_that_fails_leaves_nothing(tmp_path: Path) -> None:
    target = tmp_path / "backups"
    target.mkdir()
    with pytest.raises(StoreError, match=r"no backup of .*none\.db to .*copy\.db: unable to open"):
        await SqliteStore(tmp_path / "none.db").backup(target / "copy.db")
    assert list(target.iterdir()) == []
    assert not (tmp_path / "none.db").exists()


async def test_what_waits_is_committed_together(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "tichu.db")
    await store.start()
    statements: list[str] = []
    gate = threading.Event()

    def hold(db: sqlite3.Connection) -> None:
        db.set_trace_callback(statements.append)
        gate.wait()

    held = asyncio.create_task(store._writer.do(hold))
    waiting = [asyncio.create_task(store.append(f"t{n}", 1, [b"1"])) for n in range(100)]
    await asyncio.sleep(0)
    gate.set()
    await asyncio.gather(held, *waiting)
    await store.close()
    # The one that held the others up may be alone.
    assert statements.count("COMMIT") <= 2
    assert sum(statement.startswith("INSERT") for statement in statements) == 2
    async with opened(str(tmp_path / "tichu.db")) as again:
        assert await logs(again) == {f"t{n}": (b"1",) for n in range(100)}


async def test_a_full_disk_fails_for_whom_there_is_no_room_and_passes(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "tichu.db")
    await store.start()

    gate = threading.Event()

    def hold(db: sqlite3.Connection) -> None:
        (pages,) = db.execute("PRAGMA page_count").fetchone()
        db.execute(f"PRAGMA max_page_count = {pages + 4}")
        gate.wait()

    held = asyncio.create_task(store._writer.do(hold))
    sizes = [10, 100_000, 10, 100_000, 10]
    waiting = [asyncio.create_task(store.append(f"t{n}", 1, [b"x" * size])) for n, size in enumerate(sizes)]
    await asyncio.sleep(0)
    gate.set()
    await held
    outcomes = await asyncio.gather(*waiting, return_exceptions=True)
    assert [str(outcome) for outcome in outcomes if outcome is not None] == [
        f"{tmp_path / 'tichu.db'}: database or disk is full"
    ] * 2
    assert set(await logs(store)) == {"t0", "t2", "t4"}
    await store._writer.do(lambda db: db.execute("PRAGMA max_page_count = 1000000"))
    await store.append("t1", 1, [b"x" * 100_000])
    assert set(await logs(store)) == {"t0", "t1", "t2", "t4"}
    await store.close()


async def test_a_store_whose_database_is_gone_says_so_to_everybody_who_asks(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "tichu.db")
    await store.start()
    await store.append("t", 1, [b"1"])
    connections: list[sqlite3.Connection] = []
    await store._writer.do(connections.append)
    connections[0].close()
    for _ in range(2):
        with pytest.raises(StoreError, match="closed database"):
            await store.append("t", 2, [b"2"])
    await store.close()
    async with opened(str(tmp_path / "tichu.db")) as again:
        assert await logs(again) == {"t": (b"1",)}


@pytest.mark.skipif(sys.platform != "linux", reason="the file is not looked at elsewhere")
async def test_nothing_is_stored_in_a_file_that_was_deleted(tmp_path: Path) -> None:
    """SQLite would go on writing to it, and everything would be gone with the server."""
    path = tmp_path / "tichu.db"
    async with opened(str(path)) as store:
        await store.append("a", 1, [b"1"])
        for file in tmp_path.iterdir():
            file.unlink()
        for _ in range(2):
            with pytest.raises(StoreError, match="was deleted"):
                await store.append("a", 2, [b"2"])
        with pytest.raises(StoreError, match="was deleted"):
            await store.keep_player(ANN)


class Held:
    """A query that takes as long as it is held."""

    def __init__(self) -> None:
        self._free = threading.Event()

    def __call__(self, db: sqlite3.Connection) -> None:
        self._free.wait(20)

    def let_go(self) -> None:
        self._free.set()


async def test_who_reads_much_does_not_keep_others_from_reading(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "tichu.db")
    await store.start()
    held = Held()
    reading = asyncio.create_task(store._read(held))
    await asyncio.sleep(0)
    async with asyncio.timeout(10):
        assert await store.player("nobody") is None
    held.let_go()
    await reading
    await store.close()


async def test_what_waits_to_be_read_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tichu.server.store.reader._MOST_WAITING", 5)
    monkeypatch.setattr("tichu.server.store.reader._SECONDS", 0.2)
    store = SqliteStore(tmp_path / "tichu.db")
    await store.start()
    held = Held()
    waiting = [asyncio.create_task(store._read(held)) for _ in range(5)]
    await asyncio.sleep(0)
    with pytest.raises(StoreError, match="too much waits"):
        await store.player("nobody")
    outcomes = await asyncio.gather(*waiting, return_exceptions=True)
    assert {str(one) for one in outcomes} == {"nothing was read within 0.2 s"}
    held.let_go()
    async with asyncio.timeout(10):
        assert await store.player("nobody") is None
    await store.close()
