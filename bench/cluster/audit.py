"""The database's own copy of everything that was written, which no checkpoint shortens.

Triggers of the database write it in the transaction of whoever writes, so that it has what was committed and nothing
else.  Every node connects with an ``application_name`` of its own, another one in each of its lives: that is how the
database knows who wrote.
"""

from typing import Final

import asyncpg

from bench.cluster.history import Claim, Written, decode_entry

__all__ = ["begin_audit", "read_audit"]

_BEGIN: Final = """
    CREATE SCHEMA audit;
    CREATE SEQUENCE audit.counter;
    CREATE TABLE audit.entries (
        counter bigint DEFAULT nextval('audit.counter'), at timestamptz DEFAULT clock_timestamp(),
        writer text DEFAULT current_setting('application_name'),
        table_id text, n bigint, entry bytea, owner text, epoch bigint, is_rewritten boolean
    );
    CREATE TABLE audit.claims (
        counter bigint DEFAULT nextval('audit.counter'), at timestamptz DEFAULT clock_timestamp(),
        writer text DEFAULT current_setting('application_name'), table_id text, owner text, epoch bigint
    );
    CREATE TABLE audit.sessions (owner text, writer text DEFAULT current_setting('application_name'));

    CREATE FUNCTION audit.note_claim() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        INSERT INTO audit.claims (table_id, owner, epoch) VALUES (NEW.id, NEW.owner, NEW.epoch);
        RETURN NULL;
    END $$;
    CREATE TRIGGER audit_made AFTER INSERT ON tichu.tables FOR EACH ROW EXECUTE FUNCTION audit.note_claim();
    CREATE TRIGGER audit_claimed AFTER UPDATE ON tichu.tables FOR EACH ROW
        WHEN (OLD.owner IS DISTINCT FROM NEW.owner OR OLD.epoch IS DISTINCT FROM NEW.epoch)
        EXECUTE FUNCTION audit.note_claim();

    CREATE FUNCTION audit.note_entries() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        INSERT INTO audit.entries (table_id, n, entry, owner, epoch, is_rewritten)
        SELECT new_log.table_id, new_log.n, new_log.entry, tables.owner, tables.epoch, TG_OP = 'UPDATE'
        FROM new_log LEFT JOIN tichu.tables ON tables.id = new_log.table_id ORDER BY new_log.table_id, new_log.n;
        RETURN NULL;
    END $$;
    CREATE TRIGGER audit_written AFTER INSERT ON tichu.log REFERENCING NEW TABLE AS new_log
        FOR EACH STATEMENT EXECUTE FUNCTION audit.note_entries();
    CREATE TRIGGER audit_rewritten AFTER UPDATE ON tichu.log REFERENCING NEW TABLE AS new_log
        FOR EACH STATEMENT EXECUTE FUNCTION audit.note_entries();

    CREATE FUNCTION audit.note_session() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        INSERT INTO audit.sessions (owner) VALUES (NEW.id);
        RETURN NULL;
    END $$;
    CREATE TRIGGER audit_began AFTER INSERT ON tichu.nodes FOR EACH ROW EXECUTE FUNCTION audit.note_session();
"""


async def begin_audit(url: str) -> None:
    """Begin to copy; the tables of the server must be there."""
    db = await asyncpg.connect(url)
    try:
        await db.execute(_BEGIN)
    finally:
        await db.close()


async def read_audit(url: str) -> tuple[list[Written], list[Claim], dict[str, str]]:
    """Everything that was written and claimed, and which session each owner was."""
    db = await asyncpg.connect(url)
    try:
        entries = await db.fetch(
            "SELECT counter, table_id, n, entry, writer, owner, epoch, is_rewritten FROM audit.entries ORDER BY counter"
        )
        claims = await db.fetch("SELECT counter, table_id, owner, epoch FROM audit.claims ORDER BY counter")
        sessions = await db.fetch("SELECT owner, writer FROM audit.sessions")
    finally:
        await db.close()
    written = [
        Written(order, table, number, *decode_entry(entry), writer, owner or "", epoch or 0, is_rewritten)
        for order, table, number, entry, writer, owner, epoch, is_rewritten in entries
    ]
    return (
        written,
        [Claim(order, table, owner or "", epoch or 0) for order, table, owner, epoch in claims],
        dict(sessions),  # type: ignore[arg-type]
    )
