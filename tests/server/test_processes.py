"""Several nodes behind one listener, and what is refused before anything starts."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest
from click.testing import CliRunner

from tichu.cli import main
from tichu.core.errors import GameError
from tichu.server.config import Config
from tichu.server.serve import listen
from tichu.server.store.port import NameTaken
from tichu.server.supervision import REPLACED

GOOD: dict[str, str] = {
    "database": "postgresql://host/name",
    "node": "a",
    "node_url": "http://10.0.0.1:8080",
    "node_secret": "sixteen signs ok",
}


def test_sqlite_has_one_process_and_the_sentence_says_why(tmp_path: Path) -> None:
    answer = CliRunner().invoke(main, ["serve", "--port", "0", "--data", str(tmp_path), "--processes", "2"])
    assert answer.exit_code != 0
    told = f"{answer.output} {answer.exception}"
    assert "a SQLite file has one writer" in told
    assert "postgresql://" in told


def test_a_node_whose_name_another_one_has_ends_with_a_status_of_its_own(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async def refuse(*arguments: object) -> None:
        raise NameTaken("a", "http://10.0.0.1:8080")

    monkeypatch.setattr("tichu.server.serve.run", refuse)
    options = ["--database", GOOD["database"], "--node", "a", "--node-secret", GOOD["node_secret"]]
    answer = CliRunner().invoke(main, ["serve", "--port", "0", "--data", str(tmp_path), *options])
    assert answer.exit_code == REPLACED
    assert "a node a is at work already, at http://10.0.0.1:8080" in answer.stderr


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"node": "a b"}, "not the name of a node"),
        ({"node": "a" * 41}, "not the name of a node"),
        ({"database": "sqlite:tichu.db"}, "nodes share a PostgreSQL database"),
        ({"node_url": "10.0.0.1"}, "not where other nodes reach this one"),
        ({"node_url": "https://10.0.0.1"}, "not where other nodes reach this one"),
        ({"node_url": "http://10.0.0.1:99999"}, "not where other nodes reach this one"),
        ({"node_secret": "short"}, "at least 16 plain signs"),
        ({"node_secret": "ä" * 16}, "at least 16 plain signs"),
    ],
)
def test_options_of_a_node_that_cannot_be_are_refused(wrong: dict[str, str], words: str) -> None:
    assert Config(**GOOD).node == "a"  # type: ignore[arg-type]
    with pytest.raises(GameError, match=words):
        Config(**{**GOOD, **wrong})  # type: ignore[arg-type]


def test_an_address_that_is_not_this_machines_is_a_sentence(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    from tichu.server import processes

    monkeypatch.setattr("tichu.server.processes.signal.signal", lambda *anything: None)
    with listen("127.0.0.1", 0) as place, pytest.raises(SystemExit):
        processes._serve(Config(**GOOD | {"node_url": "http://192.0.2.7:9000"}), place)  # type: ignore[arg-type]
    assert "--node-url http://192.0.2.7:9000 is no address of this machine" in caplog.text


def _until(ask: Callable[[], Any], seconds: float = 30) -> Any:
    end = time.monotonic() + seconds
    while True:
        try:
            return ask()
        except (httpx.HTTPError, AssertionError):
            if time.monotonic() > end:
                raise
            time.sleep(0.1)


def _answer(http: httpx.Client, path: str) -> Any:
    answer = http.get(path)
    assert answer.status_code == 200, answer.text
    return answer.json()


def _nodes(parent: int) -> list[int]:
    """The processes that serve, and not those that they think in."""
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text().rpartition(")")[2].split()
            command = (status.parent / "cmdline").read_bytes()
        except OSError:
            continue
        if int(fields[1]) == parent and b"spawn_main" in command:
            found.append(int(status.parent.name))
    return found


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for processes in /proc")
def test_processes_share_a_listener_and_one_that_is_killed_comes_back(postgres: str) -> None:
    import asyncio

    from tests.server.conftest import _forget_everything

    asyncio.run(_forget_everything(postgres))
    with listen("127.0.0.1", 0) as place:
        port = place.getsockname()[1]
    command = [sys.executable, "-m", "tichu", "serve", "--port", str(port), "--database", postgres, "--processes", "2"]
    server = subprocess.Popen(command, env=os.environ, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=10) as http:
            _until(lambda: _answer(http, "/healthz"))
            new = {"settings": {}, "seats": ["easy"] * 4, "name": "Ada", "start": True}
            tables = [_until(lambda: http.post("/api/tables", json=new)).json()["table"]["id"] for _ in range(4)]
            nodes = _nodes(server.pid)
            assert len(nodes) == 2
            os.kill(nodes[0], signal.SIGKILL)
            for table in tables:
                assert _until(partial(_answer, http, f"/api/tables/{table}"))["table"]["id"] == table
            _until(lambda: _assert_two(server.pid))
    finally:
        server.terminate()
        assert server.wait(30) == 0


def _assert_two(parent: int) -> None:
    assert len(_nodes(parent)) == 2
