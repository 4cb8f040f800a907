"""A server that is killed, not stopped: what it has acknowledged is there."""

import asyncio
import subprocess
import sys
from pathlib import Path
from random import Random

from tests.server.appender import CHECKPOINT, TABLES
from tests.server.test_store import logs, opened

ROOT = Path(__file__).resolve().parents[2]


def killed_after(url: str, acknowledged: int) -> dict[str, int]:
    """Kill an appender after so many acknowledgements: the last number that it told for each table."""
    command = [sys.executable, "-m", "tests.server.appender", url]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE) as server:
        assert server.stdout is not None
        heard = [server.stdout.readline() for _ in range(acknowledged)]
        server.kill()
        heard += server.stdout.readlines()
    assert all(line.endswith(b"\n") for line in heard)
    return {table.decode(): int(number) for table, number in (line.split() for line in heard)}


async def everything(url: str) -> dict[str, list[int]]:
    async with opened(url) as store:
        return {table: [int(entry) for entry in entries] for table, entries in (await logs(store)).items()}


def test_every_acknowledged_entry_outlives_a_kill(url: str) -> None:
    rng = Random(1)
    last: dict[str, int] = {}
    for _ in range(4):
        told = killed_after(url, rng.randrange(1, 400))
        stored = asyncio.run(everything(url))
        last |= told
        assert last.keys() <= stored.keys()
        for table, log in stored.items():
            assert log[0] % CHECKPOINT == 0
            assert log == list(range(log[0], log[-1] + 1))
            # One more may have been stored whose acknowledgement nobody heard.
            assert log[-1] - last.get(table, -1) in (0, 1)
            last[table] = log[-1]
        assert len(stored) <= TABLES
