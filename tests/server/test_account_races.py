"""Whoever has stolen a token keeps nothing once it ends, however close together two requests are."""

import asyncio
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import httpx
import pytest

from tests.server.authenticator import Authenticator
from tests.server.serving import Place
from tests.server.test_account_attacks import while_hashing
from tests.server.test_accounts import WORD, become, log_in, made, place_with
from tests.server.test_tokens import bearer, ended
from tichu.server import wire
from tichu.server.accounts import passkeys
from tichu.server.accounts.passwords import Passwords
from tichu.server.background import Busy
from tichu.server.players import hash_token

pytestmark = pytest.mark.anyio

RESCUED = "rescued word"


async def recover(place: Place, account: dict[str, Any]) -> None:
    shown = {"name": account["name"], "code": account["codes"][0], "password": RESCUED}
    answer = await place.http.post("/api/login/recovery", json=shown)
    assert answer.status_code == 200, answer.text


def assert_ended(answer: httpx.Response) -> None:
    assert (answer.status_code, answer.json()["error"]) == (401, "token_ended"), answer.text


# What a stolen session was about to change when its owner came back by a code.


@pytest.mark.parametrize("moment", ["fits", "hash"])
async def test_a_stolen_session_sets_no_password_after_a_recovery(
    url: str, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    async with place_with(url) as place:
        ada = await made(place, "Ada")
        both = {"password": WORD, "newPassword": "the thief's word"}
        while_hashing(place, monkeypatch, moment, partial(recover, place, ada))
        assert_ended(await place.http.post("/api/me/password", json=both, headers=bearer(ada["token"])))
        assert (await log_in(place, password="the thief's word")).status_code == 403
        assert (await log_in(place, password=RESCUED)).status_code == 200


async def test_a_recovery_wins_against_whatever_is_sent_in_the_same_moment(url: str) -> None:
    async with place_with(url) as place:
        for number in range(5):
            account = await made(place, f"Ada number {number} of five")
            both = {"password": WORD, "newPassword": "the thief's word"}
            _, rescued = await asyncio.gather(
                place.http.post("/api/me/password", json=both, headers=bearer(account["token"])),
                place.http.post(
                    "/api/login/recovery",
                    json={"name": account["name"], "code": account["codes"][0], "password": RESCUED},
                ),
            )
            assert rescued.status_code == 200, rescued.text
            assert (await log_in(place, account["name"], "the thief's word")).status_code == 403
            assert (await log_in(place, account["name"], RESCUED)).status_code == 200


async def test_a_stolen_session_gets_no_codes_after_a_recovery(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with place_with(url) as place:
        ada = await made(place, "Ada")
        while_hashing(place, monkeypatch, "fits", partial(recover, place, ada))
        assert_ended(
            await place.http.post("/api/me/codes", json={"password": WORD}, headers=bearer(ada["token"])),
        )
        # The owner's own are still good.
        shown = {"name": "Ada", "code": ada["codes"][1], "password": "one more word"}
        assert (await place.http.post("/api/login/recovery", json=shown)).status_code == 200


async def test_a_token_that_was_renewed_changes_no_password(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with place_with(url) as place:
        ada = await made(place, "Ada")
        renewed: list[str] = []

        async def renew() -> None:
            answer = await place.http.post("/api/me/token", headers=bearer(ada["token"]))
            renewed.append(answer.json()["token"])

        while_hashing(place, monkeypatch, "hash", renew)
        both = {"password": WORD, "newPassword": "the thief's word"}
        assert_ended(await place.http.post("/api/me/password", json=both, headers=bearer(ada["token"])))
        assert (await place.http.get("/api/me", headers=bearer(renewed[0]))).status_code == 200


# Passkeys.


class Device:
    """Somebody's device at a place, with one passkey."""

    def __init__(self, place: Place) -> None:
        host = f"localhost:{place.url.rpartition(':')[2]}"
        self._http, self._host = place.http, {"host": host}
        self.passkey = Authenticator(f"http://{host}", "localhost")

    async def add(self, token: str, **proof: str) -> httpx.Response:
        headers = {**self._host, **bearer(token)}
        asked = await self._http.post("/api/me/passkeys/options", headers=headers)
        new = {"credential": self.passkey.make(asked.json()["options"]), "name": "a device", **proof}
        return await self._http.post("/api/me/passkeys", json=new, headers=headers)

    async def log_in(self) -> httpx.Response:
        asked = await self._http.post("/api/login/passkey/options", headers=self._host)
        shown = {"credential": self.passkey.show(asked.json()["options"]), "device": "a device"}
        return await self._http.post("/api/login/passkey", json=shown, headers=self._host)


def while_working(
    monkeypatch: pytest.MonkeyPatch, work: Callable[..., Any], do: Callable[[], Awaitable[object]]
) -> None:
    """Do something in the moment when a passkey is being looked at, once."""
    slow = passkeys.Passkeys._work

    async def interrupted(self: passkeys.Passkeys, asked: Callable[..., Any], *args: Any) -> Any:
        answer = await slow(self, asked, *args)
        if asked is work:
            monkeypatch.setattr(passkeys.Passkeys, "_work", slow)
            await do()
        return answer

    monkeypatch.setattr(passkeys.Passkeys, "_work", interrupted)


async def test_a_passkey_needs_the_password() -> None:
    async with place_with() as place:
        ada, device = await made(place, "Ada"), Device(place)
        for proof in ({}, {"password": "not this one"}):
            refused = await device.add(ada["token"], **proof)
            assert (refused.status_code, refused.json()["error"]) == (403, "wrong_login")
            assert (await device.log_in()).status_code == 403
        assert (await device.add(ada["token"], password=WORD)).status_code == 201
        assert (await device.log_in()).status_code == 200


async def test_guesses_with_a_passkey_count_as_tries() -> None:
    async with place_with(login_burst=2, login_rate=0.01) as place:
        ada, device = await made(place, "Ada"), Device(place)
        statuses = [(await device.add(ada["token"], password="not this one")).status_code for _ in range(3)]
        assert statuses == [403, 403, 429]


@pytest.mark.parametrize("moment", ["fits", "verified"])
async def test_a_stolen_session_adds_no_passkey_after_a_recovery(
    url: str, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    async with place_with(url) as place:
        ada, device = await made(place, "Ada"), Device(place)
        if moment == "fits":
            while_hashing(place, monkeypatch, "fits", partial(recover, place, ada))
        else:
            while_working(monkeypatch, passkeys._verified, partial(recover, place, ada))
        assert_ended(await device.add(ada["token"], password=WORD))
        assert (await device.log_in()).status_code == 403


async def test_a_passkey_that_a_recovery_forgets_opens_no_session(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with place_with(url) as place:
        ada, device = await made(place, "Ada"), Device(place)
        assert (await device.add(ada["token"], password=WORD)).status_code == 201
        write = place.lobby.store.write

        async def slow_write(script: Any, /, *args: Any, **more: Any) -> Any:
            if "session" in script.__name__:
                monkeypatch.setattr(place.lobby.store, "write", write)
                await recover(place, ada)
            return await write(script, *args, **more)

        monkeypatch.setattr(place.lobby.store, "write", slow_write)
        late = await device.log_in()
        assert (late.status_code, late.json()["error"]) == (403, "wrong_passkey"), late.text


# Keys for seats.


async def test_a_stolen_session_gets_no_key_of_a_seat_after_a_recovery(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with place_with(url) as place:
        ada = await made(place, "Ada")
        table = await new_table(place, ada["token"])
        write = place.lobby.store.write

        async def slow_write(script: Any, /, *args: Any, **more: Any) -> Any:
            if script.__name__ == "add_seat_key":
                monkeypatch.setattr(place.lobby.store, "write", write)
                await recover(place, ada)
            return await write(script, *args, **more)

        monkeypatch.setattr(place.lobby.store, "write", slow_write)
        late = await place.http.post(f"/api/tables/{table}/key", headers=bearer(ada["token"]))
        assert (late.status_code, late.json()["error"]) == (401, "wrong_token"), late.text


async def new_table(place: Place, token: str) -> str:
    answer = await place.http.post("/api/tables", json={"seats": ["you"]}, headers=bearer(token))
    assert answer.status_code == 201, answer.text
    return str(answer.json()["table"]["id"])


async def test_another_token_for_a_session_ends_the_keys_of_seats_too(url: str) -> None:
    async with place_with(url) as place:
        ada = await made(place, "Ada")
        elsewhere = (await log_in(place)).json()["token"]
        table = await new_table(place, ada["token"])
        key = (await place.http.post(f"/api/tables/{table}/key", headers=bearer(ada["token"]))).json()["key"]
        async with place.guest(table, None, key=key) as thief, place.guest(table, elsewhere) as other:
            assert thief.welcome.you.player == ada["player"]
            assert (await place.http.post("/api/me/token", headers=bearer(ada["token"]))).status_code == 200
            await ended(thief)
            # Another session is none of its business.
            await other.say({"type": "ping"})
            await other.hear(wire.Pong)
        async with place.guest(table, None, key=key) as thief:
            assert thief.welcome.you.player != ada["player"]


# To be forgotten and to be merged: what waits for its turn may have another answer by then.


@asynccontextmanager
async def others_first(place: Place) -> AsyncIterator[None]:
    """Others are forgotten first; whoever asks waits until this ends."""
    async with place.lobby.accounts.rewriting.take():
        yield


async def waiting(place: Place, path: str, body: dict[str, Any], token: str) -> "asyncio.Task[httpx.Response]":
    task = asyncio.create_task(place.http.post(path, json=body, headers=bearer(token)))
    while place.lobby.accounts.rewriting._here < 2:
        await asyncio.sleep(0.01)
    return task


async def test_the_former_token_of_a_guest_does_not_make_an_account_somebody_elses(url: str) -> None:
    async with place_with(url) as place:
        thief, guest = await made(place, "Thief"), await place.player("Ada")
        async with others_first(place):
            merging = await waiting(place, "/api/me/guests", {"token": guest["token"]}, thief["token"])
            account = await become(place, guest["token"])
            assert account.status_code == 201
        answer = await merging
        assert (answer.status_code, answer.json()["error"]) == (409, "not_a_guest"), answer.text
        assert (await log_in(place)).json()["player"] == guest["player"]
        assert (await place.http.get("/api/me", headers=bearer(account.json()["token"]))).status_code == 200


async def test_a_guest_goes_to_no_account_whose_token_has_ended(url: str) -> None:
    async with place_with(url) as place:
        ada, guest = await made(place, "Ada"), await place.player("Bob")
        async with others_first(place):
            merging = await waiting(place, "/api/me/guests", {"token": guest["token"]}, ada["token"])
            await recover(place, ada)
        assert_ended(await merging)
        assert (await place.http.get("/api/me", headers=bearer(guest["token"]))).status_code == 200


async def test_the_former_token_of_a_guest_does_not_forget_the_account(url: str) -> None:
    async with place_with(url) as place:
        guest = await place.player("Ada")
        async with others_first(place):
            leaving = await waiting(place, "/api/me/farewell", {}, guest["token"])
            assert (await become(place, guest["token"])).status_code == 201
        assert_ended(await leaving)
        assert (await log_in(place)).json()["player"] == guest["player"]


async def test_a_stolen_session_forgets_nobody_after_a_recovery(url: str) -> None:
    async with place_with(url) as place:
        ada = await made(place, "Ada")
        async with others_first(place):
            leaving = await waiting(place, "/api/me/farewell", {"password": WORD}, ada["token"])
            await recover(place, ada)
        assert_ended(await leaving)
        assert (await log_in(place, password=RESCUED)).json()["player"] == ada["player"]


# Sessions that nobody used for long.


async def test_sockets_end_with_the_session_that_expires(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from tichu.server.players import SESSION_S

    async with place_with(url) as place:
        ada = await made(place, "Ada")
        table = await new_table(place, ada["token"])
        later = place.lobby.time() + SESSION_S
        async with place.guest(table, ada["token"]) as expiring:
            await place.lobby.tidy()
            fresh = (await log_in(place)).json()["token"]
            await place.lobby.store.write(_use, hash_token(fresh), later)
            async with place.guest(table, fresh) as staying:
                monkeypatch.setattr(place.lobby.players, "_clock", lambda: later + 60)
                # Whoever is there has not used the token again.
                place.lobby.players._used.clear()
                await place.lobby.tidy()
                await ended(expiring)
                await staying.say({"type": "ping"})
                await staying.hear(wire.Pong)


def _use(token_hash: str, at: float) -> Any:
    yield "UPDATE sessions SET expires = ? WHERE token_hash = ?", at + 1000, token_hash


async def test_whoever_waits_for_a_hash_when_the_server_ends_is_told_so() -> None:
    begun, may_end = threading.Semaphore(0), threading.Event()

    def hash_slowly() -> bool:
        begun.release()
        return may_end.wait(20)

    passwords = Passwords()
    waiting = [asyncio.create_task(passwords.run(hash_slowly)) for _ in range(5)]
    for _ in range(2):
        await asyncio.to_thread(begun.acquire)
    passwords.close()
    may_end.set()
    answers = await asyncio.gather(*waiting, return_exceptions=True)
    assert [one if one is True else type(one) for one in answers] == [True, True, Busy, Busy, Busy]
    with pytest.raises(Busy):
        await passwords.run(hash_slowly)


async def test_a_hash_counts_until_it_is_done_also_if_nobody_waits_for_it() -> None:
    may_end, passwords = threading.Event(), Passwords()
    waiting = [asyncio.create_task(passwords.run(may_end.wait)) for _ in range(32)]
    await asyncio.sleep(0)
    for task in waiting:
        task.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)
    with pytest.raises(Busy):
        await passwords.run(may_end.is_set)
    may_end.set()
    async with asyncio.timeout(20):
        while passwords._waiting:
            await asyncio.sleep(0.01)
    assert await passwords.run(may_end.is_set)
    passwords.close()
