"""Who a token belongs to, and where the ids of people are kept."""

from collections.abc import Sequence
from typing import Final

from tichu.server.store.port import StoredPlayer
from tichu.server.store.scripts import Script

__all__ = ["PLAYER_COLUMNS", "UNUSED", "find_player", "good_tokens"]

#: Of which players nobody would miss anything.
UNUSED: Final = """
    NOT EXISTS (SELECT 1 FROM game_players WHERE player = players.id)
    AND NOT EXISTS (SELECT 1 FROM accounts WHERE player = players.id)
"""

#: All columns that hold the id of a player and nothing else, but for those of an account itself, which ends with it.
PLAYER_COLUMNS: Final = (
    ("game_players", "player"),
    *(("matches", f"player_{seat}") for seat in range(4)),
    ("reports", "reporter"),
    ("reports", "reported"),
    ("acts", "subject"),
)

_KNOWN: Final = """
    WITH known AS (
        SELECT token_hash, id AS player, 0.0 AS expires, '' AS session, '' AS table_id FROM players
        WHERE token_hash = ?
        UNION ALL SELECT token_hash, player, expires, id, '' FROM sessions WHERE token_hash = ?
        UNION ALL SELECT key_hash, player, 0.0, '', table_id FROM seat_keys WHERE key_hash = ?
    )
    SELECT players.id, players.name, known.token_hash, players.kind, players.created, accounts.player,
        known.expires, known.session, known.table_id, coalesce(muted, 0), coalesce(banned, 0)
    FROM known JOIN players ON players.id = known.player
    LEFT JOIN accounts ON accounts.player = known.player
    LEFT JOIN restrictions ON restrictions.player = known.player
"""

#: Tokens that are asked about at once.
_ASKED: Final = 500
_GOOD: Final = f"""
    WITH asked (token) AS (VALUES {", ".join(["(?)"] * _ASKED)}),
    known AS (
        SELECT token, id AS player FROM asked JOIN players ON token_hash = token
        UNION ALL SELECT token, player FROM asked JOIN sessions ON token_hash = token WHERE expires > ?
        UNION ALL SELECT token, player FROM asked JOIN seat_keys ON key_hash = token
    )
    SELECT token FROM known
    WHERE NOT EXISTS (SELECT 1 FROM restrictions WHERE restrictions.player = known.player AND banned > ?)
"""


def good_tokens(hashes: Sequence[str], now: float) -> Script[set[str]]:
    """Those of these tokens that lead to somebody who is let in."""
    good: set[str] = set()
    for start in range(0, len(hashes), _ASKED):
        some = hashes[start : start + _ASKED]
        rows = yield _GOOD, *some, *[""] * (_ASKED - len(some)), now, now
        good.update(token for (token,) in rows)
    return good


def find_player(token_hash: str) -> Script[StoredPlayer | None]:
    """The player with this token: a guest's own, one of an account's sessions, or a key for one seat."""
    rows = yield _KNOWN, token_hash, token_hash, token_hash
    if not rows:
        return None
    player, name, key, kind, created, account, expires, session, table, muted, banned = rows[0]
    until = float(expires) or float("inf")
    return StoredPlayer(
        player, name, key, kind, created, account is not None, until, session, table, float(muted), float(banned)
    )
