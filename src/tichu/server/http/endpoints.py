"""The HTTP API as a list: routes and the OpenAPI description are both made from it, so they cannot differ."""

import time
from collections.abc import Awaitable, Callable, Sequence
from http import HTTPStatus
from typing import Any, NamedTuple

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tichu import __version__
from tichu.server.background import Busy
from tichu.server.config import Limits
from tichu.server.failures import log_failure
from tichu.server.http.addresses import address_of
from tichu.server.http.responses import Failure, error_response
from tichu.server.rate_limit import RateLimiter
from tichu.server.store import StoreError
from tichu.server.wire.requests import ApiError

__all__ = ["Endpoint", "Parameter", "openapi", "routes"]

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


def routes(endpoints: Sequence[Endpoint], limits: Limits) -> list[Route]:
    """The routes, with failures turned into answers."""
    limiter = RateLimiter(limits.costly_rate, limits.costly_burst)
    return [
        Route(
            one.path,
            _answer_errors(_limit(one.handler, limiter) if one.is_costly else one.handler, one.path),
            methods=[one.method],
            name=f"{one.method} {one.path}",
        )
        for one in endpoints
    ]


def _limit(handler: Handler, limiter: RateLimiter) -> Handler:
    async def limited_handler(request: Request) -> Response:
        if not limiter.take(address_of(request.scope), time.monotonic()):
            raise Failure(429, "too_fast", "too many requests of this kind from this address; wait a second")
        return await handler(request)

    return limited_handler


def _answer_errors(handler: Handler, path: str) -> Handler:
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
            log_failure(f"{request.method} {path}", error)
            return error_response(503, "busy", "nothing can be stored or read just now; try again in a moment")
        except Exception as error:
            number = log_failure(f"{request.method} {path}", error)
            return error_response(500, "internal", f"something broke here; the log has it as {number}")

    return answer


def openapi(endpoints: Sequence[Endpoint], prefix: str) -> dict[str, Any]:
    """The description of the API (OpenAPI 3.1)."""
    kinds = [ApiError, *(kind for one in endpoints for kind in (one.body, one.answer) if _is_schema(kind))]
    schemas, components = msgspec.json.schema_components(kinds, ref_template="#/components/schemas/{name}")
    references = iter(schemas[1:])
    paths: dict[str, dict[str, Any]] = {}
    for one in endpoints:
        body = next(references) if _is_schema(one.body) else None
        answer = next(references) if _is_schema(one.answer) else None
        paths.setdefault(one.path, {})[one.method.lower()] = _operation(one, body, answer, schemas[0])
    return {
        "openapi": "3.1.0",
        "info": {"title": "Tichu", "version": __version__, "description": "Tables, games and players of this server."},
        "servers": [{"url": prefix or "/"}],
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _is_schema(kind: Any) -> bool:
    return kind is not None and not isinstance(kind, str)


def _operation(one: Endpoint, body: Any, answer: Any, error: Any) -> dict[str, Any]:
    content = {"application/json": {"schema": answer}} if answer else {one.answer: {"schema": {"type": "string"}}}
    failure = {"application/json": {"schema": error}}
    statuses = {*one.errors, 429, 500, 503}
    if body:
        statuses |= {400, 403, 413, 415}
    if one.token != "no":
        statuses.add(401)
    operation: dict[str, Any] = {
        "summary": one.words,
        "responses": {
            str(one.status): {"description": HTTPStatus(one.status).phrase, "content": content},
            **{
                str(status): {"description": HTTPStatus(status).phrase, "content": failure}
                for status in sorted(statuses)
            },
        },
    }
    parameters = [_path_parameter(part) for part in one.path.split("/") if part.startswith("{")]
    parameters += [
        {
            "name": each.name,
            "in": "query",
            "required": each.is_required,
            "description": each.words,
            "schema": each.schema,
        }
        for each in one.query
    ]
    if parameters:
        operation["parameters"] = parameters
    if body:
        operation["requestBody"] = {"required": True, "content": {"application/json": {"schema": body}}}
    if one.token != "no":
        operation["security"] = [{"token": []}] if one.token == "must" else [{"token": []}, {}]
    return operation


def _path_parameter(part: str) -> dict[str, Any]:
    name = part[1 : part.index("}")]
    return {"name": name, "in": "path", "required": True, "schema": {"type": "string", "minLength": 1}}
