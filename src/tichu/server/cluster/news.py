"""What all nodes must hear at once: tokens that have ended, new names, tables that wait for their next owner.

Said with NOTIFY in a statement of its own, after what it tells of is stored: together with entries it would make all
commits of the database wait for each other.  Whoever was not listening for a moment is told so, and believes nothing
that it remembers.
"""

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

import asyncpg
import msgspec

from tichu.server.cluster.database import Database
from tichu.server.failures import outliving
from tichu.server.store import StoreError
from tichu.server.store.postgres_connection import FAILURES, Connection, connection_options

__all__ = [
    "CHANNEL",
    "News",
    "NewsItem",
    "NodesChanged",
    "PersonReplaced",
    "PlayerRenamed",
    "RatingsChanged",
    "SeatGivenUp",
    "SeekersCounted",
    "TablesFreed",
    "TokenRevoked",
    "TryCounted",
]

log = logging.getLogger("tichu.server")

CHANNEL: Final = "tichu_news"
_CHECK_S, _RETRY_S, _SECONDS = 2.0, 0.5, 2.0


class TokenRevoked(msgspec.Struct, frozen=True, tag="token"):
    """Tokens of a player are good for nothing any more: these, by their hashes, or all."""

    player: str
    #: Where it happened.
    node: str
    tokens: tuple[str, ...] | None = None


class PlayerRenamed(msgspec.Struct, frozen=True, tag="name"):
    """A player has another name."""

    player: str
    #: Where it happened.
    node: str


class PersonReplaced(msgspec.Struct, frozen=True, tag="replaced"):
    """Somebody else is in the place of a person: whoever has one of these tables must see to it."""

    old: str
    new: str
    name: str | None
    #: Where it happened.
    node: str
    tables: tuple[str, ...] = ()


class RatingsChanged(msgspec.Struct, frozen=True, tag="ratings"):
    """Rows of rated matches that had their places are others now."""

    #: Where it happened.
    node: str


class SeatGivenUp(msgspec.Struct, frozen=True, tag="seat"):
    """Somebody plays elsewhere now: whoever has this table lets them go, if nothing is at stake there."""

    player: str
    table: str


class SeekersCounted(msgspec.Struct, frozen=True, tag="seekers"):
    """How many look for a quick match at the node that brings people together."""

    #: Where they look.
    node: str
    rated: int
    casual: int


class TryCounted(msgspec.Struct, frozen=True, tag="try"):
    """Somebody has tried to be somebody; who, only as a hash."""

    kind: str
    key: str
    #: Where it happened.
    node: str


class TablesFreed(msgspec.Struct, frozen=True, tag="freed"):
    """These tables wait for their next owner, or have another one than before."""

    tables: tuple[str, ...]
    target: str | None = None


class NodesChanged(msgspec.Struct, frozen=True, tag="nodes"):
    """A node has come, or is about to go."""

    node: str


NewsItem = (
    NodesChanged
    | TokenRevoked
    | PlayerRenamed
    | PersonReplaced
    | RatingsChanged
    | SeatGivenUp
    | SeekersCounted
    | TablesFreed
    | TryCounted
)
_DECODER: Final = msgspec.json.Decoder(NewsItem)


class News:
    """Listens on a connection of its own, and speaks over those of others."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.on_item: Callable[[NewsItem], None] = lambda item: None
        #: Called when something may have been missed.
        self.on_gap: Callable[[], None] = lambda: None
        self._db: Connection | None = None
        self._task: asyncio.Task[None] | None = None

    @property
    def is_heard(self) -> bool:
        """Whether this node listens now."""
        return self._db is not None and not self._db.is_closed()

    async def start(self) -> None:
        """Listen from now on."""
        with suppress(*FAILURES):
            await self._listen()
        self._task = asyncio.create_task(self._listen_on(), name="news")

    async def stop(self) -> None:
        """Hear no more."""
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        if self._db is not None:
            self._db.terminate()

    async def tell(self, item: NewsItem) -> None:
        """Let all nodes hear it, this one too.

        :raises StoreError: the database does not answer
        """
        await self._database.fetch("SELECT pg_notify($1, $2)", CHANNEL, msgspec.json.encode(item).decode())

    async def try_tell(self, item: NewsItem) -> None:
        """The same where others find out by themselves, only later."""
        with suppress(StoreError):
            await self.tell(item)

    async def _listen_on(self) -> None:
        while True:
            with outliving("news from other nodes"):
                await self._listen_once()
            if not self.is_heard:
                await asyncio.sleep(_RETRY_S)

    async def _listen_once(self) -> None:
        try:
            db = self._db if self.is_heard else await self._listen()
            assert db is not None
            await asyncio.sleep(_CHECK_S)
            await db.execute("SELECT 1", timeout=_SECONDS)
        except FAILURES as error:
            log.warning("news from other nodes cannot be heard: %s", str(error) or type(error).__name__)
            if self._db is not None:
                self._db.terminate()
            self._db = None
            self.on_gap()

    async def _listen(self) -> Connection:
        db: Connection = await asyncpg.connect(self._database.url, **connection_options() | {"timeout": _SECONDS})
        try:
            await db.add_listener(CHANNEL, self._hear)
        except BaseException:
            db.terminate()
            raise
        self._db = db
        self.on_gap()
        return db

    def _hear(self, connection: Any, pid: int, channel: str, payload: object) -> None:
        # A newer node may say something that this one does not know.
        with suppress(msgspec.MsgspecError):
            self.on_item(_DECODER.decode(str(payload)))
