"""Tables that are taken at the wrong moment: twice at once, too late, or without anybody hearing of it."""

import asyncio
from typing import Any

import pytest

from tests.server.nodes import cluster, connection, declare_dead, fall_silent, node_of, owner_of, until
from tests.server.serving import Place
from tichu.server import wire
from tichu.server.cluster.claims import Claim
from tichu.server.store import StoreError, TableTaken

pytestmark = pytest.mark.anyio


@pytest.fixture
def url(postgres: str) -> str:
    """An empty database."""
    from tests.server.conftest import _forget_everything

    asyncio.run(_forget_everything(postgres))
    return postgres


class _Gate:
    """Holds up every call of a coroutine function until it is opened."""

    def __init__(self, function: Any) -> None:
        self._function = function
        self.came = 0
        self.is_open = asyncio.Event()

    async def __call__(self, *arguments: Any, **named: Any) -> Any:
        self.came += 1
        await self.is_open.wait()
        return await self._function(*arguments, **named)


def _taken(place: Place) -> float:
    """How many tables a node has taken, for whatever reason."""
    return sum(float(sample.value) for one in node_of(place).metrics.claims.collect() for sample in one.samples[::2])


async def test_whoever_visits_a_table_waits_for_the_node_that_takes_it_anyway(url: str) -> None:
    async with cluster(url, "a", "b") as (a, b):
        made = await a.table("you", "easy", "easy", "easy")
        table, token = made["table"]["id"], made["you"]["token"]
        gate: Any = _Gate(b.lobby.restore)
        b.lobby.restore = gate  # type: ignore[method-assign]
        shared: Any = a.lobby.shared
        await shared.hand_over(a.lobby.rooms[table], node_of(b).id)
        await until(lambda: gate.came)
        visits = [asyncio.create_task(b.post(token, table, wire.Say(id=str(at), text="hi"))) for at in range(3)]
        await asyncio.sleep(0.3)
        gate.is_open.set()
        assert {said["type"] for said in await asyncio.gather(*visits)} == {"ack"}
        assert await owner_of(url, table) == (node_of(b).id, 2)
        assert gate.came == 1
        assert node_of(b).metrics.lost._value.get() == 0


async def test_what_was_handed_over_comes_with_the_claim_and_for_nobody_else(url: str) -> None:
    async with cluster(url, "a", "b") as (a, b):
        table = (await a.table("you", None))["table"]["id"]
        claims = node_of(b).claims
        await fall_asleep(a, table)
        claim = await claims.claim(table, node_of(b).id, "")
        assert claim == Claim(2, claim.next, None, is_of_one_build=False)
        assert await claims.hand_over(table, node_of(b).id, 2, node_of(b).id, b"live")
        assert await claims.claim(table, node_of(a).id, "") is None
        claim = await claims.claim(table, node_of(b).id, "")
        assert (claim.epoch, claim.live) == (3, b"live")
        async with connection(url) as db:
            assert await db.fetchval("SELECT count(*) FROM handovers") == 0
            # What has gone on since is not what it was.
            assert await claims.hand_over(table, node_of(b).id, 3, node_of(b).id, b"live")
            await db.execute("UPDATE tables SET next = next + 1")
        assert (await claims.claim(table, node_of(b).id, "")).live is None


async def fall_asleep(place: Place, table: str) -> None:
    """Let a table rest, and its node give it away."""
    shared: Any = place.lobby.shared
    place.lobby.rest(place.lobby.rooms[table])
    await until(lambda: not shared._tasks)


async def test_a_table_that_is_ours_and_in_nobodys_memory_goes_on(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tichu.server.cluster.adoption._STRAYS_S", 0.1)
    async with cluster(url, "a") as (a,):
        table = (await a.table("easy", "easy", "easy", "easy", start=True))["table"]["id"]
        former = a.lobby.rooms[table]
        former.abandon()
        assert table not in a.lobby.rooms
        await until(lambda: table in a.lobby.rooms)
        assert await owner_of(url, table) == (node_of(a).id, 2)


async def test_the_many_tables_of_a_full_node_do_not_wait_for_the_next_look(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A second lost for every 500 of them would be five for a full node."""
    monkeypatch.setattr("tichu.server.cluster.claims.ORPHANS", 2)
    async with cluster(url, "a", "b") as (a, b):
        bots = ["easy"] * 4
        tables = [(await a.table(*bots, start=True))["table"]["id"] for _ in range(6)]
        monkeypatch.setattr("tichu.server.cluster.adoption._SCAN_S", 60.0)
        await asyncio.sleep(1.1)
        await fall_silent(a)
        for room in a.lobby.rooms.values():
            room._owner.cancel()  # type: ignore[union-attr]
        await declare_dead(a, [b])
        node_of(b)._wake()
        await until(lambda: all(table in b.lobby.rooms for table in tables), 5)


async def test_a_claim_whose_answer_was_lost_is_found_again(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tichu.server.cluster.adoption._STRAYS_S", 0.1)
    async with cluster(url, "a", "b") as (a, b):
        table = (await a.table("easy", "easy", "easy", "easy", start=True))["table"]["id"]
        claims = node_of(b).claims
        claim, lost = claims.claim, list[Claim]()

        async def lose(*arguments: Any) -> Any:
            answer = await claim(*arguments)
            if not lost:
                lost.append(answer)
                raise StoreError("the answer was lost")
            return answer

        monkeypatch.setattr(claims, "claim", lose)
        shared: Any = a.lobby.shared
        await shared.hand_over(a.lobby.rooms[table], node_of(b).id)
        await until(lambda: table in b.lobby.rooms)
        assert lost


async def test_a_table_that_cannot_be_loaded_keeps_no_other_waiting(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tichu.server.cluster.adoption._STRAYS_S", 0.1)
    async with cluster(url, "a", "b") as (a, b):
        bad, good = [(await a.table("easy", "easy", "easy", "easy", start=True))["table"]["id"] for _ in range(2)]
        read = b.lobby.store.table

        async def fail(table: str) -> Any:
            if table == bad:
                raise StoreError("it cannot be read")
            return await read(table)

        monkeypatch.setattr(b.lobby.store, "table", fail)
        shared: Any = a.lobby.shared
        await shared.hand_over(a.lobby.rooms[bad], node_of(b).id)
        await until(lambda: _taken(b) >= 2)
        await shared.hand_over(a.lobby.rooms[good], node_of(b).id)
        await until(lambda: good in b.lobby.rooms)
        monkeypatch.undo()
        await until(lambda: bad in b.lobby.rooms)


async def test_a_table_that_somebody_has_come_back_to_is_not_given_away(url: str) -> None:
    async with cluster(url, "a") as (a,):
        made = await a.table("you", None)
        table, token = made["table"]["id"], made["you"]["token"]
        gate: Any = _Gate(node_of(a).directory.write)
        node_of(a).directory.write = gate
        shared: Any = a.lobby.shared
        a.lobby.rest(a.lobby.rooms[table])
        await until(lambda: gate.came)
        said = asyncio.create_task(a.post(token, table, wire.PutBot(id="x", seat=1, bot="easy")))
        await until(lambda: table in a.lobby.rooms)
        gate.is_open.set()
        assert (await said)["type"] == "ack"
        await until(lambda: not shared._tasks)
        assert await owner_of(url, table) == (node_of(a).id, 2)


async def test_a_room_that_was_replaced_takes_nothing_from_its_successor(url: str) -> None:
    async with cluster(url, "a", "b") as (a, b):
        table = (await a.table("you", None))["table"]["id"]
        former = a.lobby.rooms[table]
        former.abandon()
        assert await a.lobby.visit(table) is not None
        room = a.lobby.rooms[table]
        assert room is not former
        a.lobby.remove(former)
        assert a.lobby.rooms[table] is room
        # Neither does it give away what is not its own any more.
        shared: Any = a.lobby.shared
        former._owner, former._is_over = None, False
        await shared.hand_over(former, node_of(b).id)
        assert a.lobby.rooms[table] is room
        assert (await owner_of(url, table))[0] == node_of(a).id


async def test_a_load_that_ends_in_another_life_shows_nothing(url: str) -> None:
    async with cluster(url, "a", "b") as (a, b):
        table = (await a.table("you", None))["table"]["id"]
        await fall_asleep(a, table)
        gate: Any = _Gate(b.lobby.restore)
        b.lobby.restore = gate  # type: ignore[method-assign]
        visit = asyncio.create_task(b.lobby.visit(table))
        await until(lambda: gate.came)
        former = node_of(b).id
        async with connection(url) as db:
            await db.execute("UPDATE nodes SET ended = clock_timestamp() WHERE id = $1", former)
        await node_of(b).membership.renew()
        assert node_of(b).id != former
        gate.is_open.set()
        assert await visit is None
        assert table not in b.lobby.rooms
        # And a claim that was under way when it happened counts for nothing.
        claim = node_of(b).claims.claim

        async def late(*arguments: Any) -> Any:
            answer = await claim(*arguments)
            node_of(b).membership.id = "b.0123456789abcdef"
            return answer

        node_of(b).claims.claim = late
        assert await node_of(b).take(table, "visit") is None


async def test_a_table_that_another_node_has_cannot_be_set_aside(url: str) -> None:
    async with cluster(url, "a", "b") as (a, b):
        table = (await a.table("you", None))["table"]["id"]
        with pytest.raises(TableTaken):
            await b.lobby.store.park(table, "it cannot be read here")
        assert await b.lobby.store.parked() == []
        await a.lobby.store.park(table, "it cannot be read")
        assert [one for one, _ in await a.lobby.store.parked()] == [table]


async def test_names_that_nobody_resolves_keep_no_table_waiting(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with cluster(url, "a", "b") as (a, b):
        table = (await a.table("easy", "easy", "easy", "easy", start=True))["table"]["id"]
        loop = asyncio.get_running_loop()
        gate = _Gate(loop.getaddrinfo)
        monkeypatch.setattr(loop, "getaddrinfo", gate)
        await until(lambda: gate.came)
        shared: Any = a.lobby.shared
        await shared.hand_over(a.lobby.rooms[table], node_of(b).id)
        await until(lambda: table in b.lobby.rooms, 5)
        gate.is_open.set()


async def test_a_connection_is_ended_by_the_next_one_that_lives_until_it_is_gone(url: str) -> None:
    async with cluster(url, "a") as (a,):
        writer = node_of(a)._owner
        (first,) = writer._backends
        wait_gone = writer._wait_gone

        async def fail(*arguments: Any) -> None:
            raise TimeoutError

        writer._wait_gone = fail
        writer.disconnect()
        with pytest.raises(StoreError):
            await a.lobby.store.see_players({})
        assert first in writer._backends
        writer._wait_gone = wait_gone
        await a.lobby.store.see_players({})
        assert len(writer._backends) == 1
        assert first not in writer._backends


async def test_nothing_is_kept_of_nodes_that_ended_long_ago(url: str) -> None:
    async with cluster(url, "a") as (a,):
        async with connection(url) as db:
            await db.execute("UPDATE nodes SET ended = clock_timestamp() - interval '2 days'")
        await node_of(a).membership.renew()
        async with connection(url) as db:
            assert [row["id"] for row in await db.fetch("SELECT id FROM nodes")] == [node_of(a).id]
            assert [row["node"] for row in await db.fetch("SELECT node FROM node_writes")] == [node_of(a).id]
