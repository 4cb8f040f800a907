"""A store that fails or does not answer: what is not stored is not shown, and nothing piles up."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest

from tests.server.serving import FREE, Guest, Place, served
from tichu.server import wire
from tichu.server.outbox import Outbox
from tichu.server.store import Store, StoreError, StoreRefusal
from tichu.server.table.ports import Player

pytestmark = pytest.mark.anyio


@contextmanager
def stuck(store: Store) -> Iterator[None]:
    """Appends wait until the end of the block."""
    append, gate = store.append, asyncio.Event()

    async def waiting(*arguments: Any, **options: Any) -> None:
        await gate.wait()
        await append(*arguments, **options)

    store.append = waiting  # type: ignore[method-assign]
    try:
        yield
    finally:
        store.append = append  # type: ignore[method-assign]
        gate.set()


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(10):
        while not condition():
            await asyncio.sleep(0.01)


async def shown(place: Place, token: str, table: str) -> dict[str, Any]:
    """What others see of a table: in the list, by its address, and who sits there among their own."""
    (listed,) = [one for one in (await place.http.get("/api/tables")).json()["tables"] if one["id"] == table]
    known = (await place.http.get(f"/api/tables/{table}")).json()["table"]
    assert listed == known
    mine = (await place.http.get("/api/me", headers={"authorization": f"Bearer {token}"})).json()
    return {
        "seats": [seat["name"] for seat in known["seats"]],
        "stage": known["stage"],
        "own": [one["id"] for one in mine["tables"]],
    }


async def test_a_seat_that_is_not_stored_is_not_shown() -> None:
    async with served() as place:
        made = await place.table("you", None, None, None, private=False)
        table, bob = made["table"]["id"], await place.player("Bob")
        room = place.lobby.rooms[table]
        before = await shown(place, bob["token"], table)
        assert before == {"seats": ["Ada", "", "", ""], "stage": "open", "own": []}
        async with place.guest(table, bob["token"]) as guest:
            with stuck(place.lobby.store):
                await guest.say({"type": "TABLE.SIT", "id": "s", "seat": 1})
                await until(lambda: room.table.logged.seat_of(bob["player"]) == 1)
                assert await shown(place, bob["token"], table) == before
                assert bob["player"] not in room.persons()
                assert room.has_free_seat
            assert isinstance(await guest.hear(wire.Ack), wire.Ack)
        after = await shown(place, bob["token"], table)
        assert after == {"seats": ["Ada", "Bob", "", ""], "stage": "open", "own": [table]}


async def test_a_table_that_is_not_stored_is_not_there() -> None:
    async with served(replace(FREE, answer_seconds=0.3)) as place:
        new = {"settings": {"private": False}, "seats": [None, None, None, None], "name": "Ada"}
        with stuck(place.lobby.store):
            making = asyncio.create_task(place.http.post("/api/tables", json=new))
            await until(lambda: making.done() or bool(place.lobby.rooms))
            assert (await place.http.get("/api/tables")).json()["tables"] == []
            answer = await making
            assert (answer.status_code, answer.json()["error"]) == (503, "busy")
            await until(lambda: not place.lobby.rooms)
        await until_async(lambda: nothing_stored(place.lobby.store))
        assert (await place.http.post("/api/tables", json=new)).status_code == 201
        assert len((await place.http.get("/api/tables")).json()["tables"]) == 1


async def until_async(condition: Callable[[], Awaitable[bool]]) -> None:
    async with asyncio.timeout(10):
        while not await condition():
            await asyncio.sleep(0.01)


async def nothing_stored(store: Store) -> bool:
    return [stored.id async for stored in store.tables()] == []


async def test_a_table_made_while_the_store_fails_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    async with served(replace(FREE, answer_seconds=0.3)) as place:

        async def full(*arguments: Any, **options: Any) -> None:
            raise StoreError("the disk is full")

        monkeypatch.setattr(place.lobby.store, "append", full)
        answer = await place.http.post("/api/tables", json={"settings": {}, "name": "Ada"})
        assert (answer.status_code, answer.json()["error"]) == (503, "busy")
        await until(lambda: not place.lobby.rooms)


async def test_commands_to_a_table_that_waits_for_the_store_do_not_pile_up() -> None:
    async with served() as place:
        made = await place.table("you")
        room, token = place.lobby.rooms[made["table"]["id"]], made["you"]["token"]
        ada = Player(made["you"]["player"], "Ada")
        with stuck(place.lobby.store):
            room.command(ada, wire.Say(id="s", text="hello"))
            await until(lambda: room.waiting == 0)
            answers = [
                asyncio.create_task(room.answer(ada, wire.Say(id=f"{n}", text="hello"), 30.0)) for n in range(2_000)
            ]
            await asyncio.sleep(0.1)
            assert room.waiting <= 300
            busy = [task.result() for task in answers if task.done()]
            refused = [answer for answer in busy if isinstance(answer, wire.Error)]
            assert len(refused) > 1_500
            assert {answer.code for answer in refused} == {"busy"}
            late = await place.post(token, room.id, wire.Say(id="late", text="hello"))
            assert (late["type"], late["code"], late["id"]) == ("error", "busy", "late")
        await asyncio.gather(*answers)
        again = await place.post(token, room.id, wire.Check(id="again", cards=("Ma",)))
        assert again["type"] == "checked"


async def test_a_socket_hears_that_a_table_is_busy() -> None:
    async with served() as place:
        made = await place.table("you")
        async with place.guest(made["table"]["id"], made["you"]["token"]) as guest:
            with stuck(place.lobby.store):
                for number in range(280):
                    await guest.say({"type": "TABLE.EMOTE", "id": f"{number}", "emote": "hello"})
                error = await guest.hear(wire.Error)
                assert error.code == "busy"
                assert error.id is not None
                assert int(error.id) in range(200, 300)
            await guest.hear(wire.Ack)


async def test_sockets_that_come_and_go_do_not_pile_up_either() -> None:
    async with served() as place:
        made = await place.table("you")
        room, ada = place.lobby.rooms[made["table"]["id"]], Player(made["you"]["player"], "Ada")
        with stuck(place.lobby.store):
            room.command(ada, wire.Say(id="s", text="hello"))
            await until(lambda: room.waiting == 0)
            last = Outbox(8)
            for _ in range(2_000):
                last = Outbox(8)
                room.connect(ada, last, None, "")
                room.disconnect(ada, last)
            assert room.waiting <= 600
            told = await last.next()
            assert told is not None
            assert b'"busy"' in told
            assert await last.next() is None
        await until(lambda: room.waiting == 0 and room.sockets == 0)
        assert (await place.post(made["you"]["token"], room.id, wire.Say(id="t", text="hello")))["type"] == "ack"


async def test_whoever_watches_the_server_sees_a_store_that_does_not_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tichu.server.journal._SLOW_S", 0.05)
    async with served() as place:
        made = await place.table("you")
        room, ada = place.lobby.rooms[made["table"]["id"]], Player(made["you"]["player"], "Ada")
        with stuck(place.lobby.store):
            room.command(ada, wire.Say(id="s", text="hello"))
            await until(lambda: room.is_stuck)
            health = await place.http.get("/healthz")
            assert (health.status_code, health.json()["status"]) == (503, "failing")
        await until(lambda: not room.is_stuck)
        assert (await place.http.get("/healthz")).status_code == 200


async def test_who_asks_again_and_again_while_the_store_fails_does_not_fill_the_log(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def fail(*arguments: Any, **options: Any) -> None:
        raise StoreError("the disk is full")

    async with served() as place:
        made = await place.table("you", "greedy", "greedy", "greedy")
        store: Any = place.lobby.store
        store.keep_player = store.rename = fail
        for _ in range(20):
            assert (await place.http.post("/api/players", json={"name": "Bob"})).status_code == 503
            async with place.socket() as socket:
                guest = Guest(socket)
                await guest.say({"type": "hello", "table": made["table"]["id"]})
                assert (await guest.hear(wire.Error)).code == "busy"
    lines = [record.getMessage() for record in caplog.records if record.name == "tichu.server"]
    assert [line for line in lines if "error" in line] == []
    assert len([line for line in lines if "the disk is full" in line]) == 1


async def test_the_store_is_not_asked_for_ids_that_no_game_has() -> None:
    async def fail(game: str) -> None:
        raise StoreError(f"a store that cannot even be asked for {game!r}")

    async with served() as place:
        place.lobby.store.game = fail  # type: ignore[assignment, method-assign]
        for path in ("/api/games/%00", "/api/games/a%00.ttn", "/api/games/%C3%A9/views", "/api/games/%0A/review"):
            assert (await place.http.get(path)).status_code == 404


async def test_what_the_store_never_accepts_does_not_hold_a_table_for_ever() -> None:
    async with served() as place:
        made = await place.table("you")
        table, token = made["table"]["id"], made["you"]["token"]
        store: Any = place.lobby.store
        append = store.append

        async def refuse(*arguments: Any, **options: Any) -> None:
            if b"never" in b"".join(arguments[2]):
                raise StoreRefusal("there is such a row already")
            await append(*arguments, **options)

        store.append = refuse
        refused = await place.post(token, table, wire.Say(id="a", text="never"))
        assert (refused["type"], refused["code"]) == ("error", "busy")
        assert (await place.post(token, table, wire.Say(id="b", text="hello")))["type"] == "ack"
        assert (await place.http.get("/healthz")).status_code == 200
