"""Two builds of the server over one database: what one cannot read is left to the other, and never set aside."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import msgspec
import pytest

from tests.server.nodes import cluster, connection, declare_dead, fall_silent, node_of, owner_of, until
from tests.server.serving import Place
from tichu.core.errors import GameError
from tichu.server import log, wire
from tichu.server.cluster.build import build_name
from tichu.server.cluster.peers import Peer
from tichu.server.store import StoredTable

pytestmark = pytest.mark.anyio


@pytest.fixture
def url(postgres: str) -> str:
    """An empty database."""
    from tests.server.conftest import _forget_everything

    asyncio.run(_forget_everything(postgres))
    return postgres


def cannot_read(place: Place, *tables: str) -> list[str]:
    """Let a node be too old for tables, as for a rule that nobody knew in its time; what it has tried to read."""
    tried: list[str] = []
    restore = place.lobby.restore

    async def fail(stored: StoredTable) -> Any:
        if stored.id in tables:
            tried.append(stored.id)
            raise GameError("there is no rule dragons=fly")
        return await restore(stored)

    place.lobby.restore = fail  # type: ignore[method-assign]
    return tried


@asynccontextmanager
async def builds(url: str, **names: str) -> AsyncIterator[list[Place]]:
    """Nodes, each of another build by its name."""
    async with cluster(url, *names) as places:
        for place in places:
            node = node_of(place)
            node.membership.build = node._owner.build = names[node.membership.name]
            async with connection(url) as db:
                await db.execute("UPDATE nodes SET version = $1 WHERE id = $2", node.membership.build, node.id)
        for place in places:
            await node_of(place).membership.renew()
        yield places


async def parked(url: str) -> list[str]:
    async with connection(url) as db:
        return [row["table_id"] for row in await db.fetch("SELECT table_id FROM parked")]


async def test_tables_of_a_newer_node_that_died_wait_for_the_next_of_its_kind(url: str) -> None:
    async with builds(url, a="old", b="new") as (a, b):
        table = (await b.table("easy", "easy", "easy", "easy", start=True))["table"]["id"]
        tried = cannot_read(a, table)
        await fall_silent(b)
        for room in list(b.lobby.rooms.values()):
            room._owner.cancel()  # type: ignore[union-attr]
        await declare_dead(b, [a])
        await until(lambda: tried)
        await until(lambda: table not in a.lobby.rooms)
        await asyncio.sleep(1.5)
        # Nobody who is there can read it: it is tried once, belongs to nobody, and is said to be busy at once.
        assert tried == [table]
        assert (await owner_of(url, table))[0] is None
        async with asyncio.timeout(3):
            assert (await a.http.get(f"/api/tables/{table}")).status_code == 503
        assert await parked(url) == []
        async with builds(url, c="new") as (c,):
            # Or at b, which hears of c and finds that it is nobody.
            await until(lambda: table in c.lobby.rooms or table in b.lobby.rooms)
            # Any door leads to it again.
            await node_of(a).membership.renew()
            assert (await a.http.get(f"/api/tables/{table}")).json()["table"]["id"] == table
        assert await parked(url) == []


async def test_what_is_handed_to_a_node_that_is_too_old_goes_on_at_one_that_is_not(url: str) -> None:
    async with builds(url, a="new", b="old", c="new") as (a, b, c):
        made = await a.table("you", "easy", "easy", "easy")
        table, token = made["table"]["id"], made["you"]["token"]
        tried, shared = cannot_read(b, table), a.lobby.shared
        assert shared is not None
        lives: list[bytes] = []
        hand_over = node_of(b).claims.hand_over

        async def note(*arguments: Any) -> Any:
            lives.append(arguments[-1])
            return await hand_over(*arguments)

        node_of(b).claims.hand_over = note
        await shared.hand_over(a.lobby.rooms[table], node_of(b).id)
        await until(lambda: table in a.lobby.rooms or table in c.lobby.rooms)
        assert tried == [table]
        # With all that was true only then.
        assert b'"waited"' in lives[0]
        said = await b.post(token, table, wire.Say(id="x", text="still here"))
        assert said["type"] == "ack"
        assert await parked(url) == []


async def test_a_visit_of_what_one_node_cannot_read_goes_to_another(url: str) -> None:
    async with builds(url, a="new", b="old") as (a, b):
        made = await a.table("you", None)
        table, token = made["table"]["id"], made["you"]["token"]
        shared: Any = a.lobby.shared
        a.lobby.rest(a.lobby.rooms[table])
        await until(lambda: not shared._tasks)
        cannot_read(b, table)
        said = await b.post(token, table, wire.PutBot(id="x", seat=1, bot="easy"))
        assert said["type"] == "ack"
        assert table in a.lobby.rooms


def break_at(place: Place, table: str) -> None:
    """Let whatever is said at a table break it at this node, also after it was read again."""
    restore = place.lobby.restore

    def broken(*arguments: object) -> Any:
        raise LookupError("a fault of this build")

    async def restore_broken(stored: StoredTable) -> Any:
        restored = await restore(stored)
        if stored.id == table:
            restored.handle = broken  # type: ignore[assignment, method-assign]
        return restored

    place.lobby.restore = restore_broken  # type: ignore[method-assign]
    place.lobby.rooms[table].table.handle = broken  # type: ignore[assignment, method-assign]


async def test_a_table_that_breaks_again_and_again_goes_on_at_another_build(url: str) -> None:
    async with builds(url, a="new", b="old") as (a, b):
        made = await a.table("you", None)
        table, token = made["table"]["id"], made["you"]["token"]
        break_at(a, table)
        for number in range(4):
            await a.post(token, table, wire.Say(id=f"{number}", text="x"))
        await until(lambda: table in b.lobby.rooms)
        for place in (a, b):
            said = await place.post(token, table, wire.Say(id="last", text="still here"))
            assert said["type"] == "ack"
        assert await parked(url) == []
        # Where there is no other build it is set aside.
        break_at(b, table)
        async with connection(url) as db:
            await db.execute("UPDATE nodes SET version = 'old'")
        await node_of(b).membership.renew()
        for number in range(4):
            await b.post(token, table, wire.Say(id=f"again {number}", text="x"))
        await until(lambda: table not in b.lobby.rooms)
        async with asyncio.timeout(5):
            while await parked(url) != [table]:
                await asyncio.sleep(0.02)


async def test_nobody_is_sent_to_a_table_that_is_set_aside(url: str) -> None:
    async with cluster(url, "a", "b") as (a, b):
        made = await a.table("you", None, private=False)
        table, token = made["table"]["id"], made["you"]["token"]
        await node_of(a).flush(table)
        path, own = f"/api/codes/{made['table']['code']}", {"authorization": f"Bearer {token}"}
        assert [one["id"] for one in (await b.http.get("/api/tables")).json()["tables"]] == [table]
        break_at(a, table)
        for number in range(4):
            await a.post(token, table, wire.Say(id=f"{number}", text="x"))
        async with asyncio.timeout(5):
            while await parked(url) != [table]:
                await asyncio.sleep(0.02)
        assert (await b.http.get("/api/tables")).json()["tables"] == []
        assert (await b.http.get("/api/me", headers=own)).json()["tables"] == []
        assert (await b.http.get(path)).status_code == 404


async def test_a_log_of_a_later_format_is_never_set_aside(url: str) -> None:
    async with cluster(url, "a") as (a,):
        table = (await a.table("you", None))["table"]["id"]
        shared: Any = a.lobby.shared
        a.lobby.rest(a.lobby.rooms[table])
        await until(lambda: not shared._tasks)
        async with connection(url) as db:
            first = log.decode(await db.fetchval("SELECT entry FROM log WHERE table_id = $1 AND n = 1", table))
            assert isinstance(first, log.OpenEntry)
            later = log.encode(msgspec.structs.replace(first, format=log.FORMAT + 1))
            await db.execute("UPDATE log SET entry = $1 WHERE table_id = $2 AND n = 1", later, table)
        assert (await a.http.get(f"/api/tables/{table}")).status_code == 503
        assert await parked(url) == []
        # When somebody else has gone on with it, it may be readable again.
        async with connection(url) as db:
            await db.execute("UPDATE log SET entry = $1 WHERE table_id = $2 AND n = 1", log.encode(first), table)
            await db.execute("UPDATE tables SET next = next + 1 WHERE id = $1", table)
        assert (await a.http.get(f"/api/tables/{table}")).status_code == 200


async def test_what_only_builds_like_this_one_have_had_is_broken_and_set_aside(url: str) -> None:
    async with builds(url, a="one", b="one", c="other") as (a, b, c):
        broken, passed_on = [(await a.table("you", None))["table"]["id"] for _ in range(2)]
        shared: Any = a.lobby.shared
        for table in (broken, passed_on):
            a.lobby.rest(a.lobby.rooms[table])
        await until(lambda: not shared._tasks)
        assert await c.lobby.visit(passed_on) is not None
        there: Any = c.lobby.shared
        c.lobby.rest(c.lobby.rooms[passed_on])
        await until(lambda: not there._tasks)
        cannot_read(b, broken, passed_on)
        for table in (broken, passed_on):
            assert await b.lobby.visit(table) is None
        assert await parked(url) == [broken]


async def test_tables_move_to_nobody_who_reads_an_older_format(url: str) -> None:
    async with cluster(url, "a", "b") as (a, _):
        membership = node_of(a).membership
        (other,) = membership.others()
        assert membership.readers() == [other]
        membership.peers = [peer._replace(log_format=log.FORMAT - 1) for peer in membership.peers]
        assert membership.readers() == []
        targets: list[Peer] = []

        async def note(*arguments: Any) -> bool:
            targets.append(arguments[3])
            return False

        node_of(a).claims.hand_over = note
        # Somebody must have them when this one ends.
        assert not await node_of(a).hand_over("t", 1, b"")
        assert targets == [other.id]


def test_a_build_is_known_by_its_sources() -> None:
    assert build_name() == build_name()
    assert build_name().count("+") == 1
