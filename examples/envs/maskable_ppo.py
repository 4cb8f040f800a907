"""MaskablePPO of sb3-contrib learns one seat of Tichu, with greedy bots at the others.

    python examples/envs/maskable_ppo.py --steps 200000 --out build/maskable_ppo

The rule set is `simple`, the reward the difference of the scores at the end of a round.  What was learned is measured
on deals that were not trained on, beside a player who draws any legal action, and plays on its own afterwards:

    tichu arena build/maskable_ppo/bot.py:policy greedy --rules simple

Needs `pip install tichu[envs] sb3-contrib`; the native core makes it fast.
"""

import argparse
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import get_action_masks
from stable_baselines3.common.vec_env import VecMonitor, VecNormalize

from tichu.agents.policy import Policy
from tichu.envs.sb3 import TichuVecEnv


def games(count: int, rules: str, opponents: str, seed: int) -> TichuVecEnv:
    """Games of one seat each."""
    made = TichuVecEnv(count, opponents=opponents, partner=opponents, rules=rules, reward="difference")
    made.seed(seed)
    return made


def measure(model: MaskablePPO | None, scale: VecNormalize, tables: TichuVecEnv, rounds: int) -> tuple[float, float]:
    """Points a round over the other team, and their standard error; without a model, of random play."""
    # So many of each game, for short rounds end first.
    wanted = -(-rounds // tables.num_envs)
    points: list[list[int]] = [[] for _ in range(tables.num_envs)]
    observations = tables.reset()
    while any(len(each) < wanted for each in points):
        if model is None:
            actions = tables.games.sample()
        else:
            seen = scale.normalize_obs(observations)
            actions, _ = model.predict(seen, action_masks=get_action_masks(tables), deterministic=True)
        observations, _, done, infos = tables.step(actions)
        for game in np.flatnonzero(done).tolist():
            own, other = infos[game]["score"]
            points[game].append(own - other)
    all_points = np.array([each[:wanted] for each in points])
    return float(all_points.mean()), float(all_points.std(ddof=1) / np.sqrt(all_points.size))


def load_policy(folder: Path) -> Policy:
    """What was kept, as a function from observations and masks to actions."""
    model = MaskablePPO.load(folder / "policy.zip", device="cpu")
    scale = VecNormalize.load(str(folder / "normalise.pkl"), TichuVecEnv(1))

    def choose(observations: NDArray[np.uint8], masks: NDArray[np.int8]) -> NDArray[np.int64]:
        seen = scale.normalize_obs(observations)
        chosen: NDArray[np.int64] = model.predict(seen, action_masks=masks.astype(bool), deterministic=True)[0]
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


def main() -> None:
    """Learn, then measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=200_000, help="decisions to learn from")
    parser.add_argument("--games", type=int, default=64, help="games at once")
    parser.add_argument("--rounds", type=int, default=2_000, help="rounds to measure")
    parser.add_argument("--rules", default="simple")
    parser.add_argument("--opponents", default="greedy")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, help="where the policy is kept")
    options = parser.parse_args()
    tables = games(options.games, options.rules, options.opponents, options.seed)
    learning = VecNormalize(VecMonitor(tables), gamma=1.0)
    model = MaskablePPO(
        "MlpPolicy",
        learning,
        n_steps=64,
        batch_size=512,
        n_epochs=4,
        learning_rate=5e-4,
        gamma=1.0,
        ent_coef=0.005,
        policy_kwargs={"net_arch": [256, 256]},
        seed=options.seed,
        device="cpu",
    )
    model.learn(options.steps)
    # No deal of a seed so far away was trained on.
    unseen = games(256, options.rules, options.opponents, options.seed + 1_000_000)
    for name, player in (("random", None), ("learned", model)):
        mean, error = measure(player, learning, unseen, options.rounds)
        print(f"{name}: {mean:+.1f} points a round over {options.opponents}, standard error {error:.1f}")  # noqa: T201
    if options.out is not None:
        options.out.mkdir(parents=True, exist_ok=True)
        model.save(options.out / "policy.zip")
        learning.save(str(options.out / "normalise.pkl"))
        (options.out / "bot.py").write_text(BOT.format(folder=str(Path(__file__).resolve().parent)))


if __name__ == "__main__":
    main()
