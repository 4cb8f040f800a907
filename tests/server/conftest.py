"""Stores to test with.  PostgreSQL is a real server from PyPI; with ``CI=true`` its absence is a failure."""

import asyncio
import os
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from bench.postgres import NoPostgres
from bench.postgres import postgres as start_postgres
from tichu.server.store import Store, open_store

CI = os.environ.get("CI") == "true"


@pytest.fixture
def anyio_backend() -> str:
    """Coroutines that are tests run on asyncio."""
    return "asyncio"


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The URL of a PostgreSQL server that lives as long as the tests."""
    with ExitStack() as stack:
        try:
            url = stack.enter_context(start_postgres())
        except NoPostgres as error:
            reason = f"no PostgreSQL: {error}"
            if CI:
                pytest.fail(reason)
            pytest.skip(reason)
        yield url


async def _forget_everything(url: str) -> None:
    import asyncpg

    db = await asyncpg.connect(url)
    try:
        await db.execute("DROP SCHEMA IF EXISTS tichu CASCADE")
    finally:
        await db.close()


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty store of each kind."""
    if request.param == "sqlite":
        return f"sqlite:{tmp_path / 'tichu.db'}"
    postgres: str = request.getfixturevalue("postgres")
    asyncio.run(_forget_everything(postgres))
    return postgres


@pytest.fixture
async def store(url: str) -> AsyncIterator[Store]:
    """An open store of each kind."""
    store = await open_store(url)
    yield store
    await store.close()
