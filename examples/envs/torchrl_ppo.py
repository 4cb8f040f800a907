"""PPO of TorchRL learns one seat of Tichu, with greedy bots at the others.

    python examples/envs/torchrl_ppo.py --steps 200000 --out build/torchrl_ppo

Many games at once come from `gymnasium.make_vec`; the mask is part of the observation, and `MaskedCategorical` takes it
from there.  These games deal anew within a step, which TorchRL wants to hear in two: `Games` keeps the new deal until
it is asked for.  What was learned is measured on deals that were not trained on, and plays on its own afterwards:

    tichu arena build/torchrl_ppo/bot.py:policy greedy --rules simple

Needs `pip install tichu[envs] torchrl`; the native core makes it fast.
"""

import argparse
import sys
import time
from pathlib import Path

import gymnasium
import numpy as np
import torch
from numpy.typing import NDArray
from tensordict import TensorDict
from tensordict.nn import TensorDictModule
from torch import nn
from torchrl.collectors import Collector
from torchrl.data import Bounded, Categorical, Composite, Unbounded
from torchrl.envs import EnvBase
from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

from tichu.agents.policy import Policy
from tichu.envs import ACTION_COUNT, FIELDS, OBSERVATION_SIZE


class Network(nn.Module):
    """From the bytes of an observation, each divided by the highest that it can be, to so many numbers."""

    def __init__(self, outputs: int, width: int = 256) -> None:
        super().__init__()
        highest = np.concatenate([np.full(field.size, field.highest, np.float32) for field in FIELDS])
        self.register_buffer("scale", torch.from_numpy(1 / highest))
        self.layers = nn.Sequential(
            nn.Linear(OBSERVATION_SIZE, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, outputs)
        )

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """Logits, or a value."""
        return self.layers(observations.float() * self.scale)


def games(count: int, rules: str, opponents: str) -> gymnasium.vector.VectorEnv:
    """Games of one seat each; where it has no choice it is not asked."""
    return gymnasium.make_vec(
        "tichu/Tichu-v0",
        num_envs=count,
        opponents=opponents,
        partner=opponents,
        rules=rules,
        reward="difference",
        forced=False,
    )


class Games(EnvBase):
    """Many games of one seat as an environment of TorchRL."""

    def __init__(self, tables: gymnasium.vector.VectorEnv, seed: int) -> None:
        count = tables.num_envs
        super().__init__(device="cpu", batch_size=[count])
        self._tables = tables
        self.observation_spec = Composite(
            observation=Bounded(0, 255, shape=(count, OBSERVATION_SIZE), dtype=torch.uint8),
            action_mask=Bounded(0, 1, shape=(count, ACTION_COUNT), dtype=torch.bool),
            shape=(count,),
        )
        self.action_spec = Categorical(ACTION_COUNT, shape=(count,))
        self.reward_spec = Unbounded(shape=(count, 1))
        self._set_seed(seed)

    def _set_seed(self, seed: int | None) -> None:
        self._seen, _ = self._tables.reset(seed=seed)

    def _reset(self, tensordict: TensorDict | None, **_: object) -> TensorDict:
        # Games that have ended have been dealt anew already.
        return self._as_tensors(self._seen["observation"])

    def _step(self, tensordict: TensorDict) -> TensorDict:
        self._seen, rewards, terminated, truncated, info = self._tables.step(tensordict["action"].numpy())
        rows, done = self._seen["observation"], terminated | truncated
        if done.any():
            rows = np.where(done[:, None], info["final_obs"]["observation"], rows)
        after = self._as_tensors(rows)
        for name, values in (("reward", rewards / 100), ("terminated", terminated), ("truncated", truncated)):
            after[name] = torch.from_numpy(values)[:, None]
        after["reward"] = after["reward"].float()
        after["done"] = after["terminated"] | after["truncated"]
        return after

    def _as_tensors(self, rows: NDArray[np.uint8]) -> TensorDict:
        mask = torch.from_numpy(self._seen["action_mask"]).bool()
        return TensorDict({"observation": torch.from_numpy(rows), "action_mask": mask}, self.batch_size)


def as_policy(network: Network) -> Policy:
    """What the network does: the most likely legal action of every row."""

    def choose(observations: NDArray[np.uint8], masks: NDArray[np.int8]) -> NDArray[np.int64]:
        with torch.no_grad():
            logits = network(torch.from_numpy(observations))
        logits[torch.from_numpy(masks) == 0] = -torch.inf
        chosen: NDArray[np.int64] = logits.argmax(1).numpy()
        return chosen

    return choose


def load_policy(path: Path) -> Policy:
    """A policy that was kept."""
    network = Network(ACTION_COUNT)
    network.load_state_dict(torch.load(path, weights_only=True))
    return as_policy(network)


#: Beside policy.pt it is a bot: tichu arena OUT/bot.py:policy greedy --rules simple
BOT = """\
import sys
from pathlib import Path

sys.path.append({folder!r})

from torchrl_ppo import load_policy

policy = load_policy(Path(__file__).with_name("policy.pt"))
"""


def measure(policy: Policy, rules: str, opponents: str, rounds: int, seed: int) -> tuple[float, float]:
    """Points a round over the other team, and their standard error."""
    tables = games(256, rules, opponents)
    wanted = -(-rounds // 256)
    points: list[list[int]] = [[] for _ in range(256)]
    seen, _ = tables.reset(seed=seed)
    # So many of each game, for short rounds end first.
    while any(len(each) < wanted for each in points):
        seen, _, _, _, info = tables.step(np.asarray(policy(seen["observation"], seen["action_mask"])))
        for game in np.flatnonzero(info.get("_score", np.zeros(0))).tolist():
            own, other = info["score"][game].tolist()
            points[game].append(own - other)
    all_points = np.array([each[:wanted] for each in points])
    return float(all_points.mean()), float(all_points.std(ddof=1) / np.sqrt(all_points.size))


def learn(network: Network, env: EnvBase, options: argparse.Namespace) -> None:
    """PPO: collect, estimate advantages, and update a few times."""
    actor = ProbabilisticActor(
        TensorDictModule(network, in_keys=["observation"], out_keys=["logits"]),
        in_keys={"logits": "logits", "mask": "action_mask"},
        distribution_class=MaskedCategorical,
        return_log_prob=True,
    )
    critic = ValueOperator(Network(1), in_keys=["observation"])
    advantage = GAE(gamma=1.0, lmbda=0.95, value_network=critic)
    loss = ClipPPOLoss(actor, critic, clip_epsilon=0.2, entropy_coeff=0.01, critic_coeff=0.5, normalize_advantage=True)
    optimizer = torch.optim.Adam(loss.parameters(), 1e-3)
    frames = 32 * options.games
    collector = Collector(
        env, actor, frames_per_batch=frames, total_frames=options.steps, auto_register_policy_transforms=False
    )
    began = time.perf_counter()
    for number, data in enumerate(collector, start=1):
        for group in optimizer.param_groups:
            group["lr"] = 1e-3 * max(1 - (number - 1) * frames / options.steps, 0.05)
        for _ in range(4):
            with torch.no_grad():
                advantage(data)
            flat = data.reshape(-1)
            for chosen in torch.randperm(len(flat)).split(1024):
                losses = loss(flat[chosen])
                optimizer.zero_grad()
                (losses["loss_objective"] + losses["loss_critic"] + losses["loss_entropy"]).backward()
                nn.utils.clip_grad_norm_(loss.parameters(), 0.5)
                optimizer.step()
        if number % 10 == 0:
            print(f"{time.perf_counter() - began:5.0f} s {number * frames:10,d} steps", flush=True)  # noqa: T201
    collector.shutdown()


def main() -> None:
    """Learn, then measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=200_000, help="decisions to learn from")
    parser.add_argument("--games", type=int, default=128, help="games at once")
    parser.add_argument("--rounds", type=int, default=2_048, help="rounds to measure")
    parser.add_argument("--rules", default="simple")
    parser.add_argument("--opponents", default="greedy")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--must-improve", action="store_true", help="fail if what was learned is not clearly better")
    parser.add_argument("--out", type=Path, help="where the policy is kept")
    options = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(options.seed)
    network = Network(ACTION_COUNT)
    # Game i has the seed plus i: seeds that follow each other would share nearly all of their deals.
    deals = 1_000_003 * options.seed
    env = Games(games(options.games, options.rules, options.opponents), deals)
    results = []
    for name in ("beginner", "learned"):
        if name == "learned":
            learn(network, env, options)
        # No deal of a seed so far away was trained on.
        mean, error = measure(as_policy(network), options.rules, options.opponents, options.rounds, deals + 500_000)
        print(f"{name}: {mean:+.1f} points a round over {options.opponents}, standard error {error:.1f}", flush=True)  # noqa: T201
        results.append((mean, error))
    if options.out is not None:
        options.out.mkdir(parents=True, exist_ok=True)
        torch.save(network.state_dict(), options.out / "policy.pt")
        (options.out / "bot.py").write_text(BOT.format(folder=str(Path(__file__).resolve().parent)))
    (first, first_error), (last, last_error) = results
    if options.must_improve and last - 2 * last_error <= first + 2 * first_error:
        sys.exit("the policy has not learned")


if __name__ == "__main__":
    main()
