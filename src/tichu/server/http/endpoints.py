"""The HTTP API as a list: routes are made from it, and so is its description (:mod:`.openapi`)."""

import time
from collections.abc import Awaitable, Callable, Sequence
from http import HTTPStatus
from typing import Any, NamedTuple

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tichu.server.background import Busy
from tichu.server.config import Limits
from tichu.server.failures import RareLine, log_failure
from tichu.server.http.addresses import address_of
from tichu.server.http.responses import Failure, error_response
from tichu.server.rate_limit import RateLimiter
from tichu.server.store import StoreError

__all__ = ["Endpoint", "Parameter", "routes"]

Handler = Callable[[Request], Awaitable[Response]]


class Parameter(NamedTuple):
    """A part of the query."""

    name: str
    words: str
    schema: dict[str, Any]
    is_required: bool = False


class Endpoint(NamedTuple):
    """One method of one path."""

    method: str
    #: Names in braces are parts of the path.
    path: str
    #: What a client made from the description calls it.
    operation: str
    words: str
    handler: Handler
    #: The struct that is answered, or the media type of something else.
    answer: Any
    #: The struct that is posted.
    body: Any = None
    status: int = 200
    #: Other statuses that it may answer with.
    errors: tuple[int, ...] = ()
    query: tuple[Parameter, ...] = ()
    #: Whether a token is taken: ``must``, ``may`` or ``no``.
    token: str = "no"
    #: Whether it takes so much work that an address may ask for it only now and then.
    is_costly: bool = False
    #: Other statuses that its answer may have; it is told from an error by its fields.
    also: tuple[int, ...] = ()


def routes(endpoints: Sequence[Endpoint], limits: Limits, store_line: RareLine) -> list[Route]:
    """The routes, with failures turned into answers; the line is for those of the store."""
    return [
        Route(
            one.path,
            _answer_errors(_limit(one.handler, limits) if one.is_costly else one.handler, one.path, store_line),
            methods=[one.method],
            name=f"{one.method} {one.path}",
        )
        for one in endpoints
    ]


def _limit(handler: Handler, limits: Limits) -> Handler:
    # Each has its own: whoever looks at many replays can still have their own data.
    limiter = RateLimiter(limits.costly_rate, limits.costly_burst)

    async def limited_handler(request: Request) -> Response:
        if not limiter.take(address_of(request.scope), time.monotonic()):
            raise Failure(429, "too_fast", "too many requests of this kind from this address; wait a second")
        return await handler(request)

    return limited_handler


def _answer_errors(handler: Handler, path: str, store_line: RareLine) -> Handler:
    async def answer(request: Request) -> Response:
        try:
            return await handler(request)
        except Failure as failure:
            response = error_response(failure.status, failure.code, failure.message)
            if failure.status == HTTPStatus.UNAUTHORIZED:
                response.headers["www-authenticate"] = "Bearer"
            return response
        except Busy:
            return error_response(503, "busy", "too much is being asked for just now; try again in a moment")
        except StoreError as error:
            store_line.write(f"{request.method} {path} waits for the store", error)
            return error_response(503, "busy", "nothing can be stored or read just now; try again in a moment")
        except Exception as error:
            number = log_failure(f"{request.method} {path}", error)
            return error_response(500, "internal", f"something broke here; the log has it as {number}")

    return answer
