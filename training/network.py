"""The networks: a policy that sees what its seat sees, and a critic that sees all hands.

Both say what they expect of the round: its points, who goes out first (SELF, LEFT, PARTNER, RIGHT), and whether the own
team, the other or none wins it twice.
"""

from typing import Final, NamedTuple

import torch
from torch import nn

from tichu.agents.learned.features import FEATURE_COUNT, PLACES, THRESHOLDS
from tichu.encoding import MASK_SIZE, field
from tichu.encoding.numbering import CALLING_GRAND, CALLING_TICHU

__all__ = ["EXPECTED", "LOGITS", "Choices", "Critic", "Policy", "choices", "size_of", "unpack"]

#: Outputs of the policy: the actions, and as many more as fill the last byte of a packed mask.
LOGITS: Final = 8 * MASK_SIZE

#: What is expected of a round: points in hundreds, then logits of who is first and who wins twice.
EXPECTED: Final = 1 + 4 + 3

_HAND: Final = field("hand").first + 4
_PLAYED: Final = field("played").first + 4
_NEVER: Final = -1e9


def unpack(bits: torch.Tensor) -> torch.Tensor:
    """Bytes as bits, the lowest first."""
    places = torch.arange(8, dtype=torch.uint8, device=bits.device)
    return ((bits.unsqueeze(-1) >> places) & 1).flatten(-2)


class Block(nn.Module):
    """Two layers whose result is added to what came in."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.one = nn.Linear(width, width)
        self.two = nn.Linear(width, width)

    def forward(self, hidden: torch.Tensor) -> torch.Tensor:
        """What is known, and what follows from it."""
        return hidden + self.two(torch.relu(self.one(self.norm(hidden))))


class Body(nn.Module):
    """From the bytes of an observation, and further bits, to a vector."""

    def __init__(self, width: int, blocks: int, further: int = 0) -> None:
        super().__init__()
        self.register_buffer("places", torch.from_numpy(PLACES), persistent=False)
        self.register_buffer("thresholds", torch.from_numpy(THRESHOLDS), persistent=False)
        self.entry = nn.Linear(FEATURE_COUNT + further, width)
        self.blocks = nn.ModuleList(Block(width) for _ in range(blocks))
        self.norm = nn.LayerNorm(width)

    def forward(self, observations: torch.Tensor, further: torch.Tensor | None = None) -> torch.Tensor:
        """The vector of each row."""
        held = observations[:, _HAND : _HAND + 52].unflatten(1, (13, 4)).sum(2, dtype=torch.uint8)
        played = observations[:, _PLAYED : _PLAYED + 52].unflatten(1, (13, 4)).sum(2, dtype=torch.uint8)
        counted = torch.cat([observations, held, 4 - held - played], 1)
        features = counted[:, self.places] >= self.thresholds
        if further is not None:
            features = torch.cat([features, further > 0], 1)
        hidden = self.entry(features.to(self.entry.weight.dtype))
        for block in self.blocks:
            hidden = block(hidden)
        return self.norm(hidden)


class Policy(nn.Module):
    """A score for every action, and what the seat may expect of the round."""

    def __init__(self, width: int = 512, blocks: int = 3) -> None:
        super().__init__()
        self.body = Body(width, blocks)
        self.head = nn.Linear(width, LOGITS)
        self.value = nn.Linear(width, EXPECTED)
        for layer in (self.head, self.value):
            nn.init.zeros_(layer.weight)
            nn.init.zeros_(layer.bias)

    def forward(self, observations: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Scores and expectations of each row."""
        hidden = self.body(observations)
        return self.head(hidden), self.value(hidden).float()


class Critic(nn.Module):
    """What is to be won, and the same expectations, by one who sees all hands."""

    def __init__(self, width: int = 512, blocks: int = 2) -> None:
        super().__init__()
        self.body = Body(width, blocks, 4 * 56)
        self.value = nn.Linear(width, 1 + EXPECTED)
        nn.init.zeros_(self.value.weight)
        nn.init.zeros_(self.value.bias)

    def forward(self, observations: torch.Tensor, hands: torch.Tensor) -> torch.Tensor:
        """What each row is worth, then what is expected."""
        return self.value(self.body(observations, unpack(hands))).float()


def size_of(weights: dict[str, torch.Tensor]) -> tuple[int, int]:
    """The width of a network and its blocks, told by its weights."""
    return len(weights["body.norm.weight"]), sum(name.endswith(".one.weight") for name in weights)


class Choices(NamedTuple):
    """What a policy would do: first whether it calls, then what else."""

    #: Log-probability of every action, very low for those that are not legal.
    logs: torch.Tensor
    #: Entropies of the two questions; the first is 0 where no call is possible.
    calling: torch.Tensor
    others: torch.Tensor


def choices(scores: torch.Tensor, masks: torch.Tensor, bound: torch.Tensor | float) -> Choices:
    """Probabilities from scores.

    A call is a question of its own, its score against zero, and ``bound`` keeps it from ever being settled: while the
    bot plays badly no call is worth it, and one that is never made is never learned.
    """
    legal = unpack(masks) > 0
    scores = scores.float().masked_fill(~legal, _NEVER)
    numbers = torch.arange(scores.shape[1], device=scores.device)
    is_call = (numbers == CALLING_TICHU) | (numbers == CALLING_GRAND)
    quiet = scores.masked_fill(is_call, _NEVER)
    logs = torch.log_softmax(quiet, 1)
    others = -(logs.exp() * logs.clamp(min=-60)).sum(1)
    may_call = (legal & is_call).any(1)
    # At most one of the two is legal.
    score = torch.where(legal[:, CALLING_GRAND], scores[:, CALLING_GRAND], scores[:, CALLING_TICHU])
    score = bound * torch.tanh(torch.where(may_call, score, 0.0) / bound)
    call = torch.where(may_call, nn.functional.logsigmoid(score), _NEVER)
    no_call = torch.where(may_call, nn.functional.logsigmoid(-score), 0.0)
    logs = torch.where(is_call, call.unsqueeze(1), logs + no_call.unsqueeze(1)).masked_fill(~legal, _NEVER)
    calling = torch.where(may_call, -(call.exp() * call + no_call.exp() * no_call), 0.0)
    return Choices(logs, calling, others)
