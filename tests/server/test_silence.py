"""Time in which a table could hear nobody costs nobody anything: a node without its lease, a store that is away."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any

import pytest

from tichu.server import wire
from tichu.server.cluster.lease import LEASE_S, Lease
from tichu.server.metrics import Metrics
from tichu.server.outbox import Outbox
from tichu.server.presence import Presence
from tichu.server.room import Room
from tichu.server.table import Table
from tichu.server.table.ports import BotAsk, Player, Step
from tichu.server.table.window import BombWindow
from tichu.server.wire.settings import Settings

pytestmark = pytest.mark.anyio

ADA = Player("ada", "Ada")


class _Store:
    """Keeps nothing, as late as it is told to."""

    def __init__(self) -> None:
        self.before: Callable[[], None] = lambda: None

    async def append(self, table: str, first: int, entries: Sequence[bytes], **more: object) -> None:
        self.before()


class _Keeper:
    """Whatever a room says to it."""

    def __init__(self) -> None:
        self.presence = Presence[Room]()

    def __getattr__(self, name: str) -> Callable[..., None]:
        return lambda *anything: None


async def _never(ask: BotAsk) -> Any:
    await asyncio.Event().wait()


class _Hall:
    """A room whose time passes when it is told to."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.lease = Lease(LEASE_S, lambda: self.now)
        self.lease.renew(self.now)
        self.store = _Store()
        settings = Settings(pace=1, clock=wire.Clock(decision=20, reserve=60))
        table, step = Table.create("t", "CODE22", settings, ADA, self.now)
        self.room = Room(
            table,
            store=self.store,  # type: ignore[arg-type]
            ask=_never,
            metrics=Metrics(),
            keeper=_Keeper(),  # type: ignore[arg-type]
            clock=lambda: self.now,
            rest_seconds=99,
            lease=self.lease,
        )
        self.table = table
        self.outbox = Outbox(1000)
        self.room.start(step)
        self.room.connect(ADA, self.outbox, None, "")

    async def do(self, command: wire.Command) -> None:
        answer = await self.room.answer(ADA, command, 5)
        assert isinstance(answer, wire.Ack), answer

    async def tick(self) -> None:
        """What the timer of the room does."""
        done = asyncio.get_running_loop().create_future()

        def work(table: Table, now: float) -> Step:
            done.set_result(None)
            return table.tick(now)

        self.room._post(work)
        await asyncio.wait_for(done, 5)
        await asyncio.sleep(0)

    def left(self) -> tuple[float, float]:
        """Of Ada's decision and of her reserve."""
        ((ends, reserve_ends),) = [(a, b) for seat, a, b in self.table._play.decisions.clocks() if seat == 0]
        return ends - self.now, reserve_ends - self.now

    def heard(self) -> str:
        """The last thing that Ada was told."""
        return self.outbox._waiting[-1].data.decode()


@asynccontextmanager
async def _hall() -> AsyncIterator[_Hall]:
    hall = _Hall()
    await hall.do(wire.Sit(id="s", seat=0))
    await hall.do(wire.Start(id="g"))
    for _ in range(40):
        if hall.table.logged.game is not None:
            break
        hall.now += 0.5
        hall.lease.renew(hall.now)
        await hall.tick()
    assert hall.table.logged.game is not None
    try:
        yield hall
    finally:
        hall.room.abandon()


async def test_a_decision_has_as_much_time_after_a_silence_as_before() -> None:
    async with _hall() as hall:
        hall.now += 5
        await hall.tick()
        before = hall.left()
        hall.lease.drop()
        hall.now += 4
        hall.lease.renew(hall.now)
        await hall.tick()
        assert hall.left() == pytest.approx(before)
        # Only what was silence counts as such, and only once.
        hall.now += 2
        hall.lease.renew(hall.now)
        await hall.tick()
        assert hall.left() == pytest.approx((before[0] - 2, before[1] - 2))


async def test_a_silence_begins_when_the_lease_runs_out_and_not_when_somebody_comes() -> None:
    async with _hall() as hall:
        before = hall.left()
        hall.now += LEASE_S + 9
        waiting = asyncio.create_task(hall.tick())
        await asyncio.sleep(0.01)
        assert not waiting.done()
        hall.lease.renew(hall.now)
        await waiting
        assert hall.left() == pytest.approx((before[0] - LEASE_S, before[1] - LEASE_S))


async def test_a_window_that_was_open_is_as_long_as_it_was_to_be() -> None:
    async with _hall() as hall:
        hall.table._play.window = BombWindow(hall.now - 0.3, hall.now + 0.5)
        hall.lease.drop()
        hall.now += 7
        tick = asyncio.create_task(hall.tick())
        await asyncio.sleep(0.01)
        hall.lease.renew(hall.now)
        await tick
        window = hall.table._play.window
        assert window is not None
        assert (window.begins - hall.now, window.ends - hall.now) == pytest.approx((-0.3, 0.5))


async def test_what_is_stored_late_has_its_time_from_then_on_and_everybody_is_told() -> None:
    async with _hall() as hall:
        before = hall.left()

        def late() -> None:
            hall.now += 3
            hall.lease.renew(hall.now)

        hall.store.before = late
        await hall.do(wire.Say(id="m", text="hello"))
        hall.store.before = lambda: None
        assert hall.left() == pytest.approx(before)
        ends = round(1000 * (hall.now + before[0]))
        assert f'"ends":{ends}' in hall.heard()


async def test_everybody_is_told_the_new_times_when_the_silence_is_over() -> None:
    async with _hall() as hall:
        before = hall.left()
        hall.lease.drop()
        hall.now += 4
        hall.lease.renew(hall.now)
        hall.room.go_on()
        await hall.tick()
        assert f'"ends":{round(1000 * (hall.now + before[0]))}' in hall.heard()


async def test_whoever_is_away_from_a_rated_match_is_not_while_nobody_could_come() -> None:
    async with _hall() as hall:
        attendance = hall.table._rated.attendance
        attendance._since[0] = hall.now - 10
        attendance._excused_until = hall.now + 60
        hall.table._nobody_since = hall.now - 20
        hall.table.stand_still(30.0, hall.now + 30)
        hall.now += 30
        assert hall.now - attendance._since[0] == pytest.approx(10)
        assert attendance._excused_until - hall.now == pytest.approx(60)
        assert hall.now - hall.table._nobody_since == pytest.approx(20)


async def test_a_node_that_stood_still_and_kept_its_lease_gives_the_time_back() -> None:
    async with _hall() as hall:
        before = hall.left()
        hall.now += LEASE_S - 0.5
        assert hall.lease.is_held
        hall.room._lost_time.note_late(LEASE_S - 0.5)
        await hall.tick()
        assert hall.left() == pytest.approx(before)


@pytest.mark.parametrize("is_noted_first", [True, False])
async def test_a_node_that_stood_still_and_lost_its_lease_gives_no_time_back_twice(is_noted_first: bool) -> None:
    async with _hall() as hall:
        before = hall.left()
        hall.now += LEASE_S + 3
        hall.lease.renew(hall.now)
        # Something may come to the table before its timer does.
        for is_noted in (is_noted_first, not is_noted_first):
            if is_noted:
                hall.room._lost_time.note_late(LEASE_S + 3)
            await hall.tick()
        assert hall.left() == pytest.approx(before)
        hall.now += 2
        await hall.tick()
        assert hall.left() == pytest.approx((before[0] - 2, before[1] - 2))
