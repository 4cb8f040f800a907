"""What the tables of a database look like, and how those of older formats become like that.

Format 1 (version 0.1) numbered the entries of all tables together.  Format 2 numbers them by table; its log has another
name, so that a server of that time finds none.  Format 3 adds what every player did in a game, and when a player was
last seen.  Nothing is rewritten for that: games of earlier formats have no winner in ``game_players`` until somebody
counts them.  Format 4 adds the reviews of finished games, part by part.
"""

from typing import Final

from tichu.server.log import SeatResult

__all__ = ["APPLICATION", "POSTGRES", "RESULT_COLUMNS", "SQLITE", "VERSION"]

VERSION: Final = 4
#: "Tich", so that a file is known for ours.
APPLICATION: Final = 0x54696368

#: What is added up for a player.
RESULT_COLUMNS: Final = SeatResult._fields

_NEW_COLUMNS: Final = ("winner", *RESULT_COLUMNS)
_UNCOUNTED: Final = "CREATE INDEX uncounted ON game_players (game) WHERE winner IS NULL;"
_ADDED_COLUMNS: Final = "".join(f"ALTER TABLE game_players ADD COLUMN {name} integer;\n" for name in _NEW_COLUMNS)
_NUMBERED: Final = "SELECT table_id, row_number() OVER (PARTITION BY table_id ORDER BY n), entry FROM entries"
#: Of those who came before anybody looked, nothing is known but that they may come again.
_SEEN_NOW: Final = "UPDATE players SET seen = "
_SEEN: Final = "CREATE INDEX players_by_time ON players (seen);"

_SQLITE_LOG: Final = """
    CREATE TABLE server (epoch INTEGER NOT NULL);
    INSERT INTO server VALUES (0);
    CREATE TABLE log (table_id TEXT, n INTEGER, entry BLOB NOT NULL, PRIMARY KEY (table_id, n)) WITHOUT ROWID;
"""
_SQLITE_FROM_1: Final = f"{_SQLITE_LOG} INSERT INTO log {_NUMBERED}; DROP TABLE entries;"
_SQLITE_FROM_3: Final = """
    CREATE TABLE reviews (
        game TEXT, round INTEGER, part INTEGER, data BLOB NOT NULL, PRIMARY KEY (game, round, part)
    ) WITHOUT ROWID;
"""
_SQLITE_FROM_2: Final = f"""
    {_ADDED_COLUMNS} {_UNCOUNTED}
    ALTER TABLE players ADD COLUMN seen REAL;
    {_SEEN_NOW} CAST(strftime('%s', 'now') AS REAL);
    {_SEEN}
    {_SQLITE_FROM_3}
"""
#: By the format of a file: what makes it one of this version; 0 is an empty file.
SQLITE: Final[dict[int, str]] = {
    0: f"""
        {_SQLITE_LOG}
        CREATE TABLE parked (table_id TEXT PRIMARY KEY, reason TEXT NOT NULL);
        CREATE TABLE games (
            id TEXT PRIMARY KEY, table_id TEXT NOT NULL, finished REAL NOT NULL, rules TEXT NOT NULL,
            seats TEXT NOT NULL, players TEXT NOT NULL, score_0 INTEGER NOT NULL, score_1 INTEGER NOT NULL,
            casual INTEGER NOT NULL, record TEXT NOT NULL
        );
        CREATE INDEX games_by_time ON games (finished);
        CREATE TABLE game_players (
            player TEXT, finished REAL, game TEXT, PRIMARY KEY (player, finished, game)
        ) WITHOUT ROWID;
        CREATE TABLE players (
            id TEXT PRIMARY KEY, name TEXT NOT NULL, token_hash TEXT NOT NULL UNIQUE, kind TEXT NOT NULL,
            created REAL NOT NULL
        );
        {_SQLITE_FROM_2}
        PRAGMA application_id = {APPLICATION};
    """,
    1: _SQLITE_FROM_1 + _SQLITE_FROM_2,
    2: _SQLITE_FROM_2,
    3: _SQLITE_FROM_3,
    VERSION: "",
}

# A row of ``tables`` changes with every append; in a page with room for it the index need not change too.
_POSTGRES_LOG: Final = """
    CREATE TABLE server (epoch bigint NOT NULL, writes bigint NOT NULL);
    INSERT INTO server VALUES (0, 0);
    CREATE TABLE tables (id text PRIMARY KEY, next bigint NOT NULL) WITH (fillfactor = 50);
    CREATE TABLE log (table_id text, n bigint, entry bytea NOT NULL, PRIMARY KEY (table_id, n));
"""
_POSTGRES_FROM_1: Final = f"""
    {_POSTGRES_LOG}
    INSERT INTO log {_NUMBERED};
    INSERT INTO tables SELECT table_id, max(n) + 1 FROM log GROUP BY table_id;
    DROP TABLE entries;
"""
_POSTGRES_FROM_3: Final = f"""
    CREATE TABLE reviews (
        game text, round integer, part integer, data bytea NOT NULL, PRIMARY KEY (game, round, part)
    );
    UPDATE format SET version = {VERSION};
"""
_POSTGRES_FROM_2: Final = f"""
    {_ADDED_COLUMNS} {_UNCOUNTED}
    ALTER TABLE players ADD COLUMN seen float8;
    {_SEEN_NOW} extract(epoch FROM now());
    {_SEEN}
    {_POSTGRES_FROM_3}
"""
#: The same for a database.
POSTGRES: Final[dict[int, str]] = {
    0: f"""
        CREATE SCHEMA IF NOT EXISTS tichu;
        {_POSTGRES_LOG}
        CREATE TABLE parked (table_id text PRIMARY KEY, reason text NOT NULL);
        CREATE TABLE games (
            id text PRIMARY KEY, table_id text NOT NULL, finished float8 NOT NULL, rules text NOT NULL,
            seats text NOT NULL, players text NOT NULL, score_0 integer NOT NULL, score_1 integer NOT NULL,
            casual boolean NOT NULL, record text NOT NULL
        );
        CREATE INDEX games_by_time ON games (finished);
        CREATE TABLE game_players (player text, finished float8, game text, PRIMARY KEY (player, finished, game));
        CREATE TABLE players (
            id text PRIMARY KEY, name text NOT NULL, token_hash text NOT NULL UNIQUE, kind text NOT NULL,
            created float8 NOT NULL
        );
        CREATE TABLE format (version integer NOT NULL);
        INSERT INTO format VALUES ({VERSION});
        {_POSTGRES_FROM_2}
    """,
    1: _POSTGRES_FROM_1 + _POSTGRES_FROM_2,
    2: _POSTGRES_FROM_2,
    3: _POSTGRES_FROM_3,
    VERSION: "",
}
