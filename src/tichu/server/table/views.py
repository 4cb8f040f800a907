"""The state of a table as clients see it; a seat's view is made from the core's view of that seat alone."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from msgspec import structs

from tichu.agents.suggestions import bombs_held, groups
from tichu.core.actions import PASS
from tichu.core.cards import HIDDEN, RANKS, format_rank
from tichu.core.legal import Legal
from tichu.core.phases import Call, partner_of
from tichu.core.phases import Phase as CorePhase
from tichu.core.position import format_view
from tichu.core.round import Round
from tichu.core.view import View
from tichu.server.log import Occupant
from tichu.server.table.seating import bot_avatar
from tichu.server.table.state import LoggedState
from tichu.server.table.timing import WAITS
from tichu.server.table.translate import CARD_TEXTS, Draft, card_list, combination, decision_of, phase_of
from tichu.server.table.trick import NO_TRICK, Trick
from tichu.server.wire import (
    Combination,
    FinalSeats,
    Gift,
    Phase,
    SeatState,
    SeatTime,
    SeatView,
    ShuffleState,
    TableState,
    Top,
    Window,
)

__all__ = [
    "LiveState",
    "Presence",
    "RoundInput",
    "TableViews",
    "milliseconds",
    "public_view",
    "seat_view",
    "table_state",
]

_WISHES: Final = tuple(format_rank(rank) for rank in RANKS)


class LiveState(NamedTuple):
    """What is true only now and not in the log: times and presence."""

    now: float
    window: tuple[float, float] | None = None
    clocks: tuple[SeatTime, ...] = ()
    auto_pass: str = "off"


class RoundInput(NamedTuple):
    """All that views of a round are made of, beside the core's view of the seat."""

    round: Round
    trick: Trick = NO_TRICK
    score: tuple[int, int] = (0, 0)
    draft: Draft = ()
    waits: int = 0
    #: Whose wish stands.
    wisher: int | None = None


def milliseconds(seconds: float) -> int:
    """Times on the wire."""
    return round(1000 * seconds)


class _Shared(NamedTuple):
    """What all seats see alike, made once for all of them."""

    phase: Phase
    top: Top | None
    points_on_table: int
    wish: str | None
    #: Not while Grand decisions are made and not yet shown.
    calls: tuple[str, ...]

    @classmethod
    def of(cls, state: Round) -> "_Shared":
        """From a round; no hand is looked at but for the cards that are in none."""
        return cls(
            phase_of(state),
            None if state.top is None else Top(combination=combination(state.top), owner=state.owner),
            state.points_on_table,
            format_rank(state.wish) if state.wish else None,
            _told_calls(state.calls),
        )


def _told_calls(calls: tuple[Call | None, ...]) -> tuple[str, ...]:
    return tuple(["?" if call is None else call.value for call in calls])


class TableViews:
    """The views of a table at one moment, each made once, when somebody looks."""

    def __init__(self, logged: LoggedState, now: float, live: Mapping[int, LiveState] | None = None) -> None:
        self._logged = logged
        self._now = now
        self._live = live or {}
        self._made: dict[int | None, SeatView | None] = {}
        #: Made for the first seat; nothing happens between two views of one moment.
        self._given: tuple[RoundInput, _Shared] | None = None

    def of(self, seat: int | None) -> SeatView | None:
        """What a seat sees, or somebody without one; None before the first game."""
        if seat not in self._made:
            live = None if seat is None else self._live.get(seat)
            self._made[seat] = self._view(seat, live or LiveState(self._now))
        return self._made[seat]

    def _view(self, seat: int | None, live: LiveState) -> SeatView | None:
        logged = self._logged
        if logged.stage == "open":
            return None
        if logged.game is None:
            score = logged.match.score
            own = score if seat is None or seat % 2 == 0 else score[::-1]
            return _idle_view(seat, logged.phase(), own, live, is_asked=seat is not None and _owes_ready(logged, seat))
        if self._given is None:
            given = RoundInput(logged.game.round, logged.trick, logged.match.score, wisher=logged.wisher())
            self._given = given, _Shared.of(given.round)
        given, shared = self._given
        if seat is None:
            return public_view(given, live)
        given = given._replace(draft=logged.drafts[seat], waits=logged.waits[seat])
        return seat_view(logged.view(seat, window=live.window is not None), given, live, shared)


def _owes_ready(logged: LoggedState, seat: int) -> bool:
    person = logged.seats[seat]
    waits = logged.winner is None and bool(logged.results)
    return waits and person is not None and person.player is not None and person.player not in logged.ready


def seat_view(view: View, given: RoundInput, live: LiveState, shared: _Shared | None = None) -> SeatView:
    """The round as the seat sees it, with what it may do."""
    shared = shared or _Shared.of(given.round)
    legal = Legal(view)
    decision = decision_of(view)
    suggested: tuple[Combination, ...] = ()
    if decision == "play":
        suggested = tuple([combination(combo) for group in groups(view) for combo in group.combos])
    held = bombs_held(view)
    seat = view.seat
    return SeatView(
        seat=seat,
        phase=shared.phase,
        decision=decision,
        pending=view.pending,
        hand=card_list(view.hand),
        counts=view.counts,
        top=shared.top,
        trick=given.trick.plays,
        last_trick=given.trick.last,
        last_taker=given.trick.taker,
        points=view.points,
        points_on_table=shared.points_on_table,
        wish=shared.wish,
        calls=shared.calls if view.calls is given.round.calls else _told_calls(view.calls),
        out=view.out,
        draft=_gifts(seat, given.draft),
        given=_gifts(seat, [CARD_TEXTS[card] for card in view.given[seat] if card != HIDDEN]),
        received=tuple([Gift(seat=giver, card=CARD_TEXTS[card]) for giver, card in view.received()]),
        may_call=legal.may_call,
        call_doubtful=bool(view.out) or view.calls[partner_of(seat)] not in (Call.NONE, None),
        may_pass=decision == "play" and legal.refusal(PASS) is None,
        recipients=view.recipients() if decision == "gift" else (),
        wishes=(_WISHES if view.rules.wish == "must" else (*_WISHES, "NONE")) if decision == "wish" else (),
        suggestions=suggested,
        bombs=tuple([combination(combo) for combo in held]),
        can_bomb=any(legal.refusal(combo) is None for combo in held),
        window=_window(live),
        waits_left=WAITS - given.waits,
        clocks=live.clocks,
        auto_pass=live.auto_pass,  # type: ignore[arg-type]
        score=view.score,
        position=format_view(view),
        now=milliseconds(live.now),
        wished_by=given.wisher,
        wish_owed=decision == "play" and legal.owes_wish,
    )


def _idle_view(seat: int | None, phase: Phase, score: tuple[int, int], live: LiveState, *, is_asked: bool) -> SeatView:
    """What there is to see between rounds."""
    return SeatView(
        seat=seat,
        phase=phase,
        decision="ready" if is_asked else None,
        pending=(),
        hand=(),
        counts=(0, 0, 0, 0),
        top=None,
        trick=(),
        last_trick=(),
        last_taker=None,
        points=(0, 0, 0, 0),
        points_on_table=0,
        wish=None,
        calls=("-", "-", "-", "-"),
        out=(),
        draft=(),
        given=(),
        received=(),
        may_call=False,
        call_doubtful=False,
        may_pass=False,
        recipients=(),
        wishes=(),
        suggestions=(),
        bombs=(),
        can_bomb=False,
        window=None,
        waits_left=0,
        clocks=(),
        auto_pass="off",
        score=score,
        position="",
        now=milliseconds(live.now),
    )


def public_view(given: RoundInput, live: LiveState) -> SeatView:
    """The round as somebody without a seat may see it."""
    state = given.round
    pending = state.pending
    if state.phase is CorePhase.BOMB:
        pending = state.view((pending[0] + 1) & 3).pending
    hidden = state.phase is CorePhase.GRAND
    calls = tuple("?" if hidden and seat not in pending else call.value for seat, call in enumerate(state.calls))
    return structs.replace(
        _idle_view(None, phase_of(state), given.score, live, is_asked=False),
        pending=pending,
        counts=tuple(hand.bit_count() for hand in state.hands),
        top=None if state.top is None else Top(combination=combination(state.top), owner=state.owner),
        trick=given.trick.plays,
        last_trick=given.trick.last,
        last_taker=given.trick.taker,
        points=state.points,
        points_on_table=state.points_on_table,
        wish=format_rank(state.wish) if state.wish else None,
        calls=calls,
        out=state.out,
        wished_by=given.wisher,
    )


def _gifts(seat: int, cards: Sequence[str | None]) -> tuple[Gift, ...]:
    """For LEFT, PARTNER and RIGHT, who sit 1, 2 and 3 seats on."""
    return tuple([Gift(seat=(seat + at) & 3, card=card) for at, card in enumerate(cards, start=1) if card is not None])


def _window(live: LiveState) -> Window | None:
    if live.window is None:
        return None
    begins, ends = live.window
    return Window(begins=milliseconds(begins), ends=milliseconds(ends))


class Presence(NamedTuple):
    """Who is there."""

    connected: frozenset[str]
    spectators: int
    #: When a seat counts as left, by seat.
    deadlines: Mapping[int, float] = {}
    #: Seats that want a pause, or to go on, and when a pause ends by itself.
    pause_asked: tuple[int, ...] = ()
    resumes_at: float | None = None
    #: Whose seat somebody would like to have, by seat.
    swap_wishes: Mapping[int, int] = {}


def table_state(logged: LoggedState, presence: Presence) -> TableState:
    """What everybody may know about the table."""
    settings, connected = logged.settings, presence.connected
    return TableState(
        id=logged.opened.id,
        code=logged.opened.code,
        name=settings.name,
        rules=logged.rules_text,
        preset=logged.rules_text.split(" ")[0],
        clock=settings.clock,
        private=settings.private,
        casual=settings.casual,
        host=logged.host,
        stage=logged.stage,
        seats=tuple(
            SeatState(name="", player=None, bot=None, connected=False, ready=False)
            if who is None
            else SeatState(
                name=who.name,
                player=who.player,
                bot=who.bot,
                connected=who.player in connected or who.bot is not None,
                ready=who.player is None or who.player in logged.ready,
                avatar=bot_avatar(who.name) if who.bot is not None else who.avatar,
                stand_in=who.stand_in,
                leaves_at=milliseconds(presence.deadlines[seat]) if seat in presence.deadlines else None,
                account=who.account,
                swap_with=presence.swap_wishes.get(seat),
            )
            for seat, who in enumerate(logged.seats)
        ),
        spectators=presence.spectators,
        game=logged.game_id if logged.has_whole_record else None,
        round=logged.round_number,
        score=logged.match.score,
        results=logged.round_results(),
        winner=logged.winner,
        commit=logged.shuffle.commit if logged.shuffle else None,
        shuffle=_shuffle_state(logged),
        pace=logged.pace,
        final=None if logged.final is None else _final_seats(logged.final),
        rated=settings.rated,
        match=logged.game_id if settings.rated else None,
        left=logged.rated.left,
        pause_asked=presence.pause_asked,
        resumes_at=None if presence.resumes_at is None else milliseconds(presence.resumes_at),
    )


def _final_seats(seats: Sequence[Occupant | None]) -> FinalSeats:
    return FinalSeats(
        names=tuple("" if who is None else who.name for who in seats),
        players=tuple("" if who is None else who.player or "" for who in seats),
    )


def _shuffle_state(logged: LoggedState) -> ShuffleState | None:
    shuffle = logged.shuffle
    if shuffle is None:
        return None
    # A nonce that is known too early could be answered with another one, or with silence.
    nonces = ("", "", "", "") if logged.game is None else shuffle.nonces
    return ShuffleState(
        derivation=shuffle.derivation, commitments=shuffle.commitments, fixed=shuffle.is_fixed, nonces=nonces
    )
