"""A server from its start to its end."""

import asyncio
import logging
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Final

import uvicorn

from tichu.server.app import make_app
from tichu.server.brains import Brains
from tichu.server.config import FRAME_BYTES, Config
from tichu.server.hub import Hub
from tichu.server.metrics import Metrics
from tichu.server.store import open_store

__all__ = ["listen", "opened_hub", "run"]

#: A frame just over the limit is answered; what is far over it ends the connection.
_LARGEST_FRAME: Final = 4 * FRAME_BYTES
_GOODBYE_S: Final = 5


@asynccontextmanager
async def opened_hub(config: Config) -> AsyncIterator[Hub]:
    """The hub with its store and its bots.

    :raises StoreError: the store cannot be opened
    """
    store = await open_store(config.database)
    brains = Brains(config.workers)
    try:
        await brains.start()
        hub = Hub(config, store, brains.decide, Metrics())
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
        return socket.create_server((host, port), family=family, backlog=2048)
    except OSError as error:
        raise OSError(error.errno, error.strerror, f"{host} port {port}") from None


async def run(
    config: Config, place: socket.socket, started: Callable[[Hub, asyncio.Event], Awaitable[None]] | None = None
) -> None:
    """Serve until a signal, or until whoever waits for the start says so.

    :raises StoreError: the store cannot be opened
    """
    async with opened_hub(config) as hub:
        server = _Server(hub)
        stopped = asyncio.Event()
        tasks = [asyncio.create_task(server.serve([place]))]
        if started is not None:
            tasks.append(asyncio.create_task(_after_start(server, hub, stopped, started)))
        try:
            await tasks[0]
        finally:
            for task in tasks[1:]:
                task.cancel()
            await asyncio.gather(*tasks[1:], return_exceptions=True)


async def _after_start(
    server: "_Server", hub: Hub, stopped: asyncio.Event, started: Callable[[Hub, asyncio.Event], Awaitable[None]]
) -> None:
    while not server.started:
        await asyncio.sleep(0.01)
    await started(hub, stopped)
    await stopped.wait()
    server.should_exit = True


class _Server(uvicorn.Server):
    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        super().__init__(
            uvicorn.Config(
                make_app(hub),
                ws="websockets-sansio",
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

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        # Streams end only when their tables do.
        await self._hub.close()
        await super().shutdown(sockets)
