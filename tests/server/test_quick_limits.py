"""Quick match against those who want it for themselves: tables, the list of tables, everybody's time."""

import asyncio
import itertools
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from types import SimpleNamespace

import pytest

from tests.server.serving import greedy, served
from tests.server.test_limits import limits
from tests.server.test_tokens import bearer
from tichu.agents.base import Choice
from tichu.server import slices
from tichu.server.config import Config, Limits
from tichu.server.lobby import Lobby
from tichu.server.metrics import Metrics
from tichu.server.rating.pairing import Ticket, form_groups
from tichu.server.rating.searches import TooManySearches, Wanted
from tichu.server.store import open_store
from tichu.server.table.ports import BotAsk, Player

pytestmark = pytest.mark.anyio

CASUAL = Wanted(False, "normal")


@asynccontextmanager
async def opened(caps: Limits) -> AsyncIterator[Lobby]:
    store = await open_store(":memory:")
    lobby = Lobby(Config(limits=caps), store, greedy, Metrics())
    try:
        yield lobby
    finally:
        await lobby.close()
        await store.close()


def guests(number: int, address: str = "203.0.113.9") -> list[Player]:
    return [Player(f"{address} {at}", "", address=address) for at in range(number)]


async def match(lobby: Lobby, players: list[Player]) -> set[str | None]:
    """All look for a match: the tables that they have then."""
    quick = lobby.quick_match
    searches = [quick.look(player, CASUAL) for player in players]
    await quick.tick()
    async with asyncio.timeout(20):
        while any(search.is_taken and search.table is None for search in searches):
            await asyncio.sleep(0)
    return {search.table for search in searches}


async def test_an_address_gets_no_more_tables_by_quick_matches_than_by_making_them() -> None:
    async with opened(limits(address_tables=3)) as lobby:
        for turn in range(6):
            await match(lobby, [player._replace(id=f"{turn} {player.id}") for player in guests(4)])
        assert len(lobby.rooms) == 3
        # Nobody else is kept from playing.
        assert None not in await match(lobby, guests(4, "198.51.100.1"))


async def test_who_begins_another_match_gives_up_the_seat_in_the_former() -> None:
    async with opened(limits()) as lobby:
        (first,) = await match(lobby, guests(4))
        (second,) = await match(lobby, guests(4))
        assert first is not None
        assert second not in (None, first)
        async with asyncio.timeout(20):
            while lobby.rooms[first].persons():
                await asyncio.sleep(0)


async def test_matches_of_an_address_do_not_fill_the_list_of_tables() -> None:
    async with opened(limits(address_offers=2)) as lobby:
        for turn in range(4):
            await match(lobby, [player._replace(id=f"{turn} {player.id}") for player in guests(4)])
        assert len(lobby.rooms) == 4
        assert len(await lobby.offers()) == 2


async def test_the_bots_of_a_match_are_asked_in_the_name_of_its_players_address() -> None:
    asked: list[tuple[str, str]] = []

    async def ask(one: BotAsk) -> Choice:
        asked.append(one.source)
        return await greedy(one)

    async with served(limits()) as place:
        room_of = place.lobby.rooms
        token = (await place.player())["token"]
        place.lobby._ask = ask
        place.lobby.quick_match._rules = place.lobby.quick_match._rules.__class__(bots_seconds=0.0)
        await place.http.post("/api/quick", json={}, headers=bearer(token))
        await place.http.post("/api/quick/bots", headers=bearer(token))
        async with asyncio.timeout(20):
            while not asked:
                await asyncio.sleep(0.01)
        assert asked[0] == ("127.0.0.1", next(iter(room_of)))


async def test_a_full_server_says_so_and_fills_no_log(caplog: pytest.LogCaptureFixture) -> None:
    async with opened(limits(tables=1)) as lobby:
        await match(lobby, guests(4))
        with caplog.at_level(logging.ERROR):
            for turn in range(5):
                assert await match(lobby, guests(4, f"198.51.100.{turn}")) == {None}
        assert [record.levelname for record in caplog.records] == ["ERROR"]
        assert "as many tables" in caplog.text
        assert "Traceback" not in caplog.text


async def test_who_asks_a_full_server_is_told() -> None:
    async with served(limits(tables=1)) as place:
        await place.table("you")
        answer = await place.http.post("/api/quick", json={}, headers=bearer((await place.player())["token"]))
        assert (answer.status_code, answer.json()["error"]) == (429, "too_many")


async def test_only_so_many_look_for_a_match_of_an_address_and_of_all() -> None:
    async with opened(limits(address_searches=3, searches=5)) as lobby:
        quick = lobby.quick_match
        for player in guests(3):
            quick.look(player, CASUAL)
        with pytest.raises(TooManySearches):
            quick.look(guests(4)[3], CASUAL)
        quick.look(guests(1)[0], Wanted(False, "fast"))  # One who looks already may look for something else.
        for player in guests(2, "198.51.100.1"):
            quick.look(player, CASUAL)
        with pytest.raises(TooManySearches):
            quick.look(guests(1, "198.51.100.2")[0], CASUAL)
        quick.leave(guests(1)[0].id)
        quick.look(guests(1, "198.51.100.2")[0], CASUAL)
        assert (quick.seekers(CASUAL), quick.seekers(Wanted(False, "fast"))) == (5, 0)


async def test_many_who_look_keep_nobody_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    # By this clock every bit of work takes a millisecond.
    ticks = itertools.count()
    monkeypatch.setattr(slices, "time", SimpleNamespace(perf_counter=lambda: next(ticks) / 1000))
    turns = 0

    async def turn() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    async with opened(limits(address_searches=400)) as lobby:
        quick = lobby.quick_match
        everybody = guests(300)
        for player in everybody:
            quick.look(player, CASUAL, blocked=[other.id for other in everybody])
        other = asyncio.create_task(turn())
        await quick.tick()
        other.cancel()
    assert turns > 100


async def test_who_leaves_while_others_are_brought_together_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = itertools.count()
    monkeypatch.setattr(slices, "time", SimpleNamespace(perf_counter=lambda: float(next(ticks))))
    async with opened(limits()) as lobby:
        quick, players = lobby.quick_match, guests(4)
        for player in players:
            quick.look(player, CASUAL)

        async def leave() -> None:
            quick.leave(players[2].id)

        leaving = asyncio.create_task(leave())
        await quick.tick()
        await leaving
        assert not lobby.rooms
        assert quick.seekers(CASUAL) == 3


def test_people_who_block_each_other_do_not_stand_before_all_others() -> None:
    wall = [Ticket((f"wall {at}",), 1500.0, 0.0) for at in range(40)]
    honest = [Ticket((f"p{at}",), 1500.0, 5.0) for at in range(4)]

    def may_meet(one: str, other: str) -> bool:
        return not (one.startswith("wall") and other.startswith("wall"))

    groups = form_groups([*wall, *honest], 10.0, may_meet)
    assert any("p0" in group.seats for group in groups)


def test_nobody_is_kept_from_playing_by_those_who_block_them() -> None:
    wall = [Ticket((f"wall {at}",), 1500.0, 0.0) for at in range(40)]
    others = [Ticket((f"p{at}",), 1500.0, 5.0) for at in range(3)]
    victim = Ticket(("victim",), 1500.0, 1.0)

    def may_meet(one: str, other: str) -> bool:
        return not ("victim" in (one, other) and (one + other).count("wall"))

    groups = form_groups([*wall[:3], *others, victim, *wall[3:]], 10.0, may_meet)
    assert any("victim" in group.seats for group in groups)
