"""Reviews of finished games: in turns, bounded, part by part, and never twice."""

import asyncio
import signal
import time
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.server.test_store import SUMMARY
from tichu import read_game
from tichu.analysis.verdicts import CandidateValue, DecisionReview, RoundPart, RoundPlan
from tichu.core.record import format_jsonl
from tichu.server.background import Busy, Died
from tichu.server.config import Limits
from tichu.server.http.reviews import encode_review
from tichu.server.log import FinishedGame
from tichu.server.metrics import Metrics
from tichu.server.reviews.jobs import TooLong, _limited, plan_round, review_version
from tichu.server.reviews.progress import Review, Standing, Told
from tichu.server.reviews.queue import Reviews, TooManyReviews
from tichu.server.store import Store, StoredPart, open_store
from tichu.server.wire import ENCODER
from tichu.server.wire.reviews import ReviewState

pytestmark = pytest.mark.anyio

_WHOLE = read_game(Path(__file__).parents[1] / "games" / "00.ttn").record()
RECORD = format_jsonl(_WHOLE._replace(rounds=_WHOLE.rounds[:2]))
#: Two rounds, each with a plan and two parts.
PARTS = [(0, 0), (0, 1), (1, 0), (0, 2), (1, 1), (1, 2)]


def game(name: str = "game-1", finished: float = 1000.5) -> FinishedGame:
    return FinishedGame(SUMMARY._replace(id=name, finished=finished), RECORD)


def named(name: str) -> FinishedGame:
    """The same, to be told apart where it is worked at."""
    return game(name)._replace(record=RECORD.replace("Seat 0", name))


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
        #: What is raised by every job for a part, by round and actions; for a plan in place of these the worlds.
        self.wrong: dict[tuple[Any, ...], Exception] = {}
        self.closed = 0

    async def run(self, function: Callable[..., bytes], *arguments: Any) -> bytes:
        await self.free.acquire()
        if self.faults:
            raise self.faults.pop()
        if (fault := self.wrong.get(arguments[1:3])) is not None:
            raise fault
        record, number = arguments[:2]
        version = review_version(arguments[-1])
        if function is plan_round:
            same = DecisionReview("", number, 3, 0, "follow", "0:-", "0:-", 0.0, 0.0, 0)
            self.made.append((record, number, 0))
            left = tuple(
                DecisionReview("", number, at, 1, "lead", "1:7s", "1:7s", 0.0, 0.0, 0) for at in (5, 8, 11, 20)
            )
            plan = RoundPlan((same,), ((5, 8), (11, 20)), left, before=0.5, after=0.6, version=version)
            return msgspec.json.encode(plan)
        actions: tuple[int, ...] = arguments[2]
        self.made.append((record, number, 1 if actions == (5, 8) else 2))
        found = tuple(decision(number, action, 50.0, 1e-6) for action in actions)
        return msgspec.json.encode(RoundPart(found, version))

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


def old_parts(worlds: int | None) -> list[StoredPart]:
    """A whole review of a server with other weights; None: of one that stored no version."""
    version = "" if worlds is None else f"other-{worlds}"
    found = []
    for number, part in PARTS:
        plan = RoundPlan((), ((5,), (8,)), before=0.5, after=0.5, version=version)
        made = (decision(number, 5 if part == 1 else 8),)
        shown: object = plan if part == 0 else made if worlds is None else RoundPart(made, version)
        found.append(StoredPart(number, part, msgspec.json.encode(shown)))
    return found


@pytest.mark.parametrize("worlds", [None, 640])
async def test_a_review_that_is_done_stays_whatever_it_was_made_with(memory: Store, worlds: int | None) -> None:
    for part in old_parts(worlds):
        await memory.keep_review("game-1", part)
    async with reviewing(memory, worker := Scripted()) as reviews:
        state = await done(reviews, "game-1")
        assert [each.action for each in state.decisions] == [5, 8, 5, 8]
        assert worker.made == []


@pytest.mark.parametrize("worlds", [None, 640])
async def test_half_a_review_made_with_other_weights_is_shown_and_not_gone_on_with(
    memory: Store, worlds: int | None
) -> None:
    for part in old_parts(worlds)[:4]:
        await memory.keep_review("game-1", part)
    async with reviewing(memory, worker := Scripted()) as reviews:
        assert reviews.state(await reviews.find(game())).parts_done == 4
        state = await done(reviews, "game-1")
        # Plans and parts of both would name other decisions.
        assert {each.action for each in state.decisions} == {3, 5, 8, 11, 20}
        assert len(worker.made) == len(PARTS)


async def test_half_a_review_in_another_number_of_worlds_is_not_gone_on_with(memory: Store) -> None:
    async with reviewing(memory, Scripted(free=3), review_worlds=100) as reviews:
        await until(reviews, await reviews.ask(game(), "ann", "a"), "running", parts=3)
    async with reviewing(memory, worker := Scripted(), review_worlds=200) as reviews:
        assert (await done(reviews, "game-1")).parts_done == 6
        assert len(worker.made) == 6


async def test_people_take_turns_and_have_one_game_under_way(memory: Store) -> None:
    worker = Scripted(free=0)
    async with reviewing(memory, worker) as reviews:
        first, second = [await reviews.ask(game(f"game-{number}"), "ann", "a") for number in range(2)]
        other = await reviews.ask(game("game-2"), "bob", "b")
        shown = [reviews.state(review) for review in (first, second, other)]
        assert [state.state for state in shown] == ["running", "waiting", "running"]
        assert [(state.place, state.under_way) for state in shown] == [(0, 2), (1, 2), (0, 2)]
        # To the first verdict of each, then in turns.
        for ours, theirs in ((1, 0), (2, 0), (2, 1), (2, 2), (3, 2), (3, 3)):
            worker.free.release()
            await until(reviews, first, "running", parts=ours)
            await until(reviews, other, "running", parts=theirs)
        assert reviews.state(second).parts_done == 0
        # Whoever else asks for a game that waits lends it a turn.
        assert await reviews.ask(game("game-1"), "cat", "c") is second
        assert reviews.state(second).state == "running"
        for _ in range(20):
            worker.free.release()
        for review in (first, second, other):
            await until(reviews, review, "done")


async def test_the_first_verdict_does_not_wait_behind_the_second_of_others(memory: Store) -> None:
    worker = Scripted(free=0)
    async with reviewing(memory, worker) as reviews:
        names = ("ann", "bob", "cem")
        early = [await reviews.ask(named(f"game-{at}"), name, "a") for at, name in enumerate(names)]
        # Each has its plan and its first part before the next, and so has who comes last.
        for _ in range(4):
            worker.free.release()
        await until(reviews, early[1], "running", parts=2)
        late = await reviews.ask(named("game-3"), "dora", "a")
        for _ in range(100):
            worker.free.release()
        for review in (*early, late):
            await until(reviews, review, "done")
    made = [(record.split("game-")[1][0], number, part) for record, number, part in worker.made]
    assert made[:4] == [("0", 0, 0), ("0", 0, 1), ("1", 0, 0), ("1", 0, 1)]
    # Somebody's second part now and then, so that nobody stands still.
    assert made[4:10] == [("0", 1, 0), ("2", 0, 0), ("2", 0, 1), ("1", 1, 0), ("3", 0, 0), ("3", 0, 1)]


async def test_a_game_without_anything_to_compare_waits_like_others(memory: Store) -> None:
    worker = Scripted(free=0)
    worker.wrong = {(number, Limits().review_worlds): ValueError("odd") for number in range(2)}
    async with reviewing(memory, worker) as reviews:
        odd = await reviews.ask(named("game-0"), "ann", "a")
        for _ in range(20):
            worker.free.release()
        await until(reviews, odd, "done")
        assert odd.tries == 3


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


async def test_lost_parts_are_made_again(memory: Store, caplog: pytest.LogCaptureFixture) -> None:
    worker = Scripted()
    async with reviewing(memory, worker) as reviews:
        worker.faults = [Died(), ValueError("of the analysis")]
        state = await done(reviews, "game-0")
        assert "of the analysis" not in caplog.text
        assert "passed over" not in caplog.text
        assert "failed" not in [each.verdict for each in state.decisions]
        assert reviews._metrics.registry.get_sample_value("tichu_review_faults_total") == 2


async def done(reviews: Reviews, name: str, state: str = "done") -> ReviewState:
    review = await reviews.ask(game(name), "ann", "a")
    await until(reviews, review, state)
    return reviews.state(review)


async def test_a_part_that_cannot_be_made_is_told_and_costs_no_other(
    memory: Store, caplog: pytest.LogCaptureFixture
) -> None:
    worker = Scripted()
    worker.wrong = {(0, (5, 8)): ValueError("of the analysis")}
    async with reviewing(memory, worker) as reviews:
        state = await done(reviews, "game-0")
        assert (state.rounds_done, state.parts_done, state.failed_rounds) == (2, 6, ())
        verdicts = {(each.round, each.action): each.verdict for each in state.decisions}
        assert [key for key, verdict in verdicts.items() if verdict == "failed"] == [(0, 5), (0, 8)]
        assert len(verdicts) == 10
        assert "part 1 of the review of game game-0 is passed over" in caplog.text
        assert reviews._metrics.registry.get_sample_value("tichu_review_faults_total") == 3
    # It is stored as it was told, and never tried again.
    async with reviewing(memory, again := Scripted()) as reviews:
        assert await done(reviews, "game-0") == state
        assert again.made == []


async def test_a_round_that_cannot_be_looked_at_is_told_and_costs_no_other(memory: Store) -> None:
    worker = Scripted()
    worker.wrong = {(1, 640): ValueError("of the analysis")}
    async with reviewing(memory, worker, review_worlds=640) as reviews:
        state = await done(reviews, "game-0")
        assert (state.rounds_done, state.failed_rounds) == (2, (1,))
        assert {each.round for each in state.decisions} == {0}


async def test_where_the_process_dies_the_rest_is_reviewed_and_the_part_left_to_whoever_asks_again(
    memory: Store,
) -> None:
    worker = Scripted()
    worker.wrong = {(0, (5, 8)): Died(), (1, 640): Died()}
    async with reviewing(memory, worker, review_worlds=640) as reviews:
        state = await done(reviews, "game-0", "none")
        assert (state.rounds_done, state.parts_done) == (0, 2)
        assert [each.action for each in state.decisions] == [3, 11, 20]
        worker.wrong = {}
        assert (await done(reviews, "game-0")).parts_done == 6
        assert len(worker.made) == 6


async def test_a_machine_without_time_is_waited_for(
    memory: Store, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("tichu.server.reviews.queue._PAUSE_S", 0.0001)
    worker = Scripted()
    async with reviewing(memory, worker) as reviews:
        worker.faults = [Busy() for _ in range(12)]
        state = await done(reviews, "game-0")
        assert "failed" not in [each.verdict for each in state.decisions]
        assert "no processor has had time for a review, 12 times in a row" in caplog.text
        assert len(worker.made) == len(PARTS)


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="there is no such timer")
def test_a_job_ends_after_so_much_of_a_processor_and_not_after_so_long() -> None:
    def work() -> None:
        with _limited(0.05):
            until = time.process_time() + 0.5
            while time.process_time() < until:
                pass

    with _limited(0.05):
        time.sleep(0.3)
    with pytest.raises(TooLong, match=r"0\.05 s"):
        work()
    assert signal.getitimer(signal.ITIMER_PROF) == (0.0, 0.0)
    with ThreadPoolExecutor(1) as threads:
        # Only the main thread can be told, which is where a process does its jobs.
        threads.submit(work).result()


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
    review, told = Review(game(), ""), Told()
    review.add(0, 0, RoundPlan(parts=((5,), tuple(range(10, 30))), before=0.5))
    assert review.state(running, told).is_whole
    review.add(0, 1, RoundPart((decision(0, 5, 20.0, 0.03),)))
    first = review.state(running, told)
    assert [each.verdict for each in first.decisions] == ["mistake"]
    assert review.state(running, told).decisions == ()
    # Among many that say nothing, such a loss may be chance.
    review.add(0, 2, RoundPart(tuple(decision(0, action) for action in range(10, 30))))
    second = review.state(running, told)
    assert not second.is_whole
    assert [each.action for each in second.decisions] == [5, *range(10, 30)]
    assert {each.verdict for each in second.decisions} == {"unclear"}
    assert len(review.state(running).decisions) == 21


@pytest.mark.parametrize("number", [0, 1, 450])
async def test_a_long_review_is_written_in_slices_and_reads_the_same(number: int) -> None:
    review = Review(game('"decisions":[]'), "")
    found = [decision(0, action, lost=9.0, chance=action / 1000) for action in range(number)]
    review.add(0, 0, RoundPlan((), (tuple(range(number)),), before=0.5))
    review.add(0, 1, RoundPart(tuple(found)))
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
