"""Weights in one file: what the bot plays with, and what a new run starts from.

The bot's file has a policy with its norms folded into the layers behind them.  The other one has a policy and a critic
as they are, without the state of the optimiser.  Both are in half precision, the bot's in eight bits if asked for.
"""

import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray

from tichu.agents.learned.network import scaled
from tichu.encoding import ACTION_COUNT, VERSION
from training.command_line import TrainingError
from training.network import LOGITS, network_size

__all__ = ["fold_layers", "read_file", "unfold", "write_bot", "write_start"]

Weights = dict[str, torch.Tensor]

#: The highest of eight bits, and the smallest scale: that of outputs without weights.
_HIGHEST: Final = 127
_SMALLEST: Final = 1e-20
#: The largest file of weights that a new run starts from.
LIMIT: Final = 16 * 2**20


def _fold_norm(
    weight: torch.Tensor, bias: torch.Tensor, norm: tuple[torch.Tensor, torch.Tensor]
) -> tuple[torch.Tensor, torch.Tensor]:
    """One layer in place of a norm's gain and shift and the layer behind it."""
    gain, shift = norm
    return weight * gain, bias + weight @ shift


def fold_layers(weights: Weights, heads: tuple[str, ...]) -> dict[str, tuple[torch.Tensor, torch.Tensor]]:
    """The weights and biases of all layers of a network, its norms folded into the layers behind them."""
    given = {name: value.double().cpu() for name, value in weights.items()}
    layers: dict[str, tuple[torch.Tensor, torch.Tensor]] = {}
    layers["entry"] = given["body.entry.weight"], given["body.entry.bias"]
    _, blocks = network_size(given)
    for place in range(blocks):
        at = f"body.blocks.{place}"
        norm = given[f"{at}.norm.weight"], given[f"{at}.norm.bias"]
        layers[f"block{place}_one"] = _fold_norm(given[f"{at}.one.weight"], given[f"{at}.one.bias"], norm)
        layers[f"block{place}_two"] = given[f"{at}.two.weight"], given[f"{at}.two.bias"]
    last = given["body.norm.weight"], given["body.norm.bias"]
    for name in heads:
        layers[name] = _fold_norm(given[f"{name}.weight"], given[f"{name}.bias"], last)
    return layers


def write_bot(weights: Weights, path: Path, *, eight_bits: bool = False) -> None:
    """Write a policy for the bot: a row an input."""
    layers = fold_layers(weights, ("head", "value"))
    head = layers["head"]
    layers["head"] = head[0][:ACTION_COUNT], head[1][:ACTION_COUNT]
    arrays: dict[str, NDArray[Any]] = {"version": np.array(VERSION)}
    for name, (weight, bias) in layers.items():
        # Of the head single rows are read, of other layers columns.
        kept = (weight if name == "head" else weight.T).numpy()
        if eight_bits:
            highest = np.abs(kept).max(axis=1 if name == "head" else 0, keepdims=True)
            arrays[f"{name}_scale"] = scale = np.maximum(highest / _HIGHEST, _SMALLEST).astype(np.float32)
            arrays[f"{name}_weight"] = np.round(kept / scale).astype(np.int8)
        else:
            arrays[f"{name}_weight"] = kept.astype(np.float16)
        arrays[f"{name}_bias"] = bias.numpy().astype(np.float16)
    np.savez_compressed(path, **arrays)  # type: ignore[arg-type]


def write_start(networks: dict[str, Weights], path: Path) -> None:
    """Write the weights of networks by their names, for ``--start``."""
    arrays: dict[str, NDArray[np.float16] | NDArray[np.int64]] = {"version": np.array(VERSION)}
    for network, weights in networks.items():
        arrays |= {f"{network}/{name}": value.half().cpu().numpy() for name, value in weights.items()}
    np.savez_compressed(path, **arrays)  # type: ignore[arg-type]
    size = path.stat().st_size
    if size > LIMIT:
        raise TrainingError(f"{path}: {size:,} bytes, more than the {LIMIT:,} that are allowed")


def read_file(path: Path, name: str, device: str) -> Weights:
    """The weights of a network (``policy`` or ``critic``) from either kind of file."""
    try:
        with np.load(path, allow_pickle=False) as file:
            arrays = {key: file[key] for key in file.files}
    except (ValueError, zipfile.BadZipFile) as error:
        raise TrainingError(f"{path} cannot be read: {error}") from None
    if int(arrays.get("version", -1)) != VERSION:
        raise TrainingError(f"{path}: another version of the encoding")
    if "entry_weight" in arrays and name == "policy":
        weights = unfold(scaled(arrays))
    else:
        prefix = f"{name}/"
        weights = {
            key.removeprefix(prefix): torch.from_numpy(value).float()
            for key, value in arrays.items()
            if key.startswith(prefix)
        }
    if not weights:
        raise TrainingError(f"{path}: no {name} there")
    return {key: value.to(device) for key, value in weights.items()}


def unfold(arrays: Mapping[str, NDArray[np.floating[Any]]]) -> Weights:
    """A policy from the bot's file: its norms have a gain of 1 and a shift of 0."""
    layers = {key: torch.from_numpy(value).float() for key, value in arrays.items() if key != "version"}
    width = len(layers["entry_bias"])
    weights: Weights = {}

    def add_layer(name: str, key: str) -> None:
        weights[f"{name}.weight"] = layers[f"{key}_weight"].T.contiguous()
        weights[f"{name}.bias"] = layers[f"{key}_bias"]

    def add_norm(name: str) -> None:
        weights[f"{name}.weight"], weights[f"{name}.bias"] = torch.ones(width), torch.zeros(width)

    add_layer("body.entry", "entry")
    for place in range(sum(key.endswith("_one_weight") for key in layers)):
        add_norm(f"body.blocks.{place}.norm")
        add_layer(f"body.blocks.{place}.one", f"block{place}_one")
        add_layer(f"body.blocks.{place}.two", f"block{place}_two")
    add_norm("body.norm")
    padding = LOGITS - ACTION_COUNT
    weights["head.weight"] = torch.cat([layers["head_weight"], torch.zeros(padding, width)])
    weights["head.bias"] = torch.cat([layers["head_bias"], torch.zeros(padding)])
    add_layer("value", "value")
    return weights
