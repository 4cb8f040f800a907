import os
from collections.abc import Iterator
from itertools import islice
from random import Random

import pytest

from tests.analysis.endgames import endgames, minimax, mixed_endgames
from tests.analysis.games import decisions
from tichu import GameError, Round, Rules, parse_combo
from tichu.analysis.solver import ActionValue, PythonSearch, Solution, _searcher, _solution, in_play, solve
from tichu.core.cards import points_of
from tichu.core.phases import Phase
from tichu.core.rules import PRESETS

RULES = list(PRESETS.values())
NAMES = list(PRESETS)
#: Of each kind and preset; a thousand in all where there is time.
POSITIONS = 84 if os.environ.get("THOROUGH") else 3
#: Cards in all four hands.
MOST = 8 if os.environ.get("THOROUGH") else 6


def by_minimax(state: Round) -> dict[str, int]:
    seat = state.pending[0]
    return {str(action): minimax(state.after_unchecked(seat, action)) for action in state.legal(seat)}


@pytest.mark.parametrize("rules", RULES, ids=NAMES)
def test_values_are_those_of_plain_minimax(rules: Rules) -> None:
    for kind in (endgames, mixed_endgames):
        for state in islice(kind(rules, MOST), POSITIONS):
            position = in_play(state)
            expected = by_minimax(position)
            for solution in (solve(state), _by_python(position)):
                assert {str(each.action): each.value for each in solution.actions} == expected, str(state)
                assert solution.is_exact


def _by_python(position: Round) -> Solution:
    search = PythonSearch(position)
    assert search.run(10**7)
    return _solution(position, search)


def flush_positions() -> Iterator[Round]:
    """Somebody holds five suited cards in a row and another card of one of their ranks; the others hold one card."""
    rng = Random(3)
    while True:
        low = rng.randrange(2, 9)
        holder, suit = rng.randrange(4), rng.randrange(4)
        run = sum(1 << 4 * (rank - 1) + suit for rank in range(low, low + 5))
        others = [card for card in range(2, 56) if not run >> card & 1]
        spare = rng.choice([card for card in others if low <= card // 4 + 1 < low + 5])
        others = rng.sample([card for card in others if card != spare], 4)
        hands = [1 << card for card in others]
        hands[holder] = run | 1 << spare
        hands[(holder + 1) & 3] |= 1 << others[holder]
        state = Round(Rules(bombs="ordered"), Phase.PLAY, (rng.randrange(4),), tuple(hands))
        yield state._replace(points=(points_of(state.played), 0, 0, 0))


def test_suits_count_where_there_is_a_straight_flush() -> None:
    for state in islice(flush_positions(), 60 if os.environ.get("THOROUGH") else 3):
        assert solve(state).actions == _by_python(state).actions, str(state)


def test_the_seat_to_act_is_not_always_of_the_first_team() -> None:
    solution = solve(Round.from_position("2s/AsKs/3s/Js2b p1 - 20/15/0/55 - ---- - -/-/-/-"))
    assert solution.seat == 1
    assert {str(each.action) for each in solution.best} <= {"As", "Ks"}


def test_a_small_budget_leaves_bounds_that_hold() -> None:
    state = next(endgames(Rules(), 14))
    exact = solve(state)
    assert exact.is_exact
    for budget in (1, 10, 100):
        partial = solve(state, budget)
        assert partial.nodes <= budget
        for known, each in zip(partial.actions, exact.actions, strict=True):
            assert known.action == each.action
            assert known.lowest <= each.lowest <= known.highest


def test_best_is_what_may_still_be_best() -> None:
    one, two, three = (parse_combo(text) for text in ("2s", "3s", "4s"))
    actions = (ActionValue(one, -10, 40), ActionValue(two, 50, 60), ActionValue(three, 0, 50))
    assert [each.action for each in Solution(0, actions, 1).best] == [two, three]
    assert [each.action for each in Solution(1, actions, 1).best] == [one, three]


def test_what_cannot_be_solved_is_said() -> None:
    game = next(decisions(1, Rules())).game
    with pytest.raises(GameError, match="at the same time"):
        solve(game.round)
    over = Round.from_position("2s/-/-/- e - 0/0/0/100 - ---- 123 -/-/-/-")
    with pytest.raises(GameError, match="the round is over"):
        solve(over)


def test_the_native_search_is_taken_where_it_is() -> None:
    from tichu.kernel import KERNEL

    native = KERNEL != "python" and hasattr(pytest.importorskip("tichu_native"), "Solver")
    assert (_searcher() is not PythonSearch) == native
