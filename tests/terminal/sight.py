"""Which cards a text shows, and which a seat may know."""

import re

from tichu import Cards, View, parse_cards
from tichu.core.cards import HIDDEN

_CARD = re.compile(r"(10|[2-9JQKA])([♠♦♣♥])")


def cards_in(text: str) -> Cards:
    """The suited cards in a text."""
    letters = {"♠": "s", "♦": "b", "♣": "g", "♥": "r"}
    cards = {rank.replace("10", "T") + letters[suit] for rank, suit in _CARD.findall(text)}
    return parse_cards("".join(cards) or "-")


def known(view: View) -> Cards:
    """What a seat can know: the hand, what was played, what it gave and got."""
    own = sum(1 << card for card in view.given[view.seat])
    got = sum(1 << card for _, card in view.received() if card != HIDDEN)
    return view.hand | view.played | own | got
