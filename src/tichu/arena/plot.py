"""Results as a picture (``pip install tichu[plot]``)."""

import os
from collections.abc import Sequence
from importlib import import_module
from itertools import accumulate
from pathlib import Path
from typing import Any, Final

from tichu.arena.duel import PlayedDeal
from tichu.arena.ratings import Rating
from tichu.arena.summary import Summary
from tichu.core.errors import GameError

__all__ = ["check_plot", "plot_duel", "plot_ratings"]

_SIZE: Final = (8.0, 4.5)


def check_plot(path: Path) -> None:
    """Whether a picture can be written there: better known before the run than after it.

    :raises GameError: matplotlib is missing or does not know the ending, or no file can be written there
    """
    endings = _figure().canvas.get_supported_filetypes()
    if path.suffix.removeprefix(".").lower() not in endings:
        raise GameError(f"{path}: no picture ends in {path.suffix!r}; there are {', '.join(sorted(endings))}")
    if not path.parent.is_dir():
        raise GameError(f"{path}: there is no folder {path.parent}")
    if path.is_dir():
        raise GameError(f"{path} is a folder")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise GameError(f"{path} cannot be written")


def plot_duel(path: Path, summary: Summary, played: Sequence[PlayedDeal]) -> None:
    """The points a round as deals are added, and how the single deals are spread."""
    figure = _figure()
    course, spread = figure.subplots(1, 2, width_ratios=(3, 2))
    a, b = summary.setup.teams
    points = accumulate(one.points for one in played)
    rounds = accumulate(one.rounds for one in played)
    course.plot(range(1, len(played) + 1), [top / bottom for top, bottom in zip(points, rounds, strict=True)])
    course.axhspan(*summary.ci95, alpha=0.2, label="95 %")
    course.axhline(0, color="black", linewidth=0.8)
    course.set(xlabel="deals", ylabel="points a round", title="so far")
    course.legend()
    spread.hist([one.points / one.rounds for one in played], bins=20)
    spread.axvline(summary.points_per_round, color="black", linewidth=0.8)
    spread.set(xlabel="points a round in one deal", ylabel="deals", title="by deal")
    figure.suptitle(f"{_plain(a.text)} over {_plain(b.text)}: {summary.points_per_round:+.1f} points a round")
    figure.savefig(path)


def plot_ratings(path: Path, rated: Sequence[Rating]) -> None:
    """The ratings of a round robin with their intervals, the strongest on top."""
    figure = _figure()
    axes = figure.subplots()
    rows = range(len(rated), 0, -1)
    below = [one.points - one.ci95[0] for one in rated]
    above = [one.ci95[1] - one.points for one in rated]
    axes.errorbar([one.points for one in rated], rows, xerr=(below, above), fmt="o", capsize=4)
    axes.set_yticks(rows, [_plain(one.team.text) for one in rated])
    axes.axvline(0, color="black", linewidth=0.8)
    axes.set(xlabel="rating, points a round", title="round robin, 95 % intervals")
    figure.savefig(path)


def _plain(text: str) -> str:
    """Without what matplotlib takes for formulas."""
    return text.replace("$", r"\$")


def _figure() -> Any:
    # Figures of their own, not pyplot's: no window system, nothing global.  An extra, so typed by what is used of it.
    try:
        figure = import_module("matplotlib.figure")
    except ImportError:
        raise GameError("--plot needs matplotlib: pip install 'tichu[plot]'") from None
    return figure.Figure(figsize=_SIZE, layout="constrained")
