"""Nobody's clock can be set, and a wrong date decides nothing by itself."""

import asyncio
from random import Random

import pytest

from tests.server.players import Club
from tests.server.test_store import GAME, SUMMARY
from tichu.server import log
from tichu.server.clock import SteadyClock
from tichu.server.config import Config
from tichu.server.lobby import Lobby
from tichu.server.metrics import Metrics
from tichu.server.store import Store, open_store
from tichu.server.store.accounts import NewSession, _insert_session
from tichu.server.store.scripts import Script
from tichu.server.table.ports import BotAsk

DAY = 86_400.0


class Host:
    """A machine whose date can be set and whose monotonic clock cannot."""

    def __init__(self, date: float) -> None:
        self.date = date
        self.ticks = 50.0

    def pass_time(self, seconds: float) -> None:
        self.date += seconds
        self.ticks += seconds

    def clock(self) -> SteadyClock:
        return SteadyClock(lambda: self.date, lambda: self.ticks)


@pytest.mark.parametrize("step", [-25.0, -DAY, 25.0, 30 * DAY])
def test_a_step_of_the_hosts_clock_does_not_show(step: float) -> None:
    host = Host(1_000_000.0)
    clock = host.clock()
    host.pass_time(3.0)
    host.date += step
    assert clock() == pytest.approx(1_000_003.0)
    host.pass_time(2.0)
    assert clock() == pytest.approx(1_000_005.0)


def test_time_never_goes_back_behind_what_is_stored() -> None:
    clock = Host(1_000_000.0).clock()
    clock.set_at_least(900_000.0)
    assert clock() == pytest.approx(1_000_000.0)
    clock.set_at_least(1_000_600.0)
    assert clock() == pytest.approx(1_000_600.0)


async def no_bot(ask: BotAsk) -> object:
    raise AssertionError("nobody plays here")


def lobby_of(store: Store, host: Host) -> Lobby:
    return Lobby(Config(table_days=30, retention_days=30), store, no_bot, Metrics(), host.clock())  # type: ignore[arg-type]


def test_a_date_set_forward_closes_no_table() -> None:
    club = Club()
    last = club.entries[-1].at

    async def main() -> None:
        store = await open_store(":memory:")
        await store.append("table", 1, [log.encode(entry) for entry in club.entries])
        host = Host(last + 400 * DAY)
        lobby = lobby_of(store, host)
        await lobby.start()
        await lobby.tidy()
        assert set(lobby.rooms) == {"table"}
        host.pass_time(29 * DAY)
        await lobby.tidy()
        assert set(lobby.rooms) == {"table"}
        host.pass_time(2 * DAY)
        await lobby.tidy()
        assert not lobby.rooms
        await lobby.close()
        await store.close()

    asyncio.run(main())


def test_a_server_started_with_a_date_set_back_goes_on_where_the_log_ended() -> None:
    club = Club()
    last = club.entries[-1].at

    async def main() -> None:
        store = await open_store(":memory:")
        await store.append("table", 1, [log.encode(entry) for entry in club.entries])
        lobby = lobby_of(store, Host(last - 25.0))
        await lobby.start()
        assert lobby.rooms["table"].table.logged.opened.id == "table"
        assert lobby.time() >= last
        await lobby.close()
        await store.close()

    asyncio.run(main())


def test_a_window_is_not_over_because_a_server_was_started_with_a_date_set_back() -> None:
    club = Club()
    club.seat_people(0, 1, 2, 3)
    club.start()
    club.play(Random(1), stop=lambda: club.table._play.window is not None)
    club.table._play.window = None
    last = club.entries[-1].at

    async def main() -> None:
        store = await open_store(":memory:")
        await store.append("table", 1, [log.encode(entry) for entry in club.entries])
        host = Host(last - 600.0)
        lobby = lobby_of(store, host)
        await lobby.start()
        table = lobby.rooms["table"].table
        assert table._play.window is not None
        assert table._play.window.begins == lobby.time() == last
        # Nor has anybody been away since then.
        assert table._nobody_since == last
        await lobby.close()
        await store.close()

    asyncio.run(main())


@pytest.mark.parametrize("step", [0.0, 400 * DAY], ids=["right", "wrong"])
def test_a_wrong_date_at_the_start_ends_no_session(step: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not good while the date is wrong, and good again when that is put right."""

    async def main() -> None:
        host, store = Host(1_000_000.0), await open_store(":memory:")
        await store.append("t", 1, [b"{}"], game=GAME._replace(summary=SUMMARY._replace(finished=host.date)))
        await store.close_table("t")
        # As accounts do when somebody logs in.
        ended = NewSession("ended", "1", "", host.date - 90 * DAY, host.date)
        good = NewSession("good", "2", "", host.date, host.date + 90 * DAY)
        for session in (ended, good):
            await store.write(_insert_session, "ada", session)
        host.pass_time(20 * DAY)
        host.date += step
        lobby = lobby_of(store, host)
        await lobby.start()
        await lobby.tidy()
        assert await store.read(_sessions) == ["ended", "good"]
        host.pass_time(8 * DAY)
        await lobby.tidy()
        assert await store.read(_sessions) == (["good"] if not step else [])
        await lobby.close()
        await store.close()

    asyncio.run(main())


def _sessions() -> Script[list[str]]:
    return [str(key) for (key,) in (yield ("SELECT token_hash FROM sessions ORDER BY token_hash",))]
