"""The simulation that chose the model: its formulas are those of the library, and its matches are Tichu."""

import numpy as np
import pytest
from click.testing import CliRunner

from bench.ratings.__main__ import main
from bench.ratings.models import WengLin, rate_ledger, rate_weng_lin
from bench.ratings.seasons import MARKS, fixed_season, mixed_season, newcomer_season, play, real_games
from tests.ratings.matches import needs_openskill
from tichu.ratings.model import BETA, TAU
from tichu.ratings.rating import PLAYER_SPREAD


@needs_openskill
@pytest.mark.parametrize("make", [mixed_season, newcomer_season], ids=["mixed", "newcomers"])
def test_arrays_and_ledger_agree(make: type) -> None:
    season = make(5, 40, 20)
    quick = rate_weng_lin(season, WengLin("bradley-terry", "one", PLAYER_SPREAD, BETA, TAU))
    slow, _ = rate_ledger(season, settle=lambda _, row: row)
    for mark in (mark for mark in MARKS if mark <= 20):
        np.testing.assert_allclose(quick.mu[mark], slow.mu[mark], rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(quick.sigma[mark], slow.sigma[mark], rtol=1e-9)
    assert quick.log_loss == pytest.approx(slow.log_loss)


@needs_openskill
@pytest.mark.parametrize("kind", ["bradley-terry", "thurstone-full", "thurstone-part"])
def test_the_formulas_are_those_of_the_library(kind: str) -> None:
    from openskill.models import BradleyTerryFull, ThurstoneMostellerFull, ThurstoneMostellerPart

    models = {
        "bradley-terry": BradleyTerryFull,
        "thurstone-full": ThurstoneMostellerFull,
        "thurstone-part": ThurstoneMostellerPart,
    }
    library = models[kind](mu=0.0, sigma=20.0, beta=30.0, tau=0.5)
    season = mixed_season(6, 40, 10)
    known = [library.rating() for _ in range(40)]
    for seats, winners in zip(season.seats, season.winners, strict=True):
        for (a, b, c, d), winner in zip(seats.tolist(), winners.tolist(), strict=True):
            teams = [[known[a], known[c]], [known[b], known[d]]]
            (known[a], known[c]), (known[b], known[d]) = library.rate(teams, ranks=[1.0 + winner, 2.0 - winner])
    quick = rate_weng_lin(season, WengLin(kind, "library", 20.0, 30.0, 0.5))  # type: ignore[arg-type]
    np.testing.assert_allclose(quick.mu[10], [one.mu for one in known], rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(quick.sigma[10], [one.sigma for one in known], rtol=1e-6)


def test_matches_are_as_long_as_real_ones_and_the_stronger_team_wins_more() -> None:
    rng = np.random.default_rng(4)
    scores, lengths = play(np.full(4000, 40.0), rng)
    assert 0.66 < np.mean(scores[:, 0] > scores[:, 1]) < 0.78
    assert abs(lengths.mean() - np.mean([len(game) for game in real_games()])) < 1
    assert (scores.max(axis=1) >= 1000).all()


def test_partners_stay_together_where_they_should() -> None:
    for day in fixed_season(3, 40, 5).seats:
        assert (day[:, 2] == day[:, 0] + 1).all()
        assert sorted(day.ravel().tolist()) == list(range(40))


def test_newcomers_come_and_go_after_their_last_match() -> None:
    season = newcomer_season(3, 40, 10)
    played = np.bincount(np.concatenate([day.ravel() for day in season.seats]), minlength=40)
    assert played.max() == 10
    assert played.min() >= 7, "the last few may lack a table"
    assert len(season.seats[0]) == 1


@needs_openskill
def test_a_rebuild_is_measured() -> None:
    result = CliRunner().invoke(main, ["speed", "--players", "40", "--matches", "50"])
    assert result.exit_code == 0
    assert "the same bits" in result.output.splitlines()
