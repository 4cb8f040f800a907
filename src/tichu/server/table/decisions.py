"""The decisions that a table waits for, with their clocks, their bots and their automatic passes.

A decision is found by what it depends on: when that changes it is another one.  Everything here is true only now; a
restart asks anew.
"""

import math
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from tichu.agents.base import Choice
from tichu.core.actions import PASS, Action, CallTichu
from tichu.core.legal import Legal
from tichu.core.phases import Call
from tichu.core.phases import Phase as CorePhase
from tichu.core.view import View
from tichu.server.table.clocks import Clocks
from tichu.server.table.handover import SeatClock
from tichu.server.table.ports import BotAsk
from tichu.server.table.refusals import Refusal, TableReason
from tichu.server.table.seating import bot_of, stand_in_of
from tichu.server.table.state import LoggedState
from tichu.server.table.steps import StepBuilder
from tichu.server.table.timing import LATE_STEP, Timing
from tichu.server.table.translate import By, decision_of

__all__ = ["Decided", "Decisions"]

#: In these phases the others' decisions do not change one's own.
_SIMULTANEOUS: Final = (CorePhase.GRAND, CorePhase.EXCHANGE)


@dataclass(slots=True)
class _Pending:
    """A decision that a seat owes."""

    #: What it depends on; when that changes, it is another decision.
    context: tuple[object, ...]
    #: When it came up, and with which version.
    since: float
    version: int
    #: The question to a bot, 0 before it is asked; when the answer may be played; the answer.
    ask: int = 0
    ready_at: float = 0.0
    choice: Choice | None = None
    by: By = None
    #: The person has been waited for: the bot's answer is played as soon as it is there.
    is_overdue: bool = False
    auto_pass_at: float | None = None
    #: When the time for the decision ends, and when the reserve does.
    ends: float | None = None
    reserve_ends: float | None = None


class Decided(NamedTuple):
    """A decision that the table takes for a seat: a bot's, or an automatic pass."""

    action: Action
    by: By


class Decisions:
    """What the seats of one table owe, and who decides in their place."""

    def __init__(self, logged: LoggedState, timing: Timing) -> None:
        self._logged = logged
        self._timing = timing
        self._pending: dict[int, _Pending] = {}
        self._clocks = Clocks()
        self._auto_pass: dict[int, str] = {}
        self._asks = 0

    # What others may know.

    def clocks(self) -> Iterator[tuple[int, float, float]]:
        """By seat: when the time for the decision ends, and when the reserve does."""
        for seat, pending in sorted(self._pending.items()):
            if pending.ends is not None and pending.reserve_ends is not None:
                yield seat, pending.ends, pending.reserve_ends

    def auto_pass_of(self, seat: int) -> str:
        """Until when the seat passes by itself."""
        return self._auto_pass.get(seat, "off")

    def due(self) -> Iterator[float]:
        """When something happens by itself."""
        for pending in self._pending.values():
            if pending.choice is not None:
                yield pending.ready_at
            if pending.auto_pass_at is not None:
                yield pending.auto_pass_at
            # A bot that was asked is waited for.
            if pending.reserve_ends is not None and pending.ask == 0:
                yield pending.reserve_ends

    # What happens.

    def attend(self, seat: int, step: StepBuilder) -> Decided | None:
        """Look after a seat that must decide: wind its clock, ask its bot, and say what is decided for it."""
        pending = self._open(seat, step)
        who = self._logged.seats[seat]
        if pending.reserve_ends is not None and step.now >= pending.reserve_ends and pending.ask == 0:
            pending.by, pending.is_overdue = "clock", True
        bot = bot_of(self._logged, who) or (stand_in_of(self._logged) if pending.by else None)
        if bot is not None and pending.ask == 0:
            view = self._logged.plain_view(seat)
            thinking = self._timing.thinking(pending.version, seat, decision_of(view) or "play")
            pending.ready_at = pending.since + thinking
            pending.ask = self.ask(seat, bot, view, step)
        if pending.auto_pass_at is not None and step.now >= pending.auto_pass_at:
            return Decided(PASS, None)
        if pending.choice is None or step.now < pending.ready_at:
            return None
        # A call leaves the decision open: it is asked for anew.
        del self._pending[seat]
        return Decided(pending.choice.action, pending.by)

    def ask(self, seat: int, bot: str, view: View, step: StepBuilder) -> int:
        """Put a question to a bot; the key that its answer will have."""
        self._asks += 1
        step.asks.append(BotAsk(self._asks, seat, bot, view, self._timing.seed(seat)))
        return self._asks

    def answer(self, ask: BotAsk, choice: Choice, now: float) -> None:
        """A bot has decided; if the table has gone on, that is of no interest."""
        pending = self._pending.get(ask.seat)
        if pending is None or pending.ask != ask.key:
            return
        pending.choice = choice
        late = now - pending.ready_at
        if late > 0 and not pending.is_overdue:
            pending.ready_at += math.ceil(late / LATE_STEP) * LATE_STEP * min(1.0, self._timing.factor)

    def hand_to_bot(self, seat: int) -> None:
        """Let a bot decide for somebody who is away.

        :raises Refusal: the seat owes nothing
        """
        pending = self._pending.get(seat)
        if pending is None:
            raise Refusal(TableReason.NOTHING_TO_DECIDE)
        if pending.ask == 0:
            pending.by, pending.is_overdue = "bot", True

    def set_auto_pass(self, seat: int, until: str, now: float) -> None:
        """The decision stays the same, and so does its clock."""
        self._auto_pass[seat] = until
        pending = self._pending.get(seat)
        if pending is not None:
            pending.auto_pass_at = self._auto_pass_at(seat, now)

    def keep_auto_pass(self, seats: Collection[int | None]) -> None:
        """Whoever sits down or gets up decides alone."""
        self._auto_pass = {seat: until for seat, until in self._auto_pass.items() if seat in seats}

    def keep_only(self, seats: Collection[int]) -> None:
        """Only these seats owe something."""
        if self._pending.keys() - seats:
            self._pending = {seat: pending for seat, pending in self._pending.items() if seat in seats}

    def reserve_left(self, seat: int, now: float) -> float | None:
        """What is left of a seat's reserve, None if this decision has not touched it."""
        return self._clocks.reserve_left(seat, self._decision(), now)

    def close(self, seat: int, action: Action) -> None:
        """A seat has done something."""
        if not isinstance(action, CallTichu):
            self._pending.pop(seat, None)
            self._clocks.remove(seat)
        if self._auto_pass.get(seat) == "turn" and action == PASS:
            self._auto_pass.pop(seat)
        game = self._logged.game
        if game is None:
            self._auto_pass.clear()
        elif game.round.top is None and not isinstance(action, CallTichu):
            self._auto_pass = {who: until for who, until in self._auto_pass.items() if until != "trick"}

    def hand_over(self, now: float) -> tuple[tuple[SeatClock, ...], dict[int, str]]:
        """The clocks of the decisions that are open, and who passes by itself, for another server."""
        if self._logged.game is None:
            return (), dict(self._auto_pass)
        left = self._clocks.left(self._decision(), now)
        return tuple(SeatClock(seat, *both) for seat, both in sorted(left.items())), dict(self._auto_pass)

    def take_over(self, clocks: Iterable[SeatClock], auto_pass: Mapping[int, str], now: float) -> None:
        """Go on with what another server has counted."""
        self._auto_pass = dict(auto_pass)
        self._pending.clear()
        if self._logged.game is None:
            return
        for clock in clocks:
            self._clocks.set_left(clock.seat, self._decision(), (clock.left, clock.reserve_left), now)
        if self._logged.stage == "paused":
            self._clocks.stop(now)

    def stand_still(self, seconds: float) -> None:
        """So many seconds were nobody's."""
        self._clocks.stand_still(seconds)
        for pending in self._pending.values():
            pending.since += seconds
            pending.ready_at += seconds
            for name in ("auto_pass_at", "ends", "reserve_ends"):
                at: float | None = getattr(pending, name)
                setattr(pending, name, None if at is None else at + seconds)

    def pause(self, now: float) -> None:
        """Clocks and bots stand still."""
        self._pending.clear()
        self._clocks.stop(now)

    def resume(self, now: float) -> None:
        """The game goes on: what was left is left."""
        self._clocks.go_on(now)

    def restart(self) -> None:
        """A new game begins."""
        self._pending.clear()
        self._clocks = Clocks()
        self._auto_pass.clear()

    # One decision.

    def _open(self, seat: int, step: StepBuilder) -> _Pending:
        game, who = self._logged.game, self._logged.seats[seat]
        assert game is not None
        sitter = None if who is None else (who.player, who.bot, who.stand_in)
        calls = game.round.calls
        context = (self._decision(), calls[seat] if game.round.phase in _SIMULTANEOUS else calls, sitter)
        pending = self._pending.get(seat)
        if pending is not None and pending.context == context:
            return pending
        pending = self._pending[seat] = _Pending(context, step.now, self._logged.version)
        if who is not None and who.stand_in:
            pending.by = "bot"
        elif who is not None and who.bot is None:
            clock = self._logged.settings.clock
            if clock is not None:
                ends = step.now + clock.decision
                ticking = self._clocks.start(seat, self._decision(), ends, self._logged.reserves[seat])
                pending.ends, pending.reserve_ends = ticking.ends, ticking.reserve_ends
                step.needs_snapshots = step.needs_snapshots or not step.events
            pending.auto_pass_at = self._auto_pass_at(seat, step.now)
        return pending

    def _decision(self) -> tuple[object, ...]:
        """Which decision of the game is open; a call is none, so it changes nobody's."""
        game = self._logged.game
        assert game is not None
        phase, calls = game.round.phase, game.round.calls.count(Call.TICHU)
        return self._logged.round_number, phase, 0 if phase in _SIMULTANEOUS else len(game.actions) - calls

    def _auto_pass_at(self, seat: int, now: float) -> float | None:
        """When the table passes for a seat that must decide, if it is to and a wish allows it."""
        if self.auto_pass_of(seat) == "off":
            return None
        view = self._logged.plain_view(seat)
        if view.phase is not CorePhase.PLAY or Legal(view).refusal(PASS) is not None:
            return None
        return now + self._timing.auto_pass(self._logged.version, seat)
