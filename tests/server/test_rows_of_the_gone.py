"""Rows about tables that have ended: whoever is late writes none, and what is left of them goes."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from tests.server.nodes import cluster, connection, node_of
from tests.server.serving import Place
from tests.server.test_store import ANN
from tichu.server.players import Players
from tichu.server.resting import RestingTable
from tichu.server.store import Store, StoreError
from tichu.server.store.accounts import add_seat_key, end_seat_keys

pytestmark = pytest.mark.anyio

_DIRECTORY = "SELECT id FROM directory ORDER BY id"


only_postgres = pytest.mark.parametrize("url", ["postgres"], indirect=True)


@asynccontextmanager
async def quiet_node(url: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Place]:
    """A node that writes what is asked for, nothing by itself, and that dies whenever a table is closed."""

    async def die(table: str) -> None:
        raise StoreError("it is away")

    monkeypatch.setattr("tichu.server.cluster.node._FLUSH_S", 3600.0)
    async with cluster(url, "a") as (place,):
        monkeypatch.setattr(node_of(place).directory, "forget", die)
        yield place


def row_of(place: Place, table: str) -> Any:
    """What its node writes about a table."""
    room = place.lobby.rooms[table]
    return RestingTable.of(room.stored, room.state(), "", room.visited), room.persons(), 1


async def wait_held_up(db: Any, words: str, work: "asyncio.Task[Any]") -> None:
    """Return when a statement with these words waits for a lock, or when what it belongs to is done."""
    query = (
        "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE $1 AND pid <> pg_backend_pid()"
    )
    async with asyncio.timeout(20):
        while not work.done() and await db.fetchval(query, f"%{words}%") is None:
            await asyncio.sleep(0.01)


async def close(place: Place, table: str) -> None:
    room = place.lobby.rooms[table]
    await room.stop()
    await place.lobby.close_table(room)


@only_postgres
async def test_a_row_on_its_way_while_its_table_is_closed_comes_to_nothing(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with quiet_node(url, monkeypatch) as a, connection(url) as holding, connection(url) as db:
        table = (await a.table("you", None, private=False))["table"]["id"]
        row = row_of(a, table)
        blocker = holding.transaction()
        await blocker.start()
        await holding.execute("SELECT 1 FROM log WHERE table_id = $1 FOR UPDATE", table)
        # The table and its row are gone, but for all others they are there until the end of the transaction.
        closing = asyncio.create_task(close(a, table))
        await wait_held_up(db, "DELETE FROM log", closing)
        writing = asyncio.create_task(node_of(a).directory.write([row]))
        await wait_held_up(db, "INSERT INTO directory", writing)
        assert not closing.done()
        await blocker.rollback()
        await asyncio.gather(closing, writing)
        assert await db.fetch(_DIRECTORY) == []
        assert (await a.http.get("/api/tables")).json()["tables"] == []
        # And one that sets out only then.
        await node_of(a).directory.write([row])
        assert await db.fetch(_DIRECTORY) == []


@only_postgres
async def test_whoever_closes_a_table_waits_for_its_row_that_is_being_written(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with quiet_node(url, monkeypatch) as a, connection(url) as holding, connection(url) as db:
        closed, other = [(await a.table("you", None, private=False))["table"]["id"] for _ in range(2)]
        rows = [row_of(a, closed), row_of(a, other)]
        # As for a table that nobody has listed yet.
        await db.execute("DELETE FROM directory WHERE id = $1", closed)
        blocker = holding.transaction()
        await blocker.start()
        await holding.execute("SELECT 1 FROM directory WHERE id = $1 FOR UPDATE", other)
        writing = asyncio.create_task(node_of(a).directory.write(rows))
        await wait_held_up(db, "INSERT INTO directory", writing)
        closing = asyncio.create_task(close(a, closed))
        await wait_held_up(db, "DELETE FROM", closing)
        await blocker.rollback()
        await asyncio.gather(writing, closing)
        assert [row["id"] for row in await db.fetch(_DIRECTORY)] == [other]


@only_postgres
async def test_rows_of_tables_that_are_gone_or_set_aside_do_not_stay(url: str) -> None:
    async with cluster(url, "a") as (a,):
        assert node_of(a).membership.is_leader
        playing, parked = [(await a.table("you", None, private=False))["table"]["id"] for _ in range(2)]
        await a.lobby.store.park(parked, "it cannot be read")
        assert await node_of(a).directory.reserve("made soon", "AAAAAA", "", 1.0, (99, 99)) == "done"
        async with connection(url) as db:
            # As nodes of earlier versions have left them.
            for number, table in enumerate(("gone", parked)):
                await db.execute(
                    "INSERT INTO directory VALUES ($1, $2, 1, '', 1e9, true, true, ARRAY['p'], '{}')",
                    table,
                    f"C{number}",
                )
            assert await a.lobby.shared.tidy(0.0)  # type: ignore[union-attr]
            assert {row["id"] for row in await db.fetch(_DIRECTORY)} == {playing, "made soon"}


async def test_a_key_made_for_a_seat_at_a_table_that_is_closed_by_then_does_not_stay(store: Store) -> None:
    await store.keep_player(ANN)
    for table in ("open", "closed"):
        await store.append(table, 1, [b"entry"])
    await store.close_table("closed")
    for table in ("open", "closed"):
        assert await store.write(add_seat_key, f"key of {table}", ANN.id, ANN.token_hash, table, 1.0, most=8)
    players = Players(store, lambda: 2.0)
    await players.drop_expired(0.0)
    assert await store.write(end_seat_keys, "closed", [ANN.id]) == {}
    assert await store.write(end_seat_keys, "open", [ANN.id]) == {ANN.id: ["key of open"]}
