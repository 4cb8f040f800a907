"""Facts: 49 combinations (``combos.json``), and how many card sets some hands can lead."""

import json
from collections import Counter
from pathlib import Path

import pytest

from tests.table import at
from tichu import Combo, Kind, Round, cards_of, format_cards, parse_cards
from tichu.core.cards import ALL_CARDS

NAMES = {
    Kind.SINGLE: "single",
    Kind.PAIR: "pair",
    Kind.TRIPLE: "triple",
    Kind.FULL_HOUSE: "fullhouse",
    Kind.STRAIGHT: "straight",
    Kind.STAIRS: "stairs",
    Kind.FOUR: "bomb4",
    Kind.STRAIGHT_FLUSH: "bombsf",
}


def leading(cards: str, wish: str = "-") -> Round:
    """Seat 0 leads these cards; the others hold one each."""
    hand = parse_cards(cards)
    others = [format_cards(1 << card) for card in cards_of(ALL_CARDS & ~hand) if card > 3][:3]
    return at(f"{'/'.join([format_cards(hand), *others])} p0 - ~ {wish}")


def combos_led(cards: str, wish: str = "-") -> list[Combo]:
    # Hands of 14 may also call.
    return [action for action in leading(cards, wish).legal(0) if isinstance(action, Combo)]


def best_reading(cards: str) -> str:
    """As in the file: the kind, the number of cards of straights and stairs, the rank."""
    readings = [combo for combo in combos_led(cards) if combo.cards == parse_cards(cards)]
    if not readings:
        return "invalid"
    best = max(readings, key=lambda combo: combo.rank)
    size = str(best.size) if best.kind in (Kind.STRAIGHT, Kind.STAIRS, Kind.STRAIGHT_FLUSH) else ""
    return f"{NAMES[best.kind]}{size} {best.rank}"


def test_the_49_combinations() -> None:
    facts = json.loads(Path(__file__).with_name("combos.json").read_text())
    assert len(facts) == 49
    assert {fact["name"]: best_reading(fact["cards"]) for fact in facts} == {
        fact["name"]: fact["best_reading"] for fact in facts
    }


COUNTS = {
    "PhKgQbJrTr9r8r7r6r5b4g3g2bMa": ({"single": 14, "pair": 12, "straight": 352, "straight flush": 3}, 381, 417),
    "Ph5r4s4b4g4r3s3b3g3r2s2b2g2r": (
        {"single": 14, "pair": 31, "triple": 30, "stairs": 1074, "full house": 360, "straight": 64, "four": 3},
        1576,
        1684,
    ),
    "4g4r3b3g3r2b2g2r": ({"single": 8, "pair": 7, "triple": 2, "stairs": 21, "full house": 8}, 46, 46),
    "Ph9g8b7b6r4rDo": ({"single": 6, "dog": 1, "pair": 5, "straight": 3}, 15, 16),
    "2b3b4b5s5g6s6b7s8s9sDr": (
        {"single": 11, "pair": 2, "stairs": 1, "straight": 39, "straight flush": 1},
        54,
        54,
    ),
}


@pytest.mark.parametrize("hand", COUNTS)
def test_how_many_sets_and_readings_can_be_led(hand: str) -> None:
    kinds, sets, readings = COUNTS[hand]
    combos = combos_led(hand)
    assert len(combos) == len(set(combos)) == readings
    # A set of cards counts once, whatever the Phoenix stands for.
    once = {combo.cards: combo.kind for combo in combos}
    assert len(once) == sets
    assert Counter(kind.name.lower().replace("_", " ") for kind in once.values()) == kinds


def test_how_many_leads_there_are_under_a_wish_for_8() -> None:
    assert len(combos_led("2b3b4b5s5g6s6b7s8s9sDr", wish="8")) == 29
