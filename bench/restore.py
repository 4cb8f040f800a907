"""How soon a server has its tables back.

``python -m bench.restore`` fills a store with open tables, each with three finished rounds and forty actions in the
current one, and starts a lobby on it as a server does: the store is opened, every log is read and folded, every table
gets its room, and each room answers a question.  A figure is the median of several starts with the lowest and the
highest; on a busy machine the processor's time says more than the clock.  By default the store is a SQLite file in a
temporary folder; a URL names another, which must be empty.
"""

import asyncio
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from random import Random
from statistics import median

import click
from msgspec.structs import replace

from tests.server.players import Club
from tichu.agents.base import Choice
from tichu.server import log
from tichu.server.config import Config
from tichu.server.lobby import Lobby
from tichu.server.metrics import Metrics
from tichu.server.store import StoreError, open_store
from tichu.server.table.ports import BotAsk
from tichu.server.wire import Check, Checked

#: Games that the tables have among them.
DIFFERENT = 25
ROUNDS, ACTIONS = 3, 40


def logs() -> Iterator[list[log.Entry]]:
    """Logs of different games, from their last checkpoints on."""
    for seed in range(DIFFERENT):
        club = Club(seed=seed)
        club.seat_people(0, 1, 2, 3)
        club.start()
        club.play(Random(seed), stop=partial(is_there, club))
        if not is_there(club):
            raise click.ClickException(f"game {seed} ended before its time")
        yield club.entries[club.checkpoints[-1] :]


def is_there(club: Club) -> bool:
    """Whether enough rounds are over, and enough actions of the next one stored."""
    if len(club.checkpoints) <= ROUNDS:
        return False
    return sum(isinstance(entry, log.ActionEntry) for entry in club.entries[club.checkpoints[ROUNDS] :]) >= ACTIONS


def copy_log(entries: list[log.Entry], number: int) -> list[bytes]:
    """The log of another table with the same game."""
    point, *others = entries
    assert isinstance(point, log.Checkpoint)
    point = replace(point, opened=replace(point.opened, id=f"table-{number:06}", code=f"C{number:06}"))
    # The clock of the games is made up; a table that nobody has visited for long would be closed.
    return [log.encode(replace(entry, at=time.time())) for entry in (point, *others)]


async def fill(url: str, tables: int) -> tuple[int, int]:
    """Store that many tables; how many entries and bytes they have."""
    store = await open_store(url)
    try:
        async for stored in store.tables():
            raise click.ClickException(f"the store is not empty: it holds table {stored.id}")
        games = list(logs())
        kept = [copy_log(games[number % DIFFERENT], number) for number in range(tables)]
        await asyncio.gather(
            *(store.append(f"table-{number:06}", 1, lines, checkpoint=True) for number, lines in enumerate(kept))
        )
    finally:
        await store.close()
    return sum(map(len, kept)), sum(len(line) for lines in kept for line in lines)


async def no_bot(ask: BotAsk) -> Choice:
    """All seats are held by people."""
    raise AssertionError(ask)


async def start(url: str, tables: int) -> tuple[float, float]:
    """Seconds until every table answers, by the clock and of the processor."""
    began = time.perf_counter(), time.process_time()
    store = await open_store(url)
    lobby = Lobby(Config(), store, no_bot, Metrics())
    await lobby.start()
    guests = Club().people
    answers = [room.answer(guests[0], Check(id="c", cards=("Ma",)), 30.0) for room in lobby.rooms.values()]
    answered = [isinstance(answer, Checked) for answer in await asyncio.gather(*answers)]
    seconds = time.perf_counter() - began[0], time.process_time() - began[1]
    await lobby.close()
    await store.close()
    if len(answered) != tables or not all(answered):
        raise click.ClickException(f"{sum(answered)} of {tables} tables came back")
    return seconds


async def forget(url: str) -> None:
    """Leave the store as it was."""
    store = await open_store(url)
    async for stored in store.tables():
        await store.close_table(stored.id)
    await store.close()


@click.command
@click.argument("url", required=False)
@click.option("--tables", default=1_000, show_default=True)
@click.option("--runs", default=7, show_default=True)
def main(url: str | None, tables: int, runs: int) -> None:
    """Fill the store at URL with tables and restart a server on it."""
    try:
        with tempfile.TemporaryDirectory() as folder:
            place = url or str(Path(folder) / "tichu.db")
            entries, size = asyncio.run(fill(place, tables))
            click.echo(f"{tables:,} tables: {entries:,} entries, {size / 1e6:.1f} MB")
            figures = [asyncio.run(start(place, tables)) for _ in range(runs)]
            asyncio.run(forget(place))
    except StoreError as error:
        raise click.ClickException(str(error)) from None
    for what, seconds in zip(("back after", "processor"), zip(*figures, strict=True), strict=True):
        click.echo(f"{what} {median(seconds):.2f} s ({min(seconds):.2f} to {max(seconds):.2f})")


if __name__ == "__main__":
    main()
