"""What all nodes must hear: tokens that end, names, presence, and who keeps house."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest
from websockets.asyncio.client import connect

from tests.server.nodes import cluster, connection, node_of, one_node
from tests.server.rated_club import RatedClub
from tests.server.serving import Place
from tests.server.test_quick_limits import guests, match
from tichu.server import wire
from tichu.server.log import encode
from tichu.server.players import hash_token
from tichu.server.resting import RestingTable
from tichu.server.store import StoreError
from tichu.server.store.people import good_tokens

pytestmark = pytest.mark.anyio


@pytest.fixture
def url(postgres: str) -> str:
    """An empty database."""
    from tests.server.conftest import _forget_everything

    asyncio.run(_forget_everything(postgres))
    return postgres


async def until(is_so: Callable[[], Any]) -> None:
    async with asyncio.timeout(10):
        while not is_so():
            await asyncio.sleep(0.02)


def bearer(token: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}"}


async def named(place: Place, token: str) -> str | None:
    answer = await place.http.get("/api/me", headers=bearer(token))
    return answer.json()["name"] if answer.status_code == 200 else None


async def test_a_token_that_ends_at_one_node_ends_at_all_and_its_sockets_too(url: str) -> None:
    async with cluster(url, "a", "b") as (a, b):
        made = await a.table("you", None)
        table, token = made["table"]["id"], made["you"]["token"]
        async with connect(a.url.replace("http", "ws", 1) + "/ws/v1", proxy=None) as socket:
            await socket.send(json.dumps({"type": "hello", "table": table, "token": token}))
            assert json.loads(await socket.recv())["type"] == "welcome"
            assert await named(a, token) is not None
            ended = await b.http.delete("/api/me/token", headers=bearer(token))
            assert ended.status_code == 200
            await asyncio.wait_for(socket.wait_closed(), 10)
        assert await named(a, token) is None
        assert await named(b, token) is None


async def test_a_new_name_is_known_at_all_nodes(url: str) -> None:
    async with cluster(url, "a", "b") as (a, b):
        token = (await a.player("Bob"))["token"]
        assert await named(b, token) == "Bob"
        new = {"settings": {}, "seats": ["you"], "name": "Robert"}
        await a.http.post("/api/tables", json=new, headers=bearer(token))
        async with asyncio.timeout(10):
            while await named(b, token) != "Robert":
                await asyncio.sleep(0.02)


async def test_after_a_gap_in_the_news_nothing_is_believed(url: str) -> None:
    async with cluster(url, "a") as (a,):
        token = (await a.player("Bob"))["token"]
        assert await named(a, token) == "Bob"
        node_of(a).news._db.terminate()
        # As if another node had ended the token meanwhile.
        known = await a.lobby.players.identify(token)
        assert known is not None
        await a.lobby.store.change_token(known.player.id, "revoked")
        async with asyncio.timeout(10):
            while await named(a, token) is not None:
                await asyncio.sleep(0.05)


async def test_presence_is_seen_from_every_node(url: str) -> None:
    async with cluster(url, "a", "b") as (a, b):
        made = await a.table("you", None, private=False)
        table, token = made["table"]["id"], made["you"]["token"]

        async def is_there() -> bool:
            (one,) = (await b.http.get("/api/tables")).json()["tables"]
            return bool(one["seats"][0]["connected"])

        async with connect(a.url.replace("http", "ws", 1) + "/ws/v1", proxy=None) as socket:
            await socket.send(json.dumps({"type": "hello", "table": table, "token": token}))
            async with asyncio.timeout(10):
                while not await is_there():
                    await asyncio.sleep(0.05)
        async with asyncio.timeout(10):
            while await is_there():
                await asyncio.sleep(0.05)


async def test_the_oldest_node_keeps_house_and_the_next_one_after_it(url: str) -> None:
    async with one_node(url, "b") as b:
        async with one_node(url, "a") as a:
            for place in (a, b):
                await node_of(place).membership.renew()
            assert [node_of(place).membership.is_leader for place in (a, b)] == [False, True]
            node_of(b).membership.is_draining = True
            for place in (b, a):
                await node_of(place).membership.renew()
            assert node_of(a).membership.is_leader
            node_of(b).membership.is_draining = False
        await node_of(b).membership.renew()
        assert node_of(b).membership.is_leader


async def test_codes_are_unique_in_the_database(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with cluster(url, "a", "b") as (a, b):
        drawn = iter("AAAAAA" + "AAAAAA" + "BBBBBB")
        made = []
        with monkeypatch.context() as patch:
            patch.setattr("tichu.server.lobby.secrets.choice", lambda signs: next(drawn))
            for place in (a, b):
                made.append((await place.table("you", None))["table"]["code"])
        assert made == ["AAAAAA", "BBBBBB"]


async def test_unvisited_tables_are_closed_by_one_node_for_all(url: str) -> None:
    async with cluster(url, "a", "b") as (a, b):
        table = (await b.table("you", None))["table"]["id"]
        b.lobby.rest(b.lobby.rooms[table])
        shared: Any = b.lobby.shared
        await until(lambda: not shared._tasks)
        leader, other = (a, b) if node_of(a).membership.is_leader else (b, a)
        far = 1e12
        assert not await other.lobby.shared.tidy(far)  # type: ignore[union-attr]
        assert (await a.http.get(f"/api/tables/{table}")).status_code == 200
        (owner,) = [place for place in (a, b) if table in place.lobby.rooms]
        owner.lobby.rest(owner.lobby.rooms[table])
        resting: Any = owner.lobby.shared
        await until(lambda: not resting._tasks)
        assert await leader.lobby.shared.tidy(far)  # type: ignore[union-attr]
        assert (await b.http.get(f"/api/tables/{table}")).status_code == 404


async def test_what_one_node_does_for_all_is_asked_of_that_node(url: str) -> None:
    async with cluster(url, "a", "b") as (a, b):
        assert node_of(a).membership.is_leader
        token = (await b.player("Bob"))["token"]
        at_b, at_a = [(await place.http.get("/api/quick", headers=bearer(token))).json() for place in (b, a)]
        assert at_b | {"now": 0} == at_a | {"now": 0}
        assert node_of(b).metrics.relayed.labels("http")._value.get() == 1
        assert node_of(a).metrics.relayed.labels("http")._value.get() == 0
        long = await b.http.post("/api/quick", content=b"x" * 70_000, headers=bearer(token))
        assert long.status_code == 413


async def test_however_many_tokens_end_at_once_all_nodes_hear_of_all_of_them(url: str) -> None:
    async with cluster(url, "a", "b") as (a, b):
        heard: list[str] = []
        on_item = node_of(b).news.on_item

        def note(item: Any) -> None:
            heard.extend(getattr(item, "tokens", None) or ())
            on_item(item)

        node_of(b).news.on_item = note
        ended = [f"{number:064x}" for number in range(500)]
        a.lobby.send_away("somebody", ended)
        await until(lambda: set(heard) >= set(ended))


async def test_tokens_whose_end_nobody_told_of_end_at_all_nodes_soon(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tichu.server.sharing._TOKENS_S", 0.2)
    async with cluster(url, "a", "b") as (a, b):

        async def nothing(item: object) -> None:
            """A connection is lost just then."""

        monkeypatch.setattr(node_of(b).news, "tell", nothing)
        one, other = await a.table("you", None), await a.table("you", None)
        async with (
            a.guest(one["table"]["id"], one["you"]["token"]) as gone,
            a.guest(other["table"]["id"], other["you"]["token"]) as stays,
        ):
            assert await named(a, one["you"]["token"]) is not None
            ended = await b.http.delete("/api/me/token", headers=bearer(one["you"]["token"]))
            assert ended.status_code == 200
            await asyncio.wait_for(gone.socket.wait_closed(), 10)
            async with asyncio.timeout(10):
                while await named(a, one["you"]["token"]) is not None:
                    await asyncio.sleep(0.05)
            # Whose token is good hears nothing of it.
            assert (await stays.do(wire.Say(id="s", text="still here"))).id == "s"


async def test_only_tokens_of_people_who_are_let_in_are_good(url: str) -> None:
    async with cluster(url, "a") as (a,):
        guests = [(await a.player(name))["token"] for name in ("Bob", "Cyd")]
        hashes = [hash_token(token) for token in guests]
        asked = [*hashes, "f" * 64]
        assert await a.lobby.store.read(good_tokens, asked, a.lobby.time()) == set(hashes)
        known = await a.lobby.players.identify(guests[0])
        assert known is not None
        async with connection(url) as db:
            await db.execute("INSERT INTO restrictions VALUES ($1, 0, $2)", known.player.id, a.lobby.time() + 60)
        assert await a.lobby.store.read(good_tokens, asked, a.lobby.time()) == {hashes[1]}
        many = [f"{number:064x}" for number in range(1201)]
        assert await a.lobby.store.read(good_tokens, [*many, *hashes], a.lobby.time()) == {hashes[1]}


async def test_a_rated_match_whose_table_is_closed_has_ended_for_nobody(url: str) -> None:
    async with cluster(url, "a") as (a,):
        club = RatedClub().agree().deal()
        table = club.table.id
        await a.lobby.store.append(table, 1, [encode(entry) for entry in club.entries])
        row = RestingTable.of(club.table.logged, club.table.state(), "", 1.0)
        await node_of(a).directory.write([(row, club.table.logged.persons(), 1)])
        await node_of(a).release(table, 1)
        shared: Any = a.lobby.shared
        assert await shared.tidy(1e12)
        async with connection(url) as db:
            assert [json.loads(one["facts"])["ending"] for one in await db.fetch("SELECT facts FROM matches")] == [
                "aborted"
            ]
            assert await db.fetchval("SELECT count(*) FROM tables") == 0
            assert await db.fetchval("SELECT count(*) FROM directory") == 0
        assert node_of(a).epoch_of(table) is None


async def test_a_table_that_somebody_comes_to_in_the_last_moment_can_be_found(url: str) -> None:
    async with cluster(url, "a", "b") as (a, b):
        assert node_of(a).membership.is_leader
        made = await b.table("you", None)
        table, code = made["table"]["id"], made["table"]["code"]
        shared: Any = b.lobby.shared
        b.lobby.rest(b.lobby.rooms[table])
        await until(lambda: not shared._tasks)
        unvisited = node_of(a).directory.unvisited

        async def visit_then(*arguments: Any) -> Any:
            found = await unvisited(*arguments)
            assert await b.lobby.visit(table) is not None
            return found

        node_of(a).directory.unvisited = visit_then
        async with asyncio.timeout(20):
            assert await a.lobby.shared.tidy(1e12)  # type: ignore[union-attr]
        assert (await a.http.get(f"/api/codes/{code}")).status_code == 200
        assert table in b.lobby.rooms
        # A code that was kept for a table that was never made is nobody's any more.
        node_of(a).directory.unvisited = unvisited
        assert await node_of(a).directory.reserve("never", "AAAAAA", "", 1.0, (9, 9)) == "done"
        assert await a.lobby.shared.tidy(1e12)  # type: ignore[union-attr]
        assert await node_of(a).directory.reserve("other", "AAAAAA", "", 1.0, (9, 9)) == "done"


async def test_a_table_that_was_closed_is_in_no_list_whatever_happens_then(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(table: str) -> None:
        raise StoreError("it is away")

    # No row is on its way while the table is closed.
    monkeypatch.setattr("tichu.server.cluster.node._FLUSH_S", 3600.0)
    async with cluster(url, "a") as (a,):
        table = (await a.table("you", None, private=False))["table"]["id"]
        await node_of(a).flush(table)
        assert [one["id"] for one in (await a.http.get("/api/tables")).json()["tables"]] == [table]
        # As if the node died between the two.
        monkeypatch.setattr(node_of(a).directory, "forget", fail)
        room = a.lobby.rooms[table]
        await room.stop()
        await a.lobby.close_table(room)
        assert (await a.http.get("/api/tables")).json()["tables"] == []


async def test_who_begins_another_match_gives_up_the_seat_at_another_node_too(url: str) -> None:
    async with cluster(url, "a", "b") as (a, b):
        (first,) = await match(a.lobby, guests(4))
        assert first is not None
        shared: Any = a.lobby.shared
        await shared.hand_over(a.lobby.rooms[first], node_of(b).id)
        await until(lambda: first in b.lobby.rooms)
        room = b.lobby.rooms[first]
        assert len(room.persons()) == 4
        (second,) = await match(a.lobby, guests(4))
        await until(lambda: not room.persons())
        assert second is not None
        assert len(a.lobby.rooms[second].persons()) == 4
