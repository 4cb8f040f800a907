"""A store has one writer, whatever is tried: who is no longer the owner changes nothing and hears of it."""

import asyncio
import os
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

import pytest
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from bench.attacks.proxy import proxy
from tests.server.serving import Guest, served
from tests.server.test_store import ANN, logs, opened
from tichu.server import wire
from tichu.server.config import Config
from tichu.server.lobby import Lobby
from tichu.server.serve import listen, run
from tichu.server.store import OutOfStep, Store, StoreError, StoreRefusal, TakenOver, open_store
from tichu.server.store.file_lock import FileLock

pytestmark = pytest.mark.anyio

T = TypeVar("T")
ROOT = Path(__file__).resolve().parents[2]


class TestNumbers:
    async def test_entries_are_numbered_from_1_and_a_checkpoint_counts_on(self, url: str) -> None:
        async with opened(url) as store:
            await store.append("a", 1, [b"1", b"2"])
            await store.append("b", 1, [b"1"])
            await store.append("a", 3, [b"3"], checkpoint=True)
            await store.append("a", 4, [b"4"])
        async with opened(url) as store:
            assert {stored.id: stored.next async for stored in store.tables()} == {"a": 5, "b": 2}
            await store.append("a", 5, [b"5"])
            assert (await logs(store))["a"] == (b"3", b"4", b"5")

    @pytest.mark.parametrize("first", [0, 1, 2, 4, 5])
    async def test_another_number_than_the_next_is_refused(self, url: str, first: int) -> None:
        async with opened(url) as store:
            await store.append("a", 1, [b"1", b"2"])
            for _ in range(2):
                with pytest.raises(OutOfStep, match=f"entry {first} of table a .* has number 3"):
                    await store.append("a", first, [b"other"])
        async with opened(url) as store:
            with pytest.raises(OutOfStep):
                await store.append("a", first, [b"other"])
            assert await logs(store) == {"a": (b"1", b"2")}

    async def test_a_log_begins_with_1(self, store: Store) -> None:
        with pytest.raises(OutOfStep):
            await store.append("a", 2, [b"1"])
        assert await logs(store) == {}

    async def test_who_is_out_of_step_harms_no_neighbour(self, store: Store) -> None:
        await store.append("t", 1, [b"1"])
        outcomes = await asyncio.gather(
            *(store.append(f"a{n}", 1, [b"1"]) for n in range(20)),
            store.append("t", 1, [b"other"]),
            store.append("t", 2, [b"2"]),
            *(store.append(f"a{n}", 2, [b"2"]) for n in range(20)),
            return_exceptions=True,
        )
        assert [index for index, outcome in enumerate(outcomes) if outcome is not None] == [20]
        assert await logs(store) == {"t": (b"1", b"2")} | {f"a{n}": (b"1", b"2") for n in range(20)}

    async def test_who_did_not_hear_the_answer_may_ask_again(self, store: Store) -> None:
        for _ in range(3):
            await store.append("a", 1, [b"1", b"2"])
        for _ in range(2):
            await store.append("a", 3, [b"3"], checkpoint=True)
        with pytest.raises(OutOfStep):
            await store.append("a", 3, [b"3", b"4"])
        assert await logs(store) == {"a": (b"3",)}

    async def test_nothing_is_added_to_a_table_that_was_closed(self, store: Store) -> None:
        await store.append("a", 1, [b"1"])
        await store.close_table("a")
        with pytest.raises(OutOfStep):
            await store.append("a", 2, [b"2"])
        assert await logs(store) == {}
        await store.append("a", 1, [b"a new one"])
        assert await logs(store) == {"a": (b"a new one",)}

    async def test_a_number_is_not_used_up_by_a_failure(self, store: Store) -> None:
        outcomes = await asyncio.gather(
            store.append("a", 1, [b"1"]),
            store.keep_player(ANN._replace(name="\ud800")),
            store.append("a", 2, [b"2"]),
            return_exceptions=True,
        )
        assert [type(outcome) for outcome in outcomes] == [type(None), StoreRefusal, type(None)]
        assert await logs(store) == {"a": (b"1", b"2")}


async def is_replaced(store: Store) -> None:
    """It says so to everybody who asks, and nothing of it is stored."""
    for attempt in (
        store.append("a", 2, [b"late"]),
        store.append("b", 1, [b"late"], checkpoint=True),
        store.keep_player(ANN),
        store.park("a", "late"),
        store.close_table("a"),
    ):
        with pytest.raises(TakenOver, match="another server has taken over the store"):
            await attempt
    await asyncio.wait_for(store.wait_taken_over(), 5)
    with pytest.raises(TakenOver):
        await store.games()


class TestFile:
    """SQLite: the lock belongs to the file."""

    async def test_a_link_to_the_file_is_the_file(self, tmp_path: Path) -> None:
        (tmp_path / "other").mkdir()
        link = tmp_path / "other" / "link.db"
        link.symlink_to(tmp_path / "tichu.db")
        (tmp_path / "folder").symlink_to(tmp_path)
        async with opened(str(link)) as store:
            for name in ("tichu.db", "folder/tichu.db", "other/../tichu.db", "other/link.db"):
                with pytest.raises(StoreError, match="another server is using"):
                    await open_store(str(tmp_path / name))
            await store.append("a", 1, [b"1"])
        async with opened(str(tmp_path / "tichu.db")) as store:
            with pytest.raises(StoreError, match="another server is using"):
                await open_store(str(link))
            assert await logs(store) == {"a": (b"1",)}

    async def test_another_relative_path_is_the_same_file(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        async with opened("tichu.db"):
            with pytest.raises(StoreError, match="another server is using"):
                await open_store("./tichu.db")
            with pytest.raises(StoreError, match="another server is using"):
                await open_store(str(tmp_path / "tichu.db"))

    async def test_a_file_with_two_names_is_refused(self, tmp_path: Path) -> None:
        """What SQLite wrote last lies beside one of them, and would be missed under the other."""
        async with opened(str(tmp_path / "tichu.db")) as store:
            await store.append("a", 1, [b"1"])
            (tmp_path / "link.db").hardlink_to(tmp_path / "tichu.db")
            with pytest.raises(StoreError, match="has another name"):
                await open_store(str(tmp_path / "link.db"))
            await store.append("a", 2, [b"2"])
        (tmp_path / "link.db").unlink()
        async with opened(str(tmp_path / "tichu.db")) as store:
            assert await logs(store) == {"a": (b"1", b"2")}

    @pytest.mark.skipif(sys.platform != "linux", reason="other systems cannot lock a file by itself")
    async def test_a_lock_that_was_left_to_a_child_for_a_moment_is_waited_for(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A server was killed between the fork and the exec of a process that it was starting."""
        killed = FileLock(tmp_path / "tichu.db")
        assert killed._file is not None
        child = os.dup(killed._file)
        killed.release()
        with monkeypatch.context() as patched:
            patched.setattr("tichu.server.store.file_lock._WAIT_S", 0.05)
            with pytest.raises(StoreError, match="another server is using"):
                FileLock(tmp_path / "tichu.db")
        running = threading.Timer(0.1, os.close, [child])
        running.start()
        FileLock(tmp_path / "tichu.db").release()
        running.join()

    @pytest.mark.skipif(sys.platform != "linux", reason="other systems cannot lock a file by itself")
    async def test_a_file_that_was_moved_still_has_its_server(self, tmp_path: Path) -> None:
        async with opened(str(tmp_path / "tichu.db")) as store:
            (tmp_path / "tichu.db").rename(tmp_path / "moved.db")
            # In another process: this one's locks would be gone with a file that it closes.
            command = [sys.executable, "-m", "tests.server.appender", str(tmp_path / "moved.db")]
            second = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
            assert "another server is using moved.db" in second.stderr
            assert not second.stdout
            await store.append("a", 1, [b"1"])

    async def test_a_file_that_two_servers_opened_is_the_second_one_s(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """As where a drive knows no locks."""
        monkeypatch.setattr("tichu.server.store.sqlite.FileLock", NoLock)
        url = str(tmp_path / "tichu.db")
        async with opened(url) as first:
            await first.append("a", 1, [b"1"])
            async with opened(url) as second:
                assert await logs(second) == {"a": (b"1",)}
                await second.append("a", 2, [b"2"])
            await is_replaced(first)
        async with opened(url) as store:
            assert await logs(store) == {"a": (b"1", b"2")}
            assert await store.player("hash-a") is None

    async def test_a_server_with_nothing_to_do_notices_too(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("tichu.server.store.sqlite.FileLock", NoLock)
        monkeypatch.setattr("tichu.server.store.ownership._INTERVAL_S", 0.05)
        async with opened(str(tmp_path / "tichu.db")) as first:
            await asyncio.sleep(0.2)
            async with opened(str(tmp_path / "tichu.db")):
                await asyncio.wait_for(first.wait_taken_over(), 5)


class NoLock:
    """Lets everybody in."""

    def __init__(self, path: Path) -> None:
        path.touch()

    def check(self) -> None:
        """Nothing is looked at."""

    def release(self) -> None:
        """Nothing is held."""


@asynccontextmanager
async def operator(url: str) -> AsyncIterator[Any]:
    """Somebody who may end connections of others."""
    import asyncpg

    db = await asyncpg.connect(url)
    try:
        yield db
    finally:
        await db.close()


async def lock_holders(db: Any) -> list[int]:
    rows = await db.fetch("SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted")
    return [row["pid"] for row in rows]


async def cut(db: Any) -> None:
    """End all connections but this one, and wait until they are gone."""
    query = "SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'"
    others = [row["pid"] for row in await db.fetch(query)]
    await db.execute("SELECT pg_terminate_backend(pid) FROM unnest($1::integer[]) AS other (pid)", others)
    while await db.fetchval("SELECT count(*) FROM pg_stat_activity WHERE pid = ANY($1)", others):
        await asyncio.sleep(0.01)


async def again_and_again(work: Callable[[], Awaitable[T]]) -> T:
    """As the owner of a table does it, who does not take no for an answer."""
    async with asyncio.timeout(5):
        while True:
            try:
                return await work()
            except StoreError:
                await asyncio.sleep(0.01)


@pytest.fixture
def unwatched(monkeypatch: pytest.MonkeyPatch) -> None:
    """Servers that look only when they write, as if they were busy with something else."""
    from tichu.server.store.ownership import Ownership

    monkeypatch.setattr(Ownership, "watch", lambda self, check: None)


@pytest.mark.parametrize("url", ["postgres"], indirect=True)
class TestDatabase:
    """PostgreSQL: the epoch decides."""

    @pytest.mark.usefixtures("unwatched")
    async def test_a_server_that_was_cut_off_writes_nothing_over_the_next_one(self, url: str) -> None:
        async with operator(url) as db, opened(url) as first:
            await first.append("a", 1, [b"1"])
            await cut(db)
            async with opened(url) as second:
                await second.append("a", 2, [b"2"])
                await is_replaced(first)
            await is_replaced(first)
            async with opened(url) as third:
                assert await logs(third) == {"a": (b"1", b"2")}
                assert await third.player("hash-a") is None

    @pytest.mark.usefixtures("unwatched")
    async def test_who_came_and_went_has_taken_over_all_the_same(self, url: str) -> None:
        async with operator(url) as db, opened(url) as first:
            await first.append("a", 1, [b"1"])
            await cut(db)
            async with opened(url) as second:
                await second.append("a", 2, [b"2"])
            await is_replaced(first)

    async def test_a_server_with_nothing_to_do_notices_too(self, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("tichu.server.store.ownership._INTERVAL_S", 0.05)
        monkeypatch.setattr("tichu.server.store.postgres_owner.LOCK", 1)
        async with opened(url) as first:
            await asyncio.sleep(0.2)
            monkeypatch.setattr("tichu.server.store.postgres_owner.LOCK", 2)
            async with opened(url):
                await asyncio.wait_for(first.wait_taken_over(), 5)

    async def test_a_server_that_was_cut_off_comes_back_by_itself(
        self, url: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("tichu.server.store.postgres_owner._LOCK_WAIT_S", 0.01)
        async with operator(url) as db, opened(url) as store:
            await store.append("a", 1, [b"1"])
            (before,) = await lock_holders(db)
            await cut(db)
            while not await lock_holders(db):
                await asyncio.sleep(0.01)
            assert await lock_holders(db) != [before]
            with pytest.raises(StoreError, match="another server is using"):
                await open_store(url)
            await again_and_again(lambda: store.append("a", 2, [b"2"]))
            assert await logs(store) == {"a": (b"1", b"2")}

    async def test_taking_over_waits_for_a_transaction_that_is_open(
        self, url: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        async with operator(url) as db, opened(url) as first:
            await first.append("a", 1, [b"1"])
            await db.execute("BEGIN; SELECT * FROM tichu.tables FOR UPDATE")
            late = asyncio.create_task(first.append("a", 2, [b"2"]))
            while not await db.fetchval("SELECT count(*) FROM pg_locks WHERE NOT granted"):
                await asyncio.sleep(0.01)
            monkeypatch.setattr("tichu.server.store.postgres_owner.LOCK", 2)
            taking = asyncio.create_task(open_store(url))
            while await db.fetchval("SELECT count(*) FROM pg_locks WHERE NOT granted") < 2:
                await asyncio.sleep(0.01)
            assert not taking.done()
            await db.execute("COMMIT")
            second = await taking
            await late
            assert await logs(second) == {"a": (b"1", b"2")}
            await second.append("a", 3, [b"3"])
            await is_replaced(first)
            await second.close()

    async def test_a_connection_that_fell_silent_locks_nobody_out(
        self, url: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("tichu.server.store.postgres_owner._BEGIN_S", 0.3)
        monkeypatch.setattr("tichu.server.store.postgres_owner.APPEND_S", 0.3)
        monkeypatch.setattr("tichu.server.store.postgres._READ_S", 0.3)
        monkeypatch.setattr("tichu.server.store.postgres._CLOSE_S", 0.3)
        async with operator(url) as db, proxy(_socket_of(url)) as between:
            async with opened(f"postgresql://tichu@127.0.0.1:{between.port}/postgres") as store:
                await store.append("a", 1, [b"1"])
                (before,) = await lock_holders(db)
                between.fall_silent()
                await again_and_again(lambda: store.append("a", 2, [b"2"]))
                assert await again_and_again(lambda: logs(store)) == {"a": (b"1", b"2")}
                (now,) = await lock_holders(db)
                assert now != before
                assert not await db.fetchval("SELECT count(*) FROM pg_stat_activity WHERE pid = $1", before)
            async with opened(url) as store:
                assert await logs(store) == {"a": (b"1", b"2")}

    async def test_the_database_itself_notices_a_client_that_is_gone(self, url: str) -> None:
        async with opened(url) as store:
            assert hasattr(store, "_owner")
            db = await store._owner.connect()
            # A local socket has no keepalives and shows 0; what was asked for stands in the start of the connection.
            assert await db.fetchval("SHOW idle_in_transaction_session_timeout") == "10s"
        from tichu.server.store.postgres_connection import connection_options

        asked: dict[str, str] = connection_options()["server_settings"]
        assert int(asked["tcp_keepalives_idle"]) + 3 * int(asked["tcp_keepalives_interval"]) <= 15
        assert 0 < int(asked["tcp_user_timeout"]) <= 15_000

    async def test_a_connection_of_somebody_else_is_not_ended(self, url: str) -> None:
        """Its process has the number that one of ours had."""
        async with operator(url) as db, operator(url) as other, opened(url) as store:
            assert hasattr(store, "_owner")
            pid, began = await other.fetchrow(
                "SELECT pid, backend_start FROM pg_stat_activity WHERE pid = pg_backend_pid()"
            )
            ours = await lock_holders(db)
            store._owner._backends.append((pid, began.replace(microsecond=(began.microsecond + 1) % 1_000_000)))
            await db.execute("SELECT pg_terminate_backend($1)", ours[0])
            await again_and_again(lambda: store.append("a", 1, [b"1"]))
            assert await lock_holders(db) != ours
            assert await other.fetchval("SELECT 1") == 1


def _socket_of(url: str) -> str:
    return os.path.join(url.partition("?host=")[2], ".s.PGSQL.5432")  # noqa: PTH118


class TestServer:
    """A server whose store another one has taken over."""

    @pytest.fixture(autouse=True)
    def no_lock(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("tichu.server.store.sqlite.FileLock", NoLock)

    async def test_it_acknowledges_nothing_and_lets_everybody_go(
        self, tmp_path: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        url = str(tmp_path / "tichu.db")
        async with served(database=url) as place:
            made = await place.table("you", None, None, None)
            other = await place.table("you")
            table, token = made["table"]["id"], made["you"]["token"]
            async with (
                place.guest(table, token) as guest,
                place.guest(table) as watcher,
                place.guest(other["table"]["id"], other["you"]["token"]) as elsewhere,
                opened(url) as second,
            ):
                before = await logs(second)
                await guest.say({"type": "TABLE.SAY", "id": "late", "text": "is anybody there?"})
                for one in (guest, watcher, elsewhere):
                    heard = [message async for message in everything(one)]
                    assert not [message for message in heard if isinstance(message, wire.Ack | wire.EventMessage)]
                    assert isinstance(heard[-1], wire.Error)
                    assert heard[-1].code == "closing"
                with pytest.raises((OSError, InvalidHandshake)):
                    async with place.guest(table, token):
                        pass
                assert await logs(second) == before
        said = [record for record in caplog.records if record.levelname == "CRITICAL"]
        assert [record.getMessage() for record in said] == ["another server has taken over the store; this one stops"]
        assert not [record for record in caplog.records if record.levelname == "ERROR"]

    async def test_its_process_ends_with_an_error(self, tmp_path: Path) -> None:
        url = str(tmp_path / "tichu.db")
        started = asyncio.Event()

        async def started_now(lobby: Lobby) -> None:
            started.set()

        with listen("127.0.0.1", 0) as place:
            running = asyncio.create_task(run(Config(database=url), place, started_now))
            await started.wait()
            async with opened(url):
                with pytest.raises(TakenOver):
                    await asyncio.wait_for(running, 15)


async def everything(guest: Guest) -> AsyncIterator[wire.FromServer]:
    """What somebody hears until the socket is closed."""
    with suppress(ConnectionClosed):
        while True:
            yield await guest.next()
