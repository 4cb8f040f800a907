"""Reviews of finished games: in turns, bounded, part by part, and never twice."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.server.test_store import SUMMARY
from tichu import read_game
from tichu.analysis.verdicts import CandidateValue, DecisionReview, RoundPlan
from tichu.core.record import format_jsonl
from tichu.server.background import Busy
from tichu.server.config import Limits
from tichu.server.http.reviews import encode_review
from tichu.server.log import FinishedGame
from tichu.server.metrics import Metrics
from tichu.server.reviews.jobs import plan_round
from tichu.server.reviews.progress import Review, Standing, Told
from tichu.server.reviews.queue import Reviews, TooManyReviews
from tichu.server.store import Store, StoredPart, open_store
from tichu.server.wire import ENCODER

pytestmark = pytest.mark.anyio

_WHOLE = read_game(Path(__file__).parents[1] / "games" / "00.ttn").record()
RECORD = format_jsonl(_WHOLE._replace(rounds=_WHOLE.rounds[:2]))
#: Two rounds, each with a plan and two parts.
PARTS = [(0, 0), (0, 1), (1, 0), (0, 2), (1, 1), (1, 2)]


def game(name: str = "game-1", finished: float = 1000.5) -> FinishedGame:
    return FinishedGame(SUMMARY._replace(id=name, finished=finished), RECORD)


def decision(number: int, action: int, lost: float = 0.0, chance: float = 1.0) -> DecisionReview:
    values = (CandidateValue("1:7s", -3.0, 5.0, 0.4), CandidateValue("1:8s", lost - 3.0, 5.0, 0.45))
    return DecisionReview("", number, action, 1, "lead", "1:7s", "1:8s", lost, 5.0, 64, values, chance)


class Scripted:
    """Makes the parts of a round of five decisions at once, or as soon as it is allowed to."""

    def __init__(self, free: int = 1000) -> None:
        self.made: list[tuple[str, int, int]] = []
        self.free = asyncio.Semaphore(free)
        #: What is raised by the next jobs.
        self.faults: list[Exception] = []
        self.closed = 0

    async def run(self, function: Callable[..., bytes], *arguments: Any) -> bytes:
        await self.free.acquire()
        if self.faults:
            raise self.faults.pop()
        record, number = arguments[:2]
        if function is plan_round:
            same = DecisionReview("", number, 3, 0, "follow", "0:-", "0:-", 0.0, 0.0, 0)
            self.made.append((record, number, 0))
            return msgspec.json.encode(RoundPlan((same,), ((5, 8), (11, 20)), before=0.5, after=0.6))
        actions: tuple[int, ...] = arguments[2]
        self.made.append((record, number, 1 if actions == (5, 8) else 2))
        return msgspec.json.encode(tuple(decision(number, action, 50.0, 1e-6) for action in actions))

    def close(self) -> None:
        self.closed += 1


@asynccontextmanager
async def reviewing(store: Store, worker: Scripted, **limits: int) -> AsyncIterator[Reviews]:
    reviews = Reviews(store, Limits(**limits), Metrics(), worker)
    try:
        yield reviews
    finally:
        await reviews.close()


async def until(reviews: Reviews, review: Review, *states: str, parts: int = 0) -> None:
    async with asyncio.timeout(20):
        while True:
            changed, state = review.changed, reviews.state(review)
            if state.state in states and state.parts_done >= parts:
                return
            await changed.wait()


@pytest.fixture
async def memory() -> AsyncIterator[Store]:
    """A store in which only the queue is tested."""
    store = await open_store(":memory:")
    for number in range(4):
        await store.append("t", 1, [], game=game(f"game-{number}", float(number)))
    yield store
    await store.close()


async def test_a_review_is_made_part_by_part_and_never_again(store: Store) -> None:
    await store.append("t", 1, [], game=game())
    worker = Scripted()
    async with reviewing(store, worker) as reviews:
        nothing = reviews.state(await reviews.find(game()))
        assert (nothing.state, nothing.rounds, nothing.parts_done, nothing.decisions) == ("none", 2, 0, ())
        review = await reviews.ask(game(), "ann", "192.0.2.1")
        await until(reviews, review, "done")
        assert [(number, part) for _, number, part in worker.made] == PARTS
        state = reviews.state(review)
    assert (state.rounds_done, state.parts, state.parts_done, state.under_way) == (2, 6, 6, 0)
    assert [(each.round, each.action) for each in state.decisions[:5]] == [(0, 3), (0, 5), (0, 8), (0, 11), (0, 20)]
    assert [each.verdict for each in state.decisions[:2]] == ["same", "blunder"]
    assert (state.decisions[0].best, state.decisions[1].best) == (None, "1:8s")
    along = [(each.round, each.action, each.win) for each in state.chances]
    assert along[:2] == [(0, None, 0.5), (0, 5, 0.6)]  # Seat 1 has 40 %.
    assert along[-1] == (2, None, 0.6)
    async with reviewing(store, again := Scripted()) as reviews:
        assert reviews.state(await reviews.ask(game(), "bob", "192.0.2.1")) == state
        assert again.made == []


async def test_a_restart_goes_on_when_somebody_asks_again(store: Store) -> None:
    await store.append("t", 1, [], game=game())
    async with reviewing(store, Scripted(free=3)) as reviews:
        review = await reviews.ask(game(), "ann", "192.0.2.1")
        await until(reviews, review, "running", parts=3)
        listening = review.changed
    assert listening.is_set()
    async with reviewing(store, worker := Scripted()) as reviews:
        found = await reviews.find(game())
        state = reviews.state(found)
        assert (state.state, state.parts_done, len(state.decisions)) == ("none", 3, 4)
        review = await reviews.ask(game(), "ann", "192.0.2.1")
        await until(reviews, review, "done")
        assert [(number, part) for _, number, part in worker.made] == PARTS[3:]


async def test_a_part_that_this_version_cannot_read_is_made_again(memory: Store) -> None:
    for part in (StoredPart(0, 0, b"{"), StoredPart(7, 0, b"{}")):
        await memory.keep_review("game-1", part)
    async with reviewing(memory, worker := Scripted()) as reviews:
        await until(reviews, await reviews.ask(game(), "ann", "a"), "done")
        assert len(worker.made) == len(PARTS)
    kept = {(part.round, part.part) for part in await memory.review("game-1")}
    assert kept == {*PARTS, (7, 0)}


async def test_people_take_turns_and_have_one_game_under_way(memory: Store) -> None:
    worker = Scripted(free=0)
    async with reviewing(memory, worker) as reviews:
        first, second = [await reviews.ask(game(f"game-{number}"), "ann", "a") for number in range(2)]
        other = await reviews.ask(game("game-2"), "bob", "b")
        shown = [reviews.state(review) for review in (first, second, other)]
        assert [state.state for state in shown] == ["running", "waiting", "running"]
        assert [(state.place, state.under_way) for state in shown] == [(0, 2), (1, 2), (0, 2)]
        for number in range(1, 5):
            worker.free.release()
            await until(reviews, first, "running", parts=(number + 1) // 2)
            await until(reviews, other, "running", parts=number // 2)
        assert reviews.state(second).parts_done == 0
        # Whoever else asks for a game that waits lends it a turn.
        assert await reviews.ask(game("game-1"), "cat", "c") is second
        assert reviews.state(second).state == "running"
        for _ in range(20):
            worker.free.release()
        for review in (first, second, other):
            await until(reviews, review, "done")


async def test_nobody_can_ask_for_too_much(memory: Store) -> None:
    worker = Scripted(free=0)
    async with reviewing(memory, worker, reviews=3, person_reviews=2) as reviews:
        for number in range(2):
            await reviews.ask(game(f"game-{number}"), "ann", "a")
        await reviews.ask(game("game-0"), "ann", "a")
        with pytest.raises(TooManyReviews, match="2 games of yours"):
            await reviews.ask(game("game-2"), "ann", "a")
        await reviews.ask(game("game-2"), "bob", "a")
        with pytest.raises(Busy):
            await reviews.ask(game("game-3"), "cat", "a")
        await reviews.ask(game("game-2"), "cat", "a")
        assert reviews._metrics.registry.get_sample_value("tichu_reviews") == 3
        assert reviews._metrics.registry.get_sample_value("tichu_guarded_total", {"why": "reviews"}) == 2


@pytest.mark.parametrize("limit", ["person_reviews_a_day", "address_reviews_a_day"])
async def test_a_day_has_only_so_many_reviews(memory: Store, limit: str) -> None:
    async with reviewing(memory, Scripted(), **{limit: 2}) as reviews:
        for number in range(2):
            await until(reviews, await reviews.ask(game(f"game-{number}"), "ann", "a"), "done")
        with pytest.raises(TooManyReviews, match="in a day"):
            await reviews.ask(game("game-2"), "ann", "a")
        # What is there is there for everybody.
        assert (await reviews.ask(game("game-0"), "ann", "a")).is_done
        other = ("bob", "a") if limit.startswith("person") else ("ann", "b")
        await until(reviews, await reviews.ask(game("game-2"), *other), "done")


async def test_lost_parts_are_made_again_and_what_never_works_is_given_up(
    memory: Store, caplog: pytest.LogCaptureFixture
) -> None:
    worker = Scripted()
    async with reviewing(memory, worker) as reviews:
        worker.faults = [Busy(), ValueError("of the analysis")]
        await until(reviews, await reviews.ask(game("game-0"), "ann", "a"), "done")
        assert "of the analysis" not in caplog.text
        worker.faults = [Busy()] * 3
        review = await reviews.ask(game("game-1"), "ann", "a")
        await until(reviews, review, "none")
        assert "given up" in caplog.text
        assert reviews._metrics.registry.get_sample_value("tichu_review_faults_total") == 5
        await until(reviews, await reviews.ask(game("game-1"), "ann", "a"), "done")
        assert reviews._metrics.registry.get_sample_value("tichu_review_parts_total") == 12


async def test_the_review_of_a_game_that_is_forgotten_ends(memory: Store) -> None:
    async with reviewing(memory, worker := Scripted(free=2)) as reviews:
        review = await reviews.ask(game("game-0"), "ann", "a")
        await until(reviews, review, "running", parts=2)
        await memory.forget_games(0.5)
        worker.free.release()
        await until(reviews, review, "none")
        assert await memory.review("game-0") == []


async def test_a_process_without_work_goes(memory: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tichu.server.reviews.queue._IDLE_S", 0.01)
    async with reviewing(memory, worker := Scripted()) as reviews:
        await until(reviews, await reviews.ask(game("game-0"), "ann", "a"), "done")
        async with asyncio.timeout(20):
            while not worker.closed:
                await asyncio.sleep(0.01)
        await until(reviews, await reviews.ask(game("game-1"), "ann", "a"), "done")


async def test_who_was_told_hears_only_what_is_new_or_judged_otherwise() -> None:
    running = Standing("running", 0, 1)
    review, told = Review(game()), Told()
    plan = RoundPlan(parts=((5,), tuple(range(10, 30))), before=0.5)
    review.add(StoredPart(0, 0, msgspec.json.encode(plan)))
    assert review.state(running, told).is_whole
    review.add(StoredPart(0, 1, msgspec.json.encode((decision(0, 5, 20.0, 0.03),))))
    first = review.state(running, told)
    assert [each.verdict for each in first.decisions] == ["mistake"]
    assert review.state(running, told).decisions == ()
    # Among many that say nothing, such a loss may be chance.
    review.add(StoredPart(0, 2, msgspec.json.encode(tuple(decision(0, action) for action in range(10, 30)))))
    second = review.state(running, told)
    assert not second.is_whole
    assert [each.action for each in second.decisions] == [5, *range(10, 30)]
    assert {each.verdict for each in second.decisions} == {"unclear"}
    assert len(review.state(running).decisions) == 21


@pytest.mark.parametrize("number", [0, 1, 450])
async def test_a_long_review_is_written_in_slices_and_reads_the_same(number: int) -> None:
    review = Review(game('"decisions":[]'))
    found = [decision(0, action, lost=9.0, chance=action / 1000) for action in range(number)]
    plan = RoundPlan((), (tuple(range(number)),), before=0.5)
    review.add(StoredPart(0, 0, msgspec.json.encode(plan)))
    review.add(StoredPart(0, 1, msgspec.json.encode(found)))
    state = review.state(Standing("running", 0, 1))
    assert len(state.decisions) == number
    assert await encode_review(state) == ENCODER.encode(state)


async def test_a_review_that_was_only_read_is_let_go_of_and_one_in_the_queue_is_not(memory: Store) -> None:
    async with reviewing(memory, Scripted(free=2)) as reviews:
        asked = await reviews.ask(game(), "ann", "a")
        assert reviews.is_queued(asked)
        assert await reviews.find(game()) is asked
        await memory.keep_review("game-2", StoredPart(0, 0, msgspec.json.encode(RoundPlan((decision(0, 1),), ()))))
        read = await reviews.find(game("game-2"))
        assert not reviews.is_queued(read)
        assert len(reviews.state(read).decisions) == 1
        await read.dissolve()
        assert (reviews.state(read).decisions, reviews.state(read).chances) == ((), ())
