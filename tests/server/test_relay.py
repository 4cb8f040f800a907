"""Any door leads to the table."""

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from tests.server.nodes import SECRET, cluster, connection, fall_silent, node_of, one_node, until
from tests.server.serving import Place
from tests.server.test_limits import limits
from tichu.server import wire
from tichu.server.keepalive import UNANSWERED_S, notice_end

pytestmark = pytest.mark.anyio


@pytest.fixture
def url(postgres: str) -> str:
    """An empty database."""
    from tests.server.conftest import _forget_everything

    asyncio.run(_forget_everything(postgres))
    return postgres


def ws(place: Place, path: str) -> str:
    return place.url.replace("http", "ws", 1) + path


async def heard(socket: Any) -> Any:
    return json.loads(await asyncio.wait_for(socket.recv(), 10))


async def test_a_table_is_found_at_every_node_at_once(url: str) -> None:
    async with cluster(url, "a", "b", "c") as (a, b, c):
        made = await a.table("you", None)
        table, code = made["table"]["id"], made["table"]["code"]
        for place in (b, c):
            read = await place.http.get(f"/api/tables/{table}")
            assert read.status_code == 200
            assert read.json()["table"]["code"] == code
            by_code = await place.http.get(f"/api/codes/{code}")
            assert by_code.json()["table"] == table
            assert node_of(place).id != node_of(a).id
            assert table not in place.lobby.rooms
        missing = await b.http.get("/api/tables/nosuchtable")
        assert missing.status_code == 404


async def test_commands_and_streams_are_relayed(url: str) -> None:
    async with cluster(url, "a", "b") as (a, b):
        made = await a.table("you", None)
        table, token = made["table"]["id"], made["you"]["token"]
        said = await b.post(token, table, wire.PutBot(id="c1", seat=1, bot="medium"))
        assert said["type"] == "ack"
        again = await a.post(token, table, wire.PutBot(id="c1", seat=1, bot="medium"))
        assert again == said
        headers = {"authorization": f"Bearer {token}"}
        async with b.http.stream("GET", f"/api/tables/{table}/stream", headers=headers) as stream:
            lines = stream.aiter_lines()
            welcome = json.loads(await anext(lines))
            assert welcome["type"] == "welcome"
            await a.post(token, table, wire.Say(id="c2", text="hello"))
            line = ""
            while "hello" not in line:
                line = await asyncio.wait_for(anext(lines), 10)
        wrong = await b.http.get(f"/api/tables/{table}/stream", headers={"authorization": "Bearer nobody"})
        assert wrong.status_code == 401


@pytest.mark.parametrize("path", ["/ws/v1", "/ws/v1/tables/{}"])
async def test_a_socket_at_any_node_plays(url: str, path: str) -> None:
    async with cluster(url, "a", "b") as (a, b):
        made = await a.table("you", None)
        table, token = made["table"]["id"], made["you"]["token"]
        async with connect(ws(b, path.format(table)), proxy=None) as socket:
            await socket.send(json.dumps({"type": "hello", "table": table, "token": token}))
            welcome = await heard(socket)
            assert welcome["type"] == "welcome"
            assert welcome["you"]["player"] == made["you"]["player"]
            await socket.send(json.dumps({"type": "TABLE.PUT_BOT", "id": "x", "seat": 2, "bot": "easy"}))
            while (message := await heard(socket))["type"] != "ack":
                pass
            assert message["id"] == "x"
            assert a.lobby.rooms[table].sockets == 1
            assert table not in b.lobby.rooms
        assert node_of(b).metrics.relayed.labels("socket")._value.get() == 1


async def test_no_table_is_said_on_the_socket(url: str) -> None:
    async with cluster(url, "a", "b") as (a, _), connect(ws(a, "/ws/v1/tables/nosuchtable"), proxy=None) as socket:
        await socket.send(json.dumps({"type": "hello", "table": "nosuchtable"}))
        assert (await heard(socket))["code"] == "no_such_table"


async def test_only_who_has_the_secret_speaks_for_others(url: str) -> None:
    async with cluster(url, "a", "b") as (a, b):
        made = await a.table("you", None)
        table = made["table"]["id"]
        wrong = await a.http.get(
            f"/api/tables/{table}", headers={"x-tichu-relay": "guess", "x-tichu-client": "9.9.9.9"}
        )
        assert wrong.status_code == 403
        # One hop at most: a node that is asked by another does not ask a third one.
        right = {"x-tichu-relay": SECRET, "x-tichu-client": "192.0.2.9", "x-tichu-node": "x"}
        moved = await b.http.get(f"/api/tables/{table}", headers=right)
        assert moved.status_code == 503
        assert moved.headers["x-tichu-moved"] == "1"
        assert (await a.http.get(f"/api/tables/{table}", headers=right)).status_code == 200


async def test_the_forwarded_address_is_what_tables_are_counted_for(url: str) -> None:
    async with cluster(url, "a") as (a,):
        told = {"x-tichu-relay": SECRET, "x-tichu-client": "192.0.2.9", "x-tichu-node": "x"}
        new = {"settings": {}, "seats": ["you"], "name": "Ada"}
        made = await a.http.post("/api/tables", json=new, headers=told)
        assert a.lobby.rooms[made.json()["table"]["id"]].address == "192.0.2.9"
        plain = await a.http.post("/api/tables", json=new, headers={"x-tichu-client": "192.0.2.9"})
        assert a.lobby.rooms[plain.json()["table"]["id"]].address == "127.0.0.1"


async def test_lists_know_the_tables_of_all_nodes(url: str) -> None:
    async with cluster(url, "a", "b") as (a, b):
        made = await a.table("you", None, private=False)
        table, token = made["table"]["id"], made["you"]["token"]
        await node_of(a).flush(table)
        listed = (await b.http.get("/api/tables")).json()["tables"]
        assert [one["id"] for one in listed] == [table]
        own = await b.http.get("/api/me", headers={"authorization": f"Bearer {token}"})
        assert own.status_code == 200
        assert [one["id"] for one in own.json()["tables"]] == [table]


async def test_who_asks_for_a_table_of_a_node_that_stands_still_is_told_to_come_back(
    url: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("tichu.server.http.relay._PATIENCE_S", 0.5)
    async with cluster(url, "a", "b") as (a, b):
        made = await a.table("you", None)
        table, token = made["table"]["id"], made["you"]["token"]
        await fall_silent(a)
        membership = node_of(b).membership

        def note_silence() -> None:
            membership.peers = [
                peer._replace(age=5.0) if peer.id == node_of(a).id else peer for peer in membership.peers
            ]

        monkeypatch.setattr(membership, "on_renewed", note_silence)
        await membership.renew()
        # Nobody is sent there, over HTTP or over either socket, and nothing of it is a mistake of ours.
        assert (await b.http.get(f"/api/tables/{table}")).status_code == 503
        with pytest.raises(InvalidStatus) as refused:
            async with connect(ws(b, f"/ws/v1/tables/{table}"), proxy=None):
                pass
        assert refused.value.response.status_code == 503
        async with connect(ws(b, "/ws/v1"), proxy=None) as socket:
            await socket.send(json.dumps({"type": "hello", "table": table, "token": token}))
            await asyncio.wait_for(socket.wait_closed(), 10)
            assert socket.close_code == 1001
        assert "error" not in caplog.text.lower()
        assert b.lobby.metrics.failures.labels("socket")._value.get() == 0


async def test_a_place_that_is_no_longer_true_costs_no_socket_a_refusal(url: str) -> None:
    async with cluster(url, "a", "b", "c") as (a, b, c):
        made = await a.table("you", None)
        table, token = made["table"]["id"], made["you"]["token"]
        for path in (f"/ws/v1/tables/{table}", "/ws/v1"):
            former, owner = (a, c) if table in a.lobby.rooms else (c, a)
            assert (await b.http.get(f"/api/tables/{table}")).status_code == 200
            known = dict(node_of(b)._known)
            shared: Any = former.lobby.shared
            await shared.hand_over(former.lobby.rooms[table], node_of(owner).id)
            await until(lambda owner=owner: table in owner.lobby.rooms)  # type: ignore[misc]
            # The news of it have not come yet.
            node_of(b)._known.update(known)
            async with connect(ws(b, path), proxy=None) as socket:
                await socket.send(json.dumps({"type": "hello", "table": table, "token": token}))
                assert (await heard(socket))["type"] == "welcome"


async def test_a_node_that_falls_silent_in_the_middle_of_an_answer_does_not_give_it(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with cluster(url, "a", "b") as (a, b):
        made = await a.table("you", None)
        table, token = made["table"]["id"], made["you"]["token"]
        lease, find = node_of(a).lease, a.lobby.find

        def fall_silent_then(table_id: str) -> Any:
            lease.drop()
            return find(table_id)

        monkeypatch.setattr(a.lobby, "find", fall_silent_then)
        await fall_silent(a)
        assert (await a.http.get(f"/api/tables/{table}")).status_code == 503
        await node_of(a).membership.renew()
        # Neither does what is said about a link to the table.
        page = await a.http.get(f"/t/{table}")
        assert "One seat" not in page.text
        assert "seats are free" not in page.text
        monkeypatch.undo()
        await node_of(a).membership.renew()
        await fall_silent(b)
        headers = {"authorization": f"Bearer {token}"}
        async with b.http.stream("GET", f"/api/tables/{table}/stream", headers=headers) as stream:
            lines = stream.aiter_lines()
            assert json.loads(await anext(lines))["type"] == "welcome"
            node_of(b).lease.drop()
            await node_of(a).membership.renew()
            said = await a.post(token, table, wire.Say(id="c2", text="hello"))
            assert said["type"] == "ack"
            following = asyncio.ensure_future(anext(lines))
            done, _ = await asyncio.wait([following], timeout=0.5)
            assert not done
            await node_of(b).membership.renew()
            assert await asyncio.wait_for(following, 10)


@asynccontextmanager
async def hole() -> AsyncIterator[tuple[str, list[asyncio.StreamReader]]]:
    """Something that takes connections and says nothing: its address, and who is connected."""
    here: list[asyncio.StreamReader] = []

    async def take(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        here.append(reader)
        while await reader.read(65_536):
            pass
        here.remove(reader)
        writer.close()

    async with await asyncio.start_server(take, "127.0.0.1", 0) as server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", here


async def test_an_owner_that_takes_requests_and_says_nothing_is_not_waited_for_without_end(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tichu.server.http.relay._LATE_S", 0.0)
    monkeypatch.setattr("tichu.server.http.relay._PATIENCE_S", 0.5)
    async with cluster(url, "a", "b", limits=limits(answer_seconds=1.0)) as (a, b), hole() as (nowhere, here):
        table = (await a.table("you", None))["table"]["id"]
        async with connection(url) as db:
            await db.execute("UPDATE nodes SET url = $1 WHERE id = $2", nowhere, node_of(a).id)
        await node_of(b).membership.renew()
        async with asyncio.timeout(5):
            assert (await b.http.get(f"/api/tables/{table}")).status_code == 503
        await until(lambda: not here)


async def test_whoever_leaves_keeps_no_relay(url: str) -> None:
    async with cluster(url, "a", "b") as (a, b), hole() as (nowhere, here):
        table = (await a.table("you", None))["table"]["id"]
        async with connection(url) as db:
            await db.execute("UPDATE nodes SET url = $1 WHERE id = $2", nowhere, node_of(a).id)
        await node_of(b).membership.renew()
        with pytest.raises(httpx.ReadTimeout):
            await b.http.get(f"/api/tables/{table}", timeout=0.5)
        await until(lambda: not here, 3)


def test_the_end_of_a_machine_without_power_is_noticed() -> None:
    with socket.socket() as place:
        notice_end(place)
        assert place.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE) == 1
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            assert place.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == 1000 * UNANSWERED_S
    with socket.socket(socket.AF_UNIX) as here:
        notice_end(here)
        assert here.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE) == 0


async def test_a_connection_to_another_node_is_watched(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    watched = list[Any]()
    for module in ("relay", "relay_client"):
        monkeypatch.setattr(f"tichu.server.http.{module}.notice_end", watched.append)
    async with cluster(url, "a", "b") as (a, b):
        table = (await a.table("you", None))["table"]["id"]
        watched.clear()
        assert (await b.http.get(f"/api/tables/{table}")).status_code == 200
        async with connect(ws(b, f"/ws/v1/tables/{table}"), proxy=None):
            assert watched[-1].getpeername()[1] == int(a.url.rpartition(":")[2])


async def test_nodes_that_cannot_reach_each_other_say_so(
    url: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("tichu.server.http.peer_check._LOOK_S", 0.1)
    async with cluster(url, "a", "b") as (a, _):
        assert "node" not in caplog.text
        # Only among nodes: nobody else is told who is here.
        assert (await a.http.get("/api/node")).status_code == 404
        said = await a.http.get("/api/node", headers={"x-tichu-relay": SECRET, "x-tichu-node": "x"})
        assert said.text == node_of(a).id
        async with one_node(url, "c", node_secret="another secret of its own"):
            await node_of(a).membership.renew()
            await until(lambda: "has another secret" in caplog.text)
        async with one_node(url, "d", node_url=a.url) as d:
            await node_of(a).membership.renew()
            words = f"at {a.url} there is node {node_of(a).id} and not {node_of(d).id}"
            await until(lambda: words in caplog.text)
        async with one_node(url, "e", node_url="http://127.0.0.1:9"):
            await node_of(a).membership.renew()
            await until(lambda: "is not reached at http://127.0.0.1:9" in caplog.text)


@pytest.mark.parametrize("strange", ["http://127.0.0.1:99999", f"http://{'x' * 64}.example:80", "http://a..b:80"])
async def test_an_address_that_leads_nowhere_keeps_nobody_from_the_others(
    url: str, strange: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A node of a former version takes it from its operator; all others would never ask anybody again who they are."""
    monkeypatch.setattr("tichu.server.http.peer_check._LOOK_S", 0.1)
    monkeypatch.setattr("tichu.server.cluster.node._RESOLVE_S", 0.1)
    async with cluster(url, "a") as (a,), connection(url) as db:
        await db.execute(
            """
            INSERT INTO nodes (id, name, url, version, log_format, started, renewed)
            VALUES ('x.1', 'x', $1, '', 1, now(), now())
            """,
            strange,
        )
        await node_of(a).membership.renew()
        await until(lambda: "x.1" in node_of(a).membership.acquaintance.unreached)
        await asyncio.sleep(0.3)
        async with one_node(url, "b") as b:
            for place in (a, b):
                await node_of(place).membership.renew()
            await until(lambda: node_of(b).id in node_of(a).membership.acquaintance.reached)
            await until(lambda: "127.0.0.1" in node_of(a)._addresses)
            relayed = await b.http.get(f"/api/tables/{(await a.table('you', None))['table']['id']}")
            assert relayed.status_code == 200


@pytest.mark.parametrize("wrong", [{"node_secret": "another secret of its own"}, {"node_url": "http://127.0.0.1:9"}])
async def test_a_node_that_no_other_reaches_gets_no_tables(
    url: str, wrong: dict[str, str], caplog: pytest.LogCaptureFixture
) -> None:
    async with cluster(url, "a", "b") as (a, b), one_node(url, "c", **wrong) as c:
        strange = node_of(c).id
        for place in (a, b):
            await node_of(place).membership.renew()
            known = node_of(place).membership.acquaintance
            await until(lambda known=known: strange in known.unreached)  # type: ignore[misc]
            assert strange not in {peer.id for peer in node_of(place).membership.others()}
            assert strange not in {node_of(place).home_of(f"game {number}").node for number in range(40)}
        # Nor does it take any, though all of them have no owner and it is the only one that is asked.
        assert not node_of(c).membership.may_take
        tables = [(await a.table("you", None))["table"]["id"] for _ in range(3)]
        shared: Any = a.lobby.shared
        for table in tables:
            await shared.hand_over(a.lobby.rooms[table], strange)
            assert await node_of(c).take(table, "visit") is None
        await until(lambda: all(table in a.lobby.rooms or table in b.lobby.rooms for table in tables))
        assert not c.lobby.rooms


async def test_of_two_nodes_that_do_not_reach_each_other_the_first_goes_on(url: str) -> None:
    async with cluster(url, "a") as (a,), one_node(url, "b", node_secret="another secret of its own") as b:
        await node_of(a).membership.renew()
        for place, other in ((a, b), (b, a)):
            known, who = node_of(place).membership.acquaintance, node_of(other).id
            await until(lambda known=known, who=who: who in known.unreached)  # type: ignore[misc]
        assert node_of(a).membership.may_take
        assert not node_of(b).membership.may_take
        # Until it is alone.
        await fall_silent(a)
        await until(lambda: node_of(b).membership.may_take)
