"""Along any round: 56 cards, 100 points, and somebody whose decision is due."""

import pytest
from hypothesis import given

from tests.properties.rounds import Table, each_rule_set, place_in_errors, steps, tables
from tichu import Call, Combo, Kind, Phase, Round, Rules, Take, points_of
from tichu.core.cards import ALL_CARDS

pytestmark = pytest.mark.no_cover


@each_rule_set
@given(table=tables)
def test_56_cards_and_100_points_are_conserved_and_somebody_can_always_act(rules: Rules, table: Table) -> None:
    played = trick = 0
    piles = [0, 0, 0, 0]
    state = None
    for before, seat, action, state, _ in steps(table, rules):
        with place_in_errors(before, seat, action):
            match action:
                case Combo():
                    assert not action.cards & ~before.hands[seat]
                    played |= action.cards
                    trick |= action.cards
                case Take(recipient):
                    piles[seat if recipient is None else recipient] |= trick
                    trick = 0
            if isinstance(action, Combo) and (action.kind == Kind.DOG or state.is_over):
                piles[seat] |= trick  # §8.3; the Dog counts nothing.
                trick = 0
            _somebody_can_act(state)
            held = [*state.hands, *state.later, played]
            assert sum(cards.bit_count() for cards in held) == 56
            assert sum(held) == ALL_CARDS
            assert state.played == played
            assert state.points == tuple(map(points_of, piles))
            assert state.points_on_table == points_of(trick)
            assert sum(state.points) + state.points_on_table + sum(map(points_of, held[:-1])) == 100
    assert state is not None
    assert state.outcome.score == _score(state, piles)
    assert sum(state.outcome.points) == (200 if state.outcome.is_double_victory else 100)


def _score(state: Round, piles: list[int]) -> tuple[int, int]:
    """§8, told once more in other words."""
    first, second = state.out[:2]
    if {first, second} in ({0, 2}, {1, 3}):
        teams = [200, 0] if first in (0, 2) else [0, 200]
    else:
        (last,) = {0, 1, 2, 3} - set(state.out)
        piles[first] |= piles[last]
        piles[last] = 0
        piles[(last + 1) % 4] |= state.hands[last]
        teams = [points_of(piles[0] | piles[2]), points_of(piles[1] | piles[3])]
    for seat, call in enumerate(state.calls):
        stake = {Call.NONE: 0, Call.TICHU: 100, Call.GRAND: 200}[call]
        teams[seat % 2] += stake if seat == first else -stake
    return teams[0], teams[1]


def _somebody_can_act(state: Round) -> None:
    assert list(state.pending) == sorted(set(state.pending))
    assert state.is_over == (state.pending == ())
    for seat in range(4) if state.is_over else state.pending:
        legal = state.legal(seat)
        assert (next(iter(legal), None) is None) == state.is_over
    if state.phase in (Phase.PLAY, Phase.BOMB):
        assert all(state.hands[seat] for seat in state.pending)
