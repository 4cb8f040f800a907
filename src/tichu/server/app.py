"""The application: page, socket and API around one lobby."""

import ipaddress
import secrets

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp
from starlette.websockets import WebSocket
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from tichu.server.http.api import Api
from tichu.server.http.endpoints import routes
from tichu.server.http.games import Games
from tichu.server.http.middleware import Connections, Guard
from tichu.server.http.openapi import openapi
from tichu.server.http.practice import PracticeApi
from tichu.server.http.previews import Previews
from tichu.server.http.responses import error_response
from tichu.server.http.reviews import ReviewApi
from tichu.server.http.sockets import talk
from tichu.server.http.static import Page
from tichu.server.http.stream import Streams
from tichu.server.http.tokens import Tokens
from tichu.server.lobby import Lobby

__all__ = ["make_app"]


def make_app(lobby: Lobby, page: Page | None = None) -> ASGIApp:
    """Everything that one server answers to."""
    config = lobby.config
    connections = Connections(config.limits.connections)
    reviews = ReviewApi(lobby, connections)
    endpoints = [
        *Api(lobby).endpoints(),
        *Games(lobby).endpoints(),
        *reviews.endpoints(),
        *PracticeApi(lobby).endpoints(),
        *Tokens(lobby).endpoints(),
        *Streams(lobby, connections).endpoints(),
    ]
    page = page or Page(config.prefix, has_worker=config.service_worker, tags=Previews(lobby).tags)

    async def socket(websocket: WebSocket) -> None:
        await talk(websocket, lobby, connections)

    async def metrics(request: Request) -> Response:
        shown = request.headers.get("authorization", "").encode("latin-1")
        wanted = f"Bearer {config.metrics_token}".encode()
        if not config.metrics_token or not secrets.compare_digest(shown, wanted):
            return error_response(404, "not_found", "GET /metrics: Not Found")
        return Response(lobby.metrics.text(), media_type="text/plain; version=0.0.4; charset=utf-8")

    # Written before anybody plays: it takes longer than a table may wait.
    description = msgspec.json.encode(openapi(endpoints, config.prefix))

    async def api_description(request: Request) -> Response:
        return Response(description, media_type="application/json")

    app: ASGIApp = Starlette(
        routes=[
            WebSocketRoute("/ws/v1", socket),
            WebSocketRoute("/ws/v1/reviews/{game}", reviews.watch),
            *routes(endpoints, config.limits, lobby.store_line),
            Route("/metrics", metrics, methods=["GET"]),
            Route("/openapi.json", api_description, methods=["GET"]),
            Route("/{path:path}", page.answer, methods=["GET"]),
        ],
        exception_handlers={HTTPException: _as_json},
    )
    if config.more_origins:
        headers = ["authorization", "content-type"]
        methods = ["GET", "POST", "DELETE"]
        app = CORSMiddleware(app, sorted(config.origins), allow_methods=methods, allow_headers=headers)
    app = Guard(app, config, lobby.metrics)
    if config.trusted_proxies:
        # As networks, which are read as we read them: an address with a length is the network that it is in.
        proxies = [str(ipaddress.ip_network(proxy, strict=False)) for proxy in config.trusted_proxies]
        app = ProxyHeadersMiddleware(app, trusted_hosts=proxies)  # type: ignore[arg-type, assignment]
    return app


async def _as_json(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    code = {404: "not_found", 405: "wrong_method"}.get(error.status_code, "refused")
    response = error_response(error.status_code, code, f"{request.method} {request.url.path}: {error.detail}")
    response.headers.update(error.headers or {})
    return response
