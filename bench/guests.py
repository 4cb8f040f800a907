"""Four guests at a table who play legal rounds without a thought, and note how long each answer takes."""

import asyncio
import time
from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Any, Final

import msgspec
from msgspec import Struct

from bench.sockets import Socket, open_socket

__all__ = ["Guests", "Message", "Tally", "View", "choose", "decode_message", "encode", "make_table"]

_RETRY_S: Final = 0.25
_PASSES: Final = 0.3


class Suggestion(Struct, frozen=True, rename="camel"):
    """A play that the server proposes."""

    cards: tuple[str, ...]
    type: str
    text: str
    phoenix_as: str | None = None


class View(Struct, frozen=True, rename="camel"):
    """The part of a view that is needed to do something legal."""

    decision: str | None
    hand: tuple[str, ...]
    may_pass: bool
    recipients: tuple[int, ...]
    wishes: tuple[str, ...]
    suggestions: tuple[Suggestion, ...]


class Player(Struct, frozen=True):
    """The seat's token is all that is needed."""

    token: str


class TableView(Struct, frozen=True):
    """The part of a table's state that is needed to begin another game."""

    stage: str
    game: str | None = None


class Missed(Struct, frozen=True):
    """An event that came while nobody listened."""

    version: int


class Message(Struct, frozen=True):
    """Any message; what it is not is None."""

    type: str
    id: str | None = None
    version: int = 0
    view: View | msgspec.UnsetType | None = msgspec.UNSET
    reason: str | None = None
    message: str | None = None
    code: str | None = None
    you: Player | None = None
    table: TableView | None = None
    missed: tuple[Missed, ...] = ()


decode_message: Final = msgspec.json.Decoder(Message).decode
encode: Final = msgspec.json.Encoder().encode


class Tally:
    """What was measured, over all tables."""

    def __init__(self) -> None:
        self.latencies: list[float] = []
        self.sent = self.acknowledged = self.gaps = self.hung_up = self.messages = self.size = 0
        self.refused: Counter[str] = Counter()
        self.errors: Counter[str] = Counter()

    def note_answer(self, seconds: float) -> None:
        """A command got its answer."""
        self.latencies.append(seconds)


def choose(view: View, rng: Random) -> tuple[dict[str, Any], str]:
    """Something legal: the command, and the action as TTN without the seat (empty if it is no action)."""
    match view.decision:
        case "grand":
            return {"type": "TICHU.DECLINE_GRAND_TICHU"}, "-G"
        case "exchange":
            left, partner, right = rng.sample(view.hand, 3)
            cards = {"left": left, "partner": partner, "right": right}
            return {"type": "TICHU.CONFIRM_EXCHANGE", **cards}, f">{left}{partner}{right}"
        case "wish":
            rank = rng.choice(view.wishes)
            return {"type": "TICHU.WISH", "wishRank": rank}, f"?{'-' if rank == 'NONE' else rank}"
        case "gift":
            recipient = rng.choice(view.recipients)
            return {"type": "TICHU.DRAGON_DONATE", "toOpponentPlayerId": recipient}, f"!{recipient}"
        case "bomb":
            return {"type": "TICHU.DECLINE_BOMB"}, "-B"
        case "ready":
            return {"type": "TABLE.READY"}, ""
    if view.may_pass and (not view.suggestions or rng.random() < _PASSES):
        return {"type": "TICHU.PASS"}, ":-"
    play = rng.choice(view.suggestions)
    declared = {"type": play.type} | ({"phoenixAs": play.phoenix_as} if play.phoenix_as else {})
    return {"type": "TICHU.PLAY_CARDS", "cards": play.cards, "declaredCombo": declared}, f":{play.text}"


async def make_table(
    host: str, port: int, source: str | None, settings: dict[str, Any], token: str | None = None
) -> tuple[str, str]:
    """A new table over HTTP: its id and the token of its host, who is somebody new unless a token is shown.

    :raises OSError: the server does not want to
    """
    body = encode({"settings": settings, "name": "" if token else "Guest 0"})
    shown = f"Authorization: Bearer {token}\r\n" if token else ""
    reader, writer = await asyncio.open_connection(host, port, local_addr=(source, 0) if source else None)
    try:
        writer.write(
            f"POST /api/tables HTTP/1.1\r\nHost: {host}:{port}\r\nContent-Type: application/json\r\n"
            f"{shown}Content-Length: {len(body)}\r\nConnection: close\r\n\r\n".encode()
            + body
        )
        answer = await asyncio.wait_for(reader.read(), 30)
    finally:
        writer.close()
    head, _, body = answer.partition(b"\r\n\r\n")
    status = head.split(b" ")[1] if head.count(b" ") else b"no answer"
    if not status.startswith(b"2"):
        raise ConnectionRefusedError(f"no table: {status.decode()} {body[:200].decode(errors='replace')}")
    made = msgspec.json.decode(body)
    return made["table"]["id"], made["you"]["token"]


class _Guest:
    """One seat."""

    def __init__(self, table: "Guests", seat: int) -> None:
        self.table = table
        self.seat = seat
        self.view: View | None = None
        self.version = 0
        self.socket: Socket | None = None
        self.welcome: asyncio.Future[Message] = asyncio.get_running_loop().create_future()

    def hear(self, data: bytes) -> None:
        """A message has come."""
        tally = self.table.tally
        tally.messages += 1
        tally.size += len(data)
        message = decode_message(data)
        match message.type:
            case "ack" | "refused":
                self.table.hear_answer(message)
            case "event":
                # Whoever was too slow gets a state instead; else every version comes.
                tally.gaps += message.version != self.version + 1
            case "welcome" if not self.welcome.done():
                self.welcome.set_result(message)
            case "error":
                tally.errors[f"{message.code}: {message.message}"] += 1
        if message.view is not msgspec.UNSET:
            self.view = message.view
        elif message.type == "event":
            self.view = None  # Of several events at once only the last shows how things stand.
        if message.type in ("event", "state", "welcome"):
            self.version = message.version


class Guests:
    """A table with four sockets."""

    def __init__(self, tally: Tally, rng: Random, period: float) -> None:
        self.tally = tally
        self._rng = rng
        self._period = period
        self._guests = [_Guest(self, seat) for seat in range(4)]
        self._waiting: dict[str, float] = {}
        self._answers: dict[str, asyncio.Future[Message]] = {}
        self._count = 0
        self._timer: asyncio.TimerHandle | None = None
        self._is_over = False

    async def sit_down(
        self, host: str, port: int, source: str | None, settings: dict[str, Any], tokens: Sequence[str] = ()
    ) -> None:
        """Make the table, take the seats, and start; as these four accounts, or as guests."""
        table, token = await make_table(host, port, source, settings, *tokens[:1])
        for guest in self._guests:
            guest.socket = await open_socket(host, port, source, "/ws/v1", guest.hear, self._count_end)
            hello = {"type": "hello", "table": table, "name": f"Guest {guest.seat}"}
            own = token if guest.seat == 0 else tokens[guest.seat] if tokens else None
            guest.socket.say(encode(hello | ({"token": own} if own else {})))
            await asyncio.wait_for(guest.welcome, 30)
            if guest.seat:
                await self._do(guest, {"type": "TABLE.SIT", "seat": guest.seat})
        await self._do(self._guests[0], {"type": "TABLE.START"})

    async def _do(self, guest: _Guest, command: dict[str, Any]) -> None:
        """Say something that is not measured."""
        future = asyncio.get_running_loop().create_future()
        self._answers[self._say(guest, command)] = future
        answer = await asyncio.wait_for(future, 30)
        if answer.type != "ack":
            raise ConnectionRefusedError(f"{command['type']}: {answer.message}")

    def play(self) -> None:
        """Begin to act, one action a period, at a random point of it."""
        self._next(self._rng.uniform(0, self._period))

    def stop(self) -> None:
        """No more actions."""
        if self._timer is not None:
            self._timer.cancel()

    @property
    def unanswered(self) -> int:
        """How many commands wait for their answer."""
        return len(self._waiting)

    def leave(self) -> None:
        """Hang up."""
        self.stop()
        self._is_over = True
        for guest in self._guests:
            if guest.socket is not None:
                guest.socket.close()

    def _count_end(self) -> None:
        self.tally.hung_up += not self._is_over

    def _next(self, seconds: float) -> None:
        self._timer = asyncio.get_running_loop().call_later(seconds, self._act)

    def _act(self) -> None:
        deciding = [guest for guest in self._guests if guest.view is not None and guest.view.decision is not None]
        is_settled = len({guest.version for guest in self._guests}) == 1
        if self._waiting or not deciding or not is_settled:
            # A bomb window is open, the next deal is on its way, or not everybody has heard of the last action.
            self._next(_RETRY_S)
            return
        guest = self._rng.choice(deciding)
        assert guest.view is not None
        command = choose(guest.view, self._rng)[0] | {"version": guest.version}
        self._waiting[self._say(guest, command)] = time.perf_counter()
        self.tally.sent += 1
        self._next(self._period)

    def _say(self, guest: _Guest, command: dict[str, Any]) -> str:
        self._count += 1
        name = f"c{self._count}"
        assert guest.socket is not None
        guest.socket.say(encode(command | {"id": name}))
        return name

    def hear_answer(self, message: Message) -> None:
        """An acknowledgement or a refusal."""
        assert message.id is not None
        future = self._answers.pop(message.id, None)
        if future is not None:
            if not future.done():
                future.set_result(message)
            return
        sent = self._waiting.pop(message.id, None)
        if sent is None:
            return
        self.tally.note_answer(time.perf_counter() - sent)
        if message.type == "ack":
            self.tally.acknowledged += 1
        else:
            self.tally.refused[message.reason or ""] += 1
