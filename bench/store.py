"""How fast a store takes entries and gives tables back.

``python -m bench.store`` measures SQLite in a temporary folder, ``python -m bench.store URL`` any store; its own tables
are gone afterwards, others are left alone.  Each figure is the median of several runs with the lowest and the
highest.
"""

import asyncio
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from statistics import median, quantiles
from typing import Any

import click

from tichu.server.log import ActionEntry, encode
from tichu.server.store import Store, StoreError, open_store

RUNS = 7
TABLES = 1_000
ENTRIES = 45
ENTRY = encode(ActionEntry(at=1_700_000_000.25, action="2:7s7b7g8s8r", command="n3Zx0a9KqPfW 4f1d2c"))
NAMES = [f"bench-{number:06}" for number in range(TABLES)]


class Tables:
    """Counts as the owners of tables do."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._next = dict.fromkeys(NAMES, 1)

    async def append(self, name: str, entries: list[bytes], **options: Any) -> None:
        """Append to a table."""
        first = self._next[name]
        self._next[name] += len(entries)
        await self.store.append(name, first, entries, **options)


def show(what: str, figures: list[float], unit: str) -> None:
    """One line of the report."""
    low, middle, high = (f"{figure:,.3g}" if figure < 100 else f"{figure:,.0f}" for figure in spread(figures))
    click.echo(f"{what:<58} {middle:>9} {unit}  ({low} to {high})")


def spread(figures: list[float]) -> tuple[float, float, float]:
    """The lowest, the median and the highest."""
    return min(figures), median(figures), max(figures)


async def seconds(work: Callable[[], Awaitable[object]]) -> float:
    """How long it takes."""
    start = time.perf_counter()
    await work()
    return time.perf_counter() - start


async def one_after_the_other(tables: Tables, count: int = 2_000) -> float:
    """Entries per second of somebody who waits for each."""

    async def append_all() -> None:
        for number in range(count):
            await tables.append(NAMES[number % TABLES], [ENTRY])

    return count / await seconds(append_all)


async def all_at_once(tables: Tables, count: int = 10) -> float:
    """Entries per second of a thousand tables, each of which waits for its own."""

    async def append_all(name: str) -> None:
        for _ in range(count):
            await tables.append(name, [ENTRY])

    return count * TABLES / await seconds(lambda: asyncio.gather(*map(append_all, NAMES)))


async def measure_loading(store: Store) -> float:
    """Seconds until all tables are read."""

    async def load() -> None:
        async for stored in store.tables():
            if len(stored.entries) != ENTRIES:
                raise click.ClickException("the store holds tables that are not of this measurement")

    return await seconds(load)


async def measure_waits(tables: Tables, work_s: float, rate: float = 250.0, count: int = 1_000) -> list[float]:
    """Milliseconds from an append to its promise at a steady rate, in a loop that works after each for a while."""
    waits: list[float] = []

    async def append(name: str) -> None:
        waits.append(1e3 * await seconds(lambda: tables.append(name, [ENTRY])))
        end = time.perf_counter() + work_s
        while time.perf_counter() < end:
            pass

    start = time.perf_counter()
    async with asyncio.TaskGroup() as tasks:
        for number in range(count):
            await asyncio.sleep(start + number / rate - time.perf_counter())
            tasks.create_task(append(NAMES[number % TABLES]))
    return waits


async def measure(url: str) -> None:
    """Everything, one line each."""
    store = await open_store(url)
    tables = Tables(store)
    try:
        show("one entry after the other", [await one_after_the_other(tables) for _ in range(RUNS)], "entries/s")
        show(f"{TABLES:,} tables at once", [await all_at_once(tables) for _ in range(RUNS)], "entries/s")
        for work_ms in (0.0, 1.0):
            runs = [quantiles(await measure_waits(tables, work_ms / 1e3), n=100) for _ in range(RUNS)]
            where = f"250 entries/s in a loop busy {work_ms / 4:.0%} of the time"
            show(f"{where}, median", [run[49] for run in runs], "ms")
            show(f"{where}, p99", [run[98] for run in runs], "ms")
        for name in NAMES:
            await tables.append(name, [ENTRY] * ENTRIES, checkpoint=True)
        show(
            f"loading {TABLES:,} tables of {ENTRIES} entries",
            [await measure_loading(store) for _ in range(RUNS)],
            "s",
        )
    finally:
        for name in NAMES:
            await store.close_table(name)
        await store.close()


@click.command
@click.argument("url", required=False)
def main(url: str | None) -> None:
    """Measure the store at URL, by default a SQLite file in a temporary folder."""
    try:
        with tempfile.TemporaryDirectory() as folder:
            asyncio.run(measure(url or str(Path(folder) / "tichu.db")))
    except StoreError as error:
        raise click.ClickException(str(error)) from None


if __name__ == "__main__":
    main()
