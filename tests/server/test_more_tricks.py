"""More of what people try with accounts, quick matches, blocks and rated tables, by the API as it stands."""

import asyncio
import random
from dataclasses import replace
from typing import Any

import msgspec
import pytest

from tests.server.rated_club import RatedClub
from tests.server.serving import FREE, Place, served
from tests.server.test_accounts import WORD, made, place_with
from tests.server.test_people import ask
from tests.server.test_quick_match import look, quick_place, state
from tests.server.test_rated_table import settings
from tests.server.test_tokens import bearer
from tichu.server import wire
from tichu.server.rating.searches import Wanted
from tichu.server.rating.service import all_rows
from tichu.server.table.ports import Player
from tichu.server.wire import Clock

pytestmark = pytest.mark.anyio

RATED = {"rated": True, "casual": False, "clock": {"decision": 60, "reserve": 60}, "rules": "single-round"}


async def club(place: Place) -> list[dict[str, Any]]:
    return [await made(place, name) for name in ("Ann", "Ben", "Cyd", "Dov")]


async def agreed(place: Place, people: list[dict[str, Any]]) -> str:
    """A rated match that the four have agreed to; its table."""
    new = {"settings": RATED, "seats": ["you", None, None, None]}
    answer = await place.http.post("/api/tables", json=new, headers=bearer(people[0]["token"]))
    assert answer.status_code == 201, answer.text
    table: str = answer.json()["table"]["id"]
    for seat, one in enumerate(people):
        await place.post(one["token"], table, wire.Sit(id="sit", seat=seat))
    return table


class Present:
    """The sockets of all four, without which nobody agrees to anything."""

    def __init__(self, place: Place, table: str, people: list[dict[str, Any]]) -> None:
        self._guests = [place.guest(table, one["token"]) for one in people]

    async def __aenter__(self) -> list[Any]:
        guests = [await guest.__aenter__() for guest in self._guests]
        for guest in guests:
            assert isinstance(await guest.do(wire.Ready(id="ready")), wire.Ack)
        return guests

    async def __aexit__(self, *error: Any) -> None:
        for guest in self._guests:
            await guest.__aexit__(None, None, None)


async def stage(place: Place, table: str) -> str:
    return str((await place.http.get(f"/api/tables/{table}")).json()["table"]["stage"])


# Blocks.


async def test_whoever_is_blocked_cannot_find_out_by_asking_for_a_partner() -> None:
    async with quick_place() as place:
        ann, ben, cyd, _ = await club(place)
        await ask(place, f"/api/me/blocks/{ben['player']}", ann, "POST")
        to_blocker = await look(place, ben["token"], partner=ann["player"])
        to_anybody = await look(place, cyd["token"], partner="nobody")
        assert (to_blocker.status_code, to_blocker.json()["state"]) == (200, "partner")
        times = {"since": 0, "now": 0, "botsAt": 0, "seekers": 0}
        assert to_blocker.json() | times == to_anybody.json() | times
        assert (await state(place, ann["token"]))["invites"] == []
        # Whoever has blocked knows, and is told.
        assert (await look(place, ann["token"], partner=ben["player"])).status_code == 400


async def test_invitations_of_a_block_do_not_hide_those_of_friends() -> None:
    async with quick_place() as place:
        ann, ben, _, _ = await club(place)
        quick = place.lobby.quick_match
        for number in range(30):
            eve = Player(f"eve {number}", "Eve")
            quick.look(eve, Wanted(False, "normal"), partner=ann["player"], blocked={ann["player"]})
        assert (await look(place, ben["token"], partner=ann["player"])).status_code == 200
        told = await state(place, ann["token"])
        assert [one["player"] for one in told["invites"]] == [ben["player"]]


async def test_partners_of_whom_one_blocks_the_other_are_partners_no_longer() -> None:
    async with quick_place() as place:
        ann, ben, cyd, dov = await club(place)
        for one, partner in ((ann, ben), (ben, ann), (cyd, dov), (dov, cyd)):
            assert (await look(place, one["token"], partner=partner["player"])).status_code == 200
            if one is ben:
                await ask(place, f"/api/me/blocks/{ann['player']}", ben, "POST")
        await place.lobby.quick_match.tick()
        assert [(await state(place, one["token"]))["state"] for one in (ann, ben)] == ["partner", "partner"]


async def test_two_of_a_block_who_sit_down_in_one_moment_do_not_sit_together(url: str) -> None:
    async with place_with(url) as place:
        host, ann, ben, _ = await club(place)
        await ask(place, f"/api/me/blocks/{ben['player']}", ann, "POST")
        for seats in ((1, 2), (2, 1)):
            new = {"seats": ["you", None, None, None]}
            table = (await place.http.post("/api/tables", json=new, headers=bearer(host["token"]))).json()["table"][
                "id"
            ]
            answers = await asyncio.gather(
                place.post(ann["token"], table, wire.Sit(id="a", seat=seats[0])),
                place.post(ben["token"], table, wire.Sit(id="b", seat=seats[1])),
            )
            assert sorted(one["type"] for one in answers) == ["ack", "refused"]
            assert {one["reason"] for one in answers if one["type"] == "refused"} <= {"BLOCKED", "NOT_NOW"}


async def test_a_block_in_the_middle_of_a_match_changes_nothing_of_it() -> None:
    async with place_with() as place:
        people = await club(place)
        table = await agreed(place, people)
        async with Present(place, table, people):
            await ask(place, f"/api/me/blocks/{people[1]['player']}", people[0], "POST")
            assert await stage(place, table) == "playing"
            assert (await place.http.get("/api/me", headers=bearer(people[1]["token"]))).json()["tables"]


# Two matches at once.


async def test_whoever_begins_a_rated_match_looks_for_no_other_any_more() -> None:
    async with quick_place() as place:
        people = await club(place)
        others = [await made(place, name) for name in ("Eve", "Fay", "Gil")]
        for one in (people[0], *others):
            assert (await look(place, one["token"], rated=True)).status_code == 200
            if one is people[0]:
                table = await agreed(place, people)
                async with Present(place, table, people):
                    for other in others:
                        await look(place, other["token"], rated=True)
                    await place.lobby.quick_match.tick()
                    async with asyncio.timeout(10):
                        while (await state(place, people[0]["token"]))["state"] != "none":
                            await asyncio.sleep(0.05)
                    states = [(await state(place, other["token"]))["state"] for other in others]
                    assert states == ["waiting"] * 3


@pytest.mark.parametrize("how", ["recovery", "end"])
async def test_a_search_ends_with_all_tokens_that_could_have_begun_it(how: str) -> None:
    async with quick_place() as place:
        ann, _, _, _ = await club(place)
        guest = await place.player("Guest of a day")
        who = ann if how == "recovery" else guest
        assert (await look(place, who["token"])).status_code == 200
        if how == "recovery":
            shown = {"name": ann["name"], "code": ann["codes"][0], "password": "rescued word"}
            assert (await place.http.post("/api/login/recovery", json=shown)).status_code == 200
        else:
            assert (await place.http.delete("/api/me/token", headers=bearer(guest["token"]))).status_code == 200
        assert place.lobby.quick_match.search_of(who["player"]) is None


async def test_a_rated_match_is_not_hidden_behind_many_tables() -> None:
    async with served(replace(FREE, address_tables=100)) as place:
        people = await club(place)
        table = await agreed(place, people)
        async with Present(place, table, people):
            for _ in range(45):
                new = {"seats": ["you", None, None, None]}
                answer = await place.http.post("/api/tables", json=new, headers=bearer(people[0]["token"]))
                assert answer.status_code == 201, answer.text
            answer = await look(place, people[0]["token"], rated=True)
            assert (answer.status_code, answer.json()["error"]) == (409, "in_match")
        file = (await place.http.get("/api/me/export", headers=bearer(people[0]["token"]))).json()
        assert len(file["tables"]) == 46


# Going in the middle.


async def test_deleting_the_account_is_leaving_and_the_others_have_won(url: str) -> None:
    async with place_with(url) as place:
        people = await club(place)
        table = await agreed(place, people)
        async with Present(place, table, people):
            gone = await place.http.post(
                "/api/me/farewell", json={"password": WORD}, headers=bearer(people[1]["token"])
            )
            assert gone.status_code == 200, gone.text
            over = (await place.http.get(f"/api/tables/{table}")).json()["table"]
            assert over["stage"] == "over"
            assert await place.lobby.ratings.wait_for(over["match"], 20)
        (row,) = [row async for row in all_rows(place.lobby.store)]
        assert (row.ending, row.leaver, row.winner) == ("left", 1, 0)
        assert row.players[1] != people[1]["player"]
        board = place.lobby.ratings
        shown = [board.rating(row.pool, one["player"]).shown for one in people]
        assert shown[0] > 1500
        assert shown[2] > 1500
        assert shown[3] == 1500


async def test_a_guest_who_watches_and_then_becomes_part_of_a_player_has_seen_nothing(url: str) -> None:
    async with place_with(url) as place:
        people = await club(place)
        table, guest = await agreed(place, people), await place.player("Eve")
        async with Present(place, table, people) as guests:
            hands = [(await one.dealt()).hand for one in guests]
            async with place.guest(table, guest["token"], since=0) as watching:
                welcome = watching.welcome
                assert welcome.view is None or welcome.view.hand == ()
                told = msgspec.json.encode(welcome.missed).decode()
                assert not any(f'"{card}"' in told for hand in hands for card in hand)
            merged = await place.http.post(
                "/api/me/guests", json={"token": guest["token"]}, headers=bearer(people[0]["token"])
            )
            assert merged.status_code == 200
            assert await stage(place, table) == "playing"
            seats = (await place.http.get(f"/api/tables/{table}")).json()["table"]["seats"]
            assert [seat["player"] for seat in seats] == [one["player"] for one in people]


async def test_logging_out_and_another_password_do_not_move_a_seat() -> None:
    async with place_with() as place:
        people = await club(place)
        table = await agreed(place, people)
        async with Present(place, table, people):
            assert (await place.http.delete("/api/me/token", headers=bearer(people[2]["token"]))).status_code == 200
            for seat in range(4):
                answer = await place.http.post(
                    f"/api/tables/{table}/commands",
                    json={"type": "TABLE.SIT", "id": f"s{seat}", "seat": seat},
                    headers=bearer(people[2]["token"]),
                )
                assert answer.status_code == 401
            state_now = (await place.http.get(f"/api/tables/{table}")).json()["table"]
            assert state_now["stage"] == "playing"
            assert state_now["seats"][2]["leavesAt"] is not None


# What the page has no button for.


@pytest.mark.parametrize(
    "wrong",
    [
        {"casual": True},
        {"clock": None},
        {"score": [900, 0]},
        {"deal": "x"},
        {"position": "x"},
        {"actions": ["0:-"]},
        {"assist": True},
    ],
)
async def test_a_rated_table_with_an_advantage_is_not_made(wrong: dict[str, Any]) -> None:
    async with place_with() as place:
        ann = await made(place, "Ann")
        new = {"settings": RATED | wrong, "seats": ["you", None, None, None]}
        assert (await place.http.post("/api/tables", json=new, headers=bearer(ann["token"]))).status_code == 400


async def test_a_match_that_goes_on_is_no_game_to_look_at() -> None:
    async with place_with() as place:
        people = await club(place)
        table = await agreed(place, people)
        async with Present(place, table, people):
            match = (await place.http.get(f"/api/tables/{table}")).json()["table"]["match"]
            mine = bearer(people[0]["token"])
            for path in (f"/api/games/{match}", f"/api/games/{match}.ttn", f"/api/games/{match}/views?seat=1"):
                assert (await place.http.get(path, headers=mine)).status_code == 404
            for path in (f"/api/games/{match}/review", f"/api/games/{table}/review"):
                assert (await place.http.post(path, headers=mine)).status_code == 404
            hinted = await place.post(people[0]["token"], table, wire.Hint(id="h"))
            assert hinted["reason"] == "CASUAL_ONLY"
            exported = await place.http.get("/api/me/export", headers=mine)
            assert "deal" not in exported.text


def test_nobody_gets_time_by_not_being_ready() -> None:
    """Between rounds, and before the cards, the table goes on without whoever does nothing."""
    club_of_four = RatedClub(settings(clock=Clock(decision=60, reserve=0))).agree()
    began, rng = club_of_four.now, random.Random(1)
    while not club_of_four.table.logged.results:
        if not club_of_four.act(rng):
            assert club_of_four.wait()
    if club_of_four.stage == "playing":
        ended = club_of_four.now
        while club_of_four.table.logged.game is None:
            assert club_of_four.wait()
        assert club_of_four.now - ended < 60
    assert club_of_four.now > began
