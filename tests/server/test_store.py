"""What every store promises, tested on each of them."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from tichu.server.log import FinishedGame, GameSummary
from tichu.server.store import Store, StoredPart, StoredPlayer, StoreError, open_store

pytestmark = pytest.mark.anyio

SUMMARY = GameSummary(
    id="game-1",
    table="table-1",
    finished=1000.5,
    rules="standard goal=target:500",
    seats=("Ann", "Bob", 'Ça "va"\n', "greedy"),
    players=("ann", "bob", "cat", ""),
    score=(1005, -120),
    casual=False,
)
GAME = FinishedGame(SUMMARY, '{"ttn":1}\n{"round":1}\n')
ANN = StoredPlayer("ann", "Ann", "hash-a", "person", 12.25)


def changed(**fields: Any) -> FinishedGame:
    return GAME._replace(summary=SUMMARY._replace(**fields))


@asynccontextmanager
async def opened(url: str) -> AsyncIterator[Store]:
    store = await open_store(url)
    try:
        yield store
    finally:
        await store.close()


async def logs(store: Store) -> dict[str, tuple[bytes, ...]]:
    return {stored.id: stored.entries async for stored in store.tables()}


async def test_a_new_store_is_empty(store: Store) -> None:
    assert await logs(store) == {}
    assert await store.parked() == []
    assert await store.games() == []
    assert await store.game("game-1") is None
    assert await store.player("hash-a") is None


async def test_a_log_keeps_its_order_and_its_bytes(url: str) -> None:
    async with opened(url) as store:
        await store.append("b", 1, [b"1", b"2"])
        await store.append("a", 1, [b"\x00\xff any bytes", b""])
        await store.append("b", 3, [b"10"])
        await store.append("b", 4, [b"9"])
    async with opened(url) as store:
        assert await logs(store) == {"a": (b"\x00\xff any bytes", b""), "b": (b"1", b"2", b"10", b"9")}
        await store.append("b", 5, [b"after the restart"])
        assert (await logs(store))["b"] == (b"1", b"2", b"10", b"9", b"after the restart")


async def test_a_checkpoint_is_the_new_start_of_its_own_log_only(store: Store) -> None:
    await store.append("a", 1, [b"1", b"2"])
    await store.append("b", 1, [b"1", b"2"])
    await store.append("a", 3, [b"checkpoint", b"3"], checkpoint=True)
    await store.append("a", 5, [b"4"])
    assert await logs(store) == {"a": (b"checkpoint", b"3", b"4"), "b": (b"1", b"2")}


async def test_a_checkpoint_needs_an_entry(store: Store) -> None:
    await store.append("a", 1, [b"1"])
    with pytest.raises(ValueError, match="without an entry"):
        await store.append("a", 2, [], checkpoint=True)
    assert await logs(store) == {"a": (b"1",)}


async def test_many_at_once_are_all_there_and_each_log_is_in_order(store: Store) -> None:
    tables = [f"table-{number:03}" for number in range(300)]
    await asyncio.gather(*(store.append(table, n + 1, [b"%d" % n]) for n in range(4) for table in tables))
    assert await logs(store) == dict.fromkeys(tables, (b"0", b"1", b"2", b"3"))


async def test_more_tables_than_one_batch_are_loaded_whole(store: Store) -> None:
    expected = {f"t{number}": tuple(b"%d" % n for n in range(number % 5 + 1)) for number in range(450)}
    await asyncio.gather(*(store.append(table, 1, entries) for table, entries in expected.items()))
    assert await logs(store) == expected


async def test_a_closed_table_is_forgotten(store: Store) -> None:
    await store.append("a", 1, [b"1"])
    await store.append("b", 1, [b"1"])
    await store.close_table("a")
    assert await logs(store) == {"b": (b"1",)}


async def test_closing_comes_after_what_was_appended_before(store: Store) -> None:
    await asyncio.gather(store.append("a", 1, [b"1"]), store.close_table("a"), store.append("b", 1, [b"1"]))
    assert await logs(store) == {"b": (b"1",)}


async def test_a_parked_table_is_kept_but_not_loaded(url: str) -> None:
    async with opened(url) as store:
        await store.append("a", 1, [b"1"])
        await store.append("b", 1, [b"from the future"])
        await store.park("b", "unknown entry")
        await store.park("b", "unknown entry, still")
    async with opened(url) as store:
        assert await logs(store) == {"a": (b"1",)}
        assert await store.parked() == [("b", "unknown entry, still")]
        await store.close_table("b")
        assert await store.parked() == []


async def test_a_game_is_kept_with_the_entries_that_end_it(url: str) -> None:
    async with opened(url) as store:
        await store.append("table-1", 1, [b"1"])
        await store.append("table-1", 2, [b"over"], checkpoint=True, game=GAME)
    async with opened(url) as store:
        assert await store.game("game-1") == GAME
        assert await store.games() == [SUMMARY]
        assert await logs(store) == {"table-1": (b"over",)}


async def test_games_are_listed_latest_first_and_page_by_page(store: Store) -> None:
    games = [changed(id=f"g{n}", finished=float(n), players=("ann", "bob" if n % 2 else "", "", "")) for n in range(6)]
    for game in games:
        await store.append("t", 1, [], game=game)
    latest_first = [one.summary for one in reversed(games)]
    assert await store.games() == latest_first
    assert await store.games(limit=2) == latest_first[:2]
    assert await store.games(limit=2, before=latest_first[1].finished) == latest_first[2:4]
    assert await store.games("ann", before=3.0) == latest_first[3:]
    assert [game.id for game in await store.games("bob")] == ["g5", "g3", "g1"]
    assert await store.games("bob", limit=1, before=5.0) == [games[3].summary]
    assert await store.games("") == []
    assert await store.games("nobody") == []


async def test_a_player_in_two_seats_has_one_game(store: Store) -> None:
    await store.append("t", 1, [], game=changed(players=("ann", "", "ann", "")))
    assert len(await store.games("ann")) == 1


async def test_old_games_are_forgotten(store: Store) -> None:
    for n in range(5):
        await store.append("t", n + 1, [b"%d" % n], game=changed(id=f"g{n}", finished=float(n)))
    assert await store.forget_games(3.0) == 3
    assert [game.id for game in await store.games()] == ["g4", "g3"]
    assert [game.id for game in await store.games("ann")] == ["g4", "g3"]
    assert await store.game("g2") is None
    assert await store.forget_games(3.0) == 0
    assert len((await logs(store))["t"]) == 5


async def test_a_review_is_kept_part_by_part_and_goes_with_its_game(url: str) -> None:
    parts = [
        StoredPart(0, 0, b"plan"),
        StoredPart(0, 1, b"\x00\xff"),
        StoredPart(1, 0, b""),
        StoredPart(10, 0, b"last"),
    ]
    async with opened(url) as store:
        for n in range(2):
            await store.append("t", 1, [], game=changed(id=f"g{n}", finished=float(n)))
        for part in reversed(parts):
            assert await store.keep_review("g0", part)
        assert await store.keep_review("g1", parts[0])
        assert await store.keep_review("g1", parts[0]._replace(data=b"again"))
        assert not await store.keep_review("none", parts[0])
    async with opened(url) as store:
        assert await store.review("g0") == parts
        assert await store.review("g1") == [StoredPart(0, 0, b"again")]
        assert await store.review("none") == []
        assert await store.forget_games(1.0) == 1
        assert await store.review("g0") == []
        assert not await store.keep_review("g0", parts[0])
        assert len(await store.review("g1")) == 1


async def test_a_player_is_known_by_the_token(url: str) -> None:
    async with opened(url) as store:
        await store.keep_player(ANN)
        await store.keep_player(StoredPlayer("bot", "Bot", "hash-b", "bot", 13.0))
    async with opened(url) as store:
        assert await store.player("hash-a") == ANN
        assert await store.player("hash-b") == StoredPlayer("bot", "Bot", "hash-b", "bot", 13.0)
        assert await store.player("ann") is None


async def test_a_player_may_change_name_and_token(store: Store) -> None:
    await store.keep_player(ANN)
    await store.rename("ann", "Änne")
    assert await store.player("hash-a") == ANN._replace(name="Änne")
    await store.keep_player(ANN._replace(token_hash="hash-c"))
    assert await store.player("hash-a") is None
    assert await store.player("hash-c") == ANN._replace(token_hash="hash-c")


async def test_a_token_has_one_player(store: Store) -> None:
    await store.keep_player(ANN)
    with pytest.raises(StoreError, match="token_hash"):
        await store.keep_player(ANN._replace(id="other"))
    assert await store.player("hash-a") == ANN


async def test_nobody_is_renamed_by_mistake(store: Store) -> None:
    with pytest.raises(StoreError, match="no player ann"):
        await store.rename("ann", "Ann")


async def test_a_failing_append_leaves_nothing_and_harms_no_neighbour(store: Store) -> None:
    await store.append("t", 1, [b"1"], game=GAME)
    outcomes = await asyncio.gather(
        *(store.append(f"a{n}", 1, [b"1"]) for n in range(20)),
        store.append("t", 2, [b"2", b"3"], checkpoint=True, game=changed(score=(0, 0))),  # The id is taken.
        *(store.append(f"b{n}", 1, [b"1"]) for n in range(20)),
        return_exceptions=True,
    )
    assert [index for index, outcome in enumerate(outcomes) if outcome is not None] == [20]
    assert isinstance(outcomes[20], StoreError)
    assert await store.game("game-1") == GAME
    stored = await logs(store)
    assert stored.pop("t") == (b"1",)
    assert len(stored) == 40
    await store.append("t", 2, [b"2"])
    assert (await logs(store))["t"] == (b"1", b"2")


async def test_what_no_text_can_hold_fails_for_its_caller_only(store: Store) -> None:
    first, wrong, last = await asyncio.gather(
        store.append("a", 1, [b"1"]),
        store.keep_player(ANN._replace(name="\ud800")),
        store.append("b", 1, [b"1"]),
        return_exceptions=True,
    )
    assert first is last is None
    assert isinstance(wrong, StoreError)
    assert await logs(store) == {"a": (b"1",), "b": (b"1",)}


async def test_a_caller_that_has_gone_is_not_missed(store: Store) -> None:
    gone = asyncio.create_task(store.append("a", 1, [b"1"]))
    await asyncio.sleep(0)
    gone.cancel()
    await store.append("b", 1, [b"1"])
    with pytest.raises(asyncio.CancelledError):
        await gone
    assert (await logs(store))["b"] == (b"1",)


async def test_closing_writes_what_waits(url: str) -> None:
    store = await open_store(url)
    waiting = [asyncio.create_task(store.append(f"t{n}", 1, [b"1"])) for n in range(50)]
    await asyncio.sleep(0)
    await store.close()
    await asyncio.gather(*waiting)
    async with opened(url) as store:
        assert len(await logs(store)) == 50


async def test_a_closed_store_says_so(url: str) -> None:
    store = await open_store(url)
    await store.close()
    await store.close()
    with pytest.raises(StoreError, match="not open"):
        await store.append("a", 1, [b"1"])
    with pytest.raises(StoreError, match="not open"):
        await store.games()


async def test_a_store_has_one_server(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with opened(url) as store:
        if url.startswith("postgresql:"):
            monkeypatch.setattr("tichu.server.store.postgres_owner._LOCK_WAIT_S", 0.01)
        with pytest.raises(StoreError, match="another server is using"):
            await open_store(url)
        await store.append("a", 1, [b"1"])
    async with opened(url) as store:
        assert await logs(store) == {"a": (b"1",)}


@pytest.mark.parametrize("wrong", ["", "sqlite:", "mysql://ann:secret@host/db", "sqlite:http://ann:secret@host"])
async def test_a_wrong_url_is_refused_without_its_password(wrong: str, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"sqlite:PATH, a path, :memory: or postgresql://") as refused:
        await open_store(wrong)
    assert "secret" not in str(refused.value)
