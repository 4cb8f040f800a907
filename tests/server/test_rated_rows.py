"""Rows of matches in both stores, and the ratings that follow from them."""

import asyncio
import random
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import asynccontextmanager
from itertools import pairwise
from typing import Any, NoReturn

import pytest
from msgspec.structs import replace

from tests.ratings.matches import match
from tests.server.rated_club import RATED, RatedClub
from tichu.core.errors import GameError
from tichu.ratings import MatchRow, Pool, rebuild, settle_all, stand_in, unrate
from tichu.server import slices
from tichu.server.log import encode
from tichu.server.rating import service
from tichu.server.rating.service import Ratings, all_rows, close_log
from tichu.server.store import Store, StoreError
from tichu.server.store.matches import change_matches, keep_match, new_matches, place_match, placed_matches
from tichu.server.store.scripts import Script

pytestmark = pytest.mark.anyio


def season(number: int, seed: int = 1) -> list[MatchRow]:
    """Matches of twelve people, some left, some with bots."""
    rng, rows = random.Random(seed), []
    people = [f"p{at}" for at in range(12)]
    for at in range(number):
        a, b, c, d = rng.sample(people, 4)
        row = match(f"m{at}", f"{a} {b} {c} {d}", at=1000 * at, from_pool=True)
        winner = rng.randrange(2)
        row = replace(row, winner=winner, pairs=(rng.random() < 0.2, False))
        if rng.random() < 0.1:
            row = replace(row, ending="left", leaver=1 - winner)
        rows.append(row)
    return rows


@asynccontextmanager
async def rating(store: Store) -> AsyncIterator[Ratings]:
    ratings = Ratings(store)
    ratings.start()
    try:
        yield ratings
    finally:
        await ratings.close()


async def keep(store: Store, rows: list[MatchRow]) -> None:
    for row in rows:
        await store.write(keep_match, row)


async def settled(ratings: Ratings, rows: list[MatchRow]) -> None:
    for row in rows:
        assert await ratings.wait_for(row.match, 20)


async def test_a_row_is_stored_with_the_end_of_its_match(store: Store) -> None:
    club = RatedClub().agree().to_the_end()
    (row,) = club.rows
    await store.append("t", 1, [encode(entry) for entry in club.entries], game=club.games[0], match=row)
    (stored,) = await store.read(new_matches, 10)
    assert stored == (None, row)
    # Whoever did not hear the answer asks again.
    await store.append("t", 1, [encode(entry) for entry in club.entries], game=club.games[0], match=row)
    assert len(await store.read(new_matches, 10)) == 1


async def test_a_row_outlives_its_game(store: Store) -> None:
    club = RatedClub().agree().to_the_end()
    await store.append("t", 1, [encode(club.entries[0])], game=club.games[0], match=club.rows[0])
    assert await store.forget_games(club.now + 1) == 1
    assert [one.row for one in await store.read(new_matches, 10)] == club.rows


async def test_rows_are_applied_in_their_order_and_a_rebuild_is_equal_to_the_last_bit(store: Store) -> None:
    rows = season(60)
    async with rating(store) as ratings:
        for start in range(0, len(rows), 20):
            await keep(store, rows[start : start + 20])
            await settled(ratings, rows[start : start + 20])
        grown = ratings.digest()
        assert ratings.matches == 60
        await ratings.rebuild()
        assert ratings.digest() == grown
    async with rating(store) as other:
        await settled(other, rows)
        assert other.digest() == grown
    stored = [row async for row in all_rows(store)]
    assert [row.match for row in stored] == [row.match for row in rows]
    assert any(row.weight < 1 for row in stored)
    ledger = rebuild(stored)
    async with rating(store) as third:
        await settled(third, rows)
        pool = rows[0].pool
        assert third.leaderboard(pool) == ledger.board(pool).leaderboard()


async def test_two_servers_of_one_store_agree(store: Store) -> None:
    rows = season(40)
    async with rating(store) as one, rating(store) as other:
        await asyncio.gather(keep(store, rows[:20]), keep(store, rows[20:]))
        await settled(one, rows)
        await settled(other, rows)
        assert one.digest() == other.digest() != ""
    places = [stored.place for stored in await store.read(placed_matches, 0, 100)]
    assert places == list(range(1, 41))


async def test_a_place_is_given_once(store: Store) -> None:
    rows = season(2)
    await keep(store, rows)
    assert await store.write(place_match, rows[0], 1)
    assert not await store.write(place_match, rows[1], 1)
    assert not await store.write(place_match, rows[0], 2)
    assert not await store.write(place_match, rows[1], 3)
    assert await store.write(place_match, rows[1], 2)


async def test_a_clock_that_goes_back_disturbs_nobody(store: Store) -> None:
    async with rating(store) as ratings:
        first, second = match("a", at=5000), match("b", at=10)
        await keep(store, [first])
        await settled(ratings, [first])
        await keep(store, [second])
        await settled(ratings, [second])
        assert [row.at async for row in all_rows(store)] == [5000, 5000]


async def test_a_match_that_is_taken_back_counts_no_longer(store: Store) -> None:
    rows = season(30)
    async with rating(store) as ratings:
        await keep(store, rows)
        await settled(ratings, rows)
        before = ratings.digest()
        await ratings.unrate("m3")
        assert ratings.digest() != before
        assert ratings.changes("m3") == [None] * 4
        assert ratings.matches == 30
        with pytest.raises(GameError, match="no match"):
            await ratings.unrate("nothing")


async def test_taking_a_match_back_holds_up_nobody(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = season(150)
    async with rating(store) as ratings:
        await keep(store, rows)
        await settled(ratings, rows)
        monkeypatch.setattr(slices, "_SECONDS", 0.0)
        monkeypatch.setattr(service, "_WRITTEN", 10)
        turns, seen, written = 0, list[int](), list[list[str]]()
        write = store.write

        def noted_rows(rows: Iterable[MatchRow], match: str) -> Iterator[MatchRow]:
            for row in unrate(rows, match):
                seen.append(turns)
                yield row

        async def noted_write(script: Any, /, *args: Any) -> Any:
            if script is change_matches:
                written.append([row.match for row in args[0]])
            return await write(script, *args)

        monkeypatch.setattr(service, "unrate", noted_rows)
        monkeypatch.setattr(store, "write", noted_write)
        asked = asyncio.create_task(ratings.unrate("m3"))
        while not asked.done():
            turns += 1
            await asyncio.sleep(0)
        await asked
        # Others had their turn after each row, and the store was never asked for much at once.
        assert len(set(seen)) == len(rows)
        assert len(written) > 2
        assert max(map(len, written)) <= 10
        assert written[-1] == ["m3"]


async def test_a_match_that_could_not_be_taken_back_whole_is_taken_back_when_asked_again(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = season(150)
    async with rating(store) as ratings:
        await keep(store, rows)
        await settled(ratings, rows)
        write, left = store.write, 1

        async def failing(script: Any, /, *args: Any) -> Any:
            nonlocal left
            if script is change_matches:
                left -= 1
                if left < 0:
                    raise StoreError("full")
            return await write(script, *args)

        with monkeypatch.context() as patch:
            patch.setattr(store, "write", failing)
            with pytest.raises(StoreError):
                await ratings.unrate("m3")
        assert not any([row.unrated async for row in all_rows(store)])
        await ratings.unrate("m3")
        stored = [row async for row in all_rows(store)]
        assert [row.match for row in stored if row.unrated] == ["m3"]
        assert list(settle_all(stored)) == stored


async def test_other_ratings_stay_when_somebody_is_replaced(store: Store) -> None:
    rows = season(40)
    gone = stand_in(bytes(16))

    def rename() -> Script[None]:
        for seat in range(4):
            yield f"UPDATE matches SET player_{seat} = ? WHERE player_{seat} = ?", gone, "p3"

    async with rating(store) as ratings:
        await keep(store, rows)
        await settled(ratings, rows)
        before = {f"p{at}": ratings.places(f"p{at}") for at in range(12)}
        await store.write(rename)
        await ratings.rebuild()
        for player, places in before.items():
            assert ratings.places(player) == ([] if player == "p3" else places)
        assert [one.standing for one in ratings.places(gone)] == [one.standing for one in before["p3"]]


async def test_histories_and_changes_fit_the_ratings(store: Store) -> None:
    rows = season(30)
    async with rating(store) as ratings:
        await keep(store, rows)
        await settled(ratings, rows)
        for at in range(12):
            player = f"p{at}"
            past = ratings.history(player)
            assert all(one.after == other.before for one, other in pairwise(past))
            (place,) = ratings.places(player)
            assert past[-1].after == place.standing.rating.shown
            assert past[0].before == 1500
        changes = ratings.changes("m0")
        assert changes is not None
        assert all(change is not None and change[0] == 1500 for change in changes)


async def test_a_table_that_is_forgotten_leaves_an_aborted_match(store: Store) -> None:
    club = RatedClub().agree().deal()
    await close_log(store, club.table.logged, club.now)
    (stored,) = await store.read(new_matches, 10)
    assert (stored.row.ending, stored.row.winner) == ("aborted", None)
    async with rating(store) as ratings:
        await settled(ratings, [stored.row])
        assert ratings.changes(stored.row.match) == [None] * 4
        assert ratings.pools() == []


async def test_one_that_is_over_does_not(store: Store) -> None:
    club = RatedClub().agree().to_the_end()
    await close_log(store, club.table.logged, club.now)
    assert await store.read(new_matches, 10) == []


def test_pools_are_exactly_as_written() -> None:
    club = RatedClub().agree().to_the_end()
    assert club.rows[0].pool == Pool("people", RATED.rules, "normal", hosted=True)


class Unscannable(dict[Any, Any]):
    """Nobody may look through all of it."""

    def __iter__(self) -> NoReturn:
        raise AssertionError("somebody looks at everybody")

    items = keys = values = __iter__


async def test_to_look_at_ratings_nobody_looks_at_everybody(store: Store) -> None:
    rows = season(60)
    async with rating(store) as ratings:
        await keep(store, rows)
        await settled(ratings, rows)
        before = ratings.leaderboard(rows[0].pool), ratings.places("p1"), ratings.pairs("p1")
        assert ratings._book is not None
        for board in ratings._book.ledger.boards.values():
            board.players, board.pairs = Unscannable(board.players), Unscannable(board.pairs)
        ratings._book.ledger._boards = Unscannable(ratings._book.ledger._boards)
        assert (ratings.leaderboard(rows[0].pool), ratings.places("p1"), ratings.pairs("p1")) == before
        assert ratings.pair_leaderboard(rows[0].pool, 100) is not None
        assert ratings.pools(10) == [rows[0].pool]


async def test_pools_that_nobody_plays_in_take_no_room(store: Store) -> None:
    async with rating(store) as ratings:
        await keep(store, season(8))
        await settled(ratings, season(8))
        known = ratings.pools()
        for points in range(100, 1000, 100):
            assert ratings.leaderboard(Pool("people", f"standard goal=target:{points}", "fast")) == []
        assert ratings.pools() == known
        assert ratings._book is not None
        assert len(ratings._book.ledger.boards) == len(known)
