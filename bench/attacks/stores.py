"""Whether two servers can be made to write to one store, or one be locked out of its own.

    python -m bench.attacks.stores [postgresql://USER@/DATABASE?host=FOLDER]

Starts servers on the loopback address: on one SQLite file under several names, and with a PostgreSQL database on one
whose connections are cut or fall silent.  The database must be empty or hold tables of earlier attacks.  Fails if a
server acknowledges what it must not, or nothing any more.
"""

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import click

from bench.attacks.proxy import proxy

__all__ = ["ATTACKS_ON_DATABASES", "ATTACKS_ON_FILES", "Broken"]

_START_S: Final = 30.0
#: Longer than a server needs to notice that its connection is gone, and to get another.
_RECOVERY_S: Final = 25.0


class Broken(Exception):
    """What must not be."""


class Serving:
    """A ``tichu serve`` of its own process."""

    def __init__(self, database: str) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = int(probe.getsockname()[1])
        self.url = f"http://127.0.0.1:{port}"
        command = [sys.executable, "-m", "tichu", "serve", "--port", str(port), "--database", database]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        assert self.process.stderr is not None
        self._stderr = self.process.stderr
        self._log = ""

    def is_started(self) -> bool:
        """Wait until it answers; False if it ended instead."""
        end = time.monotonic() + _START_S
        while time.monotonic() < end and self.process.poll() is None:
            try:
                self.ask("/healthz")
            except OSError:
                time.sleep(0.1)
            else:
                return True
        return False

    def ask(self, path: str, token: str = "", body: Any = None, seconds: float = 10.0) -> Any:
        """What the API answers."""
        headers = {"content-type": "application/json"} | ({"authorization": f"Bearer {token}"} if token else {})
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, headers)
        with urllib.request.urlopen(request, timeout=seconds) as answer:
            return json.loads(answer.read())

    def make_table(self) -> tuple[str, str]:
        """A table and the token of its host."""
        made = self.ask("/api/tables", body={"settings": {}, "seats": ["you"], "name": "Ada"})
        return made["table"]["id"], made["you"]["token"]

    def acknowledges(self, table: str, token: str, number: str, seconds: float) -> bool:
        """Whether something said at a table is acknowledged in time."""
        said = {"type": "TABLE.SAY", "id": number, "text": number}
        try:
            answer = self.ask(f"/api/tables/{table}/commands", token, said, seconds)
        except OSError:
            return False
        return bool(answer["type"] == "ack")

    def end(self) -> str:
        """Kill it; what it wrote to its log."""
        self.process.kill()
        if not self._stderr.closed:
            self._log = self._stderr.read()
            self._stderr.close()
            self.process.wait()
        return self._log


@contextmanager
def serving(database: str) -> Iterator[Serving]:
    """A server that has started, until the end of the block."""
    server = Serving(database)
    try:
        if not server.is_started():
            raise Broken(f"the server does not start: {server.end()}")
        yield server
    finally:
        server.end()


def _open_under_another_name(rename: Callable[[Path, Path], object]) -> Callable[[], None]:
    def attack() -> None:
        with tempfile.TemporaryDirectory(prefix="tichu-attack-") as folder:
            path, other = Path(folder) / "tichu.db", Path(folder) / "other.db"
            with serving(str(path)) as first:
                table, token = first.make_table()
                rename(path, other)
                second = Serving(str(other))
                is_started = second.is_started()
                log = second.end()
                if is_started:
                    raise Broken("a second server opened the file")
                if "Error: " not in log or "Traceback" in log:
                    raise Broken(f"the second server does not say what is wrong: {log}")
                if not first.acknowledges(table, token, "after", 10.0):
                    raise Broken("the first server no longer answers")

    return attack


def _link(path: Path, other: Path) -> None:
    other.symlink_to(path)


def _link_hard(path: Path, other: Path) -> None:
    other.hardlink_to(path)


ATTACKS_ON_FILES: Final[dict[str, Callable[[], None]]] = {
    "symbolic link": _open_under_another_name(_link),
    "hard link": _open_under_another_name(_link_hard),
    "moved file": _open_under_another_name(Path.rename),
}


async def _cut_connections(url: str) -> None:
    import asyncpg

    db = await asyncpg.connect(url)
    try:
        await db.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE pid <> pg_backend_pid() AND usename = current_user AND datname = current_database()"
        )
    finally:
        await db.close()


def cut_off(url: str) -> None:
    """A server stands still while its connections are cut and another one starts."""
    with serving(url) as first:
        table, token = first.make_table()
        os.kill(first.process.pid, signal.SIGSTOP)  # It must not notice and come back before the other has started.
        asyncio.run(_cut_connections(url))
        with serving(url) as second:
            if not second.acknowledges(table, token, "second", 10.0):
                raise Broken("the second server does not work")
            os.kill(first.process.pid, signal.SIGCONT)
            if first.acknowledges(table, token, "late", 3.0):
                raise Broken("both servers acknowledge")
        if first.acknowledges(table, token, "later", 8.0):
            raise Broken("the first server went on where the second had been")
        try:
            status = first.process.wait(10)
        except subprocess.TimeoutExpired:
            raise Broken("the first server does not stop") from None
        log = first.end()
        # Once in the log and once at the end; whoever asked in between may have brought a line of their own.
        told = [log.count(f"{where} another server has taken over the store") for where in ("CRITICAL", "\nError:")]
        if status == 0 or told != [1, 1] or "Traceback" in log:
            raise Broken(f"the first server does not say why it stops: {status} {log}")


def fall_silent(url: str) -> None:
    """The connections of a server no longer carry anything, and are not closed."""

    async def attack() -> None:
        path = f"{url.partition('?host=')[2]}/.s.PGSQL.5432"
        async with proxy(path) as between:
            address = url.partition("?")[0].replace("@/", f"@127.0.0.1:{between.port}/")
            await asyncio.to_thread(_fall_silent, address, between.fall_silent)

    asyncio.run(attack())


def _fall_silent(address: str, begin: Callable[[], None]) -> None:
    with serving(address) as server:
        table, token = server.make_table()
        begin()
        end = time.monotonic() + _RECOVERY_S
        while not server.acknowledges(table, token, "again", _RECOVERY_S):
            if time.monotonic() > end:
                raise Broken("the server does not come back")
            time.sleep(0.2)


ATTACKS_ON_DATABASES: Final[dict[str, Callable[[str], None]]] = {"cut off": cut_off, "silent": fall_silent}


@click.command()
@click.argument("url", required=False)
def main(url: str | None) -> None:
    """Try everything; with the URL of a PostgreSQL database also what concerns that."""
    attacks = dict(ATTACKS_ON_FILES)
    if url is not None:
        attacks |= {name: lambda attack=attack: attack(url) for name, attack in ATTACKS_ON_DATABASES.items()}  # type: ignore[misc]
    is_broken = False
    for name, attack in attacks.items():
        began = time.monotonic()
        try:
            attack()
        except Broken as error:
            is_broken = True
            click.echo(f"{name:16} {error}")
        else:
            click.echo(f"{name:16} holds ({time.monotonic() - began:.1f} s)")
    if is_broken:
        sys.exit(1)


if __name__ == "__main__":
    main()
