"""Quick match and ratings with a real server: accounts find each other, play, and their ratings change."""

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import httpx
import pytest

from tests.server.serving import FREE, Place, served
from tests.server.test_accounts import made, place_with
from tests.server.test_tokens import bearer
from tichu.agents.greedy import GreedyAgent
from tichu.ratings import model
from tichu.server import wire
from tichu.server.config import QuickRules

pytestmark = pytest.mark.anyio

#: One round, so that a test can play it.
SHORT = QuickRules(rules="single-round", pace=0.02, bots_seconds=0.0, same_address=True)


@asynccontextmanager
async def quick_place(url: str = ":memory:", quick: QuickRules = SHORT) -> AsyncIterator[Place]:
    async with served(FREE, database=url, quick=quick) as place:
        yield place


async def look(place: Place, token: str, **wanted: Any) -> httpx.Response:
    return await place.http.post("/api/quick", json=wanted, headers=bearer(token))


async def state(place: Place, token: str) -> dict[str, Any]:
    answer = await place.http.get("/api/quick", headers=bearer(token))
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


async def found(place: Place, token: str) -> str:
    """The table of a match, when there is one."""
    async with asyncio.timeout(30):
        while (one := await state(place, token))["state"] != "found":
            await asyncio.sleep(0.1)
    table: str = one["table"]
    return table


async def play(place: Place, table: str, token: str) -> wire.TableState:
    async with place.guest(table, token) as guest:
        await guest.dealt()
        return await guest.play(GreedyAgent(1))


async def test_four_accounts_find_each_other_and_play_a_rated_match(url: str) -> None:
    async with quick_place(url) as place:
        accounts = [await made(place, name) for name in ("Ann", "Ben", "Cyd", "Dov")]
        tokens = [one["token"] for one in accounts]
        for token in tokens:
            answer = await look(place, token, rated=True, speed="fast")
            assert answer.json()["state"] == "waiting", answer.text
        tables = {await found(place, token) for token in tokens}
        assert len(tables) == 1
        (table,) = tables
        over = await asyncio.gather(*(play(place, table, token) for token in tokens))
        assert {one.stage for one in over} == {"over"}
        game = over[0].game
        changes = (await place.http.get(f"/api/games/{game}/ratings")).json()["players"]
        assert sorted(one["player"] for one in changes) == sorted(one["player"] for one in accounts)
        for seat, one in enumerate(changes):
            assert (one["after"] > one["before"]) == (over[0].winner == seat % 2)
        winner = changes[over[0].winner or 0]
        ratings = (await place.http.get(f"/api/players/{winner['player']}/ratings")).json()
        (standing,) = ratings["ratings"]
        assert (standing["rating"], standing["wins"], standing["provisional"]) == (winner["after"], 1, True)
        assert standing["pool"] == {
            "league": "people",
            "rules": "single-round",
            "clock": "fast",
            "hosted": False,
        }
        assert [one["after"] for one in ratings["history"]] == [winner["after"]]
        board = (await place.http.get("/api/leaderboard", params={"rules": "single-round", "clock": "fast"})).json()
        assert board["players"] == []  # Nobody has met ten others.
        assert board["pools"] == [standing["pool"]]
        assert board["bots"] == []  # Levels were measured under the standard rules only.


async def test_what_was_rated_is_there_after_a_restart(url: str) -> None:
    async with quick_place(url) as place:
        tokens = [(await made(place, name))["token"] for name in ("Ann", "Ben", "Cyd", "Dov")]
        for token in tokens:
            await look(place, token, rated=True)
        table = await found(place, tokens[0])
        async with place.guest(table, tokens[2]) as guest:
            assert isinstance(await guest.do(wire.Stand(id="leave")), wire.Ack)
            assert guest.follower.table is not None
        (room,) = place.lobby.rooms.values()
        match = room.table.logged.game_id
        assert await place.lobby.ratings.wait_for(match or "", 20)
        digest, changes = place.lobby.ratings.digest(), place.lobby.ratings.changes(match or "")
        assert changes is not None
        assert sum(one is not None and one[1] < one[0] for one in changes) == 1
    async with quick_place(url) as place:
        assert await place.lobby.ratings.wait_for(match or "", 20)
        assert place.lobby.ratings.digest() == digest


async def test_where_nothing_can_be_rated_nobody_plays_for_a_rating(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "openskill.models", None)
    model._model.cache_clear()
    try:
        async with quick_place() as place:
            token = (await made(place, "Ann"))["token"]
            answer = await look(place, token, rated=True)
            assert (answer.status_code, answer.json()["error"]) == (409, "not_rated_here")
            settings = {"rated": True, "casual": False, "clock": {"decision": 20, "reserve": 60}}
            answer = await place.http.post("/api/tables", json={"settings": settings}, headers=bearer(token))
            assert (answer.status_code, answer.json()["error"]) == (409, "not_rated_here")
            assert (await look(place, token)).json()["state"] == "waiting"
            # Nobody waits for what does not come.
            async with asyncio.timeout(2):
                assert not await place.lobby.ratings.wait_for("match", 60)
    finally:
        model._model.cache_clear()


async def test_a_guest_plays_casual_matches_only() -> None:
    async with quick_place() as place:
        token = (await place.player())["token"]
        assert (await look(place, token, rated=True)).status_code == 403
        assert (await look(place, token)).json()["state"] == "waiting"


async def test_bots_are_offered_after_a_time_that_one_sees() -> None:
    async with quick_place(quick=QuickRules(rules="single-round", pace=0.02, bots_seconds=1.0)) as place:
        token = (await place.player())["token"]
        shown = (await look(place, token)).json()
        assert shown["botsAt"] - shown["since"] == 1000
        early = await place.http.post("/api/quick/bots", headers=bearer(token))
        assert early.json()["bots"] is False
        async with asyncio.timeout(20):
            while not (await place.http.post("/api/quick/bots", headers=bearer(token))).json()["bots"]:
                await asyncio.sleep(0.2)
        table = await found(place, token)
        one = (await place.http.get(f"/api/tables/{table}")).json()["table"]
        assert sorted(seat["bot"] or "" for seat in one["seats"]) == ["", "medium", "medium", "medium"]
        assert one["casual"]
        assert not one["rated"]


async def test_two_come_together_if_both_say_so() -> None:
    async with quick_place() as place:
        ann, ben, cyd, dov = [await made(place, name) for name in ("Ann", "Ben", "Cyd", "Dov")]
        assert (await look(place, ann["token"], partner=ben["player"])).json()["state"] == "partner"
        (invite,) = (await state(place, ben["token"]))["invites"]
        assert (invite["player"], invite["name"], invite["rated"]) == (ann["player"], "Ann", False)
        for one in (cyd, dov):
            await look(place, one["token"])
        await asyncio.sleep(1.5)
        assert (await state(place, cyd["token"]))["state"] == "waiting"
        await look(place, ben["token"], partner=ann["player"])
        table = await found(place, ann["token"])
        seats = (await place.http.get(f"/api/tables/{table}")).json()["table"]["seats"]
        where = {seat["name"]: at for at, seat in enumerate(seats)}
        assert (where["Ann"] - where["Ben"]) % 4 == 2


async def test_whoever_leaves_the_search_is_not_brought_together() -> None:
    async with quick_place() as place:
        tokens = [(await place.player(name))["token"] for name in "ABCD"]
        for token in tokens[:3]:
            await look(place, token)
        gone = await place.http.delete("/api/quick", headers=bearer(tokens[0]))
        assert gone.json()["state"] == "none"
        await look(place, tokens[3])
        await asyncio.sleep(1.5)
        assert [(await state(place, token))["state"] for token in tokens] == ["none", "waiting", "waiting", "waiting"]


async def test_accounts_are_known_as_such_and_no_guest_has_the_name_of_one() -> None:
    async with quick_place() as place:
        guest = (await place.player("Ada"))["token"]
        tokens = [guest, *[(await made(place, name))["token"] for name in ("Ada", "Ben", "Cyd")]]
        for token in tokens:
            await look(place, token)
        table = await found(place, guest)
        seats = (await place.http.get(f"/api/tables/{table}")).json()["table"]["seats"]
        shown = {seat["name"]: seat["account"] for seat in seats}
        assert shown == {"Guest": False, "Ada": True, "Ben": True, "Cyd": True}


async def test_in_a_rated_match_one_looks_for_no_other() -> None:
    async with quick_place() as place:
        tokens = [(await made(place, name))["token"] for name in ("Ann", "Ben", "Cyd", "Dov")]
        for token in tokens:
            await look(place, token, rated=True)
        await found(place, tokens[0])
        answer = await look(place, tokens[0], rated=True)
        assert (answer.status_code, answer.json()["error"]) == (409, "in_match")


@pytest.mark.parametrize(
    ("body", "status"),
    [({"partner": "me"}, 400), ({"speed": "never"}, 400), ({"nothing": 1}, 400), ({"partner": "x" * 41}, 400)],
    ids=["own-partner", "no-speed", "unknown", "too-long"],
)
async def test_what_cannot_be_asked_for_is_refused(body: dict[str, Any], status: int) -> None:
    async with quick_place() as place:
        known = await place.player()
        body = {name: known["player"] if value == "me" else value for name, value in body.items()}
        assert (await look(place, known["token"], **body)).status_code == status


async def test_queries_are_checked() -> None:
    async with quick_place() as place:
        for query in ({"clock": "never"}, {"league": "all"}, {"rules": "nonsense"}):
            assert (await place.http.get("/api/leaderboard", params=query)).status_code == 400
        assert (await place.http.get("/api/games/nothing/ratings")).status_code == 404
        empty = (await place.http.get("/api/players/nobody/ratings")).json()
        assert (empty["ratings"], empty["history"]) == ([], [])


async def test_a_second_tab_of_an_account_is_the_same_player() -> None:
    async with place_with() as place, AsyncExitStack() as stack:
        accounts = [await made(place, name) for name in ("Ann", "Ben", "Cyd", "Dov")]
        settings = {"rules": "single-round", "rated": True, "casual": False, "clock": {"decision": 20, "reserve": 60}}
        host = bearer(accounts[0]["token"])
        answer = await place.http.post("/api/tables", json={"settings": settings, "seats": ["you"]}, headers=host)
        assert answer.status_code == 201, answer.text
        table = answer.json()["table"]["id"]
        guests = [await stack.enter_async_context(place.guest(table, one["token"])) for one in accounts]
        for seat, guest in enumerate(guests[1:], 1):
            assert isinstance(await guest.do(wire.Sit(id=f"s{seat}", seat=seat)), wire.Ack)
        second = await stack.enter_async_context(place.guest(table, accounts[0]["token"]))
        assert second.welcome.you.seat == 0
        refused = await second.do(wire.Sit(id="t", seat=1))
        assert isinstance(refused, wire.Refused)
        for number, guest in enumerate(guests):
            assert isinstance(await guest.do(wire.Ready(id=f"r{number}")), wire.Ack)
        await guests[0].socket.close()
        assert (await place.http.get(f"/api/tables/{table}")).json()["table"]["seats"][0]["connected"]
