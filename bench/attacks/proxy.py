"""A proxy on loopback that can fall silent: it forwards nothing more and closes nothing, as a firewall does."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

__all__ = ["Proxy", "proxy"]


class Proxy:
    """Forwards connections to the socket of a PostgreSQL server."""

    def __init__(self, path: str) -> None:
        self.port = 0
        self._path = path
        self._flow = asyncio.Event()
        self._flow.set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._writers: list[asyncio.StreamWriter] = []

    def fall_silent(self) -> None:
        """For the connections that there are; later ones are forwarded."""
        self._flow.clear()
        self._flow = asyncio.Event()
        self._flow.set()

    def cut(self) -> None:
        """Fall silent for all connections, also those that come later, until :meth:`mend`."""
        self.fall_silent()
        self._flow.clear()

    def mend(self) -> None:
        """Forward what is new again; the connections that fell silent stay so."""
        self._flow = asyncio.Event()
        self._flow.set()

    async def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Forward a connection both ways."""
        try:
            there, back = await asyncio.open_unix_connection(self._path)
        except OSError:  # The server is not there now.
            writer.close()
            return
        self._writers += [writer, back]
        for source, target in ((reader, back), (there, writer)):
            task = asyncio.create_task(self._forward(source, target, self._flow))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _forward(self, source: asyncio.StreamReader, target: asyncio.StreamWriter, flow: asyncio.Event) -> None:
        while data := await source.read(65_536):
            await flow.wait()
            target.write(data)
        await flow.wait()
        target.close()

    async def close(self) -> None:
        """End all connections."""
        for task in self._tasks:
            task.cancel()
        for writer in self._writers:
            writer.close()


@asynccontextmanager
async def proxy(path: str) -> AsyncIterator[Proxy]:
    """A proxy to the socket at this path, until the end of the block."""
    one = Proxy(path)
    server = await asyncio.start_server(one.accept, "127.0.0.1", 0)
    one.port = server.sockets[0].getsockname()[1]
    try:
        yield one
    finally:
        server.close()
        await one.close()
