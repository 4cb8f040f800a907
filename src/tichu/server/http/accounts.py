"""Accounts over HTTP.  What is told here once (tokens, codes) is in no log and in no address."""

from collections.abc import Awaitable, Callable
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from tichu.server.accounts.accounts import Entered as Entry
from tichu.server.accounts.accounts import Refused
from tichu.server.accounts.emails import Addresses
from tichu.server.http.addresses import address_of
from tichu.server.http.bodies import bearer, body, decoder_of, token_owner
from tichu.server.http.endpoints import Endpoint
from tichu.server.http.responses import Failure, json_response
from tichu.server.lobby import Lobby
from tichu.server.mail.addresses import masked
from tichu.server.store.accounts import Ended
from tichu.server.wire.accounts import (
    AccountInfo,
    Codes,
    Credentials,
    EmailInfo,
    Entered,
    NewAccount,
    NewName,
    NewPassword,
    Proof,
    Recovery,
    Session,
    SessionsEnded,
)

__all__ = ["AccountsApi", "answer_refusals", "email_info", "entered_response"]

_NEW_ACCOUNT: Final = decoder_of(NewAccount)
_CREDENTIALS: Final = decoder_of(Credentials)
_RECOVERY: Final = decoder_of(Recovery)
_PROOF: Final = decoder_of(Proof)
_NEW_PASSWORD: Final = decoder_of(NewPassword)
_NEW_NAME: Final = decoder_of(NewName)

_STATUSES: Final = {
    "name_taken": 409,
    "has_account": 409,
    "not_a_guest": 409,
    "bad_name": 400,
    "numbered_name": 400,
    "bad_password": 400,
    "no_account": 403,
    "wrong_login": 403,
    "wrong_code": 403,
    "wrong_passkey": 403,
    "no_such_session": 404,
    "no_such_passkey": 404,
    "not_here": 404,
    "too_fast": 429,
    "token_ended": 401,
    "banned": 403,
    "bad_email": 400,
    "wrong_mail_code": 403,
    "too_many_mails": 429,
}

Handler = Callable[[Request], Awaitable[Response]]


def answer_refusals(handler: Handler) -> Handler:
    """Turn what an account refuses into an answer."""

    async def answer(request: Request) -> Response:
        try:
            return await handler(request)
        except Refused as refused:
            raise Failure(_STATUSES[refused.reason], refused.reason, refused.words) from None

    return answer


class AccountsApi:
    """What can be asked about one's own account."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        self._accounts = lobby.accounts

    def endpoints(self) -> list[Endpoint]:
        """All of them, with what each takes and answers."""
        me = "/api/me"
        listed = [
            Endpoint(
                *("POST", "/api/accounts", "makeAccount", "Become an account", self.make, Entered, NewAccount, 201),
                errors=(409,),
                token="may",
            ),
            Endpoint("POST", "/api/login", "logIn", "Log in with a password", self.log_in, Entered, Credentials),
            Endpoint(
                *("POST", "/api/login/recovery", "recoverAccount", "Log in with a recovery code", self.recover),
                Entered,
                Recovery,
            ),
            Endpoint(
                *("GET", f"{me}/account", "readAccount", "Your account", self.read, AccountInfo),
                errors=(403,),
                token="must",
            ),
            Endpoint(
                *("POST", f"{me}/name", "changeName", "Change your name", self.rename, AccountInfo, NewName),
                errors=(409,),
                token="must",
            ),
            Endpoint(
                *("POST", f"{me}/password", "changePassword", "Change your password", self.change_password),
                SessionsEnded,
                NewPassword,
                token="must",
            ),
            Endpoint(
                *("POST", f"{me}/codes", "renewCodes", "Get other recovery codes", self.renew_codes, Codes, Proof),
                token="must",
            ),
            Endpoint(
                *("DELETE", f"{me}/sessions", "endOtherSessions", "End all other sessions", self.end_others),
                SessionsEnded,
                errors=(403,),
                token="must",
                is_costly=True,
            ),
            Endpoint(
                *("DELETE", f"{me}/sessions/{{session}}", "endSession", "End a session", self.end_session),
                SessionsEnded,
                errors=(403, 404),
                token="must",
                is_costly=True,
            ),
        ]
        return [one._replace(handler=answer_refusals(one.handler)) for one in listed]

    async def make(self, request: Request) -> Response:
        """A guest becomes an account; all tokens of the guest end."""
        new: NewAccount = await body(request, _NEW_ACCOUNT)
        if not self._lobby.may_make(address_of(request.scope)):
            raise Failure(429, "too_fast", "too many new players and accounts from this address; wait a minute")
        known = None if bearer(request) is None else await token_owner(request, self._lobby)
        if known is None or not known.player.account:
            # Nothing is kept of somebody whose account cannot be made.
            await self._accounts.require_free(new.name or (known.player.name if known else ""), new.password)
            self._accounts.limit_new(address_of(request.scope))
        if known is None:
            known = await self._lobby.players.register("")
        entry = await self._accounts.become(known, new.name, new.password, new.device)
        self._accounts.come_home(entry.known.player.id, address_of(request.scope))
        self._lobby.send_away(known.player.id)
        return entered_response(entry, 201)

    async def log_in(self, request: Request) -> Response:
        """A session for whoever knows the password."""
        shown: Credentials = await body(request, _CREDENTIALS)
        address = address_of(request.scope)
        entry = await self._accounts.log_in(shown.name, shown.password, shown.device, address)
        if entry.ended:
            self._lobby.send_away(entry.known.player.id, entry.ended)
        return entered_response(entry)

    async def recover(self, request: Request) -> Response:
        """A session for whoever has a code, and another password."""
        shown: Recovery = await body(request, _RECOVERY)
        address = address_of(request.scope)
        entry = await self._accounts.recover(
            shown.name, shown.code, shown.password, shown.device, address, shown.language
        )
        self._lobby.send_away(entry.known.player.id)
        return entered_response(entry)

    async def read(self, request: Request) -> Response:
        """What belongs to the account."""
        return await self._info(request)

    async def rename(self, request: Request) -> Response:
        """Another name, from the next seat on."""
        known = await token_owner(request, self._lobby)
        new: NewName = await body(request, _NEW_NAME)
        if not self._lobby.may_make(address_of(request.scope)):
            raise Failure(429, "too_fast", "too many new names from this address; wait a minute")
        await self._accounts.account(known)
        await self._accounts.rename(known.player.id, new.name)
        return await self._info(request)

    async def change_password(self, request: Request) -> Response:
        """Another password; whoever knew the former one is sent away."""
        known = await token_owner(request, self._lobby)
        new: NewPassword = await body(request, _NEW_PASSWORD)
        proof = await self._accounts.prove(known, new.password, address_of(request.scope))
        return self._ended(known.player.id, await self._accounts.change_password(known, proof, new.new_password))

    async def renew_codes(self, request: Request) -> Response:
        """Other recovery codes."""
        known = await token_owner(request, self._lobby)
        shown: Proof = await body(request, _PROOF)
        proof = await self._accounts.prove(known, shown.password, address_of(request.scope))
        return json_response(Codes(codes=await self._accounts.renew_codes(proof)))

    async def end_others(self, request: Request) -> Response:
        """Only whoever asks stays."""
        known = await token_owner(request, self._lobby)
        await self._accounts.account(known)
        return self._ended(known.player.id, await self._accounts.end_other_sessions(known))

    async def end_session(self, request: Request) -> Response:
        """One session less, which may be the one that asks."""
        known = await token_owner(request, self._lobby)
        await self._accounts.account(known)
        session = request.path_params["session"]
        is_one = session.isascii() and session.isprintable()
        ended = await self._lobby.players.end_session(known.player.id, session) if is_one else None
        if ended is None or not ended.sessions:
            raise Refused("no_such_session")
        return self._ended(known.player.id, ended)

    def _ended(self, player: str, ended: Ended) -> Response:
        self._lobby.send_away(player, [*ended.sessions, *ended.keys])
        return json_response(SessionsEnded(ended=len(ended.sessions)))

    async def _info(self, request: Request) -> Response:
        known = await token_owner(request, self._lobby)
        account = await self._accounts.account(known)
        sessions = tuple(
            Session(
                id=one.id,
                device=one.device,
                created=round(one.created * 1000),
                seen=round(one.seen * 1000),
                expires=round(one.expires * 1000),
                current=one.id == known.session,
            )
            for one in await self._accounts.sessions(known)
        )
        return json_response(
            AccountInfo(
                player=account.player,
                name=account.name,
                created=round(account.created * 1000),
                sessions=sessions,
                codes_left=await self._accounts.codes_left(known),
                email=None if self._lobby.emails is None else email_info(await self._lobby.emails.of(known)),
            )
        )


def email_info(addresses: Addresses) -> EmailInfo:
    """As much of the addresses as their owner is told."""
    return EmailInfo(address=masked(addresses.confirmed), pending=masked(addresses.pending))


def entered_response(entry: Entry, status: int = 200) -> Response:
    """What is told to whoever has come in, once."""
    player = entry.known.player
    return json_response(
        Entered(player=player.id, name=player.name, token=entry.known.token, codes=entry.codes), status
    )
