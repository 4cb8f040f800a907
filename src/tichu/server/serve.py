"""A server from its start to its end."""

import asyncio
import logging
import signal
import socket
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from functools import partial
from typing import Final, NamedTuple

import uvicorn

from tichu.server.app import make_app
from tichu.server.bots.pool import BotPool
from tichu.server.config import FRAME_BYTES, Config
from tichu.server.http.protocols import HttpProtocol, WebSocketProtocol, is_relevant
from tichu.server.lobby import Lobby
from tichu.server.memory import collect_garbage_periodically
from tichu.server.metrics import Metrics
from tichu.server.room import Asker
from tichu.server.store import open_store

__all__ = ["RunningServer", "listen", "open_lobby", "run", "serving"]

#: A frame just over the limit is answered; what is far over it ends the connection.
_LARGEST_FRAME: Final = 4 * FRAME_BYTES
_SHUTDOWN_S: Final = 5
_FILES: Final = 65_536


@asynccontextmanager
async def open_lobby(config: Config, ask: Asker | None = None) -> AsyncIterator[Lobby]:
    """The lobby with its store and its bots, which think in processes of their own unless somebody else is asked.

    :raises StoreError: the store cannot be opened
    """
    store = await open_store(config.database)
    pool = BotPool(config.workers)
    try:
        lobby = Lobby(config, store, ask or pool.decide, Metrics())
        await lobby.start()
        try:
            yield lobby
        finally:
            await lobby.close()
    finally:
        await pool.close()
        await store.close()


def listen(host: str, port: int) -> socket.socket:
    """A socket at this address; port 0 takes a free one.

    :raises OSError: it cannot be had
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        place = socket.create_server((host, port), family=family, backlog=2048)
    except OSError as error:
        raise OSError(error.errno, error.strerror, f"{host} port {port}") from None
    # Connections inherit it: else the second of two messages waits until the first is acknowledged, some 40 ms.
    place.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return place


@asynccontextmanager
async def serving(config: Config, place: socket.socket, ask: Asker | None = None) -> AsyncIterator["RunningServer"]:
    """A server that listens, until the end of the block.

    :raises StoreError: the store cannot be opened
    """
    async with open_lobby(config, ask) as lobby:
        server = _Server(lobby)
        tidying = asyncio.create_task(collect_garbage_periodically(), name="tidying")
        ended = asyncio.create_task(server.serve([place]), name="server")
        while not server.started and not ended.done():
            await asyncio.sleep(0.01)
        try:
            yield RunningServer(lobby, ended)
        finally:
            server.should_exit = True
            tidying.cancel()
            await ended


class RunningServer(NamedTuple):
    """A server at work."""

    lobby: Lobby
    #: Done when a signal has ended it.
    ended: "asyncio.Task[None]"


async def run(config: Config, place: socket.socket, started: Callable[[Lobby], Awaitable[None]]) -> None:
    """Serve until a signal comes; ``started`` is called when the server listens, and ends it if it breaks.

    :raises StoreError: the store cannot be opened
    """
    _allow_many_files()
    async with serving(config, place) as server:
        await started(server.lobby)
        await server.ended


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


class _Server(uvicorn.Server):
    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        super().__init__(
            uvicorn.Config(
                make_app(lobby),
                http=partial(HttpProtocol, lobby.config.limits.request_seconds),  # type: ignore[arg-type]
                ws=WebSocketProtocol,
                ws_max_size=_LARGEST_FRAME,
                ws_per_message_deflate=False,
                lifespan="off",
                # Ours is what is believed about proxies, and what is written to the log.
                proxy_headers=False,
                access_log=False,
                log_config=None,
                server_header=False,
                timeout_graceful_shutdown=_SHUTDOWN_S,
            )
        )
        logging.getLogger("uvicorn").setLevel(logging.WARNING)
        logging.getLogger("uvicorn.error").addFilter(is_relevant)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Let a signal end the server and nothing else, so that the store is closed after it."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {sign: signal.signal(sign, self.handle_exit) for sign in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for sign, handler in before.items():
                signal.signal(sign, handler)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        # Streams end only when their tables do.
        await self._lobby.close()
        await super().shutdown(sockets)
