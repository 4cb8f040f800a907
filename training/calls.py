"""How often a policy calls and makes its calls, for several thresholds, and what a change costs in points.

python -m training.calls build/training/run --tichu 0 -1 --grand 0 5
python -m training.calls champion.npz --grand 0 -1 --match-rounds 20  # and whole matches, where people's rates are from
"""

from training import require_torch  # noqa: F401  # isort: skip

import argparse
from collections.abc import Mapping
from pathlib import Path

import torch

from training.checkpoint import read_policy
from training.command_line import entry_point, game_count, print_line
from training.evaluation import Player, call_rates, deterministic, evaluate
from training.rounds import play_rounds
from training.simulator import count_results

__all__ = ["main"]


@entry_point
def main(arguments: list[str] | None = None) -> None:
    """Evaluate every pair of shifts."""
    device = "cuda" if torch.cuda.is_available() else "cpu"
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=Path, help="the folder of a checkpoint, or a file of weights")
    parser.add_argument("--tichu", type=float, nargs="+", default=[0.0], help="added to the logit of the call")
    parser.add_argument("--grand", type=float, nargs="+", default=[0.0])
    parser.add_argument(
        "--first-threshold", type=float, help="call Tichu by the predicted probability of going out first instead"
    )
    parser.add_argument("--deals", type=game_count, default=8192 if device == "cuda" else 256)
    parser.add_argument("--match-rounds", type=int, default=0, help="rounds a table in whole matches of self-play")
    parser.add_argument("--games", type=game_count, default=65536 if device == "cuda" else 256, help="such tables")
    parser.add_argument("--seed", type=int, default=4001)
    options = parser.parse_args(arguments)
    plain = deterministic(read_policy(options.source, device))
    for tichu in options.tichu:
        for grand in options.grand:
            shifted = deterministic(read_policy(options.source, device, tichu, grand), options.first_threshold)
            self_play = evaluate(shifted, shifted, device, options.deals, options.seed)
            over = evaluate(shifted, plain, device, options.deals, options.seed)
            points = f"{over.mean:+.2f} (standard error {over.standard_error:.2f}) points a round"
            print_line(f"tichu {tichu:+g} grand {grand:+g}: {_told(self_play.counts)}; {points}")
            if options.match_rounds > 0:
                print_line(f"  in whole matches: {_told(_in_matches(shifted, device, options))}")


def _in_matches(player: Player, device: str, options: argparse.Namespace) -> dict[str, int]:
    """What was called in whole matches, whose scores make a policy dare more or less than at 0:0."""
    rows = play_rounds(player, device, options.games, options.match_rounds, options.seed, "standard")
    return count_results(torch.from_numpy(rows[:, 2:]))  # behind the game and the round


def _told(counts: Mapping[str, int]) -> str:
    return "  ".join(f"{name} {rate:.4f}" for name, rate in call_rates(counts).items())


if __name__ == "__main__":
    main()
