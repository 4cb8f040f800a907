"""One id in place of another, wherever people are named: for those who have gone, and for two who were one.

Nothing else of a game changes: neither the cards nor the proofs of the deals, nor what anybody else has won.
"""

import json
from collections.abc import Sequence
from typing import Any, Final, Literal

import msgspec

from tichu.server.store.accounts import is_guest, is_owner
from tichu.server.store.people import PLAYER_COLUMNS
from tichu.server.store.relations import settle_lists
from tichu.server.store.scripts import Row, Script

__all__ = [
    "awaits_guests",
    "begin_farewell",
    "begin_merge",
    "end_replacement",
    "forget_person",
    "pending_replacements",
    "replace_in_games",
    "replace_in_rows",
    "reports_naming",
    "respoken",
    "rewrite_log",
]

#: Games rewritten in one transaction, so that no table waits long for the store.
_GAMES: Final = 20
#: What belongs to an account or a guest alone.
_BELONGINGS: Final = (
    *("accounts", "account_names", "sessions", "seat_keys", "recovery_codes", "passkeys", "challenges"),
    *("mail_codes", "restrictions", "follows", "blocks"),
)


def replace_in_games(old: str, new: str, name: str | None) -> Script[int]:
    """Replace an id, and with a name also the name, in some games: how many there were."""
    query = """
        SELECT game FROM game_players JOIN games ON games.id = game
        WHERE player = ? AND game NOT IN (SELECT game FROM game_players WHERE player = ?)
        ORDER BY game_players.finished, game LIMIT ?
    """
    rows = yield query, old, new, _GAMES
    for (game,) in rows:
        # By writing it: another node that replaces somebody else in it is waited for, and nothing of that is undone.
        found = yield "UPDATE games SET players = players WHERE id = ? RETURNING seats, players, record", game
        for seats, players, record in found:
            ids = json.loads(players)
            places = [seat for seat, player in enumerate(ids) if player == old]
            changed = [
                _written([new if seat in places else one for seat, one in enumerate(ids)]),
                seats if name is None else _written(_named(json.loads(seats), places, name)),
                record if name is None else _renamed(record, places, name),
            ]
            yield "UPDATE games SET players = ?, seats = ?, record = ? WHERE id = ?", *changed, game
        yield "UPDATE game_players SET player = ? WHERE player = ? AND game = ?", new, old, game
    return len(rows)


def reports_naming(player: str) -> Script[list[str]]:
    """Reports that quote somebody, or a game of theirs.  All are looked through: that must not hold up who writes."""
    rows = yield "SELECT id FROM reports WHERE chat LIKE ? OR record LIKE ?", f"%{player}%", f"%{player}%"
    return [report for (report,) in rows]


def replace_in_rows(old: str, new: str, name: str | None, reports: Sequence[str]) -> Script[bool]:
    """Replace an id in everything but games, also in what these reports quote; whether it stood in rated matches."""
    was_rated = False
    if name is not None:
        # Whatever an operator or a player has written about them may name them.
        yield "UPDATE acts SET words = '' WHERE subject = ?", old
        yield "UPDATE reports SET words = '' WHERE reporter = ? OR reported = ?", old, old
    for table, column in PLAYER_COLUMNS:
        if table != "game_players":
            found = yield f"UPDATE {table} SET {column} = ? WHERE {column} = ? RETURNING 1", new, old
            was_rated |= bool(found) and table == "matches"
    for report in reports:
        rows: list[Row] = yield "UPDATE reports SET chat = chat WHERE id = ? RETURNING chat, record", report
        for chat, record in rows:
            changed = respoken(chat, old, new, name), record.replace(old, new)
            yield "UPDATE reports SET chat = ?, record = ? WHERE id = ?", *changed, report
    return was_rated


def begin_farewell(player: str, shown: str | None, former: str, name: str, at: float) -> Script[list[str] | None]:
    """Somebody goes: nothing lets them in any more, and what names them is to be replaced; the hashes of their tokens.

    None if the token that was shown, by its hash, has ended; nobody needs to show one to the operator.  Whoever is sent
    away twice is replaced by the one that was drawn first.
    """
    if shown is not None and not (yield from is_owner(player, shown)):
        return None
    ended = yield from forget_person(player)
    yield "INSERT INTO replacements VALUES (?, ?, ?, ?) ON CONFLICT (old) DO NOTHING", player, former, name, at
    return ended


def begin_merge(
    guest: str, guest_token: str, account: str, account_token: str, at: float
) -> Script[list[str] | Literal["no guest", "no account"]]:
    """A guest is an account from now on; the hashes of the tokens that end.

    Each has shown a token, by its hash: one that has ended, also because the guest has become an account, is nobody's.
    """
    if not (yield from is_guest(guest, guest_token)):
        return "no guest"
    if not (yield from is_owner(account, account_token)):
        return "no account"
    yield from _move_belongings(guest, account)
    ended = yield from forget_person(guest)
    yield "INSERT INTO replacements VALUES (?, ?, NULL, ?) ON CONFLICT (old) DO NOTHING", guest, account, at
    return ended


def pending_replacements() -> Script[list[tuple[str, str, str | None]]]:
    """Who is not yet replaced everywhere: by whom, and under which name; the first first, guests before their account.

    What nodes call the time is not quite the same.
    """
    awaits = "EXISTS (SELECT 1 FROM replacements AS guests WHERE guests.new = replacements.old)"
    rows = yield (f"SELECT old, new, name FROM replacements ORDER BY {awaits}, at, old",)
    return [(old, new, name) for old, new, name in rows]


def awaits_guests(player: str) -> Script[bool]:
    """Whether a guest is not quite this account yet.  Once the account has gone, no more guests come."""
    return bool((yield "SELECT 1 FROM replacements WHERE new = ? LIMIT 1", player))


def end_replacement(old: str) -> Script[None]:
    """Nothing names somebody any more, and this neither."""
    yield from forget_person(old)
    yield "DELETE FROM replacements WHERE old = ?", old


def _move_belongings(old: str, new: str) -> Script[None]:
    """What a guest followed and blocked is the account's."""
    for table in ("follows", "blocks"):
        for column, other in (("player", "other"), ("other", "player")):
            kept = f"SELECT {other} FROM {table} WHERE {column} = ?"
            yield f"DELETE FROM {table} WHERE {column} = ? AND ({other} IN ({kept}) OR {other} = ?)", old, new, new
            yield f"UPDATE {table} SET {column} = ? WHERE {column} = ?", new, old
    yield from settle_lists(new)


def forget_person(player: str) -> Script[list[str]]:
    """Forget a player and what belongs to them alone; the hashes of their tokens."""
    rows = yield "SELECT token_hash FROM sessions WHERE player = ?", player
    guests = yield "SELECT token_hash FROM players WHERE id = ?", player
    for table in _BELONGINGS:
        yield f"DELETE FROM {table} WHERE player = ?", player
    for table in ("follows", "blocks"):
        yield f"DELETE FROM {table} WHERE other = ?", player
    yield "DELETE FROM players WHERE id = ?", player
    return [key for (key,) in (*rows, *guests)]


def rewrite_log(table: str, entries: Sequence[tuple[int, bytes]]) -> Script[None]:
    """Other entries in place of those with these numbers that a table has."""
    for number, entry in entries:
        yield "UPDATE log SET entry = ? WHERE table_id = ? AND n = ?", entry, table, number


def _written(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def _named(names: list[str], places: Sequence[int], name: str) -> list[str]:
    return [name if seat in places else one for seat, one in enumerate(names)]


def _renamed(record: str, places: Sequence[int], name: str) -> str:
    """Names are in the first line alone; all others stay as they are, sign by sign."""
    first, newline, rest = record.partition("\n")
    header = json.loads(first)
    header["seats"] = _named(header["seats"], places, name)
    return _written(header) + newline + rest


def respoken(chat: str, old: str, new: str, name: str | None) -> str:
    """What was said near a report, as if somebody else had said it."""
    lines = json.loads(chat)
    for line in lines:
        if line.get("player") == old:
            line["player"] = new
            line["name"] = line["name"] if name is None else name
    return _written(lines)
