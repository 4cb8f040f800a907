"""``tichu admin``: the same answers from a server that runs and from a store that nobody has."""

import asyncio
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from tests.server.serving import Place, served
from tests.server.test_accounts import made
from tests.server.test_rated_rows import keep, rating, season, settled
from tichu.cli import main
from tichu.server.store import StoredPlayer, open_store

TOKEN = "the token of the operator"


@contextmanager
def running(path: Path) -> Iterator[str]:
    """A server in a thread, because a command waits for it."""
    ready, ended = threading.Event(), asyncio.Event()
    places: list[tuple[Place, asyncio.AbstractEventLoop]] = []

    async def serve() -> None:
        async with served(database=str(path), operator_token=TOKEN) as place:
            places.append((place, asyncio.get_running_loop()))
            ready.set()
            await ended.wait()

    thread = threading.Thread(target=asyncio.run, args=(serve(),))
    thread.start()
    assert ready.wait(20)
    try:
        yield places[0][0].url
    finally:
        places[0][1].call_soon_threadsafe(ended.set)
        thread.join(20)


async def fill(path: Path) -> dict[str, Any]:
    async with served(database=str(path)) as place:
        ada = await made(place, "Ada")
        await place.player("Ada the guest")
        await place.player("Twin")
        await place.player("Twin")
    return ada


async def fill_ratings(path: Path) -> tuple[str, str]:
    store = await open_store(str(path))
    try:
        rows = season(20)
        async with rating(store) as ratings:
            await keep(store, rows)
            await settled(ratings, rows)
            return rows[2].match, ratings.digest()
    finally:
        await store.close()


def run(*words: str, **options: Any) -> Result:
    return CliRunner().invoke(main, ["admin", *words], prog_name="tichu", **options)


def told(*words: str) -> dict[str, Any]:
    result = run(*words, "--json")
    assert result.exit_code == 0, result.output
    answer: dict[str, Any] = json.loads(result.stdout)
    return answer


@pytest.fixture(params=["store", "server"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[list[str], dict[str, Any]]]:
    """The words that lead to a store with some players, with a server or without, and one of the players."""
    path = tmp_path / "tichu.db"
    ada = asyncio.run(fill(path))
    if request.param == "store":
        yield ["--database", str(path)], ada
        return
    with running(path) as url:
        yield ["--url", url, "--token", TOKEN], ada


def test_everything_that_is_done_to_a_player_is_in_the_log(where: tuple[list[str], dict[str, Any]]) -> None:
    place, ada = where
    assert [one["name"] for one in told(*place, "find", "ada")["players"]] == ["Ada", "Ada the guest"]
    assert "Ada the guest  guest" in run(*place, "find", "ada t").stdout
    assert told(*place, "ban", "ADA", "7d", "--why", "threats")["subject"] == ada["player"]
    assert "banned until" in run(*place, "find", ada["player"]).stdout
    assert told(*place, "unban", "Ada")["until"] is None
    assert told(*place, "mute", ada["player"], "30min")["what"] == "mute"
    assert run(*place, "unmute", "Ada").stdout.startswith(f"unmute {ada['player']}; act ")
    assert told(*place, "rename", "Ada", "Eve", "--why", "asked")["what"] == "rename"
    assert [one["what"] for one in told(*place, "log")["acts"]] == ["rename", "unmute", "mute", "unban", "ban"]
    assert [one["words"] for one in told(*place, "log", "--subject", ada["player"])["acts"]][-1] == "7 d: threats"
    assert run(*place, "log").stdout.splitlines()[0].endswith("Ada - Eve: asked")
    assert run(*place, "reports").stdout == "no report waits\n"
    assert run(*place, "flags").stdout == "no match has flags\n"
    assert run(*place, "odd").stdout == "nothing is odd\n"


def test_who_is_meant_must_be_clear(where: tuple[list[str], dict[str, Any]]) -> None:
    place, _ = where
    for words, said in (
        (["ban", "Twin", "1d"], "2 players are called 'Twin'"),
        (["ban", "Nobody", "1d"], "nobody is called 'Nobody'"),
        (["ban", "Ada t", "1d"], "nobody is called 'Ada t'"),
        (["unrate", "none"], "no match with this id"),
        (["report", "none"], "there is no such report"),
        (["close", "../acts"], "'../acts' cannot be an id"),
        (["rename", "Ada", "x"], "a name has 2 to"),
    ):
        result = run(*place, *words)
        assert result.exit_code == 1, result.output
        assert said in result.stderr
        assert len(result.stderr.splitlines()) == 1
    assert told(*place, "log")["acts"] == []


def test_to_delete_is_asked_first(where: tuple[list[str], dict[str, Any]]) -> None:
    place, ada = where
    assert run(*place, "delete", "Ada", input="n\n").exit_code == 1
    assert told(*place, "find", ada["player"])["players"]
    assert run(*place, "delete", "Ada", input="y\n").exit_code == 0
    assert told(*place, "find", ada["player"])["players"] == []
    assert told(*place, "delete", "Ada the guest", "--yes")["what"] == "delete"


def test_a_match_is_taken_back_without_a_server(tmp_path: Path) -> None:
    path = tmp_path / "tichu.db"
    match, digest = asyncio.run(fill_ratings(path))
    assert told("--database", str(path), "unrate", match)["subject"] == match
    rebuilt = CliRunner().invoke(main, ["ratings", "--database", str(path), "--json"])
    assert json.loads(rebuilt.stdout)["digest"] != digest


def test_a_store_that_a_server_has_is_left_alone(tmp_path: Path) -> None:
    asyncio.run(fill(tmp_path / "tichu.db"))
    with running(tmp_path / "tichu.db") as url:
        result = run("--data", str(tmp_path), "find", "Ada")
        assert result.exit_code == 1
        assert "another server is using" in result.stderr
        assert "--url" in result.stderr
        wrong = run("--url", url, "--token", "wrong", "find", "Ada")
        assert (wrong.exit_code, wrong.stdout) == (1, "")
        assert "does not know this token" in wrong.stderr
        assert TOKEN not in run("--url", url, "--token", TOKEN, "find", "Ada").output


def test_ctrl_c_is_130(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asyncio.run(fill(tmp_path / "tichu.db"))

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    run("--help")
    monkeypatch.setattr("tichu.cli.admin._json_of", interrupt)
    result = run("--data", str(tmp_path), "find", "Ada")
    assert (result.exit_code, result.output) == (130, "")


def test_an_id_may_begin_like_an_option(tmp_path: Path) -> None:
    async def place() -> None:
        store = await open_store(str(tmp_path / "tichu.db"))
        for number, player in enumerate(("-abcdefghijk", "--cdefghijkl", "--why-not-it")):
            await store.keep_player(StoredPlayer(player, f"Guest {number}", f"hash {number}", "person", 0.0))
        await store.close()

    asyncio.run(place())
    where = ["--data", str(tmp_path)]
    for player in ("-abcdefghijk", "--cdefghijkl", "--why-not-it"):
        assert [one["player"] for one in told(*where, "find", player)["players"]] == [player]
        assert told(*where, "ban", player, "1d", "--why", "so it is")["subject"] == player
    assert run(*where, "ban", "-abcdefghijk", "1d", "--jsno").exit_code == 2
