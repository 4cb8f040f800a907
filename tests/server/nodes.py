"""Several nodes in one process, over one database."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from typing import Any

import asyncpg
import httpx

from tests.server.serving import FREE, Place, greedy
from tichu.server.config import Config
from tichu.server.serve import listen, start_server

__all__ = [
    "SECRET",
    "cluster",
    "connection",
    "declare_dead",
    "fall_silent",
    "knows_others",
    "node_of",
    "one_node",
    "owner_of",
    "pass_time",
    "until",
]

SECRET = "a secret of these tests"


@asynccontextmanager
async def one_node(database: str, name: str, **options: Any) -> AsyncIterator[Place]:
    """A node on a free port."""
    with listen("127.0.0.1", 0) as place:
        url = f"http://127.0.0.1:{place.getsockname()[1]}"
        usual: dict[str, Any] = {"node_url": url, "node_secret": SECRET, "limits": FREE}
        config = Config(database=database, node=name, **usual | options)
        async with start_server(config, place, greedy) as server, httpx.AsyncClient(base_url=url, timeout=30) as http:
            yield Place(server.lobby, url, http)


@asynccontextmanager
async def cluster(database: str, *names: str, **options: Any) -> AsyncIterator[list[Place]]:
    """Nodes that know each other."""
    async with AsyncExitStack() as stack:
        places = [await stack.enter_async_context(one_node(database, name, **options)) for name in names]
        for place in places:
            await node_of(place).membership.renew()
        for place in places:
            await until(lambda place=place: knows_others(place))  # type: ignore[misc]
        yield places


def knows_others(place: Place) -> bool:
    """Whether a node and all others have reached each other."""
    membership = node_of(place).membership
    known = membership.acquaintance.reached & membership.acquaintance.accepted_by
    return all(peer.id in known for peer in membership.neighbours())


def node_of(place: Place) -> Any:
    """The node of a server."""
    assert place.lobby.shared is not None
    return place.lobby.shared.node


@asynccontextmanager
async def connection(url: str) -> AsyncIterator[Any]:
    """The database, beside all nodes."""
    db = await asyncpg.connect(url, server_settings={"search_path": "tichu"})
    try:
        yield db
    finally:
        await db.close()


async def until(is_so: Callable[[], Any], seconds: float = 10) -> None:
    """Return when it is."""
    async with asyncio.timeout(seconds):
        while not is_so():
            await asyncio.sleep(0.02)


async def fall_silent(place: Place) -> None:
    """As if the process stood still: nothing is renewed any more."""
    task = node_of(place).membership._task
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task


async def declare_dead(silent: Place, others: list[Place]) -> None:
    """Let the time pass after which a silent node is dead."""
    for place in others:
        await node_of(place).membership.renew()
        pass_time(place, 60, node_of(silent).id)
        await node_of(place).membership.renew()


def pass_time(place: Place, seconds: float, *unchanged: str) -> None:
    """As if a node had renewed all the time, while the rows of others have not changed."""
    membership = node_of(place).membership
    membership._unbroken_since -= seconds
    seen = membership._pulses._seen
    for node in seen.keys() & set(unchanged):
        seen[node] = seen[node][0], seen[node][1] - seconds


async def owner_of(url: str, table: str) -> tuple[str | None, int]:
    """Who has a table, and in which epoch."""
    async with connection(url) as db:
        return tuple(await db.fetchrow("SELECT owner, epoch FROM tables WHERE id = $1", table))
