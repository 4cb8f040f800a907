"""Take the critic out of the file that training starts from: ``python -m tools.export_critic``.

Norms are folded into the layers behind them, of the outputs only the points are kept.
"""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

_ROOT = Path(__file__).parent.parent
_SOURCE = _ROOT / "training" / "start.npz"
_TARGET = _ROOT / "src" / "tichu" / "analysis" / "critic.npz"
#: The return comes first, then the points.
_POINTS = slice(1, 2)

Array = NDArray[np.float64]


def main() -> None:
    """Write the file."""
    with np.load(_SOURCE, allow_pickle=False) as file:
        version = file["version"]
        given = {
            name.removeprefix("critic/"): file[name].astype(np.float64)
            for name in file.files
            if name.startswith("critic/")
        }
    layers: dict[str, tuple[Array, Array]] = {"entry": (given["body.entry.weight"], given["body.entry.bias"])}
    for place in range(sum(name.endswith(".one.weight") for name in given)):
        at = f"body.blocks.{place}"
        one = given[f"{at}.one.weight"], given[f"{at}.one.bias"]
        layers[f"block{place}_one"] = _fold_norm(*one, given[f"{at}.norm.weight"], given[f"{at}.norm.bias"])
        layers[f"block{place}_two"] = given[f"{at}.two.weight"], given[f"{at}.two.bias"]
    value = given["value.weight"][_POINTS], given["value.bias"][_POINTS]
    layers["value"] = _fold_norm(*value, given["body.norm.weight"], given["body.norm.bias"])
    arrays: dict[str, NDArray[np.float16]] = {}
    for name, (weight, bias) in layers.items():
        arrays[f"{name}_weight"] = np.ascontiguousarray(weight.T, np.float16)
        arrays[f"{name}_bias"] = bias.astype(np.float16)
    np.savez_compressed(_TARGET, version=version, **arrays)  # type: ignore[arg-type]


def _fold_norm(weight: Array, bias: Array, gain: Array, shift: Array) -> tuple[Array, Array]:
    return weight * gain, bias + weight @ shift


if __name__ == "__main__":
    main()
