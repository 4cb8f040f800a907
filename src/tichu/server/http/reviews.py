"""Reviews of finished games over HTTP, and the socket ``/ws/v1/reviews/{game}`` that tells of their progress."""

import asyncio
import time
from contextlib import suppress
from http import HTTPStatus
from typing import Final

from msgspec import structs
from starlette.requests import Request
from starlette.responses import Response
from starlette.websockets import WebSocket, WebSocketDisconnect

from tichu.server.http.addresses import address_of
from tichu.server.http.bodies import token_owner
from tichu.server.http.endpoints import Endpoint
from tichu.server.http.games import find_game
from tichu.server.http.middleware import Connections
from tichu.server.http.responses import Failure, SlicedResponse, error_response
from tichu.server.http.sockets import converse
from tichu.server.lobby import Lobby
from tichu.server.rate_limit import RateLimiter, TokenBucket
from tichu.server.reviews.progress import Review, Told
from tichu.server.reviews.queue import TooManyReviews
from tichu.server.store import StoreError
from tichu.server.wire import ENCODER
from tichu.server.wire.reviews import ReviewState

__all__ = ["ReviewApi", "encode_review"]

_OVER: Final = 1000
_ENDED: Final = 1001
_TOO_FAST: Final = 4429
#: A part may take longer than a balancer believes in a socket that says nothing: what is known is then said again.
_HEARTBEAT_S: Final = 4.0
#: Decisions that are written at a time.
_SLICE: Final = 200


class ReviewApi:
    """What can be asked about reviews."""

    def __init__(self, lobby: Lobby, connections: Connections) -> None:
        self._lobby = lobby
        self._connections = connections
        limits = lobby.config.limits
        self._watching = RateLimiter(limits.costly_rate, limits.costly_burst)

    def endpoints(self) -> list[Endpoint]:
        """All of them, with what each takes and answers."""
        path = "/api/games/{game}/review"
        return [
            Endpoint(
                *("GET", path, "readReview", "How far the review of a game is", self.read, ReviewState),
                errors=(404,),
                is_costly=True,
            ),
            Endpoint(
                *("POST", path, "reviewGame", "Have a game reviewed", self.ask, ReviewState),
                errors=(403, 404),
                token="must",
                is_costly=True,
            ),
        ]

    async def read(self, request: Request) -> Response:
        """All that is known."""
        game = await find_game(self._lobby, request.path_params["game"])
        return await self._answer(await self._lobby.reviews.find(game))

    async def ask(self, request: Request) -> Response:
        """Have a game reviewed; who asks again is answered and costs nothing."""
        known = await token_owner(request, self._lobby)
        game = await find_game(self._lobby, request.path_params["game"])
        try:
            review = await self._lobby.reviews.ask(game, known.player.id, address_of(request.scope))
        except TooManyReviews as refusal:
            raise Failure(429, "too_many", str(refusal)) from None
        return await self._answer(review)

    async def _answer(self, review: Review) -> Response:
        is_ours = not self._lobby.reviews.is_queued(review)
        data = await encode_review(self._lobby.reviews.state(review))
        if is_ours:
            await review.dissolve()
        return SlicedResponse(data, headers={"cache-control": "no-store"}, media_type="application/json")

    async def watch(self, socket: WebSocket) -> None:
        """Tell whoever listens of every change, until there is nothing more to come."""

        async def talk() -> None:
            review = await self._find(socket)
            if review is not None:
                await socket.accept()
                await self._talk(socket, review)

        await converse(socket, self._lobby, self._connections, talk)

    async def _find(self, socket: WebSocket) -> Review | None:
        if not self._watching.take(address_of(socket.scope), time.monotonic()):
            self._lobby.metrics.guarded.labels("socket_rate").inc()
            refusal = error_response(429, "too_fast", "too many sockets of this kind from this address; wait a second")
        else:
            try:
                return await self._lobby.reviews.find(await find_game(self._lobby, socket.path_params["game"]))
            except Failure as failure:
                refusal = error_response(failure.status, failure.code, failure.message)
            except StoreError:
                words = "nothing can be read just now; try again in a moment"
                refusal = error_response(HTTPStatus.SERVICE_UNAVAILABLE, "busy", words)
        await socket.send_denial_response(refusal)
        return None

    async def _talk(self, socket: WebSocket, review: Review) -> None:
        telling = asyncio.create_task(self._tell(socket, review), name="review socket")
        listening = asyncio.create_task(self._listen(socket), name="review socket")
        try:
            await asyncio.wait((telling, listening), return_when=asyncio.FIRST_COMPLETED)
            with suppress(WebSocketDisconnect, RuntimeError):  # The latter: closed in the meantime.
                await socket.close((telling if telling.done() else listening).result())
        finally:
            for task in (telling, listening):
                task.cancel()
            await asyncio.gather(telling, listening, return_exceptions=True)

    async def _tell(self, socket: WebSocket, review: Review) -> int:
        told: Told = {}
        while True:
            # Whatever changes while this is sent is told next.
            changed = review.changed
            state = self._lobby.reviews.state(review, told)
            await socket.send_text((await encode_review(state)).decode())
            if state.state in ("done", "none"):
                return _ENDED if self._lobby.is_closing else _OVER
            with suppress(TimeoutError):
                async with asyncio.timeout(_HEARTBEAT_S):
                    await changed.wait()

    async def _listen(self, socket: WebSocket) -> int:
        """Nothing that could be said here means anything; who says much is sent away."""
        limits = self._lobby.config.limits
        bucket = TokenBucket(limits.socket_rate, limits.socket_burst)
        left = limits.socket_rejections
        while left >= 0:
            message = await socket.receive()
            if message["type"] == "websocket.disconnect":
                raise WebSocketDisconnect(message["code"])
            left -= not bucket.take(time.monotonic())
        self._lobby.metrics.guarded.labels("socket_rate").inc()
        return _TOO_FAST


async def encode_review(state: ReviewState) -> bytes:
    """As :data:`ENCODER` writes it; a long game is hundreds of kilobytes, and others have their turn in between."""
    slices: list[bytes] = []
    for first in range(0, len(state.decisions), _SLICE):
        await asyncio.sleep(0)
        slices.append(ENCODER.encode(state.decisions[first : first + _SLICE])[1:-1])
    await asyncio.sleep(0)
    # A string cannot have this in it: its quotes would be escaped.
    before, field, after = ENCODER.encode(structs.replace(state, decisions=())).partition(b'"decisions":[')
    return b"".join((before, field, b",".join(slices), after))
