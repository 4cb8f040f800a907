"""All players of a server and their tokens.

A guest has one token, an account one for every session.  A key for one seat is a token too, good for that table alone
and until the game there ends.  A token is known by its hash alone.  Who shows it is remembered, so that the store is
asked once; a token that ends is forgotten in the same moment.
"""

import hashlib
import secrets
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Collection, Container
from contextlib import asynccontextmanager
from itertools import islice
from typing import Final

import msgspec

from tichu.server.store import Store, StoredPlayer
from tichu.server.store.accounts import (
    Ended,
    add_seat_key,
    all_seat_key_owners,
    drop_expired,
    end_seat_keys,
    end_session,
    end_sessions,
    is_name_taken,
    keys_of_nobody,
    rename_guest,
    replace_guest_token,
    replace_session_token,
    seat_key_owners,
    see_sessions,
    taken_keys,
)
from tichu.server.store.relations import forget_relations
from tichu.server.table.names import NUMBERS, name_keys, numbered
from tichu.server.table.ports import Player
from tichu.server.table.sanitize import clean
from tichu.server.wire.requests import PlayerKind

__all__ = ["NAME_LENGTH", "SESSION_S", "Identity", "Players", "hash_token", "new_token"]

NAME_LENGTH: Final = 24
#: How long after it was last used the token of a session is good.
SESSION_S: Final = 90 * 86_400.0
#: Keys for a seat at a time.
_SEAT_KEYS: Final = 8
_REMEMBERED: Final = 20_000
#: Players forgotten or noted at once, so that no table waits long for the store.
_BATCH: Final = 200


class Identity(msgspec.Struct, frozen=True):
    """A player who has shown a token."""

    player: Player
    kind: PlayerKind
    token: str
    #: The one table that the token is good for, if it is a key for a seat.
    table: str | None = None
    #: The session of an account, empty for a guest.
    session: str = ""
    #: Until when they are not let in, in seconds since 1970.
    banned: float = 0.0


class Players:
    """Whoever has been given a token."""

    def __init__(self, store: Store, clock: Callable[[], float]) -> None:
        self._store = store
        self._clock = clock
        self._by_token: OrderedDict[str, StoredPlayer] = OrderedDict()
        #: By player: the hashes of these tokens.
        self._by_player: dict[str, set[str]] = {}
        #: Called when a player has another name.
        self.on_rename: Callable[[str], None] = lambda player: None
        #: Tokens that another node may have changed.
        self._doubted: set[str] = set()
        #: How many tokens have ended.
        self._changes = 0
        #: Who was here since that was last stored.
        self._seen: dict[str, float] = {}
        #: Tokens of sessions that were used since that was last stored, by their hashes.
        self._used: dict[str, float] = {}
        #: Sessions that expired before are known to have ended.
        self._expired_until = 0.0
        #: Whose seats have keys, by table, while that is known.
        self._key_owners: dict[str, list[str]] | None = None
        #: Keys that lead to a token while this server runs, by their hashes.
        self._entries: dict[str, str] = {}

    async def register(self, name: str, kind: PlayerKind = "person") -> Identity:
        """A new guest with a new token; the name of an account is left out."""
        token = new_token()
        name = clean(name, NAME_LENGTH)
        if name and await self.is_name_taken(name):
            name = ""
        stored = StoredPlayer(secrets.token_urlsafe(9), name, hash_token(token), kind, self._clock())
        await self._store.keep_player(stored)
        self._remember(stored)
        return _identity(stored, token)

    async def is_name_taken(self, name: str) -> bool:
        """Whether an account has this name, or one that looks like it."""
        return await self._store.read(is_name_taken, name_keys(clean(name, NAME_LENGTH)))

    async def identify(self, token: str, name: str = "") -> Identity | None:
        """The player with this token; a guest perhaps under a new name, unless an account has it."""
        token = self._entries.get(hash_token(token), token)
        key, name = hash_token(token), clean(name, NAME_LENGTH)
        while True:
            changes = self._changes
            stored = None if key in self._doubted else self._by_token.get(key)
            stored = stored or await self._store.player(key)
            self._doubted.discard(key)
            if stored is None or stored.expires <= self._clock():
                self._drop(key)
                return None
            is_free = not (stored.account or stored.table)
            if is_free and name and name != stored.name:
                if await self._store.write(rename_guest, stored.id, name, name_keys(name)):
                    stored = stored._replace(name=name)
                    self.on_rename(stored.id)
                else:
                    # An account has it, or this is one now.
                    name = ""
                    self._drop(key)
                    continue
            # A token may have ended while the store was asked; what it said before must not be remembered.
            if changes == self._changes:
                self._remember(stored)
                return _identity(stored, token)

    async def numbers_taken(self, name: str) -> tuple[int, ...]:
        """With which numbers behind it a name is an account's."""
        by_key = {key: number for number in NUMBERS for key in name_keys(numbered(name, number))}
        return tuple(sorted({by_key[key] for key in await self._store.read(taken_keys, tuple(by_key))}))

    async def with_own_name(self, known: Identity) -> Identity:
        """As they are called now: a guest whose name, or one that looks like it, has become an account's has none."""
        player = known.player
        if not player.account and player.name and await self.is_name_taken(player.name):
            player = player._replace(name="")
        taken = await self.numbers_taken(player.name or "Guest")
        return msgspec.structs.replace(known, player=player._replace(numbers_taken=taken))

    def is_current(self, known: Identity) -> bool:
        """Whether a token that was shown a moment ago is still good."""
        key = hash_token(known.token)
        return key in self._by_token and key not in self._doubted

    def entry(self, known: Identity) -> str:
        """A key that leads to this player as long as this server runs, for a link on their own machine."""
        key = new_token()
        self._entries[hash_token(key)] = known.token
        return key

    async def seat_key(self, known: Identity, table: str) -> str | None:
        """A key for the seat of a player at a table; None if their token has just ended."""
        key, shown, now = new_token(), hash_token(known.token), self._clock()
        is_made = await self._store.write(
            add_seat_key, hash_token(key), known.player.id, shown, table, now, most=_SEAT_KEYS
        )
        return key if is_made else None

    async def end_former_seat_keys(self, table: str, seated: Collection[str]) -> dict[str, list[str]]:
        """The keys of all but these players at a table are nobody's; their hashes, by player."""
        known = self._key_owners
        owners = await self._store.read(seat_key_owners, table) if known is None else known.get(table, ())
        former = set(owners).difference(seated)
        return await self.end_seat_keys(table, former) if former else {}

    @asynccontextmanager
    async def seat_keys_known(self) -> AsyncIterator[None]:
        """While all tables come back: whose seats have keys is read once and not for every table."""
        self._key_owners = await self._store.read(all_seat_key_owners)
        try:
            yield
        finally:
            self._key_owners = None

    async def end_seat_keys(self, table: str, players: Collection[str]) -> dict[str, list[str]]:
        """The keys of these players at a table are nobody's; their hashes, by player."""
        ended = await self._store.write(end_seat_keys, table, sorted(players))
        for keys in ended.values():
            self.forget_tokens(keys)
        return ended

    async def renew(self, known: Identity) -> tuple[str, list[str]] | None:
        """Another token for the same player, and the hashes of those that ended; None if this one has already."""
        token, former = new_token(), hash_token(known.token)
        if known.session:
            good_until = self._clock() + SESSION_S
            keys = await self._store.write(replace_session_token, former, hash_token(token), good_until)
        else:
            keys = await self._store.write(replace_guest_token, former, hash_token(token))
        if keys is None:
            return None
        self.forget_tokens([former, *keys])
        return token, [former, *keys]

    async def revoke(self, player_id: str) -> bool:
        """End all tokens of a player; a guest can never come back.  False if there is no such player."""
        ended = await self._store.write(end_sessions, player_id)
        self.forget_tokens([*ended.sessions, *ended.keys])
        return await self._change(player_id, f"revoked {secrets.token_hex(16)}")

    async def end_session(self, player_id: str, session: str) -> Ended:
        """End one session of an account: the hashes of its tokens, none if there is no such session."""
        ended = await self._store.write(end_session, player_id, session)
        self.forget_tokens([*ended.sessions, *ended.keys])
        return ended

    def forget_tokens(self, ended: Collection[str]) -> None:
        """These tokens, by their hashes, are nobody's any more."""
        self._changes += 1
        for key in ended:
            self._drop(key)

    def forget_player(self, player_id: str) -> None:
        """Something about a player has changed: ask the store again."""
        self.forget_tokens(self._tokens_of(player_id))

    def _tokens_of(self, player_id: str) -> list[str]:
        return list(self._by_player.get(player_id, ()))

    async def _change(self, player_id: str, key: str) -> bool:
        former = await self._store.change_token(player_id, key)
        if former is None:
            return False
        self.forget_player(player_id)
        return True

    def doubt(self, player_id: str) -> None:
        """Ask the store again about a player: another node may have ended a token or given a name."""
        self._doubted.update(self._tokens_of(player_id))

    def doubt_all(self) -> None:
        """The same about everybody."""
        self._doubted.update(self._by_token)

    async def store_visits(self) -> None:
        """Note who was here."""
        seen, self._seen = self._seen, {}
        used, self._used = self._used, {}
        try:
            while seen:
                some = dict(islice(seen.items(), _BATCH))
                await self._store.see_players(some)
                seen = dict(islice(seen.items(), _BATCH, None))
            while used:
                some = dict(islice(used.items(), _BATCH))
                await self._store.write(see_sessions, some, SESSION_S)
                used = dict(islice(used.items(), _BATCH, None))
        except BaseException:
            self._seen = seen | self._seen
            self._used = used | self._used
            raise

    async def drop_expired(self, long_ago: float) -> dict[str, list[str]]:
        """Forget tokens that are no longer good, in the store only those that ended long ago.

        Returned are the hashes of those that ended since the last time, by player.
        """
        now = self._clock()
        self.forget_tokens([key for key, stored in self._by_token.items() if stored.expires <= now])
        keys = await self._store.read(keys_of_nobody, _BATCH)
        # Not the last time alone: the date may have been put right in the meantime.
        ended = await self._store.write(drop_expired, now, min(now, self._expired_until), long_ago, keys)
        self._expired_until = now
        self.forget_tokens([key for tokens in ended.values() for key in tokens])
        return ended

    async def forget(self, before: float, seated: Container[str]) -> int:
        """Forget who was not seen since a time, is in no kept game and has no seat; how many that were."""
        forgotten = 0
        while old := await self._store.old_players(before, _BATCH):
            gone = [player for player in old if player not in seated]
            forgotten += await self._store.forget_players(gone, before)
            if gone:
                await self._store.write(forget_relations, gone)
            # Whoever has a seat somewhere is not away.
            await self._store.see_players({player: self._clock() for player in old if player in seated})
            for key in [key for player in gone for key in self._tokens_of(player)]:
                self._drop(key)
        return forgotten

    def _remember(self, stored: StoredPlayer) -> None:
        now = self._seen[stored.id] = self._clock()
        if stored.session:
            self._used[stored.token_hash] = now
            stored = stored._replace(expires=now + SESSION_S)
        self._drop(stored.token_hash)
        self._by_token[stored.token_hash] = stored
        self._by_player.setdefault(stored.id, set()).add(stored.token_hash)
        if len(self._by_token) > _REMEMBERED:
            self._drop(next(iter(self._by_token)))

    def _drop(self, key: str) -> None:
        stored = self._by_token.pop(key, None)
        self._doubted.discard(key)
        if stored is not None:
            tokens = self._by_player[stored.id]
            tokens.discard(key)
            if not tokens:
                del self._by_player[stored.id]


def new_token() -> str:
    """A secret that nobody guesses."""
    return secrets.token_urlsafe(24)


def hash_token(token: str) -> str:
    """What is kept of a secret."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def _identity(stored: StoredPlayer, token: str) -> Identity:
    player = Player(stored.id, stored.name, stored.account, stored.kind)
    return Identity(player, stored.kind, token, stored.table or None, stored.session, stored.banned)
