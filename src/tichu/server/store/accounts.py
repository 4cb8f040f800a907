"""Accounts, their sessions, keys and codes, as scripts for any database.  Secrets come here as hashes."""

from collections.abc import Callable, Mapping, Sequence
from typing import Literal, NamedTuple

from tichu.server.store.mail_codes import drop_codes, drop_old_codes, is_sent, use_code
from tichu.server.store.operator import drop_old_reports
from tichu.server.store.scripts import Row, Script

__all__ = [
    "Ended",
    "NewSession",
    "Proof",
    "Recovered",
    "StoredAccount",
    "StoredSession",
    "account_by_name",
    "account_of",
    "add_seat_key",
    "add_session",
    "all_seat_key_owners",
    "become_account",
    "change_password",
    "drop_expired",
    "end_seat_keys",
    "end_session",
    "end_sessions",
    "has_password",
    "is_guest",
    "is_name_taken",
    "is_owner",
    "is_proven",
    "keys_of_nobody",
    "may_recover",
    "recover_account",
    "recovery_codes_left",
    "rename_account",
    "rename_guest",
    "renew_recovery_codes",
    "replace_guest_token",
    "replace_session_token",
    "seat_key_owners",
    "see_sessions",
    "sessions_of",
    "taken_keys",
]

_SESSION = "id, device, created, seen, expires"
_ACCOUNT = "accounts.player, accounts.name, handle, password, email, accounts.created"


class NewSession(NamedTuple):
    """A token for an account, by its hash."""

    token_hash: str
    id: str
    device: str
    created: float
    expires: float


class StoredSession(NamedTuple):
    """A session as its owner may see it."""

    id: str
    device: str
    created: float
    seen: float
    expires: float


class StoredAccount(NamedTuple):
    """What is kept about an account."""

    player: str
    name: str
    #: By which passkeys know it.
    handle: str
    #: The hash, empty where there is none.
    password: str
    #: Empty where there is none.
    email: str
    created: float


class Proof(NamedTuple):
    """What somebody has shown who wants to change an account, by the hashes: a token and the password."""

    player: str
    token_hash: str
    password: str


# Proofs are looked at where something is changed by them, since they may have ended since they were shown.  Each looks
# by writing the row as it is: whoever is about to change it elsewhere then waits until this transaction has ended.


def is_guest(player: str, token_hash: str) -> Script[bool]:
    """Whether a token is that of a guest."""
    query = "UPDATE players SET token_hash = token_hash WHERE id = ? AND token_hash = ? RETURNING id"
    return bool((yield query, player, token_hash))


def is_owner(player: str, token_hash: str) -> Script[bool]:
    """Whether a token is a player's own: that of a guest, or of a session."""
    if not (yield "UPDATE accounts SET player = player WHERE player = ? RETURNING player", player):
        return (yield from is_guest(player, token_hash))
    return bool((yield "SELECT 1 FROM sessions WHERE player = ? AND token_hash = ?", player, token_hash))


def has_password(player: str, password: str) -> Script[bool]:
    """Whether an account has this password, by its hash."""
    query = "UPDATE accounts SET password = password WHERE player = ? AND password = ? RETURNING player"
    return bool((yield query, player, password))


def is_proven(proof: Proof) -> Script[bool]:
    """Whether everything that was shown still holds."""
    player, token_hash, password = proof
    return (yield from has_password(player, password)) and (yield from is_owner(player, token_hash))


def become_account(
    account: StoredAccount,
    keys: Sequence[str],
    session: NewSession,
    codes: Sequence[str],
    shown: str,
    ended: str,
) -> Script[Literal["done", "account", "name", "ended"]]:
    """A guest becomes an account: all tokens of the guest end, and a session begins.

    The token that was shown may have ended while the password was hashed: then whoever showed it is not the guest.
    """
    if (yield "SELECT 1 FROM accounts WHERE player = ?", account.player):
        return "account"
    if not (yield from is_guest(account.player, shown)):
        return "ended"
    if (yield from is_name_taken(keys)):
        return "name"
    yield "INSERT INTO accounts VALUES (?, ?, ?, ?, ?, ?)", *account
    yield from _take_name(account.player, account.name, keys)
    yield "UPDATE players SET token_hash = ? WHERE id = ?", ended, account.player
    yield "DELETE FROM seat_keys WHERE player = ?", account.player
    yield from _insert_session(account.player, session)
    yield from _replace_recovery_codes(account.player, codes)
    return "done"


def is_name_taken(keys: Sequence[str], but: str = "") -> Script[bool]:
    """Whether an account has a name with one of these keys, other than this player's."""
    marks = ", ".join("?" * len(keys))
    rows = yield f"SELECT 1 FROM account_names WHERE key IN ({marks}) AND player <> ?", *keys, but
    return bool(rows)


def taken_keys(keys: Sequence[str]) -> Script[set[str]]:
    """Those of these keys that the names of accounts have."""
    marks = ", ".join("?" * len(keys))
    rows = yield f"SELECT key FROM account_names WHERE key IN ({marks})", *keys
    return {key for (key,) in rows}


def rename_account(player: str, name: str, keys: Sequence[str]) -> Script[bool]:
    """Give an account another name; False if somebody has it, or if there is no such account any more."""
    if (yield from is_name_taken(keys, player)) or (yield from account_of(player)) is None:
        return False
    yield "DELETE FROM account_names WHERE player = ?", player
    yield "UPDATE accounts SET name = ? WHERE player = ?", name, player
    yield from _take_name(player, name, keys)
    return True


def _take_name(player: str, name: str, keys: Sequence[str]) -> Script[None]:
    for key in dict.fromkeys(keys):
        yield "INSERT INTO account_names VALUES (?, ?)", key, player
    yield "UPDATE players SET name = ? WHERE id = ?", name, player


def account_by_name(keys: Sequence[str]) -> Script[StoredAccount | None]:
    """The account with a name that has one of these keys, if it is only one."""
    query = f"""
        SELECT {_ACCOUNT} FROM accounts JOIN account_names ON account_names.player = accounts.player WHERE key = ?
    """
    owners: set[Row] = set()
    for key in dict.fromkeys(keys):
        rows = yield query, key
        owners.update(rows)
    return StoredAccount(*owners.pop()) if len(owners) == 1 else None


def account_of(player: str) -> Script[StoredAccount | None]:
    """The account of a player."""
    rows = yield f"SELECT {_ACCOUNT} FROM accounts WHERE player = ?", player
    return StoredAccount(*rows[0]) if rows else None


def rename_guest(player: str, name: str, keys: Sequence[str]) -> Script[bool]:
    """Give a guest another name; False if an account has it, or if the guest has become one."""
    if (yield from is_name_taken(keys)):
        return False
    query = """
        UPDATE players SET name = ? WHERE id = ? AND NOT EXISTS (SELECT 1 FROM accounts WHERE player = players.id)
        RETURNING id
    """
    return bool((yield query, name, player))


def replace_guest_token(former: str, token_hash: str) -> Script[list[str] | None]:
    """Another token for a guest, whose keys for seats end: their hashes, or None if the former token has ended."""
    rows = yield "UPDATE players SET token_hash = ? WHERE token_hash = ? RETURNING id", token_hash, former
    return (yield from _end_keys(rows[0][0])) if rows else None


def change_password(proof: Proof, password: str, session: str) -> Script["Ended | None"]:
    """Another password, by its hash, when all sessions end but this one; None if the proof does not hold any more."""
    if not (yield from is_proven(proof)):
        return None
    yield from _set_password(proof.player, password)
    return (yield from end_sessions(proof.player, session))


def _set_password(player: str, password: str) -> Script[None]:
    yield "UPDATE accounts SET password = ? WHERE player = ?", password, player


def add_session(
    player: str, session: NewSession, most: int, is_allowed: Callable[[], Script[bool]]
) -> Script[list[str] | None]:
    """One more token, in place of the one that was used longest ago if there are too many: the hashes that ended.

    None if what was shown for it does not hold any more.
    """
    if not (yield from is_allowed()):
        return None
    query = """
        DELETE FROM sessions WHERE token_hash IN (
            SELECT token_hash FROM sessions WHERE player = ? ORDER BY seen DESC, id LIMIT ? OFFSET ?
        ) RETURNING token_hash
    """
    ended = yield query, player, most, most - 1
    yield from _insert_session(player, session)
    return [token_hash for (token_hash,) in ended]


def _insert_session(player: str, session: NewSession) -> Script[None]:
    token_hash, number, device, created, expires = session
    query = "INSERT INTO sessions VALUES (?, ?, ?, ?, ?, ?, ?)"
    yield query, token_hash, number, player, device, created, created, expires


def replace_session_token(former: str, token_hash: str, expires: float) -> Script[list[str] | None]:
    """The same session with another token, when the keys for seats end: their hashes, or None if it has ended."""
    query = "UPDATE sessions SET token_hash = ?, expires = ? WHERE token_hash = ? RETURNING player"
    rows = yield query, token_hash, expires, former
    # Whoever else had the token may have made some.
    return (yield from _end_keys(rows[0][0])) if rows else None


def sessions_of(player: str) -> Script[list[StoredSession]]:
    """All sessions of an account, the one that was used last first."""
    rows = yield f"SELECT {_SESSION} FROM sessions WHERE player = ? ORDER BY seen DESC, id", player
    return [StoredSession(*row) for row in rows]


class Ended(NamedTuple):
    """Tokens that are nobody's any more, by their hashes."""

    sessions: list[str]
    #: Keys for seats, which whoever had such a session may have made.
    keys: list[str]


def end_session(player: str, session: str) -> Script[Ended]:
    """End one session of an account, and the keys for seats."""
    rows = yield "DELETE FROM sessions WHERE player = ? AND id = ? RETURNING token_hash", player, session
    ended = [token_hash for (token_hash,) in rows]
    return Ended(ended, (yield from _end_keys(player)) if ended else [])


def end_sessions(player: str, but: str = "") -> Script[Ended]:
    """End all sessions of an account but one, and the keys for seats."""
    rows = yield "DELETE FROM sessions WHERE player = ? AND id <> ? RETURNING token_hash", player, but
    return Ended([token_hash for (token_hash,) in rows], (yield from _end_keys(player)))


def _end_keys(player: str) -> Script[list[str]]:
    rows = yield "DELETE FROM seat_keys WHERE player = ? RETURNING key_hash", player
    return [key_hash for (key_hash,) in rows]


def see_sessions(seen: Mapping[str, float], keep_seconds: float) -> Script[None]:
    """Note when tokens were used; they are good for so long after it."""
    query = "UPDATE sessions SET seen = ?, expires = ? WHERE token_hash = ? AND seen < ?"
    for token_hash, at in seen.items():
        yield query, at, at + keep_seconds, token_hash, at


def drop_expired(now: float, since: float, long_ago: float, keys: Sequence[str]) -> Script[dict[str, list[str]]]:
    """Forget what is no longer good, also these keys for seats; the hashes of tokens that ended since, by player.

    What nobody gets back is forgotten only if it was no longer good long ago: the date may have been wrong since then.
    """
    ended: dict[str, list[str]] = {}
    query = "SELECT player, token_hash FROM sessions WHERE expires >= ? AND expires < ?"
    for player, token_hash in (yield query, since, now):
        ended.setdefault(player, []).append(token_hash)
    yield "DELETE FROM sessions WHERE expires < ?", long_ago
    yield "DELETE FROM challenges WHERE expires < ?", now
    yield from drop_old_codes(now)
    yield from drop_old_reports(long_ago)
    for key in keys:
        yield "DELETE FROM seat_keys WHERE key_hash = ?", key
    return ended


def keys_of_nobody(limit: int) -> Script[list[str]]:
    """Keys for seats of those who are no longer known, or at tables that are closed.  All are looked through."""
    query = """
        SELECT key_hash FROM seat_keys WHERE player NOT IN (SELECT id FROM players)
        OR NOT EXISTS (SELECT 1 FROM log WHERE log.table_id = seat_keys.table_id) LIMIT ?
    """
    rows = yield query, limit
    return [key for (key,) in rows]


def add_seat_key(key_hash: str, player: str, shown: str, table: str, at: float, most: int) -> Script[bool]:
    """A key for the seat of a player at a table, in place of the oldest if there are too many.

    False if the token that was shown, by its hash, has ended.
    """
    if not (yield from is_owner(player, shown)):
        return False
    query = """
        DELETE FROM seat_keys WHERE key_hash IN (
            SELECT key_hash FROM seat_keys WHERE table_id = ? AND player = ? ORDER BY created DESC LIMIT ? OFFSET ?
        )
    """
    yield query, table, player, most, most - 1
    yield "INSERT INTO seat_keys VALUES (?, ?, ?, ?)", key_hash, player, table, at
    return True


def seat_key_owners(table: str) -> Script[list[str]]:
    """Whose seats at a table have keys."""
    rows = yield "SELECT DISTINCT player FROM seat_keys WHERE table_id = ?", table
    return [player for (player,) in rows]


def all_seat_key_owners() -> Script[dict[str, list[str]]]:
    """Whose seats have keys, by table."""
    owners: dict[str, list[str]] = {}
    for table, player in (yield ("SELECT DISTINCT table_id, player FROM seat_keys",)):
        owners.setdefault(table, []).append(player)
    return owners


def end_seat_keys(table: str, players: Sequence[str]) -> Script[dict[str, list[str]]]:
    """The keys of these players at a table are no longer good: their hashes, by player, of those who had some."""
    ended: dict[str, list[str]] = {}
    for player in players:
        query = "DELETE FROM seat_keys WHERE table_id = ? AND player = ? RETURNING key_hash"
        rows = yield query, table, player
        if rows:
            ended[player] = [key for (key,) in rows]
    return ended


def renew_recovery_codes(proof: Proof, codes: Sequence[str]) -> Script[bool]:
    """Other codes in place of the former ones; False if the proof does not hold any more."""
    if not (yield from is_proven(proof)):
        return False
    yield from _replace_recovery_codes(proof.player, codes)
    return True


def _replace_recovery_codes(player: str, codes: Sequence[str]) -> Script[None]:
    yield "DELETE FROM recovery_codes WHERE player = ?", player
    for code in codes:
        yield "INSERT INTO recovery_codes VALUES (?, ?)", code, player


class Recovered(NamedTuple):
    """An account has another password."""

    ended: Ended
    name: str
    #: Where mail about it goes, empty if nowhere.
    address: str
    by: Literal["recovery code", "mail"]


def may_recover(player: str, code: str, now: float) -> Script[bool]:
    """Whether a code opens an account.  Nothing is written: the time tells not whether there is such an account."""
    account = yield from account_of(player)
    former = "" if account is None else account.password
    is_one = bool((yield "SELECT 1 FROM recovery_codes WHERE player = ? AND code_hash = ?", player, code))
    return (yield from is_sent(player, "recover", code, former, now)) or is_one


def recover_account(player: str, code: str, password: str, session: NewSession) -> Script[Recovered | None]:
    """Use up a code for another password and a session, when all former ones end; None if there is no such code.

    A recovery code counts for more than the mailbox: whoever had stolen the password may have added an address.
    """
    # First, as everybody does who changes the account: what they have changed is seen here, or they are refused.
    yield "UPDATE accounts SET player = player WHERE player = ?", player
    account = yield from account_of(player)
    former = "" if account is None else account.password
    query = "DELETE FROM recovery_codes WHERE player = ? AND code_hash = ? RETURNING code_hash"
    is_recovery_code = bool((yield query, player, code))
    if not is_recovery_code and (yield from use_code(player, "recover", code, former, session.created)) is None:
        return None
    if account is None:
        return None
    if is_recovery_code:
        yield "UPDATE accounts SET email = '' WHERE player = ?", player
    yield from drop_codes(player)
    yield from _set_password(player, password)
    # Whoever had stolen a session may have added a passkey.
    yield "DELETE FROM passkeys WHERE player = ?", player
    ended = yield from end_sessions(player)
    yield from _insert_session(player, session)
    return Recovered(ended, account.name, account.email, "recovery code" if is_recovery_code else "mail")


def recovery_codes_left(player: str) -> Script[int]:
    """How many codes have not been used."""
    rows = yield "SELECT count(*) FROM recovery_codes WHERE player = ?", player
    return int(rows[0][0])
