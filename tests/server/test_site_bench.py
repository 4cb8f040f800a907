"""The measurement of a large site, in small: it measures what it says, on both stores."""

import pytest
from click.testing import CliRunner

from bench.site import fill, main, make_rows, move_in
from tests.server.serving import FREE, served
from tests.server.test_tokens import bearer


def test_matches_are_settled_as_a_server_would() -> None:
    rows = list(make_rows(100, 300, 1))
    assert len({row.match for row in rows}) == 300
    assert any(row.weight < 1 for row in rows)


@pytest.mark.anyio
async def test_whoever_visits_has_games_tables_and_others_to_look_at() -> None:
    async with served(FREE) as place:
        await fill(place.lobby.store, 100, 60, 1)
        tokens = await move_in(place.lobby, 100, 60, 1)
        assert len(tokens) == 40
        me = (await place.http.get("/api/me", headers=bearer(tokens[0]))).json()
        assert me["account"]
        assert len(me["tables"]) == 2
        results = [(await place.http.get("/api/me", headers=bearer(token))).json()["results"] for token in tokens]
        assert any(one["games"] for one in results)
        profiles = [(await place.http.get(f"/api/players/player{at:05}")).json() for at in range(100)]
        assert any(one["partners"] for one in profiles)
        assert any(one["sheet"] for one in profiles)
        games = [(await place.http.get(f"/api/players/player{at:05}/games")).json()["games"] for at in range(100)]
        assert any(games)
        people = (await place.http.get("/api/me/people", headers=bearer(tokens[0]))).json()
        assert (len(people["follows"]), len(people["blocks"])) == (4, 1)
        home = (await place.http.get("/api/home", headers=bearer(tokens[0]))).json()
        assert (home["playing"], len(home["games"])) == (15, 6)
        assert home["board"] is None or home["board"]["players"]
        assert len((await place.http.get("/api/tables", headers=bearer(tokens[0]))).json()["tables"]) >= 50


def test_a_small_site_is_measured() -> None:
    options = ["--players", "100", "--matches", "60", "--tables", "60", "--requests", "4", "--only", "sqlite"]
    result = CliRunner().invoke(main, options, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    assert "equal to the last bit" in result.output
    assert all(f"sqlite: {what}" in result.output for what in ("profile", "leaderboard", "home"))
