"""A bot's choice as a hint."""

from collections.abc import Sequence

from tichu.agents.base import Choice
from tichu.agents.reasons import in_words
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
)
from tichu.core.cards import format_card, format_rank
from tichu.core.combos import Combo
from tichu.server.table.translate import card_list, combination
from tichu.server.wire import Hinted

__all__ = ["hint_message"]


def hint_message(hint_id: str, seat: int, choice: Choice, names: Sequence[str]) -> Hinted:
    """What the bot would do, for a page that knows no rules."""
    action = choice.action
    cards: tuple[str, ...] = ()
    if isinstance(action, Combo):
        cards = card_list(action.cards)
    elif isinstance(action, Exchange):
        cards = tuple(format_card(card) for card in action.cards)
    rank = (format_rank(action.rank) if action.rank else "NONE") if isinstance(action, Wish) else None
    arguments = {
        name: value if isinstance(value, str | int | float) else str(value) for name, value in choice.arguments.items()
    }
    return Hinted(
        id=hint_id,
        text=format_action(seat, action),
        what=_what(action),
        cards=cards,
        combination=combination(action) if isinstance(action, Combo) else None,
        rank=rank,
        recipient=action.recipient if isinstance(action, Take) else None,
        code=choice.code,
        arguments=arguments,
        words=in_words(choice, names),
    )


def _what(action: Action) -> str:
    match action:
        case CallGrand():
            return "grand"
        case DeclineGrand():
            return "no_grand"
        case CallTichu():
            return "tichu"
        case Exchange():
            return "exchange"
        case Combo():
            return "play"
        case Pass():
            return "pass"
        case DeclineBomb():
            return "no_bomb"
        case Wish():
            return "wish"
        case Take():
            return "take"
