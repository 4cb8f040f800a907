"""A table: commands, ticks and answers in; entries to store, messages and questions to bots out.

It does no input or output and has no clock: time is an argument.  What must survive is in the log (:mod:`.state`), what
goes on in the game is in :mod:`.gameplay`, who hears of it in :mod:`.audience`.
"""

import math
import secrets
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from tichu.agents.base import Choice
from tichu.core.errors import GameError, IllegalAction
from tichu.core.game import Game
from tichu.core.rules import Rules
from tichu.server import log, wire
from tichu.server.rate_limit import RateLimiter
from tichu.server.table.audience import Audience
from tichu.server.table.checking import check_cards
from tichu.server.table.gameplay import GamePlay
from tichu.server.table.handover import Handover
from tichu.server.table.hint_facts import hint_facts
from tichu.server.table.names import unique_name
from tichu.server.table.ports import BotAsk, Player, Step
from tichu.server.table.rated import may_stand_still, new_flags, pool_start
from tichu.server.table.rated_play import RatedPlay
from tichu.server.table.refusals import Refusal, TableReason
from tichu.server.table.replacement import Replacement
from tichu.server.table.replies import Replies
from tichu.server.table.rounds import Entropy
from tichu.server.table.seating import HINTING_BOT, SeatingCommand, back_entry, seating_entry, start_entry
from tichu.server.table.settings import with_settings
from tichu.server.table.state import LoggedState
from tichu.server.table.steps import StepBuilder
from tichu.server.table.timing import WAIT, WAITS
from tichu.server.table.translate import decision_of, hint_message, spoken_entry
from tichu.server.table.window import key_of
from tichu.server.wire.settings import Settings

__all__ = ["Table"]

#: What no game needs to go on, and the log keeps or all hear of: a burst, then one a second.
_LIMITED_COMMANDS: Final = (
    *(wire.Say, wire.Emote, wire.SelectExchange, wire.AutoPass, wire.Pause, wire.Resume),
    *(wire.Sit, wire.Stand, wire.Swap, wire.PutBot, wire.Remove, wire.Ready, wire.SetAvatar, wire.SetPace),
    *(wire.StandIn, wire.ChangeSettings),
)
_LIMITED_BURST: Final = 30
_LIMITED_RATE: Final = 1.0
_NOBODY_WAIT: Final = 30.0
_FORGOTTEN_AFTER: Final = 3600.0


class Table:
    """One table with its game."""

    def __init__(self, logged: LoggedState, now: float, entropy: Entropy) -> None:
        self.logged = logged
        self.audience = Audience()
        self._entropy = entropy
        self._replies = Replies(logged, self.audience)
        self._play = GamePlay(logged, self._replies, now, entropy)
        self._limiter = RateLimiter(_LIMITED_RATE, _LIMITED_BURST)
        self._rated = RatedPlay(logged, self.audience, self._play, entropy)
        self._nobody_since: float | None = now

    @classmethod
    def create(
        cls,
        table_id: str,
        code: str,
        settings: Settings,
        host: Player,
        now: float,
        entropy: Entropy = secrets.token_bytes,
        given: Game | None = None,
    ) -> tuple["Table", Step]:
        """A new table; what a given start leads to (:func:`.state.given_game`) may have been found out before.

        :raises GameError: the settings cannot be
        """
        opened = log.OpenEntry(at=now, id=table_id, code=code, secret=entropy(16).hex(), host=host.id, settings="")
        opened = with_settings(opened, settings, given)
        table = cls(LoggedState(opened, given), now, entropy)
        step = StepBuilder(table.logged, now)
        step.apply(opened)
        return table, table._finish(step)

    @classmethod
    def create_match(
        cls,
        names: tuple[str, str],
        settings: Settings,
        players: Sequence[Player | None],
        pairs: tuple[bool, bool],
        now: float,
        entropy: Entropy = secrets.token_bytes,
    ) -> tuple["Table", Step]:
        """A table, by id and code, at which a game begins at once: by seat a player or None for a bot."""
        host = next(player for player in players if player is not None)
        table, made = cls.create(*names, settings, host, now, entropy)
        step = StepBuilder(table.logged, now)
        step.apply(pool_start(table.logged, now, entropy(9).hex(), players, pairs))
        table._play.restart(now)
        step.entries[:0] = made.entries
        return table, step.build()

    @classmethod
    def restore(cls, entries: Iterable[log.Entry], now: float, entropy: Entropy = secrets.token_bytes) -> "Table":
        """A table from its log, which begins where it was opened or at a checkpoint.

        :raises GameError: the log cannot be followed
        """
        *_, table = cls.restoring(entries, now, entropy=entropy)
        return table

    @classmethod
    def restoring(
        cls,
        entries: Iterable[log.Entry],
        now: float,
        given: Game | None = None,
        entropy: Entropy = secrets.token_bytes,
    ) -> Iterator["Table"]:
        """The same entry by entry, for whoever has other things to do meanwhile; the last one is complete.

        :raises GameError: the log cannot be followed
        """
        log_entries = iter(entries)
        first = next(log_entries, None)
        if not isinstance(first, log.OpenEntry | log.Checkpoint):
            raise GameError("the log has no beginning")
        table = cls(LoggedState(first, given), now, entropy)
        table.audience.remember(table.logged.apply(first), table.logged, now)
        for entry in log_entries:
            yield table
            table.audience.remember(table.logged.apply(entry), table.logged, now)
        # Clocks of nodes may differ: nothing has begun later than now.
        table.logged.paused_at = min(table.logged.paused_at, now)
        table._play.set_pace()
        table._play.open_window(now)
        table._rated.attendance.excuse_all()
        yield table

    # What can be asked.

    @property
    def id(self) -> str:
        """Opaque and hard to guess."""
        return self.logged.opened.id

    @property
    def code(self) -> str:
        """Short, to be told to a friend."""
        return self.logged.opened.code

    def state(self) -> wire.TableState:
        """What everybody may know."""
        return self.audience.state(self.logged)

    def snapshot(self, player_id: str, now: float) -> wire.State:
        """How things stand for a player, instead of all that was missed."""
        return self.audience.snapshot(player_id, self.logged, self._play.views(now))

    def due(self) -> float | None:
        """When :meth:`tick` has something to do."""
        times: list[float] = []
        if self._nobody_since is not None:
            wait = _NOBODY_WAIT if self.logged.stage == "playing" else _FORGOTTEN_AFTER
            is_waiting = self.logged.stage == "playing" and not may_stand_still(self.logged)
            if self._ends_alone and not is_waiting:
                times.append(self._nobody_since + wait)
        if self.logged.stage == "playing":
            times += self._play.due(self.audience.connected)
        times += self._rated.due()
        return min((at for at in times if at < math.inf), default=None)

    @property
    def _ends_alone(self) -> bool:
        """Whether it goes on or is over without people; a paused game waits for them, but a rated one not for ever."""
        return self.logged.stage != "paused" or not self.logged.persons() or self.logged.settings.rated

    @property
    def is_at_rest(self) -> bool:
        """Whether nothing happens here until somebody comes."""
        return not self.audience.connected and self.due() is None

    def check(self, player_id: str, check: wire.Check) -> wire.Checked:
        """What the cards are, and whether they may be played now."""
        try:
            return check_cards(self.logged, self._seat_of(player_id), check, window=self._play.window is not None)
        except Refusal as refusal:
            return wire.Checked(id=check.id, reason=refusal.reason.name, message=refusal.message)

    def hint(self, player_id: str, hint: wire.Hint, now: float) -> BotAsk | wire.Refused:
        """The question to a bot what it would do in a person's place; it takes the time of all tables' bots."""
        try:
            seat = self._seat_of(player_id)
            if not self.logged.settings.casual:
                raise Refusal(TableReason.CASUAL_ONLY)
            if self.logged.game is None:
                raise Refusal(TableReason.NOTHING_TO_DECIDE)
            view = self.logged.view(seat, window=self._play.window is not None)
            if decision_of(view) is None:
                raise Refusal(TableReason.NOTHING_TO_DECIDE)
            if not self._limiter.take(player_id, now):
                raise Refusal(TableReason.TOO_FAST)
        except Refusal as refusal:
            return self._replies.refusal(player_id, hint.id, refusal)
        return BotAsk(-1, seat, HINTING_BOT, view, self._play.timing.seed(seat))

    def hint_answer(self, hint: wire.Hint, ask: BotAsk, choice: Choice) -> wire.Hinted:
        """The hint from the bot's answer."""
        names = [who.name if who is not None else f"seat {seat}" for seat, who in enumerate(self.logged.seats)]
        points = 0 if self.logged.game is None else self.logged.game.round.points_on_table
        return hint_message(hint.id, ask.seat, choice, names, hint_facts(ask.view, choice.action, points))

    # What happens.

    def connect(self, player: Player, now: float, since: int | None = None, token: str = "") -> Step:
        """A player is there, perhaps once more."""
        step = StepBuilder(self.logged, now)
        is_new = player.id not in self.audience.connected
        self.audience.connected[player.id] = player
        for flag in new_flags(self.logged, player, self.audience.connected):
            step.apply(log.FlagEntry(at=now, flag=flag))
        self._nobody_since = None
        views = self._play.views(now)
        step.messages.append((player.id, self.audience.welcome(player, token, since, self.logged, views)))
        if is_new:
            step.messages += self.audience.snapshots(self.logged, views, without=player.id)
        # Bots among themselves play for whoever watches.
        is_waited_for = self.logged.seat_of(player.id) is not None or not self.logged.persons()
        is_standing = self.logged.stage == "paused" and self.logged.paused_why == "nobody"
        if is_standing and is_waited_for and not self.logged.settings.rated:
            self._resume(step, None)
        self._take_back_seat(player, step)
        return self._finish(step)

    def disconnect(self, player_id: str, now: float) -> Step:
        """The last socket of a player is gone."""
        step = StepBuilder(self.logged, now)
        if self.audience.connected.pop(player_id, None) is not None:
            if not self.audience.connected:
                self._nobody_since = now
            step.messages += self.audience.snapshots(self.logged, self._play.views(now))
        return self._finish(step)

    def handle(self, player: Player, command: wire.Command, now: float) -> Step:
        """Carry a command out, or say why not; exactly one answer follows, now or when a window ends."""
        step = StepBuilder(self.logged, now)
        key = key_of(player, command)
        if self._play.window is not None and self._play.window.holds(key):
            return Step()
        repeated = self._replies.repeat(player, command)
        if repeated is not None:
            step.messages.append((player.id, repeated))
            return self._finish(step)
        try:
            self._limit_rate(player, command, now)
            self._take_back_seat(player, step)  # A program may play without listening.
            if self._carry_out(player, command, step):
                self._replies.acknowledge(step, player, command)
        except (Refusal, IllegalAction) as refusal:
            self._play.refuse(step, player, command, refusal)
        return self._finish(step)

    def tick(self, now: float) -> Step:
        """Do what is due."""
        step = StepBuilder(self.logged, now)
        if self._nobody_since is not None:
            away = now - self._nobody_since
            if self.logged.stage == "playing":
                if away >= _NOBODY_WAIT and may_stand_still(self.logged):
                    self._pause(step, "nobody", None)
            elif self._ends_alone and away >= _FORGOTTEN_AFTER:
                return Step(closed=True)
        return self._finish(step)

    def hand_over(self, now: float) -> Handover:
        """What is true only now, for the server that goes on with this table."""
        return replace(
            self._play.remainder(now), attendance=self._rated.attendance.remainder(self.audience.connected, now)
        )

    def take_over(self, handover: Handover, now: float) -> None:
        """Go on where another server stopped, with the same log."""
        self._play.take_over(handover, now)
        if handover.attendance is not None:
            self._rated.attendance.take_over(handover.attendance, now)

    def stand_still(self, seconds: float, now: float) -> Step:
        """So many seconds, until now, were nobody's: all has the time that it had before, and everybody hears so."""
        if self._nobody_since is not None:
            self._nobody_since += seconds
        self._play.stand_still(seconds)
        self._rated.stand_still(seconds)
        return Step(messages=tuple(self.audience.snapshots(self.logged, self._play.views(now))))

    def replace_person(self, change: Replacement, now: float) -> Step:
        """Somebody else is in the place of a person, and nothing else is different: no clock, no window, no card."""
        change.change(self.logged)
        self.audience.replace_person(change)
        return Step(messages=tuple(self.audience.snapshots(self.logged, self._play.views(now))))

    def take_answer(self, ask: BotAsk, choice: Choice, now: float) -> Step:
        """A bot has decided; a table that has gone on does not care."""
        step = StepBuilder(self.logged, now)
        self._play.answer(ask, choice, now)
        return self._finish(step)

    # One step.

    def _finish(self, step: StepBuilder) -> Step:
        self._rated.count(step)
        self._play.advance(step, self.audience.connected)
        self._rated.end(step)
        own = step.needs_own_snapshot
        if step.events or step.needs_snapshots or own is not None:
            views = self._play.views(step.now)
            step.messages += self.audience.tell(step.events, self.logged, views)
            if step.needs_snapshots:
                step.messages += self.audience.snapshots(self.logged, views)
            elif own is not None:
                step.messages.append((own, self.audience.snapshot(own, self.logged, views)))
        return step.build()

    # Commands.

    def _limit_rate(self, player: Player, command: wire.Command, now: float) -> None:
        """Within a round the log only grows: whatever is not a play has a limit, far above what people do.

        :raises Refusal: it is reached
        """
        if not isinstance(command, _LIMITED_COMMANDS):
            return
        # Anybody can come to watch any number of times.
        speaks = isinstance(command, wire.Say | wire.Emote)
        who = "spectators" if speaks and self.logged.seat_of(player.id) is None else player.id
        if not self._limiter.take(who, now):
            raise Refusal(TableReason.TOO_FAST)

    def _carry_out(self, player: Player, command: wire.Command, step: StepBuilder) -> bool:
        """Do it; False if the answer comes later."""
        key = key_of(player, command)
        if self._rated.carry_out(player, command, step, key):
            return True
        match command:
            case (
                wire.Sit()
                | wire.Stand()
                | wire.Swap()
                | wire.PutBot()
                | wire.Remove()
                | wire.SetAvatar()
                | wire.StandIn()
            ):
                self._change_seats(player, command, step)
            case wire.ChangeSettings():
                self._change_settings(player, command, step, key)
            case wire.Start():
                self._require_host(player.id)
                self._start(step, key)
            case wire.Ready():
                self._ready(player, step, key)
            case wire.Pause():
                self._pause_for_host(player, step, key)
            case wire.Resume():
                if player.id != self.logged.host:
                    self._seat_of(player.id)
                if self.logged.stage != "paused":
                    raise Refusal(TableReason.NOT_NOW)
                self._resume(step, key)
            case wire.Assist():
                self._assist(player, command)
            case wire.Wait():
                self._wait(player, step, key)
            case wire.SetPace():
                self._set_pace(player, command, step, key)
            case wire.AutoPass():
                self._play.decisions.set_auto_pass(self._seat_of(player.id), command.until, step.now)
                step.needs_own_snapshot = player.id
            case wire.CommitNonce() | wire.Nonce():
                self._add_to_shuffle(player, command, step, key)
            case wire.Say() | wire.Emote():
                self._speak(player, command, step, key)
            case _:
                return self._play.act(player, command, step)
        return True

    def _acts_as_host(self, player_id: str) -> bool:
        """The host, or while the host is away anybody who plays; at a rated table nobody."""
        if self.logged.settings.rated:
            return False
        if self.logged.host in self.audience.connected:
            return player_id == self.logged.host
        return player_id == self.logged.host or self.logged.seat_of(player_id) is not None

    def _require_host(self, player_id: str) -> None:
        if not self._acts_as_host(player_id):
            raise Refusal(TableReason.NOT_HOST)

    def _seat_of(self, player_id: str) -> int:
        seat = self.logged.seat_of(player_id)
        if seat is None:
            raise Refusal(TableReason.NOT_SEATED)
        return seat

    def _change_seats(self, player: Player, command: SeatingCommand, step: StepBuilder) -> None:
        is_host, wishes = self._acts_as_host(player.id), self.audience.swap_wishes
        if isinstance(command, wire.Swap) and (not is_host or command.first == command.second):
            if wishes.take(self.logged, player, command):
                step.needs_snapshots = True
                return
            is_host = is_host or wishes.is_agreed(self.logged, player, command)
        present = self.audience.connected
        step.apply(seating_entry(self.logged, player, command, step.now, is_host=is_host, present=present))
        wishes.keep_standing(self.logged)
        self._after_seating(player.id, command, step)

    def _after_seating(self, player_id: str, command: wire.Command, step: StepBuilder) -> None:
        # Nobody's clock begins anew because another seat changes hands; a new sitter's decision is another one.
        if isinstance(command, wire.Sit):
            self._play.hand_over(command.seat)
        if isinstance(command, wire.Sit | wire.Stand | wire.Remove):
            # Whoever sits down or gets up sees another side of the table, and decides alone.
            others = {self.logged.seat_of(person) for person in self.logged.persons() if person != player_id}
            self._play.decisions.keep_auto_pass(others)
            step.needs_snapshots = True

    def _ready(self, player: Player, step: StepBuilder, key: str) -> None:
        seat, is_over = self._seat_of(player.id), self.logged.stage == "over"
        is_between = self.logged.stage == "playing" and self.logged.game is None and bool(self.logged.results)
        if not (is_between or is_over):
            raise Refusal(TableReason.NOT_NOW)
        is_new = player.id not in self.logged.ready
        if is_new:
            self._note_ready(player, seat, step, key)
        # A rematch waits for those who are still there.
        if is_over and all(p in self.logged.ready for p in self.logged.persons() if p in self.audience.connected):
            self._start(step, None if is_new else key)

    def _start(self, step: StepBuilder, key: str | None) -> None:
        step.apply(start_entry(self.logged, step.now, self._entropy(9).hex(), self.audience.connected, key))
        self._play.restart(step.now)

    def _take_back_seat(self, player: Player, step: StepBuilder) -> None:
        """Whoever is back decides again."""
        if not player.account and not any(who is not None and who.stand_in for who in self.logged.seats):
            return
        entry = back_entry(self.logged, player, step.now)
        if entry is not None and entry.seat is not None:
            step.apply(entry)
            self._play.hand_over(entry.seat)

    def _change_settings(self, player: Player, command: wire.ChangeSettings, step: StepBuilder, key: str) -> None:
        self._require_host(player.id)
        if self.logged.stage not in ("open", "over"):
            raise Refusal(TableReason.NOT_NOW)
        old = self.logged.settings
        if command.settings.rated:
            raise Refusal(TableReason.WRONG_SETTINGS, "a table is rated from its beginning or not at all")
        wanted = replace(command.settings, deal=old.deal, actions=old.actions, position=old.position, score=old.score)
        try:
            if old.actions and Rules.parse(wanted.rules) != self.logged.rules:
                raise GameError("a round that has begun keeps its rules")
            opened = with_settings(self.logged.opened, wanted, self.logged.given)
        except GameError as error:
            raise Refusal(TableReason.WRONG_SETTINGS, str(error)) from None
        step.apply(log.SettingsEntry(at=step.now, command=key, settings=opened.settings))

    def _note_ready(self, player: Player, seat: int, step: StepBuilder, key: str) -> None:
        ready = tuple(sorted(self.logged.ready | {player.id}))
        seats, host = self.logged.seats, self.logged.host
        step.apply(
            log.SeatEntry(at=step.now, command=key, what="ready", seat=seat, seats=seats, host=host, ready=ready)
        )

    def _add_to_shuffle(
        self, player: Player, command: wire.CommitNonce | wire.Nonce, step: StepBuilder, key: str
    ) -> None:
        seat, shuffle = self._seat_of(player.id), self.logged.shuffle
        if shuffle is None or self.logged.game is not None:
            raise Refusal(TableReason.NOT_NOW)
        if isinstance(command, wire.CommitNonce):
            if not shuffle.takes_commitment(seat):
                raise Refusal(TableReason.NOT_NOW)
            step.apply(log.NonceCommitEntry(at=step.now, command=key, seat=seat, commitment=command.commitment))
            return
        if not shuffle.takes_nonce(seat):
            raise Refusal(TableReason.NOT_NOW)
        if not shuffle.is_committed_to(seat, command.nonce):
            raise Refusal(TableReason.NOT_NOW, "this is not the nonce that was committed to")
        step.apply(log.NonceEntry(at=step.now, command=key, seat=seat, nonce=command.nonce))

    def _pause_for_host(self, player: Player, step: StepBuilder, key: str) -> None:
        self._require_host(player.id)
        if self.logged.stage != "playing":
            raise Refusal(TableReason.NOT_NOW)
        self._pause(step, "host", key)

    def _pause(self, step: StepBuilder, why: str, key: str | None) -> None:
        step.apply(log.PauseEntry(at=step.now, command=key, why=why))  # type: ignore[arg-type]
        self._play.pause(step)

    def _resume(self, step: StepBuilder, key: str | None) -> None:
        step.apply(log.ResumeEntry(at=step.now, command=key))
        self._play.resume(step.now)

    def _set_pace(self, player: Player, command: wire.SetPace, step: StepBuilder, key: str) -> None:
        if not self._acts_as_host(player.id) and self.logged.persons() != (player.id,):
            raise Refusal(TableReason.NOT_HOST)
        step.apply(log.PaceEntry(at=step.now, command=key, pace=command.pace))
        self._play.timing.set_pace(command.pace)
        step.needs_snapshots = True

    def _assist(self, player: Player, command: wire.Assist) -> None:
        self._seat_of(player.id)
        who = self.logged.seats[command.seat]
        if self.logged.stage != "playing":
            raise Refusal(TableReason.NOT_NOW)
        if who is None or who.player is None or who.player in self.audience.connected:
            raise Refusal(TableReason.PRESENT)
        self._play.decisions.hand_to_bot(command.seat)

    def _wait(self, player: Player, step: StepBuilder, key: str) -> None:
        seat = self._seat_of(player.id)
        if self._play.window is None:
            raise Refusal(TableReason.NO_WINDOW)
        if self.logged.waits[seat] >= WAITS:
            raise Refusal(TableReason.NO_WAITS_LEFT)
        self._play.window.ends += WAIT
        step.apply(log.WaitEntry(at=step.now, command=key, seat=seat))

    def _spectator_name(self, player: Player) -> str:
        """Nobody speaks in the name of a player."""
        others = [who.name for who in self.logged.seats if who is not None]
        return unique_name(player.name or "Guest", others, player.numbers_taken)

    def _speak(self, player: Player, command: wire.Say | wire.Emote, step: StepBuilder, key: str) -> None:
        if self.logged.stage in ("playing", "paused"):
            self._seat_of(player.id)
        seat = self.logged.seat_of(player.id)
        who = None if seat is None else self.logged.seats[seat]
        name = self._spectator_name(player) if who is None else who.name
        step.apply(spoken_entry(command, player, name, step.now, key))
