"""Real ``tichu serve`` processes, and everything that they leave behind: what they say, answer, count and store."""

import asyncio
import base64
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.parse
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

import httpx

__all__ = ["Program", "database_of", "files_of", "forms_of", "leaks", "running"]

ROOT: Final = Path(__file__).parents[2]
_START_S: Final = 60
_END_S: Final = 30
#: Everything that any library has to say, which is more than any option of ours asks for.
_TALKATIVE: Final = """
import logging

logging.basicConfig(format="%(asctime)s %(name)s %(levelname)s %(message)s", level=logging.DEBUG)
"""


class Program:
    """One server, begun and ended as its user does it, as often as wanted."""

    def __init__(self, folder: Path, *options: str, **variables: str) -> None:
        self.folder = folder
        self.port, self.metrics_port = _free_port(), _free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        (folder / "talkative").mkdir(parents=True)
        (folder / "talkative" / "sitecustomize.py").write_text(_TALKATIVE)
        ports = ["--port", str(self.port), "--metrics-port", str(self.metrics_port)]
        self._command = [sys.executable, "-X", "dev", "-m", "tichu", "serve", *ports]
        self._command += ["--data", str(folder / "data"), *options]
        paths = (str(folder / "talkative"), str(ROOT / "src"), os.environ.get("PYTHONPATH", ""))
        self._variables = {**os.environ, **variables, "PYTHONPATH": os.pathsep.join(filter(None, paths))}
        self._process: subprocess.Popen[bytes] | None = None
        #: Arguments of all processes that were seen.
        self.arguments = b""

    def begin(self) -> None:
        """Return when it answers."""
        with (self.folder / "stdout").open("ab") as out, (self.folder / "stderr").open("ab") as err:
            self._process = subprocess.Popen(self._command, stdout=out, stderr=err, env=self._variables, cwd=ROOT)
        end = time.monotonic() + _START_S
        while True:
            assert self._process.poll() is None, self.said()
            with suppress(httpx.HTTPError):
                if httpx.get(f"{self.url}/healthz", timeout=5).status_code == 200:
                    return
            assert time.monotonic() < end, self.said()
            time.sleep(0.1)

    def end(self, sign: signal.Signals) -> None:
        """Return when it is gone."""
        process = self._process
        if process is None:
            return
        self._process = None
        for pid in (process.pid, *_children(process.pid)):
            with suppress(OSError):
                self.arguments += Path(f"/proc/{pid}/cmdline").read_bytes()
        process.send_signal(sign)
        process.wait(_END_S)

    def metrics(self) -> str:
        """What it counts."""
        return httpx.get(f"http://127.0.0.1:{self.metrics_port}/metrics", timeout=10).text

    def said(self) -> str:
        """What it has written, to whichever of the two."""
        return "".join((self.folder / name).read_text(errors="replace") for name in ("stdout", "stderr"))

    def traces(self) -> dict[str, bytes]:
        """What it has said, and what others see of its processes."""
        return {"said": self.said().encode(), "arguments": self.arguments}


def _children(pid: int) -> list[int]:
    listed = Path(f"/proc/{pid}/task/{pid}/children")
    return [int(child) for child in listed.read_text().split()] if listed.exists() else []


def _free_port() -> int:
    """One that was free a moment ago."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def running(program: Program) -> Iterator[Program]:
    """A program that is gone at the end, whatever happens."""
    try:
        program.begin()
        yield program
    finally:
        program.end(signal.SIGKILL)


def files_of(folder: Path) -> dict[str, bytes]:
    """All files of a folder."""
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def database_of(url: str) -> dict[str, bytes]:
    """All rows of a PostgreSQL database as text, and what the database server itself has written."""
    import asyncpg

    async def read() -> str:
        db = await asyncpg.connect(url)
        try:
            tables = await db.fetch("SELECT tablename FROM pg_tables WHERE schemaname = 'tichu'")
            rows = [await db.fetch(f'SELECT t::text FROM tichu."{name}" t') for (name,) in tables]
        finally:
            await db.close()
        return "\n".join(row[0] for some in rows for row in some)

    log = Path(urllib.parse.parse_qs(urllib.parse.urlsplit(url).query)["host"][0]) / "log"
    return {"all rows": asyncio.run(read()).encode(), "log of the database": log.read_bytes()}


def forms_of(secret: str) -> set[bytes]:
    """A secret as it may be written somewhere: plain, in an address, in JSON, in hexadecimal digits, in base 64."""
    plain = secret.encode()
    # However signs are escaped, the part that was drawn is left as it is.
    drawn = max(re.split(r"[^\w-]", secret, flags=re.ASCII), key=len)
    forms = {plain, drawn.encode(), urllib.parse.quote(secret).encode(), urllib.parse.quote_plus(secret).encode()}
    forms |= {json.dumps(secret)[1:-1].encode(), plain.hex().encode(), secret.encode("utf-16-le")}
    # Whatever stands before it, one of three begins like this.
    for before in range(3):
        text = base64.b64encode(bytes(before) + plain)
        forms.add(text[4 if before else 0 : -4])
    return forms


def leaks(
    places: Mapping[str, bytes], secrets: Mapping[str, str], given: Collection[tuple[str, str]] = ()
) -> list[Any]:
    """Which secret stands in which place, without those that are given there to their owner."""
    return [
        (place, name)
        for name, secret in secrets.items()
        for form in forms_of(secret)
        for place, text in places.items()
        if form in text and (place, name) not in given
    ]
