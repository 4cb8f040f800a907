"""What cards can be played as, for whoever asks before playing them."""

from tichu.core.combos import readings
from tichu.core.errors import Reason
from tichu.core.legal import Legal
from tichu.core.phases import Phase as CorePhase
from tichu.server.table.refusals import Refusal
from tichu.server.table.state import LoggedState
from tichu.server.table.translate import combination, matching_readings, parse_hand
from tichu.server.wire import Check, Checked

__all__ = ["check_cards"]


def check_cards(logged: LoggedState, seat: int, check: Check, *, window: bool) -> Checked:
    """What the cards of a seat are, and whether they may be played now.

    :raises Refusal: there is nothing to be said about them
    """
    if logged.game is None:
        raise Refusal(Reason.NOT_IN_PHASE)
    cards = parse_hand(check.cards)
    view = logged.view(seat, window=window)
    if cards & ~view.hand:
        raise Refusal(Reason.NOT_IN_HAND)
    legal = Legal(view)
    if view.phase is CorePhase.BOMB:
        plain = Legal(logged.plain_view(seat))
        legal = plain if any(plain.refusal(combo) is None for combo in readings(cards)) else legal
    try:
        found = matching_readings(cards, None, legal)
    except Refusal as refusal:
        shapes = tuple(combination(combo) for combo in readings(cards))
        return Checked(id=check.id, readings=shapes, reason=refusal.reason.name, message=refusal.message)
    return Checked(id=check.id, readings=tuple(combination(combo) for combo in found))
