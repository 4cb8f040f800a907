"""Cards, combinations and events as a person reads them.

A card is shown by its rank and suit sign, ``7♠``; where the terminal cannot, by its two letters, ``7s``.
"""

from typing import Any, Final, NamedTuple

import click

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
)
from tichu.core.cards import (
    DOG,
    DRAGON,
    HIDDEN,
    MAH_JONG,
    PHOENIX,
    RANKS,
    Card,
    Cards,
    cards_of,
    format_card,
    points_of,
    rank_of,
    suit_of,
)
from tichu.core.combos import Combo, Kind
from tichu.core.errors import Reason

__all__ = [
    "PERSON",
    "PLAIN",
    "Events",
    "Look",
    "card_text",
    "cards_text",
    "combo_text",
    "event_text",
    "in_hand_order",
    "kind_text",
    "ordinal",
    "place",
    "points_text",
    "rank_text",
    "refusal_text",
    "seat_text",
    "short_combo_text",
    "trick_points",
    "tricks",
    "visible_width",
]

#: The seat of the person at the terminal.
PERSON: Final = 0

Events = tuple[tuple[int, Action], ...]

_PLACES: Final = ("you", "left", "partner", "right")
_SIGNS: Final = "♠♦♣♥"
# Swords are black: the terminal's own colour, so that they can be read on any background.
_COLOURS: Final = (None, "bright_blue", "green", "red")
_SPECIALS: Final = {MAH_JONG: "Mah Jong", DOG: "Dog", PHOENIX: "Phoenix", DRAGON: "Dragon"}
_PLURALS: Final = (
    *("twos", "threes", "fours", "fives", "sixes", "sevens", "eights", "nines", "tens"),
    *("jacks", "queens", "kings", "aces"),
)


class Look(NamedTuple):
    """What the terminal can show."""

    colour: bool = False
    #: Suit signs and lines instead of letters and dashes.
    signs: bool = True

    def paint(self, text: str, **style: Any) -> str:
        """The text in a style of click's, if there are colours."""
        return click.style(text, **style) if self.colour else text

    def faint(self, text: str) -> str:
        """What matters less."""
        return self.paint(text, dim=True)

    def strong(self, text: str) -> str:
        """What matters more."""
        return self.paint(text, bold=True)

    def draw(self, text: str) -> str:
        """Text with lines and signs, or what comes near them in ASCII."""
        return text if self.signs else text.translate(_ASCII)


PLAIN: Final = Look()

_ASCII: Final = str.maketrans("─│╭╮╰╯┬┴·…→♠♦♣♥", "-|++++++-.>    ")


def visible_width(text: str) -> int:
    """How many columns the text takes."""
    return len(click.unstyle(text))


def place(seat: int) -> str:
    """§1.1: where a seat is, seen by the person."""
    return _PLACES[(seat - PERSON) & 3]


def seat_text(seat: int, names: tuple[str, ...]) -> str:
    """``Ben (left)``."""
    return "you" if seat == PERSON else f"{names[seat]} ({place(seat)})"


def rank_text(rank: int) -> str:
    """As on the card: ``10``, ``J``."""
    return str(rank) if rank < 11 else "JQKA"[rank - 11]


def card_text(card: Card, look: Look) -> str:
    """One card.

    >>> card_text(4, Look()), card_text(4, Look(signs=False)), card_text(PHOENIX, Look())
    ('2♠', '2s', 'Phoenix')
    """
    if card in _SPECIALS:
        return _special(_SPECIALS[card], look)
    text = rank_text(rank_of(card)) + _SIGNS[suit_of(card)] if look.signs else format_card(card)
    return look.paint(text, fg=_COLOURS[suit_of(card)], bold=True)


def cards_text(cards: Cards, look: Look) -> str:
    """A set of cards, in the order of a hand."""
    return " ".join(card_text(card, look) for card in in_hand_order(cards)) or "no cards"


def in_hand_order(cards: Cards) -> list[Card]:
    """Mah Jong and Dog, the ranks, Phoenix and Dragon: as sets are written."""
    return sorted(cards_of(cards), key=lambda card: card + 56 if card in (PHOENIX, DRAGON) else card)


def combo_text(combo: Combo, look: Look) -> str:
    """The cards of a play, the Phoenix with what it stands for.

    >>> from tichu.core.combos import parse_combo
    >>> combo_text(parse_combo("7sP7"), PLAIN), combo_text(parse_combo("Ph"), PLAIN)
    ('7♠ Ph=7', 'Phoenix')
    """
    if combo.size == 1:
        return card_text(combo.cards.bit_length() - 1, look)
    return " ".join(_short_texts(combo, look))


def short_combo_text(combo: Combo, look: Look) -> str:
    """The same where there is little room.

    >>> from tichu.core.combos import parse_combo
    >>> short_combo_text(parse_combo("7sP7"), PLAIN), short_combo_text(parse_combo("Ph"), PLAIN)
    ('7♠Ph=7', 'Ph')
    """
    return "".join(_short_texts(combo, look))


def _short_texts(combo: Combo, look: Look) -> list[str]:
    texts = []
    for card in cards_of(combo.cards):
        rank, text = rank_of(card), card_text(card, look)
        if card in _SPECIALS:
            text = format_card(card)
            if card == PHOENIX and combo.size > 1:
                rank, text = combo.phoenix, f"{text}={rank_text(combo.phoenix)}"
            text = _special(text, look)
        texts.append((rank, card == PHOENIX, text))
    # The sort is stable; the Phoenix comes after the natural cards of its rank.
    return [text for _, _, text in sorted(texts, key=lambda one: one[:2])]


def _special(text: str, look: Look) -> str:
    return look.paint(text, fg="magenta", bold=True)


def kind_text(combo: Combo) -> str:
    """What kind of combination it is.

    >>> from tichu.core.combos import parse_combo
    >>> kind_text(parse_combo("7s7b")), kind_text(parse_combo("3s4b5g6r7s"))
    ('pair of sevens', 'straight of 5 up to 7')
    """
    plural = _PLURALS[combo.rank - 2] if combo.rank in RANKS else ""
    highest = rank_text(combo.rank) if combo.rank in RANKS else ""
    match combo.kind:
        case Kind.DOG:
            return "Dog"
        case Kind.SINGLE:
            return "single card"
        case Kind.PAIR:
            return f"pair of {plural}"
        case Kind.TRIPLE:
            return f"three {plural}"
        case Kind.FULL_HOUSE:
            return f"full house, {plural} high"
        case Kind.STRAIGHT:
            return f"straight of {combo.size} up to {highest}"
        case Kind.STAIRS:
            return f"stairs of {combo.size // 2} pairs up to {highest}"
        case Kind.TRIPLE_STAIRS:
            return f"stairs of {combo.size // 3} triples up to {highest}"
        case Kind.FOUR_STAIRS:
            return f"stairs of {combo.size // 4} fours up to {highest}"
        case Kind.FOUR:
            return f"BOMB: four {plural}"
        case Kind.STRAIGHT_FLUSH:
            return f"BOMB: straight flush of {combo.size} up to {highest}"


def ordinal(number: int) -> str:
    """``1st`` to ``4th``."""
    return ("1st", "2nd", "3rd", "4th")[number - 1]


def points_text(points: int) -> str:
    """``1 point``, ``-25 points``."""
    return f"{points} point{'' if points == 1 else 's'}"


def refusal_text(reason: Reason) -> str:
    """The reason as one sentence."""
    return f"{reason.value[0].upper()}{reason.value[1:]}."


def tricks(history: Events) -> list[Events]:
    """What happened from the first lead on, one trick each; the last one is in progress and may be empty."""
    found: list[list[tuple[int, Action]]] = [[]]
    for seat, action in history:
        if isinstance(action, CallGrand | DeclineGrand | Exchange | DeclineBomb):
            continue
        found[-1].append((seat, action))
        if isinstance(action, Take) or (isinstance(action, Combo) and action.kind == Kind.DOG):
            found.append([])
    return [tuple(trick) for trick in found]


def trick_points(trick: Events) -> int:
    """§1.4: what the cards of a trick are worth."""
    return sum(points_of(action.cards) for _, action in trick if isinstance(action, Combo))


def event_text(events: Events, names: tuple[str, ...], look: Look) -> str | None:
    """The last of some events as a sentence, or None if it is not worth one."""
    seat, action = events[-1]
    is_person = seat == PERSON
    who = look.strong("You" if is_person else names[seat])
    s = "" if is_person else "s"
    match action:
        case Combo():
            is_lead = not any(isinstance(earlier, Combo) for _, earlier in tricks(events[:-1])[-1])
            kind = "" if action.size == 1 else look.faint(f"  ({kind_text(action)})")
            return f"{who} {'lead' if is_lead else 'play'}{s} {combo_text(action, look)}{kind}"
        case Pass():
            return look.faint(f"{'You' if is_person else names[seat]} pass{'' if is_person else 'es'}")
        case CallGrand():
            return f"{who} call{s} {look.paint('GRAND TICHU', fg='yellow', bold=True)}!"
        case CallTichu():
            return f"{who} call{s} {look.paint('TICHU', fg='yellow', bold=True)}!"
        case Wish(0):
            return f"{who} wish{'' if is_person else 'es'} for nothing"
        case Wish(rank):
            wished = look.paint(rank_text(rank), fg="yellow", bold=True)
            return f"{who} wish{'' if is_person else 'es'} for {wished}: whoever can must play it"
        case Take(recipient):
            worth = points_text(trick_points(tricks(events[:-1])[-1]))
            if recipient is None:
                return f"{who} take{s} the trick: {worth}"
            return f"{who} give{s} the Dragon's trick to {seat_text(recipient, names)}: {worth}"
        case Exchange() if is_person:
            gifts = [f"{card_text(card, look)} to {names[PERSON + 1 + at]}" for at, card in enumerate(action.cards)]
            return f"{who} give {', '.join(gifts)}"
        case Exchange():
            came = [card for card in action.cards if card != HIDDEN]
            return f"{seat_text(seat, names)} gives you {card_text(came[0], look)}" if came else None
        case DeclineGrand() | DeclineBomb():
            return None
