"""Accounts: a guest becomes one in a step, comes back from anywhere, and is nobody else."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest

from tests.server.serving import FREE, Place, served
from tests.server.test_tokens import bearer, ended
from tichu.server import wire
from tichu.server.config import Limits

pytestmark = pytest.mark.anyio

WORD = "correct horse battery"
#: Many tries are made here.
OFTEN = {"login_burst": 1000, "address_login_burst": 1000}


@asynccontextmanager
async def place_with(url: str = ":memory:", **limits: Any) -> AsyncIterator[Place]:
    known = {name: getattr(FREE, name) for name in FREE.__dataclass_fields__}
    async with served(database=url, limits=Limits(**{**known, **OFTEN, **limits})) as place:
        yield place


async def become(place: Place, token: str | None, name: str = "Ada", password: str = WORD) -> httpx.Response:
    headers = {} if token is None else bearer(token)
    return await place.http.post(
        "/api/accounts", json={"name": name, "password": password, "device": "a test"}, headers=headers
    )


async def log_in(place: Place, name: str = "Ada", password: str = WORD) -> httpx.Response:
    return await place.http.post("/api/login", json={"name": name, "password": password, "device": "another"})


async def made(place: Place, name: str) -> dict[str, Any]:
    answer = await become(place, None, name)
    assert answer.status_code == 201, answer.text
    account: dict[str, Any] = answer.json()
    return account


async def test_a_guest_becomes_an_account_and_keeps_everything_but_the_token(url: str) -> None:
    async with place_with(url) as place:
        table = await place.table("you", "easy", "easy", "easy")
        guest = table["you"]
        async with place.guest(table["table"]["id"], guest["token"]) as socket:
            answer = await become(place, guest["token"])
            assert answer.status_code == 201, answer.text
            account = answer.json()
            await ended(socket)
        assert account["player"] == guest["player"]
        assert account["token"] != guest["token"]
        assert len(set(account["codes"])) == 10
        assert (await place.http.get("/api/me", headers=bearer(guest["token"]))).status_code == 401
        me = (await place.http.get("/api/me", headers=bearer(account["token"]))).json()
        assert (me["player"], me["name"], me["account"]) == (guest["player"], "Ada", True)
        assert [one["id"] for one in me["tables"]] == [table["table"]["id"]]
        # The seat that the guest had is the account's, and says so as soon as they are there.
        async with place.guest(table["table"]["id"], account["token"]) as socket:
            assert socket.welcome.you.seat == 0
        state = (await place.http.get(f"/api/tables/{table['table']['id']}")).json()["table"]
        assert [seat["account"] for seat in state["seats"]] == [True, False, False, False]
        again = await become(place, account["token"], "Other")
        assert (again.status_code, again.json()["error"]) == (409, "has_account")


async def test_an_account_comes_back_after_a_restart(url: str) -> None:
    async with place_with(url) as place:
        account = await made(place, "Ada")
    async with place_with(url) as place:
        me = await place.http.get("/api/me/account", headers=bearer(account["token"]))
        assert (me.json()["name"], me.json()["codesLeft"]) == ("Ada", 10)
        entered = await log_in(place, "ADA")
        assert entered.status_code == 200, entered.text
        assert (entered.json()["player"], entered.json()["codes"]) == (account["player"], [])


@pytest.mark.parametrize("name", ["Ada", "ada", "ADA", "\u0410da", "A d a", "Ad\u0430"])
async def test_nobody_else_has_the_name_or_one_that_looks_like_it(name: str) -> None:
    async with place_with() as place:
        await made(place, "Ada")
        answer = await become(place, None, name)
        assert (answer.status_code, answer.json()["error"]) == (409, "name_taken")
        # A guest who asks for it has none.
        assert (await place.player(name))["name"] == ""


async def test_a_guest_cannot_sit_under_the_name_of_an_account() -> None:
    async with place_with() as place:
        # Somebody was called like that before, and sits down after.
        early = await place.player("Zoe")
        await made(place, "Zoe")
        table = (await place.table(None))["table"]["id"]
        async with place.guest(table, early["token"]) as guest:
            assert guest.welcome.you.name != "Zoe"
            answer = await guest.do(wire.Sit(id="s1", seat=1, name="ZOE"))
            assert isinstance(answer, wire.Refused)
            assert answer.reason == "NAME_TAKEN"
        posted = await place.post(early["token"], table, wire.Sit(id="s2", seat=1, name="Zo\u0435"))
        assert posted["reason"] == "NAME_TAKEN"
        assert (await place.post(early["token"], table, wire.Sit(id="s3", seat=1)))["type"] == "ack"
        state = (await place.http.get(f"/api/tables/{table}")).json()["table"]
        assert state["seats"][1]["name"] != "Zoe"
        assert state["seats"][1]["account"] is False


async def test_an_account_sits_under_its_own_name() -> None:
    async with place_with() as place:
        ada = await made(place, "Ada")
        table = (await place.table(None))["table"]["id"]
        assert (await place.post(ada["token"], table, wire.Sit(id="s1", seat=2, name="Eve")))["type"] == "ack"
        seat = (await place.http.get(f"/api/tables/{table}")).json()["table"]["seats"][2]
        assert (seat["name"], seat["account"]) == ("Ada", True)


@pytest.mark.parametrize("name", ["", "x", "\u200b\u200b", "Guest", "guest", "\uff27uest", "admin"])
async def test_some_names_are_nobodys(name: str) -> None:
    async with place_with() as place:
        answer = await become(place, None, name)
        assert answer.status_code in (400, 409), answer.text


@pytest.mark.parametrize("password", ["", "short", "Margarete", "x" * 201])
async def test_a_password_is_not_what_everybody_would_try(password: str) -> None:
    async with place_with() as place:
        answer = await become(place, None, "Margarete", password)
        assert answer.status_code == 400
        # Nothing was kept of whoever asked.
        assert (await become(place, None, "Margarete")).status_code == 201


async def test_the_same_answer_for_a_wrong_password_and_a_wrong_name() -> None:
    async with place_with() as place:
        await made(place, "Ada")
        answers = [await log_in(place, "Ada", "something else"), await log_in(place, "Bob", WORD)]
        assert [answer.status_code for answer in answers] == [403, 403]
        assert answers[0].json() == answers[1].json()


async def test_a_name_that_nobody_has_is_hashed_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    async with place_with() as place:
        await made(place, "Ada")
        asked: list[str] = []
        fits = place.lobby.accounts.passwords.fits

        async def counted(password: str, kept: str) -> bool:
            asked.append(kept)
            return await fits(password, kept)

        monkeypatch.setattr(place.lobby.accounts.passwords, "fits", counted)
        await log_in(place, "Ada", "wrong wrong")
        await log_in(place, "Bob", "wrong wrong")
        assert [bool(kept) for kept in asked] == [True, False]
        # And with the same parameters.
        assert place.lobby.accounts.passwords._nobodys.split("$")[1:4] == asked[0].split("$")[1:4]


async def test_tries_are_limited_by_account_and_by_address() -> None:
    async with place_with(login_burst=3, login_rate=0.01) as place:
        await made(place, "Ada")
        statuses = [(await log_in(place, "Ada", "wrong wrong")).status_code for _ in range(5)]
        assert statuses == [403, 403, 403, 429, 429]
        # However the name is written, it is the same account; a right password is not heard any more either.
        assert (await log_in(place, "ADA")).status_code == 429
        assert (await log_in(place, "Bob")).status_code == 403
    async with place_with(address_login_burst=2, address_login_rate=0.01) as place:
        statuses = [(await log_in(place, f"Nobody {number}")).status_code for number in range(3)]
        assert statuses == [403, 403, 429]


async def test_sessions_are_listed_and_end_one_by_one() -> None:
    async with place_with() as place:
        ada = await made(place, "Ada")
        second = (await log_in(place)).json()["token"]
        third = (await log_in(place)).json()["token"]
        table = (await place.table(None))["table"]["id"]
        listed = (await place.http.get("/api/me/account", headers=bearer(second))).json()["sessions"]
        assert [one["device"] for one in listed].count("another") == 2
        assert [one["current"] for one in listed].count(True) == 1
        mine = next(one["id"] for one in listed if one["current"])
        async with place.guest(table, second) as ending, place.guest(table, third) as staying:
            gone = await place.http.delete(f"/api/me/sessions/{mine}", headers=bearer(ada["token"]))
            assert gone.json() == {"ended": 1}
            await ended(ending)
            await staying.say({"type": "ping"})
            await staying.hear(wire.Pong)
            assert (await place.http.get("/api/me", headers=bearer(second))).status_code == 401
            others = await place.http.delete("/api/me/sessions", headers=bearer(ada["token"]))
            assert others.json() == {"ended": 1}
            await ended(staying)
        missing = await place.http.delete(f"/api/me/sessions/{mine}", headers=bearer(ada["token"]))
        assert missing.status_code == 404
        # Logging out ends this session alone.
        assert (await place.http.delete("/api/me/token", headers=bearer(ada["token"]))).status_code == 200
        assert (await log_in(place)).status_code == 200


async def test_a_session_expires_unless_it_is_used(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    from tichu.server import players

    async with place_with(url) as place:
        ada = await made(place, "Ada")
        now = place.lobby.time()
        monkeypatch.setattr(place.lobby.players, "_clock", lambda: now + players.SESSION_S - 60)
        assert (await place.http.get("/api/me", headers=bearer(ada["token"]))).status_code == 200
        await place.lobby.players.store_visits()
        monkeypatch.setattr(place.lobby.players, "_clock", lambda: now + players.SESSION_S + 60)
        assert (await place.http.get("/api/me", headers=bearer(ada["token"]))).status_code == 200
        monkeypatch.setattr(place.lobby.players, "_clock", lambda: now + 3 * players.SESSION_S)
        assert (await place.http.get("/api/me", headers=bearer(ada["token"]))).status_code == 401
        await place.lobby.players.drop_expired(now + 3 * players.SESSION_S)
        assert await place.lobby.accounts._store.read(_count_sessions) == 0


def _count_sessions() -> Any:
    rows = yield ("SELECT count(*) FROM sessions",)
    return rows[0][0]


async def test_a_recovery_code_is_good_once_and_ends_all_sessions(url: str) -> None:
    async with place_with(url) as place:
        ada = await made(place, "Ada")
        code = ada["codes"][3]
        shown = {"name": "ada", "code": code.upper().replace("-", " "), "password": "another one entirely"}
        first = await place.http.post("/api/login/recovery", json=shown)
        assert first.status_code == 200, first.text
        assert first.json()["player"] == ada["player"]
        assert (await place.http.get("/api/me", headers=bearer(ada["token"]))).status_code == 401
        again = await place.http.post("/api/login/recovery", json=shown)
        nobody = await place.http.post("/api/login/recovery", json={**shown, "name": "Nobody"})
        assert (again.status_code, again.json()) == (nobody.status_code, nobody.json())
        assert again.status_code == 403
        assert (await log_in(place)).status_code == 403
        assert (await log_in(place, password="another one entirely")).status_code == 200
        info = (await place.http.get("/api/me/account", headers=bearer(first.json()["token"]))).json()
        assert info["codesLeft"] == 9


async def test_a_new_password_ends_all_other_sessions() -> None:
    async with place_with() as place:
        ada = await made(place, "Ada")
        other = (await log_in(place)).json()["token"]
        wrong = {"password": "not this one", "newPassword": "brand new word"}
        refused = await place.http.post("/api/me/password", json=wrong, headers=bearer(ada["token"]))
        assert refused.status_code == 403
        right = {"password": WORD, "newPassword": "brand new word"}
        done = await place.http.post("/api/me/password", json=right, headers=bearer(ada["token"]))
        assert done.json() == {"ended": 1}
        assert (await place.http.get("/api/me", headers=bearer(other))).status_code == 401
        assert (await place.http.get("/api/me", headers=bearer(ada["token"]))).status_code == 200
        assert (await log_in(place, password="brand new word")).status_code == 200


async def test_another_name_sets_the_former_one_free() -> None:
    async with place_with() as place:
        ada = await made(place, "Ada")
        await made(place, "Bob")
        taken = await place.http.post("/api/me/name", json={"name": "B0b"}, headers=bearer(ada["token"]))
        assert taken.status_code == 409
        changed = await place.http.post("/api/me/name", json={"name": "ada"}, headers=bearer(ada["token"]))
        assert changed.json()["name"] == "ada"
        await place.http.post("/api/me/name", json={"name": "Cyd"}, headers=bearer(ada["token"]))
        assert (await become(place, None, "Ada")).status_code == 201
        assert (await log_in(place, "Cyd")).json()["player"] == ada["player"]


async def test_new_codes_need_the_password_and_replace_the_old_ones() -> None:
    async with place_with() as place:
        ada = await made(place, "Ada")
        refused = await place.http.post("/api/me/codes", json={"password": "no no no no"}, headers=bearer(ada["token"]))
        assert refused.status_code == 403
        fresh = await place.http.post("/api/me/codes", json={"password": WORD}, headers=bearer(ada["token"]))
        codes = fresh.json()["codes"]
        assert not set(codes) & set(ada["codes"])
        shown = {"name": "Ada", "code": ada["codes"][0], "password": "another one entirely"}
        assert (await place.http.post("/api/login/recovery", json=shown)).status_code == 403
        assert (await place.http.post("/api/login/recovery", json={**shown, "code": codes[0]})).status_code == 200
