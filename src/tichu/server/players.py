"""All players of a server and their tokens.

A token is known by its hash alone.  Who shows it is remembered, so that the store is asked once; a token that ends is
forgotten in the same moment.
"""

import hashlib
import secrets
from collections import OrderedDict
from collections.abc import Callable, Container
from typing import Final

import msgspec

from tichu.server.store import Store, StoredPlayer
from tichu.server.table.ports import Player
from tichu.server.table.sanitize import clean
from tichu.server.wire.requests import PlayerKind

__all__ = ["Identity", "Players"]

_NAME_LENGTH: Final = 24
_REMEMBERED: Final = 20_000
#: Players forgotten at once, so that no table waits long for the store.
_BATCH: Final = 200


class Identity(msgspec.Struct, frozen=True):
    """A player who has shown a token."""

    player: Player
    kind: PlayerKind
    token: str


class Players:
    """Whoever has been given a token."""

    def __init__(self, store: Store, clock: Callable[[], float]) -> None:
        self._store = store
        self._clock = clock
        self._by_token: OrderedDict[str, StoredPlayer] = OrderedDict()
        #: How many tokens have ended.
        self._changes = 0
        #: Who was here since that was last stored.
        self._seen: dict[str, float] = {}

    async def register(self, name: str, kind: PlayerKind = "person") -> Identity:
        """A new player with a new token."""
        token = _new_token()
        stored = StoredPlayer(secrets.token_urlsafe(9), clean(name, _NAME_LENGTH), _hash(token), kind, self._clock())
        await self._store.keep_player(stored)
        self._remember(stored)
        return _identity(stored, token)

    async def identify(self, token: str, name: str = "") -> Identity | None:
        """The player with this token, perhaps under a new name."""
        key, name = _hash(token), clean(name, _NAME_LENGTH)
        while True:
            changes = self._changes
            stored = self._by_token.get(key) or await self._store.player(key)
            if stored is None:
                return None
            if name and name != stored.name:
                await self._store.rename(stored.id, name)
                stored = stored._replace(name=name)
            # A token may have ended while the store was asked; what it said before must not be remembered.
            if changes == self._changes:
                self._remember(stored)
                return _identity(stored, token)

    def is_current(self, known: Identity) -> bool:
        """Whether a token that was shown a moment ago is still good."""
        return _hash(known.token) in self._by_token

    async def renew(self, known: Identity) -> Identity:
        """Another token for the same player; the former one is nobody's."""
        token = _new_token()
        await self._change(known.player.id, _hash(token))
        renewed = await self.identify(token)
        assert renewed is not None
        return renewed

    async def revoke(self, player_id: str) -> bool:
        """End the token of a player, who can never come back; False if there is no such player."""
        return await self._change(player_id, f"revoked {secrets.token_hex(16)}")

    async def _change(self, player_id: str, key: str) -> bool:
        former = await self._store.change_token(player_id, key)
        if former is None:
            return False
        self._changes += 1
        self._by_token.pop(former, None)
        return True

    async def store_visits(self) -> None:
        """Note who was here."""
        seen, self._seen = self._seen, {}
        try:
            if seen:
                await self._store.see_players(seen)
        except BaseException:
            self._seen = seen | self._seen
            raise

    async def forget(self, before: float, seated: Container[str]) -> int:
        """Forget who was not seen since a time, is in no kept game and has no seat; how many that were."""
        forgotten = 0
        while old := await self._store.old_players(before, _BATCH):
            gone = [player for player in old if player not in seated]
            forgotten += await self._store.forget_players(gone, before)
            # Whoever has a seat somewhere is not away.
            await self._store.see_players({player: self._clock() for player in old if player in seated})
            away = frozenset(gone)
            for key in [key for key, stored in self._by_token.items() if stored.id in away]:
                del self._by_token[key]
        return forgotten

    def _remember(self, stored: StoredPlayer) -> None:
        self._seen[stored.id] = self._clock()
        self._by_token[stored.token_hash] = stored
        self._by_token.move_to_end(stored.token_hash)
        if len(self._by_token) > _REMEMBERED:
            self._by_token.popitem(last=False)


def _new_token() -> str:
    return secrets.token_urlsafe(24)


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def _identity(stored: StoredPlayer, token: str) -> Identity:
    return Identity(Player(stored.id, stored.name), stored.kind, token)
