"""A table as its log tells it: each entry changes it, and is told to each seat as far as the seat may know.

Everything that must survive a restart is here.  Clocks, windows, presence and drafts of time are not: they begin anew.
"""

from collections.abc import Iterator
from typing import Final, Literal, NamedTuple

import msgspec
from msgspec.structs import replace

from tichu.core.actions import (
    Action,
    CallGrand,
    CallTichu,
    DeclineBomb,
    DeclineGrand,
    Exchange,
    Take,
    Wish,
    format_action,
    parse_action,
)
from tichu.core.combos import Combo
from tichu.core.deals import format_deal
from tichu.core.errors import GameError
from tichu.core.game import Game
from tichu.core.match import Match
from tichu.core.phases import Call
from tichu.core.phases import Phase as CorePhase
from tichu.core.plays import bombs
from tichu.core.round import Round
from tichu.core.rules import Rules
from tichu.core.scoring import Outcome
from tichu.core.view import View
from tichu.server import log, wire
from tichu.server.table.given import begin_round
from tichu.server.table.recent import Recent
from tichu.server.table.shuffle import Shuffle
from tichu.server.table.translate import (
    By,
    Draft,
    card_list,
    combination,
    event_of,
    must_give,
    phase_of,
    private_event,
    round_result,
    spoken_event,
)
from tichu.server.table.trick import NO_TRICK, Trick
from tichu.server.wire import Event, Phase, Play
from tichu.server.wire.settings import Settings

__all__ = ["LoggedState", "NewerLog", "Stage", "VersionedEvent", "settings_of"]

Stage = Literal["open", "playing", "paused", "over"]

_NO_DRAFT: Final = (None, None, None)
#: Commands remembered of each player, and of all.
_COMMANDS_OF_EACH: Final = 30
_COMMANDS_KEPT: Final = 150
_GIVEN_AWAY: Final = ((0, 0), (0, 0), (0, 0), (0, 0))


class NewerLog(GameError):
    """A log that only a later version can read."""


class VersionedEvent(NamedTuple):
    """One event with its version: as each seat may know it, and as everybody may."""

    version: int
    by_seat: tuple[Event, ...]
    public: Event
    phases: tuple[Phase, ...] = ()
    #: Whether the table state changed with it.
    table: bool = False
    #: Spectators are a trick behind: they may see everything up to here.
    releases: bool = True

    def seen_by(self, seat: int | None) -> Event:
        """The event as a seat may know it, or as everybody may."""
        return self.public if seat is None else self.by_seat[seat]


class LoggedState:
    """The state of a table after its entries so far."""

    def __init__(self, first: log.OpenEntry | log.Checkpoint, given: Game | None = None) -> None:
        opened = first if isinstance(first, log.OpenEntry) else first.opened
        if first.format != log.FORMAT:
            error = NewerLog if first.format > log.FORMAT else GameError
            raise error(f"a log of format {first.format}; this version reads format {log.FORMAT}")
        self.opened = opened
        self.settings = msgspec.json.decode(opened.settings, type=Settings)
        self.rules = Rules.parse(self.settings.rules)
        #: The same as text, which is in every state.
        self.rules_text = str(self.rules)
        #: What a given start leads to, where somebody has found out.
        self.given = given
        self.version = 0
        self.seats: tuple[log.Occupant | None, ...] = (None, None, None, None)
        self.host: str | None = opened.host
        self.ready: frozenset[str] = frozenset()
        self.stage: Stage = "open"
        #: How long bots take; it can be changed while they play.
        self.pace = self.settings.pace
        self.paused_why: str | None = None
        self.paused_at = 0.0
        self.game_id: str | None = None
        #: Who sat where when the last game ended, until the next begins.
        self.final: tuple[log.Occupant | None, ...] | None = None
        #: The version of the first event of the game, and of the last that changed the trick.
        self.trick_version = 0
        self.results: tuple[log.Result, ...] = ()
        #: The same for clients, made when somebody looks: a long game has many, and they are in every state.
        self._told_results: tuple[tuple[log.Result, ...], tuple[wire.RoundResult, ...]] = ((), ())
        self.match = Match(self.rules, start=self.settings.score)
        #: The round in progress; None between rounds.
        self.game: Game | None = None
        self.has_record = True
        #: Of the deal to come, or of the round in progress if it was not a given one.
        self.shuffle: Shuffle | None = None
        self.drafts: list[Draft] = [_NO_DRAFT] * 4
        self.waits = [0, 0, 0, 0]
        self.reserves = [float(self.settings.clock.reserve) if self.settings.clock else 0.0] * 4
        self.trick: Trick = NO_TRICK
        #: What a match knows that is rated, or that the server has brought together.
        self.rated = log.RatedFacts()
        #: Persons who left a seat of this round, and which: they know its cards.
        self.knows: dict[str, int] = {}
        #: Commands that were carried out, as ``player id``, with the version after them.
        self.commands: Recent[int] = Recent(each=_COMMANDS_OF_EACH, most=_COMMANDS_KEPT)
        #: What each seat sees of the game as it is now, made when somebody looks.
        self._views: tuple[Game, dict[int, View]] | None = None
        if isinstance(first, log.Checkpoint):
            self._restore(first)

    def _restore(self, point: log.Checkpoint) -> None:
        self.version = point.version
        self.seats, self.host = point.seats, point.host
        self.game_id, self.stage, self.ready = point.game, point.stage, frozenset(point.ready)
        self.results = point.results
        outcomes = tuple(Outcome(result.points, result.bonus, result.out) for result in point.results)
        self.match = Match(self.rules, outcomes, self.settings.score)
        self.reserves = list(point.reserves) or self.reserves
        self.pace = self.pace if point.pace is None else point.pace
        self.rated = point.rated or self.rated
        self.commands = Recent(point.commands, each=_COMMANDS_OF_EACH, most=_COMMANDS_KEPT)

    def checkpoint(self, at: float) -> log.Checkpoint:
        """Where a restart may begin; only between rounds."""
        return log.Checkpoint(
            at=at,
            opened=self.opened,
            version=self.version,
            seats=self.seats,
            host=self.host,
            game=self.game_id,
            stage=self.stage,
            ready=tuple(sorted(self.ready)),
            results=self.results,
            reserves=tuple(self.reserves),
            pace=None if self.pace == self.settings.pace else self.pace,
            rated=self.rated,
            commands=dict(self.commands),
        )

    def copy(self) -> "LoggedState":
        """The state as it is now; what it consists of is never changed in place, but for the lists of a round."""
        other = object.__new__(LoggedState)
        other.__dict__.update(self.__dict__)
        return other

    # What can be asked.

    @property
    def round_number(self) -> int:
        """The round in progress or to come, from 0."""
        return len(self.results)

    def seat_of(self, player: str) -> int | None:
        """Where a person sits."""
        return next((seat for seat, who in enumerate(self.seats) if who is not None and who.player == player), None)

    def seats_by_player(self) -> dict[str, int]:
        """Where everybody sits."""
        return {who.player: seat for seat, who in enumerate(self.seats) if who is not None and who.player is not None}

    def wisher(self) -> int | None:
        """Whose wish stands; a given position does not tell."""
        game = self.game
        if game is None or not game.round.wish:
            return None
        return next((seat for seat, action in reversed(game.actions) if isinstance(action, Wish)), None)

    def persons(self) -> tuple[str, ...]:
        """The persons who have seats."""
        return tuple(who.player for who in self.seats if who is not None and who.player is not None)

    def plain_view(self, seat: int) -> View:
        """What the seat sees if it is not asked to bomb."""
        game = self._playing()
        if self._views is None or self._views[0] is not game:
            self._views = game, {}
        views = self._views[1]
        if seat not in views:
            view = game.view(seat)
            if view.phase is CorePhase.BOMB:
                other = game.round.view((seat + 1) & 3)
                view = view._replace(phase=other.phase, pending=other.pending, actor=-1)
            views[seat] = view
        return views[seat]

    def view(self, seat: int, *, window: bool) -> View:
        """What the seat sees; under ``ordered`` all who can bomb are asked at once, as long as the window is open.

        Who is asked first is nobody's business: it would tell the second that somebody before it holds a bomb.
        """
        view = self.plain_view(seat)
        if window and self.rules.bombs == "ordered" and view.top is not None:
            actor = self._playing().round.actor
            if actor >= 0 and bombs(view.hand, view.top, self.rules):
                view = view._replace(phase=CorePhase.BOMB, pending=(seat,), actor=actor)
        return view

    def public(self) -> tuple[CorePhase, tuple[int, ...]]:
        """The phase and who is to decide, as everybody may know it."""
        state = self._playing().round
        if state.phase is CorePhase.BOMB:
            other = state.view((state.pending[0] + 1) & 3)
            return other.phase, other.pending
        return state.phase, state.pending

    def phase(self) -> Phase:
        """The phase by the names of the wire."""
        if self.game is not None:
            return phase_of(self.game.round)
        if self.winner is not None:
            return "TICHU.GAME_END"
        return "TICHU.NEXT_ROUND_OR_END" if self.results else "TICHU.DEAL_PART1"

    @property
    def winner(self) -> int | None:
        """The team that has won: by points, or because somebody left."""
        return self.match.winner if self.rated.left is None else 1 - self.rated.left % 2

    def must_give(self) -> bool:
        """Whether the trick on the table is the Dragon's and its owner chooses who gets it."""
        return must_give(self._playing().round)

    @property
    def has_whole_record(self) -> bool:
        """Whether the game can be looked at later; one that began in the middle of a round or broke off cannot."""
        return self.rated.left is None and self.has_record and all(result.deal is not None for result in self.results)

    def round_results(self) -> tuple[wire.RoundResult, ...]:
        """The finished rounds of the game as clients see them."""
        results, told = self._told_results
        if results is not self.results:
            told = tuple(
                round_result(number, Outcome(result.points, result.bonus, result.out), result.calls)
                for number, result in enumerate(self.results)
            )
            self._told_results = self.results, told
        return told

    def _playing(self) -> Game:
        assert self.game is not None
        return self.game

    # What an entry does.

    def apply(self, entry: log.Entry) -> list[VersionedEvent]:
        """Take up an entry and say what there is to tell.

        :raises GameError: it cannot be; nothing has changed
        """
        told = list(self._apply(entry))
        if entry.command is not None:
            self.commands.put(entry.command, self.version)
        return told

    def _apply(self, entry: log.Entry) -> Iterator[VersionedEvent]:
        match entry:
            case log.OpenEntry():
                yield self._tell(wire.Opened(), table=True)
            case log.SeatEntry():
                yield self._apply_seats(entry)
            case log.SettingsEntry():
                self._apply_settings(entry.settings)
                yield self._tell(wire.Seated(what="settings"), table=True)
            case log.CommitEntry() | log.NonceCommitEntry() | log.FixEntry() | log.NonceEntry():
                yield from self._apply_to_shuffle(entry)
            case log.DealEntry():
                yield from self._apply_deal(entry)
            case log.ActionEntry():
                yield from self._apply_action(entry)
            case log.DraftEntry():
                self.drafts[entry.seat] = entry.cards
            case log.WaitEntry():
                self.waits[entry.seat] += 1
                yield self._tell(wire.Waited(seat=entry.seat))
            case log.PauseEntry():
                self.stage, self.paused_why, self.paused_at = "paused", entry.why, entry.at
                yield self._tell(wire.Paused(why=entry.why), table=True)
            case log.ResumeEntry():
                self.stage, self.paused_why, self.paused_at = "playing", None, 0.0
                yield self._tell(wire.Resumed(), table=True)
            case log.PaceEntry():
                self.pace = entry.pace
            case log.AwayEntry() | log.FlagEntry():
                self.rated = self.rated.after(entry)
            case log.LeaveEntry():
                yield self._apply_leave(entry)
            case log.ChatEntry() | log.EmoteEntry():
                yield self._tell(spoken_event(entry, self.seat_of(entry.player)))
            case log.AnswerEntry() | log.Checkpoint():
                pass

    def _tell(
        self,
        public: Event,
        phases: tuple[Phase, ...] = (),
        *,
        own: tuple[int, Event] | None = None,
        table: bool = False,
        releases: bool | None = None,
    ) -> VersionedEvent:
        self.version += 1
        by_seat = [public] * 4
        if own is not None:
            by_seat[own[0]] = own[1]
        # In the middle of a trick everything waits, also what is said about it.
        may = not self.trick.plays if releases is None else releases
        return VersionedEvent(self.version, tuple(by_seat), public, phases, table, may)

    def _apply_to_shuffle(
        self, entry: log.CommitEntry | log.NonceCommitEntry | log.FixEntry | log.NonceEntry
    ) -> Iterator[VersionedEvent]:
        if isinstance(entry, log.CommitEntry):
            self.shuffle = Shuffle(entry.seed, entry.derivation)
            phases: tuple[Phase, ...] = () if self.results else ("TICHU.DEAL_PART1",)
            event = wire.Committed(round=entry.round, commit=self.shuffle.commit)
            yield self._tell(event, phases, table=True)
            return
        if self.shuffle is None:
            raise GameError("a nonce for a deal that nobody has committed to")
        before, event = self.shuffle, wire.Committed(round=self.round_number, commit=self.shuffle.commit)
        match entry:
            case log.NonceCommitEntry():
                self.shuffle = before.after_commitment(entry.seat, entry.commitment)
                yield self._tell(replace(event, what="nonce", seat=entry.seat), table=True)
            case log.FixEntry():
                self.shuffle = before._replace(is_fixed=True)
                yield self._tell(replace(event, what="set"), table=True)
            case log.NonceEntry():
                self.shuffle = before.after_nonce(entry.seat, entry.nonce)
                # What opens a commitment is shown with the cards.
                if self.shuffle.commitments != before.commitments:
                    yield self._tell(replace(event, what="nonce", seat=entry.seat), table=True)

    def _apply_settings(self, settings: str) -> None:
        """Other settings from the next game on; what the last one was stays in ``match``."""
        self.opened = replace(self.opened, settings=settings)
        self.settings = msgspec.json.decode(settings, type=Settings)
        self.rules, self.pace, self.ready = Rules.parse(self.settings.rules), self.settings.pace, frozenset()
        self.rules_text = str(self.rules)
        if self.stage == "open":
            self.match = Match(self.rules, start=self.settings.score)

    def _apply_seats(self, entry: log.SeatEntry) -> VersionedEvent:
        for seat, (before, after) in enumerate(zip(self.seats, entry.seats, strict=True)):
            if before is not None and before.player and (after is None or after.player != before.player):
                if self.game is not None:
                    self.knows[before.player] = seat
                elif self.shuffle is not None:
                    self.shuffle = self.shuffle.without(seat)
        self.seats, self.host, self.ready = entry.seats, entry.host, frozenset(entry.ready)
        if entry.what == "start":
            self.stage, self.game_id, self.final = "playing", entry.game, None
            self.results, self.match, self.game = (), Match(self.rules, start=self.settings.score), None
            self.shuffle, self.knows, self.rated = None, {}, entry.rated or log.RatedFacts()
            self.reserves = [float(self.settings.clock.reserve) if self.settings.clock else 0.0] * 4
        elif entry.what == "over":
            self.stage, self.final = "over", entry.seats
        return self._tell(wire.Seated(what=entry.what, seat=entry.seat), table=True)

    def _apply_deal(self, entry: log.DealEntry) -> Iterator[VersionedEvent]:
        if entry.position is not None:
            start = Round.from_position(entry.position, self.rules)
            self.game = Game(self.match, _GIVEN_AWAY, start)
        elif entry.deal is not None:
            self.game = self._known_start(entry) or begin_round(entry, self.match)
        else:
            raise GameError("a deal without cards")
        if self.game.round.is_over:
            raise GameError("a round that is over cannot be played")
        self.has_record = entry.position is None
        self.drafts, self.waits, self.knows, self.ready = [_NO_DRAFT] * 4, [0, 0, 0, 0], {}, frozenset()
        self.trick = NO_TRICK
        # A given beginning is not told, but what the table does with fresh cards is.
        given, automatic = (self.game.actions, ()) if entry.actions else ((), self.game.actions)
        for seat, action in given:
            self.trick = self.trick.after(seat, action, None)
        top = self.game.round.top
        if top is not None and not self.trick.plays:
            self.trick = Trick((Play(seat=self.game.round.owner, combination=combination(top)),))
        self.trick_version = self.version + 1
        # The first deal was announced when its seed was chosen.
        is_announced = self.shuffle is not None and not self.results
        phases = self._path(0) if is_announced else ("TICHU.DEAL_PART1", *self._path(0))
        yield self._tell(wire.Dealt(round=entry.round), phases, table=True, releases=True)
        for seat, action in automatic:
            yield from self._action_events(seat, action, None, self.game)

    def _known_start(self, entry: log.DealEntry) -> Game | None:
        given = self.given
        is_given = (entry.deal, entry.actions) == (self.settings.deal, self.settings.actions)
        return given if is_given and given is not None and given.match == self.match else None

    def _path(self, start: int) -> tuple[Phase, ...]:
        """The phases of the beginning of a round from ``start`` to where it is now."""
        way: list[Phase] = [
            "TICHU.DECLARE_GRAND_WINDOW",
            "TICHU.DEAL_PART2",
            "TICHU.EXCHANGE_SELECT",
            "TICHU.EXCHANGE_COMMIT",
            "TICHU.TRICK_PLAY",
        ]
        now = self.phase()
        if now not in way:
            return (now,)
        skipped: set[Phase] = set()
        if self.rules.grand == "no":
            skipped.add("TICHU.DECLARE_GRAND_WINDOW")
        if self.rules.exchange == "no":
            skipped |= {"TICHU.EXCHANGE_SELECT", "TICHU.EXCHANGE_COMMIT"}
        return tuple(phase for phase in way[start : way.index(now) + 1] if phase not in skipped)

    def _apply_action(self, entry: log.ActionEntry) -> Iterator[VersionedEvent]:
        if self.game is None:
            raise GameError("no round is on")
        seat, action = parse_action(entry.action)
        before, phase = self.game, self.phase()
        after = before.after_recorded(seat, action)
        self.game, self.match = after, after.match
        if entry.reserve is not None:
            self.reserves[seat] = entry.reserve
        self.rated = self.rated.after_decision(entry, seat, is_call=isinstance(action, CallTichu))
        news = after.actions[len(before.actions) :]
        told: list[VersionedEvent] = []
        for number, (actor, done) in enumerate(news):
            by = entry.by if number == 0 else None
            told += self._action_events(actor, done, by, after)
        if before.round.phase is CorePhase.GRAND and after.round.phase is not CorePhase.GRAND:
            callers = [caller for caller, call in enumerate(after.round.calls) if call is Call.GRAND]
            told += [self._tell(event_of(caller, CallGrand()), releases=True) for caller in callers]
        if after.round.is_over:
            told.append(self._round_over(after))
        elif told:
            told[-1] = told[-1]._replace(phases=self._phases_since(phase))
        yield from told

    def _phases_since(self, before: Phase) -> tuple[Phase, ...]:
        now = self.phase()
        if now == before:
            return ()
        if before == "TICHU.DECLARE_GRAND_WINDOW":
            return self._path(1)
        if before == "TICHU.EXCHANGE_SELECT":
            return self._path(3)
        return (now,)

    def _action_events(self, seat: int, action: Action, by: By, after: Game) -> Iterator[VersionedEvent]:
        top = after.round.top
        self.trick = self.trick.after(seat, action, top)
        match action:
            case DeclineBomb():
                return
            case CallGrand() | DeclineGrand() | Exchange():
                self.drafts[seat] = _NO_DRAFT
                hidden = private_event(seat, action, by)
                # A Grand decision is told as such when all have decided.
                own = replace(event_of(seat, action, by), what=hidden.what)
                yield self._tell(hidden, own=(seat, own), releases=True)
            case _:
                yield self._tell(event_of(seat, action, by, top))
                if isinstance(action, Combo | Take):
                    self.trick_version = self.version

    def _round_over(self, after: Game) -> VersionedEvent:
        outcome = after.round.outcome
        deal = format_deal(after.deal) if self.has_record else None
        proof = None if self.shuffle is None else self.shuffle.proof()
        result = log.Result(
            points=outcome.points,
            bonus=outcome.bonus,
            out=outcome.out,
            calls="".join(call.value for call in after.round.calls),
            deal=deal,
            actions=tuple(format_action(*one) for one in after.actions) if self.has_record else (),
        )
        if self.shuffle is not None and proof is not None:
            result = replace(
                result,
                commit=self.shuffle.commit,
                seed=proof.seed,
                nonces=proof.nonces,
                derivation=proof.derivation,
                nonce_commits=proof.commitments,
            )
        self.results = (*self.results, result)
        hands = tuple(card_list(hand) for hand in after.round.hands)
        event = wire.RoundOver(
            result=round_result(len(self.results) - 1, outcome, result.calls),
            deal=deal,
            proof=proof,
            hands=hands,
        )
        phases: tuple[Phase, ...] = ("TICHU.ROUND_END", "TICHU.NEXT_ROUND_OR_END")
        if self.match.winner is not None:
            phases = (*phases, "TICHU.GAME_END")
        self._end_round()
        return self._tell(event, phases, table=True, releases=True)

    def _apply_leave(self, entry: log.LeaveEntry) -> VersionedEvent:
        self.rated = replace(self.rated, left=entry.seat)
        self.stage, self.final, self.ready = "over", self.seats, frozenset()
        self._end_round()
        return self._tell(wire.Seated(what="left", seat=entry.seat), ("TICHU.GAME_END",), table=True)

    def _end_round(self) -> None:
        self.game, self.shuffle = None, None
        self.trick, self.knows = NO_TRICK, {}
        self.drafts, self.waits = [_NO_DRAFT] * 4, [0, 0, 0, 0]


def settings_of(first: log.Entry) -> Settings:
    """What the table was made with whose log begins like this.

    :raises GameError: no log does
    """
    if not isinstance(first, log.OpenEntry | log.Checkpoint):
        raise GameError("the log has no beginning")
    opened = first if isinstance(first, log.OpenEntry) else first.opened
    return msgspec.json.decode(opened.settings, type=Settings)
