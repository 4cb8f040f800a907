"""The application: page, socket and API around one hub."""

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

from tichu.server.answers import error_response
from tichu.server.api import Api
from tichu.server.endpoints import openapi, routes
from tichu.server.games import Games
from tichu.server.guard import Connections, Guard
from tichu.server.hub import Hub
from tichu.server.page import Page
from tichu.server.sockets import talk
from tichu.server.streams import Streams

__all__ = ["make_app"]


def make_app(hub: Hub, page: Page | None = None) -> ASGIApp:
    """Everything that one server answers to."""
    config = hub.config
    connections = Connections(config.limits.connections)
    endpoints = [*Api(hub).endpoints(), *Games(hub).endpoints(), *Streams(hub, connections).endpoints()]
    description = msgspec.json.encode(openapi(endpoints, config.prefix))
    page = page or Page(config.prefix)

    async def socket(websocket: WebSocket) -> None:
        await talk(websocket, hub, connections)

    async def metrics(request: Request) -> Response:
        return Response(hub.metrics.text(), media_type="text/plain; version=0.0.4; charset=utf-8")

    async def api_description(request: Request) -> Response:
        return Response(description, media_type="application/json")

    app: ASGIApp = Starlette(
        routes=[
            WebSocketRoute("/ws/v1", socket),
            *routes(endpoints),
            Route("/metrics", metrics, methods=["GET"]),
            Route("/openapi.json", api_description, methods=["GET"]),
            Route("/{path:path}", page.answer, methods=["GET"]),
        ],
        exception_handlers={HTTPException: _as_json},
    )
    if config.more_origins:
        headers = ["authorization", "content-type"]
        app = CORSMiddleware(app, sorted(config.origins), allow_methods=["GET", "POST"], allow_headers=headers)
    app = Guard(app, config, hub.metrics)
    if config.trusted_proxies:
        app = ProxyHeadersMiddleware(app, trusted_hosts=list(config.trusted_proxies))  # type: ignore[arg-type, assignment]
    return app


async def _as_json(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    code = {404: "not_found", 405: "wrong_method"}.get(error.status_code, "refused")
    response = error_response(error.status_code, code, f"{request.method} {request.url.path}: {error.detail}")
    response.headers.update(error.headers or {})
    return response
