"""The server that is besieged, and what can happen to it: death, a new date, a stuck store, lost workers."""

import asyncio
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

from bench.load import usage

__all__ = ["Besieged", "Vitals", "measure_vitals"]

_START_S: Final = 60.0
_TOKEN: Final = "siege"


class Vitals(NamedTuple):
    """What a server holds at a moment."""

    rss_mb: float
    files: int
    tables: int
    sockets: int


class Besieged:
    """A server on one port with one store, and as many lives as it takes."""

    def __init__(self, folder: Path, database: str) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        self.database = database
        self.lives = 0
        self._log = folder / "server.log"
        self._process: subprocess.Popen[str] | None = None

    @property
    def pid(self) -> int:
        """Of the life that is on."""
        assert self._process is not None
        return self._process.pid

    async def begin(self) -> None:
        """Start, and return when it answers.

        :raises OSError: it does not
        """
        self.lives += 1
        command = [sys.executable, "-m", "bench.siege.target", "--port", str(self.port), "--database", self.database]
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [*command, "--metrics-token", _TOKEN],
                cwd=Path(__file__).parents[2],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                # An interrupt from the keyboard is for us.
                start_new_session=True,
            )
        until = time.monotonic() + _START_S
        while time.monotonic() < until and self._process.poll() is None:
            with suppress(OSError, TimeoutError):
                if await self._get("/healthz"):
                    return
            await asyncio.sleep(0.05)
        raise ConnectionError(f"the server does not start: {self.log()[-800:]}")

    async def kill(self) -> None:
        """``kill -9``; when this returns, it is gone, but for what its workers have to notice."""
        assert self._process is not None
        self._process.kill()
        await asyncio.to_thread(self._process.wait)
        self._close_pipes()

    async def stop(self) -> int:
        """End it as an operator does; the exit status."""
        assert self._process is not None
        self._process.send_signal(signal.SIGTERM)
        try:
            return await asyncio.to_thread(self._process.wait, 30)
        except subprocess.TimeoutExpired:
            self._process.kill()
            return await asyncio.to_thread(self._process.wait)
        finally:
            self._close_pipes()

    def end(self) -> None:
        """Whatever happened before, nothing of it runs any more."""
        if self._process is not None and self._process.poll() is None:
            self._process.kill()
            self._process.wait()
            self._close_pipes()

    def _close_pipes(self) -> None:
        assert self._process is not None
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with suppress(BrokenPipeError):
                    pipe.close()

    def log(self) -> str:
        """What all lives wrote."""
        return self._log.read_text(errors="replace") if self._log.exists() else ""

    # What can happen to it.

    async def step_date(self, seconds: float) -> None:
        """Set its date back or forth."""
        await asyncio.to_thread(self._order, f"date {seconds}")

    async def collect_garbage(self) -> None:
        """Let it search now, which it does by itself every ten minutes."""
        await asyncio.to_thread(self._order, "collect")

    def _order(self, order: str) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(order + "\n")
        self._process.stdin.flush()
        # The command itself says once where it listens.
        while (line := self._process.stdout.readline()) != "done\n":
            if not line:
                raise ConnectionError("the server has ended")

    def kill_worker(self, rng: Random) -> bool:
        """Kill one of its processes for bots and background work; False if there are none."""
        children = [int(pid) for pid in _children(self.pid) if b"spawn_main" in _command_line(int(pid))]
        if not children:
            return False
        with suppress(ProcessLookupError):
            os.kill(rng.choice(children), signal.SIGKILL)
        return True

    async def stall_store(self, seconds: float) -> None:
        """Nothing can be written for a while."""
        if self.database.startswith("postgres"):
            import asyncpg

            db = await asyncpg.connect(self.database)
            try:
                async with db.transaction():
                    await db.execute("LOCK TABLE tichu.log IN ACCESS EXCLUSIVE MODE")
                    await asyncio.sleep(seconds)
            finally:
                await db.close()
            return

        def stall() -> None:
            db = sqlite3.connect(self.database.removeprefix("sqlite:"), timeout=10, isolation_level=None)
            try:
                db.execute("BEGIN IMMEDIATE")
                time.sleep(seconds)
                db.execute("ROLLBACK")
            finally:
                db.close()

        await asyncio.to_thread(stall)

    # How it is.

    async def vitals(self) -> Vitals:
        """What it holds now."""
        text = (await self._get("/metrics", f"Authorization: Bearer {_TOKEN}\r\n")).decode()
        numbers = dict(line.rsplit(" ", 1) for line in text.splitlines() if line and not line.startswith("#"))
        return measure_vitals(self.pid, numbers)

    async def metric_lines(self, *names: str) -> list[str]:
        """The lines of /metrics that begin with one of these names."""
        text = (await self._get("/metrics", f"Authorization: Bearer {_TOKEN}\r\n")).decode()
        return [line for line in text.splitlines() if line.startswith(names)]

    async def _get(self, path: str, headers: str = "") -> bytes:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        try:
            writer.write(
                f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n{headers}Connection: close\r\n\r\n".encode()
            )
            answer = await asyncio.wait_for(reader.read(), 10)
        finally:
            writer.close()
        head, _, body = answer.partition(b"\r\n\r\n")
        return body if b" 200 " in head.split(b"\r\n")[0] else b""


def measure_vitals(pid: int, numbers: dict[str, str]) -> Vitals:
    """From the system, and from the server's own numbers."""
    files = len(list(Path(f"/proc/{pid}/fd").iterdir()))
    tables, sockets = float(numbers.get("tichu_tables", 0)), float(numbers.get("tichu_sockets", 0))
    return Vitals(usage(pid).rss_mb, files, int(tables), int(sockets))


def _children(pid: int) -> list[str]:
    # The workers are started by threads of the server.
    found: list[str] = []
    for task in Path(f"/proc/{pid}/task").iterdir():
        with suppress(OSError):
            found += (task / "children").read_text().split()
    return found


def _command_line(pid: int) -> bytes:
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    return b""
