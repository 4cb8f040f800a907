"""A table: commands, ticks and answers in; entries to store, messages and questions to bots out.

It does no input or output and has no clock: time is an argument.  What must survive is in the log
(:mod:`.state`), what the table does by itself in :mod:`.running`, what people see in :mod:`.views`.
"""

import math
import secrets
from collections.abc import Iterable
from typing import Final

import msgspec

from tichu.agents.base import Choice
from tichu.core.actions import CallTichu, DeclineBomb
from tichu.core.combos import Combo, readings
from tichu.core.errors import GameError, IllegalAction, Reason
from tichu.core.legal import Legal
from tichu.core.phases import Phase as CorePhase
from tichu.core.rules import Rules
from tichu.server import log, wire
from tichu.server.table.acting import actions_of, draft_of
from tichu.server.table.clocks import Clocks
from tichu.server.table.duties import BombWindow, QueuedCommand
from tichu.server.table.hints import hint_message
from tichu.server.table.ports import BotAsk, Player, Step
from tichu.server.table.refusals import Refusal, TableReason
from tichu.server.table.running import Entropy, Running, key_of
from tichu.server.table.sanitize import clean
from tichu.server.table.seating import DEFAULT_BOT, seating_entry
from tichu.server.table.state import LoggedState
from tichu.server.table.timing import LATE_STEP, WAIT, WAITS
from tichu.server.table.translate import combination, matching_readings, parse_hand
from tichu.server.table.views import decision_of
from tichu.server.table.work import StepBuilder
from tichu.server.wire.settings import Settings

__all__ = ["Table"]

_LIMITED_COMMANDS: Final = (
    *(wire.Say, wire.Emote, wire.SelectExchange, wire.AutoPass, wire.Pause, wire.Resume),
    *(wire.Sit, wire.Stand, wire.Swap, wire.PutBot, wire.Remove),
)
_NOBODY_WAIT: Final = 30.0
_FORGOTTEN_AFTER: Final = 3600.0


class Table(Running):
    """One table with its game."""

    @classmethod
    def create(
        cls,
        table_id: str,
        code: str,
        settings: Settings,
        host: Player,
        now: float,
        entropy: Entropy = secrets.token_bytes,
    ) -> tuple["Table", Step]:
        """A new table.

        :raises GameError: the settings cannot be
        """
        settings = msgspec.structs.replace(
            settings, name=clean(settings.name, 40), rules=str(Rules.parse(settings.rules))
        )
        if (settings.deal or settings.position or settings.actions) and not settings.casual:
            raise GameError("only a casual table can begin with a given deal or position")
        opened = log.OpenEntry(
            at=now,
            id=table_id,
            code=code,
            secret=entropy(16).hex(),
            host=host.id,
            settings=msgspec.json.encode(settings).decode(),
        )
        table = cls(LoggedState(opened), now, entropy)
        start = table._given_start(now)
        if start is not None:
            LoggedState(opened).apply(start)  # Better refused now than when the game starts.
        work = StepBuilder(table.logged, now)
        work.apply(opened)
        return table, table._step(work)

    @classmethod
    def restore(cls, entries: Iterable[log.Entry], now: float, entropy: Entropy = secrets.token_bytes) -> "Table":
        """A table from its log, which begins where it was opened or at a checkpoint.

        :raises GameError: the log cannot be followed
        """
        log_entries = iter(entries)
        first = next(log_entries, None)
        if not isinstance(first, log.OpenEntry | log.Checkpoint):
            raise GameError("the log has no beginning")
        table = cls(LoggedState(first), now, entropy)
        table.audience.remember(table.logged.apply(first), table.logged, now)
        for entry in log_entries:
            table.audience.remember(table.logged.apply(entry), table.logged, now)
        table._reopen(now)
        return table

    # What can be asked.

    @property
    def id(self) -> str:
        """Opaque and hard to guess."""
        return self.logged.opened.id

    @property
    def code(self) -> str:
        """Short, to be told to a friend."""
        return self.logged.opened.code

    @property
    def is_open(self) -> bool:
        """Whether the start page offers it."""
        return not self.logged.settings.private and self.logged.stage != "over"

    @property
    def has_people(self) -> bool:
        """Whether anybody is there."""
        return bool(self.audience.connected)

    def state(self) -> wire.TableState:
        """What everybody may know."""
        return self.audience.state(self.logged)

    def snapshot(self, player_id: str, now: float) -> wire.State:
        """How things stand for a player, instead of all that was missed."""
        return self.audience.snapshot(player_id, self.logged, self._lives(now))

    def due(self) -> float | None:
        """When :meth:`tick` has something to do."""
        times: list[float] = []
        if self._nobody_since is not None:
            wait = _NOBODY_WAIT if self.logged.stage == "playing" else _FORGOTTEN_AFTER
            if self.logged.stage != "paused" or not self.logged.persons():
                times.append(self._nobody_since + wait)
        if self.logged.stage == "playing":
            if self._hold is not None:
                times.append(self._hold.ends)
            elif self.logged.game is None:
                times.append(self._next_deal())
            # What is owed waits for the end of a window, and a bot that was asked for its answer.
            for duty in self._duties.values() if self._hold is None else ():
                if duty.choice is not None:
                    times.append(duty.ready_at)
                reserve_ends = duty.reserve_ends if duty.ask == 0 else None
                times += [at for at in (duty.auto_pass_at, reserve_ends) if at is not None]
        return min((at for at in times if at < math.inf), default=None)

    # What happens.

    def connect(self, player: Player, now: float, since: int | None = None, token: str = "") -> Step:
        """A player is there, perhaps once more."""
        work = StepBuilder(self.logged, now)
        is_new = player.id not in self.audience.connected
        self.audience.connected[player.id] = player
        self._nobody_since = None
        work.messages.append((player.id, self.audience.welcome(player, token, since, self.logged, self._lives(now))))
        if is_new:
            work.messages += self.audience.states(self.logged, self._lives(now), without=player.id)
        # Bots among themselves play for whoever watches.
        is_waited_for = self.logged.seat_of(player.id) is not None or not self.logged.persons()
        if self.logged.stage == "paused" and self.logged.paused_why == "nobody" and is_waited_for:
            self._resume(work, None)
        return self._step(work)

    def disconnect(self, player_id: str, now: float) -> Step:
        """The last socket of a player is gone."""
        work = StepBuilder(self.logged, now)
        if self.audience.connected.pop(player_id, None) is not None:
            if not self.audience.connected:
                self._nobody_since = now
            work.messages += self.audience.states(self.logged, self._lives(now))
        return self._step(work)

    def handle(self, player: Player, command: wire.Command, now: float) -> Step:
        """Carry a command out, or say why not; exactly one answer follows, now or when a window ends."""
        work = StepBuilder(self.logged, now)
        key = key_of(player, command)
        if self._is_queued(key):
            return Step()
        repeated = self._answers.get(key)
        if repeated is None and key in self.logged.commands:
            repeated = wire.Ack(id=command.id, version=self.logged.commands[key])
        if repeated is not None:
            work.messages.append((player.id, repeated))
            return self._step(work)
        try:
            self._limit_rate(player, command, now)
            if self._carry_out(player, command, work):
                self._answer(work, player, command)
        except (Refusal, IllegalAction) as refusal:
            self._refuse(work, player, command, refusal)
        return self._step(work)

    def tick(self, now: float) -> Step:
        """Do what is due."""
        work = StepBuilder(self.logged, now)
        if self._nobody_since is not None:
            away = now - self._nobody_since
            if self.logged.stage == "playing" and away >= _NOBODY_WAIT:
                self._pause(work, "nobody", None)
            # A paused game waits for its people, if it has any.
            elif (self.logged.stage != "paused" or not self.logged.persons()) and away >= _FORGOTTEN_AFTER:
                return Step(closed=True)
        return self._step(work)

    def answered(self, ask: BotAsk, choice: Choice, now: float) -> Step:
        """A bot has decided; a table that has gone on does not care."""
        work = StepBuilder(self.logged, now)
        seat = self._bomb_asks.pop(ask.key, None)
        if seat is not None and self._hold is not None and isinstance(choice.action, Combo):
            self._hold.bombs.setdefault(seat, choice.action)
        duty = self._duties.get(ask.seat)
        if duty is not None and duty.ask == ask.key:
            duty.choice = choice
            late = now - duty.ready_at
            if late > 0 and duty.by is None:
                duty.ready_at += math.ceil(late / LATE_STEP) * LATE_STEP * min(1.0, self._timing.factor)
        return self._step(work)

    def check(self, player_id: str, check: wire.Check) -> wire.Checked:
        """What the cards are, and whether they may be played now."""
        try:
            seat = self._own_seat(player_id)
            if self.logged.game is None:
                raise Refusal(Reason.NOT_IN_PHASE)
            cards = parse_hand(check.cards)
            view = self.logged.view(seat, window=self._hold is not None)
            if cards & ~view.hand:
                raise Refusal(Reason.NOT_IN_HAND)
            legal = Legal(view)
            if view.phase is CorePhase.BOMB:
                plain = Legal(self.logged.plain_view(seat))
                legal = plain if any(plain.refusal(combo) is None for combo in readings(cards)) else legal
            try:
                found = matching_readings(cards, None, legal)
            except Refusal as refusal:
                shapes = tuple(combination(combo) for combo in readings(cards))
                return wire.Checked(id=check.id, readings=shapes, reason=refusal.reason.name, message=refusal.message)
        except Refusal as refusal:
            return wire.Checked(id=check.id, reason=refusal.reason.name, message=refusal.message)
        return wire.Checked(id=check.id, readings=tuple(combination(combo) for combo in found))

    def hint(self, player_id: str, hint: wire.Hint, now: float) -> BotAsk | wire.Refused:
        """The question to a bot what it would do in a person's place; it takes the time of all tables' bots."""
        try:
            seat = self._own_seat(player_id)
            if not self.logged.settings.casual:
                raise Refusal(TableReason.CASUAL_ONLY)
            if self.logged.game is None:
                raise Refusal(TableReason.NOTHING_TO_DECIDE)
            view = self.logged.view(seat, window=self._hold is not None)
            if decision_of(view, must_give=self.logged.must_give()) is None:
                raise Refusal(TableReason.NOTHING_TO_DECIDE)
            if not self._command_limiter.take(player_id, now):
                raise Refusal(TableReason.TOO_FAST)
        except Refusal as refusal:
            return wire.Refused(
                id=hint.id, reason=refusal.reason.name, message=refusal.message, version=self.logged.version
            )
        return BotAsk(-1, seat, DEFAULT_BOT, view, self._timing.seed(seat))

    def hinted(self, hint: wire.Hint, ask: BotAsk, choice: Choice) -> wire.Hinted:
        """The hint from the bot's answer."""
        names = [who.name if who is not None else f"seat {seat}" for seat, who in enumerate(self.logged.seats)]
        return hint_message(hint.id, ask.seat, choice, names)

    # Commands.

    def _limit_rate(self, player: Player, command: wire.Command, now: float) -> None:
        """Within a round the log only grows: what is no play has a limit, far above what people do.

        :raises Refusal: it is reached
        """
        if not isinstance(command, _LIMITED_COMMANDS):
            return
        # Anybody can come to watch any number of times.
        speaks = isinstance(command, wire.Say | wire.Emote)
        who = "spectators" if speaks and self.logged.seat_of(player.id) is None else player.id
        if not self._command_limiter.take(who, now):
            raise Refusal(TableReason.TOO_FAST)

    def _carry_out(self, player: Player, command: wire.Command, work: StepBuilder) -> bool:
        """Do it; False if the answer comes later."""
        key = key_of(player, command)
        match command:
            case wire.Sit() | wire.Stand() | wire.Swap() | wire.PutBot() | wire.Remove() | wire.Start():
                game_id = self._entropy(9).hex()
                work.apply(
                    seating_entry(
                        self.logged, player, command, work.now, game_id, is_host=self._acts_as_host(player.id)
                    )
                )
                self._after_seating(player.id, command, work)
            case wire.Ready():
                self._ready(player, work, key)
            case wire.Pause():
                if not self._acts_as_host(player.id):
                    raise Refusal(TableReason.NOT_HOST)
                if self.logged.stage != "playing":
                    raise Refusal(TableReason.NOT_NOW)
                self._pause(work, "host", key)
            case wire.Resume():
                if player.id != self.logged.host:
                    self._own_seat(player.id)
                if self.logged.stage != "paused":
                    raise Refusal(TableReason.NOT_NOW)
                self._resume(work, key)
            case wire.Assist():
                self._assist(player, command)
            case wire.Wait():
                self._wait(player, work, key)
            case wire.AutoPass():
                seat = self._own_seat(player.id)
                self._auto_pass[seat] = command.until
                # The decision stays the same, and so does its clock.
                duty = self._duties.get(seat)
                if duty is not None:
                    duty.auto_pass_at = self._auto_pass_at(seat, work.now)
                work.tell_states = True
            case wire.Nonce():
                seat = self._own_seat(player.id)
                if self.logged.seed is None or self.logged.game is not None or seat in self.logged.nonces:
                    raise Refusal(TableReason.NOT_NOW)
                work.apply(log.NonceEntry(at=work.now, command=key, seat=seat, nonce=command.nonce))
            case wire.Say() | wire.Emote():
                self._speak(player, command, work, key)
            case _:
                return self._act(player, command, work)
        return True

    def _acts_as_host(self, player_id: str) -> bool:
        """The host, or while the host is away anybody who plays."""
        if self.logged.host in self.audience.connected:
            return player_id == self.logged.host
        return player_id == self.logged.host or self.logged.seat_of(player_id) is not None

    def _own_seat(self, player_id: str) -> int:
        seat = self.logged.seat_of(player_id)
        if seat is None:
            raise Refusal(TableReason.NOT_SEATED)
        return seat

    def _after_seating(self, player_id: str, command: wire.Command, work: StepBuilder) -> None:
        # Nobody's clock begins anew because another seat changes hands; a new sitter's duty is another one.
        if isinstance(command, wire.Start):
            self._duties.clear()
            self._clocks = Clocks()
            self._between_since = work.now
            self._hold = None
            self._auto_pass.clear()
        elif isinstance(command, wire.Sit | wire.Stand | wire.Remove):
            # Who sits down or gets up sees another side of the table, and decides alone.
            others = {self.logged.seat_of(person) for person in self.logged.persons() if person != player_id}
            self._auto_pass = {seat: until for seat, until in self._auto_pass.items() if seat in others}
            work.tell_states = True

    def _ready(self, player: Player, work: StepBuilder, key: str) -> None:
        seat = self._own_seat(player.id)
        if self.logged.stage != "playing" or self.logged.game is not None or not self.logged.results:
            raise Refusal(TableReason.NOT_NOW)
        ready = tuple(sorted(self.logged.ready | {player.id}))
        work.apply(
            log.SeatEntry(
                at=work.now,
                command=key,
                what="ready",
                seat=seat,
                seats=self.logged.seats,
                host=self.logged.host,
                ready=ready,
            )
        )

    def _pause(self, work: StepBuilder, why: str, key: str | None) -> None:
        work.apply(log.PauseEntry(at=work.now, command=key, why=why))  # type: ignore[arg-type]
        hold, self._hold = self._hold, None
        self._duties.clear()
        self._clocks.stop(work.now)
        self._bomb_asks.clear()
        if hold is not None:
            waiting = [bomb for bomb in hold.bombs.values() if isinstance(bomb, QueuedCommand)]
            for queued in (*waiting, *hold.queue):
                self._refuse(work, queued.player, queued.command, Refusal(TableReason.PAUSED))

    def _resume(self, work: StepBuilder, key: str | None) -> None:
        work.apply(log.ResumeEntry(at=work.now, command=key))
        self._between_since = work.now
        self._clocks.go_on(work.now)
        self._reopen(work.now)

    def _assist(self, player: Player, command: wire.Assist) -> None:
        self._own_seat(player.id)
        who = self.logged.seats[command.seat]
        if self.logged.stage != "playing":
            raise Refusal(TableReason.NOT_NOW)
        if who is None or who.player is None or who.player in self.audience.connected:
            raise Refusal(TableReason.PRESENT)
        duty = self._duties.get(command.seat)
        if duty is None:
            raise Refusal(TableReason.NOTHING_TO_DECIDE)
        if duty.ask == 0:
            duty.by = "bot"

    def _wait(self, player: Player, work: StepBuilder, key: str) -> None:
        seat = self._own_seat(player.id)
        if self._hold is None:
            raise Refusal(TableReason.NO_WINDOW)
        if self.logged.waits[seat] >= WAITS:
            raise Refusal(TableReason.NO_WAITS_LEFT)
        self._hold.ends += WAIT
        work.apply(log.WaitEntry(at=work.now, command=key, seat=seat))

    def _speak(self, player: Player, command: wire.Say | wire.Emote, work: StepBuilder, key: str) -> None:
        if self.logged.stage in ("playing", "paused"):
            self._own_seat(player.id)
        seat = self.logged.seat_of(player.id)
        who = None if seat is None else self.logged.seats[seat]
        name = player.name if who is None else who.name
        if isinstance(command, wire.Emote):
            work.apply(log.EmoteEntry(at=work.now, command=key, player=player.id, name=name, emote=command.emote))
            return
        text = clean(command.text, 280)
        if not text:
            raise Refusal(TableReason.EMPTY)
        work.apply(log.ChatEntry(at=work.now, command=key, player=player.id, name=name, text=text))

    # Playing.

    def _act(self, player: Player, command: wire.Command, work: StepBuilder) -> bool:
        seat = self._own_seat(player.id)
        if self.logged.stage == "paused":
            raise Refusal(TableReason.PAUSED)
        if self.logged.game is None or self.logged.stage != "playing":
            raise Refusal(Reason.NOT_IN_PHASE)
        assert isinstance(command, wire.Action)
        if isinstance(command, wire.SelectExchange):
            draft = draft_of(self.logged, seat, command)
            work.apply(log.DraftEntry(at=work.now, command=key_of(player, command), seat=seat, cards=draft))
            return True
        if isinstance(command, wire.PlayCards) and (command.version or self.logged.version) < self.logged.trick_version:
            raise Refusal(TableReason.STALE)
        window = self._hold is not None
        actions = actions_of(self.logged, seat, command, window=window)
        if self._hold is not None and not isinstance(actions[0], CallTichu):
            queued = QueuedCommand(player, command, seat, actions)
            if isinstance(actions[0], Combo) and actions[0].is_bomb:
                if isinstance(self._hold.bombs.get(seat), QueuedCommand):
                    raise Refusal(TableReason.NOT_NOW, "a bomb of yours is already on its way")
                self._hold.bombs[seat] = queued
            else:
                self._queue(queued, self._hold)
            return False
        self._do(seat, actions, work, key_of(player, command))
        return True

    @staticmethod
    def _queue(queued: QueuedCommand, hold: BombWindow) -> None:
        """Let a command wait for the end of the window: one of each kind, and others would be too late anyway."""
        is_answer = isinstance(queued.actions[0], DeclineBomb)
        for other in hold.queue:
            if other.player.id == queued.player.id and isinstance(other.actions[0], DeclineBomb) is is_answer:
                raise Refusal(TableReason.NOT_NOW, "a play of yours is already on its way")
        hold.queue.append(queued)
