"""A round of four random players, in each of the three forms.

python examples/envs/random_rollout.py
"""

import gymnasium
import numpy as np

from tichu.envs import SelfPlay, describe, tichu_v0


def pettingzoo_round(rules: str, seed: int) -> None:
    """All four seats, one after another."""
    table = tichu_v0.env(rules=rules)
    table.reset(seed=seed)
    for agent in table.agent_iter():
        observation, reward, terminated, truncated, _ = table.last()
        if terminated or truncated:
            print(f"{agent} gets {reward:+.0f}")  # noqa: T201
            table.step(None)
            continue
        action = table.action_space(agent).sample(observation["action_mask"])
        print(f"{agent}: {describe(int(action))}")  # noqa: T201
        table.step(action)


def gymnasium_round(rules: str, seed: int) -> None:
    """One seat against bots."""
    table = gymnasium.make("tichu/Tichu-v0", opponents="greedy", partner="greedy", rules=rules)
    observation, _ = table.reset(seed=seed)
    table.action_space.seed(seed)
    ended = False
    while not ended:
        action = table.action_space.sample(observation["action_mask"])
        observation, reward, ended, _, info = table.step(action)
    print(f"against greedy: {reward:+.0f}, score {info['score']}")  # noqa: T201


def many_rounds(rules: str, games: int, steps: int) -> None:
    """Many games at once."""
    tables = SelfPlay(games, rules, reward="difference")
    margins = []
    for _ in range(steps):
        tables.step(tables.sample())
        margins += tables.rewards[tables.done == 1, 0].tolist()
    print(f"{len(margins)} rounds, seats 0 and 2 {np.mean(margins):+.1f} points a round")  # noqa: T201


if __name__ == "__main__":
    pettingzoo_round("standard", seed=1)
    gymnasium_round("standard", seed=1)
    many_rounds("simple", games=256, steps=200)
