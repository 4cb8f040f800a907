"""The leaderboard of programs: the levels, which hold the scale, and between them what authors have made."""

import random

import pytest
from msgspec.structs import replace

from tests.ratings.matches import match
from tests.server.test_accounts import place_with
from tests.server.test_people import ask
from tichu.agents.registry import LEVELS
from tichu.ratings import ANCHORS
from tichu.server.store.matches import keep_match

pytestmark = pytest.mark.anyio


async def test_levels_stand_beside_players_where_they_were_measured() -> None:
    async with place_with() as place:
        board = await ask(place, "/api/leaderboard?clock=fast")
        assert [one["rank"] for one in board["bots"]] == list(range(1, len(board["bots"]) + 1))
        assert {one["name"] for one in board["bots"]} == {one for one in LEVELS if f"bot:{one}" in ANCHORS}
        ratings = [one["rating"] for one in board["bots"]]
        assert ratings == sorted(ratings, reverse=True)
        assert all(one["player"] is None and one["matches"] == 0 for one in board["bots"])
        assert (await ask(place, "/api/leaderboard?rules=courtesy"))["bots"] == []


async def test_programs_of_authors_stand_among_the_levels(url: str) -> None:
    async with place_with(url) as place:
        programs = [
            (await place.http.post("/api/players", json={"name": f"Program {at}", "kind": "bot"})).json()["player"]
            for at in range(12)
        ]
        rng = random.Random(2)
        for at in range(150):
            a, b, c, d = rng.sample(programs, 4)
            row = match(f"m{at}", f"{a} {b} {c} {d}", at=86_400_000 * at, from_pool=True, league="bots")
            await place.lobby.store.write(keep_match, replace(row, winner=rng.randrange(2)))
        assert await place.lobby.ratings.wait_for("m149", 30)
        board = await ask(place, "/api/leaderboard")
        authors = [one for one in board["bots"] if one["player"] is not None]
        assert len(authors) >= 6
        assert {one["player"] for one in authors} <= {*programs}
        assert all(one["name"].startswith("Program ") and one["matches"] for one in authors)
        ratings = [one["rating"] for one in board["bots"]]
        assert ratings == sorted(ratings, reverse=True)
        assert board["players"] == []
        of_league = await ask(place, "/api/leaderboard?league=bots")
        assert (of_league["bots"], len(of_league["players"])) == (board["bots"], len(authors))
