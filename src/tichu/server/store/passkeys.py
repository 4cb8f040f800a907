"""Passkeys and the challenges that they answer, as scripts for any database."""

from typing import Literal, NamedTuple

from tichu.server.store.accounts import Proof, is_proven
from tichu.server.store.scripts import Script

__all__ = [
    "StoredPasskey",
    "add_challenge",
    "add_passkey",
    "drop_passkey",
    "passkey",
    "passkeys_of",
    "take_challenge",
    "use_passkey",
]

_PASSKEY = "id, player, name, public_key, uses, created, used"


class StoredPasskey(NamedTuple):
    """A passkey; its private half is with its owner alone."""

    id: str
    player: str
    name: str
    #: In base64url.
    public_key: str
    #: How often it was used, by its own count; it never goes back.
    uses: int
    created: float
    used: float


def add_challenge(key: str, purpose: str, player: str, challenge: str, expires: float) -> Script[None]:
    """Remember what somebody is to sign."""
    yield "INSERT INTO challenges VALUES (?, ?, ?, ?, ?)", key, purpose, player, challenge, expires


def take_challenge(key: str, purpose: str, player: str, now: float) -> Script[str | None]:
    """Use up a challenge; None if there is no such one any more."""
    query = """
        DELETE FROM challenges WHERE id = ? AND purpose = ? AND player = ? AND expires > ? RETURNING challenge
    """
    rows = yield query, key, purpose, player, now
    return str(rows[0][0]) if rows else None


def add_passkey(new: StoredPasskey, proof: Proof, most: int) -> Script[Literal["done", "ended", "refused"]]:
    """One more passkey, unless the proof does not hold any more, or it is known, or there are too many."""
    if not (yield from is_proven(proof)):
        return "ended"
    known = yield "SELECT 1 FROM passkeys WHERE id = ?", new.id
    own = yield "SELECT count(*) FROM passkeys WHERE player = ?", new.player
    if known or own[0][0] >= most:
        return "refused"
    yield "INSERT INTO passkeys VALUES (?, ?, ?, ?, ?, ?, ?)", *new
    return "done"


def passkey(number: str) -> Script[StoredPasskey | None]:
    """The passkey with this id."""
    rows = yield f"SELECT {_PASSKEY} FROM passkeys WHERE id = ?", number
    return StoredPasskey(*rows[0]) if rows else None


def passkeys_of(player: str) -> Script[list[StoredPasskey]]:
    """All passkeys of an account, the newest first."""
    rows = yield f"SELECT {_PASSKEY} FROM passkeys WHERE player = ? ORDER BY created DESC, id", player
    return [StoredPasskey(*row) for row in rows]


def use_passkey(number: str, uses: int, at: float) -> Script[bool]:
    """A passkey was used; False if there is no such one any more."""
    return bool((yield "UPDATE passkeys SET uses = ?, used = ? WHERE id = ? RETURNING id", uses, at, number))


def drop_passkey(player: str, number: str) -> Script[bool]:
    """Forget a passkey; False if the account has no such one."""
    return bool((yield "DELETE FROM passkeys WHERE player = ? AND id = ? RETURNING id", player, number))
