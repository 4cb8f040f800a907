"""What a seat can do, and how it is written: the seat, a sign, an argument (``2:7s7b``, ``2?8``, ``2!3``).

A :class:`~tichu.core.combos.Combo` is an action by itself: to play it.
"""

from dataclasses import dataclass
from typing import Final, Never

from tichu.core.cards import HIDDEN, RANKS, Card, format_card_list, format_rank, parse_card_list, parse_rank
from tichu.core.combos import Combo, parse_combo
from tichu.core.errors import NotationError

__all__ = [
    "CALL_GRAND",
    "CALL_TICHU",
    "DECLINE_BOMB",
    "DECLINE_GRAND",
    "NO_WISH",
    "PASS",
    "TAKE",
    "Action",
    "CallGrand",
    "CallTichu",
    "DeclineBomb",
    "DeclineGrand",
    "Exchange",
    "Pass",
    "Take",
    "Wish",
    "format_action",
    "not_an_action",
    "parse_action",
]


@dataclass(frozen=True, slots=True)
class CallGrand:
    """§2.1: calls Grand Tichu on eight cards."""

    def __str__(self) -> str:
        return "+G"


@dataclass(frozen=True, slots=True)
class DeclineGrand:
    """§2.1: does not."""

    def __str__(self) -> str:
        return "-G"


@dataclass(frozen=True, slots=True)
class CallTichu:
    """§2.2: calls Tichu."""

    def __str__(self) -> str:
        return "+T"


@dataclass(frozen=True, slots=True)
class Exchange:
    """§2.3: gives one card to each other player.  Seen by others, their cards are :data:`HIDDEN`.

    >>> Exchange(left=4, partner=0, right=HIDDEN)
    Exchange('2sMa??')
    """

    left: Card
    partner: Card
    right: Card

    @property
    def cards(self) -> tuple[Card, Card, Card]:
        """For LEFT, PARTNER and RIGHT, who sit 1, 2 and 3 seats on (§1.1)."""
        return self.left, self.partner, self.right

    def __str__(self) -> str:
        return ">" + format_card_list(self.cards)

    def __repr__(self) -> str:
        are_cards = all(card in range(HIDDEN, 56) for card in self.cards)
        return f"Exchange({format_card_list(self.cards) if are_cards else self.cards!r})"


@dataclass(frozen=True, slots=True)
class Pass:
    """§5.1: plays nothing this turn."""

    def __str__(self) -> str:
        return ":-"


@dataclass(frozen=True, slots=True)
class DeclineBomb:
    """§7.2: asked, and does not bomb."""

    def __str__(self) -> str:
        return "-B"


@dataclass(frozen=True, slots=True)
class Wish:
    """§4.1: names a rank after the Mah Jong, or 0 for none.

    >>> Wish(14), Wish(0)
    (Wish('A'), Wish('-'))
    """

    rank: int

    def __str__(self) -> str:
        return f"?{format_rank(self.rank) if self.rank else '-'}"

    def __repr__(self) -> str:
        return f"Wish({str(self)[1:] if self.rank == 0 or self.rank in RANKS else self.rank!r})"


@dataclass(frozen=True, slots=True)
class Take:
    """§5.3: takes the trick; if the Dragon won it, gives it to ``recipient`` (§4.6).

    >>> Take(), Take(3)
    (Take(), Take(3))
    """

    recipient: int | None = None

    def __str__(self) -> str:
        return "!" if self.recipient is None else f"!{self.recipient}"

    def __repr__(self) -> str:
        return "Take()" if self.recipient is None else f"Take({self.recipient!r})"


Action = CallGrand | DeclineGrand | CallTichu | Exchange | Combo | Pass | DeclineBomb | Wish | Take

CALL_GRAND: Final = CallGrand()
DECLINE_GRAND: Final = DeclineGrand()
CALL_TICHU: Final = CallTichu()
PASS: Final = Pass()
DECLINE_BOMB: Final = DeclineBomb()
NO_WISH: Final = Wish(0)
TAKE: Final = Take()

_FIXED: Final[dict[str, Action]] = {
    str(action): action for action in (CALL_GRAND, DECLINE_GRAND, CALL_TICHU, PASS, DECLINE_BOMB, NO_WISH, TAKE)
}


def format_action(seat: int, action: Action) -> str:
    """The action as TTN.

    >>> format_action(2, Wish(8)), format_action(0, Exchange(4, 0, 5))
    ('2?8', '0>2sMa2b')
    """
    sign = ":" if isinstance(action, Combo) else ""
    return f"{seat}{sign}{action}"


def parse_action(text: str) -> tuple[int, Action]:
    """Read an action.

    >>> parse_action("2:7s7b"), parse_action("2!3")
    ((2, Combo('7s7b')), (2, Take(3)))
    >>> parse_action("4:-")
    Traceback (most recent call last):
    tichu.core.errors.NotationError: no seat '4' in '4:-'
    >>> parse_action("2=7s")
    Traceback (most recent call last):
    tichu.core.errors.NotationError: no action '2=7s'
    """
    if not text or text[0] not in "0123":
        raise NotationError(f"no seat {text[:1]!r} in {text!r}")
    seat, sign, rest = int(text[0]), text[1:2], text[2:]
    fixed = _FIXED.get(text[1:])
    if fixed is not None:
        return seat, fixed
    try:
        match sign:
            case ":":
                return seat, parse_combo(rest)
            case ">":
                return seat, _parse_exchange(rest)
            case "?":
                return seat, Wish(parse_rank(rest))
            case "!" if rest in ("0", "1", "2", "3"):
                return seat, Take(int(rest))
    except NotationError as error:
        raise NotationError(f"{error}, in {text!r}") from None
    raise NotationError(f"no action {text!r}")


def _parse_exchange(text: str) -> Exchange:
    cards = parse_card_list(text)
    shown = [card for card in cards if card != HIDDEN]
    if len(cards) != 3 or len(set(shown)) != len(shown):
        raise NotationError(f"an exchange is three different cards, not {text!r}")
    return Exchange(*cards)


def not_an_action(value: None, /) -> Never:
    """Refuse what is not an action, or none: ``assert_never`` with a hint for whoever sits at a prompt.

    >>> from tichu.core.round import Round
    >>> round = Round.from_position("9s/Kb/-/4s p1 0:8s 90/0/0/0 - ---- 2 -/-/-/-")
    >>> round.after(1, "Kb")
    Traceback (most recent call last):
    TypeError: 'Kb' is a text, not an action: write after(*parse_action("2:7s7b")) or after(2, parse_combo("7s7b"))
    >>> round.after(parse_action("1:Kb"))
    Traceback (most recent call last):
    TypeError: after() takes a seat and an action: after(2, Pass()), or after(*parse_action("2:-"))
    >>> round.after(1, parse_action("1:Kb"))
    Traceback (most recent call last):
    TypeError: (1, Combo('Kb')) is a seat and an action: after(*parse_action("2:-")) takes both
    >>> round.after(1, 7)
    Traceback (most recent call last):
    TypeError: 7 is not an action
    """
    given: object = value
    if given is None:
        raise TypeError('after() takes a seat and an action: after(2, Pass()), or after(*parse_action("2:-"))')
    if isinstance(given, str):
        raise TypeError(
            f'{given!r} is a text, not an action: write after(*parse_action("2:7s7b")) or after(2, parse_combo("7s7b"))'
        )
    if isinstance(given, tuple):
        raise TypeError(f'{given!r} is a seat and an action: after(*parse_action("2:-")) takes both')
    raise TypeError(f"{given!r} is not an action")
