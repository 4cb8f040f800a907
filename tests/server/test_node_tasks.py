"""What a node does again and again goes on, whatever breaks once."""

import asyncio

import pytest

from tests.server.conftest import _forget_everything
from tests.server.nodes import cluster, connection, node_of, until
from tichu.server import sharing
from tichu.server.http.peer_check import PeerCheck

pytestmark = pytest.mark.anyio


@pytest.fixture
def url(postgres: str) -> str:
    """An empty database."""
    asyncio.run(_forget_everything(postgres))
    return postgres


async def test_what_breaks_once_ends_nothing_that_a_node_does_again_and_again(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A node without its lease is silent for ever, one without its directory is never up to date, and so on."""
    for name in ("sharing._TOKENS_S", "sharing._MOVING_S", "cluster.seekers._LOOK_S"):
        monkeypatch.setattr(f"tichu.server.{name}", 0.05)
    broken: list[object] = []

    def break_once(owner: object, name: str) -> None:
        work = getattr(owner, name)

        def break_or_work(*arguments: object) -> object:
            if work not in broken:
                broken.append(work)
                raise LookupError("something")
            return work(*arguments)

        monkeypatch.setattr(owner, name, break_or_work)

    async with cluster(url, "a", "b") as (a, _):
        node, shared = node_of(a), a.lobby.shared
        names = {"lease", "news", "directory", "moving tables", "checking tokens", "asking other nodes who they are"}
        tasks = [one for one in asyncio.all_tasks() if one.get_name() in names | {"telling who looks for a match"}]
        assert len(tasks) == 2 * 7
        parts = [(node.membership, "_load"), (node.news, "on_gap"), (node, "_flush"), (shared, "_check_tokens")]
        parts += [(sharing, "choose_moves"), (shared.seekers, "tell"), (PeerCheck, "_ask")]  # type: ignore[union-attr]
        for owner, name in parts:
            break_once(owner, name)
        node.membership.acquaintance.reached.clear()
        node.news._db.terminate()
        await until(lambda: len(broken) == len(parts))
        await until(lambda: node.news.is_heard and node.membership.acquaintance.reached)
        assert [one.get_name() for one in tasks if one.done()] == []
        assert a.lobby.shared is not None
        assert a.lobby.shared.lease.is_held


async def test_a_table_that_cannot_be_described_keeps_no_other_from_the_directory(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with cluster(url, "a") as (a,), connection(url) as db:
        bad, good = [(await a.table("you", None))["table"]["id"] for _ in range(2)]
        monkeypatch.setattr(a.lobby.rooms[bad], "state", lambda: 1 / 0)
        await db.execute("DELETE FROM directory")
        for table in (bad, good):
            node_of(a).note(table)
        await node_of(a)._flush()
        assert [row["id"] for row in await db.fetch("SELECT id FROM directory")] == [good]
