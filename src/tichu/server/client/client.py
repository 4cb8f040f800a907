"""A bot at a table of some server, over its HTTP API: a stream of lines to read, commands to post.

A program in any other language would do the same: ask for a token (``POST /api/players``), follow the table (``GET
/api/tables/ID/stream``, one message a line), and post a command whenever the view has a decision (``POST
/api/tables/ID/commands``).  A stream that breaks is taken up where it broke.
"""

import http.client
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any, Final, NamedTuple, TypeVar
from urllib.parse import quote, unquote, urlsplit

import msgspec

from tichu.agents.base import Agent
from tichu.core.errors import GameError, NotationError
from tichu.core.fairness import nonce_commit_of
from tichu.server import wire
from tichu.server.client.follower import Follower
from tichu.server.table.translate import command_of
from tichu.server.wire.requests import ApiError, CodeInfo, NewPlayer, Registered

__all__ = ["Address", "Guest", "ServerApi", "Unreachable", "parse_address"]

# A quiet stream has an empty line now and then, and no answer is held back for so long.
_SILENCE_S: Final = 60.0
_LONGEST_PAUSE_S: Final = 30.0
_BEFORE_A_DEAL: Final = ("TICHU.DEAL_PART1", "TICHU.NEXT_ROUND_OR_END")

_T = TypeVar("_T")
_heard: Final = msgspec.json.Decoder(wire.FromServer)
_answer: Final = msgspec.json.Decoder(wire.Answer)


class Unreachable(GameError):
    """The server does not answer, or not now; it may be tried again."""


class Address(NamedTuple):
    """A server, and the table if the link was one to a table."""

    scheme: str
    host: str
    #: Before ``/api``, without a slash at the end.
    path: str
    table: str | None


def parse_address(url: str) -> Address:
    """Read the address of a server or of a table.

    >>> parse_address("https://example.org/tichu/t/Zm9v")
    Address(scheme='https', host='example.org', path='/tichu', table='Zm9v')
    >>> parse_address("localhost:8080")
    Address(scheme='http', host='localhost:8080', path='', table=None)

    :raises GameError: it is none
    """
    try:
        parts = urlsplit(url if "://" in url else f"http://{url}")
        is_good = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_good = False
    if not is_good or any(character.isspace() or not character.isprintable() for character in url):
        raise GameError(f"{url!r} is not the address of a server; it is written http://localhost:8080")
    path, found, table = parts.path.rstrip("/").rpartition("/t/")
    if not found:
        path, table = parts.path.rstrip("/"), ""
    return Address(parts.scheme, parts.netloc.rpartition("@")[2], path, unquote(table) or None)


class ServerApi:
    """The HTTP API of one server."""

    def __init__(self, address: Address, token: str | None = None) -> None:
        if token is not None and not (token.isascii() and token.isprintable()):
            raise GameError("the token has characters that no token has")
        self.address = address
        self.token = token
        self._posts: http.client.HTTPConnection | None = None

    def register(self, name: str) -> Registered:
        """Become a player of this server; the token is used from here on."""
        registered = self._read(self._request("POST", "/players", NewPlayer(name=name, kind="bot")), Registered)
        self.token = registered.token
        return registered

    def table_of(self, code: str) -> str:
        """The table that a code belongs to."""
        return self._read(self._request("GET", f"/codes/{quote(code, safe='')}"), CodeInfo).table

    def command(self, table: str, command: wire.Command) -> wire.Answer:
        """Say something to a table and wait for what it answers."""
        data = self._request("POST", f"/tables/{quote(table, safe='')}/commands", command)
        try:
            answer: wire.Answer = _answer.decode(data)
        except msgspec.MsgspecError as error:
            raise GameError(f"the server answered with something else: {error}") from None
        return answer

    def stream(self, table: str, since: int) -> Iterator[wire.FromServer]:
        """What happens at a table after a version, message by message, until the server ends it."""
        path = f"/tables/{quote(table, safe='')}/stream?since={since}"
        with closing(self._connection()) as connection, self._send(connection, "GET", path) as response:
            if response.status != http.client.OK:
                raise self._refusal(response.status, response.read())
            while line := self._line(response):
                if line.strip():
                    try:
                        yield _heard.decode(line)
                    except msgspec.MsgspecError as error:
                        raise GameError(f"the server speaks another version of the protocol: {error}") from None

    def _line(self, response: http.client.HTTPResponse) -> bytes:
        try:
            return response.readline()
        except (OSError, http.client.HTTPException) as error:
            raise Unreachable(f"the stream broke: {_fact(error)}") from None

    def close(self) -> None:
        """Let go of the connection for commands."""
        if self._posts is not None:
            self._posts.close()
            self._posts = None

    def _connection(self) -> http.client.HTTPConnection:
        kind = http.client.HTTPSConnection if self.address.scheme == "https" else http.client.HTTPConnection
        return kind(self.address.host, timeout=_SILENCE_S)

    def _request(self, method: str, path: str, body: msgspec.Struct | None = None) -> bytes:
        """Ask on the connection that is kept; commands have ids, so one that was lost with it is said again."""
        for is_last in (self._posts is None, True):
            if self._posts is None:
                self._posts = self._connection()
            try:
                with self._send(self._posts, method, path, body) as response:
                    data = response.read()
            except (Unreachable, OSError, http.client.HTTPException) as error:
                self.close()
                if is_last:
                    raise error if isinstance(error, Unreachable) else Unreachable(_fact(error)) from None
                continue
            # A refusal of the table is an answer like any other.
            if response.status >= 300 and response.status != http.client.CONFLICT:
                raise self._refusal(response.status, data)
            return data
        raise AssertionError

    def _send(
        self, connection: http.client.HTTPConnection, method: str, path: str, body: msgspec.Struct | None = None
    ) -> http.client.HTTPResponse:
        headers = {"authorization": f"Bearer {self.token}"} if self.token else {}
        if body is not None:
            headers["content-type"] = "application/json"
        try:
            data = None if body is None else msgspec.json.encode(body)
            connection.request(method, f"{self.address.path}/api{path}", data, headers)
            return connection.getresponse()
        except (OSError, http.client.HTTPException) as error:
            raise Unreachable(f"{self.address.host}: {_fact(error)}") from None
        except UnicodeError:
            raise GameError(f"{self.address.host}: no server can have this name") from None

    def _refusal(self, status: int, data: bytes) -> GameError:
        try:
            told = msgspec.json.decode(data, type=ApiError).message
        except msgspec.MsgspecError:
            told = f"{self.address.scheme}://{self.address.host}{self.address.path} is no Tichu server"
        # Too fast or too early: what is refused now may be granted later.
        again = status == 429 or status >= 500
        return Unreachable(told) if again else GameError(f"{told} (HTTP {status})")

    def _read(self, data: bytes, kind: type[_T]) -> _T:
        try:
            return msgspec.json.decode(data, type=kind)
        except msgspec.MsgspecError:
            raise GameError(
                f"{self.address.scheme}://{self.address.host}{self.address.path} is no Tichu server"
            ) from None


def _fact(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error) or type(error).__name__


class _Share(NamedTuple):
    """What we add to a shuffle."""

    #: The table's commitment.
    commit: str
    seat: int
    nonce: str
    is_open: bool = False

    @property
    def commitment(self) -> str:
        return nonce_commit_of(self.commit, self.seat, self.nonce)


class Guest:
    """A bot in a seat at somebody else's table."""

    def __init__(
        self, server: ServerApi, table: str, agent: Agent, seat: int | None = None, say: Callable[[str], Any] = str
    ) -> None:
        self._server = server
        self._table = table
        self._agent = agent
        self._wanted = seat
        self._say = say
        self._follower = Follower()
        self._ids = secrets.token_hex(6)
        self._count = 0
        # Decisions of older versions are made already.
        self._decided = 0
        self._is_known = False
        self._player = ""
        self._is_seated = False
        self._share: _Share | None = None
        #: The stage that was last told, so that the end of a game is told once.
        self._stage = ""

    def play(self, *, once: bool = False) -> None:
        """Play until the table is gone, or ``once`` until the game is over.

        :raises GameError: the server does not let us
        """
        pause = 0.5
        while True:
            try:
                for message in self._server.stream(self._table, self._follower.version):
                    if isinstance(message, wire.Welcome):
                        pause, self._is_known = 0.5, True
                    if self._hear(message) and once:
                        return
                reason = "the server ended the stream"
            except Unreachable as error:
                if not self._is_known:
                    raise
                reason = str(error)
            self._say(f"{reason}; trying again in {pause:g} s")
            time.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE_S)

    def _hear(self, message: wire.FromServer) -> bool:
        """Take up a message and do what there is to do; whether the game is over."""
        match message:
            case wire.Welcome() | wire.EventMessage() | wire.State():
                if isinstance(message, wire.Welcome):
                    self._player = message.you.player
                self._follower.hear(message)
            case _:
                return False
        if isinstance(message, wire.EventMessage) and isinstance(message.event, wire.RoundOver):
            first, second = message.event.result.score
            self._say(f"round over: {first} {second}")
            self._check_share(message.event.proof)
        self._sit()
        self._add_to_shuffle()
        # Of several events at once only the last shows how things stand after them.
        if message.view is not msgspec.UNSET:
            self._decide()
        return self._news_of_the_game()

    def _add_to_shuffle(self) -> None:
        """Have a part in the deal to come: commit to a nonce, and open it when the set of commitments is fixed."""
        table, view = self._follower.table, self._follower.view
        assert table is not None
        seat = next((seat for seat, state in enumerate(table.seats) if state.player == self._player), None)
        if seat is None or table.commit is None or view is None or view.phase not in _BEFORE_A_DEAL:
            return
        share, shuffle = self._share, table.shuffle
        if share is None or (share.commit, share.seat) != (table.commit, seat):
            share = self._share = _Share(table.commit, seat, secrets.token_hex(16))
            # A table of derivation 1 hears the nonce at once.
            if shuffle is None or shuffle.derivation == 1:
                self._open(share)
            elif not shuffle.fixed:
                self._tell(wire.CommitNonce(id=self._id(), commitment=share.commitment))
            return
        # Only what the table has bound itself to is opened.
        is_settled = shuffle is not None and shuffle.fixed and shuffle.commitments[seat] == share.commitment
        if is_settled and not share.is_open:
            self._open(share)

    def _open(self, share: "_Share") -> None:
        self._share = share._replace(is_open=True)
        self._tell(wire.Nonce(id=self._id(), nonce=share.nonce))

    def _check_share(self, proof: wire.DealProof | None) -> None:
        share, self._share = self._share, None
        if share is not None and proof is not None and proof.nonces[share.seat] != share.nonce:
            self._say("our share is not in this deal: nothing is proved to us")

    def _news_of_the_game(self) -> bool:
        table = self._follower.table
        assert table is not None
        is_over = table.stage == "over" and self._stage not in ("", "over")
        if is_over:
            self._say(f"the game is over: {table.score[0]} {table.score[1]}")
        self._stage = table.stage
        return is_over

    def _sit(self) -> None:
        table = self._follower.table
        assert table is not None
        self._is_seated = self._is_seated or any(state.player == self._player for state in table.seats)
        if self._is_seated:
            return
        free = [seat for seat, state in enumerate(table.seats) if state.player is None]
        # A seat where nobody sits comes before one that a bot of the server holds.
        free.sort(key=lambda seat: table.seats[seat].bot is not None)
        wanted = free if self._wanted is None else [self._wanted]
        for seat in wanted:
            answer = self._tell(wire.Sit(id=self._id(), seat=seat))
            if isinstance(answer, wire.Ack):
                self._is_seated = True
                self._say(f"in seat {seat} of table {self._table}")
                return
            if self._wanted is not None:
                raise GameError(f"seat {seat}: {answer.message}")
        raise GameError(f"no seat is free at table {self._table}")

    def _decide(self) -> None:
        """Decide as often as the server has a question for what it last told."""
        follower = self._follower
        assert follower.table is not None
        if follower.table.stage == "paused":
            return
        while follower.view is not None and follower.view.decision is not None and follower.version > self._decided:
            if follower.view.decision == "ready":
                command: wire.Command = wire.Ready(id=self._id())
            else:
                view = follower.core_view()
                if view is None:
                    raise NotationError("the server asks for a decision without a position")
                action = self._agent.act(view, view.legal())
                command = command_of(action, view, self._id(), follower.version)
            answer = self._tell(command)
            if not isinstance(answer, wire.Refused):
                return
            # Something has happened in between; if it is in the answer, decide again, else it is on its way.
            if answer.view is msgspec.UNSET or answer.version <= follower.version:
                return
            follower.view, follower.version = answer.view, answer.version

    def _tell(self, command: wire.Command) -> wire.Ack | wire.Refused | wire.Error:
        answer = self._server.command(self._table, command)
        match answer:
            case wire.Ack():
                self._decided = max(self._decided, answer.version - 1)
            case wire.Refused():
                self._say(f"refused: {answer.message}")
            case wire.Error():
                self._say(answer.message)
            case _:
                raise GameError("the server answers a command with something else")
        return answer

    def _id(self) -> str:
        self._count += 1
        return f"{self._ids}-{self._count}"
