"""What a command means in the rules: the core's actions behind the names of the wire."""

from tichu.core.actions import (
    CALL_GRAND,
    CALL_TICHU,
    DECLINE_BOMB,
    DECLINE_GRAND,
    NO_WISH,
    PASS,
    Action,
    DeclineBomb,
    Exchange,
    Take,
    Wish,
)
from tichu.core.cards import MAH_JONG, parse_card, parse_rank
from tichu.core.combos import Combo
from tichu.core.errors import NotationError, Reason
from tichu.core.legal import Legal
from tichu.server import wire
from tichu.server.table.refusals import Refusal, TableReason
from tichu.server.table.state import LoggedState
from tichu.server.table.translate import matching_readings, parse_hand

__all__ = ["actions_of", "draft_of"]


def actions_of(logged: LoggedState, seat: int, command: wire.Action, *, window: bool) -> tuple[Action, ...]:
    """The actions that a command stands for: one, or a play and its wish.

    :raises Refusal: it stands for nothing that the seat may do now
    """
    match command:
        case wire.PlayCards() | wire.PlayBomb():
            return _play(logged, seat, command, window=window)
        case wire.Pass():
            action: Action = PASS
        case wire.DeclareTichu():
            action = CALL_TICHU
        case wire.DeclareGrandTichu():
            action = CALL_GRAND
        case wire.DeclineGrandTichu():
            action = DECLINE_GRAND
        case wire.DeclineBomb():
            action = DECLINE_BOMB
        case wire.Wish():
            action = _wish(command.wish_rank)
        case wire.DragonDonate():
            action = Take(command.to_opponent_player_id)
        case wire.ConfirmExchange() | wire.SelectExchange():
            action = _exchange(logged, seat, command)
    # Only an answer to the question to bomb is about the question; the rest is about what follows it.
    view = logged.view(seat, window=window) if isinstance(action, DeclineBomb) else logged.plain_view(seat)
    _require(Legal(view), action)
    return (action,)


def _require(legal: Legal, action: Action) -> None:
    refusal = legal.refusal(action)
    if refusal is not None:
        raise Refusal(refusal)


def _play(
    logged: LoggedState, seat: int, command: wire.PlayCards | wire.PlayBomb, *, window: bool
) -> tuple[Action, ...]:
    cards = parse_hand(command.cards)
    declared = command.declared_combo
    is_bomb = isinstance(command, wire.PlayBomb)
    view = logged.view(seat, window=window) if is_bomb else logged.plain_view(seat)
    combos = matching_readings(cards, declared, Legal(view))
    if len(combos) > 1:
        raise Refusal(Reason.PHOENIX_AMBIGUOUS)
    combo = combos[0]
    if is_bomb and not combo.is_bomb:
        raise Refusal(Reason.NO_COMBINATION, "these cards are no bomb")
    if declared is None or declared.wish_rank is None:
        return (combo,)
    return combo, _wish_with(logged, combo, declared.wish_rank)


def _wish_with(logged: LoggedState, combo: Combo, rank: str) -> Wish:
    """§4.1: the wish that a play brings along."""
    if not combo.cards >> MAH_JONG & 1 or logged.rules.wish == "off":
        raise Refusal(Reason.NOT_IN_PHASE, "only the Mah Jong wishes")
    wish = _wish(rank)
    if wish.rank == 0 and logged.rules.wish == "must":
        raise Refusal(Reason.MUST_WISH)
    return wish


def _wish(rank: str) -> Wish:
    return NO_WISH if rank == "NONE" else Wish(parse_rank(rank))


def _exchange(logged: LoggedState, seat: int, command: wire.ConfirmExchange | wire.SelectExchange) -> Exchange:
    said = (command.left, command.partner, command.right)
    texts = logged.drafts[seat] if said == (None, None, None) else said
    cards = [_card(text) for text in texts if text is not None]
    if len(cards) != 3:
        raise Refusal(Reason.THREE_CARDS)
    return Exchange(*cards)


def draft_of(logged: LoggedState, seat: int, command: wire.SelectExchange) -> tuple[str | None, ...]:
    """The cards that a seat lays out for the exchange.

    :raises Refusal: it is not the time, or they are not its own
    """
    view = logged.plain_view(seat)
    said = (command.left, command.partner, command.right)
    cards = [_card(text) for text in said if text is not None]
    if logged.phase() != "TICHU.EXCHANGE_SELECT" or seat not in view.pending:
        raise Refusal(Reason.NOT_IN_PHASE)
    if len(set(cards)) != len(cards):
        raise Refusal(Reason.THREE_CARDS)
    if any(not view.hand >> card & 1 for card in cards):
        raise Refusal(Reason.NOT_IN_HAND)
    return said


def _card(text: str) -> int:
    try:
        return parse_card(text)
    except NotationError as error:
        raise Refusal(TableReason.BAD_CARD, str(error)) from None
