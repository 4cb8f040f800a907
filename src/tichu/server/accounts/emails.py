"""The address of an account, and the way back by it, where the operator has named an SMTP server.

Who asks for a mail is answered before anybody has looked whether there is such an account: the answer and its time tell
nothing.  Two accounts may have one address.  A family shares one, and to refuse the second would tell that somebody has
an account; a mail is for the account whose name was given.
"""

import asyncio
import time
from collections.abc import Callable
from typing import Final, NamedTuple, NoReturn

from tichu.server.accounts.accounts import Accounts, Refused, hash_code, new_code
from tichu.server.background import Busy
from tichu.server.config import Config, Limits
from tichu.server.failures import RareLine, log_failure
from tichu.server.mail.addresses import is_address
from tichu.server.mail.letters import Language, Letter
from tichu.server.mail.post import Post
from tichu.server.metrics import Metrics
from tichu.server.players import NAME_LENGTH, Identity, Players, hash_token
from tichu.server.rate_limit import RateLimiter, TokenBucket
from tichu.server.store import Store, StoreError
from tichu.server.store import accounts as stored
from tichu.server.store import emails as kept
from tichu.server.store.mail_codes import pending_code
from tichu.server.table.names import name_keys
from tichu.server.table.sanitize import clean

__all__ = ["CODE_MINUTES", "Addresses", "Emails", "accounts_of", "close_accounts"]

#: A code is good for so long: the last one while no further mail is sent.  Or whoever asks in somebody's name, as often
#: as may be, would leave them without one.
CODE_MINUTES: Final = 60
_HOUR_S: Final = 3600.0
#: Those who have lost a password and wait for being looked up.
_MOST_WAITING: Final = 256


class Addresses(NamedTuple):
    """The address of an account, and the one that is to be confirmed; empty where there is none."""

    confirmed: str
    pending: str


class Emails:
    """All addresses of a server."""

    def __init__(
        self,
        store: Store,
        accounts: Accounts,
        post: Post,
        limits: Limits,
        metrics: Metrics,
        clock: Callable[[], float],
    ) -> None:
        self._store = store
        self._accounts = accounts
        self._post = post
        self._most = limits.mails
        self._metrics = metrics
        self._clock = clock
        self._by_address = RateLimiter(limits.address_mails / _HOUR_S, limits.address_mails)
        self._to_strangers = TokenBucket(limits.confirmations / _HOUR_S, limits.confirmations)
        self._line = RareLine()
        self._lookups: set[asyncio.Task[None]] = set()

    async def of(self, known: Identity) -> Addresses:
        """What an account has of it.

        :raises Refused: this is a guest
        """
        account = await self._accounts.account(known)
        now = self._clock()
        pending = await self._store.read(pending_code, account.player, "confirm", account.password, now)
        return Addresses(account.email, pending)

    async def ask(self, known: Identity, address: str, password: str, language: Language, client: str) -> None:
        """Send a code to an address that is to be the account's.

        :raises Refused: it is no address, it is not the password, or there were too many
        """
        if not is_address(address):
            raise Refused("bad_email")
        proof = await self._accounts.prove(known, password, client)
        self._limit(client)
        # Networks have addresses without end, but whoever has confirmed theirs must get codes whatever others ask for.
        if not self._to_strangers.take(time.monotonic()):
            self._refuse()
        now, code = self._clock(), new_code()
        expires = now + 60 * CODE_MINUTES
        done = await self._store.write(kept.add_confirmation, proof, hash_code(code), address, expires, now, self._most)
        if done == "ended":
            raise Refused("token_ended")
        if done == "too_many":
            raise Refused("too_many_mails")
        if done == "send":
            self._post.send(Letter("confirm", address, language, code=code))

    async def confirm(self, known: Identity, code: str, language: Language, client: str) -> None:
        """Enter the code: the address is the account's, and the former one hears of it.

        :raises Refused: it is not the code, or no longer good
        """
        await self._accounts.account(known)
        self._accounts.limit("mail code", known.player.id, client)
        player, token = known.player.id, hash_token(known.token)
        changed = await self._store.write(kept.confirm_address, player, token, hash_code(code), self._clock())
        if changed is None:
            raise Refused("wrong_mail_code")
        if changed.former not in ("", changed.new):
            self._post.send(Letter("changed", changed.former, language, changed.name))

    async def remove(self, known: Identity, password: str, language: Language, client: str) -> None:
        """The account has no address any more, which the former one hears.

        :raises Refused: it is not the password
        """
        proof = await self._accounts.prove(known, password, client)
        removed = await self._store.write(kept.remove_address, proof)
        if removed is None:
            raise Refused("token_ended")
        if removed.former:
            self._post.send(Letter("removed", removed.former, language, removed.name))

    def ask_recovery(self, name: str, language: Language, client: str) -> None:
        """Send a code to whoever has lost the password, later, if there is such an account with an address.

        :raises Refused: it was tried too often, whether there is such an account or not
        """
        keys = name_keys(clean(name, NAME_LENGTH))
        self._accounts.limit("mail", keys[1], client)
        self._limit(client)
        if len(self._lookups) >= _MOST_WAITING:
            self._line.write("a mail is not written", Busy("too many wait"))
            return
        lookup = asyncio.get_running_loop().create_task(self._recover(keys, language), name="a lost password")
        self._lookups.add(lookup)
        lookup.add_done_callback(self._lookups.discard)

    def _limit(self, client: str) -> None:
        """Whoever has many accounts, or knows many names, must not have us write to everybody."""
        if not self._by_address.take(client, time.monotonic()):
            self._refuse()

    def _refuse(self) -> NoReturn:
        self._metrics.guarded.labels("mails").inc()
        raise Refused("too_many_mails")

    async def _recover(self, keys: tuple[str, str], language: Language) -> None:
        try:
            found = await self._store.read(stored.account_by_name, keys)
            if found is None:
                return
            now, code = self._clock(), new_code()
            expires = now + 60 * CODE_MINUTES
            account = await self._store.write(
                kept.add_recovery, found.player, hash_code(code), expires, now, self._most
            )
            if account is not None:
                self._post.send(Letter("recover", account.email, language, account.name, code))
        except StoreError as error:
            self._line.write("a mail waits for the store", error)
        except Exception as error:
            log_failure("a lost password", error)

    async def close(self) -> None:
        """Look nobody up any more, and send what waits if that is quickly done."""
        for lookup in self._lookups:
            lookup.cancel()
        await self._post.close()


def accounts_of(
    config: Config, store: Store, players: Players, metrics: Metrics, clock: Callable[[], float]
) -> tuple[Accounts, Emails | None]:
    """The accounts of a server, and their addresses if it sends mail."""
    server = config.mail_server
    post = None if server is None else Post(server, config.mail_from, config.public_url.rstrip("/"), metrics)
    accounts = Accounts(store, players, config.limits, metrics, clock, post)
    return accounts, None if post is None else Emails(store, accounts, post, config.limits, metrics, clock)


async def close_accounts(accounts: Accounts, emails: Emails | None) -> None:
    """End what works beside the event loop."""
    accounts.close()
    if emails is not None:
        await emails.close()
