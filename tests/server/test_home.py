"""The home page: what goes on at public tables, and nothing that is not for whoever asks."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import pytest

from tests.server.nodes import cluster, node_of, until
from tests.server.serving import QUICK, Place
from tests.server.test_accounts import made, place_with
from tests.server.test_blocks import club
from tests.server.test_people import ask
from tests.server.test_profiles import keep_game
from tichu.server import home, listing
from tichu.server.cluster import seekers

pytestmark = pytest.mark.anyio

CLOCK = {"decision": 600, "reserve": 600}


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever asks is told how things are now, unless a test says otherwise."""
    monkeypatch.setattr(home, "_FRESH_S", 0.0)


async def home_of(place: Place, who: dict[str, Any] | None = None) -> dict[str, Any]:
    answer: dict[str, Any] = await ask(place, "/api/home", who)
    assert answer["status"] == 200, answer
    return answer


@asynccontextmanager
async def played(place: Place, *, private: bool = False) -> AsyncIterator[dict[str, Any]]:
    """A table at which the host plays with three bots, and is there."""
    table = await place.table("you", "greedy", "greedy", "greedy", start=True, private=private, clock=CLOCK)
    async with place.guest(table["table"]["id"], table["you"]["token"]):
        yield table


def where(answer: dict[str, Any], what: str) -> list[str]:
    return [one["id"] for one in answer[what]]


async def test_a_fresh_server_has_nothing_to_tell(url: str) -> None:
    async with place_with(url) as place:
        nothing = {"tables": [], "watchable": [], "people": 0, "playing": 0, "followed": [], "games": [], "board": None}
        assert await home_of(place) == nothing | {"seekers": {"rated": 0, "casual": 0}, "status": 200}


async def test_public_tables_wait_or_are_played_at_and_private_ones_are_not_told(url: str) -> None:
    async with place_with(url) as place, AsyncExitStack() as stack:
        waiting = await place.table("you", None, private=False)
        await place.table("you", None, private=True)
        public = await stack.enter_async_context(played(place))
        await stack.enter_async_context(played(place, private=True))
        seen = await home_of(place)
        assert where(seen, "tables") == [waiting["table"]["id"]]
        assert where(seen, "watchable") == [public["table"]["id"]]
        assert (seen["people"], seen["playing"]) == (1, 1)


async def test_whom_one_follows_is_told_with_the_table_while_they_are_at_a_public_one(url: str) -> None:
    async with place_with(url) as place, AsyncExitStack() as stack:
        ada = await made(place, "Ada")
        public = await stack.enter_async_context(played(place))
        private = await stack.enter_async_context(played(place, private=True))
        gone = await place.table("you", None, private=False)
        for table in (public, private, gone):
            await ask(place, f"/api/me/follows/{table['you']['player']}", ada, "POST")
        (one,) = (await home_of(place, ada))["followed"]
        assert (one["person"]["player"], one["table"]) == (public["you"]["player"], public["table"]["id"])
        assert one["playing"]
        assert (await home_of(place))["followed"] == []
        # A key is for one seat, and tells nothing of its owner's friends.
        own = await place.http.post(
            "/api/tables", json={"seats": ["you"]}, headers={"authorization": f"Bearer {ada['token']}"}
        )
        key = own.json()["seatLink"].rpartition("key=")[2]
        assert (await home_of(place, {"token": key}))["followed"] == []


async def test_who_sits_at_very_many_tables_hides_nobody_else_whom_one_follows(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(home, "_FOLLOWED_AT", 4)
    async with place_with(url) as place, AsyncExitStack() as stack:
        ada = await made(place, "Ada")
        bob = await stack.enter_async_context(played(place))
        eve = await place.player("Eve")
        headers = {"authorization": f"Bearer {eve['token']}"}
        for _ in range(6):
            new = {"settings": QUICK | {"private": False}, "seats": ["you"]}
            table = (await place.http.post("/api/tables", json=new, headers=headers)).json()["table"]["id"]
            await stack.enter_async_context(place.guest(table, eve["token"]))
        for who in (bob["you"], eve):
            await ask(place, f"/api/me/follows/{who['player']}", ada, "POST")
        followed = (await home_of(place, ada))["followed"]
        assert [one["person"]["player"] for one in followed] == [eve["player"], bob["you"]["player"]]


async def test_nobody_of_a_block_is_there_in_anything_that_is_told(url: str) -> None:
    async with place_with(url) as place, AsyncExitStack() as stack:
        people = await club(place)
        top = (await home_of(place))["board"]["players"]
        assert len(top) == 5
        ada = await made(place, "Ada")
        table = await stack.enter_async_context(played(place))
        waiting = await place.table("you", None, private=False)
        hosts = [one["you"] for one in (table, waiting)]
        await keep_game(place, 1, (hosts[0]["player"], people[0]["player"], "", ""))
        await keep_game(place, 2, (people[1]["player"], people[0]["player"], "", ""))
        await ask(place, f"/api/me/follows/{hosts[0]['player']}", ada, "POST")
        before = await home_of(place, ada)
        assert len(before["followed"]) == 1
        leader = next(one for one in people if one["player"] == top[0]["players"][0])
        for who in (*hosts, leader):
            await ask(place, f"/api/me/blocks/{ada['player']}", who, "POST")
        hidden = await home_of(place, ada)
        assert (hidden["tables"], hidden["watchable"], hidden["followed"]) == ([], [], [])
        assert (hidden["people"], hidden["playing"]) == (0, 0)
        assert "g1" not in where(hidden, "games")
        # There is no gap.
        assert [one["rank"] for one in hidden["board"]["players"]] == [1, 2, 3, 4, 5]
        assert [one["players"] for one in hidden["board"]["players"][:4]] == [one["players"] for one in top[1:]]
        for who in (None, {"token": "ended"}, people[2]):
            seen = await home_of(place, who)
            assert (seen["people"], len(seen["tables"]), where(seen, "games")) == (1, 1, ["g2", "g1"])
        # For whoever has blocked it is the same.
        await ask(place, f"/api/me/blocks/{people[2]['player']}", ada, "POST")
        await keep_game(place, 3, (people[2]["player"], people[0]["player"], "", ""))
        assert "g3" not in where(await home_of(place, ada), "games")


async def test_the_latest_games_are_those_of_people_at_public_tables(url: str) -> None:
    async with place_with(url) as place:
        for number in range(9):
            await keep_game(place, number, ("a", "b", "c", "d"), is_open=number != 7, winner=number % 2)
        await keep_game(place, 9, ("a", "", "", ""))
        seen = await home_of(place)
        assert where(seen, "games") == ["g8", "g6", "g5", "g4", "g3", "g2"]
        assert [one["winner"] for one in seen["games"]] == [0, 0, 1, 0, 1, 0]
        for one in seen["games"]:
            assert (await place.http.get(f"/api/games/{one['id']}")).status_code == 200


async def test_who_plays_with_bots_all_day_does_not_hide_the_games_of_others(url: str) -> None:
    async with place_with(url) as place:
        await keep_game(place, 0, ("a", "b", "", ""))
        for number in range(1, 200):
            await keep_game(place, number, ("c", "", "", ""))
        assert where(await home_of(place), "games") == ["g0"]


async def test_who_looks_for_a_match_is_counted(url: str) -> None:
    async with place_with(url) as place:
        for name, rated, speed in (("Ada", True, "fast"), ("Bob", True, "slow"), ("Cyd", False, "slow")):
            who = await made(place, name)
            answer = await place.http.post(
                "/api/quick",
                json={"rated": rated, "speed": speed},
                headers={"authorization": f"Bearer {who['token']}"},
            )
            assert answer.status_code == 200, answer.text
        assert (await home_of(place))["seekers"] == {"rated": 2, "casual": 1}
        await ask(place, "/api/quick", who, "DELETE")
        assert (await home_of(place))["seekers"] == {"rated": 2, "casual": 0}


async def test_many_who_ask_cost_one_look(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(home, "_FRESH_S", 60.0)
    looks = 0
    offered = listing.offered_states

    async def count(*args: Any) -> Any:
        nonlocal looks
        looks += 1
        return await offered(*args)

    monkeypatch.setattr(home, "offered_states", count)
    async with place_with(url) as place:
        ada = await made(place, "Ada")
        await asyncio.gather(*(home_of(place, who) for who in (None, ada) * 5))
        await place.table("you", None, private=False)
        assert (await home_of(place, ada))["tables"] == []
        assert looks == 2  # Those that wait, and those in play.


async def test_after_a_failure_it_is_looked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    async with place_with() as place:

        async def fail(*_: Any) -> Any:
            raise RuntimeError

        with monkeypatch.context() as patch:
            patch.setattr(home, "offered_states", fail)
            assert (await ask(place, "/api/home"))["status"] == 500
        await home_of(place)


@pytest.mark.parametrize("url", ["postgres"], indirect=True)
async def test_every_node_tells_the_same(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seekers, "_LOOK_S", 0.1)
    async with cluster(url, "a", "b") as (a, b), AsyncExitStack() as stack:
        ada = await made(a, "Ada")
        public = await stack.enter_async_context(played(a))
        await stack.enter_async_context(played(a, private=True))
        waiting = await b.table("you", None, private=False)
        await ask(a, f"/api/me/follows/{public['you']['player']}", ada, "POST")
        await keep_game(a, 1, ("x", "y", "z", ""))
        answer = await a.http.post("/api/quick", json={}, headers={"authorization": f"Bearer {ada['token']}"})
        assert answer.status_code == 200, answer.text

        async def shows_all(place: Place) -> bool:
            seen = await home_of(place, ada)
            return (
                where(seen, "tables") == [waiting["table"]["id"]]
                and where(seen, "watchable") == [public["table"]["id"]]
                and (seen["people"], seen["playing"]) == (1, 1)
                and [one["table"] for one in seen["followed"]] == [public["table"]["id"]]
                and where(seen, "games") == ["g1"]
                and seen["seekers"] == {"rated": 0, "casual": 1}
            )

        for place in (a, b):
            async with asyncio.timeout(20):
                while not await shows_all(place):
                    await asyncio.sleep(0.1)
        # Of one who sits at several tables the last ones are looked at, and no table comes twice.
        both = [one["you"]["player"] for one in (public, waiting)]
        assert a.lobby.shared is not None
        look = a.lobby.shared.directory.public_tables_of
        # A new table is in the directory a moment before whoever sits there.
        async with asyncio.timeout(20):
            while len(await look(both, 1, 9)) != 2:
                await asyncio.sleep(0.1)
        assert len(await look(both, 1, 1)) == 1
        assert await look(both, 0, 9) == []
        await ask(a, f"/api/me/blocks/{ada['player']}", public["you"], "POST")
        for place in (a, b):
            hidden = await home_of(place, ada)
            assert (hidden["watchable"], hidden["people"], hidden["followed"]) == ([], 0, [])
        # Who looks no longer is not counted anywhere, and neither is who was told of long ago.
        other = next(place for place in (a, b) if not node_of(place).membership.is_leader)
        await ask(a, "/api/quick", ada, "DELETE")
        await until(lambda: other.lobby.shared and other.lobby.shared.seekers.looking() == (0, 0))
