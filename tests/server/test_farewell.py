"""A whole person: everything about them in one file, two who become one, and nobody left to be traced back."""

import json
from typing import Any

import pytest
from msgspec.structs import replace

from tests.ratings.matches import match
from tests.server.serving import Place
from tests.server.test_accounts import WORD, become, log_in, made, place_with
from tests.server.test_rated_rows import keep, season, settled
from tests.server.test_tokens import bearer, ended
from tichu.agents.greedy import GreedyAgent
from tichu.ratings import is_anonymous
from tichu.server import wire
from tichu.server.people import FORMER
from tichu.server.rating.service import Ratings, all_rows
from tichu.server.store import Store
from tichu.server.store.formats import SQLITE
from tichu.server.store.matches import keep_match

pytestmark = pytest.mark.anyio


def _rows(table: str) -> Any:
    return (yield (f"SELECT * FROM {table}",))


async def everything(store: Store) -> dict[str, str]:
    """All rows of all tables, as text."""
    words = SQLITE[0].split("CREATE TABLE ")[1:]
    tables = {word.split("(")[0].strip() for word in words}
    assert {"log", "games", "accounts", "sessions"} <= tables
    return {table: repr(await store.read(_rows, table)) for table in tables}


async def finished_game(place: Place, token: str) -> str:
    """Play one with three bots; its id."""
    settings = {"rules": "single-round", "pace": 0.02, "casual": False}
    new = {"settings": settings, "seats": ["you", "easy", "easy", "easy"], "start": True}
    table = (await place.http.post("/api/tables", json=new, headers=bearer(token))).json()["table"]["id"]
    async with place.guest(table, token) as guest:
        state = await guest.play(GreedyAgent(1))
    assert state.game is not None
    return state.game


async def open_seat(place: Place, token: str) -> str:
    new = {"settings": {"rules": "single-round"}, "seats": ["you", None, "easy", "easy"]}
    return str((await place.http.post("/api/tables", json=new, headers=bearer(token))).json()["table"]["id"])


async def test_a_guest_of_another_device_becomes_part_of_the_account(url: str) -> None:
    async with place_with(url) as place:
        ada = await made(place, "Ada")
        phone = await place.player("On the phone")
        game, table = await finished_game(place, phone["token"]), await open_seat(place, phone["token"])
        async with place.guest(table, phone["token"]) as guest:
            done = await place.http.post("/api/me/guests", json={"token": phone["token"]}, headers=bearer(ada["token"]))
            assert done.status_code == 200, done.text
            await ended(guest)
        assert (await place.http.get("/api/me", headers=bearer(phone["token"]))).status_code == 401
        games = (await place.http.get("/api/games", headers=bearer(ada["token"]))).json()["games"]
        assert [one["id"] for one in games] == [game]
        assert games[0]["players"][0] == ada["player"]
        async with place.guest(table, ada["token"]) as guest:
            assert guest.welcome.you.seat == 0
            assert isinstance(await guest.do(wire.Start(id="go")), wire.Ack)
        assert not any(phone["player"] in text for text in (await everything(place.lobby.store)).values())


async def test_two_who_sit_at_one_table_do_not_become_one_with_two_seats() -> None:
    async with place_with() as place:
        ada, phone = await made(place, "Ada"), await place.player("Phone")
        table = await open_seat(place, ada["token"])
        await place.post(phone["token"], table, wire.Sit(id="s", seat=1))
        done = await place.http.post("/api/me/guests", json={"token": phone["token"]}, headers=bearer(ada["token"]))
        assert done.status_code == 200
        seats = (await place.http.get(f"/api/tables/{table}")).json()["table"]["seats"]
        assert [seat["player"] for seat in seats] == [ada["player"], None, None, None]


async def test_only_a_guest_can_be_merged_and_only_into_an_account() -> None:
    async with place_with() as place:
        ada, bob, guest = await made(place, "Ada"), await made(place, "Bob"), await place.player("Cyd")
        for token, other, status in (
            (ada["token"], bob["token"], 409),
            (ada["token"], ada["token"], 409),
            (ada["token"], "nobody's", 409),
            (guest["token"], guest["token"], 403),
        ):
            answer = await place.http.post("/api/me/guests", json={"token": other}, headers=bearer(token))
            assert answer.status_code == status, answer.text
        assert (await place.http.get("/api/me", headers=bearer(guest["token"]))).status_code == 200


async def test_everything_about_oneself_is_in_one_file(url: str) -> None:
    async with place_with(url) as place:
        ada = await made(place, "Ada")
        game, table = await finished_game(place, ada["token"]), await open_seat(place, ada["token"])
        await place.post(ada["token"], table, wire.Say(id="hi", text="hello there"))
        answer = await place.http.get("/api/me/export", headers=bearer(ada["token"]))
        assert answer.status_code == 200
        file = answer.json()
        assert [one["id"] for one in file["games"]] == [game]
        assert file["games"][0]["record"]
        assert table in [one["id"] for one in file["tables"]]
        assert [one["text"] for one in file["said"]] == ["hello there"]
        assert file["facts"]["account"][0]["name"] == "Ada"
        assert (len(file["facts"]["sessions"]), file["facts"]["recovery_codes_left"]) == (1, 10)
        assert ada["token"] not in answer.text


async def test_rated_matches_are_in_it_with_what_was_odd_about_oneself(url: str) -> None:
    async with place_with(url) as place:
        ada = await made(place, "Ada")
        row = replace(match("m", f"b {ada['player']} c d"), flags=("address 0 1", "browser 0 2", "address 1 watching"))
        for one in (row, match("other", "b e c d")):
            await place.lobby.store.write(keep_match, one)
        file = (await place.http.get("/api/me/export", headers=bearer(ada["token"]))).json()
        (told,) = file["matches"]
        assert (told["match"], told["players"]) == ("m", ["b", ada["player"], "c", "d"])
        assert told["flags"] == ["address 0 1", "address 1 watching"]


async def test_nothing_names_whoever_has_gone_and_all_else_stays_as_it_was(url: str) -> None:
    async with place_with(url) as place:
        ada, bob = await made(place, "Adalbert"), await made(place, "Bob")
        game, other = await finished_game(place, ada["token"]), await finished_game(place, bob["token"])
        table, visited = await open_seat(place, ada["token"]), await open_seat(place, bob["token"])
        await place.post(ada["token"], table, wire.Say(id="hi", text="hello there"))
        await place.post(ada["token"], visited, wire.Say(id="hi", text="may I watch?"))
        store = place.lobby.store
        before, untouched = await store.game(game), await store.game(other)
        counted = await store.results(ada["player"])
        assert counted[0] == 1
        assert before is not None
        async with place.guest(table, ada["token"]) as here, place.guest(visited, bob["token"]) as there:
            refused = await place.http.post(
                "/api/me/farewell", json={"password": "not this"}, headers=bearer(ada["token"])
            )
            assert refused.status_code == 403
            gone = await place.http.post("/api/me/farewell", json={"password": WORD}, headers=bearer(ada["token"]))
            assert gone.status_code == 200, gone.text
            await ended(here)
            # Nobody else is disturbed, and whoever comes anew hears of nobody.
            assert isinstance(await there.do(wire.Say(id="alone", text="alone again")), wire.Ack)
            async with place.guest(visited, bob["token"], since=0) as again:
                assert "Adalbert" not in repr(again.welcome)
                assert ada["player"] not in repr(again.welcome)
        for name, text in (await everything(store)).items():
            assert ada["player"] not in text, name
            assert "Adalbert" not in text, name
            assert "adalbert" not in text, name
        after = await store.game(game)
        assert after is not None
        assert after.summary.seats[0] == FORMER
        assert after.summary.players[0] not in ("", ada["player"])
        # The cards, the actions and the proofs of the deals are those that they were, sign by sign.
        (first, *rounds), (first_after, *rounds_after) = (one.record.split("\n") for one in (before, after))
        assert rounds_after == rounds
        assert json.loads(first_after)["tags"] == json.loads(first)["tags"]
        assert json.loads(first_after)["seats"][1:] == json.loads(first)["seats"][1:]
        assert after.summary._replace(seats=(), players=()) == before.summary._replace(seats=(), players=())
        assert await store.results(after.summary.players[0]) == counted
        assert await store.game(other) == untouched
        assert (await log_in(place, "Adalbert")).status_code == 403
        assert (await become(place, None, "Adalbert")).status_code == 201


async def test_a_guest_can_be_forgotten_without_a_password() -> None:
    async with place_with() as place:
        guest = await place.player("Cyd")
        await finished_game(place, guest["token"])
        gone = await place.http.post("/api/me/farewell", json={}, headers=bearer(guest["token"]))
        assert gone.status_code == 200, gone.text
        assert (await place.http.get("/api/me", headers=bearer(guest["token"]))).status_code == 401
        assert not any(guest["player"] in text for text in (await everything(place.lobby.store)).values())


async def test_passkeys_are_for_secure_origins_with_a_name() -> None:
    async with place_with() as place:
        ada = await made(place, "Ada")
        nowhere = await place.http.post("/api/login/passkey/options")
        assert (nowhere.status_code, nowhere.json()["error"]) == (404, "not_here")
        port = place.url.rpartition(":")[2]
        here = {"host": f"localhost:{port}", **bearer(ada["token"])}
        asked = await place.http.post("/api/me/passkeys/options", headers=here)
        options = json.loads(asked.json()["options"])
        assert (options["rp"]["id"], options["user"]["name"]) == ("localhost", "Ada")
        for credential in ("", "[]", "{}", '{"response": {"clientDataJSON": "AAAA"}}', "x" * 3000):
            for path in ("/api/me/passkeys", "/api/login/passkey"):
                answer = await place.http.post(path, json={"credential": credential}, headers=here)
                assert (answer.status_code, answer.json()["error"]) == (403, "wrong_passkey")
        assert (await place.http.get("/api/me/passkeys", headers=here)).json() == {"passkeys": []}
        assert (await place.http.delete("/api/me/passkeys/none", headers=here)).status_code == 404


async def test_the_ratings_of_all_others_stay_when_a_rated_player_is_forgotten(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with place_with(url) as place:
        ada, guest = await made(place, "Ada"), await place.player("Passing by")
        lobby = place.lobby
        rows = [
            replace(row, players=tuple(ada["player"] if player == "p3" else player for player in row.players))
            for row in season(200)
        ]
        await keep(lobby.store, rows)
        lobby.ratings.rebuild_soon()
        await settled(lobby.ratings, rows)
        pool = rows[0].pool
        before = lobby.ratings.leaderboard(pool)
        assert ada["player"] in dict(before)
        gone = await place.http.post("/api/me/farewell", json={"password": WORD}, headers=bearer(ada["token"]))
        assert gone.is_success, gone.text
        after = lobby.ratings.leaderboard(pool)
        assert after == [(player, standing) for player, standing in before if player != ada["player"]]
        assert len(after) > 5
        assert not any(ada["player"] in text for text in (await everything(lobby.store)).values())
        # Neither the partners of somebody else nor the times of matches tell who that was.
        kept = [row async for row in all_rows(lobby.store)]
        people = {player for row in kept for player in row.players}
        (former,) = filter(is_anonymous, people)
        told = (await place.http.get(f"/api/players/{former}/ratings")).json()
        assert told == {"player": former, "ratings": [], "pairs": [], "history": []}
        last = next(row for row in reversed(kept) if former in row.players)
        changes = (await place.http.get(f"/api/games/{last.match}/ratings")).json()["players"]
        seats = {one and one["player"] for one in changes}
        assert seats == {None if player == former else player for player in last.players}
        partners: list[str] = []
        for player in people - {former}:
            pairs = (await place.http.get(f"/api/players/{player}/ratings")).json()["pairs"]
            partners += [one["partner"] for one in pairs]
        assert partners
        assert former not in partners
        # Whoever was never rated costs nobody a rebuild.
        rebuilt: list[bool] = []
        monkeypatch.setattr(Ratings, "rebuild_soon", lambda _: rebuilt.append(True))
        gone = await place.http.post("/api/me/farewell", json={}, headers=bearer(guest["token"]))
        assert gone.is_success, gone.text
        assert not rebuilt
