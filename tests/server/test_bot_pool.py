"""Bots in worker processes: whatever a bot does to its process, the question is answered and the next one too."""

import asyncio
import fcntl
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from random import Random
from typing import TypeVar

import pytest

from tichu import DeclineGrand, Game, Round, Rules, shuffled_deal
from tichu.agents import make_agent
from tichu.agents.base import Choice
from tichu.server.bots import pool as bot_pool
from tichu.server.bots.pool import BotPool
from tichu.server.table.decoys import decoy_view
from tichu.server.table.ports import BotAsk

pytestmark = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="bots are interrupted by a signal")

STRANGE = '''
"""Bots that nobody should have to play with."""

import os
import signal
import sys
import time

from tichu.agents.base import Agent, Choice


class Hangs(Agent):
    name = "hangs"

    def act(self, view, legal):
        while True:
            pass


class CannotBeStopped(Agent):
    name = "cannot be stopped"

    def act(self, view, legal):
        signal.signal(signal.SIGALRM, signal.SIG_IGN)
        while True:
            time.sleep(1)


class Dies(Agent):
    name = "dies"

    def act(self, view, legal):
        os._exit(3)


class Leaves(Agent):
    name = "leaves"

    def act(self, view, legal):
        sys.exit(4)


class Raises(Agent):
    name = "raises"

    def act(self, view, legal):
        raise RuntimeError("no idea")


class Cheats(Agent):
    name = "cheats"

    def act(self, view, legal):
        return "0:Dr"


class Mumbles(Agent):
    """Gives a reason that cannot even leave the process."""

    name = "mumbles"

    def explain(self, view, legal):
        return Choice(self.act(view, legal), "because", {"why": lambda: None})

    def act(self, view, legal):
        return next(iter(legal))


class Tells(Agent):
    """Wishes for the process it runs in."""

    name = "tells"

    def explain(self, view, legal):
        return Choice(next(iter(legal)), "call", {"percent": os.getpid()})

    def act(self, view, legal):
        raise NotImplementedError


class NeverMade(Agent):
    name = "never made"

    def __init__(self, seed=0):
        raise SystemExit("not today")

    def act(self, view, legal):
        raise NotImplementedError
'''

_T = TypeVar("_T")
ORDERED = Rules.parse("courtesy")


@pytest.fixture
def strange(tmp_path: Path) -> Callable[[str], BotAsk]:
    path = tmp_path / "strange.py"
    path.write_text(STRANGE)
    return lambda name: ask_of(f"{path}:{name}")


def ask_of(bot: str, seed: int = 0) -> BotAsk:
    game = Game.start(shuffled_deal(Random(seed)))
    return BotAsk(1, 2, bot, game.view(2), seed)


def exchange_ask(bot: str) -> BotAsk:
    """A question about three cards to give, in which the champion is in doubt."""
    game = Game.start(shuffled_deal(Random(3)))
    for seat in range(4):
        game = game.after(seat, DeclineGrand())
    return BotAsk(1, 2, bot, game.view(2), 5)


def is_legal(choice: Choice, ask: BotAsk) -> bool:
    return choice.action in ask.view.legal()


def run(test: Callable[[BotPool], Awaitable[_T]], workers: int = 1, deadline_s: float = 20.0) -> _T:
    async def held() -> _T:
        pool = BotPool(workers, deadline_s)
        try:
            return await test(pool)
        finally:
            await pool.close()

    return asyncio.run(held())


async def process_of(pool: BotPool, ask: BotAsk) -> int:
    """The process that the bot ``Tells`` lives in, once there is one."""
    while (choice := await pool.decide(ask)).code == "fallback":
        pass  # On a busy machine a process may take longer to start than a question may wait.
    return int(str(choice.arguments["percent"]))


def test_our_own_bots_decide_and_say_why() -> None:
    async def test(pool: BotPool) -> None:
        for bot in ("random", "greedy", "heuristic"):
            ask = ask_of(bot)
            assert is_legal(await pool.decide(ask), ask)
        assert (await pool.decide(ask_of("heuristic"))).code in ("call", "no_call")
        assert not pool.faults

    run(test)


def test_many_questions_at_once_get_their_own_answers() -> None:
    async def test(pool: BotPool) -> None:
        asks = [ask_of("heuristic", seed) for seed in range(40)]
        choices = await asyncio.gather(*map(pool.decide, asks))
        alone = [await pool.decide(ask) for ask in asks]
        assert choices == alone
        assert len({choice.arguments["percent"] for choice in choices}) > 5

    run(test, workers=2)


def test_the_loop_goes_on_while_a_bot_thinks(strange: Callable[[str], BotAsk]) -> None:
    async def test(pool: BotPool) -> None:
        decision = asyncio.create_task(pool.decide(strange("Hangs")))
        turns = 0
        while not decision.done():
            await asyncio.sleep(0.001)
            turns += 1
        assert turns > 10

    run(test, deadline_s=0.3)


@pytest.mark.parametrize(
    ("name", "fault"),
    [("Raises", "crashed"), ("Leaves", "crashed"), ("Cheats", "illegal"), ("NeverMade", "crashed"), ("Hangs", "late")],
)
def test_a_bot_that_fails_costs_one_decision_and_no_worker(
    strange: Callable[[str], BotAsk], name: str, fault: str
) -> None:
    async def test(pool: BotPool) -> None:
        before = await process_of(pool, strange("Tells"))
        pool.faults.clear()
        ask = strange(name)
        choice = await pool.decide(ask)
        assert is_legal(choice, ask)
        assert (choice.code, choice.arguments) == ("fallback", {"fault": fault})
        assert pool.faults == {fault: 1}
        assert await process_of(pool, strange("Tells")) == before

    run(test, deadline_s=0.5 if name == "Hangs" else 20.0)


def test_many_lost_decisions_are_one_line_in_the_log(
    strange: Callable[[str], BotAsk], caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test(pool: BotPool) -> None:
        for _ in range(5):
            await pool.decide(strange("Raises"))
        assert pool.faults == {"crashed": 5}
        assert caplog.text.count("decisions of bots were lost") == 1
        monkeypatch.setattr("tichu.server.bots.pool.time.monotonic", lambda: monotonic() + 61)
        await pool.decide(strange("Raises"))
        assert "5 decisions of bots were lost: crashed" in caplog.text

    monotonic = time.monotonic
    run(test)


@pytest.mark.parametrize(("name", "fault"), [("Dies", "crashed"), ("CannotBeStopped", "late or crashed")])
def test_a_worker_that_dies_or_hangs_is_replaced(strange: Callable[[str], BotAsk], name: str, fault: str) -> None:
    async def test(pool: BotPool) -> None:
        before = await process_of(pool, strange("Tells"))
        ask = strange(name)
        choice = await pool.decide(ask)
        assert is_legal(choice, ask)
        assert choice.code == "fallback"
        assert str(choice.arguments["fault"]) in fault
        assert await process_of(pool, strange("Tells")) != before
        with pytest.raises(ProcessLookupError):
            os.kill(before, 0)

    run(test, deadline_s=0.5)


def test_a_worker_that_was_killed_while_idle_is_replaced(strange: Callable[[str], BotAsk]) -> None:
    async def test(pool: BotPool) -> None:
        before = await process_of(pool, strange("Tells"))
        os.kill(before, signal.SIGKILL)
        assert await process_of(pool, strange("Tells")) != before

    run(test)


def test_a_reason_that_nobody_can_read_is_left_out(strange: Callable[[str], BotAsk]) -> None:
    async def test(pool: BotPool) -> None:
        choice = await pool.decide(strange("Mumbles"))
        assert (choice.code, choice.arguments) == ("chosen", {})
        assert not pool.faults

    run(test)


def test_nobody_waits_for_a_bot_behind_one_that_hangs(strange: Callable[[str], BotAsk]) -> None:
    async def test(pool: BotPool) -> None:
        asks = [strange("Hangs"), ask_of("greedy"), ask_of("heuristic")]
        choices = await asyncio.gather(*map(pool.decide, asks))
        assert all(map(is_legal, choices, asks))

    run(test, deadline_s=0.5)


def test_after_the_end_there_is_still_an_answer(strange: Callable[[str], BotAsk]) -> None:
    async def test(pool: BotPool) -> None:
        process = await process_of(pool, strange("Tells"))
        waiting = asyncio.create_task(pool.decide(strange("Hangs")))
        await asyncio.sleep(0.05)
        await pool.close()
        for choice in (await waiting, await pool.decide(ask_of("heuristic"))):
            assert (choice.code, choice.arguments) == ("fallback", {"fault": "closed"})
        with pytest.raises(ProcessLookupError):
            os.kill(process, 0)

    run(test)


def test_no_process_before_the_first_question() -> None:
    async def test(pool: BotPool) -> None:
        assert not multiprocessing.active_children()
        await pool.decide(ask_of("greedy"))
        assert len(multiprocessing.active_children()) == 1

    run(test)


ORPHAN = '''
"""A bot that hangs with a lock in its hands, and a server that asks it."""

import asyncio
import fcntl
from pathlib import Path

from tichu.agents.base import Agent

LOCK = Path(__file__).with_suffix(".lock")


class Holds(Agent):
    name = "holds"

    def act(self, view, legal):
        self.lock = LOCK.open("w")
        fcntl.flock(self.lock, fcntl.LOCK_EX)
        LOCK.with_suffix(".held").touch()
        while True:
            pass


if __name__ == "__main__":
    from tests.server.test_bot_pool import ask_of
    from tichu.server.bots.pool import BotPool

    asyncio.run(BotPool(deadline_s=600).decide(ask_of(f"{__file__}:Holds")))
'''


def test_a_worker_does_not_outlive_a_server_that_is_killed(tmp_path: Path) -> None:
    path = tmp_path / "orphan.py"
    path.write_text(ORPHAN)
    root = Path(__file__).parents[2]
    with subprocess.Popen([sys.executable, path], env=os.environ | {"PYTHONPATH": str(root)}) as server:
        while not path.with_suffix(".held").exists():
            assert server.poll() is None
            time.sleep(0.01)
        server.kill()
    # Once the worker has gone the lock is free; one that stays makes this wait for ever.
    with path.with_suffix(".lock").open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)


class TestThinkers:
    def test_the_level_that_searches_decides_as_it_does_alone(self) -> None:
        ask = exchange_ask("searching")

        async def test(pool: BotPool) -> None:
            choice = await pool.decide(ask)
            assert choice.action == make_agent("searching", ask.seed).act(ask.view, ask.view.legal())
            assert not pool.faults

        run(test)

    def test_nobody_else_waits_for_a_thinker_and_a_quick_bot_decides_for_one_that_is_late(
        self, strange: Callable[[str], BotAsk], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        slow = strange("Hangs")
        monkeypatch.setattr(bot_pool, "THINKERS", {slow.bot: "heuristic"})
        monkeypatch.setattr(bot_pool, "_THINKING_S", 4.0)
        order: list[str] = []

        async def decide(pool: BotPool, name: str, ask: BotAsk) -> Choice:
            choice = await pool.decide(ask)
            order.append(name)
            return choice

        async def test(pool: BotPool) -> None:
            await pool.decide(ask_of("heuristic"))  # The process for quick bots has begun.
            thinking = asyncio.create_task(decide(pool, "thinker", slow))
            await asyncio.sleep(0)
            for number in range(20):
                await decide(pool, "quick", ask_of("heuristic", number))
            choice = await thinking
            assert order == ["quick"] * 20 + ["thinker"]
            assert choice == await pool.decide(slow._replace(bot="heuristic"))
            assert set(pool.faults) <= {"hurried", "timeout"}
            assert sum(pool.faults.values()) == 1

        run(test)

    def test_whoever_thinks_about_bombs_would_be_known_to_have_one(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(bot_pool._Lane, "warm_up", lambda self: asked.append(self))
        asked: list[object] = []
        view = Round.from_position("7s8s/2s2b2g2rJs/4s4b/6s9s b10 0:3g 70/0/0/20 - ---- - -/-/-/-", ORDERED).view(1)

        async def test(pool: BotPool) -> None:
            for one in (view, decoy_view(view)):
                assert is_legal(await pool.decide(ask := BotAsk(1, 1, "searching", one, 0)), ask)
            assert asked == [pool._quick] * 2

        run(test)
