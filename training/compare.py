"""Policies against an opponent: points a round on duplicate deals, and matches won.

python -m training.compare build/training/new build/training/other --opponent build/training/old
python -m training.compare build/training/new --opponent build/training/new --ablate memory
python -m training.compare build/training/new --opponent champion.npz --rules standard simple courtesy
"""

from training import require_torch  # noqa: F401  # isort: skip

import argparse
from pathlib import Path

import torch

from training.checkpoint import read_policy
from training.command_line import entry_point, game_count, positive_int, print_line
from training.evaluation import ablate, deterministic, evaluate
from training.rule_sets import parse_rule_sets

__all__ = ["main"]


@entry_point
def main(arguments: list[str] | None = None) -> None:
    """Evaluate every policy."""
    device = "cuda" if torch.cuda.is_available() else "cpu"
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sources", type=Path, nargs="+", help="folders of checkpoints, or files of weights")
    parser.add_argument("--opponent", type=Path, required=True, help="the opponent's checkpoint or weights")
    parser.add_argument("--rules", nargs="+", default=["standard"])
    parser.add_argument("--deals", type=game_count, default=32768 if device == "cuda" else 256)
    parser.add_argument("--matches", type=game_count, default=0, help="number of matches, each played twice")
    parser.add_argument("--goal", type=positive_int, default=1000)
    parser.add_argument("--seed", type=int, default=5001)
    parser.add_argument("--ablate", choices=("memory", "match"), help="what to hide from the opponent")
    options = parser.parse_args(arguments)
    opponent = deterministic(read_policy(options.opponent, device))
    if options.ablate:
        opponent = ablate(opponent, options.ablate)
    for source in options.sources:
        player = deterministic(read_policy(source, device))
        for rules in options.rules:
            parse_rule_sets(rules, 1)
            over = evaluate(player, opponent, device, options.deals, options.seed, rules)
            text = f"{source}, {rules}: {over.mean:+.2f} (standard error {over.standard_error:.2f}) points a round"
            if options.matches:
                won = evaluate(player, opponent, device, options.matches, options.seed, rules, options.goal)
                text += f", {100 * won.mean:.2f} % (standard error {100 * won.standard_error:.2f}) of matches"
            print_line(text)


if __name__ == "__main__":
    main()
