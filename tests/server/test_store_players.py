"""What every store keeps about players: results of their games, tokens that end, and who was here when."""

import pytest

from tests.server.test_store import ANN, changed, opened
from tichu.server.log import FinishedGame, SeatResult
from tichu.server.store import Store

pytestmark = pytest.mark.anyio

WON = SeatResult(1, 3, 300, 100, 2, 1, 1, 1, 0, 0)
LOST = SeatResult(0, 3, 100, 300, 1, 0, 1, 0, 1, 0)


def counted(**fields: object) -> FinishedGame:
    game = changed(**{"winner": 0, **fields})
    return game._replace(results=(WON, LOST, WON, LOST))


async def test_results_are_added_up_by_player(url: str) -> None:
    async with opened(url) as store:
        for n in range(3):
            players = ("ann", "bob", "", "") if n else ("bob", "ann", "", "")
            await store.append("t", 1, [], game=counted(id=f"g{n}", finished=float(n), players=players))
    async with opened(url) as store:
        assert await store.results("ann") == (3, SeatResult(*(2 * a + b for a, b in zip(WON, LOST, strict=True))))
        assert await store.results("bob") == (3, SeatResult(*(a + 2 * b for a, b in zip(WON, LOST, strict=True))))
        assert await store.results("cat") == (0, SeatResult(*[0] * len(WON)))
        assert [game.winner for game in await store.games("ann")] == [0, 0, 0]
        assert await store.uncounted_games(10) == []


async def test_casual_games_have_a_winner_and_count_for_nobody(store: Store) -> None:
    await store.append("t", 1, [], game=counted(casual=True, winner=1))
    assert (await store.results("ann"))[0] == 0
    assert [game.winner for game in await store.games("ann")] == [1]
    assert await store.uncounted_games(10) == []


async def test_games_that_were_stored_without_results_can_be_counted_later(url: str) -> None:
    games = [changed(id=f"g{n}", finished=float(n)) for n in range(3)]
    async with opened(url) as store:
        for game in games:
            await store.append("t", 1, [], game=game)
        assert (await store.results("ann"))[0] == 0
        assert sorted(await store.uncounted_games(10)) == ["g0", "g1", "g2"]
        assert len(await store.uncounted_games(2)) == 2
        await store.count_game(counted(id="g1", finished=1.0))
    async with opened(url) as store:
        assert sorted(await store.uncounted_games(10)) == ["g0", "g2"]
        assert await store.results("bob") == (1, LOST)
        assert [game.winner for game in await store.games("ann")] == [None, 0, None]
        await store.forget_games(10.0)
        assert await store.uncounted_games(10) == []
        assert (await store.results("bob"))[0] == 0


async def test_a_game_that_was_forgotten_is_not_counted(store: Store) -> None:
    await store.count_game(counted())
    assert (await store.results("ann"))[0] == 0


async def test_one_table_can_be_read(store: Store) -> None:
    await store.append("a", 1, [b"1", b"2"])
    await store.append("b", 1, [b"1"])
    await store.append("a", 3, [b"3"], checkpoint=True)
    found = await store.table("a")
    assert found is not None
    assert (found.id, found.entries, found.next) == ("a", (b"3",), 4)
    await store.park("b", "broken")
    assert await store.table("b") is None
    assert await store.table("c") is None


async def test_a_token_can_be_changed(store: Store) -> None:
    await store.keep_player(ANN)
    assert await store.change_token("ann", "hash-new") == "hash-a"
    assert await store.player("hash-a") is None
    assert await store.player("hash-new") == ANN._replace(token_hash="hash-new")
    assert await store.change_token("nobody", "hash-b") is None
    assert await store.player("hash-b") is None


async def test_players_are_forgotten_who_are_in_no_game_and_were_not_seen(store: Store) -> None:
    for number, name in enumerate(("ann", "eve", "fay", "gus")):
        await store.keep_player(ANN._replace(id=name, token_hash=name, created=float(number)))
    await store.append("t", 1, [], game=changed(players=("ann", "", "", "")))
    assert await store.old_players(100.0, 10) == ["eve", "fay", "gus"]
    await store.see_players({"fay": 200.0, "gus": 50.0, "nobody": 300.0})
    assert await store.old_players(100.0, 10) == ["eve", "gus"]
    assert await store.old_players(100.0, 1) == ["eve"]
    await store.see_players({"fay": 100.0})  # Told late, and no news.
    assert await store.forget_players(["ann", "eve", "fay", "gus"], 100.0) == 2
    assert [name for name in ("ann", "eve", "fay", "gus") if await store.player(name)] == ["ann", "fay"]
    assert await store.forget_players(["eve"], 100.0) == 0
    assert await store.forget_players([], 100.0) == 0
