"""Nobody can fill a server, or the list of its tables, alone."""

import asyncio
from collections.abc import Sequence

import pytest

from tests.server.serving import FREE, Guest, served
from tichu.server import wire
from tichu.server.config import Limits
from tichu.server.outbox import Outbox
from tichu.server.table.ports import Player

pytestmark = pytest.mark.anyio


def limits(**changed: float) -> Limits:
    fields = {name: getattr(FREE, name) for name in FREE.__slots__}
    return Limits(**fields | changed)


async def test_an_address_has_only_so_many_tables_at_a_time() -> None:
    async with served(limits(address_tables=2)) as place:
        for _ in range(2):
            await place.table("you")
        refused = await place.http.post("/api/tables", json={"seats": ["you"]})
        assert (refused.status_code, refused.json()["error"]) == (429, "too_many")
        assert len(place.lobby.rooms) == 2


async def test_a_server_has_only_so_many_tables() -> None:
    async with served(limits(tables=1)) as place:
        await place.table("you")
        refused = await place.http.post("/api/tables", json={"seats": ["you"]})
        assert (refused.status_code, refused.json()["message"]) == (
            429,
            "this server has as many tables as it can take",
        )


async def test_one_address_cannot_fill_the_list_of_open_tables() -> None:
    async with served(limits(address_offers=3)) as place:
        for _ in range(6):
            await place.table("you", private=False)
        listed = (await place.http.get("/api/tables")).json()["tables"]
        assert len(listed) == 3


async def test_codes_cannot_be_guessed_quickly() -> None:
    async with served(limits(code_rate=0.001, code_burst=3)) as place:
        made = await place.table("you")
        answers = [(await place.http.get(f"/api/codes/AAAAA{sign}")).status_code for sign in "ABCD"]
        assert answers == [404, 404, 404, 429]
        # Links go on working.
        async with place.guest(made["table"]["id"], made["you"]["token"]) as guest:
            assert guest.follower.table is not None


async def test_a_crowd_keeps_no_player_away() -> None:
    async with served(limits(table_connections=2)) as place:
        made = await place.table("you", "greedy", "greedy", "greedy")
        table, token = made["table"]["id"], made["you"]["token"]
        async with place.guest(table, name="Yan"), place.guest(table, name="Zoe"):
            async with place.socket() as socket:
                late = Guest(socket)
                await late.say({"type": "hello", "table": table})
                assert (await late.hear(wire.Error)).code == "busy"
            bob = {"authorization": f"Bearer {(await place.player())['token']}"}
            assert (await place.http.get(f"/api/tables/{table}/stream", headers=bob)).status_code == 429
            async with place.guest(table, token) as ada:
                assert ada.welcome.you.seat == 0


async def test_a_crowd_hears_of_something_bit_by_bit() -> None:
    turn, heard = 0, list[int]()

    def hear(texts: Sequence[bytes]) -> bool:
        heard.append(turn)
        return True

    async with served() as place:
        made = await place.table("you", "greedy", "greedy", "greedy")
        room = place.lobby.rooms[made["table"]["id"]]
        for number in range(250):
            room.connect(Player(f"watcher {number}", "Zoe"), Outbox(64, hear), None, "")
        async with asyncio.timeout(20):
            while room.sockets < 250 or room.waiting:
                await asyncio.sleep(0)
            heard.clear()
            room.command(Player(made["you"]["player"], "Ada"), wire.Say(id="s", text="Hello"))
            while len(heard) < 250:
                await asyncio.sleep(0)
                turn += 1
    assert len(set(heard)) >= 3
