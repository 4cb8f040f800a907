r"""Masked PPO in one file: one network learns Tichu by playing all four seats against itself.

    python examples/envs/ppo.py --minutes 9 --seed 1 --out build/ppo

The rule set is `simple`, if no other is asked for: no exchange, no wish, automatic calls and gifts.  Nobody is asked
where only one action is legal.  The reward is the difference of the scores at the end of a round.  The network computes
logits of the legal actions alone: each is the product of a vector for the action and a vector for the observation.
Needs `pip install tichu[envs,train]` and the native core.

Writes curve.csv, curve.svg (if matplotlib is installed), result.json, policy.pt and bot.py, with which it plays:

    tichu arena build/ppo/bot.py:policy greedy --rules simple

As a baseline of Tichu-1M (docs/benchmark.md), with as many decisions as that allows:

    python examples/envs/ppo.py --rules standard --steps 1000000 --games 128 --minibatch 1024 --seed 1 \
        --out build/tichu-1m/ppo-1
"""

import argparse
import csv
import json
import sys
import time
from pathlib import Path
from random import Random

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from tichu import Rules, shuffled_deal
from tichu.agents import make_agent
from tichu.agents.policy import Policy, PolicyAgent
from tichu.arena import play_round
from tichu.encoding.numbering import PLAYING
from tichu.envs import ACTION_COUNT, FIELDS, OBSERVATION_SIZE, VERSION, SelfPlay, shape_at, unpack_masks


def action_features() -> torch.Tensor:
    """What is known of every action before anything is learned: kind, ranks, number of cards, the Phoenix."""
    features = np.zeros((ACTION_COUNT, 64), np.float32)
    for number in range(ACTION_COUNT):
        if number < PLAYING:
            features[number, 63] = number == 0
            continue
        shape = shape_at(number)
        cards = shape.ranks * shape.width + (2 if shape.pair else 0)
        features[number, shape.kind] = 1
        features[number, 11 + shape.low + shape.ranks - 1] = 1
        features[number, 28 + shape.low] = 1
        features[number, 45 + cards // 2] = 1
        features[number, 53:57] = cards / 5, shape.phoenix > 0, shape.low / 14, shape.pair / 14
        features[number, 57 + shape.card if shape.card >= 0 else 62] = 1
    return torch.from_numpy(features)


class Network(nn.Module):
    """A policy over the legal actions and a value, for the seat that is to decide."""

    def __init__(self, width: int = 256, head: int = 64) -> None:
        super().__init__()
        highest = np.concatenate([np.full(field.size, field.highest, np.float32) for field in FIELDS])
        self.register_buffer("scale", torch.from_numpy(1 / highest))
        self.register_buffer("features", action_features())
        self.body = nn.Sequential(
            nn.Linear(OBSERVATION_SIZE, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU(), nn.LayerNorm(width)
        )
        self.query = nn.Linear(width, head)
        self.value = nn.Linear(width, 1)
        self.of_features = nn.Linear(64, head)
        self.of_action = nn.Embedding(ACTION_COUNT, head)
        self.bias = nn.Embedding(ACTION_COUNT, 1)
        nn.init.normal_(self.of_action.weight, std=0.1)
        nn.init.zeros_(self.bias.weight)
        nn.init.zeros_(self.value.weight)
        nn.init.zeros_(self.value.bias)

    def forward(
        self, observations: torch.Tensor, rows: torch.Tensor, numbers: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """The log-probability of each legal action (its row and its number), and the value of each row."""
        hidden = self.body(observations.float() * self.scale)
        query = self.query(hidden) / 8
        table = self.of_features(self.features) + self.of_action.weight
        scores = (query[rows] * table[numbers]).sum(1) + self.bias.weight[numbers, 0]
        count = len(observations)
        highest = torch.full((count,), -torch.inf).scatter_reduce(0, rows, scores.detach(), "amax")
        total = torch.zeros(count).index_add(0, rows, (scores - highest[rows]).exp())
        return scores - (highest + total.log())[rows], self.value(hidden)[:, 0]


def sample(logs: torch.Tensor, rows: torch.Tensor, count: int, greedily: bool = False) -> torch.Tensor:
    """For each row the place of one of its actions, sampled by the Gumbel trick or the most likely one."""
    noisy = logs if greedily else logs - torch.empty_like(logs).exponential_().log()
    best = torch.full((count,), -torch.inf).scatter_reduce(0, rows, noisy, "amax")
    places = torch.nonzero(noisy == best[rows])[:, 0]
    chosen = torch.empty(count, dtype=torch.long)
    chosen[rows[places]] = places
    return chosen


def as_policy(network: Network) -> Policy:
    """What the network does: the most likely legal action of every row."""

    def choose(observations: NDArray[np.uint8], masks: NDArray[np.int8]) -> NDArray[np.int64]:
        rows, numbers = torch.from_numpy(masks).nonzero(as_tuple=True)
        with torch.no_grad():
            logs, _ = network(torch.from_numpy(observations), rows, numbers)
        chosen: NDArray[np.int64] = numbers[sample(logs, rows, len(masks), greedily=True)].numpy()
        return chosen

    return choose


def load_policy(path: Path) -> Policy:
    """A policy that was kept."""
    kept = torch.load(path, weights_only=True)
    if kept["encoding"] != VERSION:
        sys.exit(f"{path} was trained with encoding {kept['encoding']}; this is {VERSION}")
    network = Network()
    network.load_state_dict(kept["network"])
    return as_policy(network)


#: Beside policy.pt it is a bot: tichu arena OUT/bot.py:policy greedy --rules simple
BOT = """\
import sys
from pathlib import Path

sys.path.append({folder!r})

from ppo import load_policy

policy = load_policy(Path(__file__).with_name("policy.pt"))
"""


def evaluate(network: Network, rules_text: str, opponent: str, deals: int, seed: int) -> tuple[float, float, float]:
    """Points a round over another bot on duplicate deals, with the 95 % interval."""
    rng = Random(seed)
    rules = Rules.parse(rules_text).sequential()
    policy = PolicyAgent(as_policy(network))
    margins = []
    for number in range(deals):
        deal = shuffled_deal(rng)
        margin = 0
        for leg in range(2):
            other = make_agent(opponent, seed=2 * number + leg)
            agents = [policy, other, policy, other] if leg == 0 else [other, policy, other, policy]
            score = play_round(agents, deal, rules).round.outcome.score
            margin += score[leg] - score[1 - leg]
        margins.append(margin / 2)
    values = np.array(margins)
    error = 1.96 * values.std(ddof=1) / len(values) ** 0.5
    return float(values.mean()), float(values.mean() - error), float(values.mean() + error)


class Rollout:
    """Rounds played by the network, as samples."""

    def __init__(self, games: SelfPlay, network: Network, seed: int) -> None:
        games.reset(seed)
        count = len(games)
        steps = []
        active = np.arange(count)
        actions = np.full(count, -1, np.int64)
        result = np.zeros((count, 4), np.float32)
        while len(active):
            observations = games.observations[active]
            rows, numbers = np.nonzero(unpack_masks(games.masks[active]))
            with torch.no_grad():
                one, two = torch.from_numpy(rows), torch.from_numpy(numbers)
                logs, values = network(torch.from_numpy(observations), one, two)
                chosen = sample(logs, one, len(active))
            actions[:] = -1
            actions[active] = numbers[chosen.numpy()]
            seats = games.seats[active].copy()
            steps.append((observations, active, seats, numbers, np.bincount(rows), chosen, logs[chosen], values))
            games.step(actions)
            ended = games.done[active].astype(bool)
            result[active[ended]] = games.rewards[active[ended]] / 100
            active = active[~ended]
        self._advantages(steps, result)
        self.observations = torch.from_numpy(np.concatenate([step[0] for step in steps]))
        self.numbers = np.concatenate([step[3] for step in steps])
        self.counts = np.concatenate([step[4] for step in steps])
        self.starts = np.concatenate([[0], self.counts.cumsum()[:-1]])
        offsets = np.concatenate([[0], np.cumsum([len(step[3]) for step in steps])[:-1]])
        places = [step[5].numpy() + offset for step, offset in zip(steps, offsets, strict=True)]
        #: Where the action taken stands among the legal ones of its row.
        self.taken = np.concatenate(places) - self.starts
        self.logs = torch.cat([step[6] for step in steps])

    def _advantages(self, steps: list[tuple], result: np.ndarray, gae_lambda: float = 0.95) -> None:  # type: ignore[type-arg]
        """Generalised advantages, each seat's decisions being a sequence that ends with its reward."""
        ahead = result.copy()
        advantage = np.zeros_like(result)
        advantages, returns = [], []
        for _, games, seats, *_, values in reversed(steps):
            value = values.numpy()
            now = ahead[games, seats] - value + gae_lambda * advantage[games, seats]
            advantage[games, seats] = now
            ahead[games, seats] = value
            advantages.append(now)
            returns.append(now + value)
        self.advantages = torch.from_numpy(np.concatenate(advantages[::-1]))
        self.returns = torch.from_numpy(np.concatenate(returns[::-1]))

    def __len__(self) -> int:
        return len(self.counts)

    def legal(self, chosen: NDArray[np.int64]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Of some samples: row and number of every legal action, and the place of the one taken."""
        counts = self.counts[chosen]
        rows = np.repeat(np.arange(len(chosen)), counts)
        first = np.concatenate([[0], counts.cumsum()[:-1]])
        within = np.arange(len(rows)) - first[rows]
        numbers = self.numbers[self.starts[chosen][rows] + within]
        return torch.from_numpy(rows), torch.from_numpy(numbers), torch.from_numpy(first + self.taken[chosen])


def update(
    network: Network,
    optimizer: torch.optim.Optimizer,
    rollout: Rollout,
    entropy_coefficient: float,
    epochs: int,
    minibatch: int,
) -> tuple[float, float]:
    """PPO's clipped updates over a rollout; the last value loss and entropy."""
    spread = rollout.advantages.std() + 1e-6
    advantages = (rollout.advantages - rollout.advantages.mean()) / spread
    value_loss = entropy = torch.zeros(())
    for _ in range(epochs):
        order = np.random.permutation(len(rollout))
        for start in range(0, len(order) - minibatch // 2, minibatch):
            chosen = order[start : start + minibatch]
            rows, numbers, taken = rollout.legal(chosen)
            logs, values = network(rollout.observations[chosen], rows, numbers)
            ratio = (logs[taken] - rollout.logs[chosen]).exp()
            advantage = advantages[chosen]
            policy_loss = -torch.min(ratio * advantage, ratio.clamp(0.8, 1.2) * advantage).mean()
            value_loss = (values - rollout.returns[chosen]).pow(2).mean()
            entropy = -(logs.exp() * logs).sum() / len(chosen)
            optimizer.zero_grad()
            (policy_loss + 0.5 * value_loss - entropy_coefficient * entropy).backward()
            nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimizer.step()
    return float(value_loss.detach()), float(entropy.detach())


def draw(curve: list[dict[str, float]], opponent: str, path: Path) -> None:
    """The learning curve, if matplotlib is installed."""
    try:
        import matplotlib
    except ImportError:
        return
    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(7, 4))
    minutes = [point["seconds"] / 60 for point in curve]
    axes.plot(minutes, [point["points"] for point in curve], marker="o", markersize=3)
    axes.fill_between(minutes, [point["low"] for point in curve], [point["high"] for point in curve], alpha=0.2)
    axes.axhline(0, color="grey", linewidth=0.8)
    axes.set_xlabel("minutes of training")
    axes.set_ylabel(f"points a round over {opponent}")
    figure.tight_layout()
    figure.savefig(path)


def parse_options() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rules", default="simple")
    parser.add_argument("--minutes", type=float, default=8.0)
    parser.add_argument("--steps", type=int, help="decisions to learn from at most, instead of minutes")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--games", type=int, default=512)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--minibatch", type=int, default=2048)
    parser.add_argument("--learning-rate", type=float, default=1e-3)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--opponent", default="greedy", help="the bot to evaluate against")
    parser.add_argument("--curve-deals", type=int, default=100, help="of an evaluation during the training")
    parser.add_argument("--deals", type=int, default=600, help="of the last evaluation")
    parser.add_argument("--must-improve", action="store_true", help="fail if the last interval is not above the first")
    parser.add_argument("--out", type=Path, default=Path("build/ppo"))
    return parser.parse_args()


def train(network: Network, options: argparse.Namespace) -> tuple[list[dict[str, float]], int, int]:
    """Play and learn until the time is up: the curve, the decisions and the rounds played."""
    optimizer = torch.optim.Adam(network.parameters(), options.learning_rate)
    games = SelfPlay(options.games, options.rules, reward="difference", forced=False)
    curve: list[dict[str, float]] = []
    budget = 60 * options.minutes
    began = time.perf_counter()
    decisions = iteration = longest = 0
    next_evaluation = 0.0
    while True:
        seconds = time.perf_counter() - began
        share, is_over = seconds / budget, seconds >= budget
        if options.steps:
            # One more rollout could be too many.
            share, is_over = decisions / options.steps, decisions + longest > options.steps
        if share >= next_evaluation or is_over:
            mean, low, high = evaluate(network, options.rules, options.opponent, options.curve_deals, seed=12345)
            curve.append({"seconds": seconds, "decisions": decisions, "points": mean, "low": low, "high": high})
            print(f"{seconds:5.0f} s {decisions:10,d} decisions {mean:+7.1f} [{low:+.1f}, {high:+.1f}]", flush=True)  # noqa: T201
            next_evaluation += 1 / 12 if options.steps else max(1 / 12, 10 / budget)
        if is_over:
            return curve, decisions, iteration * options.games
        for group in optimizer.param_groups:
            group["lr"] = options.learning_rate * (1 - 0.9 * share)
        rollout = Rollout(games, network, seed=1_000_003 * options.seed + iteration)
        update(network, optimizer, rollout, 0.02 * (1 - share) + 0.002, options.epochs, options.minibatch)
        decisions += len(rollout)
        longest = max(longest, len(rollout) * 11 // 10)
        iteration += 1


def main() -> None:
    """Train, evaluate, and write the results."""
    options = parse_options()
    options.out.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    np.random.seed(options.seed)
    network = Network()
    curve, decisions, rounds = train(network, options)
    mean, low, high = evaluate(network, options.rules, options.opponent, options.deals, seed=777)
    result = {
        "encoding": VERSION,
        "rules": options.rules,
        "seed": options.seed,
        "minutes": options.minutes,
        "decisions": decisions,
        "rounds": rounds,
        "opponent": options.opponent,
        "deals": options.deals,
        "points_per_round": mean,
        "ci95": [low, high],
    }
    print(json.dumps(result), flush=True)  # noqa: T201
    (options.out / "result.json").write_text(json.dumps(result) + "\n")
    with (options.out / "curve.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, fieldnames=["encoding", *curve[0]])
        writer.writeheader()
        writer.writerows({"encoding": VERSION, **point} for point in curve)
    draw(curve, options.opponent, options.out / "curve.svg")
    torch.save({"encoding": VERSION, "network": network.state_dict()}, options.out / "policy.pt")
    (options.out / "bot.py").write_text(BOT.format(folder=str(Path(__file__).resolve().parent)))
    if options.must_improve and low <= curve[0]["high"]:
        sys.exit("the policy has not learned")


if __name__ == "__main__":
    main()
