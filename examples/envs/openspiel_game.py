"""Tichu as a game of OpenSpiel: its own checks, a round by ISMCTS, and an endgame solved by CFR.

    python examples/envs/openspiel_game.py

Needs `pip install tichu[openspiel]`.
"""

from random import Random

import numpy as np
import pyspiel
from open_spiel.python.algorithms import cfr, ismcts, mcts

from tichu import PRESETS
from tichu.envs.openspiel import make_resampler

#: Seat 0 does not know who of the opponents holds the three.
ENDGAMES = (
    "9sAs/3s/5b/4s p0 - 95/0/0/0 - ---- - -/-/-/-",
    "9sAs/4s/5b/3s p0 - 95/0/0/0 - ---- - -/-/-/-",
)


def check() -> None:
    """OpenSpiel plays rounds at random under every rule set, stores every state, and compares."""
    for rules in PRESETS:
        pyspiel.random_sim_test(pyspiel.load_game("tichu", {"rules": rules}), 1, serialize=True, verbose=False)
    print(f"random_sim_test passes under {', '.join(PRESETS)}")  # noqa: T201


def play(simulations: int) -> None:
    """Seat 0 searches, the others draw."""
    game = pyspiel.load_game("tichu", {"rules": "simple"})
    rng = Random(1)
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    bot = ismcts.ISMCTSBot(
        game=game,
        evaluator=evaluator,
        uct_c=300.0,
        max_simulations=simulations,
        max_world_samples=ismcts.UNLIMITED_NUM_WORLD_SAMPLES,
        random_state=np.random.RandomState(1),
    )
    bot.set_resampler(make_resampler(1))
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            action = rng.choice([outcome for outcome, _ in state.chance_outcomes()])
        elif state.current_player() == 0:
            action = bot.step(state)
        else:
            action = rng.choice(state.legal_actions())
        state.apply_action(action)
    print(f"ISMCTS at seat 0: returns {state.returns()}")  # noqa: T201


def solve(iterations: int) -> None:
    """CFR on an endgame with hidden cards."""
    game = pyspiel.load_game("tichu", {"position": ";".join(ENDGAMES)})
    solver = cfr.CFRSolver(game)
    for _ in range(iterations):
        solver.evaluate_and_update_policy()
    state = game.new_initial_state()
    state.apply_action(0)
    chances = solver.average_policy().action_probabilities(state)
    told = {state.action_to_string(0, action): round(float(chance), 2) for action, chance in chances.items()}
    print(f"CFR at seat 0: {told}")  # noqa: T201


if __name__ == "__main__":
    check()
    play(simulations=20)
    solve(iterations=30)
