"""Four sockets play a game whose server is killed after every single thing that happens.

``python -m tests.server.crash`` plays a match (``make crash``); the quick tests play a round.
"""

import asyncio
import os
import sys
from contextlib import suppress
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import click
import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from tests.server.lives import Lives, asked
from tichu import Take, format_action, parse_record, replay
from tichu.core.actions import DECLINE_GRAND, CallGrand, DeclineBomb
from tichu.core.fairness import check_record
from tichu.core.record import Record
from tichu.server import wire
from tichu.server.client.follower import Follower
from tichu.server.table.translate import command_of

__all__ = ["Crashing", "Outcome"]

_PATIENCE_S = 60
#: How often the server dies before its answer is heard, rather than after.
_IN_FLIGHT = 0.3
_MODESTY = 0.95


class Outcome(NamedTuple):
    """What a game came to."""

    record: Record
    #: What was acknowledged, in order, as TTN.
    acknowledged: list[str]
    lives: int
    in_flight: int


class _Seat:
    """A player with a socket, or between two sockets."""

    def __init__(self, number: int, token: str | None) -> None:
        self.number = number
        self.token = token
        self.follower = Follower()
        self.answers: dict[str, wire.Ack | wire.Refused] = {}
        #: Whether the view is the state after all that was heard.
        self.is_settled = False
        self._socket: ClientConnection | None = None
        self._reader: asyncio.Task[None] | None = None

    @property
    def decision(self) -> wire.Decision | None:
        """What this seat is to decide, as far as it knows."""
        view = self.follower.view
        return view.decision if self.is_settled and view is not None else None

    async def connect(self, url: str, table: str, news: asyncio.Event) -> None:
        """Say hello and take up what was missed; nothing that was heard may have been taken back."""
        self._socket = await connect(
            f"{url.replace('http', 'ws', 1)}/ws/v1", compression=None, open_timeout=_PATIENCE_S
        )
        hello = wire.Hello(table=table, token=self.token, since=self.follower.version, name=f"Guest {self.number}")
        await self._socket.send(msgspec.json.encode(hello), text=True)
        welcome = msgspec.json.decode(await self._socket.recv(), type=wire.Welcome)
        assert welcome.version >= self.follower.version
        missed = range(self.follower.version + 1, welcome.version + 1)
        assert [event.version for event in welcome.missed] == list(missed)
        before = self.follower.view
        if not welcome.missed and self.is_settled and before is not None and welcome.view is not None:
            assert welcome.view.position == before.position
            assert welcome.view.hand == before.hand
        self.token = welcome.you.token
        self._hear(welcome)
        self._reader = asyncio.create_task(self._read(self._socket, news))

    async def _read(self, socket: ClientConnection, news: asyncio.Event) -> None:
        with suppress(ConnectionClosed):
            async for data in socket:
                self._hear(msgspec.json.decode(data, type=wire.FromServer))
                news.set()

    def _hear(self, message: wire.FromServer) -> None:
        match message:
            case wire.Ack() | wire.Refused():
                self.answers[message.id] = message
            case wire.Welcome() | wire.State():
                self.follower.hear(message)
                self.is_settled = True
            case wire.EventMessage():
                assert message.version == self.follower.version + 1
                self.follower.hear(message)
                self.is_settled = message.view is not msgspec.UNSET
            case _:
                raise AssertionError(message)

    async def disconnected(self) -> None:
        """The server has gone: read what it still said."""
        assert self._socket is not None
        assert self._reader is not None
        await self._reader
        await self._socket.close()

    async def send(self, command: wire.Command) -> None:
        """Say something, to whoever still listens."""
        assert self._socket is not None
        with suppress(ConnectionClosed):
            await self._socket.send(msgspec.json.encode(command), text=True)


class Crashing:
    """One game."""

    def __init__(self, lives: Lives, rules: str, seed: int) -> None:
        self._lives = lives
        self._rules = rules
        self._rng = Random(seed)
        self._seats: list[_Seat] = []
        self._table = ""
        self._killed_at = 0
        self._in_flight = 0
        self._count = 0
        self._acknowledged: list[str] = []
        self.news = asyncio.Event()

    async def play(self, on_death: Any = None) -> Outcome:
        """Play to the end of the game."""
        self._lives.begin()
        settings = {"rules": self._rules, "pace": 0}
        made = asked(f"{self._lives.url}/api/tables", None, {"settings": settings, "name": "Guest 0"})
        self._table = made["table"]["id"]
        self._seats = [_Seat(seat, made["you"]["token"] if seat == 0 else None) for seat in range(4)]
        await self._connect()
        for seat in self._seats[1:]:
            await self._do(seat, wire.Sit(id="sit", seat=seat.number))
        await self._do(self._seats[0], wire.Start(id="start"))
        while (table := self._seats[0].follower.table) is None or table.stage != "over":
            await self._turn()
            if on_death is not None:
                on_death(self._lives.count)
        for seat in self._seats:
            await seat.send(wire.Say(id="bye", text="Good game"))
        return await self._outcome(table)

    async def _outcome(self, table: wire.TableState) -> Outcome:
        record = parse_record(asked(f"{self._lives.url}/api/games/{table.game}.ttn"))
        self._lives.kill()
        for seat in self._seats:
            await seat.disconnected()
        return Outcome(record, self._acknowledged, self._lives.count, self._in_flight)

    async def _turn(self) -> None:
        """Kill the server if something has happened; else do something, or wait until something happens."""
        heard = max(seat.follower.version for seat in self._seats)
        if heard > self._killed_at:
            self._killed_at = heard
            await self._die()
            return
        deciding = [seat for seat in self._seats if seat.decision is not None]
        if not deciding:
            await self._hear_something()
            return
        seat = self._rng.choice(deciding)
        self._count += 1
        name = f"c{self._count}"
        if seat.decision == "ready":
            await self._do(seat, wire.Ready(id=name))
            return
        view = seat.follower.core_view()
        assert view is not None
        action = view.legal().draw(self._rng)
        # Nobody ever wins a match who calls on half of all hands.
        if isinstance(action, CallGrand) and self._rng.random() < _MODESTY:
            action = DECLINE_GRAND
        await self._do(seat, command_of(action, view, name, seat.follower.version))
        if not isinstance(action, DeclineBomb):
            self._acknowledged.append(format_action(seat.number, action))

    async def _do(self, seat: _Seat, command: wire.Command) -> None:
        """A command until it is acknowledged; perhaps the server dies with it in its hands, and hears it again."""
        await seat.send(command)
        if self._rng.random() < _IN_FLIGHT:
            self._in_flight += 1
            await asyncio.sleep(self._rng.choice((0, 0.001, 0.003, 0.01)))
            await self._die()
            await seat.send(command)
        while command.id not in seat.answers:
            await self._hear_something()
        answer = seat.answers[command.id]
        assert isinstance(answer, wire.Ack), (command, answer)
        # The answer comes before the news.
        while not all(one.is_settled and one.follower.version >= answer.version for one in self._seats):
            await self._hear_something()

    async def _hear_something(self) -> None:
        self.news.clear()
        await asyncio.wait_for(self.news.wait(), _PATIENCE_S)

    async def _die(self) -> None:
        self._lives.kill()
        for seat in self._seats:
            await seat.disconnected()
        self._lives.begin()
        await self._connect()

    async def _connect(self) -> None:
        # One after the other: the seats are taken in order.
        for seat in self._seats:
            await seat.connect(self._lives.url, self._table, self.news)


def check(outcome: Outcome) -> None:
    """Whether the record holds everything that was acknowledged, once and in order, and nothing else."""
    record = outcome.record
    played = []
    for one in record.rounds:
        assert list(replay(one, record.rules))[-1].is_over
        # Tricks are taken by the table, but for the Dragon's.
        played += [
            format_action(*step)
            for step in one.actions
            if not isinstance(step[1], DeclineBomb) and not (isinstance(step[1], Take) and step[1].recipient is None)
        ]
    assert played == outcome.acknowledged
    assert all(deal.commit is not None and deal.error is None for deal in check_record(record))


@click.command()
@click.option("--rules", default="standard", show_default=True)
@click.option("--seed", type=int, default=0, show_default=True)
def main(rules: str, seed: int) -> None:
    """Play a match and kill the server after everything that happens."""
    with TemporaryDirectory(prefix="tichu-crash-") as folder, Lives(Path(folder)) as lives:

        def tell(deaths: int) -> None:
            if os.isatty(2):
                sys.stderr.write(f"\r{deaths} lives")

        async def play() -> Outcome:
            return await Crashing(lives, rules, seed).play(tell)

        try:
            outcome = asyncio.run(play())
        except KeyboardInterrupt:
            sys.exit(130)
    check(outcome)
    click.echo(
        f"{len(outcome.record.rounds)} rounds, {len(outcome.acknowledged)} actions, all of them there after "
        f"{outcome.lives - 1} deaths, {outcome.in_flight} of them with a command under way"
    )


if __name__ == "__main__":
    main()
