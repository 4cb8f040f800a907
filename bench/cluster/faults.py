"""What can happen to a cluster while tables play, and how soon every table plays on."""

import asyncio
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from random import Random
from typing import Final, NamedTuple

import click

from bench.cluster.checker import Verdict
from bench.cluster.crowd import Crowd
from bench.cluster.nodes import Node
from bench.cluster.running import Cluster

__all__ = ["BOUNDS", "Disturbance", "FaultReport", "Plan", "disturb", "histogram"]

#: Seconds until every table must play on, by what happened.
BOUNDS: Final = {
    "death": 15.0,
    "hang, by table": 25.0,
    "hang": 25.0,
    "hang of a relay": 25.0,
    "database": 25.0,
    "cut off": 25.0,
}
#: What was on its way when something happened has come by then.
_IN_FLIGHT_S: Final = 0.15
#: Longer nobody is waited for.
_MOST_S: Final = 60.0
_EDGES: Final = (0.5, 1, 2, 4, 6, 8, 10, 12, 15, 20, 25)
_SETTLE_S: Final = 30.0


class Plan(NamedTuple):
    """What happens, in this order."""

    kills: int = 10
    #: From one death to the next.
    every_s: float = 20.0
    #: The first of them behind a balancer that hashes by table, where everybody comes back to the node that hangs.
    hangs: int = 3
    hang_s: float = 30.0
    restarts: int = 1
    cuts: int = 1
    cut_s: float = 20.0
    #: Whoever stands still goes on as soon as others have taken its tables over.
    wakes_early: bool = False


class Disturbance(NamedTuple):
    """Something happened."""

    what: str
    node: str
    #: How many tables were its own.
    tables: int
    #: Seconds until a table was acknowledged something again, for those that lived there and for the others.
    owned_s: list[float]
    others_s: list[float]
    #: Tables that were not within a minute.
    stuck: list[str]

    @property
    def longest_s(self) -> float:
        """Until the last table played on."""
        return _MOST_S if self.stuck else max((*self.owned_s, *self.others_s), default=0.0)

    def line(self) -> str:
        """For people."""
        others = f"others {max(self.others_s, default=0):.1f} s"
        return (
            f"{self.what} of {self.node or 'all'} with {self.tables} tables: they played on after "
            f"{max(self.owned_s, default=0):.1f} s at most, {others}"
            + (f"; {len(self.stuck)} tables did not" if self.stuck else "")
        )


def histogram(seconds: Sequence[float]) -> str:
    """How many took how long.

    >>> histogram([0.2, 0.3, 7.0, 30.0])
    '2 up to 0.5 s, 1 up to 8 s, 1 longer than 25 s'
    """
    words, low = [], 0.0
    for edge in _EDGES:
        number = sum(low < one <= edge for one in seconds)
        words += [f"{number} up to {edge:g} s"] if number else []
        low = edge
    number = sum(one > _EDGES[-1] for one in seconds)
    words += [f"{number} longer than {_EDGES[-1]:g} s"] if number else []
    return ", ".join(words) or "none"


class FaultReport(NamedTuple):
    """What came of it."""

    tables: int
    seconds: float
    disturbances: list[Disturbance]
    verdict: Verdict
    contradictions: list[str]
    unanswered: int
    asked_again: int
    reconnections: int
    reasons: dict[str, int]
    log_faults: list[str]
    is_interrupted: bool

    def lines(self) -> list[str]:
        """For people."""
        lines = [
            f"{self.tables} tables, {self.seconds:.0f} s, {len(self.disturbances)} faults"
            + (", interrupted" if self.is_interrupted else ""),
            *(f"  {one.line()}" for one in self.disturbances),
        ]
        for what in dict.fromkeys(one.what for one in self.disturbances):
            some = [one for one in self.disturbances if one.what == what]
            owned = [seconds for one in some for seconds in (*one.owned_s, *([_MOST_S] * len(one.stuck)))]
            others = [seconds for one in some for seconds in one.others_s]
            lines.append(f"  {what}: tables there played on: {histogram(owned)}; others: {histogram(others)}")
        reasons = ", ".join(f"{number} x {reason}" for reason, number in sorted(self.reasons.items()))
        lines.append(
            f"  clients    {self.unanswered} commands unanswered, {self.asked_again} asked again, "
            f"{self.reconnections} sockets came back; refused or put off: {reasons or 'none'}"
        )
        return [*lines, *self.verdict.lines(), *(f"  ! {line}" for line in self.faults())]

    def faults(self) -> list[str]:
        """What must not be, and what took too long."""
        late = [one for one in self.disturbances if one.longest_s > BOUNDS[one.what]]
        return [*self.errors(), *(f"{one.line()}: more than {BOUNDS[one.what]:.0f} s" for one in late)]

    def errors(self) -> list[str]:
        """What must not be, however busy the machine is."""
        checks = {
            f"the checker found {len(self.verdict.faults)} faults": self.verdict.faults,
            "nothing was acknowledged": not self.verdict.acknowledged,
            f"{self.unanswered} commands were never answered": self.unanswered,
            f"a client was told otherwise before: {'; '.join(self.contradictions[:3])}": self.contradictions,
            f"lines in logs that must not be: {'; '.join(self.log_faults[:3])}": self.log_faults,
        }
        return [words for words, is_so in checks.items() if is_so]


class _Disturber:
    def __init__(self, cluster: Cluster, crowd: Crowd, plan: Plan, rng: Random, stopped: asyncio.Event) -> None:
        self._cluster, self._crowd, self._plan, self._rng, self._stopped = cluster, crowd, plan, rng, stopped
        self.happened: list[Disturbance] = []

    async def run(self) -> None:
        plan = self._plan
        for _ in range(plan.kills):
            node = self._rng.choice(self._cluster.nodes)
            await self._happen("death", node, lambda node=node: self._kill(node), plan.every_s)  # type: ignore[misc]
        for number in range(plan.hangs):
            if number == 1 and not plan.wakes_early:
                # In turns, so that every node is also a relay for the others.
                await self._cluster.balance(is_hashing=False)
                await self._all_playing()
            what = ("hang, by table", "hang of a relay", "hang")[min(number, 2)]
            node = await self._busiest() if number != 1 else await self._make_relay()
            await self._happen(what, node, lambda node=node: self._hang(node), 0.0)  # type: ignore[misc]
        for _ in range(plan.restarts):
            await self._happen("database", None, self._cluster.restart_database, 0.0)
        for _ in range(plan.cuts):
            await self._happen("cut off", self._cluster.nodes[-1], self._cut, 0.0)

    async def _kill(self, node: Node) -> None:
        await node.kill()
        await node.start()

    async def _hang(self, node: Node) -> None:
        before = set((await self._cluster.owned())[node.name])
        node.freeze()
        until = time.monotonic() + self._plan.hang_s
        try:
            while time.monotonic() < until and not self._stopped.is_set():
                await self._wait(0.05 if self._plan.wakes_early else self._plan.hang_s)
                if self._plan.wakes_early and not before & set((await self._cluster.owned())[node.name]):
                    break
        finally:
            node.thaw()

    async def _cut(self) -> None:
        self._cluster.link.cut()
        try:
            await self._wait(self._plan.cut_s)
        finally:
            self._cluster.link.mend()

    async def _busiest(self) -> Node:
        owned = await self._cluster.owned()
        return max(self._cluster.nodes, key=lambda node: len(owned[node.name]))

    async def _make_relay(self) -> Node:
        """A node that has just been replaced has sockets and, in turns, no tables."""
        node = self._cluster.nodes[0]
        await node.stop()
        await node.start()
        await self._all_playing()
        # Sockets are spread again only when they are made again.
        await self._cluster.balance(is_hashing=False)
        await self._all_playing()
        owned = await self._cluster.owned()
        return min(self._cluster.nodes, key=lambda one: len(owned[one.name]))

    async def _happen(self, what: str, node: Node | None, do: Callable[[], Awaitable[None]], least_s: float) -> None:
        """Have it happen, and wait until every table has played on; what it does is over by then too."""
        if self._stopped.is_set():
            return
        owned = (await self._cluster.owned()).get(node.name, []) if node is not None else []
        ours = {table.id for table in self._crowd.tables}
        theirs = set(owned) & ours if node is not None else ours
        began = time.monotonic()
        known = len(self._crowd.heard)
        doing = asyncio.ensure_future(do())
        first: dict[str, float] = {}
        while time.monotonic() < began + _MOST_S and not self._stopped.is_set():
            await self._wait(0.25)
            for heard in self._crowd.heard[known:]:
                if heard.at >= began + _IN_FLIGHT_S:
                    first.setdefault(heard.table, heard.at - began)
            known = len(self._crowd.heard)
            if doing.done() and first.keys() >= ours and time.monotonic() >= began + least_s:
                break
        await doing
        stuck = sorted(ours - first.keys()) if not self._stopped.is_set() else []
        one = Disturbance(
            what,
            node.name if node is not None else "",
            len(theirs),
            sorted(seconds for table, seconds in first.items() if table in theirs),
            sorted(seconds for table, seconds in first.items() if table not in theirs),
            stuck,
        )
        self.happened.append(one)
        click.echo(f"{len(self.happened):3} {one.line()}", err=True)
        await self._all_playing()

    async def _all_playing(self) -> None:
        until = time.monotonic() + _SETTLE_S
        while time.monotonic() < until and not self._crowd.is_playing and not self._stopped.is_set():
            await asyncio.sleep(0.1)

    async def _wait(self, seconds: float) -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(self._stopped.wait(), max(0.0, seconds))


async def disturb(cluster: Cluster, crowd: Crowd, plan: Plan, seed: int, stopped: asyncio.Event) -> FaultReport:
    """Let everything of a plan happen, and check; ends early when somebody says so."""
    began = time.monotonic()
    disturber = _Disturber(cluster, crowd, plan, Random(seed), stopped)
    await disturber.run()
    taken = time.monotonic() - began
    click.echo("waiting for the last answers", file=sys.stderr)
    unanswered = await crowd.settle(_SETTLE_S)
    return FaultReport(
        tables=len(crowd.tables),
        seconds=taken,
        disturbances=disturber.happened,
        verdict=await cluster.verdict(crowd),
        contradictions=crowd.tally.contradictions,
        unanswered=unanswered,
        asked_again=crowd.tally.asked_again,
        reconnections=crowd.tally.reconnections,
        reasons=crowd.tally.reasons,
        log_faults=[line for node in cluster.nodes for line in node.faults()],
        is_interrupted=stopped.is_set(),
    )
