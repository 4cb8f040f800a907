"""The lines that a round has in a log, if nothing is unusual but the order of suits."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple, assert_never

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
from tichu.core.cards import MAH_JONG, Card, Cards
from tichu.core.combos import Combo, Kind
from tichu.core.errors import NotationError
from tichu.core.plays import bombs
from tichu.core.record import RoundRecord
from tichu.core.rules import PRESETS
from tichu.formats.bsw.lines import CARD_TEXTS, RANK_TEXTS, Line, LineKind
from tichu.formats.bsw.order import hand_order, has_choice, play_order, sort_hand, sort_play

__all__ = ["BSW_RULES", "Layout", "bomb_holders", "layout_of", "lines_of"]

BSW_RULES: Final = PRESETS["brettspielwelt"]


class Layout(NamedTuple):
    """The layout of a round; the default is the usual one."""

    #: The orders of suits: by seat in the first eight cards, by seat in all fourteen, by play.
    eights: str = ""
    hands: str = ""
    plays: str = ""
    #: What else is different.
    edits: tuple[str, ...] = ()


def layout_of(one: RoundRecord, lines: Sequence[Line]) -> Layout:
    """The orders of suits in the lines that the round was read from."""
    hands = {LineKind.EIGHTS: [""] * 4, LineKind.HANDS: [""] * 4}
    section = LineKind.EIGHTS
    for line in lines:
        if line.kind in hands:
            section = line.kind
        elif line.kind is LineKind.HAND:
            hands[section][line.seat] = hand_order(line.cards)
    written = [line.cards for line in lines if line.kind is LineKind.PLAY]
    played = [action for _, action in one.actions if isinstance(action, Combo)]
    plays = [play_order(combo, cards) for combo, cards in zip(played, written, strict=True) if has_choice(combo)]
    return Layout(_join_orders(hands[LineKind.EIGHTS]), _join_orders(hands[LineKind.HANDS]), _join_orders(plays))


def _join_orders(orders: Sequence[str]) -> str:
    return "/".join(orders) if any(orders) else ""


def _split_orders(orders: str, number: int) -> list[str]:
    parts = orders.split("/") if orders else [""] * number
    if len(parts) != number:
        raise NotationError(f"{orders!r} has the orders of {len(parts)} lists of cards, not of {number}")
    return parts


def bomb_holders(hands: Sequence[Cards]) -> tuple[int, ...]:
    """The seats that hold a bomb."""
    anything = Combo(Kind.SINGLE, 1, 1, 1 << MAH_JONG)
    return tuple(seat for seat, hand in enumerate(hands) if bombs(hand, anything, BSW_RULES))


def lines_of(one: RoundRecord, layout: Layout) -> list[str]:
    """The patterns of the lines of a round, before any edit.

    :raises NotationError: there is no line for an action, or the layout does not fit
    """
    return [*_Writer(one, layout).lines()]


class _Writer:
    """A round being written."""

    def __init__(self, one: RoundRecord, layout: Layout) -> None:
        self.one = one
        self.eight_orders = _split_orders(layout.eights, 4)
        self.hand_orders = _split_orders(layout.hands, 4)
        choices = [action for _, action in one.actions if isinstance(action, Combo) and has_choice(action)]
        self.play_orders = iter(_split_orders(layout.plays, len(choices)))
        self.hands = [eight | six for eight, six in one.deal]
        #: By seat, whether it calls Grand Tichu.
        self.grand: dict[int, bool] = {}
        self.gifts: dict[int, Exchange] = {}

    def lines(self) -> Iterator[str]:
        yield LineKind.EIGHTS.value
        yield from _hand_lines([eight for eight, _ in self.one.deal], self.eight_orders)
        yield LineKind.HANDS.value
        yield from _hand_lines(self.hands, self.hand_orders)
        for number, (seat, action) in enumerate(self.one.actions):
            try:
                yield from self._action(seat, action)
            except NotationError as error:
                raise NotationError(f"action {number}, {format_action(seat, action)}: {error}") from None
        if len(self.grand) < 4:
            yield from self._grand_lines()
        elif len(self.gifts) < 4:
            yield from self._gift_lines()
        if self.one.score is not None:
            yield f"Ergebnis: {self.one.score[0]} - {self.one.score[1]}"

    def _action(self, seat: int, action: Action) -> Iterator[str]:
        match action:
            case CallGrand() | DeclineGrand():
                self.grand[seat] = isinstance(action, CallGrand)
                if len(self.grand) == 4:
                    yield from self._grand_lines()
            case CallTichu():
                if 0 < len(self.gifts) < 4:
                    raise NotationError("a .tch does not tell when in the exchange it was called")
                yield f"Tichu: {_player(seat)}"
            case Exchange():
                yield from self._exchange(seat, action)
            case Combo():
                suits = next(self.play_orders) if has_choice(action) else ""
                yield f"{_player(seat)}: {_text(sort_play(action, suits))}"
                self.hands[seat] &= ~action.cards
            case Pass():
                yield f"{_player(seat)} passt."
            case Wish(rank):
                if rank:
                    yield f"Wunsch:{RANK_TEXTS[rank - 2]}"
            case Take(recipient):
                if self.hands[seat]:  # An owner who is out has no line.
                    yield f"{_player(seat)} passt."
                if recipient is not None:
                    yield f"Drache an: {_player(recipient)}"
            case DeclineBomb():
                raise NotationError("a .tch has no line for it")
            case _:
                assert_never(action)

    def _grand_lines(self) -> Iterator[str]:
        yield from (f"Grosses Tichu: {_player(seat)}" for seat in range(4) if self.grand.get(seat))

    def _exchange(self, seat: int, exchange: Exchange) -> Iterator[str]:
        if seat in self.gifts:
            raise NotationError("a .tch has one exchange a seat")
        self.gifts[seat] = exchange
        if len(self.gifts) < 4:
            return
        yield from self._gift_lines()
        for giver, gifts in self.gifts.items():
            for distance, card in enumerate(gifts.cards, start=1):
                self.hands[giver] &= ~(1 << card)
                self.hands[(giver + distance) & 3] |= 1 << card
        holders = bomb_holders(self.hands)
        if holders:
            yield "BOMBE: " + "".join(f"{_player(holder)} " for holder in holders)
        yield LineKind.PLAYS.value

    def _gift_lines(self) -> Iterator[str]:
        yield LineKind.GIFTS.value
        for seat, exchange in sorted(self.gifts.items(), key=lambda gift: gift[0]):
            gifts = enumerate(exchange.cards, start=seat + 1)
            texts = [f"{{{receiver & 3}}}: {CARD_TEXTS[card]} - " for receiver, card in gifts]
            yield f"{_player(seat)} gibt: {''.join(texts)}"


def _player(seat: int) -> str:
    return f"({seat}){{{seat}}}"


def _text(cards: Sequence[Card]) -> str:
    """Every card is followed by a blank."""
    return "".join(f"{CARD_TEXTS[card]} " for card in cards)


def _hand_lines(hands: Sequence[Cards], orders: Sequence[str]) -> Iterator[str]:
    for seat, (hand, suits) in enumerate(zip(hands, orders, strict=True)):
        yield f"{_player(seat)} {_text(sort_hand(hand, suits))}"
