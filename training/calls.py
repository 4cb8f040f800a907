"""How often a policy calls and makes its calls, for several thresholds, and what a change costs in points.

python -m training.calls build/training/run --tichu 0 -1 --grand 0 5
"""

from training import require_torch  # noqa: F401  # isort: skip

import argparse
from pathlib import Path

import torch

from training.checkpoint import read_policy
from training.command_line import entry_point, game_count, print_line
from training.evaluation import call_rates, deterministic, evaluate

__all__ = ["main"]


@entry_point
def main(arguments: list[str] | None = None) -> None:
    """Evaluate every pair of shifts."""
    device = "cuda" if torch.cuda.is_available() else "cpu"
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=Path, help="the folder of a checkpoint")
    parser.add_argument("--tichu", type=float, nargs="+", default=[0.0], help="added to the logit of the call")
    parser.add_argument("--grand", type=float, nargs="+", default=[0.0])
    parser.add_argument(
        "--first-threshold", type=float, help="call Tichu by the predicted probability of going out first instead"
    )
    parser.add_argument("--deals", type=game_count, default=8192 if device == "cuda" else 256)
    parser.add_argument("--seed", type=int, default=4001)
    options = parser.parse_args(arguments)
    plain = deterministic(read_policy(options.source, device))
    for tichu in options.tichu:
        for grand in options.grand:
            shifted = deterministic(read_policy(options.source, device, tichu, grand), options.first_threshold)
            self_play = evaluate(shifted, shifted, device, options.deals, options.seed)
            over = evaluate(shifted, plain, device, options.deals, options.seed)
            rates = "  ".join(f"{name} {rate:.4f}" for name, rate in call_rates(self_play.counts).items())
            points = f"{over.mean:+.2f} (standard error {over.standard_error:.2f}) points a round"
            print_line(f"tichu {tichu:+g} grand {grand:+g}: {rates}; {points}")


if __name__ == "__main__":
    main()
