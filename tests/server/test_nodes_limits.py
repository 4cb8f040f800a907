"""What an attacker finds at nodes that share a database: caps that count everywhere, and lookups that cost nothing."""

import asyncio
from pathlib import Path

import pytest
from starlette.requests import Request

from tests.server.nodes import cluster, connection, node_of, until
from tests.server.rated_club import RatedClub
from tests.server.test_limits import limits
from tichu.server.cluster.claims import _ORPHANED
from tichu.server.cluster.directory import _RESERVE
from tichu.server.http.static import Page
from tichu.server.log import encode
from tichu.server.store.matches import new_matches

pytestmark = pytest.mark.anyio


@pytest.fixture
def url(postgres: str) -> str:
    """An empty database."""
    from tests.server.conftest import _forget_everything

    asyncio.run(_forget_everything(postgres))
    return postgres


async def test_tables_of_an_address_that_rest_in_the_store_count_at_every_node(url: str) -> None:
    async with cluster(url, "a", "b", limits=limits(address_tables=3)) as (a, b):
        for place in (a, b, a):
            made = await place.table("you", "greedy", "greedy", "greedy")
            room = place.lobby.rooms[made["table"]["id"]]
            place.lobby.rest(room)
        await until(lambda: not a.lobby.rooms and not b.lobby.rooms)
        for place in (a, b):
            refused = await place.http.post("/api/tables", json={"seats": ["you"]})
            assert (refused.status_code, refused.json()["error"]) == (429, "too_many")
        async with connection(url) as db:
            assert await db.fetchval("SELECT count(*) FROM directory") == 3


async def test_all_tables_of_a_database_are_as_many_as_its_nodes_can_take(url: str) -> None:
    async with cluster(url, "a", "b", limits=limits(tables=2)) as (a, b):
        await until(lambda: len(node_of(a).membership.others()) == len(node_of(b).membership.others()) == 1)
        for _ in range(2):
            for place in (a, b):
                made = await place.table("you")
                place.lobby.rest(place.lobby.rooms[made["table"]["id"]])
        for place in (a, b):
            refused = await place.http.post("/api/tables", json={"seats": ["you"]})
            assert refused.status_code == 429
            assert "as many tables" in refused.json()["message"]


async def test_nothing_that_is_often_asked_looks_through_all_tables(url: str) -> None:
    async with cluster(url, "a") as (a,), connection(url) as db:
        for node, ended in (("gone", "renewed"), ("there", "NULL")):
            query = (
                f"INSERT INTO nodes SELECT '{node}', '{node}', url, version, 1, started, renewed, {ended} FROM nodes"
            )
            await db.execute(f"{query} WHERE name = 'a'")
        await db.execute("INSERT INTO tables (id, next, owner) SELECT i, 1, 'there' FROM generate_series(1, 8000) i")
        await db.execute("UPDATE tables SET owner = 'gone' WHERE id = '77'")
        await db.execute(
            "INSERT INTO directory SELECT i, i, 0, '', 0, false, false, '{}', NULL FROM generate_series(1, 8000) i"
        )
        await db.execute("ANALYZE")
        plan = "\n".join(row[0] for row in await db.fetch(f"EXPLAIN {_ORPHANED}", [], [], 500))
        assert "tables_by_owner" in plan
        assert "Seq Scan on tables" not in plan
        orphans = await node_of(a).claims.orphans({})
        assert [one.table for one in orphans] in (["77"], [])  # Perhaps it is taken by now.
        await db.execute(
            "INSERT INTO directory SELECT -i, -i, 0, '', 0, false, false, '{}', NULL FROM generate_series(1, 9) i"
        )

        async def counted(most: int) -> int:
            row = await db.fetchrow(_RESERVE, f"t{most}", f"code{most}", "", 0.0, 9, most)
            return int(row["everybody"])

        # What the database believes is enough, unless there are few or it may be the last place.
        assert await counted(100_000) == 8000
        assert await counted(8005) == 8010
        await db.execute("DELETE FROM directory WHERE id <> '1'; ANALYZE directory")
        assert await counted(100_001) == 1


async def test_who_is_no_node_is_counted_like_everybody(url: str) -> None:
    async with cluster(url, "a", limits=limits(address_rate=0.001, address_burst=3)) as (a,):
        headers = {"x-tichu-relay": "wrong", "x-tichu-client": "198.51.100.1"}
        statuses = [(await a.http.get(path, headers=headers)).status_code for path in ("/api/bots", "/", "/x", "/y")]
        assert statuses == [403, 403, 403, 429]


async def test_what_cannot_be_a_table_is_not_looked_for(url: str, caplog: pytest.LogCaptureFixture) -> None:
    async with cluster(url, "a") as (a,):
        for table in ("%00", "%ED%A0%80", "x" * 200, "nothing"):
            assert (await a.http.get(f"/api/tables/{table}")).status_code == 404
    assert "waits for the store" not in caplog.text


async def test_a_rated_match_that_nobody_came_back_to_leaves_its_row_at_nodes_too(url: str) -> None:
    async with cluster(url, "a") as (a,):
        club = RatedClub().agree().deal()
        entries = [encode(entry) for entry in club.entries]
        table = club.table.id
        await a.lobby.store.append(table, 1, entries)
        async with connection(url) as db:
            await db.execute("UPDATE tables SET owner = NULL WHERE id = $1", table)
            await db.execute("INSERT INTO directory VALUES ($1, 'CODE22', 0, '', 0, false, false, '{}', NULL)", table)
        assert a.lobby.shared is not None
        await a.lobby.shared._close_unvisited(table)
        (row,) = await a.lobby.store.read(new_matches, 10)
        assert row.row.ending == "aborted"
        assert await a.lobby.store.table(table) is None
        async with connection(url) as db:
            assert await db.fetchval("SELECT count(*) FROM directory") == 0


async def test_a_file_of_another_page_is_fetched_once(tmp_path: Path) -> None:
    asked: list[str] = []

    async def others(path: str) -> bytes | None:
        asked.append(path)
        return b"x" * 20_000 if path == "assets/old-1234.js" else None

    page = Page("", tmp_path, others=others)

    async def status_of(path: str) -> int:
        scope = {"type": "http", "method": "GET", "path": path, "headers": [(b"accept-encoding", b"gzip")]}
        return (await page.answer(Request(scope))).status_code

    for path in ("/assets/old-1234.js", "/assets/old-1234.js", "/assets/none.js", "/assets/\x00.js", "/assets/a/b.js"):
        assert await status_of(path) == (200 if "old" in path else 404)
    assert asked == ["assets/old-1234.js", "assets/none.js"]
