"""Honest tables: guests who come back after every loss, ask again for what was not answered, and keep a journal.

The journal holds what was acknowledged, in order, as TTN.  A table has one command under way at a time, so this order
is that of the game.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from random import Random
from typing import Any, Final, NamedTuple

import msgspec

from bench.guests import Message, View, choose, decode_message, encode, make_table
from bench.sockets import Socket, open_socket

__all__ = ["HonestTable", "Patience", "Sample", "Tally"]

_RETRY_S: Final = 0.25
#: An answer that is this late is asked for again, with the same id, as a page would.
_ASK_AGAIN_S: Final = 10.0
#: The longest window in which a play is held back for a bomb.
_WINDOW_S: Final = 2.2
_PING: Final = encode({"type": "ping"})


class Patience(NamedTuple):
    """How many seconds somebody waits before they hang up and come again."""

    #: For a socket to open, and then for the welcome.
    open_s: float = 30.0
    welcome_s: float = 30.0
    #: For a word, before they ask whether anybody is there; and then for the answer.
    ping_after_s: float = 4.0
    pong_s: float = 3.5


class Sample(NamedTuple):
    """One command, from when it was first sent to its answer, by the monotonic clock."""

    sent: float
    answered: float

    @property
    def ms(self) -> float:
        """How long it took."""
        return 1000 * (self.answered - self.sent)


class Tally:
    """What was seen over all tables."""

    def __init__(self) -> None:
        self.samples: list[Sample] = []
        self.acknowledged = self.refused = self.asked_again = self.games = self.reconnections = 0
        self.reasons: dict[str, int] = {}
        #: What must not be: what a client was told and later was not so.
        self.contradictions: list[str] = []

    def count_reason(self, reason: str) -> None:
        """Why something was refused, or which error came."""
        self.reasons[reason] = self.reasons.get(reason, 0) + 1


class _Pending(NamedTuple):
    seat: "_Seat"
    id: str
    command: bytes
    #: As TTN, empty for what is no action.
    text: str
    sent: float


class _Seat:
    """A player with a socket, or between two of them."""

    def __init__(self, table: "HonestTable", number: int, token: str | None) -> None:
        self.table = table
        self.number = number
        self.token = token
        self.version = 0
        self.view: View | None = None
        self.is_here = False
        self.heard_at = 0.0
        #: When they asked whether anybody is there, if that is not answered.
        self.pinged_at: float | None = None
        self.socket: Socket | None = None
        self._welcome: asyncio.Future[None] | None = None

    async def connect(self) -> None:
        """Say hello and be welcomed.

        :raises OSError: the server does not want to, or is not there
        """
        table = self.table
        self._welcome = asyncio.get_running_loop().create_future()
        async with asyncio.timeout(table.patience.open_s):
            path = table.path.format(table.id)
            socket = await open_socket(table.host, table.port, table.source, path, self._hear, self._hung_up)
        hello = {"type": "hello", "table": table.id, "token": self.token, "since": self.version}
        data = encode(hello | {"name": f"Guest {self.number}"})
        table.on_said(data)
        socket.say(data)
        try:
            await asyncio.wait_for(self._welcome, table.patience.welcome_s)
        except BaseException:
            socket.close()
            raise
        self.socket = socket
        self.is_here = True

    def _hung_up(self) -> None:
        if self._welcome is not None and not self._welcome.done():
            self._welcome.set_exception(ConnectionResetError("closed before the welcome"))
            self._welcome.exception()  # Whoever waits hears of it; nobody may wait yet.
            return
        was_here, self.is_here, self.socket = self.is_here, False, None
        if was_here:
            self.table.lost(self)

    def check_silence(self) -> None:
        """Ask after a silence whether anybody is there, and hang up if that is not answered."""
        if self.socket is None or not self.is_here:
            return
        now, patience = time.monotonic(), self.table.patience
        if self.pinged_at is not None:
            if now - self.pinged_at > patience.pong_s:
                self.socket.abort()
        elif now - self.heard_at > patience.ping_after_s:
            self.pinged_at = now
            self.socket.say(_PING)

    def _hear(self, data: bytes) -> None:
        self.heard_at, self.pinged_at = time.monotonic(), None
        message = decode_message(data)
        match message.type:
            case "ack" | "refused":
                self.table.take_answer(message)
            case "error":
                self.table.take_error(message)
            case "welcome":
                self._enter(message)
            case "event" if message.version != self.version + 1:
                self._contradict(f"version {message.version} after {self.version}")
            case "state" if message.version < self.version:
                self._contradict(f"state {message.version} after {self.version}")
        if message.table is not None:
            self.table.note_state(message.table.stage, message.table.game)
        if message.view is not msgspec.UNSET:
            self.view = message.view
        elif message.type == "event":
            self.view = None  # Of several events at once only the last shows how things stand.
        if message.type in ("event", "state", "welcome"):
            self.version = message.version
            self.table.note_event()
        if message.type == "welcome" and self._welcome is not None and not self._welcome.done():
            self._welcome.set_result(None)

    def _enter(self, message: Message) -> None:
        if message.version < self.version:
            self._contradict(f"welcomed with version {message.version} after {self.version}")
        missed = [event.version for event in message.missed]
        if missed and missed != list(range(self.version + 1, message.version + 1)):
            self._contradict(f"missed {missed} between {self.version} and {message.version}")
        if message.you is not None:
            self.token = message.you.token or self.token

    def _contradict(self, words: str) -> None:
        self.table.tally.contradictions.append(f"table {self.table.id}, seat {self.number}: {words}")


class HonestTable:
    """A table with four people, or with one and three bots."""

    def __init__(self, tally: Tally, rng: Random, period: float, people: int) -> None:
        self.tally = tally
        self.people = people
        self.id = ""
        self.host, self.port = "127.0.0.1", 0
        self.source: str | None = None
        #: Hears every frame that is sent.
        self.on_said: Callable[[bytes], None] = lambda data: None
        #: Hears every acknowledgement and refusal, also the second one of a command, with its action as TTN if known.
        self.on_answer: Callable[[Message, str], None] = lambda answer, action: None
        #: Where the socket is; braces stand for the table.
        self.path = "/ws/v1"
        self.patience = Patience()
        #: Seconds between two actions before the first trick, if it is not the usual time; and whether there was one.
        self.opening_s: float | None = None
        self.has_led = False
        #: How the table is made.
        self.make: Callable[[str, int, str, dict[str, Any]], Awaitable[tuple[str, str]]] = make_table
        #: What was acknowledged, in order.
        self.journal: list[str] = []
        self._rng = rng
        self._period = period
        self._seats: list[_Seat] = []
        self._stage, self.game = "open", ""
        self._news = 0.0
        self._pending: _Pending | None = None
        self._count = 0
        self._answers: dict[str, asyncio.Future[Message]] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._coming: set[asyncio.Task[None]] = set()
        self._is_playing = self._is_over = False

    async def sit_down(self, port: int, source: str, settings: dict[str, Any]) -> None:
        """Make the table, take the seats and start.

        :raises OSError: the server does not want to
        """
        self.port, self.source = port, source
        self.id, token = await self.make(self.host, port, source, settings)
        self._seats = [_Seat(self, seat, None if seat else token) for seat in range(self.people)]
        for seat in self._seats:
            await seat.connect()
            if seat.number:
                await self._do(seat, {"type": "TABLE.SIT", "seat": seat.number})
        await self._do(self._seats[0], {"type": "TABLE.START"})

    async def _do(self, seat: _Seat, command: dict[str, Any]) -> None:
        """Say something before the game; it is not measured.

        :raises OSError: the socket has gone, or the server does not want to
        """
        self._count += 1
        name = f"c{self._count}"
        self._answers[name] = asyncio.get_running_loop().create_future()
        if seat.socket is None:
            raise ConnectionResetError("closed before the game")
        data = encode(command | {"id": name})
        self.on_said(data)
        seat.socket.say(data)
        answer = await asyncio.wait_for(self._answers[name], 30)
        if answer.type != "ack":
            raise ConnectionRefusedError(f"{command['type']}: {answer.message}")

    def play(self) -> None:
        """Begin to act, one action a period, at a random point of it."""
        self._is_playing = True
        self._next(self._rng.uniform(0, self._period))

    def stop(self) -> None:
        """Begin nothing more; what is under way is asked for until it is answered."""
        self._is_playing = False

    def leave(self) -> None:
        """Hang up."""
        self._is_over, self._is_playing = True, False
        if self._timer is not None:
            self._timer.cancel()
        for task in self._coming:
            task.cancel()
        for seat in self._seats:
            if seat.socket is not None:
                seat.socket.close()

    def check_silence(self) -> None:
        """Hang up where nothing is heard, as a page does; the seats come back by themselves."""
        for seat in self._seats:
            seat.check_silence()

    @property
    def is_whole(self) -> bool:
        """Whether everybody is here."""
        return all(seat.is_here for seat in self._seats)

    @property
    def is_waiting(self) -> bool:
        """Whether a command is under way."""
        return self._pending is not None

    # What the seats hear.

    def note_event(self) -> None:
        """Something happened."""
        self._news = time.monotonic()

    def note_state(self, stage: str, game: str | None) -> None:
        """How the table stands."""
        if stage == "over" and self._stage != "over":
            self.tally.games += 1
        self._stage, self.game = stage, game or self.game

    def lost(self, seat: _Seat) -> None:
        """A socket has ended: come back, and ask again for what was under way."""
        if self._is_over:
            return
        task = asyncio.get_running_loop().create_task(self._come_back(seat))
        self._coming.add(task)
        task.add_done_callback(self._coming.discard)

    async def _come_back(self, seat: _Seat) -> None:
        while not seat.is_here:
            await asyncio.sleep(self._rng.uniform(0.5, 1.5) * _RETRY_S)
            with suppress(OSError, TimeoutError):
                await seat.connect()
        self.tally.reconnections += 1
        if self._pending is not None and self._pending.seat is seat:
            self._ask_again()

    def _ask_again(self) -> None:
        if self._pending is not None and self._pending.seat.socket is not None:
            self.tally.asked_again += 1
            self._pending.seat.socket.say(self._pending.command)

    def take_error(self, message: Message) -> None:
        """Something could not be done now."""
        self.tally.count_reason(f"error {message.code}")
        if self._pending is not None and message.id == self._pending.id:
            asyncio.get_running_loop().call_later(1.0, self._ask_again)

    def take_answer(self, message: Message) -> None:
        """An acknowledgement or a refusal."""
        future = self._answers.pop(message.id or "", None)
        if future is not None:
            self.on_answer(message, "")
            if not future.done():
                future.set_result(message)
            return
        pending = self._pending
        if pending is None or message.id != pending.id:
            self.on_answer(message, "")
            return  # The second answer to what was asked twice.
        self.on_answer(message, pending.text)
        self._pending = None
        self.tally.samples.append(Sample(pending.sent, time.monotonic()))
        if message.type == "refused":
            self.tally.refused += 1
            self.tally.count_reason(message.reason or "?")
            return
        self.tally.acknowledged += 1
        if pending.text:
            self.journal.append(pending.text)

    # What they do.

    def _next(self, seconds: float) -> None:
        self._timer = asyncio.get_running_loop().call_later(seconds, self._act)

    def _act(self) -> None:
        if self._pending is not None:
            if time.monotonic() - self._pending.sent > _ASK_AGAIN_S and self._pending.seat.is_here:
                self._ask_again()
            self._next(_RETRY_S if not self._is_playing else 1.0)
            return
        if not self._is_playing:
            return
        found = self._choice()
        if found is None:
            # A bomb window is open, the next deal is on its way, or not everybody has heard of the last action.
            self._next(_RETRY_S)
            return
        seat, command, text = found
        self._count += 1
        name = f"c{self._count}"
        data = encode(command | {"id": name, "version": seat.version})
        self._pending = _Pending(seat, name, data, f"{seat.number}{text}" if text else "", time.monotonic())
        assert seat.socket is not None
        self.on_said(data)
        seat.socket.say(data)
        self.has_led |= text.startswith(":")
        self._next(self._period if self.has_led or self.opening_s is None else self.opening_s)

    def _choice(self) -> tuple[_Seat, dict[str, Any], str] | None:
        if not self.is_whole or len({seat.version for seat in self._seats}) != 1:
            return None
        if self.people == 1 and time.monotonic() < self._news + _WINDOW_S:
            return None  # A bot has just played, and whatever comes in its window is held back, as it should be.
        host = self._seats[0]
        if self._stage == "over":
            return host, {"type": "TABLE.START"}, ""
        if self._stage == "paused":
            return host, {"type": "TABLE.RESUME"}, ""
        deciding = [seat for seat in self._seats if seat.view is not None and seat.view.decision is not None]
        if not deciding:
            return None
        seat = self._rng.choice(deciding)
        assert seat.view is not None
        command, text = choose(seat.view, self._rng)
        return seat, command, text
