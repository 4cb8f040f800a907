"""What the tables of a database look like, and how those of older formats become like that.

Format 1 (version 0.1) numbered the entries of all tables together.  Format 2 numbers them by table; its log has another
name, so that a server of that time finds none.  Format 3 adds what every player did in a game, and when a player was
last seen.  Nothing is rewritten for that: games of earlier formats have no winner in ``game_players`` until somebody
counts them.  Format 4 adds the reviews of finished games, part by part.  Format 5 adds accounts, and what belongs to
them.  Format 6 adds, in PostgreSQL, what several nodes need to share a database: who owns a table, the nodes
themselves, and the directory of all tables.  Format 7 adds the rows of rated matches.  Format 8 adds what all counted
games add up to, and indexes for everything that is looked for by a person.  Format 9 adds, in PostgreSQL, which build
of the server alone has had a table, and an index for the tables that everybody is offered.  Format 10 adds
who is being replaced by whom, wherever they are named.  Format 11 says of what a player did in a game whether others
may see it, and what they lost where the game was reviewed; what is not known of earlier games only they see.
Format 12 adds codes that were sent by mail.  Format 13 adds, in PostgreSQL, an index for the tables at which a game is
on: it follows what is written about a table, so it holds what nodes of earlier formats write as well.

Nodes of two neighbouring formats run together, so a step only adds.  ``oldest`` of ``format`` is the oldest format
whose nodes can still write what later ones read; a step that does more than add must raise it.
"""

from typing import Final

from tichu.server.log import SeatResult

__all__ = ["APPLICATION", "IN_PLAY", "POSTGRES", "RESULT_COLUMNS", "SQLITE", "VERSION"]

VERSION: Final = 13
#: The oldest format whose nodes may share a database with those of this one.
_OLDEST: Final = 6
#: A public table at which a game is on, by what is written of it in ``directory``; names cannot have these signs, as
#: their quotes are escaped.  An index goes by these very words.
IN_PLAY: Final = """is_open AND position('"stage":"playing"'::bytea IN state) > 0"""
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

_SUMS: Final = ", ".join(f"coalesce(sum({name}), 0)" for name in RESULT_COLUMNS)
#: The same in both databases, as what follows.
_FROM_11: Final = """
    CREATE TABLE mail_codes (
        player text NOT NULL, purpose text NOT NULL, code_hash text NOT NULL, address text NOT NULL,
        password text NOT NULL, expires double precision NOT NULL, tries bigint NOT NULL, PRIMARY KEY (player, purpose)
    );
    CREATE INDEX mail_codes_by_time ON mail_codes (expires);
    CREATE TABLE mail_counts (key text PRIMARY KEY, since double precision NOT NULL, sent bigint NOT NULL);
    CREATE INDEX mail_counts_by_time ON mail_counts (since);
"""
_FROM_10: Final = f"""
    ALTER TABLE game_players ADD COLUMN is_open boolean;
    ALTER TABLE game_players ADD COLUMN sheet text;
    CREATE INDEX open_games ON game_players (player, finished) WHERE is_open;
    CREATE INDEX latest_games ON game_players (finished) WHERE is_open;
    CREATE INDEX sheets ON game_players (player, finished) WHERE sheet IS NOT NULL;
    {_FROM_11}
"""
_FROM_9: Final = f"""
    CREATE TABLE replacements (old text PRIMARY KEY, new text NOT NULL, name text, at double precision NOT NULL);
    CREATE INDEX replacements_by_new ON replacements (new);
    {_FROM_10}
"""
#: Each server adds up what it stores: no two wait for one row.
_FROM_7: Final = f"""
    CREATE TABLE totals (
        server text PRIMARY KEY, games bigint NOT NULL,
        {", ".join(f"{name} bigint NOT NULL" for name in RESULT_COLUMNS)}
    );
    INSERT INTO totals SELECT '', count(won), {_SUMS} FROM game_players;
    CREATE INDEX matches_by_player_0 ON matches (player_0);
    CREATE INDEX matches_by_player_1 ON matches (player_1);
    CREATE INDEX matches_by_player_2 ON matches (player_2);
    CREATE INDEX matches_by_player_3 ON matches (player_3);
    CREATE INDEX reports_by_reporter ON reports (reporter);
    CREATE INDEX reports_by_reported ON reports (reported);
    CREATE INDEX acts_by_subject ON acts (subject);
    CREATE INDEX reports_by_end ON reports (closed);
    CREATE INDEX challenges_by_player ON challenges (player);
"""
_MATCHES: Final = """
    CREATE TABLE matches (
        match text PRIMARY KEY, place bigint UNIQUE, at bigint NOT NULL, player_0 text NOT NULL, player_1 text NOT NULL,
        player_2 text NOT NULL, player_3 text NOT NULL, facts text NOT NULL
    );
"""
_FROM_6: Final = _MATCHES + _FROM_7 + _FROM_9
#: Secrets are here as hashes; times are seconds since 1970.
_FROM_4: Final = """
    CREATE TABLE accounts (
        player text PRIMARY KEY, name text NOT NULL, handle text NOT NULL UNIQUE, password text NOT NULL,
        email text NOT NULL, created double precision NOT NULL
    );
    CREATE TABLE account_names (key text PRIMARY KEY, player text NOT NULL);
    CREATE INDEX account_names_by_player ON account_names (player);
    CREATE TABLE sessions (
        token_hash text PRIMARY KEY, id text NOT NULL UNIQUE, player text NOT NULL, device text NOT NULL,
        created double precision NOT NULL, seen double precision NOT NULL, expires double precision NOT NULL
    );
    CREATE INDEX sessions_by_player ON sessions (player);
    CREATE INDEX sessions_by_time ON sessions (expires);
    CREATE TABLE seat_keys (
        key_hash text PRIMARY KEY, player text NOT NULL, table_id text NOT NULL, created double precision NOT NULL
    );
    CREATE INDEX seat_keys_by_table ON seat_keys (table_id);
    CREATE INDEX seat_keys_by_player ON seat_keys (player);
    CREATE TABLE recovery_codes (code_hash text PRIMARY KEY, player text NOT NULL);
    CREATE INDEX recovery_codes_by_player ON recovery_codes (player);
    CREATE TABLE passkeys (
        id text PRIMARY KEY, player text NOT NULL, name text NOT NULL, public_key text NOT NULL,
        uses bigint NOT NULL, created double precision NOT NULL, used double precision NOT NULL
    );
    CREATE INDEX passkeys_by_player ON passkeys (player);
    CREATE TABLE challenges (
        id text PRIMARY KEY, purpose text NOT NULL, player text NOT NULL, challenge text NOT NULL,
        expires double precision NOT NULL
    );
    CREATE INDEX challenges_by_time ON challenges (expires);
    CREATE TABLE restrictions (
        player text PRIMARY KEY, muted double precision NOT NULL, banned double precision NOT NULL
    );
    CREATE TABLE acts (
        id text PRIMARY KEY, at double precision NOT NULL, what text NOT NULL, subject text NOT NULL,
        words text NOT NULL
    );
    CREATE INDEX acts_by_time ON acts (at);
    CREATE TABLE reports (
        id text PRIMARY KEY, at double precision NOT NULL, reporter text NOT NULL, reported text NOT NULL,
        table_id text NOT NULL, game text NOT NULL, reason text NOT NULL, words text NOT NULL, chat text NOT NULL,
        record text NOT NULL, closed double precision NOT NULL
    );
    CREATE INDEX reports_by_time ON reports (at);
    CREATE TABLE follows (player text, other text, at double precision NOT NULL, PRIMARY KEY (player, other));
    CREATE INDEX follows_by_other ON follows (other);
    CREATE TABLE blocks (player text, other text, at double precision NOT NULL, PRIMARY KEY (player, other));
    CREATE INDEX blocks_by_other ON blocks (other);
"""

_SQLITE_LOG: Final = """
    CREATE TABLE server (epoch INTEGER NOT NULL);
    INSERT INTO server VALUES (0);
    CREATE TABLE log (table_id TEXT, n INTEGER, entry BLOB NOT NULL, PRIMARY KEY (table_id, n)) WITHOUT ROWID;
"""
_SQLITE_FROM_1: Final = f"{_SQLITE_LOG} INSERT INTO log {_NUMBERED}; DROP TABLE entries;"
_SQLITE_FROM_4: Final = _FROM_4 + _FROM_6
_SQLITE_FROM_3: Final = f"""
    CREATE TABLE reviews (
        game TEXT, round INTEGER, part INTEGER, data BLOB NOT NULL, PRIMARY KEY (game, round, part)
    ) WITHOUT ROWID;
    {_SQLITE_FROM_4}
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
    4: _SQLITE_FROM_4,
    5: _FROM_6,
    6: _FROM_6,
    7: _FROM_7 + _FROM_9,
    8: _FROM_9,
    9: _FROM_9,
    10: _FROM_10,
    11: _FROM_11,
    12: "",
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
# An owner changes seldom, so an index over it leaves the updates of an append as cheap as they were.
_POSTGRES_TO_LAST: Final = f"UPDATE format SET version = {VERSION};"
_POSTGRES_FROM_12: Final = f"""
    CREATE INDEX directory_in_play ON directory (visited) WHERE {IN_PLAY};
    {_POSTGRES_TO_LAST}
"""
_POSTGRES_FROM_11: Final = f"{_FROM_11} {_POSTGRES_FROM_12}"
_POSTGRES_FROM_10: Final = f"{_FROM_10} {_POSTGRES_FROM_12}"
_POSTGRES_FROM_9: Final = f"{_FROM_9} {_POSTGRES_FROM_12}"
_POSTGRES_FROM_8: Final = f"""
    ALTER TABLE tables ADD COLUMN build text;
    CREATE INDEX directory_offers ON directory (has_free_seat DESC, visited DESC) WHERE is_open AND state IS NOT NULL;
    {_POSTGRES_FROM_9}
"""
_POSTGRES_FROM_7: Final = f"""
    {_FROM_7}
    CREATE INDEX directory_by_address ON directory (address);
    {_POSTGRES_FROM_8}
"""
_POSTGRES_FROM_6: Final = f"{_MATCHES} {_POSTGRES_FROM_7}"
_POSTGRES_FROM_5: Final = f"""
    ALTER TABLE format ADD COLUMN oldest integer NOT NULL DEFAULT {_OLDEST};
    ALTER TABLE tables ADD COLUMN owner text, ADD COLUMN epoch bigint NOT NULL DEFAULT 0;
    CREATE INDEX tables_by_owner ON tables (owner) WHERE owner IS NOT NULL;
    CREATE TABLE nodes (
        id text PRIMARY KEY, name text NOT NULL, url text NOT NULL, version text NOT NULL, log_format integer NOT NULL,
        started timestamptz NOT NULL, renewed timestamptz NOT NULL, ended timestamptz,
        draining boolean NOT NULL DEFAULT false, tables integer NOT NULL DEFAULT 0, sockets integer NOT NULL DEFAULT 0
    );
    CREATE TABLE node_writes (node text PRIMARY KEY, writes bigint NOT NULL);
    CREATE TABLE handovers (
        table_id text PRIMARY KEY, epoch bigint NOT NULL, next bigint NOT NULL, target text, live bytea NOT NULL,
        since timestamptz NOT NULL
    );
    CREATE TABLE directory (
        id text PRIMARY KEY, code text NOT NULL UNIQUE, epoch bigint NOT NULL, address text NOT NULL,
        visited float8 NOT NULL, is_open boolean NOT NULL, has_free_seat boolean NOT NULL, persons text[] NOT NULL,
        state bytea
    );
    CREATE INDEX directory_by_person ON directory USING gin (persons);
    CREATE INDEX directory_open ON directory (visited) WHERE is_open;
    CREATE TABLE page_files (path text PRIMARY KEY, data bytea NOT NULL, kept timestamptz NOT NULL);
    {_POSTGRES_FROM_6}
"""
_POSTGRES_FROM_4: Final = f"{_FROM_4} {_POSTGRES_FROM_5}"
_POSTGRES_FROM_3: Final = f"""
    CREATE TABLE reviews (
        game text, round integer, part integer, data bytea NOT NULL, PRIMARY KEY (game, round, part)
    );
    {_POSTGRES_FROM_4}
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
    4: _POSTGRES_FROM_4,
    5: _POSTGRES_FROM_5,
    6: _POSTGRES_FROM_6,
    7: _POSTGRES_FROM_7,
    8: _POSTGRES_FROM_8,
    9: _POSTGRES_FROM_9,
    10: _POSTGRES_FROM_10,
    11: _POSTGRES_FROM_11,
    12: _POSTGRES_FROM_12,
    VERSION: "",
}
