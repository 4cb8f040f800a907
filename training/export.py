"""Turn a checkpoint into the weights that the learned bot plays with.

python -m training.export build/training/run champion.npz --grand 5
"""

from training import require_torch  # noqa: F401  # isort: skip

import argparse
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from tichu.encoding import ACTION_COUNT, VERSION
from training.checkpoint import read_policy
from training.command_line import entry_point
from training.network import network_size

__all__ = ["export", "main"]


def _fold_norm(
    weight: torch.Tensor, bias: torch.Tensor, norm: tuple[torch.Tensor, torch.Tensor]
) -> tuple[torch.Tensor, torch.Tensor]:
    """One layer in place of a norm's gain and shift and the layer behind it."""
    gain, shift = norm
    return weight * gain, bias + weight @ shift


def export(weights: dict[str, torch.Tensor], path: Path) -> None:
    """Write a policy's weights: a row an input, half precision, norms folded into the layers behind them."""
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
    for name in ("head", "value"):
        layers[name] = _fold_norm(given[f"{name}.weight"], given[f"{name}.bias"], last)
    head = layers["head"]
    layers["head"] = head[0][:ACTION_COUNT], head[1][:ACTION_COUNT]
    arrays: dict[str, NDArray[np.float16] | NDArray[np.int64]] = {"version": np.array(VERSION)}
    for name, (weight, bias) in layers.items():
        # Of the head single rows are read, of other layers columns.
        arrays[f"{name}_weight"] = (weight if name == "head" else weight.T).numpy().astype(np.float16)
        arrays[f"{name}_bias"] = bias.numpy().astype(np.float16)
    np.savez_compressed(path, **arrays)  # type: ignore[arg-type]


@entry_point
def main(arguments: list[str] | None = None) -> None:
    """Export the checkpoint of the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=Path, help="the folder of a checkpoint")
    parser.add_argument("target", type=Path)
    parser.add_argument(
        "--tichu", type=float, default=0.0, help="added to the logit of that call, which is made above 0"
    )
    parser.add_argument("--grand", type=float, default=0.0, help="the same for Grand Tichu")
    options = parser.parse_args(arguments)
    export(read_policy(options.source, "cpu", options.tichu, options.grand).state_dict(), options.target)


if __name__ == "__main__":
    main()
