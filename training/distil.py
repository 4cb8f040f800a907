"""Teach a small policy to decide as a large one does: for phones, for rollouts, and wherever many decisions are needed.

    python -m training.distil champion.npz small.npz --seconds 200

Both play, the teacher at half of the tables and the student at the others, so that it learns what to do in the
positions to which its own mistakes lead.  What it learns are the teacher's chances of every action, and what the
teacher expects of the round.  Time is all that limits it; the learning rate falls over it.
"""

from training import require_torch  # noqa: F401  # isort: skip

import argparse
import time
from pathlib import Path
from typing import Final

import torch
from torch import nn

from training.checkpoint import read_policy
from training.command_line import TrainingError, entry_point, game_count, positive_float, positive_int, print_line
from training.evaluation import deterministic, evaluate, greedy
from training.network import Policy, action_distribution, sample_actions
from training.rule_sets import MIXED, parse_rule_sets
from training.simulator import MEMORY, Frame, Simulator
from training.weights import write_bot

__all__ = ["Distiller", "main"]

#: As wide as a call's logit may be: here nothing has to be tried out.
_CALL_BOUND: Final = 30.0
#: Games without a memory of what was played, as in the teacher's own training.
_MEMORYLESS_SHARE: Final = 1 / 16
#: Of the teacher's expectations, beside its decisions.
_PREDICTION_COEFFICIENT: Final = 0.05


class Distiller:
    """A teacher, a student, and the games in which the one learns from the other."""

    def __init__(self, teacher: Policy, student: Policy, device: str, games: int, rules: str, seed: int) -> None:
        self.teacher, self.student, self._device, self._games = teacher, student, device, games
        self.optimizer = torch.optim.AdamW(student.parameters(), lr=1e-3, weight_decay=1e-5, fused=device == "cuda")
        self._simulator = Simulator(games, device, parse_rule_sets(rules, games))
        self._frame = Frame.empty((games,), device)
        self._simulator.deal(seed, self._frame)
        self._results = self._simulator.empty_results()
        self._is_taught = torch.arange(games, device=device) % 2 == 0
        self._loss = torch.compile(self.loss, dynamic=False) if device == "cuda" else self.loss

    def loss(self, frame: Frame) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """How much the student differs from the teacher, and what each would do."""
        with torch.autocast(self._device, torch.bfloat16, enabled=self._device == "cuda"):
            with torch.no_grad():
                logits, expected = self.teacher(frame.observations)
            own_logits, own_expected = self.student(frame.observations)
        theirs = action_distribution(logits, frame.masks, _CALL_BOUND).log_probabilities
        own = action_distribution(own_logits, frame.masks, _CALL_BOUND).log_probabilities
        divergence = (theirs.exp() * (theirs - own).clamp(-60, 60)).sum(1).mean()
        points = (own_expected[:, 0] - expected[:, 0]).pow(2).mean()
        parts = zip(own_expected[:, 1:].split((4, 3), 1), expected[:, 1:].split((4, 3), 1), strict=True)
        places = torch.stack([nn.functional.cross_entropy(mine, yours.softmax(1)) for mine, yours in parts]).sum()
        total = divergence + _PREDICTION_COEFFICIENT * (points + places)
        chosen = torch.where(self._is_taught.unsqueeze(1), theirs, own.detach())
        return total, divergence.detach(), sample_actions(chosen)

    def step(self, learning_rate: float) -> torch.Tensor:
        """Learn from a decision of every game, and take it; how much the two differed."""
        for group in self.optimizer.param_groups:
            group["lr"] = learning_rate
        total, divergence, actions = self._loss(self._frame)
        self.optimizer.zero_grad(set_to_none=True)
        total.backward()
        nn.utils.clip_grad_norm_(self.student.parameters(), 1.0)
        self.optimizer.step()
        self._simulator.step(actions, self._frame, self._results)
        self._frame.observations[: int(self._games * _MEMORYLESS_SHARE), MEMORY] = 0
        return divergence


@entry_point
def main(arguments: list[str] | None = None) -> None:
    """Distil, measure what it costs, and write the bot."""
    cuda = torch.cuda.is_available()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("teacher", type=Path, help="a champion, a file of weights, or the folder of a run")
    parser.add_argument("target", type=Path, metavar="SMALL.npz")
    parser.add_argument("--seconds", type=positive_float, default=200.0)
    parser.add_argument("--width", type=positive_int, default=128)
    parser.add_argument("--blocks", type=positive_int, default=2)
    parser.add_argument("--games", type=game_count, default=32768 if cuda else 256, help="played side by side")
    parser.add_argument("--learning-rate", type=float, default=2e-3)
    parser.add_argument("--rules", default=MIXED, help="a rule set, or a mixture with standard in half of the games")
    parser.add_argument("--deals", type=game_count, default=16384 if cuda else 64, help="to measure the cost on")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--force", action="store_true", help="replace SMALL.npz if it is there")
    options = parser.parse_args(arguments)
    if options.target.exists() and not options.force:
        raise TrainingError(f"{options.target}: this file is there already; --force replaces it")
    device = "cuda" if cuda else "cpu"
    torch.manual_seed(options.seed)
    torch.set_float32_matmul_precision("high")
    teacher = read_policy(options.teacher, device)
    student = Policy(options.width, options.blocks).to(device)
    print_line(f"{sum(each.numel() for each in student.parameters()):,} weights, {device}")
    _learn(Distiller(teacher, student, device, options.games, options.rules, options.seed), options)
    write_bot(student.state_dict(), options.target)
    small, large = deterministic(read_policy(options.target, device)), deterministic(teacher)
    for opponent, name in ((large, "its teacher"), (greedy(device), "a greedy policy")):
        outcome = evaluate(small, opponent, device, options.deals, seed=780)
        print_line(f"{outcome.mean:+.1f} points a round over {name} (standard error {outcome.standard_error:.1f})")


def _learn(distiller: Distiller, options: argparse.Namespace) -> None:
    distiller.step(0.0)  # The first one compiles.
    began = told = time.perf_counter()
    steps, sums = 0, torch.zeros((), device=next(distiller.student.parameters()).device)
    while (spent := time.perf_counter() - began) < options.seconds:
        # Up within a twentieth of the time, then down to nothing.
        share = spent / options.seconds
        sums += distiller.step(options.learning_rate * min(share / 0.05, 1 - share))
        steps += 1
        if spent - (told - began) >= 10:
            mean = float(sums) / steps  # Waits for the GPU, so that the clock tells the truth.
            told = time.perf_counter()
            print_line(f"{told - began:.0f} of {options.seconds:.0f} s, {steps} more steps, divergence {mean:.4f}")
            steps, sums = 0, torch.zeros_like(sums)


if __name__ == "__main__":
    main()
