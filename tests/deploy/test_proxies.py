"""The configurations of ``deploy/`` with the real nginx and the real Caddy in front of a real server."""

import asyncio
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import connect

from bench.guests import choose, decode_message
from bench.load import start_server, stop_server

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="visitors have loopback addresses of their own")

DEPLOY = Path(__file__).parents[2] / "deploy"
METRICS_TOKEN = "metrics"
#: Two new players or tables for each address, and no more for a long time.
LIMITS = ("--limit", "making_burst=2", "--limit", "making_rate=0.001")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def nginx(program: str, folder: Path, port: int, server: int) -> tuple[list[str], dict[str, str]]:
    """The site as it is, but for its port and the server's, in a configuration that needs no root."""
    site = (DEPLOY / "nginx.conf").read_text()
    assert "listen 80;" in site
    assert "server 127.0.0.1:8080;" in site
    site = site.replace("listen 80;", f"listen 127.0.0.1:{port};").replace("127.0.0.1:8080;", f"127.0.0.1:{server};")
    (folder / "site.conf").write_text(site)
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    paths = "\n".join(f"    {kind}_temp_path {folder / kind};" for kind in kinds)
    user = "user root;" if os.geteuid() == 0 else ""
    (folder / "nginx.conf").write_text(
        f"daemon off;\n{user}\npid {folder / 'pid'};\nerror_log stderr warn;\nevents {{}}\n"
        f"http {{\n    access_log off;\n{paths}\n    include {folder / 'site.conf'};\n}}\n"
    )
    return [program, "-p", str(folder), "-c", str(folder / "nginx.conf")], {}


def caddy(program: str, folder: Path, port: int, server: int) -> tuple[list[str], dict[str, str]]:
    """The file as it is, told by variables where to listen and whom to ask."""
    told = {"TICHU_SITE": f"http://127.0.0.1:{port}", "TICHU_SERVER": f"127.0.0.1:{server}", "CADDY_ADMIN": "off"}
    homes = dict.fromkeys(("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"), str(folder))
    return [program, "run", "--config", str(DEPLOY / "Caddyfile"), "--adapter", "caddyfile"], told | homes


PROXIES: dict[str, Callable[[str, Path, int, int], tuple[list[str], dict[str, str]]]] = {"nginx": nginx, "caddy": caddy}


@contextmanager
def running(name: str, folder: Path, server: int) -> Iterator[int]:
    """The port of a proxy, until the end of the block."""
    program = shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")
    if program is None:
        if os.environ.get("CI") == "true":
            pytest.fail(f"no {name}")
        pytest.skip(f"no {name}")
    port = free_port()
    command, told = PROXIES[name](program, folder, port, server)
    log = folder / "proxy.log"
    with log.open("wb") as file:
        proxy = subprocess.Popen(command, env=os.environ | told, stdout=file, stderr=file, cwd=folder)
    try:
        until = time.monotonic() + 60
        while True:
            assert proxy.poll() is None, log.read_text()
            assert time.monotonic() < until, log.read_text()
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
            except OSError:
                time.sleep(0.05)
            else:
                break
        yield port
    finally:
        proxy.terminate()
        try:
            proxy.wait(20)
        except subprocess.TimeoutExpired:
            proxy.kill()
            proxy.wait()


class Site:
    """A server and a proxy before it."""

    def __init__(self, proxy: int, server: int) -> None:
        self.proxy, self.server = proxy, server

    def ask(
        self,
        path: str,
        headers: dict[str, str] | None = None,
        *,
        at: str = "127.3.0.1",
        port: int | None = None,
        body: Any = None,
    ) -> httpx.Response:
        """A request from this address, through the proxy or straight to the server."""
        url = f"http://127.0.0.1:{port or self.proxy}{path}"
        transport = httpx.HTTPTransport(local_address=at)
        with httpx.Client(transport=transport, timeout=30) as client:
            return client.get(url, headers=headers) if body is None else client.post(url, json=body, headers=headers)

    def make_player(self, at: str, headers: dict[str, str] | None = None) -> int:
        return self.ask("/api/players", headers, at=at, body={"name": "Ada"}).status_code


@pytest.fixture(params=list(PROXIES), scope="module")
def site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("site")
    options = ("--trusted-proxies", "127.0.0.1", "--metrics-token", METRICS_TOKEN, *LIMITS)
    server, port = start_server(folder, *options)
    try:
        with running(request.param, folder, port) as proxy:
            yield Site(proxy, port)
    finally:
        stop_server(server)


def test_the_page_and_the_api_come_through_as_they_are(site: Site) -> None:
    for path in ("/", "/api/rules", "/openapi.json"):
        through, straight = site.ask(path), site.ask(path, port=site.server)
        assert through.status_code == straight.status_code == 200
        assert through.content == straight.content.replace(str(site.server).encode(), str(site.proxy).encode())
        assert through.headers["content-security-policy"] == straight.headers["content-security-policy"].replace(
            str(site.server), str(site.proxy)
        )


def test_a_socket_plays_through_it(site: Site) -> None:
    new = {"settings": {"rules": "single-round", "pace": 0}, "seats": ["you", "greedy", "greedy", "greedy"]}
    made = site.ask("/api/tables", at="127.3.1.1", body=new | {"start": True}).json()

    async def play() -> None:
        async with connect(f"ws://127.0.0.1:{site.proxy}/ws/v1", compression=None) as websocket:
            hello = {"type": "hello", "table": made["table"]["id"], "token": made["you"]["token"]}
            await websocket.send(json.dumps(hello))
            acknowledged = 0
            while acknowledged < 3:
                message = decode_message(str(await websocket.recv()).encode())
                acknowledged += message.type == "ack"
                if message.view and message.view.decision is not None:
                    command = choose(message.view, Random(1))[0] | {"id": f"c{message.version}"}
                    await websocket.send(json.dumps(command))

    asyncio.run(asyncio.wait_for(play(), 60))


def test_a_stream_comes_line_by_line(site: Site) -> None:
    made = site.ask("/api/tables", at="127.3.2.1", body={"seats": ["you"]}).json()
    url = f"http://127.0.0.1:{site.proxy}/api/tables/{made['table']['id']}/stream"
    headers = {"authorization": f"Bearer {made['you']['token']}"}
    with httpx.stream("GET", url, headers=headers, timeout=30) as answer:
        assert answer.status_code == 200
        first = next(line for line in answer.iter_lines() if line)
    assert json.loads(first)["type"] == "welcome"


def test_visitors_are_counted_by_their_own_address(site: Site) -> None:
    assert [site.make_player("127.3.3.1") for _ in range(3)] == [201, 201, 429]
    assert [site.make_player("127.3.3.2") for _ in range(3)] == [201, 201, 429]


def test_nobody_is_believed_who_claims_another_address(site: Site) -> None:
    claims = [{"x-forwarded-for": f"198.51.100.{number}"} for number in range(4)]
    assert [site.make_player("127.3.4.1", claim) for claim in claims] == [201, 201, 429, 429]
    # Nor past the proxy: this address is not one that the server was told to trust.
    straight = [
        site.ask("/api/players", claim, at="127.3.4.2", port=site.server, body={"name": "Ada"}).status_code
        for claim in claims
    ]
    assert straight == [201, 201, 429, 429]


@pytest.mark.parametrize("path", ["/metrics", "/metrics/", "//metrics", "/%6detrics", "/tichu/metrics", "/./metrics"])
def test_the_numbers_are_not_shown_outside_even_with_the_token(site: Site, path: str) -> None:
    token = f"Bearer {METRICS_TOKEN}"
    assert site.ask("/metrics", {"authorization": token}, port=site.server).status_code == 200
    answer = raw_request(site.proxy, path, token)
    assert b" 404 " in answer.partition(b"\r\n")[0]
    assert b"tichu_tables" not in answer


def test_a_body_that_is_too_large_is_not_passed_on(site: Site) -> None:
    # The latter is how older versions of Caddy say it.
    assert site.ask("/api/players", body={"name": "x" * 100_000}).status_code in (413, 502)


def raw_request(port: int, path: str, token: str) -> bytes:
    """A path that no library tidies up before it is sent."""
    with socket.create_connection(("127.0.0.1", port), 30) as connection:
        head = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: {token}\r\nConnection: close\r\n\r\n"
        connection.sendall(head.encode())
        answer = b""
        while part := connection.recv(65_536):
            answer += part
    assert re.match(rb"HTTP/1.1 \d+", answer)
    return answer
