"""``tichu ratings``: the same bits as a server has."""

import asyncio
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.server.test_rated_rows import keep, rating, season, settled
from tichu.cli import main
from tichu.server.store import open_store


async def fill(path: Path) -> str:
    store = await open_store(str(path))
    try:
        rows = season(30)
        async with rating(store) as ratings:
            await keep(store, rows)
            await settled(ratings, rows)
            return ratings.digest()
    finally:
        await store.close()


@pytest.mark.parametrize("options", [[], ["--settle"]], ids=["as-stored", "settled-anew"])
def test_a_rebuild_is_what_the_server_had(tmp_path: Path, options: list[str]) -> None:
    digest = asyncio.run(fill(tmp_path / "tichu.db"))
    result = CliRunner().invoke(main, ["ratings", "--database", str(tmp_path / "tichu.db"), *options])
    assert result.exit_code == 0, result.output
    assert f": {digest}" in result.output
    assert "30 matches" in result.output
    assert ("0 matches count for something else" in result.output) == bool(options)


def test_a_rebuild_is_told_as_json(tmp_path: Path) -> None:
    digest = asyncio.run(fill(tmp_path / "tichu.db"))
    result = CliRunner().invoke(main, ["ratings", "--data", str(tmp_path), "--json"])
    told = json.loads(result.output)
    assert (told["matches"], told["changed"], told["digest"]) == (30, 0, digest)
    assert [pool["players"] for pool in told["pools"]] == [12]


def test_a_missing_file_is_one_sentence(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["ratings", "--database", str(tmp_path / "none.db")])
    assert result.exit_code != 0
    assert not (tmp_path / "none.db").exists()
