"""What a table does by itself: windows, clocks, bots, deals.

A window holds the next play back for a moment so that a bomb can come first; its length depends on public facts alone
(:mod:`.pace`).  Whatever is true only now is here, and lost with the process; the log knows the rest (:mod:`.logged`).
"""

import math
import secrets
from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Final

import msgspec

from tichu.agents.greedy import GreedyAgent
from tichu.core.actions import DECLINE_BOMB, PASS, TAKE, Action, CallTichu, DeclineBomb, Take, Wish, format_action
from tichu.core.cards import DRAGON
from tichu.core.combos import Combo
from tichu.core.deals import format_deal
from tichu.core.errors import IllegalAction, Reason
from tichu.core.fairness import SEED_BYTES, fair_deal
from tichu.core.legal import Legal
from tichu.core.phases import Call
from tichu.core.phases import Phase as CorePhase
from tichu.core.plays import bombs
from tichu.server import log, wire
from tichu.server.rate_limit import RateLimiter
from tichu.server.table.archive import finished_game
from tichu.server.table.audience import Audience
from tichu.server.table.clocks import Clocks
from tichu.server.table.duties import BombWindow, PendingDecision, QueuedCommand
from tichu.server.table.ports import BotAsk, Player, Step
from tichu.server.table.refusals import Refusal, TableReason
from tichu.server.table.replies import remember
from tichu.server.table.seating import DEFAULT_BOT
from tichu.server.table.state import By, LoggedState
from tichu.server.table.timing import Timing
from tichu.server.table.views import LiveState, decision_of, milliseconds
from tichu.server.table.work import StepBuilder

__all__ = ["Entropy", "Running", "key_of"]

Entropy = Callable[[int], bytes]

#: In these phases the others' decisions do not change one's own.
_SIMULTANEOUS: Final = (CorePhase.GRAND, CorePhase.EXCHANGE)

#: What no game needs to go on, and the log keeps or all hear of: so many at once, then so many a second.
_FIDGET_BURST: Final = 30
_FIDGET_RATE: Final = 1.0
_NONCE_WAIT: Final = 2.0
_READY_WAIT: Final = 45.0
_BOTS_READY_WAIT: Final = 3.0
#: Answers remembered of each player, and of all.
_ANSWERS_OF_EACH: Final = 16
_ANSWERS_KEPT: Final = 80


class Running(ABC):
    """A table that goes on when nobody does anything."""

    def __init__(self, logged: LoggedState, now: float, entropy: Entropy = secrets.token_bytes) -> None:
        self.logged = logged
        self.audience = Audience()
        self._entropy = entropy
        self._timing = Timing(logged.opened.secret, logged.settings.pace)
        self._hold: BombWindow | None = None
        self._duties: dict[int, PendingDecision] = {}
        self._clocks = Clocks()
        self._command_limiter = RateLimiter(_FIDGET_RATE, _FIDGET_BURST)
        self._asks = 0
        self._bomb_asks: dict[int, int] = {}
        self._auto_pass: dict[int, str] = {}
        self._answers: OrderedDict[str, wire.Ack | wire.Refused] = OrderedDict()
        #: Since when the table waits for the next round, and since when nobody is there.
        self._between_since = now
        self._nobody_since: float | None = now

    def _lives(self, now: float) -> dict[int, LiveState]:
        window = None if self._hold is None else (self._hold.begins, self._hold.ends)
        clocks = tuple(
            wire.SeatTime(seat=seat, ends=milliseconds(duty.ends), reserve_ends=milliseconds(duty.reserve_ends))
            for seat, duty in sorted(self._duties.items())
            if duty.ends is not None and duty.reserve_ends is not None
        )
        return {seat: LiveState(now, window, clocks, self._auto_pass.get(seat, "off")) for seat in range(4)}

    def _step(self, work: StepBuilder) -> Step:
        while self._advance(work):
            pass
        self._ask_about_bombs(work)
        lives = self._lives(work.now)
        if work.told:
            work.messages += self.audience.tell(work.told, self.logged, lives, work.now)
        if work.tell_states:
            work.messages += self.audience.states(self.logged, lives)
        return work.step()

    def _advance(self, work: StepBuilder) -> bool:
        """One thing that is due; False if there is nothing left to do now."""
        if self.logged.stage != "playing":
            return False
        if self._hold is not None:
            if work.now < self._hold.ends:
                return False
            self._close_hold(work)
            return True
        if self.logged.game is None:
            return self._go_on(work)
        phase, pending = self.logged.public()
        if phase is CorePhase.TAKE and not self.logged.must_give():
            self._do(pending[0], [self._take(pending[0])], work)
            return True
        self._duties = {seat: duty for seat, duty in self._duties.items() if seat in pending}
        return any(self._attend(seat, work) for seat in pending)

    # Decisions.

    def _attend(self, seat: int, work: StepBuilder) -> bool:
        """Look after a seat that must decide; True if it has decided."""
        duty = self._duty(seat, work)
        who = self.logged.seats[seat]
        if duty.reserve_ends is not None and work.now >= duty.reserve_ends and duty.ask == 0:
            duty.by = "clock"
        bot = who.bot if who is not None and who.bot is not None else (DEFAULT_BOT if duty.by else None)
        if bot is not None and duty.ask == 0:
            self._asks += 1
            duty.ask = self._asks
            view = self.logged.plain_view(seat)
            work.asks.append(BotAsk(duty.ask, seat, bot, view, self._timing.seed(seat)))
        if duty.auto_pass_at is not None and work.now >= duty.auto_pass_at:
            self._do(seat, [PASS], work)
            return True
        if duty.choice is None or work.now < duty.ready_at:
            return False
        self._decide(seat, duty, work)
        return True

    def _duty(self, seat: int, work: StepBuilder) -> PendingDecision:
        game, who = self.logged.game, self.logged.seats[seat]
        assert game is not None
        sitter = None if who is None else (who.player, who.bot)
        calls = game.round.calls
        context = (self._decision(), calls[seat] if game.round.phase in _SIMULTANEOUS else calls, sitter)
        duty = self._duties.get(seat)
        if duty is not None and duty.context == context:
            return duty
        duty = self._duties[seat] = PendingDecision(context, work.now)
        view = self.logged.plain_view(seat)
        decision = decision_of(view, must_give=self.logged.must_give()) or "play"
        duty.ready_at = work.now + self._timing.thinking(self.logged.version, seat, decision)
        if who is not None and who.bot is None:
            clock = self.logged.settings.clock
            if clock is not None:
                ends = work.now + clock.decision
                ticking = self._clocks.begun(seat, self._decision(), ends, self.logged.reserves[seat])
                duty.ends, duty.reserve_ends = ticking.ends, ticking.reserve_ends
                work.tell_states = work.tell_states or not work.told
            duty.auto_pass_at = self._auto_pass_at(seat, work.now)
        return duty

    def _decision(self) -> tuple[object, ...]:
        """Which decision of the game is open; a call is none, so it changes nobody's."""
        game = self.logged.game
        assert game is not None
        phase, calls = game.round.phase, game.round.calls.count(Call.TICHU)
        return self.logged.round_number, phase, 0 if phase in _SIMULTANEOUS else len(game.actions) - calls

    def _auto_pass_at(self, seat: int, now: float) -> float | None:
        """When the table passes for a seat that must decide, if it is to and a wish allows it."""
        view = self.logged.plain_view(seat)
        wants = self._auto_pass.get(seat, "off") != "off" and view.phase is CorePhase.PLAY
        if not wants or Legal(view).refusal(PASS) is not None:
            return None
        return now + self._timing.auto_pass(self.logged.version, seat)

    def _decide(self, seat: int, duty: PendingDecision, work: StepBuilder) -> None:
        assert duty.choice is not None
        try:
            self._do(seat, [duty.choice.action], work, by=duty.by)
        except IllegalAction:
            view = self.logged.plain_view(seat)
            self._do(seat, [GreedyAgent().act(view, Legal(view))], work, by=duty.by)
        self._duties.pop(seat, None)  # A call leaves the decision open: it is asked for anew.

    def _take(self, seat: int) -> Take:
        """§5.3, §10.2: the trick goes to its owner, the Dragon's where the rules send it."""
        view = self.logged.plain_view(seat)
        return Take(*view.recipients()) if view.top is not None and view.top.cards == 1 << DRAGON else TAKE

    # Actions.

    def _do(
        self, seat: int, actions: Sequence[Action], work: StepBuilder, key: str | None = None, by: By = None
    ) -> None:
        """Carry actions out; only the first can be refused, and then nothing has happened."""
        reserve = self._clocks.reserve_left(seat, self._decision(), work.now)
        for number, action in enumerate(actions):
            game = self.logged.game
            if number and (game is None or (isinstance(action, Wish) and game.round.phase is not CorePhase.WISH)):
                return
            text = format_action(seat, action)
            work.apply(
                log.ActionEntry(at=work.now, command=key if number == 0 else None, action=text, by=by, reserve=reserve)
            )
            self._after(seat, action, work)

    def _after(self, seat: int, action: Action, work: StepBuilder) -> None:
        if not isinstance(action, CallTichu):
            self._duties.pop(seat, None)
            self._clocks.decided(seat)
        if self._auto_pass.get(seat) == "turn" and action == PASS:
            self._auto_pass.pop(seat)
        game = self.logged.game
        if game is None:
            self._auto_pass.clear()
            self._between_since = work.now
            return
        if game.round.top is None and not isinstance(action, CallTichu):
            self._auto_pass = {who: until for who, until in self._auto_pass.items() if until != "trick"}
        if isinstance(action, Combo | Wish) or (
            action == PASS and (self.logged.rules.bombs == "ordered" or self.logged.public()[0] is CorePhase.TAKE)
        ):
            self._reopen(work.now)

    @abstractmethod
    def _act(self, player: Player, command: wire.Command, work: StepBuilder) -> bool:
        """Carry out a command of the game; False if it waits for the end of a window."""

    # Windows.

    def _reopen(self, now: float) -> None:
        """Open the window that the state of the table asks for, if any."""
        game = self.logged.game
        if game is None or self.logged.stage != "playing":
            return
        state = game.round
        phase, _ = self.logged.public()
        if state.top is None or phase not in (CorePhase.PLAY, CorePhase.TAKE) or len(state.out) > 2:
            return
        counts = tuple(hand.bit_count() for hand in state.hands)
        length = self._timing.hold(self.logged.rules, counts, trick_over=phase is CorePhase.TAKE)
        if length:
            self._hold = BombWindow(now, now + length)

    def _ask_about_bombs(self, work: StepBuilder) -> None:
        """Ask the bots that can bomb, once a window."""
        hold, game = self._hold, self.logged.game
        if hold is None or game is None or hold.is_asked:
            return
        hold.is_asked = True
        top = game.round.top
        assert top is not None
        for seat, who in enumerate(self.logged.seats):
            if who is None or who.bot is None or not bombs(game.round.hands[seat], top, self.logged.rules):
                continue
            view = self.logged.plain_view(seat)
            asked = view._replace(
                rules=self.logged.rules.sequential(), phase=CorePhase.BOMB, pending=(seat,), actor=game.round.owner
            )
            self._asks += 1
            self._bomb_asks[self._asks] = seat
            work.asks.append(BotAsk(self._asks, seat, who.bot, asked, self._timing.seed(seat)))

    def _close_hold(self, work: StepBuilder) -> None:
        hold, self._hold = self._hold, None
        assert hold is not None
        self._bomb_asks.clear()
        thrown = self._throw(hold, work)
        for seat, bomb in hold.bombs.items():
            if seat != thrown and isinstance(bomb, QueuedCommand):
                self._again(bomb, work, late=thrown is not None)
        for queued in hold.queue:
            self._again(queued, work, late=thrown is not None)
        work.tell_states = (
            work.tell_states or self.logged.rules.bombs == "ordered" or self.logged.settings.clock is not None
        )

    def _throw(self, hold: BombWindow, work: StepBuilder) -> int | None:
        """Apply the bomb of a window, if there is one, and say whose it is."""
        if self.logged.rules.bombs == "ordered":
            return self._throw_in_order(hold, work)
        best: tuple[int, Combo] | None = None
        for seat, bomb in hold.bombs.items():
            combo = bomb.actions[0] if isinstance(bomb, QueuedCommand) else bomb
            if isinstance(combo, Combo) and (best is None or combo.beats(best[1], self.logged.rules.equal_flush)):
                best = seat, combo
        if best is None:
            return None
        return best[0] if self._do_bomb(best[0], hold, work) else None

    def _throw_in_order(self, hold: BombWindow, work: StepBuilder) -> int | None:
        """§7.2: the first in order that bombs; for the others the table declines."""
        declines = {queued.seat: queued for queued in hold.queue if isinstance(queued.actions[0], DeclineBomb)}
        hold.queue = [queued for queued in hold.queue if queued.seat not in declines]
        thrown: int | None = None
        while self.logged.game is not None and self.logged.game.round.phase is CorePhase.BOMB:
            seat = self.logged.game.round.pending[0]
            if seat in hold.bombs and self._do_bomb(seat, hold, work):
                thrown = seat
                break
            self._do(seat, [DECLINE_BOMB], work)
        for queued in declines.values():
            self._answer(work, queued.player, queued.command)
        return thrown

    def _do_bomb(self, seat: int, hold: BombWindow, work: StepBuilder) -> bool:
        bomb = hold.bombs[seat]
        try:
            if isinstance(bomb, QueuedCommand):
                if self.logged.seat_of(bomb.player.id) != seat:
                    raise Refusal(TableReason.NOT_SEATED)  # Stood up in the meantime.
                self._do(seat, bomb.actions, work, key_of(bomb.player, bomb.command))
                self._answer(work, bomb.player, bomb.command)
            else:
                self._do(seat, [bomb], work)
        except (IllegalAction, Refusal) as refusal:
            del hold.bombs[seat]
            if isinstance(bomb, QueuedCommand):
                self._refuse(work, bomb.player, bomb.command, refusal)
            return False
        return True

    def _again(self, queued: QueuedCommand, work: StepBuilder, *, late: bool) -> None:
        """A command that waited: a play is refused if a bomb came first, anything else is tried as things stand now."""
        try:
            if late and isinstance(queued.command, wire.PlayCards) and not isinstance(queued.command, wire.PlayBomb):
                raise Refusal(TableReason.STALE)
            if self._act(queued.player, queued.command, work):
                self._answer(work, queued.player, queued.command)
        except Refusal as refusal:
            beaten = isinstance(queued.command, wire.PlayBomb) and refusal.reason is Reason.DOES_NOT_BEAT
            told = Refusal(TableReason.OVERBOMBED) if beaten and late else refusal
            self._refuse(work, queued.player, queued.command, told)
        except IllegalAction as illegal:
            self._refuse(work, queued.player, queued.command, illegal)

    # Between rounds.

    def _go_on(self, work: StepBuilder) -> bool:
        """Score, commit, deal: what lies between two rounds."""
        if self.logged.match.winner is not None:
            work.game = finished_game(self.logged, work.now)
            work.apply(
                log.SeatEntry(at=work.now, what="over", seats=self.logged.seats, host=self.logged.host, ready=())
            )
            return True
        start = self._given_start(work.now)
        if start is not None:
            work.apply(start)
            self._reopen(work.now)
            return True
        if self.logged.seed is None:
            if work.entries:
                return False  # A checkpoint stands at the beginning of a step; due() asks for one at once.
            work.checkpoint = True
            work.apply(self.logged.checkpoint(work.now))
            seed = self._entropy(SEED_BYTES).hex()
            work.apply(log.CommitEntry(at=work.now, round=self.logged.round_number, seed=seed))
            return True
        if work.now < self._next_deal():
            return False
        nonces = [self.logged.nonces.get(seat, "") for seat in range(4)]
        deal = format_deal(fair_deal(bytes.fromhex(self.logged.seed), nonces))
        work.apply(log.DealEntry(at=work.now, round=self.logged.round_number, deal=deal))
        return True

    def _next_deal(self) -> float:
        """When the next round can begin, as things stand."""
        if self.logged.match.winner is not None or self.logged.seed is None:
            return 0.0
        here = [player for player in self.logged.persons() if player in self.audience.connected]
        # Whoever has a table start at once comes a moment later, and is to have a share in the first deal too.
        asked = here if self.logged.results else self.logged.persons()
        owed = any(self.logged.seat_of(player) not in self.logged.nonces for player in asked)
        soonest = self._between_since + _NONCE_WAIT if owed else self._between_since
        if not self.logged.results:
            return soonest
        if not self.logged.persons():
            return max(soonest, self._between_since + _BOTS_READY_WAIT * self._timing.factor)
        if here and all(player in self.logged.ready for player in here):
            return soonest
        return self._between_since + _READY_WAIT if here else math.inf

    def _given_start(self, now: float) -> log.DealEntry | None:
        """The first round of a table that was made with a deal or a position."""
        settings = self.logged.settings
        if self.logged.results or not (settings.deal or settings.position) or self.logged.game is not None:
            return None
        return log.DealEntry(at=now, round=0, deal=settings.deal, actions=settings.actions, position=settings.position)

    # Answers.

    def _answer(self, work: StepBuilder, player: Player, command: wire.Command) -> None:
        self._remember(work, player, wire.Ack(id=command.id, version=self.logged.version))

    def _refuse(
        self, work: StepBuilder, player: Player, command: wire.Command, refusal: Refusal | IllegalAction
    ) -> None:
        message = refusal.message if isinstance(refusal, Refusal) else refusal.reason.value
        refused = wire.Refused(id=command.id, reason=refusal.reason.name, message=message, version=self.logged.version)
        if refusal.reason is TableReason.STALE:
            seat = self.logged.seat_of(player.id)
            if seat is not None and self.logged.game is not None:
                view = self.audience.snapshot(player.id, self.logged, self._lives(work.now)).view
                refused = msgspec.structs.replace(refused, view=view)
        self._remember(work, player, refused)

    def _remember(self, work: StepBuilder, player: Player, answer: wire.Ack | wire.Refused) -> None:
        key = f"{player.id} {answer.id}"
        remember(self._answers, key, answer, each=_ANSWERS_OF_EACH, most=_ANSWERS_KEPT)
        work.messages.append((player.id, answer))

    def _is_queued(self, key: str) -> bool:
        hold = self._hold
        if hold is None:
            return False
        waiting = [bomb for bomb in hold.bombs.values() if isinstance(bomb, QueuedCommand)]
        return any(key_of(queued.player, queued.command) == key for queued in (*waiting, *hold.queue))


def key_of(player: Player, command: wire.Command) -> str:
    """A command with its player; ids are unique for a player alone."""
    return f"{player.id} {command.id}"
