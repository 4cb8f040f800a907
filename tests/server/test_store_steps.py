"""A database becomes one of a newer format while others work in it."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, cast

import pytest

from tests.server.nodes import cluster, connection, node_of
from tests.server.test_store import logs, opened
from tests.server.test_store_format import make_format
from tichu.server import wire
from tichu.server.cluster.database import Database
from tichu.server.cluster.directory import Directory
from tichu.server.store import StoreError, formats, open_store, postgres_connection, preparing
from tichu.server.store.node_owner import _PREPARE_LOCK

pytestmark = [pytest.mark.anyio, pytest.mark.parametrize("url", ["postgres"], indirect=True)]


async def of_format_10(url: str) -> None:
    async with opened(url) as store:
        await store.append("t", 1, [b"{}"])
    await make_format(10, url)


@asynccontextmanager
async def backup(url: str) -> AsyncIterator[None]:
    """Somebody reads a table in a transaction, as pg_dump does, until the end of the block."""
    async with connection(url) as db:
        await db.execute("BEGIN")
        await db.fetch("SELECT * FROM game_players")
        yield
        await db.execute("COMMIT")


async def store_on(db: Any, seconds: float) -> None:
    """Store what a player did again and again, as the former version does.

    :raises TimeoutError: something held it up that does not end
    """
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        query = "INSERT INTO game_players (player, finished, game) VALUES ('p', $1, 'g')"
        await db.execute(query, time.monotonic(), timeout=20)
        await asyncio.sleep(0.02)


async def test_a_step_holds_nobody_up_while_a_backup_is_made(url: str) -> None:
    await of_format_10(url)
    async with connection(url) as db:
        async with backup(url):
            opening = asyncio.create_task(open_store(url))
            # Whoever waited for the backup in front of others would let them wait as long as it is made.
            await store_on(db, 3.0)
            assert not opening.done()
        store = await opening
        assert await logs(store) == {"t": (b"{}",)}
        assert await db.fetchval("SELECT version FROM format") == formats.VERSION
        await store.close()


async def test_a_step_that_cannot_be_made_says_why_and_changes_nothing(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in (("_LOCK_MS", 20), ("_LAST_LOCK_MS", 20), ("_TRIES", 2), ("_PAUSE_S", 0.01)):
        monkeypatch.setattr(preparing, name, value)
    await of_format_10(url)
    async with backup(url):
        with pytest.raises(
            StoreError, match=f"those of format {formats.VERSION} now, .* perhaps a backup; start again"
        ):
            await open_store(url)
    async with connection(url) as db:
        assert await db.fetchval("SELECT version FROM format") == 10
        assert await db.fetchval("SELECT to_regclass('mail_codes')") is None


@asynccontextmanager
async def vacuum(db: Any) -> AsyncIterator[None]:
    """The database tidies up a large table by itself and takes its time, until somebody is in its way for a second."""
    slowly = "autovacuum_vacuum_cost_delay = 100, autovacuum_vacuum_cost_limit = 1"
    at_once = "autovacuum_vacuum_threshold = 0, autovacuum_vacuum_scale_factor = 0"
    await db.execute("ALTER SYSTEM SET autovacuum_naptime = 1")
    try:
        await db.execute("SELECT pg_reload_conf()")
        await db.execute(f"ALTER TABLE game_players SET ({at_once}, {slowly})")
        rows = "SELECT i::text, i, 'g' FROM generate_series(1, 20000) AS i"
        await db.execute(f"INSERT INTO game_players (player, finished, game) {rows}")
        await db.execute("DELETE FROM game_players")
        async with asyncio.timeout(30):
            while not await db.fetchval("SELECT count(*) FROM pg_stat_progress_vacuum"):
                await asyncio.sleep(0.05)
        yield
    finally:
        await db.execute("ALTER SYSTEM RESET autovacuum_naptime")
        await db.execute("SELECT pg_reload_conf()")


async def test_a_step_does_not_wait_until_the_database_has_tidied_up(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("_TRIES", 2), ("_PAUSE_S", 0.01)):
        monkeypatch.setattr(preparing, name, value)
    await of_format_10(url)
    async with connection(url) as db, vacuum(db), opened(url):
        assert await db.fetchval("SELECT version FROM format") == formats.VERSION


async def test_a_step_may_take_longer_than_any_statement(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """An index over very many games: a server that never waits for it would never start again."""
    await of_format_10(url)
    monkeypatch.setattr(postgres_connection, "_COMMAND_S", 0.5)
    monkeypatch.setitem(formats.POSTGRES, 10, formats.POSTGRES[10] + "SELECT pg_sleep(1.2);")
    async with opened(url) as store:
        assert await logs(store) == {"t": (b"{}",)}


async def test_a_node_that_comes_back_waits_for_nobody_who_changes_the_tables(url: str) -> None:
    async with cluster(url, "a") as (a,), connection(url) as newer:
        made = await a.table("you", None)
        await newer.execute("SELECT pg_advisory_lock($1)", _PREPARE_LOCK)
        lost = await (await node_of(a)._owner.connect()).fetchval("SELECT pg_backend_pid()")
        await newer.execute("SELECT pg_terminate_backend($1)", lost)
        async with asyncio.timeout(5):
            said = await a.post(made["you"]["token"], made["table"]["id"], wire.PutBot(id="x", seat=1, bot="easy"))
        assert said["type"] == "ack"
        assert await (await node_of(a)._owner.connect()).fetchval("SELECT pg_backend_pid()") != lost


class Explained:
    """Says how statements would be carried out, and finds nothing."""

    def __init__(self, db: Any) -> None:
        self._db = db
        self.plan = ""

    async def fetch(self, query: str, *arguments: object) -> list[Any]:
        self.plan = "\n".join(line for (line,) in await self._db.fetch(f"EXPLAIN {query}", *arguments))
        return []


async def test_the_start_page_costs_as_much_as_there_are_games_and_not_as_there_are_tables(url: str) -> None:
    """Every node looks once in two seconds; of what nodes of the former format write, the index knows too."""
    async with opened(url):
        pass
    await make_format(12, url)
    rows = """
        INSERT INTO directory SELECT 't' || i, 'c' || i, 1, '', i, true, true, ARRAY['p' || i],
        convert_to('{"stage":"' || CASE WHEN i % 50 = 0 THEN 'playing' ELSE 'open' END || '","x":"' || repeat('x', 900)
        || '"}', 'utf8') FROM generate_series($1::integer, $2) AS i
    """
    async with connection(url) as db:
        await db.execute(rows, 1, 5000)
        await preparing.prepare_database(db)
        await db.execute(rows, 5001, 10_000)
        await db.execute("ANALYZE directory")
        explained = Explained(db)
        directory = Directory(cast(Database, explained))
        for asking in (directory.in_play(100), directory.players_in_play(5000)):
            await asking
            assert "directory_in_play" in explained.plan
            assert "Seq Scan" not in explained.plan
        assert len(await Directory(cast(Database, db)).players_in_play(5000)) == 200


@pytest.mark.parametrize("before", [10, 11, 12])
async def test_a_step_leaves_everything_that_nodes_of_the_former_format_write_to(url: str, before: int) -> None:
    """They know no new column: it must do without a value."""
    query = """
        SELECT table_name || '.' || column_name, data_type, is_nullable, coalesce(column_default, '') AS value
        FROM information_schema.columns WHERE table_schema = 'tichu'
    """
    async with opened(url):
        pass
    await make_format(before, url)
    async with connection(url) as db:
        then = {name: rest for name, *rest in await db.fetch(query)}
        tables = {name.partition(".")[0] for name in then}
        await preparing.prepare_database(db)
        now = {name: rest for name, *rest in await db.fetch(query)}
    assert then.items() <= now.items()
    added = {name: rest for name, rest in now.items() if name not in then and name.partition(".")[0] in tables}
    assert [name for name, (_, nullable, value) in added.items() if nullable == "NO" and not value] == []


async def test_who_must_not_write_leaves_no_connection_behind(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that tries again and again would use up those of the others."""
    monkeypatch.setattr("tichu.server.store.postgres_owner._LOCK_WAIT_S", 0.001)
    query = "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'"
    async with opened(url), connection(url) as db:
        before = await db.fetchval(query)
        for _ in range(5):
            with pytest.raises(StoreError, match="another server is using the database"):
                await open_store(url)
        async with asyncio.timeout(5):
            while await db.fetchval(query) > before:
                await asyncio.sleep(0.02)
