"""Real ``tichu serve`` processes that can be killed and begun again within a blink.

Most of a server's start is imports.  A mother process has done them once; each life is forked from it and runs the
command as it stands.
"""

import json
import os
import signal
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path
from types import TracebackType
from typing import Any

__all__ = ["Lives", "asked"]

ROOT = Path(__file__).parents[2]


class Lives:
    """A server with one data folder and one address, and as many lives as wanted."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._log = (folder / "server.log").open("ab")
        self._mother = subprocess.Popen(
            [sys.executable, "-m", "tests.server.lives"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            text=True,
        )
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        self.url = f"http://127.0.0.1:{self.port}"
        #: How many there were.
        self.count = 0

    def begin(self) -> None:
        """A new life; requests are answered as soon as it can."""
        self.count += 1
        self._order({"begin": ["serve", "--port", str(self.port), "--data", str(self._folder)]})
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), 30).close()
            except ConnectionRefusedError:
                continue
            return

    def kill(self) -> None:
        """``kill -9``; when this returns the process is gone."""
        self._order({"kill": True})

    def log(self) -> str:
        """What the server said about itself."""
        return (self._folder / "server.log").read_text()

    def _order(self, order: dict[str, Any]) -> None:
        assert self._mother.stdin is not None
        assert self._mother.stdout is not None
        self._mother.stdin.write(json.dumps(order) + "\n")
        self._mother.stdin.flush()
        assert self._mother.stdout.readline() == "done\n", self.log()

    def __enter__(self) -> "Lives":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, place: TracebackType | None
    ) -> None:
        assert self._mother.stdin is not None
        assert self._mother.stdout is not None
        self._mother.stdin.close()  # The mother kills what lives, and ends.
        self._mother.wait(30)
        self._mother.stdout.close()
        self._log.close()


def asked(url: str, token: str | None = None, body: dict[str, Any] | None = None) -> Any:
    """What the API answers."""
    headers = {"content-type": "application/json"} | ({"authorization": f"Bearer {token}"} if token else {})
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(url, data, headers), timeout=30) as answer:
        text = answer.read()
        return json.loads(text) if "json" in answer.headers["content-type"] else text.decode()


def _mother() -> None:
    import uvicorn

    import tichu.server.serve  # noqa: F401 - what a server imports when it starts
    from tichu.cli import main

    async def nothing(*_: object) -> None:
        raise NotImplementedError

    # The rest of it.
    uvicorn.Config(nothing, ws="websockets-sansio", log_config=None).load()
    child = 0
    try:
        for line in sys.stdin:
            order = json.loads(line)
            if "kill" in order:
                os.kill(child, signal.SIGKILL)
                os.waitpid(child, 0)
                child = 0
            else:
                child = os.fork()
                if not child:
                    _live(main, order["begin"])
            sys.stdout.write("done\n")
            sys.stdout.flush()
    finally:
        if child:
            os.kill(child, signal.SIGKILL)


def _live(main: Any, arguments: list[str]) -> None:
    """The forked process: nothing of the mother's pipes is left to it."""
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(2, 1)
    try:
        main(arguments)
    finally:
        os._exit(1)


if __name__ == "__main__":
    _mother()
