"""The state of a table as clients see it; a seat's view is made from the core's view of that seat alone."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from msgspec import structs

from tichu.agents.suggestions import groups
from tichu.core.actions import PASS
from tichu.core.cards import HIDDEN, MAH_JONG, RANKS, format_card, format_rank
from tichu.core.combos import Combo, Kind
from tichu.core.fairness import commit_of
from tichu.core.legal import Legal
from tichu.core.phases import Call, partner_of
from tichu.core.phases import Phase as CorePhase
from tichu.core.plays import bombs
from tichu.core.position import format_view
from tichu.core.view import View
from tichu.server.table.state import LoggedState, round_result
from tichu.server.table.timing import WAITS
from tichu.server.table.translate import card_list, combination
from tichu.server.wire import (
    Combination,
    Decision,
    Gift,
    SeatState,
    SeatTime,
    SeatView,
    TableState,
    Top,
    Window,
)

__all__ = ["LiveState", "decision_of", "milliseconds", "public_view", "seat_view", "table_state"]

#: Every bomb beats it, so it asks for all bombs of a hand.
_WEAKEST: Final = Combo(Kind.SINGLE, 1, 1, 1 << MAH_JONG)
_WISHES: Final = tuple(format_rank(rank) for rank in RANKS)


class LiveState(NamedTuple):
    """What is true only now and not in the log: times and presence."""

    now: float
    window: tuple[float, float] | None = None
    clocks: tuple[SeatTime, ...] = ()
    auto_pass: str = "off"


def milliseconds(seconds: float) -> int:
    """Times on the wire."""
    return round(1000 * seconds)


def decision_of(view: View, *, must_give: bool) -> Decision | None:
    """What the seat is to decide."""
    if view.seat not in view.pending:
        return None
    match view.phase:
        case CorePhase.GRAND:
            return "grand"
        case CorePhase.EXCHANGE:
            return "exchange"
        case CorePhase.PLAY:
            return "play"
        case CorePhase.WISH:
            return "wish"
        case CorePhase.BOMB:
            return "bomb"
        case CorePhase.TAKE if must_give:
            return "gift"
        case _:
            return None


def seat_view(logged: LoggedState, seat: int, live: LiveState) -> SeatView:
    """The round as the seat sees it, with what it may do."""
    if logged.game is None:
        return _between_rounds(logged, seat, live)
    view = logged.view(seat, window=live.window is not None)
    legal = Legal(view)
    decision = decision_of(view, must_give=logged.must_give())
    suggested: tuple[Combination, ...] = ()
    if decision == "play":
        suggested = tuple(combination(combo) for group in groups(view) for combo in group.combos)
    held = bombs(view.hand, _WEAKEST, view.rules) if view.hand.bit_count() >= 4 else []
    return SeatView(
        seat=seat,
        phase=logged.phase(),
        decision=decision,
        pending=view.pending,
        hand=card_list(view.hand),
        counts=view.counts,
        top=None if view.top is None else Top(combination=combination(view.top), owner=view.owner),
        trick=logged.trick,
        last_trick=logged.last_trick,
        last_taker=logged.last_taker,
        points=view.points,
        points_on_table=logged.game.round.points_on_table,
        wish=format_rank(view.wish) if view.wish else None,
        calls=tuple("?" if call is None else call.value for call in view.calls),
        out=view.out,
        draft=_gifts(seat, logged.drafts[seat]),
        given=_gifts(seat, [format_card(card) for card in view.given[seat] if card != HIDDEN]),
        received=tuple(Gift(seat=giver, card=format_card(card)) for giver, card in view.received()),
        may_call=legal.may_call,
        call_doubtful=bool(view.out) or view.calls[partner_of(seat)] not in (Call.NONE, None),
        may_pass=decision == "play" and legal.refusal(PASS) is None,
        recipients=view.recipients() if decision == "gift" else (),
        wishes=(_WISHES if view.rules.wish == "must" else (*_WISHES, "NONE")) if decision == "wish" else (),
        suggestions=suggested,
        bombs=tuple(combination(combo) for combo in held),
        can_bomb=any(legal.refusal(combo) is None for combo in held),
        window=_window(live),
        waits_left=WAITS - logged.waits[seat],
        clocks=live.clocks,
        auto_pass=live.auto_pass,  # type: ignore[arg-type]
        score=view.score,
        position=format_view(view),
        now=milliseconds(live.now),
    )


def _between_rounds(logged: LoggedState, seat: int | None, live: LiveState) -> SeatView:
    score = logged.match.score
    person = None if seat is None else logged.seats[seat]
    waits = logged.match.winner is None and bool(logged.results) and person is not None and person.player is not None
    return SeatView(
        seat=seat,
        phase=logged.phase(),
        decision="ready" if waits and person is not None and person.player not in logged.ready else None,
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
        score=score if seat is None or seat % 2 == 0 else score[::-1],
        position="",
        now=milliseconds(live.now),
    )


def public_view(logged: LoggedState, live: LiveState) -> SeatView:
    """The round as somebody without a seat may see it."""
    empty = _between_rounds(logged, None, live)
    if logged.game is None:
        return empty
    state = logged.game.round
    _, pending = logged.public()
    hidden = state.phase is CorePhase.GRAND
    calls = tuple("?" if hidden and seat not in pending else call.value for seat, call in enumerate(state.calls))
    return structs.replace(
        empty,
        pending=pending,
        counts=tuple(hand.bit_count() for hand in state.hands),
        top=None if state.top is None else Top(combination=combination(state.top), owner=state.owner),
        trick=logged.trick,
        last_trick=logged.last_trick,
        last_taker=logged.last_taker,
        points=state.points,
        points_on_table=state.points_on_table,
        wish=format_rank(state.wish) if state.wish else None,
        calls=calls,
        out=state.out,
    )


def _gifts(seat: int, cards: Sequence[str | None]) -> tuple[Gift, ...]:
    """For LEFT, PARTNER and RIGHT, who sit 1, 2 and 3 seats on."""
    return tuple(Gift(seat=(seat + at) & 3, card=card) for at, card in enumerate(cards, start=1) if card is not None)


def _window(live: LiveState) -> Window | None:
    if live.window is None:
        return None
    begins, ends = live.window
    return Window(begins=milliseconds(begins), ends=milliseconds(ends))


def table_state(logged: LoggedState, connected: frozenset[str], spectators: int) -> TableState:
    """What everybody may know about the table."""
    settings = logged.settings
    return TableState(
        id=logged.opened.id,
        code=logged.opened.code,
        name=settings.name,
        rules=str(logged.rules),
        preset=str(logged.rules).split(" ")[0],
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
            )
            for who in logged.seats
        ),
        spectators=spectators,
        # A game that began in the middle of a round has no record to look at.
        game=logged.game_id
        if logged.has_record and all(result.deal is not None for result in logged.results)
        else None,
        round=logged.round_number,
        score=logged.match.score,
        results=tuple(round_result(number, result) for number, result in enumerate(logged.results)),
        winner=logged.match.winner,
        commit=commit_of(bytes.fromhex(logged.seed)) if logged.seed else None,
    )
