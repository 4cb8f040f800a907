"""Policies of several runs against one of them: points a round on duplicate deals, and matches won.

python -m training.compare build/training/new build/training/other --over build/training/old
python -m training.compare build/training/new --over build/training/new --without memory
"""

from training import needs_torch  # noqa: F401  # isort: skip

import argparse
from pathlib import Path

import torch

from training.checkpoint import read_policy
from training.command import command, games, positive, say
from training.duel import best_of, duel, without

__all__ = ["main"]


@command
def main(words: list[str] | None = None) -> None:
    """Measure every policy named."""
    device = "cuda" if torch.cuda.is_available() else "cpu"
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sources", type=Path, nargs="+", help="folders of checkpoints")
    parser.add_argument("--over", type=Path, required=True, help="the folder of whom they play")
    parser.add_argument("--deals", type=games, default=32768 if device == "cuda" else 256)
    parser.add_argument("--matches", type=games, default=0, help="so many matches, each played twice")
    parser.add_argument("--goal", type=positive, default=1000)
    parser.add_argument("--seed", type=int, default=5001)
    parser.add_argument("--without", choices=("memory", "match"), help="what whom they play must do without")
    options = parser.parse_args(words)
    rival = best_of(read_policy(options.over, device))
    if options.without:
        rival = without(rival, options.without)
    for source in options.sources:
        own = best_of(read_policy(source, device))
        over = duel(own, rival, device, options.deals, options.seed)
        text = f"{source}: {over.mean:+.2f} (error {over.error:.2f}) points a round"
        if options.matches:
            won = duel(own, rival, device, options.matches, options.seed, options.goal)
            text += f", {100 * won.mean:.2f} % (error {100 * won.error:.2f}) of matches"
        say(text)


if __name__ == "__main__":
    main()
