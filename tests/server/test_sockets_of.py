"""Tokens that end: whose sockets are let go, and whom that costs nothing."""

import pytest

from tests.server.serving import Guest, served
from tests.server.test_accounts import log_in, made, place_with
from tests.server.test_limits import limits
from tests.server.test_tokens import bearer
from tichu.server import wire
from tichu.server.room import Room

pytestmark = pytest.mark.anyio


async def test_the_end_of_a_token_wakes_no_table_where_its_owner_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    woken: list[str] = []
    send_away = Room.send_away

    def note(room: Room, *arguments: object) -> None:
        woken.append(room.id)
        send_away(room, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(Room, "send_away", note)
    async with place_with() as place:
        tables = [(await place.table("you")) for _ in range(3)]
        ann = await made(place, "Ann")
        second = (await log_in(place, "Ann")).json()
        async with (
            place.guest(tables[0]["table"]["id"], tables[0]["you"]["token"]),
            place.guest(tables[1]["table"]["id"], second["token"]) as guest,
        ):
            answer = await place.http.delete("/api/me/sessions", headers=bearer(ann["token"]))
            assert (answer.json()["ended"], woken) == (1, [tables[1]["table"]["id"]])
            assert (await guest.hear(wire.Error)).code == "closing"
            woken.clear()
            # Nothing has ended, so nobody is asked.
            answer = await place.http.delete("/api/me/sessions", headers=bearer(ann["token"]))
            assert (answer.json()["ended"], woken) == (0, [])
    assert not place.lobby.presence._places


async def test_a_socket_that_only_waits_for_its_welcome_is_let_go_too() -> None:
    async with served() as place:
        made_table = await place.table("you")
        known = await place.player()
        async with place.socket() as socket:
            guest = Guest(socket)
            await guest.say({"type": "hello", "table": made_table["table"]["id"], "token": known["token"], "name": ""})
            await guest.hear(wire.Welcome)
            place.lobby.send_away(known["player"], [])
            place.lobby.send_away(known["player"], ["another token"])
            place.lobby.send_away(known["player"])
            assert (await guest.hear(wire.Error)).code == "closing"


async def test_dear_requests_have_a_limit_each() -> None:
    async with served(limits(costly_rate=0.001, costly_burst=2)) as place:
        token = (await place.player())["token"]
        pictures = [(await place.http.get("/api/qr", params={"path": "/t/x"})).status_code for _ in range(3)]
        assert pictures == [200, 200, 429]
        assert (await place.http.get("/api/me/export", headers=bearer(token))).status_code == 200
        other = (await place.player())["player"]
        follows = [
            (await place.http.post(f"/api/me/follows/{other}", headers=bearer(token))).status_code for _ in range(3)
        ]
        assert follows == [200, 200, 429]
