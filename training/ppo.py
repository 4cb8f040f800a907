"""Proximal policy optimisation of all four seats at once.

A game is one sequence of decisions, whoever takes them.  The critic values every one of them for the team that decides,
so the gain of a decision is what the value of its team rises by, at once and, ever less, later on.
"""

import time
from typing import NamedTuple

import torch
from torch import nn

from training.credit import VALUES, advantages, chances_of, round_ends
from training.matches import Matches
from training.network import Critic, Policy, choices
from training.simulator import REMEMBERED, RESULT, Frame, Simulator

__all__ = ["Learner", "Rates", "Report", "Setting"]


class Rates(NamedTuple):
    """What changes while a run goes on."""

    learning: float
    #: What the entropies are worth: of the calls, and of everything else.
    calling: float
    others: float
    #: How far from even the odds of a call may go, as a logit.
    bound: float

    @classmethod
    def at(cls, share: float, learning: float, daring: float = 1.0) -> "Rates":
        """After a share of the run, 0 to 1; who has learned already needs to dare less."""
        share = min(share, 1.0)
        rise = min(1.0, share / 0.01 + 0.05)  # Adam's first steps are large.
        fall = (1 - share) ** 1.5
        return cls(
            learning * rise * (0.02 + 0.98 * fall),
            0.002 + 0.03 * daring * fall,
            0.001 + 0.012 * daring * fall,
            4 + 2.5 * share,
        )


class Report(NamedTuple):
    """How an iteration went."""

    decisions: int
    playing: float
    learning: float
    policy_loss: float
    value_loss: float
    #: The share of the variance of what the critic is taught (lambda-returns, not results) that it does not explain.
    unexplained: float
    calling: float
    others: float
    #: How far the policy has moved from the one that played.
    moved: float


class Setting(NamedTuple):
    """What is decided before a run."""

    device: str
    games: int
    #: Decisions of a game between two rounds of learning, and how many are learned from at once.
    steps: int = 32
    batch: int = 65536
    width: int = 640
    blocks: int = 3
    #: Lambda: how long a decision is credited.
    decay: float = 0.97
    #: Play to win the match, not for points.
    for_match: bool = True
    #: What the chances to be first and of double victories are worth to the loss.
    heads: float = 0.05
    #: In this share of the games an earlier champion sits at some seats.
    rivals: float = 0.0
    #: In this share of the games nobody remembers who played what.
    forgetful: float = 1 / 16


class Learner:
    """The networks, their optimizer, and the games they learn from."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        device, games, steps = setting.device, setting.games, setting.steps
        self.policy = Policy(setting.width, setting.blocks).to(device)
        self.critic = Critic(setting.width, max(1, setting.blocks - 1)).to(device)
        self.parameters = [*self.policy.parameters(), *self.critic.parameters()]
        self.optimizer = torch.optim.AdamW(
            self.parameters, lr=1e-3, weight_decay=1e-4, betas=(0.9, 0.98), fused=device == "cuda"
        )
        self.simulator = Simulator(games, device)
        self.matches = Matches(device)
        #: Who sits at the rivals' seats.
        self.rival: Policy | None = None
        self._rivals = _rival_seats(int(games * setting.rivals), device)
        self._forgetful = slice(0, int(games * setting.forgetful))
        self.frames = Frame.empty((steps + 1, games), device)
        self.results = torch.zeros(steps, games, len(RESULT), dtype=torch.int16, device=device)
        self.actions = torch.zeros(steps, games, dtype=torch.int16, device=device)
        self.logs = torch.zeros(steps, games, device=device)
        #: Whether a decision was the policy's own.
        self.own = torch.ones(steps, games, dtype=torch.bool, device=device)
        self.values = torch.zeros(steps + 1, games, VALUES, device=device)
        compiled = device == "cuda"
        self._decide = torch.compile(self.decide, dynamic=False) if compiled else self.decide
        self._reply = torch.compile(self.reply, dynamic=False) if compiled else self.reply
        self._judge = torch.compile(self.judge, dynamic=False) if compiled else self.judge
        self._loss = torch.compile(self.loss, dynamic=False) if compiled else self.loss

    def mixed(self) -> torch.autocast:
        """Matrix products in sixteen bits where that is fast."""
        return torch.autocast(self.setting.device, torch.bfloat16, enabled=self.setting.device == "cuda")

    def decide(self, frame: Frame, bound: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Draw an action for every game, with its log-probability."""
        with self.mixed():
            scores, _ = self.policy(frame.observations)
        return _drawn(scores, frame.masks, bound)

    def reply(self, frame: Frame, bound: torch.Tensor) -> torch.Tensor:
        """What the rival would do."""
        assert self.rival is not None
        with self.mixed():
            scores, _ = self.rival(frame.observations)
        return _drawn(scores, frame.masks, bound)[0]

    def judge(self, frame: Frame) -> torch.Tensor:
        """The critic's values."""
        with self.mixed():
            return chances_of(self.critic(frame.observations, frame.hands))

    def loss(
        self,
        frame: Frame,
        actions: torch.Tensor,
        old: torch.Tensor,
        own: torch.Tensor,
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
        share = own.float() / own.float().mean()
        ratio = ((log - old) * own).exp()
        policy_loss = -(share * torch.min(ratio * gains, ratio.clamp(0.8, 1.2) * gains)).mean()
        value_loss = (values[:, :2] - targets[:, :2]).pow(2).mean()
        expected_loss = (expected[:, 0] - targets[:, 1]).pow(2).mean()
        heads_loss = _surprise(values[:, 2:], targets[:, 2:]) + _surprise(expected[:, 1:], targets[:, 2:])
        calling, others = (share * chosen.calling).mean(), (share * chosen.others).mean()
        total = policy_loss + 0.5 * value_loss + 0.1 * expected_loss - weights[0] * calling - weights[1] * others
        total = total + self.setting.heads * heads_loss
        moved = ((ratio - 1) - (log - old) * own).mean()
        return total, torch.stack([policy_loss, value_loss, calling, others, moved]).detach()

    def begin(self, seed: int) -> None:
        """Deal all games."""
        self.simulator.deal(seed, self.frames.at(self.setting.steps))

    @torch.no_grad()
    def play(self, bound: float) -> None:
        """So many decisions in every game, from where the games stand."""
        steps = self.setting.steps
        for each in self.frames:
            each[0].copy_(each[steps])
        limit = torch.tensor(bound, device=self.setting.device)
        for step in range(steps):
            frame = self.frames.at(step)
            self.actions[step], self.logs[step] = self._decide(frame, limit)
            self._seat_rivals(step, limit)
            self.values[step] = self._judge(frame)
            self.simulator.step(self.actions[step], self.frames.at(step + 1), self.results[step])
            self.frames.observations[step + 1, self._forgetful, REMEMBERED] = 0
        self.values[steps] = self._judge(self.frames.at(steps))
        self.matches.count(self.results)

    def _seat_rivals(self, step: int, bound: torch.Tensor) -> None:
        """Where a rival sits it decides, and nothing is learned from that."""
        count = len(self._rivals)
        if not count or self.rival is None:
            return
        some = slice(self.setting.games - count, None)
        frame = Frame(*(each[step, some] for each in self.frames))
        theirs = self._rivals.gather(1, frame.seats.long().unsqueeze(1))[:, 0]
        self.actions[step, some] = torch.where(theirs, self._reply(frame, bound), self.actions[step, some])
        self.own[step, some] = ~theirs

    def learn(self, rates: Rates) -> torch.Tensor:
        """One pass over what was played; what the batches reported, and the unexplained share, on average."""
        setting = self.setting
        over, ends = round_ends(self.results, self.matches if setting.for_match else None)
        gains, targets = advantages(self.values, self.frames.seats, over, ends, setting.decay)
        unexplained = gains.var() / targets[..., 0].var()
        gains = ((gains - gains.mean()) / (gains.std() + 1e-6)).flatten()
        flat = Frame(*(each[: setting.steps].flatten(0, 1) for each in self.frames))
        actions, logs, own = self.actions.flatten(), self.logs.flatten(), self.own.flatten()
        targets = targets.flatten(0, 1)
        for group in self.optimizer.param_groups:
            group["lr"] = rates.learning
        weights = torch.tensor([rates.calling, rates.others, rates.bound], device=setting.device)
        reports = []
        order = torch.randperm(len(actions), device=setting.device)
        for start in range(0, len(order) - setting.batch + 1, setting.batch):
            some = order[start : start + setting.batch]
            total, report = self._loss(
                flat.at(some), actions[some], logs[some], own[some], gains[some], targets[some], weights
            )
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
        if self.setting.device == "cuda":
            torch.cuda.synchronize()


def _rival_seats(games: int, device: str) -> torch.Tensor:
    """Which seats of each game a rival has: twice in four both opponents', once the partner's, once all three."""
    patterns = torch.tensor([[0, 1, 0, 1], [0, 1, 0, 1], [0, 0, 1, 0], [0, 1, 1, 1]], dtype=torch.bool, device=device)
    return patterns[torch.arange(games, device=device) % 4]


def _drawn(scores: torch.Tensor, masks: torch.Tensor, bound: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    logs = choices(scores, masks, bound).logs
    # Gumbel's trick: the highest of the noisy ones is drawn by its probability.
    noise = -torch.log(-torch.log(torch.rand_like(logs).clamp(1e-9, 1 - 1e-7)))
    action = (logs + noise).argmax(1)
    return action.to(torch.int16), logs.gather(1, action.unsqueeze(1))[:, 0]


def _surprise(logits: torch.Tensor, chances: torch.Tensor) -> torch.Tensor:
    """How badly logits of who is first and who wins twice foresee what came."""
    parts = zip(logits.split((4, 3), 1), chances.split((4, 3), 1), strict=True)
    return torch.stack([nn.functional.cross_entropy(given, came) for given, came in parts]).sum()
