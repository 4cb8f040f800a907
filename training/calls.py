"""How often a policy calls and makes it, for other thresholds of its calls, and what that costs.

python -m training.calls build/training/run --tichu 0 -1 --grand 0 5
"""

import argparse
import sys
from pathlib import Path

import torch

from training.checkpoint import read_policy
from training.duel import best_of, duel
from training.train import call_rates

__all__ = ["main"]


def main() -> None:
    """Measure every pair of shifts."""
    device = "cuda" if torch.cuda.is_available() else "cpu"
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=Path, help="the folder of a checkpoint")
    parser.add_argument("--tichu", type=float, nargs="+", default=[0.0], help="added to the score of the call")
    parser.add_argument("--grand", type=float, nargs="+", default=[0.0])
    parser.add_argument("--first", type=float, help="call Tichu by the foreseen chance to be first instead")
    parser.add_argument("--deals", type=int, default=8192 if device == "cuda" else 256)
    parser.add_argument("--seed", type=int, default=4001)
    options = parser.parse_args()
    plain = best_of(read_policy(options.source, device))
    for tichu in options.tichu:
        for grand in options.grand:
            shifted = best_of(read_policy(options.source, device, tichu, grand), options.first)
            own = duel(shifted, shifted, device, options.deals, options.seed)
            over = duel(shifted, plain, device, options.deals, options.seed)
            rates = "  ".join(f"{name} {rate:.4f}" for name, rate in call_rates(own.counters).items())
            points = f"{over.points:+.2f} (error {over.error:.2f}) points a round"
            text = f"tichu {tichu:+g} grand {grand:+g}: {rates}; {points}\n"
            sys.stdout.write(text)
            sys.stdout.flush()


if __name__ == "__main__":
    main()
