"""Trace one click: count how often a play changes files on its way through the server.

    python -m tools.trace_click

A real server with a SQLite store runs in this process, on a free loopback port; four WebSocket clients sit at one table
with a fixed deal.  Seat 0 has led a pair, the time for bombs is over, and seat 3 plays a higher pair.  Traced is
everything from the moment at which this message is sent until all four sockets have heard of the play, the player has
the answer, the play is stored, and nothing is left to do.  The same has happened at another table before, so what a
process computes only once does not count.

Every call and every return of a Python function in ``src/tichu`` is an event (a coroutine that goes on after a wait is
called again).  A change is an event in another file than the event before it in the same thread; files outside the
package do not count, nor does what the clients do.  The number depends on the code alone, so two runs give the same.
"""

import asyncio
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any, Final

import click
import msgspec

import tichu
from bench.guests import make_table
from bench.sockets import Socket, open_socket
from tichu.server.config import Config
from tichu.server.serve import listen, start_server

_PACKAGE: Final = str(Path(tichu.__file__).parent) + "/"
_DEAL: Final = (
    "2b3b6g7bTgQbArPh+Ma4g5b6sJgQr / 3g3r5g6rTrAbAgDr+Do2g4b7rQsAs"
    " / 4r5r7g9b9gJrKbKg+2r7s8s8g8rJb / 4s6b8b9s9rTbJsQg+2s3s5sTsKsKr"
)
_ACTIONS: Final = ("0-G", "1-G", "2-G", "3-G", "0>4g5b6s", "1>3r4b5g", "2>7g8s8g", "3>6b8b9s")
_LEAD: Final = ("6b", "6g")
_CLICK: Final = ("Ks", "Kr")
_BACKGROUND_TASKS: Final = ("measuring", "housekeeping", "counting", "garbage collection", "tichu-store-owner")
#: Longer than anything takes that the play sets off, shorter than the time for bombs after it.
_SETTLE_S: Final = 0.3


class Trace:
    """Changes from file to file, counted over all threads."""

    def __init__(self) -> None:
        self.changes: Counter[tuple[str, str]] = Counter()
        self.events = 0
        self._is_on = False
        self._files = threading.local()

    def install(self) -> None:
        """Listen in this thread and in all that are started from now on."""
        threading.setprofile(self._note)
        sys.setprofile(self._note)

    def forget(self) -> None:
        """Begin again at zero."""
        self.changes.clear()
        self.events = 0
        self._files = threading.local()

    @contextmanager
    def record(self) -> Iterator[None]:
        """Count what happens meanwhile."""
        self._is_on = True
        try:
            yield
        finally:
            self._is_on = False

    def _note(self, frame: FrameType, event: str, argument: Any) -> None:
        file = frame.f_code.co_filename
        if not self._is_on or event not in ("call", "return") or not file.startswith(_PACKAGE):
            return
        self.events += 1
        before = getattr(self._files, "last", file)
        self._files.last = file
        if file != before:
            self.changes[before.removeprefix(_PACKAGE), file.removeprefix(_PACKAGE)] += 1


class Guest:
    """A seat with a socket."""

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.socket: Socket
        self.version = 0
        self.decision: str | None = None
        self.answers: dict[str, dict[str, Any]] = {}
        self.is_welcome = False

    def hear(self, data: bytes) -> None:
        """A message has come."""
        message = msgspec.json.decode(data)
        if message["type"] in ("ack", "refused", "error"):
            self.answers[message.get("id")] = message
        if message["type"] in ("welcome", "event", "state"):
            self.is_welcome = True
            self.version = message["version"]
            self.decision = (message.get("view") or {}).get("decision")

    async def do(self, name: str, command: dict[str, Any]) -> None:
        """Send a command and wait for its answer."""
        self.socket.say(msgspec.json.encode(command | {"id": name}))
        while name not in self.answers:
            await asyncio.sleep(0.001)
        if self.answers[name]["type"] != "ack":
            sys.exit(f"{command['type']} was refused: {self.answers[name]}")

    async def play(self, name: str, cards: tuple[str, ...]) -> None:
        """Play cards as soon as it is this seat's turn."""
        await self.do(name, {"type": "TICHU.PLAY_CARDS", "cards": cards, "version": self.version})


async def sit_down(host: str, port: int) -> list[Guest]:
    """Four guests at a table where the cards are exchanged."""
    table, token = await make_table(host, port, None, {"deal": _DEAL, "actions": _ACTIONS})
    guests = [Guest(seat) for seat in range(4)]
    for guest in guests:
        guest.socket = await open_socket(host, port, None, "/ws/v1", guest.hear, lambda: None)
        hello = {"type": "hello", "table": table, "name": f"Guest {guest.seat}"}
        guest.socket.say(msgspec.json.encode(hello | ({"token": token} if guest.seat == 0 else {})))
        while not guest.is_welcome:
            await asyncio.sleep(0.001)
        if guest.seat:
            await guest.do("sit", {"type": "TABLE.SIT", "seat": guest.seat})
    await guests[0].do("start", {"type": "TABLE.START"})
    return guests


async def wait_for_turn(guests: list[Guest], seat: int) -> None:
    """Until everybody knows that this seat is to play, and nothing else is going on."""
    while guests[seat].decision != "play" or len({guest.version for guest in guests}) > 1:
        await asyncio.sleep(0.001)
    await asyncio.sleep(_SETTLE_S)


async def play_to_click(port: int, trace: Trace) -> None:
    """Play at a new table until the click, and record that."""
    guests = await sit_down("127.0.0.1", port)
    await wait_for_turn(guests, 0)
    await guests[0].play("lead", _LEAD)
    await wait_for_turn(guests, 3)
    before = guests[0].version
    with trace.record():
        await guests[3].play("click", _CLICK)
        while any(guest.version == before for guest in guests):
            await asyncio.sleep(0.001)
        await asyncio.sleep(_SETTLE_S)
    for guest in guests:
        guest.socket.close()


def stop_background_tasks() -> None:
    """What a server does by the clock is no part of a click, and would make the number depend on the time."""
    for task in asyncio.all_tasks():
        if task.get_name() in _BACKGROUND_TASKS:
            task.cancel()


async def trace_click(trace: Trace, database: Path) -> None:
    """Start a server and record a click, once what is computed only once per process is there."""
    with listen("127.0.0.1", 0) as place:
        async with start_server(Config(database=str(database)), place), asyncio.timeout(60):
            stop_background_tasks()
            await play_to_click(place.getsockname()[1], trace)
            trace.forget()
            await play_to_click(place.getsockname()[1], trace)


@click.command()
@click.option("--most", default=10, show_default=True, help="How many kinds of changes to list.")
def main(most: int) -> None:
    """Count how often a play changes files on its way through the server."""
    trace = Trace()
    trace.install()
    with tempfile.TemporaryDirectory(prefix="tichu-trace-") as folder:
        asyncio.run(trace_click(trace, Path(folder) / "trace.db"))
    click.echo(f"{trace.changes.total()} changes of file in {trace.events} calls and returns")
    for (before, after), number in trace.changes.most_common(most):
        click.echo(f"{number:4}  {before} -> {after}")


if __name__ == "__main__":
    main()
