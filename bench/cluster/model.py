"""What a cluster needs for more tables than this machine can hold, from costs that were measured on it.

``python -m bench.cluster.model measure`` runs small clusters and writes what they took to ``measured.json``;
``python -m bench.cluster.model`` fits the costs to some of these stretches, predicts one that it was not fitted to, and
carries them on to a million tables.  Costs are seconds of a processor.  A table acts once in four seconds.

A node's work is a sum over its commands and over those that it relays; the database's one over entries, renewals and
news.  A renewal reads the rows of all nodes, news go to all nodes, so both grow with the square of their number.
"""

import asyncio
import json
import math
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import asyncpg
import click
import numpy as np

from bench.cluster.load import Stretch, Variant, measure
from bench.cluster.running import children_usage
from bench.load import raise_file_limit
from bench.postgres import NoPostgres, Postgres, postgres_server

__all__ = ["Costs", "Limits", "Micro", "carry", "fit", "predict"]

_MEASURED: Final = Path(__file__).with_name("measured.json")
_PERIOD_S: Final = 4.0
#: Connections of a node: two pools of four, its writer, its lease, its news.
_CONNECTIONS: Final = 11
#: A node is full when its core is this busy, and so are others.
_FULL: Final = 0.7
#: Made, taken or handed over, a table tells of itself.
_NEWS_A_TABLE_HOUR: Final = 4.0
_WITHIN: Final = 0.25


class Micro(NamedTuple):
    """What the database takes for what grows with the number of nodes, in seconds."""

    renewal_s: float
    renewal_row_s: float
    news_s: float
    news_listener_s: float


class Costs(NamedTuple):
    """Seconds of a processor."""

    node_s: float
    command_s: float
    relayed_s: float
    database_node_s: float
    entry_s: float
    balanced_s: float
    entries_a_command: float
    wal_an_entry: float
    micro: Micro


class Need(NamedTuple):
    """Cores that are busy."""

    nodes: float
    database: float
    balancer: float


def _solve(rows: Sequence[Sequence[float]], values: Sequence[float]) -> list[float]:
    """Least squares without negative costs: what would be negative is left out."""
    used = list(range(len(rows[0])))
    while used:
        matrix = np.array([[row[at] for at in used] for row in rows])
        found, *_ = np.linalg.lstsq(matrix, np.array(values), rcond=None)
        if min(found) >= 0:
            break
        used.pop(int(np.argmin(found)))
    else:
        return [0.0] * len(rows[0])
    return [float(found[used.index(at)]) if at in used else 0.0 for at in range(len(rows[0]))]


def fit(stretches: Sequence[Stretch], micro: Micro) -> Costs:
    """The costs that explain these best."""
    rates = [one.commands / one.seconds for one in stretches]
    shares = [one.relayed_sockets / one.sockets for one in stretches]
    nodes = [float(one.nodes) for one in stretches]
    entries = [one.entries / one.seconds for one in stretches]
    relayed = [rate * share for rate, share in zip(rates, shares, strict=True)]
    node, command, more = _solve(list(zip(nodes, rates, relayed, strict=True)), [one.nodes_cpu for one in stretches])
    for_node, entry = _solve(list(zip(nodes, entries, strict=True)), [one.database_cpu for one in stretches])
    (balanced,) = _solve([(rate,) for rate in rates], [one.balancer_cpu for one in stretches])
    return Costs(
        node,
        command,
        more,
        for_node,
        entry,
        balanced,
        sum(one.entries for one in stretches) / sum(one.commands for one in stretches),
        sum(one.wal_bytes for one in stretches) / sum(one.entries for one in stretches),
        micro,
    )


def predict(costs: Costs, rate: float, share: float, nodes: int) -> Need:
    """What so many commands a second take, of which this share is relayed."""
    entries = rate * costs.entries_a_command
    return Need(
        nodes * costs.node_s + rate * (costs.command_s + share * costs.relayed_s),
        nodes * costs.database_node_s + entries * costs.entry_s,
        rate * costs.balanced_s,
    )


def errors(costs: Costs, stretch: Stretch) -> dict[str, tuple[float, float]]:
    """What was predicted for a stretch and what was measured."""
    rate, share = stretch.commands / stretch.seconds, stretch.relayed_sockets / stretch.sockets
    need = predict(costs, rate, share, stretch.nodes)
    return {
        "nodes": (need.nodes, stretch.nodes_cpu),
        "database": (need.database, stretch.database_cpu),
        "balancer": (need.balancer, stretch.balancer_cpu),
        "together": (sum(need), stretch.nodes_cpu + stretch.database_cpu + stretch.balancer_cpu),
    }


class Limits(NamedTuple):
    """What there is of everything that nodes cannot be added to."""

    connections: float = 100.0
    database_cores: float = 16.0
    wal_mb_s: float = 200.0
    balancer_cores: float = 8.0


class Size(NamedTuple):
    """A cluster for so many tables."""

    tables: float
    nodes: int
    connections: float
    database_cores: float
    #: Of these: renewals, and news.
    renewal_cores: float
    news_cores: float
    wal_mb_s: float
    balancer_cores: float


def carry(costs: Costs, tables: float, share: float) -> Size:
    """How many nodes so many tables need, and what these ask of the database."""
    rate = tables / _PERIOD_S
    a_node = (_FULL - costs.node_s) / ((costs.command_s + share * costs.relayed_s) / _PERIOD_S)
    nodes = max(1, math.ceil(tables / a_node))
    need = predict(costs, rate, share, nodes)
    # What three nodes took for themselves has their renewals in it; those of many read more rows.
    renewal = nodes * nodes * costs.micro.renewal_row_s
    news = tables * _NEWS_A_TABLE_HOUR / 3600 * (costs.micro.news_s + nodes * costs.micro.news_listener_s)
    entries = rate * costs.entries_a_command
    database = need.database + renewal + news
    wal = entries * costs.wal_an_entry / 1e6
    return Size(tables, nodes, _CONNECTIONS * nodes, database, renewal, news, wal, need.balancer)


def breaking_points(costs: Costs, share: float, limits: Limits) -> list[tuple[float, str]]:
    """With how many tables each limit is reached, the first one first."""
    asked: dict[str, tuple[Callable[[Size], float], float]] = {
        "connections of the database": (lambda size: size.connections, limits.connections),
        "processors of the database": (lambda size: size.database_cores, _FULL * limits.database_cores),
        "write-ahead log": (lambda size: size.wal_mb_s, limits.wal_mb_s),
        "one balancer": (lambda size: size.balancer_cores, _FULL * limits.balancer_cores),
    }
    found = []
    for name, (amount, limit) in asked.items():
        low, high = 1.0, 1e9
        while high / low > 1.001:
            middle = math.sqrt(low * high)
            low, high = (low, middle) if amount(carry(costs, middle, share)) > limit else (middle, high)
        found.append((low, name))
    return sorted(found)


# Measuring.


async def _database_seconds(database: Postgres, work: Callable[[], Any]) -> float:
    before = children_usage(database.pid).cpu_s
    await work()
    return children_usage(database.pid).cpu_s - before


async def _measure_renewals(database: Postgres, rows: int, times: int) -> float:
    """Seconds of the database for one renewal among so many nodes."""
    from tichu.server.cluster.membership import _RENEW

    db = await asyncpg.connect(database.url, server_settings={"search_path": "tichu"})
    try:
        await db.execute("DELETE FROM nodes")
        query = """
            INSERT INTO nodes (id, name, url, version, log_format, started, renewed)
            SELECT 'n.' || i, 'n', 'http://n', '0', 1, now(), now() FROM generate_series(1, $1) i
        """
        await db.execute(query, rows)
        await db.execute("ANALYZE nodes")

        async def renew() -> None:
            for at in range(times):
                await db.fetch(_RENEW, f"n.{at % rows + 1}", 1, 1, False)

        return await _database_seconds(database, renew) / times
    finally:
        await db.execute("DELETE FROM nodes")
        await db.close()


async def _measure_news(database: Postgres, listeners: int, times: int) -> float:
    """Seconds of the database for one piece of news among so many nodes."""
    ears = [await asyncpg.connect(database.url) for _ in range(listeners)]
    db = await asyncpg.connect(database.url)
    try:
        for ear in ears:
            await ear.add_listener("tichu_measured", lambda *_: None)

        async def tell() -> None:
            for at in range(times):
                await db.execute("SELECT pg_notify('tichu_measured', $1)", f"news {at} {'x' * 60}")
            await asyncio.sleep(0.5)

        return await _database_seconds(database, tell) / times
    finally:
        for one in (*ears, db):
            one.terminate()


async def _measure_micro(database: Postgres) -> Micro:
    few, many, times = 3, 200, 3000
    renewal_few = await _measure_renewals(database, few, times)
    renewal_many = await _measure_renewals(database, many, times // 3)
    row = max(0.0, (renewal_many - renewal_few) / (many - few))
    few, many = 1, 40
    news_few = await _measure_news(database, few, times)
    news_many = await _measure_news(database, many, times // 3)
    listener = max(0.0, (news_many - news_few) / (many - few))
    return Micro(renewal_few - 3 * row, row, max(0.0, news_few - listener), listener)


#: The last one is predicted.
_STRETCHES: Final = (
    Variant("three, nearly idle", 3, is_hashing=True, tables=6),
    Variant("one", 1, is_hashing=True, tables=100),
    Variant("three, by table", 3, is_hashing=True, tables=300),
    Variant("three, in turns", 3, is_hashing=False, tables=300),
    Variant("three, in turns, half as many again", 3, is_hashing=False, tables=450),
)


async def _measure(database: Postgres, seconds: float) -> dict[str, Any]:
    stretches = []
    for variant in _STRETCHES:
        stretches.append(await measure(database, variant, seconds, _PERIOD_S))
        click.echo(f"{variant.name}: {stretches[-1].line()}", err=True)
    # The schema is there now.
    micro = await _measure_micro(database)
    return {"stretches": [one._asdict() for one in stretches], "micro": micro._asdict()}


def _lines(costs: Costs, limits: Limits) -> list[str]:
    micro = costs.micro
    lines = [
        f"a node       {1000 * costs.node_s:.1f} ms a second for itself, {1000 * costs.command_s:.2f} ms a command, "
        f"{1000 * costs.relayed_s:.2f} ms more if it is relayed",
        f"database     {1000 * costs.database_node_s:.2f} ms a second for each node, {1000 * costs.entry_s:.3f} ms an "
        f"entry, {costs.entries_a_command:.2f} entries a command, {costs.wal_an_entry:.0f} bytes of its log an entry",
        f"             a renewal {1e6 * micro.renewal_s:.0f} us and {1e6 * micro.renewal_row_s:.1f} us for each node, "
        f"news {1e6 * micro.news_s:.0f} us and {1e6 * micro.news_listener_s:.1f} us for each node",
        f"balancer     {1000 * costs.balanced_s:.3f} ms a command",
    ]
    for name, share in (("by table (a tenth relayed)", 0.1), ("in turns (two thirds relayed)", 2 / 3)):
        lines += [name, "  tables     nodes  connections  database  renewals  news   log MB/s  balancer"]
        for tables in (3_000, 10_000, 100_000, 1_000_000):
            size = carry(costs, tables, share)
            lines.append(
                f"  {tables:<10,d} {size.nodes:5d}  {size.connections:11,.0f}  {size.database_cores:8.1f}  "
                f"{size.renewal_cores:8.2f}  {size.news_cores:5.2f}  {size.wal_mb_s:8.1f}  {size.balancer_cores:8.2f}"
            )
        lines += [f"  {name} at {tables:,.0f} tables" for tables, name in breaking_points(costs, share, limits)]
    return lines


@click.group(invoke_without_command=True)
@click.option("--database-cores", type=click.FloatRange(1), default=Limits().database_cores, show_default=True)
@click.option("--connections", type=click.FloatRange(1), default=Limits().connections, show_default=True)
@click.option("--wal-mb-s", type=click.FloatRange(1), default=Limits().wal_mb_s, show_default=True)
@click.option("--balancer-cores", type=click.FloatRange(1), default=Limits().balancer_cores, show_default=True)
@click.option("--measured", type=click.Path(path_type=Path, dir_okay=False), default=_MEASURED)
@click.pass_context
def main(context: click.Context, /, measured: Path, **limits: float) -> None:
    """Tell what many tables need; exit status 1 if a load is not predicted within a quarter."""
    if context.invoked_subcommand is not None:
        context.obj = measured
        return
    if not measured.is_file():
        raise click.ClickException(f"{measured} is not there: measure first")
    told = json.loads(measured.read_text())
    stretches = [Stretch(**one) for one in told["stretches"]]
    costs = fit(stretches[:-1], Micro(**told["micro"]))
    is_good = True
    click.echo(f"predicted: {stretches[-1].line()}")
    for name, (said, was) in errors(costs, stretches[-1]).items():
        click.echo(f"  {name:9} {said:.3f} cores, measured {was:.3f} ({100 * (said / was - 1):+.0f} %)")
        is_good &= name != "together" or abs(said / was - 1) <= _WITHIN
    click.echo("\n".join(_lines(costs, Limits(**limits))))
    sys.exit(0 if is_good else 1)


@main.command("measure")
@click.option("--seconds", type=click.FloatRange(1), default=12, show_default=True)
@click.pass_obj
def measure_command(path: Path, seconds: float) -> None:
    """Run small clusters and write down what they take."""
    raise_file_limit()
    try:
        with postgres_server() as database:
            told = asyncio.run(_measure(database, seconds))
    except (NoPostgres, ConnectionError, TimeoutError) as error:
        raise click.ClickException(str(error) or type(error).__name__) from None
    except KeyboardInterrupt:
        sys.exit(130)
    path.write_text(json.dumps(told, indent=1) + "\n")


if __name__ == "__main__":
    main()
