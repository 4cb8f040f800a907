"""Which combinations a hand can play: from tables, never from subsets.

Everything that concerns one rank (singles, pairs, triples, fours) is looked up by the rank's nibble.  Runs (straights,
stairs) are found in two steps: a few shifts tell where one can start, then its cards are multiplied out.  A "rank set"
is a set of ranks as the lowest bits of their nibbles, so ``>> 4`` is the next rank down.
"""

from collections.abc import Iterable
from typing import Final

from tichu.core.cards import DRAGON, MAH_JONG, PHOENIX, RANKS, Cards, cards_of
from tichu.core.combos import LONE_PHOENIX, Combo, Kind, readings
from tichu.core.rules import STANDARD, Rules

__all__ = ["bombs", "follows", "leads", "plays"]

_SUITED: Final[Cards] = (1 << 56) - 16
_LOWEST_BITS: Final = 0x11111111111111
_RANKS_2_TO_A: Final = _LOWEST_BITS & _SUITED
_PHOENIX_BIT: Final[Cards] = 1 << PHOENIX
_MAH_JONG_BIT: Final[Cards] = 1 << MAH_JONG

_Table = tuple[tuple[Combo, ...], ...]


def _shift(rank: int) -> int:
    """Where the nibble of a rank lies."""
    return 4 * (rank - 1)


# _SUBSETS[width][nibble]: the sets of that many cards of one rank, as nibbles.
_SUBSETS: Final = tuple(
    tuple(
        tuple(part for part in range(16) if part & ~nibble == 0 and part.bit_count() == width) for nibble in range(16)
    )
    for width in range(5)
)


def _of_one_rank(kind: Kind, width: int) -> tuple[_Table, ...]:
    """Per rank and nibble the combinations of ``width`` natural cards."""
    return tuple(
        tuple(
            tuple(Combo(kind, width, rank, part << _shift(rank)) for part in _SUBSETS[width][nibble])
            for nibble in range(16)
        )
        for rank in range(1, 15)
    )


def _of_one_rank_with_phoenix(kind: Kind, width: int) -> tuple[_Table, ...]:
    """The same with the Phoenix as one of the cards."""
    return tuple(
        tuple(
            tuple(
                Combo(kind, width, rank, part << _shift(rank) | _PHOENIX_BIT, rank)
                for part in _SUBSETS[width - 1][nibble]
            )
            for nibble in range(16)
        )
        for rank in range(1, 15)
    )


_PAIRS: Final = _of_one_rank(Kind.PAIR, 2)
_PHOENIX_PAIRS: Final = _of_one_rank_with_phoenix(Kind.PAIR, 2)
_TRIPLES: Final = _of_one_rank(Kind.TRIPLE, 3)
_PHOENIX_TRIPLES: Final = _of_one_rank_with_phoenix(Kind.TRIPLE, 3)
_FOURS: Final = _of_one_rank(Kind.FOUR, 4)
_SINGLES: Final = tuple(readings(1 << card)[0] for card in range(56))

# What can be led from one rank: the shift of its nibble, then the combinations by nibble.
_LEADS: Final = tuple(
    (
        _shift(rank),
        tuple(
            tuple(_SINGLES[_shift(rank) + suit] for suit in range(4) if nibble >> suit & 1)
            + _PAIRS[rank - 1][nibble]
            + _TRIPLES[rank - 1][nibble]
            + _FOURS[rank - 1][nibble]
            for nibble in range(16)
        ),
    )
    for rank in RANKS
)
_PHOENIX_LEADS: Final = tuple(
    (
        _shift(rank),
        tuple(_PHOENIX_PAIRS[rank - 1][nibble] + _PHOENIX_TRIPLES[rank - 1][nibble] for nibble in range(16)),
    )
    for rank in RANKS
)


def plays(hand: Cards, top: Combo | None = None, rules: Rules = STANDARD) -> list[Combo]:
    """Every combination in the hand that can be led (no ``top``) or that beats ``top``, each reading once.

    >>> from tichu import parse_cards, parse_combo
    >>> hand = parse_cards("8s9s9b")
    >>> plays(hand)
    [Combo('8s'), Combo('9s'), Combo('9b'), Combo('9s9b')]
    >>> plays(hand, parse_combo("8b"))
    [Combo('9s'), Combo('9b')]
    """
    return leads(hand, rules) if top is None else follows(hand, top, rules)


def leads(hand: Cards, rules: Rules = STANDARD) -> list[Combo]:
    """Every combination in the hand.

    >>> from tichu import Rules, parse_cards
    >>> leads(parse_cards("DoKbPh"))
    [Combo('Do'), Combo('Ph'), Combo('Kb'), Combo('KbPK')]
    >>> hand = parse_cards("4s4b4g5s5b5g")
    >>> len(leads(hand)), len(leads(hand, Rules(stairs="stacked")))
    (29, 30)
    """
    found = [_SINGLES[card] for card in range(4) if hand >> card & 1]
    for shift, by_nibble in _LEADS:
        found += by_nibble[hand >> shift & 15]
    if hand & _PHOENIX_BIT:
        for shift, by_nibble in _PHOENIX_LEADS:
            found += by_nibble[hand >> shift & 15]
    _add_full_houses(found, hand, 0)
    _add_runs(found, hand, Kind.STRAIGHT, 1, 5)
    _add_runs(found, hand, Kind.STAIRS, 2, 2)
    if rules.stairs == "stacked":
        _add_runs(found, hand, Kind.TRIPLE_STAIRS, 3, 2)
        _add_runs(found, hand, Kind.FOUR_STAIRS, 4, 2)
    _add_straight_flushes(found, hand, 5)
    return found


def follows(hand: Cards, top: Combo, rules: Rules = STANDARD) -> list[Combo]:
    """Every combination in the hand that beats ``top``."""
    found: list[Combo] = []
    match top.kind:
        case Kind.SINGLE:
            _add_singles(found, hand, top)
        case Kind.PAIR:
            _add_same_rank(found, hand, top.rank, _PAIRS, _PHOENIX_PAIRS)
        case Kind.TRIPLE:
            _add_same_rank(found, hand, top.rank, _TRIPLES, _PHOENIX_TRIPLES)
        case Kind.FULL_HOUSE:
            _add_full_houses(found, hand, top.rank)
        case Kind.STRAIGHT:
            _add_runs(found, hand, Kind.STRAIGHT, 1, top.size, above=top.rank)
        case Kind.STAIRS:
            _add_runs(found, hand, Kind.STAIRS, 2, top.size // 2, above=top.rank)
        case Kind.TRIPLE_STAIRS:
            _add_runs(found, hand, Kind.TRIPLE_STAIRS, 3, top.size // 3, above=top.rank)
        case Kind.FOUR_STAIRS:
            _add_runs(found, hand, Kind.FOUR_STAIRS, 4, top.size // 4, above=top.rank)
    return found + bombs(hand, top, rules)


def bombs(hand: Cards, top: Combo | None = None, rules: Rules = STANDARD) -> list[Combo]:
    """Every bomb in the hand, or every one that beats ``top``.

    >>> from tichu import parse_cards, parse_combo
    >>> hand = parse_cards("2s2b2g2r3s4s5s6s")
    >>> bombs(hand)
    [Combo('2s2b2g2r'), Combo('2s3s4s5s6s')]
    >>> bombs(hand, parse_combo("3s3b3g3r"))
    [Combo('2s3s4s5s6s')]
    """
    found: list[Combo] = []
    # §3.4: a straight flush beats four of a kind, so on one only its like and longer ones count.
    if top is None or top.kind != Kind.STRAIGHT_FLUSH:
        lowest = top.rank + 1 if top is not None and top.kind == Kind.FOUR else 2
        for shift in cards_of(_at_least(4, hand) >> _shift(lowest) << _shift(lowest)):
            found += _FOURS[shift // 4][15]
        _add_straight_flushes(found, hand, 5)
        return found
    _add_straight_flushes(found, hand, top.size)
    return [bomb for bomb in found if bomb.beats(top, rules.equal_flush)]


def _at_least(width: int, hand: Cards) -> int:
    """The ranks of which the hand holds at least ``width`` natural cards, as a rank set; rank 1 is the Mah Jong."""
    if width == 0:
        return _RANKS_2_TO_A  # §4.4: the Phoenix stands for nothing else.
    if width == 1:
        hand &= _SUITED | _MAH_JONG_BIT
        return (hand | hand >> 1 | hand >> 2 | hand >> 3) & _LOWEST_BITS
    swords, pagodas, jade, stars = hand, hand >> 1, hand >> 2, hand >> 3
    if width == 2:
        held = swords & pagodas | jade & stars | (swords | pagodas) & (jade | stars)
    elif width == 3:
        held = swords & pagodas & (jade | stars) | jade & stars & (swords | pagodas)
    else:
        held = swords & pagodas & jade & stars
    return held & _RANKS_2_TO_A


def _add_singles(found: list[Combo], hand: Cards, top: Combo) -> None:
    for card in cards_of(hand >> 4 * top.rank << 4 * top.rank):
        found.append(_SINGLES[card])
    if hand & _PHOENIX_BIT and top.cards != 1 << DRAGON:
        found.append(LONE_PHOENIX)
    if hand >> DRAGON & 1:
        found.append(_SINGLES[DRAGON])


def _add_same_rank(
    found: list[Combo], hand: Cards, above: int, natural: tuple[_Table, ...], with_phoenix: tuple[_Table, ...]
) -> None:
    phoenix = hand & _PHOENIX_BIT
    for rank in range(above + 1, 15):
        nibble = hand >> 4 * (rank - 1) & 15
        if nibble:
            found += natural[rank - 1][nibble]
            if phoenix:
                found += with_phoenix[rank - 1][nibble]


def _add_full_houses(found: list[Combo], hand: Cards, above: int) -> None:
    """§3.1: a triple and a pair of another rank; the Phoenix in either."""
    phoenix = hand & _PHOENIX_BIT
    pairs = _at_least(2, hand)
    triples = pairs if phoenix else _at_least(3, hand)
    if not triples or not pairs:
        return
    for triple_shift in cards_of(triples >> _shift(above + 1) << _shift(above + 1)):
        triple_rank = triple_shift // 4 + 1
        nibble = hand >> triple_shift & 15
        natural = [part << triple_shift for part in _SUBSETS[3][nibble]]
        joined = [part << triple_shift | _PHOENIX_BIT for part in _SUBSETS[2][nibble]] if phoenix else []
        for pair_shift in cards_of(_at_least(1, hand & _SUITED) if phoenix else pairs):
            if pair_shift == triple_shift:
                continue
            nibble = hand >> pair_shift & 15
            for part in _SUBSETS[2][nibble]:
                pair = part << pair_shift
                found += [Combo(Kind.FULL_HOUSE, 5, triple_rank, triple | pair) for triple in natural]
                found += [Combo(Kind.FULL_HOUSE, 5, triple_rank, triple | pair, triple_rank) for triple in joined]
            if phoenix:
                pair_rank = pair_shift // 4 + 1
                for part in _SUBSETS[1][nibble]:
                    pair = part << pair_shift | _PHOENIX_BIT
                    found += [Combo(Kind.FULL_HOUSE, 5, triple_rank, triple | pair, pair_rank) for triple in natural]


def _add_runs(found: list[Combo], hand: Cards, kind: Kind, width: int, ranks: int, above: int | None = None) -> None:
    """Straights (``width`` 1) and stairs: ``ranks`` ranks ending above ``above``, or, led, ``ranks`` and more."""
    full = _at_least(width, hand)
    part = _at_least(width - 1, hand) & _RANKS_2_TO_A if hand & _PHOENIX_BIT else 0
    natural, joined = full, part
    for shift in range(4, 4 * ranks, 4):
        joined = joined & full >> shift | natural & part >> shift
        natural &= full >> shift
    starts = natural | joined
    if above is not None:
        lowest = _shift(max(above - ranks + 2, 1))
        starts = starts >> lowest << lowest
    for start in cards_of(starts):
        _add_runs_from(found, hand, kind, width, ranks, start, above is None)


def _add_runs_from(
    found: list[Combo], hand: Cards, kind: Kind, width: int, ranks: int, start: int, longer: bool
) -> None:
    """The runs whose lowest nibble is at ``start``, growing by a rank at a time."""
    whole, one_less = _SUBSETS[width], _SUBSETS[width - 1]
    phoenix = hand & _PHOENIX_BIT
    natural: list[Cards] = [0]
    joined: list[tuple[Cards, int]] = []  # with the Phoenix, and what it stands for
    for shift in range(start, 56 if longer else start + 4 * ranks, 4):
        rank = shift // 4 + 1
        nibble = hand >> shift & 15 if shift else hand & _MAH_JONG_BIT
        added = [subset << shift for subset in whole[nibble]]
        joined = [(cards | more, stands_for) for cards, stands_for in joined for more in added]
        if phoenix and shift:
            joined += [(cards | subset << shift, rank) for cards in natural for subset in one_less[nibble]]
        natural = [cards | more for cards in natural for more in added]
        if not natural and not joined:
            return
        grown = (shift - start) // 4 + 1
        if grown < ranks:
            continue
        size = grown * width
        if kind == Kind.STRAIGHT and start:
            # §3.2: suited natural cards are a bomb, not a straight.
            suited = _suited_run(start, grown)
            found += [Combo(kind, size, rank, cards) for cards in natural if cards not in suited]
        else:
            found += [Combo(kind, size, rank, cards) for cards in natural]
        found += [Combo(kind, size, rank, cards | _PHOENIX_BIT, stands_for) for cards, stands_for in joined]


def _suited_run(start: int, ranks: int) -> tuple[Cards, ...]:
    """The four sets of ``ranks`` consecutive cards of one suit."""
    swords = ((1 << 4 * ranks) // 15) << start
    return swords, swords << 1, swords << 2, swords << 3


def _add_straight_flushes(found: list[Combo], hand: Cards, least: int) -> None:
    suited = hand & _SUITED
    # Bits from which five cards of one suit run upward.
    starts = suited & suited >> 4 & suited >> 8 & suited >> 12 & suited >> 16
    for card in cards_of(starts):
        cards = 0x1111 << card
        for top in range(card + 16, 56, 4):
            if not suited >> top & 1:
                break
            cards |= 1 << top
            size = (top - card) // 4 + 1
            if size >= least:
                found.append(Combo(Kind.STRAIGHT_FLUSH, size, top // 4 + 1, cards))


def fulfils(combo: Combo, rank: int, rules: Rules) -> bool:
    """§6.2, §6.3: whether playing this grants a wish for ``rank``."""
    if combo.cards >> 4 * (rank - 1) & 15:
        return True
    # A lone Phoenix to be played stands for 1, which nobody can wish for.
    return rules.phoenix_grants_wish == "yes" and combo.phoenix == rank


def any_fulfils(combos: Iterable[Combo], rank: int, rules: Rules) -> bool:
    """Whether one of these would grant the wish."""
    return any(fulfils(combo, rank, rules) for combo in combos)
