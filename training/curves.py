"""Draw the curves of a run: strength, calls and diagnostics, against seconds of training.

python -m training.curves build/training/run/curve.csv curve.svg
"""

import argparse
import csv
import math
from pathlib import Path
from typing import Final

from tichu.arena.statistics import PEOPLE
from training.command_line import TrainingError, entry_point

__all__ = ["draw", "main", "read"]

_COLUMNS: Final = (
    *("seconds", "over_greedy", "over_previous", "explained_variance", "play_entropy"),
    *("evaluation_tichu", "evaluation_tichu_made", "evaluation_grand", "evaluation_grand_made"),
)
# Runs without an opponent, and the first ones, do not have it.
_OPPONENT: Final = "over_opponent"


def read(path: Path) -> list[dict[str, float]]:
    """The columns of a curve that are drawn."""
    rows = []
    with path.open(newline="", encoding="utf-8", errors="replace") as file:
        for number, row in enumerate(csv.DictReader(file), 1):
            try:
                columns = {name: float(row[name]) for name in _COLUMNS}
                rows.append(columns | {_OPPONENT: float(row.get(_OPPONENT) or "nan")})
            except (KeyError, TypeError, ValueError):
                raise TrainingError(f"{path}: row {number} is not a row of a curve") from None
    if not rows:
        raise TrainingError(f"{path}: nothing to draw")
    return rows


def draw(rows: list[dict[str, float]], path: Path) -> None:
    """Write the plot; needs matplotlib."""
    try:
        import matplotlib
    except ModuleNotFoundError:
        raise TrainingError("curves are drawn by matplotlib: pip install matplotlib") from None

    matplotlib.use("Agg")
    from matplotlib import backend_bases, pyplot

    if path.suffix[1:] not in backend_bases.FigureCanvasBase.get_supported_filetypes():
        raise TrainingError(f"{path}: not a file type that can be drawn")
    matplotlib.rcParams["svg.hashsalt"] = "tichu"
    figure, (strength, calls, diagnostics) = pyplot.subplots(1, 3, figsize=(13, 4))
    seconds = [row["seconds"] for row in rows]
    strength.plot(seconds, [row["over_greedy"] for row in rows], marker="o", markersize=3, label="a greedy policy")
    previous = [row["over_previous"] for row in rows]
    strength.plot(seconds, previous, marker="o", markersize=3, label="itself at the previous evaluation")
    opponent = [row[_OPPONENT] for row in rows]
    if not all(map(math.isnan, opponent)):
        strength.plot(seconds, opponent, marker="o", markersize=3, label="the champion at the time")
        strength.axhline(0, color="grey", linewidth=0.6)
    strength.set_ylabel("points a round over ...")
    for name, label, people in (
        ("evaluation_tichu", "Tichu", PEOPLE.tichu),
        ("evaluation_grand", "Grand Tichu", PEOPLE.grand),
    ):
        (line,) = calls.plot(seconds, [row[name] for row in rows], marker="o", markersize=3, label=f"{label} a round")
        calls.plot(seconds, [row[f"{name}_made"] for row in rows], "--", color=line.get_color(), label=f"{label} made")
        calls.axhline(people, color=line.get_color(), linewidth=0.6)
    calls.set_ylabel("calls in self-play (thin: people's rates)")
    diagnostics.plot(seconds, [row["explained_variance"] for row in rows], label="explained variance of the critic")
    diagnostics.plot(seconds, [row["play_entropy"] for row in rows], label="entropy of plays")
    for axes in (strength, calls, diagnostics):
        axes.set_xlabel("seconds of training")
        axes.set_ylim(bottom=min(0, axes.get_ylim()[0]) if axes is strength else 0)
        axes.legend(fontsize=8)
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})
    pyplot.close(figure)


@entry_point
def main(arguments: list[str] | None = None) -> None:
    """Draw the file of the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=Path, help="the curve.csv of a run")
    parser.add_argument("target", type=Path, help="the picture to write, such as curve.svg")
    options = parser.parse_args(arguments)
    draw(read(options.source), options.target)


if __name__ == "__main__":
    main()
