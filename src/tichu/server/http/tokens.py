"""Tokens that end: at the wish of whoever has them, or of whoever runs the server."""

from starlette.requests import Request
from starlette.responses import Response

from tichu.server.http.addresses import address_of
from tichu.server.http.bodies import token_owner
from tichu.server.http.endpoints import Endpoint
from tichu.server.http.operator import OperatorDoor
from tichu.server.http.responses import Failure, json_response
from tichu.server.lobby import Lobby
from tichu.server.operator import Operator
from tichu.server.wire.requests import Registered, TokenEnded

__all__ = ["Tokens"]


class Tokens:
    """What can be done with a token that somebody else may have seen."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        self._door = OperatorDoor(lobby.config.operator_token)

    def endpoints(self) -> list[Endpoint]:
        """All of them, with what each takes and answers."""
        own = "/api/me/token"
        return [
            Endpoint(
                "POST", own, "renewToken", "Get another token; this one ends", self.renew, Registered, token="must"
            ),
            Endpoint("DELETE", own, "endToken", "End your token for good", self.end, TokenEnded, token="must"),
            Endpoint(
                *(
                    "DELETE",
                    "/api/players/{player}/token",
                    "revokeToken",
                    "End a player's token, as the operator",
                    self.revoke,
                ),
                TokenEnded,
                errors=(404,),
                token="must",
            ),
        ]

    async def renew(self, request: Request) -> Response:
        """Another token for the same player; whoever else has the former one is sent away."""
        known = await token_owner(request, self._lobby)
        if not self._lobby.may_make(address_of(request.scope)):
            raise Failure(429, "too_fast", "too many new tokens from this address; wait a minute")
        renewed = await self._lobby.players.renew(known)
        if renewed is None:
            raise Failure(401, "wrong_token", "this token has just ended")
        token, ended = renewed
        self._lobby.send_away(known.player.id, ended if known.session else None)
        player = known.player
        return json_response(Registered(player=player.id, name=player.name, kind=known.kind, token=token))

    async def end(self, request: Request) -> Response:
        """No token leads to this player any more; games and seats stay as they are."""
        known = await token_owner(request, self._lobby)
        if known.session:
            ended = await self._lobby.players.end_session(known.player.id, known.session)
            self._lobby.send_away(known.player.id, [*ended.sessions, *ended.keys])
            return json_response(TokenEnded(player=known.player.id))
        return await self._end(known.player.id)

    async def revoke(self, request: Request) -> Response:
        """The same for any player; without an operator's token there is no such place."""
        self._door.require(request)
        ended = await self._end(request.path_params["player"])
        await Operator(self._lobby).note("end-tokens", request.path_params["player"])
        return ended

    async def _end(self, player_id: str) -> Response:
        if not await self._lobby.players.revoke(player_id):
            raise Failure(404, "no_such_player", "there is no such player")
        self._lobby.send_away(player_id)
        return json_response(TokenEnded(player=player_id))
