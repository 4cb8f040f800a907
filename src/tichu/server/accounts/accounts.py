"""Accounts: how a guest becomes one, and how somebody proves to be one.

An account has the id of the guest that it was, so games and seats stay with it.
"""

import base64
import secrets
from collections.abc import Callable
from functools import cache, partial
from typing import Final, Literal, NamedTuple
from unicodedata import decimal

from tichu.server.accounts.passwords import LONGEST, SHORTEST, Passwords
from tichu.server.accounts.relations import Relations
from tichu.server.accounts.restrictions import ban_words
from tichu.server.accounts.tries import Tries
from tichu.server.config import Limits
from tichu.server.mail.letters import Language, Letter
from tichu.server.mail.post import Post
from tichu.server.metrics import Metrics
from tichu.server.players import NAME_LENGTH, SESSION_S, Identity, Players, hash_token, new_token
from tichu.server.store import Store
from tichu.server.store import accounts as kept
from tichu.server.store.accounts import Ended, NewSession, Proof, StoredAccount, StoredSession
from tichu.server.store.scripts import Script
from tichu.server.table.names import NUMBERS, name_keys, numbered
from tichu.server.table.sanitize import clean
from tichu.server.turns import Turns

__all__ = ["Accounts", "Entered", "Refused"]

_CODES: Final = 10
_CODE_BYTES: Final = 10
_DEVICE_LENGTH: Final = 60
#: Sessions of an account at a time.
_SESSIONS: Final = 40
#: Who may be forgotten or merged, or wait for it, at a time.
_REWRITTEN: Final = 16
#: What is shown that could be guessed: a password.  Codes are too long for that.
_GUESSED: Final = ("login", "proof")
#: Names that would be taken for somebody else's word.
_RESERVED: Final = (
    *("Guest", "Gast", "손님", "Former player"),
    *("admin", "administrator", "operator", "Tichu", "server", "system"),
)

Reason = Literal[
    "name_taken",
    "bad_name",
    "numbered_name",
    "bad_password",
    "has_account",
    "no_account",
    "wrong_login",
    "wrong_code",
    "too_fast",
    "not_a_guest",
    "no_such_session",
    "no_such_passkey",
    "wrong_passkey",
    "not_here",
    "token_ended",
    "banned",
    "bad_email",
    "wrong_mail_code",
    "too_many_mails",
]
_WORDS: Final[dict[str, str]] = {
    "name_taken": "somebody has this name, or one that looks like it",
    "bad_name": f"a name has 2 to {NAME_LENGTH} signs that can be seen",
    "numbered_name": "a name does not end in a number by which tables tell people of one name apart, from 2 to 7",
    "bad_password": f"a password has {SHORTEST} to {LONGEST} signs and is not the name",
    "has_account": "this is an account already",
    "no_account": "this needs an account",
    "wrong_login": "the name and the password do not belong together",
    "wrong_code": "the name and the code do not belong together",
    "too_fast": "too many tries; wait a while",
    "not_a_guest": "the other token is not that of a guest",
    "no_such_session": "there is no such session",
    "no_such_passkey": "there is no such passkey",
    "wrong_passkey": "this passkey is nobody's, or does not fit what was asked for",
    "not_here": "browsers have passkeys only at https addresses with a name, and at localhost",
    "token_ended": "this token has just ended",
    "bad_email": "an e-mail address is a name, @ and a domain, in plain letters",
    "wrong_mail_code": "this is not the code that was sent, or it is no longer good",
    "too_many_mails": "there were too many mails within an hour; wait a while",
}


class Refused(Exception):
    """Something that is not done, and why."""

    def __init__(self, reason: Reason, words: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.words = words or _WORDS[reason]


class Entered(NamedTuple):
    """Somebody has come in; the token and the codes are told only here."""

    known: Identity
    codes: tuple[str, ...] = ()
    #: The hashes of tokens that ended with it.
    ended: tuple[str, ...] = ()


class Accounts:
    """All accounts of a server."""

    def __init__(
        self,
        store: Store,
        players: Players,
        limits: Limits,
        metrics: Metrics,
        clock: Callable[[], float],
        post: Post | None = None,
    ) -> None:
        self._store = store
        self._post = post
        self._players = players
        self._metrics = metrics
        self._clock = clock
        self.passwords = Passwords()
        self.relations = Relations(store, clock)
        self.tries = Tries(limits)
        #: Who is forgotten or merged: all open tables are looked through for each, and two must not rewrite one.
        self.rewriting = Turns(_REWRITTEN)

    def close(self) -> None:
        """End what works beside the event loop."""
        self.passwords.close()

    # Coming in.

    def limit_new(self, address: str) -> None:
        """Count an account that somebody wants; nobody tidies them away, so they must not come without end.

        :raises Refused: there were too many
        """
        if not self.tries.take("new", address):
            self._metrics.guarded.labels("accounts").inc()
            raise Refused("too_fast")

    async def become(self, known: Identity, name: str, password: str, device: str) -> Entered:
        """A guest becomes an account: all their tokens end, and a new one is given.

        :raises Refused: the name or the password cannot be, or this is an account already
        """
        if known.player.account:
            raise Refused("has_account")
        name = self.require_name(name or known.player.name)
        await self.require_free(name, password)
        hashed = await self.passwords.hash(password)
        token, session = self._new_session(device)
        codes = new_codes()
        account = StoredAccount(known.player.id, name, secrets.token_hex(16), hashed, "", self._clock())
        done = await self._store.write(
            kept.become_account,
            account,
            name_keys(name),
            session,
            [hash_code(code) for code in codes],
            hash_token(known.token),
            f"account {secrets.token_hex(16)}",
        )
        if done != "done":
            raise Refused("name_taken" if done == "name" else "has_account" if done == "account" else "token_ended")
        self._players.forget_player(known.player.id)
        return Entered(await self._entered(token), codes)

    async def require_free(self, name: str, password: str) -> None:
        """Whether somebody new could become an account like that.

        :raises Refused: why not
        """
        name = self.require_name(name)
        require_password(password, name)
        if await self._players.is_name_taken(name):
            raise Refused("name_taken")

    async def log_in(self, name: str, password: str, device: str, address: str) -> Entered:
        """Prove by a password to be an account.

        :raises Refused: they do not belong together, or it was tried too often
        """
        keys = name_keys(clean(name, NAME_LENGTH))
        self.limit_address(address)
        account = await self._store.read(kept.account_by_name, keys)
        # However the name is written, it is the same account.
        self._limit_account("login", keys[1] if account is None else account.player, address)
        fits = await self.passwords.fits(password, "" if account is None else account.password)
        if account is None or not fits:
            raise Refused("wrong_login")
        is_allowed = partial(kept.has_password, account.player, account.password)
        entered = await self.open_session(account.player, device, is_allowed, "wrong_login")
        self.come_home(account.player, address)
        return entered

    async def recover(
        self, name: str, code: str, password: str, device: str, address: str, language: Language
    ) -> Entered:
        """Prove by a code to be an account: it gets another password, and all its sessions and passkeys end.

        :raises Refused: they do not belong together, or it was tried too often
        """
        name = clean(name, NAME_LENGTH)
        require_password(password, name)
        keys = name_keys(name)
        self.limit_address(address)
        account = await self._store.read(kept.account_by_name, keys)
        self._limit_account("code", keys[1] if account is None else account.player, address)
        hashed = await self.passwords.hash(password)
        # Nobody has the id "", and it is looked for all the same: time tells nothing.
        owner = "" if account is None else account.player
        token, session = self._new_session(device)
        shown = owner, hash_code(code)
        is_good = await self._store.read(kept.may_recover, *shown, session.created)
        done = await self._store.write(kept.recover_account, *shown, hashed, session) if is_good else None
        if done is None:
            raise Refused("wrong_code")
        if self._post is not None and done.address:
            kind: Final = "recovered" if done.by == "mail" else "recovered_by_code"
            self._post.send(Letter(kind, done.address, language, done.name))
        self._players.forget_tokens([*done.ended.sessions, *done.ended.keys])
        self.come_home(owner, address)
        return Entered(await self._entered(token))

    async def open_session(
        self, player: str, device: str, is_allowed: Callable[[], Script[bool]], reason: Reason
    ) -> Entered:
        """One more token for an account.

        :raises Refused: with this reason, what was shown for it does not hold any more
        """
        token, session = self._new_session(device)
        ended = await self._store.write(kept.add_session, player, session, _SESSIONS, is_allowed)
        if ended is None:
            raise Refused(reason)
        self._players.forget_tokens(ended)
        return Entered(await self._entered(token), ended=tuple(ended))

    async def _entered(self, token: str) -> Identity:
        known = await self._players.identify(token)
        if known is None:  # Ended from elsewhere in the same moment.
            raise Refused("token_ended")
        if known.banned > self._clock():
            raise Refused("banned", ban_words(known.banned))
        return known

    def _new_session(self, device: str) -> tuple[str, NewSession]:
        token, now = new_token(), self._clock()
        number = secrets.token_urlsafe(9)
        return token, NewSession(hash_token(token), number, clean(device, _DEVICE_LENGTH), now, now + SESSION_S)

    def limit(self, what: str, player: str, address: str) -> None:
        """Count a try; who guesses must not get far, from one address or from many.

        :raises Refused: there were too many
        """
        self.limit_address(address)
        self._limit_account(what, player, address)

    def limit_address(self, address: str) -> None:
        """Count a try that names no account.

        :raises Refused: there were too many
        """
        self._require(self.tries.take("address", address))

    def _limit_account(self, what: str, who: str, address: str) -> None:
        # Who guesses must not lock the owner out: every address has its own tries, and those of very many together do
        # not count where the owner was lately, nor for what nobody guesses.
        self._require(self.tries.take("account", what, who, address))
        if what in _GUESSED and not self.tries.is_home(who, address):
            self._require(self.tries.take("everywhere", what, who))

    def _require(self, is_allowed: bool) -> None:
        if not is_allowed:
            self._metrics.guarded.labels("login").inc()
            raise Refused("too_fast")

    def now(self) -> float:
        """By the clock that all tables go by."""
        return self._clock()

    def come_home(self, player: str, address: str) -> None:
        """The owner of an account is there now."""
        self.tries.come_home(player, address)

    # What belongs to an account.

    async def account(self, known: Identity) -> StoredAccount:
        """The account of whoever has shown a token.

        :raises Refused: this is a guest
        """
        found = await self._store.read(kept.account_of, known.player.id)
        if found is None:
            raise Refused("no_account")
        return found

    async def prove(self, known: Identity, password: str, address: str) -> Proof:
        """What an account is changed by, if the password is shown once more; an account that has none shows none.

        :raises Refused: it is not the password
        """
        account = await self.account(known)
        self.limit("proof", known.player.id, address)
        if account.password and not await self.passwords.fits(password, account.password):
            raise Refused("wrong_login")
        return Proof(account.player, hash_token(known.token), account.password)

    async def sessions(self, known: Identity) -> list[StoredSession]:
        """Where this account is logged in."""
        now = self._clock()
        return [one for one in await self._store.read(kept.sessions_of, known.player.id) if one.expires > now]

    async def end_other_sessions(self, known: Identity) -> Ended:
        """End all sessions but this one; the hashes of their tokens."""
        ended = await self._store.write(kept.end_sessions, known.player.id, known.session)
        self._players.forget_tokens([*ended.sessions, *ended.keys])
        return ended

    async def change_password(self, known: Identity, proof: Proof, password: str) -> Ended:
        """Another password; all other sessions end, and the hashes of their tokens are answered.

        :raises Refused: it cannot be, or the proof does not hold any more
        """
        require_password(password, known.player.name)
        hashed = await self.passwords.hash(password)
        ended = await self._store.write(kept.change_password, proof, hashed, known.session)
        if ended is None:
            raise Refused("token_ended")
        self._players.forget_tokens([*ended.sessions, *ended.keys])
        return ended

    async def rename(self, player: str, name: str) -> str:
        """Another name.

        :raises Refused: it cannot be
        """
        name = self.require_name(name)
        if not await self._store.write(kept.rename_account, player, name, name_keys(name)):
            raise Refused("name_taken")
        self._players.forget_player(player)
        self._players.on_rename(player)
        return name

    async def renew_codes(self, proof: Proof) -> tuple[str, ...]:
        """Other recovery codes; the former ones are no longer good.

        :raises Refused: the proof does not hold any more
        """
        codes = new_codes()
        if not await self._store.write(kept.renew_recovery_codes, proof, [hash_code(code) for code in codes]):
            raise Refused("token_ended")
        return codes

    async def codes_left(self, known: Identity) -> int:
        """How many recovery codes have not been used."""
        return await self._store.read(kept.recovery_codes_left, known.player.id)

    def require_name(self, name: str) -> str:
        """The name as it is kept.

        :raises Refused: it cannot be one
        """
        shown = clean(name, NAME_LENGTH)
        if len(shown) < 2:
            raise Refused("bad_name")
        if shown[-2:-1] == " " and decimal(shown[-1], 0) in NUMBERS:
            raise Refused("numbered_name")
        if set(name_keys(shown)) & _reserved_keys():
            raise Refused("name_taken")
        return shown


def require_password(password: str, name: str) -> None:
    """Refuse what everybody would try first.

    :raises Refused: it cannot be a password
    """
    if not SHORTEST <= len(password) <= LONGEST or password.casefold() == name.casefold():
        raise Refused("bad_password")


def new_codes() -> tuple[str, ...]:
    """Recovery codes, to be written down."""
    return tuple(new_code() for _ in range(_CODES))


def new_code() -> str:
    """A code that nobody guesses."""
    signs = base64.b32encode(secrets.token_bytes(_CODE_BYTES)).decode().lower()
    return "-".join(signs[at : at + 4] for at in range(0, len(signs), 4))


def hash_code(code: str) -> str:
    """What is kept of a code, however it was written; it is long enough to need no salt.

    >>> hash_code("abcd-efgh") == hash_code(" ABCD EFGH ")
    True
    """
    return hash_token("recovery " + "".join(code.split()).replace("-", "").lower())


@cache
def _reserved_keys() -> frozenset[str]:
    names = [one for name in _RESERVED for one in (name, *(numbered(name, number) for number in NUMBERS))]
    return frozenset(key for name in names for key in name_keys(name))
