"""Draw how a run went: strength, calls and the critic, against seconds of training.

python -m training.curves build/training/run/curve.csv curve.svg
"""

import csv
import sys
from pathlib import Path

__all__ = ["draw", "main", "read"]

#: What people do (21 million rounds on BrettspielWelt).
_PEOPLE = {"best_tichu": 0.557, "best_tichu_made": 0.734, "best_grand": 0.313, "best_grand_made": 0.618}


def read(path: Path) -> list[dict[str, float]]:
    """The rows of a curve."""
    with path.open(newline="") as file:
        return [{name: float(value) for name, value in row.items()} for row in csv.DictReader(file)]


def draw(rows: list[dict[str, float]], path: Path) -> None:
    """Write the plot; needs matplotlib."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    matplotlib.rcParams["svg.hashsalt"] = "tichu"
    figure, (strength, calls, inside) = pyplot.subplots(1, 3, figsize=(13, 4))
    seconds = [row["seconds"] for row in rows]
    strength.plot(seconds, [row["over_greedy"] for row in rows], marker="o", markersize=3, label="a greedy policy")
    strength.plot(
        seconds[1:], [row["over_before"] for row in rows[1:]], marker="o", markersize=3, label="itself, one look before"
    )
    strength.set_ylabel("points a round over ...")
    for name, label in (("best_tichu", "Tichu"), ("best_grand", "Grand Tichu")):
        (line,) = calls.plot(seconds, [row[name] for row in rows], marker="o", markersize=3, label=f"{label} a round")
        calls.plot(seconds, [row[f"{name}_made"] for row in rows], "--", color=line.get_color(), label=f"{label} made")
        calls.axhline(_PEOPLE[name], color=line.get_color(), linewidth=0.6)
    calls.set_ylabel("calls in self-play (thin: people's rates)")
    inside.plot(seconds, [row["unexplained"] for row in rows], label="share of the results not foreseen by the critic")
    inside.plot(seconds, [row["others"] for row in rows], label="entropy of plays")
    for axes in (strength, calls, inside):
        axes.set_xlabel("seconds of training")
        axes.set_ylim(bottom=min(0, axes.get_ylim()[0]) if axes is strength else 0)
        axes.legend(fontsize=8)
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})
    pyplot.close(figure)


def main() -> None:
    """Draw what the command line names."""
    source, target = map(Path, sys.argv[1:])
    draw(read(source), target)


if __name__ == "__main__":
    main()
