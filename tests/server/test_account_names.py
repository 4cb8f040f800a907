"""The name of an account is nobody else's, not even by a number that a table gives."""

import secrets

import pytest

from tests.server.serving import Place
from tests.server.test_accounts import become, made, place_with
from tests.server.test_quick_match import SHORT, found
from tests.server.test_tokens import bearer
from tichu.server import wire
from tichu.server.store.accounts import rename_account
from tichu.server.table.names import name_keys

pytestmark = pytest.mark.anyio


def seat_names(place: Place, table: str) -> list[str]:
    found_table = place.lobby.find(table)
    assert found_table is not None
    return [seat.name for seat in found_table.state().seats]


async def made_before(place: Place, name: str) -> None:
    """An account from when such names were not refused."""
    account = await made(place, f"Called {secrets.token_hex(6)}")
    assert await place.lobby.store.write(rename_account, account["player"], name, name_keys(name))


@pytest.mark.parametrize("name", ["Bob 2", "Bob 7", "bob   3", "Bob \u0662", "\uff22ob \uff14"])
async def test_an_account_is_not_called_as_tables_call_the_second_of_a_name(name: str) -> None:
    async with place_with() as place:
        answer = await become(place, None, name)
        assert (answer.status_code, answer.json()["error"]) == (400, "numbered_name")
        ada = await made(place, "Ada")
        answer = await place.http.post("/api/me/name", json={"name": name}, headers=bearer(ada["token"]))
        assert (answer.status_code, answer.json()["error"]) == (400, "numbered_name")


@pytest.mark.parametrize("name", ["Bob 1", "Bob 8", "Bob 22", "Bob2", "2 2", "Agent 007"])
async def test_other_numbers_belong_to_a_name(name: str) -> None:
    async with place_with() as place:
        if name == "2 2":
            assert (await become(place, None, name)).status_code == 400
        else:
            await made(place, name)


@pytest.mark.parametrize("name", ["Guest2", "Gast 3", "Admin2", "Former player 2"])
async def test_nobody_is_called_as_several_guests_without_a_name_are(name: str) -> None:
    async with place_with() as place:
        assert (await become(place, None, name)).status_code in (400, 409)


@pytest.mark.parametrize("name", ["Bob 2", "Bob2", "B0b 2"])
async def test_the_second_guest_of_a_name_is_not_called_like_an_account(url: str, name: str) -> None:
    async with place_with(url) as place:
        await made_before(place, name)
        table = (await place.table("you", None, None, None))["table"]["id"]
        guests = [await place.player("Bob") for _ in range(3)]
        assert [guest["name"] for guest in guests] == ["Bob"] * 3
        assert (await place.post(guests[0]["token"], table, wire.Sit(id="s", seat=1)))["type"] == "ack"
        assert (await place.post(guests[1]["token"], table, wire.Sit(id="s", seat=2)))["type"] == "ack"
        async with place.guest(table, guests[2]["token"]) as third:
            assert isinstance(await third.do(wire.Sit(id="s", seat=3, name="Bob")), wire.Ack)
        assert seat_names(place, table)[1:] == ["Bob", "Bob 3", "Bob 4"]


async def test_whoever_watches_does_not_speak_as_an_account() -> None:
    async with place_with() as place:
        table = (await place.table("you", None, None, None))["table"]["id"]
        seated, watching = await place.player("Bob"), await place.player("Bob")
        assert (await place.post(seated["token"], table, wire.Sit(id="s", seat=1)))["type"] == "ack"
        async with place.guest(table, watching["token"]) as socket:
            # Somebody has the name only since they are there.
            await made_before(place, "Bob 2")
            assert isinstance(await socket.do(wire.Say(id="a", text="hello")), wire.Ack)
            said = (await socket.hear(wire.EventMessage)).event
            assert isinstance(said, wire.Said)
            assert said.name == "Bob 3"
            assert (await place.post(watching["token"], table, wire.Say(id="b", text="hello again")))["type"] == "ack"
            said = (await socket.hear(wire.EventMessage)).event
            assert isinstance(said, wire.Said)
            assert said.name == "Bob 3"


async def test_an_account_keeps_no_former_name_on_a_socket_that_stays_open(url: str) -> None:
    """It would be that of whoever has it since then, with the mark of an account."""
    async with place_with(url) as place:
        table = (await place.table("you", None, None, None))["table"]["id"]
        ada = await made(place, "Ada")
        async with place.guest(table, ada["token"]) as socket:
            renamed = await place.http.post("/api/me/name", json={"name": "Zoe"}, headers=bearer(ada["token"]))
            assert renamed.status_code == 200, renamed.text
            await made(place, "Ada")
            assert isinstance(await socket.do(wire.Say(id="a", text="hello")), wire.Ack)
            said = (await socket.hear(wire.EventMessage)).event
            assert isinstance(said, wire.Said)
            assert (said.name, said.account) == ("Zoe", True)
            assert isinstance(await socket.do(wire.Sit(id="s", seat=1)), wire.Ack)
        assert seat_names(place, table)[1] == "Zoe"


async def test_in_a_quick_match_neither() -> None:
    async with place_with() as place:
        place.lobby.quick_match._rules = SHORT
        await made_before(place, "Bob 2")
        guests = [await place.player("Bob") for _ in range(4)]
        for guest in guests:
            asked = {"rated": False, "speed": "fast"}
            answer = await place.http.post("/api/quick", json=asked, headers=bearer(guest["token"]))
            assert answer.status_code == 200, answer.text
        table = await found(place, guests[0]["token"])
        assert sorted(seat_names(place, table)) == ["Bob", "Bob 3", "Bob 4", "Bob 5"]


@pytest.mark.parametrize("name", ["Kim\U0001d159", "K\ufffcim", "K\u05b0im", "Ki\u064bm", "Kim\u3099"])
async def test_nobody_is_called_like_an_account_but_for_what_is_not_seen(name: str) -> None:
    async with place_with() as place:
        await made(place, "Kim")
        answer = await become(place, None, name)
        assert (answer.status_code, answer.json()["error"]) == (409, "name_taken")
        assert (await place.player(name))["name"] == ""


async def test_a_guest_with_a_name_of_blanks_has_not_the_former_one() -> None:
    async with place_with() as place:
        early = await place.player("Zoe")
        await made(place, "Zoe")
        table = (await place.table(None))["table"]["id"]
        posted = await place.post(early["token"], table, wire.Sit(id="s", seat=1, name="  "))
        assert posted["type"] == "ack", posted
        assert seat_names(place, table)[1] == "Guest"


async def test_where_all_numbers_are_accounts_there_is_no_seat_for_another() -> None:
    async with place_with() as place:
        for number in range(2, 8):
            await made_before(place, f"Bob {number}")
        table = (await place.table(None))["table"]["id"]
        first, second = await place.player("Bob"), await place.player("Bob")
        assert (await place.post(first["token"], table, wire.Sit(id="s", seat=1)))["type"] == "ack"
        refused = await place.post(second["token"], table, wire.Sit(id="s", seat=2))
        assert refused["reason"] == "NAME_TAKEN"
