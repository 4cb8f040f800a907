"""The drill restores what there is, while it changes, and finds a copy that is no good."""

import asyncio
from collections.abc import AsyncIterator
from functools import cache
from pathlib import Path
from random import Random

import asyncpg
import pytest
from click.testing import CliRunner

from bench.postgres import find_programs
from tests.server.players import Club
from tichu.server import log
from tichu.server.store import Store, open_store
from tichu.server.wire.settings import Settings
from tools.restore_drill import Failed, drill, main


@pytest.fixture
def programs(postgres: str) -> Path:
    """Those that come with the database."""
    return find_programs()


@cache
def lines() -> list[bytes]:
    """The log of a round that was played."""
    club = Club(Settings(pace=0.1))
    club.seat_people(0, 1, 2, 3)
    club.start()
    club.play(Random(3), most=60)
    return [log.encode(entry) for entry in club.entries]


@pytest.fixture
async def store(postgres: str) -> AsyncIterator[Store]:
    db = await asyncpg.connect(postgres)
    await db.execute("DROP SCHEMA IF EXISTS tichu CASCADE")
    await db.close()
    store = await open_store(postgres)
    for number in range(5):
        await store.append(f"table{number}", 1, lines())
    yield store
    await store.close()


@pytest.mark.anyio
async def test_a_copy_is_restored_while_the_server_writes(
    postgres: str, store: Store, programs: Path, tmp_path: Path
) -> None:
    first = len(lines()) + 1

    async def write_on() -> None:
        for number in range(first, 100_000):
            await store.append("table0", number, [lines()[0]])

    writing = asyncio.create_task(write_on())
    await asyncio.sleep(0.05)
    told = await drill(postgres, tmp_path / "copy", programs)
    assert not writing.done()
    writing.cancel()
    assert "all rows are the same" in told[-1]
    db = await asyncpg.connect(postgres)
    assert await db.fetchval("SELECT count(*) FROM pg_database WHERE datname = 'tichu_drill'") == 0
    await db.close()


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("damage", "words"),
    [
        ("DELETE FROM tichu.log WHERE table_id = 'table1' AND n = 7", "the logs of 1 tables have gaps, that of table1"),
        ("UPDATE tichu.tables SET next = next + 1 WHERE id = 'table2'", "the logs of 1 tables have gaps"),
        ("UPDATE tichu.log SET entry = '{}' WHERE table_id = 'table3' AND n = 2", "entry 2 of table table3 cannot be"),
        ("DROP SCHEMA tichu CASCADE", "there is no tichu in this database"),
    ],
)
async def test_what_is_no_good_is_named(
    postgres: str, store: Store, programs: Path, tmp_path: Path, damage: str, words: str
) -> None:
    db = await asyncpg.connect(postgres)
    await db.execute(damage)
    await db.close()
    with pytest.raises(Failed, match=words):
        await drill(postgres, tmp_path / "copy", programs)


@pytest.mark.anyio
async def test_a_copy_that_was_changed_is_not_the_same(
    postgres: str, store: Store, programs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tools import restore_drill

    run = restore_drill._run

    def run_and_lose(program: str, folder: Path | None, *arguments: str) -> None:
        more = ("--exclude-table-data=tichu.players", "--exclude-table-data=tichu.log") if program == "pg_dump" else ()
        run(program, folder, *more, *arguments)

    monkeypatch.setattr(restore_drill, "_run", run_and_lose)
    with pytest.raises(Failed, match="not as it was: log"):
        await drill(postgres, tmp_path / "copy", programs)


@pytest.mark.parametrize("url", ["postgresql://nobody@127.0.0.1:1/x", "postgresql://x", "nonsense", "postgresql://a:b"])
def test_a_database_that_is_not_there_is_told_in_a_sentence(url: str) -> None:
    ran = CliRunner().invoke(main, [url])
    assert ran.exit_code == 1
    assert ran.output.startswith("Error: ")
