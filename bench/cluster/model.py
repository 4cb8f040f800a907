"""What a cluster needs for more tables than this machine can hold, from costs that were measured on it.

``python -m bench.cluster.model measure`` runs small clusters and writes what they took to ``measured.json``;
``python -m bench.cluster.model`` fits the costs to some of these stretches, predicts one that it was not fitted to, and
carries them on to a million tables.  Costs are seconds of a processor.  A table acts once in four seconds.

A node's work is a sum over its commands and over those that it relays; the database's one over entries, renewals, news
and looks for the start page.  A renewal reads the rows of all nodes, news go to all nodes, so both grow with the square
of their number.

A process that wakes up does some things once for all that has come meanwhile: it is scheduled, asks the system, finds
its caches cold.  As much as it is busy it is awake already, so what a command takes falls as a node fills up.

A processor that others use takes longer for the same work: caches and clocks are not ours alone.  So every stretch says
how many cores were busy with something else, one that was disturbed is measured again and counts only where there is no
other, and what is left of that is told with the result.  The clients do the same for every command, however it is
answered: by as much as they took more or less in a stretch than in the others, the machine was slower or faster for
everything.  That is taken out before costs are looked for and before they are judged.

Before a stretch begins the database writes all that it has to its files, so that none of them has a checkpoint in it,
and what follows one.  The tables are in the middle of a round then, however long it took to seat them: a command costs
more there than in its opening.
"""

import asyncio
import json
import math
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import asyncpg
import click
import numpy as np

from bench.cluster.balancer import NoBalancer, find_nginx
from bench.cluster.load import Stretch, Variant, measure
from bench.cluster.running import family_s
from bench.load import raise_file_limit
from bench.postgres import NoPostgres, Postgres, postgres_server

__all__ = ["Costs", "Limits", "Micro", "carry", "fit", "joined", "predict"]

_MEASURED: Final = Path(__file__).with_name("measured.json")
_PERIOD_S: Final = 4.0
#: Connections of a node: two pools of four, its writer, its lease, its news.
_CONNECTIONS: Final = 11
#: A node is full when its core is this busy, and so are others.
_FULL: Final = 0.7
#: Made, taken or handed over, a table tells of itself.
_NEWS_A_TABLE_HOUR: Final = 4.0
_WITHIN: Final = 0.25
#: Seconds for which a node tells all who open the start page the same.
_HOME_S: Final = 2.0
#: Games that go on when its cost is measured; it looks at no more.
_HOME_GAMES: Final = 5000
#: So many cores may be busy with something else, and so often a stretch is measured until they are not.
_QUIET: Final = 0.1
_TRIES: Final = 3
#: What takes less than this is not known better than this, in cores.
_SMALL: Final = 0.002
#: Waking up takes no more times what is done then.
_MOST_WAKING: Final = 3
#: How much busier one node must have been than another to tell of it, and which sum of squares is as good as the best.
_TELLING: Final = 0.15
_AS_GOOD: Final = 1.1


class Micro(NamedTuple):
    """What the database takes for what grows with the number of nodes, in seconds."""

    renewal_s: float
    renewal_row_s: float
    news_s: float
    news_listener_s: float
    #: One look for the start page.
    home_s: float = 0.0


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
    #: How much more a command takes of a node that sleeps than of one that is always busy: this part of it.
    waking: float = 0.0


class Need(NamedTuple):
    """Cores that are busy."""

    nodes: float
    database: float
    balancer: float


def joined(turns: Sequence[Stretch]) -> Stretch:
    """Several stretches of one kind as one."""
    seconds = sum(one.seconds for one in turns)
    shares = ("nodes_cpu", "database_cpu", "balancer_cpu", "clients_cpu", "busy", "elsewhere")
    mean = {name: sum(getattr(one, name) * one.seconds for one in turns) / seconds for name in shares}
    added = {
        name: sum(getattr(one, name) for one in turns)
        for name in ("commands", "refused", "unanswered", "entries", "wal_bytes", "relayed_sockets", "sockets")
    }
    longest = {
        name: max(getattr(one, name) for one in turns) for name in ("p50_ms", "p99_ms", "longest_ms", "own_lag_ms")
    }
    return turns[0]._replace(seconds=seconds, **mean, **added, **longest)


def _solve(rows: Sequence[Sequence[float]], values: Sequence[float]) -> list[float]:
    """Least squares without negative costs: what would be negative is left out.

    Of the relative errors, as a stretch of much load would otherwise decide alone.
    """
    used = list(range(len(rows[0])))
    weights = [1 / max(_SMALL, value) for value in values]
    while used:
        matrix = np.array([[row[at] * weight for at in used] for row, weight in zip(rows, weights, strict=True)])
        found, *_ = np.linalg.lstsq(matrix, np.array(values) * np.array(weights), rcond=None)
        if min(found) >= 0:
            break
        used.pop(int(np.argmin(found)))
    else:
        return [0.0] * len(rows[0])
    return [float(found[used.index(at)]) if at in used else 0.0 for at in range(len(rows[0]))]


def _solve_waking(rows: Sequence[Sequence[float]], values: Sequence[float]) -> tuple[float, list[float]]:
    """Which part is for waking up, and the costs of a node, a command and a relayed one.

    Of what explains the values about equally well the smallest: to believe in more would promise more tables a node.
    None where no node was much busier than another, which tells nothing of it.
    """

    def tried(waking: float) -> tuple[float, float, list[float]]:
        asleep = [1 - value / row[0] for row, value in zip(rows, values, strict=True)]
        scaled = [
            (row[0], *((1 + waking * part) * one for one in row[1:])) for row, part in zip(rows, asleep, strict=True)
        ]
        found = _solve(scaled, values)
        said = [sum(cost * one for cost, one in zip(found, row, strict=True)) for row in scaled]
        off = sum(((one - was) / max(_SMALL, was)) ** 2 for one, was in zip(said, values, strict=True))
        return off, waking, found

    busy = [value / row[0] for row, value in zip(rows, values, strict=True)]
    most = _MOST_WAKING if max(busy) - min(busy) >= _TELLING else 0
    some = [tried(step / 20) for step in range(most * 20 + 1)]
    best = min(off for off, *_ in some)
    return next((waking, found) for off, waking, found in some if off <= _AS_GOOD * best + 1e-9)


def fit(stretches: Sequence[Stretch], micro: Micro) -> Costs:
    """The costs that explain these best."""
    rates = [one.commands / one.seconds for one in stretches]
    shares = [one.relayed_sockets / one.sockets for one in stretches]
    nodes = [float(one.nodes) for one in stretches]
    entries = [one.entries / one.seconds for one in stretches]
    relayed = [rate * share for rate, share in zip(rates, shares, strict=True)]
    waking, (node, command, more) = _solve_waking(
        list(zip(nodes, rates, relayed, strict=True)), [one.nodes_cpu for one in stretches]
    )
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
        waking,
    )


def predict(costs: Costs, rate: float, share: float, nodes: int) -> Need:
    """What so many commands a second take, of which this share is relayed."""
    entries = rate * costs.entries_a_command
    work = rate * (costs.command_s + share * costs.relayed_s)
    return Need(
        # Busy for itself and for work * (1 + waking * (1 - busy / nodes)).
        (nodes * costs.node_s + work * (1 + costs.waking)) / (1 + work * costs.waking / nodes),
        nodes * costs.database_node_s + entries * costs.entry_s,
        rate * costs.balanced_s,
    )


class Clients(NamedTuple):
    """What the clients take, in seconds of a processor: for themselves in a second, and for a command."""

    own_s: float
    command_s: float

    def slowness(self, stretch: Stretch) -> float:
        """How many times longer than usual the machine took for the same work."""
        usual = self.own_s + self.command_s * stretch.commands / stretch.seconds
        return stretch.clients_cpu / usual if usual and stretch.clients_cpu else 1.0

    def evened(self, stretch: Stretch) -> Stretch:
        """What the servers would have taken had it been as fast as usual."""
        slowness = self.slowness(stretch)
        return stretch._replace(
            nodes_cpu=stretch.nodes_cpu / slowness,
            database_cpu=stretch.database_cpu / slowness,
            balancer_cpu=stretch.balancer_cpu / slowness,
        )


def fit_clients(stretches: Sequence[Stretch]) -> Clients:
    """What is usual, by these."""
    rows = [(1.0, one.commands / one.seconds) for one in stretches]
    return Clients(*_solve(rows, [one.clients_cpu for one in stretches]))


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
    #: Of these: renewals, news, and looks for the start page.
    renewal_cores: float
    news_cores: float
    home_cores: float
    wal_mb_s: float
    balancer_cores: float


def carry(costs: Costs, tables: float, share: float) -> Size:
    """How many nodes so many tables need, and what these ask of the database."""
    rate = tables / _PERIOD_S
    a_command = (costs.command_s + share * costs.relayed_s) * (1 + costs.waking * (1 - _FULL))
    a_node = (_FULL - costs.node_s) / (a_command / _PERIOD_S)
    nodes = max(1, math.ceil(tables / a_node))
    need = predict(costs, rate, share, nodes)
    # What three nodes took for themselves has their renewals in it; those of many read more rows.
    renewal = nodes * nodes * costs.micro.renewal_row_s
    news = tables * _NEWS_A_TABLE_HOUR / 3600 * (costs.micro.news_s + nodes * costs.micro.news_listener_s)
    # As if somebody looked at every node all the time; nobody did in the stretches.
    home = nodes / _HOME_S * costs.micro.home_s
    database = need.database + renewal + news + home
    wal = rate * costs.entries_a_command * costs.wal_an_entry / 1e6
    return Size(tables, nodes, _CONNECTIONS * nodes, database, renewal, news, home, wal, need.balancer)


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
    before = family_s(database.pid)
    await work()
    return family_s(database.pid) - before


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


async def _measure_home(database: Postgres, times: int) -> float:
    """Seconds of the database for one look for the start page, when so many games go on and as many tables wait."""
    from tichu.server.cluster.database import Database
    from tichu.server.cluster.directory import Directory
    from tichu.server.home import _COUNTED, _IN_PLAY
    from tichu.server.listing import LISTED
    from tichu.server.sharing import _OFFERED

    db = await asyncpg.connect(database.url, server_settings={"search_path": "tichu"})
    looked = Database(database.url)
    directory = Directory(looked)
    try:
        query = """
            INSERT INTO directory SELECT 'm' || i, 'M' || i, 1, '', i, true, true,
                ARRAY[md5('a' || i), md5('b' || i), md5('c' || i), md5('d' || i)],
                convert_to('{"stage":"' || CASE WHEN i % 2 = 0 THEN 'playing' ELSE 'open' END || '","rest":"'
                || repeat(md5(i::text), 30) || '"}', 'utf8')
            FROM generate_series(1, 2 * $1::integer) AS i
        """
        await db.execute(query, _HOME_GAMES)
        await db.execute("VACUUM ANALYZE directory")
        await looked.start()

        async def look() -> None:
            for _ in range(times):
                await directory.offers(LISTED * _OFFERED)
                await directory.in_play(_IN_PLAY)
                await directory.players_in_play(_COUNTED)

        await look()
        return await _database_seconds(database, look) / times
    finally:
        await looked.close()
        await db.execute("DELETE FROM directory")
        await db.close()


async def _measure_micro(database: Postgres) -> Micro:
    few, many, times = 3, 200, 3000
    renewal_few = await _measure_renewals(database, few, times)
    renewal_many = await _measure_renewals(database, many, times // 3)
    row = max(0.0, (renewal_many - renewal_few) / (many - few))
    few, many = 1, 40
    news_few = await _measure_news(database, few, times)
    news_many = await _measure_news(database, many, times // 3)
    listener = max(0.0, (news_many - news_few) / (many - few))
    home = await _measure_home(database, 50)
    return Micro(renewal_few - 3 * row, row, max(0.0, news_few - listener), listener, home)


#: The last one is predicted.
_STRETCHES: Final = (
    Variant("three, nearly idle", 3, is_hashing=True, tables=6),
    Variant("one", 1, is_hashing=True, tables=150),
    Variant("one, much", 1, is_hashing=True, tables=900),
    Variant("three, by table", 3, is_hashing=True, tables=300),
    Variant("three, in turns", 3, is_hashing=False, tables=300),
    Variant("three, in turns, twice as many", 3, is_hashing=False, tables=600),
)


async def _measure_quietly(database: Postgres, variant: Variant, seconds: float) -> Stretch:
    """The stretch that was disturbed least, of those that had to be."""
    best: Stretch | None = None
    for _ in range(_TRIES):
        db = await asyncpg.connect(database.url)
        await db.execute("CHECKPOINT")
        await db.close()
        one = await measure(database, variant, seconds, _PERIOD_S)
        click.echo(f"{variant.name}: {one.line()}", err=True)
        best = one if best is None or one.elsewhere < best.elsewhere else best
        if best.elsewhere <= _QUIET:
            break
    assert best is not None
    return best


async def _measure(database: Postgres, seconds: float, turns: int) -> dict[str, Any]:
    stretches: list[list[Stretch]] = [[] for _ in _STRETCHES]
    for turn in range(turns):
        # Every other time the other way round: whatever changes slowly is not taken for what the load does.
        for at in range(len(_STRETCHES))[:: 1 if turn % 2 == 0 else -1]:
            stretches[at].append(await _measure_quietly(database, _STRETCHES[at], seconds))
    # The schema is there now.
    micro = await _measure_micro(database)
    named = {variant.name: [one._asdict() for one in some] for variant, some in zip(_STRETCHES, stretches, strict=True)}
    return {"stretches": named, "micro": micro._asdict()}


def _lines(costs: Costs, limits: Limits) -> list[str]:
    micro = costs.micro
    lines = [
        f"a node       {1000 * costs.node_s:.1f} ms a second for itself, {1000 * costs.command_s:.2f} ms a command, "
        f"{1000 * costs.relayed_s:.2f} ms more if it is relayed, up to {100 * costs.waking:.0f} % more to wake up",
        f"database     {1000 * costs.database_node_s:.2f} ms a second for each node, {1000 * costs.entry_s:.3f} ms an "
        f"entry, {costs.entries_a_command:.2f} entries a command, {costs.wal_an_entry:.0f} bytes of its log an entry",
        f"             a renewal {1e6 * micro.renewal_s:.0f} us and {1e6 * micro.renewal_row_s:.1f} us for each node, "
        f"news {1e6 * micro.news_s:.0f} us and {1e6 * micro.news_listener_s:.1f} us for each node, "
        f"a look for the start page {1e3 * micro.home_s:.1f} ms",
        f"balancer     {1000 * costs.balanced_s:.3f} ms a command",
    ]
    for name, share in (("by table (a tenth relayed)", 0.1), ("in turns (two thirds relayed)", 2 / 3)):
        lines += [name, "  tables     nodes  connections  database  renewals   news   home  log MB/s  balancer"]
        for tables in (3_000, 10_000, 100_000, 1_000_000):
            size = carry(costs, tables, share)
            lines.append(
                f"  {tables:<10,d} {size.nodes:5d}  {size.connections:11,.0f}  {size.database_cores:8.1f}  "
                f"{size.renewal_cores:8.2f}  {size.news_cores:5.2f}  {size.home_cores:5.2f}  {size.wal_mb_s:8.1f}  "
                f"{size.balancer_cores:8.2f}"
            )
        lines += [f"  {name} at {tables:,.0f} tables" for tables, name in breaking_points(costs, share, limits)]
    return lines


def _undisturbed(turns: Sequence[Stretch]) -> Sequence[Stretch]:
    """Those during which others let the machine alone; all, if they never did."""
    return [one for one in turns if one.elsewhere <= _QUIET] or turns


def _disturbed(turns: Mapping[str, Sequence[Stretch]]) -> list[str]:
    """What costs are not to be trusted for."""
    return [
        f"{name}: others kept {one.elsewhere:.1f} cores busy, so its costs may be too high"
        for name, some in turns.items()
        for one in some
        if one.elsewhere > _QUIET
    ]


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
    turns = {name: _undisturbed([Stretch(**one) for one in some]) for name, some in told["stretches"].items()}
    seen = [joined(some) for some in turns.values()]
    clients = fit_clients(seen[:-1])
    stretches = [clients.evened(one) for one in seen]
    costs = fit(stretches[:-1], Micro(**told["micro"]))
    is_good = False
    for at, (one, raw) in enumerate(zip(stretches, seen, strict=True), 1):
        # The last one decides: that what was fitted fits proves nothing.
        is_good = True
        click.echo(f"{'predicted' if at == len(stretches) else 'fitted'}: {raw.line()}")
        slowness = clients.slowness(raw)
        click.echo(f"  as its clients show, the machine took {slowness:.2f} times as long as usual")
        for name, (said, was) in errors(costs, one).items():
            off = said / was - 1 if was else math.inf
            click.echo(f"  {name:9} {slowness * said:.4f} cores, measured {slowness * was:.4f} ({100 * off:+.0f} %)")
            is_good &= name != "together" or abs(off) <= _WITHIN
    for line in _disturbed(turns):
        click.echo(f"! {line}")
    click.echo("\n".join(_lines(costs, Limits(**limits))))
    sys.exit(0 if is_good else 1)


@main.command("measure")
@click.option("--seconds", type=click.FloatRange(1), default=20, show_default=True, help="Of each stretch.")
@click.option("--turns", type=click.IntRange(1), default=3, show_default=True, help="How often each is measured.")
@click.pass_obj
def measure_command(path: Path, seconds: float, turns: int) -> None:
    """Run small clusters and write down what they take."""
    raise_file_limit()
    try:
        find_nginx()
        with postgres_server() as database:
            told = asyncio.run(_measure(database, seconds, turns))
    except (NoPostgres, NoBalancer, ConnectionError, TimeoutError) as error:
        raise click.ClickException(str(error) or type(error).__name__) from None
    except KeyboardInterrupt:
        sys.exit(130)
    path.write_text(json.dumps(told, indent=1) + "\n")


if __name__ == "__main__":
    main()
