"""What a hint does at the table, in facts that a person can check: what it beats, what it keeps, whom it helps.

They are made from the view of the seat alone, so that a hint tells nothing that the seat could not see.
"""

from collections.abc import Iterator
from typing import Final

from tichu.agents.suggestions import bombs_held
from tichu.core.actions import Action, CallGrand, CallTichu, DeclineGrand, Exchange, Pass, Take
from tichu.core.cards import DRAGON, PHOENIX, Cards, format_card, parse_cards
from tichu.core.combos import Combo, Kind
from tichu.core.phases import Call, opponents_of, partner_of
from tichu.core.view import View
from tichu.server.table.translate import card_list, combination
from tichu.server.wire import HintFact

__all__ = ["hint_facts"]

_HIGH: Final = parse_cards("AsAbAgArPhDr")
_CALLED: Final = (Call.TICHU, Call.GRAND)
#: So few cards are soon gone.
_FEW: Final = 3
#: So many points make a trick worth a thought.
_MANY_POINTS: Final = 10


def hint_facts(view: View, action: Action, points_on_table: int) -> tuple[HintFact, ...]:
    """The facts about an action, the most important first."""
    match action:
        case Combo():
            return tuple(_play_facts(view, action, points_on_table))
        case Pass():
            return tuple(_pass_facts(view, points_on_table))
        case Exchange():
            card = (format_card(action.partner),)
            return (HintFact(code="gives_partner", seat=partner_of(view.seat), cards=card),)
        case Take(recipient) if recipient is not None:
            other = next(seat for seat in opponents_of(view.seat) if seat != recipient)
            if view.counts[recipient] > view.counts[other]:
                return (HintFact(code="more_cards", seat=recipient, count=view.counts[recipient]),)
            return ()
        case CallGrand() | CallTichu() | DeclineGrand():
            return tuple(_high_cards("holds", view.hand))
        case _:
            return ()


def _play_facts(view: View, combo: Combo, points: int) -> Iterator[HintFact]:
    rest, partner = view.hand & ~combo.cards, partner_of(view.seat)
    if not rest:
        yield HintFact(code="last")
    if combo.kind == Kind.DOG and partner not in view.out:
        yield HintFact(code="to_partner", seat=partner)
    if view.top is not None:
        code = "over_partner" if view.owner == partner else "stops" if _is_dangerous(view, view.owner) else "beats"
        yield HintFact(
            code=code,  # type: ignore[arg-type]
            seat=view.owner,
            combination=combination(view.top),
            count=view.counts[view.owner],
        )
        if points >= _MANY_POINTS:
            yield HintFact(code="points", count=points)
    bombs = [bomb for bomb in bombs_held(view) if not bomb.cards & combo.cards]
    if bombs:
        yield HintFact(code="keeps_bomb", combination=combination(bombs[-1]))
    elif bombs_held(view) and not combo.is_bomb:
        yield HintFact(code="splits_bomb")
    if rest:
        yield from _high_cards("keeps", rest)
        if rest.bit_count() <= _FEW:
            yield HintFact(code="left", count=rest.bit_count())


def _pass_facts(view: View, points: int) -> Iterator[HintFact]:
    partner = partner_of(view.seat)
    if view.owner == partner:
        code = "helps" if view.calls[partner] in _CALLED else "partner_holds"
        yield HintFact(code=code, seat=partner)  # type: ignore[arg-type]
    elif view.calls[partner] in _CALLED:
        yield HintFact(code="partner_called", seat=partner)
    elif points >= _MANY_POINTS:
        yield HintFact(code="points", count=points)
    yield from _high_cards("keeps", view.hand)


def _is_dangerous(view: View, seat: int) -> bool:
    """Somebody who has called, or is nearly out."""
    return view.calls[seat] in _CALLED or view.counts[seat] <= _FEW


def _high_cards(code: str, cards: Cards) -> Iterator[HintFact]:
    if cards & _HIGH:
        # The Dragon first, then the Phoenix.
        specials = [card for card in (DRAGON, PHOENIX) if cards >> card & 1]
        aces = cards & _HIGH & ~(1 << DRAGON | 1 << PHOENIX)
        yield HintFact(code=code, cards=(*map(format_card, specials), *card_list(aces)))  # type: ignore[arg-type]
