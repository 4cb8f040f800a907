"""What requests bring along: tokens, JSON, numbers in the query.  Every error names the place."""

from typing import Any, Final, TypeVar

import msgspec
from starlette.requests import ClientDisconnect, Request

from tichu.server.accounts.restrictions import ban_words
from tichu.server.http.addresses import address_of
from tichu.server.http.responses import Failure
from tichu.server.http.unreadable import unreadable_words
from tichu.server.lobby import Lobby
from tichu.server.players import Identity
from tichu.server.room import Room

__all__ = ["bearer", "body", "decoder_of", "enter", "number", "require_let_in", "shown_player", "token_owner"]

_T = TypeVar("_T")
#: A table may be made with all actions of a round.
_BODY_BYTES: Final = 16_384


async def body(request: Request, decoder: "msgspec.json.Decoder[_T]") -> _T:
    """The JSON of a request.

    :raises Failure: it is too long, no JSON or not what is wanted
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise Failure(415, "wrong_type", "the body must be JSON, with content-type: application/json")
    parts = bytearray()
    try:
        async for part in request.stream():
            parts += part
            if len(parts) > _BODY_BYTES:
                raise Failure(413, "too_large", f"the body has at most {_BODY_BYTES} bytes")
    except ClientDisconnect:
        raise Failure(400, "malformed", "the body ends too early") from None
    try:
        return decoder.decode(bytes(parts))
    except msgspec.MsgspecError as error:
        raise Failure(400, "malformed", f"the body: {unreadable_words(error)}") from None
    except (RecursionError, UnicodeError):
        raise Failure(400, "malformed", "the body cannot be read") from None


def number(request: Request, name: str, low: int, high: int) -> int | None:
    """A number of the query, or None without one.

    :raises Failure: it is not a number, or too small or too large
    """
    text = request.query_params.get(name)
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 17 and low <= int(text) <= high):
        raise Failure(400, "malformed", f"the query: {name} is a number from {low} to {high}")
    return int(text)


def bearer(request: Request) -> str | None:
    """The token of a request.

    :raises Failure: the header is there and has none
    """
    header = request.headers.get("authorization")
    if header is None:
        return None
    scheme, _, token = header.partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise Failure(401, "no_token", "the header is written Authorization: Bearer TOKEN")
    return token.strip()


async def token_owner(
    request: Request, lobby: Lobby, table: str | None = None, *, may_be_banned: bool = False
) -> Identity:
    """The player whose token the request has; at a table the key of a seat will do.

    :raises Failure: it has none, nobody's, one of somebody who is not let in, or a key for something else
    """
    token = bearer(request)
    if token is None:
        raise Failure(401, "no_token", "this needs a token: Authorization: Bearer TOKEN")
    known = await lobby.players.identify(token)
    if known is None:
        raise Failure(401, "wrong_token", "nobody has this token; POST /api/players gives one")
    if not lobby.may_use(known, table or ""):
        raise Failure(401, "wrong_token", "this is the key of one seat at one table, and good for nothing else")
    if not may_be_banned:
        require_let_in(known, lobby)
    if known.session:
        lobby.accounts.come_home(known.player.id, address_of(request.scope))
    return known


async def enter(lobby: Lobby, known: Identity, table: str) -> tuple[Identity | None, Room | None]:
    """The room of a table, and who comes there as they are by then: nobody if their token has ended meanwhile.

    Whoever was only in doubt is looked up again.  Nothing may be waited for afterwards: the room would not stay.
    """
    while True:
        room = await lobby.visit(table)
        if room is None or lobby.players.is_current(known):
            return known, room
        again = await lobby.players.identify(known.token)
        if again is None or again.banned > lobby.time() or not lobby.may_use(again, table):
            return None, room
        known = await lobby.players.with_own_name(again)


async def shown_player(request: Request, lobby: Lobby) -> str:
    """The id of whoever asks for what everybody may see; empty without a token, and with one that has ended."""
    token = bearer(request)
    known = None if token is None else await lobby.players.identify(token)
    return "" if known is None else known.player.id


def require_let_in(known: Identity, lobby: Lobby) -> None:
    """Refuse whoever is banned.

    :raises Failure: they are
    """
    if known.banned > lobby.time():
        raise Failure(403, "banned", ban_words(known.banned))


def decoder_of(kind: Any) -> "msgspec.json.Decoder[Any]":
    """A decoder for a type that may be a union."""
    return msgspec.json.Decoder(kind)
