"""Tokens end when their owner or the operator says so, on all sockets at once."""

import asyncio
import json
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from tests.server.serving import Guest, served
from tichu.server import wire
from tichu.server.config import Config
from tichu.server.lobby import Lobby
from tichu.server.metrics import Metrics
from tichu.server.players import Players
from tichu.server.store import Store, StoredPlayer

pytestmark = pytest.mark.anyio


def bearer(token: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}"}


async def ended(guest: Guest) -> None:
    try:
        while True:
            await guest.next()
    except ConnectionClosed:
        return


async def test_a_new_token_ends_the_old_one_everywhere() -> None:
    async with served() as place:
        tables = [await place.table("you"), await place.table("you")]
        old = tables[0]["you"]["token"]
        table = tables[0]["table"]["id"]
        stream = place.http.stream("GET", f"/api/tables/{table}/stream", headers=bearer(old))
        async with place.guest(table, old) as here, place.guest(tables[1]["table"]["id"], old) as there, stream as read:
            answer = await place.http.post("/api/me/token", headers=bearer(old))
            assert answer.status_code == 200, answer.text
            new = answer.json()
            assert new["player"] == tables[0]["you"]["player"]
            assert new["token"] != old
            await ended(here)
            await ended(there)
            async with asyncio.timeout(20):
                lines = [json.loads(line) async for line in read.aiter_lines() if line.strip()]
            assert lines[-1]["code"] == "closing"
        for method, path in (("GET", "/api/me"), ("POST", "/api/me/token"), ("DELETE", "/api/me/token")):
            refused = await place.http.request(method, path, headers=bearer(old))
            assert (refused.status_code, refused.json()["error"]) == (401, "wrong_token")
        async with place.guest(table, new["token"]) as guest:
            assert (guest.welcome.you.player, guest.welcome.you.seat) == (new["player"], 0)
        async with place.guest(table, old) as guest:
            assert guest.welcome.you.player != new["player"]


async def test_a_token_can_end_for_good() -> None:
    async with served() as place:
        made = await place.table("you")
        token, table = made["you"]["token"], made["table"]["id"]
        async with place.guest(table, token) as guest:
            answer = await place.http.delete("/api/me/token", headers=bearer(token))
            assert answer.json() == {"player": made["you"]["player"]}
            await ended(guest)
        assert (await place.http.get("/api/me", headers=bearer(token))).status_code == 401
        state = (await place.http.get(f"/api/tables/{table}")).json()["table"]
        assert state["seats"][0]["player"] == made["you"]["player"]


async def test_the_operator_ends_a_token() -> None:
    async with served(operator_token="boss") as place:
        made = await place.table("you")
        player, token = made["you"]["player"], made["you"]["token"]
        path = f"/api/players/{player}/token"
        for headers in ({}, bearer("nobody"), bearer(token)):
            refused = await place.http.delete(path, headers=headers)
            assert refused.status_code == 404
        async with place.guest(made["table"]["id"], token) as guest:
            assert (await place.http.delete(path, headers=bearer("boss"))).status_code == 200
            await ended(guest)
        assert (await place.http.get("/api/me", headers=bearer(token))).status_code == 401
        unknown = await place.http.delete("/api/players/nobody/token", headers=bearer("boss"))
        assert (unknown.status_code, unknown.json()["error"]) == (404, "no_such_player")


async def test_without_an_operators_token_nobody_is_the_operator() -> None:
    async with served() as place:
        made = await place.table("you")
        path = f"/api/players/{made['you']['player']}/token"
        for headers in ({}, {"authorization": "Bearer"}, bearer("x")):
            assert (await place.http.delete(path, headers=headers)).status_code in (401, 404)
        assert (await place.http.get("/api/me", headers=bearer(made["you"]["token"]))).status_code == 200


async def test_who_does_not_listen_is_not_heard_either() -> None:
    """A socket that reads nothing cannot be closed at once, but what it says after the end of its token is nothing."""
    async with served() as place:
        made = await place.table("you")
        room, token = place.lobby.rooms[made["table"]["id"]], made["you"]["token"]
        async with place.guest(made["table"]["id"], token) as guest:
            version = room.table.logged.version
            await place.http.delete("/api/me/token", headers=bearer(token))
            try:
                for number in range(5):
                    await guest.say({"type": "TABLE.SAY", "id": f"s{number}", "text": "still me"})
            except ConnectionClosed:
                pass
            await ended(guest)
        assert room.table.logged.version == version


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ({"type": "TABLE.SAY", "id": "s", "text": "still me"}, "restriction_of"),
        ({"type": "TABLE.SIT", "id": "s", "seat": 1}, "blocks_of"),
    ],
)
async def test_nor_what_was_said_while_the_token_ended(said: dict[str, Any], asked: str) -> None:
    async with served() as place:
        made = await place.table("you")
        room, bob = place.lobby.rooms[made["table"]["id"]], await place.player("Bob")
        read, is_ended = place.lobby.store.read, list[bool]()

        async def slow(script: Any, /, *args: Any, **more: Any) -> Any:
            if script.__name__ == asked:
                is_ended.append((await place.http.delete("/api/me/token", headers=bearer(bob["token"]))).is_success)
            return await read(script, *args, **more)

        async with place.guest(room.id, bob["token"]) as guest:
            version = room.table.logged.version
            place.lobby.store.read = slow  # type: ignore[method-assign]
            await guest.say(said)
            await ended(guest)
        assert is_ended == [True]
        assert (await place.post(made["you"]["token"], room.id, wire.SetAvatar(id="after it")))["type"] == "ack"
        assert room.table.logged.version == version + 1
        assert bob["player"] not in room.persons()


async def test_a_token_that_ends_while_the_store_is_asked_is_not_remembered(store: Store) -> None:
    lobby = Lobby(Config(), store, None, Metrics())  # type: ignore[arg-type]
    known = await lobby.players.register("Ann")
    fresh = Players(store, lobby.time)
    look = store.player
    asked, go_on = asyncio.Event(), asyncio.Event()

    async def slow(token_hash: str) -> StoredPlayer | None:
        found = await look(token_hash)
        if not asked.is_set():
            asked.set()
            await go_on.wait()
        return found

    store.player = slow  # type: ignore[method-assign]
    identifying: asyncio.Task[Any] = asyncio.create_task(fresh.identify(known.token))
    await asked.wait()
    assert await fresh.revoke(known.player.id)
    go_on.set()
    assert await identifying is None
    assert await fresh.identify(known.token) is None


async def test_a_command_of_a_token_that_has_just_ended_is_refused() -> None:
    async with served() as place:
        made = await place.table("you")
        table, token = made["table"]["id"], made["you"]["token"]
        visit = place.lobby.visit

        async def slow(table_id: str) -> Any:
            await place.lobby.players.revoke(made["you"]["player"])
            return await visit(table_id)

        place.lobby.visit = slow  # type: ignore[method-assign]
        content = json.dumps({"type": "TABLE.SAY", "id": "s", "text": "hi"})
        headers = {**bearer(token), "content-type": "application/json"}
        answer = await place.http.post(f"/api/tables/{table}/commands", content=content, headers=headers)
        assert (answer.status_code, answer.json()["error"]) == (401, "wrong_token")


async def test_whoever_is_in_doubt_while_a_room_opens_is_looked_up_and_not_sent_away() -> None:
    async with served() as place:
        made = await place.table("you")
        table, token, lobby = made["table"]["id"], made["you"]["token"], place.lobby
        visit, doubts = lobby.visit, 0

        async def doubting(table_id: str) -> Any:
            nonlocal doubts
            room = await visit(table_id)
            if doubts < 2:
                doubts += 1
                lobby.players.doubt_all()
            return room

        lobby.visit = doubting  # type: ignore[method-assign]
        async with place.guest(table, token) as guest:
            assert (guest.welcome.you.player, guest.welcome.you.seat) == (made["you"]["player"], 0)
        doubts = 0
        assert (await place.post(token, table, wire.Say(id="a", text="here")))["type"] == "ack"
        doubts = 0
        async with place.http.stream("GET", f"/api/tables/{table}/stream", headers=bearer(token)) as stream:
            assert stream.status_code == 200


async def test_a_token_that_ends_while_a_room_opens_opens_nothing() -> None:
    async with served() as place:
        made = await place.table("you")
        table, token, lobby = made["table"]["id"], made["you"]["token"], place.lobby
        visit = lobby.visit

        async def ending(table_id: str) -> Any:
            room = await visit(table_id)
            answer = await place.http.delete("/api/me/token", headers=bearer(token))
            assert answer.status_code in {200, 401}
            return room

        lobby.visit = ending  # type: ignore[method-assign]
        async with place.socket() as socket:
            guest = Guest(socket)
            await guest.say({"type": "hello", "table": table, "token": token})
            assert (await guest.hear(wire.Error)).code == "busy"
            await ended(guest)
            assert socket.close_code == 4400
