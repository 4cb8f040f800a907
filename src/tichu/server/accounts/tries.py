"""How often somebody may try to be somebody, counted at all nodes alike."""

import time
from collections import OrderedDict
from collections.abc import Callable
from hashlib import blake2b
from typing import Final, Literal

from tichu.server.config import Limits
from tichu.server.rate_limit import RateLimiter

__all__ = ["Tries"]

#: What is counted: accounts that an address makes, tries of an address, tries of an address at an account, and those
#: of all addresses at an account; and where the owner of an account was, who is not counted among these.
Kind = Literal["new", "address", "account", "everywhere", "home"]

_MINUTE_S: Final = 60.0
#: Addresses where owners of accounts were lately.
_HOMES: Final = 20_000


class Tries:
    """What was tried lately, here and at other nodes, which are told as each is let through."""

    def __init__(self, limits: Limits) -> None:
        self._limiters = {
            "new": RateLimiter(limits.account_rate / _MINUTE_S, limits.account_burst),
            "address": RateLimiter(limits.address_login_rate / _MINUTE_S, limits.address_login_burst),
            "account": RateLimiter(limits.login_rate / _MINUTE_S, limits.login_burst),
            "everywhere": RateLimiter(limits.account_login_rate / _MINUTE_S, limits.account_login_burst),
        }
        self._homes: OrderedDict[str, None] = OrderedDict()
        #: Called with what was counted here.
        self.on_counted: Callable[[Kind, str], None] = lambda kind, key: None

    def take(self, kind: Kind, *who: str) -> bool:
        """Whether one more is allowed now."""
        key = _key(*who)
        if not self._limiters[kind].take(key, time.monotonic()):
            return False
        self.on_counted(kind, key)
        return True

    def come_home(self, player: str, address: str) -> None:
        """The owner of an account is there now."""
        key = _key(player, address)
        is_new = key not in self._homes
        self._remember_home(key)
        if is_new:
            self.on_counted("home", key)

    def is_home(self, player: str, address: str) -> bool:
        """Whether the owner of an account was there lately."""
        return _key(player, address) in self._homes

    def count(self, kind: str, key: str) -> None:
        """What another node has let through; a newer one may count more than this one knows."""
        if kind == "home":
            self._remember_home(key)
        elif kind in self._limiters:
            self._limiters[kind].take(key, time.monotonic())

    def forget_homes(self) -> None:
        """As after a restart."""
        self._homes.clear()

    def _remember_home(self, key: str) -> None:
        self._homes[key] = None
        self._homes.move_to_end(key)
        if len(self._homes) > _HOMES:
            self._homes.popitem(last=False)


def _key(*who: str) -> str:
    # What was typed as a name may have been a password, and other nodes are told of it.
    return blake2b("\0".join(who).encode(errors="surrogatepass"), digest_size=16).hexdigest()
