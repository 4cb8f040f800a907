"""A server searches for garbage when it is time, or when many connections have ended."""

import asyncio
import gc
import sys
import weakref
from contextlib import suppress

import pytest

from tests.server.players import Club
from tests.server.test_restart import no_bot
from tichu.server import log
from tichu.server.config import Config
from tichu.server.lobby import Lobby
from tichu.server.memory import collect_garbage_periodically, search_paused
from tichu.server.metrics import Metrics
from tichu.server.store import StoredTable, open_store
from tichu.server.table import Table


class Knot:
    """Refers to itself, so that only a search finds it."""

    def __init__(self) -> None:
        self.me = self


async def _is_found(search_s: float, most_ended: int, turns_in_use: int = 0) -> bool:
    """Whether a knot that nobody uses any more is gone after a while."""
    task = asyncio.create_task(collect_garbage_periodically(lambda: 7, 0, search_s, most_ended))
    await asyncio.sleep(0)
    assert not gc.isenabled()
    knot = Knot()
    gone = weakref.ref(knot)
    for _ in range(turns_in_use):
        await asyncio.sleep(0)
    del knot
    for _ in range(3):
        await asyncio.sleep(0)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    return gone() is None


def test_garbage_is_searched_when_it_is_time() -> None:
    assert not asyncio.run(_is_found(600, sys.maxsize))
    assert asyncio.run(_is_found(0, sys.maxsize))
    assert gc.isenabled()


def test_garbage_is_searched_when_many_have_gone() -> None:
    assert asyncio.run(_is_found(600, 0))


def test_what_was_in_use_is_put_aside_until_everything_is_searched() -> None:
    assert not asyncio.run(_is_found(600, 0, turns_in_use=3))
    assert asyncio.run(_is_found(0, 0, turns_in_use=3))
    assert gc.get_freeze_count() == 0


@pytest.mark.parametrize(("found", "searches"), [(0, [600, 1800, 4200, 9000]), (20_000, [600, 1200, 1800, 2400])])
def test_everything_is_searched_less_often_where_that_finds_nothing(
    monkeypatch: pytest.MonkeyPatch, found: int, searches: list[int]
) -> None:
    times: list[float] = []
    now = 0.0

    def collect() -> int:
        times.append(now)
        return found

    async def run() -> None:
        nonlocal now
        loop = asyncio.get_running_loop()
        with monkeypatch.context() as patched:
            patched.setattr(loop, "time", lambda: now)
            patched.setattr(gc, "collect", collect)
            task = asyncio.create_task(collect_garbage_periodically(lambda: 0, look_s=0))
            while len(times) < 4:
                await asyncio.sleep(0)
                now += 60
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    asyncio.run(run())
    assert times == pytest.approx(searches, abs=120)


def test_a_pause_of_the_search_ends_as_it_began() -> None:
    with search_paused():
        assert not gc.isenabled()
        with search_paused():
            pass
        assert not gc.isenabled()
    assert gc.isenabled()
    with suppress(KeyError), search_paused():
        raise KeyError
    assert gc.isenabled()


def test_nothing_is_searched_while_tables_come_back(monkeypatch: pytest.MonkeyPatch) -> None:
    club = Club()
    searches: list[bool] = []

    async def main() -> None:
        store = await open_store(":memory:")
        await store.append("table", 1, [log.encode(entry) for entry in club.entries])
        lobby = Lobby(Config(), store, no_bot, Metrics())
        restore = lobby.restore

        async def watched(stored: StoredTable) -> Table:
            searches.append(gc.isenabled())
            return await restore(stored)

        monkeypatch.setattr(lobby, "restore", watched)
        await lobby.start()
        assert set(lobby.rooms) == {"table"}
        await lobby.close()
        await store.close()

    asyncio.run(main())
    assert searches == [False]
    assert gc.isenabled()
