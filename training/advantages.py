"""Advantages and returns by generalised advantage estimation, over a sequence in which the teams take turns.

Values are those of the team that decides, so they are first turned to seat 0's point of view, and back at the end.
"""

from typing import Final

import torch

from training.matches import MatchValue
from training.simulator import NO_RESULT

__all__ = ["VALUES", "estimate_advantages", "predicted_values", "round_rewards"]

#: What the critic predicts: the return, the points, who is out first by distance, and who wins a double victory (our
#: team, the opponents, nobody).
VALUES: Final = 1 + 1 + 4 + 3


def predicted_values(outputs: torch.Tensor) -> torch.Tensor:
    """The critic's outputs with logits turned into probabilities."""
    plain, first, double = outputs.split((2, 4, 3), -1)
    return torch.cat([plain, first.softmax(-1), double.softmax(-1)], -1)


def _change_seat(values: torch.Tensor, seats: torch.Tensor, back: bool) -> torch.Tensor:
    """Values of the seats that decide as those of seat 0, or back."""
    odd = (seats & 1).unsqueeze(-1).bool()
    sign = 1.0 - 2.0 * odd
    plain, first, double = values.split((2, 4, 3), -1)
    shift = seats.long() if back else -seats.long()
    places = (torch.arange(4, device=values.device) + shift.unsqueeze(-1)) & 3
    swapped = torch.where(odd, double[..., [1, 0, 2]], double)
    return torch.cat([plain * sign, first.gather(-1, places), swapped], -1)


def round_rewards(results: torch.Tensor, matches: MatchValue | None) -> tuple[torch.Tensor, torch.Tensor]:
    """Which steps ended a round, and the rewards of seat 0: for the match, or for points if ``matches`` is None."""
    done = results[..., 0] != NO_RESULT
    points = (results[..., 0] - results[..., 1]).float() / 100
    reward = points if matches is None else matches.reward(results)
    first = torch.nn.functional.one_hot(results[..., 4].long() & 3, 4)
    double = torch.nn.functional.one_hot(results[..., 5].long() % 3, 3)
    rewards = torch.cat([reward.unsqueeze(-1), points.unsqueeze(-1), first, double], -1)
    return done, torch.where(done.unsqueeze(-1), rewards, 0.0)


def estimate_advantages(
    values: torch.Tensor, seats: torch.Tensor, done: torch.Tensor, rewards: torch.Tensor, gae_lambda: float
) -> tuple[torch.Tensor, torch.Tensor]:
    """Advantages, and the lambda-returns of all values, both for the team that decided.

    ``values`` and ``seats`` have one step more than ``done`` and ``rewards``.  Nothing is discounted within a round.
    """
    value = _change_seat(values, seats, back=False)
    advantage = torch.zeros_like(value[0])
    advantages = torch.empty_like(rewards)
    for step in range(len(rewards) - 1, -1, -1):
        ahead = torch.where(done[step].unsqueeze(-1), 0.0, value[step + 1] + gae_lambda * advantage)
        advantage = rewards[step] + ahead - value[step]
        advantages[step] = advantage
    returns = _change_seat(advantages + value[:-1], seats[:-1], back=True)
    return advantages[..., 0] * (1.0 - 2.0 * (seats[:-1] & 1)), returns
