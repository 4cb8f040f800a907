"""Passkeys: a device proves who somebody is by signing what it was asked to (WebAuthn).

Browsers have them on secure origins with a name: https, or localhost.  The signatures are checked by a library that is
imported by the first who needs it, in a thread.
"""

import base64
import ipaddress
import json
import secrets
from collections.abc import Callable
from functools import partial
from typing import Any, Final, NamedTuple, ParamSpec, TypeVar
from urllib.parse import urlsplit

from tichu.server.accounts.accounts import Accounts, Entered, Refused
from tichu.server.players import Identity, hash_token
from tichu.server.store import Store
from tichu.server.store import passkeys as kept
from tichu.server.store.passkeys import StoredPasskey
from tichu.server.table.sanitize import clean
from tichu.server.wire.accounts import NewPasskey

__all__ = ["Origin", "Passkeys", "origin_of_passkeys"]

P = ParamSpec("P")
T = TypeVar("T")

_CHALLENGE_S: Final = 300.0
_MOST: Final = 20
_NAME_LENGTH: Final = 60
#: As long as the standard lets the id of a passkey be, in base64url.
_ID_LENGTH: Final = 1364


class Origin(NamedTuple):
    """For whom passkeys are made and asked for."""

    #: The name of the server, without a port.
    site: str
    #: As the browser says it.
    origin: str


def origin_of_passkeys(base: str) -> Origin | None:
    """The origin of a server, or None where browsers have no passkeys.

    >>> origin_of_passkeys("https://tichu.example/club").site, origin_of_passkeys("http://192.168.0.7:8080")
    ('tichu.example', None)
    """
    parts = urlsplit(base)
    site = parts.hostname or ""
    try:
        ipaddress.ip_address(site)
    except ValueError:
        if parts.scheme == "https" or site == "localhost":
            return Origin(site, f"{parts.scheme}://{parts.netloc}".lower())
    return None


class Passkeys:
    """All passkeys of a server."""

    def __init__(self, store: Store, accounts: Accounts) -> None:
        self._store = store
        self._accounts = accounts

    async def registration(self, known: Identity, origin: Origin) -> str:
        """What the browser needs to make a passkey, as JSON.

        :raises Refused: this is a guest
        """
        account = await self._accounts.account(known)
        own = [one.id for one in await self.of(known)]
        challenge = await self._challenge("register", known.player.id)
        return await self._work(_registration, origin, account.handle, account.name, challenge, own)

    async def add(self, known: Identity, origin: Origin, new: NewPasskey, address: str) -> None:
        """Keep a passkey that a browser has made, if the password is shown once more.

        :raises Refused: it does not fit what was asked for, or it is not the password
        """
        await self._accounts.account(known)
        challenge = await self._asked("register", known.player.id, new.credential)
        proof = await self._accounts.prove(known, new.password, address)
        made = await self._work(_verified, origin, new.credential, challenge)
        now = self._accounts.now()
        if made is None:
            raise Refused("wrong_passkey")
        number, public_key, uses = made
        stored = StoredPasskey(number, proof.player, clean(new.name, _NAME_LENGTH), public_key, uses, now, 0.0)
        done = await self._store.write(kept.add_passkey, stored, proof, most=_MOST)
        if done != "done":
            raise Refused("token_ended" if done == "ended" else "wrong_passkey")

    async def authentication(self, origin: Origin, address: str) -> str:
        """What the browser needs to show a passkey, as JSON; whose it will be nobody knows yet.

        :raises Refused: it was tried too often
        """
        self._accounts.limit_address(address)
        challenge = await self._challenge("login", "")
        return await self._work(_authentication, origin, challenge)

    async def log_in(self, origin: Origin, credential: str, device: str) -> Entered:
        """A session for whoever has shown a passkey.

        :raises Refused: nobody's, or not what was asked for
        """
        challenge = await self._asked("login", "", credential)
        number = str(_parsed(credential).get("id", ""))
        # Not every store can be asked for everything.
        is_one = number.isascii() and number.isprintable() and len(number) <= _ID_LENGTH
        found = await self._store.read(kept.passkey, number) if is_one else None
        if found is None:
            raise Refused("wrong_passkey")
        uses = await self._work(_signed, origin, credential, challenge, found)
        if uses is None:
            raise Refused("wrong_passkey")
        # It may have been forgotten while it was looked at.
        is_allowed = partial(kept.use_passkey, found.id, uses, self._accounts.now())
        return await self._accounts.open_session(found.player, device, is_allowed, "wrong_passkey")

    async def of(self, known: Identity) -> list[StoredPasskey]:
        """The passkeys of an account."""
        return await self._store.read(kept.passkeys_of, known.player.id)

    async def drop(self, known: Identity, number: str) -> None:
        """Forget a passkey.

        :raises Refused: there is no such one
        """
        if not await self._store.write(kept.drop_passkey, known.player.id, number):
            raise Refused("no_such_passkey")

    async def _work(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Beside the event loop, where passwords are hashed too: what waits there is bounded."""
        return await self._accounts.passwords.run(partial(work, *args, **kwargs))

    async def _challenge(self, purpose: str, player: str) -> bytes:
        challenge = secrets.token_bytes(32)
        until = self._accounts.now() + _CHALLENGE_S
        text = challenge.hex()
        await self._store.write(kept.add_challenge, hash_token(text), purpose, player, text, until)
        return challenge

    async def _asked(self, purpose: str, player: str, credential: str) -> bytes:
        """The challenge that a browser answers, which is used up."""
        text = _challenge_of(credential)
        found = await self._store.write(kept.take_challenge, hash_token(text), purpose, player, self._accounts.now())
        if found is None:
            raise Refused("wrong_passkey")
        return bytes.fromhex(found)


def _parsed(credential: str) -> dict[str, Any]:
    try:
        value = json.loads(credential)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _bytes(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def _challenge_of(credential: str) -> str:
    response = _parsed(credential).get("response")
    try:
        said = json.loads(_bytes(response["clientDataJSON"])) if isinstance(response, dict) else {}
        return _bytes(said["challenge"]).hex()
    except (KeyError, TypeError, ValueError, RecursionError):
        raise Refused("wrong_passkey") from None


def _registration(origin: Origin, handle: str, name: str, challenge: bytes, own: list[str]) -> str:
    from webauthn import generate_registration_options, options_to_json
    from webauthn.helpers import base64url_to_bytes
    from webauthn.helpers.structs import (
        AuthenticatorSelectionCriteria,
        PublicKeyCredentialDescriptor,
        ResidentKeyRequirement,
        UserVerificationRequirement,
    )

    wanted = AuthenticatorSelectionCriteria(
        resident_key=ResidentKeyRequirement.REQUIRED, user_verification=UserVerificationRequirement.REQUIRED
    )
    return options_to_json(
        generate_registration_options(
            rp_id=origin.site,
            rp_name="Tichu",
            user_id=bytes.fromhex(handle),
            user_name=name,
            challenge=challenge,
            authenticator_selection=wanted,
            exclude_credentials=[PublicKeyCredentialDescriptor(id=base64url_to_bytes(one)) for one in own],
        )
    )


def _authentication(origin: Origin, challenge: bytes) -> str:
    from webauthn import generate_authentication_options, options_to_json
    from webauthn.helpers.structs import UserVerificationRequirement

    required = UserVerificationRequirement.REQUIRED
    return options_to_json(
        generate_authentication_options(rp_id=origin.site, challenge=challenge, user_verification=required)
    )


def _verified(origin: Origin, credential: str, challenge: bytes) -> tuple[str, str, int] | None:
    from webauthn import verify_registration_response
    from webauthn.helpers import bytes_to_base64url

    try:
        made = verify_registration_response(
            credential=credential,
            expected_challenge=challenge,
            expected_rp_id=origin.site,
            expected_origin=origin.origin,
            require_user_verification=True,
        )
    # Whatever is wrong with what a stranger sends, it is not a passkey.
    except Exception:
        return None
    return bytes_to_base64url(made.credential_id), bytes_to_base64url(made.credential_public_key), made.sign_count


def _signed(origin: Origin, credential: str, challenge: bytes, known: StoredPasskey) -> int | None:
    from webauthn import verify_authentication_response
    from webauthn.helpers import base64url_to_bytes

    try:
        shown = verify_authentication_response(
            credential=credential,
            expected_challenge=challenge,
            expected_rp_id=origin.site,
            expected_origin=origin.origin,
            credential_public_key=base64url_to_bytes(known.public_key),
            credential_current_sign_count=known.uses,
            require_user_verification=True,
        )
    except Exception:
        return None
    return int(shown.new_sign_count)
