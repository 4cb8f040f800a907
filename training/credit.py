"""What a decision has won: values by steps, seen from who decides, turned into gains and what they should have been."""

from typing import Final

import torch

from training.matches import Matches
from training.simulator import NO_RESULT

__all__ = ["VALUES", "advantages", "chances_of", "round_ends"]

#: What is valued: what is to be won, points, who is first by distance, and who wins twice (own team, other, none).
VALUES: Final = 1 + 1 + 4 + 3


def chances_of(expected: torch.Tensor) -> torch.Tensor:
    """The critic's answer with its logits made chances."""
    plain, first, double = expected.split((2, 4, 3), -1)
    return torch.cat([plain, first.softmax(-1), double.softmax(-1)], -1)


def _turned(values: torch.Tensor, seats: torch.Tensor, back: bool) -> torch.Tensor:
    """Values of the seats that decide as those of seat 0, or back."""
    odd = (seats & 1).unsqueeze(-1).bool()
    sign = 1.0 - 2.0 * odd
    plain, first, double = values.split((2, 4, 3), -1)
    shift = seats.long() if back else -seats.long()
    places = (torch.arange(4, device=values.device) + shift.unsqueeze(-1)) & 3
    swapped = torch.where(odd, double[..., [1, 0, 2]], double)
    return torch.cat([plain * sign, first.gather(-1, places), swapped], -1)


def round_ends(results: torch.Tensor, matches: Matches | None) -> tuple[torch.Tensor, torch.Tensor]:
    """Which steps ended a round, and what came of it for seat 0; with matches it is played for them."""
    over = results[..., 0] != NO_RESULT
    points = (results[..., 0] - results[..., 1]).float() / 100
    worth = points if matches is None else matches.worth(results)
    first = torch.nn.functional.one_hot(results[..., 4].long() & 3, 4)
    double = torch.nn.functional.one_hot(results[..., 5].long() % 3, 3)
    ends = torch.cat([worth.unsqueeze(-1), points.unsqueeze(-1), first, double], -1)
    return over, torch.where(over.unsqueeze(-1), ends, 0.0)


def advantages(
    values: torch.Tensor, seats: torch.Tensor, over: torch.Tensor, ends: torch.Tensor, decay: float
) -> tuple[torch.Tensor, torch.Tensor]:
    """Gains of what is to be won, and what all values should have been, both for who decided.

    ``values`` and ``seats`` have one step more than ``over`` and ``ends``.
    """
    value = _turned(values, seats, back=False)
    gain = torch.zeros_like(value[0])
    gains = torch.empty_like(ends)
    for step in range(len(ends) - 1, -1, -1):
        ahead = torch.where(over[step].unsqueeze(-1), 0.0, value[step + 1] + decay * gain)
        gain = ends[step] + ahead - value[step]
        gains[step] = gain
    targets = _turned(gains + value[:-1], seats[:-1], back=True)
    return gains[..., 0] * (1.0 - 2.0 * (seats[:-1] & 1)), targets
