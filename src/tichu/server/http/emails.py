"""E-mail addresses of accounts over HTTP.  Codes are told by mail alone, and addresses to nobody."""

from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from tichu.server.accounts.accounts import Refused
from tichu.server.accounts.emails import CODE_MINUTES, Emails
from tichu.server.http.accounts import answer_refusals, email_info
from tichu.server.http.addresses import address_of
from tichu.server.http.bodies import body, decoder_of, token_owner
from tichu.server.http.endpoints import Endpoint
from tichu.server.http.responses import json_response
from tichu.server.lobby import Lobby
from tichu.server.wire.accounts import (
    EmailCode,
    EmailInfo,
    EmailRemoval,
    LoginWays,
    MailAsked,
    MailRequest,
    NewEmail,
)

__all__ = ["EmailsApi"]

_REQUEST: Final = decoder_of(MailRequest)
_NEW: Final = decoder_of(NewEmail)
_CODE: Final = decoder_of(EmailCode)
_REMOVAL: Final = decoder_of(EmailRemoval)


class EmailsApi:
    """The address of an account, and the way back by it."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby

    def endpoints(self) -> list[Endpoint]:
        """All of them, with what each takes and answers."""
        own = "/api/me/email"
        listed = [
            Endpoint("GET", "/api/login", "listLoginWays", "How to come back to an account", self.ways, LoginWays),
            Endpoint(
                *("POST", "/api/login/mail", "askForMail", "Ask for a code by mail", self.ask, MailAsked, MailRequest),
                errors=(404,),
            ),
            Endpoint(
                *("POST", own, "addEmail", "Have a code sent to an address", self.add, EmailInfo, NewEmail),
                errors=(404,),
                token="must",
            ),
            Endpoint(
                *("POST", f"{own}/code", "confirmEmail", "Confirm an address", self.confirm, EmailInfo, EmailCode),
                errors=(404,),
                token="must",
            ),
            Endpoint(
                *("POST", f"{own}/removal", "removeEmail", "Forget your address", self.remove, EmailInfo, EmailRemoval),
                errors=(404,),
                token="must",
            ),
        ]
        return [one._replace(handler=answer_refusals(one.handler)) for one in listed]

    async def ways(self, request: Request) -> Response:
        """What the page offers to whoever has lost a password."""
        return json_response(LoginWays(mail=self._lobby.emails is not None))

    async def ask(self, request: Request) -> Response:
        """A code by mail, for whoever that may be."""
        wanted: MailRequest = await body(request, _REQUEST)
        self._emails().ask_recovery(wanted.name, wanted.language, address_of(request.scope))
        return json_response(MailAsked(minutes=CODE_MINUTES))

    async def add(self, request: Request) -> Response:
        """A code to an address."""
        known = await token_owner(request, self._lobby)
        new: NewEmail = await body(request, _NEW)
        emails = self._emails()
        await emails.ask(known, new.email, new.password, new.language, address_of(request.scope))
        return json_response(email_info(await emails.of(known)))

    async def confirm(self, request: Request) -> Response:
        """The code of that address."""
        known = await token_owner(request, self._lobby)
        shown: EmailCode = await body(request, _CODE)
        emails = self._emails()
        await emails.confirm(known, shown.code, shown.language, address_of(request.scope))
        return json_response(email_info(await emails.of(known)))

    async def remove(self, request: Request) -> Response:
        """No address any more."""
        known = await token_owner(request, self._lobby)
        shown: EmailRemoval = await body(request, _REMOVAL)
        emails = self._emails()
        await emails.remove(known, shown.password, shown.language, address_of(request.scope))
        return json_response(email_info(await emails.of(known)))

    def _emails(self) -> Emails:
        if self._lobby.emails is None:
            raise Refused("not_here", "this server sends no e-mail")
        return self._lobby.emails
