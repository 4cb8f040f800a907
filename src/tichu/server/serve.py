"""A server from its start to its end."""

import asyncio
import logging
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, nullcontext, suppress
from typing import TYPE_CHECKING, Final, NamedTuple

from tichu.server.app import make_app
from tichu.server.bots.pool import BotPool
from tichu.server.config import Config
from tichu.server.failures import quieten
from tichu.server.http.uvicorn_server import BACKLOG, ConnectionLimit, Server
from tichu.server.keeper import Asker
from tichu.server.lobby import Lobby
from tichu.server.memory import collect_garbage_periodically
from tichu.server.metrics import Metrics
from tichu.server.people import keep_replacing
from tichu.server.store import StoreError, TakenOver, open_store

if TYPE_CHECKING:
    from tichu.server.sharing import SharedTables

__all__ = ["RunningServer", "listen", "open_lobby", "run", "start_server"]

log = logging.getLogger("tichu.server")

_FILES: Final = 65_536
#: Who has read nothing for so long although something waits for them is let go.
_UNREAD_S: Final = 60


@asynccontextmanager
async def open_lobby(config: Config, ask: Asker | None = None) -> AsyncIterator[Lobby]:
    """The lobby with its store and its bots, which think in processes of their own unless somebody else is asked.

    :raises StoreError: the store cannot be opened
    """
    metrics = Metrics()
    node = _node_of(config, metrics)
    store = await (open_store(config.database) if node is None else node.open_store())
    pool = BotPool(config.workers, metrics=metrics)
    try:
        clock = None if node is None else await node.clock()
        lobby = Lobby(config, store, ask or pool.decide, metrics, clock)
        async with nullcontext() if node is None else node.share(lobby):
            await lobby.start()
            replacing = asyncio.create_task(keep_replacing(lobby), name="replacing people")
            try:
                yield lobby
            finally:
                replacing.cancel()
                await lobby.close()
    finally:
        await pool.close()
        await store.close()


def _node_of(config: Config, metrics: Metrics) -> "SharedTables | None":
    """What a node shares with others; a server alone needs nothing of it."""
    if not config.node:
        return None
    try:
        from tichu.server.sharing import SharedTables
    except ModuleNotFoundError as missing:
        if missing.name != "asyncpg":
            raise
        raise StoreError("PostgreSQL needs asyncpg: pip install 'tichu[postgres]'") from None
    return SharedTables(config, metrics)


def listen(host: str, port: int) -> socket.socket:
    """A socket at this address; port 0 takes a free one.

    :raises OSError: it cannot be had
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        place = socket.create_server((host, port), family=family, backlog=BACKLOG)
    except OSError as error:
        raise OSError(error.errno, error.strerror, f"{host} port {port}") from None
    # Connections inherit it: else the second of two messages waits until the first is acknowledged, some 40 ms.
    place.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    if hasattr(socket, "TCP_USER_TIMEOUT"):  # Not every system has it.
        place.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, 1000 * _UNREAD_S)
    return place


@asynccontextmanager
async def start_server(
    config: Config, place: socket.socket, ask: Asker | None = None, *more: socket.socket
) -> AsyncIterator["RunningServer"]:
    """A server that listens, at one place or more, until the end of the block.

    :raises StoreError: the store cannot be opened
    """
    quieten(asyncio.get_running_loop())
    async with open_lobby(config, ask) as lobby:
        # Streams end only when their tables do, so the lobby closes first.
        is_node = None if lobby.shared is None else lobby.shared.node.is_peer
        connections = ConnectionLimit(config.limits.address_connections, config.trusted_proxies, is_node)
        server = Server(make_app(lobby), config.limits.request_seconds, connections, close_first=lobby.close)
        collecting = asyncio.create_task(
            collect_garbage_periodically(lambda: connections.ended), name="garbage collection"
        )
        watching = asyncio.create_task(_stop_when_taken_over(lobby, server), name="watch over the store")
        ended = asyncio.create_task(server.serve([place, *more]), name="server")
        while not server.started and not ended.done():
            await asyncio.sleep(0.01)
        own_port = None if not config.metrics_port else lobby.metrics.serve("127.0.0.1", config.metrics_port)
        try:
            yield RunningServer(lobby, ended)
        finally:
            if own_port is not None:
                own_port()
            server.should_exit = True
            collecting.cancel()
            watching.cancel()
            await ended


async def _stop_when_taken_over(lobby: Lobby, server: Server) -> None:
    await lobby.store.wait_taken_over()
    log.critical("%s", TakenOver())
    lobby.abandon()
    server.should_exit = True


class RunningServer(NamedTuple):
    """A server at work."""

    lobby: Lobby
    #: Done when a signal has ended it.
    ended: "asyncio.Task[None]"


async def run(
    config: Config, place: socket.socket, started: Callable[[Lobby], Awaitable[None]], *more: socket.socket
) -> None:
    """Serve until a signal comes; ``started`` is called when the server listens, and ends it if it breaks.

    :raises StoreError: the store cannot be opened, or another server has taken it over
    """
    _allow_many_files()
    async with start_server(config, place, None, *more) as server:
        await started(server.lobby)
        await server.ended
        if server.lobby.is_taken_over:
            raise TakenOver


def _allow_many_files() -> None:
    """A socket is a file, and many systems begin with a limit of 1,024 that a process may raise."""
    try:
        import resource
    except ImportError:  # Windows has no such limit.
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _FILES if hard == resource.RLIM_INFINITY else min(_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
