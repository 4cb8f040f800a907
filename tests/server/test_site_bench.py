"""The measurement of a large site, in small: it measures what it says, on both stores."""

from click.testing import CliRunner

from bench.site import main, make_rows


def test_matches_are_settled_as_a_server_would() -> None:
    rows = list(make_rows(100, 300, 1))
    assert len({row.match for row in rows}) == 300
    assert any(row.weight < 1 for row in rows)


def test_a_small_site_is_measured() -> None:
    options = ["--players", "100", "--matches", "60", "--requests", "4", "--only", "sqlite"]
    result = CliRunner().invoke(main, options, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    assert "equal to the last bit" in result.output
    assert all(f"sqlite: {what}" in result.output for what in ("profile", "leaderboard", "home"))
