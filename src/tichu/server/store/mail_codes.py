"""Codes that were sent by mail, as scripts for any database, and how many mails have gone out of late.

A code is bound to what it was sent for: to an address, and to the password that there was.  With another password it is
good for nothing, wherever and by whatever server that was changed.  Tries are not counted: nobody guesses such a code,
and whoever tries in somebody's name must not use theirs up.
"""

from hashlib import sha256
from typing import Final, Literal, NamedTuple

from tichu.server.store.scripts import Script

__all__ = [
    "Purpose",
    "SentCode",
    "add_code",
    "count_mail",
    "drop_codes",
    "drop_old_codes",
    "is_sent",
    "pending_code",
    "use_code",
]

Purpose = Literal["confirm", "recover"]
_HOUR_S: Final = 3600.0
_PENDING: Final = "FROM mail_codes WHERE player = ? AND purpose = ? AND expires > ? AND password = ?"
_GOOD: Final = f"{_PENDING} AND code_hash = ?"


class SentCode(NamedTuple):
    """A code on its way, by its hash."""

    player: str
    purpose: Purpose
    code: str
    #: Where it was sent.
    address: str
    #: The hash of the password that the account had then.
    password: str
    expires: float


def count_mail(key: str, now: float, most: int) -> Script[bool]:
    """Count one more mail; whether there were not too many within an hour."""
    # The date may have been wrong: what is long to come counts for nobody, but clocks of nodes differ a little.
    query = """
        INSERT INTO mail_counts VALUES (?, ?, 1) ON CONFLICT (key) DO UPDATE SET
            sent = CASE WHEN mail_counts.since BETWEEN ? AND ? THEN mail_counts.sent + 1 ELSE 1 END,
            since = CASE WHEN mail_counts.since BETWEEN ? AND ? THEN mail_counts.since ELSE excluded.since END
        RETURNING sent
    """
    of_late = now - _HOUR_S, now + _HOUR_S
    rows = yield query, _digest(key), now, *of_late, *of_late
    return bool(rows[0][0] <= most)


def add_code(new: SentCode) -> Script[None]:
    """Remember a code, in place of a former one."""
    yield "DELETE FROM mail_codes WHERE player = ? AND purpose = ?", new.player, new.purpose
    row = new._replace(password=_digest(new.password))
    yield "INSERT INTO mail_codes VALUES (?, ?, ?, ?, ?, ?, 0)", *row


def use_code(player: str, purpose: Purpose, code: str, password: str, now: float) -> Script[str | None]:
    """Use up a code: the address that it was sent to, or None if it is not the one, or no longer good."""
    rows = yield f"DELETE {_GOOD} RETURNING address", player, purpose, now, _digest(password), code
    return str(rows[0][0]) if rows else None


def is_sent(player: str, purpose: Purpose, code: str, password: str, now: float) -> Script[bool]:
    """Whether it is the one, and still good."""
    return bool((yield f"SELECT 1 {_GOOD}", player, purpose, now, _digest(password), code))


def pending_code(player: str, purpose: Purpose, password: str, now: float) -> Script[str]:
    """Where a code was sent that is still good; empty if there is none."""
    rows = yield f"SELECT address {_PENDING}", player, purpose, now, _digest(password)
    return str(rows[0][0]) if rows else ""


def drop_codes(player: str) -> Script[None]:
    """None of the codes of an account is good any more."""
    yield "DELETE FROM mail_codes WHERE player = ?", player


def drop_old_codes(now: float) -> Script[None]:
    """Forget what is no longer good, and who had mail an hour ago."""
    yield "DELETE FROM mail_codes WHERE expires < ?", now
    yield "DELETE FROM mail_counts WHERE since < ?", now - _HOUR_S


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()
