"""Proximal policy optimisation of all four seats at once.

A game is one sequence of decisions, whoever takes them.  The critic values every one of them for the team that decides,
so the gain of a decision is what the value of its team rises by, at once and, ever less, later on.
"""

import time
from typing import NamedTuple

import torch
from torch import nn

from training.network import Critic, Policy, choices
from training.simulator import NO_RESULT, Frame, Simulator

__all__ = ["Learner", "Rates", "Report", "advantages"]


class Rates(NamedTuple):
    """What changes while a run goes on."""

    learning: float
    #: What the entropies are worth: of the calls, and of everything else.
    calling: float
    others: float
    #: How far from even the odds of a call may go, as a logit.
    bound: float

    @classmethod
    def at(cls, share: float, learning: float) -> "Rates":
        """After a share of the run, 0 to 1."""
        share = min(share, 1.0)
        rise = min(1.0, share / 0.01 + 0.05)  # Adam's first steps are large.
        fall = (1 - share) ** 1.5
        return cls(learning * rise * (0.02 + 0.98 * fall), 0.002 + 0.03 * fall, 0.001 + 0.012 * fall, 4 + 2.5 * share)


class Report(NamedTuple):
    """How an iteration went."""

    decisions: int
    playing: float
    learning: float
    policy_loss: float
    value_loss: float
    #: The share of the results' variance that the critic does not explain.
    unexplained: float
    calling: float
    others: float
    #: How far the policy has moved from the one that played.
    moved: float


def advantages(
    values: torch.Tensor, seats: torch.Tensor, results: torch.Tensor, decay: float
) -> tuple[torch.Tensor, torch.Tensor]:
    """Gains and what values should have been, both for the team that decided.

    ``values`` and ``seats`` have one step more than ``results``.
    """
    team = 1.0 - 2.0 * (seats & 1)
    value = values * team
    over = results != NO_RESULT
    reward = torch.where(over, results.float() / 100, 0.0)
    gain = torch.zeros_like(value[0])
    gains = torch.empty_like(reward)
    for step in range(len(results) - 1, -1, -1):
        ahead = torch.where(over[step], 0.0, value[step + 1] + decay * gain)
        gain = reward[step] + ahead - value[step]
        gains[step] = gain
    return gains * team[:-1], (gains + value[:-1]) * team[:-1]


class Learner:
    """The networks, their optimizer, and the games they learn from."""

    def __init__(
        self, device: str, games: int, steps: int, batch: int, width: int = 512, blocks: int = 3, decay: float = 0.97
    ) -> None:
        self.device, self.steps, self.batch, self.decay = device, steps, batch, decay
        self.policy = Policy(width, blocks).to(device)
        self.critic = Critic(width, max(1, blocks - 1)).to(device)
        self.parameters = [*self.policy.parameters(), *self.critic.parameters()]
        self.optimizer = torch.optim.AdamW(
            self.parameters, lr=1e-3, weight_decay=1e-4, betas=(0.9, 0.98), fused=device == "cuda"
        )
        self.simulator = Simulator(games, device)
        self.frames = Frame.empty((steps + 1, games), device)
        self.results = torch.zeros(steps, games, dtype=torch.int16, device=device)
        self.actions = torch.zeros(steps, games, dtype=torch.int16, device=device)
        self.logs = torch.zeros(steps, games, device=device)
        self.values = torch.zeros(steps + 1, games, device=device)
        compiled = device == "cuda"
        self._decide = torch.compile(self.decide, dynamic=False) if compiled else self.decide
        self._judge = torch.compile(self.judge, dynamic=False) if compiled else self.judge
        self._loss = torch.compile(self.loss, dynamic=False) if compiled else self.loss

    def mixed(self) -> torch.autocast:
        """Matrix products in sixteen bits where that is fast."""
        return torch.autocast(self.device, torch.bfloat16, enabled=self.device == "cuda")

    def decide(self, frame: Frame, bound: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Draw an action for every game, with its log-probability."""
        with self.mixed():
            scores, _ = self.policy(frame.observations)
        logs = choices(scores, frame.masks, bound).logs
        # Gumbel's trick: the highest of the noisy ones is drawn by its probability.
        noise = -torch.log(-torch.log(torch.rand_like(logs).clamp(1e-9, 1 - 1e-7)))
        action = (logs + noise).argmax(1)
        return action.to(torch.int16), logs.gather(1, action.unsqueeze(1))[:, 0]

    def judge(self, frame: Frame) -> torch.Tensor:
        """The critic's values."""
        with self.mixed():
            return self.critic(frame.observations, frame.hands)

    def loss(
        self,
        frame: Frame,
        actions: torch.Tensor,
        old: torch.Tensor,
        gains: torch.Tensor,
        targets: torch.Tensor,
        weights: torch.Tensor,
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """What is to become small, and what there is to report."""
        with self.mixed():
            scores, expected = self.policy(frame.observations)
            values = self.critic(frame.observations, frame.hands)
        chosen = choices(scores, frame.masks, weights[2])
        log = chosen.logs.gather(1, actions.long().unsqueeze(1))[:, 0]
        ratio = (log - old).exp()
        policy_loss = -torch.min(ratio * gains, ratio.clamp(0.8, 1.2) * gains).mean()
        value_loss = (values - targets).pow(2).mean()
        expected_loss = (expected - targets).pow(2).mean()
        calling, others = chosen.calling.mean(), chosen.others.mean()
        total = policy_loss + 0.5 * value_loss + 0.1 * expected_loss - weights[0] * calling - weights[1] * others
        moved = ((ratio - 1) - (log - old)).mean()
        return total, torch.stack([policy_loss, value_loss, calling, others, moved]).detach()

    def begin(self, seed: int) -> None:
        """Deal all games."""
        self.simulator.deal(seed, self.frames.at(self.steps))

    @torch.no_grad()
    def play(self, bound: float) -> None:
        """So many decisions in every game, from where the games stand."""
        for each in self.frames:
            each[0].copy_(each[self.steps])
        limit = torch.tensor(bound, device=self.device)
        for step in range(self.steps):
            frame = self.frames.at(step)
            self.actions[step], self.logs[step] = self._decide(frame, limit)
            self.values[step] = self._judge(frame)
            self.simulator.step(self.actions[step], self.frames.at(step + 1), self.results[step])
        self.values[self.steps] = self._judge(self.frames.at(self.steps))

    def learn(self, rates: Rates) -> torch.Tensor:
        """One pass over what was played; what the batches reported, and the unexplained share, on average."""
        gains, targets = advantages(self.values, self.frames.seats, self.results, self.decay)
        unexplained = gains.var() / targets.var()
        gains = ((gains - gains.mean()) / (gains.std() + 1e-6)).flatten()
        flat = Frame(*(each[: self.steps].flatten(0, 1) for each in self.frames))
        actions, logs, targets = self.actions.flatten(), self.logs.flatten(), targets.flatten()
        for group in self.optimizer.param_groups:
            group["lr"] = rates.learning
        weights = torch.tensor([rates.calling, rates.others, rates.bound], device=self.device)
        reports = []
        order = torch.randperm(len(actions), device=self.device)
        for start in range(0, len(order) - self.batch + 1, self.batch):
            some = order[start : start + self.batch]
            total, report = self._loss(flat.at(some), actions[some], logs[some], gains[some], targets[some], weights)
            self.optimizer.zero_grad(set_to_none=True)
            total.backward()
            nn.utils.clip_grad_norm_(self.parameters, 1.0)
            self.optimizer.step()
            reports.append(report)
        return torch.cat([torch.stack(reports).mean(0), unexplained.unsqueeze(0)])

    def iterate(self, rates: Rates) -> Report:
        """Play and learn once."""
        began = time.perf_counter()
        self.play(rates.bound)
        self._wait()
        played = time.perf_counter()
        policy_loss, value_loss, calling, others, moved, unexplained = self.learn(rates).tolist()
        learned = time.perf_counter()
        count = self.actions.numel()
        times = played - began, learned - played
        return Report(count, *times, policy_loss, value_loss, unexplained, calling, others, moved)

    def _wait(self) -> None:
        if self.device == "cuda":
            torch.cuda.synchronize()
