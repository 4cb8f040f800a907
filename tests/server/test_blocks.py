"""A block means never seen: on leaderboards, in ratings and lists of tables, and whoever is blocked is not told so."""

import random
from typing import Any

import pytest
from msgspec.structs import replace

from tests.ratings.matches import match
from tests.server.serving import Place
from tests.server.test_accounts import made, place_with
from tests.server.test_people import ask
from tichu.ratings import MatchRow, Pool
from tichu.server import wire
from tichu.server.rating.service import Ratings
from tichu.server.store.matches import keep_match

pytestmark = pytest.mark.anyio


async def club(place: Place, number: int = 12) -> list[dict[str, Any]]:
    """People who are all on the leaderboard, and some of them as pairs."""
    people = [await made(place, f"Player {chr(65 + at)}") for at in range(number)]
    rng = random.Random(1)
    rows: list[MatchRow] = []
    for at in range(150):
        a, b, c, d = (one["player"] for one in rng.sample(people, 4))
        row = match(f"m{at}", f"{a} {b} {c} {d}", at=86_400_000 * at, from_pool=True)
        rows.append(replace(row, winner=rng.randrange(2)))
    for row in rows:
        await place.lobby.store.write(keep_match, row)
    assert await place.lobby.ratings.wait_for(rows[-1].match, 30)
    return people


def board_ids(board: dict[str, Any]) -> list[str]:
    return [one["players"][0] for one in board["players"]]


async def leaderboard(place: Place, row: MatchRow, who: dict[str, Any] | None = None) -> dict[str, Any]:
    found: dict[str, Any] = await ask(place, f"/api/leaderboard?rules={row.rules}&clock={row.clock}", who)
    assert found["status"] == 200, found
    return found


async def test_leaderboards_leave_out_both_of_a_block_and_show_no_gap(url: str) -> None:
    pool = match("m", "a b c d")
    async with place_with(url) as place:
        people = await club(place)
        everybody = board_ids(await leaderboard(place, pool))
        assert len(everybody) >= 6
        by_id = {one["player"]: one for one in people}
        blocker, blocked = by_id[everybody[1]], by_id[everybody[3]]
        await ask(place, f"/api/me/blocks/{blocked['player']}", blocker, "POST")
        for who, other in ((blocker, blocked), (blocked, blocker)):
            seen = await leaderboard(place, pool, who)
            assert board_ids(seen) == [one for one in everybody if one != other["player"]]
            assert [one["rank"] for one in seen["players"]] == list(range(1, len(everybody)))
            assert not any(other["player"] in one["players"] for one in seen["pairs"])
            # A profile has the rank of the same leaderboard.
            last = await ask(place, f"/api/players/{everybody[-1]}/ratings", who)
            assert last["ratings"][0]["rank"] == len(everybody) - 1
        # Whoever has nothing to do with it sees everybody, and so does one whose token has ended.
        assert board_ids(await leaderboard(place, pool, by_id[everybody[0]])) == everybody
        assert board_ids(await leaderboard(place, pool, {"token": "ended"})) == everybody


async def test_however_many_guests_have_blocked_somebody_no_rank_is_looked_up_for_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked_up: list[str] = []
    rank = Ratings.rank

    def count(ratings: Ratings, pool: Pool, player: str) -> int | None:
        looked_up.append(player)
        return rank(ratings, pool, player)

    async with place_with() as place:
        people, ada = {one["player"]: one for one in await club(place)}, await made(place, "Ada")
        *others, last = board_ids(await leaderboard(place, match("m", "a b c d")))
        path = f"/api/players/{last}/ratings"
        assert (await ask(place, path, ada))["ratings"][0]["rank"] == len(others) + 1
        guests = [await place.player(f"Guest {number}") for number in range(20)]
        for who in (*guests, *(people[one] for one in others[:2])):
            await ask(place, f"/api/me/blocks/{ada['player']}", who, "POST")
        monkeypatch.setattr(Ratings, "rank", count)
        assert (await ask(place, path, ada))["ratings"][0]["rank"] == len(others) - 1
        assert sorted(looked_up) == sorted(others[:2])


async def test_ratings_of_whoever_blocked_are_those_of_nobody(url: str) -> None:
    async with place_with(url) as place:
        people = await club(place)
        blocker, blocked = people[0], people[1]
        path = f"/api/players/{blocker['player']}/ratings"
        assert (await ask(place, path, blocked))["ratings"]
        await ask(place, f"/api/me/blocks/{blocked['player']}", blocker, "POST")
        hidden, nobody = await ask(place, path, blocked), await ask(place, "/api/players/nobody/ratings", blocked)
        assert hidden | {"player": ""} == nobody | {"player": ""}
        assert hidden["ratings"] == hidden["history"] == []
        # Whoever has blocked may look, to take it back.
        assert (await ask(place, f"/api/players/{blocked['player']}/ratings", blocker))["ratings"]


async def test_tables_of_a_block_are_not_listed(url: str) -> None:
    async with place_with(url) as place:
        table = await place.table("you", None, None, None, private=False)
        host, where = table["you"], table["table"]["id"]
        bob, cy = await place.player("Bob"), await place.player("Cyd")
        await ask(place, f"/api/me/blocks/{bob['player']}", host, "POST")

        async def listed(who: dict[str, Any] | None) -> list[str]:
            return [one["id"] for one in (await ask(place, "/api/tables", who))["tables"]]

        assert await listed(bob) == []
        assert await listed(cy) == await listed(None) == await listed({"token": "ended"}) == [where]


async def test_a_block_counts_for_those_who_look_for_a_match_already() -> None:
    async with place_with() as place:
        people = [await made(place, name) for name in ("Ada", "Bob", "Cyd", "Dee")]
        for one in people:
            answer = await place.http.post("/api/quick", json={}, headers={"authorization": f"Bearer {one['token']}"})
            assert answer.status_code == 200, answer.text
            if one is people[1]:
                await ask(place, f"/api/me/blocks/{one['player']}", people[0], "POST")
        await place.lobby.quick_match.tick()
        states = [(await ask(place, "/api/quick", one))["state"] for one in people]
        assert states == ["waiting"] * 4


async def test_whoever_is_blocked_hears_nothing_of_it_at_a_table(url: str) -> None:
    async with place_with(url) as place:
        table = await place.table("you", None, None, None)
        host, where = table["you"], table["table"]["id"]
        bob, cy = await place.player("Bob"), await place.player("Cyd")
        await ask(place, f"/api/me/blocks/{bob['player']}", host, "POST")
        await ask(place, f"/api/me/blocks/{host['player']}", cy, "POST")
        for who, reason in ((bob, "NOT_NOW"), (cy, "BLOCKED")):
            refused = await place.post(who["token"], where, wire.Sit(id="s1", seat=1))
            assert refused["reason"] == reason
            assert ("block" in refused["message"]) == (reason == "BLOCKED")
