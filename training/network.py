"""The networks: a policy that sees what its seat sees, and a critic that sees all hands.

Both predict how the round ends: its points, who goes out first (SELF, LEFT, PARTNER, RIGHT), and whether our team, the
opponents or nobody wins a double victory.  Beside the policy a head may say what the others hold: it only teaches the
policy's layers, and no bot has it.
"""

from typing import Final, NamedTuple

import torch
from torch import nn

from tichu.agents.learned.features import FEATURE_COUNT, PLACES, THRESHOLDS
from tichu.analysis.weighing import UNITS
from tichu.encoding import MASK_SIZE, field
from tichu.encoding.numbering import CALLING_GRAND, CALLING_TICHU

__all__ = [
    "LOGITS",
    "PREDICTIONS",
    "ActionDistribution",
    "BeliefHead",
    "Critic",
    "Policy",
    "action_distribution",
    "count_by_unit",
    "network_size",
    "sample_actions",
    "unpack_bits",
]

#: Outputs of the policy: the actions, and as many more as fill the last byte of a packed mask.
LOGITS: Final = 8 * MASK_SIZE

#: What is predicted of a round: points in hundreds, then logits of who is first and of double victories.
PREDICTIONS: Final = 1 + 4 + 3

_HAND: Final = field("hand").first + 4
_PLAYED: Final = field("played").first + 4
_MASKED: Final = -1e9
_OTHERS: Final = 3
#: A seat holds none to four cards of a rank.
_HELD: Final = 5


def unpack_bits(packed: torch.Tensor) -> torch.Tensor:
    """Bytes as bits, the lowest first."""
    places = torch.arange(8, dtype=torch.uint8, device=packed.device)
    return ((packed.unsqueeze(-1) >> places) & 1).flatten(-2)


def count_by_unit(cards: torch.Tensor) -> torch.Tensor:
    """Bits of 56 cards counted by unit: the four specials, then the ranks."""
    return torch.cat([cards[..., :4], cards[..., 4:].unflatten(-1, (13, 4)).sum(-1)], -1)


class Block(nn.Module):
    """A residual block of two layers."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.one = nn.Linear(width, width)
        self.two = nn.Linear(width, width)

    def forward(self, hidden: torch.Tensor) -> torch.Tensor:
        """The input, and what the layers add to it."""
        return hidden + self.two(torch.relu(self.one(self.norm(hidden))))


class Body(nn.Module):
    """From the bytes of an observation, and extra bits, to a vector."""

    def __init__(self, width: int, blocks: int, extra: int = 0) -> None:
        super().__init__()
        self.register_buffer("places", torch.from_numpy(PLACES), persistent=False)
        self.register_buffer("thresholds", torch.from_numpy(THRESHOLDS), persistent=False)
        self.extra = extra
        self.entry = nn.Linear(FEATURE_COUNT + extra, width)
        self.blocks = nn.ModuleList(Block(width) for _ in range(blocks))
        self.norm = nn.LayerNorm(width)

    def forward(self, observations: torch.Tensor, extra: torch.Tensor | None = None) -> torch.Tensor:
        """The vector of each row."""
        held = observations[:, _HAND : _HAND + 52].unflatten(1, (13, 4)).sum(2, dtype=torch.uint8)
        played = observations[:, _PLAYED : _PLAYED + 52].unflatten(1, (13, 4)).sum(2, dtype=torch.uint8)
        rows = torch.cat([observations, held, 4 - held - played], 1)
        features = rows[:, self.places] >= self.thresholds
        if extra is not None:
            features = torch.cat([features, extra > 0], 1)
        hidden = self.entry(features.to(self.entry.weight.dtype))
        for block in self.blocks:
            hidden = block(hidden)
        return self.norm(hidden)


class Policy(nn.Module):
    """A logit for every action, and predictions of how the round ends for the seat."""

    def __init__(self, width: int = 512, blocks: int = 3) -> None:
        super().__init__()
        self.body = Body(width, blocks)
        self.head = nn.Linear(width, LOGITS)
        self.value = nn.Linear(width, PREDICTIONS)
        for layer in (self.head, self.value):
            nn.init.zeros_(layer.weight)
            nn.init.zeros_(layer.bias)

    def forward(self, observations: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Logits and predictions of each row."""
        return self.read(self.body(observations))

    def read(self, hidden: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """The same from what the body makes of each row."""
        return self.head(hidden), self.value(hidden).float()


class BeliefHead(nn.Module):
    """How many cards of each unit each of the others holds, from what the policy's body makes of a row."""

    def __init__(self, width: int = 512) -> None:
        super().__init__()
        self.held = nn.Linear(width, _OTHERS * UNITS * _HELD)
        nn.init.zeros_(self.held.weight)
        nn.init.zeros_(self.held.bias)

    def forward(self, hidden: torch.Tensor) -> torch.Tensor:
        """Logits of the numbers of cards, by row, seat (LEFT, PARTNER, RIGHT) and unit."""
        return self.held(hidden).float().unflatten(1, (_OTHERS, UNITS, _HELD))

    def loss(self, hidden: torch.Tensor, hands: torch.Tensor) -> torch.Tensor:
        """The mean log-loss of a number, in nats, given all four hands."""
        others = unpack_bits(hands).unflatten(-1, (1 + _OTHERS, 56))[:, 1:]
        numbers = count_by_unit(others).long()
        return nn.functional.cross_entropy(self(hidden).flatten(0, 2), numbers.flatten())


class Critic(nn.Module):
    """The expected return, and the same predictions, from all four hands."""

    def __init__(self, width: int = 512, blocks: int = 2) -> None:
        super().__init__()
        self.body = Body(width, blocks, 4 * 56)
        self.value = nn.Linear(width, 1 + PREDICTIONS)
        nn.init.zeros_(self.value.weight)
        nn.init.zeros_(self.value.bias)

    def forward(self, observations: torch.Tensor, hands: torch.Tensor) -> torch.Tensor:
        """The return of each row, then the predictions."""
        return self.value(self.body(observations, unpack_bits(hands))).float()


def network_size(weights: dict[str, torch.Tensor]) -> tuple[int, int]:
    """The width and the number of blocks of a network, from its weights."""
    return len(weights["body.norm.weight"]), sum(name.endswith(".one.weight") for name in weights)


class ActionDistribution(NamedTuple):
    """The policy's distribution over actions: first whether it calls, then what else it does."""

    #: Log-probability of every action, very low for those that are not legal.
    log_probabilities: torch.Tensor
    #: Entropies of the two questions; the first is 0 where no call is possible.
    call_entropy: torch.Tensor
    play_entropy: torch.Tensor


def action_distribution(
    logits: torch.Tensor, masks: torch.Tensor, call_bound: torch.Tensor | float
) -> ActionDistribution:
    """Probabilities of the legal actions.

    A call is a question of its own, its logit against zero, and ``call_bound`` limits that logit: while the bot plays
    badly no call pays off, and a call that is never made is never learned.
    """
    legal = unpack_bits(masks) > 0
    logits = logits.float().masked_fill(~legal, _MASKED)
    numbers = torch.arange(logits.shape[1], device=logits.device)
    is_call = (numbers == CALLING_TICHU) | (numbers == CALLING_GRAND)
    plays = logits.masked_fill(is_call, _MASKED)
    logs = torch.log_softmax(plays, 1)
    play_entropy = -(logs.exp() * logs.clamp(min=-60)).sum(1)
    may_call = (legal & is_call).any(1)
    # At most one of the two is legal.
    logit = torch.where(legal[:, CALLING_GRAND], logits[:, CALLING_GRAND], logits[:, CALLING_TICHU])
    logit = call_bound * torch.tanh(torch.where(may_call, logit, 0.0) / call_bound)
    call = torch.where(may_call, nn.functional.logsigmoid(logit), _MASKED)
    no_call = torch.where(may_call, nn.functional.logsigmoid(-logit), 0.0)
    logs = torch.where(is_call, call.unsqueeze(1), logs + no_call.unsqueeze(1)).masked_fill(~legal, _MASKED)
    call_entropy = torch.where(may_call, -(call.exp() * call + no_call.exp() * no_call), 0.0)
    return ActionDistribution(logs, call_entropy, play_entropy)


def sample_actions(log_probabilities: torch.Tensor) -> torch.Tensor:
    """An action (int16) of each row, drawn by its chances."""
    # The Gumbel trick: with this noise the highest one is a sample.
    noise = -torch.log(-torch.log(torch.rand_like(log_probabilities).clamp(1e-9, 1 - 1e-7)))
    return (log_probabilities + noise).argmax(1).to(torch.int16)
