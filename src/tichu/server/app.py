"""The application: page, socket and API around one lobby."""

import ipaddress
import secrets
from typing import TYPE_CHECKING

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

from tichu.server.http.accounts import AccountsApi
from tichu.server.http.api import Api
from tichu.server.http.emails import EmailsApi
from tichu.server.http.endpoints import routes
from tichu.server.http.games import Games
from tichu.server.http.home import HomeApi
from tichu.server.http.middleware import Connections, Guard
from tichu.server.http.openapi import openapi
from tichu.server.http.operator import OperatorApi
from tichu.server.http.passkeys import PasskeysApi
from tichu.server.http.people import PeopleApi
from tichu.server.http.practice import PracticeApi
from tichu.server.http.previews import Previews
from tichu.server.http.ratings import RatingApi
from tichu.server.http.reports import ReportsApi
from tichu.server.http.responses import error_response
from tichu.server.http.reviews import ReviewApi
from tichu.server.http.self import SelfApi
from tichu.server.http.sockets import talk
from tichu.server.http.static import Page
from tichu.server.http.stream import Streams
from tichu.server.http.tokens import Tokens
from tichu.server.lobby import Lobby

if TYPE_CHECKING:
    from tichu.server.http.relay import Router

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
        *RatingApi(lobby).endpoints(),
        *HomeApi(lobby).endpoints(),
        *Tokens(lobby).endpoints(),
        *AccountsApi(lobby).endpoints(),
        *PasskeysApi(lobby).endpoints(),
        *EmailsApi(lobby).endpoints(),
        *SelfApi(lobby).endpoints(),
        *PeopleApi(lobby).endpoints(),
        *ReportsApi(lobby).endpoints(),
        *OperatorApi(lobby).endpoints(),
        *Streams(lobby, connections).endpoints(),
    ]
    others = None if lobby.shared is None else lobby.shared.page_file
    page = page or Page(config.prefix, has_worker=config.service_worker, tags=Previews(lobby).tags, others=others)
    if lobby.shared is not None:
        lobby.shared.keep_page(page.hashed_files)

    router: Router | None = None

    async def socket(websocket: WebSocket) -> None:
        await talk(websocket, lobby, connections, None if router is None else router.relay_hello)

    async def metrics(request: Request) -> Response:
        shown = request.headers.get("authorization", "").encode("latin-1")
        wanted = f"Bearer {config.metrics_token}".encode()
        if not config.metrics_token or not secrets.compare_digest(shown, wanted):
            return error_response(404, "not_found", "GET here: Not Found")
        return Response(lobby.metrics.text(), media_type="text/plain; version=0.0.4; charset=utf-8")

    # Written before anybody plays: it takes longer than a table may wait.
    description = msgspec.json.encode(openapi(endpoints, config.prefix))

    async def api_description(request: Request) -> Response:
        return Response(description, media_type="application/json")

    app: ASGIApp = Starlette(
        routes=[
            WebSocketRoute("/ws/v1", socket),
            WebSocketRoute("/ws/v1/tables/{table}", socket),
            WebSocketRoute("/ws/v1/reviews/{game}", reviews.watch),
            *routes(endpoints, config.limits, lobby.store_line),
            Route("/metrics", metrics, methods=["GET"]),
            Route("/openapi.json", api_description, methods=["GET"]),
            Route("/{path:path}", page.answer, methods=["GET"]),
        ],
        exception_handlers={HTTPException: _as_json},
    )
    if lobby.shared is not None:
        from tichu.server.http import relay, relay_proof  # Most servers are alone.

        app = router = relay.Router(app, lobby, lobby.shared, connections)
    if config.more_origins:
        headers = ["authorization", "content-type"]
        methods = ["GET", "POST", "DELETE"]
        app = CORSMiddleware(app, sorted(config.origins), allow_methods=methods, allow_headers=headers)
    app = Guard(app, config, lobby.metrics)
    if lobby.shared is not None:
        app = relay_proof.RelayProof(app, lobby.shared, config.node_secret)
    if config.trusted_proxies:
        # As networks, which are read as we read them: an address with a length is the network that it is in.
        proxies = [str(ipaddress.ip_network(proxy, strict=False)) for proxy in config.trusted_proxies]
        app = ProxyHeadersMiddleware(app, trusted_hosts=proxies)  # type: ignore[arg-type, assignment]
    return app


async def _as_json(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    code = {404: "not_found", 405: "wrong_method"}.get(error.status_code, "refused")
    # Whoever wrote a secret into the address must not find it in one more place.
    response = error_response(error.status_code, code, f"{request.method} here: {error.detail}")
    response.headers.update(error.headers or {})
    return response
