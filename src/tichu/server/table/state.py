"""A table as its log tells it: each entry changes it, and is told to each seat as far as the seat may know.

Everything that must survive a restart is here.  Clocks, windows, presence and drafts of time are not: they begin anew.
"""

from collections import OrderedDict
from collections.abc import Iterator
from typing import Final, Literal, NamedTuple

import msgspec

from tichu.core.actions import (
    Action,
    CallGrand,
    CallTichu,
    DeclineBomb,
    DeclineGrand,
    Exchange,
    Pass,
    Take,
    Wish,
    format_action,
    parse_action,
)
from tichu.core.cards import DRAGON, format_rank
from tichu.core.combos import Combo, Kind
from tichu.core.deals import format_deal, parse_deal
from tichu.core.errors import GameError
from tichu.core.fairness import commit_of
from tichu.core.game import Game
from tichu.core.match import Match
from tichu.core.phases import Call
from tichu.core.phases import Phase as CorePhase
from tichu.core.plays import bombs
from tichu.core.round import Round
from tichu.core.rules import Rules
from tichu.core.scoring import Outcome
from tichu.core.view import View
from tichu.server import log
from tichu.server.table.replies import remember
from tichu.server.table.translate import card_list, combination
from tichu.server.wire import (
    Acted,
    Committed,
    Dealt,
    Emoted,
    Event,
    Opened,
    Paused,
    Phase,
    Play,
    Resumed,
    RoundOver,
    RoundResult,
    Said,
    Seated,
    Waited,
)
from tichu.server.wire.settings import Settings

__all__ = ["LoggedState", "VersionedEvent", "open_action", "round_result"]

By = Literal["clock", "bot"] | None
Stage = Literal["open", "playing", "paused", "over"]

_NO_DRAFT: Final = (None, None, None)
#: Commands remembered of each player, and of all.
_COMMANDS_OF_EACH: Final = 30
_COMMANDS_KEPT: Final = 150
_GIVEN_AWAY: Final = ((0, 0), (0, 0), (0, 0), (0, 0))


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


class LoggedState:
    """The state of a table after its entries so far."""

    def __init__(self, first: log.OpenEntry | log.Checkpoint) -> None:
        opened = first if isinstance(first, log.OpenEntry) else first.opened
        if first.format != log.FORMAT:
            raise GameError(f"a log of format {first.format}; this version reads format {log.FORMAT}")
        self.opened = opened
        self.settings = msgspec.json.decode(opened.settings, type=Settings)
        self.rules = Rules.parse(self.settings.rules)
        self.version = 0
        self.seats: tuple[log.Occupant | None, ...] = (None, None, None, None)
        self.host: str | None = opened.host
        self.ready: frozenset[str] = frozenset()
        self.stage: Stage = "open"
        self.paused_why: str | None = None
        self.game_id: str | None = None
        #: The version of the first event of the game, and of the last that changed the trick.
        self.trick_version = 0
        self.results: tuple[log.Result, ...] = ()
        self.match = Match(self.rules)
        #: The round in progress; None between rounds.
        self.game: Game | None = None
        self.has_record = True
        self.seed: str | None = None
        self.nonces: dict[int, str] = {}
        self.drafts: list[tuple[str | None, ...]] = [_NO_DRAFT] * 4
        self.waits = [0, 0, 0, 0]
        self.reserves = [float(self.settings.clock.reserve) if self.settings.clock else 0.0] * 4
        self.trick: tuple[Play, ...] = ()
        self.last_trick: tuple[Play, ...] = ()
        self.last_taker: int | None = None
        #: Persons who left a seat of this round, and which: they know its cards.
        self.knows: dict[str, int] = {}
        #: Commands that were carried out, as ``player id``, with the version after them.
        self.commands: OrderedDict[str, int] = OrderedDict()
        if isinstance(first, log.Checkpoint):
            self._restore(first)

    def _restore(self, point: log.Checkpoint) -> None:
        self.version = point.version
        self.seats, self.host = point.seats, point.host
        self.game_id, self.stage, self.ready = point.game, point.stage, frozenset(point.ready)
        self.results = point.results
        self.match = Match(
            self.rules, tuple(Outcome(result.points, result.bonus, result.out) for result in point.results)
        )
        self.reserves = list(point.reserves) or self.reserves
        self.commands = OrderedDict(point.commands)

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
            commands=dict(self.commands),
        )

    # What can be asked.

    @property
    def round_number(self) -> int:
        """The round in progress or to come, from 0."""
        return len(self.results)

    def seat_of(self, player: str) -> int | None:
        """Where a person sits."""
        return next((seat for seat, who in enumerate(self.seats) if who is not None and who.player == player), None)

    def persons(self) -> tuple[str, ...]:
        """The persons who have seats."""
        return tuple(who.player for who in self.seats if who is not None and who.player is not None)

    def plain_view(self, seat: int) -> View:
        """What the seat sees if it is not asked to bomb."""
        game = self._playing()
        view = game.view(seat)
        if view.phase is CorePhase.BOMB:
            other = game.round.view((seat + 1) & 3)
            view = view._replace(phase=other.phase, pending=other.pending, actor=-1)
        return view

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
        if self.game is None:
            if self.match.winner is not None:
                return "TICHU.GAME_END"
            return "TICHU.NEXT_ROUND_OR_END" if self.results else "TICHU.DEAL_PART1"
        phase, _ = self.public()
        match phase:
            case CorePhase.GRAND:
                return "TICHU.DECLARE_GRAND_WINDOW"
            case CorePhase.EXCHANGE:
                return "TICHU.EXCHANGE_SELECT"
            case CorePhase.TAKE if self.must_give():
                return "TICHU.DRAGON_DONATE"
            case _:
                return "TICHU.TRICK_PLAY"

    def must_give(self) -> bool:
        """Whether the trick on the table is the Dragon's and its owner chooses who gets it."""
        top = self._playing().round.top
        return self.rules.dragon == "choice" and top is not None and top.cards == 1 << DRAGON

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
            remember(self.commands, entry.command, self.version, each=_COMMANDS_OF_EACH, most=_COMMANDS_KEPT)
        return told

    def _apply(self, entry: log.Entry) -> Iterator[VersionedEvent]:
        match entry:
            case log.OpenEntry():
                yield self._tell(Opened(), table=True)
            case log.SeatEntry():
                yield self._seated(entry)
            case log.CommitEntry():
                self.seed, self.nonces = entry.seed, {}
                commit = commit_of(bytes.fromhex(entry.seed))
                phases: tuple[Phase, ...] = ("TICHU.DEAL_PART1",) if not self.results else ()
                yield self._tell(Committed(round=entry.round, commit=commit), phases, table=True)
            case log.NonceEntry():
                self.nonces[entry.seat] = entry.nonce
            case log.DealEntry():
                yield self._dealt(entry)
            case log.ActionEntry():
                yield from self._acted(entry)
            case log.DraftEntry():
                self.drafts[entry.seat] = entry.cards
            case log.WaitEntry():
                self.waits[entry.seat] += 1
                yield self._tell(Waited(seat=entry.seat))
            case log.PauseEntry():
                self.stage, self.paused_why = "paused", entry.why
                yield self._tell(Paused(why=entry.why), table=True)
            case log.ResumeEntry():
                self.stage, self.paused_why = "playing", None
                yield self._tell(Resumed(), table=True)
            case log.ChatEntry():
                seat = self.seat_of(entry.player)
                yield self._tell(Said(name=entry.name, player=entry.player, text=entry.text, seat=seat))
            case log.EmoteEntry():
                seat = self.seat_of(entry.player)
                yield self._tell(Emoted(name=entry.name, player=entry.player, emote=entry.emote, seat=seat))
            case log.Checkpoint():
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
        may = not self.trick if releases is None else releases
        return VersionedEvent(self.version, tuple(by_seat), public, phases, table, may)

    def _seated(self, entry: log.SeatEntry) -> VersionedEvent:
        if self.game is not None:
            for seat, (before, after) in enumerate(zip(self.seats, entry.seats, strict=True)):
                if before is not None and before.player and (after is None or after.player != before.player):
                    self.knows[before.player] = seat
        self.seats, self.host, self.ready = entry.seats, entry.host, frozenset(entry.ready)
        if entry.what == "start":
            self.stage, self.game_id = "playing", entry.game
            self.results, self.match, self.game = (), Match(self.rules), None
            self.seed, self.nonces, self.knows = None, {}, {}
            self.reserves = [float(self.settings.clock.reserve) if self.settings.clock else 0.0] * 4
        elif entry.what == "over":
            self.stage = "over"
        return self._tell(Seated(what=entry.what, seat=entry.seat), table=True)

    def _dealt(self, entry: log.DealEntry) -> VersionedEvent:
        if entry.position is not None:
            start = Round.from_position(entry.position, self.rules)
            self.game = Game(self.match, _GIVEN_AWAY, start)
        elif entry.deal is not None:
            self.game = _replayed(Game.start(parse_deal(entry.deal), match=self.match), entry.actions)
        else:
            raise GameError("a deal without cards")
        if self.game.round.is_over:
            raise GameError("a round that is over cannot be played")
        self.has_record = entry.position is None
        self.drafts, self.waits, self.knows, self.ready = [_NO_DRAFT] * 4, [0, 0, 0, 0], {}, frozenset()
        self.trick, self.last_trick, self.last_taker = (), (), None
        for seat, action in self.game.actions:
            self.lay(seat, action)
        top = self.game.round.top
        if top is not None and not self.trick:
            self.trick = (Play(seat=self.game.round.owner, combination=combination(top)),)
        self.trick_version = self.version + 1
        return self._tell(Dealt(round=entry.round), ("TICHU.DEAL_PART1", *self._path(0)), table=True, releases=True)

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

    def _acted(self, entry: log.ActionEntry) -> Iterator[VersionedEvent]:
        if self.game is None:
            raise GameError("no round is on")
        seat, action = parse_action(entry.action)
        before, phase = self.game, self.phase()
        after = before.after(seat, action)
        self.game, self.match = after, after.match
        if entry.reserve is not None:
            self.reserves[seat] = entry.reserve
        news = after.actions[len(before.actions) :]
        told: list[VersionedEvent] = []
        for number, (actor, done) in enumerate(news):
            by = entry.by if number == 0 else None
            told += self._told_action(actor, done, by, after)
        if before.round.phase is CorePhase.GRAND and after.round.phase is not CorePhase.GRAND:
            callers = [caller for caller, call in enumerate(after.round.calls) if call is Call.GRAND]
            told += [
                self._tell(Acted(seat=caller, text=f"{caller}+G", what="grand"), releases=True) for caller in callers
            ]
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

    def _told_action(self, seat: int, action: Action, by: By, after: Game) -> Iterator[VersionedEvent]:
        text = format_action(seat, action)
        top = after.round.top
        if isinstance(action, Combo) and top is not None and top.cards == action.cards:
            action = top  # The lone Phoenix has its height only on the table.
        self.lay(seat, action)
        match action:
            case DeclineBomb():
                return
            case CallGrand() | DeclineGrand():
                hidden = Acted(seat=seat, text=str(seat), what="grand_hidden", by=by)
                own = msgspec.structs.replace(hidden, text=text)
                yield self._tell(hidden, own=(seat, own), releases=True)
            case Exchange():
                self.drafts[seat] = _NO_DRAFT
                hidden = Acted(seat=seat, text=f"{seat}>", what="exchange", by=by)
                yield self._tell(hidden, own=(seat, msgspec.structs.replace(hidden, text=text)), releases=True)
            case _:
                yield self._tell(open_action(seat, action, text, by))
                if isinstance(action, Combo | Take):
                    self.trick_version = self.version

    def lay(self, seat: int, action: Action) -> None:
        """Put a turn on the table."""
        match action:
            case Combo(kind=Kind.DOG):
                dog = Play(seat=seat, combination=combination(action))
                self.trick, self.last_trick, self.last_taker = (), (dog,), None
            case Combo():
                self.trick = (*self.trick, Play(seat=seat, combination=combination(action)))
            case Pass():
                self.trick = (*self.trick, Play(seat=seat))
            case Take(recipient):
                taker = seat if recipient is None else recipient
                self.trick, self.last_trick, self.last_taker = (), self.trick, taker

    def _round_over(self, after: Game) -> VersionedEvent:
        outcome = after.round.outcome
        deal = format_deal(after.deal) if self.has_record else None
        nonces = tuple(self.nonces.get(seat, "") for seat in range(4)) if self.seed else ()
        result = log.Result(
            points=outcome.points,
            bonus=outcome.bonus,
            out=outcome.out,
            calls="".join(call.value for call in after.round.calls),
            deal=deal,
            actions=tuple(format_action(*one) for one in after.actions) if self.has_record else (),
            commit=commit_of(bytes.fromhex(self.seed)) if self.seed else "",
            seed=self.seed or "",
            nonces=nonces,
        )
        self.results = (*self.results, result)
        hands = tuple(card_list(hand) for hand in after.round.hands)
        event = RoundOver(
            result=round_result(len(self.results) - 1, result),
            deal=deal,
            seed=self.seed,
            nonces=nonces,
            hands=hands,
        )
        phases: tuple[Phase, ...] = ("TICHU.ROUND_END", "TICHU.NEXT_ROUND_OR_END")
        if self.match.winner is not None:
            phases = (*phases, "TICHU.GAME_END")
        self.game, self.seed, self.nonces = None, None, {}
        self.trick, self.last_trick, self.last_taker, self.knows = (), (), None, {}
        self.drafts, self.waits = [_NO_DRAFT] * 4, [0, 0, 0, 0]
        return self._tell(event, phases, table=True, releases=True)


def round_result(number: int, result: log.Result) -> RoundResult:
    """A finished round as clients see it."""
    points, bonus = result.points, result.bonus
    return RoundResult(
        round=number,
        points=points,
        bonus=bonus,
        score=(points[0] + bonus[0], points[1] + bonus[1]),
        out=result.out,
        calls=tuple(result.calls),
        double_victory=Outcome(points, bonus, result.out).is_double_victory,
    )


def open_action(seat: int, action: Action, text: str, by: By = None) -> Acted:
    """An action that everybody may see."""
    match action:
        case Combo():
            return Acted(seat=seat, text=text, what="play", combination=combination(action), by=by)
        case Pass():
            return Acted(seat=seat, text=text, what="pass", by=by)
        case Wish(rank):
            return Acted(seat=seat, text=text, what="wish", rank=format_rank(rank) if rank else "NONE", by=by)
        case Take(recipient):
            return Acted(seat=seat, text=text, what="take", recipient=recipient, by=by)
        case CallTichu():
            return Acted(seat=seat, text=text, what="tichu", by=by)
        case _:
            raise AssertionError(f"{text} is not for everybody")


def _replayed(game: Game, actions: tuple[str, ...]) -> Game:
    """The round after what has been played of it; what the table does by itself may be among it."""
    for number, text in enumerate(actions):
        seat, action = parse_action(text)
        if number < len(game.actions):
            if game.actions[number] != (seat, action):
                raise GameError(f"action {number}, {text}: the table does {format_action(*game.actions[number])} here")
            continue
        game = game.after(seat, action)
    return game
