"""Finished games for the page, which knows no rules: one view for every action."""

from collections.abc import Iterator
from typing import Final

import msgspec
from msgspec.structs import replace as changed

from tichu.actions import Action, CallGrand, DeclineBomb, DeclineGrand, Exchange, format_action
from tichu.combos import Combo
from tichu.deals import format_deal
from tichu.game import Game
from tichu.match import Match
from tichu.record import Record, RoundRecord, replay
from tichu.round import Round
from tichu.server import entries as log
from tichu.server.protocol import Acted, RoundResult, SeatView
from tichu.server.protocol.http import RoundViews, ViewStep
from tichu.server.step import Settings
from tichu.server.table.combinations import shown_cards
from tichu.server.table.fold import Fold, open_action
from tichu.server.table.showing import Live, public_view, seat_view

__all__ = ["views_of"]

#: Times mean nothing when a game is over.
_LIVE: Final = Live(0.0)


def views_of(record: Record, seat: int | None, only: int | None = None) -> tuple[RoundViews, ...]:
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
    fold = Fold(log.Opened(at=0.0, id="", code="", secret="", host="", settings=settings))
    fold.match, fold.stage = match, "playing"
    for number, state in enumerate(states):
        fold.game = Game(match, one.deal, state, one.actions[:number])
        text, event = "", None
        if number:
            actor, action = one.actions[number - 1]
            if isinstance(action, Combo) and state.top is not None and state.top.cards == action.cards:
                action = state.top  # The lone Phoenix has its height only on the table.
            fold.lay(actor, action)
            text, event = _told(actor, action, format_action(*one.actions[number - 1]), seat)
        yield ViewStep(
            text=text,
            event=event,
            view=_view(fold, state, seat),
            hands=tuple(map(shown_cards, state.hands)) if seat is None else (),
        )


def _view(fold: Fold, state: Round, seat: int | None) -> SeatView:
    view = public_view(fold, _LIVE) if seat is None else seat_view(fold, seat, _LIVE)
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
