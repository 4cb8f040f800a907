"""MaskablePPO of sb3-contrib learns one seat of Tichu, with greedy bots at the others.

    python examples/envs/maskable_ppo.py --steps 200000 --out build/maskable_ppo

The reward is the difference of the scores at the end of a round.  What was learned is measured on deals that were not
trained on, beside a player who draws any legal action, and plays on its own afterwards:

    tichu arena build/maskable_ppo/bot.py:policy greedy --rules simple

As a baseline of Tichu-1M (docs/benchmark.md):

    python examples/envs/maskable_ppo.py --rules standard --steps 1000000 --seed 1 --out build/tichu-1m/maskable-1

Needs `pip install tichu[envs] sb3-contrib`; the native core makes it fast.
"""

import argparse
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from stable_baselines3.common.vec_env import VecNormalize

from tichu.agents.policy import Policy
from tichu.envs import FIELDS
from tichu.envs.sb3 import TichuVecEnv


class Scaled(BaseFeaturesExtractor):
    """The bytes of an observation, each divided by the highest that it can be."""

    def __init__(self, space: Any) -> None:
        super().__init__(space, space.shape[0])
        highest = np.concatenate([np.full(field.size, field.highest, np.float32) for field in FIELDS])
        self.register_buffer("scale", torch.from_numpy(1 / highest))

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """Numbers from 0 to 1."""
        return observations.float() * self.scale


def games(count: int, rules: str, opponents: str, seed: int) -> TichuVecEnv:
    """Games of one seat each; where it has no choice it is not asked."""
    made = TichuVecEnv(count, opponents=opponents, partner=opponents, rules=rules, reward="difference", forced=False)
    made.seed(seed)
    return made


def measure(model: MaskablePPO | None, tables: TichuVecEnv, rounds: int) -> tuple[float, float]:
    """Points a round over the other team, and their standard error; without a model, of random play."""
    # So many of each game, for short rounds end first.
    wanted = -(-rounds // tables.num_envs)
    points: list[list[int]] = [[] for _ in range(tables.num_envs)]
    observations = tables.reset()
    while any(len(each) < wanted for each in points):
        if model is None:
            actions = tables.games.sample()
        else:
            actions, _ = model.predict(observations, action_masks=tables.action_masks(), deterministic=True)
        observations, _, done, infos = tables.step(actions)
        for game in np.flatnonzero(done).tolist():
            own, other = infos[game]["score"]
            points[game].append(own - other)
    all_points = np.array([each[:wanted] for each in points])
    return float(all_points.mean()), float(all_points.std(ddof=1) / np.sqrt(all_points.size))


class Curve(BaseCallback):
    """Measures now and then."""

    def __init__(self, tables: TichuVecEnv, rounds: int, interval: int) -> None:
        super().__init__()
        self._tables, self._rounds, self._interval = tables, rounds, interval
        self._next, self._began = 0, time.perf_counter()
        #: Steps, points a round, their standard error.
        self.points: list[tuple[int, float, float]] = []

    def _on_step(self) -> bool:
        return True

    def _on_rollout_start(self) -> None:
        if self.num_timesteps >= self._next:
            self._next += self._interval
            self.add()

    def add(self) -> None:
        """Measure now."""
        mean, error = measure(self.model, self._tables, self._rounds)
        self.points.append((self.num_timesteps, mean, error))
        seconds = time.perf_counter() - self._began
        print(f"{seconds:5.0f} s {self.num_timesteps:10,d} steps {mean:+7.1f}, standard error {error:.1f}", flush=True)  # noqa: T201


def load_policy(folder: Path) -> Policy:
    """What was kept, as a function from observations and masks to actions."""
    model = MaskablePPO.load(folder / "policy.zip", device="cpu")

    def choose(observations: NDArray[np.uint8], masks: NDArray[np.int8]) -> NDArray[np.int64]:
        chosen: NDArray[np.int64] = model.predict(observations, action_masks=masks.astype(bool), deterministic=True)[0]
        return chosen

    return choose


#: Beside what was kept it is a bot: tichu arena OUT/bot.py:policy greedy --rules simple
BOT = """\
import sys
from pathlib import Path

sys.path.append({folder!r})

from maskable_ppo import load_policy

policy = load_policy(Path(__file__).parent)
"""


def parse_options() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=200_000, help="decisions to learn from")
    parser.add_argument("--games", type=int, default=128, help="games at once")
    parser.add_argument("--rounds", type=int, default=2_048, help="rounds to measure")
    parser.add_argument("--rules", default="simple")
    parser.add_argument("--opponents", default="greedy")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--must-improve", action="store_true", help="fail if what was learned is not clearly better")
    parser.add_argument("--out", type=Path, help="where the policy is kept")
    return parser.parse_args()


def main() -> None:
    """Learn, then measure."""
    options = parse_options()
    torch.set_num_threads(options.threads)
    # Game i has the seed plus i: seeds that follow each other would share nearly all of their deals.
    deals = 1_000_003 * options.seed
    tables = games(options.games, options.rules, options.opponents, deals)
    # Observations are scaled by the policy itself, so that it needs nothing else to play.
    learning = VecNormalize(tables, norm_obs=False, gamma=1.0)
    model = MaskablePPO(
        "MlpPolicy",
        learning,
        n_steps=64,
        batch_size=1024,
        n_epochs=4,
        learning_rate=lambda left: 1e-3 * max(left, 0.05),
        gamma=1.0,
        gae_lambda=0.95,
        ent_coef=0.01,
        policy_kwargs={
            "features_extractor_class": Scaled,
            "normalize_images": False,
            "activation_fn": torch.nn.ReLU,
            "net_arch": [256, 256],
        },
        seed=options.seed,
        device="cpu",
    )
    # No deal of a seed so far away was trained on.
    unseen = games(256, options.rules, options.opponents, deals + 500_000)
    mean, error = measure(None, unseen, options.rounds)
    print(f"random: {mean:+.1f} points a round over {options.opponents}, standard error {error:.1f}", flush=True)  # noqa: T201
    curve = Curve(unseen, options.rounds, max(options.steps // 5, 1))
    # Whole rollouts, and not a step more than asked for.
    rollout = model.n_steps * options.games
    model.learn(max(options.steps // rollout, 1) * rollout, callback=curve)
    curve.add()
    if options.out is not None:
        options.out.mkdir(parents=True, exist_ok=True)
        model.save(options.out / "policy.zip")
        (options.out / "bot.py").write_text(BOT.format(folder=str(Path(__file__).resolve().parent)))
        lines = ["steps,points,standard_error", *(f"{steps},{mean},{error}" for steps, mean, error in curve.points)]
        (options.out / "curve.csv").write_text("\n".join([*lines, ""]))
    (_, first, first_error), (_, last, last_error) = curve.points[0], curve.points[-1]
    if options.must_improve and last - 2 * last_error <= first + 2 * first_error:
        sys.exit("the policy has not learned")


if __name__ == "__main__":
    main()
