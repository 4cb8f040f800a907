"""Those who mean harm, in a process of their own, so that the guests measure the server and not their neighbours.

``python -m bench.siege.attackers PORT`` reads orders from standard input, one JSON object a line, and answers each with
one line when the attack is over.  Every attack ends by itself: after its seconds, after so many requests or
connections, or when nobody answers.  Each comes from loopback addresses of its own.
"""

import asyncio
import json
import os
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from random import Random
from typing import Any, Final

from bench.sockets import Socket, open_socket

__all__ = ["ATTACKS", "Attack"]

_HOST: Final = "127.0.0.1"
_SIGNS: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
_MOST_REQUESTS: Final = 1500
_MOST_CONNECTIONS: Final = 300
#: Between requests of one hand; a flood that takes a whole core from the server would say nothing about the server.
_PAUSE_S: Final = 0.01
#: Before the next try where nobody answers.
_NOBODY_S: Final = 0.2


class Attack:
    """One attack: where, from where, for how long, and what came of it."""

    def __init__(self, port: int, order: dict[str, Any]) -> None:
        self.port = port
        self.rng = Random(order["seed"])
        self.until = time.monotonic() + order["seconds"]
        #: Ids of honest tables and of a finished game.
        self.tables: list[str] = order["tables"]
        self.game: str = order["game"]
        self.results: Counter[str] = Counter()
        self.sources = [f"127.2.{self.rng.randrange(256)}.{self.rng.randrange(1, 255)}" for _ in range(3)]
        self._requests = 0

    @property
    def is_on(self) -> bool:
        """Whether it goes on."""
        return time.monotonic() < self.until and self._requests < _MOST_REQUESTS

    def source(self) -> str:
        """One of its addresses."""
        return self.rng.choice(self.sources)

    async def connect(self, receive_buffer: int = 65_536) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A connection."""
        return await asyncio.wait_for(
            asyncio.open_connection(_HOST, self.port, local_addr=(self.source(), 0), limit=receive_buffer), 5
        )

    async def request(
        self, method: str, path: str, headers: dict[str, str] | None = None, body: Any = None
    ) -> tuple[int, bytes]:
        """One request; its status, 0 without one."""
        self._requests += 1
        data = b"" if body is None else json.dumps(body).encode()
        lines = [f"{method} {path} HTTP/1.1", f"content-length: {len(data)}", "connection: close"]
        lines += [
            f"{name}: {value}"
            for name, value in (
                {"host": f"{_HOST}:{self.port}", "content-type": "application/json"} | (headers or {})
            ).items()
        ]
        status, content = 0, b""
        writer: asyncio.StreamWriter | None = None
        try:
            reader, writer = await self.connect()
            writer.write("\r\n".join([*lines, "", ""]).encode() + data)
            answer = await asyncio.wait_for(reader.read(), 15)
            head, _, content = answer.partition(b"\r\n\r\n")
            status = int(head.split(b" ")[1]) if head.startswith(b"HTTP/1.1 ") else 0
        except (OSError, TimeoutError, ValueError, IndexError):
            await asyncio.sleep(_NOBODY_S)
        finally:
            if writer is not None:
                writer.close()
        self.results[str(status)] += 1
        return status, content

    async def storm(self, hands: int, ask: Callable[[], Awaitable[object]]) -> None:
        """Ask with several hands until it is over."""

        async def hand() -> None:
            while self.is_on:
                await ask()
                await asyncio.sleep(_PAUSE_S)

        await asyncio.gather(*(hand() for _ in range(hands)))

    async def rest(self) -> None:
        """Do nothing until it is over."""
        await asyncio.sleep(max(0.0, self.until - time.monotonic()))


async def flood(attack: Attack) -> None:
    """As many requests as possible for anything."""
    paths = ["/", "/api/rules", "/api/tables", "/healthz", "/api/bots", "/metrics", "/openapi.json", "/nothing"]
    paths += ["/api/home", "/api/leaderboard", "/api/login", f"/t/{attack.rng.choice(attack.tables or ['x'])}"]
    await attack.storm(12, lambda: attack.request("GET", attack.rng.choice(paths)))


async def silent_connections(attack: Attack) -> None:
    """Connections over which nothing is said."""
    writers = []
    for _ in range(_MOST_CONNECTIONS):
        if not attack.is_on:
            break
        with suppress(OSError, TimeoutError):
            writers.append((await attack.connect())[1])
    attack.results["connections"] += len(writers)
    await attack.rest()
    for writer in writers:
        writer.close()


async def half_open(attack: Attack) -> None:
    """Half a request, half a handshake, half a frame, and nothing more."""
    halves = [
        b"POST /api/tables HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
        b"Content-Length: 500\r\n\r\n{",
        b"GET /ws/v1 HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConn",
        b"GET /ws/v1 HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n\x81\xfe\x10\x00\x00\x00",
        b"G",
    ]
    writers = []
    for _ in range(_MOST_CONNECTIONS // 3):
        with suppress(OSError, TimeoutError):
            _, writer = await attack.connect()
            writer.write(attack.rng.choice(halves))
            writers.append(writer)
    attack.results["halves"] += len(writers)
    await attack.rest()
    for writer in writers:
        if attack.rng.random() < 0.5:
            writer.transport.abort()
        else:
            writer.close()


async def slow_readers(attack: Attack) -> None:
    """Spectators of honest tables, and players of a table of their own, who read nothing."""
    sockets: list[Socket] = []
    for _ in range(30):
        with suppress(OSError, TimeoutError):
            socket = await open_socket(_HOST, attack.port, attack.source(), "/ws/v1", lambda data: None, lambda: None)
            socket.say(json.dumps({"type": "hello", "table": attack.rng.choice(attack.tables)}).encode())
            socket.pause_reading()
            sockets.append(socket)
    attack.results["readers"] += len(sockets)
    while attack.is_on:
        for socket in sockets:
            socket.say(b'{"type":"ping"}')
        await asyncio.sleep(0.2)
    for socket in sockets:
        socket.close()


async def hint_storm(attack: Attack) -> None:
    """Hints for tables of their own, as fast as they are taken."""
    asked = []
    for _ in range(4):
        settings = {"settings": {"pace": 0}, "seats": ["you", "hard", "hard", "hard"], "start": True}
        status, made = await attack.request("POST", "/api/tables", body=settings)
        if status == 201:
            table = json.loads(made)
            asked.append((table["table"]["id"], table["you"]["token"]))
    if not asked:
        return

    async def ask() -> None:
        table, token = attack.rng.choice(asked)
        hint = {"type": "hint", "id": f"h{attack.rng.random()}"}
        await attack.request("POST", f"/api/tables/{table}/commands", {"authorization": f"Bearer {token}"}, hint)

    await attack.storm(8, ask)


async def table_maker(attack: Attack) -> None:
    """Tables, some of them with bots that begin at once."""
    made = 0

    async def make() -> None:
        nonlocal made
        made += 1
        if made > 25:
            await attack.rest()
            return
        bots = attack.rng.random() < 0.3
        new = {"settings": {"private": bots, "name": "x" * 40}, "seats": ["medium"] * 4 if bots else ["you"]}
        await attack.request("POST", "/api/tables", body=new | {"start": bots})

    await attack.storm(3, make)


async def code_guesser(attack: Attack) -> None:
    """Codes, by the API and by sockets."""

    async def guess() -> None:
        code = "".join(attack.rng.choices(_SIGNS, k=6))
        if attack.rng.random() < 0.7:
            await attack.request("GET", f"/api/codes/{code}")
            return
        with suppress(OSError, TimeoutError):
            socket = await open_socket(_HOST, attack.port, attack.source(), "/ws/v1", lambda data: None, lambda: None)
            socket.say(json.dumps({"type": "hello", "table": code}).encode())
            await asyncio.sleep(0.05)
            socket.close()

    await attack.storm(6, guess)


async def picture_storm(attack: Attack) -> None:
    """Pictures of addresses, also with a very long name of the server."""

    def ask() -> Awaitable[object]:
        host = "a" * attack.rng.choice((10, 250, 3000))
        return attack.request("GET", f"/api/qr?path=/t/{attack.rng.randrange(10**9)}", {"host": host})

    await attack.storm(8, ask)


async def view_storm(attack: Attack) -> None:
    """Everything dear about a finished game, and about a player."""
    status, made = await attack.request("POST", "/api/players", body={"name": "Eve"})
    token, player = (json.loads(made)[name] for name in ("token", "player")) if status == 201 else ("x", "x")
    of_player = [f"/api/players/{player}{end}" for end in ("", "/games", "/ratings")]

    def ask() -> Awaitable[object]:
        path = attack.rng.choice([f"/api/games/{attack.game}{end}" for end in ("/views", ".json", ".ttn", ".tch")])
        own = [f"/api/me{end}" for end in ("", "/people", "/export")]
        path = attack.rng.choice((path, *own, "/api/games", "/api/home", *of_player))
        return attack.request("GET", path, {"authorization": f"Bearer {token}"})

    await attack.storm(8, ask)


async def account_storm(attack: Attack) -> None:
    """Accounts, and passwords, codes and mails for accounts: every password is hashed, which is dear by intent."""

    def ask() -> Awaitable[object]:
        name = f"Eve {attack.rng.randrange(200)}"
        said = {"name": name, "password": f"a guess {attack.rng.randrange(10**9)}"}
        path, body = attack.rng.choice(
            (
                ("/api/accounts", said),
                ("/api/login", said),
                ("/api/login/recovery", said | {"code": "abcd-efgh"}),
                ("/api/login/mail", {"name": name}),
            )
        )
        return attack.request("POST", path, body=body)

    await attack.storm(8, ask)


async def noise(attack: Attack) -> None:
    """Frames that say nothing, too much or too often, at honest tables and elsewhere."""
    sockets = []
    for _ in range(6):
        with suppress(OSError, TimeoutError):
            socket = await open_socket(_HOST, attack.port, attack.source(), "/ws/v1", lambda data: None, lambda: None)
            socket.say(json.dumps({"type": "hello", "table": attack.rng.choice(attack.tables)}).encode())
            sockets.append(socket)
    while attack.is_on:
        for socket in sockets:
            frame = attack.rng.choice(
                (
                    attack.rng.randbytes(attack.rng.randrange(200)),
                    b"[" * 3000,
                    b'{"type":"TICHU.PASS","id":"x"}',
                    b'{"type":"TABLE.START","id":"x"}',
                    b'{"type":"hint","id":"x"}',
                    b'{"type":"TABLE.SIT","id":"x","seat":0}',
                    b"x" * 9000,
                )
            )
            socket.say(frame)
            attack.results["frames"] += 1
        await asyncio.sleep(0.02)
    for socket in sockets:
        socket.close()


ATTACKS: Final[dict[str, Callable[[Attack], Awaitable[None]]]] = {
    "flood": flood,
    "silent connections": silent_connections,
    "half-open": half_open,
    "slow readers": slow_readers,
    "hint storm": hint_storm,
    "table maker": table_maker,
    "code guesser": code_guesser,
    "picture storm": picture_storm,
    "view storm": view_storm,
    "account storm": account_storm,
    "noise": noise,
}


async def _run(port: int, order: dict[str, Any]) -> None:
    attack = Attack(port, order)
    with suppress(OSError, TimeoutError):
        await ATTACKS[order["attack"]](attack)
    sys.stdout.write(json.dumps({"attack": order["attack"], "results": attack.results}) + "\n")
    sys.stdout.flush()


async def _obey(port: int) -> None:
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    running: set[asyncio.Task[None]] = set()
    while line := await reader.readline():
        task = loop.create_task(_run(port, json.loads(line)))
        running.add(task)
        task.add_done_callback(running.discard)
    for task in running:
        task.cancel()


if __name__ == "__main__":
    # What they take from the machine is not the point; real ones bring their own.
    os.nice(10)
    asyncio.run(_obey(int(sys.argv[1])))
