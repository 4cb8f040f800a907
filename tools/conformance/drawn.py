"""Cases drawn by chance: rounds under every preset, and out of them positions, steps and refusals.

Chance is ``Random.random`` alone, the one method that gives the same numbers in every version of Python.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, Final, NamedTuple, TypeVar

from tichu.conformance.answers import legal_actions
from tichu.core.actions import CALL_TICHU, PASS, TAKE, Action, Exchange, Take, Wish, format_action
from tichu.core.cards import PHOENIX, cards_of, format_cards, suit_of
from tichu.core.combos import Combo, Kind, format_combo, format_table, parse_table, readings
from tichu.core.deals import Deal, deal_in_order
from tichu.core.errors import IllegalAction, Reason
from tichu.core.legal import Legal
from tichu.core.phases import Phase
from tichu.core.plays import plays
from tichu.core.round import Round
from tichu.core.rules import PRESETS, Rules

__all__ = ["Drawn", "draw_combos", "draw_positions", "play_round"]

_T = TypeVar("_T")

Actions = list[tuple[int, Action]]

#: What each reason is about.
_PARAGRAPHS_OF_REASON: Final = {
    Reason.NOT_IN_PHASE: ("2.1",),
    Reason.NOT_YOUR_TURN: ("5.1",),
    Reason.BOMB_ASKED: ("7.2",),
    Reason.ROUND_OVER: ("8.3",),
    Reason.NOT_IN_HAND: ("5.1",),
    Reason.NO_COMBINATION: ("3.1",),
    Reason.DOES_NOT_BEAT: ("3.3",),
    Reason.LEAD_ONLY: ("4.1", "4.2"),
    Reason.MUST_LEAD: ("5.1",),
    Reason.NO_BOMB: ("7.2",),
    Reason.NOTHING_TO_BOMB: ("7.1",),
    Reason.WISH_OWED: ("6.2",),
    Reason.MUST_WISH: ("4.1",),
    Reason.ALREADY_CALLED: ("2.5",),
    Reason.TOO_LATE_TO_CALL: ("2.2",),
    Reason.TOO_EARLY_TO_CALL: ("2.2",),
    Reason.TABLE_DECIDES: ("10.1", "10.2"),
    Reason.CHOOSE_RECIPIENT: ("4.6",),
    Reason.NOT_THE_RECIPIENT: ("4.6",),
    Reason.NOTHING_TO_GIVE: ("4.6",),
}
_MOST_LEGAL: Final = 60
_MOST_POSITIONS: Final = 70
_MOST_OF_A_REASON: Final = 6


class Drawn(NamedTuple):
    """A question and the paragraphs that decide it."""

    paragraphs: tuple[str, ...]
    question: dict[str, Any]


def pick(rng: Random, values: Sequence[_T]) -> _T:
    """One of them, each equally likely."""
    return values[int(rng.random() * len(values))]


def shuffled(rng: Random, values: Sequence[_T]) -> list[_T]:
    """All of them in some order."""
    keyed = [(rng.random(), number) for number in range(len(values))]
    return [values[number] for _, number in sorted(keyed)]


def deal(rng: Random) -> Deal:
    """Neighbours are often dealt together, by rank or by suit, because bombs are rare among shuffled cards."""
    clump = pick(rng, (1, 2, 4, 7))
    deck = list(range(56))
    if rng.random() < 0.5:
        deck.sort(key=lambda card: (suit_of(card), card))
    clumps = shuffled(rng, [deck[start : start + clump] for start in range(0, 56, clump)])
    cards = [card for one in clumps for card in one]
    for _ in range(4):
        one, two = int(rng.random() * 56), int(rng.random() * 56)
        cards[one], cards[two] = cards[two], cards[one]
    hands = [shuffled(rng, cards[start : start + 14]) for start in range(0, 56, 14)]
    return deal_in_order([card for hand in hands for card in hand[:8]] + [card for hand in hands for card in hand[8:]])


def play_round(rng: Random, rules: Rules) -> tuple[Deal, list[Round], Actions]:
    """A round by chance: all its states, and what happened in between."""
    dealt = deal(rng)
    is_bold = rng.random() < 0.6
    states, actions = [Round.start(dealt, rules)], []
    while not states[-1].is_over:
        state = states[-1]
        seat, action = state.automatic() or _decision(rng, state, is_bold)
        actions.append((seat, action))
        states.append(state.after_unchecked(seat, action))
    return dealt, states, actions


def _decision(rng: Random, state: Round, is_bold: bool) -> tuple[int, Action]:
    others = [seat for seat in range(4) if seat not in state.pending]
    if others and rng.random() < 0.1 and state.phase is not Phase.BOMB:
        seat = pick(rng, others)
        legal = state.legal(seat)
        if state.phase is Phase.EXCHANGE:
            return seat, _exchange(rng, legal)
        unasked = list(legal)
        if unasked:
            return seat, pick(rng, unasked)
    seat = pick(rng, state.pending)
    legal = state.legal(seat)
    if legal.may_call and rng.random() < 0.05:
        return seat, CALL_TICHU
    if state.phase is Phase.EXCHANGE:
        return seat, _exchange(rng, legal)
    actions = [action for action in legal if action != CALL_TICHU]
    combos = [action for action in actions if isinstance(action, Combo)]
    if state.phase is Phase.PLAY and is_bold and combos:
        # Long combinations first and of these the lowest: rounds get shorter.
        best = max((combo.size, -combo.rank) for combo in combos)
        return seat, pick(rng, [combo for combo in combos if (combo.size, -combo.rank) == best])
    return seat, pick(rng, actions)


def _exchange(rng: Random, legal: Legal) -> Exchange:
    return Exchange(*shuffled(rng, list(cards_of(legal.view.hand)))[:3])


def _traits(state: Round) -> tuple[object, ...]:
    """What makes one position unlike another."""
    seat = state.pending[0]
    legal = state.legal(seat)
    return (
        state.phase,
        None if state.top is None else (state.top.kind, bool(state.top.phoenix), state.top.cards.bit_count() > 6),
        bool(state.wish) + (bool(state.wish) and legal.owes_wish),
        len(state.out),
        state.hands[seat] >> PHOENIX & 1,
        any(combo.is_bomb for combo in legal if isinstance(combo, Combo)),
        legal.may_call,
    )


def _paragraphs(state: Round) -> tuple[str, ...]:
    found = {Phase.GRAND: ["2.1"], Phase.EXCHANGE: ["2.3"], Phase.WISH: ["4.1"], Phase.TAKE: ["5.3"]}
    paragraphs = found.get(state.phase, [])
    if state.phase is Phase.PLAY:
        paragraphs = ["5.1"] if state.top is None else ["3.3", "5.1"]
        if state.wish:
            paragraphs.append("6.2" if state.legal(state.pending[0]).owes_wish else "6.4")
    if state.phase is Phase.BOMB:
        paragraphs = ["7.2"]
    if any(text[1:] == "+T" for text in legal_actions(state)):
        paragraphs.append("2.2")
    return tuple(sorted(paragraphs, key=lambda name: tuple(map(int, name.split(".")))))


def draw_positions(preset: str, rounds: int) -> Iterator[Drawn]:
    """Positions of many kinds, for each a step, and refusals of many kinds."""
    rng = Random(f"positions {preset}")
    seen: set[tuple[object, ...]] = set()
    refused: Counter[Reason] = Counter()
    found: list[Round] = []
    for _ in range(rounds):
        _, states, _ = play_round(rng, PRESETS[preset])
        for state in states[:-1]:
            if state.automatic() is not None:
                continue
            for reason, action in _refused(rng, state) if rng.random() < 0.2 else ():
                if refused[reason] < _MOST_OF_A_REASON:
                    refused[reason] += 1
                    question = {"ask": "refusal", "position": str(state), "action": action}
                    yield Drawn(_PARAGRAPHS_OF_REASON[reason], question)
            if _traits(state) not in seen and len(legal_actions(state)) <= _MOST_LEGAL:
                seen.add(_traits(state))
                found.append(state)
    for state in shuffled(rng, found)[:_MOST_POSITIONS]:
        paragraphs = _paragraphs(state)
        yield Drawn(paragraphs, {"ask": "legal", "position": str(state)})
        action = pick(rng, legal_actions(state))
        if action.endswith(">"):
            action = format_action(int(action[0]), _exchange(rng, state.legal(int(action[0]))))
        yield Drawn(paragraphs, {"ask": "after", "position": str(state), "action": action})
        yield Drawn(paragraphs, {"ask": "refusal", "position": str(state), "action": action})


def _refused(rng: Random, state: Round) -> Iterator[tuple[Reason, str]]:
    """A few things that somebody may try and may not do."""
    seat = int(rng.random() * 4)
    hand = plays(state.hands[pick(rng, range(4))], None, state.rules)
    tries: list[Action] = [PASS, CALL_TICHU, TAKE, Take(int(rng.random() * 4)), Wish(int(rng.random() * 13) + 2)]
    tries += [pick(rng, hand) for _ in range(3) if hand]
    for who in {seat, state.pending[0]}:
        tried = tries + ([Wish(0)] if state.phase is Phase.WISH else [])
        for action in tried:
            try:
                state.after(who, action)
            except IllegalAction as error:
                yield error.reason, format_action(who, action)


def draw_combos(count: int) -> Iterator[Drawn]:
    """Combinations out of random hands, some with a card changed, and pairs of them."""
    rng = Random("combos")
    rules = PRESETS["courtesy"]  # It knows all combinations.
    for _ in range(count):
        hands = deal(rng)
        hand = plays(hands[0][0] | hands[0][1], None, rules)
        kind = pick(rng, sorted({combo.kind for combo in hand}))
        combo = pick(rng, [one for one in hand if one.kind == kind and one.size <= 8] or hand)
        cards = combo.cards
        if rng.random() < 0.4:
            held = list(cards_of(cards))
            cards &= ~(1 << pick(rng, held))
            cards |= 1 << int(rng.random() * 56)
        yield Drawn(_about(readings(cards)), {"ask": "readings", "cards": format_cards(cards)})
        others = plays((hands[1][0] | hands[1][1]) & ~combo.cards, None, rules)
        alike = [one for one in others if one.kind == combo.kind and one.size == combo.size]
        bombs = [one for one in others if one.is_bomb]
        other = pick(rng, alike or bombs or others)
        if combo.kind is Kind.DOG:
            continue
        top = combo
        if combo.cards == 1 << PHOENIX:
            top = parse_table(pick(rng, ("P1", "P7", "PK", "PA")))
        question = {"ask": "beats", "top": format_table(top), "play": format_combo(other)}
        yield Drawn(("3.4",) if other.is_bomb else ("3.3",), question)


def _about(combos: Sequence[Combo]) -> tuple[str, ...]:
    if not combos:
        return ("3.1",)
    if combos[0].phoenix:
        return ("4.4", "4.5") if len(combos) > 1 else ("4.4",)
    if combos[0].kind in (Kind.TRIPLE_STAIRS, Kind.FOUR_STAIRS):
        return ("3.6",)
    return ("3.2",) if combos[0].is_bomb else ("3.1",)
