"""Who waits for which review.

One process of low priority does one part after another.  People take turns, part by part: whoever asks for much waits
longer, and nobody else does.  A game of which nothing is compared yet comes before those that have something to look
at, for as many turns as that usually takes; but of three turns one is always for the others.  Of each person one game
is under way, the others follow.  What is done is stored at once, so neither a restart nor the death of the process
costs more than a part.  The queue itself is not stored: after a restart a review goes on when somebody asks for it
again.

A part that cannot be made is passed over after a few tries and stored as one that failed.  One in which the process
died is passed over until somebody asks again: it may have been the machine.  That a processor had no time for a part
counts against nothing; it is tried until there is time.
"""

import asyncio
import logging
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

from tichu.server.background import NICEST, BackgroundPool, Busy, Died, Worker
from tichu.server.config import Limits
from tichu.server.failures import log_failure
from tichu.server.log import FinishedGame
from tichu.server.metrics import Metrics
from tichu.server.rate_limit import RateLimiter
from tichu.server.reviews.jobs import review_version
from tichu.server.reviews.keeping import keep_sheets_of, stored_reviews
from tichu.server.reviews.progress import Job, Review, Standing, Told, decode_part
from tichu.server.store import Store, StoredPart, StoreError, TakenOver
from tichu.server.wire.reviews import ReviewState

__all__ = ["Reviews", "TooManyReviews", "Worker"]

log = logging.getLogger("tichu.server")

_T = TypeVar("_T")

_DAY_S: Final = 86_400.0
#: How much of a processor a part takes the process limits itself; after so long it stands still or has no time at all.
_PART_S: Final = 1800.0
#: A part that came to nothing is tried so often in a row.
_TRIES: Final = 3
#: So many turns the first verdict of a game may take before it has to wait like others: a plan, a part, and one more.
_FIRST_TURNS: Final = 3
#: So many turns in a row belong to games without a verdict, if there are others.
_FIRST_IN_A_ROW: Final = 2
#: After so long without work the process goes: it holds a hundred megabytes.
_IDLE_S: Final = 60.0
_STORE_AGAIN_S: Final = 2.0
#: How long nothing is tried if a processor had no time, at first and at most.
_PAUSE_S, _LONGEST_PAUSE_S = 1.0, 60.0


class TooManyReviews(Exception):
    """Somebody has asked for as much as they may."""


class Reviews:
    """The reviews of a server."""

    def __init__(self, store: Store, limits: Limits, metrics: Metrics, worker: Worker | None = None) -> None:
        self._store = store
        self._limits = limits
        self._metrics = metrics
        self._worker = worker or BackgroundPool(most_waiting=2, seconds=_PART_S, nice=NICEST)
        self._persons = RateLimiter(limits.person_reviews_a_day / _DAY_S, limits.person_reviews_a_day)
        self._addresses = RateLimiter(limits.address_reviews_a_day / _DAY_S, limits.address_reviews_a_day)
        #: Those that are under way or wait, by game.
        self._reviews: dict[str, Review] = {}
        #: By person, in the order of their turns: the games they have asked for.
        self._queue: OrderedDict[str, list[str]] = OrderedDict()
        self._wake = asyncio.Event()
        self._working: asyncio.Task[None] | None = None
        self._is_closed = False
        #: How many turns in a row belonged to games without a verdict.
        self._firsts = 0
        #: For how many parts in a row there was no time.
        self._starved = 0

    async def find(self, game: FinishedGame) -> Review:
        """How far the review of a game is.

        :raises StoreError: it cannot be read now
        """
        known = self._reviews.get(game.summary.id)
        if known is not None:
            return known
        review = await self._read(game)
        for prepare in (review.judge, review.arrange):
            prepare()
            await asyncio.sleep(0)
        # Somebody may have asked for it in the meantime.
        return self._reviews.get(review.id, review)

    async def _read(self, game: FinishedGame) -> Review:
        """What is stored: a review that is done, if there is one, whatever it was made with.

        Parts that were made with other weights, or in another number of worlds, do not belong together.
        """
        found = await stored_reviews(self._store, game)
        current = await self._version()
        return max(
            found.values(), key=lambda each: (each.is_done, each.version == current), default=Review(game, current)
        )

    async def _version(self) -> str:
        """What parts are made with now; megabytes are read for it, once."""
        return await asyncio.to_thread(review_version, self._limits.review_worlds)

    async def ask(self, game: FinishedGame, person: str, address: str) -> Review:
        """Have a game reviewed, unless it is.

        :raises TooManyReviews: this person or this address has asked for enough
        :raises Busy: all together have
        :raises StoreError: what is known cannot be read now
        """
        current = await self._version()
        review = await self.find(game)
        own = self._queue.get(person, [])
        if review.is_done or review.id in own:
            return review
        if review.version != current:
            # What there is was never finished and cannot be any more.
            review = Review(game, current)
        self._require_space(review, len(own), person, address)
        self._reviews[review.id] = review
        self._queue.setdefault(person, []).append(review.id)
        self._metrics.reviews.set(len(self._reviews))
        if self._working is None or self._working.done():
            self._working = asyncio.create_task(self._work(), name="reviews")
        self._wake.set()
        self._tell_all()
        return review

    def state(self, review: Review, told: Told | None = None) -> ReviewState:
        """How far a review is; ``told`` is what somebody has heard of it."""
        return review.state(self._standing(review), told)

    def is_queued(self, review: Review) -> bool:
        """Whether others may have it too; one that was only read belongs to whoever has read it."""
        return self._reviews.get(review.id) is review

    async def close(self) -> None:
        """Stop; what is done is stored."""
        self._is_closed = True
        if self._working is not None:
            self._working.cancel()
            await asyncio.gather(self._working, return_exceptions=True)
        self._worker.close()
        waiting = list(self._reviews.values())
        self._reviews.clear()
        self._queue.clear()
        for review in waiting:
            review.tell()

    def _require_space(self, review: Review, own: int, person: str, address: str) -> None:
        limits = self._limits
        try:
            if self._is_closed or (review.id not in self._reviews and len(self._reviews) >= limits.reviews):
                raise Busy
            if own >= limits.person_reviews:
                raise TooManyReviews(f"{own} games of yours are being reviewed or wait for it; come back later")
            now = time.monotonic()
            if not self._persons.take(person, now) or not self._addresses.take(address, now):
                raise TooManyReviews("as many games were reviewed for you as may be in a day; come back later")
        except (Busy, TooManyReviews):
            self._metrics.guarded.labels("reviews").inc()
            raise

    def _standing(self, review: Review) -> Standing:
        under_way = len({games[0] for games in self._queue.values()})
        places = [games.index(review.id) for games in self._queue.values() if review.id in games]
        if places:
            return Standing("waiting" if min(places) else "running", min(places), under_way)
        return Standing("done" if review.is_done else "none", 0, under_way)

    async def _work(self) -> None:
        while True:
            while self._queue:
                person = self._next_person()
                review = self._reviews[self._queue[person][0]]
                is_first = self._is_first(review)
                try:
                    await self._do_part(review)
                except TakenOver:
                    return
                review.tries += is_first
                # Those who came meanwhile have their turn first; the first verdict is waited for.
                if person in self._queue and not (is_first and self._is_first(review)):
                    self._queue.move_to_end(person)
            self._wake.clear()
            try:
                async with asyncio.timeout(_IDLE_S):
                    await self._wake.wait()
            except TimeoutError:
                self._worker.close()
                await self._wake.wait()

    def _next_person(self) -> str:
        """Whose turn it is."""
        firsts = [person for person, games in self._queue.items() if self._is_first(self._reviews[games[0]])]
        others = next((person for person in self._queue if person not in firsts), None)
        if others is None or (firsts and self._firsts < _FIRST_IN_A_ROW):
            # Where nobody else waits nobody is kept waiting.
            self._firsts = 0 if others is None else self._firsts + 1
            return firsts[0]
        self._firsts = 0
        return others

    @staticmethod
    def _is_first(review: Review) -> bool:
        """Whether somebody waits for the first verdict of this game."""
        return not review.has_verdicts and review.tries < _FIRST_TURNS

    async def _do_part(self, review: Review) -> None:
        job = review.next_job(self._limits.review_worlds)
        if job is None:
            self._remove(review)
            return
        data: bytes | None
        try:
            data = await self._worker.run(job.function, *job.arguments)
            review.faults = self._starved = 0
        except Exception as error:
            if isinstance(error, Busy) and not isinstance(error, Died):
                await self._wait_for_time()
                return
            data = self._note_fault(review, job, error)
        if data is None:
            return
        part = StoredPart(job.round, job.part, data)
        if not await self._store_at_last(lambda: self._store.keep_review(review.id, part)):
            self._remove(review)
            return
        self._metrics.review_parts.inc()
        made = decode_part(part)
        if made is not None:
            review.add(part.round, part.part, made)
        if review.is_done:
            await self._store_at_last(lambda: keep_sheets_of(self._store, review))
            self._remove(review)
        else:
            review.tell()

    async def _wait_for_time(self) -> None:
        self._starved += 1
        self._metrics.review_faults.inc()
        if self._starved >= _TRIES:
            log.warning("no processor has had time for a review, %d times in a row", self._starved)
        await asyncio.sleep(min(_LONGEST_PAUSE_S, _PAUSE_S * 2 ** min(self._starved - 1, 10)))

    def _note_fault(self, review: Review, job: Job, error: Exception) -> bytes | None:
        """What is to be stored in place of a part that comes to nothing; None if it is tried again, now or later."""
        review.faults += 1
        self._metrics.review_faults.inc()
        if not isinstance(error, Busy):
            log_failure(f"the review of game {review.id}", error)
        if review.faults < _TRIES:
            return None
        review.faults = 0
        log.error("round %d, part %d of the review of game %s is passed over", job.round, job.part, review.id)
        if isinstance(error, Busy):
            review.skip(job)
            return None
        return review.failed_part(job, f"{type(error).__name__}: {error}")

    async def _store_at_last(self, write: Callable[[], Awaitable[_T]]) -> _T:
        """Store something, however long that takes."""
        while True:
            try:
                return await write()
            except TakenOver:
                raise
            except StoreError as error:
                self._metrics.failures.labels("store").inc()
                log.error("a review waits for the store: %s", error)
                await asyncio.sleep(_STORE_AGAIN_S)

    def _remove(self, review: Review) -> None:
        """It is done, or cannot be."""
        self._reviews.pop(review.id, None)
        for person, games in list(self._queue.items()):
            if review.id in games:
                games.remove(review.id)
            if not games:
                del self._queue[person]
        self._metrics.reviews.set(len(self._reviews))
        review.tell()
        self._tell_all()

    def _tell_all(self) -> None:
        """Places in the queue have changed."""
        for review in self._reviews.values():
            review.tell()
