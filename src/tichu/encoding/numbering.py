"""The numbers of the rank-level actions.

A rank-level action says everything about a decision but the suits: "a straight from 3 to 7, the Phoenix as the 5".
They are numbered block by block (:data:`BLOCKS`); within a block plays are ordered by length, then by their lowest
rank, then by the place of the Phoenix.  ``native/include/tichu/encoding.hpp`` computes the same numbers.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple, assert_never

from tichu.core.actions import (
    CALL_GRAND,
    CALL_TICHU,
    DECLINE_BOMB,
    DECLINE_GRAND,
    PASS,
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
from tichu.core.cards import DOG, RANKS, Card, cards_of, format_card, format_rank, rank_of
from tichu.core.combos import Combo, Kind

__all__ = [
    "ACTION_COUNT",
    "BLOCKS",
    "PICKING",
    "PLAYING",
    "Block",
    "Shape",
    "describe",
    "fixed_action",
    "number_of",
    "pick_number",
    "shape_at",
]


class Shape(NamedTuple):
    """Plays that differ in their suits alone."""

    kind: Kind
    #: The lowest rank; of a full house the triple.
    low: int
    #: How many ranks follow one another, and how many cards each has, the Phoenix included.
    ranks: int = 1
    width: int = 1
    #: The other rank of a full house.
    pair: int = 0
    #: What the Phoenix stands for, 0 without it.
    phoenix: int = 0
    #: A special card by itself, else -1.
    card: int = -1


class Block(NamedTuple):
    """Actions whose numbers follow one another."""

    name: str
    first: int
    size: int
    meaning: str


_STAIRS: Final = {Kind.STAIRS: (2, 7), Kind.TRIPLE_STAIRS: (3, 4), Kind.FOUR_STAIRS: (4, 3)}


def _runs(kind: Kind, width: int, lengths: range, lowest: int) -> Iterator[Shape]:
    for ranks in lengths:
        for low in range(lowest, 16 - ranks):
            yield Shape(kind, low, ranks, width)


def _with_phoenix(shapes: Iterator[Shape]) -> Iterator[Shape]:
    for shape in shapes:
        # §4.4: never the Mah Jong.
        for rank in range(max(shape.low, 2), shape.low + shape.ranks):
            yield shape._replace(phoenix=rank)


def _full_houses(variant: int) -> Iterator[Shape]:
    for triple in RANKS:
        for pair in RANKS:
            if pair != triple:
                yield Shape(Kind.FULL_HOUSE, triple, 1, 3, pair, (0, triple, pair)[variant])


def _play_blocks() -> Iterator[tuple[str, list[Shape], str]]:
    yield (
        "single",
        [
            *(Shape(Kind.DOG if card == DOG else Kind.SINGLE, 1, card=card) for card in range(4)),
            *(Shape(Kind.SINGLE, rank) for rank in RANKS),
        ],
        "Mah Jong, Dog, Phoenix, Dragon, then 2 to A",
    )
    for kind, width, name in ((Kind.PAIR, 2, "pair"), (Kind.TRIPLE, 3, "triple")):
        yield name, [Shape(kind, rank, 1, width) for rank in RANKS], "2 to A, natural"
        yield f"{name} with Phoenix", [Shape(kind, rank, 1, width, 0, rank) for rank in RANKS], "2 to A"
    yield "full house", [*_full_houses(0)], "by triple, then by pair, natural"
    yield "full house, Phoenix in the triple", [*_full_houses(1)], "by triple, then by pair"
    yield "full house, Phoenix in the pair", [*_full_houses(2)], "by triple, then by pair"
    straights = [*_runs(Kind.STRAIGHT, 1, range(5, 15), 1)]
    by_phoenix = "by length, lowest rank, rank of the Phoenix"
    yield "straight", straights, "by length (5 to 14), then lowest rank (1 is the Mah Jong)"
    yield "straight with Phoenix", [*_with_phoenix(iter(straights))], by_phoenix
    for kind, name in (
        (Kind.STAIRS, "stairs"),
        (Kind.TRIPLE_STAIRS, "triple stairs"),
        (Kind.FOUR_STAIRS, "four stairs"),
    ):
        width, longest = _STAIRS[kind]
        stairs = [*_runs(kind, width, range(2, longest + 1), 2)]
        yield name, stairs, f"by length (2 to {longest} ranks), then lowest rank"
        yield f"{name} with Phoenix", [*_with_phoenix(iter(stairs))], by_phoenix
    yield "four", [Shape(Kind.FOUR, rank, 1, 4) for rank in RANKS], "2 to A"
    yield (
        "straight flush",
        [*_runs(Kind.STRAIGHT_FLUSH, 1, range(5, 14), 2)],
        "by length (5 to 13), then lowest rank",
    )


_OTHER_BLOCKS: Final = (
    ("pass", 1, "§5.1"),
    ("decline bomb", 1, "§7.2"),
    ("take", 1, "§5.3, any trick but the Dragon's"),
    ("give left", 1, "§4.6: takes the Dragon's trick and gives it to LEFT"),
    ("give right", 1, "§4.6: gives it to RIGHT"),
    ("call Tichu", 1, "§2.2; the decision then comes again"),
    ("call Grand Tichu", 1, "§2.1"),
    ("decline Grand Tichu", 1, "§2.1"),
    ("wish", 14, "§4.1: for nothing, then for 2 to A"),
    ("give a card", 17, "§2.3: Mah Jong, Dog, Phoenix, Dragon, 2 to A; asked three times: LEFT, PARTNER, RIGHT"),
)


def _number_actions() -> tuple[tuple[Block, ...], tuple[Shape, ...]]:
    blocks: list[Block] = []
    shapes: list[Shape] = []
    first = 0
    for name, count, meaning in _OTHER_BLOCKS:
        blocks.append(Block(name, first, count, meaning))
        first += count
    for name, of_block, meaning in _play_blocks():
        blocks.append(Block(name, first, len(of_block), meaning))
        shapes += of_block
        first += len(of_block)
    return tuple(blocks), tuple(shapes)


_NUMBERED: Final = _number_actions()
#: All actions, in order.
BLOCKS: Final = _NUMBERED[0]
_SHAPES: Final = _NUMBERED[1]

PASSING, DECLINING_BOMB, TAKING, GIVING_LEFT, GIVING_RIGHT, CALLING_TICHU, CALLING_GRAND, DECLINING_GRAND = range(8)
WISHING: Final = 8
PICKING: Final = 22
PLAYING: Final = 39

#: How many rank-level actions there are.
ACTION_COUNT: Final = PLAYING + len(_SHAPES)

_NUMBERS: Final = {shape: number for number, shape in enumerate(_SHAPES, start=PLAYING)}


def shape_at(number: int) -> Shape:
    """What is played by a number from :data:`PLAYING` on."""
    return _SHAPES[number - PLAYING]


def pick_number(card: Card) -> int:
    """The number of giving this card away."""
    return PICKING + (card if card < 4 else 2 + rank_of(card))


def number_of(action: Action, seat: int) -> int:
    """The rank-level action that an action of the seat belongs to; an exchange has none, its three picks have.

    >>> number_of(PASS, 0), number_of(Wish(14), 0), ACTION_COUNT
    (0, 21, 1625)
    """
    match action:
        case Combo():
            return _NUMBERS[_shape_of(action)]
        case Pass():
            return PASSING
        case DeclineBomb():
            return DECLINING_BOMB
        case Take(recipient):
            if recipient is None:
                return TAKING
            return GIVING_LEFT if (recipient - seat) & 3 == 1 else GIVING_RIGHT
        case CallTichu():
            return CALLING_TICHU
        case CallGrand():
            return CALLING_GRAND
        case DeclineGrand():
            return DECLINING_GRAND
        case Wish(rank):
            return WISHING + (rank - 1 if rank else 0)
        case Exchange():
            raise ValueError("an exchange is three actions: see pick_number")
        case _:
            assert_never(action)


def _shape_of(combo: Combo) -> Shape:
    kind, size, rank, cards, phoenix = combo
    if size == 1:
        card = cards.bit_length() - 1
        return Shape(kind, 1, card=card) if card < 4 else Shape(kind, rank)
    if kind == Kind.FULL_HOUSE:
        pair = next(rank_of(card) for card in cards_of(cards & ~15) if rank_of(card) != rank)
        return Shape(kind, rank, 1, 3, pair, phoenix)
    if kind in (Kind.STRAIGHT, Kind.STRAIGHT_FLUSH):
        return Shape(kind, rank - size + 1, size, 1, 0, phoenix)
    if kind in _STAIRS:
        width = _STAIRS[kind][0]
        ranks = size // width
        return Shape(kind, rank - ranks + 1, ranks, width, 0, phoenix)
    return Shape(kind, rank, 1, size, 0, phoenix)


_FIXED: Final[dict[int, Action]] = {
    PASSING: PASS,
    DECLINING_BOMB: DECLINE_BOMB,
    TAKING: Take(),
    CALLING_TICHU: CALL_TICHU,
    CALLING_GRAND: CALL_GRAND,
    DECLINING_GRAND: DECLINE_GRAND,
}


def fixed_action(number: int, seat: int) -> Action:
    """The action of a number below :data:`PICKING`."""
    if number >= WISHING:
        return Wish(number - WISHING + 1 if number > WISHING else 0)
    if number in (GIVING_LEFT, GIVING_RIGHT):
        return Take((seat + (1 if number == GIVING_LEFT else 3)) & 3)
    return _FIXED[number]


def describe(number: int) -> str:
    """A number in words.

    >>> describe(0), describe(16), describe(1624)
    ('pass', 'wish 9', 'straight flush 2-A')
    """
    block = next(block for block in reversed(BLOCKS) if number >= block.first)
    if number >= PLAYING:
        return f"{block.name} {_ranks_in_words(shape_at(number))}"
    place = number - block.first
    if number >= PICKING:
        return f"{block.name} {format_card(place) if place < 4 else format_rank(place - 2)}"
    if number >= WISHING:
        return f"{block.name} {format_rank(place + 1) if place else '-'}"
    return block.name


def _ranks_in_words(shape: Shape) -> str:
    if shape.card >= 0:
        return format_card(shape.card)
    text = "1" if shape.low == 1 else format_rank(shape.low)
    if shape.ranks > 1:
        text += "-" + format_rank(shape.low + shape.ranks - 1)
    if shape.pair:
        text += " and " + format_rank(shape.pair)
    return text + (f", Phoenix as {format_rank(shape.phoenix)}" if shape.phoenix and shape.ranks > 1 else "")
