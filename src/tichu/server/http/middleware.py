"""What stands between the network and everything else: names, origins, rates, counts, headers, errors without details.

Tokens travel in a header or in the first message, never in a cookie, so another site's page can do nothing in a
player's name; origins are checked all the same.
"""

import logging
import time
from collections import Counter
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from tichu.server.config import Config
from tichu.server.failures import log_failure
from tichu.server.hosts import is_host, may_be_ours
from tichu.server.http.addresses import address_of
from tichu.server.http.responses import error_response
from tichu.server.metrics import Metrics
from tichu.server.rate_limit import RateLimiter

__all__ = ["Connections", "Guard", "policy"]

log = logging.getLogger("tichu.server")

_HEADERS: Final = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}


#: No path and query of ours is longer; to take apart a long query takes longer than others should wait.
_LONGEST_TARGET: Final = 2048


class Connections:
    """How many sockets and streams every address has."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._counts: Counter[str] = Counter()

    def enter(self, address: str) -> bool:
        """Whether one more is allowed; if so it is counted."""
        if self._counts[address] >= self._most:
            return False
        self._counts[address] += 1
        return True

    def leave(self, address: str) -> None:
        """One less."""
        self._counts[address] -= 1
        if not self._counts[address]:
            del self._counts[address]


def policy(host: str) -> str:
    """What the page may load and talk to: this server and nothing else."""
    sockets = f" ws://{host} wss://{host}" if is_host(host) else ""
    return (
        "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        f"connect-src 'self'{sockets}; object-src 'none'; frame-ancestors 'none'; base-uri 'self'; form-action 'self'"
    )


def _is_secure(scheme: str, host: str) -> bool:
    """Whether a browser trusts the origin; elsewhere it complains about headers that only such origins may send."""
    try:
        name = urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return False
    return scheme == "https" or name in ("localhost", "::1") or name.startswith("127.")


class Guard:
    """The outermost layer of the application."""

    def __init__(self, app: ASGIApp, config: Config, metrics: Metrics) -> None:
        self._app = app
        self._config = config
        self._metrics = metrics
        self._rates = RateLimiter(config.limits.address_rate, config.limits.address_burst)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        scope["path"] = self._without_prefix(scope["path"])
        headers = Headers(scope=scope)
        refusal = self._refusal(scope, headers)
        if scope["type"] == "websocket":
            await self._socket(scope, receive, send, refusal)
        else:
            await self._request(scope, receive, send, refusal)

    def _without_prefix(self, path: str) -> str:
        """A proxy may or may not cut the prefix off."""
        prefix = self._config.prefix
        if prefix and (path == prefix or path.startswith(prefix + "/")):
            return path[len(prefix) :] or "/"
        return path

    def _refusal(self, scope: Scope, headers: Headers) -> Response | None:
        address = address_of(scope)
        if not self._rates.take(address, time.monotonic()):
            self._metrics.guarded.labels("rate").inc()
            return error_response(429, "too_fast", "too many requests from this address; wait a second")
        if not may_be_ours(headers.get("host", ""), self._config.names):
            self._metrics.guarded.labels("host").inc()
            words = "the header host: not a name of this server; it is told its names with --public-url and --names"
            return error_response(421, "wrong_host", words)
        if len(scope["path"]) + len(scope.get("query_string", b"")) > _LONGEST_TARGET:
            self._metrics.guarded.labels("length").inc()
            return error_response(414, "too_large", f"an address has at most {_LONGEST_TARGET} signs after the host")
        if not self._is_right_origin(scope, headers):
            self._metrics.guarded.labels("origin").inc()
            return error_response(403, "wrong_origin", "pages of other sites may not talk to this server")
        return None

    def _is_right_origin(self, scope: Scope, headers: Headers) -> bool:
        """Programs send no origin; a browser sends one with every socket and with whatever changes something."""
        origin = headers.get("origin")
        if origin is None or (scope["type"] == "http" and scope["method"] in ("GET", "HEAD")):
            return True
        if origin.lower() in self._config.origins:
            return True
        try:
            parts = urlsplit(origin.lower())
        except ValueError:
            return False
        # The scheme may differ from ours where a proxy ends TLS without saying so.
        return parts.scheme in ("http", "https") and parts.netloc == headers.get("host", "").lower()

    async def _socket(self, scope: Scope, receive: Receive, send: Send, refusal: Response | None) -> None:
        if refusal is not None:
            await WebSocket(scope, receive, send).send_denial_response(refusal)
            return
        # Handlers of sockets answer for their own errors.
        await self._app(scope, receive, send)

    async def _request(self, scope: Scope, receive: Receive, send: Send, refusal: Response | None) -> None:
        has_begun = False
        host = Headers(scope=scope).get("host", "")

        async def send_guarded(message: Message) -> None:
            nonlocal has_begun
            if message["type"] == "http.response.start":
                has_begun = True
                headers = MutableHeaders(scope=message)
                headers["content-security-policy"] = policy(host)
                if _is_secure(scope["scheme"], host):
                    headers["cross-origin-opener-policy"] = "same-origin"
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
                self._metrics.requests.labels(str(message["status"])).inc()
            await send(message)

        if refusal is not None:
            await refusal(scope, receive, send_guarded)
            return
        try:
            await self._app(scope, receive, send_guarded)
        except Exception as error:
            # Handlers answer for their own errors; this is a stream that broke, or worse.
            number = log_failure(scope["method"], error)
            if not has_begun:
                answer = error_response(500, "internal", f"something broke here; the log has it as {number}")
                await answer(scope, receive, send_guarded)
