"""What somebody hostile tries with accounts, sessions and keys: each of these was a hole once."""

import asyncio
import base64
import json
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest

from tests.server.serving import FREE, Place, served
from tests.server.test_accounts import WORD, become, log_in, made, place_with
from tests.server.test_tokens import bearer, ended
from tichu.server import wire
from tichu.server.accounts import accounts
from tichu.server.players import hash_token
from tichu.server.rate_limit import RateLimiter, TokenBucket
from tichu.server.store.accounts import Proof, account_of
from tichu.server.store.passkeys import StoredPasskey, add_passkey, use_passkey
from tichu.server.store.scripts import Script

pytestmark = pytest.mark.anyio


def count_of(table: str) -> Script[int]:
    rows = yield (f"SELECT count(*) FROM {table}",)
    return int(rows[0][0])


def while_hashing(place: Place, monkeypatch: pytest.MonkeyPatch, what: str, do: Callable[[], Awaitable[Any]]) -> None:
    """Do something in the moment when a password is being hashed or compared, once."""
    slow = getattr(place.lobby.accounts.passwords, what)

    async def interrupted(*args: Any) -> Any:
        answer = await slow(*args)
        monkeypatch.setattr(place.lobby.accounts.passwords, what, slow)
        await do()
        return answer

    monkeypatch.setattr(place.lobby.accounts.passwords, what, interrupted)


# Who is who, when two things happen at once.


async def test_the_former_password_opens_nothing_while_it_is_changed(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with place_with(url) as place:
        ada = await made(place, "Ada")

        async def change() -> None:
            both = {"password": WORD, "newPassword": "brand new word"}
            answer = await place.http.post("/api/me/password", json=both, headers=bearer(ada["token"]))
            assert answer.status_code == 200, answer.text

        while_hashing(place, monkeypatch, "fits", change)
        late = await log_in(place)
        assert (late.status_code, late.json()["error"]) == (403, "wrong_login")
        listed = (await place.http.get("/api/me/account", headers=bearer(ada["token"]))).json()["sessions"]
        assert len(listed) == 1


async def test_a_token_that_has_ended_makes_no_account(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with place_with(url) as place:
        guest = await place.player("Ada")
        renewed: list[str] = []

        async def renew() -> None:
            answer = await place.http.post("/api/me/token", headers=bearer(guest["token"]))
            renewed.append(answer.json()["token"])

        while_hashing(place, monkeypatch, "hash", renew)
        stolen = await become(place, guest["token"])
        assert (stolen.status_code, stolen.json()["error"]) == (401, "token_ended")
        assert (await become(place, renewed[0])).status_code == 201


@pytest.mark.parametrize("is_account", [False, True])
async def test_one_token_is_renewed_once_however_often_it_is_shown_at_once(url: str, is_account: bool) -> None:
    async with place_with(url) as place:
        token = (await made(place, "Ada") if is_account else await place.player("Ada"))["token"]
        answers = await asyncio.gather(*(place.http.post("/api/me/token", headers=bearer(token)) for _ in range(6)))
        assert sorted(answer.status_code for answer in answers) == [200] + [401] * 5
        new = next(answer.json()["token"] for answer in answers if answer.status_code == 200)
        assert (await place.http.get("/api/me", headers=bearer(new))).status_code == 200


async def test_a_session_that_ends_in_the_moment_it_begins_is_no_error_of_the_server(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with place_with() as place:
        ada = await made(place, "Ada")
        entered = place.lobby.accounts._entered

        async def too_late(token: str) -> Any:
            await place.http.delete("/api/me/sessions", headers=bearer(ada["token"]))
            return await entered(token)

        monkeypatch.setattr(place.lobby.accounts, "_entered", too_late)
        assert (await log_in(place)).status_code == 401


async def test_a_guest_who_becomes_an_account_takes_no_other_name_along(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with place_with(url) as place:
        guest = await place.player("Ada")
        table = (await place.table(None))["table"]["id"]
        read, account = place.lobby.store.read, dict[str, Any]()

        async def slow_read(script: Any, /, *args: Any) -> Any:
            answer = await read(script, *args)
            if script.__name__ == "is_name_taken" and not account:
                account["token"] = ""
                account.update((await become(place, guest["token"])).json())
            return answer

        write = place.lobby.store.write

        async def slow_write(script: Any, /, *args: Any, **more: Any) -> Any:
            if script.__name__ == "rename_guest" and not account:
                account["token"] = ""
                account.update((await become(place, guest["token"])).json())
            return await write(script, *args, **more)

        monkeypatch.setattr(place.lobby.store, "read", slow_read)
        monkeypatch.setattr(place.lobby.store, "write", slow_write)
        async with place.guest(table, guest["token"], name="Zoe"):
            pass
        place.lobby.players.forget_player(guest["player"])
        assert (await place.http.get("/api/me", headers=bearer(account["token"]))).json()["name"] == "Ada"


# Keys for seats.


@pytest.mark.parametrize("how", ["password", "others", "recovery", "session", "operator"])
async def test_a_key_that_a_thief_made_ends_with_the_stolen_session(url: str, how: str) -> None:
    async with place_with(url) as place:
        ada = await made(place, "Ada")
        stolen = (await log_in(place)).json()["token"]
        new = {"seats": ["you", "easy", "easy", "easy"]}
        table = (await place.http.post("/api/tables", json=new, headers=bearer(stolen))).json()["table"]["id"]
        key = (await place.http.post(f"/api/tables/{table}/key", headers=bearer(stolen))).json()["key"]
        async with place.guest(table, None, key=key) as thief:
            assert thief.welcome.you.player == ada["player"]
            if how == "password":
                both = {"password": WORD, "newPassword": "brand new word"}
                answer = await place.http.post("/api/me/password", json=both, headers=bearer(ada["token"]))
            elif how == "others":
                answer = await place.http.delete("/api/me/sessions", headers=bearer(ada["token"]))
            elif how == "recovery":
                shown = {"name": "Ada", "code": ada["codes"][0], "password": "brand new word"}
                answer = await place.http.post("/api/login/recovery", json=shown)
            elif how == "session":
                listed = (await place.http.get("/api/me/account", headers=bearer(ada["token"]))).json()["sessions"]
                other = next(one["id"] for one in listed if not one["current"])
                answer = await place.http.delete(f"/api/me/sessions/{other}", headers=bearer(ada["token"]))
            else:
                assert await place.lobby.players.revoke(ada["player"])
                place.lobby.send_away(ada["player"])
                answer = await place.http.get("/api/rules")
            assert answer.status_code == 200, answer.text
            await ended(thief)
        async with place.guest(table, None, key=key) as thief:
            assert thief.welcome.you.player != ada["player"]


async def test_a_key_that_a_thief_made_ends_with_the_token_of_a_guest(url: str) -> None:
    async with place_with(url) as place:
        table = await place.table("you", "easy", "easy", "easy")
        token, key = table["you"]["token"], table["seatLink"].split("#key=")[1]
        async with place.guest(table["table"]["id"], None, key=key) as thief:
            assert (await place.http.post("/api/me/token", headers=bearer(token))).status_code == 200
            await ended(thief)
        async with place.guest(table["table"]["id"], None, key=key) as thief:
            assert thief.welcome.you.seat is None


async def test_whoever_has_the_key_of_a_seat_never_hears_the_token() -> None:
    async with place_with() as place:
        made_table = await place.table("you", "easy", "easy", "easy")
        table, token, key = (
            made_table["table"]["id"],
            made_table["you"]["token"],
            made_table["seatLink"].split("#key=")[1],
        )
        async with place.guest(table, None, key=key) as far, place.guest(table, token) as near:
            room = place.lobby.rooms[table]

            def broken(*_: Any) -> Any:
                raise RuntimeError("broken")

            room._post(broken)
            heard = await far.hear(wire.Welcome)
            assert (heard.you.player, heard.you.token) == (made_table["you"]["player"], "")
            await near.hear(wire.Welcome)


async def test_tables_that_close_leave_no_keys_behind(url: str) -> None:
    async with place_with(url) as place:
        tables = [(await place.table("you"))["table"]["id"] for _ in range(3)]
        assert await place.lobby.store.read(count_of, "seat_keys") == 3
        for table in tables:
            room = place.lobby.rooms[table]
            await room.stop()
            await place.lobby.close_table(room)
        assert await place.lobby.store.read(count_of, "seat_keys") == 0


# Floods and guesses.


async def test_sessions_of_an_account_are_bounded(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(accounts, "_SESSIONS", 3)
    async with place_with(url) as place:
        ada = await made(place, "Ada")
        table = (await place.table(None))["table"]["id"]
        async with place.guest(table, ada["token"]) as oldest:
            tokens = [(await log_in(place)).json()["token"] for _ in range(3)]
            await ended(oldest)
        assert (await place.http.get("/api/me", headers=bearer(ada["token"]))).status_code == 401
        listed = (await place.http.get("/api/me/account", headers=bearer(tokens[-1]))).json()["sessions"]
        assert len(listed) == 3


async def test_accounts_of_an_address_are_bounded(url: str) -> None:
    async with place_with(url, account_burst=2, account_rate=0.001) as place:
        # Who tries names that are taken has made nothing yet.
        assert (await become(place, None, "Ada")).status_code == 201
        assert [(await become(place, None, "Ada")).status_code for _ in range(3)] == [409] * 3
        assert (await become(place, None, "Bob")).status_code == 201
        guest = await place.player("Cyd")
        for token in (None, guest["token"]):
            answer = await become(place, token, "Cyd")
            assert (answer.status_code, answer.json()["error"]) == (429, "too_fast")
        assert await place.lobby.store.read(count_of, "accounts") == 2
        assert await place.lobby.store.read(count_of, "players") == 3


async def test_another_spelling_gives_no_more_tries() -> None:
    async with place_with(login_burst=3, login_rate=0.01) as place:
        await made(place, "Illi")
        names = ["Illi", "IIli", "lIli", "llli", "l11i", "ILLI"]
        statuses = [(await log_in(place, name, "wrong wrong")).status_code for name in names]
        assert statuses == [403, 403, 403, 429, 429, 429]


async def test_who_guesses_a_password_does_not_lock_the_owner_out() -> None:
    limits = replace(FREE, login_burst=3, login_rate=0.01, account_login_burst=5, account_login_rate=0.01)
    async with served(limits, trusted_proxies=("127.0.0.1",)) as place:
        there = {"x-forwarded-for": "192.0.2.1"}
        account = await place.http.post("/api/accounts", json={"name": "Ada", "password": WORD}, headers=there)

        async def from_there(address: str, password: str) -> int:
            shown = {"name": "Ada", "password": password}
            headers = {"x-forwarded-for": address}
            return (await place.http.post("/api/login", json=shown, headers=headers)).status_code

        # From one address one does not get far, and nobody elsewhere notices.
        guesses = [await from_there("198.51.100.1", "wrong wrong") for _ in range(5)]
        assert guesses == [403, 403, 403, 429, 429]
        assert await from_there("192.0.2.77", WORD) == 200
        # From very many there is a limit for the account; where its owner was before that does not count.
        guesses = [await from_there(f"198.51.100.{number}", "wrong wrong") for number in range(2, 8)]
        assert guesses == [403, 429, 429, 429, 429, 429]
        assert await from_there("192.0.2.1", WORD) == 200
        # And nobody has more tries there than anywhere.
        at_home = [await from_there("192.0.2.1", "wrong wrong") for _ in range(4)]
        assert at_home == [403, 403, 429, 429]
        # Wherever a session is used, its owner is: that is known again soon after a restart.
        place.lobby.accounts.tries.forget_homes()
        assert await from_there("192.0.2.5", WORD) == 429
        headers = bearer(account.json()["token"]) | {"x-forwarded-for": "192.0.2.5"}
        assert (await place.http.get("/api/me/account", headers=headers)).status_code == 200
        assert await from_there("192.0.2.5", WORD) == 200


async def test_who_tries_codes_from_very_many_addresses_does_not_lock_the_owner_out() -> None:
    limits = replace(FREE, login_burst=3, login_rate=0.01, account_login_burst=5, account_login_rate=0.01)
    async with served(limits, trusted_proxies=("127.0.0.1",)) as place:
        codes = (await place.http.post("/api/accounts", json={"name": "Ada", "password": WORD})).json()["codes"]

        async def from_there(address: str, code: str) -> int:
            shown = {"name": "Ada", "code": code, "password": "brand new word"}
            headers = {"x-forwarded-for": address}
            return (await place.http.post("/api/login/recovery", json=shown, headers=headers)).status_code

        guesses = [await from_there(f"198.51.100.{number % 7}", "aaaa-bbbb-cccc-dddd") for number in range(28)]
        assert guesses == [403] * 21 + [429] * 7
        # On a device where nobody has ever seen her, as one has that has lost the other.
        assert await from_there("192.0.2.77", codes[0]) == 200


async def test_very_many_addresses_make_no_limiter_slow_or_large(monkeypatch: pytest.MonkeyPatch) -> None:
    limiter = RateLimiter(rate=0.01, burst=2, keep=100, most=300)
    looked_at = 0
    is_full = TokenBucket.is_full

    def counted(bucket: TokenBucket, now: float) -> bool:
        nonlocal looked_at
        looked_at += 1
        return is_full(bucket, now)

    monkeypatch.setattr(TokenBucket, "is_full", counted)
    for number in range(2000):
        looked_at = 0
        assert limiter.take(f"address {number}", 0.0)
        assert looked_at <= 2
    assert len(limiter._buckets) <= 300
    # Who goes on is not forgotten for it, and those who are full again make room.
    assert [limiter.take("somebody", 0.0) for _ in range(3)] == [True, True, False]
    for number in range(250):
        limiter.take(f"another {number}", 0.0)
        assert not limiter.take("somebody", 0.0)
    for number in range(300):
        limiter.take(f"later {number}", 1e6 + number * 1e3)
    assert len(limiter._buckets) <= 101


# Names.


@pytest.mark.parametrize("early", ["Zoe", "ZOE", "Zo\u0435", "Zo\u00eb"])
async def test_a_guest_who_had_the_name_before_has_it_nowhere_any_more(url: str, early: str) -> None:
    async with place_with(url) as place:
        guest = await place.player(early)
        assert guest["name"] == early
        await made(place, "Zoe")
        new = {"seats": ["you", "easy", "easy", "easy"]}
        answer = (await place.http.post("/api/tables", json=new, headers=bearer(guest["token"]))).json()
        assert answer["table"]["seats"][0]["name"] == "Guest"
        table = (await place.table(None))["table"]["id"]
        async with place.guest(table, guest["token"]) as socket:
            assert socket.welcome.you.name == ""
            assert (await place.post(guest["token"], table, wire.Say(id="a", text="I am Zoe")))["type"] == "ack"
            said = await socket.hear(wire.EventMessage)
            assert "Guest" in repr(said.event)
            assert early not in repr(said.event).replace("I am Zoe", "")


# Whole people.


async def test_four_who_leave_one_table_at_once_are_all_forgotten(url: str) -> None:
    async with place_with(url) as place:
        made_table = await place.table("you", None, None, None)
        table, tokens = made_table["table"]["id"], [made_table["you"]["token"]]
        players = [made_table["you"]["player"]]
        for seat in range(1, 4):
            guest = await place.player(f"Guest number {seat}")
            await place.post(guest["token"], table, wire.Sit(id="s", seat=seat))
            tokens.append(guest["token"])
            players.append(guest["player"])
        await place.post(tokens[0], table, wire.Start(id="go"))
        # One of them asks twice.
        answers = await asyncio.gather(
            *(place.http.post("/api/me/farewell", json={}, headers=bearer(token)) for token in [*tokens, tokens[1]])
        )
        assert {answer.status_code for answer in answers} <= {200, 401}, [answer.text for answer in answers]
        stored = await place.lobby.store.table(table)
        assert stored is not None
        assert not any(player.encode() in entry for player in players for entry in stored.entries)
        state = (await place.http.get(f"/api/tables/{table}")).json()["table"]
        assert not any(seat["player"] in players for seat in state["seats"])


async def test_who_wants_to_be_forgotten_waits_in_a_bounded_queue() -> None:
    async with place_with() as place:
        guests = [await place.player(f"Guest {number}") for number in range(12)]
        async with place.lobby.accounts.rewriting.take():
            asked = [
                asyncio.create_task(place.http.post("/api/me/farewell", json={}, headers=bearer(guest["token"])))
                for guest in guests
            ]
            done, _ = await asyncio.wait(asked, timeout=20, return_when=asyncio.FIRST_COMPLETED)
            assert {task.result().status_code for task in done} == {503}
        statuses = [(await task).status_code for task in asked]
        # Others wait there too: an address has only some of the places.
        assert statuses.count(200) == 6
        assert statuses.count(503) == 6


async def test_nobody_holds_all_places_for_those_who_want_their_own_data() -> None:
    async with place_with() as place:
        tokens = [(await place.player(f"Guest {number}"))["token"] for number in range(3)]
        headers = [bearer(token) for token in tokens]
        held = asyncio.Event()
        tables = place.lobby.tables_of

        async def slow_tables(player: str, most: int = 40) -> Any:
            await held.wait()
            return await tables(player, most)

        place.lobby.tables_of = slow_tables  # type: ignore[method-assign]
        first = [asyncio.create_task(place.http.get("/api/me/export", headers=one)) for one in headers[:2]]
        await asyncio.sleep(0.2)
        # One of a person at a time, and a few of an address.
        for one in (headers[0], headers[2]):
            assert (await place.http.get("/api/me/export", headers=one)).status_code == 503
        held.set()
        assert [(await one).status_code for one in first] == [200, 200]
        assert (await place.http.get("/api/me/export", headers=headers[2])).status_code == 200


# Passkeys.


@pytest.mark.parametrize(
    "number", ["\x00", "\ud800", "x" * 5000, "'; DROP TABLE passkeys; --", 7, None, ["a"], {"a": 1}]
)
async def test_a_passkey_with_an_odd_number_is_nobodys(url: str, number: Any) -> None:
    async with place_with(url) as place:
        headers = {"host": "localhost"}
        asked = await place.http.post("/api/login/passkey/options", headers=headers)
        assert asked.status_code == 200, asked.text
        challenge = json.loads(asked.json()["options"])["challenge"]
        said = base64.urlsafe_b64encode(json.dumps({"challenge": challenge}).encode()).decode()
        credential = json.dumps({"id": number, "response": {"clientDataJSON": said}})
        shown = {"credential": credential, "device": "a test"}
        answer = await place.http.post("/api/login/passkey", json=shown, headers=headers)
        assert (answer.status_code, answer.json()["error"]) == (403, "wrong_passkey"), answer.text


async def test_a_passkey_that_a_thief_added_ends_with_the_recovery(url: str) -> None:
    async with place_with(url) as place:
        ada = await made(place, "Ada")
        new = StoredPasskey("thief", ada["player"], "of a thief", "key", 0, 0.0, 0.0)
        account = await place.lobby.store.read(account_of, ada["player"])
        assert account is not None
        proof = Proof(ada["player"], hash_token(ada["token"]), account.password)
        assert await place.lobby.store.write(add_passkey, new, proof, most=20) == "done"
        shown = {"name": "Ada", "code": ada["codes"][0], "password": "brand new word"}
        assert (await place.http.post("/api/login/recovery", json=shown)).status_code == 200
        assert await place.lobby.store.read(count_of, "passkeys") == 0
        # And one that is forgotten while it is looked at opens nothing.
        assert not await place.lobby.store.write(use_passkey, "thief", 1, 1.0)
