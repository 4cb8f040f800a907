"""A review is at one node, and can be asked for and watched at every node."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace

import pytest
from websockets.exceptions import InvalidStatus

from tests.server.nodes import cluster, node_of
from tests.server.serving import FREE, Place
from tests.server.test_reviews import PARTS, Scripted, game
from tests.server.test_reviews_http import closed, heard, watched
from tichu.server.cluster.node import HERE
from tichu.server.store import open_store

pytestmark = pytest.mark.anyio

_PATH = "/api/games/game-1/review"


@pytest.fixture
def url(postgres: str) -> str:
    """An empty database."""
    from tests.server.conftest import _forget_everything

    asyncio.run(_forget_everything(postgres))
    return postgres


@asynccontextmanager
async def reviewing(url: str, worker: Scripted, *names: str) -> AsyncIterator[tuple[list[Place], dict[str, str]]]:
    """Nodes with a finished game, and who asks; all of them compute alike."""
    store = await open_store(url)
    await store.append("t", 1, [], game=game())
    await store.close()
    async with cluster(url, *names, limits=replace(FREE, person_reviews_a_day=1)) as places:
        for place in places:
            place.lobby.reviews._worker = worker
        yield places, {"authorization": f"Bearer {(await places[0].player())['token']}"}


async def test_a_review_is_made_once_whichever_nodes_are_asked_and_all_hear_of_it(url: str) -> None:
    async with reviewing(url, worker := Scripted(free=0), "a", "b", "c") as (places, token), AsyncExitStack() as stack:
        for place in places:
            # The day has one review: who asks again, and elsewhere, is only answered.
            asked = await place.http.post(_PATH, headers=token)
            assert (asked.status_code, asked.json()["state"]) == (200, "running")
            assert (await place.http.get(_PATH)).json()["state"] == "running"
        sockets = [await stack.enter_async_context(watched(place)) for place in places]
        assert [(await heard(socket)).state for socket in sockets] == ["running"] * 3
        assert sum(bool(place.lobby.reviews._reviews) for place in places) == 1
        for _ in PARTS:
            worker.free.release()
        for socket in sockets:
            while (state := await heard(socket)).state != "done":
                assert state.state == "running"
            assert await closed(socket) == 1000
        assert len(worker.made) == len(PARTS)


async def test_another_node_goes_on_with_a_review_whose_node_leaves(url: str) -> None:
    async with reviewing(url, worker := Scripted(free=2), "a", "b") as (places, token):
        await places[0].http.post(_PATH, headers=token)
        has, other = sorted(places, key=lambda place: not place.lobby.reviews._reviews)
        async with watched(other) as socket:
            while (await heard(socket)).parts_done < 2:
                pass
            await node_of(has).begin_draining()
            await node_of(other).membership.renew()
            for place in places:
                asked = await place.http.post(_PATH, headers=token)
                assert (asked.status_code, asked.json()["partsDone"]) == (200, 2)
            assert other.lobby.reviews._reviews
            assert node_of(other).home_of("game-1") is HERE
        for _ in range(2 * len(PARTS)):
            worker.free.release()
        async with watched(has) as socket:
            while (await heard(socket)).state != "done":
                pass


async def test_a_refusal_is_the_same_at_every_node(url: str) -> None:
    async with reviewing(url, Scripted(free=0), "a", "b") as (places, _):
        for place in places:
            assert (await place.http.post(_PATH)).json()["error"] == "no_token"
            assert (await place.http.get("/api/games/none/review")).status_code == 404
            with pytest.raises(InvalidStatus) as refused:
                async with watched(place, "none"):
                    pass
            assert refused.value.response.status_code == 404


async def test_a_node_that_cannot_be_reached_is_said_to_be_busy(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with reviewing(url, Scripted(free=0), "a", "b") as (places, token):
        node = node_of(places[0])
        nowhere = [peer._replace(id="z", url="http://127.0.0.1:9") for peer in node.membership.peers[:1]]
        monkeypatch.setattr(node.membership, "peers", nowhere)
        asked = await places[0].http.post(_PATH, headers=token)
        assert (asked.status_code, asked.json()["error"]) == (503, "busy")
        with pytest.raises(InvalidStatus) as refused:
            async with watched(places[0]):
                pass
        assert refused.value.response.status_code == 503
