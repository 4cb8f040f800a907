"""What the commands print."""

import hashlib
import math
import time
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from random import Random
from typing import Final

import click
import numpy as np

from bench.ratings.models import Rated, WengLin, rate_elo, rate_ledger, rate_weng_lin
from bench.ratings.plots import Curve, plot_report
from bench.ratings.seasons import (
    Floats,
    Ints,
    Season,
    club_season,
    fixed_season,
    mixed_season,
    newcomer_season,
    play,
    real_games,
)
from tichu.ratings import Ledger, MatchRow, format_row, parse_row, rebuild, settle_all

__all__ = ["print_feed", "print_model", "print_report", "print_speed", "print_tuning"]

_TOLD: Final = (20, 50, 200)
_KINDS: Final = ("bradley-terry", "thurstone-full", "thurstone-part")
_ELO: Final = (4, 6, 8, 12, 16, 24, 32)


def rank_correlation(found: Floats, truth: Floats) -> float:
    """Spearman's, over those who have played so much."""
    there = ~np.isnan(found)
    first, second = (np.argsort(np.argsort(values[there])) for values in (found, truth))
    return float(np.corrcoef(first, second)[0, 1])


def print_tuning(seed: int, players: int) -> None:
    """All models on the same seasons, the best last."""
    seasons = [mixed_season(seed, players), fixed_season(seed, players), newcomer_season(seed, players)]
    lines = []
    for k in _ELO:
        lines.append(_tuning_line(f"Elo, K = {k}", seasons, [rate_elo(season, k) for season in seasons]))
    numbers = product(_KINDS, ("library", "one"), (15.0, 20.0, 25.0), (20.0, 25.0, 30.0, 40.0), (0.2, 0.5))
    for model in (WengLin(*each) for each in numbers):  # type: ignore[arg-type]
        name = f"{model.kind}, gamma {model.gamma}, sigma {model.sigma:g}, beta {model.beta:g}, tau {model.tau:g}"
        lines.append(_tuning_line(name, seasons, [rate_weng_lin(season, model) for season in seasons]))
    for _, line in sorted(lines, reverse=True):
        click.echo(line)


def _tuning_line(name: str, seasons: list[Season], rated: list[Rated]) -> tuple[float, str]:
    loss = float(np.mean([one.log_loss for one in rated]))
    correlations = [
        "/".join(f"{rank_correlation(one.mu[mark], _seen(season)):.3f}" for mark in _TOLD)
        for season, one in zip(seasons, rated, strict=True)
    ]
    return loss, f"log loss {loss:.5f}  {'  '.join(correlations)}  {name}"


def _seen(season: Season) -> Floats:
    """What can be seen of a player: with a fixed partner it is the pair's strength, half of it each."""
    if season.pair_strength is None:
        return season.strength
    return np.repeat(_of_pairs(season), 2) / 2


def _of_pairs(season: Season) -> Floats:
    assert season.pair_strength is not None
    return season.strength[0::2] + season.strength[1::2] + season.pair_strength


def print_report(seed: int, players: int, elo: Sequence[float], plot: Path | None) -> None:
    """The tables of the page."""
    curves: list[Curve] = []
    for season in (mixed_season(seed, players), newcomer_season(seed, players), fixed_season(seed, players)):
        ratings, pairs = rate_ledger(season)
        rivals = {f"Elo, K = {k:g}": rate_elo(season, k) for k in elo}
        curves.append(Curve(season.name, "players", season.strength, ratings, rivals))
        if pairs is not None:
            # Elo has no pairs; both of a pair always have the same rating.
            of_pairs = {
                name: Rated({mark: mu[0::2] for mark, mu in rival.mu.items()}, {}, rival.log_loss)
                for name, rival in rivals.items()
            }
            curves.append(Curve(season.name, "pairs", _of_pairs(season), pairs, of_pairs))
    click.echo(f"| after ... matches | {' | '.join(map(str, _TOLD))} | log loss |\n|---|{'---|' * (len(_TOLD) + 1)}")
    for curve in curves:
        for name, rated in {"rating": curve.rated, **curve.rivals}.items():
            cells = [f"{rank_correlation(rated.mu[mark], curve.truth):.3f}" for mark in _TOLD]
            click.echo(f"| {curve.season}, {curve.who}: {name} | {' | '.join(cells)} | {rated.log_loss:.4f} |")
    click.echo(f"\n| after ... matches | {' | '.join(map(str, _TOLD))} |\n|---|{'---|' * len(_TOLD)}")
    for curve in curves:
        errors, sigmas, inside = [], [], []
        for mark in _TOLD:
            error, sigma = np.abs(curve.rated.mu[mark] - curve.truth), curve.rated.sigma[mark]
            errors.append(f"{math.sqrt(np.nanmean(error**2)):.1f}")
            sigmas.append(f"{np.nanmean(sigma):.1f}")
            inside.append(f"{100 * np.mean((error < 2 * sigma)[~np.isnan(error)]):.0f} %")
        where = f"{curve.season}, {curve.who}"
        click.echo(f"| {where}: true error, points a round | {' | '.join(errors)} |")
        click.echo(f"| {where}: sigma | {' | '.join(sigmas)} |")
        click.echo(f"| {where}: truth within two sigma | {' | '.join(inside)} |")
    if plot is not None:
        plot_report(plot, curves, rank_correlation)


def print_model(seed: int) -> None:
    """Whether simulated matches look like real ones, for several spreads of strength."""
    rng = np.random.default_rng(seed)
    games = real_games()
    rounds = np.concatenate(games)
    margins = np.array([abs(int(np.subtract(*game.sum(axis=0)))) for game in games])
    click.echo(f"real rounds: {len(rounds)}, sd of the difference {np.subtract(*rounds.T).std():.0f}")
    _print_matches(f"{len(games)} real matches", margins, np.array([len(game) for game in games]))
    for spread in (0, 10, 20, 30, 40):
        scores, lengths = play(2 * spread * rng.standard_normal(20_000), rng)
        _print_matches(f"simulated, players' sd {spread}", np.abs(scores[:, 0] - scores[:, 1]), lengths)
    for edge in (10, 20, 40, 80):
        scores, _ = play(np.full(20_000, float(edge)), rng)
        click.echo(f"{edge} points a round win {100 * np.mean(scores[:, 0] > scores[:, 1]):.1f} % of matches")


def _print_matches(name: str, margins: Ints, lengths: Ints) -> None:
    error = lengths.std() / math.sqrt(len(lengths))
    click.echo(
        f"{name}: {lengths.mean():.2f} rounds (standard error {error:.2f}),"
        f" margin {math.sqrt((margins**2).mean()):.0f} (root of the mean square)"
    )


def _unweighted(_: Ledger, row: MatchRow) -> MatchRow:
    return row


def print_feed(seed: int) -> None:
    """Two accounts win against the same two others, who lose on purpose; and clubs, who always meet the same people."""
    click.echo("| rating after ... wins within thirty days over the same two | 5 | 20 | 100 |\n|---|---|---|---|")
    for name, settle in (("each counts in full", _unweighted), ("counts less each time", Ledger.settle)):
        ledger = Ledger()
        shown = []
        for number in range(1, 101):
            row = MatchRow(
                match=str(number),
                at=number,
                rules="standard",
                clock="normal",
                players=("a", "x", "b", "y"),
                score=(1000, 0),
                winner=0,
            )
            ledger.apply(settle(ledger, row))
            if number in (5, 20, 100):
                shown.append(str(ledger.rating(row.pool, "a").shown))
        click.echo(f"| {name} | {' | '.join(shown)} |")
    click.echo()
    for name, settle in (("each counts in full", _unweighted), ("counts less each time", Ledger.settle)):
        found = []
        for club in range(40):
            season = club_season(1000 * seed + club)
            rated, _ = rate_ledger(season, settle, matches_a_day=3)
            found.append([rank_correlation(rated.mu[mark], season.strength) for mark in (20, 50)])
        told = " and ".join(f"{one:.3f}" for one in np.mean(found, axis=0))
        click.echo(f"40 clubs of 24, {name}: rank correlation {told} after 20 and 50 matches of each in a month")


def print_speed(players: int, matches: int) -> None:
    """From lines of text to all ratings, twice."""
    rng = Random(3)
    rows = []
    for number in range(matches):
        a, b, c, d = (f"player-{one}" for one in rng.sample(range(players), 4))
        rows.append(
            MatchRow(
                match=f"match-{number}",
                at=number * 60_000,
                rules="standard",
                clock="normal",
                players=(a, b, c, d),
                score=(0, 0),
                winner=0 if rng.random() < 0.5 else 1,
                pairs=(number % 4 == 0, number % 3 == 0),
                from_pool=True,
            )
        )
    lines = [format_row(row) for row in settle_all(rows)]
    digests = set()
    for _ in range(2):
        begin, cpu = time.perf_counter(), time.process_time()
        dump = rebuild(map(parse_row, lines)).dump()
        told = f"{time.perf_counter() - begin:.1f} s ({time.process_time() - cpu:.1f} s of one processor)"
        digests.add(hashlib.sha256(dump).hexdigest())
        click.echo(f"{matches:,} rows of {players:,} players: {told}")
    click.echo("the same bits" if len(digests) == 1 else "not the same bits")
