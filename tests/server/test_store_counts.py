"""What a store adds up, refuses and does together, on each of them."""

import asyncio

import pytest
from msgspec.structs import replace

from tests.ratings.matches import match
from tests.server.test_store import GAME, SUMMARY, changed, logs
from tichu.server.log import SeatResult
from tichu.server.store import Store, StoreRefusal
from tichu.server.store.matches import keep_match, new_matches
from tichu.server.store.relations import everybodys_results
from tichu.server.store.showing import keep_sheets, sheets_of

pytestmark = pytest.mark.anyio


async def test_what_everybody_did_is_added_up_when_a_game_is_stored(store: Store) -> None:
    assert await store.read(everybodys_results) == (0, SeatResult(*(0,) * len(SeatResult._fields)))
    first = SeatResult(*range(1, len(SeatResult._fields) + 1))
    for number, casual in enumerate((False, True, False)):
        game = changed(id=f"g{number}", casual=casual)._replace(results=(first,) * 4)
        await store.append("t", 1 + number, [b"entry"], game=game)
    # Three people, two games that count.
    assert await store.read(everybodys_results) == (6, SeatResult(*(6 * one for one in first)))
    # What was forgotten was played all the same.
    await store.forget_games(SUMMARY.finished + 1)
    assert (await store.read(everybodys_results))[0] == 6


async def test_a_game_that_is_counted_later_is_added_up_once(store: Store) -> None:
    await store.append("t", 1, [b"entry"], game=GAME)
    assert (await store.read(everybodys_results))[0] == 0
    counted = changed(winner=0)._replace(results=(SeatResult(*(1,) * len(SeatResult._fields)),) * 4)
    for _ in range(2):
        await store.count_game(counted)
    assert await store.read(everybodys_results) == (3, SeatResult(*(3,) * len(SeatResult._fields)))


async def test_what_can_never_be_stored_is_told_from_a_store_that_fails(store: Store) -> None:
    await store.append("t", 1, [b"1"], game=GAME)
    with pytest.raises(StoreRefusal):
        await store.append("u", 1, [b"1"], game=GAME)
    await store.append("u", 1, [b"1"])


async def test_a_match_whose_row_is_there_already_can_end_all_the_same(store: Store) -> None:
    await store.append("t", 1, [b"1"])
    row = match("m")
    await store.write(keep_match, replace(row, ending="aborted", winner=None))
    await store.append("t", 2, [b"2"], match=row)
    ((_, kept),) = await store.read(new_matches, 10)
    assert kept.ending == "aborted"


async def test_a_table_is_closed_and_the_row_of_its_match_kept_together(store: Store) -> None:
    await store.append("t", 1, [b"1"])
    await store.close_table("t", match("m"))
    assert await logs(store) == {}
    assert [one.row for one in await store.read(new_matches, 10)] == [match("m")]


async def test_very_long_games_cannot_make_a_profile_dear(store: Store) -> None:
    """Whoever asks for one holds up everybody while it is added up: 200 games of 150 rounds were 15 ms."""
    long = "x" * 15_000
    for number in range(60):
        game = changed(id=f"g{number}", finished=1000.0 + number)
        await store.append("t", 1 + number, [b"entry"], game=game)
        await store.write(keep_sheets, f"g{number}", [f"{number} {long}"] * 4)
    found = await store.read(sheets_of, "ann", is_own=True)
    assert 100_000 < sum(map(len, found)) < 220_000
    assert [int(sheet.split()[0]) for sheet in found] == [*range(59, 59 - len(found), -1)]


async def test_nobody_waits_until_all_old_games_are_forgotten(store: Store) -> None:
    """An operator who begins to forget games has all of them forgotten at once, while people play."""
    for number in range(120):
        await store.append("t", 1 + number, [b"entry"], game=changed(id=f"g{number}", finished=float(number)))
    forgetting = asyncio.create_task(store.forget_games(100.0))
    await asyncio.sleep(0)
    for number in range(3):
        await store.append("other", 1 + number, [b"entry"])
    assert not forgetting.done()
    assert await forgetting == 100
    assert [game.id for game in await store.games("ann")] == [f"g{number}" for number in range(119, 99, -1)]
