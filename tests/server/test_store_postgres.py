"""What a store in PostgreSQL does beyond the common promises."""

import asyncio
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.server.test_store import GAME, SUMMARY, logs, opened
from tichu.server.store import StoreError, open_store
from tichu.server.store.formats import VERSION

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("url", ["postgres"], indirect=True)
class TestDatabase:
    async def test_a_newer_format_is_refused_and_kept(self, url: str) -> None:
        import asyncpg

        async with opened(url) as store:
            await store.append("a", 1, [b"1"])
        db = await asyncpg.connect(url)
        await db.execute("UPDATE tichu.format SET version = version + 1")
        with pytest.raises(StoreError, match=f"format {VERSION + 1} of a newer tichu; this one knows {VERSION}"):
            await open_store(url)
        await db.execute("UPDATE tichu.format SET version = version - 1")
        await db.close()
        async with opened(url) as store:
            assert await logs(store) == {"a": (b"1",)}

    @pytest.mark.parametrize("checkpoint", [True, False], ids=["transaction", "statement"])
    async def test_a_lost_connection_is_made_anew_and_nothing_is_stored_twice(self, url: str, checkpoint: bool) -> None:
        import asyncpg

        other = await asyncpg.connect(url)
        async with opened(url) as store:
            await store.append("a", 1, [b"1"])
            # The log is locked, so that the connection ends in the middle of an append.
            await other.execute("BEGIN; LOCK TABLE tichu.log IN EXCLUSIVE MODE")
            lost = [
                asyncio.create_task(store.append(table, first, [b"lost"], checkpoint=checkpoint))
                for table, first in (("a", 2), ("b", 1))
            ]
            while not await other.fetchval("SELECT count(*) FROM pg_locks WHERE NOT granted"):
                await asyncio.sleep(0.01)
            await other.execute("SELECT pg_terminate_backend(pid) FROM pg_locks WHERE NOT granted; COMMIT")
            outcomes = await asyncio.gather(*lost, return_exceptions=True)
            # A transaction fails for those who asked for it; a statement is tried once more.
            assert [type(outcome) for outcome in outcomes] == [StoreError if checkpoint else type(None)] * 2
            for table, first in (("a", 2), ("b", 1)):
                await store.append(table, first, [b"lost"], checkpoint=checkpoint)
            assert await logs(store) == {"a": (b"lost",) if checkpoint else (b"1", b"lost"), "b": (b"lost",)}
        await other.close()

    @pytest.mark.parametrize("checkpoint", [True, False], ids=["transaction", "statement"])
    @pytest.mark.parametrize("committed", [True, False])
    async def test_a_connection_lost_in_a_commit_leaves_no_doubt(
        self, url: str, committed: bool, checkpoint: bool, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        from asyncpg import Connection

        from tichu.server.store.postgres_owner import _APPEND

        execute = Connection.execute

        async def lose(db: "Connection[Any]", query: str, *arguments: Any, **options: Any) -> str:
            if query in ("COMMIT", _APPEND):
                monkeypatch.setattr(Connection, "execute", execute)
                if committed:
                    await execute(db, query, *arguments, **options)
                raise ConnectionResetError("lost")
            return await execute(db, query, *arguments, **options)

        async with opened(url) as store:
            await store.append("a", 1, [b"1"])
            monkeypatch.setattr(Connection, "execute", lose)
            outcomes = await asyncio.gather(
                store.append("a", 2, [b"2"], checkpoint=checkpoint),
                store.append("b", 1, [b"1"], checkpoint=checkpoint),
                return_exceptions=True,
            )
            if committed:
                assert [*outcomes] == [None, None]
                assert await logs(store) == {"a": (b"2",) if checkpoint else (b"1", b"2"), "b": (b"1",)}
            else:
                assert [str(outcome) for outcome in outcomes] == ["PostgreSQL: lost"] * 2
                assert await logs(store) == {"a": (b"1",)}
            await store.append("a", 3 if committed else 2, [b"3"])
            assert (await logs(store))["a"][-1] == b"3"

    async def test_a_database_that_is_gone_for_a_while_writes_no_traceback(
        self, url: str, caplog: pytest.LogCaptureFixture
    ) -> None:
        import asyncpg

        async def fail(*arguments: Any, **options: Any) -> None:
            raise ConnectionRefusedError

        other = await asyncpg.connect(url)
        async with opened(url) as store:
            assert await store.player("nobody") is None
            pool: Any = store._pool  # type: ignore[attr-defined]
            connect, pool._connect = pool._connect, fail
            await other.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()")
            for _ in range(3):
                with pytest.raises(StoreError):
                    await store.player("nobody")
                await asyncio.sleep(0.05)
            assert "Traceback" not in caplog.text
            pool._connect = connect
            assert await store.player("nobody") is None
        await other.close()

    async def test_what_waits_is_committed_together(self, url: str) -> None:
        import asyncpg

        other = await asyncpg.connect(url)
        async with opened(url) as store:
            await asyncio.gather(*(store.append(f"t{n}", 1, [b"1"]) for n in range(100)))
            rows = await other.fetch("SELECT DISTINCT xmin::text FROM tichu.log")
            assert len(rows) == 1
        await other.close()

    async def test_whoever_is_replaced_while_a_game_is_forgotten_leaves_nothing(self, url: str) -> None:
        """Of another node, in the middle: nobody would find that row again, and somebody would be kept for it."""
        import asyncpg

        other = await asyncpg.connect(url, server_settings={"search_path": "tichu"})
        async with opened(url) as store:
            await store.append("t", 1, [b"entry"], game=GAME)
            await other.execute("BEGIN")
            await other.execute("UPDATE games SET players = replace(players, 'ann', 'new')")
            await other.execute("UPDATE game_players SET player = 'new' WHERE player = 'ann'")
            forgetting = asyncio.create_task(store.forget_games(SUMMARY.finished + 1))
            while not await other.fetchval("SELECT count(*) FROM pg_locks WHERE NOT granted"):
                await asyncio.sleep(0.01)
            await other.execute("COMMIT")
            assert await forgetting == 1
            assert await other.fetch("SELECT player FROM game_players") == []
        await other.close()

    async def test_a_backup_is_left_to_pg_dump(self, url: str, tmp_path: Path) -> None:
        async with opened(url) as store:
            with pytest.raises(StoreError, match="pg_dump"):
                await store.backup(tmp_path / "copy.db")

    async def test_a_missing_database_is_named(self, url: str) -> None:
        with pytest.raises(StoreError, match='PostgreSQL: database "nowhere" does not exist'):
            await open_store(url.replace("/postgres?", "/nowhere?"))


async def test_a_server_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="PostgreSQL: "):
        await open_store(f"postgresql://ann:secret@/db?host={tmp_path}")


@pytest.mark.parametrize("url", ["postgresql://ann:sec/ret@host/db", "postgresql://ann:secret@host:port/db"])
async def test_a_url_that_cannot_be_read_does_not_show_its_password(url: str) -> None:
    with pytest.raises(StoreError, match="the URL of the PostgreSQL database cannot be read"):
        await open_store(url)


async def test_without_the_driver_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "asyncpg", None)
    monkeypatch.delitem(sys.modules, "tichu.server.store.postgres", raising=False)
    with pytest.raises(StoreError, match=r"pip install 'tichu\[postgres\]'"):
        await open_store("postgresql://ann:secret@host/db")
