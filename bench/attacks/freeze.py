"""Whether one visitor can freeze all tables.

    python -m bench.attacks.freeze

Starts a server, plays one game to its end, then asks for everything dear as fast as the loopback address allows, while
a probe on a socket measures how long the server takes to answer a ping.  A watchdog in the server measures the steps of
its event loop in time of the processor.  Fails if a ping takes longer than ``--most`` milliseconds, or a step longer
than ``--most-step``.
"""

import asyncio
import json
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final

import click

from bench.siege.besieged import Besieged
from bench.sockets import Socket, open_socket

_HOST: Final = "127.0.0.1"


async def request(
    port: int, method: str, path: str, headers: dict[str, str] | None = None, body: bytes = b""
) -> tuple[int, bytes]:
    """One HTTP request on a connection of its own."""
    reader, writer = await asyncio.open_connection(_HOST, port)
    lines = [f"{method} {path} HTTP/1.1", f"content-length: {len(body)}", "connection: close"]
    lines += [f"{name}: {value}" for name, value in ({"host": f"{_HOST}:{port}"} | (headers or {})).items()]
    writer.write("\r\n".join([*lines, "", ""]).encode() + body)
    try:
        answer = await reader.read()
    finally:
        writer.close()
    head, _, content = answer.partition(b"\r\n\r\n")
    found = re.match(rb"HTTP/1.1 (\d+)", head)
    return (int(found[1]) if found else 0), content


async def finished_game(port: int) -> tuple[str, str]:
    """A game that bots have played, and the token of whoever watched it."""
    settings = {"rules": "single-round", "pace": 0.0}
    body = json.dumps({"settings": settings, "seats": ["greedy"] * 4, "start": True}).encode()
    status, made = await request(port, "POST", "/api/tables", {"content-type": "application/json"}, body)
    if status != 201:
        sys.exit(f"no table could be made: {status} {made[:200]!r}")
    table, token = json.loads(made)["table"]["id"], json.loads(made)["you"]["token"]
    over: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    def hear(data: bytes) -> None:
        state = json.loads(data).get("table") or {}
        if state.get("stage") == "over" and not over.done():
            over.set_result(state["game"])

    socket = await open_socket(_HOST, port, None, "/ws/v1", hear, lambda: None)
    socket.say(json.dumps({"type": "hello", "table": table, "token": token}).encode())
    async with asyncio.timeout(60):
        game = await over
    socket.close()
    return game, token


class Probe:
    """A socket that pings and measures."""

    def __init__(self) -> None:
        self.times: list[float] = []
        self._socket: Socket | None = None
        self._answered = asyncio.Event()

    async def run(self, port: int, table: str) -> None:
        """Ping until this is cancelled."""
        self._socket = await open_socket(_HOST, port, None, "/ws/v1", self._hear, lambda: None)
        self._socket.say(json.dumps({"type": "hello", "table": table}).encode())
        while True:
            self._answered.clear()
            began = time.perf_counter()
            self._socket.say(b'{"type":"ping"}')
            await self._answered.wait()
            self.times.append(1000 * (time.perf_counter() - began))
            await asyncio.sleep(0.11)

    def _hear(self, data: bytes) -> None:
        if data.startswith(b'{"type":"pong"'):
            self._answered.set()


async def flood(asked: Callable[[], Awaitable[tuple[int, bytes]]], number: int, at_once: int) -> dict[int, int]:
    """Ask again and again; how often each status came."""
    statuses: dict[int, int] = {}

    async def ask_in_turn(times: int) -> None:
        for _ in range(times):
            try:
                status, _ = await asked()
            except OSError:
                status = 0
            statuses[status] = statuses.get(status, 0) + 1

    await asyncio.gather(*(ask_in_turn(number // at_once) for _ in range(at_once)))
    return statuses


async def attack(port: int, number: int) -> float:
    """All floods, one after the other; the longest ping of all."""
    game, token = await finished_game(port)
    body = json.dumps({"settings": {"pace": 1.0}, "seats": ["you"]}).encode()
    _, made = await request(port, "POST", "/api/tables", {"content-type": "application/json"}, body)
    table = json.loads(made)["table"]["id"]
    bearer = {"authorization": f"Bearer {token}"}
    floods: dict[str, Callable[[], Awaitable[tuple[int, bytes]]]] = {
        "nothing": lambda: request(port, "GET", "/api/rules"),
        "pictures": lambda: request(port, "GET", "/api/qr?path=/t/x"),
        "pictures, long host": lambda: request(port, "GET", "/api/qr?path=/t/x", {"host": "a" * 3000}),
        "views": lambda: request(port, "GET", f"/api/games/{game}/views"),
        "files": lambda: request(port, "GET", f"/api/games/{game}.json"),
        "results": lambda: request(port, "GET", "/api/me", bearer),
        "codes": lambda: request(port, "GET", "/api/codes/ABCDEF"),
        "tables": lambda: request(port, "POST", "/api/tables", {"content-type": "application/json"}, body),
    }
    longest = 0.0
    for name, asked in floods.items():
        probe = Probe()
        pinging = asyncio.create_task(probe.run(port, table))
        await asyncio.sleep(0.3)
        statuses = await flood(asked, number, 8)
        await asyncio.sleep(0.3)
        pinging.cancel()
        worst = max(probe.times)
        longest = max(longest, worst)
        click.echo(f"{name:20} {statistics.median(probe.times):7.1f} ms median, {worst:7.1f} ms longest  {statuses}")
    return longest


async def run(server: Besieged, number: int) -> tuple[float, dict[str, float]]:
    """The longest ping, and the longest steps."""
    await server.begin()
    await server.long_steps()
    longest = await attack(server.port, number)
    steps = await server.long_steps()
    await server.stop()
    return longest, steps


@click.command()
@click.option("--number", default=200, show_default=True, help="Requests of each kind.")
@click.option("--most", default=1000.0, show_default=True, help="The longest ping that is no failure, in milliseconds.")
@click.option("--most-step", default=5.0, show_default=True, help="The longest step that is no failure.")
def main(number: int, most: float, most_step: float) -> None:
    """Ask for everything dear and see who waits."""
    with tempfile.TemporaryDirectory(prefix="tichu-attack-") as folder:
        server = Besieged(Path(folder), f"sqlite:{Path(folder) / 'tichu.db'}")
        try:
            longest, steps = asyncio.run(run(server, number))
        finally:
            server.end()
    for name, ms in steps.items():
        click.echo(f"a step of {ms:5.1f} ms  {name}")
    if longest > most:
        sys.exit(f"a ping took {longest:.0f} ms")
    if max(steps.values(), default=0.0) > most_step:
        sys.exit(f"a step took {max(steps.values()):.1f} ms")


if __name__ == "__main__":
    main()
