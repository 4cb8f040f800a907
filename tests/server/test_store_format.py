"""Stores that version 0.1 wrote: ``data/tichu_0_1.db``, and a dump of the same in PostgreSQL.

Each holds a table whose game is over, one in the middle of its first round, one that is parked, and two players.  The
entries of all tables were numbered together then.
"""

import asyncio
import math
import shutil
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

import pytest

from tests.server.test_restart import no_bot
from tests.server.test_store import GAME, changed, logs, opened
from tichu.server import wire
from tichu.server.config import Config
from tichu.server.lobby import Lobby
from tichu.server.metrics import Metrics
from tichu.server.results import winner_of
from tichu.server.store import StoredPart, StoreError, formats, open_store
from tichu.server.store.mail_codes import SentCode, add_code, count_mail, use_code
from tichu.server.store.showing import shown_games
from tichu.server.table.ports import Player

pytestmark = pytest.mark.anyio

DATA = Path(__file__).with_name("data")

Logs = dict[str, tuple[bytes, ...]]


def by_table(rows: Iterable[tuple[str, bytes]]) -> Logs:
    found: Logs = {}
    for table, entry in rows:
        found[table] = (*found.get(table, ()), entry)
    return found


def old_file(path: Path) -> Logs:
    """Put the old store there; the logs that it holds."""
    shutil.copy(DATA / "tichu_0_1.db", path)
    with closing(sqlite3.connect(path)) as db:
        return by_table(db.execute("SELECT table_id, entry FROM entries ORDER BY n"))


async def old_database(url: str) -> Logs:
    """The same in a database."""
    import asyncpg

    db = await asyncpg.connect(url)
    try:
        await db.execute((DATA / "tichu_0_1.postgres.sql").read_text())
        return by_table([tuple(row) for row in await db.fetch("SELECT table_id, entry FROM tichu.entries ORDER BY n")])
    finally:
        await db.close()


@pytest.fixture
async def old(url: str) -> Logs:
    """The logs of an old store that lies at the address."""
    if url.startswith("postgresql:"):
        return await old_database(url)
    return old_file(Path(url.removeprefix("sqlite:")))


#: Somebody had a seat in the game after all.
_WITH_ANN = """
    UPDATE games SET players = '["ann","","",""]', casual = {false};
    INSERT INTO game_players SELECT 'ann', finished, id FROM games;
"""


async def make_format_2(url: str) -> None:
    """Make the old store one of the format between, with a game that counts."""
    if url.startswith("postgresql:"):
        import asyncpg

        with_ann = _WITH_ANN.format(false="false")
        db = await asyncpg.connect(url, server_settings={"search_path": "tichu"})
        await db.execute(f"BEGIN; {formats._POSTGRES_FROM_1} {with_ann} UPDATE format SET version = 2; COMMIT")
        await db.close()
    else:
        with_ann = _WITH_ANN.format(false="0")
        with closing(sqlite3.connect(url.removeprefix("sqlite:"))) as file:
            file.executescript(f"BEGIN; {formats._SQLITE_FROM_1} {with_ann} PRAGMA user_version = 2; COMMIT")


async def test_a_store_of_format_2_is_opened_and_its_games_are_counted(url: str, old: Logs) -> None:
    await make_format_2(url)
    store = await open_store(url)
    assert await logs(store) == {table: log for table, log in old.items() if table != "future"}
    (game,) = await store.games()
    assert await store.uncounted_games(10) == [game.id]
    lobby = Lobby(Config(), store, no_bot, Metrics())
    await lobby.start()
    async with asyncio.timeout(60):
        while await store.uncounted_games(10):
            await asyncio.sleep(0.02)
    (counted,) = await store.games("ann")
    kept = await store.game(game.id)
    assert kept is not None
    assert counted.winner == winner_of(kept)
    games, results = await store.results("ann")
    assert (games, results.rounds) == (1, len(kept.record.splitlines()) - 1)
    await lobby.close()
    await store.close()


#: By format: what it has added.
_ADDED = {
    4: ("reviews",),
    5: (
        *("accounts", "account_names", "sessions", "seat_keys", "recovery_codes", "passkeys", "challenges"),
        *("restrictions", "acts", "reports", "follows", "blocks"),
    ),
    7: ("matches",),
    8: ("totals",),
    10: ("replacements",),
    12: ("mail_codes", "mail_counts"),
}


#: What format 11 has added.
_DROP_11 = """
    DROP INDEX open_games; DROP INDEX latest_games; DROP INDEX sheets;
    ALTER TABLE game_players DROP COLUMN is_open; ALTER TABLE game_players DROP COLUMN sheet;
"""


def _drop(first: int) -> str:
    """Take away what this format and later ones have added."""
    tables = "".join(f"DROP TABLE {table};" for number, new in _ADDED.items() if number >= first for table in new)
    return tables + (_DROP_11 if first <= 11 else "") + "DROP INDEX IF EXISTS directory_in_play;"


async def make_format(number: int, url: str) -> None:
    """Take away what later formats than this have added; not more than games that are shown, and mail."""
    drop = _drop(number + 1)
    if url.startswith("postgresql:"):
        import asyncpg

        db = await asyncpg.connect(url, server_settings={"search_path": "tichu"})
        await db.execute(f"BEGIN; {drop} UPDATE format SET version = {number}; COMMIT")
        await db.close()
    else:
        with closing(sqlite3.connect(url.removeprefix("sqlite:"))) as file:
            file.executescript(f"BEGIN; {drop} PRAGMA user_version = {number}; COMMIT")


async def test_a_store_of_format_10_is_opened_and_its_games_are_for_those_who_sat_there(url: str) -> None:
    async with opened(url) as store:
        await store.append("t", 1, [b"{}"], game=GAME._replace(is_open=True))
        before = await store.games("ann")
    await make_format(10, url)
    async with opened(url) as store:
        assert await store.games("ann") == before
        for is_own, games in ((True, [GAME.summary.id]), (False, [])):
            shown, _ = await store.read(shown_games, "ann", math.inf, 9, is_own=is_own, unwanted=())
            assert [one.summary.id for one in shown] == games
        await store.append("t", 2, [b"{}"], game=changed(id="later", finished=2000.0)._replace(is_open=True))
        shown, _ = await store.read(shown_games, "ann", math.inf, 9, is_own=False, unwanted=())
        assert [one.summary.id for one in shown] == ["later"]


async def test_a_store_of_format_11_is_opened_and_mail_can_be_sent(url: str) -> None:
    async with opened(url):
        pass
    await make_format(11, url)
    code = SentCode("ann", "recover", "code", "ann@example.org", "secret", 2.0)
    async with opened(url) as store:
        assert await store.write(count_mail, "ann", 0.0, 1)
        await store.write(add_code, code)
    async with opened(url) as store:
        assert not await store.write(count_mail, "ann", 1.0, 1)
        assert await store.write(use_code, "ann", "recover", "code", "secret", 1.0) == "ann@example.org"


async def make_format_3(url: str) -> None:
    """Open the old store, and take away what format 4 has added."""
    async with opened(url):
        pass
    if url.startswith("postgresql:"):
        import asyncpg

        db = await asyncpg.connect(url, server_settings={"search_path": "tichu"})
        nodes = "DROP TABLE nodes, node_writes, handovers, directory, page_files;"
        nodes += "ALTER TABLE format DROP oldest; ALTER TABLE tables DROP owner, DROP epoch, DROP build;"
        await db.execute(f"BEGIN; {_drop(4)} {nodes} UPDATE format SET version = 3; COMMIT")
        await db.close()
    else:
        with closing(sqlite3.connect(url.removeprefix("sqlite:"))) as file:
            file.executescript(f"BEGIN; {_drop(4)} PRAGMA user_version = 3; COMMIT")


async def test_a_store_of_format_3_is_opened_and_its_games_can_be_reviewed(url: str, old: Logs) -> None:
    await make_format_3(url)
    for parts in ([], [StoredPart(0, 0, b"plan")]):
        async with opened(url) as store:
            assert await logs(store) == {table: log for table, log in old.items() if table != "future"}
            (game,) = await store.games()
            assert await store.review(game.id) == parts
            assert await store.keep_review(game.id, StoredPart(0, 0, b"plan"))


async def test_everything_in_an_old_store_is_there(url: str, old: Logs) -> None:
    parked = old.pop("future")
    assert len(old) == 2
    for _ in range(2):
        async with opened(url) as store:
            assert await logs(store) == old
            assert {stored.id: stored.next async for stored in store.tables()} == {
                table: len(log) + 1 for table, log in old.items()
            }
            assert [table for table, _ in await store.parked()] == ["future"]
            (game,) = await store.games()
            kept = await store.game(game.id)
            assert kept is not None
            assert kept.summary == game
    async with opened(url) as store:
        await store.append("future", len(parked) + 1, [b"and on"])
        for table, log in old.items():
            await store.append(table, len(log) + 1, [b"and on"])
        assert await logs(store) == {table: (*log, b"and on") for table, log in old.items()}


async def test_the_tables_of_an_old_store_are_played_on(url: str, old: Logs) -> None:
    store = await open_store(url)
    lobby = Lobby(Config(), store, no_bot, Metrics())
    await lobby.start()
    assert lobby.rooms.keys() == old.keys() - {"future"}
    for room in lobby.rooms.values():
        host = room.table.logged.opened.host
        answer = await room.answer(Player(host, "Ann"), wire.Say(id="new", text="still here"), 10)
        assert isinstance(answer, wire.Ack)
    await lobby.close()
    await store.close()
    async with opened(url) as store:
        for table, log in (await logs(store)).items():
            assert log[: len(old[table])] == old[table]
            assert b"still here" in b"".join(log[len(old[table]) :])


async def test_an_old_file_stays_as_it_is_if_it_cannot_be_changed_as_a_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "tichu.db"
    before = old_file(path)
    monkeypatch.setitem(formats.SQLITE, 1, formats.SQLITE[1] + "INSERT INTO nowhere VALUES (1);")
    with pytest.raises(StoreError, match="no such table: nowhere"):
        await open_store(str(path))
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (1,)
        assert by_table(db.execute("SELECT table_id, entry FROM entries ORDER BY n")) == before
    monkeypatch.undo()
    async with opened(str(path)) as store:
        assert len(await logs(store)) == 2


@pytest.mark.parametrize("url", ["postgres"], indirect=True)
async def test_an_old_database_stays_as_it_is_if_it_cannot_be_changed_as_a_whole(
    url: str, old: Logs, monkeypatch: pytest.MonkeyPatch
) -> None:
    import asyncpg

    monkeypatch.setitem(formats.POSTGRES, 1, formats.POSTGRES[1] + "INSERT INTO nowhere VALUES (1);")
    with pytest.raises(StoreError, match='"nowhere" does not exist'):
        await open_store(url)
    db = await asyncpg.connect(url)
    assert await db.fetchval("SELECT version FROM tichu.format") == 1
    assert await db.fetchval("SELECT count(*) FROM tichu.entries") == sum(map(len, old.values()))
    await db.close()
    monkeypatch.undo()
    async with opened(url) as store:
        assert len(await logs(store)) == 2


async def test_a_server_of_version_0_1_finds_nothing_to_write_to(url: str, old: Logs) -> None:
    """It looks at the number of the format when it connects, and has no other table for entries."""
    async with opened(url):
        pass
    if url.startswith("postgresql:"):
        import asyncpg

        db = await asyncpg.connect(url)
        assert await db.fetchval("SELECT version FROM tichu.format") == formats.VERSION
        assert await db.fetchval("SELECT to_regclass('tichu.entries')") is None
        await db.close()
    else:
        with closing(sqlite3.connect(url.removeprefix("sqlite:"))) as file:
            assert file.execute("PRAGMA user_version").fetchone() == (formats.VERSION,)
            with pytest.raises(sqlite3.OperationalError, match="no such table"):
                file.execute("INSERT INTO entries VALUES ('a', 1, 'x')")
