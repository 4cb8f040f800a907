"""Finished games for the page, which knows no rules: one view for every action."""

from collections.abc import Iterator
from typing import Final

from tichu.core.actions import Action, CallGrand, DeclineBomb, DeclineGrand, Exchange, format_action
from tichu.core.deals import format_deal
from tichu.core.game import Game
from tichu.core.match import Match
from tichu.core.record import Record, RoundRecord, replay, start_of
from tichu.core.round import Round
from tichu.server.table.translate import card_list, event_of, private_event, round_result
from tichu.server.table.trick import NO_TRICK
from tichu.server.table.views import LiveState, RoundInput, public_view, seat_view
from tichu.server.wire import Acted
from tichu.server.wire.requests import RoundViews, ViewStep

__all__ = ["replay_views"]

#: Times mean nothing when a game is over.
_LIVE: Final = LiveState(0.0)


def replay_views(record: Record, seat: int | None, only: int | None = None) -> tuple[RoundViews, ...]:
    """The game as a seat saw it, or with all hands; all of it, or one round.

    :raises GameError: the record cannot be replayed
    """
    match = Match(record.rules, start=start_of(record.tags))
    rounds = []
    for number, one in enumerate(record.rounds):
        states = tuple(replay(one, record.rules))
        if only is None or number == only:
            rounds.append(_round_views(number, one, states, match, seat))
        if states[-1].is_over:
            match = match.after(states[-1].outcome)
    return tuple(rounds)


def _round_views(
    number: int, one: RoundRecord, states: tuple[Round, ...], match: Match, seat: int | None
) -> RoundViews:
    end = states[-1]
    return RoundViews(
        round=number,
        deal=format_deal(one.deal),
        result=round_result(number, end.outcome, [call.value for call in end.calls]) if end.is_over else None,
        steps=tuple(_steps(one, states, match, seat)),
    )


def _steps(one: RoundRecord, states: tuple[Round, ...], match: Match, seat: int | None) -> Iterator[ViewStep]:
    trick = NO_TRICK
    for number, state in enumerate(states):
        text, event = "", None
        if number:
            actor, action = one.actions[number - 1]
            trick = trick.after(actor, action, state.top)
            text, event = _seen(actor, action, state, seat)
        given = RoundInput(state, trick, match.score)
        if seat is None:
            view = public_view(given, _LIVE)
        else:
            view = seat_view(Game(match, one.deal, state, one.actions[:number]).view(seat), given, _LIVE)
        hands = tuple(map(card_list, state.hands)) if seat is None else ()
        yield ViewStep(text=text, event=event, view=view, hands=hands)


def _seen(actor: int, action: Action, state: Round, seat: int | None) -> tuple[str, Acted | None]:
    """The action as the seat heard of it; questions to bomb are told to nobody else."""
    text = format_action(actor, action)
    is_open = seat is None or seat == actor
    match action:
        case DeclineBomb():
            return (text if is_open else ""), None
        case CallGrand() | DeclineGrand() | Exchange():
            event = event_of(actor, action) if is_open else private_event(actor, action)
        case _:
            event = event_of(actor, action, top=state.top)
    return event.text, event
