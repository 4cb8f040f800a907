"""The server that is besieged, and what can happen to it: death, a new date, a stuck store, lost workers."""

import asyncio
import json
import os
import re
import select
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

from bench.load import usage

__all__ = ["FILES_MORE", "Besieged", "Vitals", "growth"]

_START_S: Final = 60.0
_ANSWER_S: Final = 30.0
_TOKEN: Final = "siege"
_FAULTY: Final = re.compile(r"Traceback|set aside| error [0-9a-f]{8} in |Task exception|never awaited| CRITICAL ")


#: Descriptors of processes that were not there at first.
FILES_MORE: Final = 16
#: What is kept of those who came, and the tables of those who did not close them.
_OBJECTS_SHARE: Final = 1.1
_OBJECTS_MORE: Final = 30_000
_OBJECTS_A_TABLE: Final = 4_000
#: What garbage took up between two searches is not always given back to the system.
_MB_MORE: Final = 160.0


class Vitals(NamedTuple):
    """What a server holds at a moment."""

    rss_mb: float
    files: int
    tables: int
    sockets: int
    #: Blocks of memory that Python has given out, when there is no garbage.
    objects: int

    def __str__(self) -> str:
        return (
            f"{self.rss_mb:.0f} MB, {self.files} descriptors, {self.tables} tables, {self.sockets} sockets, "
            f"{self.objects} objects"
        )


class Besieged:
    """A server on one port with one store, and as many lives as it takes."""

    def __init__(self, folder: Path, database: str, *options: str) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        self.database = database
        self._options = options
        self._answers = -1
        self._log_read = 0
        self._ordering = asyncio.Lock()
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
        self._answers, theirs = os.pipe()
        command = [sys.executable, "-m", "bench.siege.target", str(theirs), "--port", str(self.port)]
        command += ["--database", self.database, *self._options]
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                command,
                # As a variable, which servers of 0.1 do not mind.
                env=os.environ | {"TICHU_METRICS_TOKEN": _TOKEN},
                cwd=Path(__file__).parents[2],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=log,
                text=True,
                pass_fds=[theirs],
                # An interrupt from the keyboard is for us.
                start_new_session=True,
            )
        os.close(theirs)
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
        if self._process.stdin is not None:
            with suppress(BrokenPipeError):
                self._process.stdin.close()
        if self._answers >= 0:
            os.close(self._answers)
            self._answers = -1

    def log(self) -> str:
        """What all lives wrote."""
        return self._log.read_text(errors="replace") if self._log.exists() else ""

    def new_faults(self) -> list[str]:
        """Lines in the log since this was last asked that must not be there."""
        with self._log.open("rb") as file:
            file.seek(self._log_read)
            news = file.read()
        whole = news[: news.rfind(b"\n") + 1]
        self._log_read += len(whole)
        lines = whole.decode(errors="replace").splitlines()
        return [_with_reason(lines[place:]) for place, line in enumerate(lines) if _FAULTY.search(line)]

    # What can happen to it.

    async def step_date(self, seconds: float) -> None:
        """Set its date back or forth."""
        await self._order(f"date {seconds}")

    async def _order(self, order: str) -> Any:
        assert self._process is not None
        assert self._process.stdin is not None
        async with self._ordering:
            self._process.stdin.write(order + "\n")
            self._process.stdin.flush()
            answer = await asyncio.to_thread(_read_line, self._answers)
            if not answer:
                raise ConnectionError(f"the server does not obey: {order}")
            return json.loads(answer)

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
        """What it holds now, after a search for garbage, which it does by itself now and then."""
        objects: int = await self._order("count")
        files = len(list(Path(f"/proc/{self.pid}/fd").iterdir()))
        return Vitals(usage(self.pid).rss_mb, files, await self._number("tables"), await self.sockets(), objects)

    async def long_steps(self) -> dict[str, list[float]]:
        """The two longest steps of each kind of its event loop since this was last asked, in ms of the processor."""
        steps: dict[str, list[float]] = await self._order("steps")
        return steps

    async def sockets(self) -> int:
        """How many it counts."""
        return await self._number("sockets")

    async def _number(self, name: str) -> int:
        (line,) = await self.metric_lines(f"tichu_{name} ")
        return int(float(line.rsplit(" ", 1)[1]))

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


def growth(before: Vitals, after: Vitals) -> list[str]:
    """What a server holds more than it should; tables that attackers leave behind are allowed for."""
    tables = max(0, after.tables - before.tables)
    most_objects = round(_OBJECTS_SHARE * before.objects) + _OBJECTS_MORE + _OBJECTS_A_TABLE * tables
    checks = {
        f"{after.files} descriptors are open, {before.files} were": after.files > before.files + FILES_MORE,
        f"{after.objects} objects are held, {before.objects} were": after.objects > most_objects,
        f"{after.rss_mb:.0f} MB are held, {before.rss_mb:.0f} were": after.rss_mb > before.rss_mb + _MB_MORE,
    }
    return [words for words, is_so in checks.items() if is_so]


def _read_line(pipe: int) -> bytes:
    """What comes next, or nothing if nothing comes."""
    line = b""
    while not line.endswith(b"\n"):
        readable, _, _ = select.select([pipe], [], [], _ANSWER_S)
        part = os.read(pipe, 4096) if readable else b""
        if not part:
            return b""
        line += part
    return line


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


def _with_reason(lines: Sequence[str]) -> str:
    """A line and, if a traceback begins with it, how that ends."""
    first, *others = lines
    if "Traceback" not in first:
        return first
    return next((f"{first} ... {line}" for line in others if line and not line[0].isspace()), first)
