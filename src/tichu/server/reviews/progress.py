"""What is known of a game that is reviewed, and what comes next."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, Final, Literal, NamedTuple

import msgspec

from tichu.analysis.verdicts import DecisionReview, Reason, RoundPart, RoundPlan, called_mistakes, verdict_on
from tichu.server.log import FinishedGame
from tichu.server.reviews.jobs import plan_round, review_part
from tichu.server.reviews.sheets import SeatSheet, seat_sheets
from tichu.server.store import StoredPart
from tichu.server.wire.reviews import (
    ReviewCandidate,
    ReviewChance,
    ReviewedDecision,
    ReviewReason,
    ReviewState,
    ReviewVerdict,
)

__all__ = ["Job", "Review", "Standing", "Told", "decode_part"]

_PLAN: Final = msgspec.json.Decoder(RoundPlan)
#: Older servers have stored the decisions alone.
_PART: Final = msgspec.json.Decoder(RoundPart | tuple[DecisionReview, ...])

#: Decisions that are let go of at a time.
_SLICE: Final = 200

#: The verdicts that somebody has heard, by round and action.
Told = dict[tuple[int, int], ReviewVerdict]


def decode_part(stored: StoredPart) -> RoundPlan | RoundPart | None:
    """What was stored; None for what this version cannot read, which is as good as nothing."""
    with suppress(msgspec.MsgspecError):
        if stored.part == 0:
            return _PLAN.decode(stored.data)
        found = _PART.decode(stored.data)
        return found if isinstance(found, RoundPart) else RoundPart(found)
    return None


class Job(NamedTuple):
    """A part that is to be made."""

    round: int
    part: int
    function: Callable[..., bytes]
    arguments: tuple[object, ...]


class Standing(NamedTuple):
    """Where a game is in the queue."""

    state: Literal["none", "waiting", "running", "done"]
    place: int
    under_way: int


class Review:
    """A finished game with the parts of its review that are done."""

    def __init__(self, game: FinishedGame, version: str) -> None:
        self.id = game.summary.id
        #: What all of its parts are made with.
        self.version = version
        #: Jobs in a row that came to nothing.
        self.faults = 0
        #: How often it had its turn before anything was compared.
        self.tries = 0
        #: Set at the next change.
        self.changed = asyncio.Event()
        self._record = game.record
        #: A line for the game, then one a round.
        self._rounds = max(0, sum(1 for line in game.record.split("\n") if line.strip()) - 1)
        self._plans: dict[int, RoundPlan] = {}
        #: Rounds and parts that are left to whoever asks again.
        self._skipped: set[tuple[int, int]] = set()
        #: Parts that are done, by round; a plan is not among them.
        self._done: dict[int, set[int]] = {number: set() for number in range(self._rounds)}
        #: By round and action: those that were compared, and all as they are shown.
        self._compared: dict[tuple[int, int], DecisionReview] = {}
        self._shown: dict[tuple[int, int], ReviewedDecision] = {}
        #: Those that are called mistakes, by all that was known when that was last asked.
        self._called: set[tuple[int, int]] = set()
        self._is_judged = True
        #: The chance after each decision that was compared, by round and action.
        self._chances_after: dict[tuple[int, int], ReviewChance] = {}
        #: What was shown in order, and the chances, until something is added.
        self._order: tuple[tuple[int, int], ...] | None = None
        self._chances: tuple[ReviewChance, ...] = ()

    def add(self, number: int, part: int, made: RoundPlan | RoundPart) -> None:
        """Add a part of a round that is done."""
        if number not in self._done:
            return
        if isinstance(made, RoundPlan):
            self._plans[number] = made
        else:
            self._done[number].add(part)
        for each in made.decisions:
            key = each.round, each.action
            if each.worlds:
                self._compared[key] = each
                self._note_chance(each)
            self._called.discard(key)
            self._shown[key] = _reviewed(each, verdict_on(each, is_called=False))
        self._is_judged, self._order = False, None

    def tell(self) -> None:
        """Wake whoever waits for a change."""
        self.changed.set()
        self.changed = asyncio.Event()

    async def dissolve(self) -> None:
        """Let go of everything bit by bit, if nobody else has it: thousands of things at once keep others waiting."""
        self._order, self._chances = None, ()
        kept: tuple[dict[Any, Any], ...] = (self._shown, self._compared, self._chances_after)
        # A plan has the decisions of a round.
        for some, at_once in (*((each, _SLICE) for each in kept), (self._plans, 4)):
            while some:
                await asyncio.sleep(0)
                for _ in range(min(at_once, len(some))):
                    some.popitem()

    @property
    def has_verdicts(self) -> bool:
        """Whether there is something to look at."""
        return bool(self._compared)

    @property
    def is_done(self) -> bool:
        """Whether nothing is left to do."""
        return len(self._plans) == self._rounds == self._rounds_done

    @property
    def _rounds_done(self) -> int:
        return sum(next(self._left(number), None) is None for number in self._plans)

    def sheets(self) -> tuple[SeatSheet, ...]:
        """What each seat has lost; a round in which nobody decided anything, or that cannot be read, is none."""
        rounds = [number for number, plan in sorted(self._plans.items()) if plan.decisions or plan.parts]
        return seat_sheets(rounds, self._compared)

    def next_job(self, worlds: int) -> Job | None:
        """What is to be made next: something to look at soon, then how much there is in all, then the rest."""
        plans = ((number, 0) for number in range(self._rounds) if number not in self._plans)
        parts = ((number, part) for number in sorted(self._plans) for part in self._left(number))
        unplanned, _ = next((each for each in plans if each not in self._skipped), (None, 0))
        open_part = next((each for each in parts if each not in self._skipped), None)
        if unplanned is not None and (open_part is None or any(self._done.values())):
            return Job(unplanned, 0, plan_round, (self._record, unplanned, worlds))
        if open_part is None:
            return None
        number, part = open_part
        actions = self._plans[number].parts[part - 1]
        return Job(number, part, review_part, (self._record, number, actions, worlds))

    def skip(self, job: Job) -> None:
        """Go on without a part; the review will not be done."""
        self._skipped.add((job.round, job.part))

    def failed_part(self, job: Job, error: str) -> bytes:
        """A part of which no more will be known than why it cannot be made."""
        if job.part == 0:
            return msgspec.json.encode(RoundPlan(error=error, version=self.version))
        plan = self._plans[job.round]
        actions = plan.parts[job.part - 1]
        failed = tuple(msgspec.structs.replace(each, error=error) for each in plan.open if each.action in actions)
        return msgspec.json.encode(RoundPart(failed, self.version))

    def _left(self, number: int) -> Iterator[int]:
        """The parts of a planned round that are not done."""
        done = self._done[number]
        return (part for part in range(1, len(self._plans[number].parts) + 1) if part not in done)

    def state(self, standing: Standing, told: Told | None = None) -> ReviewState:
        """All that is known, or what somebody who was told before has not heard; they are told now."""
        self.judge()
        decisions = [self._shown[key] for key in self.arrange()]
        is_whole = not told
        if told is not None:
            decisions = [each for each in decisions if told.get((each.round, each.action)) != each.verdict]
            told |= {(each.round, each.action): each.verdict for each in decisions}
        return ReviewState(
            game=self.id,
            state=standing.state,
            place=standing.place,
            under_way=standing.under_way,
            rounds=self._rounds,
            rounds_done=self._rounds_done,
            parts=self._rounds + sum(len(plan.parts) for plan in self._plans.values()),
            parts_done=len(self._plans) + sum(map(len, self._done.values())),
            failed_rounds=tuple(number for number, plan in sorted(self._plans.items()) if plan.error),
            is_whole=is_whole,
            decisions=tuple(decisions),
            chances=self._chances,
        )

    def judge(self) -> None:
        """Say what is a mistake: that depends on all decisions that were compared."""
        if self._is_judged:
            return
        called = {(each.round, each.action) for each in called_mistakes(self._compared.values())}
        for key in called ^ self._called:
            verdict = verdict_on(self._compared[key], is_called=key in called)
            self._shown[key] = msgspec.structs.replace(self._shown[key], verdict=verdict)
        self._called, self._is_judged = called, True

    def arrange(self) -> tuple[tuple[int, int], ...]:
        """Put everything in its order, once for all who look: the rounds and actions of what is shown."""
        if self._order is None:
            self._order = tuple(sorted(self._shown))
            self._chances = tuple(self._find_chances())
        return self._order

    def _note_chance(self, each: DecisionReview) -> None:
        win = each.candidates[0].win if each.candidates else None
        if win is not None:
            win = win if each.seat % 2 == 0 else round(1 - win, 4)
            key = each.round, each.action
            self._chances_after[key] = ReviewChance(round=each.round, action=each.action, win=win)

    def _find_chances(self) -> Iterator[ReviewChance]:
        after: dict[int, list[ReviewChance]] = {}
        for key in sorted(self._chances_after):
            after.setdefault(key[0], []).append(self._chances_after[key])
        for number, plan in sorted(self._plans.items()):
            if plan.before is not None:
                yield ReviewChance(round=number, action=None, win=plan.before)
                yield from after.get(number, ())
        end = self._plans.get(self._rounds - 1)
        if end is not None and end.after is not None:
            yield ReviewChance(round=self._rounds, action=None, win=end.after)


def _reason(one: Reason) -> ReviewReason:
    return ReviewReason(what=one.what, played=one.played, better=one.better, cards=one.cards or None)


def _reviewed(each: DecisionReview, verdict: ReviewVerdict) -> ReviewedDecision:
    return ReviewedDecision(
        round=each.round,
        action=each.action,
        seat=each.seat,
        kind=each.kind,
        played=each.played,
        verdict=verdict,
        best=None if each.best == each.played else each.best,
        lost=each.lost,
        lost_error=each.lost_error,
        worlds=each.worlds,
        chance=each.chance,
        candidates=tuple(
            ReviewCandidate(
                action=one.action,
                points=one.points,
                points_error=one.points_error,
                win=one.win,
                win_error=one.win_error,
            )
            for one in each.candidates
        ),
        reasons=tuple(_reason(one) for one in each.reasons),
    )
