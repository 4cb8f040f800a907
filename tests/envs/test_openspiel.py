"""Tichu as a game of OpenSpiel."""

from random import Random
from typing import Any

import pytest

from tichu import PRESETS, GameError

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")

import numpy as np  # noqa: E402
from open_spiel.python.algorithms import cfr, expected_game_score, get_all_states, ismcts, mcts  # noqa: E402

from tichu.envs.openspiel import make_resampler  # noqa: E402

#: Seat 0 does not know who of the opponents holds the three.
ENDGAMES = (
    "9sAs/3s/5b/4s p0 - 95/0/0/0 - ---- - -/-/-/-",
    "9sAs/4s/5b/3s p0 - 95/0/0/0 - ---- - -/-/-/-",
)


def _deal(state: Any, rng: Random) -> Any:
    while state.is_chance_node():
        state.apply_action(rng.choice([outcome for outcome, _ in state.chance_outcomes()]))
    return state


def _play(state: Any, rng: Random, steps: int) -> Any:
    """Deal, then take so many decisions at random."""
    _deal(state, rng)
    for _ in range(steps):
        if not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
    return state


@pytest.mark.parametrize("preset", PRESETS)
def test_openspiel_finds_nothing_wrong(preset: str) -> None:
    game = pyspiel.load_game("tichu", {"rules": preset})
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)
    assert game.get_parameters()["rules"] == preset
    assert (game.min_utility(), game.max_utility(), game.utility_sum()) == (-800, 800, 0)


def test_returns_are_the_difference_of_the_teams() -> None:
    state = _play(pyspiel.load_game("tichu").new_initial_state(), Random(1), 1_000)
    own, other = state.game.round.outcome.score
    assert state.returns() == [own - other, other - own] * 2


@pytest.mark.parametrize("preset", PRESETS)
def test_what_a_seat_cannot_see_is_not_in_its_information(preset: str) -> None:
    rng = Random(5)
    game = pyspiel.load_game("tichu", {"rules": preset})
    state = _deal(game.new_initial_state(), rng)
    others = 0
    while not state.is_terminal():
        _play(state, rng, rng.randrange(6))
        if state.is_terminal():
            break
        seat = state.current_player()
        other = state.resample(seat, rng)
        assert other.information_state_string(seat) == state.information_state_string(seat)
        assert other.observation_string(seat) == state.observation_string(seat)
        assert other.legal_actions() == state.legal_actions()
        seen, also = np.zeros((2, *game.observation_tensor_shape()), np.uint8)
        state.write_observation(seat, seen)
        other.write_observation(seat, also)
        assert (seen == also).all()
        others += str(other) != str(state)
    assert others > 5


@pytest.mark.parametrize("seed", [5, 149, *range(24, 30)])
def test_a_seat_that_does_not_decide_knows_the_same_too(seed: int) -> None:
    # With bombs wherever they can be thrown: others are asked, and the table goes on by itself where nobody is.
    presets = (*PRESETS, "standard bombs=in-turn stairs=stacked", "standard calls=auto dragon=auto")
    rng = Random(seed)
    rules = "brettspielwelt" if seed == 149 else presets[seed % len(presets)]
    state = _deal(pyspiel.load_game("tichu", {"rules": rules}).new_initial_state(), rng)
    while not state.is_terminal():
        if rng.random() < 0.12:
            for seat in range(4):
                other = state.resample(seat, rng)
                assert other.information_state_string(seat) == state.information_state_string(seat)
                assert other.current_player() == seat or state.current_player() != seat
        legal = state.legal_actions()
        bombs = [action for action in legal if action >= 1567]
        state.apply_action(rng.choice(bombs) if bombs and rng.random() < 0.7 else rng.choice(legal))


@pytest.mark.parametrize("parameters", [{}, {"position": ";".join(ENDGAMES)}], ids=["dealt", "endgame"])
def test_where_no_state_is_found_that_is_said(monkeypatch: pytest.MonkeyPatch, parameters: dict[str, str]) -> None:
    monkeypatch.setattr("tichu.envs.openspiel._looks_alike", lambda *_: False)
    state = _deal(pyspiel.load_game("tichu", parameters).new_initial_state(), Random(1))
    with pytest.raises(GameError, match="found for seat 3, which is not to decide: ask for the seat that is"):
        state.resample(3, Random(1))


def test_a_seat_never_forgets() -> None:
    rng = Random(8)
    state = _deal(pyspiel.load_game("tichu").new_initial_state(), rng)
    known: list[list[str]] = [[], [], [], []]
    while not state.is_terminal():
        seat = state.current_player()
        assert state.information_state_string(seat).rpartition(" | ")[2].split() == known[seat]
        action = rng.choice(state.legal_actions())
        known[seat].append(str(action))
        state.apply_action(action)
    assert all(len(each) > 5 for each in known)


def test_positions_are_where_the_round_begins() -> None:
    one = pyspiel.load_game("tichu", {"position": ENDGAMES[0]}).new_initial_state()
    assert str(one) == ENDGAMES[0]
    two = pyspiel.load_game("tichu", {"position": ";".join(ENDGAMES)}).new_initial_state()
    assert two.chance_outcomes() == [(0, 0.5), (1, 0.5)]
    two.apply_action(1)
    assert str(two) == ENDGAMES[1]
    drawn = {str(two.resample(0, Random(seed))) for seed in range(20)}
    assert drawn == set(ENDGAMES)
    # Seat 1 sees which card it has.
    assert {str(two.resample(1, Random(seed))) for seed in range(5)} == {ENDGAMES[1]}


def test_before_the_deal_there_is_nothing_to_draw() -> None:
    with pytest.raises(GameError, match="before the deal"):
        pyspiel.load_game("tichu").new_initial_state().resample(0, Random(1))


def test_what_is_not_there_is_refused_and_changes_nothing() -> None:
    game = pyspiel.load_game("tichu", {"rules": "simple"})
    state = game.new_initial_state()
    state.apply_action(3)
    for outcome in (3, 56, 9999):
        with pytest.raises(GameError, match=f"chance has no outcome {outcome} now"):
            state.clone().apply_action(outcome)
    rng = Random(1)
    _deal(state, rng)
    known = state.information_state_string()
    for action in set(range(game.num_distinct_actions() + 5)) - set(state.legal_actions()):
        with pytest.raises(ValueError):  # noqa: PT011 - each says what is wrong with it
            state.apply_action(action)
    assert state.information_state_string() == known
    _play(state, rng, 1_000)
    with pytest.raises(GameError, match="the round is over"):
        state.apply_action(0)


def test_cfr_solves_an_endgame() -> None:
    game = pyspiel.load_game("tichu", {"position": ";".join(ENDGAMES)})
    states = get_all_states.get_all_states(
        game, include_terminals=True, include_chance_states=True, to_string=lambda state: state.history_str()
    )
    assert 10 < len(states) <= 10_000
    solver = cfr.CFRSolver(game)
    first = expected_game_score.policy_value(game.new_initial_state(), [solver.average_policy()] * 4)
    for _ in range(4):
        solver.evaluate_and_update_policy()
    value = expected_game_score.policy_value(game.new_initial_state(), [solver.average_policy()] * 4)
    assert value[0] == value[2] == pytest.approx(-value[1])
    # Whoever has the lead and the ace goes out first: nothing the others do changes that.
    assert value[0] >= first[0]


@pytest.mark.parametrize(
    "parameters", [{"rules": "simple"}, {"position": ";".join(ENDGAMES)}], ids=["dealt", "endgame"]
)
def test_ismcts_searches_with_our_worlds(parameters: dict[str, str]) -> None:
    game = pyspiel.load_game("tichu", parameters)
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(2))
    bot = ismcts.ISMCTSBot(game, evaluator, uct_c=200, max_simulations=4, random_state=np.random.RandomState(1))
    bot.set_resampler(make_resampler(3))
    state = _deal(game.new_initial_state(), Random(2))
    assert bot.step(state) in state.legal_actions()
