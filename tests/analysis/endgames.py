"""Small positions from the ends of rounds, and their value by plain minimax."""

from collections.abc import Iterator
from random import Random

from tests.analysis.games import decisions
from tichu import Round, Rules
from tichu.core.phases import Phase
from tichu.kernel.python import apply_automatic


def endgames(rules: Rules, most: int, first: int = 0) -> Iterator[Round]:
    """One position a round, with 3 to ``most`` cards left in all."""
    number = first
    while True:
        found = []
        for game, _, _ in decisions(number, rules.sequential()):
            held = sum(hand.bit_count() for hand in game.round.hands)
            if 3 <= held <= most and game.round.phase not in (Phase.GRAND, Phase.EXCHANGE):
                found.append(game.round)
        number += 1
        if found:
            yield Random(number).choice(found)


def mixed_endgames(rules: Rules, most: int, first: int = 0) -> Iterator[Round]:
    """As above, with the cards of the three that follow the seat to act shuffled: more unlikely hands."""
    for number, state in enumerate(endgames(rules, most, first)):
        rng = Random(f"{first} {number}")
        cards = [card for hand in state.hands for card in range(56) if hand >> card & 1]
        rng.shuffle(cards)
        hands = []
        for hand in state.hands:
            size = hand.bit_count()
            hands.append(sum(1 << card for card in cards[:size]))
            cards = cards[size:]
        if state.phase is Phase.PLAY:
            yield state._replace(hands=tuple(hands), given=((), (), (), ()))


def minimax(state: Round) -> int:
    """The difference of the scores if all see all cards: every action of every seat is tried."""
    state = apply_automatic(state)
    if state.is_over:
        one, two = state.outcome.score
        return one - two
    seat = state.pending[0]
    values = (minimax(state.after_unchecked(seat, action)) for action in state.legal(seat))
    return max(values) if seat % 2 == 0 else min(values)
