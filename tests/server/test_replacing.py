"""Somebody else in the place of a person: nobody at a table notices, nothing comes back, and nodes agree."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import pytest
from msgspec.structs import replace

from tests.server.nodes import cluster, node_of
from tests.server.serving import FREE, Guest, Place, served
from tests.server.test_accounts import WORD, made, place_with
from tests.server.test_farewell import everything, finished_game, open_seat
from tests.server.test_rated_absence import _seconds_left, rated_match
from tests.server.test_rated_rows import keep, season, settled
from tests.server.test_store_stuck import until
from tests.server.test_tokens import bearer
from tichu.server import log, wire
from tichu.server.people import FORMER, delete_person, finish_replacements
from tichu.server.players import hash_token
from tichu.server.room import Room
from tichu.server.store import StoreError
from tichu.server.store.erasing import begin_merge, pending_replacements, replace_in_games
from tichu.server.table.replacement import Replacement

pytestmark = pytest.mark.anyio


async def farewell(place: Place, token: str, password: str = "") -> None:
    gone = await place.http.post("/api/me/farewell", json={"password": password}, headers=bearer(token))
    assert gone.status_code == 200, gone.text


async def merge(place: Place, account: str, guest: str) -> None:
    done = await place.http.post("/api/me/guests", json={"token": guest}, headers=bearer(account))
    assert done.status_code == 200, done.text


@asynccontextmanager
async def playing() -> AsyncIterator[tuple[Place, Room, list[str], list[Guest], list[dict[str, Any]]]]:
    """A rated match under way; three guests said something at the table before it, and one player has gone."""
    async with served(FREE) as place:
        room, tokens = await rated_match(place)
        ghosts = [await place.player(f"Ghost {number}") for number in range(3)]
        for ghost in ghosts:
            assert (await place.post(ghost["token"], room.id, wire.Say(id="hi", text="hi")))["type"] == "ack"
        async with AsyncExitStack() as stack:
            guests = [await stack.enter_async_context(place.guest(room.id, token)) for token in tokens]
            for number, guest in enumerate(guests):
                assert isinstance(await guest.do(wire.Ready(id=f"r{number}")), wire.Ack)
            await until(lambda: room.table.logged.game is not None)
            await guests[1].socket.close()
            await until(lambda: 1 in room.table.audience.deadlines)
            yield place, room, tokens, guests, ghosts


async def test_to_forget_a_guest_gives_nobody_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever has guests to spare could wind up all clocks with each, and be away for as long as they last."""
    async with playing() as (place, room, tokens, guests, ghosts):
        for number, ghost in enumerate(ghosts):
            said = await place.post(tokens[0], room.id, wire.Say(id=f"c{number}", text=f"hello {ghost['player']}"))
            assert said["type"] == "ack"
        account = await made(place, "Someone")
        table = room.table
        await asyncio.sleep(1.5)
        clocks, deadlines = _seconds_left(room, place), dict(table.audience.deadlines)
        await farewell(place, ghosts[0]["token"])
        await merge(place, account["token"], ghosts[1]["token"])
        assert place.lobby.rooms[room.id] is room
        assert room.table is table
        assert _seconds_left(room, place)[0] <= clocks[0]
        assert table.audience.deadlines == deadlines
        assert not table._rated.attendance.excused
        # Nobody's socket has ended, and words stay as they were said.
        assert isinstance(await guests[0].do(wire.Say(id="still", text="still here")), wire.Ack)
        stored = await place.lobby.store.table(room.id)
        assert stored is not None
        change = Replacement(ghosts[0]["player"], "x", FORMER)
        assert not change.concerns(stored.entries)
        assert any(f"hello {ghosts[0]['player']}".encode() in entry for entry in stored.entries)


async def test_a_queued_bomb_is_not_lost_with_a_guest() -> None:
    async with playing() as (place, room, _, _, ghosts):
        from tichu.server.table.window import BombWindow

        window = room.table._play.window = BombWindow(place.lobby.time(), place.lobby.time() + 60)
        await farewell(place, ghosts[2]["token"])
        assert room.table._play.window is window


async def test_tokens_end_before_anything_is_replaced(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is done in somebody's name after the tables were looked through would name them for ever."""
    async with place_with(url) as place:
        ada, bob = await made(place, "Adalbert"), await made(place, "Bob")
        table = await open_seat(place, bob["token"])
        refused: list[int] = []
        write = place.lobby.store.write

        async def slow(script: Any, /, *args: Any, **kwargs: Any) -> Any:
            if script.__name__ == "replace_in_rows":
                said = {"type": "TABLE.SAY", "id": "late", "text": "late"}
                path = f"/api/tables/{table}/commands"
                refused.append((await place.http.post(path, json=said, headers=bearer(ada["token"]))).status_code)
                refused.append((await place.http.get("/api/me", headers=bearer(ada["token"]))).status_code)
            return await write(script, *args, **kwargs)

        monkeypatch.setattr(place.lobby.store, "write", slow)
        await farewell(place, ada["token"], WORD)
        assert set(refused) == {401}
        for name, text in (await everything(place.lobby.store)).items():
            assert ada["player"] not in text, name
            assert "adalbert" not in text.lower(), name


async def test_what_was_under_way_is_replaced_too(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with place_with(url) as place:
        ada, bob = await made(place, "Adalbert"), await made(place, "Bob")
        table = await open_seat(place, bob["token"])
        write, late = place.lobby.store.write, list[bool]()

        async def slow(script: Any, /, *args: Any, **kwargs: Any) -> Any:
            if script.__name__ == "replace_in_rows" and not late:
                # A request that had shown its token before.
                late.append(True)
                room = await place.lobby.visit(table)
                assert room is not None
                from tichu.server.table.ports import Player

                await room.answer(Player(ada["player"], "Adalbert", account=True), wire.Sit(id="s", seat=1), 5)
            return await write(script, *args, **kwargs)

        monkeypatch.setattr(place.lobby.store, "write", slow)
        await farewell(place, ada["token"], WORD)
        assert late
        for name, text in (await everything(place.lobby.store)).items():
            assert ada["player"] not in text, name
            assert "adalbert" not in text.lower(), name


async def test_what_the_store_could_not_do_is_done_later(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with place_with(url) as place:
        ada, bob = await made(place, "Adalbert"), await made(place, "Bob")
        game = await finished_game(place, ada["token"])
        table = await open_seat(place, bob["token"])
        await place.post(ada["token"], table, wire.Say(id="hi", text="hello"))
        with monkeypatch.context() as patch:
            write = place.lobby.store.write

            async def failing(script: Any, /, *args: Any, **kwargs: Any) -> Any:
                if script.__name__ == "replace_in_games":
                    raise StoreError("the disk is full")
                return await write(script, *args, **kwargs)

            patch.setattr(place.lobby.store, "write", failing)
            await farewell(place, ada["token"], WORD)
        assert (await place.http.get("/api/me", headers=bearer(ada["token"]))).status_code == 401
        assert len(await place.lobby.store.read(pending_replacements)) == 1
        # The next server goes on.
    async with place_with(url) as place:
        async with asyncio.timeout(20):
            while await place.lobby.store.read(pending_replacements):
                await asyncio.sleep(0.05)
        for name, text in (await everything(place.lobby.store)).items():
            assert ada["player"] not in text, name
        stored = await place.lobby.store.game(game)
        assert stored is not None
        assert stored.summary.seats[0] == FORMER


async def test_a_guest_and_an_account_who_played_together_are_two_for_ever(url: str) -> None:
    async with place_with(url) as place:
        ada, guest = await made(place, "Ada"), await place.player("Passing by")
        game = await finished_game(place, ada["token"])
        other = place.lobby.store
        # As if the guest had had a seat there.
        stored = await other.game(game)
        assert stored is not None
        players = (ada["player"], guest["player"], "", "")
        again = stored._replace(summary=stored.summary._replace(id="together", players=players), results=stored.results)
        await other.append("t", 1, [b"{}"], game=again)
        await merge(place, ada["token"], guest["token"])
        after = await other.game("together")
        assert after is not None
        assert after.summary.players[0] == ada["player"]
        assert after.summary.players[1].startswith("gone:")
        assert after.summary.seats[1] == FORMER
        assert guest["player"] not in (await everything(other))["games"]


async def test_a_guest_who_was_not_yet_the_account_that_is_forgotten_is_forgotten_too(url: str) -> None:
    async with place_with(url) as place:
        ada, guest = await made(place, "Adalbert"), await place.player("Passing by")
        game = await finished_game(place, ada["token"])
        store = place.lobby.store
        stored = await store.game(game)
        assert stored is not None
        for name, players in (("together", (ada["player"], guest["player"], "", "")), ("alone", (guest["player"],))):
            summary = stored.summary._replace(id=name, players=(*players, "", "", "")[:4])
            await store.append(name, 1, [b"{}"], game=stored._replace(summary=summary, results=stored.results))
        # A server that died after it had promised that.
        old, new = ((one["player"], hash_token(one["token"])) for one in (guest, ada))
        assert isinstance(await store.write(begin_merge, *old, *new, place.lobby.time()), list)
        await farewell(place, ada["token"], WORD)
        await finish_replacements(place.lobby)
        assert not await store.read(pending_replacements)
        for table, text in (await everything(store)).items():
            assert ada["player"] not in text, table
            assert guest["player"] not in text, table
            assert "Passing by" not in text, table
        after = await store.game("together")
        assert after is not None
        first, second = after.summary.players[:2]
        assert first.startswith("gone:")
        assert second.startswith("gone:")
        assert first != second


def test_nothing_but_names_and_ids_changes_in_an_entry() -> None:
    change = Replacement("ada", "gone:1", FORMER)
    seats = (log.Occupant(name="Ada", player="ada", account=True), None, log.Occupant(name="Bob", player="bob"), None)
    opened = log.OpenEntry(at=1.0, command="ada x", id="t", code="C", secret="s", host="ada", settings="{}")
    entries: list[tuple[log.Entry, log.Entry]] = [
        (opened, replace(opened, host="gone:1", command="gone:1 x")),
        (
            log.ChatEntry(at=1.0, player="bob", name="Bob", text="ada is here"),
            log.ChatEntry(at=1.0, player="bob", name="Bob", text="ada is here"),
        ),
        (
            log.EmoteEntry(at=1.0, player="ada", name="Ada", emote="hello", account=True),
            log.EmoteEntry(at=1.0, player="gone:1", name=FORMER, emote="hello"),
        ),
        (
            log.SeatEntry(at=1.0, what="sit", seats=seats, host="ada", ready=("ada", "bob")),
            log.SeatEntry(
                at=1.0,
                what="sit",
                seats=(log.Occupant(name=FORMER, player="gone:1"), *seats[1:]),
                host="gone:1",
                ready=("gone:1", "bob"),
            ),
        ),
    ]
    for before, after in entries:
        assert change.entry(before) == after
        assert change.concerns([log.encode(before)]) == (before != after)
    point = log.Checkpoint(
        at=2.0, opened=opened, version=3, seats=seats, host="bob", game=None, stage="open", commands={"ada 1": 2}
    )
    after = change.entry(point)
    assert isinstance(after, log.Checkpoint)
    assert b"ada" not in log.encode(after)
    assert (after.commands, after.host) == ({"gone:1 1": 2}, "bob")


# Several nodes.


@pytest.fixture
def database(postgres: str) -> str:
    """An empty database."""
    from tests.server.conftest import _forget_everything

    asyncio.run(_forget_everything(postgres))
    return postgres


async def test_a_person_is_forgotten_at_tables_of_all_nodes(database: str) -> None:
    """A node that kept an id in memory would write it back with its next checkpoint."""
    async with cluster(database, "a", "b") as (a, b):
        ada, bob = await made(a, "Adalbert"), await made(b, "Bob")
        table = await open_seat(b, bob["token"])
        await b.post(ada["token"], table, wire.Sit(id="s", seat=1))
        await b.post(ada["token"], table, wire.Say(id="c", text="hello"))
        room = b.lobby.rooms[table]
        async with b.guest(table, bob["token"]) as guest:
            await farewell(a, ada["token"], WORD)
            assert b.lobby.rooms[table] is room
            assert ada["player"] not in room.persons()
            assert isinstance(await guest.do(wire.Start(id="go")), wire.Ack)
            await guest.play(_greedy())
            async with b.guest(table, bob["token"], since=0) as again:
                assert "Adalbert" not in repr(again.welcome)
                assert ada["player"] not in repr(again.welcome)
        for name, text in (await everything(a.lobby.store)).items():
            assert ada["player"] not in text, name
            assert "adalbert" not in text.lower(), name
        assert not await a.lobby.store.read(pending_replacements)


def _greedy() -> Any:
    from tichu.agents.greedy import GreedyAgent

    return GreedyAgent(1)


async def test_two_who_played_together_and_leave_at_different_nodes_at_once_are_both_forgotten(database: str) -> None:
    async with cluster(database, "a", "b") as (a, b):
        ada, bob = await made(a, "Adalbert"), await made(b, "Bobadil")
        game = await finished_game(a, ada["token"])

        def seat_bob() -> Any:
            players = f'["{ada["player"]}","{bob["player"]}","",""]'
            yield "UPDATE games SET players = ? WHERE id = ?", players, game
            (finished,) = (yield "SELECT finished FROM games WHERE id = ?", game)[0]
            yield "INSERT INTO game_players (player, finished, game) VALUES (?, ?, ?)", bob["player"], finished, game

        await a.lobby.store.write(seat_bob)

        def slow(*change: Any) -> Any:
            script = replace_in_games(*change)
            statement = next(script)
            while True:
                rows = yield statement
                # Whatever it has read by now, the other node is quicker.
                yield ("SELECT 1 FROM pg_sleep(0.3)",)
                try:
                    statement = script.send(rows)
                except StopIteration as end:
                    return end.value

        leaving = asyncio.create_task(a.lobby.store.write(slow, ada["player"], "gone:a", FORMER))
        await asyncio.sleep(0.1)
        await b.lobby.store.write(replace_in_games, bob["player"], "gone:b", FORMER)
        await leaving
        after = await a.lobby.store.game(game)
        assert after is not None
        assert (after.summary.players[:2], after.summary.seats[:2]) == (("gone:a", "gone:b"), (FORMER, FORMER))
        assert after.record.count(FORMER) == 2


async def test_ratings_of_all_nodes_forget_a_person(database: str) -> None:
    async with cluster(database, "a", "b") as (a, b):
        ada = await made(a, "Ada")
        rows = [
            replace(row, players=tuple(ada["player"] if player == "p3" else player for player in row.players))
            for row in season(60)
        ]
        await keep(a.lobby.store, rows)
        for place in (a, b):
            place.lobby.ratings.rebuild_soon()
            await settled(place.lobby.ratings, rows)
        assert b.lobby.ratings.places(ada["player"])
        await farewell(a, ada["token"], WORD)
        await until(lambda: not b.lobby.ratings.places(ada["player"]))
        assert a.lobby.ratings.digest() == b.lobby.ratings.digest()


async def test_ratings_of_all_nodes_forget_a_match_that_is_taken_back(database: str) -> None:
    async with cluster(database, "a", "b") as (a, b):
        rows = season(40)
        await keep(a.lobby.store, rows)
        for place in (a, b):
            place.lobby.ratings.rebuild_soon()
            await settled(place.lobby.ratings, rows)
        before = b.lobby.ratings.digest()
        await a.lobby.ratings.unrate(rows[3].match)
        await until(lambda: b.lobby.ratings.digest() == a.lobby.ratings.digest() != before)


async def test_a_new_name_of_an_account_is_known_at_all_nodes(database: str) -> None:
    async with cluster(database, "a", "b") as (a, b):
        ada = await made(a, "Ada")
        assert (await b.http.get("/api/me", headers=bearer(ada["token"]))).json()["name"] == "Ada"
        renamed = await a.http.post("/api/me/name", json={"name": "Ada Byron"}, headers=bearer(ada["token"]))
        assert renamed.status_code == 200, renamed.text
        async with asyncio.timeout(5):
            while (await b.http.get("/api/me", headers=bearer(ada["token"]))).json()["name"] != "Ada Byron":
                await asyncio.sleep(0.02)


async def test_a_node_that_does_not_listen_is_asked_again(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with cluster(database, "a", "b") as (a, b):
        bob, guest = await made(b, "Bob"), await a.player("Gast")
        table = await open_seat(b, bob["token"])
        await b.post(guest["token"], table, wire.Say(id="c", text="hello"))
        monkeypatch.setattr("tichu.server.people._ASKED", 2)
        heard = b.lobby.shared.hear  # type: ignore[union-attr]
        node_of(b).news.on_item = lambda item: None
        await delete_person(a.lobby, guest["player"], None)
        assert len(await a.lobby.store.read(pending_replacements)) == 1
        node_of(b).news.on_item = heard
        monkeypatch.setattr("tichu.server.people._ASKED", 20)
        await finish_replacements(a.lobby)
        assert not await a.lobby.store.read(pending_replacements)
        assert guest["player"] not in (await everything(a.lobby.store))["log"]
