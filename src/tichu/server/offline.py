"""The operator's way to a store that no server has: the same answers, without a listener."""

import asyncio
import secrets
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import quote, urlencode

import msgspec
from starlette.applications import Starlette
from starlette.types import ASGIApp, Message

from tichu.agents.base import Choice
from tichu.server.config import Config
from tichu.server.http.endpoints import routes
from tichu.server.http.operator import OperatorApi
from tichu.server.serve import open_lobby
from tichu.server.table.ports import BotAsk

__all__ = ["OfflineOperator", "open_offline"]


class OfflineOperator:
    """A store, asked as a server would be."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app = app
        self._token = token

    async def request(
        self, method: str, path: str, query: Mapping[str, str], body: Mapping[str, object] | None
    ) -> tuple[int, bytes]:
        """The status and the body of an answer."""
        headers = [(b"authorization", f"Bearer {self._token}".encode()), (b"content-type", b"application/json")]
        target = f"/api/operator{path}"
        scope: dict[str, Any] = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": target,
            "raw_path": quote(target).encode(),
            "query_string": urlencode(query).encode(),
            "root_path": "",
            "headers": headers,
            "client": None,
            "server": None,
        }
        sent: list[Message] = []

        async def receive() -> Message:
            return {"type": "http.request", "body": msgspec.json.encode(body or {}), "more_body": False}

        async def send(message: Message) -> None:
            sent.append(message)

        await self._app(scope, receive, send)
        status: int = sent[0]["status"]
        return status, b"".join(message.get("body", b"") for message in sent[1:])


async def _never(ask: BotAsk) -> Choice:
    """Nobody plays while the operator is at work."""
    await asyncio.Event().wait()
    raise AssertionError


@asynccontextmanager
async def open_offline(database: str) -> AsyncIterator[OfflineOperator]:
    """A store that no server has.

    :raises StoreError: it cannot be opened, as when a server runs
    """
    token = secrets.token_urlsafe(24)
    async with open_lobby(Config(database=database, operator_token=token), _never) as lobby:
        endpoints = OperatorApi(lobby).endpoints()
        yield OfflineOperator(Starlette(routes=routes(endpoints, lobby.config.limits, lobby.store_line)), token)
