"""The game at a table: plays that are carried out, bomb windows, and whatever goes on when nobody does anything.

A play comes from a person (:meth:`GamePlay.act`), from a bot or a clock (:mod:`.decisions`), or out of the bomb window
(:mod:`.window`); between two rounds the cycle of rounds has its turn (:mod:`.rounds`).  Those three never call back:
they say what is due, and it is carried out here.
"""

from collections.abc import Container, Iterator, Sequence

from msgspec.structs import replace

from tichu.agents.base import Choice
from tichu.agents.greedy import GreedyAgent
from tichu.core.actions import DECLINE_BOMB, PASS, TAKE, Action, CallTichu, Take, Wish, format_action
from tichu.core.cards import DRAGON
from tichu.core.combos import Combo
from tichu.core.errors import IllegalAction, Reason
from tichu.core.legal import Legal
from tichu.core.phases import Phase as CorePhase
from tichu.core.plays import bombs
from tichu.server import log, wire
from tichu.server.table.decisions import Decisions
from tichu.server.table.decoys import decoy_view
from tichu.server.table.handover import Handover
from tichu.server.table.ports import BotAsk, Player
from tichu.server.table.refusals import Refusal, TableReason
from tichu.server.table.replies import Replies
from tichu.server.table.rounds import Entropy, RoundCycle
from tichu.server.table.seating import bot_of
from tichu.server.table.state import LoggedState
from tichu.server.table.steps import StepBuilder
from tichu.server.table.timing import Timing
from tichu.server.table.translate import By, actions_of, draft_of
from tichu.server.table.views import LiveState, TableViews, milliseconds
from tichu.server.table.window import BombWindow, QueuedCommand, key_of

__all__ = ["GamePlay"]


class GamePlay:
    """What is true of a game only now, and the one way in which an action gets into the log."""

    def __init__(self, logged: LoggedState, replies: Replies, now: float, entropy: Entropy) -> None:
        self.timing = Timing(logged.opened.secret, logged.settings.pace)
        self.window: BombWindow | None = None
        self.decisions = Decisions(logged, self.timing)
        self.rounds = RoundCycle(logged, self.timing, entropy, now)
        #: Whose missed decisions do not count.
        self.excused: Container[str] = ()
        self._logged = logged
        self._replies = replies
        self.set_pace()

    def views(self, now: float) -> TableViews:
        """What everybody sees now."""
        window = None if self.window is None else (self.window.begins, self.window.ends)
        clocks = tuple(
            wire.SeatTime(seat=seat, ends=milliseconds(ends), reserve_ends=milliseconds(reserve_ends))
            for seat, ends, reserve_ends in self.decisions.clocks()
        )
        live = {seat: LiveState(now, window, clocks, self.decisions.auto_pass_of(seat)) for seat in range(4)}
        return TableViews(self._logged, now, live)

    def due(self, present: Container[str]) -> Iterator[float]:
        """When something happens by itself; decisions wait for the end of a window."""
        if self.window is not None:
            yield self.window.ends
        elif self._logged.game is None:
            yield self.rounds.due(present)
        else:
            yield from self.decisions.due()

    def restart(self, now: float) -> None:
        """A new game begins."""
        self.decisions.restart()
        self.rounds.restart(now)
        self.window = None
        self.set_pace()

    def set_pace(self) -> None:
        """Everything takes as long as the log says."""
        self.timing.set_window_pace(self._logged.settings.pace)
        self.timing.set_pace(self._logged.pace)

    def hand_over(self, seat: int) -> None:
        """A person decides in a seat where a bot did."""
        if self.window is not None:
            self.window.forget_bot(seat)

    def pause(self, step: StepBuilder, reason: TableReason = TableReason.PAUSED) -> None:
        """Everything stands still; what waits for the end of a window is refused."""
        window, self.window = self.window, None
        self.decisions.pause(step.now)
        for queued in () if window is None else window.waiting():
            self.refuse(step, queued.player, queued.command, Refusal(reason))

    def resume(self, now: float) -> None:
        """Everything goes on."""
        self.rounds.restart(now)
        self.decisions.resume(now)
        self.open_window(now)

    def remainder(self, now: float) -> Handover:
        """What another server needs to go on as if nothing had happened."""
        clocks, auto_pass = self.decisions.hand_over(now)
        waited, fixed = self.rounds.passed(now)
        handover = Handover(clocks=clocks, auto_pass=auto_pass, waited=waited, fixed=fixed)
        if self.window is None:
            return handover
        # It cannot have ended before the commands that wait in it were carried out.
        left = max(0.0, self.window.ends - now)
        return replace(handover, window_passed=now - self.window.begins, window_left=left)

    def take_over(self, handover: Handover, now: float) -> None:
        """Go on where another server stopped."""
        self.decisions.take_over(handover.clocks, handover.auto_pass, now)
        self.rounds.set_passed(handover.waited, handover.fixed, now)
        if handover.window_passed is None or handover.window_left is None:
            self.window = None
        elif self.window is not None:
            self.window.begins, self.window.ends = now - handover.window_passed, now + handover.window_left

    def stand_still(self, seconds: float) -> None:
        """So many seconds were nobody's."""
        self.decisions.stand_still(seconds)
        self.rounds.stand_still(seconds)
        if self.window is not None:
            self.window.begins += seconds
            self.window.ends += seconds

    def answer(self, ask: BotAsk, choice: Choice, now: float) -> None:
        """A bot has decided; if the game has gone on, that is of no interest."""
        if self.window is not None:
            self.window.answer(ask.key, choice.action)
        self.decisions.answer(ask, choice, now)

    def advance(self, step: StepBuilder, present: Container[str]) -> None:
        """Do all that is due, then ask the bots that can bomb."""
        while self._advance(step, present):
            pass
        self._ask_about_bombs(step)

    def act(self, player: Player, command: wire.Command, step: StepBuilder) -> bool:
        """Carry out a command of the game; False if it waits for the end of a window."""
        seat = self._logged.seat_of(player.id)
        if seat is None:
            raise Refusal(TableReason.NOT_SEATED)
        if self._logged.stage == "paused":
            raise Refusal(TableReason.PAUSED)
        if self._logged.game is None or self._logged.stage != "playing":
            raise Refusal(Reason.NOT_IN_PHASE)
        assert isinstance(command, wire.Action)
        view, window = self._logged.plain_view(seat), self.window
        if isinstance(command, wire.SelectExchange):
            draft = draft_of(command, view)
            step.apply(log.DraftEntry(at=step.now, command=key_of(player, command), seat=seat, cards=draft))
            return True
        if (
            isinstance(command, wire.PlayCards)
            and (command.version or self._logged.version) < self._logged.trick_version
        ):
            raise Refusal(TableReason.STALE)
        asked = self._logged.view(seat, window=window is not None)
        actions = actions_of(command, view, asked, self._logged.drafts[seat])
        if window is not None and not isinstance(actions[0], CallTichu):
            window.queue(QueuedCommand(player, command, seat, actions))
            return False
        self._do(seat, actions, step, key_of(player, command))
        return True

    def _advance(self, step: StepBuilder, present: Container[str]) -> bool:
        """One thing that is due; False if there is nothing left to do now."""
        if self._logged.stage != "playing":
            return False
        if self.window is not None:
            if step.now < self.window.ends:
                return False
            self._close_window(self.window, step)
            return True
        if self._logged.game is None:
            has_gone_on = self.rounds.advance(step, present)
            self.open_window(step.now)
            return has_gone_on
        phase, pending = self._logged.public()
        if phase is CorePhase.TAKE and not self._logged.must_give():
            self._do(pending[0], [self._take(pending[0])], step)
            return True
        self.decisions.keep_only(pending)
        return any(self._attend(seat, step) for seat in pending)

    def _attend(self, seat: int, step: StepBuilder) -> bool:
        """Look after a seat that must decide; True if the table has decided for it."""
        decided = self.decisions.attend(seat, step)
        if decided is None:
            return False
        who = self._logged.seats[seat]
        is_excused = who is not None and who.player in self.excused
        by = "bot" if is_excused and decided.by else decided.by
        try:
            self._do(seat, [decided.action], step, by=by)
        except IllegalAction:
            view = self._logged.plain_view(seat)
            self._do(seat, [GreedyAgent().act(view, Legal(view))], step, by=by)
        return True

    def _take(self, seat: int) -> Take:
        """§5.3, §10.2: the trick goes to its owner, the Dragon's where the rules send it."""
        view = self._logged.plain_view(seat)
        return Take(*view.recipients()) if view.top is not None and view.top.cards == 1 << DRAGON else TAKE

    def _do(
        self, seat: int, actions: Sequence[Action], step: StepBuilder, key: str | None = None, by: By = None
    ) -> None:
        """Carry actions out; only the first can be refused, and then nothing has happened."""
        reserve = self.decisions.reserve_left(seat, step.now)
        for number, action in enumerate(actions):
            game = self._logged.game
            if number and (game is None or (isinstance(action, Wish) and game.round.phase is not CorePhase.WISH)):
                return
            text = format_action(seat, action)
            step.apply(
                log.ActionEntry(at=step.now, command=key if number == 0 else None, action=text, by=by, reserve=reserve)
            )
            self.decisions.close(seat, action)
            if self._logged.game is None:
                self.rounds.restart(step.now)
            elif isinstance(action, Combo | Wish) or (action == PASS and self._passing_opens_a_window()):
                self.open_window(step.now)

    def _passing_opens_a_window(self) -> bool:
        return self._logged.rules.bombs == "ordered" or self._logged.public()[0] is CorePhase.TAKE

    # The bomb window.

    def open_window(self, now: float) -> None:
        """Open the window that the state of the table asks for, if any."""
        game = self._logged.game
        if game is None or self._logged.stage != "playing":
            return
        state = game.round
        phase, _ = self._logged.public()
        if state.top is None or phase not in (CorePhase.PLAY, CorePhase.TAKE) or len(state.out) > 2:
            return
        counts = tuple(hand.bit_count() for hand in state.hands)
        length = self.timing.window(self._logged.rules, counts, trick_over=phase is CorePhase.TAKE)
        if length:
            self.window = BombWindow(now, now + length)

    def _ask_about_bombs(self, step: StepBuilder) -> None:
        """Ask the bots about bombs, once a window: all with four cards, so that nobody learns who holds one."""
        window, game = self.window, self._logged.game
        if window is None or game is None or window.is_asked:
            return
        window.is_asked = True
        top = game.round.top
        assert top is not None
        for seat, who in enumerate(self._logged.seats):
            hand = game.round.hands[seat]
            if who is None or not (who.bot or who.stand_in) or hand.bit_count() < 4:
                continue
            bot = bot_of(self._logged, who)
            assert bot is not None
            view = self._logged.plain_view(seat)
            if not bombs(hand, top, self._logged.rules):
                self.decisions.ask(seat, bot, decoy_view(view), step)
                continue
            asked = view._replace(
                rules=self._logged.rules.sequential(), phase=CorePhase.BOMB, pending=(seat,), actor=game.round.owner
            )
            window.asks[self.decisions.ask(seat, bot, asked, step)] = seat

    def _close_window(self, window: BombWindow, step: StepBuilder) -> None:
        self.window = None
        if self._logged.rules.bombs == "ordered":
            is_bombed = self._throw_in_order(window, step)
        else:
            seat = window.strongest_bomb(self._logged.rules)
            is_bombed = seat is not None and self._throw(seat, window, step)
        for queued in tuple(window.waiting()):
            self._retry(queued, step, is_bombed=is_bombed)
        if self._logged.rules.bombs == "ordered" or self._logged.settings.clock is not None:
            step.needs_snapshots = True

    def _throw_in_order(self, window: BombWindow, step: StepBuilder) -> bool:
        """§7.2: the first in order that bombs; for the others the table declines."""
        answers = window.drop_answers()
        is_bombed = False
        while not is_bombed and self._logged.game is not None and self._logged.game.round.phase is CorePhase.BOMB:
            seat = self._logged.game.round.pending[0]
            is_bombed = window.bomb_of(seat) is not None and self._throw(seat, window, step)
            if not is_bombed:
                answer = answers.get(seat)
                self._do(seat, [DECLINE_BOMB], step, None if answer is None else answer.key)
        for answer in answers.values():
            if answer.key not in self._logged.commands:  # A bomb came first.
                step.apply(log.AnswerEntry(at=step.now, command=answer.key))
            self._replies.acknowledge(step, answer.player, answer.command)
        return is_bombed

    def _throw(self, seat: int, window: BombWindow, step: StepBuilder) -> bool:
        """Apply a bomb of the window; False if it cannot be thrown any more."""
        bomb = window.bomb_of(seat)
        assert bomb is not None
        window.drop_bomb(seat)
        try:
            if not isinstance(bomb, QueuedCommand):
                who = self._logged.seats[seat]
                self._do(seat, [bomb], step, by="bot" if who is not None and who.stand_in else None)
                return True
            if self._logged.seat_of(bomb.player.id) != seat:
                raise Refusal(TableReason.NOT_SEATED)  # Stood up in the meantime.
            self._do(seat, bomb.actions, step, bomb.key)
            self._replies.acknowledge(step, bomb.player, bomb.command)
        except (IllegalAction, Refusal) as refusal:
            if isinstance(bomb, QueuedCommand):
                self.refuse(step, bomb.player, bomb.command, refusal)
            return False
        return True

    def _retry(self, queued: QueuedCommand, step: StepBuilder, *, is_bombed: bool) -> None:
        """A command that waited: a play is refused if a bomb came first, anything else is tried as things stand now."""
        is_bomb = isinstance(queued.command, wire.PlayBomb)
        try:
            if is_bombed and isinstance(queued.command, wire.PlayCards) and not is_bomb:
                raise Refusal(TableReason.STALE)
            if self.act(queued.player, queued.command, step):
                self._replies.acknowledge(step, queued.player, queued.command)
        except (Refusal, IllegalAction) as refusal:
            is_beaten = is_bombed and is_bomb and refusal.reason is Reason.DOES_NOT_BEAT
            told = Refusal(TableReason.OVERBOMBED) if is_beaten else refusal
            self.refuse(step, queued.player, queued.command, told)

    def refuse(
        self, step: StepBuilder, player: Player, command: wire.Command, refusal: Refusal | IllegalAction
    ) -> None:
        """Say why a command changes nothing; whoever played to an older trick gets the fresh view."""
        view = self._fresh_view(player, step.now) if refusal.reason is TableReason.STALE else None
        self._replies.refuse(step, player, command, refusal, view)

    def _fresh_view(self, player: Player, now: float) -> wire.SeatView | None:
        seat = self._logged.seat_of(player.id)
        if seat is None or self._logged.game is None:
            return None
        return self.views(now).of(seat)
