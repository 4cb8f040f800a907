"""Reviews over HTTP and the socket, made by a real process."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from bench.review_queue import count_parts, fill_queue, store_games
from tests.server.serving import FREE, Place, served
from tests.server.test_reviews import PARTS, Scripted, game
from tichu.core.record import format_jsonl, read_jsonl
from tichu.server.background import BackgroundPool
from tichu.server.config import Limits
from tichu.server.log import FinishedGame
from tichu.server.wire.reviews import ReviewState

pytestmark = pytest.mark.anyio

_PATH = "/api/games/game-1/review"


def short_game() -> FinishedGame:
    """One round."""
    whole = read_jsonl(game().record).record()
    return game()._replace(record=format_jsonl(whole._replace(rounds=whole.rounds[:1])))


@asynccontextmanager
async def watched(place: Place, name: str = "game-1", **headers: str) -> AsyncIterator[ClientConnection]:
    address = f"{place.url.replace('http', 'ws', 1)}/ws/v1/reviews/{name}"
    async with connect(address, additional_headers=headers, compression=None, proxy=None) as socket:
        yield socket


async def heard(socket: ClientConnection) -> ReviewState:
    async with asyncio.timeout(60):
        return msgspec.json.decode(await socket.recv(), type=ReviewState)


async def closed(socket: ClientConnection) -> int:
    with pytest.raises(ConnectionClosed) as end:
        await heard(socket)
    assert end.value.rcvd is not None
    return end.value.rcvd.code


@asynccontextmanager
async def reviewing(worker: Scripted, limits: Limits = FREE) -> AsyncIterator[tuple[Place, dict[str, str]]]:
    """A server with a finished game, and who asks."""
    async with served(limits) as place:
        place.lobby.reviews._worker = worker
        await place.lobby.store.append("t", 1, [], game=game())
        yield place, {"authorization": f"Bearer {(await place.player())['token']}"}


class Gated:
    """A real process that makes no more parts than it is allowed to."""

    def __init__(self, free: int) -> None:
        # Among tests side by side the nicest process would wait for all of them.
        self.pool = BackgroundPool(seconds=60, nice=1)
        self.free = asyncio.Semaphore(free)
        self.close = self.pool.close

    async def run(self, function: Callable[..., Any], *arguments: object) -> Any:
        await self.free.acquire()
        return await self.pool.run(function, *arguments)

    def kill(self) -> None:
        executor = self.pool._executor
        assert executor is not None
        (process,) = executor._processes
        assert os.getpriority(os.PRIO_PROCESS, process) == os.getpriority(os.PRIO_PROCESS, 0) + 1
        os.kill(process, signal.SIGKILL)


async def test_a_game_is_reviewed_by_a_process_that_may_die() -> None:
    async with served(replace(FREE, review_worlds=2)) as place:
        place.lobby.reviews._worker = worker = Gated(free=2)
        await place.lobby.store.append("t", 1, [], game=short_game())
        token = {"authorization": f"Bearer {(await place.player())['token']}"}
        asked = (await place.http.post(_PATH, headers=token)).json()
        assert (asked["type"], asked["state"], asked["rounds"], asked["partsDone"]) == ("review", "running", 1, 0)
        known: dict[tuple[int, int], Any] = {}
        async with watched(place) as socket:
            state = await heard(socket)
            assert state.is_whole
            while state.parts_done < 2:
                known |= {(each.round, each.action): each for each in state.decisions}
                state = await heard(socket)
            worker.kill()
            for _ in range(100):
                worker.free.release()
            while state.state != "done":
                known |= {(each.round, each.action): each for each in state.decisions}
                state = await heard(socket)
            known |= {(each.round, each.action): each for each in state.decisions}
            assert await closed(socket) == 1000
        assert place.lobby.metrics.registry.get_sample_value("tichu_review_faults_total") == 1
        read = msgspec.json.decode((await place.http.get(_PATH)).content, type=ReviewState)
        assert (read.state, read.rounds_done, read.parts_done) == ("done", 1, read.parts)
        assert list(read.decisions) == [known[key] for key in sorted(known)]
        compared = [each for each in read.decisions if each.worlds]
        assert compared
        assert all(each.candidates[0].action == each.played for each in compared)
        assert all(each.verdict == "same" for each in read.decisions if not each.worlds)
        assert read.chances[0].win == 0.5
        assert len(read.chances) == 2 + len(compared)


async def test_reviews_are_for_finished_games_and_asked_for_with_a_token() -> None:
    async with reviewing(Scripted()) as (place, token):
        table = await place.table("you", "greedy", "greedy", "greedy", start=True)
        for name in ("none", table["table"]["game"] or table["table"]["id"]):
            for answer in (
                await place.http.get(f"/api/games/{name}/review"),
                await place.http.post(f"/api/games/{name}/review", headers=token),
            ):
                assert (answer.status_code, answer.json()["error"]) == (404, "no_such_game")
            with pytest.raises(InvalidStatus) as refused:
                async with watched(place, name):
                    pass
            assert refused.value.response.status_code == 404
        assert (await place.http.post(_PATH)).json()["error"] == "no_token"
        assert (await place.http.post(_PATH, headers={"authorization": "Bearer x"})).status_code == 401
        other = await place.http.post(_PATH, headers=token | {"origin": "https://evil.example"})
        assert other.status_code == 403
        assert (await place.http.get(_PATH)).json()["state"] == "none"
        async with watched(place) as socket:
            assert (await heard(socket)).state == "none"
            assert await closed(socket) == 1000


async def test_too_much_is_refused_politely() -> None:
    async with reviewing(Scripted(free=0), replace(FREE, person_reviews=0)) as (place, token):
        refused = await place.http.post(_PATH, headers=token)
        assert (refused.status_code, refused.json()["error"]) == (429, "too_many")
    async with reviewing(Scripted(free=0), replace(FREE, reviews=0)) as (place, token):
        refused = await place.http.post(_PATH, headers=token)
        assert (refused.status_code, refused.json()["error"]) == (503, "busy")


async def test_the_socket_has_the_guard_of_the_others() -> None:
    limits = replace(FREE, connections=1, socket_rate=0.001, socket_burst=1, socket_rejections=2)
    async with reviewing(worker := Scripted(free=0), limits) as (place, token):
        await place.http.post(_PATH, headers=token)
        with pytest.raises(InvalidStatus) as refused:
            async with watched(place, origin="https://evil.example"):
                pass
        assert refused.value.response.status_code == 403
        async with watched(place) as socket:
            assert (await heard(socket)).state == "running"
            with pytest.raises(InvalidStatus) as refused:
                async with watched(place):
                    pass
            assert refused.value.response.status_code == 429
            for _ in range(4):
                await socket.send("{}")
            assert await closed(socket) == 4429
        async with asyncio.timeout(20):
            while place.lobby.metrics.open_sockets():
                await asyncio.sleep(0.01)
        async with watched(place) as socket:
            first = await heard(socket)
            worker.free.release()
            worker.free.release()
            while (state := await heard(socket)).parts_done < 2:
                pass
            assert (first.parts_done, state.is_whole) == (0, False)
            assert [each.action for each in state.decisions] == [5, 8]
            await place.lobby.close()
            assert await closed_after_the_last_word(socket) == 1001
        assert len(await place.lobby.store.review("game-1")) == 2 < len(PARTS)


async def closed_after_the_last_word(socket: ClientConnection) -> int:
    assert (await heard(socket)).state == "none"
    return await closed(socket)


async def test_something_goes_over_the_socket_every_few_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tichu.server.http.reviews._HEARTBEAT_S", 0.01)
    async with reviewing(Scripted(free=2)) as (place, token):
        await place.http.post(_PATH, headers=token)
        async with watched(place) as socket:
            while (state := await heard(socket)).parts_done < 2:
                pass
            again = [await heard(socket) for _ in range(3)]
        assert all(each == msgspec.structs.replace(state, decisions=(), is_whole=False) for each in again)


async def test_the_queue_can_be_filled_to_measure_what_others_notice(tmp_path: Path) -> None:
    games = await asyncio.to_thread(store_games, tmp_path)
    async with served(FREE, database=str(tmp_path / "tichu.db")) as place:
        place.lobby.reviews._worker = Scripted(free=0)
        port = int(place.url.rpartition(":")[2])
        await fill_queue(port, games)
        assert await count_parts(port, games) == (len(games), 0)
        refused = await place.http.post(_PATH, headers={"authorization": f"Bearer {(await place.player())['token']}"})
        assert refused.status_code == 429  # The address has had all that it gets in a day.
