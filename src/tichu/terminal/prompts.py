"""What the person types, as forgiving as can be without guessing."""

import re
from enum import Enum
from typing import Final, NamedTuple

from tichu.core.cards import PHOENIX, Card, Cards, format_card, parse_card
from tichu.core.combos import Combo, readings
from tichu.core.errors import IllegalAction, Reason
from tichu.core.legal import Legal
from tichu.core.phases import opponents_of
from tichu.terminal.words import PERSON, place

__all__ = [
    "Command",
    "Misread",
    "Number",
    "Typed",
    "chosen_play",
    "parse_command",
    "parse_gift",
    "parse_play",
    "parse_typed",
    "parse_wish",
    "parse_yes",
]


class Misread(ValueError):
    """A text that means nothing here; the message is one sentence for the person."""


class Command(Enum):
    """What can be typed besides cards."""

    HELP = "help"
    HISTORY = "history"
    HINT = "hint"
    SCORE = "score"
    RULES = "rules"
    QUIT = "quit"
    BOMBS = "bombs"
    TICHU = "tichu"
    PASS = "pass"
    #: Look at the table again.
    TABLE = ""


class Number(NamedTuple):
    """The number of a suggestion."""

    value: int


class Typed(NamedTuple):
    """Cards in the order in which they were typed, and the rank that the Phoenix was said to stand for, or 0."""

    order: tuple[Card, ...]
    phoenix: int = 0

    @property
    def cards(self) -> Cards:
        """The cards as a set."""
        return sum(1 << card for card in self.order)


_COMMANDS: Final = {
    **{command.value: command for command in Command},
    "?": Command.HELP,
    "h": Command.HISTORY,
    "i": Command.HINT,
    "s": Command.SCORE,
    "r": Command.RULES,
    "q": Command.QUIT,
    "b": Command.BOMBS,
    "bomb": Command.BOMBS,
    "t": Command.TICHU,
    "p": Command.PASS,
    "-": Command.PASS,
    "exit": Command.QUIT,
}

# Replaced one after the other, so longer words come first; none can be read as cards, as "drag" could: DrAg.
_WORDS: Final = {
    "mah jong": "ma",
    "mahjong": "ma",
    "mah": "ma",
    "sparrow": "ma",
    "dog": "do",
    "hound": "do",
    "phoenix": "ph",
    "phnx": "ph",
    "dragon": "dr",
    "drgn": "dr",
}
_SIGNS: Final = str.maketrans("♠♦♣♥♤♢♧♡", "sbgrsbgr")
_RANK: Final = "10|[2-9tjqka]"
# A rank behind the Phoenix is what it stands for, unless a suit follows: then it is the next card.
_TOKEN: Final = re.compile(
    rf"ph?=?(?P<phoenix>{_RANK})(?![sbgr])|(?P<rank>{_RANK})(?P<suit>[sbgr])|(?P<special>ma|do|ph|dr)"
)
_BETWEEN: Final = re.compile(r"[\s,;.+&/]+")
_HINT: Final = "cards are written as 7s or 10r, and ma, do, ph, dr"


def parse_command(text: str) -> Command | None:
    """The command, or None if it is none."""
    return _COMMANDS.get(_plain(text))


def _plain(text: str) -> str:
    return " ".join(text.lower().split())


def parse_play(text: str) -> Command | Number | Typed:
    """Read whatever may be typed on one's turn.

    >>> parse_play("P"), parse_play("2"), parse_play("7B 7s").order
    (<Command.PASS: 'pass'>, Number(value=2), (25, 24))

    :raises Misread: nothing of it
    """
    command = parse_command(text)
    if command is not None:
        return command
    plain = _plain(text).lstrip("#").rstrip(").")
    if plain.isascii() and plain.isdigit():
        return Number(int(plain[:4]))
    return parse_typed(text)


def parse_typed(text: str) -> Typed:
    """Read cards in any order and case, with blanks or without.

    >>> parse_typed("10♠ j♥").order == parse_typed("tsJr").order
    True
    >>> parse_typed("ph=7 7s").phoenix, parse_typed("ph7s").phoenix
    (7, 0)
    >>> parse_typed("7x")
    Traceback (most recent call last):
    tichu.terminal.prompts.Misread: I cannot read '7x': cards are written as 7s or 10r, and ma, do, ph, dr.

    :raises Misread: with what could not be read
    """
    plain = _plain(text).translate(_SIGNS)
    for word, short in _WORDS.items():
        plain = plain.replace(word, short)
    plain = _BETWEEN.sub("", plain.replace(" =", "=").replace("= ", "="))
    order: list[Card] = []
    phoenix = 0
    at = 0
    while at < len(plain):
        token = _TOKEN.match(plain, at)
        if token is None:
            raise Misread(f"I cannot read {plain[at : at + 12]!r}: {_HINT}.")
        at = token.end()
        if token["phoenix"]:
            phoenix = _rank(token["phoenix"])
            card = PHOENIX
        elif token["rank"]:
            rank = "T" if token["rank"] == "10" else token["rank"].upper()
            card = parse_card(rank + token["suit"])
        else:
            card = parse_card(token["special"].capitalize())
        if card in order:
            raise Misread(f"{format_card(card)} is there twice.")
        order.append(card)
    if not order:
        raise Misread(f"I see no cards: {_HINT}.")
    return Typed(tuple(order), phoenix)


def _rank(text: str) -> int:
    return 10 if text == "10" else "23456789tjqka".index(text) + 2


def chosen_play(legal: Legal, typed: Typed) -> Combo:
    """The one legal way to play what was typed.

    :raises IllegalAction: there is none, or the Phoenix makes several (``PHOENIX_AMBIGUOUS``)
    """
    if typed.cards & ~legal.view.hand:
        raise IllegalAction(Reason.NOT_IN_HAND, legal.view.seat, typed.cards)
    if not typed.phoenix or len(typed.order) == 1:
        return legal.reading(typed.cards)
    refusal: Reason | None = Reason.NO_COMBINATION
    for combo in readings(typed.cards):
        if combo.phoenix == typed.phoenix:
            refusal = legal.refusal(combo)
            if refusal is None:
                return combo
    assert refusal is not None
    raise IllegalAction(refusal, legal.view.seat, typed.cards)


def parse_yes(text: str) -> bool:
    """Yes or no.

    >>> parse_yes("Y"), parse_yes("no")
    (True, False)

    :raises Misread: neither
    """
    plain = _plain(text)
    if plain in ("y", "yes"):
        return True
    if plain in ("n", "no"):
        return False
    raise Misread("Please answer y or n.")


def parse_wish(text: str) -> int:
    """A rank, or 0 for none.

    >>> parse_wish("10"), parse_wish("q"), parse_wish("none")
    (10, 12, 0)

    :raises Misread: no rank
    """
    plain = _plain(text)
    if plain in ("", "-", "0", "n", "no", "none", "nothing"):
        return 0
    words = {"ten": "10", "jack": "j", "queen": "q", "king": "k", "ace": "a"}
    rank = words.get(plain, plain)
    if re.fullmatch(_RANK, rank):
        return _rank(rank)
    raise Misread("A wish is a rank: 2 to 10, J, Q, K or A.")


def parse_gift(text: str, names: tuple[str, ...]) -> int:
    """The opponent that is meant: by number, place or the beginning of the name.

    :raises Misread: nobody, or not clear who
    """
    plain = _plain(text)
    opponents = opponents_of(PERSON)
    found = [
        seat
        for number, seat in enumerate(opponents, start=1)
        if plain and (plain == str(number) or place(seat).startswith(plain) or names[seat].lower().startswith(plain))
    ]
    if len(found) != 1:
        first, second = opponents
        raise Misread(f"Please answer 1 for {names[first]} or 2 for {names[second]}.")
    return found[0]
