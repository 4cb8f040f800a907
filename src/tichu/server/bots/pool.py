"""Bots that think outside the server's process, so that its loop never waits for one.

Each worker process has a thread here that starts it, hands it one question at a time, and kills it if no answer comes.
A bot in Python is stopped at its deadline inside the worker; only one that cannot be stopped costs the worker its life.
Whatever happens, the question gets a legal answer a second after its deadline at the latest.

Levels that take their time (:data:`~tichu.agents.registry.THINKERS`) have a queue and a process of their own with less
priority: nobody else waits for them.  Where too many want it a quick bot decides in their place.
"""

import asyncio
import logging
import multiprocessing
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from typing import Final, NamedTuple

from tichu.agents.base import Choice
from tichu.agents.registry import AGENTS, THINKERS
from tichu.core.phases import Phase
from tichu.server.bots.fair_queue import FairQueue
from tichu.server.bots.worker import READY, DecisionReply, DecisionRequest, fallback, serve
from tichu.server.metrics import Metrics
from tichu.server.table.ports import BotAsk

__all__ = ["BotPool"]

_log = logging.getLogger(__name__)

_START_S: Final = 60.0
_GRACE_S: Final = 1.0
_LINE_S: Final = 60.0
#: A thinker that has not answered by then, because many others think, is not waited for any longer.
_THINKING_S: Final = 3.0
#: Of tables that play without thinkers the processor belongs to first.
_THINKING_NICE: Final = 10
#: A question about a bomb goes to everybody with four cards, and to those without one only for show: who thinks about
#: theirs and who does not would tell them apart.
_NOT_THOUGHT_ABOUT: Final = (Phase.BOMB,)


class _PendingAsk(NamedTuple):
    ask: BotAsk
    #: By the monotonic clock.
    until: float
    #: Takes the answer, from any thread.
    answer: Callable[[DecisionReply], None]


class BotPool:
    """A few worker processes, started when there is something to think about."""

    def __init__(self, workers: int = 1, deadline_s: float = 5.0, metrics: Metrics | None = None) -> None:
        self._metrics = metrics
        self._deadline_s = deadline_s
        # Whoever asks first for a hint, or sits with bots that play like people, need not wait.
        self._quick = _Lane(workers, 0, (AGENTS[-1], "human"))
        self._thinking = _Lane(1, _THINKING_NICE, tuple(THINKERS))
        #: How many decisions were lost, by kind.
        self.faults: Counter[str] = Counter()
        #: Those that are not in the log yet, and when the next line may come.
        self._unlogged: Counter[str] = Counter()
        self._next_line: dict[str, float] = {}

    def warm_up(self) -> None:
        """Start the processes without waiting for them; the first question does so too."""
        self._quick.warm_up()

    async def close(self) -> None:
        """End the processes; who still waits gets the greedy bot's answer."""
        await asyncio.gather(self._quick.close(), self._thinking.close())

    async def decide(self, ask: BotAsk) -> Choice:
        """The bot's choice, or after all that can go wrong that of the greedy bot, with the code ``fallback``."""
        stand_in = THINKERS.get(ask.bot)
        if stand_in is not None:
            if ask.view.phase not in _NOT_THOUGHT_ABOUT:
                answer = await self._thinking.decide(ask, min(_THINKING_S, self._deadline_s))
                if answer.fault is None:
                    return answer.choice
                self._note_fault(ask.bot, "hurried" if answer.fault == "late" else answer.fault)
            ask = ask._replace(bot=stand_in)
        answer = await self._quick.decide(ask, self._deadline_s)
        if answer.fault is not None:
            self._note_fault(ask.bot, answer.fault)
        return answer.choice

    def _note_fault(self, bot: str, fault: str) -> None:
        """Count it; a line a minute is enough, since whoever asks for hints without end would fill the log."""
        self.faults[fault] += 1
        if self._metrics is not None:
            self._metrics.bot_faults.labels(fault).inc()
        self._unlogged[fault] += 1
        now = time.monotonic()
        if now >= self._next_line.get(fault, 0.0):
            _log.warning("%d decisions of bots were lost: %s (the last one by %s)", self._unlogged[fault], fault, bot)
            self._next_line[fault] = now + _LINE_S
            self._unlogged[fault] = 0


class _Lane:
    """A queue and the processes that work on it."""

    def __init__(self, workers: int, nice: int, first: tuple[str, ...]) -> None:
        self._count = workers
        self._nice = nice
        #: Bots that are loaded before anybody asks.
        self._first = first
        self._jobs: FairQueue[_PendingAsk] = FairQueue()
        self._workers: list[_Worker] = []
        self._is_closed = False

    def warm_up(self) -> None:
        """Start the processes, unless they were started."""
        if not self._workers and not self._is_closed:
            self._workers = [_Worker(self._jobs, self._nice, self._first) for _ in range(self._count)]

    async def close(self) -> None:
        """End the processes; all questions are answered."""
        self._is_closed = True
        for worker in self._workers:
            worker.stop()
        self._jobs.close()
        await asyncio.gather(*(asyncio.to_thread(worker.join) for worker in self._workers))
        self._workers = []

    async def decide(self, ask: BotAsk, deadline_s: float) -> DecisionReply:
        """The bot's answer, or that of the greedy bot with what went wrong."""
        loop = asyncio.get_running_loop()
        answered: asyncio.Future[DecisionReply] = loop.create_future()

        def settle(answer: DecisionReply) -> None:
            if not answered.done():
                answered.set_result(answer)

        def hand_over(answer: DecisionReply) -> None:
            with suppress(RuntimeError):  # The loop has ended.
                loop.call_soon_threadsafe(settle, answer)

        self.warm_up()
        if self._workers:
            self._jobs.put(_PendingAsk(ask, time.monotonic() + deadline_s, hand_over), ask.source)
        else:
            settle(_lost(ask, "closed"))
        try:
            return await asyncio.wait_for(answered, deadline_s + _GRACE_S)
        except TimeoutError:
            return _lost(ask, "late")


def _lost(ask: BotAsk, fault: str) -> DecisionReply:
    return DecisionReply(fallback(ask.view, fault), fault)


class _Lost(Exception):
    """The worker can no longer be asked."""


class _Worker:
    """A worker process and the thread that talks to it."""

    def __init__(self, jobs: FairQueue[_PendingAsk], nice: int, first: tuple[str, ...]) -> None:
        self._jobs = jobs
        self._arguments = nice, first
        self._process: SpawnProcess | None = None
        self._connection: Connection | None = None
        self._is_stopped = False
        # Held while the process begins or ends, so that none begins after the stop.
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._run, name="bot pool", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Kill the process; the thread then notices."""
        with self._lock:
            self._is_stopped = True
            if self._process is not None:
                self._process.kill()

    def join(self) -> None:
        """Wait for the thread."""
        self._thread.join()

    def _run(self) -> None:
        if hasattr(signal, "pthread_sigmask"):
            # A worker inherits this: Ctrl-C in its first moments is for the server, and must not end in a traceback.
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            # The first process starts before the first question is taken.
            with suppress(_Lost):
                self._begin()
            while (job := self._jobs.get()) is not None:
                job.answer(self._answer(job))
        finally:
            self._end()

    def _answer(self, job: _PendingAsk) -> DecisionReply:
        left = job.until - time.monotonic()
        if left <= 0:
            # Whoever asked waits no longer.
            return _lost(job.ask, "late")
        try:
            return self._ask(job.ask, left)
        except _Lost as lost:
            self._end()
            if self._is_stopped:
                return _lost(job.ask, "closed")
            _log.warning("a worker for bots was lost: %s", lost)
            return _lost(job.ask, "crashed")

    def _ask(self, ask: BotAsk, left: float) -> DecisionReply:
        connection = self._begin()
        try:
            connection.send(DecisionRequest(ask.bot, ask.seed, ask.view, 1000 * left))
            if not connection.poll(left + _GRACE_S):
                raise _Lost(f"no answer within {left + _GRACE_S:.1f} s")
            answer = connection.recv()
        except _Lost:
            raise
        except Exception as error:  # The pipe has ended, or what came through it cannot be read.
            raise _Lost(type(error).__name__) from None
        if not isinstance(answer, DecisionReply):
            raise _Lost("what it said is not an answer")
        return answer

    def _begin(self) -> Connection:
        """The pipe to a process that is ready."""
        if self._process is not None and self._connection is not None and self._process.is_alive():
            return self._connection
        self._end()
        try:
            connection = self._spawn()
            if connection.poll(_START_S) and connection.recv_bytes() == READY:
                return connection
        except (EOFError, OSError) as error:
            raise _Lost(f"it did not start: {type(error).__name__}") from None
        raise _Lost(f"it did not start within {_START_S:.0f} s")

    def _spawn(self) -> Connection:
        spawn = multiprocessing.get_context("spawn")
        ours, theirs = spawn.Pipe()
        self._connection = ours
        with theirs, self._lock:
            if self._is_stopped:
                raise _Lost("stopped")
            process = spawn.Process(target=serve, args=(theirs, *self._arguments), name="tichu-bots", daemon=True)
            process.start()
            self._process = process
        return ours

    def _end(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None
        with self._lock:
            process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.join()
            process.close()
