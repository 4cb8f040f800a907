"""Draw how a run went: strength, calls and the critic, against seconds of training.

python -m training.curves build/training/run/curve.csv curve.svg
"""

import argparse
import csv
from pathlib import Path
from typing import Final

from tichu.arena.statistics import PEOPLE
from training.command import Refused, command

__all__ = ["draw", "main", "read"]

_COLUMNS: Final = (
    *("seconds", "over_greedy", "over_before", "unexplained", "others"),
    *("best_tichu", "best_tichu_made", "best_grand", "best_grand_made"),
)


def read(path: Path) -> list[dict[str, float]]:
    """What is drawn of the rows of a curve."""
    rows = []
    with path.open(newline="", encoding="utf-8", errors="replace") as file:
        for number, row in enumerate(csv.DictReader(file), 1):
            try:
                rows.append({name: float(row[name]) for name in _COLUMNS})
            except (KeyError, TypeError, ValueError):
                raise Refused(f"{path}: row {number} is not one of a curve") from None
    if not rows:
        raise Refused(f"{path}: nothing to draw")
    return rows


def draw(rows: list[dict[str, float]], path: Path) -> None:
    """Write the plot; needs matplotlib."""
    try:
        import matplotlib
    except ModuleNotFoundError:
        raise Refused("curves are drawn by matplotlib: pip install matplotlib") from None

    matplotlib.use("Agg")
    from matplotlib import backend_bases, pyplot

    if path.suffix[1:] not in backend_bases.FigureCanvasBase.get_supported_filetypes():
        raise Refused(f"{path}: no kind of picture that can be drawn")
    matplotlib.rcParams["svg.hashsalt"] = "tichu"
    figure, (strength, calls, inside) = pyplot.subplots(1, 3, figsize=(13, 4))
    seconds = [row["seconds"] for row in rows]
    strength.plot(seconds, [row["over_greedy"] for row in rows], marker="o", markersize=3, label="a greedy policy")
    before = [row["over_before"] for row in rows]
    strength.plot(seconds, before, marker="o", markersize=3, label="itself, one look before")
    strength.set_ylabel("points a round over ...")
    for name, label, people in (("best_tichu", "Tichu", PEOPLE.tichu), ("best_grand", "Grand Tichu", PEOPLE.grand)):
        (line,) = calls.plot(seconds, [row[name] for row in rows], marker="o", markersize=3, label=f"{label} a round")
        calls.plot(seconds, [row[f"{name}_made"] for row in rows], "--", color=line.get_color(), label=f"{label} made")
        calls.axhline(people, color=line.get_color(), linewidth=0.6)
    calls.set_ylabel("calls in self-play (thin: people's rates)")
    inside.plot(seconds, [row["unexplained"] for row in rows], label="share of its targets' variance the critic leaves")
    inside.plot(seconds, [row["others"] for row in rows], label="entropy of plays")
    for axes in (strength, calls, inside):
        axes.set_xlabel("seconds of training")
        axes.set_ylim(bottom=min(0, axes.get_ylim()[0]) if axes is strength else 0)
        axes.legend(fontsize=8)
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})
    pyplot.close(figure)


@command
def main(words: list[str] | None = None) -> None:
    """Draw what the command line names."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=Path, help="the curve.csv of a run")
    parser.add_argument("target", type=Path, help="what to draw into, such as curve.svg")
    options = parser.parse_args(words)
    draw(read(options.source), options.target)


if __name__ == "__main__":
    main()
