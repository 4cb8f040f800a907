"""Proximal policy optimisation of all four seats at once.

A game is one sequence of decisions, whoever takes them.  The critic values each of them for the team that decides, so
the advantage of a decision is the rise of its team's value, at once and, with falling weight, later on.
"""

import time
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import torch
from torch import nn

from tichu.core.rules import STANDARD
from training.advantages import VALUES, estimate_advantages, predicted_values, round_rewards
from training.evaluation import deterministic
from training.matches import MatchValue
from training.network import BeliefHead, Critic, Policy, action_distribution, sample_actions
from training.rule_sets import MIXED, parse_rule_sets
from training.simulator import MEMORY, RESULT, Frame, Simulator
from training.workers import ALONE, Workers

__all__ = ["ENTROPY_COEFFICIENT", "Coefficients", "Config", "Learner", "Report"]

#: Of plays, at the start of a run from nothing.
ENTROPY_COEFFICIENT: Final = 0.012
# Calls are rarer than plays and need more exploration.
_CALL_ENTROPY: Final = 2.5
_CLIP_RANGE: Final = 0.2
#: Which seats an opponent has in four games: LEFT and RIGHT in two, PARTNER in one, all three in one.
_MIXED: Final = ((0, 1, 0, 1), (0, 1, 0, 1), (0, 0, 1, 0), (0, 1, 1, 1))
#: Those of a team, each as often as the other.
_FACING: Final = ((0, 1, 0, 1), (1, 0, 1, 0))


class Coefficients(NamedTuple):
    """What is scheduled over a run."""

    learning_rate: float
    #: Entropy coefficients of the calls and of everything else.
    call_entropy: float
    play_entropy: float
    #: The largest logit of a call.
    call_bound: float

    @classmethod
    def at(
        cls, progress: float, learning_rate: float, entropy_coefficient: float = ENTROPY_COEFFICIENT
    ) -> "Coefficients":
        """After a fraction of the run, 0 to 1."""
        progress = min(progress, 1.0)
        warm_up = min(1.0, progress / 0.01 + 0.05)  # Adam's first steps are large.
        fall = (1 - progress) ** 1.5
        return cls(
            learning_rate * warm_up * (0.02 + 0.98 * fall),
            0.002 + _CALL_ENTROPY * entropy_coefficient * fall,
            0.001 + entropy_coefficient * fall,
            4 + 2.5 * progress,
        )


class Report(NamedTuple):
    """Diagnostics of an iteration: of this process, but for the decisions."""

    decisions: int
    rollout_seconds: float
    update_seconds: float
    policy_loss: float
    value_loss: float
    #: The share of the variance of the lambda-returns (not of results) that the critic explains.
    explained_variance: float
    call_entropy: float
    play_entropy: float
    #: KL divergence of the updated policy from the one that played, by the estimator (r - 1) - log r.
    approximate_kl: float
    #: Of the numbers of cards that the others hold, in nats; None if nothing learns them.
    belief_loss: float | None


class Config(NamedTuple):
    """The settings of a run."""

    device: str
    games: int
    #: Decisions of a game in a rollout, and decisions of an optimiser step.
    rollout_length: int = 32
    minibatch: int = 65536
    width: int = 640
    blocks: int = 3
    gae_lambda: float = 0.97
    #: The reward is for winning the match, not for points.
    match_reward: bool = True
    #: Weight in the loss of the predictions of who is first and of double victories.
    auxiliary_coefficient: float = 0.05
    #: The share of games with an opponent at some seats.
    opponent_share: float = 0.0
    #: The opponent has the opponents' seats in all of these games and always does what it holds best: whoever learns
    #: looks for its weaknesses.
    is_best_response: bool = False
    #: The share of games in which no seat remembers who played what.
    memoryless_share: float = 1 / 16
    #: A rule set, or a mixture of them.
    rules: str = MIXED
    #: Of the critic; None: as wide as the policy, and with one block less, but with one.
    critic_width: int | None = None
    critic_blocks: int | None = None
    #: Weight in the loss of what the others hold, as the policy's body knows it; at 0 there is no head that says it.
    belief_coefficient: float = 0.0


class Learner:
    """The networks, their optimiser, and the games they learn from."""

    def __init__(self, config: Config, workers: Workers = ALONE) -> None:
        self.config = config
        self.workers = workers
        device, games, steps = config.device, config.games, config.rollout_length
        self.policy = Policy(config.width, config.blocks).to(device)
        critic_blocks = config.critic_blocks or max(1, config.blocks - 1)
        self.critic = Critic(config.critic_width or config.width, critic_blocks).to(device)
        self.belief = BeliefHead(config.width).to(device) if config.belief_coefficient else None
        self.parameters = [value for network in self.networks.values() for value in network.parameters()]
        self.optimizer = torch.optim.AdamW(
            self.parameters, lr=1e-3, weight_decay=1e-4, betas=(0.9, 0.98), fused=device == "cuda"
        )
        rule_sets = parse_rule_sets(config.rules, games)
        self.simulator = Simulator(games, device, rule_sets)
        self.matches = MatchValue(device, workers)
        standard = [game for game, rules in enumerate(rule_sets) if rules == STANDARD]
        #: The games by ``standard``, or all if there are none: statistics are theirs, and so are the match values.
        self._counted = torch.tensor(standard or range(games), device=device)
        #: The policy at the opponents' seats.
        self.opponent: Policy | None = None
        self._opponent_seats = _opponent_seats(
            int(games * config.opponent_share), device, _FACING if config.is_best_response else _MIXED
        )
        self._memoryless = slice(0, int(games * config.memoryless_share))
        self.frames = Frame.empty((steps + 1, games), device)
        self.results = torch.zeros(steps, games, len(RESULT), dtype=torch.int16, device=device)
        self.actions = torch.zeros(steps, games, dtype=torch.int16, device=device)
        self.log_probabilities = torch.zeros(steps, games, device=device)
        #: Whether a decision was the learner's, not an opponent's.
        self.is_own = torch.ones(steps, games, dtype=torch.bool, device=device)
        self.values = torch.zeros(steps + 1, games, VALUES, device=device)
        compiled = device == "cuda"
        self._sample = torch.compile(self.sample, dynamic=False) if compiled else self.sample
        self._sample_opponent = torch.compile(self.sample_opponent, dynamic=False) if compiled else self.sample_opponent
        self._values_of = torch.compile(self.values_of, dynamic=False) if compiled else self.values_of
        self._loss = torch.compile(self.loss, dynamic=False) if compiled else self.loss

    @property
    def networks(self) -> dict[str, nn.Module]:
        """Those that learn, by the names that checkpoints have for them."""
        known: dict[str, nn.Module] = {"policy": self.policy, "critic": self.critic}
        return known if self.belief is None else known | {"belief": self.belief}

    def autocast(self) -> torch.autocast:
        """Matrix products in bfloat16 on a GPU."""
        return torch.autocast(self.config.device, torch.bfloat16, enabled=self.config.device == "cuda")

    def sample(self, frame: Frame, call_bound: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """An action for every game, with its log-probability."""
        with self.autocast():
            logits, _ = self.policy(frame.observations)
        return _sample(logits, frame.masks, call_bound)

    def sample_opponent(self, frame: Frame, call_bound: torch.Tensor) -> torch.Tensor:
        """An action of the opponent for every game."""
        assert self.opponent is not None
        if self.config.is_best_response:
            return deterministic(self.opponent)(frame)
        with self.autocast():
            logits, _ = self.opponent(frame.observations)
        return _sample(logits, frame.masks, call_bound)[0]

    def values_of(self, frame: Frame) -> torch.Tensor:
        """The critic's values."""
        with self.autocast():
            return predicted_values(self.critic(frame.observations, frame.hands))

    def loss(
        self,
        frame: Frame,
        actions: torch.Tensor,
        old_log: torch.Tensor,
        is_own: torch.Tensor,
        advantages: torch.Tensor,
        returns: torch.Tensor,
        coefficients: torch.Tensor,
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """The loss of a minibatch, and its diagnostics."""
        with self.autocast():
            hidden = self.policy.body(frame.observations)
            logits, predictions = self.policy.read(hidden)
            values = self.critic(frame.observations, frame.hands)
            belief_loss = values.new_zeros(()) if self.belief is None else self.belief.loss(hidden, frame.hands)
        distribution = action_distribution(logits, frame.masks, coefficients[2])
        log = distribution.log_probabilities.gather(1, actions.long().unsqueeze(1))[:, 0]
        weight = is_own.float() / is_own.float().mean()
        ratio = ((log - old_log) * is_own).exp()
        clipped = ratio.clamp(1 - _CLIP_RANGE, 1 + _CLIP_RANGE)
        policy_loss = -(weight * torch.min(ratio * advantages, clipped * advantages)).mean()
        value_loss = (values[:, :2] - returns[:, :2]).pow(2).mean()
        points_loss = (predictions[:, 0] - returns[:, 1]).pow(2).mean()
        auxiliary = _cross_entropy(values[:, 2:], returns[:, 2:]) + _cross_entropy(predictions[:, 1:], returns[:, 2:])
        call_entropy = (weight * distribution.call_entropy).mean()
        play_entropy = (weight * distribution.play_entropy).mean()
        total = policy_loss + 0.5 * value_loss + 0.1 * points_loss
        total = total - coefficients[0] * call_entropy - coefficients[1] * play_entropy
        total = total + self.config.auxiliary_coefficient * auxiliary + self.config.belief_coefficient * belief_loss
        approximate_kl = ((ratio - 1) - (log - old_log) * is_own).mean()
        diagnostics = policy_loss, value_loss, call_entropy, play_entropy, approximate_kl, belief_loss
        return total, torch.stack(diagnostics).detach()

    def share(self) -> None:
        """Take over the first worker's networks, optimiser and match values."""
        state = None
        if self.workers.is_first:
            parts = (*self.networks.values(), self.optimizer, self.matches)
            state = [_on_cpu(part.state_dict()) for part in parts]
        *networks, optimizer, matches = self.workers.from_first(state)
        if not self.workers.is_first:
            for network, weights in zip(self.networks.values(), networks, strict=True):
                network.load_state_dict(weights)
            self.optimizer.load_state_dict(optimizer)
            self.matches.load_state_dict({name: each.to(self.config.device) for name, each in matches.items()})

    def reset(self, seed: int) -> None:
        """Deal all games."""
        self.simulator.deal(seed, self.frames.at(self.config.rollout_length))

    @torch.no_grad()
    def collect_rollout(self, call_bound: float) -> None:
        """Play ``rollout_length`` decisions in every game, from where the games stand."""
        steps = self.config.rollout_length
        for each in self.frames:
            each[0].copy_(each[steps])
        bound = torch.tensor(call_bound, device=self.config.device)
        for step in range(steps):
            frame = self.frames.at(step)
            self.actions[step], self.log_probabilities[step] = self._sample(frame, bound)
            self._play_opponents(step, bound)
            self.values[step] = self._values_of(frame)
            self.simulator.step(self.actions[step], self.frames.at(step + 1), self.results[step])
            self.frames.observations[step + 1, self._memoryless, MEMORY] = 0
        self.values[steps] = self._values_of(self.frames.at(steps))
        self.matches.count(self.counted_results())

    def counted_results(self) -> torch.Tensor:
        """The results of the rollout that statistics are made of: those of games by ``standard``, if there are any."""
        return self.results[:, self._counted]

    def _play_opponents(self, step: int, call_bound: torch.Tensor) -> None:
        """Let the opponent decide at its seats; the policy does not learn from these decisions."""
        count = len(self._opponent_seats)
        if not count or self.opponent is None:
            return
        some = slice(self.config.games - count, None)
        frame = Frame(*(each[step, some] for each in self.frames))
        theirs = self._opponent_seats.gather(1, frame.seats.long().unsqueeze(1))[:, 0]
        self.actions[step, some] = torch.where(
            theirs, self._sample_opponent(frame, call_bound), self.actions[step, some]
        )
        self.is_own[step, some] = ~theirs

    def update(self, coefficients: Coefficients) -> torch.Tensor:
        """One epoch over the rollout; the mean diagnostics of its minibatches, and the explained variance."""
        config = self.config
        done, rewards = round_rewards(self.results, self.matches if config.match_reward else None)
        advantages, returns = estimate_advantages(self.values, self.frames.seats, done, rewards, config.gae_lambda)
        explained_variance = 1 - advantages.var() / returns[..., 0].var()
        advantages = ((advantages - advantages.mean()) / (advantages.std() + 1e-6)).flatten()
        flat = Frame(*(each[: config.rollout_length].flatten(0, 1) for each in self.frames))
        actions, logs, is_own = self.actions.flatten(), self.log_probabilities.flatten(), self.is_own.flatten()
        returns = returns.flatten(0, 1)
        for group in self.optimizer.param_groups:
            group["lr"] = coefficients.learning_rate
        scheduled = torch.tensor(coefficients[1:], device=config.device)
        reports = []
        order = torch.randperm(len(actions), device=config.device)
        for start in range(0, len(order) - config.minibatch + 1, config.minibatch):
            some = order[start : start + config.minibatch]
            total, report = self._loss(
                flat.at(some), actions[some], logs[some], is_own[some], advantages[some], returns[some], scheduled
            )
            self.optimizer.zero_grad(set_to_none=True)
            total.backward()
            self.workers.average([each.grad for each in self.parameters if each.grad is not None])
            nn.utils.clip_grad_norm_(self.parameters, 1.0)
            self.optimizer.step()
            reports.append(report)
        return torch.cat([torch.stack(reports).mean(0), explained_variance.unsqueeze(0)])

    def iterate(self, coefficients: Coefficients) -> Report:
        """Collect a rollout and learn from it."""
        began = time.perf_counter()
        self.collect_rollout(coefficients.call_bound)
        self._synchronize()
        collected = time.perf_counter()
        *diagnostics, belief_loss, explained = self.update(coefficients).tolist()
        policy_loss, value_loss, call_entropy, play_entropy, kl = diagnostics
        updated = time.perf_counter()
        belief = None if self.belief is None else belief_loss
        count = self.actions.numel() * self.workers.size
        times = collected - began, updated - collected
        return Report(count, *times, policy_loss, value_loss, explained, call_entropy, play_entropy, kl, belief)

    def _synchronize(self) -> None:
        if self.config.device == "cuda":
            torch.cuda.synchronize()


def _on_cpu(state: Any) -> Any:
    if isinstance(state, torch.Tensor):
        return state.cpu()
    if isinstance(state, dict):
        return {name: _on_cpu(each) for name, each in state.items()}
    return state


def _opponent_seats(games: int, device: str, patterns: Sequence[Sequence[int]]) -> torch.Tensor:
    """Which seats of each game an opponent has."""
    rows = torch.tensor(patterns, dtype=torch.bool, device=device)
    return rows[torch.arange(games, device=device) % len(rows)]


def _sample(logits: torch.Tensor, masks: torch.Tensor, call_bound: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    logs = action_distribution(logits, masks, call_bound).log_probabilities
    actions = sample_actions(logs)
    return actions, logs.gather(1, actions.long().unsqueeze(1))[:, 0]


def _cross_entropy(logits: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
    """Of the predictions of who is first and of double victories."""
    parts = zip(logits.split((4, 3), 1), targets.split((4, 3), 1), strict=True)
    return torch.stack([nn.functional.cross_entropy(given, came) for given, came in parts]).sum()
