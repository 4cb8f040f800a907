"""Honest tables before a cluster: they play, come back, ask again, and keep journals of every answer."""

import asyncio
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from functools import partial
from random import Random
from typing import Any, Final, NamedTuple

import click
import msgspec

from bench.cluster.history import Answer
from bench.guests import Message, encode, make_table
from bench.siege.honest import HonestTable, Patience, Sample, Tally

__all__ = ["HEARTBEAT_S", "PAGE", "STUBBORN", "Crowd", "Heard", "make_where_asked"]

#: As the page (``web/src/lib/connection.ts``), which looks once a second; a test compares the numbers.
PAGE: Final = Patience(open_s=12.5, welcome_s=8.5, ping_after_s=4.0, pong_s=3.5)
HEARTBEAT_S: Final = 1.0
#: Whoever waits a minute for a server that stands still.
STUBBORN: Final = PAGE._replace(ping_after_s=30.0, pong_s=30.0)
_LOOK_S: Final = 0.1
_TRIES: Final = 36
#: How often people sit down anew.
_SEATINGS: Final = 4


async def _ask(port: int, source: str, request: str, body: bytes = b"") -> tuple[str, bytes]:
    """Which node has answered, and what."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(source, 0))
    try:
        head = f"{request} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n"
        writer.write(f"{head}Content-Length: {len(body)}\r\nConnection: close\r\n\r\n".encode() + body)
        told, _, answer = (await asyncio.wait_for(reader.read(), 30)).partition(b"\r\n\r\n")
    finally:
        writer.close()
    status, *headers = told.decode(errors="replace").split("\r\n")
    if " 20" not in status[:13]:
        raise ConnectionRefusedError(f"{request}: {status} {answer[:200].decode(errors='replace')}")
    nodes = [line.partition(": ")[2] for line in headers if line.lower().startswith("x-node:")]
    return nodes[0] if nodes else "", answer


async def make_where_asked(host: str, port: int, source: str, settings: dict[str, Any]) -> tuple[str, str]:
    """A table at the node to which the balancer sends its sockets, as it is after it has moved there.

    Where it is made elsewhere it is left alone and another one is made.
    """
    body = encode({"settings": settings, "name": "Guest 0"})
    for _ in range(_TRIES):
        maker, answer = await _ask(port, source, "POST /api/tables", body)
        made = msgspec.json.decode(answer)
        table = str(made["table"]["id"])
        if (await _ask(port, source, f"GET /api/tables/{table}"))[0] == maker:
            return table, str(made["you"]["token"])
    raise ConnectionRefusedError(f"of {_TRIES} tables none was made where it is asked for")


class Heard(NamedTuple):
    """An acknowledgement came, by the monotonic clock."""

    at: float
    table: str


class _Watch:
    """Since when a table is held up: somebody is away, or a command is not answered."""

    def __init__(self) -> None:
        self.since: float | None = None
        self.answers = 0


class Crowd:
    """All tables, and what was heard at them."""

    def __init__(self, period: float, settings: dict[str, Any], seed: int = 0, *, patience: Patience = PAGE) -> None:
        self.tally = Tally()
        self.tables: list[HonestTable] = []
        self.answers: list[Answer] = []
        self.heard: list[Heard] = []
        #: The longest time that each table was held up since it was last asked.
        self.pauses: dict[str, float] = {}
        #: How late this process is by itself: answers cannot be earlier.
        self.lags: list[float] = []
        self._period, self._settings = period, settings
        self._patience = patience
        #: Seconds between two actions of a table before its first trick, if it is not the usual time.
        self.opening_s: float | None = None
        #: How tables are made.
        self.make: Callable[[str, int, str, dict[str, Any]], Awaitable[tuple[str, str]]] = make_table
        self._rng = Random(seed)
        self._tasks: list[asyncio.Task[None]] = []
        self._watches: dict[str, _Watch] = {}
        self._counts: Counter[str] = Counter()

    async def grow(self, number: int, port: int, people: Sequence[int] = (4,), at_once: int = 8) -> None:
        """Seat people at more tables until there are this many; then they play."""
        if not self._tasks:
            self._tasks = [asyncio.create_task(self._check_silence()), asyncio.create_task(self._watch())]
        limit = asyncio.Semaphore(at_once)
        with click.progressbar(length=number - len(self.tables), label="seating", file=sys.stderr) as bar:

            async def seat(at: int) -> None:
                async with limit:
                    # 127.0.0.0/8 is all this machine: nobody is over the limits of an address.
                    table = await self._seat(people[at % len(people)], port, f"127.1.{at // 250}.{at % 250 + 1}")
                    self.tables.append(table)
                    table.play()
                    bar.update(1)

            await asyncio.gather(*(seat(at) for at in range(len(self.tables), number)))

    async def _seat(self, people: int, port: int, source: str) -> HonestTable:
        """A table at which all sit.

        It may move while they come, to where its first socket is; then these begin anew at another one.

        :raises OSError: the servers do not want to
        """
        for tries in range(1, _SEATINGS + 1):
            table = HonestTable(self.tally, Random(self._rng.random()), self._period, people)
            table.path, table.patience, table.make = "/ws/v1/tables/{}", self._patience, self.make
            table.opening_s = self.opening_s
            table.on_answer = partial(self._note, table)
            try:
                await table.sit_down(port, source, self._settings)
            except (ConnectionResetError, TimeoutError):
                table.leave()
                if tries == _SEATINGS:
                    raise
            else:
                return table
        raise AssertionError

    async def wait_led(self, seconds: float) -> None:
        """Return when the first trick has begun at every table.

        :raises TimeoutError: it has not
        """
        until = time.monotonic() + seconds
        while waiting := sum(not table.has_led for table in self.tables):
            if time.monotonic() > until:
                raise TimeoutError(f"{waiting} of {len(self.tables)} tables did not come to their first trick")
            await asyncio.sleep(_LOOK_S)

    def _note(self, table: HonestTable, answer: Message, action: str) -> None:
        assert answer.id is not None
        if answer.type == "ack":
            self._counts[table.id] += 1
            self.heard.append(Heard(time.monotonic(), table.id))
            self.answers.append(Answer(table.id, answer.id, "ack", str(answer.version), action))
        else:
            self.answers.append(Answer(table.id, answer.id, "refused", answer.reason or "?"))

    async def _check_silence(self) -> None:
        while True:
            await asyncio.sleep(HEARTBEAT_S)
            for table in self.tables:
                table.check_silence()

    async def _watch(self) -> None:
        while True:
            due = time.monotonic() + _LOOK_S
            await asyncio.sleep(_LOOK_S)
            now = time.monotonic()
            self.lags.append(1000 * max(0.0, now - due))
            for table in self.tables:
                self._look(table, now)

    def _look(self, table: HonestTable, now: float) -> None:
        watch = self._watches.setdefault(table.id, _Watch())
        answers = self._counts[table.id]
        if table.is_whole and (not table.is_waiting or answers != watch.answers):
            watch.since = None
        elif watch.since is None:
            watch.since = now
        watch.answers = answers
        if watch.since is not None:
            self.pauses[table.id] = max(self.pauses.get(table.id, 0.0), now - watch.since)

    @property
    def is_playing(self) -> bool:
        """Whether everybody is there and nothing has waited for long."""
        since = time.monotonic() - 1.0
        held_up = [watch.since for watch in self._watches.values() if watch.since is not None]
        return all(table.is_whole for table in self.tables) and all(begin > since for begin in held_up)

    def begin_measuring(self) -> None:
        """Forget how long everything took so far, but nothing of what was answered."""
        self.tally.samples = []
        self.pauses = {}
        self.lags = []

    @property
    def samples(self) -> list[Sample]:
        """Since :meth:`begin_measuring`."""
        return self.tally.samples

    async def settle(self, seconds: float) -> int:
        """Begin nothing more, and wait until everything is answered; how many commands are not."""
        for table in self.tables:
            table.stop()
        until = time.monotonic() + seconds
        while time.monotonic() < until and any(table.is_waiting for table in self.tables):
            await asyncio.sleep(0.1)
        return sum(table.is_waiting for table in self.tables)

    async def leave(self) -> None:
        """Hang up everywhere."""
        for table in self.tables:
            table.leave()
        for task in self._tasks:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
