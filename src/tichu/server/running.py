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
from tichu.server.brains import Brains
from tichu.server.config import FRAME_BYTES, Config
from tichu.server.hub import Hub
from tichu.server.metrics import Metrics
from tichu.server.patience import Requests, Sockets, is_news
from tichu.server.room import Asker
from tichu.server.store import open_store
from tichu.server.tidying import tidy_now_and_then

__all__ = ["Serving", "listen", "opened_hub", "run", "serving"]

#: A frame just over the limit is answered; what is far over it ends the connection.
_LARGEST_FRAME: Final = 4 * FRAME_BYTES
_GOODBYE_S: Final = 5
_FILES: Final = 65_536


@asynccontextmanager
async def opened_hub(config: Config, ask: Asker | None = None) -> AsyncIterator[Hub]:
    """The hub with its store and its bots, which think in processes of their own unless somebody else is asked.

    :raises StoreError: the store cannot be opened
    """
    store = await open_store(config.database)
    brains = Brains(config.workers)
    try:
        await brains.start()
        hub = Hub(config, store, ask or brains.decide, Metrics())
        await hub.start()
        try:
            yield hub
        finally:
            await hub.close()
    finally:
        await brains.close()
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
async def serving(config: Config, place: socket.socket, ask: Asker | None = None) -> AsyncIterator["Serving"]:
    """A server that listens, until the end of the block.

    :raises StoreError: the store cannot be opened
    """
    async with opened_hub(config, ask) as hub:
        server = _Server(hub)
        tidying = asyncio.create_task(tidy_now_and_then(), name="tidying")
        ended = asyncio.create_task(server.serve([place]), name="server")
        while not server.started and not ended.done():
            await asyncio.sleep(0.01)
        try:
            yield Serving(hub, ended)
        finally:
            server.should_exit = True
            tidying.cancel()
            await ended


class Serving(NamedTuple):
    """A server at work."""

    hub: Hub
    #: Done when a signal has ended it.
    ended: "asyncio.Task[None]"


async def run(config: Config, place: socket.socket, started: Callable[[Hub], Awaitable[None]]) -> None:
    """Serve until a signal comes; ``started`` is called when the server listens, and ends it if it breaks.

    :raises StoreError: the store cannot be opened
    """
    _allow_many_files()
    async with serving(config, place) as server:
        await started(server.hub)
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
    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        super().__init__(
            uvicorn.Config(
                make_app(hub),
                http=partial(Requests, hub.config.limits.request_seconds),  # type: ignore[arg-type]
                ws=Sockets,
                ws_max_size=_LARGEST_FRAME,
                ws_per_message_deflate=False,
                lifespan="off",
                # Ours is what is believed about proxies, and what is written to the log.
                proxy_headers=False,
                access_log=False,
                log_config=None,
                server_header=False,
                timeout_graceful_shutdown=_GOODBYE_S,
            )
        )
        logging.getLogger("uvicorn").setLevel(logging.WARNING)
        logging.getLogger("uvicorn.error").addFilter(is_news)

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
        await self._hub.close()
        await super().shutdown(sockets)
