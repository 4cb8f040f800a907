"""The generator against a brute force over all subsets: the same plays for random hands, tables, wishes and rules."""

import re
from functools import cache
from pathlib import Path
from random import Random

import pytest

from tests.differential import brute
from tests.differential.brute import (
    DECK,
    LETTERS,
    SUITS,
    Found,
    House,
    every_combination,
    on_table,
    on_turn,
    thrown,
)
from tests.table import at
from tichu import Combo, Kind, Round, Rules, format_action, parse_action

RULES = [
    "standard",
    "classic",
    "courtesy",
    "single-round",
    "simple",
    "brettspielwelt",
    "standard stairs=stacked",
    "standard equal_flush=suit",
    "standard phoenix_grants_wish=yes",
    "standard bombs=ordered",
    "standard bombs=in-turn",
    "courtesy equal_flush=suit phoenix_grants_wish=yes",
    "single-round stairs=stacked bombs=anytime",
]
KINDS = {
    Kind.DOG: "dog",
    Kind.SINGLE: "single",
    Kind.PAIR: "pair",
    Kind.TRIPLE: "triple",
    Kind.FULL_HOUSE: "full house",
    Kind.STRAIGHT: "straight",
    Kind.STAIRS: "stairs of 2",
    Kind.TRIPLE_STAIRS: "stairs of 3",
    Kind.FOUR_STAIRS: "stairs of 4",
    Kind.FOUR: "four",
    Kind.STRAIGHT_FLUSH: "straight flush",
}

# Sets have no order that a seed could fix, so hands are tuples.
Cards = tuple[str, ...]


# Hands


def any_hand(rng: Random) -> Cards:
    return tuple(rng.sample(DECK, rng.randint(6, 10)))


def close_hand(rng: Random, size: int, width: int) -> Cards:
    """Cards of a few neighbouring ranks, often with the Phoenix and the Mah Jong."""
    low = rng.randint(0, 13 - width)
    near = [rank + suit for rank in LETTERS[low : low + width] for suit in SUITS]
    hand = rng.sample(near, min(size, len(near)))
    for special, chance in (("Ph", 0.5), ("Ma", 0.3 if low == 0 else 0.05), ("Do", 0.05), ("Dr", 0.05)):
        if rng.random() < chance:
            hand.pop(0)
            hand.append(special)
    return tuple(hand)


def suited_hand(rng: Random, size: int) -> Cards:
    """A long run of one suit, a part of another, and what comes."""
    low = rng.randint(0, 6)
    suit, other = rng.sample(SUITS, 2)
    hand = [rank + suit for rank in LETTERS[low : low + rng.randint(5, 7)]]
    rest = [card for card in DECK if card not in hand]
    rest.sort(key=lambda card: rng.random() - (card[1] == other) * 0.3 - (card == "Ph") * 0.5)
    return (*hand, *rest[: size - len(hand)])


@cache
def hands() -> list[tuple[Cards, list[Found]]]:
    rng = Random(20)
    drawn = [any_hand(rng) for _ in range(600)]
    drawn += [close_hand(rng, rng.randint(6, 9), rng.randint(3, 5)) for _ in range(900)]
    drawn += [suited_hand(rng, rng.randint(7, 10)) for _ in range(600)]
    drawn += [close_hand(rng, 14, rng.choice([4, 5, 6])) for _ in range(10)]
    drawn += [suited_hand(rng, 14) for _ in range(10)]
    return [(hand, every_combination(hand)) for hand in drawn]


# Tables


def any_table(rng: Random, free: list[str]) -> str | None:
    """A combination of free cards of a random kind, or None if the cards do not allow it."""
    kind = rng.choice(["single", "single", "lone Phoenix", "run", "run", "full house", "same", "same", "bomb", "flush"])
    match kind:
        case "single":
            return rng.choice([card for card in free if card not in ("Do", "Ph")])
        case "lone Phoenix":
            played = [letter for letter in LETTERS if any(card[0] == letter for card in free)]
            return "P" + rng.choice(["1", *played]) if "Ph" in free else None
        case "same":
            ranks = [(rng.randint(2, 14), rng.choice([2, 3]))]
        case "bomb":
            ranks = [(rng.randint(2, 14), 4)]
        case "full house":
            triple, pair = rng.sample(range(2, 15), 2)
            ranks = sorted([(triple, 3), (pair, 2)])
        case "flush":
            low, length, suit = rng.randint(2, 8), rng.randint(5, 6), rng.choice(SUITS)
            cards = [LETTERS[rank - 2] + suit for rank in range(low, low + length)]
            return "".join(cards) if set(cards) <= set(free) else None
        case _:
            width = rng.choice([1, 1, 2, 2, 3, 4])
            length = rng.randint(5, 7) if width == 1 else rng.randint(2, 3)
            low = rng.randint(1 if width == 1 else 2, 10)
            ranks = [(rank, width) for rank in range(low, min(low + length, 15))]
    return laid(rng, free, ranks)


def laid(rng: Random, free: list[str], ranks: list[tuple[int, int]]) -> str | None:
    """So many free cards of these ranks, the Phoenix for one of them now and then."""
    is_bomb = ranks[0][1] == 4 and len(ranks) == 1
    joker = rng.choice(ranks)[0] if "Ph" in free and not is_bomb and rng.random() < 0.3 else 0
    text = ""
    for rank, width in ranks:
        letter = "M" if rank == 1 else LETTERS[rank - 2]
        cards = [card for card in free if card[0] == letter]
        needed = width - (rank == joker and rank > 1)
        if len(cards) < needed:
            return None
        text += "".join(sorted(rng.sample(cards, needed), key=DECK.index))
        if rank == joker and rank > 1:
            text += "P" + letter
    return text


def draw_table(rng: Random, hand: Cards, house: House) -> Found | None:
    free = [card for card in DECK if card not in hand]
    for _ in range(20):
        text = any_table(rng, free)
        if text is None:
            continue
        try:
            top = on_table(text)
        except ValueError:
            continue  # a straight cut short at the ace
        if house.stairs == "stacked" or top.kind not in ("stairs of 3", "stairs of 4"):
            return top
    return None


def position(hand: Cards, phase: str, top: str, wish: str) -> str:
    """Seat 1 holds the hand; the others hold a free card each."""
    played = {"Ph" if top[at] == "P" else top[at : at + 2] for at in range(2, len(top), 2)}
    # What a lone Phoenix lies on is in nobody's hand.
    below = top[3] if top[2:3] == "P" and len(top) == 4 else ""
    free = [card for card in DECK[2:-2] if card not in hand and card not in played and card[0] != below]
    held = "".join(sorted(hand, key=DECK.index))
    return f"{free[0]}/{held}/{free[1]}/{free[-1]} {phase} {top} ~ {wish or '-'}"


# Comparing


def compare(state: Round, wanted: set[str], known: list[Found], rng: Random) -> None:
    legal = state.legal(1)
    texts = [format_action(1, action)[1:] for action in legal]
    if "+T" in texts:
        wanted = wanted | {"+T"}
    assert sorted(texts) == sorted(wanted), str(state)
    assert len(legal) == len(wanted), str(state)
    for text in rng.sample(sorted(wanted), min(len(wanted), 5)):
        assert parse_action("1" + text)[1] in legal, f"{state} {text}"
    others = [found.text for found in known if ":" + found.text not in wanted]
    for text in rng.sample(others, min(len(others), 5)):
        assert parse_action("1:" + text)[1] not in legal, f"{state} {text}"


def plays(texts: set[str]) -> set[str]:
    return {":" + text for text in texts}


def draw_wish(rng: Random, hand: Cards, rules: Rules) -> str:
    if "Ma" in hand or rules.wish == "off" or rng.random() < 0.4:
        return ""
    held = [card[0] for card in hand if card[0] in LETTERS]
    return rng.choice(held) if held and rng.random() < 0.7 else rng.choice(LETTERS)


@pytest.mark.parametrize("text", RULES)
def test_the_generator_equals_a_brute_force_over_all_subsets(text: str) -> None:
    rules = Rules.parse(text)
    house = House(rules.bombs, rules.equal_flush, rules.stairs, rules.phoenix_grants_wish)
    rng = Random(text)
    place = RULES.index(text)
    for hand, known in hands()[place % 3 :: 3]:
        wish = draw_wish(rng, hand, rules)
        lead = position(hand, "p1", "-", wish)
        compare(at(lead, text), plays(on_turn(known, None, wish, house)), known, rng)
        top = draw_table(rng, hand, house)
        if top is None or ("Ma" in top.text and rules.wish == "must" and not wish):
            continue
        turn = position(hand, "p1", f"2:{top.text}", wish)
        compare(at(turn, text), plays(on_turn(known, top, wish, house)), known, rng)
        bombs = plays(thrown(known, top, house))
        free = bombs if rules.bombs == "anytime" else set()
        compare(at(position(hand, "p0", f"2:{top.text}", wish), text), free, known, rng)
        if top.text == "Dr" and rules.dragon == "auto":
            continue
        taken = {"!0", "!2"} if top.text == "Dr" else {"!"}
        if len(known) + len(top.text) // 2 <= 14:
            compare(at(position(hand, "t1", f"1:{top.text}", wish), text), free | taken, known, rng)
        if rules.bombs == "ordered" and bombs:
            compare(at(position(hand, "b12", f"2:{top.text}", wish), text), bombs | {"-B"}, known, rng)


def test_the_situations_are_not_all_alike() -> None:
    """That the draws reach every kind of table, with and without an answer, and every reading of the Phoenix."""
    rng = Random(21)
    house = House(stairs="stacked")
    answered = set()
    for hand, known in hands():
        top = draw_table(rng, hand, house)
        if top is not None and any(one != "-" for one in on_turn(known, top, "", house)):
            answered.add("lone Phoenix" if top.text[0] == "P" and top.size == 1 else top.kind)
    assert answered == {*KINDS.values(), "lone Phoenix"} - {"dog"}
    assert {found.kind for _, known in hands() for found in known} == set(KINDS.values())
    assert {found.phoenix for _, known in hands() for found in known} == {*LETTERS, ""}


def test_kind_size_and_rank_are_the_same() -> None:
    for hand, known in hands()[::7]:
        state = at(position(hand, "p1", "-", ""), "standard stairs=stacked")
        combos = {str(combo): combo for combo in state.legal(1) if isinstance(combo, Combo)}
        for found in known:
            combo = combos[found.text]
            rank = 1.5 if found.text == "Ph" else combo.rank
            assert (KINDS[combo.kind], combo.size, rank) == (found.kind, found.size, found.rank)


def test_the_brute_force_stands_on_its_own() -> None:
    source = Path(brute.__file__).read_text()
    assert re.findall(r"^\s*(?:from|import)\s+(\w+)", source, re.MULTILINE) == [
        "collections",
        "functools",
        "itertools",
        "typing",
    ]
