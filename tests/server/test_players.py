"""Players who do not come back are forgotten, and nobody else."""

import os
import time
from pathlib import Path

import pytest

from tests.server.serving import Place, served
from tests.server.test_store import changed, opened

pytestmark = pytest.mark.anyio

DAY = 86_400.0


async def is_known(place: Place, token: str) -> bool:
    answer = await place.http.get("/api/me", headers={"authorization": f"Bearer {token}"})
    return answer.status_code == 200


async def test_players_who_did_not_come_back_are_forgotten() -> None:
    async with served(player_days=10, table_days=100) as place:
        gone, back, winner = [await place.player(name) for name in ("Gone", "Back", "Winner")]
        seated = (await place.table("you"))["you"]
        game = changed(players=(winner["player"], "", "", ""), finished=place.lobby.time())
        await place.lobby.store.append("t", 1, [], game=game)
        clock = place.lobby._clock
        await place.lobby.tidy()
        clock.set_at_least(place.lobby.time() + 9 * DAY)
        await place.lobby.tidy()
        assert await is_known(place, back["token"])
        clock.set_at_least(place.lobby.time() + 2 * DAY)
        await place.lobby.tidy()
        assert not await is_known(place, gone["token"])
        for one in (back, winner, seated):
            assert await is_known(place, one["token"])


async def test_players_are_kept_if_the_operator_says_so() -> None:
    async with served(player_days=0) as place:
        await place.player("Ann")
        place.lobby._clock.set_at_least(place.lobby.time() + 10_000 * DAY)
        await place.lobby.tidy()
        assert await place.lobby.store.old_players(place.lobby.time(), 10) != []


async def test_visits_are_noted_when_the_server_ends(tmp_path: Path) -> None:
    database = f"sqlite:{tmp_path / 'tichu.db'}"
    async with served(database=database) as place:
        await place.player("Ann")
        place.lobby._clock.set_at_least(place.lobby.time() + 5 * DAY)
        now = place.lobby.time()
        await place.player("Bob")
    async with opened(database) as store:
        assert len(await store.old_players(now - DAY, 10)) == 1
        assert len(await store.old_players(now + DAY, 10)) == 2


async def test_copies_that_were_cut_short_are_removed_by_the_next(tmp_path: Path) -> None:
    old, young, others = (tmp_path / f".{name}.0a0b0c0d.draft" for name in ("copy.db", "copy.db2", "another.db"))
    fresh = tmp_path / ".copy.db.11223344.draft"
    for path in (old, young, others, fresh):
        path.touch()
    for path in (old, young, others):
        os.utime(path, (time.time() - 2 * DAY,) * 2)
    async with opened(f"sqlite:{tmp_path / 'tichu.db'}") as store:
        await store.backup(tmp_path / "copy.db")
    assert not old.exists()
    assert all(path.exists() for path in (young, others, fresh))
