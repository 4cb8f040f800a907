"""How a policy learns to decide as people do, from few games and without forgetting what it knows.

A policy that has played against itself is far too sure of itself for people, so its logits are made smaller first.
Then only a thin matrix is added to each layer (``W + rows @ columns``), and the chances of the actions are held close
to what they were: a few ten thousand decisions of people are too few for millions of weights.
"""

from training import require_torch  # noqa: F401  # isort: skip

import math
from collections.abc import Iterable, Iterator, Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from tichu.agents.learned.features import encode_row
from tichu.agents.learned.mirror import mirror_action, mirror_view
from tichu.agents.learned.network import champion
from tichu.core.actions import Action, DeclineBomb, Exchange
from tichu.core.cards import Card
from tichu.core.view import View
from tichu.encoding import ACTION_COUNT, VERSION, encode, legal_numbers, pack_mask
from tichu.encoding.numbering import pick_number
from training.network import Policy, action_distribution

__all__ = ["Addition", "Samples", "Settings", "fit", "mean_of", "samples_of", "write_additions"]

#: As wide as a call's logit may be: here nothing has to be tried out.
_CALL_BOUND: Final = 30.0


class Samples(NamedTuple):
    """Decisions of people: what they saw, what they might have done, and what they did, a row each."""

    observations: torch.Tensor
    masks: torch.Tensor
    numbers: torch.Tensor

    def take(self, rows: torch.Tensor) -> "Samples":
        """Some of them."""
        return Samples(*(each[rows] for each in self))


class Settings(NamedTuple):
    """How it is learned."""

    #: How much a step away from the champion costs, beside one away from people.
    closeness: float = 0.2
    epochs: int = 4
    learning_rate: float = 2e-3
    batch: int = 256
    rank: int = 16
    #: What the champion's logits are divided by: what makes people's choices likeliest.
    temperature: float = 10.0
    #: The part of its inputs that an addition does not see.
    dropout: float = 0.0
    #: How many steps the weights are averaged over.
    memory: int = 50
    #: Of the predictions of the round, which are not to change.
    prediction_coefficient: float = 0.05


class Addition(NamedTuple):
    """What is added to a layer; the weight has a row an output."""

    weight: torch.Tensor
    bias: torch.Tensor


def _choices(of_people: Iterable[tuple[View, Action]]) -> Iterator[tuple[View, tuple[Card, ...], int]]:
    for told, done in of_people:
        clockwise = told.rules.direction == "cw"
        view, action = (mirror_view(told), mirror_action(done)) if clockwise else (told, done)
        if isinstance(action, Exchange):
            for place, card in enumerate(action.cards):
                yield view, action.cards[:place], pick_number(card)
        elif not isinstance(action, DeclineBomb):
            yield view, (), encode(action, view)


def samples_of(of_people: Iterable[tuple[View, Action]]) -> Samples:
    """All decisions that left a choice; an exchange is three."""
    observations, masks, numbers = [], [], []
    for view, picks, number in _choices(of_people):
        legal = sorted(legal_numbers(view, picks))
        if len(legal) > 1:
            mask = np.zeros(ACTION_COUNT, np.int8)
            mask[legal] = 1
            observations.append(encode_row(view, picks))
            masks.append(pack_mask(mask))
            numbers.append(number)
    return Samples(*(torch.from_numpy(np.array(each)) for each in (observations, masks, numbers)))


class _Adapted(nn.Module):
    """A layer that stays as it is, and what is added to it."""

    def __init__(self, layer: nn.Linear, settings: Settings, scale: float = 1.0) -> None:
        super().__init__()
        self.weight = nn.Parameter(scale * layer.weight.detach(), requires_grad=False)
        self.bias = nn.Parameter(scale * layer.bias.detach(), requires_grad=False)
        rows = torch.randn(settings.rank, layer.in_features, device=layer.weight.device)
        self.rows = nn.Parameter(rows / math.sqrt(layer.in_features))
        self.columns = nn.Parameter(torch.zeros(layer.out_features, settings.rank, device=rows.device))
        self.added_bias = nn.Parameter(torch.zeros(layer.out_features, device=rows.device))
        self._dropout = settings.dropout

    def forward(self, inputs: torch.Tensor) -> torch.Tensor:
        """What the layer says, and what is added."""
        seen = nn.functional.dropout(inputs, self._dropout, self.training)
        whole = nn.functional.linear(inputs, self.weight, self.bias + self.added_bias)
        return whole + nn.functional.linear(nn.functional.linear(seen, self.rows), self.columns)

    def addition(self) -> Addition:
        """What is added, as one matrix."""
        return Addition((self.columns @ self.rows).detach(), self.added_bias.detach().clone())


def _layers(policy: Policy) -> Iterator[tuple[str, nn.Module, str]]:
    """The layers by their names in the bot's file: each with the module that has it and its name there."""
    yield "entry", policy.body, "entry"
    for place, block in enumerate(policy.body.blocks):
        yield f"block{place}_one", block, "one"
        yield f"block{place}_two", block, "two"
    yield "head", policy, "head"


def fit(champion: Policy, samples: Samples, settings: Settings, seed: int) -> dict[str, Addition]:
    """What to add to each layer of a policy so that it decides as people did."""
    device = next(champion.parameters()).device
    before = _judgement(champion, samples)
    torch.manual_seed(seed)
    policy = deepcopy(champion).requires_grad_(False)
    adapted = {}
    for name, module, at in _layers(policy):
        adapted[name] = _Adapted(getattr(module, at), settings, 1 / settings.temperature if name == "head" else 1.0)
        setattr(module, at, adapted[name])
    policy.train()
    learned = [each for each in policy.parameters() if each.requires_grad]
    optimizer = torch.optim.AdamW(learned, lr=settings.learning_rate, betas=(0.9, 0.98), weight_decay=0.0)
    means = [each.detach().clone() for each in learned]
    steps = max(1, settings.epochs * (len(samples.numbers) // settings.batch))
    orders = torch.Generator().manual_seed(seed)
    step = 0
    while step < steps:
        order = torch.randperm(len(samples.numbers), generator=orders)
        for rows in order.to(device).split(settings.batch)[: steps - step]:
            # Up within thirty steps, then down to nothing.
            rate = settings.learning_rate * min(1.0, (step + 1) / 30) * (1 + math.cos(math.pi * step / steps)) / 2
            for group in optimizer.param_groups:
                group["lr"] = rate
            loss = _loss(policy, samples.take(rows), _Judgement(*(each[rows] for each in before)), settings)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            optimizer.step()
            step += 1
            for mean, each in zip(means, learned, strict=True):
                mean.lerp_(each.detach(), max(1 / (1 + settings.memory), 1 / (1 + step / 10)))
    for mean, each in zip(means, learned, strict=True):
        each.data.copy_(mean)
    return {name: each.addition() for name, each in adapted.items()}


class _Judgement(NamedTuple):
    """What a policy says about decisions."""

    logits: torch.Tensor
    expected: torch.Tensor


@torch.no_grad()
def _judgement(policy: Policy, samples: Samples) -> _Judgement:
    parts = [policy(rows) for rows in samples.observations.split(4096)]
    return _Judgement(*(torch.cat(each) for each in zip(*parts, strict=True)))


def _loss(policy: Policy, samples: Samples, before: _Judgement, settings: Settings) -> torch.Tensor:
    logits, expected = policy(samples.observations)
    own = action_distribution(logits, samples.masks, _CALL_BOUND).log_probabilities
    theirs = action_distribution(before.logits / settings.temperature, samples.masks, _CALL_BOUND).log_probabilities
    likelihood = own.gather(1, samples.numbers.unsqueeze(1)).mean()
    divergence = (theirs.exp() * (theirs - own).clamp(-60, 60)).sum(1).mean()
    changes = (expected - before.expected).pow(2).mean()
    return settings.closeness * divergence + settings.prediction_coefficient * changes - likelihood


def mean_of(fits: Sequence[dict[str, Addition]]) -> dict[str, Addition]:
    """The mean of several fits."""
    return {
        name: Addition(*(torch.stack(each).mean(0) for each in zip(*(one[name] for one in fits), strict=True)))
        for name in fits[0]
    }


def write_additions(
    added: dict[str, Addition], settings: Settings, rank: int, deals: Iterable[int], path: Path
) -> None:
    """Write what is added to the champion for the bot, each matrix as its nearest one of this rank, in half precision.

    The file says to which champion, and from which deals it was learned.
    """
    arrays: dict[str, NDArray[Any]] = {
        "version": np.array(VERSION),
        "champion": np.array(champion().digest),
        "deals": np.array(sorted(deals), np.uint64),
        "scale": np.array(1 / settings.temperature),
    }
    for name, (weight, bias) in added.items():
        # The bot's file has a row an input, but of the head a row an action.
        matrix = (weight[:ACTION_COUNT] if name == "head" else weight.T).double().cpu()
        left, sizes, right = torch.linalg.svd(matrix, full_matrices=False)
        roots = sizes[:rank].sqrt()
        arrays[f"{name}_rows"] = (left[:, :rank] * roots).numpy().astype(np.float16)
        arrays[f"{name}_columns"] = (roots.unsqueeze(1) * right[:rank]).numpy().astype(np.float16)
        arrays[f"{name}_bias"] = bias[: len(matrix) if name == "head" else None].cpu().numpy().astype(np.float16)
    np.savez_compressed(path, **arrays)  # type: ignore[arg-type]
