"""A table: commands, ticks and answers in; entries to store, messages and questions to bots out.

It does no input or output and has no clock: time is an argument.  What must survive is in the log (:mod:`.fold`), what
is true only now is here: who is connected, bomb windows, clocks, questions under way.  A window holds the next play
back for a moment so that a bomb can come first; its length depends on public facts alone (:mod:`.pace`).
"""

import math
import secrets
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from typing import Final

import msgspec

from tichu.actions import DECLINE_BOMB, PASS, TAKE, Action, CallTichu, DeclineBomb, Take, Wish, format_action
from tichu.agents.base import Choice
from tichu.agents.greedy import GreedyAgent
from tichu.cards import DRAGON
from tichu.combos import Combo, readings
from tichu.deals import format_deal
from tichu.errors import GameError, IllegalAction, Reason
from tichu.fairness import SEED_BYTES, fair_deal
from tichu.legal import Legal
from tichu.phases import Phase as CorePhase
from tichu.plays import bombs
from tichu.rules import Rules
from tichu.server import entries as log
from tichu.server import protocol as wire
from tichu.server.step import BotAsk, Player, Settings, Step
from tichu.server.table.acting import actions_of, draft_of
from tichu.server.table.audience import Audience
from tichu.server.table.combinations import combination, meant, parse_hand
from tichu.server.table.duties import Duty, Hold, Queued
from tichu.server.table.fold import By, Fold
from tichu.server.table.hints import hinted
from tichu.server.table.keeping import kept_game
from tichu.server.table.pace import LATE_STEP, WAIT, WAITS, Pace
from tichu.server.table.refusals import Refusal, TableReason
from tichu.server.table.seating import DEFAULT_BOT, clean, seated
from tichu.server.table.showing import Live, decision_of, milliseconds
from tichu.server.table.work import Work

__all__ = ["Entropy", "Table"]

Entropy = Callable[[int], bytes]

_NONCE_WAIT: Final = 1.5
_READY_WAIT: Final = 45.0
_BOTS_READY_WAIT: Final = 3.0
_NOBODY_WAIT: Final = 30.0
_FORGOTTEN_AFTER: Final = 3600.0
_ANSWERS_KEPT: Final = 256


class Table:
    """One table with its game."""

    def __init__(self, fold: Fold, now: float, entropy: Entropy = secrets.token_bytes) -> None:
        self.fold = fold
        self.audience = Audience()
        self._entropy = entropy
        self._pace = Pace(fold.opened.secret, fold.settings.pace)
        self._hold: Hold | None = None
        self._duties: dict[int, Duty] = {}
        self._asks = 0
        self._bomb_asks: dict[int, int] = {}
        self._auto_pass: dict[int, str] = {}
        self._answers: OrderedDict[str, wire.Ack | wire.Refused] = OrderedDict()
        #: Since when the table waits for the next round, and since when nobody is there.
        self._between_since = now
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
    ) -> tuple["Table", Step]:
        """A new table.

        :raises GameError: the settings cannot be
        """
        settings = msgspec.structs.replace(
            settings, name=clean(settings.name, 40), rules=str(Rules.parse(settings.rules))
        )
        if (settings.deal or settings.position or settings.actions) and not settings.casual:
            raise GameError("only a casual table can begin with a given deal or position")
        opened = log.Opened(
            at=now,
            id=table_id,
            code=code,
            secret=entropy(16).hex(),
            host=host.id,
            settings=msgspec.json.encode(settings).decode(),
        )
        table = cls(Fold(opened), now, entropy)
        start = table._given_start(now)
        if start is not None:
            Fold(opened).apply(start)  # Better refused now than when the game starts.
        work = Work(table.fold, now)
        work.apply(opened)
        return table, table._step(work)

    @classmethod
    def restore(cls, entries: Iterable[log.Entry], now: float, entropy: Entropy = secrets.token_bytes) -> "Table":
        """A table from its log, which begins where it was opened or at a checkpoint.

        :raises GameError: the log cannot be followed
        """
        log_entries = iter(entries)
        first = next(log_entries, None)
        if not isinstance(first, log.Opened | log.Checkpoint):
            raise GameError("the log has no beginning")
        table = cls(Fold(first), now, entropy)
        table.audience.remember(table.fold.apply(first), table.fold)
        for entry in log_entries:
            table.audience.remember(table.fold.apply(entry), table.fold)
        table._reopen(now)
        return table

    # What can be asked.

    @property
    def id(self) -> str:
        """Opaque and hard to guess."""
        return self.fold.opened.id

    @property
    def code(self) -> str:
        """Short, to be told to a friend."""
        return self.fold.opened.code

    @property
    def is_open(self) -> bool:
        """Whether the start page offers it."""
        return not self.fold.settings.private and self.fold.stage != "over"

    @property
    def has_people(self) -> bool:
        """Whether anybody is there."""
        return bool(self.audience.connected)

    def state(self) -> wire.TableState:
        """What everybody may know."""
        return self.audience.state(self.fold)

    def snapshot(self, player_id: str, now: float) -> wire.State:
        """How things stand for a player, instead of all that was missed."""
        return self.audience.snapshot(player_id, self.fold, self._lives(now))

    def due(self) -> float | None:
        """When :meth:`tick` has something to do."""
        times: list[float] = []
        if self._nobody_since is not None:
            wait = _NOBODY_WAIT if self.fold.stage == "playing" else _FORGOTTEN_AFTER
            if self.fold.stage != "paused":
                times.append(self._nobody_since + wait)
        if self.fold.stage == "playing":
            if self._hold is not None:
                times.append(self._hold.ends)
            elif self.fold.game is None:
                times.append(self._next_deal())
            for duty in self._duties.values():
                if duty.choice is not None:
                    times.append(duty.ready_at)
                times += [at for at in (duty.auto_pass_at, duty.reserve_ends) if at is not None]
        return min((at for at in times if at < math.inf), default=None)

    # What happens.

    def connect(self, player: Player, now: float, since: int | None = None, token: str = "") -> Step:
        """A player is there, perhaps once more."""
        work = Work(self.fold, now)
        is_new = player.id not in self.audience.connected
        self.audience.connected[player.id] = player
        self._nobody_since = None
        work.messages.append((player.id, self.audience.welcome(player, token, since, self.fold, self._lives(now))))
        if is_new:
            work.messages += self.audience.states(self.fold, self._lives(now), without=player.id)
        if (
            self.fold.stage == "paused"
            and self.fold.paused_why == "nobody"
            and self.fold.seat_of(player.id) is not None
        ):
            self._resume(work, None)
        return self._step(work)

    def disconnect(self, player_id: str, now: float) -> Step:
        """The last socket of a player is gone."""
        work = Work(self.fold, now)
        if self.audience.connected.pop(player_id, None) is not None:
            if not self.audience.connected:
                self._nobody_since = now
            work.messages += self.audience.states(self.fold, self._lives(now))
        return self._step(work)

    def handle(self, player: Player, command: wire.Command, now: float) -> Step:
        """Carry a command out, or say why not; exactly one answer follows, now or when a window ends."""
        work = Work(self.fold, now)
        key = _key(player, command)
        if self._is_queued(key):
            return Step()
        repeated = self._answers.get(key)
        if repeated is None and key in self.fold.commands:
            repeated = wire.Ack(id=command.id, version=self.fold.commands[key])
        if repeated is not None:
            work.messages.append((player.id, repeated))
            return self._step(work)
        try:
            if self._carry_out(player, command, work):
                self._answer(work, player, command)
        except (Refusal, IllegalAction) as refusal:
            self._refuse(work, player, command, refusal)
        return self._step(work)

    def tick(self, now: float) -> Step:
        """Do what is due."""
        work = Work(self.fold, now)
        if self._nobody_since is not None:
            away = now - self._nobody_since
            if self.fold.stage == "playing" and away >= _NOBODY_WAIT:
                self._pause(work, "nobody", None)
            elif self.fold.stage in ("open", "over") and away >= _FORGOTTEN_AFTER:
                return Step(closed=True)
        return self._step(work)

    def answered(self, ask: BotAsk, choice: Choice, now: float) -> Step:
        """A bot has decided; a table that has gone on does not care."""
        work = Work(self.fold, now)
        seat = self._bomb_asks.pop(ask.key, None)
        if seat is not None and self._hold is not None and isinstance(choice.action, Combo):
            self._hold.bombs.setdefault(seat, choice.action)
        duty = self._duties.get(ask.seat)
        if duty is not None and duty.ask == ask.key:
            duty.choice = choice
            late = now - duty.ready_at
            if late > 0 and duty.by is None:
                duty.ready_at += math.ceil(late / LATE_STEP) * LATE_STEP * min(1.0, self._pace.factor)
        return self._step(work)

    def check(self, player_id: str, check: wire.Check) -> wire.Checked:
        """What the cards are, and whether they may be played now."""
        try:
            seat = self._own_seat(player_id)
            if self.fold.game is None:
                raise Refusal(Reason.NOT_IN_PHASE)
            cards = parse_hand(check.cards)
            view = self.fold.view(seat, window=self._hold is not None)
            if cards & ~view.hand:
                raise Refusal(Reason.NOT_IN_HAND)
            legal = Legal(view)
            if view.phase is CorePhase.BOMB:
                plain = Legal(self.fold.plain_view(seat))
                legal = plain if any(plain.refusal(combo) is None for combo in readings(cards)) else legal
            try:
                found = meant(cards, None, legal)
            except Refusal as refusal:
                shapes = tuple(combination(combo) for combo in readings(cards))
                return wire.Checked(id=check.id, readings=shapes, reason=refusal.reason.name, message=refusal.message)
        except Refusal as refusal:
            return wire.Checked(id=check.id, reason=refusal.reason.name, message=refusal.message)
        return wire.Checked(id=check.id, readings=tuple(combination(combo) for combo in found))

    def hint(self, player_id: str, hint: wire.Hint) -> BotAsk | wire.Refused:
        """The question to a bot what it would do in a person's place."""
        try:
            seat = self._own_seat(player_id)
            if not self.fold.settings.casual:
                raise Refusal(TableReason.CASUAL_ONLY)
            if self.fold.game is None:
                raise Refusal(TableReason.NOTHING_TO_DECIDE)
            view = self.fold.view(seat, window=self._hold is not None)
            if decision_of(view, must_give=self.fold.must_give()) is None:
                raise Refusal(TableReason.NOTHING_TO_DECIDE)
        except Refusal as refusal:
            return wire.Refused(
                id=hint.id, reason=refusal.reason.name, message=refusal.message, version=self.fold.version
            )
        return BotAsk(-1, seat, DEFAULT_BOT, view, self._pace.seed(seat))

    def hinted(self, hint: wire.Hint, ask: BotAsk, choice: Choice) -> wire.Hinted:
        """The hint from the bot's answer."""
        names = [who.name if who is not None else f"seat {seat}" for seat, who in enumerate(self.fold.seats)]
        return hinted(hint.id, ask.seat, choice, names)

    # Commands.

    def _carry_out(self, player: Player, command: wire.Command, work: Work) -> bool:
        """Do it; False if the answer comes later."""
        key = _key(player, command)
        match command:
            case wire.Sit() | wire.Stand() | wire.Swap() | wire.PutBot() | wire.Remove() | wire.Start():
                game_id = self._entropy(9).hex()
                work.apply(seated(self.fold, player, command, work.now, game_id))
                self._after_seating(command, work)
            case wire.Ready():
                self._ready(player, work, key)
            case wire.Pause():
                if player.id != self.fold.host:
                    raise Refusal(TableReason.NOT_HOST)
                if self.fold.stage != "playing":
                    raise Refusal(TableReason.NOT_NOW)
                self._pause(work, "host", key)
            case wire.Resume():
                self._own_seat(player.id)
                if self.fold.stage != "paused":
                    raise Refusal(TableReason.NOT_NOW)
                self._resume(work, key)
            case wire.Assist():
                self._assist(player, command)
            case wire.Wait():
                self._wait(player, work, key)
            case wire.AutoPass():
                seat = self._own_seat(player.id)
                self._auto_pass[seat] = command.until
                self._duties.pop(seat, None)
                work.tell_states = True
            case wire.Nonce():
                seat = self._own_seat(player.id)
                if self.fold.seed is None or self.fold.game is not None or seat in self.fold.nonces:
                    raise Refusal(TableReason.NOT_NOW)
                work.apply(log.NonceGiven(at=work.now, command=key, seat=seat, nonce=command.nonce))
            case wire.Say() | wire.Emote():
                self._speak(player, command, work, key)
            case _:
                return self._act(player, command, work)
        return True

    def _own_seat(self, player_id: str) -> int:
        seat = self.fold.seat_of(player_id)
        if seat is None:
            raise Refusal(TableReason.NOT_SEATED)
        return seat

    def _after_seating(self, command: wire.Command, work: Work) -> None:
        self._duties.clear()
        if isinstance(command, wire.Start):
            self._between_since = work.now
            self._hold = None
            self._auto_pass.clear()
        elif isinstance(command, wire.Sit | wire.Stand | wire.Remove):
            # Who sits down or gets up sees another side of the table.
            work.tell_states = True

    def _ready(self, player: Player, work: Work, key: str) -> None:
        seat = self._own_seat(player.id)
        if self.fold.stage != "playing" or self.fold.game is not None or not self.fold.results:
            raise Refusal(TableReason.NOT_NOW)
        ready = tuple(sorted(self.fold.ready | {player.id}))
        work.apply(
            log.Seated(
                at=work.now,
                command=key,
                what="ready",
                seat=seat,
                seats=self.fold.seats,
                host=self.fold.host,
                ready=ready,
            )
        )

    def _pause(self, work: Work, why: str, key: str | None) -> None:
        work.apply(log.Paused(at=work.now, command=key, why=why))  # type: ignore[arg-type]
        hold, self._hold = self._hold, None
        self._duties.clear()
        self._bomb_asks.clear()
        if hold is not None:
            waiting = [bomb for bomb in hold.bombs.values() if isinstance(bomb, Queued)]
            for queued in (*waiting, *hold.queue):
                self._refuse(work, queued.player, queued.command, Refusal(TableReason.PAUSED))

    def _resume(self, work: Work, key: str | None) -> None:
        work.apply(log.Resumed(at=work.now, command=key))
        self._between_since = work.now
        self._reopen(work.now)

    def _assist(self, player: Player, command: wire.Assist) -> None:
        self._own_seat(player.id)
        who = self.fold.seats[command.seat]
        if self.fold.stage != "playing":
            raise Refusal(TableReason.NOT_NOW)
        if who is None or who.player is None or who.player in self.audience.connected:
            raise Refusal(TableReason.PRESENT)
        duty = self._duties.get(command.seat)
        if duty is None:
            raise Refusal(TableReason.NOTHING_TO_DECIDE)
        if duty.ask == 0:
            duty.by = "bot"

    def _wait(self, player: Player, work: Work, key: str) -> None:
        seat = self._own_seat(player.id)
        if self._hold is None:
            raise Refusal(TableReason.NO_WINDOW)
        if self.fold.waits[seat] >= WAITS:
            raise Refusal(TableReason.NO_WAITS_LEFT)
        self._hold.ends += WAIT
        work.apply(log.Waited(at=work.now, command=key, seat=seat))

    def _speak(self, player: Player, command: wire.Say | wire.Emote, work: Work, key: str) -> None:
        if self.fold.stage in ("playing", "paused"):
            self._own_seat(player.id)
        seat = self.fold.seat_of(player.id)
        who = None if seat is None else self.fold.seats[seat]
        name = player.name if who is None else who.name
        if isinstance(command, wire.Emote):
            work.apply(log.Emoted(at=work.now, command=key, player=player.id, name=name, emote=command.emote))
            return
        text = clean(command.text, 280)
        if not text:
            raise Refusal(TableReason.EMPTY)
        work.apply(log.Said(at=work.now, command=key, player=player.id, name=name, text=text))

    # Playing.

    def _act(self, player: Player, command: wire.Command, work: Work) -> bool:
        seat = self._own_seat(player.id)
        if self.fold.stage == "paused":
            raise Refusal(TableReason.PAUSED)
        if self.fold.game is None or self.fold.stage != "playing":
            raise Refusal(Reason.NOT_IN_PHASE)
        assert isinstance(command, wire.Action)
        if isinstance(command, wire.SelectExchange):
            draft = draft_of(self.fold, seat, command)
            work.apply(log.Drafted(at=work.now, command=_key(player, command), seat=seat, cards=draft))
            return True
        if isinstance(command, wire.PlayCards) and (command.version or self.fold.version) < self.fold.trick_version:
            raise Refusal(TableReason.STALE)
        window = self._hold is not None
        actions = actions_of(self.fold, seat, command, window=window)
        if self._hold is not None and not isinstance(actions[0], CallTichu):
            queued = Queued(player, command, seat, actions)
            if isinstance(actions[0], Combo) and actions[0].is_bomb:
                if isinstance(self._hold.bombs.get(seat), Queued):
                    raise Refusal(TableReason.NOT_NOW, "a bomb of yours is already on its way")
                self._hold.bombs[seat] = queued
            else:
                self._hold.queue.append(queued)
            return False
        self._do(seat, actions, work, _key(player, command))
        return True

    def _do(self, seat: int, actions: Sequence[Action], work: Work, key: str | None = None, by: By = None) -> None:
        """Carry actions out; only the first can be refused, and then nothing has happened."""
        reserve = self._reserve_left(seat, work.now)
        for number, action in enumerate(actions):
            game = self.fold.game
            if number and (game is None or (isinstance(action, Wish) and game.round.phase is not CorePhase.WISH)):
                return
            text = format_action(seat, action)
            work.apply(
                log.Acted(at=work.now, command=key if number == 0 else None, action=text, by=by, reserve=reserve)
            )
            self._after(seat, action, work)

    def _after(self, seat: int, action: Action, work: Work) -> None:
        if not isinstance(action, CallTichu):
            self._duties.pop(seat, None)
        if self._auto_pass.get(seat) == "turn" and action == PASS:
            self._auto_pass.pop(seat)
        game = self.fold.game
        if game is None:
            self._auto_pass.clear()
            self._between_since = work.now
            return
        if game.round.top is None:
            self._auto_pass = {who: until for who, until in self._auto_pass.items() if until != "trick"}
        if isinstance(action, Combo | Wish) or (
            action == PASS and (self.fold.rules.bombs == "ordered" or self.fold.public()[0] is CorePhase.TAKE)
        ):
            self._reopen(work.now)

    def _reopen(self, now: float) -> None:
        """Open the window that the state of the table asks for, if any."""
        game = self.fold.game
        if game is None or self.fold.stage != "playing":
            return
        state = game.round
        phase, _ = self.fold.public()
        if state.top is None or phase not in (CorePhase.PLAY, CorePhase.TAKE) or len(state.out) > 2:
            return
        counts = tuple(hand.bit_count() for hand in state.hands)
        length = self._pace.hold(self.fold.rules, counts, trick_over=phase is CorePhase.TAKE)
        if length:
            self._hold = Hold(now, now + length)

    def _close_hold(self, work: Work) -> None:
        hold, self._hold = self._hold, None
        assert hold is not None
        self._bomb_asks.clear()
        thrown = self._throw(hold, work)
        for seat, bomb in hold.bombs.items():
            if seat != thrown and isinstance(bomb, Queued):
                self._again(bomb, work, late=thrown is not None)
        for queued in hold.queue:
            self._again(queued, work, late=thrown is not None)
        work.tell_states = (
            work.tell_states or self.fold.rules.bombs == "ordered" or self.fold.settings.clock is not None
        )

    def _throw(self, hold: Hold, work: Work) -> int | None:
        """Apply the bomb of a window, if there is one, and say whose it is."""
        if self.fold.rules.bombs == "ordered":
            return self._throw_in_order(hold, work)
        best: tuple[int, Combo] | None = None
        for seat, bomb in hold.bombs.items():
            combo = bomb.actions[0] if isinstance(bomb, Queued) else bomb
            if isinstance(combo, Combo) and (best is None or combo.beats(best[1], self.fold.rules.equal_flush)):
                best = seat, combo
        if best is None:
            return None
        return best[0] if self._do_bomb(best[0], hold, work) else None

    def _throw_in_order(self, hold: Hold, work: Work) -> int | None:
        """§7.2: the first in order that bombs; for the others the table declines."""
        declines = {queued.seat: queued for queued in hold.queue if isinstance(queued.actions[0], DeclineBomb)}
        hold.queue = [queued for queued in hold.queue if queued.seat not in declines]
        thrown: int | None = None
        while self.fold.game is not None and self.fold.game.round.phase is CorePhase.BOMB:
            seat = self.fold.game.round.pending[0]
            if seat in hold.bombs and self._do_bomb(seat, hold, work):
                thrown = seat
                break
            self._do(seat, [DECLINE_BOMB], work)
        for queued in declines.values():
            self._answer(work, queued.player, queued.command)
        return thrown

    def _do_bomb(self, seat: int, hold: Hold, work: Work) -> bool:
        bomb = hold.bombs[seat]
        try:
            if isinstance(bomb, Queued):
                self._do(seat, bomb.actions, work, _key(bomb.player, bomb.command))
                self._answer(work, bomb.player, bomb.command)
            else:
                self._do(seat, [bomb], work)
        except IllegalAction as refusal:
            del hold.bombs[seat]
            if isinstance(bomb, Queued):
                self._refuse(work, bomb.player, bomb.command, refusal)
            return False
        return True

    def _again(self, queued: Queued, work: Work, *, late: bool) -> None:
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

    # What the table does by itself.

    def _step(self, work: Work) -> Step:
        while self._advance(work):
            pass
        self._ask_about_bombs(work)
        lives = self._lives(work.now)
        if work.told:
            work.messages += self.audience.tell(work.told, self.fold, lives, work.now)
        if work.tell_states:
            work.messages += self.audience.states(self.fold, lives)
        return work.step()

    def _advance(self, work: Work) -> bool:
        """One thing that is due; False if there is nothing left to do now."""
        if self.fold.stage != "playing":
            return False
        if self._hold is not None:
            if work.now < self._hold.ends:
                return False
            self._close_hold(work)
            return True
        if self.fold.game is None:
            return self._go_on(work)
        phase, pending = self.fold.public()
        if phase is CorePhase.TAKE and not self.fold.must_give():
            self._do(pending[0], [self._take(pending[0])], work)
            return True
        self._duties = {seat: duty for seat, duty in self._duties.items() if seat in pending}
        return any(self._attend(seat, work) for seat in pending)

    def _take(self, seat: int) -> Take:
        """§5.3, §10.2: the trick goes to its owner, the Dragon's where the rules send it."""
        view = self.fold.plain_view(seat)
        return Take(*view.recipients()) if view.top is not None and view.top.cards == 1 << DRAGON else TAKE

    def _attend(self, seat: int, work: Work) -> bool:
        """Look after a seat that must decide; True if it has decided."""
        duty = self._duty(seat, work)
        who = self.fold.seats[seat]
        if duty.reserve_ends is not None and work.now >= duty.reserve_ends and duty.ask == 0:
            duty.by = "clock"
        bot = who.bot if who is not None and who.bot is not None else (DEFAULT_BOT if duty.by else None)
        if bot is not None and duty.ask == 0:
            self._asks += 1
            duty.ask = self._asks
            view = self.fold.plain_view(seat)
            work.asks.append(BotAsk(duty.ask, seat, bot, view, self._pace.seed(seat)))
        if duty.auto_pass_at is not None and work.now >= duty.auto_pass_at:
            self._do(seat, [PASS], work)
            return True
        if duty.choice is None or work.now < duty.ready_at:
            return False
        self._decide(seat, duty, work)
        return True

    def _decide(self, seat: int, duty: Duty, work: Work) -> None:
        assert duty.choice is not None
        try:
            self._do(seat, [duty.choice.action], work, by=duty.by)
        except IllegalAction:
            view = self.fold.plain_view(seat)
            self._do(seat, [GreedyAgent().act(view, Legal(view))], work, by=duty.by)
        self._duties.pop(seat, None)  # A call leaves the decision open: it is asked for anew.

    def _duty(self, seat: int, work: Work) -> Duty:
        game, who = self.fold.game, self.fold.seats[seat]
        assert game is not None
        phase = game.round.phase
        sitter = None if who is None else (who.player, who.bot)
        # In the simultaneous phases the others' decisions do not change one's own.
        own = game.round.calls[seat] if phase in (CorePhase.GRAND, CorePhase.EXCHANGE) else len(game.actions)
        context = (self.fold.round_number, phase, own, sitter)
        duty = self._duties.get(seat)
        if duty is not None and duty.context == context:
            return duty
        duty = self._duties[seat] = Duty(context, work.now)
        view = self.fold.plain_view(seat)
        decision = decision_of(view, must_give=self.fold.must_give()) or "play"
        duty.ready_at = work.now + self._pace.thinking(self.fold.version, seat, decision)
        if who is not None and who.bot is None:
            clock = self.fold.settings.clock
            if clock is not None:
                duty.ends = work.now + clock.decision
                duty.reserve_ends = duty.ends + self.fold.reserves[seat]
                work.tell_states = work.tell_states or not work.told
            wants = self._auto_pass.get(seat, "off") != "off" and decision == "play"
            if wants and Legal(view).refusal(PASS) is None:
                duty.auto_pass_at = work.now + self._pace.auto_pass(self.fold.version, seat)
        return duty

    def _ask_about_bombs(self, work: Work) -> None:
        """Ask the bots that can bomb, once a window."""
        hold, game = self._hold, self.fold.game
        if hold is None or game is None or hold.is_asked:
            return
        hold.is_asked = True
        top = game.round.top
        assert top is not None
        for seat, who in enumerate(self.fold.seats):
            if who is None or who.bot is None or not bombs(game.round.hands[seat], top, self.fold.rules):
                continue
            view = self.fold.plain_view(seat)
            asked = view._replace(
                rules=self.fold.rules.sequential(), phase=CorePhase.BOMB, pending=(seat,), actor=game.round.owner
            )
            self._asks += 1
            self._bomb_asks[self._asks] = seat
            work.asks.append(BotAsk(self._asks, seat, who.bot, asked, self._pace.seed(seat)))

    # Between rounds.

    def _next_deal(self) -> float:
        """When the next round can begin, as things stand."""
        if self.fold.match.winner is not None or self.fold.seed is None:
            return 0.0
        here = [player for player in self.fold.persons() if player in self.audience.connected]
        owed = [player for player in here if self.fold.seat_of(player) not in self.fold.nonces]
        soonest = self._between_since + _NONCE_WAIT if owed else self._between_since
        if not self.fold.results:
            return soonest
        if not self.fold.persons():
            return max(soonest, self._between_since + _BOTS_READY_WAIT * self._pace.factor)
        if here and all(player in self.fold.ready for player in here):
            return soonest
        return self._between_since + _READY_WAIT if here else math.inf

    def _go_on(self, work: Work) -> bool:
        """Score, commit, deal: what lies between two rounds."""
        if self.fold.match.winner is not None:
            work.game = kept_game(self.fold, work.now)
            work.apply(log.Seated(at=work.now, what="over", seats=self.fold.seats, host=self.fold.host, ready=()))
            return True
        start = self._given_start(work.now)
        if start is not None:
            work.apply(start)
            self._reopen(work.now)
            return True
        if self.fold.seed is None:
            if work.entries:
                return False  # A checkpoint stands at the beginning of a step; due() asks for one at once.
            work.checkpoint = True
            work.apply(self.fold.checkpoint(work.now))
            seed = self._entropy(SEED_BYTES).hex()
            work.apply(log.Committed(at=work.now, round=self.fold.round_number, seed=seed))
            return True
        if work.now < self._next_deal():
            return False
        nonces = [self.fold.nonces.get(seat, "") for seat in range(4)]
        deal = format_deal(fair_deal(bytes.fromhex(self.fold.seed), nonces))
        work.apply(log.Dealt(at=work.now, round=self.fold.round_number, deal=deal))
        return True

    def _given_start(self, now: float) -> log.Dealt | None:
        """The first round of a table that was made with a deal or a position."""
        settings = self.fold.settings
        if self.fold.results or not (settings.deal or settings.position) or self.fold.game is not None:
            return None
        return log.Dealt(at=now, round=0, deal=settings.deal, actions=settings.actions, position=settings.position)

    # Answers and times.

    def _answer(self, work: Work, player: Player, command: wire.Command) -> None:
        self._remember(work, player, wire.Ack(id=command.id, version=self.fold.version))

    def _refuse(self, work: Work, player: Player, command: wire.Command, refusal: Refusal | IllegalAction) -> None:
        message = refusal.message if isinstance(refusal, Refusal) else refusal.reason.value
        refused = wire.Refused(id=command.id, reason=refusal.reason.name, message=message, version=self.fold.version)
        if refusal.reason is TableReason.STALE:
            seat = self.fold.seat_of(player.id)
            if seat is not None and self.fold.game is not None:
                view = self.snapshot(player.id, work.now).view
                refused = msgspec.structs.replace(refused, view=view)
        self._remember(work, player, refused)

    def _remember(self, work: Work, player: Player, answer: wire.Ack | wire.Refused) -> None:
        self._answers[f"{player.id} {answer.id}"] = answer
        while len(self._answers) > _ANSWERS_KEPT:
            self._answers.popitem(last=False)
        work.messages.append((player.id, answer))

    def _is_queued(self, key: str) -> bool:
        hold = self._hold
        if hold is None:
            return False
        waiting = [bomb for bomb in hold.bombs.values() if isinstance(bomb, Queued)]
        return any(_key(queued.player, queued.command) == key for queued in (*waiting, *hold.queue))

    def _reserve_left(self, seat: int, now: float) -> float | None:
        duty = self._duties.get(seat)
        if duty is None or duty.ends is None or now <= duty.ends:
            return None
        return max(0.0, self.fold.reserves[seat] - (now - duty.ends))

    def _lives(self, now: float) -> dict[int, Live]:
        window = None if self._hold is None else (self._hold.begins, self._hold.ends)
        clocks = tuple(
            wire.SeatTime(seat=seat, ends=milliseconds(duty.ends), reserve_ends=milliseconds(duty.reserve_ends))
            for seat, duty in sorted(self._duties.items())
            if duty.ends is not None and duty.reserve_ends is not None
        )
        return {seat: Live(now, window, clocks, self._auto_pass.get(seat, "off")) for seat in range(4)}


def _key(player: Player, command: wire.Command) -> str:
    return f"{player.id} {command.id}"
