"""Finished games for the page, which knows no rules: one view for every action."""

from collections.abc import Iterator
from typing import Final

import msgspec
from msgspec.structs import replace as changed

from tichu.core.actions import Action, CallGrand, DeclineBomb, DeclineGrand, Exchange, format_action
from tichu.core.combos import Combo
from tichu.core.deals import format_deal
from tichu.core.game import Game
from tichu.core.match import Match
from tichu.core.record import Record, RoundRecord, replay
from tichu.core.round import Round
from tichu.server import log
from tichu.server.table.state import LoggedState, open_action
from tichu.server.table.translate import card_list
from tichu.server.table.views import LiveState, public_view, seat_view
from tichu.server.wire import Acted, RoundResult, SeatView
from tichu.server.wire.requests import RoundViews, ViewStep
from tichu.server.wire.settings import Settings

__all__ = ["replay_views"]

#: Times mean nothing when a game is over.
_LIVE: Final = LiveState(0.0)


def replay_views(record: Record, seat: int | None, only: int | None = None) -> tuple[RoundViews, ...]:
    """The game as a seat saw it, or with all hands; all of it, or one round.

    :raises GameError: the record cannot be replayed
    """
    match = Match(record.rules)
    rounds = []
    for number, one in enumerate(record.rounds):
        states = tuple(replay(one, record.rules))
        if only is None or number == only:
            rounds.append(_round(number, one, states, match, seat))
        if states[-1].is_over:
            match = match.after(states[-1].outcome)
    return tuple(rounds)


def _round(number: int, one: RoundRecord, states: tuple[Round, ...], match: Match, seat: int | None) -> RoundViews:
    return RoundViews(
        round=number,
        deal=format_deal(one.deal),
        result=_result(number, states[-1]) if states[-1].is_over else None,
        steps=tuple(_steps(one, states, match, seat)),
    )


def _steps(one: RoundRecord, states: tuple[Round, ...], match: Match, seat: int | None) -> Iterator[ViewStep]:
    settings = msgspec.json.encode(Settings(rules=str(match.rules))).decode()
    logged = LoggedState(log.OpenEntry(at=0.0, id="", code="", secret="", host="", settings=settings))
    logged.match, logged.stage = match, "playing"
    for number, state in enumerate(states):
        logged.game = Game(match, one.deal, state, one.actions[:number])
        text, event = "", None
        if number:
            actor, action = one.actions[number - 1]
            if isinstance(action, Combo) and state.top is not None and state.top.cards == action.cards:
                action = state.top  # The lone Phoenix has its height only on the table.
            logged.lay(actor, action)
            text, event = _told(actor, action, format_action(*one.actions[number - 1]), seat)
        yield ViewStep(
            text=text,
            event=event,
            view=_view(logged, state, seat),
            hands=tuple(map(card_list, state.hands)) if seat is None else (),
        )


def _view(logged: LoggedState, state: Round, seat: int | None) -> SeatView:
    view = public_view(logged, _LIVE) if seat is None else seat_view(logged, seat, _LIVE)
    # At the end nobody has a turn any more.
    return changed(view, phase="TICHU.ROUND_END") if state.is_over else view


def _told(actor: int, action: Action, text: str, seat: int | None) -> tuple[str, Acted | None]:
    """The action as the seat heard of it; questions to bomb are told to nobody else."""
    is_open = seat is None or seat == actor
    match action:
        case DeclineBomb():
            return (text if is_open else ""), None
        case CallGrand() | DeclineGrand():
            if not is_open:
                return str(actor), Acted(seat=actor, text=str(actor), what="grand_hidden")
            return text, Acted(seat=actor, text=text, what="grand" if isinstance(action, CallGrand) else "no_grand")
        case Exchange():
            text = text if is_open else f"{actor}>"
            return text, Acted(seat=actor, text=text, what="exchange")
        case _:
            return text, open_action(actor, action, text)


def _result(number: int, state: Round) -> RoundResult:
    outcome = state.outcome
    return RoundResult(
        round=number,
        points=outcome.points,
        bonus=outcome.bonus,
        score=outcome.score,
        out=outcome.out,
        calls=tuple(call.value for call in state.calls),
        double_victory=outcome.is_double_victory,
    )
