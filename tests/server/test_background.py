"""Dear work happens elsewhere, bounded, and whatever becomes of it."""

import asyncio
import multiprocessing
import os
import signal
import sys
import time

import pytest

from tests.server.serving import served
from tichu.server.background import NICEST, BackgroundPool, Busy, _let_others_go_first
from tichu.server.config import Limits

pytestmark = pytest.mark.anyio


def sleep(seconds: float) -> float:
    time.sleep(seconds)
    return seconds


def refuse() -> None:
    raise ValueError("no")


async def test_work_is_done_in_another_process() -> None:
    pool = BackgroundPool()
    try:
        assert await pool.run(os.getpid) != os.getpid()
        with pytest.raises(ValueError, match="no"):
            await pool.run(refuse)
    finally:
        pool.close()


async def test_who_comes_too_late_is_told_at_once() -> None:
    pool = BackgroundPool(most_waiting=2)
    try:
        running = [asyncio.create_task(pool.run(sleep, 0.3)) for _ in range(2)]
        await asyncio.sleep(0)
        with pytest.raises(Busy):
            await pool.run(sleep, 0.0)
        assert await asyncio.gather(*running) == [0.3, 0.3]
        assert await pool.run(sleep, 0.0) == 0.0
    finally:
        pool.close()


async def test_a_pool_that_closes_while_it_begins_lets_everybody_go() -> None:
    pool = BackgroundPool()
    try:
        for turns in (1, 20):
            waiting = [asyncio.create_task(pool.run(os.getpid)) for _ in range(3)]
            for _ in range(turns):
                await asyncio.sleep(0)
            pool.close()
            outcomes = await asyncio.gather(*waiting, return_exceptions=True)
            assert [type(one) for one in outcomes] == [Busy] * 3
        assert await pool.run(os.getpid) != os.getpid()
    finally:
        pool.close()


async def test_work_that_never_ends_and_a_process_that_is_killed_cost_one_answer_each() -> None:
    pool = BackgroundPool(seconds=2.0)
    try:
        process = await pool.run(os.getpid)
        with pytest.raises(Busy):
            await pool.run(sleep, 60.0)
        after = await pool.run(os.getpid)
        assert after != process
        os.kill(after, signal.SIGKILL)
        for _ in range(20):
            try:
                assert await pool.run(os.getpid) != after
                break
            except Busy:
                await asyncio.sleep(0.05)
        else:
            pytest.fail("no process came back")
    finally:
        pool.close()


async def test_a_process_that_dies_while_it_has_nothing_to_do_costs_one_answer() -> None:
    pool = BackgroundPool()
    try:
        process = await pool.run(os.getpid)
        executor = pool._executor
        assert executor is not None
        os.kill(process, signal.SIGKILL)
        while not executor._broken:
            await asyncio.sleep(0.01)
        with pytest.raises(Busy):
            await pool.run(os.getpid)
        assert await pool.run(os.getpid) != process
    finally:
        pool.close()


async def test_a_process_that_does_not_start_in_time_does_not_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    before = set(multiprocessing.active_children())
    monkeypatch.setattr("tichu.server.background._START_S", 0.0)
    with pytest.raises(Busy):
        await BackgroundPool().run(os.getpid)
    async with asyncio.timeout(20):
        while set(multiprocessing.active_children()) - before:
            await asyncio.sleep(0.01)


async def test_a_process_may_let_others_go_first() -> None:
    pool = BackgroundPool(nice=NICEST)
    try:
        assert await pool.run(os.nice, 0) == NICEST
        if sys.platform == "linux":
            assert await pool.run(os.sched_getscheduler, 0) == os.SCHED_IDLE
    finally:
        pool.close()


@pytest.mark.skipif(sys.platform != "linux", reason="there is no such policy")
def test_where_the_policy_is_forbidden_a_process_is_nice_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def forbid(*_: object) -> None:
        asked.append(-1)
        raise PermissionError

    monkeypatch.setattr(os, "nice", asked.append)
    monkeypatch.setattr(os, "sched_setscheduler", forbid)
    _let_others_go_first(NICEST)
    assert asked == [NICEST, -1]


async def test_who_waits_behind_work_that_never_ends_is_told_that_too() -> None:
    pool = BackgroundPool(seconds=2.0)
    try:
        endless = asyncio.create_task(pool.run(time.sleep, 60.0))
        behind = [asyncio.create_task(pool.run(time.sleep, 0.0)) for _ in range(4)]
        for task in (endless, *behind):
            with pytest.raises(Busy):
                await task
        assert await pool.run(os.getpid) > 0
    finally:
        pool.close()


async def test_work_counts_until_it_is_done_also_if_nobody_waits_for_it() -> None:
    pool = BackgroundPool(most_waiting=1)
    try:
        await pool.run(time.sleep, 0.0)
        gone = asyncio.create_task(pool.run(time.sleep, 30.0))
        await asyncio.sleep(0.1)
        gone.cancel()
        with pytest.raises(asyncio.CancelledError):
            await gone
        with pytest.raises(Busy):
            await pool.run(time.sleep, 0.0)
    finally:
        pool.close()


async def test_no_address_is_longer_than_ours_are() -> None:
    async with served() as place:
        for path in ("/api/games?" + "a=b&" * 1000, "/t/" + "x" * 3000):
            answer = await place.http.get(path)
            assert (answer.status_code, answer.json()["error"]) == (414, "too_large")


async def test_pictures_have_a_limit_of_their_own_and_take_no_long_host() -> None:
    limits = Limits(address_rate=1000, address_burst=1000, costly_rate=0.001, costly_burst=2)
    async with served(limits) as place:
        wrong = await place.http.get("/api/qr?path=/t/x", headers={"host": "a" * 300})
        assert wrong.status_code == 421
        answers = [(await place.http.get("/api/qr?path=/t/x")).status_code for _ in range(3)]
        assert answers == [200, 200, 429]
        assert (await place.http.get("/api/rules")).status_code == 200
