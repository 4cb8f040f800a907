"""Many nodes, one truth: who owns a table, who may write to it, and what happens when a node goes."""

import asyncio
import json
from typing import Any

import asyncpg
import httpx
import pytest
from websockets.asyncio.client import connect

from tests.server.nodes import cluster, connection, declare_dead, fall_silent, node_of, one_node, pass_time, until
from tests.server.serving import FREE, Place, greedy
from tichu.server import wire
from tichu.server.cluster import membership
from tichu.server.cluster.lease import DEAD_S, LEASE_S
from tichu.server.config import Config
from tichu.server.room import _TAKEN_OVER
from tichu.server.serve import listen, start_server
from tichu.server.store import StoreError, TableTaken, open_store
from tichu.server.store.node_owner import IDLE_MS
from tichu.server.store.port import NameTaken
from tichu.server.table.replacement import Replacement

pytestmark = pytest.mark.anyio


@pytest.fixture
def url(postgres: str) -> str:
    """An empty database."""
    from tests.server.conftest import _forget_everything

    asyncio.run(_forget_everything(postgres))
    return postgres


async def owner(url: str, table: str) -> tuple[str | None, int]:
    async with connection(url) as db:
        return tuple(await db.fetchrow("SELECT owner, epoch FROM tables WHERE id = $1", table))


async def test_a_table_belongs_to_the_node_where_it_was_made(url: str) -> None:
    async with cluster(url, "a", "b") as (a, b):
        made = await a.table("you", None)
        assert await owner(url, made["table"]["id"]) == (node_of(a).id, 1)
        assert await node_of(b).claims.claim(made["table"]["id"], node_of(b).id, "") is None


async def test_a_stale_writer_cannot_write_and_its_other_tables_go_on(url: str) -> None:
    async with cluster(url, "a", "b") as (a, b):
        one, two = await a.table("you", None), await a.table("you", None)
        table, token = one["table"]["id"], one["you"]["token"]
        async with connection(url) as db:
            # As if b had taken it while a stood still.
            await db.execute("UPDATE tables SET owner = $1, epoch = epoch + 1 WHERE id = $2", node_of(b).id, table)
        before = await _log(url, table)
        room = a.lobby.rooms[table]
        with pytest.raises(TableTaken):
            await a.lobby.store.append(table, room._journal.next_entry, [b"stale"])
        answer = await a.http.post(
            f"/api/tables/{table}/commands",
            json={"type": "TABLE.PUT_BOT", "id": "x", "seat": 1, "bot": "easy"},
            headers={"authorization": f"Bearer {token}"},
        )
        assert answer.json().get("type") != "ack"
        await until(lambda: table not in a.lobby.rooms)
        assert await _log(url, table) == before
        other = two["table"]["id"]
        said = await a.post(two["you"]["token"], other, wire.PutBot(id="y", seat=1, bot="easy"))
        assert said["type"] == "ack"
        assert not a.lobby.is_taken_over


async def _log(url: str, table: str) -> list[tuple[int, bytes]]:
    async with connection(url) as db:
        return [tuple(row) for row in await db.fetch("SELECT n, entry FROM log WHERE table_id = $1 ORDER BY n", table)]


async def test_a_log_is_rewritten_by_nobody_but_its_owner(url: str) -> None:
    async with cluster(url, "a", "b") as (a, b):
        table = (await a.table("you", None))["table"]["id"]
        first = (await _log(url, table))[0][1]
        await a.lobby.store.rewrite(table, [(1, first.replace(b"}", b" }"))])
        before = await _log(url, table)
        assert before[0][1] == first.replace(b"}", b" }")
        async with connection(url) as db:
            await db.execute("UPDATE tables SET owner = $1, epoch = epoch + 1 WHERE id = $2", node_of(b).id, table)
        # Whether another node has taken it, or it never was theirs.
        with pytest.raises(TableTaken):
            await a.lobby.store.rewrite(table, [(1, b"stale")])
        with pytest.raises(TableTaken):
            await b.lobby.store.rewrite(table, [(1, b"stale")])
        assert await _log(url, table) == before


async def test_a_room_whose_log_must_not_be_rewritten_ends_at_once(url: str) -> None:
    async with cluster(url, "a", "b") as (a, b):
        made = await a.table("you", None)
        table, host = made["table"]["id"], made["you"]["player"]
        async with a.guest(table, made["you"]["token"]) as guest, connection(url) as db:
            await db.execute("UPDATE tables SET owner = $1, epoch = epoch + 1 WHERE id = $2", node_of(b).id, table)
            before = await _log(url, table)
            # What the node hears that is asked to forget somebody: it is not done here.
            assert not await a.lobby.rooms[table].replace_person(Replacement(host, "gone", "Former player"))
            assert table not in a.lobby.rooms
            assert await guest.hear(wire.Error) == wire.Error(code="closing", message=_TAKEN_OVER)
        assert await _log(url, table) == before


async def test_the_same_epoch_of_another_owner_is_no_permission(url: str) -> None:
    async with cluster(url, "a", "b") as (a, b):
        table = (await a.table("you", None))["table"]["id"]
        node_of(b)._owner.epochs[table] = 1
        with pytest.raises(TableTaken):
            await b.lobby.store.append(table, a.lobby.rooms[table]._journal.next_entry, [b"stale"])


async def test_a_take_over_waits_for_an_append_that_is_under_way(url: str) -> None:
    async with cluster(url, "a", "b") as (a, b):
        table = (await a.table("you", None))["table"]["id"]
        following = a.lobby.rooms[table]._journal.next_entry
        async with connection(url) as db, connection(url) as ending:
            transaction = db.transaction()
            await transaction.start()
            await db.execute(
                "UPDATE tables SET next = next + 1 WHERE id = $1 AND owner = $2 AND epoch = 1", table, node_of(a).id
            )
            await db.execute("INSERT INTO log VALUES ($1, $2, 'late')", table, following)
            await ending.execute("UPDATE nodes SET ended = clock_timestamp() WHERE id = $1", node_of(a).id)
            claiming = asyncio.create_task(node_of(b).claims.claim(table, node_of(b).id, ""))
            done, _ = await asyncio.wait([claiming], timeout=0.3)
            assert not done
            await transaction.commit()
            claim = await claiming
        assert claim is not None
        assert claim.next == following + 1


async def test_a_commit_whose_answer_was_lost_is_settled(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from tichu.server.store import node_owner

    async with cluster(url, "a") as (a,):
        made = await a.table("you", None)
        table, token = made["table"]["id"], made["you"]["token"]
        execute = asyncpg.Connection.execute
        lost: list[bool] = []

        async def lose(self: Any, query: str, *arguments: Any, **named: Any) -> Any:
            result = await execute(self, query, *arguments, **named)
            if query == node_owner._APPEND and not lost:
                lost.append(True)
                self.terminate()
                raise ConnectionResetError("the answer was lost")
            return result

        monkeypatch.setattr(asyncpg.Connection, "execute", lose)
        said = await a.post(token, table, wire.PutBot(id="x", seat=1, bot="easy"))
        assert said["type"] == "ack"
        assert lost
        entries = await _log(url, table)
        assert [number for number, _ in entries] == list(range(1, len(entries) + 1))
        assert sum(b'"x"' in entry or b" x" in entry for _, entry in entries) == 1


async def test_a_node_without_a_lease_answers_nothing_and_goes_on_when_it_has_one(url: str) -> None:
    async with cluster(url, "a") as (a,):
        made = await a.table("you", None)
        table, token = made["table"]["id"], made["you"]["token"]
        async with connect(a.url.replace("http", "ws", 1) + "/ws/v1", proxy=None) as socket:
            await socket.send(json.dumps({"type": "hello", "table": table, "token": token}))
            assert json.loads(await socket.recv())["type"] == "welcome"
            await fall_silent(a)
            node_of(a).lease.drop()
            await socket.send(json.dumps({"type": "ping"}))
            await socket.send(json.dumps({"type": "TABLE.PUT_BOT", "id": "x", "seat": 1, "bot": "easy"}))
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(socket.recv(), 0.4)
            assert (await a.http.get(f"/api/tables/{table}")).status_code == 503
            assert (await a.http.get("/healthz")).status_code == 503
            # Nobody has taken its tables: it goes on, and nothing was closed.
            await node_of(a).membership.renew()
            kinds = set()
            while "ack" not in kinds:
                kinds.add(json.loads(await asyncio.wait_for(socket.recv(), 5))["type"])
            assert "pong" in kinds


async def test_tables_of_a_dead_node_go_on_elsewhere_also_without_anybody_there(url: str) -> None:
    async with cluster(url, "a", "b", "c") as (a, b, c):
        tables = [(await a.table("easy", "easy", "easy", "easy", start=True))["table"]["id"] for _ in range(4)]
        silent = node_of(a)
        await fall_silent(a)
        for room in a.lobby.rooms.values():
            room._owner.cancel()  # type: ignore[union-attr]
        await declare_dead(a, [b, c])
        await until(lambda: all(one in b.lobby.rooms or one in c.lobby.rooms for one in tables))
        for one in tables:
            who, epoch = await owner(url, one)
            assert who in (node_of(b).id, node_of(c).id)
            assert epoch == 2
        # It comes back as somebody else, and has nothing.
        former = silent.id
        await silent.membership.renew()
        assert silent.id != former
        assert not set(tables) & set(a.lobby.rooms)


async def test_nobody_is_dead_because_the_database_was_away(url: str) -> None:
    async with cluster(url, "a", "b") as (a, b):
        table = (await a.table("you", None))["table"]["id"]
        await fall_silent(a)
        await node_of(b).membership.renew()
        pass_time(b, 60, node_of(a).id)
        # b has just come back itself.
        node_of(b).membership._unbroken_since = None
        await node_of(b).membership.renew()
        await asyncio.sleep(0.2)
        assert (await owner(url, table))[0] == node_of(a).id
        await node_of(a).membership.renew()
        assert node_of(a).lease.is_held
        assert table in a.lobby.rooms


async def _set_clock(monkeypatch: pytest.MonkeyPatch, by: str) -> None:
    """From now on the clock of the database shows another time to whoever renews."""
    for name in ("_RENEW", "_DECLARE"):
        stepped = getattr(membership, name).replace("clock_timestamp()", f"clock_timestamp() + interval '{by}'")
        monkeypatch.setattr(membership, name, stepped)


async def test_nobody_is_dead_because_the_clock_of_the_database_was_set_forward(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with cluster(url, "a", "b") as (a, b):
        table = (await a.table("you", None))["table"]["id"]
        ids = [node_of(a).id, node_of(b).id]
        for place in (a, b):
            pass_time(place, 60)
        await _set_clock(monkeypatch, "1 hour")
        # b renews first, and what it sees of a is an hour old by the database.
        for place in (b, a, b, a):
            await node_of(place).membership.renew()
            assert not node_of(place).is_silent(node_of(b).id if place is a else node_of(a).id)
        assert [node_of(a).id, node_of(b).id] == ids
        assert await owner(url, table) == (ids[0], 1)


@pytest.mark.parametrize("by", ["1 hour", "-1 hour"])
async def test_a_clock_of_the_database_that_was_set_keeps_no_dead_node_alive(
    url: str, monkeypatch: pytest.MonkeyPatch, by: str
) -> None:
    async with cluster(url, "a", "b") as (a, b):
        table = (await a.table("easy", "easy", "easy", "easy", start=True))["table"]["id"]
        former = node_of(a).id
        await fall_silent(a)
        await _set_clock(monkeypatch, by)
        await node_of(b).membership.renew()
        pass_time(b, DEAD_S - 1, former)
        await node_of(b).membership.renew()
        async with connection(url) as db:
            assert await db.fetchval("SELECT ended FROM nodes WHERE id = $1", former) is None
        pass_time(b, 1.1, former)
        await node_of(b).membership.renew()
        await until(lambda: table in b.lobby.rooms)


async def test_a_node_that_renews_at_the_last_moment_is_not_declared_dead(url: str) -> None:
    async with cluster(url, "a", "b") as (a, b):
        await fall_silent(a)
        await node_of(b).membership.renew()
        pass_time(b, 60, node_of(a).id)
        declare = node_of(b).membership._declare_dead

        async def late(*arguments: Any) -> None:
            async with connection(url) as db:
                await db.execute("UPDATE nodes SET renewed = clock_timestamp() WHERE id = $1", node_of(a).id)
            await declare(*arguments)

        node_of(b).membership._declare_dead = late
        await node_of(b).membership.renew()
        async with connection(url) as db:
            assert await db.fetchval("SELECT count(*) FROM nodes WHERE ended IS NOT NULL") == 0


async def test_what_was_handed_over_waits_for_nobody_longer_because_a_clock_was_set(url: str) -> None:
    async with cluster(url, "a", "b") as (a, b):
        table = (await a.table("you", None))["table"]["id"]
        claims = node_of(a).claims
        assert await claims.hand_over(table, node_of(a).id, 1, "nobody who takes it", b"live")
        assert await claims.claim(table, node_of(b).id, "") is None
        async with connection(url) as db:
            # As after a step of an hour back.
            await db.execute("UPDATE handovers SET since = since + interval '1 hour'")
        async with asyncio.timeout(5):
            while (await owner(url, table))[1] == 1:
                await asyncio.sleep(0.05)


async def test_a_second_node_of_a_name_does_not_start(url: str) -> None:
    async with cluster(url, "a") as (a,):
        table = (await a.table("you", None))["table"]["id"]
        with pytest.raises(NameTaken, match=f"a node a is at work already, at {a.url}"):
            async with one_node(url, "a"):
                pass
        await node_of(a).membership.renew()
        assert not a.lobby.is_taken_over
        assert await owner(url, table) == (node_of(a).id, 1)


async def test_a_name_of_a_node_that_is_gone_is_free_elsewhere_too(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(membership, "_NAMESAKE_S", 1.0)
    async with cluster(url, "a") as (a,):
        await fall_silent(a)
        async with one_node(url, "a"):
            async with connection(url) as db:
                assert await db.fetchval("SELECT ended FROM nodes WHERE id = $1", node_of(a).id) is not None
            await node_of(a).membership.renew()
            await until(lambda: a.lobby.is_taken_over)


async def test_a_node_that_is_started_again_takes_its_tables_at_once(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with cluster(url, "a") as (a,):
        made = await a.table("easy", "easy", "easy", "easy", start=True)
        await fall_silent(a)
        # At the same place there cannot be two of them, so nobody waits to see.
        monkeypatch.setattr(membership, "_NAMESAKE_S", 60.0)
        async with one_node(url, "a", node_url=a.url) as again:
            table = made["table"]["id"]
            await until(lambda: table in again.lobby.rooms)
            assert (await owner(url, table))[0] == node_of(again).id
            # The former one ends when it notices.
            await node_of(a).membership.renew()
            await until(lambda: a.lobby.is_taken_over)


async def test_what_rests_belongs_to_nobody_and_to_whoever_comes(url: str) -> None:
    async with cluster(url, "a", "b") as (a, b):
        made = await a.table("you", None)
        table, token = made["table"]["id"], made["you"]["token"]
        a.lobby.rest(a.lobby.rooms[table])
        shared = a.lobby.shared
        assert shared is not None
        await until(lambda: not shared._tasks)
        assert await owner(url, table) == (None, 1)
        said = await b.post(token, table, wire.PutBot(id="x", seat=1, bot="easy"))
        assert said["type"] == "ack"
        assert await owner(url, table) == (node_of(b).id, 2)


async def test_nodes_and_a_server_alone_exclude_each_other(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tichu.server.store.postgres_owner._LOCK_WAIT_S", 0.01)
    monkeypatch.setattr("tichu.server.store.node_owner._LOCK_WAIT_S", 0.01)
    async with cluster(url, "a") as (a,):
        table = (await a.table("you", None))["table"]["id"]
        with pytest.raises(StoreError, match="another server is using the database"):
            await open_store(url)
        async with connection(url) as db:
            # As a server of version 0.1 asks.
            assert not await db.fetchval("SELECT pg_try_advisory_lock($1)", 0x54696368)
        # Also while the lock of a node is lost with its connection.
        monkeypatch.setattr("tichu.server.store.postgres_owner.LOCK", 99)
        with pytest.raises(StoreError, match="nodes are using the database"):
            await open_store(url)
        monkeypatch.undo()
        # A node that was cut off and replaced by a server alone can add nothing.
        await fall_silent(a)
        monkeypatch.setattr("tichu.server.store.postgres_owner._NODES_S", 0.5)
        async with connection(url) as db:
            # Whatever time its row says.
            await db.execute("UPDATE nodes SET renewed = renewed + interval '1 hour'")
        monkeypatch.setattr("tichu.server.store.postgres_owner.LOCK", 99)
        alone = await open_store(url)
        with pytest.raises(TableTaken):
            await a.lobby.store.append(table, a.lobby.rooms[table]._journal.next_entry, [b"stale"])
        await alone.close()
    monkeypatch.undo()
    monkeypatch.setattr("tichu.server.store.node_owner._LOCK_WAIT_S", 0.01)
    alone = await open_store(url)
    with pytest.raises(StoreError, match="a server without --node is using the database"):
        async with one_node(url, "b"):
            pass
    await alone.close()


async def test_a_node_that_was_given_up_waits_for_the_end_of_a_server_alone(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with cluster(url, "a") as (a,), connection(url) as db:
        await fall_silent(a)
        # As if the lock of the node was lost, with the database perhaps, while it stood still.
        monkeypatch.setattr("tichu.server.store.postgres_owner._NODES_S", 0.5)
        for module in ("store.postgres_owner", "cluster.membership"):
            monkeypatch.setattr(f"tichu.server.{module}.LOCK", 99)
        alone = await open_store(url)
        for _ in range(2):
            with pytest.raises(asyncpg.PostgresError, match="a server without --node is using the database"):
                await node_of(a).membership.renew()
            assert not await db.fetchval("SELECT count(*) FROM nodes WHERE ended IS NULL")
            # It would show tables as they were before, and the other one plays them.
            assert (await a.http.post("/api/tables", json={})).status_code == 503
        await alone.close()
        await node_of(a).membership.renew()
        assert await db.fetchval("SELECT id FROM nodes WHERE ended IS NULL") == node_of(a).id
        assert (await a.table("you", None))["table"]["id"] in a.lobby.rooms


async def test_a_node_in_which_something_broke_leaves_in_good_order(url: str) -> None:
    async def broken() -> None:
        raise LookupError("something")

    async with connection(url) as db:
        async with cluster(url, "a") as (a,):
            made = await a.table("you", None)
            for tasks in (a.lobby._tasks, node_of(a)._tasks):
                tasks.insert(0, asyncio.create_task(broken()))
        # Others need not wait for eight seconds.
        assert not await db.fetchval("SELECT count(*) FROM nodes WHERE ended IS NULL")
        assert await owner(url, made["table"]["id"]) == (None, 1)


async def test_entries_that_are_too_new_are_left_to_others(url: str) -> None:
    async with cluster(url, "a", "b") as (a, b):
        table = (await a.table("you", None))["table"]["id"]
        a.lobby.rest(a.lobby.rooms[table])
        shared = a.lobby.shared
        assert shared is not None
        await until(lambda: not shared._tasks)
        async with connection(url) as db:
            await db.execute("INSERT INTO log VALUES ($1, 99, $2)", table, b'{"e":"from the future","at":1}')
        assert (await b.http.get(f"/api/tables/{table}")).status_code == 503
        # A node that has time for it tries again.
        found, epoch = await owner(url, table)
        assert (found, epoch >= 2) == (None, True)
        async with connection(url) as db:
            assert await db.fetchval("SELECT count(*) FROM parked") == 0


async def test_tables_of_a_server_alone_are_found_by_nodes_and_go_on(url: str) -> None:
    with listen("127.0.0.1", 0) as place:
        address = f"http://127.0.0.1:{place.getsockname()[1]}"
        async with (
            start_server(Config(database=url, limits=FREE), place, greedy) as server,
            httpx.AsyncClient(base_url=address) as http,
        ):
            alone = Place(server.lobby, address, http)
            quiet = await alone.table("you", "easy", "easy", "easy", start=True)
            busy = await alone.table("easy", "easy", "easy", "easy", start=True)
            room = alone.lobby.rooms[quiet["table"]["id"]]
            token = quiet["you"]["token"]
            said = await alone.post(token, room.id, wire.Pause(id="p"))
            assert said["type"] == "ack"
    async with cluster(url, "a", "b") as (a, b):
        code = quiet["table"]["code"]
        async with asyncio.timeout(10):
            while (await b.http.get(f"/api/codes/{code}")).status_code != 200:
                await asyncio.sleep(0.05)
        await until(lambda: any(busy["table"]["id"] in one.lobby.rooms for one in (a, b)))
        own = await a.http.get("/api/me", headers={"authorization": f"Bearer {token}"})
        assert [one["id"] for one in own.json()["tables"]] == [room.id]
        # At rest it belongs to nobody.
        assert (await owner(url, room.id))[0] is None


async def test_a_node_works_in_a_newer_database_that_was_only_added_to(url: str) -> None:
    async with one_node(url, "a"):
        pass
    async with connection(url) as db:
        await db.execute("UPDATE format SET version = version + 1")
        await db.execute("ALTER TABLE tables ADD COLUMN new_thing integer NOT NULL DEFAULT 7")
    with pytest.raises(StoreError, match="of a newer tichu"):
        await open_store(url)
    async with one_node(url, "a") as a:
        made = await a.table("you", None)
        said = await a.post(made["you"]["token"], made["table"]["id"], wire.PutBot(id="x", seat=1, bot="easy"))
        assert said["type"] == "ack"
    async with connection(url) as db:
        await db.execute("UPDATE format SET oldest = version")
    with pytest.raises(StoreError, match="of a newer tichu"):
        async with one_node(url, "a"):
            pass


async def test_a_node_waits_for_no_server_of_version_0_1(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tichu.server.store.node_owner._LOCK_WAIT_S", 0.01)
    async with connection(url) as db:
        assert await db.fetchval("SELECT pg_try_advisory_lock($1)", 0x54696368)
        with pytest.raises(StoreError, match="a server without --node is using the database"):
            async with one_node(url, "a"):
                pass
    async with one_node(url, "a") as a:
        assert (await a.http.get("/healthz")).status_code == 200


async def test_no_transaction_stays_open_while_its_node_stands_still(url: str) -> None:
    async with cluster(url, "a", "b") as (a, b):
        table = (await a.table("you", None))["table"]["id"]
        db = await node_of(a)._owner.connect()
        assert await db.fetchval("SHOW idle_in_transaction_session_timeout") == f"{IDLE_MS // 1000}s"
        assert IDLE_MS / 1000 < LEASE_S < DEAD_S
        # In the middle of a transaction that has the row of the table: whoever takes it over waits no longer than that.
        await db.execute("SET idle_in_transaction_session_timeout = 300")
        await node_of(a)._owner.begin(db)
        await node_of(a)._owner.lock_table(db, table)
        async with connection(url) as other:
            await other.execute("UPDATE nodes SET ended = clock_timestamp() WHERE id = $1", node_of(a).id)
        claim = await node_of(b).claims.claim(table, node_of(b).id, "")
        assert claim is not None
        assert claim.epoch == 2
