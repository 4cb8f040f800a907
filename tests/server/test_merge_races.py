"""An account is forgotten at one node while a guest becomes it at another, in whatever order: nothing names either."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

import pytest

from tests.server.nodes import cluster, connection, node_of
from tests.server.serving import Place
from tests.server.test_accounts import WORD, made, place_with
from tests.server.test_farewell import everything, finished_game, open_seat
from tests.server.test_replacing import farewell, merge
from tests.server.test_tokens import bearer
from tichu.server import people, wire
from tichu.server.accounts.accounts import Refused
from tichu.server.people import delete_person, finish_replacements, merge_guest
from tichu.server.players import hash_token
from tichu.server.store import StoreError
from tichu.server.store.erasing import begin_merge, pending_replacements, replace_in_games, replace_in_rows

pytestmark = pytest.mark.anyio


@pytest.fixture
def database(postgres: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """An empty database; nodes of one process hear news at once."""
    from tests.server.conftest import _forget_everything

    asyncio.run(_forget_everything(postgres))
    monkeypatch.setattr(people, "_NEWS_S", 0.1)
    return postgres


class Two(NamedTuple):
    """An account, and a guest who is to become it."""

    account: dict[str, Any]
    guest: dict[str, Any]


async def two_at(place: Place) -> Two:
    """They are named wherever somebody can be: in a game, at a table, in what was said and reported."""
    account, guest, bob = await made(place, "Adalbert"), await place.player("Passing by"), await made(place, "Bob")
    for one in (guest, account):
        game = await finished_game(place, one["token"])
        table = await open_seat(place, bob["token"])
        await place.post(one["token"], table, wire.Sit(id="s", seat=1))
        await place.post(one["token"], table, wire.Say(id="c", text="hello"))
        about: dict[str, Any] = {"reason": "abuse", "words": "rude", "table": table}
        reports = f"/api/players/{one['player']}/reports"
        for body in (about, {"reason": "abuse", "game": game}):
            answer = await place.http.post(reports, json=body, headers=bearer(bob["token"]))
            assert answer.status_code == 201, answer.text
    return Two(account, guest)


async def assert_forgotten(place: Place, two: Two) -> None:
    for table, text in (await everything(place.lobby.store)).items():
        for traced in (two.account["player"], two.guest["player"], "Adalbert", "adalbert", "Passing by"):
            assert traced not in text, f"{traced} in {table}"


class Stop:
    """Somebody stands still at a place, the first time they come there."""

    def __init__(self) -> None:
        self.reached, self.go = asyncio.Event(), asyncio.Event()

    async def wait(self) -> None:
        if not self.reached.is_set():
            self.reached.set()
            await self.go.wait()


def stop_before(place: Place, script: str, monkeypatch: pytest.MonkeyPatch) -> Stop:
    """A node stands still before it writes this."""
    write, stop = place.lobby.store.write, Stop()

    async def stopping(asked: Any, /, *args: Any, **more: Any) -> Any:
        if asked.__name__ == script:
            await stop.wait()
        return await write(asked, *args, **more)

    monkeypatch.setattr(place.lobby.store, "write", stopping)
    return stop


def stop_before_tables(place: Place, monkeypatch: pytest.MonkeyPatch) -> Stop:
    """A node stands still before it looks for tables."""
    look, stop = people._replace_at_tables, Stop()

    async def stopping(lobby: Any, change: Any) -> Any:
        if lobby is place.lobby:
            await stop.wait()
        return await look(lobby, change)

    monkeypatch.setattr(people, "_replace_at_tables", stopping)
    return stop


@pytest.mark.parametrize("moment", ["tables", "replace_in_games", "replace_in_rows"])
async def test_a_merge_that_stands_still_names_nobody_who_is_forgotten_meanwhile(
    database: str, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    async with cluster(database, "a", "b") as (a, b):
        two = await two_at(a)
        stop = stop_before_tables(a, monkeypatch) if moment == "tables" else stop_before(a, moment, monkeypatch)
        merging = asyncio.create_task(merge(a, two.account["token"], two.guest["token"]))
        await stop.reached.wait()
        await farewell(b, two.account["token"], WORD)
        stop.go.set()
        await merging
        for place in (a, b):
            await finish_replacements(place.lobby)
        await assert_forgotten(a, two)


@pytest.mark.parametrize("end", ["done", "dead"])
async def test_an_account_is_not_yet_forgotten_while_another_node_makes_a_guest_it(
    database: str, monkeypatch: pytest.MonkeyPatch, end: str
) -> None:
    """The guest becomes the account after it was looked for the last time, and before that is noted."""
    async with cluster(database, "a", "b") as (a, b):
        two = Two(await made(a, "Adalbert"), await a.player("Passing by"))
        await finished_game(a, two.guest["token"])
        account, guest = two.account["player"], two.guest["player"]
        stop = stop_before_tables(a, monkeypatch)
        merging = asyncio.create_task(merge(a, two.account["token"], two.guest["token"]))
        await stop.reached.wait()
        replace, write, looks = people._replace, b.lobby.store.write, 0

        async def but_the_guest(lobby: Any, change: Any) -> bool:
            return not (lobby is b.lobby and change.old == guest) and await replace(lobby, change)

        async def interrupted(asked: Any, /, *args: Any, **more: Any) -> Any:
            nonlocal looks
            result = await write(asked, *args, **more)
            if asked is replace_in_rows and args[0] == account:
                looks += 1
                if looks == 2 and end == "done":
                    stop.go.set()
                    await merging
                elif looks == 2:
                    await a.lobby.store.write(replace_in_games, guest, account, None)
                    merging.cancel()
            return result

        with monkeypatch.context() as patch:
            patch.setattr(people, "_replace", but_the_guest)
            patch.setattr(b.lobby.store, "write", interrupted)
            await farewell(b, two.account["token"], WORD)
        assert looks == 2
        await asyncio.wait([merging])
        assert account in (await everything(b.lobby.store))["games"]
        await finish_replacements(b.lobby)
        await assert_forgotten(b, two)


@pytest.mark.parametrize("by", ["the account", "an operator"])
async def test_a_farewell_waits_for_a_merge_that_is_being_noted(database: str, by: str) -> None:
    def held_open(*args: Any) -> Any:
        noted = yield from begin_merge(*args)
        yield ("SELECT pg_advisory_xact_lock(7)",)
        return noted

    async with cluster(database, "a", "b") as (a, b), connection(database) as db:
        two = await two_at(a)
        known = await a.lobby.players.identify(two.account["token"])
        guest = await a.lobby.players.identify(two.guest["token"])
        assert known is not None
        assert guest is not None
        await db.execute("SELECT pg_advisory_lock(7)")
        shown = [(one.player.id, hash_token(one.token)) for one in (guest, known)]
        merging = asyncio.create_task(a.lobby.store.write(held_open, *shown[0], *shown[1], a.lobby.time()))
        await waiting(db, 1)
        token = known.token if by == "the account" else None
        leaving = asyncio.create_task(delete_person(b.lobby, known.player.id, token))
        await waiting(db, 2)
        await db.execute("SELECT pg_advisory_unlock(7)")
        assert isinstance(await merging, list)
        await leaving
        await finish_replacements(b.lobby)
        await assert_forgotten(b, two)


async def waiting(db: Any, number: int) -> None:
    """Return when so many transactions wait for others."""
    async with asyncio.timeout(10):
        while await db.fetchval("SELECT count(*) FROM pg_locks WHERE NOT granted") < number:
            await asyncio.sleep(0.01)


@asynccontextmanager
async def two_places(url: str) -> AsyncIterator[tuple[Place, Place]]:
    """Two nodes where there can be two."""
    if url.startswith("sqlite"):
        async with place_with(url) as place:
            yield place, place
    else:
        async with cluster(url, "a", "b") as (a, b):
            # What is to be known here is not known there.
            node_of(a).news.on_item = lambda item: None
            yield a, b


async def test_nobody_becomes_an_account_that_is_being_forgotten(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(people, "_NEWS_S", 0.1)
    async with two_places(url) as (a, b):
        account, passing = await made(a, "Adalbert"), await a.player("Passing by")
        known, guest = [await a.lobby.players.identify(one["token"]) for one in (account, passing)]
        assert known is not None
        assert guest is not None
        stop = stop_before(b, "replace_in_rows", monkeypatch)
        leaving = asyncio.create_task(delete_person(b.lobby, account["player"], account["token"]))
        await stop.reached.wait()
        late = asyncio.create_task(merge_guest(a.lobby, guest, known))
        if a is not b:
            with pytest.raises(Refused, match="token_ended"):
                await late
        stop.go.set()
        await leaving
        if a is b:  # They take turns.
            with pytest.raises(Refused, match="token_ended"):
                await late
        assert not await b.lobby.store.read(pending_replacements)
        assert account["player"] not in repr(await everything(b.lobby.store))
        assert (await a.http.get("/api/me", headers=bearer(passing["token"]))).status_code == 200


@pytest.mark.parametrize(
    ("first", "second"),
    [("tables", "replace_in_rows"), ("replace_in_rows", "replace_in_games"), ("end_replacement", "end_replacement")],
)
async def test_a_server_that_dies_in_the_middle_of_both_leaves_nobody_behind(
    url: str, monkeypatch: pytest.MonkeyPatch, first: str, second: str
) -> None:
    async with place_with(url) as place:
        two = await two_at(place)
        with monkeypatch.context() as patch:
            fail_before(place, first, patch)
            await merge(place, two.account["token"], two.guest["token"])
        with monkeypatch.context() as patch:
            fail_before(place, second, patch)
            await farewell(place, two.account["token"], WORD)
        assert len(await place.lobby.store.read(pending_replacements)) == 2
    async with place_with(url) as place:
        async with asyncio.timeout(20):
            while await place.lobby.store.read(pending_replacements):
                await asyncio.sleep(0.05)
        await assert_forgotten(place, two)


def fail_before(place: Place, moment: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is done from here on."""
    write = place.lobby.store.write

    async def failing(asked: Any, /, *args: Any, **more: Any) -> Any:
        if asked.__name__ == moment:
            raise StoreError("the server has died")
        return await write(asked, *args, **more)

    async def no_tables(lobby: Any, change: Any) -> Any:
        raise StoreError("the server has died")

    if moment == "tables":
        monkeypatch.setattr(people, "_replace_at_tables", no_tables)
    else:
        monkeypatch.setattr(place.lobby.store, "write", failing)
