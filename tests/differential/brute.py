"""What a hand can play, found by trying every subset of it and every rank for the Phoenix.

Slow and naive on purpose, written from §3, §4 and §6 of the rules alone: nothing here comes from the package.  A card
is its two characters, a rank a number (the Mah Jong 1, J Q K A 11 to 14, the Dragon 15, a lone Phoenix half more than
what it lies on), a combination what it is written as.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import combinations
from typing import NamedTuple

LETTERS = "23456789TJQKA"
SUITS = "sbgr"
DECK = ("Ma", "Do", *(rank + suit for rank in LETTERS for suit in SUITS), "Ph", "Dr")

STACKED = ("stairs of 3", "stairs of 4")
BOMBS = ("four", "straight flush")


class House(NamedTuple):
    """The fields of the rules that decide what can be played."""

    bombs: str = "anytime"
    equal_flush: str = "holds"
    stairs: str = "pairs"
    phoenix_grants_wish: str = "no"


class Found(NamedTuple):
    """Cards read as a combination."""

    kind: str
    size: int
    rank: float
    text: str
    #: The letters of the ranks that natural cards show, and of the one that the Phoenix stands for.
    natural: frozenset[str]
    phoenix: str = ""
    #: Of a straight flush.
    suit: str = ""


#: Of the cards that can be together.
RANK = {"Ma": 1} | {letter + suit: rank for rank, letter in enumerate(LETTERS, start=2) for suit in SUITS}


def every_combination(hand: Iterable[str]) -> list[Found]:
    """All combinations in a hand, stacked stairs included."""
    cards = sorted(hand, key=DECK.index)
    found: list[Found] = []
    for size in range(1, len(cards) + 1):
        for subset in combinations(cards, size):
            found += readings(subset)
    return found


def readings(cards: Sequence[str]) -> Iterator[Found]:
    """Everything that exactly these cards can be; they come in the order of the deck."""
    if len(cards) == 1:
        yield _single(cards[0])
        return
    if "Do" in cards or "Dr" in cards:
        return  # §4.2, §4.6
    natural = [card for card in cards if card != "Ph"]
    for stands_for, kind, rank in _shapes(tuple(RANK[card] for card in natural), len(natural) < len(cards)):
        yield _reading(natural, stands_for, kind, rank)


def _single(card: str) -> Found:
    if card == "Do":
        return Found("dog", 1, 0, "Do", frozenset())
    if card == "Dr":
        return Found("single", 1, 15, "Dr", frozenset())
    if card == "Ph":
        return Found("single", 1, 1.5, "Ph", frozenset())
    return Found("single", 1, RANK[card], card, frozenset() if card == "Ma" else frozenset(card[0]))


def _reading(natural: list[str], stands_for: int, kind: str, rank: int) -> Found:
    cards = list(natural)
    suit = ""
    if stands_for:
        # After the natural cards of its rank.
        place = sum(RANK[card] <= stands_for for card in natural)
        cards.insert(place, "P" + LETTERS[stands_for - 2])
    elif kind == "straight" and natural[0] != "Ma" and len({card[1] for card in natural}) == 1:
        kind, suit = "straight flush", natural[0][1]  # §3.2, §3.5
    shown = frozenset(card[0] for card in natural if card != "Ma")
    return Found(kind, len(cards), rank, "".join(cards), shown, LETTERS[stands_for - 2] if stands_for else "", suit)


@cache
def _shapes(natural: tuple[int, ...], with_phoenix: bool) -> list[tuple[int, str, int]]:
    """What cards of such ranks are, once or for each rank that the Phoenix can stand for (§4.4): 2 to A."""
    found = []
    for stands_for in range(2, 15) if with_phoenix else (0,):
        shape = _shape(tuple(sorted((*natural, stands_for) if stands_for else natural)))
        if shape is not None and not (stands_for and shape[0] == "four"):
            found.append((stands_for, *shape))
    return found


def _shape(ranks: tuple[int, ...]) -> tuple[str, int] | None:
    """§3.1, §3.2, §3.6: what cards of these ranks are, and what is compared."""
    different = sorted(set(ranks))
    counts = [ranks.count(rank) for rank in different]
    if len(different) == 1:
        kinds = {1: "single", 2: "pair", 3: "triple", 4: "four"}
        return (kinds[len(ranks)], ranks[0]) if len(ranks) in kinds else None
    if counts == [2, 3]:
        return "full house", different[1]
    if counts == [3, 2]:
        return "full house", different[0]
    if different != list(range(different[0], different[0] + len(different))) or len(set(counts)) != 1:
        return None
    if counts[0] == 1:
        return ("straight", different[-1]) if len(ranks) >= 5 else None
    if counts[0] <= 4:
        return f"stairs of {counts[0]}", different[-1]
    return None


def on_table(text: str) -> Found:
    """What lies on the table as a position writes it, ``P7`` a lone Phoenix on a seven."""
    if len(text) == 2 and text[0] == "P":
        return Found("single", 1, "123456789TJQKA".index(text[1]) + 1.5, text, frozenset())
    cards = [text[at : at + 2] for at in range(0, len(text), 2)]
    plain = sorted(("Ph" if card[0] == "P" else card for card in cards), key=DECK.index)
    [found] = [found for found in readings(plain) if found.text == text]
    return found


def beats(new: Found, top: Found, house: House) -> bool:
    """§3.3, §3.4, §4.3."""
    if new.kind == "straight flush" and top.kind == "straight flush":
        if new.size != top.size:
            return new.size > top.size
        if new.rank != top.rank:
            return new.rank > top.rank
        return house.equal_flush == "suit" and "gbrs".index(new.suit) > "gbrs".index(top.suit)
    if new.kind == "four" and top.kind == "four":
        return new.rank > top.rank
    if new.kind in BOMBS:
        return new.kind == "straight flush" or top.kind != "straight flush"
    if new.text == "Ph":
        return top.kind == "single" and top.rank != 15
    return new.kind == top.kind and new.size == top.size and new.rank > top.rank


def grants(found: Found, wish: str, house: House) -> bool:
    """§6.2, §6.3: whether this would fulfil the wish."""
    return wish in found.natural or (house.phoenix_grants_wish == "yes" and found.phoenix == wish)


def on_turn(found: list[Found], top: Found | None, wish: str, house: House) -> set[str]:
    """What may be played on a regular turn, with ``-`` for a pass; no wish is an empty text."""
    can = [one for one in found if house.stairs == "stacked" or one.kind not in STACKED]
    if top is not None:
        can = [one for one in can if beats(one, top, house)]
    if wish and any(grants(one, wish, house) for one in can):
        excused = house.bombs == "anytime" and top is not None  # §6.5
        return {one.text for one in can if grants(one, wish, house) or (excused and one.kind in BOMBS)}
    return {one.text for one in can} | ({"-"} if top is not None else set())


def thrown(found: list[Found], top: Found, house: House) -> set[str]:
    """Which bombs may be played on the table outside a turn."""
    return {one.text for one in found if one.kind in BOMBS and beats(one, top, house)}
