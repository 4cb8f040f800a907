"""Connections to a PostgreSQL database, and the one of a process that writes.

A connection may vanish without a word (a firewall, a cable), and the database then keeps what it has locked for a
client that is no longer there.  Both sides send keepalives, every statement has a timeout, and whoever connects again
ends what it has left behind: its own connections, known by process and start, and nobody else's.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import datetime
from typing import Any, Final, TypeAlias

import asyncpg

from tichu.server.keepalive import UNANSWERED_S, notice_end, postgres_settings

__all__ = [
    "APPEND_S",
    "FAILURES",
    "LOCK",
    "REFUSALS",
    "Backend",
    "Connection",
    "Prepare",
    "WritingConnection",
    "connection_options",
    "end_backends",
]

#: A server holds this lock of the database for as long as it is connected, alone or, as a node, with other nodes.
LOCK: Final = 0x54696368
APPEND_S: Final = 5.0
_CONNECT_S, _COMMAND_S, _CLOSE_S = 10.0, 30.0, 3.0

Connection: TypeAlias = "asyncpg.Connection[asyncpg.Record]"
#: Makes what is not there; called with the lock held.
Prepare: TypeAlias = Callable[[Connection], Any]
#: The process of the database that serves a connection, and since when.
Backend: TypeAlias = tuple[int, datetime]
#: What the database, or the driver before it, does not accept.
REFUSALS = (asyncpg.PostgresError, ValueError)
#: The same, and what a lost database raises.
FAILURES = (*REFUSALS, asyncpg.InterfaceError, asyncpg.InternalClientError, OSError, TimeoutError)


class _LiveConnection(asyncpg.Connection):
    """A connection whose end is noticed, also by this side."""

    def __init__(self, protocol: Any, transport: asyncio.Transport, *rest: Any) -> None:
        super().__init__(protocol, transport, *rest)
        notice_end(transport.get_extra_info("socket"))


def connection_options(idle_in_transaction_ms: int = 1000 * UNANSWERED_S) -> dict[str, Any]:
    """How every connection to the database is made."""
    return {
        "connection_class": _LiveConnection,
        "timeout": _CONNECT_S,
        "command_timeout": _COMMAND_S,
        "server_settings": {
            "search_path": "tichu",
            **postgres_settings(),
            # A server that stands still in the middle of a transaction must not hold up the one that takes over.
            "idle_in_transaction_session_timeout": str(idle_in_transaction_ms),
        },
    }


class WritingConnection:
    """The one connection through which a process writes, made anew where it was lost."""

    def __init__(
        self,
        url: str,
        options: dict[str, Any],
        claim: Callable[[Connection], Awaitable[None]],
        when_lost: Callable[[], None],
    ) -> None:
        self._url = url
        self._options = options
        #: Makes the right to write that of a new connection, or raises.
        self._claim = claim
        #: Called when the connection ends by itself.
        self._when_lost = when_lost
        self._db: Connection | None = None

    async def connect(self) -> Connection:
        """The connection, a new one where it was lost; raises what the claim raises."""
        if self._db is None or self._db.is_closed():
            db = await asyncpg.connect(self._url, **self._options)
            try:
                await self._claim(db)
            except BaseException:
                db.terminate()
                raise
            db.add_termination_listener(lambda _: self._when_lost())
            self._db = db
        return self._db

    def disconnect(self) -> None:
        """The connection is no good."""
        if self._db is not None:
            self._db.terminate()

    async def close(self) -> None:
        """End it in good order, or at all."""
        if self._db is not None:
            with suppress(*FAILURES):
                await self._db.close(timeout=_CLOSE_S)
            self._db.terminate()


async def end_backends(db: Connection, former: list[Backend]) -> list[Backend]:
    """End connections that were left behind; the present one, to be ended later in the same way.

    A process number may be somebody else's by now, but not one that began at the same microsecond.
    """
    query = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = $1 AND backend_start = $2"
    for backend in former:
        await db.execute(query, *backend)
    query = "SELECT pid, backend_start FROM pg_stat_activity WHERE pid = pg_backend_pid()"
    return [tuple(await db.fetchrow(query))]  # type: ignore[arg-type]
