"""The picture of ``docs/ratings.md`` (``pip install tichu[plot]``)."""

from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

import click
import numpy as np

from bench.ratings.models import Rated
from bench.ratings.seasons import MARKS, Floats

__all__ = ["Curve", "plot_report"]


class Curve(NamedTuple):
    """Players or pairs of a season: the truth, the ledger's ratings and others by name."""

    season: str
    who: str
    truth: Floats
    rated: Rated
    rivals: dict[str, Rated]


def plot_report(path: Path, curves: Sequence[Curve], correlation: Callable[[Floats, Floats], float]) -> None:
    """How soon ratings order people rightly, and whether they know how sure they are."""
    try:
        matplotlib, figures = import_module("matplotlib"), import_module("matplotlib.figure")
    except ImportError:
        raise click.ClickException("--plot needs matplotlib: pip install 'tichu[plot]'") from None
    # The same file for the same numbers.
    with matplotlib.rc_context({"svg.hashsalt": "tichu"}):
        figure = figures.Figure(figsize=(9.0, 7.0), layout="constrained")
        for axes, curve in zip(figure.subplots(2, 2, sharex=True).flat, curves, strict=True):
            for name, rated in {"rating": curve.rated, **curve.rivals}.items():
                style = "-o" if rated is curve.rated else "--"
                axes.plot(MARKS, [correlation(rated.mu[mark], curve.truth) for mark in MARKS], style, label=name)
            scale = float(np.std(curve.truth))
            errors = [float(np.sqrt(np.nanmean((curve.rated.mu[mark] - curve.truth) ** 2))) / scale for mark in MARKS]
            sigmas = [float(np.nanmean(curve.rated.sigma[mark])) / scale for mark in MARKS]
            axes.plot(MARKS, errors, color="grey", label="true error / spread")
            axes.plot(MARKS, sigmas, ":", color="grey", label="sigma / spread")
            axes.set(title=f"{curve.season}, {curve.who}", xscale="log", ylim=(0, 1.3))
            axes.set_xticks(MARKS, [str(mark) for mark in MARKS])
            axes.minorticks_off()
            axes.set(xlabel="matches of each", ylabel="rank correlation with the truth")
            axes.legend(fontsize=8, loc="lower center", ncols=2)
        figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)
