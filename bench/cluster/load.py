"""How fast a cluster answers, beside one node with a third of its tables: the same database, the same balancer."""

import asyncio
import os
import statistics
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

import click

from bench.cluster.crowd import Crowd, make_where_asked
from bench.cluster.nodes import Node
from bench.cluster.running import NAMES, running
from bench.postgres import Postgres
from bench.siege.report import percentile

__all__ = ["Comparison", "Stretch", "Variant", "measure", "measure_in_turns"]

_WARM_UP_S: Final = 3.0
#: What comes before the first trick is not what tables do most of the time, and cheaper: it goes so many times as fast
#: and is not measured.  It is eight actions, or a few more; longer than so many times the usual pause it does not take.
_FASTER: Final = 2
_OPENING: Final = 60
_SETTINGS: Final = {"rules": "standard", "pace": 1, "casual": True}
#: How much later than those of one node the answers of three may come.
_MOST: Final = 2.0
_MOST_BUSY: Final = 0.7


class Variant(NamedTuple):
    """What is measured."""

    name: str
    nodes: int
    is_hashing: bool
    tables: int


class Stretch(NamedTuple):
    """What a stretch of time showed."""

    tables: int
    seconds: float
    commands: int
    refused: int
    unanswered: int
    p50_ms: float
    p99_ms: float
    longest_ms: float
    #: Shares of one core.
    nodes_cpu: float
    database_cpu: float
    balancer_cpu: float
    clients_cpu: float
    #: Of all processors of the machine.
    busy: float
    #: How late the clients were by themselves (p99).
    own_lag_ms: float
    #: Sockets that go through a node that does not have the table.
    relayed_sockets: int
    sockets: int
    nodes: int
    #: What the logs grew by, and the write-ahead log of the database.
    entries: int
    wal_bytes: int
    #: Cores that were busy with something else.
    elsewhere: float = 0.0

    def line(self) -> str:
        """For people."""
        return (
            f"{self.tables} tables, {self.commands / self.seconds:.0f} commands/s: p50 {self.p50_ms:.1f} ms, "
            f"p99 {self.p99_ms:.1f} ms, longest {self.longest_ms:.0f} ms; {self.relayed_sockets} of {self.sockets} "
            f"sockets relayed; % of a core: nodes {100 * self.nodes_cpu:.0f}, database {100 * self.database_cpu:.0f}, "
            f"balancer {100 * self.balancer_cpu:.0f}, clients {100 * self.clients_cpu:.0f}; "
            f"machine {100 * self.busy:.0f} % busy, {self.elsewhere:.2f} cores with something else, "
            f"clients {self.own_lag_ms:.0f} ms late (p99); "
            f"{self.refused} refused, {self.unanswered} unanswered"
        )


def _machine() -> tuple[float, float]:
    """Seconds of all processors: busy, and all."""
    line = Path("/proc/stat").read_text().partition("\n")[0]
    fields = [int(field) for field in line.split()[1:9]]
    ticks = os.sysconf("SC_CLK_TCK")
    return (sum(fields) - fields[3] - fields[4]) / ticks, sum(fields) / ticks


async def _relayed(nodes: Sequence[Node]) -> int:
    total = 0.0
    for node in nodes:
        with suppress(OSError):
            total += (await node.metrics()).get("tichu_relay_sockets", 0.0)
    return int(total)


async def measure(
    database: Postgres, variant: Variant, seconds: float, period: float, settings: Mapping[str, Any] = _SETTINGS
) -> Stretch:
    """One stretch with a cluster of its own."""
    names = NAMES[: variant.nodes]
    async with running(database, names, is_hashing=variant.is_hashing, is_audited=False) as cluster:
        crowd = Crowd(period, dict(settings))
        crowd.opening_s = period / _FASTER
        if variant.is_hashing:
            crowd.make = make_where_asked
        try:
            await crowd.grow(variant.tables, cluster.port)
            await crowd.wait_led(_OPENING * period)
            await asyncio.sleep(_WARM_UP_S)
            crowd.begin_measuring()
            grown = await cluster.written()
            began, before, own, machine = time.monotonic(), cluster.taken(), time.process_time(), _machine()
            steps = max(1, round(seconds))
            with click.progressbar(range(steps), label=variant.name, file=sys.stderr) as bar:
                for _ in bar:
                    await asyncio.sleep(seconds / steps)
            taken, after = time.monotonic() - began, cluster.taken()
            own, after_machine = time.process_time() - own, _machine()
            entries, wal = (late - early for early, late in zip(grown, await cluster.written(), strict=True))
            times = [sample.ms for sample in crowd.samples]
            refused, relayed = crowd.tally.refused, await _relayed(cluster.nodes)
            unanswered = await crowd.settle(10)
        finally:
            await crowd.leave()
    nodes, store, front = ((late - early) / taken for early, late in zip(before, after, strict=True))
    busy, whole = (late - early for early, late in zip(machine, after_machine, strict=True))
    return Stretch(
        tables=variant.tables,
        seconds=taken,
        commands=len(times),
        refused=refused,
        unanswered=unanswered,
        p50_ms=percentile(times, 0.5),
        p99_ms=percentile(times, 0.99),
        longest_ms=max(times, default=0.0),
        nodes_cpu=nodes,
        database_cpu=store,
        balancer_cpu=front,
        clients_cpu=own / taken,
        busy=busy / max(0.01, whole),
        own_lag_ms=percentile(crowd.lags, 0.99),
        relayed_sockets=relayed,
        sockets=sum(table.people for table in crowd.tables),
        nodes=variant.nodes,
        entries=entries,
        wal_bytes=wal,
        elsewhere=max(0.0, (busy - own) / taken - nodes - store - front),
    )


class Comparison(NamedTuple):
    """The stretches of each variant; the first is one node."""

    stretches: dict[str, list[Stretch]]

    def p99(self, name: str) -> float:
        """The median."""
        return statistics.median(one.p99_ms for one in self.stretches[name])

    def lines(self) -> list[str]:
        """For people."""
        first = next(iter(self.stretches))
        lines = []
        for name, some in self.stretches.items():
            p99 = [one.p99_ms for one in some]
            ratio = "" if name == first else f", {self.p99(name) / self.p99(first):.2f} times {first}"
            lines.append(
                f"{name}: p99 {self.p99(name):.1f} ms (median of {len(some)}, {min(p99):.1f} to {max(p99):.1f}){ratio}"
            )
            lines += [f"  {one.line()}" for one in some]
        return [*lines, *(f"! {line}" for line in self.faults())]

    def faults(self) -> list[str]:
        """What must not be."""
        found = []
        first = next(iter(self.stretches))
        for name, some in self.stretches.items():
            lost = sum(one.unanswered for one in some)
            if lost or not all(one.commands for one in some):
                found.append(f"{name}: {lost} commands were never answered")
            busy = statistics.median(one.busy for one in some)
            if busy > _MOST_BUSY:
                found.append(f"{name}: the machine was {100 * busy:.0f} % busy, too much to judge by")
            if name != first and self.p99(name) > _MOST * self.p99(first):
                found.append(f"{name}: p99 is {self.p99(name) / self.p99(first):.2f} times that of {first}")
        return found


async def measure_in_turns(database: Postgres, tables: int, seconds: float, period: float, turns: int) -> Comparison:
    """One node with a third of the tables, three by table, and three in turns; every other time the other way round."""
    variants = [
        Variant("one node, a third", 1, is_hashing=True, tables=max(1, tables // 3)),
        Variant("three, by table", 3, is_hashing=True, tables=tables),
        Variant("three, in turns", 3, is_hashing=False, tables=tables),
    ]
    stretches: dict[str, list[Stretch]] = {variant.name: [] for variant in variants}
    for turn in range(turns):
        for variant in variants if turn % 2 == 0 else variants[::-1]:
            stretch = await measure(database, variant, seconds, period)
            stretches[variant.name].append(stretch)
            click.echo(f"{variant.name}: {stretch.line()}", err=True)
    return Comparison(stretches)
