"""``tichu serve``, ``tichu play`` and ``tichu backup`` as commands, in processes of their own."""

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from click.testing import CliRunner

from tichu.cli import main
from tichu.server.http.links import lan_address, qr_lines, qr_svg
from tichu.server.serve import listen
from tichu.server.wire import codegen

TICHU = [sys.executable, "-c", "from tichu.cli import main; main()"]


@contextmanager
def started(*arguments: str, **variables: str) -> Iterator["subprocess.Popen[str]"]:
    """A command that runs until the end of the block; a signal ends it without an error."""
    environment = {**os.environ, **variables, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen([*TICHU, *arguments], stdout=subprocess.PIPE, text=True, env=environment) as process:
        try:
            yield process
        finally:
            process.send_signal(signal.SIGINT)
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                raise
    assert process.returncode == 0


def line_of(process: "subprocess.Popen[str]", start: str) -> str:
    assert process.stdout is not None
    for line in process.stdout:
        if line.startswith(start):
            return line
    raise AssertionError(f"no line begins with {start!r}")


def refused(*arguments: str) -> str:
    result = CliRunner().invoke(main, list(arguments))
    assert result.exit_code in (1, 2)
    assert "Traceback" not in result.output
    return result.output


def test_a_server_is_set_up_by_options_and_variables(tmp_path: Path) -> None:
    variables = {"TICHU_PORT": "0", "TICHU_DATA": str(tmp_path / "data"), "TICHU_PREFIX": "/cards"}
    with started("serve", "--retention-days", "7", "--limit", "connections=5", **variables) as process:
        (url,) = re.findall(r"http://127\.0\.0\.1:\d+/cards/", line_of(process, "Tables at"))
        assert httpx.get(f"{url}healthz").json()["status"] == "ok"
        made = httpx.post(f"{url}api/tables", json={}).json()
        assert made["link"] == f"{url}t/{made['table']['id']}"
        copy = tmp_path / "copy.db"
        result = CliRunner().invoke(main, ["backup", str(copy), "--data", str(tmp_path / "data")])
        assert result.exit_code == 0, result.output
        assert copy.stat().st_size > 0
        # Nobody else may play the same tables.
        assert "another server" in refused("serve", "--port", "0", "--data", str(tmp_path / "data"))
    with started("serve", "--port", "0", "--database", f"sqlite:{copy}") as process:
        (url,) = re.findall(r"http://127\.0\.0\.1:\d+/", line_of(process, "Tables at"))
        assert httpx.get(f"{url}api/tables/{made['table']['id']}").status_code == 200


def test_play_makes_a_table_with_three_bots_and_keeps_who_one_is(tmp_path: Path) -> None:
    players = set()
    for _ in range(2):
        options = ("--no-browser", "--port", "0", "--data", str(tmp_path), "--name", "Zoë", "--bots", "greedy")
        with started("play", *options) as process:
            line = line_of(process, "Your seat: ")
            match = re.fullmatch(r"Your seat: (http://127\.0\.0\.1:\d+)/t/([\w-]+)#key=([\w-]+)\n", line)
            assert match is not None
            url, table, key = match.groups()
            state = httpx.get(f"{url}/api/tables/{table}").json()["table"]
            assert [seat["bot"] for seat in state["seats"]] == [None, "greedy", "greedy", "greedy"]
            assert (state["stage"], state["seats"][0]["name"]) == ("playing", "Zoë")
            # The key leads to the person whose token is in the file, and is not that token.
            me = httpx.get(f"{url}/api/me", headers={"authorization": f"Bearer {key}"}).json()
            assert (tmp_path / "player.token").read_text() != key
            players.add(me["player"])
    # The unfinished game of the first time is still there, and belongs to the same person.
    assert len(players) == 1
    assert len(me["tables"]) == 2
    assert (tmp_path / "player.token").stat().st_mode & 0o077 == 0


def test_play_in_the_network_shows_a_way_that_phones_can_go(tmp_path: Path) -> None:
    if lan_address() is None:
        pytest.skip("this machine is in no network")
    with started("play", "--lan", "--no-browser", "--port", "0", "--data", str(tmp_path)) as process:
        line = line_of(process, "Others in this network: ")
        match = re.search(r"(http://([\d.]+):\d+)/t/([\w-]+) or the code (\w{6})", line)
        assert match is not None
        url, host, table, code = match.groups()
        assert host == lan_address()
        assert httpx.get(f"{url}/api/codes/{code}").json() == {"table": table, "link": f"{url}/t/{table}"}
        state = httpx.get(f"{url}/api/tables/{table}").json()["table"]
        assert (state["stage"], state["private"]) == ("open", False)
        assert process.stdout is not None
        assert process.stdout.readline() == "\n"
        assert process.stdout.readline() == qr_lines(f"{url}/t/{table}").splitlines(keepends=True)[0]


def test_without_a_network_there_is_no_address(monkeypatch: pytest.MonkeyPatch) -> None:
    class Nowhere:
        def __enter__(self) -> "Nowhere":
            return self

        def __exit__(self, *error: object) -> None:
            pass

        def connect(self, address: Any) -> None:
            raise OSError("Network is unreachable")

    monkeypatch.setattr(socket, "socket", lambda *kind: Nowhere())
    assert lan_address() is None


def test_qr_codes_hold_the_link() -> None:
    assert qr_svg("http://192.0.2.1/t/a").startswith(b"<svg")
    assert qr_svg("http://192.0.2.1/t/a") != qr_svg("http://192.0.2.1/t/b")
    assert "█" in qr_lines("http://192.0.2.1/t/a")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("serve", "--port", "0", "--database", "mysql://x"), "mysql:// is not a store"),
        (("serve", "--trusted-proxies", "everybody"), "'everybody'"),
        (("serve", "--prefix", "tichu"), "'tichu'"),
        (("serve", "--limit", "hope=1"), "no limit 'hope'"),
        (("serve", "--limit", "waiting=many"), "'many'"),
        (("serve", "--workers", "0"), "--workers"),
        (("backup", "x.db", "--data", "nowhere"), "nowhere"),
        (("backup", "x.db", "--database", "postgresql://x"), "pg_dump"),
        (("play", "--seed", "1"), "--seed goes with --terminal"),
        (("play", "--terminal", "--lan"), "--lan goes without --terminal"),
        (("play", "--terminal", "--no-browser"), "--browser goes without --terminal"),
        (("play", "--rules", "standard wish=never"), "wish"),
    ],
)
def test_what_cannot_be_is_one_error(arguments: tuple[str, ...], words: str) -> None:
    assert words in refused(*arguments)


def test_a_place_that_is_taken_is_one_error(tmp_path: Path) -> None:
    with listen("127.0.0.1", 0) as place:
        port = str(place.getsockname()[1])
        output = refused("serve", "--port", port, "--data", str(tmp_path))
    assert f"127.0.0.1 port {port}" in output


def test_no_message_waits_until_the_one_before_is_acknowledged() -> None:
    with listen("127.0.0.1", 0) as place, socket.create_connection(place.getsockname()):
        line, _ = place.accept()
        with line:
            assert line.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_a_bot_that_is_none_is_one_error(tmp_path: Path) -> None:
    options = ["--bots", "nobody", "--port", "0", "--no-browser", "--data", str(tmp_path)]
    run = subprocess.run([*TICHU, "play", *options], capture_output=True, text=True, timeout=60, check=False)
    assert run.returncode == 2
    assert "'--bots': no bot 'nobody'" in run.stderr
    assert "Traceback" not in run.stderr


def test_the_types_of_the_wire_are_up_to_date() -> None:
    result = CliRunner().invoke(codegen.main, ["--check"])
    assert result.exit_code == 0, result.output


def test_old_types_of_the_wire_are_found_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(codegen, "_ROOT", tmp_path)
    monkeypatch.setattr(codegen, "_TYPESCRIPT", tmp_path / "wire.ts")
    monkeypatch.setattr(codegen, "_JSON_SCHEMA", tmp_path / "wire.json")
    (tmp_path / "wire.ts").write_text("old")
    check = CliRunner().invoke(codegen.main, ["--check"])
    assert check.exit_code == 1
    assert "wire.ts is out of date" in check.output
    assert CliRunner().invoke(codegen.main).exit_code == 0
    assert CliRunner().invoke(codegen.main, ["--check"]).exit_code == 0
    assert 'readonly type: "TICHU.PLAY_CARDS";' in (tmp_path / "wire.ts").read_text()
