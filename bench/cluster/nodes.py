"""The nodes of a cluster as processes, each with as many lives as it takes."""

import asyncio
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

__all__ = ["ROOT", "Node", "Program", "free_port", "wait_port"]

ROOT: Final = Path(__file__).parents[2]
_START_S: Final = 60.0
_END_S: Final = 40.0
_SECRET: Final = "a secret of the cluster on this machine"
_METRICS_TOKEN: Final = "cluster"
_FAULTY: Final = re.compile(r"Traceback|set aside| error [0-9a-f]{8} in |Task exception|never awaited| CRITICAL ")


class Program(NamedTuple):
    """What is run as ``tichu``: which sources, and by which module."""

    folder: Path = ROOT
    module: str = "tichu"


def free_port() -> int:
    """One that nobody listens at now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


async def wait_port(port: int, process: "subprocess.Popen[bytes]", log: Path) -> None:
    """Return when somebody listens there.

    :raises ConnectionError: the process ended, or it takes too long
    """
    until = time.monotonic() + _START_S
    while time.monotonic() < until and process.poll() is None:
        with suppress(OSError):
            _, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.close()
            return
        await asyncio.sleep(0.05)
    raise ConnectionError(f"nobody listens at port {port}: {log.read_text(errors='replace')[-800:]}")


class Node:
    """One node at one port; ``name`` is empty for a server that is no node."""

    def __init__(self, folder: Path, name: str, database: str, options: Sequence[str] = ()) -> None:
        self.name = name
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        #: Another one from the next life on.
        self.database = database
        self.program = Program()
        self.lives = 0
        self._options = tuple(options)
        self._log = folder / f"{name or 'single'}.log"
        self._log_read = 0
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def session(self) -> str:
        """By which the database knows this life."""
        return f"{self.name}.{self.lives}"

    @property
    def is_alive(self) -> bool:
        """Whether there is a process."""
        return self._process is not None and self._process.poll() is None

    async def start(self, *, is_awaited: bool = True) -> None:
        """Begin a life; usually return when it answers.

        :raises OSError: the port is somebody else's by now
        :raises ConnectionError: it does not answer
        """
        # What else listens there would be taken for the node, which ends when it finds that out.
        with socket.create_server(("127.0.0.1", self.port)):
            self.lives += 1
        sign = "&" if "?" in self.database else "?"
        command = [sys.executable, "-m", self.program.module, "serve", "--port", str(self.port)]
        command += ["--database", f"{self.database}{sign}application_name={self.session}"]
        command += ["--trusted-proxies", "127.0.0.1"]
        if self.name:
            command += ["--node", self.name, "--node-url", self.url]
        folder = self.program.folder
        told = {"TICHU_NODE_SECRET": _SECRET, "TICHU_METRICS_TOKEN": _METRICS_TOKEN}
        told["PYTHONPATH"] = os.pathsep.join(map(str, (folder / "src", folder, ROOT)))
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [*command, *self._options],
                env=os.environ | told,
                cwd=folder,
                stdout=log,
                stderr=log,
                start_new_session=True,  # An interrupt from the keyboard is for us.
            )
        if is_awaited:
            await self._wait_healthy()

    async def _wait_healthy(self) -> None:
        assert self._process is not None
        until = time.monotonic() + _START_S
        while time.monotonic() < until and self._process.poll() is None:
            with suppress(OSError, TimeoutError):
                head, _ = await self._get("/healthz")
                if head.startswith(b"HTTP/1.1 200"):
                    return
            await asyncio.sleep(0.05)
        raise ConnectionError(f"node {self.name} does not start: {self.log()[-800:]}")

    async def _get(self, path: str) -> tuple[bytes, bytes]:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        try:
            writer.write(
                f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nConnection: close\r\n"
                f"Authorization: Bearer {_METRICS_TOKEN}\r\n\r\n".encode()
            )
            head, _, body = (await asyncio.wait_for(reader.read(), 10)).partition(b"\r\n\r\n")
        finally:
            writer.close()
        return head, body

    async def kill(self) -> None:
        """``kill -9``; when this returns it is gone."""
        assert self._process is not None
        self._process.kill()
        await asyncio.to_thread(self._process.wait)

    async def stop(self) -> int:
        """End it as an operator does, with SIGTERM; the exit status."""
        assert self._process is not None
        self._process.send_signal(signal.SIGTERM)
        try:
            return await asyncio.to_thread(self._process.wait, _END_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            await asyncio.to_thread(self._process.wait)
            return -signal.SIGKILL

    def freeze(self) -> None:
        """SIGSTOP: it stands still and holds everything that it has."""
        assert self._process is not None
        os.kill(self._process.pid, signal.SIGSTOP)

    def thaw(self) -> None:
        """Go on."""
        assert self._process is not None
        os.kill(self._process.pid, signal.SIGCONT)

    def end(self) -> None:
        """Whatever happened before, nothing of it runs any more."""
        if self._process is not None and self._process.poll() is None:
            self._process.kill()
            self._process.wait()

    @property
    def pid(self) -> int:
        """Of the life that is on."""
        assert self._process is not None
        return self._process.pid

    async def metrics(self) -> dict[str, float]:
        """All numbers that it tells, by name with labels."""
        _, body = await self._get("/metrics")
        lines = body.decode().splitlines()
        pairs = [line.rpartition(" ") for line in lines if " " in line and not line.startswith("#")]
        return {name: float(value) for name, _, value in pairs}

    def faults(self) -> list[str]:
        """Lines in the log of all lives that must not be there, each with the end of what follows it."""
        if not self._log.exists():
            return []
        lines = self._log.read_text(errors="replace").splitlines()
        found = []
        for place, line in enumerate(lines):
            if _FAULTY.search(line):
                ends = [later for later in lines[place + 1 : place + 60] if later and not later.startswith(" ")]
                found.append(f"{self.name}: {line.strip()} ... {ends[0].strip() if ends else ''}")
        return found

    def log(self) -> str:
        """What it wrote about itself, in all lives."""
        return self._log.read_text(errors="replace") if self._log.exists() else ""
