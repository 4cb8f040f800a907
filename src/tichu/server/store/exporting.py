"""Everything that rows say about one person, for that person."""

from typing import Any, Final

from tichu.server.store.scripts import Script

__all__ = ["facts_about"]

#: By the name in the file: the columns, and where they are.  Hashes of secrets are of no use to anybody.
_PARTS: Final = {
    "player": ("id, name, kind, created, seen", "players", "id"),
    "account": ("name, email, created", "accounts", "player"),
    "sessions": ("id, device, created, seen, expires", "sessions", "player"),
    "mail_codes": ("purpose, address, expires", "mail_codes", "player"),
    "passkeys": ("id, name, created, used", "passkeys", "player"),
    "seat_keys": ("table_id, created", "seat_keys", "player"),
    "restrictions": ("muted, banned", "restrictions", "player"),
    "follows": ("other, at", "follows", "player"),
    "blocks": ("other, at", "blocks", "player"),
    "reports": ("id, at, reported, table_id, game, reason, words", "reports", "reporter"),
    "acts": ("at, what, words", "acts", "subject"),
    "results": ("*", "game_players", "player"),
}


def facts_about(player: str) -> Script[dict[str, Any]]:
    """By part, a list of rows with the names of their columns; of results the columns are those of the table."""
    facts: dict[str, Any] = {}
    for part, (columns, table, key) in _PARTS.items():
        rows = yield f"SELECT {columns} FROM {table} WHERE {key} = ?", player
        names = columns.split(", ")
        facts[part] = [list(row) if columns == "*" else dict(zip(names, row, strict=True)) for row in rows]
    rows = yield "SELECT count(*) FROM recovery_codes WHERE player = ?", player
    facts["recovery_codes_left"] = rows[0][0]
    return facts
