"""How often a policy calls and makes it, for other thresholds of its calls, and what that costs.

python -m training.calls build/training/run --tichu 0 -1 --grand 0 5
"""

from training import needs_torch  # noqa: F401  # isort: skip

import argparse
from pathlib import Path

import torch

from training.checkpoint import read_policy
from training.command import command, games, say
from training.duel import best_of, call_rates, duel

__all__ = ["main"]


@command
def main(words: list[str] | None = None) -> None:
    """Measure every pair of shifts."""
    device = "cuda" if torch.cuda.is_available() else "cpu"
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=Path, help="the folder of a checkpoint")
    parser.add_argument("--tichu", type=float, nargs="+", default=[0.0], help="added to the score of the call")
    parser.add_argument("--grand", type=float, nargs="+", default=[0.0])
    parser.add_argument("--first", type=float, help="call Tichu by the foreseen chance to be first instead")
    parser.add_argument("--deals", type=games, default=8192 if device == "cuda" else 256)
    parser.add_argument("--seed", type=int, default=4001)
    options = parser.parse_args(words)
    plain = best_of(read_policy(options.source, device))
    for tichu in options.tichu:
        for grand in options.grand:
            shifted = best_of(read_policy(options.source, device, tichu, grand), options.first)
            own = duel(shifted, shifted, device, options.deals, options.seed)
            over = duel(shifted, plain, device, options.deals, options.seed)
            rates = "  ".join(f"{name} {rate:.4f}" for name, rate in call_rates(own.counters).items())
            points = f"{over.mean:+.2f} (error {over.error:.2f}) points a round"
            say(f"tichu {tichu:+g} grand {grand:+g}: {rates}; {points}")


if __name__ == "__main__":
    main()
