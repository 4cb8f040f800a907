"""Passkeys over HTTP."""

from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from tichu.server.accounts.accounts import Refused
from tichu.server.accounts.passkeys import Origin, Passkeys, origin_of_passkeys
from tichu.server.http.accounts import answer_refusals, entered_response
from tichu.server.http.addresses import address_of
from tichu.server.http.bodies import body, decoder_of, token_owner
from tichu.server.http.endpoints import Endpoint
from tichu.server.http.links import base_url
from tichu.server.http.responses import json_response
from tichu.server.lobby import Lobby
from tichu.server.wire.accounts import Entered, NewPasskey, Passkey, PasskeyList, PasskeyOptions, ShownPasskey

__all__ = ["PasskeysApi"]

_NEW: Final = decoder_of(NewPasskey)
_SHOWN: Final = decoder_of(ShownPasskey)


class PasskeysApi:
    """What browsers need for passkeys."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        self._passkeys = Passkeys(lobby.store, lobby.accounts)

    def endpoints(self) -> list[Endpoint]:
        """All of them, with what each takes and answers."""
        own, login = "/api/me/passkeys", "/api/login/passkey"
        listed = [
            Endpoint(
                *("GET", own, "listPasskeys", "Your passkeys", self.list, PasskeyList), errors=(403,), token="must"
            ),
            Endpoint(
                *("POST", f"{own}/options", "askForPasskey", "Begin to make a passkey", self.begin, PasskeyOptions),
                errors=(403, 404),
                token="must",
            ),
            Endpoint(
                *("POST", own, "addPasskey", "Keep a passkey", self.add, PasskeyList, NewPasskey, 201),
                errors=(403, 404),
                token="must",
                is_costly=True,
            ),
            Endpoint(
                *("DELETE", f"{own}/{{passkey}}", "dropPasskey", "Forget a passkey", self.drop, PasskeyList),
                errors=(403, 404),
                token="must",
                is_costly=True,
            ),
            Endpoint(
                *("POST", f"{login}/options", "askForLogin", "Begin to log in with a passkey", self.ask),
                PasskeyOptions,
                errors=(404,),
            ),
            Endpoint(
                *("POST", login, "logInWithPasskey", "Log in with a passkey", self.log_in, Entered, ShownPasskey),
                errors=(404,),
            ),
        ]
        return [one._replace(handler=answer_refusals(one.handler)) for one in listed]

    async def list(self, request: Request) -> Response:
        """The passkeys of the account."""
        return await self._listed(request)

    async def begin(self, request: Request) -> Response:
        """What the browser is to make."""
        known = await token_owner(request, self._lobby)
        self._lobby.accounts.limit_address(address_of(request.scope))
        return json_response(PasskeyOptions(options=await self._passkeys.registration(known, self._origin(request))))

    async def add(self, request: Request) -> Response:
        """What the browser has made."""
        known = await token_owner(request, self._lobby)
        new: NewPasskey = await body(request, _NEW)
        await self._passkeys.add(known, self._origin(request), new, address_of(request.scope))
        return await self._listed(request, 201)

    async def drop(self, request: Request) -> Response:
        """One passkey less."""
        known = await token_owner(request, self._lobby)
        await self._lobby.accounts.account(known)
        number = request.path_params["passkey"]
        if not (number.isascii() and number.isprintable()):
            raise Refused("no_such_passkey")
        await self._passkeys.drop(known, number)
        return await self._listed(request)

    async def ask(self, request: Request) -> Response:
        """What the browser is to sign."""
        options = await self._passkeys.authentication(self._origin(request), address_of(request.scope))
        return json_response(PasskeyOptions(options=options))

    async def log_in(self, request: Request) -> Response:
        """A session for whoever has shown a passkey."""
        shown: ShownPasskey = await body(request, _SHOWN)
        self._lobby.accounts.limit_address(address_of(request.scope))
        entry = await self._passkeys.log_in(self._origin(request), shown.credential, shown.device)
        if entry.ended:
            self._lobby.send_away(entry.known.player.id, entry.ended)
        return entered_response(entry)

    def _origin(self, request: Request) -> Origin:
        base = base_url(self._lobby.config, request.url.scheme, request.headers.get("host", ""))
        origin = origin_of_passkeys(base)
        if origin is None:
            raise Refused("not_here")
        return origin

    async def _listed(self, request: Request, status: int = 200) -> Response:
        known = await token_owner(request, self._lobby)
        await self._lobby.accounts.account(known)
        passkeys = tuple(
            Passkey(id=one.id, name=one.name, created=round(one.created * 1000), used=round(one.used * 1000) or None)
            for one in await self._passkeys.of(known)
        )
        return json_response(PasskeyList(passkeys=passkeys), status)
