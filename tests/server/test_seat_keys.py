"""The link of a seat opens that seat until the game ends, and nothing else."""

import asyncio
from collections.abc import Collection

import pytest

from tests.server.conftest import _forget_everything as forget_everything
from tests.server.nodes import one_node
from tests.server.serving import Place, served
from tests.server.test_accounts import place_with
from tests.server.test_store_stuck import until
from tests.server.test_tokens import bearer, ended
from tichu.agents.greedy import GreedyAgent
from tichu.server import wire
from tichu.server.store import StoreError

pytestmark = pytest.mark.anyio


async def test_the_link_of_a_seat_has_a_key_and_no_token() -> None:
    async with served() as place:
        made = await place.table("you", "easy", "easy", "easy")
        token, table = made["you"]["token"], made["table"]["id"]
        answer = await place.http.post(f"/api/tables/{table}/key", headers=bearer(token))
        assert answer.status_code == 201, answer.text
        for link in (made["seatLink"], answer.json()["link"]):
            assert token not in link
            key = link.split("#key=")[1]
            async with place.guest(table, None, key=key) as guest:
                you = guest.welcome.you
                assert (you.player, you.seat, you.token) == (made["you"]["player"], 0, "")


async def test_a_key_is_good_for_its_table_alone() -> None:
    async with served() as place:
        made = await place.table("you", "easy", "easy", "easy")
        other = (await place.table(None))["table"]["id"]
        table, key = made["table"]["id"], made["seatLink"].split("#key=")[1]
        for method, path, body in (
            ("GET", "/api/me", None),
            ("GET", "/api/games", None),
            ("POST", "/api/me/token", None),
            ("DELETE", "/api/me/token", None),
            ("POST", f"/api/tables/{table}/key", None),
            ("POST", "/api/tables", {}),
            ("POST", "/api/accounts", {"name": "Eve", "password": "correct horse battery"}),
            ("GET", f"/api/tables/{other}/stream", None),
            ("POST", f"/api/tables/{other}/commands", {"type": "TABLE.SIT", "id": "a", "seat": 0}),
        ):
            answer = await place.http.request(method, path, json=body, headers=bearer(key))
            assert answer.status_code == 401, (method, path, answer.text)
        async with place.guest(other, None, key=key) as guest:
            assert guest.welcome.you.player != made["you"]["player"]
        async with place.guest(other, key) as guest:
            assert guest.welcome.you.player != made["you"]["player"]
        assert (await place.post(key, table, wire.Start(id="go")))["type"] == "ack"


async def test_a_key_ends_when_its_owner_gets_up() -> None:
    async with served() as place:
        made = await place.table("you")
        table, key = made["table"]["id"], made["seatLink"].split("#key=")[1]
        async with place.guest(table, None, key=key) as guest:
            await place.post(made["you"]["token"], table, wire.Stand(id="up"))
            await ended(guest)
        await place.post(made["you"]["token"], table, wire.Sit(id="down", seat=0))
        async with place.guest(table, None, key=key) as guest:
            assert guest.welcome.you.player != made["you"]["player"]


async def test_a_key_ends_with_the_game_and_not_with_the_next_one() -> None:
    async with served() as place:
        made = await place.table("you", "easy", "easy", "easy", start=True)
        table, token, key = made["table"]["id"], made["you"]["token"], made["seatLink"].split("#key=")[1]
        async with place.guest(table, None, key=key) as far:
            await far.play(GreedyAgent(1))
            await ended(far)
        state = (await place.http.get(f"/api/tables/{table}")).json()["table"]
        assert state["stage"] == "over"
        async with place.guest(table, None, key=key) as guest:
            assert guest.welcome.you.player != made["you"]["player"]
        assert (await place.post(token, table, wire.Start(id="again")))["type"] == "ack"
        async with place.guest(table, None, key=key) as guest:
            assert guest.welcome.you.player != made["you"]["player"]
        refused = await place.http.get(f"/api/tables/{table}/stream", headers=bearer(key))
        assert refused.status_code == 401


async def test_nor_with_the_next_one_if_the_store_fails_in_that_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tichu.server.accounts.guests._RETRY_S", 0.01)
    async with served() as place:
        made = await place.table("you", "easy", "easy", "easy", start=True)
        table, token, key = made["table"]["id"], made["you"]["token"], made["seatLink"].split("#key=")[1]
        players = place.lobby.players
        end, asked = players.end_seat_keys, list[str]()

        async def failing(table: str, owners: Collection[str]) -> dict[str, list[str]]:
            asked.append(table)
            if len(asked) < 3:
                raise StoreError("the disk is full")
            return await end(table, owners)

        monkeypatch.setattr(players, "end_seat_keys", failing)
        async with place.guest(table, token) as far:
            await far.play(GreedyAgent(1))
        await until(lambda: len(asked) >= 3)
        assert (await place.post(token, table, wire.Start(id="again")))["type"] == "ack"
        async with place.guest(table, None, key=key) as guest:
            assert guest.welcome.you.player != made["you"]["player"]


@pytest.mark.parametrize("end", ["the game", "the seat"])
async def test_nor_if_the_server_dies_in_that_moment(url: str, monkeypatch: pytest.MonkeyPatch, end: str) -> None:
    async with place_with(url) as place:
        table, token, key = await with_key(place, start=end == "the game")
        with monkeypatch.context() as patch:
            die_before_keys_end(place, patch)
            await end_key(place, table, token)
    async with place_with(url) as place:
        await assert_ended(place, table, token, key)


@pytest.mark.parametrize("end", ["the game", "the seat"])
async def test_nor_if_a_node_dies_in_that_moment(postgres: str, monkeypatch: pytest.MonkeyPatch, end: str) -> None:
    await forget_everything(postgres)
    async with one_node(postgres, "b") as b:
        async with one_node(postgres, "a") as a:
            table, token, key = await with_key(a, start=end == "the game")
            die_before_keys_end(a, monkeypatch)
            await end_key(a, table, token)
        await assert_ended(b, table, token, key)


async def test_keys_of_those_who_sit_outlive_a_restart(url: str) -> None:
    async with place_with(url) as place:
        table, token, key = await with_key(place, start=False)
    for _ in range(2):
        async with place_with(url) as place:
            assert (await place.post(token, table, wire.Say(id="hi", text="hi")))["type"] == "ack"
            await until(lambda place=place: not place.lobby._discarding)  # type: ignore[misc]
            async with place.guest(table, None, key=key) as guest:
                assert guest.welcome.you.seat == 0


async def with_key(place: Place, *, start: bool) -> tuple[str, str, str]:
    """A table, the token of whoever sits there, and a key for the seat."""
    made = await place.table("you", "easy", "easy", "easy", start=start)
    return made["table"]["id"], made["you"]["token"], made["seatLink"].split("#key=")[1]


def die_before_keys_end(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    async def never(table: str, owners: Collection[str]) -> dict[str, list[str]]:
        raise asyncio.CancelledError

    monkeypatch.setattr(place.lobby.players, "end_seat_keys", never)


async def end_key(place: Place, table: str, token: str) -> None:
    """Play to the end, or get up."""
    async with place.guest(table, token) as guest:
        if guest.welcome.table.stage == "playing":
            await guest.play(GreedyAgent(1))
        else:
            assert isinstance(await guest.do(wire.Stand(id="up")), wire.Ack)


async def assert_ended(place: Place, table: str, token: str, key: str) -> None:
    """Play once more, or sit down again: the key is not good for that."""
    async with place.guest(table, token) as guest:
        if guest.welcome.table.stage == "open":
            assert isinstance(await guest.do(wire.Sit(id="down", seat=0)), wire.Ack)
        assert isinstance(await guest.do(wire.Start(id="again")), wire.Ack)
    await until(lambda: not place.lobby._discarding)
    async with place.guest(table, None, key=key) as thief:
        assert thief.welcome.you.seat is None
        assert thief.welcome.you.player != guest.welcome.you.player


async def test_a_spectator_gets_no_key() -> None:
    async with served() as place:
        table = (await place.table(None))["table"]["id"]
        bob = await place.player()
        answer = await place.http.post(f"/api/tables/{table}/key", headers=bearer(bob["token"]))
        assert (answer.status_code, answer.json()["error"]) == (409, "not_seated")


async def test_a_key_ends_with_the_tokens_of_a_guest_who_becomes_an_account() -> None:
    async with served() as place:
        made = await place.table("you")
        table, key = made["table"]["id"], made["seatLink"].split("#key=")[1]
        async with place.guest(table, None, key=key) as guest:
            new = {"name": "Ada", "password": "correct horse battery"}
            answer = await place.http.post("/api/accounts", json=new, headers=bearer(made["you"]["token"]))
            assert answer.status_code == 201
            await ended(guest)
        async with place.guest(table, None, key=key) as guest:
            assert guest.welcome.you.player != made["you"]["player"]
