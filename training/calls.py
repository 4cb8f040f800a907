"""How often a policy calls and makes its calls, for several thresholds, and what a change costs in points.

python -m training.calls build/training/run --tichu 0 -1 --grand 0 5
python -m training.calls champion.npz --grand 0 -1 --matches 16384  # and whole matches, where people's rates are from
"""

from training import require_torch  # noqa: F401  # isort: skip

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import numpy as np
import torch

from training.checkpoint import read_policy
from training.command_line import entry_point, game_count, print_line
from training.evaluation import Player, call_rates, deterministic, evaluate
from training.rounds import play_rounds
from training.simulator import RESULT, count_results

__all__ = ["main"]

# Columns of the rows of play_rounds.
_ROUND: Final = 1
_RESULT: Final = slice(2, None)
_BEFORE: Final = [2 + RESULT.index("before_0"), 2 + RESULT.index("before_1")]
#: Rounds after which no match goes on; one in many thousands would.
_LONGEST: Final = 40


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
    parser.add_argument("--matches", type=game_count, help="of self-play, counted beside the rounds at 0:0")
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
            if options.matches:
                print_line(f"  in whole matches: {_told(_in_matches(shifted, device, options))}")


def _in_matches(player: Player, device: str, options: argparse.Namespace) -> dict[str, int]:
    """What was called in one match a table, whose scores make a policy dare more or less than at 0:0.

    A match counts to its end: where all stop after the same number of rounds, early ones would count too much.
    """
    rows = play_rounds(player, device, options.matches, _LONGEST, options.seed, "standard")
    begun = np.where((rows[:, _BEFORE] == 0).all(1) & (rows[:, _ROUND] > 0), rows[:, _ROUND], _LONGEST)
    seconds = np.minimum.reduceat(begun, np.arange(0, len(rows), _LONGEST))
    return count_results(torch.from_numpy(rows[rows[:, _ROUND] < np.repeat(seconds, _LONGEST)][:, _RESULT]))


def _told(counts: Mapping[str, int]) -> str:
    return "  ".join(f"{name} {rate:.4f}" for name, rate in call_rates(counts).items())


if __name__ == "__main__":
    main()
