"""Everything about oneself: one file with all of it, two who become one, and to be forgotten."""

from collections.abc import AsyncIterator, Callable
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from tichu.server.accounts.accounts import Refused
from tichu.server.background import Busy
from tichu.server.http.accounts import answer_refusals
from tichu.server.http.addresses import address_of
from tichu.server.http.bodies import body, decoder_of, token_owner
from tichu.server.http.endpoints import Endpoint
from tichu.server.http.exporting import write_export
from tichu.server.http.responses import Failure, json_response
from tichu.server.lobby import Lobby
from tichu.server.people import delete_person, merge_guest
from tichu.server.turns import AtOnce, Turns
from tichu.server.wire.accounts import Farewell, GuestToken
from tichu.server.wire.requests import TokenEnded

__all__ = ["SelfApi"]

_GUEST: Final = decoder_of(GuestToken)
_FAREWELL: Final = decoder_of(Farewell)
#: Files that are written at a time, and those of an address: who reads slowly holds one for long.
_EXPORTS: Final = 64
_ADDRESS_EXPORTS: Final = 2
#: Those of an address who are forgotten or merged at a time.
_ADDRESS_REWRITTEN: Final = 6


class _Export(StreamingResponse):
    """A file that counts from when it is promised until it is sent, or whoever wanted it has gone."""

    def __init__(self, content: AsyncIterator[bytes], at_end: Callable[[], None], **rest: Any) -> None:
        super().__init__(content, **rest)
        self._at_end = at_end

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._at_end()


class SelfApi:
    """What one may ask about oneself as a whole."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        self._exports = AtOnce(_EXPORTS, _ADDRESS_EXPORTS, 1)
        self._rewritten = AtOnce(_EXPORTS, _ADDRESS_REWRITTEN, _ADDRESS_REWRITTEN)
        #: Open tables are looked through for one at a time.
        self._looking = Turns(_EXPORTS)

    def endpoints(self) -> list[Endpoint]:
        """All of them, with what each takes and answers."""
        listed = [
            Endpoint(
                *("GET", "/api/me/export", "exportMe", "Everything about you", self.export, "application/json"),
                token="must",
                is_costly=True,
            ),
            Endpoint(
                *("POST", "/api/me/guests", "mergeGuest", "Make a guest's games yours", self.merge, TokenEnded),
                GuestToken,
                errors=(409,),
                token="must",
                is_costly=True,
            ),
            Endpoint(
                *("POST", "/api/me/farewell", "forgetMe", "Be forgotten for good", self.leave, TokenEnded, Farewell),
                token="must",
                is_costly=True,
            ),
        ]
        return [one._replace(handler=answer_refusals(one.handler)) for one in listed]

    async def export(self, request: Request) -> Response:
        """All that is kept about whoever asks, as JSON; secrets are not, since only their hashes are kept."""
        known = await token_owner(request, self._lobby, may_be_banned=True)
        address = address_of(request.scope)
        if not self._exports.enter(address, known.player.id):
            raise Busy
        headers = {"cache-control": "no-store", "content-disposition": 'attachment; filename="tichu.json"'}
        file = write_export(self._lobby, known, self._looking)
        return _Export(
            file, lambda: self._exports.leave(address, known.player.id), headers=headers, media_type="application/json"
        )

    async def merge(self, request: Request) -> Response:
        """Both tokens are shown: the account's in the header, the guest's in the body."""
        known = await token_owner(request, self._lobby)
        shown: GuestToken = await body(request, _GUEST)
        await self._lobby.accounts.account(known)
        guest = await self._lobby.players.identify(shown.token)
        if guest is None or guest.player.account or guest.table is not None:
            raise Refused("not_a_guest")
        with self._rewritten.taken(address_of(request.scope), guest.player.id):
            await merge_guest(self._lobby, guest, known)
        return json_response(TokenEnded(player=guest.player.id))

    async def leave(self, request: Request) -> Response:
        """Nothing names whoever asks any more."""
        known = await token_owner(request, self._lobby, may_be_banned=True)
        shown: Farewell = await body(request, _FAREWELL)
        if known.player.account:
            await self._lobby.accounts.prove(known, shown.password, address_of(request.scope))
        elif not self._lobby.may_make(address_of(request.scope)):
            raise Failure(429, "too_fast", "too many who leave from this address; wait a minute")
        with self._rewritten.taken(address_of(request.scope), known.player.id):
            await delete_person(self._lobby, known.player.id, known.token)
        return json_response(TokenEnded(player=known.player.id))
