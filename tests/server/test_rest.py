"""A game that waits for its players leaves memory, and is there again when somebody comes."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.server.serving import FREE, Place, served
from tichu.server import housekeeping, wire
from tichu.server.config import Limits
from tichu.server.metrics import Metrics
from tichu.server.store import StoreError
from tichu.server.table import table as table_module
from tichu.server.table.ports import Player

pytestmark = pytest.mark.anyio

DAY = 86_400.0


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table without people pauses at once."""
    monkeypatch.setattr(table_module, "_NOBODY_WAIT", 0.05)


def limits(**changed: float) -> Limits:
    return Limits(**{name: getattr(FREE, name) for name in FREE.__slots__} | {"rest_seconds": 0.02} | changed)


async def until(condition: Callable[[], Any]) -> None:
    async with asyncio.timeout(20):
        while not condition():
            await asyncio.sleep(0.01)


@asynccontextmanager
async def resting(place: Place, **settings: Any) -> AsyncIterator[dict[str, Any]]:
    """A table in the middle of a round that has left memory: the answer to its host."""
    made = await place.table("you", "greedy", "greedy", "greedy", start=True, **settings)
    table = made["table"]["id"]
    async with place.guest(table, made["you"]["token"]) as guest:
        await guest.dealt()
        await guest.do(wire.DeclineGrandTichu(id="grand"))
    await until(lambda: table in place.lobby.resting)
    assert table not in place.lobby.rooms
    yield made


async def test_tables_that_were_visited_and_left_leave_nothing_in_memory() -> None:
    async with served(limits()) as place:
        before = len(place.lobby.rooms)
        made = [await place.table("you", "greedy", "greedy", "greedy", start=True) for _ in range(12)]
        for one in made:
            async with place.guest(one["table"]["id"], one["you"]["token"]) as guest:
                await guest.dealt()
        await until(lambda: len(place.lobby.rooms) == before)
        # The tasks of the last one may still be on their way out.
        await until(lambda: not any(task.get_name().startswith(("table ", "bot of ")) for task in asyncio.all_tasks()))
        assert place.lobby.metrics.registry.get_sample_value("tichu_resting_tables") == 12
        for one in made:
            async with place.guest(one["table"]["id"], one["you"]["token"]) as guest:
                state = guest.follower.table
                assert state is not None
                assert guest.follower.view is not None
                assert len(guest.follower.view.hand) in (8, 14)
        await until(lambda: len(place.lobby.rooms) == before)


async def test_a_game_goes_on_where_it_was() -> None:
    async with served(limits()) as place, resting(place) as made:
        table, token = made["table"]["id"], made["you"]["token"]
        async with place.guest(table, token) as guest:
            assert guest.welcome.you.seat == 0
            state, view = guest.welcome.table, guest.welcome.view
            assert state.stage in ("paused", "playing")
            assert view is not None
            assert view.hand
            # What was answered before is answered again, not done again.
            again = await guest.do(wire.DeclineGrandTichu(id="grand"))
            assert isinstance(again, wire.Ack)
            assert table in place.lobby.rooms
            assert table not in place.lobby.resting


async def test_a_resting_table_is_found_by_code_by_link_and_among_ones_own() -> None:
    async with served(limits()) as place, resting(place, private=False) as made:
        table, code = made["table"]["id"], made["table"]["code"]
        headers = {"authorization": f"Bearer {made['you']['token']}"}
        assert (await place.http.get(f"/api/codes/{code.lower()}")).json()["table"] == table
        shown = (await place.http.get(f"/api/tables/{table}")).json()["table"]
        assert (shown["stage"], shown["code"]) == ("paused", code)
        assert [one["id"] for one in (await place.http.get("/api/me", headers=headers)).json()["tables"]] == [table]
        assert [one["id"] for one in (await place.http.get("/api/tables")).json()["tables"]] == [table]
        assert (await place.http.get("/healthz")).json()["tables"] == 1
        # Looking loads nothing; coming does.
        assert not place.lobby.rooms
        async with place.guest(code) as guest:
            assert guest.welcome.table.id == table
        assert await place.post(made["you"]["token"], table, wire.Check(id="c", cards=("Dr",)))


async def test_a_resting_table_answers_commands_and_streams() -> None:
    async with served(limits()) as place, resting(place) as made:
        table, token = made["table"]["id"], made["you"]["token"]
        assert (await place.post(token, table, wire.Say(id="s", text="still here")))["type"] == "ack"
        await until(lambda: table in place.lobby.resting)
        headers = {"authorization": f"Bearer {token}"}
        async with place.http.stream("GET", f"/api/tables/{table}/stream", headers=headers) as stream:
            async for line in stream.aiter_lines():
                assert '"welcome"' in line
                break
        await until(lambda: table in place.lobby.resting)


async def test_everybody_who_comes_at_once_finds_the_same_table() -> None:
    async with served(limits()) as place, resting(place) as made:
        table = made["table"]["id"]
        rooms = await asyncio.gather(*(place.lobby.visit(table) for _ in range(20)))
        assert len({id(room) for room in rooms}) == 1
        assert rooms[0] is place.lobby.rooms[table]


async def test_visits_in_any_order_lose_nothing() -> None:
    """Sockets and commands come and go around the moment at which the table leaves."""
    async with served(limits(rest_seconds=0.0)) as place, resting(place) as made:
        table, token = made["table"]["id"], made["you"]["token"]
        said: list[str] = []

        async def speak(number: int) -> None:
            await asyncio.sleep(number * 0.011)
            answer = await place.post(token, table, wire.Say(id=f"n{number}", text=f"word {number}"))
            assert answer["type"] == "ack", answer
            said.append(f"word {number}")

        async def look(number: int) -> None:
            await asyncio.sleep(number * 0.017)
            async with place.guest(table) as guest:
                assert guest.welcome.table.id == table

        await asyncio.gather(*map(speak, range(20)), *map(look, range(12)))
        await until(lambda: table in place.lobby.resting)
        stored = await place.lobby.store.table(table)
        assert stored is not None
        log = b"".join(stored.entries).decode()
        assert all(log.count(f'"{words}"') == 1 for words in said)


async def test_a_table_that_cannot_be_loaded_now_is_not_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    async with served(limits()) as place, resting(place) as made:
        table = made["table"]["id"]

        async def fail(table: str) -> None:
            raise StoreError("not now")

        with monkeypatch.context() as patch:
            patch.setattr(place.lobby.store, "table", fail)
            with pytest.raises(StoreError):
                await place.lobby.visit(table)
        assert table in place.lobby.resting
        assert await place.lobby.visit(table) is not None


async def test_a_log_that_cannot_be_followed_is_set_aside() -> None:
    async with served(limits()) as place, resting(place) as made:
        table = made["table"]["id"]
        stored = await place.lobby.store.table(table)
        assert stored is not None
        await place.lobby.store.append(table, stored.next, [b'{"e":"promoted","at":1}'])
        assert await place.lobby.visit(table) is None
        assert [name for name, _ in await place.lobby.store.parked()] == [table]
        assert place.lobby.find(table) is None
        assert await place.lobby.id_of_code(made["table"]["code"]) is None


async def test_a_resting_table_closes_when_nobody_has_come_for_days(monkeypatch: pytest.MonkeyPatch) -> None:
    async with served(limits(), table_days=30) as place, resting(place) as made:
        table = made["table"]["id"]
        await place.lobby.tidy()
        assert table in place.lobby.resting
        now = place.lobby.time()
        place.lobby._clock.set_at_least(now + 31 * DAY)
        await place.lobby.tidy()
        assert place.lobby.find(table) is None
        assert await place.lobby.store.table(table) is None
        assert (await place.http.get(f"/api/codes/{made['table']['code']}")).status_code == 404


async def test_one_table_keeps_nobody_from_closing_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    async with served(limits(), table_days=30) as place, resting(place) as broken, resting(place) as made:
        lobby, table = place.lobby, broken["table"]["id"]
        stored = await lobby.store.table(table)
        assert stored is not None
        await lobby.store.append(table, stored.next, [b'{"e":"promoted","at":1}'])
        lobby._clock.set_at_least(lobby.time() + 31 * DAY)
        with monkeypatch.context() as patch:
            patch.setattr(lobby.store, "table", _fail)
            with pytest.raises(StoreError):
                await lobby.tidy()
        # Nothing is closed while the store fails.
        assert lobby.resting.keys() == {table, made["table"]["id"]}
        await lobby.tidy()
        assert not lobby.resting
        assert [name for name, _ in await lobby.store.parked()] == [table]
        assert await lobby.store.table(made["table"]["id"]) is None


async def _fail(*_: object) -> None:
    raise StoreError("not now")


async def test_housekeeping_goes_on_after_whatever_went_wrong(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(housekeeping, "_INTERVAL_S", 0.01)
    times = 0

    async def tidy() -> None:
        nonlocal times
        times += 1
        raise LookupError("something")

    metrics = Metrics()
    keeping = asyncio.create_task(housekeeping.keep_house(tidy, metrics))
    await until(lambda: times > 2)
    assert not keeping.done()
    assert "in housekeeping: LookupError" in caplog.text
    keeping.cancel()


async def test_resting_tables_count_among_those_of_an_address() -> None:
    async with served(limits(address_tables=1)) as place, resting(place):
        refused = await place.http.post("/api/tables", json={"seats": ["you"]})
        assert (refused.status_code, refused.json()["error"]) == (429, "too_many")


async def test_after_a_restart_tables_rest_until_somebody_comes(tmp_path: Path) -> None:
    database = f"sqlite:{tmp_path / 'tichu.db'}"
    async with served(limits(), database=database) as place, resting(place) as made:
        table, token = made["table"]["id"], made["you"]["token"]
    async with served(limits(), database=database) as place:
        assert not place.lobby.rooms
        assert list(place.lobby.resting) == [table]
        async with place.guest(table, token) as guest:
            assert guest.welcome.you.seat == 0


async def test_tables_that_wait_for_no_person_stay() -> None:
    async with served(limits()) as place:
        watched = await place.table("greedy", "greedy", "greedy", "greedy", start=True, pace=5)
        waiting = await place.table("you")
        for made in (watched, waiting):
            async with place.guest(made["table"]["id"]):
                pass
        room = place.lobby.rooms[watched["table"]["id"]]
        await until(lambda: room.state().stage == "paused")
        answer = await room.answer(Player("x", "X"), wire.Check(id="c", cards=("Dr",)), 10)
        assert answer.id == "c"
        assert set(place.lobby.rooms) == {watched["table"]["id"], waiting["table"]["id"]}
