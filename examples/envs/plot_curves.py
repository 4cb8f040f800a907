"""The learning curves of several runs of ppo.py in one picture.

    python examples/envs/plot_curves.py build/ppo-1 build/ppo-2 build/ppo-3 docs/ppo.svg

Prints the table of their last measurements, too.
"""

import csv
import json
import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
# The same curves give the same file.
matplotlib.rcParams["svg.hashsalt"] = "tichu"
from matplotlib import pyplot  # noqa: E402


def main(runs: list[Path], picture: Path) -> None:
    """Draw and print."""
    figure, axes = pyplot.subplots(figsize=(7, 4))
    print("| seed | minutes | decisions | rounds | points a round over `greedy` | 95 % interval |")  # noqa: T201
    print("|---|---|---|---|---|---|")  # noqa: T201
    for run in runs:
        result = json.loads((run / "result.json").read_text())
        low, high = result["ci95"]
        print(  # noqa: T201
            f"| {result['seed']} | {result['minutes']:g} | {result['decisions']:,} | {result['rounds']:,} | "
            f"{result['points_per_round']:+.1f} | {low:+.1f} to {high:+.1f} |"
        )
        with (run / "curve.csv").open(newline="") as file:
            points = [{name: float(value) for name, value in row.items()} for row in csv.DictReader(file)]
        minutes = [point["seconds"] / 60 for point in points]
        axes.plot(
            minutes, [point["points"] for point in points], marker="o", markersize=3, label=f"seed {result['seed']}"
        )
        axes.fill_between(minutes, [point["low"] for point in points], [point["high"] for point in points], alpha=0.15)
    axes.axhline(0, color="grey", linewidth=0.8)
    axes.set_xlabel("minutes of training")
    axes.set_ylabel("points a round over greedy")
    axes.legend()
    figure.tight_layout()
    figure.savefig(picture, metadata={"Date": None})


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    *folders, target = map(Path, sys.argv[1:])
    main(folders, target)
