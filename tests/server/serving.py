"""A real server on a free port, and guests with real sockets."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, TypeVar

import httpx
import msgspec
from websockets.asyncio.client import ClientConnection, connect

from tichu.agents.base import Agent, Choice
from tichu.agents.greedy import GreedyAgent
from tichu.core.fairness import nonce_commit_of
from tichu.server import wire
from tichu.server.client.follower import Follower
from tichu.server.config import Config, Limits
from tichu.server.lobby import Lobby
from tichu.server.serve import listen, start_server
from tichu.server.table.ports import BotAsk
from tichu.server.table.translate import command_of

__all__ = ["QUICK", "Guest", "Place", "served"]

T = TypeVar("T")
_heard = msgspec.json.Decoder(wire.FromServer)

#: No guard in the way, bots that do not think long, one round without bombs out of turn.
FREE = Limits(
    socket_rate=1000,
    socket_burst=1000,
    address_rate=1000,
    address_burst=1000,
    making_rate=1000,
    making_burst=1000,
    costly_burst=1000,
    account_burst=1000,
)
QUICK: dict[str, Any] = {"rules": "single-round", "pace": 0.02}


async def greedy(ask: BotAsk) -> Choice:
    """A bot in this process."""
    return GreedyAgent(ask.seed).explain(ask.view, ask.view.legal())


class Place:
    """A server and an HTTP client for it."""

    def __init__(self, lobby: Lobby, url: str, http: httpx.AsyncClient) -> None:
        self.lobby = lobby
        self.url = url
        self.http = http

    async def table(self, *seats: str | None, start: bool = False, **settings: Any) -> dict[str, Any]:
        """Make a table: the answer to its host."""
        new = {"settings": QUICK | settings, "seats": seats, "start": start, "name": "Ada"}
        answer = await self.http.post("/api/tables", json=new)
        assert answer.status_code == 201, answer.text
        made: dict[str, Any] = answer.json()
        return made

    async def player(self, name: str = "Bob") -> dict[str, Any]:
        answer = await self.http.post("/api/players", json={"name": name})
        assert answer.status_code == 201, answer.text
        made: dict[str, Any] = answer.json()
        return made

    async def post(self, token: str, table: str, command: wire.Command | wire.Check | wire.Hint) -> Any:
        answer = await self.http.post(
            f"/api/tables/{table}/commands",
            content=msgspec.json.encode(command),
            headers={"authorization": f"Bearer {token}", "content-type": "application/json"},
        )
        assert answer.status_code == 200, answer.text
        return answer.json()

    @asynccontextmanager
    async def socket(self, name: str | None = None, **headers: str) -> AsyncIterator[ClientConnection]:
        """A socket, as if the server were found by that name."""
        host, port = self.url.removeprefix("http://").split(":")
        address = f"ws://{name or f'{host}:{port}'}/ws/v1"
        async with connect(
            address, additional_headers=headers, compression=None, proxy=None, host=host, port=int(port)
        ) as socket:
            yield socket

    @asynccontextmanager
    async def guest(self, table: str, token: str | None = None, **hello: Any) -> AsyncIterator["Guest"]:
        """A socket that has said hello."""
        async with self.socket() as socket:
            guest = Guest(socket)
            await guest.say({"type": "hello", "table": table, "token": token, "name": "", **hello})
            guest.welcome = await guest.hear(wire.Welcome)
            yield guest


class Guest:
    """Somebody with a socket."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.follower = Follower()
        self.welcome: wire.Welcome
        self._ids = 0

    async def say(self, message: Any) -> None:
        data = message if isinstance(message, str | bytes) else json.dumps(message)
        await self.socket.send(data)

    async def next(self) -> wire.FromServer:
        async with asyncio.timeout(20):
            data = await self.socket.recv()
        message: wire.FromServer = _heard.decode(data)
        if isinstance(message, wire.Welcome | wire.EventMessage | wire.State):
            self.follower.hear(message)
        return message

    async def hear(self, *kinds: type[T]) -> T:
        """The next message of these kinds."""
        while not isinstance(message := await self.next(), kinds):
            pass
        return message

    async def do(self, command: wire.Command | wire.Check | wire.Hint) -> wire.Answer:
        """Send a command and wait for its answer."""
        await self.socket.send(msgspec.json.encode(command).decode())
        while True:
            answer = await self.next()
            if isinstance(answer, wire.Answer) and answer.id == command.id:
                return answer

    async def dealt(self) -> wire.SeatView:
        """Have a share in the first deal, so that the table does not wait for it; the view with the cards."""
        said: list[dict[str, str]] = []
        while True:
            table, view = self.follower.table, self.follower.view
            if view is not None and view.hand:
                return view
            if table is not None and table.commit is not None and table.shuffle is not None:
                seat, commit = self.welcome.you.seat or 0, table.commit
                if len(said) == 0:
                    said.append({"type": "TABLE.COMMIT_NONCE", "commitment": nonce_commit_of(commit, seat, "0a")})
                    await self.say(said[-1] | {"id": self.id()})
                elif len(said) == 1 and table.shuffle.fixed:
                    said.append({"type": "TABLE.NONCE", "nonce": "0a"})
                    await self.say(said[-1] | {"id": self.id()})
            await self.next()

    def id(self) -> str:
        self._ids += 1
        return f"g{self._ids}"

    async def play(self, agent: Agent) -> wire.TableState:
        """Play until the game is over."""
        decided = -1
        while True:
            table, view = self.follower.table, self.follower.core_view()
            assert table is not None
            if table.stage == "over":
                return table
            shown = self.follower.view
            if shown is not None and shown.decision is not None and self.follower.version > decided:
                decided = self.follower.version
                if shown.decision == "ready":
                    command: wire.Command = wire.Ready(id=self.id())
                else:
                    assert view is not None
                    action = agent.act(view, view.legal())
                    command = command_of(action, view, self.id(), self.follower.version)
                await self.socket.send(msgspec.json.encode(command).decode())
            await self.next()


@asynccontextmanager
async def served(limits: Limits = FREE, **options: Any) -> AsyncIterator[Place]:
    """A server with its own store in memory."""
    config = Config(limits=limits, **options)
    with listen("127.0.0.1", 0) as place:
        url = f"http://127.0.0.1:{place.getsockname()[1]}"
        async with start_server(config, place, greedy) as server, httpx.AsyncClient(base_url=url, timeout=20) as http:
            yield Place(server.lobby, url, http)
