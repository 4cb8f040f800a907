"""The rows of rated matches, which are kept for as long as there are ratings.

A row gets its place, and what it counts for, when it is applied; until then it has none.  Places have no gaps.  Players
have columns of their own, so that an id can be replaced without knowing what a row is.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from msgspec.structs import replace

from tichu.ratings.rows import MatchRow, format_row, parse_row
from tichu.server.store.scripts import Row, Script

__all__ = [
    "MATCH_COLUMNS",
    "ONCE",
    "StoredMatch",
    "change_matches",
    "keep_match",
    "match_by_id",
    "match_of",
    "match_values",
    "matches_with",
    "names_of",
    "new_matches",
    "place_match",
    "placed_matches",
]

MATCH_COLUMNS = "match, place, at, player_0, player_1, player_2, player_3, facts"
#: A row whose table was closed, and then was not, may be there already: it says all that is known.
ONCE = "ON CONFLICT (match) DO NOTHING"
#: Names asked for at once.
_NAMES = 200
_NOBODY = ("0", "1", "2", "3")


class StoredMatch(NamedTuple):
    """A row with its place, None before it was applied."""

    place: int | None
    row: MatchRow


def match_values(row: MatchRow, place: int | None = None) -> tuple[Any, ...]:
    """The row in the order of ``MATCH_COLUMNS``."""
    return (row.match, place, row.at, *row.players, format_row(replace(row, players=_NOBODY)))


def match_of(values: Sequence[Any]) -> StoredMatch:
    """The row that these columns hold."""
    _, place, _, a, b, c, d, facts = values
    return StoredMatch(place, replace(parse_row(facts), players=(a, b, c, d)))


def keep_match(row: MatchRow) -> Script[None]:
    """Add a row, once."""
    yield f"INSERT INTO matches ({MATCH_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?) {ONCE}", *match_values(row)


def placed_matches(after: int, limit: int) -> Script[list[StoredMatch]]:
    """Rows that were applied, in their order."""
    query = f"SELECT {MATCH_COLUMNS} FROM matches WHERE place > ? ORDER BY place LIMIT ?"
    rows = yield query, after, limit
    return [match_of(row) for row in rows]


def new_matches(limit: int) -> Script[list[StoredMatch]]:
    """Rows that were not, the oldest first."""
    query = f"SELECT {MATCH_COLUMNS} FROM matches WHERE place IS NULL ORDER BY at, match LIMIT ?"
    rows = yield query, limit
    return [match_of(row) for row in rows]


def match_by_id(match: str) -> Script[StoredMatch | None]:
    """One row."""
    rows = yield f"SELECT {MATCH_COLUMNS} FROM matches WHERE match = ?", match
    return match_of(rows[0]) if rows else None


def place_match(row: MatchRow, place: int) -> Script[bool]:
    """Give a row its place and what it counts for; False if somebody else has placed one here, or this one."""
    last = yield ("SELECT coalesce(max(place), 0) FROM matches",)
    if last[0][0] != place - 1:
        return False
    _, _, at, *_, facts = match_values(row)
    query = "UPDATE matches SET place = ?, at = ?, facts = ? WHERE match = ? AND place IS NULL RETURNING match"
    placed = yield query, place, at, facts, row.match
    return bool(placed)


def matches_with(player: str) -> Script[list[Row]]:
    """All rows of somebody, as they are stored: to read very many takes its time."""
    query = f"SELECT {MATCH_COLUMNS} FROM matches WHERE player_0 = ? OR player_1 = ? OR player_2 = ? OR player_3 = ?"
    return (yield query, player, player, player, player)


def change_matches(rows: Sequence[MatchRow]) -> Script[None]:
    """Write rows anew that have their places."""
    for row in rows:
        yield "UPDATE matches SET facts = ? WHERE match = ?", match_values(row)[-1], row.match


def names_of(players: Sequence[str]) -> Script[dict[str, str]]:
    """The names of players, by id, of those who are known."""
    names: dict[str, str] = {}
    for start in range(0, len(players), _NAMES):
        some = players[start : start + _NAMES]
        marks = ", ".join("?" * len(some))
        rows = yield f"SELECT id, name FROM players WHERE id IN ({marks})", *some
        names |= dict(rows)
    return names
