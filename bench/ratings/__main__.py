"""How well ratings find the truth: ``python -m bench.ratings COMMAND``.

``tune`` compares the models of openskill and plain Elo on one seed; ``report`` rates three seasons of another seed as
the site would and writes the tables of ``docs/ratings.md``, and with ``--plot`` its picture; ``model`` holds simulated
matches against real ones; ``feed`` tells what playing the same people over and over buys; ``speed`` measures a rebuild.
"""

from pathlib import Path

import click

from bench.ratings.commands import print_feed, print_model, print_report, print_speed, print_tuning


@click.group()
def main() -> None:
    """Simulate ratings."""


@main.command()
@click.option("--seed", type=int, default=1)
@click.option("--players", type=click.IntRange(40), default=2000)
def tune(seed: int, players: int) -> None:
    """Compare models and their numbers."""
    print_tuning(seed, players)


@main.command()
@click.option("--seed", type=int, default=2)
@click.option("--players", type=click.IntRange(40), default=2000)
@click.option("--elo", type=float, multiple=True, default=(8.0, 24.0), help="K of plain Elo, as tuned.")
@click.option("--plot", type=click.Path(dir_okay=False, path_type=Path), help="Write a picture.")
def report(seed: int, players: int, elo: tuple[float, ...], plot: Path | None) -> None:
    """Rate three seasons and compare with the truth."""
    print_report(seed, players, elo, plot)


@main.command()
@click.option("--seed", type=int, default=2)
def model(seed: int) -> None:
    """Hold simulated matches against real ones."""
    print_model(seed)


@main.command()
@click.option("--seed", type=int, default=2)
def feed(seed: int) -> None:
    """Tell what meeting the same people again and again buys, and what its weight costs a club."""
    print_feed(seed)


@main.command()
@click.option("--players", type=click.IntRange(4), default=10_000)
@click.option("--matches", type=click.IntRange(1), default=100_000)
def speed(players: int, matches: int) -> None:
    """Measure how long a rebuild of all ratings takes."""
    print_speed(players, matches)


if __name__ == "__main__":
    main()
